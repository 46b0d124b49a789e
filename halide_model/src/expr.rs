//! The expression language, shared by algorithms and the target language. Thesis Fig. 2.5b, Fig. 2.7.

use crate::op::Op;
use crate::value::Value;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A stage of a specialization of a func: what a loop, a func reference or a compute hole belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The func.
    pub func: Name,
    /// The stage; 0 is the pure one.
    pub stage: usize,
    /// The specialization; 0 is the default.
    pub spec: usize,
}

/// One end of an interval: intervals are a minimum and a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The minimum.
    Min,
    /// The length.
    Len,
}

/// Which set of points bounds describe: `?mem f` or `?cpu f^{i,j}`. Thesis Def. 2.14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Region {
    /// Allocation bounds of a func.
    Mem(Name),
    /// Compute bounds of a stage. Build with [`Region::cpu`]: the last stage is shared by all specializations.
    Cpu(Site),
}

impl Region {
    /// The compute bounds of a stage of a func with `stages` stages. "The last stage of a given func always uses
    /// a common bounds hole" (Thesis Def. 2.14).
    pub fn cpu(site: Site, stages: usize) -> Region {
        if site.stage + 1 >= stages { Region::Cpu(Site { spec: 0, ..site }) } else { Region::Cpu(site) }
    }

    /// Whose region it is.
    pub fn func(self) -> Name {
        match self {
            Region::Mem(f) => f,
            Region::Cpu(site) => site.func,
        }
    }
}

/// A bounds hole: one end of one dimension of a region. Thesis Def. 2.14.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hole {
    /// The region.
    pub region: Region,
    /// The dimension, from 0.
    pub dim: usize,
    /// Which end.
    pub end: End,
}

/// A variable.
///
/// Variables of the target language carry the stage that binds them: a func may be computed inside a loop of
/// another one whose variable has the same name, and neither the environment Σ of the rules nor the
/// substitution of holes may confuse the two. [H-1].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A parameter of the pipeline.
    Param(Name),
    /// A pure or reduction variable of an algorithm.
    Local(Name),
    /// A loop or let variable of the target language.
    Loop(Site, Name),
    /// An end of a dimension of the requested window.
    Window(usize, End),
    /// A bounds hole: free in an incomplete program, bound by a `let` in a completed one.
    Hole(Hole),
}

impl Var {
    /// Whether it is a variable of an algorithm, without a place in the target language.
    pub fn is_local(self) -> bool {
        match self {
            Var::Local(_) => true,
            Var::Param(_) | Var::Loop(..) | Var::Window(..) | Var::Hole(_) => false,
        }
    }

    /// The region whose bounds it is an end of.
    pub fn region(self) -> Option<Region> {
        match self {
            Var::Hole(h) => Some(h.region),
            Var::Param(_) | Var::Local(_) | Var::Loop(..) | Var::Window(..) => None,
        }
    }
}

/// `f^ℓ[e₁, …, eₙ]`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Access {
    /// The func.
    pub func: Name,
    /// In the target language, the stage whose values are read: the previous one for a reference of a func to
    /// itself; `None` for the last stage of another func, and in algorithms.
    pub site: Option<Site>,
    /// The point.
    pub args: Arc<[Expr]>,
    /// Where it is written. Never takes part in comparisons.
    pub span: Place,
}

/// A span that compares equal to every other.
#[derive(Clone, Copy, Debug, Default)]
pub struct Place(pub Span);

impl Place {
    /// Nowhere.
    pub const NONE: Place = Place(Span::NONE);
}

impl PartialEq for Place {
    fn eq(&self, _: &Place) -> bool {
        true
    }
}

impl Eq for Place {}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Place) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Place {
    fn cmp(&self, _: &Place) -> std::cmp::Ordering {
        std::cmp::Ordering::Equal
    }
}

impl std::hash::Hash for Place {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// An expression. Spec: [rule: halide.expr].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expr {
    /// A constant of 𝕍. Errors arise during evaluation only.
    Const(Value),
    /// A variable.
    Var(Var),
    /// A reference to a point of a func.
    Access(Access),
    /// An operation.
    Op(Op, Arc<[Expr]>),
}

