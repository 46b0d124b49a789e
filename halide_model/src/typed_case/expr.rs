//! Expressions of typed cases.

use super::{Read, Reader, Unread, not_covered, scalar_of, value, wrong};
use crate::alg::{Func, RVar, Update, tuple};
use crate::expr::{Access, Expr, Interval, Place, Var};
use crate::float::Float;
use crate::op::{Bits, Op};
use crate::promote::{Comparison, I32, TypeError, Types};
use crate::typed::Scalar;
use crate::value::Value;
use rewright_base::sym::Name;
use serde_json::Value as Json;

/// The variables and the let names in scope.
#[derive(Clone, Default)]
pub(super) struct Scope {
    vars: Vec<Name>,
    lets: Vec<(Name, Expr)>,
}

impl Scope {
    pub(super) fn of(vars: &[Name]) -> Scope {
        Scope { vars: vars.to_vec(), lets: Vec::new() }
    }

    pub(super) fn bind(&mut self, x: Name) {
        self.vars.push(x);
    }
}

/// A reduction inside an expression.
struct Reduced {
    /// The func that it becomes.
    name: Name,
    vars: Vec<Name>,
    here: Vec<Expr>,
    rdom: Vec<RVar>,
    e: Expr,
    scalar: Scalar,
}

/// How many bits an integer of a type has.
fn integer_width(s: Scalar) -> Option<u32> {
    match s {
        Scalar::Signed(w) | Scalar::Unsigned(w) => Some(w.bits()),
        Scalar::Integer | Scalar::Bool | Scalar::Float(_) => None,
    }
}

impl Reader {
    pub(super) fn expr(&self, j: &Json, scope: &Scope) -> Read<Expr> {
        if let Some(v) = j.as_i64() {
            return Ok(Expr::int(v));
        }
        if let Some(x) = j.as_str() {
            return Ok(self.name(Name::new(x), scope));
        }
        let malformed = || Unread::Wrong(format!("not an expression: {j}"));
        let (head, args) = j.as_array().and_then(|a| a.split_first()).ok_or_else(malformed)?;
        let head = head.as_str().ok_or_else(malformed)?;
        match (head, args) {
            ("lit", [ty, v]) => Ok(Expr::Const(value(scalar_of(ty.as_str().ok_or_else(malformed)?)?, v)?)),
            ("cast" | "sat-cast", [ty, e]) => {
                let (to, e) = (scalar_of(ty.as_str().ok_or_else(malformed)?)?, self.expr(e, scope)?);
                Ok(if head == "cast" {
                    self.types().cast(to, e)
                } else {
                    self.types().saturating_cast(to, &e)
                })
            }
            ("let", [x, e, body]) => {
                let mut inner = scope.clone();
                inner.lets.push((Name::new(x.as_str().ok_or_else(malformed)?), self.expr(e, scope)?));
                self.expr(body, &inner)
            }
            ("call", [f, args @ ..]) => self.call(Name::new(f.as_str().ok_or_else(malformed)?), args, scope),
            ("elem", [k, c]) => self.element(k, c, scope),
            ("sum" | "product" | "maximum" | "minimum", [domain, e]) => {
                self.reduction(head, domain, e, scope)
            }
            ("argmax" | "argmin", [domain, e]) => self.place_of(head, domain, e, scope),
            ("reinterpret", [ty, e]) => {
                let (to, e) = (scalar_of(ty.as_str().ok_or_else(malformed)?)?, self.expr(e, scope)?);
                let from = self.types().scalar(&e);
                match (integer_width(to), integer_width(from)) {
                    (Some(a), Some(b)) if a == b => Ok(self.types().cast(to, e)),
                    _ => not_covered("`reinterpret` of numbers of floating point"),
                }
            }
            ("tuple", parts) => Ok(tuple(parts.iter().map(|e| self.expr(e, scope)).collect::<Read<_>>()?)),
            (_, args) => {
                let args = args.iter().map(|e| self.expr(e, scope)).collect::<Read<Vec<_>>>()?;
                self.operation(head, args)
            }
        }
    }

