//! A cursor that survives points at what it pointed at: every statement, block, gap, expression and argument of random
//! programs, through every primitive. Spec: [rule: forwarding.values], [rule: forwarding.primitives].

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, subject};
use rewright_primitives::registry::Primitive;
use rewright_primitives::{Proc, ops};
use rewright_testsuite::forwarded::{Row, Values, check};
use rewright_testsuite::marks::Marker;
use std::collections::BTreeMap;

/// The rows of the table: what the edits of a primitive are, and how values lie.
fn table() -> BTreeMap<String, (Vec<String>, Values)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/cursors.md");
    let text = std::fs::read_to_string(path).expect("the chapter on cursors");
    let from = text.split("[rule: forwarding.primitives]").nth(1).expect("the rule");
    let rows = from.lines().skip_while(|l| !l.starts_with('|')).skip(2).take_while(|l| l.starts_with('|'));
    rows.map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, edits, values] = cells[..] else { panic!("a row of three: {line}") };
        let edits = edits.split("; ").filter(|e| !e.is_empty()).map(str::to_owned).collect();
        (name.trim_matches('`').to_owned(), (edits, Values::of_word(values).expect("a word")))
    })
    .collect()
}

/// Applies a primitive until it was accepted so often, and holds all cursors against what comes of it.
fn explore(primitive: &'static Primitive, values: Values, accepted: u64, tries: u64) -> (Row, Vec<String>) {
    let (mut row, mut wrong) = (Row::default(), Vec::new());
    for seed in 0..tries {
        if row.rewrites >= accepted || wrong.len() > 2 {
            break;
        }
        let p = Proc::root(Marker::default().proc(subject(seed, primitive).ast()));
        let Some(args) = arguments(&mut Rng::new(seed), &p, primitive) else { continue };
        let Ok(new) = (primitive.run)(&p, &args) else { continue };
        if new.id() == p.id() {
            continue;
        }
        if let Err(what) = check(&p, &new, Some(values), seed, &mut row) {
            wrong.push(format!("seed {seed}: {}: {what}\n{p}\n{new}", primitive.name));
        }
    }
    (row, wrong)
}

/// A number of the environment.
fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

#[test]
fn cursors_point_at_what_they_pointed_at() {
    let number =
        |name: &str, default: u64| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let accepted = number("REWRIGHT_ACCEPTED", 15);
    let only = std::env::var("REWRIGHT_PRIMITIVE").ok();
    let table = table();
    let mut failures = Vec::new();
    for primitive in ops::ALL.iter().copied().filter(|p| only.as_ref().is_none_or(|name| name == p.name)) {
        let Some((edits, values)) = table.get(primitive.name) else {
            failures.push(format!("`{}` has no row", primitive.name));
            continue;
        };
        let (row, wrong) = explore(primitive, *values, accepted, accepted * 300);
        println!("{:22} {row}", primitive.name);
        if std::env::var_os("REWRIGHT_TABLE").is_some() {
            let edits: Vec<&str> = row.edits.iter().map(String::as_str).collect();
            println!("edits of {}: {}", primitive.name, edits.join("; "));
        }
        failures.extend(wrong);
        let unknown: Vec<_> = row.edits.iter().filter(|e| !edits.contains(e)).collect();
        if !unknown.is_empty() {
            failures.push(format!("`{}` also has the edits {unknown:?}", primitive.name));
        }
        if row.rewrites == 0 {
            failures.push(format!("`{}` was never accepted", primitive.name));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Through chains of rewrites: from each version to the next, where marks are no longer on everything, and from the first to
/// the last at once.
#[test]
fn chains_of_rewrites_lead_to_the_same_pieces() {
    let table = table();
    let (mut stepwise, mut whole, mut longest) = (Row::default(), Row::default(), 0);
    let mut failures = Vec::new();
    for seed in 0..number("REWRIGHT_CHAINS", 40) {
        let mut rng = Rng::new(seed);
        let from = rng.pick(ops::ALL).copied().expect("a primitive");
        let root = Proc::root(Marker::default().proc(subject(seed, from).ast()));
        let (mut p, mut values, mut done, mut length) = (root.clone(), Some(Values::Same), Vec::new(), 0);
        for _ in 0..30 {
            let Some(primitive) = rng.pick(ops::ALL).copied() else { break };
            let Some(args) = arguments(&mut rng, &p, primitive) else { continue };
            let Ok(new) = (primitive.run)(&p, &args) else { continue };
            if new.id() == p.id() {
                continue;
            }
            let (_, how) = &table[primitive.name];
            done.push(primitive.name);
            if let Err(what) = check(&p, &new, Some(*how), seed, &mut stepwise) {
                failures.push(format!("seed {seed}: {done:?}: {what}\n{p}\n{new}"));
            }
            (p, values, length) = (new, values.and_then(|values| values.then(*how)), length + 1);
        }
        longest = longest.max(length);
        if length > 1
            && let Err(what) = check(&root, &p, values, seed, &mut whole)
        {
            failures.push(format!("seed {seed}: the chain {done:?}: {what}\n{root}\n{p}"));
        }
        if failures.len() > 3 {
            break;
        }
    }
    println!(
        "from each to the next: {stepwise}\nfrom first to last: {whole}\nthe longest chain has {longest}"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(longest > 8 && stepwise.rewrites > 200, "chains are short");
}
