//! The body of a procedure in the terms of a caller. PLDI'22 §3.3; spec: [rule: inline].

use crate::tools::syntax::windows::{cell, composed, kept, points};
use rewright_semantics::ast::{Block, Expr, ExprKind, Proc, Stmt, StmtKind, WindowExpr};
use rewright_semantics::build::{read, window_stmt};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::syntax::subst::fresh_copy;
use rewright_semantics::syntax::walk::{map_blocks, rebuild_block};
use rewright_semantics::types::ArgType;
use rustc_hash::FxHashMap;

/// What a formal argument stands for.
#[derive(Clone, Debug)]
pub enum Actual {
    /// A control value.
    Control(Expr),
    /// All of a buffer.
    Buffer(Sym),
    /// One cell of a buffer.
    Cell(Sym, Vec<Expr>),
    /// A part of a buffer.
    Part(WindowExpr),
}

/// What the formal arguments of a call stand for.
pub type Actuals = FxHashMap<Sym, Actual>;

/// What the formal arguments of `p` stand for in a call; `None` when an argument is no place and no control value.
pub fn actuals(p: &Proc, args: &[Expr]) -> Option<Actuals> {
    let one = |(formal, e): (&rewright_semantics::ast::Arg, &Expr)| {
        let actual = match &formal.typ {
            ArgType::Control(_) => Actual::Control(e.clone()),
            ArgType::Data { .. } => of_place(e)?,
        };
        Some((formal.name, actual))
    };
    (p.args.len() == args.len()).then(|| p.args.iter().zip(args).map(one).collect())?
}

fn of_place(e: &Expr) -> Option<Actual> {
    match &e.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => Some(Actual::Buffer(*name)),
        ExprKind::Read { name, idx } => Some(Actual::Cell(*name, idx.to_vec())),
        ExprKind::Window(w) => Some(match points(w) {
            Some(idx) => Actual::Cell(w.name, idx),
            None => Actual::Part(w.clone()),
        }),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// Parts of buffers get names of their own by window statements, which come first: their coordinates are evaluated
/// once, as those of a call are. So do the cells that `cell_too` says.
pub fn name_parts(actuals: &mut Actuals, p: &Proc, cell_too: impl Fn(&[Expr]) -> bool) -> Block {
    let mut out = Block::new();
    for formal in &p.args {
        let Some(actual) = actuals.get_mut(&formal.name) else { continue };
        let shown = match actual {
            Actual::Part(w) => w.clone(),
            Actual::Cell(x, idx) if cell_too(idx) => {
                let idx = idx.iter().cloned().map(rewright_semantics::ast::WinCoord::Point).collect();
                WindowExpr { name: *x, idx }
            }
            Actual::Cell(..) | Actual::Control(_) | Actual::Buffer(_) => continue,
        };
        let w = formal.name.renewed();
        out.push_back(window_stmt(w, shown));
        *actual = Actual::Buffer(w);
    }
    out
}

/// The body of a procedure with its formal arguments replaced, and binders of its own.
pub fn body_with(p: &Proc, by: &Actuals) -> Block {
    let fresh = fresh_copy(&p.body);
    let exprs = rebuild_block(&fresh, &mut |e| in_expr(e, by));
    in_heads(&exprs, by)
}

/// An expression with formal arguments replaced.
pub fn expr_with(e: &Expr, by: &Actuals) -> Expr {
    rewright_semantics::syntax::walk::rebuild(e, &mut |e| in_expr(e, by))
}

/// One node whose children are done.
fn in_expr(e: &Expr, by: &Actuals) -> Option<Expr> {
    let new = match &e.kind {
        ExprKind::Read { name, idx } => match by.get(name)? {
            Actual::Control(value) => value.clone(),
            Actual::Buffer(y) => read(*y, idx.clone()),
            Actual::Cell(y, at) => read(*y, at.clone()),
            Actual::Part(w) if idx.is_empty() => Expr::new(ExprKind::Window(w.clone())),
            Actual::Part(w) => read(w.name, cell(Form::Short, w, idx)),
        },
        ExprKind::Window(inner) => Expr::new(ExprKind::Window(in_window(inner, by)?)),
        ExprKind::Stride { name, dim } => match by.get(name)? {
            Actual::Buffer(y) => Expr::new(ExprKind::Stride { name: *y, dim: *dim }),
            Actual::Part(w) => Expr::new(ExprKind::Stride { name: w.name, dim: kept(w, *dim)? }),
            Actual::Control(_) | Actual::Cell(..) => return None,
        },
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => return None,
    };
    Some(Expr::at(new.kind, e.span))
}

fn in_window(inner: &WindowExpr, by: &Actuals) -> Option<WindowExpr> {
    match by.get(&inner.name)? {
        Actual::Buffer(y) => Some(WindowExpr { name: *y, idx: inner.idx.clone() }),
        Actual::Part(w) => {
            Some(WindowExpr { name: w.name, idx: composed(Form::Short, w, &inner.idx).into() })
        }
        Actual::Cell(y, at) => {
            let idx = at.iter().cloned().map(rewright_semantics::ast::WinCoord::Point).collect();
            Some(WindowExpr { name: *y, idx })
        }
        Actual::Control(_) => None,
    }
}

fn in_heads(b: &Block, by: &Actuals) -> Block {
    b.iter().map(|s| map_blocks(&in_head(s, by), &mut |b| in_heads(b, by))).collect()
}

/// What a statement writes to, or shows.
fn in_head(s: &Stmt, by: &Actuals) -> Stmt {
    let place = |name: Sym, idx: &std::sync::Arc<[Expr]>| match by.get(&name) {
        Some(Actual::Buffer(y)) => (*y, idx.clone()),
        Some(Actual::Cell(y, at)) => (*y, at.clone().into()),
        Some(Actual::Part(w)) => (w.name, cell(Form::Short, w, idx).into()),
        Some(Actual::Control(_)) | None => (name, idx.clone()),
    };
    let kind = match s.kind.as_ref() {
        StmtKind::Assign { name, idx, rhs } => {
            let (name, idx) = place(*name, idx);
            StmtKind::Assign { name, idx, rhs: rhs.clone() }
        }
        StmtKind::Reduce { name, idx, rhs } => {
            let (name, idx) = place(*name, idx);
            StmtKind::Reduce { name, idx, rhs: rhs.clone() }
        }
        StmtKind::WindowStmt { name, rhs } => match in_window(rhs, by) {
            Some(rhs) => StmtKind::WindowStmt { name: *name, rhs },
            None => return s.clone(),
        },
        StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::Call { .. } => return s.clone(),
    };
    Stmt::at(kind, s.span)
}
