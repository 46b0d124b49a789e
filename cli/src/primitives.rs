//! `rewright primitives`.

use crate::args::Primitives;
use crate::output::{Outcome, error, put, say};
use rewright_primitives::registry::{Default, Primitive, Registry};
use serde_json::{Value, json};

/// Lists the registry, or describes one primitive.
pub(crate) fn primitives(args: &Primitives, known: &Registry) -> Outcome {
    let chosen: Vec<&Primitive> = match &args.name {
        None => known.all().to_vec(),
        Some(name) => match chosen(name, known) {
            Ok(p) => vec![p],
            Err(outcome) => return outcome,
        },
    };
    put("primitives", chosen.iter().map(|p| to_json(p)).collect::<Vec<Value>>());
    if args.name.is_some() {
        chosen.iter().for_each(|p| say(&describe(p)));
    } else {
        chosen.iter().for_each(|p| say(&format!("{:<24}{}", p.name, p.summary)));
    }
    Outcome::Fine
}

/// The primitive of this name, or an error message.
pub(crate) fn chosen(name: &str, known: &Registry) -> Result<&'static Primitive, Outcome> {
    let missing = || error(&format!("{}; `rewright primitives` lists them", known.missing(name)));
    known.by_name(name).ok_or_else(missing)
}

fn describe(p: &Primitive) -> String {
    let mut out = format!("{}\n\n{}. Source: {}.\n", signature(p), p.summary, p.source);
    if !p.conditions.is_empty() {
        out.push_str("\nConditions:\n");
    }
    for c in p.conditions {
        out.push_str(&format!("  {:<18}{}\n", c.id, c.sentence));
        if let Some(advice) = c.advice {
            out.push_str(&format!("  {:<18}  or else: {advice}\n", ""));
        }
    }
    out
}

/// `divide_loop(proc, loop_cursor, div_const, new_iters, tail="guard", perfect=False)`
fn signature(p: &Primitive) -> String {
    let params = p.params.iter().map(|param| match param.default {
        None => param.name.to_owned(),
        Some(d) => format!("{}={}", param.name, default(d)),
    });
    let all: Vec<String> = std::iter::once("proc".to_owned()).chain(params).collect();
    format!("{}({})", p.name, all.join(", "))
}

fn default(d: Default) -> String {
    match d {
        Default::None => "None".to_owned(),
        Default::Bool(true) => "True".to_owned(),
        Default::Bool(false) => "False".to_owned(),
        Default::Int(n) => n.to_string(),
        Default::Text(t) => format!("{t:?}"),
    }
}

fn to_json(p: &Primitive) -> Value {
    let params: Vec<Value> = p
        .params
        .iter()
        .map(|param| json!({ "name": param.name, "kind": format!("{:?}", param.kind), "default": param.default.map(default) }))
        .collect();
    let conditions: Vec<Value> =
        p.conditions.iter().map(|c| json!({ "id": c.id, "sentence": c.sentence })).collect();
    json!({
        "name": p.name,
        "summary": p.summary,
        "source": p.source,
        "parameters": params,
        "conditions": conditions,
    })
}
