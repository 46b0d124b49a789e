//! Big-step evaluation of algorithms, one function per rule of Thesis Fig. 2.6. Spec: [rule: halide.eval].
//!
//! This is the oracle: rules as they are printed, by substitution. It is exponential in the number of updates that
//! refer to their func; [`memo`] gives the same values in reasonable time, and a test holds the two together.

pub mod memo;

use crate::alg::{Algorithm, Func, Input, RVar, Update, access, local};
use crate::buffer::Buffer;
use crate::expr::{Expr, Var};
use crate::int::Int;
use crate::op::Op;
use crate::typed::Scalar;
use crate::value::{ErrorValue, Value, apply};
use rewright_base::sym::Name;
use std::fmt;

/// Why an algorithm has no value: it is not valid, or evaluation is too much work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// A variable that nothing binds.
    Unbound(Var),
    /// A func that is not defined.
    Undefined(Name),
    /// An operator or func with the wrong number of arguments.
    Arity,
    /// More steps than allowed.
    TooLong,
    /// A value does not fit what the points of its func hold, and that is an error.
    DoesNotFit(Name),
    /// An input buffer is read outside of its box.
    Input(Name, Vec<Int>),
    /// The rules are about ℤ: this func's points hold something else.
    Typed(Name),
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EvalError::Unbound(v) => write!(f, "nothing binds variable `{}`", crate::text::print::var(*v)),
            EvalError::Undefined(name) => write!(f, "func `{name}` is not defined"),
            EvalError::Arity => f.write_str("wrong number of arguments"),
            EvalError::DoesNotFit(name) => write!(f, "a value of func `{name}` does not fit"),
            EvalError::Input(name, point) => {
                let point: Vec<String> = point.iter().map(Int::to_string).collect();
                write!(f, "input `{name}` is read outside of its box, at [{}]", point.join(", "))
            }
            EvalError::Typed(name) => write!(f, "the rules are about integers, and `{name}` holds others"),
            EvalError::TooLong => f.write_str("evaluation takes too many steps"),
        }
    }
}

type Eval<T> = Result<T, EvalError>;

/// The definitions D in scope: a prefix of the pipeline's, the last one perhaps cut short.
#[derive(Clone, Copy)]
struct Defs<'a> {
    whole: &'a [Func],
    last: Option<&'a Func>,
}

/// \[REALIZE\]: the value of the output at every point of the window, first variable fastest.
///
/// # Errors
/// The algorithm is not valid, or more than `fuel` rules would be used.
pub fn realize(p: &Algorithm, z: &Input, fuel: u64) -> Eval<Vec<Value>> {
    // Where it is written with types, values are of their types already, and the rules hold as they are.
    if let Some(f) = p.funcs.iter().find(|f| f.scalar != Scalar::Integer && !p.typed) {
        return Err(EvalError::Typed(f.name));
    }
    let funcs: Vec<Func> = p.funcs.iter().map(|f| with_params(f, p, z)).collect();
    let defs = Defs { whole: &funcs, last: None };
    let inputs = p.inputs.iter().map(|i| i.name).zip(&z.buffers).collect();
    let mut machine = Machine { fuel, inputs };
    let mut value = |f: Name, y: &[i64]| {
        let point: Vec<Value> = y.iter().map(|i| Value::int(*i)).collect();
        machine.lookup(defs, f, &point)
    };
    let points = p.points(z);
    points.iter().flat_map(|(f, points)| points.iter().map(|y| value(*f, y)).collect::<Vec<_>>()).collect()
}

/// `[c̄/p̄]F`
fn with_params(f: &Func, p: &Algorithm, z: &Input) -> Func {
    let value = |v: Var| match v {
        Var::Param(name) => {
            let i = p.params.iter().position(|q| *q == name)?;
            z.params.get(i).map(|c| Expr::int(*c))
        }
        Var::Local(_) | Var::Loop(..) | Var::Window(..) | Var::Hole(_) => None,
    };
    let updates = f.updates.iter().map(|u| substitute_update(u, &value)).collect();
    Func { pure: f.pure.substitute(&value), updates, ..f.clone() }
}

fn substitute_update(u: &Update, value: &impl Fn(Var) -> Option<Expr>) -> Update {
    let rvar = |r: &RVar| RVar { domain: r.domain.map(&mut |e| e.substitute(value)), ..r.clone() };
    Update {
        rdom: u.rdom.iter().map(rvar).collect(),
        lhs: u.lhs.iter().map(|e| e.substitute(value)).collect(),
        rhs: u.rhs.substitute(value),
        cond: u.cond.substitute(value),
        span: u.span,
    }
}

struct Machine<'a> {
    fuel: u64,
    inputs: Vec<(Name, &'a Buffer)>,
}

