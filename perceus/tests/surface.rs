//! The surface language: programs that run, programs that are refused, texts that are nothing.

mod support;

use rewright_base::rng::Rng;
use rewright_base::span::SourceMap;
use rewright_perceus::canon::Table;
use rewright_perceus::heap::machine::Machine;
use rewright_perceus::heap::reach::View;
use rewright_perceus::optimise::Passes;
use rewright_perceus::stuck::Outcome;
use rewright_perceus::surface::{parse, print};
use rewright_perceus::syntax::{Program, valid};
use rewright_perceus::tally::Tally;
use rewright_perceus::theorems::states;
use rewright_perceus::{algorithm, c, declarative, explain, optimise, reuse, standard};
use support::{checked, files, program, text_of};

const STEPS: u64 = 1_000_000;

/// What a run says, after holding it against the standard semantics; no cell is garbage or miscounted on the way.
fn result(name: &str, source: &Program, output: &Program) -> String {
    let mut machine = Machine::new(output);
    let mut looked_at = 0;
    let outcome = machine.run(STEPS, |m, _| {
        looked_at += 1;
        if looked_at < 3_000 || looked_at % 97 == 0 {
            let garbage = m.unexplained(&m.garbage(View::Whole));
            assert!(garbage.is_empty(), "{name}: garbage after {} steps", m.steps);
            assert!(m.miscounts().is_empty(), "{name}: {:?} after {} steps", m.miscounts(), m.steps);
        }
    });
    let Outcome::Value(r) = outcome else { panic!("{name}: {outcome:?}") };
    let run = standard::run(source, STEPS);
    let Outcome::Value(v) = run.outcome else { panic!("{name}: {:?}", run.outcome) };
    let mut table = Table::new();
    assert_eq!(run.canonical(&mut table, v), machine.heap.canonical(&mut table, r), "{name}");
    explain::value(&machine, r)
}

/// [rule: perceus.surface] [rule: perceus.desugar] [rule: perceus.reuse]
#[test]
fn every_program_of_the_corpus_gives_its_result() {
    let all = files("programs");
    for (name, text) in &all {
        let p = program(text);
        assert!(valid::check(&p).is_empty(), "{name}: {:?}", valid::check(&p));
        let plain = algorithm::translate(&p);
        for d in declarative::derive_program(&plain.source, &plain.program).unwrap() {
            declarative::check(&d).unwrap();
        }
        let with_reuse = algorithm::translate(&reuse::program(&p));
        let (a, b) = (result(name, &p, &plain.program), result(name, &p, &with_reuse.program));
        assert_eq!(a, b, "{name}: with reuse");
        if let Some(wanted) = text.lines().next().and_then(|l| l.strip_prefix("// result: ")) {
            assert_eq!(a, wanted, "{name}");
        }
    }
    println!("{} programs", all.len());
}

/// Theorem 4.4 on programs with recursion.
#[test]
fn programs_with_recursion_are_garbage_free() {
    for name in ["map", "tmap", "closures", "mutual"] {
        let text = text_of(name);
        let t = algorithm::translate(&program(&text));
        states(&t.source, &t.program, true, &mut Tally::new()).unwrap_or_else(|v| panic!("{name}: {v}"));
    }
}

/// Thesis §4.2.4 to §4.2.6: where the argument is unique, the matched cells are the new ones.
#[test]
fn unique_data_is_updated_in_place() {
    for (name, fresh) in [("map", 10), ("tmap", 3), ("tmap-fbip", 7)] {
        let text = text_of(name);
        let t = algorithm::translate(&reuse::program(&program(&text)));
        let mut machine = Machine::new(&t.program);
        assert!(matches!(machine.run(STEPS, |_, _| {}), Outcome::Value(_)));
        // What is allocated is the argument; everything else is built in place.
        assert_eq!(machine.heap.counters.fresh, fresh, "{name}: {:?}", machine.heap.counters);
        assert!(machine.heap.counters.reused >= fresh, "{name}: {:?}", machine.heap.counters);
    }
}

