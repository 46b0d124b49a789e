//! Blocks `obligation NAME proved` and `obligation NAME refuted [ID]`: a condition at the marked statements, and its
//! verdict.
//!
//! Conditions of the table (`corpus/conditions`) are put to the interpreter as well: where they are proved both programs agree,
//! where they are refuted some input shows the difference. For `formula` the block holds lines `assume h` and a line
//! `show p`.

use crate::blocks::{Block, program};
use crate::formula::parse_all;
use crate::program::Program;
use rewright_effects::analysis::Analysis;
use rewright_effects::conditions::{
    downward, no_carry, not_changed_by, not_read_by, not_touched_by, place, read_by, recompute, share, upward,
};
use rewright_effects::context::Context;
use rewright_effects::obligation::{ConditionId, Model, Obligation, Verdict};
use rewright_effects::solver::Solver;
use rewright_semantics::ast::{Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_testsuite::table::{CONDITIONS, Case, Expect, Found, Pair, confirm, main_id};

pub(crate) fn run(block: &Block) -> Result<(), String> {
    let mut words = block.words.iter().map(String::as_str);
    let (name, verdict) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let expect = match verdict {
        "proved" => Expect::Proved,
        "refuted" => Expect::Refuted(words.next().unwrap_or(usual_id(name)).to_owned()),
        other => return Err(format!("`{other}` is no verdict")),
    };
    if let Some(word) = words.next() {
        return Err(format!("`{word}` is unexpected"));
    }
    if name == "formula" {
        return decide(&[formula(&block.text)?], &expect).map(|_| ());
    }
    if CONDITIONS.contains(&name) {
        return of_the_table(name, expect, block);
    }
    decide(&stated(name, &Program::read(&program(&block.text))?)?, &expect).map(|_| ())
}

/// The id under which a condition is refuted when the block does not name another.
fn usual_id(name: &str) -> &'static str {
    match name.split('(').next().unwrap_or_default() {
        "formula" => "formula",
        "recompute" => "loop.iterations-commute",
        "no_carry" => "buffer.carry",
        "share" | "upward" | "downward" => "buffer.order",
        "not_read" | "not_touched" | "not_changed" | "read" => "cell.untouched",
        of_the_table => main_id(of_the_table),
    }
}

/// `assume h`, `show p`
fn formula(text: &str) -> Result<Obligation, String> {
    let lines: Vec<&str> = text.lines().filter(|l| !l.is_empty()).collect();
    let assumed: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("assume ")).collect();
    let shown: Vec<&str> = lines.iter().filter_map(|l| l.strip_prefix("show ")).collect();
    if shown.len() != 1 || assumed.len() + 1 != lines.len() {
        return Err("there must be one line `show`, and lines `assume`".to_owned());
    }
    let mut parsed = parse_all(shown.into_iter().chain(assumed))?.into_iter();
    let p = parsed.next().ok_or("nothing is shown")?;
    Ok(Obligation::new(ConditionId("formula"), "the formula", p).assuming(parsed))
}

/// The verdict is the expected one; the values that refute it.
fn decide(obligations: &[Obligation], expect: &Expect) -> Result<Option<Model>, String> {
    let solver = Solver::new();
    let mut refuted = None;
    for ob in obligations {
        match solver.decide(ob) {
            Verdict::Proved { .. } => {}
            Verdict::Refuted { model } => {
                refuted.get_or_insert((ob.id.to_string(), model));
            }
            Verdict::Unknown { why } => return Err(format!("{} is unknown: {why}", ob.id)),
        }
    }
    match (expect, refuted) {
        (Expect::Proved, None) => Ok(None),
        (Expect::Proved, Some((id, model))) => Err(format!("{id} is refuted: {model}")),
        (Expect::Refuted(_), None) => Err("everything is proved".to_owned()),
        (Expect::Refuted(id), Some((found, model))) if *id == found => Ok(Some(model)),
        (Expect::Refuted(_), Some((found, model))) => Err(format!("refuted is {found}: {model}")),
    }
}

