//! Programs and what they denote.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod equiv;
mod faults;
mod inputs;
mod limits;
mod random;
mod trace;

use num_traits::AsPrimitive;
use rewright_semantics::ast::{Decimal, Module, Proc};
use rewright_semantics::build;
use rewright_semantics::data::Datum;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::Interpreted;
use rewright_semantics::denote::{Denotation, Fault, Limits, Outcome, exec_block, exec_stmt};
use rewright_semantics::diag::has_errors;
use rewright_semantics::inputs::{Given, Input, InputBuffer, InputValue, Search, generate, parse_args};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::store::{Buffer, ConfigKey, Store, Window};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::DataType;
use rewright_semantics::value::Val;
use std::sync::Arc;

/// The definitions in a text.
fn module(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("test.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(!has_errors(&parsed.diagnostics), "{:#?}", parsed.diagnostics);
    parsed.module
}

/// The last procedure in a text.
fn last(text: &str) -> Arc<Proc> {
    module(text).procs.last().unwrap().clone()
}

fn words(args: &str) -> Vec<String> {
    args.split_whitespace().map(str::to_owned).collect()
}

/// The input these arguments describe; ⊥ in all buffers that are not given.
fn input(p: &Proc, args: &str) -> Input {
    let given: Given = parse_args(&words(args), p).unwrap();
    generate(p, &given, 0, Search::default()).unwrap()
}

struct Ran<D: Interpreted> {
    args: Vec<(Name, Val<D::Value>)>,
    outcome: Result<Outcome<D::Value>, Box<Fault>>,
}

fn run_in<D: Interpreted>(text: &str, args: &str) -> Ran<D> {
    let p = last(text);
    let input = input(&p, args);
    let (values, st) = input.store::<D>(&p);
    let outcome = Denotation::<D>::of(&p).call(&values, st, Limits::statements(100_000));
    let names = p.args.iter().map(|a| a.name.name());
    Ran { args: names.zip(values).collect(), outcome }
}

fn run(text: &str, args: &str) -> Ran<RationalDomain> {
    run_in(text, args)
}

impl<D: Interpreted> Ran<D> {
    /// The cells of an argument afterwards, as text.
    fn cells(&self, name: &str) -> String {
        let outcome = self.outcome.as_ref().unwrap_or_else(|f| panic!("{f}"));
        let (_, Val::Window(w)) = self.args.iter().find(|(n, _)| n.as_str() == name).unwrap() else {
            panic!("{name} is not a buffer");
        };
        let cells = w.indices().map(|i| outcome.store.read(w, &i).unwrap().to_string());
        cells.collect::<Vec<_>>().join(" ")
    }

    fn fault(&self) -> &Fault {
        match &self.outcome {
            Ok(_) => panic!("no fault"),
            Err(fault) => fault,
        }
    }
}

/// [rule: denotation], [rule: run.stmt], [rule: run.expr], [rule: data.symbolic].
#[test]
fn gemm_multiplies() {
    let text = "
@proc
def gemm(M: size, N: size, K: size, A: f32[M, K], B: f32[K, N], C: f32[M, N]):
    for i in seq(0, M):
        for j in seq(0, N):
            for k in seq(0, K):
                C[i, j] += A[i, k] * B[k, j]
";
    let ran = run(text, "A=[[1,2],[3,4]] B=[[5,6],[7,8]] C=[[0,0],[0,1]]");
    assert_eq!(ran.cells("C"), "19 22 43 51");
    assert_eq!(ran.outcome.unwrap().statements, 8 + 4 + 2 + 1);
    let symbolic = run_in::<SymbolicDomain>(text, "M=1 N=1 K=2");
    assert_eq!(symbolic.cells("C"), "A[0,0]*B[0,0] + A[0,1]*B[1,0] + C[0,0]");
}

/// [rule: run.for].
#[test]
fn loops_run_from_low_to_high_and_not_at_all_when_empty() {
    let text = "
@proc
def f(n: size, x: R[n]):
    for i in seq(0, n):
        for j in seq(i, 2):
            x[i] += 1.0
    for i in seq(3, 3):
        x[100] = 1.0
    for i in seq(3, -5):
        x[100] = 1.0
";
    assert_eq!(run(text, "x=[0,0,0,0]").cells("x"), "2 1 0 0");
    assert_eq!(run(text, "x=[0]").cells("x"), "2");
}

/// [rule: run.for].
#[test]
fn bounds_are_evaluated_once() {
    let text = "
@config
class Cfg:
    n: size

@proc
def f(x: R):
    Cfg.n = 3
    for i in seq(0, Cfg.n):
        x += 1.0
        Cfg.n = 1
";
    assert_eq!(run(text, "x=0").cells("x"), "3");
}

/// [rule: run.write-config], [rule: run.config].
#[test]
fn a_config_written_in_one_iteration_is_read_in_the_next() {
    let text = "
@config
class Cfg:
    k: index

@proc
def f(x: R[4]):
    Cfg.k = 0
    for i in seq(0, 4):
        x[i] = 0.0
        if Cfg.k == i:
            x[i] = 1.0
            Cfg.k = i + 2
";
    assert_eq!(run(text, "x=[9,9,9,9]").cells("x"), "1 0 1 0");
}

/// [rule: run.scope], [rule: run.block].
#[test]
fn shadowing_binds_the_nearest() {
    let text = "
@proc
def f(n: size, x: R[n]):
    for i in seq(0, n):
        x[i] = 1.0
        for i in seq(0, 1):
            x[i] += 10.0
        x[i] += 100.0
        y: R
        y = 5.0
        if i == 0:
            y: R
            y = 6.0
            x[i] += y
        x[i] += y
";
    assert_eq!(run(text, "x=[0,0]").cells("x"), "132 106");
}

/// [rule: run.if].
#[test]
fn else_branches_run_when_the_condition_is_false() {
    let text = "
@proc
def f(n: size, x: R[n]):
    for i in seq(0, n):
        if i < 2 and not i == 0:
            x[i] = 1.0
        else:
            if i % 2 == 0:
                x[i] = 2.0
            else:
                pass
";
    assert_eq!(run(text, "x=[0,0,0,0]").cells("x"), "2 1 2 0");
}

/// [rule: run.window], [rule: run.window-stmt], [rule: stores.windows].
#[test]
fn windows_of_windows_show_the_cells_at_the_root() {
    let text = "
@proc
def put(w: [R][2]):
    for i in seq(0, 2):
        w[i] += 10.0

@proc
def f(A: R[4, 5]):
    y = A[1:4, 2]
    z = y[1:3]
    z[0] = 7.0
    put(z)
    put(A[0, 1:3])
    s: [R] = y[0]
    s = 3.0
    put(A[2:4, 4])
";
    let zeros = "[[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]";
    let expected = "0 10 10 0 0 0 0 3 0 0 0 0 17 0 10 0 0 10 0 10";
    assert_eq!(run(text, &format!("A={zeros}")).cells("A"), expected);
}

/// [rule: run.stride].
#[test]
fn strides_are_those_of_the_window() {
    let text = "
@proc
def g(w: [R][3], o: [R]):
    if stride(w, 0) == 5:
        o = 1.0

@proc
def f(A: R[4, 5], o: R):
    o = 0.0
    y = A[1:4, 2]
    if stride(A, 0) == 5 and stride(A, 1) == 1:
        g(y, o)
";
    assert_eq!(run(text, "o=9").cells("o"), "1");
    let window = "
@proc
def f(w: [R][2], o: R):
    if stride(w, 0) == 7:
        o = 1.0
";
    assert_eq!(run(window, "w=[1,2]@[7]+3 o=0").cells("o"), "1");
    assert_eq!(run(window, "w=[1,2]@[3]+3 o=0").cells("o"), "0");
}

/// [rule: run.call].
#[test]
fn cells_are_passed_by_reference_and_locals_restored() {
    let text = "
@proc
def inc(i: index, x: R):
    for k in seq(0, i):
        x += 1.0

@proc
def f(A: R[3]):
    for i in seq(0, 3):
        inc(i + 1, A[2 - i])
        A[i] += 10.0
";
    assert_eq!(run(text, "A=[0,0,0]").cells("A"), "13 12 11");
}

/// [rule: run.alloc], [rule: run.data], [rule: values.datum].
#[test]
fn fresh_buffers_are_unknown_and_spread_it() {
    let text = "
@proc
def f(x: R[3]):
    t: R[2]
    t[0] = 1.0
    x[0] = t[0]
    x[1] = t[1] * 0.0
    x[2] += t[1]
";
    assert_eq!(run(text, "x=[5,5,5]").cells("x"), "1 ⊥ ⊥");
    let again = "
@proc
def f(x: R[3]):
    for i in seq(0, 3):
        t: R
        x[i] = t
        t = 1.0
";
    assert_eq!(run(again, "x=[5,5,5]").cells("x"), "⊥ ⊥ ⊥");
}

/// [rule: data.machine], [rule: data.cast].
#[test]
fn the_machine_rounds_casts_and_wraps() {
    let text = "
@proc
def f(a: i8[3], x: f32[3], d: f64[2], u: ui8[1]):
    a[0] += 100.0
    a[1] = a[1] * a[1]
    a[2] = x[0]
    x[1] += x[2]
    d[0] = x[1]
    d[1] = d[1] + 0.1
    u[0] = -1.0
";
    let args = "a=[100,100,0] x=[-2.9,16777216,1] d=[0,0.2] u=[0]";
    let ran = run_in::<MachineDomain>(text, args);
    assert_eq!(ran.cells("a"), "-56 16 -2");
    assert_eq!(ran.cells("x"), "-2.9 16777216 1");
    assert_eq!(ran.cells("d"), "16777216 0.30000000000000004");
    assert_eq!(ran.cells("u"), "255");
    let exact = run(text, args);
    assert_eq!(exact.cells("a"), "200 10000 -29/10");
    assert_eq!(exact.cells("x"), "-29/10 16777217 1");
}

/// [rule: data.literal].
#[test]
fn literals_take_the_precision_of_the_expression() {
    let text = "
@proc
def f(x: f32[2], d: f64[1]):
    d[0] = x[0] * 0.1
    x[1] = d[0] * 0.1
";
    let ran = run_in::<MachineDomain>(text, "x=[1,0] d=[0]");
    assert_eq!(ran.cells("d"), f64::from(0.1f32).to_string());
    let rounded: f32 = (f64::from(0.1f32) * 0.1).as_();
    assert_eq!(ran.cells("x"), format!("1 {rounded}"));
}

#[test]
fn deep_programs_do_not_exhaust_the_stack() {
    let x = Sym::fresh("x");
    let mut e = build::data(1, 0);
    for _ in 0..20_000 {
        e = build::add(e, build::data(1, 0));
    }
    let mut st = Store::<Rational>::new();
    let loc = st.allocate(Buffer::unknown("x".into(), DataType::R, &[], 1).unwrap());
    st.bind(x, Val::Window(Window::whole(loc, &[])));
    let s = build::assign(x, [], e.clone());
    let after = exec_stmt::<RationalDomain>(&s, st, Limits::default()).unwrap().store;
    let cell = after.read(&Window::whole(loc, &[]), &[]);
    assert_eq!(cell, Some(&Datum::Known(Rational::int(20_001))));
    // Dropping so deep a tree is not the interpreter's business.
    std::mem::forget((s, e));
}

/// [rule: stores], [rule: run.block].
#[test]
fn statements_are_functions_of_stores() {
    let p = last(
        "
@config
class Cfg:
    n: index

@proc
def f(n: size, x: R[n]):
    t: R[n]
    t[0] = x[n - 1]
    y = t[0:1]
    y[0] += 1.0
    x[0] = t[0]
    Cfg.n = n
",
    );
    let input = Input {
        args: vec![
            ("n".into(), InputValue::Int(2)),
            (
                "x".into(),
                InputValue::Data(InputBuffer {
                    shape: vec![2],
                    cells: vec![Some(Decimal::new(1, 0)), Some(Decimal::new(2, 0))],
                    layout: None,
                }),
            ),
        ],
        fields: [].into(),
    };
    let (values, mut st) = input.store::<RationalDomain>(&p);
    for (arg, value) in p.args.iter().zip(&values) {
        st.bind(arg.name, value.clone());
    }
    let before = st.clone();
    let at_once = exec_block::<RationalDomain>(&p.body, st.clone(), Limits::default()).unwrap();
    for s in &p.body {
        st = exec_stmt::<RationalDomain>(s, st, Limits::default()).unwrap().store;
    }
    assert_eq!(st, at_once.store, "S⟦s1; s2⟧ = S⟦s2⟧ ∘ S⟦s1⟧");
    let key = ConfigKey { config: "Cfg".into(), field: "n".into() };
    assert_eq!(st.global(key), Some(&Val::Int(2)));
    let Val::Window(x) = &values[1] else { panic!() };
    assert_eq!(st.read(x, &[0]), Some(&Datum::Known(Rational::int(3))));
    assert_eq!(before.read(x, &[0]), Some(&Datum::Known(Rational::int(1))), "stores are persistent");
    let sum =
        rewright_semantics::denote::eval_expr::<RationalDomain>(&build::add(p.args[0].name, 5), &st).unwrap();
    assert_eq!(sum, Val::Int(7));
}
