//! `rewright run`.

use crate::args::{Domain, Run};
use crate::load::{Loaded, load_with_script};
use crate::output::{Outcome, complain, diagnose, error, no_answer, put, say, short};
use crate::show;
use crate::versions::Versions;
use rewright_primitives::registry::Registry;
use rewright_semantics::ast::Proc;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Denotation, Fault, FaultClass, Interpreted, Limits};
use rewright_semantics::inputs::{Input, Search, generate, parse_args};

/// Runs one procedure on the given input, completed at random, and prints what it leaves.
pub(crate) fn run(args: &Run, primitives: &Registry) -> Outcome {
    let Some(mut loaded) = load_with_script(&args.file) else { return Outcome::WrongInput };
    let (asked, inputs) = match args.words() {
        Ok(words) => words,
        Err(why) => return error(&why),
    };
    let version = Versions::of(&mut loaded, primitives).and_then(|mut versions| match asked {
        Some(name) => versions.named(name),
        None => versions.last().inspect(|v| complain(&format!("running {}", v.name))),
    });
    let version = match version {
        Ok(version) => version,
        Err(outcome) => return outcome,
    };
    let p = version.proc.ast();
    let given = match parse_args(&inputs, p) {
        Ok(given) => given,
        Err(why) => return error(&why.to_string()),
    };
    let input = match generate(p, &given, args.seed, Search::COMMAND) {
        Ok(input) => input,
        // What was given may be what no input agrees with.
        Err(why) if inputs.is_empty() => return no_answer(&why.to_string()),
        Err(why) => return error(&why.to_string()),
    };
    put("version", version.name.as_str());
    put("procedure", p.name.as_str());
    put("domain", name(args.domain));
    put("input", input.to_string());
    match args.domain {
        Domain::Rational => run_in::<RationalDomain>(args, &loaded, p, &input),
        Domain::Machine => run_in::<MachineDomain>(args, &loaded, p, &input),
        Domain::Symbolic => run_in::<SymbolicDomain>(args, &loaded, p, &input),
    }
}

fn run_in<D: Interpreted>(args: &Run, loaded: &Loaded, p: &Proc, input: &Input) -> Outcome {
    let (values, st) = input.store::<D>(p);
    let limits = Limits { statements: Some(args.steps), ..Limits::default() };
    let outcome = match Denotation::<D>::of(p).call(&values, st, limits) {
        Ok(outcome) => outcome,
        Err(fault) => return failed(loaded, input, &fault),
    };
    let results = show::results::<D>(p, &values, &outcome.store);
    say(&format!("input: {}", short(&input.to_string())));
    for (x, value) in &results {
        say(&format!("{x} = {}", show::text(value)));
    }
    say(&format!("{} statements", outcome.statements));
    put("values", show::object(results));
    put("statements", outcome.statements);
    Outcome::Fine
}

fn failed(loaded: &Loaded, input: &Input, fault: &Fault) -> Outcome {
    diagnose(&[fault.diagnostic()], &loaded.sources);
    complain(&format!("on the input: {}", short(&input.to_string())));
    match fault.kind.class() {
        FaultClass::Limit => Outcome::NoAnswer,
        FaultClass::MemError | FaultClass::TypeError | FaultClass::Race => Outcome::WrongInput,
    }
}

fn name(domain: Domain) -> &'static str {
    match domain {
        Domain::Rational => "rational",
        Domain::Machine => "machine",
        Domain::Symbolic => "symbolic",
    }
}
