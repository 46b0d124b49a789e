//! `replace` takes back what `inline` does: the body of a procedure at a random call, with other names, in another
//! order where statements commute, with indices in other forms, is found again. And what is no longer the body is
//! refused, or is a call all the same. Spec: [rule: unification].

use rewright_campaign::perturb::perturb;
use rewright_campaign::rng::Rng;
use rewright_campaign::{check, places_in};
use rewright_primitives::cursor::path::each_stmt_at;
use rewright_primitives::cursor::path::{ExprPath, Hole, Place, Step, expr_at, run_at, stmt_at};
use rewright_primitives::error::Error;
use rewright_primitives::ops::inline::inline;
use rewright_primitives::ops::inline_window::inline_window;
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::ops::replace::replace;
use rewright_primitives::ops::rewrite_expr::rewrite_expr;
use rewright_primitives::tools::syntax::operand::Operand;
use rewright_primitives::tools::syntax::stmt_views::Call;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{self, Expr, StmtKind};
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use rewright_semantics::types::linear::Linear;
use rewright_testsuite::callers::caller;
use std::path::Path;
use std::sync::Arc;

/// The machines' instructions, and the procedures of the corpus that use all of their arguments.
fn procedures() -> Vec<Arc<ast::Proc>> {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let mut out = prelude.procs.clone();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus").map(|f| f.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("text");
        let id = sources.add(file.display().to_string(), text);
        let mut parsed = parse_module(id, &sources, &prelude);
        parsed.diagnostics.extend(check_module(&parsed.module));
        if !has_errors(&parsed.diagnostics) {
            out.extend(parsed.module.procs);
        }
    }
    out.retain(uses_all);
    out
}

/// Whether the body is statements that could stand for each other, each with operands of its own. In another order `replace`
/// takes the first that fits so far, and may refuse what is a call.
fn is_sums_of_registers(p: &Arc<ast::Proc>) -> bool {
    ["_sum_each_", "_add_sums_"].into_iter().any(|part| p.name.as_str().contains(part))
}

/// Whether the body mentions every argument: of another one, nothing says what to pass.
fn uses_all(p: &Arc<ast::Proc>) -> bool {
    let used = rewright_effects::names::free_names(&p.body);
    p.args.iter().all(|a| used.contains(&a.name)) && !p.args.is_empty()
}

/// The caller with the body in place of the call, and where that is; `None` where it cannot be inlined.
fn inlined(caller: &Proc, callee: &ast::Proc) -> Option<(Proc, Hole)> {
    let at = vec![Step::Body(0), Step::Body(0)];
    let call = Cursor::new(caller, Place::Stmt(at.clone())).ok()?;
    let mut p = inline(caller, &call).ok()?;
    // The windows of the arguments stand first.
    while let Some(s) = stmt_at(p.ast(), &at)
        && matches!(s.kind.as_ref(), StmtKind::WindowStmt { .. })
        && block_len(&p, &at) > callee.body.len()
    {
        let w = Cursor::new(&p, Place::Stmt(at.clone())).ok()?;
        p = inline_window(&p, &w).ok()?;
    }
    let run = Hole { path: at, len: callee.body.len() };
    run_at(p.ast(), &run).is_some().then_some((p, run))
}

fn block_len(p: &Proc, path: &[Step]) -> usize {
    rewright_primitives::cursor::path::block_of(p.ast(), path).map_or(0, |b| b.len())
}

/// The statements of the run, with their paths.
fn inside(p: &Proc, run: &Hole) -> Vec<Vec<Step>> {
    let mut out = Vec::new();
    each_stmt_at(&run_at(p.ast(), run).unwrap_or_default(), &run.path, &mut |_, path| {
        out.push(path.to_vec())
    });
    out
}

