//! Algorithms. Thesis Fig. 2.5a; spec: [rule: halide.alg].

use crate::buffer::Buffer;
use crate::expr::{Access, Expr, Interval, Place};
use crate::op::Op;
use crate::typed::Scalar;
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// `pipeline f(p₁, …, p_m) = D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Algorithm {
    /// The output func's name.
    pub output: Name,
    /// Other outputs. [rule: halide.outputs]
    pub also: Vec<Name>,
    /// The parameters that bounds and conditions may mention: integers.
    pub params: Vec<Name>,
    /// What kind of integers the parameters are, where that is not ℤ.
    pub types: BTreeMap<Name, Scalar>,
    /// The input buffers. A parameter of floating point is one without dimensions.
    pub inputs: Vec<Image>,
    /// What must hold of the parameters when it is run: startup expressions. [rule: halide.require]
    pub requires: Vec<Expr>,
    /// Whether it was written with types: coordinates are `int32`. [rule: halide.promotion]
    pub typed: bool,
    /// The definitions, in order; the output is the last.
    pub funcs: Vec<Func>,
    /// Where it is written.
    pub span: Place,
}

/// An input buffer: a func that is given. [rule: halide.input]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Its name.
    pub name: Name,
    /// What its points hold.
    pub scalar: Scalar,
    /// How many dimensions it has.
    pub rank: usize,
    /// Where it is declared.
    pub span: Place,
}

/// `fun f(x₁, …, xₙ) = {U₀; U₁; …; U_m}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Func {
    /// Its name.
    pub name: Name,
    /// Its pure variables.
    pub vars: Vec<Name>,
    /// What its points hold in practice; ℤ in the formal model, and where they hold several values.
    pub scalar: Scalar,
    /// What each of several values is; empty where there is one. [rule: halide.tuple]
    pub parts: Vec<Scalar>,
    /// The pure stage U₀.
    pub pure: Expr,
    /// The update stages.
    pub updates: Vec<Update>,
    /// Where it is written.
    pub span: Place,
}

/// `rdom(r₁ = I₁, …) in (e₁, …, eₙ) <- e if e_P`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Update {
    /// The reduction domain, innermost variable first.
    pub rdom: Vec<RVar>,
    /// The point that is written.
    pub lhs: Vec<Expr>,
    /// The new value.
    pub rhs: Expr,
    /// The predicate.
    pub cond: Expr,
    /// Where it is written.
    pub span: Place,
}

/// `r = I`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RVar {
    /// The reduction variable.
    pub var: Name,
    /// What it ranges over.
    pub domain: Interval,
    /// Where it is written.
    pub span: Place,
}

impl Algorithm {
    /// An algorithm over ℤ, without input buffers.
    pub fn new(output: Name, params: Vec<Name>, funcs: Vec<Func>) -> Algorithm {
        let (types, inputs, typed, span) = (BTreeMap::new(), Vec::new(), false, Place::NONE);
        Algorithm {
            output,
            also: Vec::new(),
            params,
            types,
            inputs,
            requires: Vec::new(),
            typed,
            funcs,
            span,
        }
    }

    /// The input buffer of that name.
    pub fn input(&self, name: Name) -> Option<&Image> {
        self.inputs.iter().find(|i| i.name == name)
    }

    /// What the points of a func or input hold.
    pub fn scalar(&self, name: Name) -> Scalar {
        let func = self.func(name).map(|f| f.scalar);
        func.or_else(|| self.input(name).map(|i| i.scalar)).unwrap_or_default()
    }

    /// What each of the values of a func or input is.
    pub fn scalars(&self, name: Name) -> Vec<Scalar> {
        let parts = self.func(name).map(|f| f.parts.clone()).filter(|parts| !parts.is_empty());
        parts.unwrap_or_else(|| vec![self.scalar(name)])
    }

    /// How many dimensions a func or input has.
    pub fn rank(&self, name: Name) -> usize {
        let func = self.func(name).map(|f| f.vars.len());
        func.or_else(|| self.input(name).map(|i| i.rank)).unwrap_or(0)
    }

    /// The func of that name.
    pub fn func(&self, name: Name) -> Option<&Func> {
        self.funcs.iter().find(|f| f.name == name)
    }

    /// Its place in the order of definition.
    pub fn index(&self, name: Name) -> Option<usize> {
        self.funcs.iter().position(|f| f.name == name)
    }

    /// All outputs, [`Algorithm::output`] first.
    pub fn outputs(&self) -> Vec<Name> {
        std::iter::once(self.output).chain(self.also.iter().copied()).collect()
    }

    /// Whether a func is an output.
    pub fn is_output(&self, name: Name) -> bool {
        self.output == name || self.also.contains(&name)
    }

