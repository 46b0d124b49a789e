//! Builders of syntax that no one wrote: for tests and for rewrites.
//!
//! Nothing is simplified and nothing is checked: `add(i, 0)` is `i + 0`. All spans are [`Span::NONE`].
//! Where an expression is asked for, a symbol stands for its plain read and an `i64` for a control
//! literal: `add(i, 1)`.

use crate::ast::{
    Arg, BinOp, Block, Config, Decimal, Expr, ExprKind, Literal, LoopMode, Proc, Stmt, StmtKind, WinCoord,
    WindowExpr,
};
use crate::externs::Extern;
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::{ArgType, BufferType, ControlType, DataType, MemName};
use std::sync::Arc;

impl From<Sym> for Expr {
    fn from(x: Sym) -> Expr {
        var(x)
    }
}

impl From<i64> for Expr {
    fn from(n: i64) -> Expr {
        int(n)
    }
}

/// `x`: a control variable, a scalar or a whole buffer.
pub fn var(x: Sym) -> Expr {
    Expr::new(ExprKind::Read { name: x, idx: Arc::from([]) })
}

/// `x[i, j]`.
pub fn read(x: Sym, idx: impl Into<Arc<[Expr]>>) -> Expr {
    Expr::new(ExprKind::Read { name: x, idx: idx.into() })
}

/// A control integer.
pub fn int(n: i64) -> Expr {
    Expr::new(ExprKind::Lit(Literal::Int(n)))
}

/// `True` or `False`.
pub fn boolean(b: bool) -> Expr {
    Expr::new(ExprKind::Lit(Literal::Bool(b)))
}

/// The data value `mantissa * 10^exponent`.
pub fn data(mantissa: i64, exponent: i32) -> Expr {
    Expr::new(ExprKind::Lit(Literal::Data(Decimal::new(mantissa, exponent))))
}

/// `-e`.
pub fn neg(e: impl Into<Expr>) -> Expr {
    Expr::new(ExprKind::Neg(Arc::new(e.into())))
}

/// `not e`.
pub fn not(e: impl Into<Expr>) -> Expr {
    Expr::new(ExprKind::Not(Arc::new(e.into())))
}

/// `a op b`.
pub fn bin(op: BinOp, a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    Expr::new(ExprKind::Bin { op, lhs: Arc::new(a.into()), rhs: Arc::new(b.into()) })
}

/// `a + b`.
pub fn add(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Add, a, b)
}

/// `a - b`.
pub fn sub(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Sub, a, b)
}

/// `a * b`.
pub fn mul(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Mul, a, b)
}

/// `a / b`.
pub fn div(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Div, a, b)
}

/// `a % b`.
pub fn rem(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Mod, a, b)
}

/// `a == b`.
pub fn eq(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Eq, a, b)
}

/// `a < b`.
pub fn lt(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Lt, a, b)
}

/// `a <= b`.
pub fn le(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Le, a, b)
}

/// `a > b`.
pub fn gt(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Gt, a, b)
}

/// `a >= b`.
pub fn ge(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Ge, a, b)
}

/// `a and b`.
pub fn and(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::And, a, b)
}

/// `a or b`.
pub fn or(a: impl Into<Expr>, b: impl Into<Expr>) -> Expr {
    bin(BinOp::Or, a, b)
}

/// `f(e, …)`.
pub fn apply(func: Extern, args: impl Into<Arc<[Expr]>>) -> Expr {
    Expr::new(ExprKind::Extern { func, args: args.into() })
}

/// `stride(x, dim)`.
pub fn stride(x: Sym, dim: usize) -> Expr {
    Expr::new(ExprKind::Stride { name: x, dim })
}

/// `Cfg.field`.
pub fn read_config(config: &Arc<Config>, field: impl Into<Name>) -> Expr {
    Expr::new(ExprKind::ReadConfig { config: Arc::clone(config), field: field.into() })
}

/// `x[w, …]`.
pub fn window(x: Sym, idx: impl Into<Arc<[WinCoord]>>) -> WindowExpr {
    WindowExpr { name: x, idx: idx.into() }
}

/// `x[w, …]` as an argument of a call.
pub fn window_arg(x: Sym, idx: impl Into<Arc<[WinCoord]>>) -> Expr {
    Expr::new(ExprKind::Window(window(x, idx)))
}

/// The coordinate `e` of a window.
pub fn point(e: impl Into<Expr>) -> WinCoord {
    WinCoord::Point(e.into())
}

/// The coordinate `lo:hi` of a window.
pub fn interval(lo: impl Into<Expr>, hi: impl Into<Expr>) -> WinCoord {
    WinCoord::Interval(lo.into(), hi.into())
}

/// `x[idx] = rhs`.
pub fn assign(x: Sym, idx: impl Into<Arc<[Expr]>>, rhs: impl Into<Expr>) -> Stmt {
    Stmt::new(StmtKind::Assign { name: x, idx: idx.into(), rhs: rhs.into() })
}

