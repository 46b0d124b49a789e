//! The schedules in the text of ASPLOS'25 that stay within one procedure: those that are straight-line scripts, in
//! `corpus/schedules/*.py`, and those that are functions of schedules, here. Of each, the result, what was proved
//! and the C are kept for review; each step is held against the interpreter, the derivation is audited, and the C is
//! run. Spec: [rule: scripts], [rule: hof].

use rewright_backends::c::{Options as COptions, compile_module};
use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict as InC};
use rewright_backends::toolchain::Compiler;
use rewright_primitives::derivation::audit::{Options, audit};
use rewright_primitives::derivation::{Derivation, of_script, record};
use rewright_primitives::error::Result;
use rewright_primitives::hof::traverse::{filter, lrn, nlr};
use rewright_primitives::hof::{Op, attempt, lift, reduce, reframe, repeat, seq, try_else};
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::lift_alloc::lift_alloc;
use rewright_primitives::ops::lift_scope::lift_scope;
use rewright_primitives::ops::remove_loop::remove_loop;
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::registry::Registry;
use rewright_primitives::version::Reason;
use rewright_primitives::{Cursor, Proc, script};
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Interpreted, Limits};
use rewright_semantics::diag::has_errors;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Given, Search};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;

/// The definitions of a text.
fn module(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("schedule.py", text);
    let prelude = rewright_machines::prelude(&mut sources);
    let mut parsed = parse_module(file, &sources, &prelude);
    parsed.diagnostics.extend(check_module(&parsed.module));
    assert!(!has_errors(&parsed.diagnostics), "{}", render(&parsed.diagnostics, &sources, false));
    parsed.module
}

fn definition(text: &str) -> Proc {
    Proc::root(module(text).procs.last().expect("a procedure").clone())
}

#[test]
fn scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/schedules");
    let entries = std::fs::read_dir(&folder).expect("the folder");
    let mut files: Vec<_> = entries.map(|e| e.expect("an entry").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "py"));
    files.sort();
    assert!(files.len() >= 9, "{files:?}");
    for path in files {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a script");
        let module = module(&text);
        let mut sources = SourceMap::new();
        let file = sources.add("schedule.py", text.as_str());
        let lines = script::parse(file, &text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let ran = script::run(&module, &rewright_machines::prelude(&mut SourceMap::new()), &lines);
        if let Some(e) = ran.error {
            panic!("{name}: {}", render(&[e.diagnostic()], &sources, false));
        }
        let last = ran.bindings.last().expect("a procedure");
        golden(&name, &of_script(text.as_str(), &ran), &last.proc);
    }
}

/// Keeps what came of a schedule, and holds it against the oracles.
fn golden(name: &str, d: &Derivation, p: &Proc) {
    let versions = p.history();
    for pair in versions.windows(2) {
        held(name, pair);
    }
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let primitives = Registry::standard();
    let options = Options { inputs: 1, ..Options::new(&prelude, &primitives) };
    let summary = audit(d, &options).unwrap_or_else(|found| panic!("{name}: {found}"));
    assert!(summary.open.is_empty(), "{name}: {:?}", summary.open);
    let mut out = format!("{}\n", proc_to_string(p.ast()));
    for (k, version) in versions.iter().enumerate().skip(1) {
        let _ = writeln!(out, "{k:>3} {}", proved(version));
    }
    let _ = writeln!(
        out,
        "{} steps, {} conditions, {} of them proved by the solver\n",
        summary.steps, summary.conditions, summary.solved
    );
    out.push_str(&in_c(name, p));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../corpus/schedules/golden");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!(name, out));
}

/// `divide_loop: divides 1, lower_bound by syntax`
fn proved(version: &Proc) -> String {
    let step = &version.origin().expect("a version that was made").step;
    let mut conditions: Vec<(&str, u32)> = Vec::new();
    for done in &step.discharged {
        let asked = u32::from(matches!(done.by, Reason::Solver { .. }));
        match conditions.iter_mut().find(|(id, _)| *id == done.condition) {
            Some((_, n)) => *n += asked,
            None => conditions.push((done.condition, asked)),
        }
    }
    let each = conditions.iter().map(|(id, n)| match n {
        0 => format!("{id} by syntax"),
        n => format!("{id} {n}"),
    });
    let all = each.collect::<Vec<_>>().join(", ");
    format!("{}: {}", step.primitive, if all.is_empty() { "no conditions" } else { &all })
}

