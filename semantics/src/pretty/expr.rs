//! Expressions: parentheses only where Python's precedence needs them.

use super::{Doc, INDENT, Printer, arena_text, grown};
use crate::ast::{BinOp, Expr, ExprKind, Literal, WinCoord, WindowExpr};
use crate::sym::Sym;
use pretty::{Arena, DocAllocator};
use std::sync::Arc;

/// How tightly an expression holds together, as in Python's grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Level(u8);

impl Level {
    /// Anything may stand here.
    pub(super) const LOWEST: Level = Level(0);
    const OR: Level = Level(1);
    const AND: Level = Level(2);
    const NOT: Level = Level(3);
    const COMPARISON: Level = Level(4);
    const SUM: Level = Level(5);
    const PRODUCT: Level = Level(6);
    const NEGATION: Level = Level(7);
    const ATOM: Level = Level(8);

    /// The level of an operator's result.
    fn of(op: BinOp) -> Level {
        match op {
            BinOp::Or => Level::OR,
            BinOp::And => Level::AND,
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => Level::COMPARISON,
            BinOp::Add | BinOp::Sub => Level::SUM,
            BinOp::Mul | BinOp::Div | BinOp::Mod => Level::PRODUCT,
        }
    }

    /// The next tighter level.
    fn tighter(self) -> Level {
        Level(self.0 + 1)
    }
}

/// The level of an expression.
fn level(e: &Expr) -> Level {
    match &e.kind {
        ExprKind::Bin { op, lhs: _, rhs: _ } => Level::of(*op),
        ExprKind::Neg(_) => Level::NEGATION,
        ExprKind::Not(_) => Level::NOT,
        ExprKind::Lit(literal) => match is_negative(literal) {
            true => Level::NEGATION,
            false => Level::ATOM,
        },
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => Level::ATOM,
    }
}

/// Whether a literal is written with a minus.
fn is_negative(literal: &Literal) -> bool {
    match literal {
        Literal::Int(value) => *value < 0,
        Literal::Bool(_) => false,
        Literal::Data(value) => value.is_negative(),
    }
}

impl Printer {
    /// An expression where at least this level is needed.
    pub(super) fn expr<'d>(&mut self, arena: &'d Arena<'d>, e: &Expr, at_least: Level) -> Doc<'d> {
        let marked = self.trace.expr();
        let doc = grown(|| self.bare(arena, e));
        let doc = if marked { doc.annotate(()) } else { doc };
        if level(e) < at_least { enclosed(arena, "(", doc, ")") } else { doc }
    }

