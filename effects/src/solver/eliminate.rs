//! Exact elimination of quantifiers over integers, where it is cheap.
//!
//! `∃x. φ` is split into cubes; in a cube, quotients that mention `x` become variables of their own
//! (`k*q <= n < k*q + k` has exactly one solution `q`), equations are solved (`a*x = t` means `t mod a = 0`
//! and `x = t div a`), and inequalities are combined pairwise where the integers allow it: one of the two
//! coefficients is 1, or the bounds can be divided by theirs. What does not fit is given up, never
//! approximated.

use super::linear::{GiveUp, Id, Lin, Res, Table};
use super::prop::{Atom, FALSE, Literal, Prop, and, eq, le, negate, or};

/// How many cubes and combination steps one formula may take.
const MAX_STEPS: usize = 3_000;

/// Equivalent to `prop`, without ∀ and without ∃ below a ∀. An ∃ at a place where it may simply be dropped
/// stays.
pub(super) fn eliminate(table: &mut Table, prop: &Prop) -> Res<Prop> {
    Eliminator { table, steps: 0 }.outer(prop)
}

struct Eliminator<'a> {
    table: &'a mut Table,
    steps: usize,
}

impl Eliminator<'_> {
    /// Of a formula asked to be satisfiable: an ∃ here only names a witness, and stays.
    fn outer(&mut self, p: &Prop) -> Res<Prop> {
        Ok(match p {
            Prop::Atom(_) | Prop::Bool(..) => p.clone(),
            Prop::And(ps) => and(ps.iter().map(|q| self.outer(q)).collect::<Res<Vec<_>>>()?),
            Prop::Or(ps) => or(ps.iter().map(|q| self.outer(q)).collect::<Res<Vec<_>>>()?),
            Prop::Exists(x, q) => Prop::Exists(*x, Box::new(self.outer(q)?)),
            Prop::Forall(..) => self.inner(p)?,
        })
    }

    fn inner(&mut self, p: &Prop) -> Res<Prop> {
        Ok(match p {
            Prop::Atom(_) | Prop::Bool(..) => p.clone(),
            Prop::And(ps) => and(ps.iter().map(|q| self.inner(q)).collect::<Res<Vec<_>>>()?),
            Prop::Or(ps) => or(ps.iter().map(|q| self.inner(q)).collect::<Res<Vec<_>>>()?),
            Prop::Exists(x, q) => {
                let q = self.inner(q)?;
                self.exists(*x, &q)?
            }
            Prop::Forall(x, q) => {
                let opposite = negate(&self.inner(q)?)?;
                negate(&self.exists(*x, &opposite)?)?
            }
        })
    }

    fn spend(&mut self) -> Res<()> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(GiveUp) } else { Ok(()) }
    }

    /// `∃x. p` for a `p` without quantifiers.
    fn exists(&mut self, x: Id, p: &Prop) -> Res<Prop> {
        self.spend()?;
        match p {
            _ if !self.has(p, x) => Ok(p.clone()),
            Prop::Or(ps) => Ok(or(ps.iter().map(|q| self.exists(x, q)).collect::<Res<Vec<_>>>()?)),
            Prop::And(ps) => {
                let (with, without): (Vec<&Prop>, Vec<&Prop>) = ps.iter().partition(|q| self.has(q, x));
                let rest = self.exists_all(x, &with, Vec::new())?;
                Ok(and(without.into_iter().cloned().chain([rest])))
            }
            Prop::Atom(a) => self.cube(vec![x], vec![a.clone()]),
            Prop::Bool(..) | Prop::Forall(..) | Prop::Exists(..) => Err(GiveUp),
        }
    }

    /// `∃x.` of a conjunction whose disjunctions are still to be multiplied out.
    fn exists_all(&mut self, x: Id, todo: &[&Prop], mut atoms: Vec<Atom>) -> Res<Prop> {
        self.spend()?;
        let mut or_part: Option<&Vec<Prop>> = None;
        let mut others: Vec<&Prop> = Vec::new();
        let mut aside: Vec<Prop> = Vec::new();
        let mut stack: Vec<&Prop> = todo.to_vec();
        while let Some(p) = stack.pop() {
            match p {
                p if !self.has(p, x) => aside.push(p.clone()),
                Prop::Atom(a) => atoms.push(a.clone()),
                Prop::And(ps) => stack.extend(ps),
                Prop::Or(ps) if or_part.is_none() => or_part = Some(ps),
                Prop::Or(_) => others.push(p),
                Prop::Bool(..) | Prop::Forall(..) | Prop::Exists(..) => return Err(GiveUp),
            }
        }
        let found = match or_part {
            None => self.cube(vec![x], atoms)?,
            Some(ps) => {
                let mut arms = Vec::new();
                for p in ps {
                    let todo: Vec<&Prop> = others.iter().copied().chain([p]).collect();
                    arms.push(self.exists_all(x, &todo, atoms.clone())?);
                }
                or(arms)
            }
        };
        aside.push(found);
        Ok(and(aside))
    }

    fn has(&self, p: &Prop, x: Id) -> bool {
        match p {
            Prop::Atom(a) => self.table.mentions(a.lin(), &[x]),
            Prop::Bool(..) => false,
            Prop::And(ps) | Prop::Or(ps) => ps.iter().any(|q| self.has(q, x)),
            Prop::Forall(_, q) | Prop::Exists(_, q) => self.has(q, x),
        }
    }

    /// `∃bound.` of a conjunction of atoms.
    fn cube(&mut self, mut bound: Vec<Id>, mut atoms: Vec<Atom>) -> Res<Prop> {
        let mut out = Vec::new();
        if !self.use_definitions(&mut bound, &mut atoms, &mut out)? {
            return Ok(FALSE);
        }
        self.open_quotients(&mut bound, &mut atoms)?;
        loop {
            self.spend()?;
            let mut kept = Vec::new();
            for a in atoms {
                if self.table.mentions(a.lin(), &bound) { kept.push(a) } else { out.push(Prop::Atom(a)) }
            }
            atoms = kept;
            if atoms.is_empty() {
                return Ok(and(out));
            }
            let equation = atoms.iter().position(|a| matches!(a, Atom::Eq(_)));
            let inequation = atoms.iter().position(|a| matches!(a, Atom::Ne(_)));
            let step = match (equation, inequation) {
                (Some(at), _) => {
                    let lin = atoms.swap_remove(at).lin().clone();
                    self.solve(&lin, &mut bound, &mut out, atoms)?
                }
                (None, Some(at)) => {
                    let lin = atoms.swap_remove(at).lin().clone();
                    out.push(self.split(&lin, &bound, &atoms)?);
                    return Ok(and(out));
                }
                (None, None) => self.combine(&mut bound, atoms)?,
            };
            match step {
                Some(next) => atoms = next,
                None => return Ok(FALSE),
            }
        }
    }

    /// Uses equations `a*x = t` where `t` does not mention what is bound: inside quotients as well, which
    /// then need not be opened. False when the atoms contradict each other.
    fn use_definitions(
        &mut self,
        bound: &mut Vec<Id>,
        atoms: &mut Vec<Atom>,
        out: &mut Vec<Prop>,
    ) -> Res<bool> {
        while let Some((at, x)) = self.definition(bound, atoms) {
            self.spend()?;
            let lin = atoms.swap_remove(at).lin().clone();
            let a = lin.coefficient(x);
            let rest = lin.without(x).scaled(-a.signum())?;
            let by = self.table.quotient(&rest, a.abs())?;
            match eq(rest.plus(-a.abs(), &by)?, true)? {
                Literal::Truth(true) => {}
                Literal::Truth(false) => return Ok(false),
                Literal::Atom(a) => out.push(Prop::Atom(a)),
            }
            bound.retain(|v| *v != x);
            let mut kept = Vec::new();
            for a in atoms.iter() {
                match a.with(self.table.replaced(a.lin(), x, &by)?)? {
                    Literal::Atom(a) => kept.push(a),
                    Literal::Truth(false) => return Ok(false),
                    Literal::Truth(true) => {}
                }
            }
            *atoms = kept;
        }
        Ok(true)
    }

    /// An equation and the bound variable that it defines.
    fn definition(&self, bound: &[Id], atoms: &[Atom]) -> Option<(usize, Id)> {
        atoms.iter().enumerate().filter(|(_, a)| matches!(a, Atom::Eq(_))).find_map(|(at, a)| {
            let free_but =
                |x: &Id| a.lin().coefficient(*x) != 0 && !self.table.mentions(&a.lin().without(*x), bound);
            bound.iter().copied().find(free_but).map(|x| (at, x))
        })
    }

    /// Each quotient that mentions a bound variable becomes a bound variable.
    fn open_quotients(&mut self, bound: &mut Vec<Id>, atoms: &mut Vec<Atom>) -> Res<()> {
        loop {
            self.spend()?;
            let quotient = atoms
                .iter()
                .flat_map(|a| &a.lin().terms)
                .map(|(x, _)| *x)
                .find(|x| !bound.contains(x) && self.table.mentions(&Lin::var(*x), bound));
            let Some(q) = quotient else { return Ok(()) };
            // The number of the quotient serves as its variable: it occurs nowhere outside this cube.
            if let Some(bounds) = self.table.quotient_bounds(q)? {
                atoms.extend(bounds.into_iter().map(Atom::Le));
            }
            bound.push(q);
        }
    }

    /// Both sides of `lin != 0`.
    fn split(&mut self, lin: &Lin, bound: &[Id], atoms: &[Atom]) -> Res<Prop> {
        let mut arms = Vec::new();
        for side in [lin.clone().shifted(1)?, lin.scaled(-1)?.shifted(1)?] {
            match le(side)? {
                Literal::Atom(a) => {
                    let atoms = atoms.iter().cloned().chain([a]).collect();
                    arms.push(self.cube(bound.to_vec(), atoms)?);
                }
                Literal::Truth(false) => {}
                Literal::Truth(true) => arms.push(self.cube(bound.to_vec(), atoms.to_vec())?),
            }
        }
        Ok(or(arms))
    }

    /// Uses up the equation `lin = 0`. `None` when the atoms contradict each other.
    fn solve(
        &mut self,
        lin: &Lin,
        bound: &mut Vec<Id>,
        out: &mut Vec<Prop>,
        atoms: Vec<Atom>,
    ) -> Res<Option<Vec<Atom>>> {
        let mut unknowns: Vec<(Id, i128)> =
            lin.terms.iter().copied().filter(|(x, _)| bound.contains(x)).collect();
        unknowns.sort_by_key(|(x, c)| (c.abs(), *x));
        let Some(&(x, a)) = unknowns.first() else { return Err(GiveUp) };
        if let Some(&(y, b)) = unknowns.get(1)
            && a.abs() != 1
        {
            // One step of Euclid's algorithm: x = x' - (b / a) * y makes y's coefficient smaller.
            let fresh = self.table.fresh()?;
            bound.retain(|v| *v != x);
            bound.push(fresh);
            let by = Lin::var(fresh).plus(-(b / a), &Lin::var(y))?;
            let atoms = atoms.into_iter().chain([Atom::Eq(lin.clone())]).collect();
            return substituted(atoms, x, &by);
        }
        // a*x + rest = 0
        let rest = lin.without(x).scaled(-a.signum())?;
        let by = self.table.quotient(&rest, a.abs())?;
        match eq(rest.plus(-a.abs(), &by)?, true)? {
            Literal::Truth(true) => {}
            Literal::Truth(false) => return Ok(None),
            Literal::Atom(a) => out.push(Prop::Atom(a)),
        }
        bound.retain(|v| *v != x);
        substituted(atoms, x, &by)
    }

    /// Removes one bound variable from inequalities.
    fn combine(&mut self, bound: &mut Vec<Id>, atoms: Vec<Atom>) -> Res<Option<Vec<Atom>>> {
        let best = bound.iter().copied().filter_map(|x| Some((self.price(x, bound, &atoms)?, x))).min();
        let (_, x) = best.ok_or(GiveUp)?;
        bound.retain(|v| *v != x);
        let (mut lower, mut upper, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for a in atoms {
            match a.lin().coefficient(x) {
                0 => rest.push(a),
                c if c < 0 => lower.push((c.abs(), a.lin().without(x))),
                c => upper.push((c, a.lin().without(x))),
            }
        }
        // l <= a*x for each lower, b*x + u <= 0 for each upper.
        for (a, l) in &lower {
            for (b, u) in &upper {
                self.spend()?;
                let sum = if *a == 1 || *b == 1 {
                    l.scaled(*b)?.plus(*a, u)?
                } else {
                    // x >= ceil(l / a) and x <= floor(-u / b)
                    let least = self.table.quotient(&l.scaled(-1)?, *a)?.scaled(-1)?;
                    let most = self.table.quotient(&u.scaled(-1)?, *b)?;
                    least.plus(-1, &most)?
                };
                match le(sum)? {
                    Literal::Atom(atom) => rest.push(atom),
                    Literal::Truth(false) => return Ok(None),
                    Literal::Truth(true) => {}
                }
            }
        }
        Ok(Some(rest))
    }

    /// What removing `x` costs, if it can be removed exactly.
    fn price(&self, x: Id, bound: &[Id], atoms: &[Atom]) -> Option<usize> {
        let (mut lower, mut upper, mut alone) = (Vec::new(), Vec::new(), true);
        for a in atoms {
            match a.lin().coefficient(x) {
                0 => continue,
                c if c < 0 => lower.push(c.abs()),
                c => upper.push(c),
            }
            alone &= !self.table.mentions(&a.lin().without(x), bound);
        }
        let exact = lower.iter().all(|a| upper.iter().all(|b| *a == 1 || *b == 1));
        (exact || alone).then_some(lower.len() * upper.len())
    }
}

/// `atoms[x ↦ by]`; `None` when one becomes false.
fn substituted(atoms: Vec<Atom>, x: Id, by: &Lin) -> Res<Option<Vec<Atom>>> {
    let mut out = Vec::new();
    for a in atoms {
        match a.with(a.lin().replaced(x, by)?)? {
            Literal::Atom(a) => out.push(a),
            Literal::Truth(false) => return Ok(None),
            Literal::Truth(true) => {}
        }
    }
    Ok(Some(out))
}
