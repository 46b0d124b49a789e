//! What the documentation of each operation shows is what it does: the program on the left becomes that on the right.
//! Spec: [rule: library.operations].

mod support;

use rewright_library::target::{Lanes, Target};
use rewright_library::{Options, images, ops};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::types::DataType;
use std::collections::BTreeMap;
use support::{proc, target};

/// How an operation is called on the program that its documentation shows.
type Call = fn(&Proc) -> Result<Proc>;

fn avx2() -> Target {
    target("avx2", DataType::F32)
}

/// The operations: with the arguments of the programs, and the call.
const OPERATIONS: &[(&str, &str, Call)] = &[
    ("fission_into_singles", "x: f32[8], y: f32[8]", |p| {
        ops::fission_into_singles(p, &p.find_loop("i")?, None).map(|(p, _)| p)
    }),
    ("interleave", "x: f32[2], y: f32[2]", |p| ops::interleave(p, &p.find_loop("i")?)?.simplify()),
    ("hoist", "a: f32[1], y: f32[8]", |p| ops::hoist(p, &p.find("t = _")?).map(|(p, _)| p)),
    ("hoist_all", "a: f32[1], y: f32[8]", |p| ops::hoist_all(p, &p.find_loop("i")?).map(|(p, _)| p)),
    ("lanes_for_reductions", "n: size, x: f32[n], s: f32", |p| {
        ops::lanes_for_reductions(p, &p.find_loop("i")?, 4, "DRAM")
    }),
    ("sums_per_iteration", "n: size, x: f32[n, 4], s: f32", |p| {
        ops::sums_per_iteration(p, &p.find_loop("i")?, "DRAM")
    }),
    ("tile", "x: f32[8, 6]", |p| {
        let loops = [(p.find_loop("i")?, 4), (p.find_loop("j")?, 3)];
        ops::tile(p, &loops, Tail::Perfect).map(|(p, _)| p)
    }),
    ("unroll_and_jam", "a: f32[4, 8], x: f32[8], y: f32[4]", |p| {
        ops::unroll_and_jam(p, &p.find_loop("i")?, 2).map(|(p, _)| p)
    }),
    ("cse_loads", "x: f32[8], y: f32[8], z: f32[8]", |p| ops::cse_loads(p, &p.find_loop("i")?)),
    ("add_at_once", "a: f32[8], b: f32[8], y: f32[8]", |p| ops::add_at_once(p, &p.find_loop("i")?)),
    ("stage", "a: f32[8, 4], c: f32[4]", |p| {
        ops::stage(p, &p.find_loop("k")?, "c[0:4]", "acc", "DRAM_STACK", Staging::Copy)
    }),
    ("round_up", "n: size, x: f32[n]", |p| ops::round_up(p, &p.find_loop("i")?, 4)),
    ("cut_tail", "n: size, x: f32[n]", |p| ops::cut_tail(p, &p.find_loop("i")?, 4).map(|(p, _)| p)),
    ("auto_divide", "x: f32[12]", |p| ops::auto_divide(p, &p.find_loop("i")?, 5)),
    ("cleanup", "x: f32[8]", ops::cleanup),
    ("stage_operations", "a: f32[1], x: f32[8], y: f32[8]", |p| {
        ops::stage_operations(p, &p.find_loop("i")?, &avx2(), Lanes::All, true).map(|(p, _)| p)
    }),
    ("images::tile", "a: f32[8, 6], b: f32[8, 6]", |p| images::tile(p, "b", &[("y", 4), ("x", 3)])),
    ("images::parallel", "a: f32[8], b: f32[8]", |p| images::parallel(p, "b", "y")),
    ("images::vectorize", "a: f32[8], b: f32[8]", |p| {
        images::vectorize(p, "b", "y", &avx2(), Options::of(&avx2()))
    }),
    ("images::store_in", "a: f32[8]", |p| images::store_in(p, "b", "DRAM_STACK")),
    ("images::compute_at", "x: f32[33], a: f32[33], b: f32[32]", |p| images::compute_at(p, "a", "b", "yo")),
    ("images::store_at", "x: f32[33], b: f32[32]", |p| images::store_at(p, "a", "b", "yo")),
    ("images::compute_and_store_at", "x: f32[33], b: f32[32]", |p| {
        images::compute_and_store_at(p, "a", "b", "yo")
    }),
    ("images::inline", "x: f32[8], b: f32[8]", |p| images::inline(p, "a", "b")),
];

/// The two programs of a block of documentation, side by side around `~>`.
fn sides(block: &[String]) -> Option<[String; 2]> {
    let middle = block.iter().find_map(|l| l.find("~>"))?;
    let cut = |l: &String| {
        let padded = format!("{l:middle$}  ");
        (padded[..middle].trim_end().to_owned(), padded[middle + 2..].trim_end().to_owned())
    };
    let (left, right): (Vec<String>, Vec<String>) = block.iter().map(cut).unzip();
    let program = |lines: Vec<String>| {
        let full: Vec<&String> = lines.iter().filter(|l| !l.is_empty()).collect();
        let indent = full.iter().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
        full.iter().map(|l| format!("    {}\n", &l[indent..])).collect::<String>()
    };
    Some([program(left), program(right)])
}

/// Of each public function that takes a procedure, the block in its documentation.
fn documented() -> BTreeMap<String, Option<[String; 2]>> {
    let sources = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(sources.join("ops")).expect("the sources") {
        of_file(&entry.expect("a file").path(), "", &mut all);
    }
    of_file(&sources.join("images/stages.rs"), "images::", &mut all);
    all
}

fn of_file(file: &std::path::Path, prefix: &str, all: &mut BTreeMap<String, Option<[String; 2]>>) {
    let text = std::fs::read_to_string(file).expect("a text");
    let (mut block, mut inside) = (Vec::new(), false);
    for line in text.lines() {
        match line.strip_prefix("///") {
            Some(doc) if doc.trim_start().starts_with("```") => inside = !inside,
            Some(doc) if inside => block.push(doc.strip_prefix(' ').unwrap_or(doc).to_owned()),
            Some(_) => {}
            None => {
                if let Some(rest) = line.strip_prefix("pub fn ")
                    && (rest.contains("(p: &Proc") || rest.ends_with('('))
                {
                    let name = rest.split('(').next().unwrap_or_default();
                    all.insert(format!("{prefix}{name}"), sides(&block));
                }
                if !line.starts_with("#[") {
                    block.clear();
                }
            }
        }
    }
}

#[test]
fn operations_do_what_their_documentation_shows() {
    let documented = documented();
    let known: Vec<&str> = OPERATIONS.iter().map(|(name, _, _)| *name).collect();
    for name in documented.keys() {
        assert!(known.contains(&name.as_str()), "{name} is not in the table of this test");
    }
    for (name, args, call) in OPERATIONS {
        let Some(Some([before, after])) = documented.get(*name) else { panic!("{name} shows no programs") };
        let [before, after] = [before, after].map(|body| proc(&format!("@proc\ndef p({args}):\n{body}")));
        let made = call(&before).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(proc_to_string(made.ast()), proc_to_string(after.ast()), "{name}");
    }
}
