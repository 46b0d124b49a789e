//! A failure as a case of the corpus, which [`crate::corpus`] reads. Spec: [rule: campaign.save].

use super::trial::Failure;
use super::{arguments, subject_in};
use crate::corpus;
use crate::rng::Rng;
use rewright_primitives::Proc;
use rewright_primitives::cursor::Cursor;
use rewright_primitives::cursor::path::{ExprStep, Gap, Place, Side, Step};
use rewright_primitives::registry::{Args, Condition, Guards, Primitive, Value};
use rewright_primitives::version::session::Session;
use rewright_primitives::version::{Discharged, Reason};
use rewright_semantics::ast::{self, Module, StmtKind};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::syntax::configs::configs_of;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A case, and what its file is called.
#[derive(Clone, Debug)]
pub struct Saved {
    /// `PRIMITIVE.CONDITION`
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// Whether running the text shows the failure again.
    pub shows_it: bool,
}

/// The case that a failure is. It expects what is sound: whether that is a refusal or another form, a failure does not tell.
pub fn saved(failure: &Failure) -> Saved {
    let (primitive, session) = (failure.primitive, failure.old.session().fresh());
    let condition = suspect(primitive, &session, failure.new.as_ref());
    let asked = condition.map_or(String::new(), |c| format!(" although {} is not so", c.id));
    let breaks = condition.map_or(String::new(), |c| format!("# breaks: {}\n", c.id));
    let what = failure.what.replace('\n', "\n# ");
    let mut text = format!("# case: found at random: accepted{asked}\n# expect: sound\n{breaks}# {what}\n");
    match script(failure) {
        Some(script) => text.push_str(&script),
        None => {
            let module = module_to_string(&module(&failure.old, None));
            let args = failure.args.replace('\n', "\n# ");
            text.push_str(&format!("{module}\n# No script can say it: {}({args})\n", primitive.name));
        }
    }
    let shows_it = corpus::read(&text).is_ok_and(|cases| match cases.as_slice() {
        [case] => corpus::run_in(&session, case).is_ok_and(|ran| ran.error.is_none()),
        _ => false,
    });
    Saved { name: format!("{}.{}", primitive.name, condition.map_or("wrong", |c| c.id)), text, shows_it }
}

/// Applications that show which conditions a primitive asks at all.
const SAMPLES: u64 = 200;

/// The condition that should have refused, as far as can be told: one that guards the meaning and was not asked, best
/// one that is not asked of other programs either; else the last that was.
fn suspect(
    primitive: &'static Primitive,
    session: &Session,
    new: Option<&Proc>,
) -> Option<&'static Condition> {
    let guards = || primitive.conditions.iter().filter(|c| c.guards == Guards::Meaning);
    let asked = new.map(asked).unwrap_or_default();
    let missing: Vec<&Condition> = guards().filter(|c| !asked.contains(&c.id)).collect();
    match missing[..] {
        [] => guards().max_by_key(|c| asked.iter().rposition(|id| *id == c.id)),
        [one] => Some(one),
        [first, ..] => {
            let elsewhere = asked_elsewhere(primitive, session);
            Some(missing.into_iter().find(|c| !elsewhere.contains(c.id)).unwrap_or(first))
        }
    }
}

/// The conditions that a step was found to meet, in order.
fn asked(new: &Proc) -> Vec<&'static str> {
    let discharged = new.origin().map(|o| o.step.discharged.as_slice()).unwrap_or_default();
    let holds = |d: &&Discharged| match d.by {
        Reason::Syntax | Reason::Solver { .. } => true,
        Reason::Omitted | Reason::Postponed { .. } => false,
    };
    discharged.iter().filter(holds).map(|d| d.condition).collect()
}

