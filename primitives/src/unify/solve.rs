//! From equations to arguments. Spec: [rule: unification.solve].

use super::choices::{Choice, choices, shown_part};
use super::integer::{Row, divided, solve};
use super::problem::{Equation, Mismatch, Problem, WindowEquation};
use rewright_effects::names::expr_names;
use rewright_semantics::ast::{Expr, Proc, WinCoord};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::linear::{Atom, Linear};
use rewright_semantics::types::{ArgType, ControlType};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The arguments that solve a problem.
///
/// # Errors
/// There are none: which equation has no solution.
pub(super) fn solutions(callee: &Proc, env: &TypeEnv, problem: &Problem) -> Result<Vec<Vec<Expr>>, Mismatch> {
    let truths = truths(callee, problem)?;
    let mut out = Vec::new();
    let mut wrong = None;
    for choice in choices(callee, env, problem)? {
        match System::of(callee, problem, &choice).and_then(|s| s.solved(&truths)) {
            Ok(found) => out.extend(found),
            Err(e) => drop(wrong.get_or_insert(e)),
        }
    }
    match wrong {
        Some(e) if out.is_empty() => Err(e),
        Some(_) | None => Ok(out),
    }
}

/// The truth values among the arguments.
fn truths(callee: &Proc, problem: &Problem) -> Result<FxHashMap<Sym, Expr>, Mismatch> {
    let mut out: FxHashMap<Sym, Expr> = FxHashMap::default();
    for (x, e, at) in &problem.truths {
        if expr_names(e).into_iter().any(|y| problem.is_inner(y)) {
            let why = format!(
                "`{x}` of `{}` would be `{}`, which changes within the block",
                callee.name,
                expr_to_string(e)
            );
            return Err(Mismatch::new(*at, why));
        }
        // Where it stands for several, whether they are equal is seen when the arguments are known.
        out.entry(*x).or_insert_with(|| e.clone());
    }
    let is_truth = |t: &ArgType| *t == ArgType::Control(ControlType::Bool);
    match callee.args.iter().find(|a| is_truth(&a.typ) && !out.contains_key(&a.name)) {
        Some(a) => {
            let why =
                format!("nothing says what to pass for `{}`: `{}` does not use it", a.name, callee.name);
            Err(Mismatch::new(Span::NONE, why))
        }
        None => Ok(out),
    }
}

/// Whether an atom is bound in the block, or depends on such a one.
fn is_inner(problem: &Problem, a: &Atom) -> bool {
    match a {
        Atom::Var(x) | Atom::Stride(x, _) => problem.is_inner(*x),
        Atom::Config(_) => false,
        Atom::Div(l, _) => l.terms().any(|(b, _)| is_inner(problem, b)),
    }
}

/// A form of the procedure in the names of the block, where they are known.
fn mapped(problem: &Problem, e: &Expr, strides: &dyn Fn(Sym, usize) -> Option<Atom>) -> Option<Linear> {
    let name = |x: &Sym| problem.bound.get(x).copied();
    let by = |a: &Atom| match a {
        Atom::Var(x) => name(x).map(Atom::Var),
        Atom::Stride(x, d) => name(x).map(|y| Atom::Stride(y, *d)).or_else(|| strides(*x, *d)),
        Atom::Config(_) | Atom::Div(..) => None,
    };
    Linear::of(e).ok()?.substitute(&|a| by(a).map(Linear::atom)).ok()
}

/// Whether `callee` and `block` depend alike on what is bound in the block, as far as can be seen: then they may be
/// equal up to a shift that does not. `None` when there is no telling.
pub(super) fn inner_of(problem: &Problem, callee: &Expr, block: &Expr) -> Option<bool> {
    let rest = mapped(problem, callee, &|_, _| None)?.minus(&Linear::of(block).ok()?).ok()?;
    Some(rest.terms().all(|(a, _)| matches!(a, Atom::Div(..)) || !is_inner(problem, a)))
}

/// What is solved for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    /// A control argument.
    Control(Sym),
    /// Where a window begins along a dimension of its buffer, or the point that it is at.
    Start { formal: Sym, dim: usize },
    /// A quotient that depends on others: `l / c`. What it is, is known when they are.
    Quotient { of: Arc<Linear>, by: i64 },
}

