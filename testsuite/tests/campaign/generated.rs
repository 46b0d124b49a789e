//! Properties of random programs: they are well typed, print and parse back to themselves, run without
//! an error, and their C computes what the interpreter does.

use rewright_campaign::drawn;
use rewright_campaign::generate::{Shape, module};
use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast::{Decimal, Module, Proc};
use rewright_semantics::data::poly::Var;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::data::{Comparison, Datum};
use rewright_semantics::denote::{Denotation, FaultClass, Interpreted, Limits};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::{Store, all_indices};
use rewright_semantics::sym::Name;
use rewright_semantics::typecheck::check_module;
use rewright_semantics::value::Val;
use rewright_testsuite::coverage::{Coverage, FEATURES};
use std::collections::BTreeMap;

/// Enough for every feature to occur in many programs; a few seconds.
const PROGRAMS: u64 = 600;

const LIMITS: Limits = Limits { statements: Some(3_000), cells: 1 << 18, stop: None };

/// Polynomials grow with every statement.
const SYMBOLIC_LIMITS: Limits = Limits { statements: Some(1_000), cells: 1 << 16, stop: None };

/// Two inputs for a procedure: small ones, as many as assertions allow.
fn inputs(p: &Proc) -> Vec<Input> {
    let search = Search { max_cells: 64, ..Search::default() };
    (0..2).filter_map(|seed| generate(p, &Given::default(), seed, search).ok()).collect()
}

fn programs() -> impl Iterator<Item = (u64, Module)> {
    (0..PROGRAMS).map(|seed| (seed, module(seed, &Shape::default())))
}

#[test]
fn the_generator_covers_the_language() {
    let mut coverage = Coverage::default();
    for (_, m) in programs() {
        coverage.add(&m);
    }
    println!("{coverage}");
    for feature in FEATURES {
        assert!(coverage.count(feature) * 50 >= PROGRAMS, "{feature} occurs in fewer than 2 % of programs");
    }
}

#[test]
fn generated_programs_are_well_typed() {
    for (seed, m) in programs() {
        let found = check_module(&m);
        let text = module_to_string(&m);
        assert!(found.is_empty(), "seed {seed}\n{text}\n{}", render(&found, &SourceMap::new(), false));
    }
}

/// Spec: [rule: syntax.printing].
#[test]
fn printing_and_parsing_is_the_identity() {
    for (seed, m) in programs() {
        let text = module_to_string(&m);
        let mut sources = SourceMap::new();
        let file = sources.add(format!("seed-{seed}.py"), text.clone());
        let parsed = parse_module(file, &sources, &Prelude::standard());
        let shown = render(&parsed.diagnostics, &sources, false);
        assert!(parsed.diagnostics.is_empty(), "{text}\n{shown}");
        assert_eq!(parsed.module.procs.len(), m.procs.len(), "{text}");
        for (p, q) in m.procs.iter().zip(&parsed.module.procs) {
            assert!(alpha_eq(p, q), "seed {seed}: {} changes when printed and parsed\n{text}", p.name);
        }
        assert_eq!(module_to_string(&parsed.module), text, "seed {seed}: printing is not stable");
        for line in text.lines() {
            assert!(line.len() <= 80 || !line.contains(' '), "seed {seed}: a line is too long: {line}");
        }
    }
}

/// A record lays out what its versions have in common once. Spec: [rule: syntax.printing].
#[test]
fn versions_are_printed_as_each_would_be_by_itself() {
    let mut printed = 0;
    for seed in 0..300 {
        let Some(drawn) = drawn(seed, 12) else { continue };
        let mut recorded = drawn.chains.iter().flat_map(|c| &c.steps).map(|step| step.after.as_str());
        let mut before = drawn.text.as_str();
        for (text, _) in drawn.lines.iter().filter_map(|line| line.came.as_ref().ok()) {
            // A line may take several steps, or none.
            let found = before.ends_with(text.as_str()) || recorded.any(|after| after == text);
            assert!(found, "seed {seed}: no version is printed as\n{text}");
            before = text;
            printed += 1;
        }
    }
    println!("{printed} versions");
    assert!(printed > 500, "only {printed} versions");
}

