//! Where limits begin, and what statements that no checker has seen are.

use super::last;
use rewright_semantics::ast::{Expr, Proc};
use rewright_semantics::build;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::denote::{
    Denotation, Fault, FaultClass, FaultKind, Limits, Location, Outcome, eval_expr, exec_stmt,
};
use rewright_semantics::externs::Extern;
use rewright_semantics::store::{Buffer, Store, Window};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ControlType, DataType};
use rewright_semantics::value::{Exceptional, Val};

type Ran = Result<Outcome<Rational>, Box<Fault>>;

fn call(p: &Proc, args: &[Val<Rational>], st: Store<Rational>, limits: Limits) -> Ran {
    Denotation::<RationalDomain>::of(p).call(args, st, limits)
}

/// A store with `n = 0`, a buffer `x` of four cells, and a cell `y` that holds 7.
fn scope() -> (Store<Rational>, [Sym; 3]) {
    let names = ["n", "x", "y"].map(Sym::fresh);
    let [n, x, y] = names;
    let mut st = Store::new();
    st.bind(n, Val::Int(0));
    for (name, shape) in [(x, &[4_i64][..]), (y, &[])] {
        let buffer = Buffer::unknown(name.name(), DataType::F32, shape, 4).unwrap();
        let loc = st.allocate(buffer);
        st.bind(name, Val::Window(Window::whole(loc, shape)));
    }
    let seven = build::assign(y, [], build::data(7, 0));
    (exec_stmt::<RationalDomain>(&seven, st, Limits::default()).unwrap().store, names)
}

/// [rule: run.limit].
#[test]
fn a_limit_is_the_last_that_is_allowed() {
    let p = last("@proc\ndef f():\n    for i in seq(0, 3):\n        pass\n");
    let statements = |limit| call(&p, &[], Store::new(), Limits::statements(limit)).map(|o| o.statements);
    assert_eq!(statements(4), Ok(4), "the loop and its three iterations");
    assert_eq!(statements(3).unwrap_err().kind, FaultKind::OutOfFuel { limit: 3 });
    let p = last("@proc\ndef f():\n    t: R[6]\n    u: R[4]\n");
    let cells = |cells| call(&p, &[], Store::new(), Limits { cells, ..Limits::default() });
    assert!(cells(10).is_ok(), "two allocations that fit");
    assert!(matches!(cells(9).unwrap_err().kind, FaultKind::OutOfMemory { limit: 9, .. }), "and do not");
}

/// [rule: run.type]: another number of indices or arguments, and indices of what is no buffer.
#[test]
fn a_mistaken_rank_is_a_type_error() {
    let (st, [n, x, _]) = scope();
    let zero = || build::data(0, 0);
    let narrow = build::window(x, [build::point(0), build::point(0)]);
    for bad in [
        build::assign(x, [], zero()),
        build::assign(x, [build::int(0), build::int(0)], zero()),
        build::reduce(x, [], zero()),
        build::assign(x, [build::read(n, [build::int(0)])], zero()),
        build::assign(x, [build::int(0)], build::read(x, [build::int(0), build::int(0)])),
        build::assign(x, [build::int(0)], build::apply(Extern::Relu, [zero(), zero()])),
        build::window_stmt(Sym::fresh("w"), narrow),
    ] {
        let fault = exec_stmt::<RationalDomain>(&bad, st.clone(), Limits::default()).unwrap_err();
        assert_eq!(fault.class(), FaultClass::TypeError, "{bad:?}");
    }
}

/// [rule: run.type], [rule: run.entry].
#[test]
fn cells_of_another_type_are_no_argument() {
    let p = last("@proc\ndef f(x: f32[4]):\n    pass\n");
    let given = |elem| {
        let mut st = Store::new();
        let loc = st.allocate(Buffer::unknown("x".into(), elem, &[4], 4).unwrap());
        call(&p, &[Val::Window(Window::whole(loc, &[4]))], st, Limits::default())
    };
    assert!(given(DataType::F32).is_ok() && given(DataType::R).is_ok());
    assert_eq!(given(DataType::F64).unwrap_err().class(), FaultClass::TypeError);
    assert_eq!(given(DataType::I8).unwrap_err().class(), FaultClass::TypeError);
}

