//! The examples of `spec/values.md` and `spec/denotation.md`: blocks marked `exo` are well-typed, and the
//! lines of `run` blocks hold of the block above them.

use rewright_semantics::ast::{Module, Proc};
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Denotation, Interpreted, Limits};
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Input, InputValue, Search, Subject, show_window};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::typecheck::check_module;
use rewright_semantics::value::Val;
use std::collections::BTreeSet;

const CHAPTERS: [(&str, &str); 2] = [
    ("values.md", include_str!("../../spec/values.md")),
    ("denotation.md", include_str!("../../spec/denotation.md")),
];

/// The blocks of a chapter: line, tag, lines.
fn blocks(chapter: &str) -> Vec<(usize, &str, Vec<&str>)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, &str, Vec<&str>)> = None;
    for (at, line) in chapter.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => open = Some((at + 1, tag, Vec::new())),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, _, lines)), None) => lines.push(line),
            (None, None) => {}
        }
    }
    found
}

fn accepted(name: String, text: &str) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let mut all = parsed.diagnostics;
    all.extend(check_module(&parsed.module));
    assert!(all.is_empty(), "{}", render(&all, &sources, false));
    parsed.module
}

/// The input that a line's words describe; a field given as `_` is left unset.
fn input(subject: &Subject<'_>, words: &[&str]) -> Input {
    let (unset, words): (Vec<&str>, Vec<&str>) = words.iter().partition(|w| w.ends_with("=_"));
    let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
    let given = subject.parse_args(&words).unwrap_or_else(|e| panic!("{e}"));
    let mut input = subject.generate(&given, 0, Search::default()).unwrap_or_else(|e| panic!("{e}"));
    input.fields.retain(|key, _| !unset.contains(&format!("{key}=_").as_str()));
    input
}

/// What a procedure leaves, as `name=value` for each of the names; or the rule that it breaks.
fn outcome<D: Interpreted>(p: &Proc, words: &[&str], names: &[&str]) -> String {
    let input = input(&Subject::of(p), words);
    let (args, st) = input.store::<D>(p);
    let after = match Denotation::<D>::of(p).call(&args, st, Limits::default()) {
        Ok(outcome) => outcome.store,
        Err(fault) => return fault.kind.rule().to_owned(),
    };
    let value = |name: &&str| {
        let arg = input.args.iter().zip(&args).find(|((n, _), _)| n.as_str() == *name);
        let value = match arg {
            Some((_, Val::Window(w))) => show_window(w, &after),
            Some(((_, InputValue::Int(n)), _)) => n.to_string(),
            Some(_) => panic!("{name} cannot be shown"),
            None => {
                let (config, field) = name.split_once('.').unwrap_or_else(|| panic!("no {name}"));
                let key = ConfigKey { config: config.into(), field: field.into() };
                after.global(key).map_or_else(|| "_".to_owned(), ToString::to_string)
            }
        };
        format!("{name}={}", value.replace(' ', ""))
    };
    names.iter().map(value).collect::<Vec<_>>().join(" ")
}

fn verdict(module: &Module, words: &[&str]) -> String {
    let proc = |name: &str| module.proc(name).unwrap_or_else(|| panic!("no procedure {name}"));
    let (old, new) = (proc(words[0]), proc(words[1]));
    let modulo: BTreeSet<ConfigKey> = words
        .iter()
        .filter_map(|w| w.strip_prefix("modulo=")?.split_once('.'))
        .map(|(config, field)| ConfigKey { config: config.into(), field: field.into() })
        .collect();
    let comparer = Comparer::<SymbolicDomain>::new(old, new, modulo, Limits::default())
        .unwrap_or_else(|e| panic!("{e}"));
    let words: Vec<&str> = words[2..].iter().copied().filter(|w| !w.starts_with("modulo=")).collect();
    let name = match comparer.compare(&input(comparer.subject(), &words)) {
        Verdict::Equal => "equal",
        Verdict::Refines { .. } => "refines",
        Verdict::Differs(_) => "differs",
        Verdict::Undecided { .. } => "undecided",
        Verdict::InputRejected(_) => "input rejected",
        Verdict::OldFails(_) => "old fails",
        Verdict::GaveUp(_) => "gave up",
    };
    name.to_owned()
}

/// `symbolic f n=1 -> x=[…]`.
fn holds(module: &Module, line: &str, place: &str) {
    let (left, expected) = line.split_once(" -> ").unwrap_or_else(|| panic!("{place}: no arrow"));
    let words: Vec<&str> = left.split(' ').collect();
    let names: Vec<&str> =
        expected.split(' ').map(|w| w.split_once('=').map_or(w, |(name, _)| name)).collect();
    let proc = |name: &str| module.proc(name).unwrap_or_else(|| panic!("{place}: no procedure {name}"));
    let found = match words[0] {
        "equiv" => verdict(module, &words[1..]),
        "machine" => outcome::<MachineDomain>(proc(words[1]), &words[2..], &names),
        "symbolic" => outcome::<SymbolicDomain>(proc(words[1]), &words[2..], &names),
        name => outcome::<RationalDomain>(proc(name), &words[1..], &names),
    };
    assert_eq!(found, expected, "{place}: {line}");
}

#[test]
fn examples_are_well_typed_and_run_as_they_say() {
    let mut count = 0;
    for (name, chapter) in CHAPTERS {
        let mut module = None;
        for (line, tag, lines) in blocks(chapter) {
            let place = format!("{name}:{line}");
            match tag {
                "exo" => module = Some(accepted(place, &lines.join("\n"))),
                "run" => {
                    let module = module.as_ref().unwrap_or_else(|| panic!("{place}: nothing to run"));
                    lines.iter().for_each(|l| holds(module, l, &place));
                    count += lines.len();
                }
                tag => panic!("{place}: {tag}"),
            }
        }
    }
    assert!(count > 40);
}