/// The conditions that are asked when the primitive is applied to programs at random.
fn asked_elsewhere(primitive: &'static Primitive, session: &Session) -> BTreeSet<&'static str> {
    let apply = |seed| {
        let p = subject_in(session, seed, primitive);
        let args = arguments(&mut Rng::new(seed), &p, primitive)?;
        (primitive.run)(&p, &args).ok()
    };
    (0..SAMPLES).filter_map(apply).flat_map(|new| asked(&new)).collect()
}

/// Definitions and the line that goes wrong; `None` where no script can say it.
fn script(failure: &Failure) -> Option<String> {
    let args = failure.values.as_ref()?;
    let mut written = Vec::new();
    for (param, value) in args.iter() {
        if let Value::Named(items) = value {
            for (name, value) in items {
                written.push(format!("{name}={}", in_script(value, &failure.old)?));
            }
        } else {
            written.push(format!("{}={}", param.name, in_script(value, &failure.old)?));
        }
    }
    let (name, module) = (failure.old.name(), module_to_string(&module(&failure.old, Some(args))));
    Some(format!("{module}\n{name} = {}({name}, {})\n", failure.primitive.name, written.join(", ")))
}

/// The procedure with all that it and its arguments mention.
pub(crate) fn module(p: &Proc, args: Option<&Args>) -> Module {
    let mut m = Module::default();
    for (_, value) in args.into_iter().flat_map(Args::iter) {
        mentioned(value, &mut m);
    }
    add(p.ast(), &mut m);
    m
}

fn mentioned(value: &Value, m: &mut Module) {
    match value {
        Value::Proc(q) => add(q.ast(), m),
        Value::Config(c) if !m.configs.contains(c) => m.configs.push(c.clone()),
        Value::List(items) => items.iter().for_each(|v| mentioned(v, m)),
        Value::Named(items) => items.iter().for_each(|(_, v)| mentioned(v, m)),
        Value::Config(_)
        | Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_) => {}
    }
}

/// A procedure after those that it calls.
fn add(p: &Arc<ast::Proc>, m: &mut Module) {
    if m.procs.iter().any(|q| Arc::ptr_eq(q, p)) {
        return;
    }
    for config in configs_of(p) {
        if !m.configs.contains(&config) {
            m.configs.push(config);
        }
    }
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, .. } = s.kind.as_ref() {
            add(proc, m);
        }
    });
    m.procs.push(p.clone());
}

/// A value as a script writes it.
pub(crate) fn in_script(value: &Value, old: &Proc) -> Option<String> {
    match value {
        Value::None | Value::Bool(_) | Value::Int(_) => Some(value.to_string()),
        // A string of JSON is one of Python.
        Value::Text(text) => serde_json::to_string(text).ok(),
        Value::List(items) => {
            let items = items.iter().map(|v| in_script(v, old)).collect::<Option<Vec<_>>>()?;
            Some(format!("[{}]", items.join(", ")))
        }
        Value::Cursor(c) => cursor(c, old),
        // A version has a history that its text does not tell.
        Value::Proc(q) => (q.origin().is_none() && q.name() != old.name()).then(|| q.name().to_string()),
        Value::Config(c) => Some(c.name.to_string()),
        Value::Named(_) => None,
    }
}

/// `f.body()[0].body()[1:3]`
fn cursor(c: &Cursor, old: &Proc) -> Option<String> {
    let name = old.name();
    match c.place() {
        Place::Stmt(path) => Some(stmt(name.as_str(), path)),
        Place::Block(run) => {
            let (last, outer) = run.path.split_last()?;
            let (block, first) = match last {
                Step::Body(k) => ("body", *k),
                Step::Orelse(k) => ("orelse", *k),
            };
            Some(format!("{}.{block}()[{first}:{}]", stmt(name.as_str(), outer), first + run.len))
        }
        Place::Gap(Gap { anchor, side }) => {
            let side = match side {
                Side::Before => "before",
                Side::After => "after",
            };
            Some(format!("{}.{side}()", stmt(name.as_str(), anchor)))
        }
        Place::Expr(at) => {
            let mut out = stmt(name.as_str(), &at.stmt);
            for step in &at.steps {
                out.push_str(&expr_step(*step)?);
            }
            Some(out)
        }
        Place::Arg(k) => Some(format!("{name}.args()[{k}]")),
    }
}

fn stmt(of: &str, path: &[Step]) -> String {
    path.iter().fold(of.to_owned(), |out, step| match step {
        Step::Body(k) => format!("{out}.body()[{k}]"),
        Step::Orelse(k) => format!("{out}.orelse()[{k}]"),
    })
}

/// The method that leads there; the ends of intervals have none.
fn expr_step(step: ExprStep) -> Option<String> {
    Some(match step {
        ExprStep::Rhs => ".rhs()".to_owned(),
        ExprStep::Lhs => ".lhs()".to_owned(),
        ExprStep::Operand => ".arg()".to_owned(),
        ExprStep::Cond => ".cond()".to_owned(),
        ExprStep::Lo => ".lo()".to_owned(),
        ExprStep::Hi => ".hi()".to_owned(),
        ExprStep::Idx(k) => format!(".idx()[{k}]"),
        ExprStep::Extent(k) => format!(".shape()[{k}]"),
        ExprStep::Arg(k) => format!(".args()[{k}]"),
        ExprStep::From(_) | ExprStep::To(_) => return None,
    })
}
