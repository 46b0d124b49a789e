//! Random schedules in the words of Python, with what comes of each line: what other ways to call the primitives are held
//! against. Spec: [rule: campaign.drawn].

use crate::rng::Rng;
use crate::saved::{in_script, module};
use crate::{arguments, program};
use rewright_primitives::derivation::{Chain, record};
use rewright_primitives::error::Error;
use rewright_primitives::registry::{Args, Primitive, Value};
use rewright_primitives::version::session::Session;
use rewright_primitives::{Proc, ops};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use std::collections::BTreeMap;

/// A schedule.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The definitions.
    pub text: String,
    /// The procedure that is scheduled.
    pub name: String,
    /// Further procedures, which lines name, each with its definition.
    pub others: BTreeMap<String, String>,
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// The record of the steps that were made.
    pub chains: Vec<Chain>,
}

/// A call of a primitive.
#[derive(Clone, Debug)]
pub struct Line {
    /// The primitive.
    pub primitive: &'static str,
    /// The name of the version that it is applied to.
    pub of: String,
    /// Its arguments, as Python writes them.
    pub args: Vec<(String, String)>,
    /// The text of the new version, and its name; or what stands against it.
    pub came: Result<(String, String), String>,
}

/// The schedule of a seed, with so many lines at most; `None` where its program is none in the syntax of files.
pub fn drawn(seed: u64, lines: usize) -> Option<Drawn> {
    let generated = program(seed);
    let text = module_to_string(&module(&generated, None));
    let mut p = read(&Session::new(), &text, generated.name().as_str())?;
    let name = p.name().to_string();
    let (mut rng, mut out, mut others) = (Rng::new(seed), Vec::new(), BTreeMap::new());
    while out.len() < lines {
        let primitive = *rng.pick(ops::ALL)?;
        let Some((args, words)) = call(&mut rng, &p, primitive, &mut others) else {
            // A seed whose program has nothing to point at ends, too.
            if rng.chance(2) {
                break;
            }
            continue;
        };
        let of = p.name().to_string();
        let came = match (primitive.run)(&p, &args) {
            Ok(new) => {
                p = new;
                Ok((p.to_string(), p.name().to_string()))
            }
            Err(Error::Scheduling(e)) => Err(format!("{}.{}", e.primitive, e.condition)),
            Err(Error::InvalidCursor(_)) => Err("cursor".to_owned()),
            Err(Error::Internal { .. }) => Err("internal".to_owned()),
        };
        out.push(Line { primitive: primitive.name, of, args: words, came });
    }
    let chains = record("", [(name.as_str(), &p)]).chains;
    Some(Drawn { text, name, others, lines: out, chains })
}

/// The procedure of this name in a text.
fn read(session: &Session, text: &str, name: &str) -> Option<Proc> {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("drawn", text);
    let parsed = parse_module(file, &sources, &prelude);
    let configs = prelude.configs.iter().chain(&parsed.module.configs).cloned();
    let root = parsed.module.proc(name).filter(|_| parsed.diagnostics.is_empty())?;
    Some(session.root_among(root.clone(), configs))
}

/// Arguments at random, and in words; `None` where there is nothing to point at, or words do not tell.
fn call(
    rng: &mut Rng,
    p: &Proc,
    primitive: &'static Primitive,
    others: &mut BTreeMap<String, String>,
) -> Option<(Args, Vec<(String, String)>)> {
    let args = arguments(rng, p, primitive)?;
    let (mut words, mut new) = (Vec::new(), Vec::new());
    for (param, value) in args.iter() {
        if let Value::Named(items) = value {
            for (name, value) in items {
                words.push((name.clone(), in_script(value, p)?));
            }
        } else {
            procs_in(value, &mut new);
            words.push((param.name.to_owned(), in_script(value, p)?));
        }
    }
    // A definition is proved where it is read.
    if new.iter().any(|q| !p.session().is_safe(q.ast())) {
        return None;
    }
    // One name stands for one procedure.
    let mut known = others.clone();
    for q in new {
        let text = module_to_string(&module(&q, None));
        let clash = known.insert(q.name().to_string(), text.clone()).is_some_and(|before| before != text);
        if clash {
            return None;
        }
    }
    *others = known;
    Some((as_read(primitive, &args, others)?, words))
}

/// The arguments with the procedures that the texts of `others` define.
fn as_read(primitive: &'static Primitive, args: &Args, others: &BTreeMap<String, String>) -> Option<Args> {
    let mut named = Vec::new();
    for (param, value) in args.iter() {
        if let Value::Named(items) = value {
            named.extend(items.iter().cloned());
        } else {
            named.push((param.name.to_owned(), with_read(value, others)?));
        }
    }
    Args::bind(primitive, Vec::new(), named).ok()
}

fn with_read(value: &Value, others: &BTreeMap<String, String>) -> Option<Value> {
    Some(match value {
        Value::Proc(q) => {
            let name = q.name();
            Value::Proc(read(q.session(), others.get(name.as_str())?, name.as_str())?)
        }
        Value::List(items) => Value::List(items.iter().map(|v| with_read(v, others)).collect::<Option<_>>()?),
        Value::Named(_)
        | Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_)
        | Value::Config(_) => value.clone(),
    })
}

fn procs_in(value: &Value, out: &mut Vec<Proc>) {
    match value {
        Value::Proc(q) => out.push(q.clone()),
        Value::List(items) => items.iter().for_each(|v| procs_in(v, out)),
        Value::Named(_)
        | Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Text(_)
        | Value::Cursor(_)
        | Value::Config(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Schedules have lines of all sorts, and a seed gives one. Spec: [rule: campaign.drawn].
    #[test]
    fn a_seed_gives_one_schedule() {
        let mut made = 0;
        let mut refused = 0;
        for seed in 0..12 {
            let Some(one) = drawn(seed, 30) else { continue };
            assert_eq!(format!("{one:?}"), format!("{:?}", drawn(seed, 30).expect("the same")));
            let steps = one.lines.iter().filter(|l| l.came.is_ok()).count();
            assert!(one.chains.iter().all(|c| c.steps.len() >= steps));
            made += steps;
            refused += one.lines.len() - steps;
        }
        assert!(made > 30 && refused > 30, "{made} made, {refused} refused");
    }
}
