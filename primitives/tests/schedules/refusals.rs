//! What a refusal says of the values and the cell that it is about. Spec: [rule: errors].

use rewright_effects::locset::Cell;
use rewright_effects::obligation::ModelValue;
use rewright_primitives::error::{Error, Found, Result, SchedulingError};
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::parallelize_loop::parallelize_loop;
use rewright_primitives::version::Proc;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

const TEXT: &str = "
@proc
def p(n: size, x: f32[n + 1, 4]):
    for i in seq(0, n):
        x[i, 2] = x[i + 1, 2]
";

fn refused(result: Result<Proc>) -> SchedulingError {
    match result {
        Err(Error::Scheduling(e)) => *e,
        other => panic!("{other:?}"),
    }
}

fn parsed(text: &str) -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("test", text);
    let m = parse_module(file, &sources, &Prelude::standard()).module;
    Proc::root(m.proc("p").unwrap().clone())
}

/// Two iterations meet in one cell, and the refusal says in which. Spec: [rule: errors].
#[test]
fn a_refusal_has_the_values_and_the_cell() {
    let p = parsed(TEXT);

    let e = refused(parallelize_loop(&p, "i"));
    let Found::Refuted { values, cell: Some(cell), .. } = &e.found else { panic!("{e:?}") };
    let value = |wanted: &str| match values.iter().find(|(name, _)| name == wanted) {
        Some((_, ModelValue::Int(n))) => *n,
        other => panic!("{wanted}: {other:?}"),
    };
    let (first, second) = (value("i").min(value("i'")), value("i").max(value("i'")));
    assert!(0 <= first && second < value("n"), "{e}");
    assert_eq!((second, cell), (first + 1, &Cell { buffer: "x".to_owned(), at: vec![second, 2] }));
    assert!(e.to_string().ends_with(&format!("at x[{second}, 2]")), "{e}");

    // What is about no cell has none.
    let e = refused(divide_loop(&p, "i", 4, ["io", "ii"], Tail::Perfect));
    let Found::Refuted { values, cell: None, .. } = &e.found else { panic!("{e:?}") };
    assert_eq!(values.len(), 1, "{e}");
}

/// What only a quantifier of the question binds is no variable of the program, and a cell that it leaves open is not
/// the one at stake.
#[test]
fn a_refusal_speaks_of_the_program() {
    let p = parsed(
        "
@config
class Cfg:
    on: bool

@proc
def p(n: size, x: f32[n + 9, 7]):
    for i in seq(0, n):
        if i == 0:
            Cfg.on = True
        x[i, 0] = 1.0
        x[n + 6, 4] = 1.0
        if Cfg.on:
            x[i, 0] = 2.0
",
    );
    let e = refused(parallelize_loop(&p, "i"));
    let Found::Refuted { values, .. } = &e.found else { panic!("{e:?}") };
    let mut names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["Cfg.on", "i", "i'", "n"], "{e}");

    let p = parsed(
        "
@proc
def p(n: size, x: f32[n + 9, 7]):
    for i in seq(0, n):
        x[n + 6, 4] = 1.0
",
    );
    let e = refused(parallelize_loop(&p, "i"));
    let Found::Refuted { values, cell: Some(cell), .. } = &e.found else { panic!("{e:?}") };
    let n = values.iter().find_map(|(name, value)| match value {
        ModelValue::Int(n) if name == "n" => Some(*n),
        ModelValue::Int(_) | ModelValue::Bool(_) => None,
    });
    assert_eq!(cell, &Cell { buffer: "x".to_owned(), at: vec![n.unwrap() + 6, 4] }, "{e}");
}
