use super::*;
use crate::ast::{Arg, BinOp, Config, ConfigField, OpClass, Stmt};
use crate::build::*;
use crate::externs::Extern;
use crate::sym::Name;
use crate::types::{BufferType, ControlType, DataType, FieldType, MemName};
use std::sync::Arc;

/// One variable of each kind of type, with the argument that declares it.
struct Vars {
    control: Vec<(ControlType, Sym)>,
    scalar: Sym,
    tensor: Sym,
}

impl Vars {
    fn new() -> Vars {
        let control = ControlType::ALL.into_iter().map(|t| (t, Sym::fresh(t.keyword()))).collect();
        Vars { control, scalar: Sym::fresh("x"), tensor: Sym::fresh("t") }
    }

    fn of(&self, t: ControlType) -> Sym {
        self.control.iter().find(|(s, _)| *s == t).map(|(_, x)| *x).expect("one of each")
    }

    fn args(&self) -> Vec<Arg> {
        let control = self.control.iter().map(|(t, x)| control_arg(*x, *t));
        let data = [
            tensor_arg(self.scalar, DataType::F32, []),
            tensor_arg(self.tensor, DataType::F32, [int(4), int(4)]),
        ];
        control.chain(data).collect()
    }

    fn env(&self) -> TypeEnv {
        TypeEnv::of_args(&self.args())
    }

    /// The rules that a body breaks.
    fn rules(&self, body: impl IntoIterator<Item = Stmt>) -> Vec<&'static str> {
        rules_of(&proc("p", self.args(), [], body))
    }
}

fn rules_of(p: &Proc) -> Vec<&'static str> {
    faults(p).iter().map(|f| f.kind.rule()).collect()
}

/// The rule that an expression breaks, or its type.
fn verdict(env: &TypeEnv, e: &Expr) -> Result<Type, &'static str> {
    let mut checker = Checker::default();
    let typ = checker.infer(env, e, expr::Want::Control).typ;
    match checker.faults.as_slice() {
        [] => Ok(typ),
        [fault] => Err(fault.kind.rule()),
        many => panic!("cascade: {many:?}"),
    }
}

/// Operand types by kind, for the table of operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OperandKind {
    Control(ControlType),
    Data,
    Tensor,
}

fn kinds() -> Vec<OperandKind> {
    ControlType::ALL
        .into_iter()
        .map(OperandKind::Control)
        .chain([OperandKind::Data, OperandKind::Tensor])
        .collect()
}

/// What the specification says of `a op b` for variables of these kinds.
fn specified(op: BinOp, a: OperandKind, b: OperandKind) -> Result<Type, &'static str> {
    use ControlType::{Bool, Index, Int, Stride};
    let bool_type = Ok(Type::Control(Bool));
    let either = |k: OperandKind| a == k || b == k;
    let data = |k: OperandKind| matches!(k, OperandKind::Data | OperandKind::Tensor);
    let integer = |k: OperandKind| matches!(k, OperandKind::Control(t) if t.is_indexable());
    match op.class() {
        OpClass::Logical => {
            let not_bool =
                [a, b].into_iter().filter(|k| *k != OperandKind::Control(Bool)).collect::<Vec<_>>();
            match not_bool.as_slice() {
                [] => bool_type,
                [k, ..] if data(*k) => Err("type.control-expected"),
                [_, ..] => Err("type.bool-expected"),
            }
        }
        _ if either(OperandKind::Tensor) => Err("type.tensor-value"),
        OpClass::Comparison => {
            let stridable = |k| k == OperandKind::Control(Stride) || k == OperandKind::Control(Int);
            let alike = (stridable(a) && stridable(b)) || (a == b && a == OperandKind::Control(Bool));
            if either(OperandKind::Data) {
                Err("type.data-comparison")
            } else if (integer(a) && integer(b)) || (op == BinOp::Eq && alike) {
                bool_type
            } else {
                Err("type.comparison")
            }
        }
        OpClass::Arithmetic => {
            let odd = [a, b]
                .into_iter()
                .find(|k| *k == OperandKind::Control(Bool) || *k == OperandKind::Control(Stride));
            if let Some(k) = odd {
                Err(if k == OperandKind::Control(Bool) {
                    "type.bool-arithmetic"
                } else {
                    "type.stride-arithmetic"
                })
            } else if a == OperandKind::Data && b == OperandKind::Data {
                if op == BinOp::Mod {
                    Err("type.data-modulo")
                } else {
                    Ok(Type::Data(Precision::Of(DataType::F32)))
                }
            } else if either(OperandKind::Data) {
                Err("type.control-expected")
            } else if op == BinOp::Mul {
                Err("type.nonaffine")
            } else if op == BinOp::Div || op == BinOp::Mod {
                Err("type.divisor")
            } else if a == OperandKind::Control(Int) && b == OperandKind::Control(Int) {
                Ok(Type::Control(Int))
            } else {
                Ok(Type::Control(Index))
            }
        }
    }
}

