//! The values of [`super::realize`], each point of each func computed once. Spec: [rule: halide.memo].
//!
//! Errors need no evaluation: ε_rdom is the value of every point of a func with a domain of negative length, and of
//! every func that refers to such a one in a stage that runs at all, for nothing short-circuits.

use super::{EvalError, worst_error};
use crate::alg::{Algorithm, Func, Input, Update};
use crate::buffer::Buffer;
use crate::expr::{Expr, Var};
use crate::int::Int;
use crate::typed::Overflow;
use crate::value::{Value, apply};
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;

type Eval<T> = Result<T, EvalError>;

/// How many updates one func may have once its domains are unrolled.
const MAX_UPDATES: usize = 4000;

/// The value of the output at every point of the window, first variable fastest.
///
/// # Errors
/// The algorithm is not valid, or a domain is too large.
pub fn realize(p: &Algorithm, z: &Input, overflow: Overflow) -> Eval<Vec<Value>> {
    let mut evaluator = Evaluator::new(p, z, overflow)?;
    let mut out = Vec::new();
    for (f, points) in p.points(z) {
        for y in points {
            out.push(evaluator.value(f, y.into_iter().map(Int::Small).collect())?);
        }
    }
    Ok(out)
}

/// Values of variables.
type Binding = Vec<(Name, Int)>;

/// One update of an unrolled stage.
struct Instance {
    stage: usize,
    /// Values of the reduction variables.
    rvars: Binding,
}

struct Unrolled<'a> {
    func: &'a Func,
    instances: Vec<Instance>,
    poisoned: bool,
}

/// Remembers values by func, number of updates that were done, and point.
pub struct Evaluator<'a> {
    params: FxHashMap<Name, Int>,
    funcs: Vec<Unrolled<'a>>,
    index: FxHashMap<Name, usize>,
    known: FxHashMap<(usize, usize, Vec<Int>), Value>,
    overflow: Overflow,
    inputs: FxHashMap<Name, &'a Buffer>,
}

/// The variables in scope, and how much of the func under definition is done.
struct Scope<'s> {
    vars: &'s [(Name, Int)],
    own: Option<(usize, usize)>,
}

