//! What calls pass, as Exo's library finds it: by the names of buffers.

use rewright_primitives::Cursor;
use rewright_primitives::cursor::path::{Place, Step, block_of};
use rewright_primitives::error::InvalidCursor;
use rewright_semantics::ast::{Expr, ExprKind, Proc, Stmt, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ArgType, MemName};
use std::collections::HashMap;

/// Where a buffer is, and the type of its cells in a word.
pub(crate) type Held = (MemName, &'static str);

/// For each argument of a call for which the callee takes data: the buffer that is passed, and the callee's parameter. A value
/// that is computed for the call is no buffer.
///
/// # Errors
/// The cursor points at no call, or a name is that of no buffer.
pub(crate) fn buffers(call: &Cursor) -> Result<Vec<(Option<Held>, Held)>, InvalidCursor> {
    let stmt = call.stmt()?;
    let (StmtKind::Call { proc, args }, Place::Stmt(path)) = (stmt.kind.as_ref(), call.place()) else {
        return Err(InvalidCursor::new(format!("{} is no call", call.describe())));
    };
    let known = in_scope(call.proc().ast(), path);
    let asked = proc.args.iter().zip(args.iter()).filter_map(|(formal, e)| Some((held(&formal.typ)?, e)));
    asked.map(|(asked, e)| Ok((passed(&known, e)?, asked))).collect()
}

/// The buffer that an argument is or is a part of.
fn passed(known: &HashMap<Name, Held>, e: &Expr) -> Result<Option<Held>, InvalidCursor> {
    let Some(name) = buffer_of(e).map(Sym::name) else { return Ok(None) };
    let found = known.get(&name).copied();
    found.map(Some).ok_or_else(|| InvalidCursor::new(format!("`{name}` is no buffer here")))
}

fn buffer_of(e: &Expr) -> Option<Sym> {
    match &e.kind {
        ExprKind::Read { name, idx: _ } => Some(*name),
        ExprKind::Window(w) => Some(w.name),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

fn held(t: &ArgType) -> Option<Held> {
    match t {
        ArgType::Data { typ, mem } => Some((*mem, typ.elem.keyword())),
        ArgType::Control(_) => None,
    }
}

/// What each name of a buffer stands for at a place. The outermost of two with one name counts, as Exo has it; a window is
/// where the buffer is that it looks at.
fn in_scope(p: &Proc, path: &[Step]) -> HashMap<Name, Held> {
    let args = p.args.iter().filter_map(|arg| Some((arg.name.name(), held(&arg.typ)?)));
    let mut known: HashMap<Name, Held> = args.collect();
    let seen = before(p, path);
    for s in seen.iter().rev() {
        if let StmtKind::Alloc { name, typ, mem } = s.kind.as_ref() {
            known.insert(name.name(), (*mem, typ.elem.keyword()));
        }
    }
    for s in seen {
        if let StmtKind::WindowStmt { name, rhs } = s.kind.as_ref()
            && let Some(of) = known.get(&rhs.name.name()).copied()
        {
            known.entry(name.name()).or_insert(of);
        }
    }
    known
}

/// The statements before a place, in its block and in those around it, outermost first.
fn before<'p>(p: &'p Proc, path: &[Step]) -> Vec<&'p Stmt> {
    let around = (1..=path.len()).filter_map(|depth| {
        let to = path.get(..depth)?;
        Some(block_of(p, to)?.iter().take(to.last()?.index()))
    });
    around.flatten().collect()
}
