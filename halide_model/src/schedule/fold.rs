//! `fold-storage(f, x, n)`, an extension: dimension `x` of what `f` is stored in is a circle of `n` cells, in which a point is at
//! `x mod n`. Spec: [rule: halide.fold].
//!
//! The condition is that what one production stores fits the circle: in front of it stands an assertion that this is no more than
//! `n` points, for each stage what it stores beyond its compute bounds included. What is kept by a func that slides
//! is a part of that, so no more is live. Without it a window of 6 rows in 4 overwrites itself.
//!
//! - `split.positive`: the number of cells is a positive number.
//! - `fold-storage.dimension`: `x` is pure in all stages. Without: an update `(r) <- …` stores outside of the compute bounds,
//!   and into cells that are others' here.
//! - `fold-storage.tail`: it is known how far a stage stores beyond its compute bounds: one split of `x` without a guard, whose tiles
//!   are not shifted themselves. Without: what is computed there is stored into cells that are others'.
//! - `fold-storage.output`: not an output. Without: there is no whole to return.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, Refusal, Restriction};
use super::split::POSITIVE;
use crate::bounds::normal::simplify;
use crate::expr::{Expr, Interval, Region, Site, Var};
use crate::op::Op;
use crate::text::print;
use crate::tgt::walk::visit;
use crate::tgt::{Block, Claim, Label, LoopName, Program, Stmt};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

const DIMENSION: Restriction =
    Restriction::new("fold-storage.dimension", "a dimension is folded that is pure in all stages");
const TAIL: Restriction =
    Restriction::new("fold-storage.tail", "how far beyond its bounds a folded func is computed is known");
const OUTPUT: Restriction = Restriction::new("fold-storage.output", "outputs are stored as a whole");

/// `fold-storage(f, x, n)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoldStorage {
    /// The func.
    pub func: Name,
    /// Its variable.
    pub var: Name,
    /// A positive number.
    pub factor: Expr,
}

impl Form for FoldStorage {
    const NAMES: &'static [&'static str] = &["fold-storage"];
    const PHASE: Phase = Phase::Bounds;
    const RESTRICTIONS: &'static [Restriction] = &[POSITIVE, DIMENSION, TAIL, OUTPUT];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(FoldStorage { func: from.func()?, var: from.variable("var")?, factor: from.expr("factor")? })
    }

    fn name(&self) -> &'static str {
        "fold-storage"
    }

    fn arguments(&self) -> String {
        format!("{}, {}, {}", self.func, self.var, print::expr(&self.factor))
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        fold(at, self)
    }
}

fn fold(at: &Context<'_>, FoldStorage { func, var, factor }: &FoldStorage) -> Result<Program, Refusal> {
    let t = at.program;
    let Some(f) = t.algorithm.func(*func) else {
        return Err(at.refuse(FUNC, format!("there is no func `{func}`")));
    };
    let cells = factor.as_i64();
    at.require(POSITIVE, cells.is_some_and(|n| n > 0), || {
        format!("factor `{}` is no positive number", print::expr(factor))
    })?;
    at.require(OUTPUT, !t.algorithm.is_output(*func), || format!("`{func}` is an output"))?;
    let dim = f.vars.iter().position(|x| x == var);
    let pure = dim.is_some_and(|d| (0..f.stages()).all(|i| f.pure_dims(i).get(d) == Some(&true)));
    at.require(DIMENSION, pure, || format!("`{var}` is no pure variable of all stages of `{func}`"))?;
    let Some(dim) = dim else {
        return Err(at.refuse(DIMENSION, format!("`{func}` has no variable `{var}`")));
    };
    let reach = reach(t, *func, *var, dim);
    at.require(TAIL, reach.is_some(), || {
        format!(
            "how far the loops over `{var}` of `{func}` compute beyond its bounds is not known: split it once, with a tail `guard`, `round` or `shift`"
        )
    })?;
    let known = reach.unwrap_or_else(|| first_regions(t, *func).into_iter().map(|r| whole(r, dim)).collect());
    let fits = |(lo, hi): (Expr, Expr)| {
        let len = simplify(&Expr::binary(Op::Sub, hi, lo));
        Expr::op(Op::Not, [Expr::binary(Op::Gt, len, factor.clone())])
    };
    let checks: Vec<Stmt> =
        known.into_iter().map(|ends| Stmt::Assert { cond: fits(ends), claim: Claim::Fold }).collect();
    let found = t.replace_first(&mut |s| {
        s.computes(*func).then(|| checks.iter().cloned().chain([s.clone()]).collect())
    });
    let mut new = found.ok_or_else(|| at.refuse(FUNC, format!("nothing computes func `{func}`")))?;
    new.folds.insert((*func, dim), cells.unwrap_or(1));
    Ok(new)
}

