use super::*;
use rewright_semantics::ast::{ExprKind, WinCoord};
use rewright_semantics::build::var;
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::SourceMap;

const PROGRAM: &str = "
@config
class Cfg:
    n: size

@proc
def set():
    Cfg.n = 4

@proc
def p(n: size, x: f32[n]):
    set()
    for i in seq(0, n):
        a: f32
        for i in seq(0, 4):
            a = 0.0
        for j in seq(0, 4):
            a = x[i]
";

fn read() -> Proc {
    root(PROGRAM)
}

/// The procedure `p` of a text.
fn root(text: &str) -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty());
    Proc::root(parsed.module.proc("p").unwrap().clone())
}

#[test]
fn names_are_those_just_before_the_place() {
    let p = read();
    let (loop_, inner) = (vec![Step::Body(1)], vec![Step::Body(1), Step::Body(1), Step::Body(0)]);
    assert_eq!(expr_to_string(&control(&p, &inner, "Cfg.n + n").unwrap()), "Cfg.n + n");
    assert!(data(&p, &inner, "a + x[i]").is_ok());
    assert!(control(&p, &inner, "j").unwrap_err().to_string().contains("no variable `j`"));
    assert!(control(&p, &loop_, "i").is_err());
    assert!(cond(&p, &loop_, "n < 4 and not n == 2").is_ok());
    assert!(window(&p, &loop_, "x[0:4]").is_ok());
    assert_eq!(p.visible_at(&inner).unwrap().len(), 5);
    assert!(p.visible_at(&[Step::Body(9), Step::Body(0)]).is_none());
}

#[test]
fn a_name_means_what_is_printed_so() {
    let p = read();
    let inner = vec![Step::Body(1), Step::Body(1), Step::Body(0)];
    let visible = p.visible_at(&inner).unwrap();
    let is: Vec<Sym> = visible.into_iter().filter(|x| x.name().as_str() == "i").collect();
    let meant = |text: &str| {
        let ExprKind::Read { name, .. } = control(&p, &inner, text).unwrap().kind else { panic!() };
        name
    };
    assert!(p.to_string().contains("for i_1 in seq(0, 4)"));
    assert_eq!([meant("i"), meant("i_1")], is[..]);
}

#[test]
fn a_window_is_of_the_innermost_buffer_of_its_name() {
    let p = root(
        "
@proc
def p(n: size, x: f32[n]):
    for n in seq(0, 4):
        x: f32[8]
        x[n] = 0.0
",
    );
    let at = vec![Step::Body(0), Step::Body(1)];
    let visible = p.visible_at(&at).unwrap();
    let w = window(&p, &at, "x[0:n]").unwrap();
    assert_eq!(Some(&w.name), visible.last());
    let n = visible.iter().find(|v| v.name().as_str() == "n").unwrap();
    let WinCoord::Interval(_, hi) = &w.idx[0] else { panic!("an interval") };
    assert_eq!(*hi, var(*n));
}

#[test]
fn a_window_is_of_no_loop() {
    let p = root(
        "
@proc
def p(x: f32[8]):
    for x in seq(0, 8):
        a: f32[8]
        a[x] = 2.0
",
    );
    let at = [Step::Body(0), Step::Body(1)];
    assert_eq!(Some(&window(&p, &at, "x[0:8]").unwrap().name), p.visible_at(&at).unwrap().first());
}

#[test]
fn a_number_that_is_printed_counts_before_one_that_is_written() {
    let p = root(
        "
@proc
def p(x: f32[8]):
    for seq in seq(0, 8):
        for seq_1 in seq(0, 8):
            x[seq] = 2.0
",
    );
    assert!(p.to_string().contains("x[seq_1] = 2.0"));
    let at = [Step::Body(0), Step::Body(0), Step::Body(0)];
    let loops = &p.visible_at(&at).unwrap()[1..];
    assert_eq!(control(&p, &at, "seq_1").unwrap(), var(loops[0]));
    assert_eq!(control(&p, &at, "seq_1_1").unwrap(), var(loops[1]));
}

#[test]
fn a_variable_named_as_a_callee_has_a_number() {
    let p = root(
        "
@proc
def set(x: f32):
    x = 0.0

@proc
def p(x: f32[4]):
    for set in seq(0, 4):
        set(x[set])
",
    );
    assert!(p.to_string().contains("for set_1 in"));
    let at = [Step::Body(0), Step::Body(0)];
    assert_eq!(control(&p, &at, "set_1").unwrap(), control(&p, &at, "set").unwrap());
}