/// Spec: [rule: types], [rule: type.expr].
#[test]
fn every_operator_on_every_pair_of_operand_types() {
    let vars = Vars::new();
    let env = vars.env();
    let operand = |k: OperandKind| match k {
        OperandKind::Control(t) => var(vars.of(t)),
        OperandKind::Data => var(vars.scalar),
        OperandKind::Tensor => var(vars.tensor),
    };
    let mut checker_runs = 0;
    for op in BinOp::ALL {
        for a in kinds() {
            for b in kinds() {
                let e = bin(op, operand(a), operand(b));
                let mut checker = Checker::default();
                let typ = checker.infer(&env, &e, expr::Want::Control).typ;
                let found = checker.faults.first().map_or(Ok(typ), |f| Err(f.kind.rule()));
                assert_eq!(found, specified(op, a, b), "{a:?} {} {b:?}", op.symbol());
                assert!(checker.faults.len() <= 2, "cascade: {:?}", checker.faults);
                checker_runs += 1;
            }
        }
    }
    assert_eq!(checker_runs, 12 * 7 * 7);
}

#[test]
fn constants_make_control_quasi_affine() {
    let vars = Vars::new();
    let (env, n) = (vars.env(), vars.of(ControlType::Size));
    let index = Ok(Type::Control(ControlType::Index));
    for good in [mul(4, n), mul(n, -4), mul(add(1, 2), n), div(n, 4), rem(n, add(2, 2)), mul(div(8, 4), n)] {
        assert_eq!(verdict(&env, &good), index, "{good:?}");
    }
    assert_eq!(verdict(&env, &mul(2, 3)), Ok(Type::Control(ControlType::Int)));
    for bad in [div(n, 0), div(n, -4), rem(n, 0), rem(n, sub(3, 3)), div(4, n), div(n, div(1, 2))] {
        assert_eq!(verdict(&env, &bad), Err("type.divisor"), "{bad:?}");
    }
    assert_eq!(verdict(&env, &mul(n, add(n, 1))), Err("type.nonaffine"));
}

#[test]
fn unary_operators_on_every_operand_type() {
    let vars = Vars::new();
    let env = vars.env();
    for t in ControlType::ALL {
        let x = vars.of(t);
        let negated = match t {
            ControlType::Int | ControlType::Index => Ok(Type::Control(t)),
            ControlType::Size => Ok(Type::Control(ControlType::Index)),
            ControlType::Bool => Err("type.bool-arithmetic"),
            ControlType::Stride => Err("type.stride-arithmetic"),
        };
        assert_eq!(verdict(&env, &neg(x)), negated);
        let inverted = if t == ControlType::Bool { Ok(Type::Control(t)) } else { Err("type.bool-expected") };
        assert_eq!(verdict(&env, &not(x)), inverted);
    }
    assert_eq!(verdict(&env, &neg(vars.scalar)), Ok(Type::Data(Precision::Of(DataType::F32))));
    assert_eq!(verdict(&env, &neg(vars.tensor)), Err("type.tensor-value"));
    assert_eq!(verdict(&env, &not(vars.scalar)), Err("type.control-expected"));
}