impl Machine<'_> {
    fn spend(&mut self) -> Eval<()> {
        self.fuel = self.fuel.checked_sub(1).ok_or(EvalError::TooLong)?;
        Ok(())
    }

    /// `D; e ⇓ c`: \[CONST-EVAL\], \[OP-EVAL\], \[FUNC-ARG-EVAL\].
    fn eval(&mut self, d: Defs<'_>, e: &Expr) -> Eval<Value> {
        self.spend()?;
        match e {
            Expr::Const(c) => Ok(c.clone()),
            Expr::Var(v) => Err(EvalError::Unbound(*v)),
            Expr::Op(op, args) => {
                let args = self.all(d, args)?;
                apply(*op, &args).ok_or(EvalError::Arity)
            }
            Expr::Access(a) => {
                let args = self.all(d, &a.args)?;
                self.lookup(d, a.func, &args)
            }
        }
    }

    fn all(&mut self, d: Defs<'_>, es: &[Expr]) -> Eval<Vec<Value>> {
        es.iter().map(|e| self.eval(d, e)).collect()
    }

    /// `D; f[c̄] ⇓ c'`. An error among the coordinates is the value: a reference is an operation [H-2].
    fn lookup(&mut self, d: Defs<'_>, f: Name, c: &[Value]) -> Eval<Value> {
        self.spend()?;
        if let Some(error) = worst_error(c) {
            return Ok(Value::Error(error));
        }
        if let Some((_, buffer)) = self.inputs.iter().find(|(name, _)| *name == f) {
            return given(f, buffer, c);
        }
        match d.last {
            Some(g) if g.name == f => self.defined(d, g, c),
            // [FUNC-SKIP]
            Some(_) => self.lookup(Defs { last: None, ..d }, f, c),
            None => match d.whole.split_last() {
                Some((g, before)) => self.lookup(Defs { whole: before, last: Some(g) }, f, c),
                None => Err(EvalError::Undefined(f)),
            },
        }
    }

    fn defined(&mut self, d: Defs<'_>, f: &Func, c: &[Value]) -> Eval<Value> {
        if f.vars.len() != c.len() {
            return Err(EvalError::Arity);
        }
        match f.updates.split_last() {
            None => self.func_eval(d, f, c),
            Some((u, before)) if u.rdom.is_empty() => self.update_eval(d, f, before, u, c),
            Some((u, before)) => self.rdom_eval(d, f, before, u, c),
        }
    }

    /// \[FUNC-EVAL\]
    fn func_eval(&mut self, d: Defs<'_>, f: &Func, c: &[Value]) -> Eval<Value> {
        self.eval(Defs { last: None, ..d }, &f.pure.substitute(&point(f, c)))
    }

    /// \[UPDATE-EVAL\]: `[c̄/x̄] select(ē = x̄ ∧ e_p, e_b, f[x̄])` with the update taken away.
    fn update_eval(
        &mut self,
        d: Defs<'_>,
        f: &Func,
        before: &[Update],
        u: &Update,
        c: &[Value],
    ) -> Eval<Value> {
        let here = f.vars.iter().zip(&u.lhs).map(|(x, e)| Expr::binary(Op::Eq, e.clone(), local(*x)));
        let cond = here.reduce(|a, b| Expr::binary(Op::And, a, b));
        let cond = cond.map_or(u.cond.clone(), |c| Expr::binary(Op::And, c, u.cond.clone()));
        let old = access(f.name, f.vars.iter().map(|x| local(*x)).collect());
        let e = Expr::op(Op::Select, [cond, u.rhs.clone(), old]).substitute(&point(f, c));
        let shorter = Func { updates: before.to_vec(), ..f.clone() };
        self.eval(Defs { last: Some(&shorter), ..d }, &e)
    }

    /// \[RDOM-ERR\] when a length is negative, \[RDOM-EVAL\] otherwise: the outermost variable is unrolled.
    fn rdom_eval(
        &mut self,
        d: Defs<'_>,
        f: &Func,
        before: &[Update],
        u: &Update,
        c: &[Value],
    ) -> Eval<Value> {
        let startup = Defs { whole: &[], last: None };
        let mut bounds = Vec::new();
        for r in &u.rdom {
            let (min, len) = (self.eval(startup, &r.domain.min)?, self.eval(startup, &r.domain.len)?);
            bounds.push((min, len));
        }
        if bounds.iter().any(|(_, len)| len.as_int().is_none_or(|n| *n < Int::ZERO)) {
            return Ok(Value::RDOM);
        }
        let (Some((outermost, inner)), Some((min, len))) = (u.rdom.split_last(), bounds.last()) else {
            return Err(EvalError::Arity);
        };
        let (Some(min), Some(len)) = (min.as_int(), len.as_int()) else { return Ok(Value::RDOM) };
        let mut updates = before.to_vec();
        let count = len.to_i64().ok_or(EvalError::TooLong)?;
        for k in 0..count {
            self.spend()?;
            let r = outermost.var;
            let value = Value::Int(min.add(&k.into()));
            let rest = Update { rdom: inner.to_vec(), ..u.clone() };
            updates.push(substitute_update(&rest, &|v| {
                (v == Var::Local(r)).then(|| Expr::Const(value.clone()))
            }));
        }
        let unrolled = Func { updates, ..f.clone() };
        self.defined(d, &unrolled, c)
    }
}

/// The greatest error value among these.
pub(crate) fn worst_error(values: &[Value]) -> Option<ErrorValue> {
    let error = |v: &Value| match v {
        Value::Error(e) => Some(*e),
        Value::Int(_) | Value::Float(_) | Value::Tuple(_) => None,
    };
    values.iter().filter_map(error).max()
}

/// The value of an input buffer. [rule: halide.input]
fn given(name: Name, buffer: &Buffer, point: &[Value]) -> Eval<Value> {
    let words: Option<Vec<i64>> = point.iter().map(Value::to_i64).collect();
    let value = words.and_then(|p| buffer.get(&p).cloned());
    value.ok_or_else(|| EvalError::Input(name, point.iter().filter_map(Value::as_int).cloned().collect()))
}

/// `[c̄/x̄]`
fn point<'a>(f: &'a Func, c: &'a [Value]) -> impl Fn(Var) -> Option<Expr> + 'a {
    move |v| {
        let Var::Local(x) = v else { return None };
        let i = f.vars.iter().position(|y| *y == x)?;
        c.get(i).map(|c| Expr::Const(c.clone()))
    }
}
