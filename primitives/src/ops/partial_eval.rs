//! ```text
//! def p(n: size, x: f32[n]): s   ~>   def p(x: f32[8]): s[n ↦ 8]
//! ```
//! The two versions take different arguments: they are related as [`Relation::Specialised`], and the new one may
//! not stand for the old one at a call. A precondition that the values decide goes, and so does a
//! side of an `and` in one.
//!
//! No conditions. Values are given by name, or in order for the first arguments; only control arguments have
//! values; a value that contradicts the argument's type or a precondition is a wrong argument. In the practical
//! system this is a method: `p.partial_eval(n=8)`.
//!
//! Source: Exo. Spec: [rule: partial_eval].

use crate::cursor::path::{Hole, Step};
use crate::edit::Head;
use crate::error::Result;
use crate::kept::Kept;
use crate::registry::{ArgKind, Exact, Primitive, Value, required};
use crate::rewrite::Rewrite;
use crate::version::session::Session;
use crate::version::{Proc, Relation};
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::Env;
use rewright_effects::lift::lift;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Arg, BinOp, Expr, ExprKind};
use rewright_semantics::build::{and, boolean, int};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold::Form;
use rewright_semantics::syntax::subst::{subst_block, subst_expr};
use rewright_semantics::types::{ArgType, BufferType, ControlType};
/// The entry of [`partial_eval`].
pub static PARTIAL_EVAL: Primitive = Primitive {
    name: "partial_eval",
    summary: "fixes control arguments to values: the new version takes fewer arguments",
    source: "Exo",
    params: &[required("values", ArgKind::Values)],
    conditions: &[],
    exact: Exact::Never,
    run: |p, args| partial_eval(p, args.get("values")?),
};

/// Fixes control arguments to values: [`Value::Named`], or a list for the first arguments.
///
/// # Errors
/// A value is for no control argument, or contradicts its type or a precondition.
pub fn partial_eval(p: &Proc, values: &Value) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &PARTIAL_EVAL);
    let given = match given(p, values) {
        Ok(given) => given,
        Err(why) => return Err(rw.wrong_argument(why)),
    };
    rw.arg("values", values.clone());
    let old = Head::of(p.ast());
    let mut head = Head { args: Vec::new(), preds: Vec::new(), ..old.clone() };
    let mut places = Vec::new();
    for arg in &old.args {
        let fixed = given.iter().any(|(x, _)| *x == arg.name);
        places.push((!fixed).then_some(head.args.len()));
        if !fixed {
            head.args.push(Arg { typ: substituted_type(&arg.typ, &given), ..arg.clone() });
        }
    }
    for pred in &old.preds {
        let pred = substituted(pred, &given);
        match remaining(p.session(), &pred) {
            Ok(rest) => head.preds.extend(match rw.form() {
                Form::Short => rest,
                Form::Literal => Some(pred),
            }),
            Err(()) => {
                let why = format!("the precondition `{}` fails", expr_to_string(&pred));
                return Err(rw.wrong_argument(why));
            }
        }
    }
    rw.set_head(head, places);
    let whole = Hole { path: vec![Step::Body(0)], len: p.ast().body.len() };
    rw.reshape_with(&whole, Kept::all_substituted(given.clone()), |b| {
        given.iter().fold(b.clone(), |b, (x, value)| subst_block(&b, *x, value))
    });
    rw.relation(Relation::Specialised);
    rw.finish()
}

impl Proc {
    /// Fixes control arguments to values: the new version takes fewer arguments: [`partial_eval`](fn@partial_eval).
    ///
    /// # Errors
    /// As the function.
    pub fn partial_eval(&self, values: &Value) -> Result<Proc> {
        partial_eval(self, values)
    }
}

type Given = Vec<(Sym, Expr)>;

/// Arguments with their values.
fn given(p: &Proc, values: &Value) -> std::result::Result<Given, String> {
    let args = &p.ast().args;
    let pairs: Vec<(&Arg, &Value)> = match values {
        Value::Named(named) => {
            let find = |name: &str| args.iter().find(|a| a.name.name().as_str() == name);
            let pair = |(name, value)| match find(name) {
                Some(arg) => Ok((arg, value)),
                None => Err(format!("`{}` has no argument `{name}`", p.name())),
            };
            named
                .iter()
                .map(|(name, value)| pair((name.as_str(), value)))
                .collect::<std::result::Result<_, String>>()?
        }
        Value::List(items) if items.len() <= args.len() => args.iter().zip(items).collect(),
        Value::List(items) => {
            return Err(format!("`{}` takes {} arguments, not {}", p.name(), args.len(), items.len()));
        }
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_)
        | Value::Proc(_)
        | Value::Config(_) => return Err(format!("values must be given by name or in order, not {values}")),
    };
    pairs.into_iter().map(|(arg, value)| Ok((arg.name, literal(arg, value)?))).collect()
}

fn literal(arg: &Arg, value: &Value) -> std::result::Result<Expr, String> {
    match (&arg.typ, value) {
        (ArgType::Control(ControlType::Bool), Value::Bool(b)) => Ok(boolean(*b)),
        (ArgType::Control(ControlType::Size), Value::Int(n)) if *n < 1 => {
            Err(format!("`{}` is a size, and at least 1", arg.name))
        }
        (
            ArgType::Control(ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride),
            Value::Int(n),
        ) => Ok(int(*n)),
        (ArgType::Control(t), _) => Err(format!("`{}` is of type {t}, which {value} is not", arg.name)),
        (ArgType::Data { .. }, _) => Err(format!("`{}` is data: only control arguments are fixed", arg.name)),
    }
}

fn substituted(e: &Expr, given: &Given) -> Expr {
    given.iter().fold(e.clone(), |e, (x, value)| subst_expr(&e, *x, value))
}

fn substituted_type(t: &ArgType, given: &Given) -> ArgType {
    match t {
        ArgType::Control(_) => t.clone(),
        ArgType::Data { typ: BufferType { elem, shape, kind }, mem } => {
            let shape = shape.iter().map(|e| substituted(e, given)).collect();
            ArgType::Data { typ: BufferType { elem: *elem, shape, kind: *kind }, mem: *mem }
        }
    }
}

/// What is left of a precondition without the sides of an `and` that the values decide; an error where one fails.
fn remaining(session: &Session, pred: &Expr) -> std::result::Result<Option<Expr>, ()> {
    if let ExprKind::Bin { op: BinOp::And, lhs, rhs } = &pred.kind {
        let sides = (remaining(session, lhs)?, remaining(session, rhs)?);
        return Ok(match sides {
            (Some(a), Some(b)) => Some(and(a, b)),
            (a, b) => a.or(b),
        });
    }
    match decided(session, pred) {
        Some(true) => Ok(None),
        Some(false) => Err(()),
        None => Ok(Some(pred.clone())),
    }
}

/// The value of a condition that mentions no variable; `None` where it depends on something.
fn decided(session: &Session, e: &Expr) -> Option<bool> {
    let ee = lift(&Env::new(), e);
    let holds =
        |ee| session.decide(&Obligation::new(ConditionId("holds"), "the precondition holds", ee)).is_proved();
    if holds(EffExpr::definitely(ee.clone())) {
        return Some(true);
    }
    holds(EffExpr::definitely(EffExpr::not(ee))).then_some(false)
}
