//! A version of an instruction with other arguments or another body is no instruction, and rounds as its body does.
//! Spec: [rule: instructions.edited].

use rewright_campaign::arguments;
use rewright_campaign::rng::Rng;
use rewright_effects::env::Field;
use rewright_primitives::ops::replace::replace;
use rewright_primitives::version::{Relation, Step};
use rewright_primitives::{Proc, ops};
use rewright_semantics::ast::{self, Rounds};
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Data, Given, Input, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::ConfigKey;
use std::collections::BTreeSet;

#[derive(Debug, Default)]
struct Counts {
    edited: u64,
    kept: u64,
    rounded: u64,
    compared: u64,
}

/// What promises the same real numbers only, and is held to these: sums are taken apart, put together, or in another order.
/// [rule: numbers].
const ROUNDS: [&str; 7] = [
    "fold_into_reduce",
    "left_reassociate_expr",
    "lift_reduce_constant",
    "merge_writes",
    "reverse_loop",
    "rewrite_expr",
    "split_write",
];

/// Whether they leave the same on an input; `None` inside where that is open, outside where they cannot be compared.
fn compared<D: Interpreted>(
    old: &ast::Proc,
    new: &ast::Proc,
    modulo: BTreeSet<ConfigKey>,
    input: &Input,
) -> Option<Option<bool>> {
    let comparer = Comparer::<D>::new(old, new, modulo, Limits::default()).ok()?;
    Some(match comparer.compare(input) {
        Verdict::Equal => Some(true),
        Verdict::Differs(_) => Some(false),
        Verdict::Refines { .. }
        | Verdict::Undecided { .. }
        | Verdict::InputRejected(_)
        | Verdict::OldFails(_)
        | Verdict::GaveUp(_) => None,
    })
}

#[test]
fn an_edited_instruction_is_a_procedure() {
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let mut counts = Counts::default();
    for (seed, ast) in (0..).zip(&prelude.procs) {
        let p = Proc::root(ast.clone());
        let Some(instr) = &ast.instr else { continue };
        for primitive in ops::ALL {
            let Some(args) = arguments(&mut Rng::new(seed), &p, primitive) else { continue };
            let Ok(new) = (primitive.run)(&p, &args) else { continue };
            // Some primitives are several steps.
            let versions = new.history();
            let steps: Vec<_> = versions.iter().filter_map(|v| Some(v.origin()?.step.clone())).collect();
            if steps.is_empty() {
                continue;
            }
            let what = || format!("{}\n{p}\n{new}", primitive.name);
            let differs = new.ast().args != ast.args || new.ast().body != ast.body;
            assert!(!(differs && new.ast().instr.is_some()), "{}", what());
            counts.edited += u64::from(differs);
            counts.kept += u64::from(new.ast().instr.is_some());
            // A step that is restricted as well says so in its clauses alone.
            let rounds = |step: &Step| step.relation == Relation::Rounded || !step.rounding.is_empty();
            let is_rounded = steps.iter().any(|step| rounds(step));
            counts.rounded += u64::from(is_rounded);
            assert!(is_rounded || !differs || instr.rounds == Rounds::AsWritten, "{}", what());
            if is_rounded {
                continue;
            }
            let key = |f: &Field| ConfigKey { config: f.config, field: f.field };
            let modulo: BTreeSet<_> = steps.iter().flat_map(|step| &step.modulo).map(key).collect();
            // What the new version admits: it may ask for more.
            let Ok(input) = generate(new.ast(), &Given::default(), seed, Search::default()) else { continue };
            let found = if ROUNDS.contains(&primitive.name) {
                compared::<RationalDomain>(ast, new.ast(), modulo, &input)
            } else {
                compared::<MachineDomain>(ast, new.ast(), modulo, &input.with_data(ast, Data::Inexact, seed))
            };
            let Some(found) = found else { continue };
            assert!(found != Some(false), "{}", what());
            counts.compared += u64::from(found == Some(true));
        }
    }
    println!("{counts:?}");
    assert!(counts.edited > 300 && counts.rounded > 50 && counts.compared > 200, "{counts:?}");
}

/// `rounds=p` of a procedure that itself rounds otherwise than its body.
#[test]
fn rounding_as_another_that_is_fused_is_fused() {
    let text = "
@instr(\"b();\", rounds=\"fused\")
def fused(dst: f32, a: f32, b: f32):
    dst += a * b

@instr(\"a();\", rounds=fused)
def like(dst: f32, a: f32, b: f32):
    dst += a * b

@proc
def p(o: f32, a: f32, b: f32):
    o += a * b
";
    let mut sources = SourceMap::new();
    let file = sources.add("like.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let [fused, like, p] = &parsed.module.procs[..] else { panic!("three procedures") };
    for instruction in [fused, like] {
        let p = Proc::root(p.clone());
        let new = replace(&p, p.find("o += _").expect("the statement"), &Proc::root(instruction.clone()));
        let new = new.expect("it is the body");
        assert_eq!(new.origin().map(|o| o.step.relation), Some(Relation::Rounded), "{new}");
    }
}
