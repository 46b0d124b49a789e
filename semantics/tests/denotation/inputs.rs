//! Inputs: found, shrunk, printed and read back.

use crate::last;
use rewright_semantics::ast::{Decimal, Proc};
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Limits};
use rewright_semantics::inputs::{
    Given, Input, InputValue, Obstacle, Search, Subject, generate, parse_args, shrink,
};
use rewright_semantics::sym::Name;
use std::collections::BTreeSet;

/// Many inputs of a procedure; each satisfies its assertions, and comes back from its text.
fn inputs(p: &Proc, count: u64) -> Vec<Input> {
    (0..count)
        .map(|seed| {
            let input = generate(p, &Given::default(), seed, Search::default()).unwrap();
            assert_eq!(generate(p, &Given::default(), seed, Search::default()).as_ref(), Ok(&input));
            accepted(p, &input);
            let words: Vec<String> = input.to_string().split(' ').map(str::to_owned).collect();
            let given = parse_args(&words, p).unwrap_or_else(|e| panic!("{e}: {input}"));
            assert_eq!(given, Given::from(&input), "{input}");
            assert_eq!(generate(p, &given, seed + 1, Search::default()).as_ref(), Ok(&input));
            input
        })
        .collect()
}

/// The interpreter accepts the input at the procedure's entry.
fn accepted(p: &Proc, input: &Input) {
    let (args, st) = input.store::<RationalDomain>(p);
    if let Err(fault) = Denotation::<RationalDomain>::of(p).call(&args, st, Limits::statements(10_000)) {
        assert!(!fault.rejects_input(), "{fault}: {input}");
    }
}

fn int(input: &Input, name: &str) -> i64 {
    match input.args.iter().find(|(n, _)| n.as_str() == name) {
        Some((_, InputValue::Int(n))) => *n,
        other => panic!("{other:?}"),
    }
}

fn with_assertions(args: &str, asserts: &[&str]) -> std::sync::Arc<Proc> {
    let asserts: String = asserts.iter().map(|a| format!("    assert {a}\n")).collect();
    last(&format!(
        "
@config
class Cfg:
    a: size
    b: index
    on: bool
    scale: f32

@proc
def f({args}):
{asserts}    pass
"
    ))
}

/// [rule: inputs], [rule: inputs.text].
#[test]
fn assertions_are_satisfied() {
    for asserts in [
        &["n % 8 == 0"][..],
        &["n == 4 * m"],
        &["n == 4 * m + 3", "m > 2"],
        &["n % 64 == 5"],
        &["(n + 3) % 16 == 0", "n > 100"],
        &["n >= 1000", "n <= 1010"],
        &["n / 8 == m", "n % 8 == 7"],
        &["n + m == k", "k < 20"],
        &["n == m and m == k"],
        &["n <= m or k == 1", "n > m"],
        &["not n < 5", "4 * n - 3 * m == 1"],
        &["Cfg.a == n", "Cfg.b < 0", "Cfg.on == True"],
        &["n % 12 == 0", "n % 16 == 0", "m % 48 == 1"],
        &["n < m", "m < k", "k <= 3"],
        &["n > 4095"],
        &["-n < -20"],
    ] {
        let p = with_assertions("n: size, m: size, k: index", asserts);
        inputs(&p, 12);
    }
}

#[test]
fn sizes_vary_and_literals_matter() {
    let p = last(
        "
@proc
def f(n: size, x: R[n]):
    for i in seq(0, n / 16):
        for j in seq(0, 16):
            x[16 * i + j] = 0.0
",
    );
    let sizes: BTreeSet<i64> = inputs(&p, 60).iter().map(|i| int(i, "n")).collect();
    assert!(sizes.contains(&1) && sizes.len() > 10, "{sizes:?}");
    assert!(sizes.contains(&16) || sizes.contains(&32), "{sizes:?}");
}

#[test]
fn windows_lie_anywhere_unless_asserted() {
    let free = with_assertions("n: size, x: [f32][n, 4]", &[]);
    let layouts: BTreeSet<String> =
        inputs(&free, 40).iter().map(|i| format!("{:?}", i.buffer("x".into()).unwrap().layout)).collect();
    assert!(layouts.contains("None") && layouts.len() > 10, "{layouts:?}");
    let p = with_assertions(
        "n: size, x: [f32][n, 4], s: stride",
        &["stride(x, 1) == 1", "stride(x, 0) == s", "s == 9"],
    );
    for input in inputs(&p, 20) {
        let layout = input.buffer("x".into()).unwrap().layout.clone();
        // With one row, the stride between rows shows nothing, but it is asserted all the same.
        assert_eq!(layout.unwrap().strides, [9, 1]);
    }
    let tensor = with_assertions("n: size, m: size, x: f32[n, m]", &["stride(x, 0) == 6"]);
    assert!(inputs(&tensor, 10).iter().all(|i| int(i, "m") == 6));
}

