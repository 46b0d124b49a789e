//! The programs in `spec/perceus/`.

use rewright_base::span::SourceMap;
use rewright_base::sym::Name;
use rewright_perceus::code::print;
use rewright_perceus::heap::machine::Machine;
use rewright_perceus::optimise::{Pass, Passes, code};
use rewright_perceus::stuck::Outcome;
use rewright_perceus::surface;
use rewright_perceus::syntax::Program;
use rewright_perceus::{algorithm, c};
use std::fs;
use std::path::Path;

fn load(text: &str) -> Result<Program, Vec<&'static str>> {
    let mut sources = SourceMap::new();
    let file = sources.add("spec", text);
    surface::load(file, &sources).map_err(|found| found.iter().map(|d| d.rule).collect())
}

/// Thesis Fig. 4.1 and the rest. [rule: perceus.algorithm] [rule: perceus.optimise]
#[test]
fn programs_of_the_specification_are_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/perceus");
    let (mut ran, mut refused, mut translated, mut staged) = (0, 0, 0, 0);
    let mut source = None;
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let text = fs::read_to_string(entry.path()).unwrap();
        let mut last = None;
        for block in text.split("\n```").skip(1).step_by(2) {
            let (tag, body) = block.split_once('\n').unwrap_or((block, ""));
            let body = format!("{body}\n");
            match tag.split_once(' ').unwrap_or((tag, "")) {
                ("perceus", _) => {
                    let p = load(&body).unwrap_or_else(|e| panic!("{e:?}\n{body}"));
                    let t = algorithm::translate(&p).program;
                    let outcome = Machine::new(&t).run(1_000_000, |_, _| {});
                    assert!(matches!(outcome, Outcome::Value(_)), "{outcome:?}\n{body}");
                    last = Some(format!("{t}\n"));
                    source = Some(p);
                    ran += 1;
                }
                ("perceus-bad", rule) => {
                    assert_eq!(load(&body).err(), Some(vec![rule]), "{body}");
                    refused += 1;
                }
                ("stage", what) => {
                    let (passes, f) = what.split_once(' ').unwrap();
                    let passes: Vec<Pass> =
                        passes.split(',').filter(|p| *p != "-").map(|p| p.parse().unwrap()).collect();
                    let code = code(source.as_ref().unwrap(), &Passes::only(&passes));
                    assert_eq!(print::fun(code.fun(Name::new(f)).unwrap()), body, "{what}");
                    staged += 1;
                }
                ("translated", _) => {
                    assert_eq!(last.as_deref(), Some(body.as_str()));
                    translated += 1;
                }
                _ => {}
            }
        }
    }
    assert!(ran > 1 && refused > 0 && translated > 1 && staged > 6, "{ran} {refused} {translated} {staged}");
}

/// Each benchmark compiles, and the tables tell of each and of each pass. [rule: perceus.benchmarks]
#[test]
fn tables_tell_of_each_benchmark_and_each_pass() {
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tables = fs::read_to_string(crate_folder.join("../spec/perceus/benchmarks.md")).unwrap();
    let mut programs = 0;
    for entry in fs::read_dir(crate_folder.join("benches/programs")).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|e| e != "kk") {
            continue;
        }
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let p = load(&fs::read_to_string(&path).unwrap()).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        assert!(c::emit(&code(&p, &Passes::all())).is_ok(), "{name}");
        let table = tables.split_once(&format!("\n## {name}\n")).map(|(_, rest)| rest);
        let table = table.unwrap_or_else(|| panic!("{name} has no table"));
        let table = table.split("\n## ").next().unwrap();
        for row in
            Pass::ALL.iter().map(|p| format!("| without {p} |")).chain(["| Rewright, gcc |".to_owned()])
        {
            assert!(table.contains(&row), "{name}: {row}");
        }
        programs += 1;
    }
    assert!(programs >= 6);
}