fn of_the_table(name: &str, expect: Expect, block: &Block) -> Result<(), String> {
    let case = Case { condition: name.to_owned(), name: block.tag(), expect, text: program(&block.text) };
    let question = case.read()?.question(name)?;
    match decide(&question.obligations, &case.expect)? {
        None => question.pairs.iter().try_for_each(agree),
        Some(model) => differ(&question.pairs, &model),
    }
}

fn agree(pair: &Pair) -> Result<(), String> {
    match confirm(pair, &Model::default())? {
        Found::Differs { how, .. } => Err(format!("proved, and wrong: {how}")),
        Found::Agrees(0) => Err("the program never runs without an error".to_owned()),
        Found::Agrees(_) => Ok(()),
    }
}

fn differ(pairs: &[Pair], model: &Model) -> Result<(), String> {
    for pair in pairs {
        if let Found::Differs { .. } = confirm(pair, model)? {
            return Ok(());
        }
    }
    Err(format!("the interpreter finds no difference near {model}"))
}

/// Conditions that the table does not have, on the statements marked `# here`. Buffers are named as in the program.
fn stated(name: &str, program: &Program) -> Result<Vec<Obligation>, String> {
    let an = Analysis::new();
    let ctx = program.context(&an)?.ok_or("nothing is marked `# here`")?;
    let (condition, args) = name.strip_suffix(')').and_then(|n| n.split_once('(')).unwrap_or((name, ""));
    let args: Vec<&str> = args.split(',').collect();
    let buffer = |k: usize| in_scope(&ctx, args.get(k).copied().unwrap_or_default());
    let number = |k: usize| args.get(k).and_then(|a| a.parse::<i64>().ok()).ok_or("a number is missing");
    let loop_stmt = || program.marked(&an).map(|(_, s)| s);
    match condition {
        "recompute" => Ok(recompute(&ctx, &loop_stmt()?).into()),
        "no_carry" => Ok(no_carry(&ctx, &loop_stmt()?, buffer(0)?)),
        "share" => Ok(share(&ctx, buffer(0)?, buffer(1)?)),
        "upward" | "downward" => {
            let dim = usize::try_from(number(1)?).map_err(|_| "a dimension is not negative")?;
            let way = if condition == "upward" { upward } else { downward };
            Ok(way(&ctx, buffer(0)?, dim, number(2)?))
        }
        "not_read" | "not_touched" | "not_changed" | "read" => about_a_cell(condition, &ctx),
        _ => Err(format!("there is no condition `{name}`")),
    }
}

/// The first marked statement is `x[…] = e` or `x[…] += e`: the cell that it writes, and the statements after it.
fn about_a_cell(condition: &str, ctx: &Context) -> Result<Vec<Obligation>, String> {
    let first: Stmt = ctx.hole.get(0).cloned().ok_or("nothing is marked")?;
    let rest = ctx.hole.clone().slice(1..);
    let (StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs }) = first.kind.as_ref()
    else {
        return Err("the first marked statement writes no cell".to_owned());
    };
    let cell = rewright_effects::conditions::cell(&ctx.env, *name, idx).or_else(|| place(&ctx.env, rhs));
    let cell = cell.ok_or("the first marked statement writes no cell")?;
    Ok(vec![match condition {
        "not_read" => not_read_by(ctx, &cell, rhs),
        "not_touched" => not_touched_by(ctx, &cell, &rest),
        "not_changed" => not_changed_by(ctx, &cell, &rest),
        _ => read_by(ctx, &cell, &rest),
    }])
}

fn in_scope(ctx: &Context, name: &str) -> Result<Sym, String> {
    let found = ctx.env.views().find(|(x, _)| x.name().as_str() == name.trim());
    found.map(|(x, _)| x).ok_or_else(|| format!("`{name}` is not in scope"))
}
