//! Buffers: where they are declared, of what type, in what memory.

use rewright_primitives::cursor::path::Place;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{Block, StmtKind, WinCoord};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, DataType, MemName};
use std::collections::BTreeSet;

/// A buffer's declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The type of a cell.
    pub elem: DataType,
    /// How many dimensions it has.
    pub rank: usize,
    /// Where it lives.
    pub memory: MemName,
    /// Whether it is an argument.
    pub is_argument: bool,
}

/// The buffer that a variable stands for, through the windows that it may be of. `None` for control.
pub fn buffer(p: &Proc, x: Sym) -> Option<Buffer> {
    if let Some(arg) = p.ast().args.iter().find(|arg| arg.name == x) {
        return match &arg.typ {
            ArgType::Control(_) => None,
            ArgType::Data { typ, mem } => {
                Some(Buffer { elem: typ.elem, rank: typ.rank(), memory: *mem, is_argument: true })
            }
        };
    }
    let (mut found, mut root) = (None, None);
    declarations(&p.ast().body, &mut |y, b| found = found.or((y == x).then_some(b)), &mut |y, of, rank| {
        root = root.or((y == x).then_some((of, rank)));
    });
    found.or_else(|| {
        let (of, rank) = root?;
        Some(Buffer { rank, ..buffer(p, of)? })
    })
}

fn declarations(b: &Block, alloc: &mut impl FnMut(Sym, Buffer), window: &mut impl FnMut(Sym, Sym, usize)) {
    each_stmt(b, &mut |s| match s.kind.as_ref() {
        StmtKind::Alloc { name, typ, mem } => {
            alloc(*name, Buffer { elem: typ.elem, rank: typ.rank(), memory: *mem, is_argument: false });
        }
        StmtKind::WindowStmt { name, rhs } => {
            let kept = rhs.idx.iter().filter(|w| matches!(w, WinCoord::Interval(..))).count();
            window(*name, rhs.name, kept);
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Call { .. } => {}
    });
}

/// The buffers that can be named at a statement: data arguments, allocations and windows that are in scope there.
pub fn live_buffers(at: &Cursor) -> Vec<(Sym, Buffer)> {
    let path = match at.place() {
        Place::Stmt(path) => path.clone(),
        Place::Block(run) => run.path.clone(),
        Place::Gap(gap) => gap.anchor.clone(),
        Place::Expr(e) => e.stmt.clone(),
        Place::Arg(_) => return Vec::new(),
    };
    let visible = at.proc().visible_at(&path).unwrap_or_default();
    visible.into_iter().filter_map(|x| Some((x, buffer(at.proc(), x)?))).collect()
}

/// Whether a buffer can be named at a statement.
pub fn is_live(at: &Cursor, x: Sym) -> bool {
    live_buffers(at).iter().any(|(y, _)| *y == x)
}

/// The precisions of the cells that are read and written in what is pointed at.
pub fn precisions(at: &Cursor) -> BTreeSet<DataType> {
    let all = super::accesses(at);
    all.into_iter().filter_map(|a| Some(buffer(at.proc(), a.name)?.elem)).collect()
}

/// A name that no data has in a procedure yet: `v0`, `v1`, …
pub fn fresh(p: &Proc, stem: &str) -> String {
    let mut taken: BTreeSet<String> = p.ast().args.iter().map(|a| a.name.name().to_string()).collect();
    each_stmt(&p.ast().body, &mut |s| match s.kind.as_ref() {
        StmtKind::Alloc { name, .. }
        | StmtKind::WindowStmt { name, .. }
        | StmtKind::For { iter: name, .. } => {
            taken.insert(name.name().to_string());
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::Call { .. } => {}
    });
    let mut k = 0;
    loop {
        let name = format!("{stem}{k}");
        if !taken.contains(&name) {
            return name;
        }
        k += 1;
    }
}
