//! The campaign reaches the forms of each primitive that are easily missed: loops that start anywhere, guards with two
//! branches, writes of one value, integers that are cut off. Each is met, accepted, and held against the interpreter;
//! how often is printed. Spec: [rule: campaign].

use rewright_campaign::{Accepted, Plan, Report, sampled};
use rewright_effects::analysis::Analysis;
use rewright_primitives::cursor::path::{Place, Step, expr_at, run_at, stmt_at};
use rewright_primitives::ops;
use rewright_primitives::registry::Value;
use rewright_primitives::tools::syntax::scope::env_at;
use rewright_primitives::tools::syntax::stmt_views::{For, If, Write, WriteKind};
use rewright_primitives::version::{Relation, Step as Made};
use rewright_semantics::ast::{ExprKind, Proc, Stmt};
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::DataType;

/// What an accepted rewrite is asked.
type Asked = fn(&Proc, &Made) -> bool;

/// The primitive, the form, and whether a rewrite is of it.
const FORMS: [(&str, &str, Asked); 15] = [
    ("bind_expr", "integers that are no cell", bound_integers),
    ("inline_assign", "integers that are no cell", inlined_integers),
    ("set_precision", "integers for R", |_, s| {
        s.relation == Relation::Rounded && text(s, "typ").is_integer()
    }),
    ("remove_loop", "under a guard", |_, s| !discharged(s, "runs")),
    ("reuse_buffer", "the old buffer is read", |_, s| times(s, "apart") > 1),
    ("delete_config", "the value is there", |_, s| discharged(s, "same")),
    ("fission", "a guard with an else", |p, s| parent_has_else(p, s) && !discharged(s, "commute")),
    ("lift_scope", "a loop out of a guard with an else", |p, s| is_loop(p, s) && parent_has_else(p, s)),
    ("divide_loop", "from elsewhere than 0", |_, s| !discharged(s, "lower_bound")),
    ("mult_loops", "from elsewhere than 0", |_, s| times(s, "zero_based") < 2),
    ("unroll_loop", "from a value that is no number", |_, s| discharged(s, "bounds_stable")),
    ("reorder_stmts", "both assign to one cell", |p, s| both_assign(p, s)),
    ("reorder_loops", "all iterations assign to one cell", |p, s| one_cell(p, s)),
    ("sink_alloc", "past statements", |p, s| passes(p, s)),
    ("specialize", "a field that is not mentioned", |_, s| s.relation == Relation::Restricted),
];

#[test]
fn the_campaign_reaches_these_forms() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(160);
    let mut never = Vec::new();
    for (primitive, form, is_one) in FORMS {
        let primitive = ops::by_name(primitive).expect("a primitive");
        let plan = Plan { attempts: 6, ..Plan::of(vec![primitive]) };
        let (mut report, mut accepted, mut of_form) = (Report::default(), 0, 0);
        for seed in 400_000..400_000 + programs {
            let (failures, found) = sampled(seed, &plan, &mut report);
            assert!(failures.is_empty(), "seed {seed}: {}", failures[0]);
            let Some(Accepted { old, new, .. }) = found.filter(|f| f.primitive.name == primitive.name) else {
                continue;
            };
            accepted += 1;
            let step = &new.origin().expect("a rewrite").step;
            of_form += u64::from(is_one(old.ast(), step));
        }
        println!("{:<14} {form:<36} {of_form:>4} of {accepted:>4} looked at", primitive.name);
        if of_form == 0 {
            never.push(primitive.name);
        }
    }
    assert!(never.is_empty(), "never reached: {never:?}");
}

fn times(s: &Made, condition: &str) -> usize {
    s.discharged.iter().filter(|d| d.condition == condition).count()
}

fn discharged(s: &Made, condition: &str) -> bool {
    times(s, condition) > 0
}

fn text(s: &Made, arg: &str) -> DataType {
    let found = s.args.iter().find_map(|(name, value)| {
        if let (true, Value::Text(t)) = (*name == arg, value) { DataType::from_keyword(t) } else { None }
    });
    found.expect("a data type")
}

/// The first place among the arguments.
fn place(s: &Made) -> Option<Place> {
    let shown = |value: &Value| if let Value::Cursor(c) = value { Some(c.place().clone()) } else { None };
    s.args.iter().find_map(|(_, value)| {
        if let Value::List(all) = value { all.iter().find_map(shown) } else { shown(value) }
    })
}

fn path(s: &Made) -> Option<Vec<Step>> {
    match place(s)? {
        Place::Stmt(path) => Some(path),
        Place::Block(run) => Some(run.path),
        Place::Gap(gap) => Some(gap.anchor),
        Place::Expr(at) => Some(at.stmt),
        Place::Arg(_) => None,
    }
}

fn stmt<'a>(p: &'a Proc, s: &Made) -> Option<&'a Stmt> {
    stmt_at(p, &path(s)?)
}

fn is_loop(p: &Proc, s: &Made) -> bool {
    stmt(p, s).and_then(For::of).is_some()
}

fn parent_has_else(p: &Proc, s: &Made) -> bool {
    let parent = || stmt_at(p, path(s)?.split_last()?.1).and_then(If::of);
    parent().is_some_and(|g| !g.orelse.is_empty())
}

fn bound_integers(p: &Proc, s: &Made) -> bool {
    let Some(Place::Expr(at)) = place(s) else { return false };
    let (Some(e), Some(env)) = (expr_at(p, &at), env_at(&Analysis::new(), p, &at.stmt)) else { return false };
    let cell = matches!(e.kind, ExprKind::Read { .. } | ExprKind::ReadConfig { .. });
    !cell && matches!(env.type_of(e), Type::Data(Precision::Of(t)) if t.is_integer())
}

fn inlined_integers(p: &Proc, s: &Made) -> bool {
    let (Some(w), Some(at)) = (stmt(p, s).and_then(Write::of), path(s)) else { return false };
    let elem = env_at(&Analysis::new(), p, &at).and_then(|env| env.buffer(w.name).map(|t| t.elem));
    !matches!(w.rhs.kind, ExprKind::Read { .. }) && elem.is_some_and(DataType::is_integer)
}

fn both_assign(p: &Proc, s: &Made) -> bool {
    let Some(Place::Block(run)) = place(s) else { return false };
    let all: Vec<Write> = run_at(p, &run).unwrap_or_default().iter().filter_map(Write::of).collect();
    let assigned = |w: &Write| w.kind == WriteKind::Assign;
    matches!(&all[..], [a, b] if assigned(a) && assigned(b) && a.name == b.name && a.idx == b.idx)
}

fn one_cell(p: &Proc, s: &Made) -> bool {
    let Some(outer) = stmt(p, s).and_then(For::of) else { return false };
    let Some(inner) = outer.body.get(0).and_then(For::of) else { return false };
    let writes: Vec<Write> = inner.body.iter().filter_map(Write::of).collect();
    let apart = |w: &Write| {
        w.idx.iter().any(|e| {
            let names = rewright_effects::names::expr_names(e);
            names.contains(&outer.iter) || names.contains(&inner.iter)
        })
    };
    writes.iter().any(|w| w.kind == WriteKind::Assign && !apart(w))
}

fn passes(p: &Proc, s: &Made) -> bool {
    let next = path(s).map(|at| rewright_primitives::cursor::path::shifted(&at, 1));
    let next = next.and_then(|at| stmt_at(p, &at));
    next.is_some_and(|next| For::of(next).is_none() && If::of(next).is_none())
}
