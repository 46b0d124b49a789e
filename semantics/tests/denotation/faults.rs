//! Programs and the errors they end in.

use super::{input, last, run};
use rewright_semantics::build;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::denote::{Denotation, FaultClass, FaultKind, Limits, Location, exec_stmt};
use rewright_semantics::store::{Buffer, Dim, Store, Window};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::DataType;
use rewright_semantics::value::Val;

/// [rule: run.read], [rule: run.bounds], [rule: faults].
#[test]
fn out_of_bounds_says_where() {
    let text = "
@proc
def g(w: [R][2], i: index):
    w[i] = 0.0

@proc
def f(n: size, x: R[n, 4]):
    g(x[0, 1:3], n)
";
    let ran = run(text, "n=2");
    let fault = ran.fault();
    assert_eq!(fault.class(), FaultClass::MemError);
    let expected = FaultKind::OutOfBounds { buffer: "w".into(), indices: vec![2], shape: vec![2] };
    assert_eq!(fault.kind, expected);
    assert_eq!(fault.calls.len(), 1);
    assert_eq!(fault.to_string(), "`w[2]` is outside of `w`, whose shape is [2], in a call of `g`");
    assert!(!fault.span.is_none() && !fault.rejects_input());
}

/// The strides of a window without cells may be anything, also such that a cell would be beyond 64 bits.
/// [rule: run.bounds], [rule: stores.windows].
#[test]
fn an_access_of_an_empty_window_does_not_overflow() {
    let p = last("@proc\ndef f(n: size, x: [R][5, n - 1]):\n    x[4, 0] = x[4, n]\n");
    let mut st = Store::new();
    let buffer = Buffer::unknown("x".into(), DataType::R, &[1], 1).expect("one cell");
    let loc = st.allocate(buffer);
    let dims = vec![Dim { extent: 5, stride: 1 << 62 }, Dim { extent: 0, stride: 1 }];
    let args = [Val::Int(1), Val::Window(Window { loc, offset: i64::MAX, dims })];
    let fault = Denotation::<RationalDomain>::of(&p).call(&args, st, Limits::default()).expect_err("no cell");
    let expected = FaultKind::OutOfBounds { buffer: "x".into(), indices: vec![4, 1], shape: vec![5, 0] };
    assert_eq!(fault.kind, expected);
}

/// [rule: run.assign], [rule: run.reduce], [rule: run.bounds], [rule: run.extent].
#[test]
fn every_way_out_of_bounds_is_a_memory_error() {
    for body in [
        "x[n] = 0.0",
        "x[0 - 1] = 0.0",
        "x[0] = x[n]",
        "x[0] += x[n]",
        "y = x[0:n + 1]",
        "y = x[2:1]",
        "y = x[-1:1]",
        "y: [R] = x[n]",
        "t: R[n - 9]",
        "g(x[0:1])",
        "h(0)",
    ] {
        let text = format!(
            "
@proc
def g(w: [R][2]):
    pass

@proc
def h(n: index):
    assert n > 0
    pass

@proc
def f(n: size, x: R[n]):
    {body}
"
        );
        assert_eq!(run(&text, "n=2").fault().class(), FaultClass::MemError, "{body}");
    }
}

/// [rule: run.proc], [rule: run.entry], [rule: run.assert], [rule: run.size], [rule: run.shape], [rule: values.size].
#[test]
fn broken_preconditions_reject_the_input_only_at_the_outermost_call() {
    let text = "
@proc
def g(n: size):
    assert n > 1
    pass

@proc
def f(n: size, x: R[n]):
    assert n % 2 == 0
    g(n - 1)
";
    let p = last(text);
    let call = |n: i64, len: i64| {
        let mut st = Store::<Rational>::new();
        let buffer = Buffer::unknown("x".into(), DataType::R, &[len], 100).unwrap();
        let loc = st.allocate(buffer);
        let args = [Val::Int(n), Val::Window(Window::whole(loc, &[len]))];
        Denotation::<RationalDomain>::of(&p).call(&args, st, Limits::default())
    };
    let rejects = |n, len| call(n, len).unwrap_err().rejects_input();
    assert!(rejects(3, 3) && rejects(0, 0) && rejects(4, 5));
    assert!(!rejects(2, 2), "the fault is inside of g");
    assert!(call(4, 4).is_ok());
    assert!(matches!(call(3, 3).unwrap_err().kind, FaultKind::AssertFailed { number: 0, .. }));
    assert!(matches!(call(4, 5).unwrap_err().kind, FaultKind::ShapeMismatch { .. }));
    let huge = Denotation::<RationalDomain>::of(&p).call(&[Val::Int(2)], Store::new(), Limits::default());
    assert_eq!(huge.unwrap_err().class(), FaultClass::TypeError);
}

/// [rule: values.unknown-control], [rule: run.unknown].
#[test]
fn a_decision_on_a_field_never_set_is_a_memory_error() {
    let text = |body: &str| {
        format!(
            "
@config
class Cfg:
    n: index
    b: bool
    m: index

@proc
def f(x: R[4]):
    {body}
"
        )
    };
    for body in
        ["if Cfg.b:\n        pass", "for i in seq(0, Cfg.n):\n        pass", "x[Cfg.n] = 0.0", "t: R[Cfg.n]"]
    {
        let p = last(&text(body));
        let st = input(&p, "");
        let (args, _) = st.store::<RationalDomain>(&p);
        let mut without = Store::new();
        without.allocate(Buffer::unknown("x".into(), DataType::R, &[4], 4).unwrap());
        let fault = Denotation::<RationalDomain>::of(&p).call(&args, without, Limits::default()).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::UnknownControl { .. }), "{body}: {fault}");
    }
    // Copying ⊥ decides nothing.
    let p = last(&text("Cfg.m = Cfg.n + 1"));
    let mut st = Store::new();
    let loc = st.allocate(Buffer::unknown("x".into(), DataType::R, &[4], 4).unwrap());
    let args = [Val::Window(Window::whole(loc, &[4]))];
    assert!(Denotation::<RationalDomain>::of(&p).call(&args, st, Limits::default()).is_ok());
}

