//! From the values of the unknowns to the arguments of a call. Spec: [rule: unification.solve].

use super::choices::Choice;
use super::integer::Solved;
use super::problem::Problem;
use super::solve::{System, Unknown};
use rewright_effects::names::expr_names;
use rewright_semantics::ast::{Expr, ExprKind, Literal, WinCoord};
use rewright_semantics::build::{read, window_arg};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::linear::{Atom, Linear};
use rewright_semantics::types::{ArgType, ControlType};
use rustc_hash::FxHashMap;

/// How many values of what no equation fixes are tried.
const MOST_FREE: usize = 12;

impl System<'_> {
    /// Values for what no equation fixes.
    pub(super) fn free_values(&self, solved: &Solved) -> Vec<FxHashMap<usize, Linear>> {
        let mut out = vec![FxHashMap::default()];
        for u in &solved.free {
            let values = match self.unknowns.get(*u) {
                Some(Unknown::Control(x)) => {
                    let likely = self.likely(*x).into_iter().map(Linear::constant);
                    self.offsets(solved, *u).into_iter().chain(likely).collect()
                }
                Some(Unknown::Start { .. } | Unknown::Quotient { .. }) | None => vec![Linear::default()],
            };
            out = out
                .iter()
                .flat_map(|before| {
                    values.iter().map(|value| {
                        let mut after = before.clone();
                        after.insert(*u, value.clone());
                        after
                    })
                })
                .take(MOST_FREE)
                .collect();
        }
        out
    }

    /// Values that a control argument may have which chooses a cell of a window: where the window begins is a multiple
    /// of its extent, as in `4 * jo + ji`, and the rest is the argument; or a number is, as in `jo + 3`; or the window is
    /// the last that fits, as for cell 5 of 6 and a window of 4.
    fn offsets(&self, solved: &Solved, u: usize) -> Vec<Linear> {
        let shapes = self.callee.args.iter().filter_map(|arg| match &arg.typ {
            ArgType::Data { typ, mem: _ } => Some(typ.shape.iter()),
            ArgType::Control(_) => None,
        });
        let constant = |e| Linear::of(e).ok()?.as_constant().filter(|n| *n > 1);
        let mut extents: Vec<i64> = shapes.flatten().filter_map(constant).collect();
        extents.sort_unstable();
        extents.dedup();
        let mut out: Vec<Linear> = Vec::new();
        let mut last = Vec::new();
        for ((start, sum), extent) in
            solved.sums_with(u).flat_map(|sum| extents.iter().map(move |n| (sum, *n)))
        {
            last.extend(self.in_last_window(start, sum, extent));
            let first = Linear::constant(sum.offset().rem_euclid(extent));
            last.push(first.clone());
            let mut rest = sum.terms().filter(|(_, k)| k % extent != 0);
            let offset = rest.try_fold(first, |l, (a, k)| l.plus(k, &Linear::atom(a.clone())).ok());
            out.extend(offset.filter(|l| !out.contains(l)));
        }
        for value in last {
            if !out.contains(&value) {
                out.push(value);
            }
        }
        out
    }

    /// Which cell of the last window of so many cells a cell of its buffer is, where these are numbers.
    fn in_last_window(&self, start: usize, cell: &Linear, extent: i64) -> Option<Linear> {
        let Some(Unknown::Start { formal, dim }) = self.unknowns.get(start) else { return None };
        let choice = self.choice.iter().find(|c| c.formal == *formal)?;
        let all = Linear::of(choice.shown.shape.get(*dim)?).ok()?.as_constant()?;
        Some(Linear::constant(cell.as_constant()?.checked_sub(all.checked_sub(extent)?)?))
    }

    /// Values that a control argument may have which only an assertion or a shape mentions.
    fn likely(&self, x: Sym) -> Vec<i64> {
        let least = match self.callee.args.iter().find(|a| a.name == x).map(|a| &a.typ) {
            Some(ArgType::Control(ControlType::Size | ControlType::Stride)) => 1,
            Some(ArgType::Control(_) | ArgType::Data { .. }) | None => 0,
        };
        let mut out = vec![least];
        for pred in self.callee.preds.iter().filter(|e| expr_names(e).contains(&x)) {
            literals(pred, &mut out);
        }
        let mut seen = Vec::new();
        out.retain(|n| {
            *n >= least && !seen.contains(n) && {
                seen.push(*n);
                true
            }
        });
        out
    }

    /// The arguments, from the values of the unknowns.
    pub(super) fn arguments(&self, values: &[Linear], truths: &FxHashMap<Sym, Expr>) -> Option<Vec<Expr>> {
        let value = |u: Unknown| self.index(&u).and_then(|k| values.get(k));
        let args = self.callee.args.iter().map(|arg| match &arg.typ {
            ArgType::Control(ControlType::Bool) => truths.get(&arg.name).cloned(),
            ArgType::Control(_) => Some(self.spelt(value(Unknown::Control(arg.name))?)),
            ArgType::Data { .. } => {
                let c = self.choice.iter().find(|c| c.formal == arg.name)?;
                self.place(c, &value)
            }
        });
        args.collect()
    }

    fn place<'v>(&self, c: &Choice, value: &dyn Fn(Unknown) -> Option<&'v Linear>) -> Option<Expr> {
        if c.whole {
            return Some(read(c.buffer, []));
        }
        let mut coords = Vec::new();
        for dim in 0..c.shown.rank() {
            let start = value(Unknown::Start { formal: c.formal, dim })?;
            coords.push(match c.of_dim(dim) {
                None => WinCoord::Point(self.spelt(start)),
                Some(j) => {
                    let by = |a: &Atom| match a {
                        Atom::Var(x) => value(Unknown::Control(*x)).cloned(),
                        Atom::Stride(..) | Atom::Config(_) | Atom::Div(..) => None,
                    };
                    let extent = Linear::of(c.typ.shape.get(j)?).ok()?.substitute(&by).ok()?;
                    let end = start.clone().plus(1, &extent).ok()?;
                    WinCoord::Interval(self.spelt(start), self.spelt(&end))
                }
            });
        }
        let point = |w: &WinCoord| match w {
            WinCoord::Point(e) => Some(e.clone()),
            WinCoord::Interval(..) => None,
        };
        let cell: Option<Vec<Expr>> = coords.iter().map(point).collect();
        Some(match cell {
            Some(idx) => read(c.buffer, idx),
            None => window_arg(c.buffer, coords),
        })
    }

    /// A form as the block writes it, if it does.
    fn spelt(&self, l: &Linear) -> Expr {
        let written = self.written.get_or_init(|| written(self.problem));
        let same = written.iter().find(|(form, _)| form == l);
        same.map_or_else(|| l.to_expr(), |(_, e)| (*e).clone())
    }
}

/// The integers that the block writes, with their forms.
fn written(problem: &Problem) -> Vec<(Linear, &Expr)> {
    let bounds = problem.equations.iter().map(|e| &e.block);
    let indices = problem.accesses.iter().flat_map(|a| a.block.iter().flatten()).flat_map(|c| match c {
        WinCoord::Point(e) => vec![e],
        WinCoord::Interval(lo, hi) => vec![lo, hi],
    });
    bounds.chain(indices).filter_map(|e| Some((Linear::of(e).ok()?, e))).collect()
}

/// The numbers in an expression.
fn literals(e: &Expr, out: &mut Vec<i64>) {
    if let ExprKind::Lit(Literal::Int(n)) = &e.kind {
        out.push(*n);
    }
    rewright_semantics::syntax::walk::each_child(e, &mut |_, inner| literals(inner, out));
}