/// What is in scope when a statement or an expression is run alone.
#[test]
fn all_locals_of_a_store_are_in_scope() {
    let (mut st, [n, ..]) = scope();
    let [i, j] = ["i", "j"].map(Sym::fresh);
    st.bind(i, Val::Int(5));
    st.bind(j, Val::Int(30));
    let sum = build::add(build::add(build::var(i), build::var(j)), build::var(n));
    assert_eq!(eval_expr::<RationalDomain>(&sum, &st), Ok(Val::Int(35)));
}

#[test]
fn a_scalar_is_named_without_indices() {
    let cell = |indices: &[i64]| Location::Cell { buffer: "s".into(), indices: indices.to_vec() }.to_string();
    assert_eq!([cell(&[]), cell(&[1, 2])], ["`s`", "`s[1, 2]`"]);
}

/// [rule: run.read]: a buffer of rank 0 is its value, a larger one the window that shows it.
#[test]
fn a_buffer_by_its_name_is_a_window() {
    let (st, [n, x, y]) = scope();
    let value = |e: Expr| eval_expr::<RationalDomain>(&e, &st).unwrap();
    assert_eq!(value(build::var(n)), Val::Int(0));
    assert!(matches!(value(build::var(x)), Val::Window(w) if w.shape() == [4]));
    assert!(matches!(value(build::var(y)), Val::Data(_)));
}

/// One symbol twice among the arguments: the later one is meant by the body, and the earlier is only checked.
#[test]
fn arguments_of_one_symbol_are_two() {
    let [x, n, y] = ["x", "n", "y"].map(Sym::fresh);
    let number = |x| build::control_arg(x, ControlType::Int);
    let cells = |x, extent: i64| build::tensor_arg(x, DataType::R, [build::int(extent)]);
    let mut st = Store::<Rational>::new();
    let mut window = |extent: i64| {
        let buffer = Buffer::unknown("w".into(), DataType::R, &[extent], 4).unwrap();
        Val::Window(Window::whole(st.allocate(buffer), &[extent]))
    };
    let (two, three) = (window(2), window(3));
    let known = build::eq(build::var(n), build::int(1));
    let both = [
        (vec![number(x), number(n), cells(x, 2)], [Val::Int(3), Val::Int(1), two.clone()]),
        (vec![cells(x, 2), cells(y, 3), number(n), number(x)], [two, three, Val::Int(1)]),
    ];
    for (args, values) in both {
        let values = values.iter().cloned().chain([Val::Int(3)]).take(args.len()).collect::<Vec<_>>();
        let p = build::proc("f", args, [known.clone()], [build::pass()]);
        assert!(call(&p, &values, st.clone(), Limits::default()).is_ok());
        let mut mistaken = values.clone();
        mistaken.reverse();
        let fault = call(&p, &mistaken, st.clone(), Limits::default()).unwrap_err();
        assert_eq!(fault.class(), FaultClass::TypeError);
    }
}

/// [rule: run.type]: arithmetic on data is data.
#[test]
fn arithmetic_on_cells_is_data() {
    let (st, [n, _, y]) = scope();
    let value = |e: Expr| eval_expr::<RationalDomain>(&e, &st).unwrap();
    assert!(matches!(value(build::add(build::var(y), build::var(y))), Val::Data(_)));
    assert!(matches!(value(build::neg(build::data(1, 0))), Val::Data(_)));
    assert_eq!(value(build::add(build::var(n), build::int(2))), Val::Int(2));
}

/// [rule: values.exceptional]: what an error is to an expression.
#[test]
fn an_error_has_the_value_of_its_class() {
    let (st, [n, x, _]) = scope();
    let error = |e: Expr| eval_expr::<RationalDomain>(&e, &st).unwrap_err().value();
    assert_eq!(error(build::read(x, [build::int(4)])), Some(Exceptional::MemError));
    assert_eq!(error(build::read(n, [build::int(0)])), Some(Exceptional::TypeError));
    let p = last("@proc\ndef f():\n    pass\n");
    let limit = call(&p, &[], Store::new(), Limits::statements(0)).unwrap_err();
    assert_eq!((limit.class(), limit.value()), (FaultClass::Limit, None));
}