/// The compute bounds of the pure stages, which contain those of the others.
fn first_regions(t: &Program, func: Name) -> BTreeSet<Region> {
    let mut out = BTreeSet::new();
    visit(&t.body, &mut |s| {
        if let Some(Label::Stage(site @ Site { stage: 0, .. })) = s.label()
            && site.func == func
        {
            out.insert(Region::cpu(site, t.stages(func)));
        }
    });
    out
}

/// A region's first point, and the one after its last.
fn whole(r: Region, dim: usize) -> (Expr, Expr) {
    let Interval { min, len } = Interval::hole(r, dim);
    (min.clone(), Expr::binary(Op::Add, min, len))
}

/// What each stage stores in a dimension, from the first point that the pure stage of its specialization stores: beyond the
/// compute bounds where the loop is rounded up, and before them where it is shifted and the tile is greater than the range. Nothing
/// where it is not one split that does so.
fn reach(t: &Program, func: Name, x: Name, dim: usize) -> Option<Vec<(Expr, Expr)>> {
    let mut lows: BTreeMap<usize, Expr> = BTreeMap::new();
    let mut out: Vec<(usize, Expr)> = Vec::new();
    let mut sites = Vec::new();
    visit(&t.body, &mut |s| {
        if let Some(Label::Stage(site)) = s.label()
            && site.func == func
        {
            sites.push(site);
        }
    });
    for site in sites {
        let (min, end) = whole(Region::cpu(site, t.stages(func)), dim);
        let (low, high) = match unguarded(t, site, x, &min, &end) {
            Bound::Inside => (min, end),
            Bound::Round { len } => (min.clone(), Expr::binary(Op::Add, min, len)),
            Bound::Shift { tile } if site.stage == 0 => {
                let moved = Expr::binary(Op::Sub, end.clone(), tile);
                (Expr::binary(Op::Min, min, moved), end)
            }
            Bound::Shift { .. } | Bound::Other => return None,
        };
        if site.stage == 0 {
            lows.insert(site.spec, low);
        }
        out.push((site.spec, high));
    }
    out.into_iter().map(|(spec, high)| Some((lows.get(&spec)?.clone(), high))).collect()
}

/// What a loop nest does with the variable of a dimension.
enum Bound {
    /// It stays in the compute bounds.
    Inside,
    /// It runs over so many points from the first one.
    Round { len: Expr },
    /// It runs over the range, and over one tile if that is more, to the last point.
    Shift { tile: Expr },
    /// Something else.
    Other,
}

fn unguarded(t: &Program, site: Site, x: Name, min: &Expr, end: &Expr) -> Bound {
    let var = Var::Loop(site, x);
    let mut found = Bound::Inside;
    visit(&t.body, &mut |s| {
        if let Stmt::Let { var: v, value, body } = s
            && *v == var
        {
            found = match own_tile(value).filter(|own| starts_at(t, site, own, min)) {
                None => Bound::Other,
                Some(_) if begins_with_guard(body, var, end) => Bound::Inside,
                Some(_) => tiled(t, site, value),
            };
        }
    });
    found
}

/// Of `m + e * xo + xi` and `min(m + e * xo, m + n - e) + xi` the parts `m`, `e * xo` and `xi`.
fn own_tile(value: &Expr) -> Option<[&Expr; 3]> {
    let (base, inner) = operands(value, Op::Add)?;
    let own = operands(base, Op::Min).map_or(base, |(own, _)| own);
    let (first, step) = operands(own, Op::Add)?;
    Some([first, step, inner])
}

