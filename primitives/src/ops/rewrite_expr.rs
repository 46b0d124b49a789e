//! ```text
//! e  ~>  e'
//! ```
//! Control expressions, also those inside an index, are compared by the solver under what is known at the place.
//! Data is compared as polynomials over the rationals in the cells that are read, where the solver says which
//! reads are of one cell; on floating point the result may round differently, and what is not finite counts for
//! nothing. Of integers, which wrap, only sums, differences and products are taken apart. See [`Normalizer`].
//!
//! Source: ASPLOS'25 App. A.6. Spec: [rule: rewrite_expr].

use crate::cursor::fragment::{self, Sort};
use crate::cursor::path::{ExprPath, ExprStep, Place, expr_in, with_expr_in};
use crate::cursor::{At, resolve};
use crate::error::Result;
use crate::kept::{Parts, part};
use crate::registry::{ArgKind, Condition, Exact, ExprArg, Primitive, condition, form, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::equal::{equal_here, fields};
use crate::tools::requires::tentative::parallel_around;
use crate::tools::syntax::normal::Normalizer;
use crate::tools::syntax::operand::{Operand, common, each_data_read};
use crate::version::Proc;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::env::Field;
use rewright_semantics::ast::{Expr, ExprKind, StmtKind};
use rewright_semantics::data::Comparison;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::syntax::walk::each_child;
use rewright_semantics::types::ArgType;

const VALUE: Condition = form("value", "the expression is a value, and not passed by reference");
const EQUAL: Condition = condition("equal", "both expressions have the same value");
const READS: Condition =
    condition("reads", "the new expression reads only cells that the right-hand side reads already");
const FIELDS: Condition =
    condition("fields", "the new expression reads no other fields, but such as were written on the way");

/// The entry of [`rewrite_expr`].
pub static REWRITE_EXPR: Primitive = Primitive {
    name: "rewrite_expr",
    summary: "replaces an expression by one of the same value; data may round differently",
    source: "ASPLOS'25 App. A.6",
    params: &[required("expr_cursor", ArgKind::Expr), required("new_expr", ArgKind::NewExpr)],
    conditions: &[VALUE, EQUAL, READS, FIELDS],
    exact: Exact::Never,
    run: |p, args| rewrite_expr(p, args.at("expr_cursor")?, &args.text("new_expr")?),
};

/// Replaces an expression by one of the same value.
///
/// # Errors
/// A condition fails, the text cannot be read, or there is no expression.
pub fn rewrite_expr(p: &Proc, at: impl Into<At>, new: impl Into<ExprArg>) -> Result<Proc> {
    let new: &str = &new.into().0;
    let at = resolve::expr(p, &at.into())?;
    let mut rw = Rewrite::new(p, &REWRITE_EXPR);
    rw.at("expr_cursor", Place::Expr(at.clone()));
    rw.arg("new_expr", new);
    let operand = Operand::of(p, &at).ok_or_else(|| rw.internal("the operand is gone"))?;
    let old = expr_in(&operand.stmt, &at.steps).ok_or_else(|| rw.internal("the expression is gone"))?.clone();
    let sort = Sort::of_type(&operand.env.type_of(&old)).filter(|_| !is_reference(&operand, &at));
    let Some(sort) = sort else {
        return Err(rw.refuse(&VALUE, "the expression stands for a place, not for its value", old.span));
    };
    rw.require_that(&VALUE, true, || "")?;
    let new = fragment::expr(p, &at.stmt, new, sort).map_err(|e| rw.wrong_argument(e.to_string()))?;
    let new = Expr { span: old.span, ..new };
    let change = Change::of(&rw, p, operand, &at, &new)?;
    match sort {
        Sort::Data => {
            change.require_data(&mut rw, &old, &new)?;
            rw.replace_expr(&at, new, Parts::value());
        }
        Sort::Control | Sort::Bool | Sort::Stride => {
            change.require_control(&mut rw, &at)?;
            change.make(&mut rw, &at)?;
        }
    }
    rw.finish()
}

impl Proc {
    /// Replaces an expression by one of the same value; data may round differently: [`rewrite_expr`](fn@rewrite_expr).
    ///
    /// # Errors
    /// As the function.
    pub fn rewrite_expr(&self, at: impl Into<At>, new: impl Into<ExprArg>) -> Result<Proc> {
        rewrite_expr(self, at, new)
    }
}

/// Whether the place is an argument that a callee may write to.
fn is_reference(operand: &Operand, at: &ExprPath) -> bool {
    match (operand.stmt.kind.as_ref(), at.steps.as_slice()) {
        (StmtKind::Call { proc, args: _ }, [ExprStep::Arg(k)]) => {
            proc.args.get(*k).is_none_or(|formal| matches!(formal.typ, ArgType::Data { .. }))
        }
        _ => false,
    }
}

/// The operand before and after.
struct Change {
    ctx: Context,
    operand: Operand,
    /// The whole operand as it will be.
    whole: Expr,
    parallel: bool,
    /// The control fields that the assertions read.
    asserted: Vec<Field>,
}

impl Change {
    fn of(rw: &Rewrite, p: &Proc, operand: Operand, at: &ExprPath, new: &Expr) -> Result<Change> {
        let ctx = rw.context_of(&at.stmt)?;
        let changed = with_expr_in(&operand.stmt, &at.steps, new.clone());
        let whole = changed.as_ref().and_then(|s| Some(expr_in(s, &[*at.steps.first()?])?.clone()));
        let whole = whole.ok_or_else(|| rw.internal("the expression is nowhere"))?;
        let parallel = !parallel_around(p.ast(), &at.stmt).is_empty();
        let asserted = p.ast().preds.iter().flat_map(fields).collect();
        Ok(Change { ctx, operand, whole, parallel, asserted })
    }

    /// The largest control expression around the place has the same value: that is less than that the place has,
    /// and as good.
    fn require_control(&self, rw: &mut Rewrite, at: &ExprPath) -> Result<()> {
        let is_control = |n: &usize| {
            let here = at.steps.get(1..*n).and_then(|steps| part(&self.operand.whole, steps));
            here.is_some_and(
                |e| matches!(Sort::of_type(&self.operand.env.type_of(e)), Some(s) if s != Sort::Data),
            )
        };
        let around = (1..=at.steps.len()).find(is_control).unwrap_or(at.steps.len());
        let steps = at.steps.get(1..around).unwrap_or(&[]);
        let (Some(old), Some(new)) = (part(&self.operand.whole, steps), part(&self.whole, steps)) else {
            return Err(rw.internal("the expression is in no operand"));
        };
        rw.require(&EQUAL, [equal_here(rw.session(), &self.ctx, old, new)])?;
        self.require_fields(rw)
    }

    /// Replaces the smallest expression around the place that has the value of what it becomes: `4 * i + 1` in
    /// `(4 * i + 1) / 4` is no `4 * i`, but the quotients are one. What is beside the place stays.
    fn make(&self, rw: &mut Rewrite, at: &ExprPath) -> Result<()> {
        let has_value = |n: &usize| {
            let steps = at.steps.get(1..*n).unwrap_or(&[]);
            let (Some(old), Some(new)) = (part(&self.operand.whole, steps), part(&self.whole, steps)) else {
                return false;
            };
            rw.session().decide(&equal_here(rw.session(), &self.ctx, old, new)).is_proved()
        };
        let around = (1..=at.steps.len()).rev().find(has_value).unwrap_or(1);
        let (up, down) = at.steps.split_at(around);
        let (old, new) = (
            part(&self.operand.whole, up.get(1..).unwrap_or(&[])),
            part(&self.whole, up.get(1..).unwrap_or(&[])),
        );
        let (Some(old), Some(new)) = (old, new) else {
            return Err(rw.internal("the expression is in no operand"));
        };
        let kept = Parts::value_and(beside(old, down));
        rw.replace_expr(&ExprPath { stmt: at.stmt.clone(), steps: up.to_vec() }, new.clone(), kept);
        Ok(())
    }

    fn require_data(&self, rw: &mut Rewrite, old: &Expr, new: &Expr) -> Result<()> {
        let Operand { env, whole, target, .. } = &self.operand;
        let numbers = |e| target.and_then(|t| common(env, t, [e]));
        let numbers = numbers(whole).filter(|n| numbers(&self.whole) == Some(*n));
        let session = rw.session().clone();
        let decide = |ob: &_| session.decide(ob).is_proved();
        let mut normalizer = Normalizer::new(&self.ctx, numbers, &decide);
        let no_value = |rw: &Rewrite| rw.internal("data that is none");
        normalizer.of(whole).ok_or_else(|| no_value(rw))?;
        let cells = normalizer.cells();
        let before = normalizer.of(old).ok_or_else(|| no_value(rw))?;
        let after = normalizer.of(new).ok_or_else(|| no_value(rw))?;
        let more = normalizer.names_after(cells).next();
        rw.require(&EQUAL, normalizer.used())?;
        rw.require_that(&EQUAL, before.compare(&after) == Comparison::Same, || {
            format!("the value of `{}` is {before}, and that of `{}` is {after}", text(old), text(new))
        })?;
        rw.require_that(&READS, more.is_none(), || match more {
            Some(cell) => format!("`{cell}` is not read there now, and may have no value"),
            None => String::new(),
        })?;
        let mut bounds = Vec::new();
        each_data_read(new, &mut |read| {
            if let ExprKind::Read { name, idx } = &read.kind {
                bounds.push(conditions::in_bounds(&self.ctx, *name, idx).at(read.span, "this read"));
            }
        });
        rw.require(&READS, bounds)?;
        self.require_fields(rw)
    }

    fn require_fields(&self, rw: &mut Rewrite) -> Result<()> {
        let before = fields(&self.operand.whole);
        let written = |f: &Field| match self.ctx.env.globals.changed(*f) {
            Some(_) => !self.parallel,
            None => self.asserted.contains(f),
        };
        let other = fields(&self.whole).into_iter().find(|f| !before.contains(f) && !written(f));
        rw.require_that(&FIELDS, other.is_none(), || match other {
            Some(f) => format!("`{}` is not read there now, and may have no value, or a race", f.var()),
            None => String::new(),
        })
    }
}

/// The parts of an expression that are beside the way down from it, which are where they were.
fn beside(e: &Expr, way: &[ExprStep]) -> Vec<(Vec<ExprStep>, Vec<ExprStep>)> {
    let mut out = Vec::new();
    for (n, step) in way.iter().enumerate() {
        let (above, _) = way.split_at(n);
        let Some(e) = part(e, above) else { continue };
        each_child(e, &mut |other, _| {
            if other != *step {
                let place: Vec<ExprStep> = above.iter().copied().chain([other]).collect();
                out.push((place.clone(), place));
            }
        });
    }
    out
}

fn text(e: &Expr) -> String {
    expr_to_string(e)
}