/// `x[idx] += rhs`.
pub fn reduce(x: Sym, idx: impl Into<Arc<[Expr]>>, rhs: impl Into<Expr>) -> Stmt {
    Stmt::new(StmtKind::Reduce { name: x, idx: idx.into(), rhs: rhs.into() })
}

/// `Cfg.field = rhs`.
pub fn write_config(config: &Arc<Config>, field: impl Into<Name>, rhs: impl Into<Expr>) -> Stmt {
    Stmt::new(StmtKind::WriteConfig { config: Arc::clone(config), field: field.into(), rhs: rhs.into() })
}

/// `pass`.
pub fn pass() -> Stmt {
    Stmt::new(StmtKind::Pass)
}

/// `if cond: body else: orelse`. An empty body becomes a `pass`; an empty `orelse` is no `else`.
pub fn if_(
    cond: impl Into<Expr>,
    body: impl IntoIterator<Item = Stmt>,
    orelse: impl IntoIterator<Item = Stmt>,
) -> Stmt {
    Stmt::new(StmtKind::If { cond: cond.into(), body: block(body), orelse: orelse.into_iter().collect() })
}

/// `for i in seq(lo, hi): body`. An empty body becomes a `pass`.
pub fn for_(i: Sym, lo: impl Into<Expr>, hi: impl Into<Expr>, body: impl IntoIterator<Item = Stmt>) -> Stmt {
    loop_(LoopMode::Seq, i, lo, hi, body)
}

/// `for i in par(lo, hi): body`. An empty body becomes a `pass`.
pub fn par(i: Sym, lo: impl Into<Expr>, hi: impl Into<Expr>, body: impl IntoIterator<Item = Stmt>) -> Stmt {
    loop_(LoopMode::Par, i, lo, hi, body)
}

/// A loop of either mode. An empty body becomes a `pass`.
pub fn loop_(
    mode: LoopMode,
    iter: Sym,
    lo: impl Into<Expr>,
    hi: impl Into<Expr>,
    body: impl IntoIterator<Item = Stmt>,
) -> Stmt {
    Stmt::new(StmtKind::For { iter, lo: lo.into(), hi: hi.into(), body: block(body), mode })
}

/// `x: elem[shape] @ DRAM`.
pub fn alloc(x: Sym, elem: DataType, shape: impl Into<Arc<[Expr]>>) -> Stmt {
    alloc_in(x, BufferType::tensor(elem, shape), MemName::dram())
}

/// `x: typ @ mem`.
pub fn alloc_in(x: Sym, typ: BufferType, mem: MemName) -> Stmt {
    Stmt::new(StmtKind::Alloc { name: x, typ, mem })
}

/// `y = x[w, …]`.
pub fn window_stmt(y: Sym, rhs: WindowExpr) -> Stmt {
    Stmt::new(StmtKind::WindowStmt { name: y, rhs })
}

/// `p(e, …)`.
pub fn call(p: &Arc<Proc>, args: impl Into<Arc<[Expr]>>) -> Stmt {
    Stmt::new(StmtKind::Call { proc: Arc::clone(p), args: args.into() })
}

/// The statements in order; a `pass` when there are none.
pub fn block(stmts: impl IntoIterator<Item = Stmt>) -> Block {
    let stmts: Block = stmts.into_iter().collect();
    if stmts.is_empty() { Block::unit(pass()) } else { stmts }
}

/// A control argument.
pub fn control_arg(x: Sym, typ: ControlType) -> Arg {
    Arg { name: x, typ: ArgType::Control(typ), span: Span::NONE }
}

/// A `size` argument.
pub fn size_arg(x: Sym) -> Arg {
    control_arg(x, ControlType::Size)
}

/// A tensor argument in DRAM; a scalar when the shape is empty.
pub fn tensor_arg(x: Sym, elem: DataType, shape: impl Into<Arc<[Expr]>>) -> Arg {
    data_arg(x, BufferType::tensor(elem, shape))
}

/// A window argument in DRAM.
pub fn window_formal(x: Sym, elem: DataType, shape: impl Into<Arc<[Expr]>>) -> Arg {
    data_arg(x, BufferType::window(elem, shape))
}

/// A data argument in DRAM.
pub fn data_arg(x: Sym, typ: BufferType) -> Arg {
    Arg { name: x, typ: ArgType::Data { typ, mem: MemName::dram() }, span: Span::NONE }
}

/// `def name(args): assert preds; body`. An empty body becomes a `pass`.
pub fn proc(
    name: &str,
    args: impl IntoIterator<Item = Arg>,
    preds: impl IntoIterator<Item = Expr>,
    body: impl IntoIterator<Item = Stmt>,
) -> Arc<Proc> {
    Arc::new(Proc {
        name: Name::new(name),
        args: args.into_iter().collect(),
        preds: preds.into_iter().collect(),
        body: block(body),
        instr: None,
        span: Span::NONE,
    })
}
