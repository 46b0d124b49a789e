//! What a run touches. Spec: [rule: run.trace].

use super::{input, last};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{AccessMode, Denotation, Limits, Trace};

fn trace(text: &str, args: &str) -> Trace {
    let p = last(text);
    let (values, st) = input(&p, args).store::<RationalDomain>(&p);
    Denotation::<RationalDomain>::of(&p).trace(&values, st, Limits::default()).unwrap()
}

/// `i=0 j=1 W x[1]` for each access.
fn told(t: &Trace) -> Vec<String> {
    let around = |mut at: Option<usize>| {
        let mut out = String::new();
        while let Some(k) = at {
            let i = &t.iterations[k];
            out = format!("{}={} {out}", i.iter, i.value);
            at = i.around;
        }
        out
    };
    let mode = |m| match m {
        AccessMode::Read => 'R',
        AccessMode::Write => 'W',
        AccessMode::Reduce => '+',
    };
    t.accesses
        .iter()
        .map(|a| format!("{}{} {}", around(a.iteration), mode(a.mode), t.places[a.place]).replace('`', ""))
        .collect()
}

/// Accesses belong to the innermost iteration of the procedure's own loops. Spec: [rule: run.trace].
#[test]
fn accesses_belong_to_iterations() {
    let t = trace(
        "
@proc
def add(m: size, y: R, z: [R][m]):
    for k in seq(0, m):
        y += z[k]

@proc
def f(n: size, x: R[n], y: R):
    y = 0.0
    for i in seq(0, n):
        for j in par(0, 1):
            x[i] = x[0]
        add(1, y, x[i:i + 1])
",
        "n=2",
    );
    let expected = [
        "W y",
        "i=0 j=0 R x[0]",
        "i=0 j=0 W x[0]",
        "i=0 R x[0]",
        "i=0 + y",
        "i=1 j=0 R x[0]",
        "i=1 j=0 W x[1]",
        "i=1 R x[1]",
        "i=1 + y",
    ];
    assert_eq!(told(&t), expected);
    assert_eq!(t.iterations.len(), 4);
}

/// A buffer of each iteration is another one, one outside of the loop is the same. Spec: [rule: run.trace].
#[test]
fn a_buffer_that_is_allocated_again_has_other_cells() {
    let body = |place: &str, inside: &str| {
        format!("\n@proc\ndef f(n: size):\n{place}    for i in seq(0, n):\n{inside}        t = 1.0\n")
    };
    let cells = |text: &str| trace(text, "n=3").places.len();
    assert_eq!(cells(&body("", "        t: R\n")), 3);
    assert_eq!(cells(&body("    t: R\n", "")), 1);
}