    fn name(&self, x: Name, scope: &Scope) -> Expr {
        if let Some((_, e)) = scope.lets.iter().rev().find(|(y, _)| *y == x) {
            return e.clone();
        }
        if scope.vars.contains(&x) {
            return Expr::Var(Var::Local(x));
        }
        if self.scalars.contains(&x) {
            return access(x, Vec::new());
        }
        Expr::Var(if self.params.contains(&x) { Var::Param(x) } else { Var::Local(x) })
    }

    fn call(&self, f: Name, args: &[Json], scope: &Scope) -> Read<Expr> {
        if self.ranks.get(&f).is_some_and(|rank| *rank != args.len()) {
            let why = format!("`{f}` is called with {} indices", args.len());
            return Err(Unread::Refused(TypeError { rule: "halide.arity", why }));
        }
        let args = args.iter().map(|e| Ok(self.types().index(&self.expr(e, scope)?)?));
        Ok(access(f, args.collect::<Read<_>>()?))
    }

    /// Component `k` of a call of a func of several values.
    fn element(&self, k: &Json, call: &Json, scope: &Scope) -> Read<Expr> {
        let parts = call.as_array().map(Vec::as_slice).unwrap_or_default();
        let [head, ..] = parts else { return wrong(format!("not a call: {call}")) };
        let place = head == "argmax" || head == "argmin";
        let k = k.as_u64().and_then(|k| usize::try_from(k).ok());
        let k = k.ok_or_else(|| Unread::Wrong(format!("no such component: {call}")))?;
        let of = match parts {
            _ if place => self.expr(call, scope)?,
            [head, f, args @ ..] if head == "call" => {
                self.call(Name::new(f.as_str().unwrap_or_default()), args, scope)?
            }
            _ => return wrong(format!("not a call: {call}")),
        };
        Ok(self.types().element(k, &of)?)
    }

    /// A reduction inside an expression: a func of what is in scope, with an update.
    fn reduction(&self, head: &str, domain: &Json, e: &Json, scope: &Scope) -> Read<Expr> {
        let Reduced { name, vars, here, rdom, e, scalar } = self.reduced(head, domain, e, scope)?;
        let so_far = access(name, here.clone());
        let mut types = self.types();
        types.reads.insert(name, scalar);
        let (pure, rhs) = match head {
            "sum" => (types.cast(scalar, Expr::int(0)), types.arithmetic(Op::Add, so_far, e)?),
            "product" => (types.cast(scalar, Expr::int(1)), types.arithmetic(Op::Mul, so_far, e)?),
            "maximum" => (least(&types, scalar, false), Expr::binary(Op::Max, so_far, e)),
            _ => (least(&types, scalar, true), Expr::binary(Op::Min, so_far, e)),
        };
        let update = Update { rdom, lhs: here.clone(), rhs, cond: Expr::int(1), span: Place::NONE };
        let (parts, updates) = (Vec::new(), vec![update]);
        let func = Func { name, vars, scalar, parts, pure, updates, span: Place::NONE };
        self.made.borrow_mut().push(func);
        Ok(access(name, here))
    }

    /// A reduction to the first place of the greatest or the least, and that: a func of several values.
    fn place_of(&self, head: &str, domain: &Json, e: &Json, scope: &Scope) -> Read<Expr> {
        let Reduced { name, vars, here, rdom, e, scalar } = self.reduced(head, domain, e, scope)?;
        let so_far = access(name, here.clone());
        let mut types = self.types();
        let mut parts = vec![I32; rdom.len()];
        parts.push(scalar);
        types.reads.insert(name, Scalar::Integer);
        types.parts.insert(name, parts.clone());
        let by = if head == "argmax" { Comparison::Greater } else { Comparison::Less };
        let better = types.compared(by, e.clone(), types.element(rdom.len(), &so_far)?)?;
        let mut now: Vec<Expr> = rdom.iter().map(|r| Expr::Var(Var::Local(r.var))).collect();
        now.push(e);
        let mut values = Vec::new();
        for (k, new) in now.into_iter().enumerate() {
            values.push(Expr::op(Op::Select, [better.clone(), new, types.element(k, &so_far)?]));
        }
        let mut start: Vec<Expr> = rdom.iter().map(|_| Expr::int(0)).collect();
        start.push(least(&types, scalar, head == "argmin"));
        let update =
            Update { rdom, lhs: here.clone(), rhs: tuple(values), cond: Expr::int(1), span: Place::NONE };
        let (pure, updates, scalar) = (tuple(start), vec![update], Scalar::Integer);
        self.made.borrow_mut().push(Func { name, vars, scalar, parts, pure, updates, span: Place::NONE });
        Ok(access(name, here))
    }