/// `(min, len)`: the integers from `min` on, `len` of them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Interval {
    /// The first.
    pub min: Expr,
    /// How many.
    pub len: Expr,
}

impl Interval {
    /// Both ends of a hole.
    pub fn hole(region: Region, dim: usize) -> Interval {
        let end = |end| Expr::Var(Var::Hole(Hole { region, dim, end }));
        Interval { min: end(End::Min), len: end(End::Len) }
    }

    /// With `f` applied to both ends.
    #[must_use]
    pub fn map(&self, f: &mut impl FnMut(&Expr) -> Expr) -> Interval {
        Interval { min: f(&self.min), len: f(&self.len) }
    }
}

impl Expr {
    /// An integer.
    pub fn int(v: i64) -> Expr {
        Expr::Const(Value::int(v))
    }

    /// An operation.
    pub fn op(op: Op, args: impl Into<Arc<[Expr]>>) -> Expr {
        Expr::Op(op, args.into())
    }

    /// `a op b`
    pub fn binary(op: Op, a: Expr, b: Expr) -> Expr {
        Expr::Op(op, [a, b].into())
    }

    /// Its value, if it is a small integer constant.
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Expr::Const(v) => v.to_i64(),
            Expr::Var(_) | Expr::Access(_) | Expr::Op(..) => None,
        }
    }

    /// Replaces variables by what `f` gives for them; the others stay.
    #[must_use]
    pub fn substitute(&self, f: &impl Fn(Var) -> Option<Expr>) -> Expr {
        self.rewrite(&mut |e| match e {
            Expr::Var(v) => f(*v),
            Expr::Const(_) | Expr::Access(_) | Expr::Op(..) => None,
        })
    }

    /// Replaces each subexpression, from the outside inwards, by what `f` gives for it; where it gives nothing,
    /// its parts are rewritten.
    #[must_use]
    pub fn rewrite(&self, f: &mut impl FnMut(&Expr) -> Option<Expr>) -> Expr {
        if let Some(done) = f(self) {
            return done;
        }
        match self {
            Expr::Const(_) | Expr::Var(_) => self.clone(),
            Expr::Access(a) => {
                let args = a.args.iter().map(|e| e.rewrite(f)).collect();
                Expr::Access(Access { args, ..a.clone() })
            }
            Expr::Op(op, args) => Expr::Op(*op, args.iter().map(|e| e.rewrite(f)).collect()),
        }
    }

    /// Visits each subexpression, itself included, outermost first.
    pub fn visit<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        f(self);
        match self {
            Expr::Const(_) | Expr::Var(_) => {}
            Expr::Access(a) => a.args.iter().for_each(|e| e.visit(f)),
            Expr::Op(_, args) => args.iter().for_each(|e| e.visit(f)),
        }
    }

    /// Its func references, outermost first.
    pub fn accesses(&self) -> Vec<&Access> {
        let mut out = Vec::new();
        self.visit(&mut |e| match e {
            Expr::Access(a) => out.push(a),
            Expr::Const(_) | Expr::Var(_) | Expr::Op(..) => {}
        });
        out
    }

    /// Its variables.
    pub fn vars(&self) -> BTreeSet<Var> {
        let mut out = BTreeSet::new();
        self.visit(&mut |e| match e {
            Expr::Var(v) => drop(out.insert(*v)),
            Expr::Const(_) | Expr::Access(_) | Expr::Op(..) => {}
        });
        out
    }

    /// Whether `v` occurs.
    pub fn mentions(&self, v: Var) -> bool {
        self.has_var(&|w| w == v)
    }

    /// Whether a variable occurs for which `f` holds.
    pub fn has_var(&self, f: &impl Fn(Var) -> bool) -> bool {
        match self {
            Expr::Const(_) => false,
            Expr::Var(v) => f(*v),
            Expr::Access(a) => a.args.iter().any(|e| e.has_var(f)),
            Expr::Op(_, args) => args.iter().any(|e| e.has_var(f)),
        }
    }

    /// How many nodes it has.
    pub fn size(&self) -> usize {
        let mut n = 0;
        self.visit(&mut |_| n += 1);
        n
    }
}
