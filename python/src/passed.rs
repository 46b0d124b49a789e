//! What calls pass, as Exo's library finds it: by the names of buffers.

use rewright_primitives::Cursor;
use rewright_primitives::cursor::path::{Place, Step, block_of};
use rewright_primitives::error::InvalidCursor;
use rewright_semantics::ast::{Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ArgType, MemName};
use std::collections::HashMap;

/// Where a buffer is, and the type of its cells in a word.
pub(crate) type Held = (MemName, &'static str);

/// What a call passes for an argument.
pub(crate) enum Passed {
    /// A buffer, or a part of it.
    Buffer(Held),
    /// Something of this name, which no buffer has.
    Unknown(Name),
    /// A value that is computed for the call.
    Value,
}

/// For each argument of a call for which the callee takes data: what is passed, and the callee's parameter. The arguments around
/// the call are those of `p`, which may be another version than the cursor's.
///
/// # Errors
/// The cursor points at no call.
pub(crate) fn buffers(call: &Cursor, p: &Proc) -> Result<Vec<(Passed, Held)>, InvalidCursor> {
    let stmt = call.stmt()?;
    let (StmtKind::Call { proc, args }, Place::Stmt(path)) = (stmt.kind.as_ref(), call.place()) else {
        return Err(InvalidCursor::new(format!("{} is no call", call.describe())));
    };
    let known = in_scope(p, &before(call.proc().ast(), path));
    let asked = proc.args.iter().zip(args.iter()).filter_map(|(formal, e)| Some((held(&formal.typ)?, e)));
    Ok(asked.map(|(asked, e)| (passed(&known, e), asked)).collect())
}

fn passed(known: &HashMap<Name, Held>, e: &Expr) -> Passed {
    let Some(name) = e.kind.passed_buffer().map(Sym::name) else { return Passed::Value };
    known.get(&name).copied().map_or(Passed::Unknown(name), Passed::Buffer)
}

fn held(t: &ArgType) -> Option<Held> {
    match t {
        ArgType::Data { typ, mem } => Some((*mem, typ.elem.keyword())),
        ArgType::Control(_) => None,
    }
}

/// What each name of a buffer stands for after these statements of a procedure. The outermost of two with one name counts, as Exo
/// has it; a window is where the buffer is that it looks at.
fn in_scope(p: &Proc, seen: &[&Stmt]) -> HashMap<Name, Held> {
    let args = p.args.iter().filter_map(|arg| Some((arg.name.name(), held(&arg.typ)?)));
    let mut known: HashMap<Name, Held> = args.collect();
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