pub(super) struct System<'a> {
    pub(super) callee: &'a Proc,
    pub(super) problem: &'a Problem,
    pub(super) choice: &'a [Choice],
    pub(super) unknowns: Vec<Unknown>,
    rows: Vec<Row>,
    /// Where rows come from.
    origins: Vec<Origin<'a>>,
    /// The integers that the block writes, with their forms.
    pub(super) written: OnceCell<Vec<(Linear, &'a Expr)>>,
}

/// What a row says. It is put into words where it has no solution.
#[derive(Clone, Copy)]
enum Origin<'a> {
    /// An integer of the procedure and one of the block.
    Integer(&'a Equation),
    /// A part of a formal argument and one of its buffer.
    Part(&'a WindowEquation),
    /// An extent of a formal argument, and that of its buffer.
    Extent(&'a Choice, &'a Expr, &'a Expr),
}

impl Origin<'_> {
    /// That it cannot be so, in a procedure called `callee`.
    fn wrong(self, callee: Name) -> Mismatch {
        match self {
            Origin::Integer(e) => {
                let (f, s) = (expr_to_string(&e.callee), expr_to_string(&e.block));
                Mismatch::new(e.at, format!("`{f}` of `{callee}` cannot be `{s}`"))
            }
            Origin::Part(a) => {
                let formal = shown_part(a.formal, a.callee.as_deref());
                let part = shown_part(a.buffer, a.block.as_deref());
                Mismatch::new(a.at, format!("`{formal}` of `{callee}` cannot be `{part}`"))
            }
            Origin::Extent(c, e, d) => {
                let (e, d) = (expr_to_string(e), expr_to_string(d));
                let why =
                    format!("the extent `{e}` of `{}` cannot be `{d}`, that of `{}`", c.formal, c.buffer);
                Mismatch::new(Span::NONE, why)
            }
        }
    }
}

impl<'a> System<'a> {
    fn of(callee: &'a Proc, problem: &'a Problem, choice: &'a [Choice]) -> Result<System<'a>, Mismatch> {
        let mut unknowns = Vec::new();
        for c in choice.iter().filter(|c| !c.whole) {
            unknowns.extend((0..c.shown.rank()).map(|dim| Unknown::Start { formal: c.formal, dim }));
        }
        for arg in &callee.args {
            if matches!(arg.typ, ArgType::Control(t) if t != ControlType::Bool) {
                unknowns.push(Unknown::Control(arg.name));
            }
        }
        let mut system = System {
            callee,
            problem,
            choice,
            unknowns,
            rows: Vec::new(),
            origins: Vec::new(),
            written: OnceCell::new(),
        };
        for e in &problem.equations {
            system.equation(&e.callee, &e.block, None, Origin::Integer(e))?;
        }
        for c in choice {
            let accesses = problem.accesses.iter().filter(|a| a.formal == c.formal);
            accesses.into_iter().try_for_each(|a| system.access(c, a))?;
            system.shape(c)?;
        }
        Ok(system)
    }

    fn access(&mut self, c: &Choice, a: &'a WindowEquation) -> Result<(), Mismatch> {
        let (callee, block) = c.coordinates(a);
        let zero = rewright_semantics::build::int(0);
        for (d, b) in block.iter().enumerate() {
            let start = (!c.whole).then_some(Unknown::Start { formal: c.formal, dim: d });
            let mut equal = |e: &Expr, i: &Expr| self.equation(e, i, start.clone(), Origin::Part(a));
            match (c.of_dim(d).and_then(|j| callee.get(j)), b) {
                (Some(WinCoord::Point(e)), WinCoord::Point(i)) => equal(e, i)?,
                (Some(WinCoord::Interval(lo, hi)), WinCoord::Interval(k, g)) => {
                    equal(lo, k)?;
                    equal(hi, g)?;
                }
                (None, WinCoord::Point(i)) => equal(&zero, i)?,
                (Some(WinCoord::Point(_)) | None, WinCoord::Interval(..))
                | (Some(WinCoord::Interval(..)), WinCoord::Point(_)) => {
                    return Err(Origin::Part(a).wrong(self.callee.name));
                }
            }
        }
        Ok(())
    }

    /// A tensor is all of its buffer.
    fn shape(&mut self, c: &'a Choice) -> Result<(), Mismatch> {
        if !c.whole {
            return Ok(());
        }
        for (e, d) in c.typ.shape.iter().zip(c.shown.shape.iter()) {
            self.equation(e, d, None, Origin::Extent(c, e, d))?;
        }
        Ok(())
    }

    /// `start + callee = block`
    fn equation(
        &mut self,
        callee: &Expr,
        block: &Expr,
        start: Option<Unknown>,
        from: Origin<'a>,
    ) -> Result<(), Mismatch> {
        let origin = self.origins.len();
        self.origins.push(from);
        let strides = |x: Sym, d: usize| {
            let c = self.choice.iter().find(|c| c.formal == x)?;
            Some(Atom::Stride(c.buffer, *c.kept.get(d)?))
        };
        let rest = mapped(self.problem, callee, &strides)
            .zip(Linear::of(block).ok())
            .and_then(|(f, s)| f.minus(&s).ok());
        let Some(rest) = rest else { return Err(self.wrong(origin)) };
        self.row(rest, start, origin, false)
    }

    /// `start + rest = 0`
    fn row(
        &mut self,
        rest: Linear,
        start: Option<Unknown>,
        origin: usize,
        likely: bool,
    ) -> Result<(), Mismatch> {
        let coefficients = vec![0; self.unknowns.len()];
        let mut row = Row { coefficients, value: Linear::default(), origin, likely };
        if let Some(k) = start.and_then(|u| self.index(&u)) {
            add_to(&mut row, k, 1);
        }
        let mut divisions = Vec::new();
        row.value = self.minus(Linear::default(), rest.offset(), &Linear::constant(1), origin)?;
        for (a, k) in rest.terms() {
            if let Atom::Var(x) = a
                && let Some(i) = self.index(&Unknown::Control(*x))
            {
                add_to(&mut row, i, k);
                continue;
            }
            if let Atom::Div(l, c) = a {
                divisions.push((l.clone(), *c, k));
                continue;
            }
            if is_inner(self.problem, a) {
                return Err(self.wrong(origin));
            }
            row.value = self.minus(row.value, k, &Linear::atom(a.clone()), origin)?;
        }
        // A quotient that depends on unknowns is likely to be that of the same divisor on the other side, and what
        // is divided then equal: of `(2 * k + i) / 4` and `(2 + i) / 4` this need not be so.
        let mut rest_of: Vec<_> = Vec::new();
        while let Some((l, c, k)) = divisions.pop() {
            let unknown = |l: &Linear| self.depends(l);
            let partner = divisions
                .iter()
                .position(|(m, d, j)| *d == c && j.checked_add(k) == Some(0) && unknown(m) != unknown(&l));
            match partner {
                Some(at) => {
                    let (m, _, _) = divisions.remove(at);
                    let difference = l.times(1).and_then(|l| l.minus(&m)).map_err(|_| self.wrong(origin))?;
                    row.likely = true;
                    // Where it cannot be so, nothing is likely.
                    if self.row(difference, None, origin, true).is_err() {
                        return Ok(());
                    }
                }
                None => rest_of.push((l, c, k)),
            }
        }
        for (l, c, k) in rest_of {
            if self.depends(&l) {
                self.quotient(&mut row, (l, c, k), origin);
                continue;
            }
            let atom = Atom::Div(l, c);
            if is_inner(self.problem, &atom) {
                // One that depends on unknowns may be equal to it.
                let certain = !row.likely && !row.coefficients.iter().skip(self.certain()).any(|k| *k != 0);
                return if certain { Err(self.wrong(origin)) } else { Ok(()) };
            }
            row.value = self.minus(row.value, k, &Linear::atom(atom), origin)?;
        }
        self.rows.push(row);
        Ok(())
    }

    /// How many unknowns are no quotients.
    fn certain(&self) -> usize {
        self.unknowns.iter().filter(|u| !matches!(u, Unknown::Quotient { .. })).count()
    }

    /// Adds `k * (l / c)` to a row: an unknown of its own. Where it is the only one, `l` is likely to be a multiple.
    fn quotient(&mut self, row: &mut Row, (l, c, k): (Arc<Linear>, i64, i64), origin: usize) {
        let alone = row.coefficients.iter().all(|u| *u == 0);
        let u = Unknown::Quotient { of: l.clone(), by: c };
        let at = self.index(&u).unwrap_or_else(|| {
            self.unknowns.push(u);
            self.unknowns.len() - 1
        });
        row.coefficients.resize(self.unknowns.len(), 0);
        add_to(row, at, k);
        if alone
            && let Some(whole) = divided(&row.value, k).and_then(|q| q.times(c).ok())
            && let Ok(difference) = l.times(1).and_then(|l| l.minus(&whole))
        {
            // `n / 8` is 1 for more values than 8. Where it cannot be that, nothing is likely.
            drop(self.row(difference, None, origin, true));
        }
    }

    fn minus(&self, value: Linear, k: i64, l: &Linear, origin: usize) -> Result<Linear, Mismatch> {
        let k = k.checked_neg().ok_or_else(|| self.wrong(origin))?;
        value.plus(k, l).map_err(|_| self.wrong(origin))
    }

    /// Whether an unknown occurs in a form.
    fn depends(&self, l: &Linear) -> bool {
        !l.all_atoms(&|a| !matches!(a, Atom::Var(x) if self.index(&Unknown::Control(*x)).is_some()))
    }

    pub(super) fn index(&self, u: &Unknown) -> Option<usize> {
        self.unknowns.iter().position(|v| v == u)
    }

    fn wrong(&self, origin: usize) -> Mismatch {
        match self.origins.get(origin) {
            Some(from) => from.wrong(self.callee.name),
            None => Mismatch::new(Span::NONE, "equations contradict each other"),
        }
    }

    /// The lists of arguments that solve the equations.
    fn solved(&self, truths: &FxHashMap<Sym, Expr>) -> Result<Vec<Vec<Expr>>, Mismatch> {
        let mut out: Vec<Vec<Expr>> = Vec::new();
        let (mut wrong, count) = (None, self.unknowns.len());
        // Windows begin where they must, by preference; or control arguments are what they must be.
        let certain = self.certain();
        let forwards: Vec<usize> = (0..count).collect();
        let backwards: Vec<usize> = (0..certain).rev().chain(certain..count).collect();
        for (rows, order) in self.systems().iter().flat_map(|rows| [(rows, &forwards), (rows, &backwards)]) {
            let solved = match solve(rows.clone(), order) {
                Ok(solved) => solved,
                Err(_) if rows.iter().any(|r| r.likely) => continue,
                Err(origin) => return Err(self.wrong(origin)),
            };
            for free in self.free_values(&solved) {
                let value = |u: usize| free.get(&u).cloned().unwrap_or_default();
                match solved.with(count, &value) {
                    Ok(values) => {
                        let args = self.arguments(&values, truths);
                        out.extend(args.filter(|a| !out.contains(a)));
                    }
                    Err(origin) => drop(wrong.get_or_insert(self.wrong(origin))),
                }
            }
        }
        match wrong {
            Some(e) if out.is_empty() => Err(e),
            Some(_) | None => Ok(out),
        }
    }

    /// The equations with all that are likely, with those of one origin, and with none.
    fn systems(&self) -> Vec<Vec<Row>> {
        let with = |keep: &dyn Fn(&Row) -> bool| {
            let mut rows: Vec<Row> = self.rows.iter().filter(|r| keep(r)).cloned().collect();
            rows.iter_mut().for_each(|r| r.coefficients.resize(self.unknowns.len(), 0));
            rows
        };
        let likely: BTreeSet<usize> = self.rows.iter().filter(|r| r.likely).map(|r| r.origin).collect();
        let mut out: Vec<Vec<Row>> = Vec::new();
        if likely.len() > 1 {
            out.push(with(&|_| true));
        }
        out.extend(likely.iter().map(|origin| with(&|r| !r.likely || r.origin == *origin)));
        out.push(with(&|r| !r.likely));
        out
    }
}

/// Adds to a coefficient. One that does not fit is another one, which a candidate does not survive.
fn add_to(row: &mut Row, at: usize, k: i64) {
    row.coefficients.iter_mut().skip(at).take(1).for_each(|c| *c = c.saturating_add(k));
}