#[test]
fn one_fault_does_not_beget_another() {
    let vars = Vars::new();
    let (n, x) = (vars.of(ControlType::Size), vars.scalar);
    let deep = add(add(add(mul(n, n), 1), 2), 3);
    assert_eq!(vars.rules([if_(lt(deep, n), [], [])]), ["type.nonaffine"]);
    let (y, unknown) = (Sym::fresh("y"), Sym::fresh("unknown"));
    let uses = [assign(y, [int(0)], var(x)), assign(x, [], read(y, [int(0)])), reduce(y, [], var(x))];
    let body = [window_stmt(y, window(unknown, [interval(0, 4)]))];
    assert_eq!(vars.rules(body.into_iter().chain(uses)), ["name.unbound"]);
}

/// Spec: [rule: type.stmt].
#[test]
fn all_faults_are_found() {
    let vars = Vars::new();
    let (n, b, x) = (vars.of(ControlType::Size), vars.of(ControlType::Bool), vars.scalar);
    let body = [
        assign(n, [], var(x)),
        for_(Sym::fresh("i"), 0, x, [assign(x, [int(0)], var(b))]),
        if_(n, [], [assign(x, [], var(vars.tensor))]),
    ];
    let expected = [
        "type.assign-control",
        "type.control-expected",
        "type.rank",
        "type.data-expected",
        "type.bool-expected",
        "type.tensor-value",
    ];
    assert_eq!(vars.rules(body), expected);
}

#[test]
fn externs_take_data_of_the_right_number() {
    let vars = Vars::new();
    let (env, n) = (vars.env(), vars.of(ControlType::Size));
    for f in Extern::ALL {
        for args in 0..6 {
            let e = apply(f, vec![var(vars.scalar); args]);
            let expected = if args == f.arity() {
                Ok(Type::Data(if args == 0 { Precision::Literal } else { Precision::Of(DataType::F32) }))
            } else {
                Err("type.extern-arity")
            };
            assert_eq!(verdict(&env, &e), expected, "{f}/{args}");
        }
    }
    assert_eq!(verdict(&env, &apply(Extern::Sin, [var(n)])), Err("type.extern-argument"));
    assert_eq!(verdict(&env, &apply(Extern::Sin, [var(vars.tensor)])), Err("type.tensor-value"));
}

/// Spec: [rule: type.call].
#[test]
fn control_arguments_of_every_type_for_every_formal() {
    let vars = Vars::new();
    for formal in ControlType::ALL {
        let callee = proc("callee", [control_arg(Sym::fresh("a"), formal)], [], []);
        for actual in ControlType::ALL {
            let ok = match formal {
                ControlType::Int | ControlType::Index | ControlType::Size => actual.is_indexable(),
                ControlType::Bool => actual == ControlType::Bool,
                ControlType::Stride => actual == ControlType::Stride || actual == ControlType::Int,
            };
            let expected: &[&str] = if ok { &[] } else { &["type.argument"] };
            assert_eq!(
                vars.rules([call(&callee, [var(vars.of(actual))])]),
                expected,
                "{actual} for {formal}"
            );
        }
        for data in [vars.scalar, vars.tensor] {
            assert_eq!(vars.rules([call(&callee, [var(data)])]), ["type.argument"]);
        }
    }
}

#[test]
fn sizes_are_at_least_one() {
    let vars = Vars::new();
    let (a, n) = (Sym::fresh("a"), vars.of(ControlType::Size));
    let callee = proc("callee", [size_arg(a)], [], []);
    let rules = |e: Expr| vars.rules([call(&callee, [e])]);
    for bad in [int(0), int(-3), sub(4, 4), sub(n, n), div(3, 4)] {
        assert_eq!(rules(bad), ["type.size-literal"]);
    }
    assert!(rules(sub(n, 1)).is_empty());
    assert!(rules(int(1)).is_empty());
}

/// `callee(n: size, x: f32[n, n / 4])` called with an `m` and a buffer of this shape: how many extents are
/// certainly wrong.
fn call_with_shape(shape: impl FnOnce(Sym, Sym) -> [Expr; 2]) -> usize {
    let (n, x) = (Sym::fresh("n"), Sym::fresh("x"));
    let callee = proc("callee", [size_arg(n), tensor_arg(x, DataType::F32, [var(n), div(n, 4)])], [], []);
    let (m, k, y) = (Sym::fresh("m"), Sym::fresh("k"), Sym::fresh("y"));
    let args = [size_arg(m), size_arg(k), tensor_arg(y, DataType::F32, shape(m, k))];
    let caller = proc("caller", args, [], [call(&callee, [var(m), var(y)])]);
    let rules = rules_of(&caller);
    assert!(rules.iter().all(|r| *r == "type.argument-shape"), "{rules:?}");
    rules.len()
}