    /// The outputs, and which dimensions of the window are theirs: the windows of all are one after the other.
    pub fn windows(&self) -> Vec<(Name, Range<usize>)> {
        let mut start = 0;
        let window = |f: Name| {
            let here = start..start + self.rank(f);
            start = here.end;
            (f, here)
        };
        self.outputs().into_iter().map(window).collect()
    }

    /// How many dimensions the windows of all outputs have.
    pub fn window_rank(&self) -> usize {
        self.windows().last().map_or(0, |(_, dims)| dims.end)
    }

    /// The points that are asked for, output by output, the first variable fastest.
    pub fn points(&self, z: &Input) -> Vec<(Name, Vec<Vec<i64>>)> {
        let points = |dims| box_points(z.window.get(dims).unwrap_or_default());
        self.windows().into_iter().map(|(f, dims)| (f, points(dims))).collect()
    }
}

impl Func {
    /// How many stages it has, the pure one included.
    pub fn stages(&self) -> usize {
        1 + self.updates.len()
    }

    /// All stages. "The first stage U₀ = e is equivalent to `rdom() in (x₁, …, xₙ) <- e if 1`" (Thesis §2.4.1).
    pub fn all_stages(&self) -> Vec<Update> {
        let lhs = self.vars.iter().map(|x| local(*x)).collect();
        let pure =
            Update { rdom: Vec::new(), lhs, rhs: self.pure.clone(), cond: Expr::int(1), span: self.span };
        std::iter::once(pure).chain(self.updates.iter().cloned()).collect()
    }

    /// Which dimensions are pure in a stage: those whose variable occurs in it. Thesis Def. 2.8.
    /// All of them are in the pure stage, whether or not its expression mentions them.
    pub fn pure_dims(&self, stage: usize) -> Vec<bool> {
        let Some(update) = stage.checked_sub(1).map(|i| self.updates.get(i)) else {
            return vec![true; self.vars.len()];
        };
        let occurs = |x: &Name| update.is_some_and(|u| u.mentions(*x));
        self.vars.iter().map(occurs).collect()
    }

    /// The funcs it refers to, itself included if it does.
    pub fn references(&self) -> Vec<Name> {
        let mut out = Vec::new();
        for stage in self.all_stages() {
            stage.exprs().for_each(|e| out.extend(e.accesses().iter().map(|a| a.func)));
        }
        out.sort();
        out.dedup();
        out
    }
}

impl Update {
    /// The point, the value and the predicate; not the bounds of the domain.
    pub fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.lhs.iter().chain([&self.rhs, &self.cond])
    }

    /// Whether a variable of that name occurs, a reduction variable aside.
    pub fn mentions(&self, x: Name) -> bool {
        self.rdom.iter().all(|r| r.var != x) && self.exprs().any(|e| e.mentions(crate::expr::Var::Local(x)))
    }
}

/// A pure or reduction variable as an expression.
pub fn local(x: Name) -> Expr {
    Expr::Var(crate::expr::Var::Local(x))
}

/// `f[args]`.
pub fn access(func: Name, args: Vec<Expr>) -> Expr {
    Expr::Access(Access { func, site: None, args: args.into(), span: Place::NONE })
}

/// The value of a func of several.
pub fn tuple(parts: Vec<Expr>) -> Expr {
    Expr::op(Op::Tuple(parts.len()), parts)
}

/// Value `k` of those of a call, of this type: a cast says which type it is of, and changes nothing.
pub fn element(of: Scalar, k: usize, call: Expr) -> Expr {
    let value = Expr::op(Op::Elem(k), [call]);
    if of == Scalar::Integer { value } else { Expr::op(Op::Cast(of), [value]) }
}

/// A realization's input: values of the parameters and a window of the output. Thesis Def. 2.1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// One value for each parameter.
    pub params: Vec<i64>,
    /// `(min, len)` for each dimension, of one output after the other; lengths are not negative.
    pub window: Vec<(i64, i64)>,
    /// What the input buffers hold, in the order of their declarations.
    pub buffers: Vec<Buffer>,
}

impl Input {
    /// Without input buffers.
    pub fn new(params: Vec<i64>, window: Vec<(i64, i64)>) -> Input {
        Input { params, window, buffers: Vec::new() }
    }
}

/// The points of a box `(min, len)…`, first dimension fastest.
pub fn box_points(bounds: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut out: Vec<Vec<i64>> = vec![Vec::new()];
    for (min, len) in bounds.iter().rev() {
        let tails = out;
        out = Vec::new();
        for tail in &tails {
            for i in 0..*len {
                let mut point = vec![min.saturating_add(i)];
                point.extend(tail);
                out.push(point);
            }
        }
    }
    out
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.window.iter().map(|(m, n)| format!("({m}, {n})")).collect();
        write!(f, "realize({}", dims.join(", "))?;
        let params: Vec<String> = self.params.iter().map(i64::to_string).collect();
        if !params.is_empty() {
            write!(f, "; {}", params.join(", "))?;
        }
        f.write_str(")")
    }
}