#[test]
fn what_cannot_be_satisfied_is_said() {
    for asserts in [
        ["n < 10", "n == m", "n > 2 * m"],
        ["n % 8 == 0", "n < 8", "m < 10"],
        ["m < 10", "n % 8 == 0", "n < 8"],
        ["m > n", "n > m", "n < 100"],
    ] {
        let p = with_assertions("n: size, m: size", &asserts);
        let stuck = generate(&p, &Given::default(), 1, Search::default()).unwrap_err();
        let Some(Obstacle::Assertion(named)) = stuck.because else { panic!("{stuck:?}") };
        let words = format!("assertion {}, `{}`, stood in the way", named + 1, asserts[named]);
        assert!(stuck.tried > 0 && stuck.to_string().contains(&words), "{stuck}");
        // Without it there is an input: it is not one that merely fails often.
        let others: Vec<&str> = asserts.iter().copied().filter(|a| *a != asserts[named]).collect();
        inputs(&with_assertions("n: size, m: size", &others), 3);
    }
    let p = with_assertions("n: size, m: size, x: [R][4, 4]", &["stride(x, 0) == 2", "stride(x, 1) == 1"]);
    assert!(generate(&p, &Given::default(), 1, Search::default()).is_err());
}

#[test]
fn what_is_given_is_kept_and_decides_the_rest() {
    let p = with_assertions("n: size, m: size, x: R[n, m + 1], b: bool", &["Cfg.a == m"]);
    let given = parse_args(&["x=[[1,2.5,-3e2],[_,.5,0]]".to_owned()], &p).unwrap();
    let input = generate(&p, &given, 3, Search::default()).unwrap();
    assert_eq!((int(&input, "n"), int(&input, "m")), (2, 2));
    assert!(input.to_string().contains("x=[[1,2.5,-300],[_,0.5,0]]"), "{input}");
    assert!(input.to_string().contains("Cfg.a=2"), "{input}");
    let clash = parse_args(&["n=3".to_owned(), "x=[[1],[2]]".to_owned()], &p).unwrap();
    assert!(generate(&p, &clash, 3, Search::default()).is_err());
}