/// [rule: run.par], [rule: run.race].
#[test]
fn races_are_found() {
    let race = |body: &str| {
        let text = format!(
            "
@config
class Cfg:
    n: index

@proc
def put(w: [R][2]):
    w[0] = 1.0

@proc
def f(x: R[8], s: R):
    for i in par(0, 4):
        {body}
"
        );
        run(&text, "x=[0,0,0,0,0,0,0,0] s=0").outcome.err().map(|f| f.kind)
    };
    for body in [
        "s = 1.0",
        "s += x[i]",
        "x[i] = x[i + 1]",
        "x[i + 1] = x[i]",
        "x[i / 2] = 1.0",
        "put(x[0:2])",
        "y = x[i:i + 2]\n        y[0] = 0.0\n        y[1] = 0.0",
        "Cfg.n = i",
        "for j in par(0, 2):\n            x[j] = 1.0",
        "for j in par(0, 2):\n            x[2 * i] = 1.0",
        "if i == 3:\n            x[0] = 1.0\n        else:\n            s = x[0]",
    ] {
        assert!(matches!(race(body), Some(FaultKind::Race { .. })), "{body}");
    }
    for body in [
        "x[i] = s",
        "x[i] += x[i + 4]",
        "put(x[2 * i:2 * i + 2])",
        "t: R\n        t = 1.0\n        x[i] = t",
        "for j in par(0, 2):\n            x[2 * i + j] += s",
        "for j in seq(0, 2):\n            x[i] += s",
        "t: R[2]\n        for j in par(0, 2):\n            t[j] = s\n        put(t)",
        "if Cfg.n == 0:\n            x[i] = 1.0",
    ] {
        assert_eq!(race(body), None, "{body}");
    }
}

/// [rule: run.race].
#[test]
fn a_race_names_both_iterations_and_the_cell_of_the_argument() {
    let text = "
@proc
def f(x: [R][4, 2]):
    for i in par(0, 3):
        y = x[1:4, 1]
        y[i] = 1.0
        x[i, 1] = 2.0
";
    let ran = run(text, "x=[[0,0],[0,0],[0,0],[0,0]]@[5,2]+3");
    let expected = FaultKind::Race {
        iter: "i".into(),
        first: 0,
        second: 1,
        place: Location::Cell { buffer: "x".into(), indices: vec![1, 1] },
        first_writes: true,
        second_writes: true,
    };
    assert_eq!(ran.fault().kind, expected);
    assert_eq!(
        ran.fault().to_string(),
        "iterations i = 0 and i = 1 of a par loop both touch `x[1, 1]`: both write"
    );
}

/// [rule: run.limit], [rule: run.overflow].
#[test]
fn runs_are_bounded() {
    let text = "
@proc
def f(n: size):
    for i in seq(0, 1000000):
        for j in seq(0, 1000000):
            pass
";
    let fault = run(text, "n=1").outcome.unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfFuel { limit: 100_000 });
    let text = "
@proc
def f(n: size):
    t: R[n, n, n]
";
    let fault = run(text, "n=100000").outcome.unwrap_err();
    assert!(matches!(fault.kind, FaultKind::OutOfMemory { .. }));
    let fault = run(text, "n=9000000000000000000").outcome.unwrap_err();
    assert!(matches!(fault.kind, FaultKind::OutOfMemory { .. }));
    let text = "
@proc
def f(n: size):
    if 2 * n > 0:
        pass
";
    let fault = run(text, "n=9000000000000000000").outcome.unwrap_err();
    assert_eq!((fault.class(), fault.kind.rule()), (FaultClass::Limit, "run.overflow"));
}

#[test]
fn memory_of_finished_blocks_is_free_again() {
    let text = "
@proc
def g(n: size):
    t: R[n]

@proc
def f(n: size, x: R):
    for i in seq(0, 100):
        t: R[n]
        g(n)
    x = 1.0
";
    let p = last(text);
    let (args, st) = input(&p, "n=1000 x=0").store::<RationalDomain>(&p);
    let limits = Limits { cells: 2000, ..Limits::default() };
    let outcome = Denotation::<RationalDomain>::of(&p).call(&args, st, limits).unwrap();
    assert_eq!(outcome.store.buffers().count(), 1);
}

/// [rule: run.type].
#[test]
fn ill_typed_programs_fail_when_they_get_there() {
    let (x, n) = (Sym::fresh("x"), Sym::fresh("n"));
    let mut st = Store::<Rational>::new();
    st.bind(n, Val::Int(0));
    let bad = build::assign(x, [], build::data(1, 0));
    let fault = exec_stmt::<RationalDomain>(&bad, st.clone(), Limits::default()).unwrap_err();
    assert_eq!(fault.class(), FaultClass::TypeError);
    let never = build::for_(Sym::fresh("i"), 0, n, [bad]);
    assert!(exec_stmt::<RationalDomain>(&never, st, Limits::default()).is_ok());
}
