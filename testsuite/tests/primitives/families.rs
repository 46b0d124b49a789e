//! Where other systems are known to go wrong, families of programs show that Rewright does not: each is refused for the
//! right reason or rewritten correctly (that is what `primitive_cases` tests). Here they are counted.
//! Spec: [rule: cases.families].

use rewright_campaign::corpus::{Case, Expect, read, run};
use rewright_primitives::Proc;
use rewright_primitives::ops;
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::span::SourceMap;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The families, in words. Those that are not listed are about C (13), or about every rewrite (14, below).
const FAMILIES: [(u32, &str); 12] = [
    (1, "a statement in two places, and facts about one of them"),
    (2, "effects hidden in indices, bounds, extents, windows and assertions"),
    (3, "values compared by name"),
    (4, "the state after a loop, or in the middle of it"),
    (5, "fission past an initialisation"),
    (6, "loop variables in extents"),
    (7, "folding of a buffer"),
    (8, "windows as aliases"),
    (9, "calls as writers"),
    (10, "names compared as text"),
    (11, "what is not checked, or only the easy half"),
    (12, "bounds: lower ones, empty ranges, negative operands"),
];

/// The least number of programs of each family.
const LEAST: usize = 5;

/// The least number of sound rewrites that Exo refuses.
const NEEDLESS: usize = 15;

fn cases() -> Vec<(&'static str, Case)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/primitives");
    let of = |name: &str| {
        let text = std::fs::read_to_string(folder.join(name).with_extension("py")).expect("the cases");
        read(&text).expect("cases")
    };
    ops::ALL.iter().flat_map(|p| of(p.name).into_iter().map(move |case| (p.name, case))).collect()
}

#[test]
fn every_family_of_faults_has_its_programs() {
    let mut found: BTreeMap<u32, Vec<(&str, Case)>> = BTreeMap::new();
    for (primitive, case) in cases() {
        for family in &case.families {
            found.entry(*family).or_default().push((primitive, case.clone()));
        }
    }
    println!("{:<4}{:>9}{:>9}  primitives", "", "programs", "refused");
    for (family, words) in FAMILIES {
        let programs = found.remove(&family).unwrap_or_default();
        let primitives: BTreeSet<&str> = programs.iter().map(|(p, _)| *p).collect();
        let refused = programs.iter().filter(|(_, c)| c.expect != Expect::Accept).count();
        let names = primitives.iter().copied().collect::<Vec<_>>().join(", ");
        println!("{family:<4}{:>9}{refused:>9}  {names}\n    {words}", programs.len());
        assert!(programs.len() >= LEAST, "family {family} ({words}) has only {} programs", programs.len());
        // Only `resize_dim` folds.
        assert!(primitives.len() > 1 || family == 7, "family {family} ({words}) is of {primitives:?} alone");
    }
    assert!(found.is_empty(), "there are no families {:?}", found.keys());
}

#[test]
fn what_others_refuse_needlessly_is_accepted() {
    let needless: Vec<(&str, Case)> = cases().into_iter().filter(|(_, c)| c.exo_refuses).collect();
    for (primitive, case) in &needless {
        println!("{primitive}: {}", case.name);
        assert_eq!(case.expect, Expect::Accept, "{primitive}: {}", case.name);
    }
    println!("{} sound rewrites that Exo refuses", needless.len());
    assert!(needless.len() >= NEEDLESS, "only {}", needless.len());
}

/// Family 14: no rewrite changes the version that it was applied to. After the whole script, the root still is the
/// definition, and the version before the last line what it is in a run without that line.
#[test]
fn versions_before_a_rewrite_stay_what_they_are() {
    let mut versions = 0;
    for (primitive, case) in cases().into_iter().filter(|(_, c)| c.expect == Expect::Accept) {
        let ran = run(&case).expect("a case that is accepted");
        let history = ran.after.expect("the last line binds a procedure").history();
        let text = |p: &Proc| proc_to_string(p.ast());
        let mut sources = SourceMap::new();
        let file = sources.add("case.py", case.text.as_str());
        let prelude = rewright_machines::prelude(&mut sources);
        let parsed = parse_module(file, &sources, &prelude).module;
        let root = parsed.procs.iter().find(|p| p.name == history[0].name()).expect("the root is defined");
        assert_eq!(text(&history[0]), proc_to_string(root), "{primitive}: {}", case.name);
        let before = &ran.before;
        if before.history()[0].name() == history[0].name() {
            assert_eq!(text(&history[before.depth()]), text(before), "{primitive}: {}", case.name);
        }
        versions += history.len();
    }
    println!("{versions} versions");
    assert!(versions > 500);
}
