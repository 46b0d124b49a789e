//! Places in procedures, and edits at them: what the properties of contexts and conditions need. Spec:
//! [rule: contexts.properties].

use rewright_effects::context::Step;
use rewright_semantics::ast::{Block, LoopMode, Proc, Stmt, StmtKind};

/// The paths to all statements of a procedure, in order.
pub fn paths(p: &Proc) -> Vec<Vec<Step>> {
    let mut out = Vec::new();
    collect(&p.body, &Step::Body, &mut Vec::new(), &mut out);
    out
}

fn collect(b: &Block, step: &dyn Fn(usize) -> Step, at: &mut Vec<Step>, out: &mut Vec<Vec<Step>>) {
    for (i, s) in b.iter().enumerate() {
        at.push(step(i));
        out.push(at.clone());
        if let Some((body, orelse)) = blocks(s) {
            collect(body, &Step::Body, at, out);
            if let Some(orelse) = orelse {
                collect(orelse, &Step::Orelse, at, out);
            }
        }
        at.pop();
    }
}

fn blocks(s: &Stmt) -> Option<(&Block, Option<&Block>)> {
    match s.kind.as_ref() {
        StmtKind::If { cond: _, body, orelse } => Some((body, Some(orelse))),
        StmtKind::For { body, .. } => Some((body, None)),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}

/// The block that a path ends in, and the index there.
pub fn block_at<'p>(p: &'p Proc, path: &[Step]) -> Option<(&'p Block, usize)> {
    let mut here = &p.body;
    let (last, before) = path.split_last()?;
    for (k, step) in before.iter().enumerate() {
        let (body, orelse) = blocks(here.get(step.index())?)?;
        here = match path.get(k + 1)? {
            Step::Body(_) => body,
            Step::Orelse(_) => orelse?,
        };
    }
    Some((here, last.index()))
}

/// The procedure with the block that a path ends in changed.
pub fn edit(p: &Proc, path: &[Step], change: &dyn Fn(&Block, usize) -> Block) -> Proc {
    Proc { body: edit_block(&p.body, path, change), ..p.clone() }
}

fn edit_block(b: &Block, path: &[Step], change: &dyn Fn(&Block, usize) -> Block) -> Block {
    let Some((step, rest)) = path.split_first() else { return b.clone() };
    let i = step.index();
    let Some(next) = rest.first() else { return change(b, i) };
    let Some(s) = b.get(i) else { return b.clone() };
    let kind = match (s.kind.as_ref(), next) {
        (StmtKind::If { cond, body, orelse }, Step::Body(_)) => {
            StmtKind::If { cond: cond.clone(), body: edit_block(body, rest, change), orelse: orelse.clone() }
        }
        (StmtKind::If { cond, body, orelse }, Step::Orelse(_)) => {
            StmtKind::If { cond: cond.clone(), body: body.clone(), orelse: edit_block(orelse, rest, change) }
        }
        (StmtKind::For { iter, lo, hi, body, mode }, _) => StmtKind::For {
            iter: *iter,
            lo: lo.clone(),
            hi: hi.clone(),
            body: edit_block(body, rest, change),
            mode: *mode,
        },
        _ => return b.clone(),
    };
    b.update(i, Stmt::at(kind, s.span))
}

/// The block with statements put in before an index.
pub fn insert(b: &Block, at: usize, stmts: &[Stmt]) -> Block {
    let (mut out, rest) = b.clone().split_at(at);
    out.extend(stmts.iter().cloned());
    out.append(rest);
    out
}

/// The block with `count` statements from an index on replaced.
pub fn replace(b: &Block, at: usize, count: usize, stmts: &[Stmt]) -> Block {
    let (mut out, rest) = b.clone().split_at(at);
    out.extend(stmts.iter().cloned());
    out.extend(rest.into_iter().skip(count));
    out
}

/// The procedure with every loop sequential: the same denotation, and no races.
pub fn sequential(p: &Proc) -> Proc {
    Proc { body: sequential_block(&p.body), ..p.clone() }
}

fn sequential_block(b: &Block) -> Block {
    b.iter().map(sequential_stmt).collect()
}

fn sequential_stmt(s: &Stmt) -> Stmt {
    let kind = match s.kind.as_ref() {
        StmtKind::If { cond, body, orelse } => StmtKind::If {
            cond: cond.clone(),
            body: sequential_block(body),
            orelse: sequential_block(orelse),
        },
        StmtKind::For { iter, lo, hi, body, mode: _ } => StmtKind::For {
            iter: *iter,
            lo: lo.clone(),
            hi: hi.clone(),
            body: sequential_block(body),
            mode: LoopMode::Seq,
        },
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return s.clone(),
    };
    Stmt::at(kind, s.span)
}
