//! Whether a piece of a program is what a pattern describes.

use super::tree::{CoordPat, ExprPat, StmtPat, TypePat, Word};
use rewright_semantics::ast::{
    self, Block, Decimal, Expr, ExprKind, Literal, Stmt, StmtKind, WinCoord, WindowExpr,
};
use rewright_semantics::pretty;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{BufferType, MemName};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::ops::Range;

/// Compares patterns with parts of one procedure.
pub(super) struct Matcher<'a> {
    p: &'a ast::Proc,
    printed: OnceCell<FxHashMap<Sym, Name>>,
}

impl<'a> Matcher<'a> {
    pub(super) fn new(p: &'a ast::Proc) -> Matcher<'a> {
        Matcher { p, printed: OnceCell::new() }
    }

    /// The statements from the start of a range that a sequence describes: how many. Each hole stands for as few
    /// as possible, the last one, at the end, for all that are left and at least one.
    pub(super) fn run(&self, pats: &[StmtPat], b: &Block, range: Range<usize>) -> Option<usize> {
        let mut at = range.start;
        for (k, part) in pats.split(|s| matches!(s, StmtPat::Hole)).enumerate() {
            let last_start = if k == 0 { at } else { range.end.checked_sub(part.len())? };
            at = (at..=last_start).find(|at| self.segment(part, b, *at, range.end))? + part.len();
        }
        match pats.last() {
            Some(StmtPat::Hole) => (at < range.end).then(|| range.end - range.start),
            Some(_) | None => Some(at - range.start),
        }
    }

    fn segment(&self, pats: &[StmtPat], b: &Block, at: usize, end: usize) -> bool {
        at + pats.len() <= end
            && pats.iter().enumerate().all(|(k, pat)| b.get(at + k).is_some_and(|s| self.stmt(pat, s)))
    }

    fn block(&self, pats: &[StmtPat], b: &Block) -> bool {
        self.run(pats, b, 0..b.len()).is_some()
    }

    /// One statement.
    pub(super) fn stmt(&self, pat: &StmtPat, s: &Stmt) -> bool {
        match (pat, s.kind.as_ref()) {
            (StmtPat::Hole, _) | (StmtPat::Pass, StmtKind::Pass) => true,
            (StmtPat::Assign { name, idx, rhs }, StmtKind::Assign { name: x, idx: i, rhs: e })
            | (StmtPat::Reduce { name, idx, rhs }, StmtKind::Reduce { name: x, idx: i, rhs: e }) => {
                self.sym(*name, *x) && self.points(idx, i) && self.expr(rhs, e)
            }
            (StmtPat::Assign { name, idx, rhs }, StmtKind::WindowStmt { name: y, rhs: w }) => {
                idx.is_empty() && self.sym(*name, *y) && self.window(rhs, w)
            }
            (StmtPat::Window { name, rhs }, StmtKind::WindowStmt { name: y, rhs: w }) => {
                self.sym(*name, *y) && self.window(rhs, w)
            }
            (
                StmtPat::WriteConfig { config, field, rhs },
                StmtKind::WriteConfig { config: c, field: f, rhs: e },
            ) => is(*config, c.name) && is(*field, *f) && self.expr(rhs, e),
            (StmtPat::Alloc { name, typ }, StmtKind::Alloc { name: x, typ: t, mem }) => {
                self.sym(*name, *x) && self.typ(typ, t, *mem)
            }
            (StmtPat::For { iter, bounds, body }, StmtKind::For { iter: i, lo, hi, body: b, mode }) => {
                let bounded = match bounds {
                    None => true,
                    Some((m, l, h)) => m == mode && self.expr(l, lo) && self.expr(h, hi),
                };
                bounded && self.sym(*iter, *i) && self.block(body, b)
            }
            (StmtPat::If { cond, body, orelse }, StmtKind::If { cond: c, body: b, orelse: o }) => {
                self.expr(cond, c) && self.block(body, b) && self.block(orelse, o)
            }
            (StmtPat::Call { callee, args }, StmtKind::Call { proc, args: es }) => {
                is(*callee, proc.name) && self.prefix(args, es)
            }
            (
                StmtPat::Assign { .. }
                | StmtPat::Reduce { .. }
                | StmtPat::Window { .. }
                | StmtPat::WriteConfig { .. }
                | StmtPat::Alloc { .. }
                | StmtPat::For { .. }
                | StmtPat::If { .. }
                | StmtPat::Call { .. }
                | StmtPat::Pass,
                _,
            ) => false,
        }
    }

    /// A declaration's type.
    pub(super) fn typ(&self, pat: &TypePat, t: &BufferType, mem: MemName) -> bool {
        pat.elem.is_none_or(|elem| elem == t.elem)
            && pat.mem.is_none_or(|m| m == mem.0)
            && self.prefix(&pat.shape, &t.shape)
    }

    /// An expression.
    pub(super) fn expr(&self, pat: &ExprPat, e: &Expr) -> bool {
        match (pat, &e.kind) {
            (ExprPat::Any, _) => true,
            (ExprPat::Access { name, idx }, ExprKind::Read { name: x, idx: i }) => {
                self.sym(*name, *x) && self.points(idx, i)
            }
            (ExprPat::Access { .. }, ExprKind::Window(w)) => self.window(pat, w),
            (ExprPat::Number { value, fraction }, ExprKind::Lit(l)) => is_number(value, *fraction, l),
            (ExprPat::Neg(pat), ExprKind::Lit(l)) => match &**pat {
                ExprPat::Number { value, fraction } => is_number(&value.negated(), *fraction, l),
                ExprPat::Any
                | ExprPat::Access { .. }
                | ExprPat::Bool(_)
                | ExprPat::Neg(_)
                | ExprPat::Not(_)
                | ExprPat::Bin(..)
                | ExprPat::Call { .. }
                | ExprPat::Field { .. } => false,
            },
            (ExprPat::Bool(b), ExprKind::Lit(Literal::Bool(c))) => b == c,
            (ExprPat::Neg(pat), ExprKind::Neg(e)) | (ExprPat::Not(pat), ExprKind::Not(e)) => {
                self.expr(pat, e)
            }
            (ExprPat::Bin(o, l, r), ExprKind::Bin { op, lhs, rhs }) => {
                o == op && self.expr(l, lhs) && self.expr(r, rhs)
            }
            (ExprPat::Call { func, args }, ExprKind::Extern { func: f, args: es }) => {
                is(*func, Name::new(f.name())) && self.prefix(args, es)
            }
            (ExprPat::Call { func, args }, ExprKind::Stride { name, dim }) => {
                is(*func, Name::new("stride")) && self.stride(args, *name, *dim)
            }
            (ExprPat::Field { config, field }, ExprKind::ReadConfig { config: c, field: f }) => {
                is(*config, c.name) && is(*field, *f)
            }
            (
                ExprPat::Access { .. }
                | ExprPat::Number { .. }
                | ExprPat::Bool(_)
                | ExprPat::Neg(_)
                | ExprPat::Not(_)
                | ExprPat::Bin(..)
                | ExprPat::Call { .. }
                | ExprPat::Field { .. },
                _,
            ) => false,
        }
    }

    /// `stride(x, d)`: either may be a hole, or left out.
    fn stride(&self, args: &[ExprPat], x: Sym, dim: usize) -> bool {
        let dim = Decimal::new(dim, 0);
        let buffer = match args.first() {
            None | Some(ExprPat::Any) => true,
            Some(ExprPat::Access { name, idx }) => idx.is_empty() && self.sym(*name, x),
            Some(_) => false,
        };
        let number = match args.get(1) {
            None | Some(ExprPat::Any) => true,
            Some(ExprPat::Number { value, fraction: _ }) => *value == dim,
            Some(_) => false,
        };
        buffer && number && args.len() <= 2
    }

    /// What a window shows.
    fn window(&self, pat: &ExprPat, w: &WindowExpr) -> bool {
        match pat {
            ExprPat::Any => true,
            ExprPat::Access { name, idx } => {
                self.sym(*name, w.name)
                    && (any_coords(idx)
                        || idx.len() <= w.idx.len()
                            && idx.iter().zip(w.idx.iter()).all(|(c, w)| self.coord(c, w)))
            }
            ExprPat::Number { .. }
            | ExprPat::Bool(_)
            | ExprPat::Neg(_)
            | ExprPat::Not(_)
            | ExprPat::Bin(..)
            | ExprPat::Call { .. }
            | ExprPat::Field { .. } => false,
        }
    }

    fn coord(&self, pat: &CoordPat, w: &WinCoord) -> bool {
        match (pat, w) {
            (CoordPat::Point(ExprPat::Any), _) => true,
            (CoordPat::Point(pat), WinCoord::Point(e)) => self.expr(pat, e),
            (CoordPat::Interval(l, h), WinCoord::Interval(lo, hi)) => self.expr(l, lo) && self.expr(h, hi),
            (CoordPat::Point(_), WinCoord::Interval(..)) | (CoordPat::Interval(..), WinCoord::Point(_)) => {
                false
            }
        }
    }

    fn points(&self, pats: &[CoordPat], es: &[Expr]) -> bool {
        let one = |(pat, e): (&CoordPat, &Expr)| match pat {
            CoordPat::Point(pat) => self.expr(pat, e),
            CoordPat::Interval(..) => false,
        };
        any_coords(pats) || pats.len() <= es.len() && pats.iter().zip(es).all(one)
    }

    /// Each pattern its expression; expressions at the end may be left out, and one `_` stands for any number.
    fn prefix(&self, pats: &[ExprPat], es: &[Expr]) -> bool {
        matches!(pats, [ExprPat::Any])
            || pats.len() <= es.len() && pats.iter().zip(es).all(|(pat, e)| self.expr(pat, e))
    }

    /// A variable, by its own name or by the one that it has in the printed procedure.
    pub(super) fn sym(&self, word: Word, x: Sym) -> bool {
        match word {
            Word::Any => true,
            Word::Is(name) => {
                name == x.name() || (is_numbered(name) && self.printed().get(&x) == Some(&name))
            }
        }
    }

    fn printed(&self) -> &FxHashMap<Sym, Name> {
        self.printed.get_or_init(|| pretty::names_of_proc(self.p))
    }
}

/// `x[_]`: any number of coordinates.
fn any_coords(pats: &[CoordPat]) -> bool {
    matches!(pats, [CoordPat::Point(ExprPat::Any)])
}

fn is(word: Word, name: Name) -> bool {
    match word {
        Word::Any => true,
        Word::Is(w) => w == name,
    }
}

/// `x_1`: what a variable may be called in print that has another name.
pub(super) fn is_numbered(name: Name) -> bool {
    let end = name.as_str().rsplit('_').next().unwrap_or("");
    !end.is_empty() && end.len() < name.as_str().len() && end.bytes().all(|b| b.is_ascii_digit())
}

fn is_zero(n: &Decimal) -> bool {
    *n.mantissa() == 0.into()
}

fn is_number(n: &Decimal, fraction: bool, l: &Literal) -> bool {
    match l {
        Literal::Int(value) => !fraction && *n == Decimal::new(*value, 0),
        // A whole number is a number and no literal: both zeros are 0.
        Literal::Data(value) => n == value || !fraction && is_zero(n) && is_zero(value),
        Literal::Bool(_) => false,
    }
}