fn operands(e: &Expr, of: Op) -> Option<(&Expr, &Expr)> {
    match e {
        Expr::Op(op, args) if *op == of => Some((args.first()?, args.get(1)?)),
        Expr::Op(..) | Expr::Var(_) | Expr::Const(_) | Expr::Access(_) => None,
    }
}

/// Whether a tile begins at the first point or behind it. One of tiles that are shifted themselves may begin before.
fn starts_at(t: &Program, site: Site, own: &[&Expr; 3], min: &Expr) -> bool {
    let [first, step, inner] = own;
    *first == min && is_nonnegative(t, site, step) && is_nonnegative(t, site, inner)
}

fn is_nonnegative(t: &Program, site: Site, e: &Expr) -> bool {
    let nonnegative = |e: &Expr| is_nonnegative(t, site, e);
    match e {
        Expr::Const(_) => e.as_i64().is_some_and(|k| k >= 0),
        Expr::Var(v @ Var::Loop(at, x)) if *at == site => match t.find_loop(LoopName { site, var: *x }) {
            Some(l) => nonnegative(&l.domain.min),
            None => let_value(t, *v).is_some_and(|value| nonnegative(&value)),
        },
        // Factors that are known only at startup.
        Expr::Var(Var::Param(_)) => {
            let positive = Expr::binary(Op::Gt, e.clone(), Expr::int(0));
            t.body.contains(&Stmt::Assert { cond: positive, claim: Claim::Factor })
        }
        Expr::Op(Op::Add | Op::Mul | Op::Min, args) => args.iter().all(nonnegative),
        Expr::Op(Op::Max, args) => args.iter().any(nonnegative),
        Expr::Op(..) => simplify(e).as_i64().is_some_and(|k| k >= 0),
        Expr::Var(_) | Expr::Access(_) => false,
    }
}

/// What a variable of a stage stands for.
fn let_value(t: &Program, v: Var) -> Option<Expr> {
    let mut found = None;
    visit(&t.body, &mut |s| {
        if let Stmt::Let { var, value, .. } = s
            && *var == v
        {
            found = Some(value.clone());
        }
    });
    found
}

/// `m + e * xo + xi` and `min(m + e * xo, m + n - e) + xi`, with loops over xo and over the e values of xi.
fn tiled(t: &Program, site: Site, value: &Expr) -> Bound {
    let loop_of = |e: &Expr| match e {
        Expr::Var(Var::Loop(at, x)) if *at == site => t.find_loop(LoopName { site, var: *x }),
        Expr::Var(_) | Expr::Const(_) | Expr::Access(_) | Expr::Op(..) => None,
    };
    let Some((base, inner)) = operands(value, Op::Add) else { return Bound::Other };
    let Some(inner) = loop_of(inner) else { return Bound::Other };
    let tile = inner.domain.len.clone();
    if operands(base, Op::Min).is_some() {
        return Bound::Shift { tile };
    }
    let outer = operands(base, Op::Add).and_then(|(_, step)| operands(step, Op::Mul));
    match outer.and_then(|(_, xo)| loop_of(xo)).map(|l| l.domain.len.clone()) {
        Some(count) => Bound::Round { len: Expr::binary(Op::Mul, tile, count) },
        None => Bound::Other,
    }
}

/// Whether a block does nothing from the end of the compute bounds on. A predicate of the algorithm is no such guard.
fn begins_with_guard(b: &Block, v: Var, end: &Expr) -> bool {
    match b.as_slice() {
        [Stmt::If { cond: Expr::Op(Op::Lt, sides), other, .. }] if other.is_empty() => match sides.as_ref() {
            [left, right] => {
                let more = simplify(&Expr::binary(Op::Sub, right.clone(), end.clone()));
                *left == Expr::Var(v) && more == Expr::int(0)
            }
            _ => false,
        },
        _ => false,
    }
}
