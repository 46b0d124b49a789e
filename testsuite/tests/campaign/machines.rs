//! The campaign with the memories and instructions of every machine: what is accepted is equivalent, and its C agrees where
//! it can be run. Spec: [rule: campaign.machines].

use rewright_backends::toolchain::Compiler;
use rewright_campaign::{Accepted, Plan, Report, compiled, watched};
use rewright_machines::MACHINES;
use rewright_primitives::{Proc, ops};
use rewright_semantics::ast::StmtKind;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::BTreeMap;

/// The primitives that put memories and instructions into programs, and those that take calls apart.
const PRIMITIVES: [&str; 5] = ["set_memory", "replace", "call_eqv", "inline", "delete_config"];

/// How often the instructions of each machine are called, by name of the machine.
fn calls(p: &Proc) -> BTreeMap<&'static str, usize> {
    let mut out = BTreeMap::new();
    each_stmt(&p.ast().body, &mut |s| {
        let Some((callee, _)) = s.kind.called() else { return };
        let of =
            rewright_machines::modules().iter().find(|(_, m)| m.procs.iter().any(|q| q.name == callee.name));
        if let Some((machine, _)) = of {
            *out.entry(machine.name).or_default() += 1;
        }
    });
    out
}

/// The machine of a memory that a buffer was given.
fn memory(p: &Proc) -> Vec<&'static str> {
    let mut out = Vec::new();
    each_stmt(&p.ast().body, &mut |s| {
        let StmtKind::Alloc { mem, .. } = s.kind.as_ref() else { return };
        let own = |m: &&rewright_machines::Machine| {
            m.registers.as_ref().is_some_and(|r| mem.0.as_str() == r.memory)
        };
        let defined =
            rewright_machines::modules().iter().find(|(_, m)| m.memories.iter().any(|d| d.name == *mem));
        let machine = MACHINES.iter().copied().find(own).or(defined.map(|(m, _)| *m));
        out.extend(machine.map(|m| m.name));
    });
    out
}

/// What a rewrite did with machines, by machine and primitive: whether there was something.
fn count(of: &Accepted, found: &mut BTreeMap<(&'static str, &'static str), u64>) -> bool {
    let name = of.primitive.name;
    let (old, new) = (calls(&of.old), calls(&of.new));
    let changed: Vec<&str> = match name {
        "set_memory" => memory(&of.new).into_iter().filter(|m| !memory(&of.old).contains(m)).collect(),
        // What is made of versions has a name of its own.
        "call_eqv" => old.keys().copied().filter(|m| old.get(m) != new.get(m)).collect(),
        "replace" => new.keys().copied().filter(|m| old.get(m) < new.get(m)).collect(),
        _ => old.keys().copied().filter(|m| old.get(m) > new.get(m)).collect(),
    };
    changed.iter().for_each(|m| *found.entry((m, name)).or_default() += 1);
    !changed.is_empty()
}

#[test]
fn every_machine_is_drawn_and_nothing_differs() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(450);
    let chosen = ops::ALL.iter().copied().filter(|p| PRIMITIVES.contains(&p.name)).collect();
    let plan = Plan { attempts: 6, ..Plan::of(chosen) };
    let (mut report, mut found, mut rewrites) = (Report::default(), BTreeMap::new(), Vec::new());
    for seed in 160_000..160_000 + programs {
        let mut last = None;
        let failures = watched(seed, &plan, &mut report, &mut |accepted| {
            if count(accepted, &mut found) || last.is_none() {
                last = Some(accepted.clone());
            }
        });
        assert!(failures.is_empty(), "seed {seed}: {}", failures[0]);
        rewrites.extend(last);
    }
    println!("{report}");
    for machine in MACHINES {
        let row: Vec<String> = PRIMITIVES
            .iter()
            .map(|name| format!("{name} {}", found.get(&(machine.name, *name)).copied().unwrap_or(0)))
            .collect();
        println!("{}: {}", machine.name, row.join(", "));
    }
    for machine in MACHINES {
        let of = |names: &[&'static str]| names.iter().any(|name| found.contains_key(&(machine.name, *name)));
        assert!(of(&["set_memory"]), "set_memory: never with {}", machine.name);
        assert!(of(&["replace", "call_eqv", "inline"]), "no instruction of {}", machine.name);
    }
    let replaced = MACHINES.iter().filter(|m| found.contains_key(&(m.name, "replace"))).count();
    assert!(replaced > MACHINES.len() / 2, "replace: with {replaced} machines alone");
    let compiler = Compiler::available().into_iter().next().expect("a C compiler");
    let done = compiled(&rewrites, &compiler).unwrap_or_else(|failure| panic!("{failure}"));
    println!("{done}");
    assert!(done.machines.len() + done.skipped.len() >= 2, "no machine's code was run, and nothing says why");
}
