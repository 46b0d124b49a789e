use super::*;
use crate::error::InvalidCursor;
use crate::version::Proc;
use rewright_semantics::ast::{BinOp, Literal, LoopMode};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::{ControlType, DataType};
use std::fmt;

const PROGRAM: &str = "
@config
class Cfg:
    n: size

@proc
def fill(n: size, x: [f32][n], v: f32):
    for i in seq(0, n):
        x[i] = v

@proc
def p(n: size, A: f32[n, n] @ DRAM, v: f32):
    for i in seq(0, n):
        a: f32[4] @ DRAM_STACK
        for j in par(1, n - 1):
            A[i, j] += v * sin(A[0, j]) + 2.0
        pass
    if n < 8:
        Cfg.n = 4
    elif stride(A, 0) == 1:
        w = A[0:n, 2]
    else:
        fill(n, A[0, 0:n], v)
";

fn program() -> Proc {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", PROGRAM);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    Proc::root(parsed.module.proc("p").unwrap().clone())
}

fn what<T: fmt::Debug>(r: Result<T, InvalidCursor>) -> String {
    r.expect_err("an invalid move").what
}

#[test]
fn moves_among_statements() {
    let p = program();
    let i = p.find_loop("i").unwrap();
    assert_eq!(p.body().unwrap().length(), Ok(2));
    assert_eq!(p.body().unwrap().at(0).unwrap(), i);
    assert_eq!(p.body().unwrap().at(-2).unwrap(), i);
    let body = i.body().unwrap();
    let (a, j, pass) = (body.at(0).unwrap(), body.at(1).unwrap(), body.at(-1).unwrap());
    assert_eq!((a.kind(), j.kind(), pass.kind()), (CursorKind::Alloc, CursorKind::For, CursorKind::Pass));
    assert_eq!(a.next(1).unwrap(), j);
    assert_eq!(a.next(2).unwrap(), pass);
    assert_eq!(pass.prev(2).unwrap(), a);
    assert_eq!(j.parent().unwrap(), i);
    assert_eq!(body.parent().unwrap(), i);
    assert_eq!(j.before().unwrap().anchor().unwrap(), j);
    assert_eq!(body.after().unwrap().anchor().unwrap(), pass);
    assert_eq!(j.after().unwrap().side(), Ok(Side::After));
    assert_eq!(j.after().unwrap().parent().unwrap(), i);
    assert_eq!(j.expand(Some(1), Some(0)).unwrap(), body.slice(None, Some(2)).unwrap());
    assert_eq!(j.expand(None, None).unwrap(), body);
    assert_eq!(a.expand(Some(7), Some(7)).unwrap(), body);
    assert_eq!(body.slice(Some(-2), None).unwrap().stmts().unwrap(), [j.clone(), pass.clone()]);
    assert_eq!(j.as_block().unwrap(), body.slice(Some(1), Some(2)).unwrap());
    assert!(i.is_ancestor_of(&j) && body.is_ancestor_of(&j) && !j.is_ancestor_of(&i));
    let if_ = i.next(1).unwrap();
    assert!(if_.is_if() && if_.orelse().unwrap().at(0).unwrap().is_if());
    assert_eq!(if_.find("fill(_)").unwrap().parent().unwrap().parent().unwrap(), if_);
    assert!(if_.find("A[_] += _").is_err());
    assert_eq!(if_.find_all("_ = _").unwrap().len(), 1);
    assert_eq!(p.find_loop("j").unwrap(), i.find_loop("j").unwrap());
}

