//! Which versions are the same, and up to what. Spec: [rule: rounding].

use rewright_primitives::equivalence::{Apart, equivalent_modulo};
use rewright_primitives::ops::add_assertion::add_assertion;
use rewright_primitives::ops::delete_buffer::delete_buffer;
use rewright_primitives::ops::divide_loop::{Tail, divide_loop};
use rewright_primitives::ops::inline::inline;
use rewright_primitives::ops::partial_eval::partial_eval;
use rewright_primitives::ops::rename::rename;
use rewright_primitives::ops::replace::replace;
use rewright_primitives::ops::replace_all::replace_all;
use rewright_primitives::ops::set_precision::set_precision;
use rewright_primitives::ops::write_config::write_config;
use rewright_primitives::registry::Value;
use rewright_primitives::version::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

const TEXT: &str = "
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        x[i] = 0.0

@proc
def q(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        x[i] = 0.0
";

fn module() -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("test", TEXT);
    parse_module(file, &sources, &Prelude::standard()).module
}

fn root(m: &Module, name: &str) -> Proc {
    Proc::root(m.proc(name).unwrap().clone())
}

#[test]
fn versions_are_equal_as_far_as_their_steps_say() {
    let m = module();
    let p = root(&m, "p");
    let divided = divide_loop(&p, "i", 4, ["io", "ii"], Tail::Guard).unwrap();
    let renamed = rename(&p, "r").unwrap();
    assert!(p.is_eq(&p) && p.is_eq(&divided) && divided.is_eq(&p) && divided.is_eq(&renamed));
    assert!(!p.is_eq(&root(&m, "q")));
    // Equal texts, but for one's being a version of the other.
    assert!(p.is_eq(&root(&m, "p")));
    let precise = set_precision(&p, "t", "f64").unwrap();
    assert!(!p.is_eq(&precise));
    // Spec: [rule: rounding].
    let there = equivalent_modulo(p.ast(), &rename(&precise, "r").unwrap()).unwrap();
    assert_eq!((there.rounded, there.rounding), (true, vec!["`t` is f64 in place of f32".to_owned()]));
    assert!(!p.is_eq(&add_assertion(&p, "n > 3").unwrap()));
    assert!(!p.is_eq(&partial_eval(&p, &Value::Named(vec![("n".to_owned(), Value::Int(4))])).unwrap()));
    let config = &m.configs[0];
    let loop_ = p.find_loop("i").unwrap();
    let polluted = write_config(&p, loop_.before().unwrap(), config, "k", "n").unwrap();
    assert!(!p.is_eq(&polluted));
    let between = equivalent_modulo(p.ast(), &polluted).unwrap();
    assert_eq!(between.modulo.len(), 1);
    assert_eq!(equivalent_modulo(polluted.ast(), &divided).unwrap().modulo, between.modulo);
}

const FUSED: &str = "
@instr(\"f({dst_data}, {a_data}, {b_data});\", rounds=\"fused\")
def fmadd(dst: [f32][8], a: [f32][8], b: [f32][8]):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]

@proc
def halves(dst: f32, a: [f32][4]):
    t: f32[2]
    for i in seq(0, 2):
        t[i] = a[i] + a[2 + i]
    dst += t[0] + t[1]

@instr(\"{dst_data} += sum({a_data});\", rounds=halves)
def total(dst: f32, a: [f32][4]):
    for i in seq(0, 4):
        dst += a[i]

@proc
def twice(x: f32[8], y: f32[8], s: f32):
    for i in seq(0, 8):
        y[i] += x[i] * x[i]
    for j in seq(0, 8):
        y[j] = fma(x[j], x[j], y[j])
    for k in seq(0, 4):
        s += x[k]
";

/// A call in place of the body rounds otherwise, one in place of what rounds alike does not. Spec:
/// [rule: instructions.rounding].
#[test]
fn a_fused_instruction_rounds_otherwise_than_its_body() {
    let mut sources = SourceMap::new();
    let file = sources.add("test", FUSED);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let [p, fmadd, total] = ["twice", "fmadd", "total"].map(|name| root(&parsed.module, name));
    let clauses = |old: &Proc, new: &Proc| equivalent_modulo(old.ast(), new).unwrap().rounding;

    let by_body = replace(&p, "for i in _: _", &fmadd).unwrap();
    let why =
        "`fmadd` rounds a product and its sum once, and the statements it stands for after each operation";
    assert_eq!(clauses(&p, &by_body), [why]);
    assert!(!p.is_eq(&by_body));

    let alike = replace(&by_body, "for j in _: _", &fmadd).unwrap();
    assert!(by_body.is_eq(&alike), "{alike}");

    let summed = replace(&alike, "for k in _: _", &total).unwrap();
    assert_eq!(clauses(&alike, &summed).len(), 1);
    let back = inline(&alike, "fmadd(_)").unwrap();
    assert_eq!(
        clauses(&alike, &back),
        ["`fmadd` rounds a product and its sum once, and its body after each operation"]
    );

    let all = replace_all(&p, &[fmadd, total]).unwrap();
    assert!(!p.is_eq(&all));
    assert_eq!(clauses(&p, &all).len(), 2);
}

#[test]
fn only_exact_steps_are_taken_back() {
    let m = module();
    let p = root(&m, "p");
    let without = delete_buffer(&p, "t").unwrap();
    let other = divide_loop(&p, "i", 4, ["io", "ii"], Tail::Guard).unwrap();
    // The one was made of the other, and so they are equal, whichever is asked.
    assert!(p.is_eq(&without) && without.is_eq(&p));
    assert!(equivalent_modulo(p.ast(), &without).is_ok());
    assert_eq!(equivalent_modulo(without.ast(), &p).unwrap_err(), Apart::Inexact("delete_buffer"));
    assert_eq!(equivalent_modulo(without.ast(), &other).unwrap_err(), Apart::Inexact("delete_buffer"));
    assert!(equivalent_modulo(other.ast(), &without).is_ok());
}