/// [rule: perceus.surface.check]
#[test]
fn every_refusal_says_what_and_where() {
    let all = files("bad");
    let mut wrong = Vec::new();
    for (name, text) in &all {
        let wanted = text.lines().next().unwrap().strip_prefix("// expect: ").unwrap();
        let found = checked(text).err();
        if found.as_deref() != Some(wanted) {
            wrong.push(format!("{name}: {found:?}, and not {wanted}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() >= 20);
}

/// Reading what was printed gives the same program.
#[test]
fn printing_is_read_back() {
    let mut sources = SourceMap::new();
    for (name, text) in files("programs") {
        let file = sources.add(name.as_str(), text.as_str());
        let parsed = parse::parse(file, &text).unwrap();
        let printed = print::file(&parsed);
        let again =
            parse::parse(file, &printed).unwrap_or_else(|e| panic!("{name}: {}\n{printed}", e.message));
        assert_eq!(parsed, again, "{name}:\n{printed}");
    }
}

/// Programs with pieces left out, doubled or swapped: an answer, whichever, and no panic.
#[test]
fn broken_files_are_refused_without_a_panic() {
    let texts: Vec<Vec<char>> = files("programs").into_iter().map(|(_, t)| t.chars().collect()).collect();
    let mut rng = Rng::new(18);
    let mut at = |n: usize| usize::try_from(rng.below(u64::try_from(n).unwrap())).unwrap();
    let (mut refused, mut compiled) = (0, 0);
    for _ in 0..10_000 {
        let mut text = texts[at(texts.len())].clone();
        for _ in 0..=at(3) {
            let (from, len) = (at(text.len()), at(12) + 1);
            let to = (from + len).min(text.len());
            let piece: Vec<char> = text[from..to].to_vec();
            if at(2) == 0 {
                text.drain(from..to);
            }
            if at(2) == 0 {
                let place = at(text.len() + 1);
                text.splice(place..place, piece);
            }
            if text.is_empty() {
                break;
            }
        }
        match checked(&text.into_iter().collect::<String>()) {
            Err(_) => refused += 1,
            Ok(p) => compiled += usize::from(c::emit(&optimise::code(&p, &Passes::all())).is_ok()),
        }
    }
    println!("{refused} of 10000 refused, {compiled} compiled");
    assert!(refused > 5_000 && compiled > 500, "{refused} {compiled}");
}

#[test]
fn deep_nesting_is_refused_or_fine() {
    for n in [10, 400, 900, 100_000] {
        for (open, close) in [
            ("(", ")"),
            ("{", "}"),
            ("fn(x) ", ""),
            ("1 + ", ""),
            ("if True then 1 else ", ""),
            ("!", ""),
            ("throw ", ""),
            ("ref(", ")"),
            ("1 := ", ""),
            ("try { ", " } catch x { throw x }"),
            ("try { 1 } catch _ { ", " }"),
        ] {
            let text = format!("fun main() {{ {}1{} }}", open.repeat(n), close.repeat(n));
            if let Ok(p) = checked(&text) {
                drop(c::emit(&optimise::code(&p, &Passes::all())));
            }
        }
        let vals: String = (0..n.min(5_000)).map(|i| format!("val x{i} = {i}\n")).collect();
        drop(checked(&format!("fun main() {{ {vals} x0 }}")).map(|p| optimise::code(&p, &Passes::all())));
    }
}

/// [rule: perceus.explain]
#[test]
fn explanations_show_rules_with_environments_and_heaps() {
    let p = program("type box { Box(x) }\nfun f(y) { Box(y) }\nfun main() { f(Box(1)) }");
    let t = algorithm::translate(&p);
    assert_eq!(
        explain::algorithm(&t.defs[0]),
        "[SCON] ∅ | y ⊢ₛ Box y ⇝ Box y\n  [SVAR] ∅ | y ⊢ₛ y ⇝ y\n",
        "{}",
        explain::algorithm(&t.defs[0])
    );
    let run = explain::run(&t.program, 100);
    assert!(run.contains("3 con_r    #1 ↦1 Box 1 | Box(□) #1\n"), "{run}");
    assert!(run.trim_end().ends_with("end      #1 ↦1 Box 1, #2 ↦1 Box #1 | #2"), "{run}");
}