impl<'a> Evaluator<'a> {
    /// Unrolls all domains.
    ///
    /// # Errors
    /// The algorithm is not valid, or a domain is too large.
    pub fn new(p: &'a Algorithm, z: &'a Input, overflow: Overflow) -> Eval<Evaluator<'a>> {
        let params = p.params.iter().copied().zip(z.params.iter().map(|v| Int::Small(*v))).collect();
        let index = p.funcs.iter().enumerate().map(|(i, f)| (f.name, i)).collect();
        let inputs = p.inputs.iter().map(|i| i.name).zip(&z.buffers).collect();
        let (funcs, known) = (Vec::new(), FxHashMap::default());
        let mut out = Evaluator { params, funcs, index, known, overflow, inputs };
        for f in &p.funcs {
            let unrolled = out.unroll(f)?;
            out.funcs.push(unrolled);
        }
        Ok(out)
    }

    fn unroll(&mut self, f: &'a Func) -> Eval<Unrolled<'a>> {
        let mut out = Unrolled { func: f, instances: Vec::new(), poisoned: self.reads_poison(&f.pure) };
        for (i, u) in f.updates.iter().enumerate() {
            let Some(points) = self.domain(u)? else {
                out.poisoned = true;
                break;
            };
            if !points.is_empty() {
                out.poisoned |= u.exprs().any(|e| self.reads_poison(e));
            }
            out.instances.extend(points.into_iter().map(|rvars| Instance { stage: i, rvars }));
            if out.instances.len() > MAX_UPDATES {
                return Err(EvalError::TooLong);
            }
        }
        Ok(out)
    }

    fn reads_poison(&self, e: &Expr) -> bool {
        let poisoned =
            |f: Name| self.index.get(&f).and_then(|i| self.funcs.get(*i)).is_some_and(|f| f.poisoned);
        e.accesses().iter().any(|a| poisoned(a.func))
    }

    /// The domain's points in order, first variable fastest; `None` when a length is negative.
    fn domain(&mut self, u: &Update) -> Eval<Option<Vec<Binding>>> {
        let scope = Scope { vars: &[], own: None };
        let mut points: Vec<Binding> = vec![Vec::new()];
        let mut negative = false;
        for r in &u.rdom {
            let (min, len) = (self.eval(&scope, &r.domain.min)?, self.eval(&scope, &r.domain.len)?);
            let (Some(min), Some(len)) = (min.as_int().cloned(), len.to_i64()) else {
                return Err(EvalError::TooLong);
            };
            negative |= len < 0;
            let len = usize::try_from(len.max(0)).map_err(|_| EvalError::TooLong)?;
            if points.len().saturating_mul(len) > MAX_UPDATES {
                return Err(EvalError::TooLong);
            }
            let mut next = Vec::new();
            for k in 0..len {
                let value = min.add(&i64::try_from(k).map_err(|_| EvalError::TooLong)?.into());
                for inner in &points {
                    let mut point = inner.clone();
                    point.push((r.var, value.clone()));
                    next.push(point);
                }
            }
            points = next;
        }
        Ok((!negative).then_some(points))
    }

    /// The value of a point.
    ///
    /// # Errors
    /// The algorithm is not valid.
    pub fn value(&mut self, f: Name, point: Vec<Int>) -> Eval<Value> {
        let i = *self.index.get(&f).ok_or(EvalError::Undefined(f))?;
        let Some(done) = self.funcs.get(i).map(|f| f.instances.len()) else {
            return Err(EvalError::Undefined(f));
        };
        self.after(i, done, point)
    }

    /// The value of a point of a func after some of its updates.
    fn after(&mut self, i: usize, done: usize, point: Vec<Int>) -> Eval<Value> {
        let Some(f) = self.funcs.get(i) else { return Err(EvalError::Arity) };
        if f.poisoned {
            return Ok(Value::RDOM);
        }
        if f.func.vars.len() != point.len() {
            return Err(EvalError::Arity);
        }
        let key = (i, done, point);
        if let Some(value) = self.known.get(&key) {
            return Ok(value.clone());
        }
        let value = self.compute(i, done, &key.2)?;
        self.known.insert(key, value.clone());
        Ok(value)
    }

    fn compute(&mut self, i: usize, done: usize, point: &[Int]) -> Eval<Value> {
        let Some(func) = self.funcs.get(i).map(|f| f.func) else { return Err(EvalError::Arity) };
        let pure: Vec<(Name, Int)> = func.vars.iter().copied().zip(point.iter().cloned()).collect();
        for n in (0..done).rev() {
            let Some((u, rvars)) = self.instance(i, n) else { return Err(EvalError::Arity) };
            let vars: Vec<(Name, Int)> = pure.iter().cloned().chain(rvars).collect();
            let scope = Scope { vars: &vars, own: Some((i, n)) };
            if self.writes(&scope, u, point)? {
                let value = self.eval(&scope, &u.rhs)?;
                return self.stored(func, value);
            }
        }
        let value = self.eval(&Scope { vars: &pure, own: None }, &func.pure)?;
        self.stored(func, value)
    }

    fn instance(&self, i: usize, n: usize) -> Option<(&'a Update, Vec<(Name, Int)>)> {
        let f = self.funcs.get(i)?;
        let instance = f.instances.get(n)?;
        Some((f.func.updates.get(instance.stage)?, instance.rvars.clone()))
    }

    /// Whether an update writes this point: its coordinates first, its predicate then.
    fn writes(&mut self, scope: &Scope<'_>, u: &Update, point: &[Int]) -> Eval<bool> {
        for (e, c) in u.lhs.iter().zip(point) {
            if self.eval(scope, e)?.as_int() != Some(c) {
                return Ok(false);
            }
        }
        Ok(self.eval(scope, &u.cond)?.as_int().is_some_and(Int::is_true))
    }

    fn stored(&self, f: &Func, value: Value) -> Eval<Value> {
        f.scalar.stored(&value, self.overflow).ok_or(EvalError::DoesNotFit(f.name))
    }

    fn eval(&mut self, scope: &Scope<'_>, e: &Expr) -> Eval<Value> {
        match e {
            Expr::Const(c) => Ok(c.clone()),
            Expr::Var(v) => self.variable(scope, *v),
            Expr::Op(op, args) => {
                let args: Vec<Value> = args.iter().map(|e| self.eval(scope, e)).collect::<Eval<_>>()?;
                apply(*op, &args).ok_or(EvalError::Arity)
            }
            Expr::Access(a) => {
                let args: Vec<Value> = a.args.iter().map(|e| self.eval(scope, e)).collect::<Eval<_>>()?;
                if let Some(error) = worst_error(&args) {
                    return Ok(Value::Error(error));
                }
                let point: Vec<Int> = args.iter().filter_map(Value::as_int).cloned().collect();
                if let Some(buffer) = self.inputs.get(&a.func) {
                    return super::given(a.func, buffer, &args);
                }
                let i = *self.index.get(&a.func).ok_or(EvalError::Undefined(a.func))?;
                match scope.own {
                    Some((own, done)) if own == i => self.after(i, done, point),
                    Some(_) | None => self.value(a.func, point),
                }
            }
        }
    }

    fn variable(&self, scope: &Scope<'_>, v: Var) -> Eval<Value> {
        let value = match v {
            Var::Param(p) => self.params.get(&p),
            Var::Local(x) => scope.vars.iter().rev().find(|(y, _)| *y == x).map(|(_, c)| c),
            Var::Loop(..) | Var::Window(..) | Var::Hole(_) => None,
        };
        value.map(|c| Value::Int(c.clone())).ok_or(EvalError::Unbound(v))
    }
}