    /// An expression that may be broken over lines although no bracket is around it: one is put there
    /// when it is.
    pub(super) fn wrapped<'d>(&mut self, arena: &'d Arena<'d>, e: &Expr) -> Doc<'d> {
        let doc = self.expr(arena, e, Level::LOWEST);
        match &e.kind {
            ExprKind::Bin { .. } | ExprKind::Not(_) => {
                let open = arena.text("(").flat_alt(arena.nil());
                let close = arena.text(")").flat_alt(arena.nil());
                open.append(arena.line_().append(doc.group()).nest(indent()))
                    .append(arena.line_())
                    .append(close)
                    .group()
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => doc,
        }
    }

    /// An expression without parentheses around it.
    fn bare<'d>(&mut self, arena: &'d Arena<'d>, e: &Expr) -> Doc<'d> {
        match &e.kind {
            ExprKind::Read { name, idx } => self.cell(arena, *name, idx),
            ExprKind::Window(w) => self.window(arena, w),
            ExprKind::Lit(literal) => arena.text(literal_text(literal)),
            ExprKind::Neg(operand) => self.negation(arena, operand),
            ExprKind::Not(operand) => arena.text("not ").append(self.expr(arena, operand, Level::NOT)),
            ExprKind::Bin { op, lhs, rhs } => self.chain(arena, *op, lhs, rhs),
            ExprKind::Extern { func, args } => {
                let args = args.iter().map(|e| self.expr(arena, e, Level::LOWEST)).collect();
                arena.text(func.name()).append(listed(arena, "(", args, ")"))
            }
            ExprKind::Stride { name, dim } => arena.text(format!("stride({}, {dim})", self.names.get(*name))),
            ExprKind::ReadConfig { config, field } => arena.text(format!("{}.{field}", config.name)),
        }
    }

    /// `-e`. A number or another minus stands in parentheses: `-3` is a literal, `--x` reads badly.
    fn negation<'d>(&mut self, arena: &'d Arena<'d>, operand: &Expr) -> Doc<'d> {
        let apart =
            matches!(&operand.kind, ExprKind::Lit(Literal::Int(_) | Literal::Data(_)) | ExprKind::Neg(_));
        let at_least = if apart { Level::ATOM.tighter() } else { Level::NEGATION };
        arena.text("-").append(self.expr(arena, operand, at_least))
    }

    /// `e op e op …` of one level, broken before the operators all at once.
    fn chain<'d>(&mut self, arena: &'d Arena<'d>, op: BinOp, lhs: &Expr, rhs: &Expr) -> Doc<'d> {
        let here = Level::of(op);
        let mut links: Vec<(BinOp, &Expr)> = vec![(op, rhs)];
        let mut first = lhs;
        if here != Level::COMPARISON {
            while let ExprKind::Bin { op, lhs, rhs } = &first.kind {
                if Level::of(*op) != here {
                    break;
                }
                links.push((*op, rhs));
                first = lhs;
            }
        }
        // The sums inside of the sum are expressions too, though they are printed as one row.
        let mut marked = vec![false];
        marked.extend(links.iter().skip(1).map(|_| self.trace.expr()));
        let left = if here == Level::COMPARISON { here.tighter() } else { here };
        let mut doc = self.operand(arena, first, left);
        for ((op, operand), marked) in links.into_iter().zip(marked).rev() {
            let operand = self.operand(arena, operand, here.tighter());
            doc = doc.append(arena.line()).append(arena.text(op.symbol())).append(" ").append(operand);
            doc = if marked { doc.annotate(()) } else { doc };
        }
        doc
    }

    /// An operand. One that holds together more tightly stays on its line while it fits there, and goes on
    /// one level deeper.
    fn operand<'d>(&mut self, arena: &'d Arena<'d>, e: &Expr, at_least: Level) -> Doc<'d> {
        let doc = self.expr(arena, e, at_least);
        match &e.kind {
            ExprKind::Bin { .. } | ExprKind::Not(_) if level(e) >= at_least => doc.nest(indent()).group(),
            ExprKind::Bin { .. }
            | ExprKind::Not(_)
            | ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => doc,
        }
    }

    /// `x` or `x[i, j]`.
    pub(super) fn cell<'d>(&mut self, arena: &'d Arena<'d>, name: Sym, idx: &Arc<[Expr]>) -> Doc<'d> {
        let name = arena.text(self.names.get(name).as_str());
        if idx.is_empty() {
            return name;
        }
        let idx = idx.iter().map(|e| self.expr(arena, e, Level::LOWEST)).collect();
        name.append(listed(arena, "[", idx, "]"))
    }

    /// `x[i, lo:hi]`.
    pub(super) fn window<'d>(&mut self, arena: &'d Arena<'d>, w: &WindowExpr) -> Doc<'d> {
        let WindowExpr { name, idx } = w;
        let name = arena.text(self.names.get(*name).as_str());
        if idx.is_empty() {
            return name;
        }
        let mut coords = Vec::with_capacity(idx.len());
        for w in idx.iter() {
            coords.push(match w {
                WinCoord::Point(e) => self.expr(arena, e, Level::LOWEST),
                WinCoord::Interval(lo, hi) => {
                    let lo = self.expr(arena, lo, Level::LOWEST);
                    lo.append(":").append(self.expr(arena, hi, Level::LOWEST))
                }
            });
        }
        name.append(listed(arena, "[", coords, "]"))
    }
}

/// A literal as it is read.
fn literal_text(literal: &Literal) -> String {
    match literal {
        Literal::Int(value) => value.to_string(),
        Literal::Bool(true) => "True".to_owned(),
        Literal::Bool(false) => "False".to_owned(),
        Literal::Data(value) => value.to_string(),
    }
}

/// One level of indentation for `pretty`.
fn indent() -> isize {
    isize::try_from(INDENT).unwrap_or(4)
}

/// Something between brackets, on lines of its own when it does not fit.
pub(super) fn enclosed<'d>(
    arena: &'d Arena<'d>,
    open: &'static str,
    inner: Doc<'d>,
    close: &'static str,
) -> Doc<'d> {
    let inner = arena.line_().append(inner).nest(indent()).append(arena.line_());
    arena_text(arena, open).append(inner).append(close).group()
}

/// Several things between brackets: on one line, or one on each.
pub(super) fn listed<'d>(
    arena: &'d Arena<'d>,
    open: &'static str,
    parts: Vec<Doc<'d>>,
    close: &'static str,
) -> Doc<'d> {
    if parts.is_empty() {
        return arena_text(arena, open).append(close);
    }
    let parts = parts.into_iter().map(Doc::group);
    enclosed(arena, open, arena.intersperse(parts, arena.text(",").append(arena.line())), close)
}