#[test]
fn moves_into_expressions_and_questions() {
    let p = program();
    let i = p.find_loop("i").unwrap();
    let a = i.body().unwrap().at(0).unwrap();
    assert_eq!((a.name().unwrap().as_str(), a.mem().unwrap().to_string().as_str()), ("a", "DRAM_STACK"));
    assert_eq!((a.elem(), a.is_tensor()), (Ok(DataType::F32), Ok(true)));
    assert_eq!(a.shape().unwrap()[0].value(), Ok(Literal::Int(4)));
    let j = a.next(1).unwrap();
    assert_eq!((j.loop_mode(), j.name().unwrap().as_str()), (Ok(LoopMode::Par), "j"));
    assert_eq!(j.lo().unwrap().value(), Ok(Literal::Int(1)));
    assert_eq!(j.hi().unwrap().op(), Ok(BinOp::Sub));
    let reduce = j.body().unwrap().at(0).unwrap();
    assert_eq!(reduce.typ(), Ok(Type::Data(Precision::Of(DataType::F32))));
    let idx = reduce.idx().unwrap();
    assert_eq!(idx.iter().map(Cursor::text).collect::<Vec<_>>(), ["i", "j"]);
    assert_eq!(idx[1].typ(), Ok(Type::Control(ControlType::Index)));
    let sum = reduce.rhs().unwrap();
    let sin = sum.lhs().unwrap().rhs().unwrap();
    assert_eq!((sin.kind(), sin.name().unwrap().as_str()), (CursorKind::Extern, "sin"));
    assert_eq!(sin.args().unwrap()[0].idx().unwrap().len(), 2);
    assert_eq!(sin.parent().unwrap().parent().unwrap(), sum);
    assert_eq!(sum.parent().unwrap(), reduce);
    assert!(reduce.is_ancestor_of(&sin));
    assert_eq!(reduce.children().len(), 3);
    assert_eq!(i.children().len(), 5);
    let write = p.find("Cfg.n = _").unwrap();
    assert_eq!((write.config().unwrap().name.as_str(), write.field().unwrap().as_str()), ("Cfg", "n"));
    let w = p.find("w = _").unwrap();
    assert!(matches!(&w.coords().unwrap()[..], [Coord::Interval(..), Coord::Point(_)]));
    assert_eq!((w.elem(), w.extents().unwrap().len()), (Ok(DataType::F32), 1));
    let call = p.find("fill(_)").unwrap();
    assert_eq!(call.subproc().unwrap().name().as_str(), "fill");
    assert_eq!(call.args().unwrap()[1].coords().unwrap().len(), 2);
    assert_eq!(p.find("stride(A, _)").unwrap().dim(), Ok(0));
    let arg = p.get_arg("A").unwrap();
    assert_eq!(p.find_alloc_or_arg("A").unwrap(), arg);
    assert_eq!((arg.elem(), arg.is_tensor(), arg.extents().unwrap().len()), (Ok(DataType::F32), Ok(true), 2));
    assert_eq!(p.args()[2].is_tensor(), Ok(false));
    assert!(!p.is_instr() && p.preds().is_empty());
}

#[test]
fn moves_that_lead_nowhere_say_so() {
    let p = program();
    let i = p.find_loop("i").unwrap();
    let reduce = p.find("A[_] += _").unwrap();
    for (error, why) in [
        (what(i.parent()), "stands at the top of `p`"),
        (what(p.body().unwrap().parent()), "stands at the top of `p`"),
        (what(p.args()[0].parent()), "the argument `n` has no parent"),
        (what(i.next(2)), "no such statement comes after"),
        (what(i.prev(1)), "no such statement comes before"),
        (what(i.orelse()), "`for i in seq(0, n):` has no else branch"),
        (what(reduce.body()), "has no body"),
        (what(reduce.lo()), "has no lower bound"),
        (what(reduce.cond()), "has no condition"),
        (what(i.rhs()), "has no right-hand side"),
        (what(i.idx()), "has no indices"),
        (what(i.value()), "it is not a literal"),
        (what(i.mem()), "has no memory"),
        (what(i.anchor()), "has no anchor"),
        (what(i.at(0)), "has no length"),
        (what(i.body().unwrap().at(3)), "a run of 3 statements has no statement number 3"),
        (what(i.body().unwrap().at(-4)), "no statement number -4"),
        (what(i.body().unwrap().slice(Some(2), Some(2))), "no statement"),
        (what(i.before().unwrap().next(1)), "a gap between statements has no next statement"),
        (what(p.get_arg("q")), "`p` has no argument `q`"),
        (what(i.before().unwrap().find("x = _")), "nothing to find in a gap"),
    ] {
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn cursors_are_printed_in_the_program() {
    let p = program();
    let i = p.find_loop("i").unwrap();
    let has = |c: &Cursor, lines: &str| assert!(c.to_string().contains(lines), "{c}");
    has(&i, "    for i in seq(0, n):  # <-- NODE\n        a: f32[4]");
    has(&i.body().unwrap().slice(None, Some(2)).unwrap(), "        # BLOCK START\n        a: f32[4]");
    has(&i.body().unwrap().slice(None, Some(2)).unwrap(), " + 2.0\n        # BLOCK END\n        pass");
    has(&i.after().unwrap(), "        pass\n    # <-- GAP\n    if n < 8:");
    has(&i.body().unwrap().before().unwrap(), "seq(0, n):\n        # <-- GAP\n        a: f32");
    let sin = p.find("sin(_)").unwrap();
    has(
        &sin,
        "            A[i, j] += v * sin(A[0, j]) + 2.0\n            #              ^^^^^^^^^^^^\n        pass",
    );
    has(&sin.parent().unwrap(), "\n            #          ^^^^^^^^^^^^^^^^\n");
    has(&p.get_arg("v").unwrap(), "# argument `v` <-- NODE\ndef p(");
    has(&p.find("if stride(_) == _: _").unwrap(), "    elif stride(A, 0) == 1:  # <-- NODE");
    assert_eq!(sin.text(), "sin(A[0, j])");
    assert_eq!(p.find("if stride(_) == _: _").unwrap().text().lines().next(), Some("if stride(A, 0) == 1:"));
    // Without the marks it is the procedure.
    let plain: String = i.to_string().replace("  # <-- NODE", "");
    assert_eq!(plain, p.to_string());
}