    /// The domain, the value, and what of the scope it depends on.
    fn reduced(&self, head: &str, domain: &Json, e: &Json, scope: &Scope) -> Read<Reduced> {
        let (mut inner, mut rdom) = (scope.clone(), Vec::new());
        for r in domain.as_array().ok_or_else(|| Unread::Wrong(format!("not a domain: {domain}")))? {
            let Some([r, min, len]) = r.as_array().map(Vec::as_slice) else {
                return wrong(format!("not a domain: {r}"));
            };
            let end = |e: &Json| Ok::<_, Unread>(self.types().index(&self.expr(e, scope)?)?);
            let var = Name::new(r.as_str().ok_or_else(|| Unread::Wrong(format!("not a variable: {r}")))?);
            rdom.push(RVar { var, domain: Interval { min: end(min)?, len: end(len)? }, span: Place::NONE });
        }
        rdom.iter().for_each(|r| inner.bind(r.var));
        let e = self.expr(e, &inner)?;
        let scalar = self.types().scalar(&e);
        let free = |x: &Name| rdom.iter().all(|r| r.var != *x) && e.mentions(Var::Local(*x));
        let vars: Vec<Name> = scope.vars.iter().copied().filter(free).collect();
        let name = Name::new(&format!("{head}${}", self.made.borrow().len()));
        let here: Vec<Expr> = vars.iter().map(|x| Expr::Var(Var::Local(*x))).collect();
        Ok(Reduced { name, vars, here, rdom, e, scalar })
    }

    /// The types in scope, with those of the reductions inside of expressions.
    pub(super) fn types(&self) -> Types {
        let mut types = self.base.clone();
        types.reads.extend(self.made.borrow().iter().map(|f| (f.name, f.scalar)));
        types.parts.extend(self.made.borrow().iter().map(|f| (f.name, f.parts.clone())));
        types
    }

    fn operation(&self, head: &str, args: Vec<Expr>) -> Read<Expr> {
        let arithmetic =
            [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Mod].into_iter().find(|op| op.name() == head);
        let bits = Bits::ALL.into_iter().find(|b| b.name() == head);
        let types = &self.types();
        let found = match (head, args.as_slice()) {
            (_, [a, b]) if arithmetic.is_some() => match arithmetic {
                Some(op) => types.arithmetic(op, a.clone(), b.clone())?,
                None => return wrong(head.to_owned()),
            },
            (_, [a, b]) if bits.is_some() => match bits {
                Some(bits) => types.bits(bits, a.clone(), b.clone())?,
                None => return wrong(head.to_owned()),
            },
            (sign, [a, b]) if Comparison::of_sign(sign).is_some() => match Comparison::of_sign(sign) {
                Some(by) => types.compared(by, a.clone(), b.clone())?,
                None => return wrong(head.to_owned()),
            },
            ("and", [_, _]) => types.logic(Op::And, args)?,
            ("or", [_, _]) => types.logic(Op::Or, args)?,
            ("not", [_]) => types.logic(Op::Not, args)?,
            ("neg", [a]) => types.negated(a.clone())?,
            ("~", [a]) => types.complement(a.clone())?,
            (name, args) => match types.function(&name.replace('-', "_"), args)? {
                Some(e) => e,
                None => return not_covered(format!("`{name}`")),
            },
        };
        Ok(found)
    }
}

/// The least value of a type, or the greatest.
fn least(types: &Types, scalar: Scalar, greatest: bool) -> Expr {
    match (scalar, scalar.range()) {
        (Scalar::Float(p), _) => {
            let v = if greatest { f64::INFINITY } else { f64::NEG_INFINITY };
            Expr::Const(Value::Float(Float::new(p, v)))
        }
        (_, Some((lo, hi))) => types.cast(scalar, Expr::Const(Value::Int(if greatest { hi } else { lo }))),
        (_, None) => Expr::int(0),
    }
}

fn access(func: Name, args: Vec<Expr>) -> Expr {
    Expr::Access(Access { func, site: None, args: args.into(), span: Place::NONE })
}