/// Runs every procedure of every program on a few inputs; no error of any kind may come up.
#[test]
fn generated_programs_run_without_an_error() {
    let (mut statements, mut given_up) = (0, 0);
    for (seed, m) in programs() {
        for p in &m.procs {
            for input in inputs(p) {
                let (args, st) = input.store::<RationalDomain>(p);
                match Denotation::<RationalDomain>::of(p).call(&args, st, LIMITS) {
                    Ok(outcome) => statements += outcome.statements,
                    Err(fault) if fault.class() == FaultClass::Limit => given_up += 1,
                    Err(fault) => {
                        panic!("seed {seed}, {}: {fault}\n{input}\n{}", p.name, module_to_string(&m))
                    }
                }
            }
        }
    }
    println!("{statements} statement instances; {given_up} runs took too long");
    assert!(statements > 10 * PROGRAMS, "the programs do next to nothing");
}

/// A polynomial that the symbolic domain leaves in a cell has, at the input's data, the value that the
/// rational domain leaves there.
#[test]
fn symbolic_values_evaluate_to_rational_ones() {
    let shape = Shape::floating();
    let mut cells = 0;
    for seed in 0..PROGRAMS / 4 {
        let m = module(seed, &shape);
        for p in &m.procs {
            for input in inputs(p) {
                cells += agree_symbolically(p, &input).unwrap_or_else(|why| {
                    panic!("seed {seed}, {}: {why}\n{input}\n{}", p.name, module_to_string(&m))
                });
            }
        }
    }
    println!("{cells} cells compared");
    assert!(cells > PROGRAMS);
}

/// How many cells were compared, or which one differs.
fn agree_symbolically(p: &Proc, input: &Input) -> Result<u64, String> {
    let Some((args, exact)) = leaves::<RationalDomain>(p, input) else { return Ok(0) };
    let Some((_, symbolic)) = leaves::<SymbolicDomain>(p, input) else { return Ok(0) };
    let data = data_of(input);
    let at = |v: &Var| {
        let key = (v.name, v.index.to_vec());
        data.get(&key).map_or(Rational::TooLarge, Rational::from_decimal)
    };
    let mut compared = 0;
    for (formal, actual) in p.args.iter().zip(&args) {
        let Val::Window(w) = actual else { continue };
        for index in w.indices() {
            let (old, new) = (exact.read(w, &index), symbolic.read(w, &index));
            let place = || format!("{}{index:?}: {old:?} exactly, {new:?} symbolically", formal.name);
            match (old, new) {
                (Some(Datum::Known(old)), Some(Datum::Known(new))) => match new.evaluate(&at).compare(old) {
                    Comparison::Same => compared += 1,
                    Comparison::Undecided => {}
                    Comparison::Different => return Err(place()),
                },
                (Some(Datum::Unknown), Some(Datum::Unknown)) => compared += 1,
                _ => return Err(place()),
            }
        }
    }
    Ok(compared)
}

type Left<V> = (Vec<Val<V>>, Store<V>);

/// The arguments, and the store after a run; `None` when the interpreter gave up.
fn leaves<D: Interpreted>(p: &Proc, input: &Input) -> Option<Left<D::Value>> {
    let (args, st) = input.store::<D>(p);
    let outcome = Denotation::<D>::of(p).call(&args, st, SYMBOLIC_LIMITS).ok()?;
    Some((args, outcome.store))
}

/// The data of an input, by variable.
fn data_of(input: &Input) -> BTreeMap<(Name, Vec<i64>), Decimal> {
    let fields = input.fields.iter().map(|(key, v)| (Name::new(&key.to_string()), v));
    let named = input.args.iter().map(|(x, v)| (*x, v)).chain(fields);
    let mut out = BTreeMap::new();
    for (name, value) in named {
        let InputValue::Data(buffer) = value else { continue };
        for (index, cell) in all_indices(&buffer.shape).zip(&buffer.cells) {
            if let Some(decimal) = cell {
                out.insert((name, index), decimal.clone());
            }
        }
    }
    out
}
