//! ```text
//! s[e]    ~>    Cfg.f = e
//!               s[Cfg.f]
//! ```
//! `e` is one occurrence of a control expression or of a value of data, and `s` the statement that it is in. All
//! expressions of a statement are evaluated before it does anything, so that what it reads is what was just written.
//! The versions agree in everything but `Cfg.f`, or in that too where it holds the value already, or is overwritten afterwards
//! in any case.
//!
//! Source: ASPLOS'25 App. A.8; PLDI'22 §2.4. Spec: [rule: bind_config].

use crate::cursor::At;
use crate::cursor::path::{ExprPath, ExprStep, Hole, Place, expr_at, shifted};
use crate::cursor::resolve;
use crate::edit::Edit;
use crate::error::Result;
use crate::kept::{Parts, parts_go};
use crate::registry::{ArgKind, Condition, Exact, Primitive, Value, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::requires::context_extension::{
    differing, field_of, require_no_races, require_positive, require_unread,
};
use crate::tools::requires::definitely_assigned::assigned_first;
use crate::tools::requires::precision::kept_by;
use crate::version::Proc;
use rewright_effects::env::Field;
use rewright_semantics::ast::{Config, Expr, ExprKind};
use rewright_semantics::build::{self, block};
use rewright_semantics::typecheck::Type;
use rewright_semantics::types::FieldType;
use std::sync::Arc;

const SAME: Condition =
    condition("same", "the field holds the value already, where it may be read afterwards");
const UNREAD: Condition =
    condition("unread", "nothing but the expression reads the field before it is overwritten");
const POSITIVE: Condition = condition("positive", "the value for a size is at least 1");
const PARALLEL: Condition = condition("parallel", "no other thread touches the field");
const PRECISION: Condition = condition("precision", "a field of this type holds the value unchanged");

/// The entry of [`bind_config`].
pub static BIND_CONFIG: Primitive = Primitive {
    name: "bind_config",
    summary: "writes a value to a configuration field first, and reads it there; equivalent modulo the field",
    source: "ASPLOS'25 App. A.8",
    params: &[
        required("var_cursor", ArgKind::Expr),
        required("config", ArgKind::Config),
        required("field", ArgKind::Field),
    ],
    conditions: &[SAME, UNREAD, POSITIVE, PARALLEL, PRECISION],
    exact: Exact::Always,
    run: |p, args| {
        let (config, field) = (args.config("config")?, args.text("field")?);
        bind_config(p, args.at("var_cursor")?, &config, &field)
    },
};

/// Writes a value to a configuration field first, and reads it there.
///
/// # Errors
/// A condition fails, there is no such field, or the expression is no value.
pub fn bind_config(p: &Proc, at: impl Into<At>, config: &Arc<Config>, field: &str) -> Result<Proc> {
    let at = resolve::expr(p, &at.into())?;
    let mut rw = Rewrite::new(p, &BIND_CONFIG);
    rw.at("var_cursor", Place::Expr(at.clone()));
    rw.arg("config", Value::Config(config.clone()));
    rw.arg("field", field);
    let (name, typ) = field_of(&rw, config, field)?;
    let (Some(e), Some(env)) = (expr_at(p.ast(), &at).cloned(), p.env_at(&at.stmt)) else {
        return Err(rw.internal("the expression is gone"));
    };
    let data = match env.type_of(&e) {
        Type::Data(_) => true,
        Type::Control(_) => false,
        Type::Buffer(_) | Type::Error => {
            return Err(rw.wrong_argument("the expression stands for a place, not for its value"));
        }
    };
    let ctx = rw.context(&Hole { path: at.stmt.clone(), len: 0 })?;
    let written = block([build::write_config(config, name, e.clone())]);
    let fields = [Field::of(config, name)];
    let left = differing(&mut rw, &SAME, p.ast(), (&at.stmt, &ctx), fields, [&block([]), &written])?;
    if !left.is_empty() {
        require_unread(&mut rw, &UNREAD, (&at.stmt, &ctx), &left, std::slice::from_ref(&written))?;
    }
    let also = assigned_first(&block([rw.given(&at.stmt)?]));
    require_positive(&mut rw, &POSITIVE, p.ast(), (&at.stmt, &ctx), (config, name, &e), &also)?;
    let held = match typ {
        FieldType::Data(t) if data => kept_by(p, &at, &e) == Some(t),
        FieldType::Data(_) | FieldType::Control(_) => true,
    };
    rw.require_that(&PRECISION, held, || {
        format!("a field of type {typ} does not hold the value of `{}` as it is", text(&e))
    })?;
    let read = Expr::at(ExprKind::ReadConfig { config: config.clone(), field: name }, e.span);
    let here = ExprPath { stmt: shifted(&at.stmt, 1), steps: at.steps.clone() };
    let bound = ExprPath { stmt: at.stmt.clone(), steps: vec![ExprStep::Rhs] };
    let mut edits = vec![Edit::Insert { at: at.stmt.clone(), stmts: written }];
    edits.extend(parts_go(&e, &here, &bound));
    edits.push(Edit::ReplaceExpr { at: here, with: read, kept: Parts::value() });
    require_no_races(&mut rw, &PARALLEL, p.ast(), &at.stmt, &edits)?;
    edits.into_iter().for_each(|edit| rw.edit(edit));
    rw.finish()
}

impl Proc {
    /// Writes a value to a configuration field first, and reads it there; equivalent modulo the field: [`bind_config`](fn@bind_config).
    ///
    /// # Errors
    /// As the function.
    pub fn bind_config(&self, at: impl Into<At>, config: &Arc<Config>, field: &str) -> Result<Proc> {
        bind_config(self, at, config, field)
    }
}

fn text(e: &Expr) -> String {
    rewright_semantics::pretty::expr_to_string(e)
}