/// Two versions agree: on random inputs of some size, and with polynomials at the smallest.
fn held(name: &str, pair: &[Proc]) {
    let [old, new] = pair else { return };
    let many = Search { max_cells: 1 << 15, budget: 4_000 };
    let rational = agree::<RationalDomain>(name, old, new, many, 3);
    let few = Search { max_cells: 200, budget: 4_000 };
    agree::<SymbolicDomain>(name, old, new, few, 1);
    assert!(rational > 0, "{name}: nothing was compared");
}

fn agree<D: Interpreted>(name: &str, old: &Proc, new: &Proc, search: Search, inputs: u64) -> u64 {
    let limits = Limits { statements: Some(3_000_000), cells: 1 << 20, stop: None };
    let comparer: Comparer<'_, D> =
        Comparer::new(old.ast(), new.ast(), BTreeSet::new(), limits).expect("one signature");
    let mut compared = 0;
    for seed in 0..inputs {
        let Ok(input) = comparer.subject().generate(&Given::default(), seed, search) else { continue };
        match comparer.compare(&input) {
            Verdict::Equal | Verdict::Refines { .. } => compared += 1,
            Verdict::GaveUp(_) | Verdict::Undecided { .. } => {}
            wrong @ (Verdict::Differs(_) | Verdict::InputRejected(_) | Verdict::OldFails(_)) => {
                panic!("{name}: {wrong:?}\n{old}\n{new}")
            }
        }
    }
    compared
}

/// The C of the result, after it was run.
fn in_c(name: &str, p: &Proc) -> String {
    let m = Module { procs: vec![p.ast().clone()], ..Module::default() };
    let unit = compile_module(&m, &COptions::new("unit")).unwrap_or_else(|why| panic!("{name}: {why:?}"));
    let compilers = Compiler::available();
    let built = Built::new(&m, compilers.first().expect("a C compiler")).expect("C that is built");
    let search = Search { max_cells: 1 << 15, budget: 4_000 };
    let input =
        rewright_semantics::inputs::generate(p.ast(), &Given::default(), 1, search).expect("an input");
    match built.agree(p.name().as_str(), &input, Mode::Fast) {
        Ok(InC::Agrees { compared, .. }) => assert!(compared > 0, "{name}: nothing was compared in C"),
        wrong => panic!("{name}: {wrong:?}"),
    }
    unit.source
}

const GEMV: &str = "\
@proc
def gemv(M: size, N: size, A: f32[M, N], x: f32[N], y: f32[M]):
    for i in seq(0, M):
        for j in seq(0, N):
            y[i] += A[i, j] * x[j]
";

const GEMM: &str = "\
@proc
def gemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    assert M % 4 == 0
    assert N % 4 == 0
    assert K % 4 == 0
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]
";