/// Spec: [rule: type.shape-equality].
#[test]
fn shapes_that_differ_by_a_constant_are_never_equal() {
    assert_eq!(call_with_shape(|m, _| [var(m), div(m, 4)]), 0);
    assert_eq!(call_with_shape(|m, _| [sub(add(m, m), m), div(mul(2, m), 8)]), 0);
    assert_eq!(call_with_shape(|m, _| [add(m, 1), div(add(m, 4), 4)]), 2);
    assert_eq!(call_with_shape(|m, k| [var(k), div(m, 4)]), 0, "may be equal");
    assert_eq!(call_with_shape(|m, _| [mul(4, div(m, 4)), div(m, 8)]), 0, "may be equal");
}

fn config() -> Arc<Config> {
    let field = |name: &str, typ| ConfigField { name: Name::new(name), typ, span: Span::NONE };
    let control = ControlType::ALL.into_iter().map(|t| field(t.keyword(), FieldType::Control(t)));
    Arc::new(Config {
        name: Name::new("Cfg"),
        fields: control.chain([field("scale", FieldType::Data(DataType::F32))]).collect(),
        direct_access: true,
        span: Span::NONE,
    })
}

/// A caller of `callee(n: size, x: f32[n])` with `Cfg.size - 1` and a buffer of extent `Cfg.size`, and some
/// statements before the call.
fn call_after(between: impl FnOnce(&Arc<Config>) -> Vec<Stmt>) -> Vec<&'static str> {
    let cfg = config();
    let (n, x, y) = (Sym::fresh("n"), Sym::fresh("x"), Sym::fresh("y"));
    let callee = proc("callee", [size_arg(n), tensor_arg(x, DataType::F32, [var(n)])], [], []);
    let extent = || read_config(&cfg, "size");
    let body = [alloc(y, DataType::F32, [extent()])]
        .into_iter()
        .chain(between(&cfg))
        .chain([call(&callee, [sub(extent(), 1), var(y)])]);
    rules_of(&proc("caller", [], [], body))
}

/// Spec: [rule: type.env].
#[test]
fn a_buffer_keeps_the_extent_it_was_made_with() {
    let nothing: [&str; 0] = [];
    let write = |cfg: &Arc<Config>| write_config(cfg, "size", 8);
    let inner = |cfg: &Arc<Config>| proc("inner", [], [], [write(cfg)]);
    assert_eq!(call_after(|_| vec![]), ["type.argument-shape"], "smaller by one");
    assert_eq!(call_after(|cfg| vec![write_config(cfg, "int", 8)]), ["type.argument-shape"]);
    // From here on the field may hold anything.
    assert_eq!(call_after(|cfg| vec![write(cfg)]), nothing);
    assert_eq!(call_after(|cfg| vec![if_(boolean(true), [], [write(cfg)])]), nothing);
    assert_eq!(call_after(|cfg| vec![for_(Sym::fresh("i"), 0, 4, [write(cfg)])]), nothing);
    assert_eq!(call_after(|cfg| vec![call(&proc("outer", [], [], [call(&inner(cfg), [])]), [])]), nothing);
}

#[test]
fn a_loop_that_writes_a_field_does_not_know_it_at_its_head() {
    let cfg = config();
    let (n, x, y) = (Sym::fresh("n"), Sym::fresh("x"), Sym::fresh("y"));
    let callee = proc("callee", [size_arg(n), tensor_arg(x, DataType::F32, [var(n)])], [], []);
    let go = call(&callee, [sub(read_config(&cfg, "size"), 1), var(y)]);
    let rules = |body: Vec<Stmt>| {
        let stmts = [alloc(y, DataType::F32, [read_config(&cfg, "size")]), for_(Sym::fresh("i"), 0, 4, body)];
        rules_of(&proc("caller", [], [], stmts))
    };
    assert_eq!(rules(vec![go.clone()]), ["type.argument-shape"]);
    assert!(rules(vec![go, write_config(&cfg, "size", 8)]).is_empty());
}

