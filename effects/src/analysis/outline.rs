//! Calls from outside: whatever a callee does, it does in the buffers that it is given. Threads whose calls are given
//! buffers that do not overlap need not be told what the callees do there. Spec: [rule: conditions.loop-parallel].

use super::{Analysis, Bases};
use crate::locset::Base;
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::build::{alloc, assign, data, for_, int, pass, read, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::map_blocks;
use rewright_semantics::types::{ArgType, BufferType, DataType};
use std::sync::Arc;

/// A block whose callees touch every cell of each buffer that they touch; `None` where there is no such call. One that touches
/// more than the buffers that it is given, a field, stays as it is.
pub fn from_outside(an: &Analysis, b: &Block) -> Option<Block> {
    let mut calls = 0;
    let out = outlined(an, b, &mut calls);
    (calls > 0).then_some(out)
}

/// A block, and how many of its calls are seen from outside.
fn outlined(an: &Analysis, b: &Block, calls: &mut usize) -> Block {
    let one = |s: &Stmt| match s.kind.as_ref() {
        StmtKind::Call { proc, args } => {
            let seen = an.outline(proc);
            *calls += usize::from(seen.is_some());
            let proc = seen.unwrap_or_else(|| proc.clone());
            Stmt::at(StmtKind::Call { proc, args: args.clone() }, s.span)
        }
        StmtKind::If { .. } | StmtKind::For { .. } => map_blocks(s, &mut |b| outlined(an, b, calls)),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => s.clone(),
    };
    b.iter().map(one).collect()
}

/// A procedure that touches every cell of each buffer that the given one touches, and writes them where that one changes something;
/// `None` where it touches something else.
pub(super) fn outline(p: &Proc, (changed, all): &(Bases, Bases)) -> Option<Arc<Proc>> {
    let is_given = |base: &Base| p.args.iter().any(|a| *base == Base::Buffer(a.name));
    if !all.keys().all(is_given) {
        return None;
    }
    let mut body = Block::new();
    for formal in &p.args {
        let (ArgType::Data { typ, .. }, base) = (&formal.typ, Base::Buffer(formal.name)) else { continue };
        if all.contains_key(&base) {
            body.extend(every_cell(formal.name, typ, changed.contains_key(&base)));
        }
    }
    if body.is_empty() {
        body.push_back(pass());
    }
    Some(Arc::new(Proc { body, ..p.clone() }))
}

fn every_cell(x: Sym, typ: &BufferType, is_changed: bool) -> Vec<Stmt> {
    let at: Vec<Sym> = typ.shape.iter().map(|_| Sym::fresh("at")).collect();
    let idx: Vec<Expr> = at.iter().map(|i| var(*i)).collect();
    let touched = if is_changed {
        vec![assign(x, idx, data(0, 0))]
    } else {
        let copy = Sym::fresh("copy");
        vec![alloc(copy, DataType::R, []), assign(copy, [], read(x, idx))]
    };
    let nest = |inside: Vec<Stmt>, (i, extent): (Sym, &Expr)| vec![for_(i, int(0), extent.clone(), inside)];
    at.into_iter().zip(typ.shape.iter()).rev().fold(touched, nest)
}
