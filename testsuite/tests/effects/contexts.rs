//! CtrlPred, PreValG and PostEff hold of what the interpreter does: PLDI'22 §6.1, on random programs.
//! Spec: [rule: contexts.properties].

use rewright_campaign::generate::{Shape, module};
use rewright_campaign::holes::{edit, insert, paths, sequential};
use rewright_campaign::rng::Rng;
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::cell;
use rewright_effects::context::{Context, Hole, Step};
use rewright_effects::eff::eff_block;
use rewright_effects::effexpr::{EffExpr, Substitution};
use rewright_effects::env::{Field, sort_of_field};
use rewright_effects::locset::Loc;
use rewright_effects::ternary::{TernaryValue, Truth};
use rewright_semantics::ast::{Block, Config, ConfigField, Expr, Module, Proc, Stmt, StmtKind};
use rewright_semantics::build::{
    alloc, and, assign, boolean, data, eq, if_, int, proc, read_config, var, write_config,
};
use rewright_semantics::data::rational::Rational;
use rewright_semantics::denote::FaultClass;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::store::{ConfigKey, Store};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ControlType, DataType, FieldType};
use rewright_semantics::value::Val;
use rewright_testsuite::abstraction::Run;
use std::sync::Arc;

const PROGRAMS: u64 = 250;

/// A place in a random program, one iteration of the loops around it, and an input.
struct Case<'a> {
    module: &'a Module,
    proc: &'a Arc<Proc>,
    path: Vec<Step>,
    ctx: Context,
    /// This iteration, as a condition of the language and as values.
    here: Expr,
    values: Substitution,
    seed: u64,
}

impl Case<'_> {
    /// The procedure with a statement before the hole, in this iteration alone.
    fn with(&self, stmts: Vec<Stmt>) -> Proc {
        let guarded = if_(self.here.clone(), stmts, []);
        // A change within a parallel loop would be a race.
        sequential(&edit(self.proc, &self.path, &|b, i| insert(b, i, std::slice::from_ref(&guarded))))
    }

    fn about(&self, run: &Run<'_>) -> String {
        let text = module_to_string(self.module);
        format!("seed {}, {} at {:?}\n{text}\n{:?}", self.seed, self.proc.name, self.path, run.input)
    }
}

fn on_cases(mut check: impl FnMut(&Case<'_>, &mut Rng) -> u64) -> u64 {
    let an = Analysis::new();
    let mut interesting = 0;
    for seed in 0..PROGRAMS {
        let mut rng = Rng::new(seed);
        let m = module(seed, &Shape { stmts: 8, ..Shape::floating() });
        for p in &m.procs {
            let all = paths(p);
            for _ in 0..3 {
                let Some(path) = rng.pick(&all).cloned() else { continue };
                let hole = Hole { path: path.clone(), len: 0 };
                let ctx = Context::of(&an, p, &hole).expect("the path is the program's");
                let mut values = Substitution::new();
                let mut here = boolean(true);
                for iter in iters(&p.body, &path) {
                    let k = rng.between(0, 2);
                    here = and(here, eq(var(iter), int(k)));
                    for v in ctx.env.local(iter).free_vars() {
                        values.insert(v, EffExpr::int(k));
                    }
                }
                let case = Case { module: &m, proc: p, path, ctx, here, values, seed };
                interesting += check(&case, &mut rng);
            }
        }
    }
    interesting
}

/// The variables of the loops on a path, outermost first.
fn iters(b: &Block, path: &[Step]) -> Vec<Sym> {
    let Some((step, rest)) = path.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Vec::new();
    };
    match b.get(step.index()).expect("a statement of the path").kind.as_ref() {
        StmtKind::For { iter, body, .. } => {
            let mut out = vec![*iter];
            out.extend(iters(body, rest));
            out
        }
        StmtKind::If { body, orelse, .. } => match rest.first() {
            Some(Step::Orelse(_)) => iters(orelse, rest),
            Some(Step::Body(_)) | None => iters(body, rest),
        },
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => panic!("a path into a statement without a block"),
    }
}

/// A field of the module, and the field that its value is noted in.
type Noted = (Arc<Config>, Name, Name);

/// A class with a place to note each control field of the module, and whether the hole was reached.
fn probe(m: &Module) -> (Arc<Config>, Vec<Noted>) {
    let field = |name: Name, t| ConfigField { name, typ: FieldType::Control(t), span: Span::NONE };
    let mut fields = vec![field("hit".into(), ControlType::Int)];
    let mut noted = Vec::new();
    for config in &m.configs {
        for f in &config.fields {
            if let FieldType::Control(t) = f.typ {
                let note = Name::new(&format!("{}_{}", config.name, f.name));
                let t = if t == ControlType::Bool { t } else { ControlType::Int };
                fields.push(field(note, t));
                noted.push((config.clone(), f.name, note));
            }
        }
    }
    let class = Config { name: "Probe".into(), fields: fields.into(), direct_access: true, span: Span::NONE };
    (Arc::new(class), noted)
}