#[test]
fn fields_take_values_of_their_type() {
    let vars = Vars::new();
    let cfg = config();
    for field in ControlType::ALL {
        for value in ControlType::ALL {
            let ok = match field {
                ControlType::Int | ControlType::Index | ControlType::Size => value.is_indexable(),
                ControlType::Bool => value == ControlType::Bool,
                ControlType::Stride => value == ControlType::Stride || value == ControlType::Int,
            };
            let expected: &[&str] = if ok { &[] } else { &["type.config-field"] };
            assert_eq!(vars.rules([write_config(&cfg, field.keyword(), vars.of(value))]), expected);
        }
        assert_eq!(vars.rules([write_config(&cfg, field.keyword(), vars.scalar)]), ["type.config-field"]);
        assert_eq!(vars.rules([write_config(&cfg, "scale", vars.of(field))]), ["type.config-field"]);
    }
    assert!(vars.rules([write_config(&cfg, "scale", vars.scalar)]).is_empty());
    assert_eq!(vars.rules([write_config(&cfg, "scale", vars.tensor)]), ["type.tensor-value"]);
    assert_eq!(vars.rules([write_config(&cfg, "size", 0)]), ["type.size-literal"]);
    assert_eq!(vars.rules([write_config(&cfg, "none", vars.scalar)]), ["name.unknown-field"]);
}

#[test]
fn windows_for_tensors_and_back() {
    let (n, x, w) = (Sym::fresh("n"), Sym::fresh("x"), Sym::fresh("w"));
    let four = || [int(4)];
    let takes_tensor = proc("takes_tensor", [tensor_arg(x, DataType::F32, four())], [], []);
    let takes_window = proc("takes_window", [window_formal(x, DataType::F32, four())], [], []);
    let takes_scalar = proc("takes_scalar", [tensor_arg(x, DataType::F32, [])], [], []);
    let takes_point = proc("takes_point", [window_formal(x, DataType::F32, [])], [], []);
    let args = || {
        [size_arg(n), tensor_arg(x, DataType::F32, [var(n), int(4)]), window_formal(w, DataType::F32, four())]
    };
    let rules = |p: &Arc<Proc>, e: Expr| rules_of(&proc("p", args(), [], [call(p, [e])]));
    let row = || window_arg(x, [point(0), interval(0, 4)]);
    let cell = || read(x, [int(0), int(1)]);
    let nothing: [&str; 0] = [];
    // Whether its cells are dense is for a proof to say.
    assert_eq!(rules(&takes_tensor, row()), nothing);
    assert_eq!(rules(&takes_tensor, var(w)), nothing);
    assert_eq!(rules(&takes_window, row()), nothing);
    assert_eq!(rules(&takes_window, var(w)), nothing);
    assert_eq!(rules(&takes_window, var(x)), ["type.argument-rank"]);
    assert_eq!(rules(&takes_window, window_arg(x, [point(0), interval(1, 4)])), ["type.argument-shape"]);
    for p in [takes_scalar, takes_point] {
        assert_eq!(rules(&p, cell()), nothing);
        assert_eq!(rules(&p, window_arg(x, [point(0), point(1)])), nothing);
        assert_eq!(rules(&p, add(cell(), cell())), ["type.scalar-argument"]);
        assert_eq!(rules(&p, data(1, 0)), ["type.scalar-argument"]);
        assert_eq!(rules(&p, var(n)), ["type.argument"]);
        assert_eq!(rules(&p, row()), ["type.argument-rank"]);
    }
}

#[test]
fn element_types_are_equal_at_calls_or_abstract() {
    for formal in DataType::ALL {
        for actual in DataType::ALL {
            let x = Sym::fresh("x");
            let callee = proc("callee", [tensor_arg(x, formal, [int(4)])], [], []);
            let caller = proc("caller", [tensor_arg(x, actual, [int(4)])], [], [call(&callee, [var(x)])]);
            let meets = formal == actual || [formal, actual].contains(&DataType::R);
            let expected: &[&str] = if meets { &[] } else { &["type.argument-precision"] };
            assert_eq!(rules_of(&caller), expected, "{actual} for {formal}");
        }
    }
}