/// The same statements, written otherwise.
fn rewritten(p: Proc, run: &Hole, rng: &mut Rng) -> (Proc, [u64; 2]) {
    let (mut p, mut made) = (p, [0, 0]);
    for _ in 0..6 {
        let all = inside(&p, run);
        let Some(path) = rng.pick(&all).cloned() else { break };
        if rng.chance(40) {
            let pair = Place::Block(Hole { path: path.clone(), len: 2 });
            let within = path.len() > run.path.len() || path.last().map(|s| s.index()) < Some(run.len - 1);
            if let Some(c) = within.then(|| Cursor::new(&p, pair).ok()).flatten()
                && let Ok(new) = reorder_stmts(&p, c)
            {
                (p, made[0]) = (new, made[0] + 1);
            }
            continue;
        }
        let Some(s) = stmt_at(p.ast(), &path) else { continue };
        let places = places_in(s, false);
        let Some(steps) = rng.pick(&places).cloned() else { continue };
        let at = ExprPath { stmt: path, steps };
        let Some(old) = expr_at(p.ast(), &at).cloned() else { continue };
        let e = expr_to_string(&old);
        let other = match rng.below(3) {
            0 => format!("({e}) + 2 - 2"),
            1 => format!("1 + ({e}) - 1"),
            _ => format!("2 * ({e}) - ({e})"),
        };
        let Ok(c) = Cursor::new(&p, Place::Expr(at.clone())) else { continue };
        // A name in the text may mean another variable of that name, which has the same value there.
        let same = |new: &Proc| {
            let form = |e: &Expr| Linear::of(e).ok();
            form(&old).is_some() && expr_at(new.ast(), &at).and_then(form) == form(&old)
        };
        let control = Operand::of(&p, &at).is_some_and(|o| !o.is_data(&old));
        if control
            && let Ok(new) = rewrite_expr(&p, c, &other)
            && same(&new)
        {
            (p, made[1]) = (new, made[1] + 1);
        }
    }
    (p, made)
}

#[test]
fn what_was_inlined_is_found_again() {
    let rounds: u64 = std::env::var("REWRIGHT_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(4);
    let (mut found, mut distinct, mut reordered, mut reformed, mut refused) = (0, 0, 0, 0, 0);
    let mut skipped: Vec<String> = Vec::new();
    for (k, callee) in procedures().into_iter().enumerate() {
        let mut once = false;
        for round in 0..rounds {
            let seed = u64::try_from(k).unwrap_or(0) * 1000 + round;
            let mut rng = Rng::new(seed);
            let Some(made) = caller(&mut rng, &callee) else { continue };
            let before = Proc::root(made);
            let Some((p, run)) = inlined(&before, &callee) else { continue };
            let (p, [orders, forms]) = rewritten(p, &run, &mut rng);
            let c = Cursor::new(&p, Place::Block(run.clone())).expect("the run is there");
            let new = match replace(&p, c, &Proc::root(callee.clone())) {
                Ok(new) => new,
                Err(_) if orders > 0 && is_sums_of_registers(&callee) => {
                    refused += 1;
                    continue;
                }
                Err(e) => panic!("seed {seed}, `{}`: {e}\n{before}\n{p}", callee.name),
            };
            let call = stmt_at(new.ast(), &run.path).and_then(Call::of).expect("a call");
            assert!(Arc::ptr_eq(&call.proc, &callee));
            check(&before, &new, seed, 2)
                .unwrap_or_else(|what| panic!("seed {seed}: {what}\n{before}\n{new}"));
            (found, reordered, reformed) = (found + 1, reordered + orders, reformed + forms);
            once = true;
        }
        if once {
            distinct += 1;
        } else {
            skipped.push(callee.name.to_string());
        }
    }
    println!("{found} calls of {distinct} procedures found; {reordered} swaps, {reformed} other forms");
    println!("{refused} calls of sums in another order are refused; without a caller: {}", skipped.join(" "));
    assert!(distinct >= 60, "only {distinct} procedures");
    assert!(reordered > 20 && reformed > 100);
}

#[test]
fn what_is_another_block_is_refused_or_a_call_all_the_same() {
    let (mut refused, mut accepted) = (0, 0);
    for (k, callee) in procedures().into_iter().enumerate() {
        for round in 0..4 {
            let seed = u64::try_from(k).unwrap_or(0) * 1000 + round + 500;
            let mut rng = Rng::new(seed);
            let Some(made) = caller(&mut rng, &callee) else { continue };
            let Some((p, run)) = inlined(&Proc::root(made), &callee) else { continue };
            let Some((_, other)) = perturb(p.ast(), &mut rng) else { continue };
            let p = Proc::root(other);
            let Ok(c) = Cursor::new(&p, Place::Block(run.clone())) else { continue };
            match replace(&p, c, &Proc::root(callee.clone())) {
                Ok(new) => {
                    accepted += 1;
                    check(&p, &new, seed, 4).unwrap_or_else(|what| panic!("seed {seed}: {what}\n{p}\n{new}"));
                }
                Err(Error::Scheduling(_) | Error::InvalidCursor(_)) => refused += 1,
                Err(bug @ Error::Internal { .. }) => panic!("seed {seed}: {bug}"),
            }
        }
    }
    println!("{refused} refused, {accepted} accepted");
    assert!(refused > 100 && accepted > 10);
}