#[test]
fn ctrl_pred_holds_and_pre_val_g_is_right_whenever_the_hole_is_reached() {
    let hits = on_cases(|case, _| {
        let (class, noted) = probe(case.module);
        let mut notes = vec![write_config(&class, "hit", int(4242))];
        notes.extend(noted.iter().map(|(c, f, note)| write_config(&class, *note, read_config(c, *f))));
        let probed = case.with(notes);
        let Some(run) = Run::random(&probed, case.seed) else { return 0 };
        let Some(after) = run.outcome() else { return 0 };
        let key = |field| ConfigKey { config: class.name, field };
        let hit = |st: &Store<Rational>| st.global(key("hit".into())) == Some(&Val::Int(4242));
        if hit(&run.before) || !hit(&after) {
            return 0;
        }
        let pred = EffExpr::and(case.ctx.ctrl_pred.clone()).substitute(&case.values);
        assert!(run.truth(&pred).maybe(), "reached, though {:?}\n{}", case.ctx.ctrl_pred, case.about(&run));
        for fact in &case.ctx.facts {
            assert!(run.truth(fact).maybe(), "{fact} does not hold\n{}", case.about(&run));
        }
        for (c, f, note) in &noted {
            let Some(sort) = sort_of_field(c, *f) else { continue };
            let ee = case.ctx.env.globals.get(Field { config: c.name, field: *f }, sort);
            let found = after.global(key(*note)).cloned();
            match run.eval_with(&ee, &case.values) {
                TernaryValue::Int(Some(v)) => {
                    let v = Val::Int(i64::try_from(v).expect("values are small"));
                    assert_eq!(found, Some(v), "{f}: {ee}\n{}", case.about(&run));
                }
                TernaryValue::Bool(t) if t != Truth::Unknown => {
                    assert_eq!(found, Some(Val::Bool(t.definitely())), "{f}: {ee}\n{}", case.about(&run));
                }
                TernaryValue::Int(None) | TernaryValue::Bool(_) => {}
            }
        }
        1
    });
    assert!(hits > 300, "only {hits} holes were reached");
}

/// After the change, only the changed place may differ, and only if PostEff does not overwrite it.
fn only_differs_at(case: &Case<'_>, changed: &Proc, at: &Loc) -> u64 {
    let Some(run) = Run::random(case.proc, case.seed) else { return 0 };
    let truth = |ee: EffExpr| run.truth(&ee.substitute(&case.values));
    if truth(case.ctx.post_eff().uses().contains(at)).maybe() {
        return 0;
    }
    let overwritten = truth(case.ctx.post_eff().wr().contains(at)).definitely();
    let Some(old) = run.outcome() else { return 0 };
    let other = Run::with(changed, run.input.clone());
    let Some(new) = other.outcome() else {
        // The statements put in may be the ones that are too many.
        let limit = other.fault() == Some(FaultClass::Limit);
        assert!(
            limit,
            "changing {at}, which is not used later, makes the program fail\n{}",
            case.about(&run)
        );
        return 0;
    };
    for place in run.places(&old) {
        if run.value(&old, &place) != run.value(&new, &place) {
            let loc = run.loc(&place);
            let same = loc.base == at.base
                && loc
                    .idx
                    .iter()
                    .zip(at.idx.iter())
                    .all(|(i, j)| truth(EffExpr::eq(i.clone(), j.clone())).maybe());
            assert!(same && !overwritten, "changing {at} changes {loc}\n{}", case.about(&run));
        }
    }
    1
}

#[test]
fn what_post_eff_does_not_use_can_be_changed() {
    let changed = on_cases(|case, rng| {
        let views: Vec<(Sym, usize)> = case.ctx.env.views().map(|(x, v)| (x, v.extents.len())).collect();
        let Some(&(x, rank)) = rng.pick(&views) else { return 0 };
        let idx: Vec<i64> = (0..rank).map(|_| rng.between(0, 1)).collect();
        let view = case.ctx.env.view(x).expect("it is in scope");
        // Every extent must reach that far, whatever the input.
        let inside = |(i, e): (&i64, &EffExpr)| *i == 0 || e.as_int().is_some_and(|e| *i < e);
        if !idx.iter().zip(&view.extents).all(inside) {
            return 0;
        }
        let at = view.locate(&idx.iter().map(|i| EffExpr::int(*i)).collect::<Vec<_>>());
        let stmt = assign(x, idx.iter().map(|i| int(*i)).collect::<Vec<_>>(), data(47, 0));
        only_differs_at(case, &case.with(vec![stmt]), &at)
    });
    assert!(changed > 60, "only {changed} cells were unused");
}

#[test]
fn fields_that_post_eff_does_not_read_can_be_changed() {
    let changed = on_cases(|case, _| {
        let mut changed = 0;
        for config in &case.module.configs {
            for f in &config.fields {
                let new: Expr = match f.typ {
                    FieldType::Control(ControlType::Bool) => boolean(case.seed.is_multiple_of(2)),
                    FieldType::Control(_) => int(23),
                    FieldType::Data(_) => data(47, 0),
                };
                let field = Field { config: config.name, field: f.name };
                let at = Loc::field(field);
                changed += only_differs_at(case, &case.with(vec![write_config(config, f.name, new)]), &at);
            }
        }
        changed
    });
    assert!(changed > 300, "only {changed} fields were unread");
}

/// Two contexts are found each by itself. What one allocation makes is one root in both: were it two, writes to the
/// same cell of `a` would be taken to be apart. Spec: [rule: effenv.roots].
#[test]
fn an_allocation_is_one_root_in_all_contexts() {
    let a = Sym::fresh("a");
    let write = || assign(a, [int(0)], data(1, 0));
    let p = proc("p", [], [], [alloc(a, DataType::F32, [int(4)]), write(), write()]);
    let an = Analysis::new();
    let at = |k| Context::of(&an, &p, &Hole::stmt([Step::Body(k)])).expect("there are three statements");
    let effect = |ctx: &Context| eff_block(&ctx.analysis, &ctx.env, &ctx.hole);
    let (first, second) = (at(1), at(2));
    assert_eq!(cell(&first.env, a, &[int(0)]), cell(&second.env, a, &[int(0)]));
    let apart = effect(&first).wr().inter(effect(&second).wr()).is_empty();
    assert!(!apart.is_true(), "the same cell, found from two places: {apart}");
}