#[test]
fn a_window_has_the_type_that_its_slices_give() {
    let (n, i, x, w) = (Sym::fresh("n"), Sym::fresh("i"), Sym::fresh("x"), Sym::fresh("w"));
    let p = proc("p", [size_arg(n), tensor_arg(x, DataType::F32, [var(n), var(n), int(8)])], [], []);
    let mut env = TypeEnv::of_proc(&p);
    env = env.within(&for_(i, 0, n, []), crate::types::env::Part::Body);
    let coords = [interval(mul(4, i), add(mul(4, i), 4)), point(i), interval(0, n)];
    env = env.after(&window_stmt(w, window(x, coords)));
    assert_eq!(env.buffer(w), Some(&BufferType::window(DataType::F32, [int(4), var(n)])));
    assert_eq!(env.memory(w), Some(MemName::dram()));
    let narrower = window(w, [interval(1, 4), interval(i, n)]);
    assert_eq!(env.window_type(&narrower), Some(BufferType::window(DataType::F32, [int(3), sub(n, i)])));
    assert_eq!(env.type_of(&read(w, [int(0), var(i)])), Type::Data(Precision::Of(DataType::F32)));
    assert_eq!(env.type_of(&read(w, [int(0)])), Type::Error);
}

/// Spec: [rule: type.proc].
#[test]
fn an_argument_may_mention_later_control_arguments_and_no_state() {
    let (n, x) = (Sym::fresh("n"), Sym::fresh("x"));
    let shaped = |e: Expr| rules_of(&proc("p", [tensor_arg(x, DataType::F32, [e]), size_arg(n)], [], []));
    let nothing: [&str; 0] = [];
    assert_eq!(shaped(add(n, 1)), nothing);
    assert_eq!(shaped(read_config(&config(), "size")), ["type.extent"]);
    assert_eq!(shaped(int(-1)), ["type.extent"]);
    assert!(shaped(int(0)).is_empty());
    assert_eq!(shaped(boolean(true)), ["type.extent"]);
    assert_eq!(shaped(mul(n, n)), ["type.nonaffine"]);
}

/// Spec: [rule: name.rebound].
#[test]
fn programs_without_places_are_checked_too() {
    let (n, x) = (Sym::fresh("n"), Sym::fresh("x"));
    let again = [alloc(x, DataType::F32, []), alloc(x, DataType::F32, [])];
    assert_eq!(rules_of(&proc("p", [], [], again)), ["name.rebound"]);
    assert_eq!(rules_of(&proc("p", [], [], [assign(x, [], var(n))])), ["name.unbound"; 2]);
    let inner = [for_(n, 0, 4, [alloc(x, DataType::F32, [])]), alloc(x, DataType::F32, [])];
    assert!(rules_of(&proc("p", [], [], inner)).is_empty());
}

#[test]
fn programs_deeper_than_the_stack_are_checked() {
    let n = Sym::fresh("n");
    let mut e = var(n);
    for _ in 0..20_000 {
        e = add(e, 1);
    }
    let p = proc("p", [size_arg(n)], [eq(e.clone(), n)], []);
    assert!(rules_of(&p).is_empty());
    // Dropping syntax is recursive as well: leave this one to the end of the process.
    std::mem::forget((p, e));
}

#[test]
fn every_fault_has_words() {
    let vars = Vars::new();
    let n = vars.of(ControlType::Size);
    let p = proc("p", vars.args(), [var(n)], [assign(n, [], var(n)), call(&proc("q", [], [], []), [var(n)])]);
    let diagnostics = check_proc(&p);
    assert_eq!(diagnostics.len(), 3);
    for d in diagnostics {
        assert!(!d.message.is_empty() && !d.message.ends_with('.'));
        assert!(d.primary.text.contains("expected"), "{}", d.primary.text);
        assert!(d.help.is_some());
    }
}
