//! Properties of random programs: they are well typed, print and parse back to themselves, run without
//! an error, and their C computes what the interpreter does.

use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast::Module;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use rewright_testsuite::coverage::{Coverage, FEATURES};
use rewright_testsuite::generate::{Shape, module};

/// Enough for every feature to occur in many programs; a few seconds.
const PROGRAMS: u64 = 600;

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
