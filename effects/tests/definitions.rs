//! The definitions under the papers' names say neither less nor more than what is printed: of small programs, the
//! places in each set and outside of it, and the statements of which a condition must not be proved. Spec:
//! [rule: effects], [rule: contexts], [rule: conditions].

mod support;

use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    cell, commutes, fission, formulas, fuse_loops, no_carry, not_touched_by, parallel, recompute,
    remove_loop, reorder_loops, runs_at_least_once,
};
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::eff::eff_block;
use rewright_effects::effect::{Access, Effect};
use rewright_effects::effexpr::EffExpr;
use rewright_effects::env::Field;
use rewright_effects::locset::{Base, Loc, LocSet};
use rewright_effects::obligation::Obligation;
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Block, Proc, StmtKind};
use rewright_semantics::build::{block, int};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::{SourceMap, Span};
use rewright_semantics::sym::Sym;
use std::sync::Arc;
use support::asks;

/// The last procedure, after a class of fields.
fn proc(text: &str) -> Arc<Proc> {
    let mut sources = SourceMap::new();
    let text = format!("@config\nclass Cfg:\n    a: index\n\n{text}");
    let file = sources.add("definitions.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.module.procs.last().cloned().expect("a procedure")
}

fn context(p: &Proc, path: impl Into<Vec<Step>>, len: usize) -> Context {
    Context::of(&Analysis::new(), p, &Hole { path: path.into(), len }).expect("a place of the procedure")
}

fn proved(ob: &Obligation) -> bool {
    Solver::new().decide(ob).is_proved()
}

fn holds(ee: EffExpr) -> bool {
    proved(&asks(ee))
}

/// Whether a place is surely in a set; that it is surely not, otherwise.
fn contains(set: &LocSet, place: &Loc) -> bool {
    let inside = set.contains(place);
    let (is_in, is_out) = (holds(inside.clone()), holds(EffExpr::not(inside)));
    assert!(is_in != is_out, "{place} is neither in nor outside of the set");
    is_in
}

/// The name of an argument.
fn name(p: &Proc, k: usize) -> Sym {
    p.args.get(k).expect("an argument").name
}

fn only(b: &Block, k: usize) -> Block {
    block(b.get(k).cloned())
}

#[test]
fn ctrl_pred_says_which_iteration_and_which_branch() {
    let p = proc(
        "@proc\ndef p(n: size, x: f32[n]):\n    for i in seq(2, n):\n        if i < 4:\n            pass\n        else:\n            x[i] = 1.0\n",
    );
    let ctx = context(&p, [Step::Body(0), Step::Body(0), Step::Orelse(0)], 1);
    let StmtKind::For { iter, .. } = p.body.get(0).expect("a loop").kind.as_ref() else { panic!("a loop") };
    let i = ctx.env.local(*iter);
    let n = EffExpr::int_var(name(&p, 0));
    let wanted = EffExpr::and([EffExpr::ge(i.clone(), EffExpr::int(4)), EffExpr::lt(i, n)]);
    let found = EffExpr::and(ctx.ctrl_pred);
    assert!(holds(EffExpr::implies(found.clone(), wanted.clone())), "{found}");
    assert!(holds(EffExpr::implies(wanted, found.clone())), "{found}");
}

#[test]
fn after_the_last_statement_comes_nothing() {
    let p = proc("@proc\ndef p(x: f32):\n    x = 1.0\n    x = 2.0\n");
    let gap = |k| context(&p, [Step::Body(k)], 0);
    assert_eq!(*gap(2).post_eff(), Effect::Empty);
    assert_ne!(*gap(1).post_eff(), Effect::Empty);
    let of = |path: &[Step], len| Context::of(&Analysis::new(), &p, &Hole { path: path.into(), len });
    assert!(of(&[Step::Body(3)], 0).is_none(), "behind the end");
    assert!(of(&[Step::Body(1)], 2).is_none(), "over the end");
    assert!(of(&[Step::Body(2), Step::Body(0)], 0).is_none(), "into what is not there");
}

#[test]
fn the_sets_of_an_effect() {
    let p = proc(
        "@proc\ndef p(x: f32[8], y: f32[8]):\n    x[0] = y[0]\n    y[1] += 1.0\n    x[2] = 0.0\n    x[2] += 1.0\n    Cfg.a = Cfg.a + 1\n",
    );
    let ctx = context(&p, [Step::Body(0)], p.body.len());
    let a = eff_block(&ctx.analysis, &ctx.env, &ctx.hole);
    let at = |k: usize, i: i64| cell(&ctx.env, name(&p, k), &[int(i)]).expect("a cell");
    let [x0, x2, y0, y1] = [at(0, 0), at(0, 2), at(1, 0), at(1, 1)];
    let last = p.body.get(4).expect("the last statement");
    let StmtKind::WriteConfig { config, field, rhs: _ } = last.kind.as_ref() else { panic!("{last:?}") };
    let field = Field::of(config, *field);
    let field = Loc::field(field);
    let places = [&x0, &x2, &y0, &y1, &field];
    let members = |set: LocSet| places.map(|place| contains(&set, place));
    assert_eq!(members(a.rd()), [false, false, true, false, true], "Rd");
    assert_eq!(members(a.wr()), [true, true, false, false, true], "Wr");
    assert_eq!(members(a.red_h()), [false, true, false, true, false], "R+_H");
    assert_eq!(members(a.modified()), [true, true, false, true, true], "Mod");
    assert_eq!(members(a.all()), [true; 5], "All");
    assert_eq!(members(a.rd_g()), [false, false, false, false, true], "Rd_G");
    assert_eq!(members(a.wr_g()), [false, false, false, false, true], "Wr_G");
}

#[test]
fn commutes_is_neither_always_nor_never() {
    let p = proc("@proc\ndef p(x: f32[8], y: f32):\n    x[0] = 1.0\n    x[1] = 2.0\n    y = x[0]\n");
    let ctx = context(&p, [Step::Body(0)], 3);
    let [a, b, c] = [0, 1, 2].map(|k| eff_block(&ctx.analysis, &ctx.env, &only(&p.body, k)));
    assert!(holds(formulas::commutes(&a, &b)));
    assert!(!holds(formulas::commutes(&a, &c)));
    assert!(holds(formulas::commutes(&b, &c)));
}

#[test]
fn an_untouched_cell_is_one_that_no_name_reaches() {
    let p = proc("@proc\ndef p(x: f32[8], y: f32[8]):\n    w = x[2:4]\n    y[0] = w[0]\n    y[1] = 1.0\n");
    let untouched = |k: usize, arg: usize, i: i64| {
        let ctx = context(&p, [Step::Body(k)], 1);
        let at = cell(&ctx.env, name(&p, arg), &[int(i)]).expect("a cell");
        proved(&not_touched_by(&ctx, &at, &ctx.hole))
    };
    assert!(!untouched(1, 0, 2), "through a window");
    assert!(untouched(1, 0, 3));
    assert!(untouched(2, 0, 2));
    assert!(!untouched(2, 1, 1));
}

#[test]
fn no_condition_on_loops_holds_of_what_is_none() {
    let p = proc(
        "@proc\ndef p(n: size, x: f32[n]):\n    x[0] = 1.0\n    for i in seq(0, n):\n        x[i] = 1.0\n",
    );
    let ctx = context(&p, [Step::Body(0)], 2);
    let (s, l) = (p.body.get(0).expect("a statement"), p.body.get(1).expect("a loop"));
    let asked: [(&str, Vec<Obligation>); 9] = [
        ("reorder_loops", reorder_loops(&ctx, s)),
        ("reorder_loops of one loop", reorder_loops(&ctx, l)),
        ("fission", fission(&ctx, s, 0)),
        ("fission behind the end", fission(&ctx, l, 2)),
        ("fuse_loops", [fuse_loops(&ctx, s, l), fuse_loops(&ctx, l, s)].into_iter().flatten().collect()),
        ("remove_loop", remove_loop(&ctx, s)),
        ("recompute", recompute(&ctx, s).into()),
        ("parallel and no_carry", [parallel(&ctx, s), no_carry(&ctx, s, name(&p, 1))].concat()),
        ("runs_at_least_once", vec![runs_at_least_once(&ctx, s)]),
    ];
    for (what, obligations) in asked {
        assert!(!obligations.is_empty() && obligations.iter().all(|ob| !proved(ob)), "{what}");
    }
}

#[test]
fn an_obligation_says_which_statements() {
    let p = proc("@proc\ndef p(x: f32, y: f32):\n    x = 1.0\n    x = 2.0\n    y = x\n");
    let ctx = context(&p, [Step::Body(0)], 3);
    // Spans are all equal: their ends are not.
    let ends = |span: Span| (span.start, span.end);
    let [one, two, three] = [0, 1, 2].map(|k| ends(p.body.get(k).expect("a statement").span));
    let first = block(p.body.iter().take(2).cloned());
    let obligations = commutes(&ctx, &first, &only(&p.body, 2));
    let places: Vec<_> = obligations.iter().flat_map(|ob| &ob.locations).map(|(at, _)| ends(*at)).collect();
    assert_eq!(places, [(one.0, two.1), three]);
}

#[test]
fn an_effect_is_printed_as_the_paper_writes_it() {
    let (x, i) = (Sym::fresh("x"), Sym::fresh("i"));
    let at = Loc { base: Base::Buffer(x), idx: [EffExpr::int_var(i)].into() };
    let one =
        Effect::guard(EffExpr::lt(EffExpr::int_var(i), EffExpr::int(3)), Effect::access(Access::Reduce, at));
    let a = Effect::seq([Effect::Alloc(x), Effect::over(i, one)]);
    assert_eq!(a.to_string(), "Alloc(x); Loop(i, Guard(i < 3, Reduce(x[i])))");
    assert_eq!(Effect::Empty.to_string(), "∅");
}

/// What is known on entry is kept for the next procedure with the same head, and for no other.
#[test]
fn what_holds_on_entry_is_that_of_the_procedure() {
    let mut sources = SourceMap::new();
    let text = "
@config
class Cfg:
    n: size
    a: index

@proc
def with_size(x: f32):
    Cfg.n = Cfg.n + 1
    x = 0.0

@proc
def without(x: f32):
    Cfg.a = Cfg.a + 1
    x = 0.0

@proc
def asserts(x: f32):
    assert Cfg.a > 2
    Cfg.a = Cfg.a + 1
    x = 0.0

@proc
def another(y: f32, n: size):
    Cfg.a = Cfg.a + 1
    y = 0.0
";
    let file = sources.add("heads.py", text);
    let procs = parse_module(file, &sources, &Prelude::standard()).module.procs;
    assert_eq!(procs.len(), 4);
    let an = Analysis::new();
    let facts = |an: &Analysis, p: &Proc| {
        let hole = Hole { path: [Step::Body(1)].into(), len: 1 };
        format!("{:?}", Context::of(an, p, &hole).expect("a place").facts)
    };
    for (p, q) in procs.iter().flat_map(|p| procs.iter().map(move |q| (p, q))) {
        assert_eq!(facts(&an, p), facts(&Analysis::new(), p), "{}", p.name);
        assert_eq!(facts(&an, q), facts(&Analysis::new(), q), "{} after {}", q.name, p.name);
    }
    assert_ne!(facts(&an, &procs[0]), facts(&an, &procs[1]));
}
