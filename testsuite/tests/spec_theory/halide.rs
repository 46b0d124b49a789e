//! Blocks `halide`: a pipeline, perhaps with a schedule and a realization, and what comes out.
//!
//! `values` is what the algorithm says of the window and `program` what the completed program computes there; `lowered`,
//! `scheduled`, `query` and `completed` are the stages in between; `β₀ REGION` and `tight REGION` what an engine answers;
//! `unmet` the conditions of slides and folds that are not proved; `invalid` and `refused` the rule that is broken, and
//! `without RULE` what happens when it is not asked.

use crate::blocks::Block;
use crate::lines::{compare, lines};
use crate::query;
use rewright_halide_model::alg::Input;
use rewright_halide_model::bounds::query::query as query_of;
use rewright_halide_model::bounds::verify::{Verification, verify_bounds};
use rewright_halide_model::confluence::{self, Engine, Verdict, execute, reference};
use rewright_halide_model::eval;
use rewright_halide_model::exec::watch::Recorder;
use rewright_halide_model::exec::{Outputs, Stuck, small, window};
use rewright_halide_model::explain::explain;
use rewright_halide_model::fold::fold;
use rewright_halide_model::lower::lower;
use rewright_halide_model::schedule::{Directive, Rules, Sequence, schedule};
use rewright_halide_model::slide::slide;
use rewright_halide_model::text::{Parsed, parse, print};
use rewright_halide_model::tgt::invariant::{Broken, dominance, loop_names, scoping};
use rewright_halide_model::tgt::{self, Program};
use rewright_halide_model::valid;
use rewright_halide_model::value::Value;
use rewright_semantics::span::SourceMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many rules the evaluator may use, and steps the machine take.
const FUEL: u64 = 1 << 20;

struct Subject {
    parsed: Parsed,
}

pub(crate) fn run(block: &Block) -> Result<(), String> {
    let (text, said) = block.parts()?;
    let mut sources = SourceMap::new();
    let file = sources.add("example", text);
    let parsed = parse(file, &sources).map_err(|d| d.message)?;
    let said = lines(said, &[" = "])?;
    let subject = Subject { parsed };
    let invalid = subject.invalid();
    if !invalid.is_empty() && said.iter().all(|line| line.quantity != "invalid") {
        return Err(format!("the algorithm is not valid: {invalid}"));
    }
    compare(&said, |quantity, _| subject.quantity(quantity))
}

impl Subject {
    fn quantity(&self, name: &str) -> Result<String, String> {
        let program = |t: &Program| body(&tgt::print::program(t, None));
        if let Some(region) = name.strip_prefix("β₀ ") {
            return self.region(Engine::Baseline, region);
        }
        if let Some(region) = name.strip_prefix("tight ") {
            return self.region(Engine::Tight, region);
        }
        if let Some(rule) = name.strip_prefix("without ") {
            return self.without(rule);
        }
        match name {
            "values" => self.values(),
            "program" => self.computed(),
            "invalid" => Ok(self.invalid()),
            "refused" => match self.scheduled(Rules::default()) {
                Ok(_) => Ok("nothing".to_owned()),
                Err(rule) => Ok(rule),
            },
            "lowered" => Ok(program(&lower(&Arc::new(self.parsed.algorithm.clone())))),
            "scheduled" => Ok(program(&self.given()?)),
            "explain" => {
                let explained = explain(&self.given()?);
                Ok(explained.map_or_else(|none| none.to_string(), |e| e.text.trim_end().to_owned()))
            }
            "query" => Ok(query::text(&query_of(&self.given()?))),
            "completed" => Ok(program(&Engine::Tight.complete(&self.given()?).0)),
            "verdict" => self.verdict(&Engine::Tight.complete(&self.given()?).0),
            "verdict by β₀" => self.verdict(&Engine::Baseline.complete(&self.given()?).0),
            "unmet" => Ok(unmet(&Engine::Tight.complete(&self.given()?).0)),
            "bounds" => Ok(verification(&verify_bounds(&Engine::Tight.complete(&self.given()?).0))),
            _ => Err(format!("there is no quantity `{name}`")),
        }
    }

    /// The rules that the algorithm breaks.
    fn invalid(&self) -> String {
        let found = valid::check(&self.parsed.algorithm);
        found.iter().map(|d| d.rule).collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join(", ")
    }

    /// The program after all directives, or the rule that one breaks.
    fn scheduled(&self, rules: Rules) -> Result<Program, String> {
        let directives: Vec<Directive> = self.parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
        let p = Arc::new(self.parsed.algorithm.clone());
        schedule(&p, &directives, Sequence::Strict, rules)
            .map_err(|refusal| refusal.restriction.id.to_owned())
    }

    fn given(&self) -> Result<Program, String> {
        self.scheduled(Rules::default()).map_err(|rule| format!("refused by {rule}"))
    }