#[test]
fn mistakes_are_explained() {
    let p = with_assertions(
        "n: size, i: index, b: bool, s: f32, x: R[n], w: [R][n, 2], a: i8[2]",
        &["Cfg.a == 1"],
    );
    let error = |text: &str| parse_args(&[text.to_owned()], &p).unwrap_err().to_string();
    for (text, message) in [
        ("n", "`n` is not of the form name=value"),
        ("q=1", "`f` has no argument `q`; it has `n`, `i`, `b`, `s`, `x`, `w`, `a`, `Cfg.a`"),
        ("n=0", "`n` is an integer above 0 (size), and `0` is given"),
        ("i=1.5", "`i` is an integer (index), and `1.5` is given"),
        ("b=1", "`b` is True or False (bool), and `1` is given"),
        ("s=[1]", "`s` is a number, and a list of numbers is given"),
        ("x=[1,[2]]", "`x`: the rows of a list must be equally long"),
        ("x=[1,2", "`x`: expected `,` or `]` at `the end`"),
        ("x=[1,a]", "`x`: expected a number at `a]`"),
        ("x=[1]@[2]", "`x` is a tensor, which lies densely, and a layout is given"),
        ("w=[[1,2],[3,4]]@[1,1]", "`w`: these strides do not suit its shape"),
        ("w=[[1,2],[3,4]]@[4]", "`w`: expected `,`: one stride for each dimension at `]`"),
        ("a=[1,200]", "`a` is i8, from -128 to 127, and `200` is given"),
        ("a=[1,0.5]", "`a` is i8, from -128 to 127, and `0.5` is given"),
        ("s=1e99999999999", "`s`: expected a smaller exponent at `the end`"),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    let twice = parse_args(&["n=1".to_owned(), "n=2".to_owned()], &p).unwrap_err();
    assert_eq!(twice.to_string(), "`n` is given twice");
}

#[test]
fn arguments_never_panic() {
    let p = with_assertions("n: size, x: [R][n, 2]", &[]);
    let pieces =
        ["[", "]", ",", "_", "@", "+", "-", "1", "9999999999999999999", ".", "e", " ", "é", "[[1,2],[3,4]]"];
    let mut rng = rewright_semantics::inputs::rng::Rng::new(5);
    for _ in 0..20_000 {
        let text: String =
            (0..rng.below(9)).map(|_| pieces[usize::try_from(rng.below(14)).unwrap()]).collect();
        if let Ok(given) = parse_args(&[format!("x={text}")], &p) {
            let _ = generate(&p, &given, 0, Search { max_cells: 100, budget: 100 });
        }
    }
}

#[test]
fn shrinking_finds_the_smallest() {
    let p = with_assertions("n: size, m: size, b: bool, x: R[n], w: [R][m, n]", &["n % 4 == 0", "m > n"]);
    for seed in 0..10 {
        let start = generate(&p, &Given::default(), seed, Search::default()).unwrap();
        let small = shrink(&p, &start, &mut |_| true, 1000);
        accepted(&p, &small);
        let data = "x=[0,0,0,0] w=[[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,0]]";
        assert_eq!(small.to_string(), format!("n=4 m=5 b=False {data}"));
    }
    let one = Some(Decimal::new(3, 0));
    let has_three = |input: &Input| input.buffer("x".into()).unwrap().cells.contains(&one);
    let start = (0..50)
        .filter_map(|seed| generate(&p, &Given::default(), seed, Search::default()).ok())
        .find(|i| has_three(i) && int(i, "n") > 4)
        .unwrap();
    let small = shrink(&p, &start, &mut |i| has_three(i), 1000);
    assert!(has_three(&small));
    let cells = &small.buffer("x".into()).unwrap().cells;
    assert_eq!(cells.iter().filter(|c| **c != Some(Decimal::new(0, 0))).count(), 1, "{small}");
}

#[test]
fn empty_buffers_are_written_and_read() {
    let p = with_assertions("n: size, m: size, x: R[n, m - 1], w: [R][m - 1, n]", &["n == 3"]);
    let given = parse_args(&["m=1".to_owned()], &p).unwrap();
    let input = generate(&p, &given, 0, Search::default()).unwrap();
    assert!(input.to_string().starts_with("n=3 m=1 x=[] w=[]"), "{input}");
    accepted(&p, &input);
    let again = parse_args(&["x=[]".to_owned()], &p).unwrap();
    let again = generate(&p, &again, 0, Search::default()).unwrap();
    assert_eq!((int(&again, "n"), int(&again, "m")), (3, 1));
    assert_eq!(again.buffer("x".into()), input.buffer("x".into()));
}

#[test]
fn a_pair_shares_its_fields() {
    let module = crate::module(
        "
@config
class Cfg:
    k: size
    s: f32

@proc
def old(x: f32):
    x = 1.0

@proc
def new(x: f32):
    for i in seq(0, Cfg.k):
        x = Cfg.s
",
    );
    let (old, new) = (module.proc("old").unwrap(), module.proc("new").unwrap());
    let subject = Subject::pair(old, new);
    let input = subject.generate(&Given::default(), 1, Search::default()).unwrap();
    assert_eq!(input.fields.len(), 2);
    let small = subject.shrink(&input, &mut |i| i.fields.len() == 2, 100);
    assert!(small.to_string().ends_with("Cfg.k=1 Cfg.s=0"), "{small}");
}

#[test]
fn what_is_too_large_is_said() {
    let p = with_assertions("n: size, x: R[n, n]", &[]);
    let given = parse_args(&["n=1000000".to_owned()], &p).unwrap();
    let why = generate(&p, &given, 0, Search::default()).unwrap_err();
    assert_eq!(why.because, Some(Obstacle::Cells(Name::new("x"), 1 << 22)));
    assert!(why.to_string().contains("`x` would have more than 4194304 cells"), "{why}");
}

/// [rule: inputs.text].
#[test]
fn fields_that_were_never_set() {
    let p = last(
        "
@config
class Cfg:
    k: index
    s: f32

@proc
def f(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = Cfg.s
    if n < 0:
        Cfg.k = 1
",
    );
    let subject = Subject::of(&p);
    let mut seen = BTreeSet::new();
    for seed in 0..20 {
        let whole = subject.generate(&Given::default(), seed, Search::default()).unwrap();
        let input = subject.with_fields_unset(&whole, seed).unwrap();
        let unset: Vec<String> =
            input.fields.iter().filter(|(_, v)| v.is_unset()).map(|(k, _)| k.to_string()).collect();
        assert!(!unset.is_empty() && input.args == whole.args);
        let (_, st) = input.store_for::<RationalDomain>(&subject);
        assert_eq!(st.globals().count(), 2 - unset.len());
        let words: Vec<String> = input.to_string().split(' ').map(str::to_owned).collect();
        assert_eq!(parse_args(&words, &p).unwrap(), Given::from(&input));
        assert_eq!(generate(&p, &Given::from(&input), 7, Search::default()).as_ref(), Ok(&input));
        // What is not set stays so while the rest becomes small.
        let same = |i: &Input| i.fields.iter().all(|(k, v)| v.is_unset() == unset.contains(&k.to_string()));
        let least = int(&input, "n").min(3);
        let small = subject.shrink(&input, &mut |i| same(i) && int(i, "n") >= least, 1_000);
        assert!(same(&small) && int(&small, "n") == least, "{small}");
        seen.insert(unset);
    }
    assert_eq!(seen.len(), 3, "{seen:?}");
    assert_eq!(Subject::of(&last("@proc\ndef f(x: f32):\n    x = 0.0\n")).fields().count(), 0);
}

#[test]
fn shrinking_is_bounded() {
    let p = with_assertions("n: size, x: R[n]", &[]);
    let start = generate(&p, &Given::default(), 4, Search::default()).unwrap();
    let mut asked = 0;
    shrink(
        &p,
        &start,
        &mut |_| {
            asked += 1;
            false
        },
        10,
    );
    assert!(asked <= 10);
}
