//! Where a func is computed: what stands around it.

use crate::bounds::verify::Known;
use crate::expr::{Expr, Var};
use crate::op::Op;
use crate::tgt::{Block, For, Label, Stmt};
use rewright_base::sym::Name;

/// Something around a statement, or in front of it in a block around.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    For(&'a For),
    Let(Var, &'a Expr),
    Then(&'a Expr),
    Else(&'a Expr),
    Label,
    Assert(&'a Expr),
    Allocate(Name),
}

impl Step<'_> {
    /// What it says of the state inside.
    pub(super) fn known(&self) -> Option<Known> {
        Some(match self {
            Step::For(l) => Known::Ranges(l.variable(), l.domain.clone()),
            Step::Let(v, value) => Known::Is(*v, (*value).clone()),
            Step::Then(c) | Step::Assert(c) => Known::Holds((*c).clone()),
            Step::Else(c) => Known::Holds(Expr::op(Op::Not, [(*c).clone()])),
            Step::Label | Step::Allocate(_) => return None,
        })
    }
}

/// The place where a func is computed.
pub(super) struct Place<'a> {
    /// From the outside inwards.
    steps: Vec<Step<'a>>,
    /// Its label.
    pub(super) label: Label,
    /// What is inside of it.
    pub(super) body: &'a Block,
}

impl<'a> Place<'a> {
    /// The first place in a program.
    pub(super) fn of(b: &'a Block, func: Name) -> Option<Place<'a>> {
        let mut steps = Vec::new();
        let (label, body) = find(b, func, &mut steps)?;
        Some(Place { steps, label, body })
    }

    fn loop_index(&self) -> Option<usize> {
        self.steps.iter().rposition(|s| matches!(s, Step::For(_)))
    }

    /// The innermost loop around.
    pub(super) fn innermost_loop(&self) -> Option<&'a For> {
        self.steps.iter().rev().find_map(|s| match s {
            Step::For(l) => Some(*l),
            Step::Let(..) | Step::Then(_) | Step::Else(_) => None,
            Step::Label | Step::Assert(_) | Step::Allocate(_) => None,
        })
    }

    /// What stands between that loop and the func.
    pub(super) fn inside(&self) -> impl Iterator<Item = &Step<'a>> {
        self.steps.iter().skip(self.loop_index().map_or(0, |i| i + 1))
    }

    /// Whether a func is allocated outside of that loop.
    pub(super) fn is_stored_outside(&self, func: Name) -> bool {
        let at = self.steps.iter().rposition(|s| matches!(s, Step::Allocate(f) if *f == func));
        at.is_some_and(|at| self.loop_index().is_some_and(|l| at < l))
    }

    /// What is known in an iteration of that loop.
    pub(super) fn outside(&self) -> Vec<Known> {
        let all = self.steps.iter().take(self.loop_index().map_or(0, |i| i + 1));
        all.filter_map(Step::known).collect()
    }

    /// An expression without the variables that are bound between that loop and the func.
    pub(super) fn closed(&self, e: &Expr) -> Expr {
        let lets: Vec<(Var, &Expr)> = self
            .inside()
            .filter_map(|s| match s {
                Step::Let(v, value) => Some((*v, *value)),
                Step::For(_) | Step::Then(_) | Step::Else(_) => None,
                Step::Label | Step::Assert(_) | Step::Allocate(_) => None,
            })
            .collect();
        lets.iter()
            .rev()
            .fold(e.clone(), |e, (v, value)| e.substitute(&|w| (w == *v).then(|| (*value).clone())))
    }

    /// The conditions under which an iteration computes the func.
    pub(super) fn guards(&self) -> Vec<Expr> {
        let guard = |s: &Step<'a>| match s {
            Step::Then(c) => Some(self.closed(c)),
            Step::Else(c) => Some(Expr::op(Op::Not, [self.closed(c)])),
            Step::For(_) | Step::Let(..) | Step::Label | Step::Assert(_) | Step::Allocate(_) => None,
        };
        self.inside().filter_map(guard).collect()
    }
}

fn find<'a>(b: &'a Block, func: Name, steps: &mut Vec<Step<'a>>) -> Option<(Label, &'a Block)> {
    let outside = steps.len();
    for s in b {
        let inner: Vec<(Step<'a>, &'a Block)> = match s {
            Stmt::Label { label, body } if s.computes(func) => return Some((*label, body)),
            Stmt::Label { body, .. } => vec![(Step::Label, body)],
            Stmt::For(l) => vec![(Step::For(l), &l.body)],
            Stmt::Let { var, value, body } => vec![(Step::Let(*var, value), body)],
            Stmt::If { cond, then, other } => vec![(Step::Then(cond), then), (Step::Else(cond), other)],
            Stmt::Assert { cond, .. } => {
                steps.push(Step::Assert(cond));
                continue;
            }
            Stmt::Allocate { func, .. } => {
                steps.push(Step::Allocate(*func));
                continue;
            }
            Stmt::Store { .. } => continue,
        };
        for (step, block) in inner {
            steps.push(step);
            if let Some(found) = find(block, func, steps) {
                return Some(found);
            }
            steps.pop();
        }
    }
    steps.truncate(outside);
    None
}