/// A loop with the names of the outer and the inner of the two that it becomes, and how many iterations the inner has.
type Tiled<'a> = (&'a str, [&'a str; 2], i64);

/// §3.3, for any number of dimensions: the loops are divided, and each outer one is lifted over the inner ones of
/// those before it.
fn tile_nd(p: &Proc, loops: &[Tiled<'_>], tail: Tail) -> Result<Proc> {
    let mut p = p.clone();
    for (name, new, factor) in loops {
        p = divide_loop(&p, *name, *factor, *new, tail)?;
    }
    // A guard is passed like a loop: with guards there are twice as many scopes on the way.
    let scopes = if tail == Tail::Guard { 2 } else { 1 };
    for (k, (_, [outer, _], _)) in loops.iter().enumerate() {
        for _ in 0..k * scopes {
            p = lift_scope(&p, *outer)?;
        }
    }
    Ok(p)
}

/// §3.3: exactly where that is possible, and otherwise with guards, from the procedure as it was.
fn general_tile(loops: &'static [Tiled<'static>]) -> Op {
    let tiled = |tail| lift(move |p, _| tile_nd(p, loops, tail));
    try_else(tiled(Tail::Perfect), tiled(Tail::Guard))
}

#[test]
fn tiles_in_any_number_of_dimensions() {
    let loops = [("i", ["io", "ii"], 4), ("j", ["jo", "ji"], 4), ("k", ["ko", "ki"], 4)];
    let p = tile_nd(&definition(GEMM), &loops, Tail::Perfect).expect("sizes that are multiples");
    golden("tile_nd", &record(GEMM, [("p", &p)]), &p);
}

#[test]
fn tiles_with_guards_where_they_do_not_divide() {
    const LOOPS: &[Tiled<'static>] = &[("i", ["io", "ii"], 4), ("j", ["jo", "ji"], 8)];
    let gemv = definition(GEMV);
    let p = general_tile(LOOPS).on(&gemv, &gemv.body().expect("a body")).expect("guards are always possible");
    golden("general_tile", &record(GEMV, [("p", &p)]), &p);
    let exact = GEMV.replace("    for i", "    assert M % 4 == 0\n    assert N % 8 == 0\n    for i");
    let gemv = definition(&exact);
    let p = general_tile(LOOPS).on(&gemv, &gemv.body().expect("a body")).expect("sizes that are multiples");
    assert!(p.find("if _: _").is_err(), "no guard is needed\n{p}");
}

/// §3.4: `repeat(lift_alloc)` lifts an allocation as far as it goes.
#[test]
fn an_allocation_is_lifted_as_far_as_it_goes() {
    let text = "\
@proc
def rows(n: size, m: size, x: f32[n, m], y: f32[n, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            for k in seq(0, 4):
                t: f32[4]
                t[k] = x[i, j] * 2.0
                y[i, j] = t[k]
";
    let p = definition(text);
    let alloc = p.find("t: _").expect("an allocation");
    let p = repeat(lift(|p, c| lift_alloc(p, c, 1))).on(&p, &alloc).expect("repeating does not fail");
    golden("repeat_lift_alloc", &record(text, [("p", &p)]), &p);
}

/// Fig. 5c, by the operations of §6.3.1: a configuring statement is hoisted out of all loops.
#[test]
fn a_configuring_statement_is_hoisted() {
    let text = "\
@config
class Cfg:
    stride: stride

@proc
def load(A: [f32][8, 8], x: f32[8, 8]):
    for io in seq(0, 8):
        for jo in seq(0, 8):
            x[io, jo] = 1.0
            Cfg.stride = stride(A, 0)
            x[io, jo] += A[io, jo]
";
    let reorder_before = reframe(|c| c.expand(Some(1), Some(0)), lift(|p, c| reorder_stmts(p, c)));
    let fission_after = reframe(Cursor::after, lift(|p, c| fission(p, c, 1)));
    let remove_parent_loop = reframe(Cursor::parent, lift(|p, c| remove_loop(p, c)));
    let hoist = repeat(try_else(seq([fission_after, remove_parent_loop]), reorder_before));
    let p = definition(text);
    let p = hoist.on(&p, &p.find("Cfg.stride = _").expect("the statement")).expect("repeating does not fail");
    golden("hoist_config", &record(text, [("p", &p)]), &p);
}

/// §6.3.1: the order in which a rewrite is tried at several places matters.
#[test]
fn traversals_decide_the_order() {
    let text = "\
@proc
def fill(A: f32[8, 8, 8]):
    for i in seq(0, 8):
        for j in seq(0, 8):
            for k in seq(0, 8):
                A[i, j, k] = 0.0
";
    let p = definition(text);
    let i = p.find_loop("i").expect("the outer loop");
    let lifted = |top| reduce(attempt(lift(|p, c| lift_scope(p, c))), filter(Cursor::is_loop, top));
    let q = lifted(nlr()).on(&p, &i).expect("trying does not fail");
    golden("lift_inner_loops_nlr", &record(text, [("p", &q)]), &q);
    let q = lifted(lrn()).on(&p, &i).expect("trying does not fail");
    golden("lift_inner_loops_lrn", &record(text, [("p", &q)]), &q);
}

/// What makes the schedules worth keeping: each primitive of them, and how often.
#[test]
fn the_schedules_use_many_primitives() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/schedules");
    let mut used: BTreeMap<String, u32> = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "py") {
            let text = std::fs::read_to_string(&path).expect("a script");
            for p in rewright_primitives::ops::ALL {
                let calls = text.matches(&format!(" {}(", p.name)).count();
                *used.entry(p.name.to_owned()).or_default() += u32::try_from(calls).unwrap_or(0);
            }
        }
    }
    let some = used.values().filter(|n| **n > 0).count();
    assert!(some >= 14, "only {some} primitives are used: {used:?}");
}