    fn input(&self) -> Result<&Input, String> {
        self.parsed.input.as_ref().ok_or_else(|| "nothing is realized".to_owned())
    }

    /// By the rules, and by the evaluator that remembers.
    fn values(&self) -> Result<String, String> {
        let (p, z) = (&self.parsed.algorithm, self.input()?);
        let by_rule = eval::realize(p, z, FUEL).map_err(|e| e.to_string())?;
        let remembered = reference(p, z).map_err(|e| e.to_string())?;
        if by_rule == remembered { Ok(listed(&by_rule)) } else { Err("the evaluators differ".to_owned()) }
    }

    /// What the completed program computes in the window; step by step it computes the same.
    fn computed(&self) -> Result<String, String> {
        let (t, z) = (Engine::Tight.complete(&self.given()?).0, self.input()?);
        let shown = |run: Result<Outputs, Stuck>| match run {
            Ok(outputs) => window(&outputs, z).map_or("outside".to_owned(), |values| listed(&values)),
            Err(stuck) => stuck.to_string(),
        };
        let fast = shown(execute(&t, z, &mut Recorder::default()));
        let slow = shown(small::run(&t, z, FUEL, &mut |n| n - 1));
        if fast == slow { Ok(fast) } else { Err(format!("fast: {fast}, step by step: {slow}")) }
    }

    fn verdict(&self, t: &Program) -> Result<String, String> {
        let z = self.input()?;
        let expected = reference(&self.parsed.algorithm, z).map_err(|e| e.to_string())?;
        let mut recorder = Recorder::default();
        Ok(match confluence::compare(z, &expected, &execute(t, z, &mut recorder)) {
            Verdict::Equal => match recorder.race {
                Some(race) => format!("a race on `{}`", race.func),
                None => "equal".to_owned(),
            },
            Verdict::AlgorithmError => "the algorithm has an error value".to_owned(),
            Verdict::AssertionFails(stuck) => stuck.to_string(),
            Verdict::Different(difference) => difference.to_string(),
            Verdict::Unknown(why) => return Err(why),
        })
    }

    /// The verdict when one restriction is switched off.
    fn without(&self, rule: &str) -> Result<String, String> {
        let known = rewright_halide_model::schedule::restrictions().into_iter().find(|r| r.id == rule);
        let off = known.map(|r| r.id).ok_or_else(|| format!("there is no restriction `{rule}`"))?;
        let t = self.scheduled(Rules { off: Some(off) }).map_err(|by| format!("refused by {by}"))?;
        let broken = loop_names(&t).or_else(|| scoping(&t, false)).or_else(|| dominance(&t));
        if let Some(broken) = broken {
            return Ok(in_words(&broken));
        }
        self.verdict(&Engine::Tight.complete(&t).0)
    }

    /// What an engine answers for a region.
    fn region(&self, engine: Engine, name: &str) -> Result<String, String> {
        let t = self.given()?;
        let solution = match engine.solve(&t, &query_of(&t)) {
            Ok(solution) => solution,
            Err(none) => return Ok(none.to_string()),
        };
        let found = solution.regions.iter().find(|(r, _)| print::region(**r) == name);
        let (_, dims) = found.ok_or_else(|| format!("there is no region `{name}`"))?;
        Ok(dims.iter().map(print::interval).collect::<Vec<_>>().join(" × "))
    }
}

/// An invariant that does not hold.
fn in_words(broken: &Broken) -> String {
    match broken {
        Broken::LoopName(l) => format!("two loops are called {l}"),
        Broken::Dominance { func, user } => format!("`{user}` uses `{func}` where nothing has computed it"),
        Broken::Allocation(func) => format!("`{func}` is used where it is not allocated"),
        Broken::Unbound(v) => format!("nothing binds `{}`", print::var(*v)),
        Broken::SharedStorage { func, at } => format!("iterations of {at} share `{func}`"),
    }
}

/// What slides and folds do not meet.
fn unmet(completed: &Program) -> String {
    let all = [slide(completed).1, fold(completed).1].concat();
    let ids: BTreeSet<&str> = all.iter().map(|u| u.condition.id).collect();
    if ids.is_empty() { "nothing".to_owned() } else { ids.into_iter().collect::<Vec<_>>().join(", ") }
}

/// A printed program without its head.
fn body(text: &str) -> String {
    text.split_once('\n').map_or(String::new(), |(_, body)| body.to_owned())
}

fn listed(values: &[Value]) -> String {
    values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
}

fn verification(v: &Verification) -> String {
    match v {
        Verification::Verified(_) => "verified".to_owned(),
        Verification::Refuted { demand, .. } => format!("refuted: {demand}"),
        Verification::Unknown(why) | Verification::OutOfScope(why) => why.clone(),
    }
}
