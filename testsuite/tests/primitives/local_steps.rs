//! A step checks what it changed, and what it leaves is well formed as a whole. Spec: [rule: rewrite.local].

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, program};
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::check_call_shapes;
use rewright_effects::solver::Solver;
use rewright_primitives::cursor::path::{Hole, Step};
use rewright_primitives::ops;
use rewright_primitives::registry::{Exact, Primitive};
use rewright_primitives::tools::syntax::scope;
use rewright_primitives::{Proc, Rewrite};
use rewright_semantics::build::{
    alloc, assign, block, call, data, for_, int, pass, proc, read, tensor_arg, var,
};
use rewright_semantics::sym::Sym;
use rewright_semantics::typecheck;
use rewright_semantics::types::DataType;
use std::collections::BTreeMap;

/// What is wrong with a procedure, looked at as a whole.
fn defect(p: &Proc) -> Option<String> {
    let ast = p.ast();
    let solver = Solver::new();
    let shapes = check_call_shapes(&Analysis::new(), ast);
    let misfit = shapes.iter().find(|r| !solver.decide(&r.obligation).is_proved());
    let ill_typed = typecheck::check_proc(ast).first().map(|d| d.message.clone());
    scope::check(ast).err().or(ill_typed).or(misfit.map(|r| r.danger.clone()))
}

#[test]
fn long_schedules_leave_well_formed_procedures() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
    let mut steps: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..programs {
        let (mut p, mut rng) = (program(seed), Rng::new(seed));
        let mut made = 0;
        for _ in 0..60 {
            let Some(primitive) = rng.pick(ops::ALL).copied() else { continue };
            let Some(args) = arguments(&mut rng, &p, primitive) else { continue };
            let Ok(new) = (primitive.run)(&p, &args) else { continue };
            if let Some(what) = defect(&new) {
                panic!("seed {seed}, {}: {what}\n{p}\n{new}", primitive.name);
            }
            *steps.entry(primitive.name).or_default() += u64::from(made > 0);
            (p, made) = (new, made + 1);
            if made == 8 {
                break;
            }
        }
    }
    println!("{steps:?}");
    let all: u64 = steps.values().sum();
    assert!(all > programs * 3 && steps.len() > 30, "{all} steps of {} primitives", steps.len());
}

/// Edits without a meaning, and without a condition.
static ANYTHING: Primitive = Primitive {
    name: "anything",
    summary: "makes any edit",
    source: "the test",
    params: &[],
    conditions: &[],
    exact: Exact::Never,
    run: |p, _| Ok(p.clone()),
};

/// `p(x: f32[8])` with `t: f32[8]; for i: t[i] = 1.0; fill(t); x[0] = t[0]`, as a step has left it.
fn given(t: Sym, x: Sym, i: Sym) -> Proc {
    let a = Sym::fresh("a");
    let fill = proc("fill", [tensor_arg(a, DataType::F32, [int(8)])], [], [assign(a, [int(0)], data(1, 0))]);
    let body = [
        alloc(t, DataType::F32, [int(8)]),
        for_(i, 0, 8, [assign(t, [var(i)], data(1, 0))]),
        call(&fill, [var(t)]),
        assign(x, [int(0)], read(t, [int(0)])),
    ];
    let p = Proc::root(proc("p", [tensor_arg(x, DataType::F32, [int(8)])], [], body));
    edited(&p, |rw| rw.insert(&[Step::Body(4)], block([pass()]))).expect("`pass` may stand anywhere")
}

fn edited(p: &Proc, edit: impl FnOnce(&mut Rewrite)) -> Result<Proc, String> {
    let mut rw = Rewrite::new(p, &ANYTHING);
    edit(&mut rw);
    rw.finish().map_err(|e| e.to_string())
}

#[test]
fn what_a_step_breaks_elsewhere_is_refused() {
    let [t, x, i] = ["t", "x", "i"].map(Sym::fresh);
    let p = given(t, x, i);
    let at = |k: usize| [Step::Body(k)];
    let refused = |what: &str, edit: &dyn Fn(&mut Rewrite)| {
        let done = edited(&p, edit);
        assert!(done.is_err(), "{what}: {}", done.map_or(String::new(), |p| p.to_string()));
    };
    refused("a buffer that is used later is gone", &|rw| rw.delete(&Hole::stmt(at(0))));
    refused("it moves behind its use", &|rw| rw.move_to(&Hole::stmt(at(0)), &at(3)));
    refused("it has another precision than the callee takes", &|rw| {
        rw.replace(&Hole::stmt(at(0)), block([alloc(t, DataType::F64, [int(8)])]));
    });
    refused("it has another shape than the callee takes", &|rw| {
        rw.replace(&Hole::stmt(at(0)), block([alloc(t, DataType::F32, [int(9)])]));
    });
    refused("its name is bound again, in another block", &|rw| {
        rw.insert(&[Step::Body(1), Step::Body(0)], block([alloc(t, DataType::F32, [int(8)])]));
    });
    refused("a loop variable is bound by two loops", &|rw| {
        rw.insert(&at(4), block([for_(i, 0, 8, [pass()])]));
    });
    refused("an argument's name is bound", &|rw| {
        rw.insert(&at(4), block([for_(x, 0, 8, [pass()])]));
    });
    refused("a loop variable is used outside of its loop", &|rw| {
        rw.insert(&at(4), block([assign(x, [var(i)], data(1, 0))]));
    });
    let fine = edited(&p, |rw| {
        let k = Sym::fresh("k");
        rw.insert(&[Step::Body(1), Step::Body(1)], block([for_(k, 0, 8, [assign(t, [var(k)], data(2, 0))])]));
    });
    assert!(fine.is_ok(), "{fine:?}");
}
