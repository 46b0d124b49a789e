//! What must be equal for statements to be the body of a procedure.

use crate::cursor::path::Step;
use rewright_semantics::ast::{Expr, Stmt, WinCoord};
use rewright_semantics::pretty::{expr_to_string, head_to_string};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rustc_hash::FxHashMap;

/// Why statements are no call of a procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    why: Why,
    /// The statement or expression.
    pub at: Span,
}

/// What a search for calls meets most often is put into words only when someone asks.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Why {
    Said(String),
    /// The procedure has the first statement where the block has the second.
    Differ(Name, Stmt, Stmt),
    /// The procedure has the first expression where the block has the second.
    Unlike(Name, Box<(Expr, Expr)>),
}

impl Mismatch {
    /// A mismatch at a place.
    pub fn new(at: Span, why: impl Into<String>) -> Mismatch {
        Mismatch { why: Why::Said(why.into()), at }
    }

    /// `callee` has `f` where the block has `s`.
    pub fn differ(callee: Name, f: &Stmt, s: &Stmt) -> Mismatch {
        Mismatch { why: Why::Differ(callee, f.clone(), s.clone()), at: s.span }
    }

    /// `callee` has `f` where the block has `s`, at a place.
    pub fn unlike(at: Span, callee: Name, f: &Expr, s: &Expr) -> Mismatch {
        Mismatch { why: Why::Unlike(callee, Box::new((f.clone(), s.clone()))), at }
    }

    /// In a sentence.
    pub fn why(&self) -> String {
        match &self.why {
            Why::Said(why) => why.clone(),
            Why::Differ(callee, f, s) => {
                format!("`{callee}` has `{}` where the block has `{}`", head_to_string(f), head_to_string(s))
            }
            Why::Unlike(callee, pair) => {
                let (f, s) = pair.as_ref();
                format!("`{callee}` has `{}` where the block has `{}`", expr_to_string(f), expr_to_string(s))
            }
        }
    }
}

/// The statements of a block in the order of the procedure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The path to the block's first statement that plays a part.
    pub first: Vec<Step>,
    /// For each statement of the procedure's block, the one of the given block, counted from the first.
    pub of: Vec<usize>,
}

/// An integer of the procedure and one of the block, at one moment.
#[derive(Clone, Debug)]
pub(super) struct Equation {
    pub(super) callee: Expr,
    pub(super) block: Expr,
    pub(super) at: Span,
}

/// A part of a formal argument, and the part of a buffer that it must be.
#[derive(Clone, Debug)]
pub(super) struct WindowEquation {
    /// The formal argument.
    pub(super) formal: Sym,
    /// Its coordinates; `None` for all of it.
    pub(super) callee: Option<Vec<WinCoord>>,
    /// The buffer.
    pub(super) buffer: Sym,
    /// Its coordinates; `None` for all of it.
    pub(super) block: Option<Vec<WinCoord>>,
    pub(super) at: Span,
}

/// What must be equal.
#[derive(Clone, Debug, Default)]
pub(super) struct Problem {
    pub(super) equations: Vec<Equation>,
    pub(super) accesses: Vec<WindowEquation>,
    /// Formal arguments that are truth values, and what stands in their place in the block.
    pub(super) truths: Vec<(Sym, Expr, Span)>,
    /// What the procedure binds, with what the block binds there.
    pub(super) bound: FxHashMap<Sym, Sym>,
    /// The order of every block.
    pub(super) orders: Vec<Order>,
}

impl Problem {
    /// The blocks whose order is another one.
    pub(super) fn moved(&self) -> Vec<Order> {
        let moved = |o: &&Order| o.of.iter().enumerate().any(|(k, j)| k != *j);
        let mut out: Vec<Order> = self.orders.iter().filter(moved).cloned().collect();
        out.sort_by_key(|o| o.first.len());
        out
    }

    /// Whether the block binds this name.
    pub(super) fn is_inner(&self, x: Sym) -> bool {
        self.bound.values().any(|y| *y == x)
    }
}
