//! Instructions on the first cells of a window, as Exo's libraries write them: `src: [f32][8]`, of which the lanes below `bound` are
//! used. A window of eight cells may reach beyond its buffer there. Here it has `bound` cells, in the instruction and where it is
//! called. Spec: [rule: python.exo-prefixes].

use rewright_semantics::ast::{
    Arg, BinOp, Block, Expr, ExprKind, Proc, Stmt, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::build::{int, var};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt, map_blocks};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType};

/// The procedure with windows of such instructions as long as they are used.
pub(crate) fn shortened(p: &Proc) -> Proc {
    let mut out = p.clone();
    if p.instr.is_some() {
        out.args = p.args.iter().map(|a| narrowed(p, a)).collect();
    }
    out.body = block(&p.body);
    out
}

/// The size arguments of which an instruction asserts that they are at most so much.
fn bounds(p: &Proc) -> Vec<(Sym, i64)> {
    let is_size =
        |x: &Sym| p.args.iter().any(|a| a.name == *x && matches!(a.typ, ArgType::Control(ControlType::Size)));
    let bound = |e: &Expr| match &e.kind {
        ExprKind::Bin { op: BinOp::Le, lhs, rhs } => lhs.kind.variable().zip(fold::as_int(rhs)),
        ExprKind::Bin { .. }
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    };
    p.preds.iter().filter_map(bound).filter(|(x, _)| is_size(x)).collect()
}

/// The names below which lanes are used, and how many lanes there are: `for i in seq(0, 8): if i < bound: …`.
fn lanes(b: &Block) -> Vec<(Sym, i64)> {
    let mut all = Vec::new();
    each_stmt(b, &mut |s| {
        let StmtKind::For { iter, lo: _, hi, body, mode: _ } = s.kind.as_ref() else { return };
        let Some(StmtKind::If { cond, .. }) = body.get(0).map(|s| s.kind.as_ref()) else { return };
        let ExprKind::Bin { op: BinOp::Lt, lhs, rhs } = &cond.kind else { return };
        let guarded = lhs.kind.variable().filter(|i| i == iter).and_then(|_| rhs.kind.variable());
        all.extend(guarded.zip(fold::as_int(hi)));
    });
    all
}

/// A window in memory of which only cells below a bound are used has as many; a register stays whole.
fn narrowed(p: &Proc, a: &Arg) -> Arg {
    let ArgType::Data { typ, mem } = &a.typ else { return a.clone() };
    let (ArrayKind::Window, [extent]) = (typ.kind, &typ.shape[..]) else { return a.clone() };
    let bound = bounds(p).into_iter().find(|(bound, most)| {
        mem.to_string() == "DRAM"
            && fold::as_int(extent) == Some(*most)
            && is_used_below(&p.body, a.name, *bound, &[])
    });
    let Some((bound, _)) = bound else { return a.clone() };
    let typ = BufferType { shape: vec![var(bound)].into(), ..typ.clone() };
    Arg { typ: ArgType::Data { typ, mem: *mem }, ..a.clone() }
}

/// Whether each use of a window is of a cell whose index is one of the variables that are known to be below the bound.
fn is_used_below(b: &Block, x: Sym, bound: Sym, below: &[Sym]) -> bool {
    b.iter().all(|s| {
        let is_below =
            |idx: &[Expr]| matches!(idx, [i] if i.kind.variable().is_some_and(|i| below.contains(&i)));
        let mut fine = match s.kind.as_ref() {
            StmtKind::Assign { name, idx, .. } | StmtKind::Reduce { name, idx, .. } => {
                *name != x || is_below(idx)
            }
            StmtKind::WindowStmt { name: _, rhs } => rhs.name != x,
            StmtKind::If { cond, body, orelse } => {
                let inside: Vec<Sym> = below.iter().copied().chain(less_than(cond, bound)).collect();
                is_used_below(body, x, bound, &inside) && is_used_below(orelse, x, bound, below)
            }
            StmtKind::For { body, .. } => is_used_below(body, x, bound, below),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::Call { .. } => true,
        };
        each_operand(s, &mut |_, e| {
            each_expr(e, &mut |e| {
                fine = fine
                    && match &e.kind {
                        ExprKind::Read { name, idx } => *name != x || is_below(idx),
                        ExprKind::Window(w) => w.name != x,
                        ExprKind::Lit(_)
                        | ExprKind::Neg(_)
                        | ExprKind::Not(_)
                        | ExprKind::Bin { .. }
                        | ExprKind::Extern { .. }
                        | ExprKind::Stride { .. }
                        | ExprKind::ReadConfig { .. } => true,
                    };
            });
        });
        fine
    })
}

/// `i`, of `i < bound`.
fn less_than(cond: &Expr, bound: Sym) -> Option<Sym> {
    match &cond.kind {
        ExprKind::Bin { op: BinOp::Lt, lhs, rhs } if rhs.kind.variable() == Some(bound) => {
            lhs.kind.variable()
        }
        ExprKind::Bin { .. }
        | ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

fn block(b: &Block) -> Block {
    b.iter().map(stmt).collect()
}

fn stmt(s: &Stmt) -> Stmt {
    match s.kind.as_ref() {
        StmtKind::Call { proc, args } if proc.instr.is_some() => {
            let args = args.iter().enumerate().map(|(k, e)| passed(proc, args, k, e)).collect();
            Stmt::at(StmtKind::Call { proc: proc.clone(), args }, s.span)
        }
        StmtKind::Call { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => map_blocks(s, &mut block),
    }
}

/// What is passed for a window of which an instruction uses the cells below its bound: as many of them, of a window that is as long
/// as the bound may be, and of a whole buffer. Another window stays as it is written.
fn passed(callee: &Proc, args: &[Expr], k: usize, e: &Expr) -> Expr {
    let shortened = || {
        let formal = callee.args.get(k)?;
        let ArgType::Data { typ, mem: _ } = &formal.typ else { return None };
        let (ArrayKind::Window, [extent]) = (typ.kind, &typ.shape[..]) else { return None };
        let bound = extent.kind.variable().filter(|x| is_used_below(&callee.body, formal.name, *x, &[]))?;
        let all = bounds(callee).into_iter().chain(lanes(&callee.body));
        let limits: Vec<i64> = all.filter(|(x, _)| *x == bound).map(|(_, most)| most).collect();
        if limits.is_empty() {
            return None;
        }
        let given = args.get(callee.args.iter().position(|a| a.name == bound)?)?;
        let is_long = |lo: &Expr, hi: &Expr| length(lo, hi).is_some_and(|n| limits.contains(&n));
        let (name, idx): (Sym, Vec<WinCoord>) = match &e.kind {
            ExprKind::Window(w) => {
                let idx = w.idx.iter().map(|at| match at {
                    WinCoord::Interval(lo, hi) if is_long(lo, hi) => {
                        WinCoord::Interval(lo.clone(), fold::add(lo.clone(), given.clone()))
                    }
                    WinCoord::Interval(..) | WinCoord::Point(_) => at.clone(),
                });
                (w.name, idx.collect())
            }
            ExprKind::Read { name, idx } if idx.is_empty() => {
                (*name, vec![WinCoord::Interval(int(0), given.clone())])
            }
            ExprKind::Read { .. }
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => return None,
        };
        Some(Expr::at(ExprKind::Window(WindowExpr { name, idx: idx.into() }), e.span))
    };
    shortened().unwrap_or_else(|| e.clone())
}

fn length(lo: &Expr, hi: &Expr) -> Option<i64> {
    fold::constant(&fold::sub(hi.clone(), lo.clone()))
}
