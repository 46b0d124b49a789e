//! Cursors held against what became of what they point at: by the marks that nodes carry through a rewrite, and by the
//! values that expressions take in both versions. Spec: [rule: forwarding.values], [rule: forwarding.primitives].

use crate::marks::{mark, places};
use crate::traces::{Compared, Watched, compared};
use rewright_campaign::rng::Rng;
use rewright_primitives::cursor::path::{
    ExprPath, Gap, Hole, Place, Side, Step, block_of, expr_at, member, run_at, stmt_at,
};
use rewright_primitives::edit::Edit;
use rewright_primitives::forward::forward;
use rewright_primitives::registry::Value;
use rewright_primitives::version::{Relation, Step as Record};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::ast::{self, Decimal};
use rewright_semantics::build::{boolean, eq, int};
use rewright_semantics::inputs::{Given, Input, InputValue, Search, Subject};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How the values that a forwarded expression takes lie to those that it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// The same.
    Same,
    /// Some of them: the cursor goes to one of several copies.
    Some,
    /// All of them and others: several became one, or it is evaluated where it was not.
    More,
    /// The one or the other, depending on the expression.
    Either,
}

impl Values {
    /// The word of the table in [rule: forwarding.primitives].
    pub fn of_word(word: &str) -> Option<Values> {
        Some(match word {
            "same" => Values::Same,
            "some" => Values::Some,
            "more" => Values::More,
            "some or more" => Values::Either,
            _ => return None,
        })
    }

    /// How values lie after two rewrites, if anything can be said of that.
    pub fn then(self, next: Values) -> Option<Values> {
        match (self, next) {
            (Values::Same, other) | (other, Values::Same) => Some(other),
            (Values::Some, Values::Some) => Some(Values::Some),
            (Values::More, Values::More) => Some(Values::More),
            (Values::Some | Values::More | Values::Either, Values::Some | Values::More | Values::Either) => {
                None
            }
        }
    }

    fn admits(self, c: Compared) -> bool {
        match self {
            Values::Same => c.within && c.covers,
            Values::Some => c.within,
            Values::More => c.covers,
            Values::Either => c.within || c.covers,
        }
    }
}

/// What a place is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sort {
    /// A statement.
    Stmt,
    /// A run of statements.
    Block,
    /// Between statements.
    Gap,
    /// An expression.
    Expr,
    /// A formal argument.
    Arg,
}

const SORTS: [Sort; 5] = [Sort::Stmt, Sort::Block, Sort::Gap, Sort::Expr, Sort::Arg];

/// What was seen of one primitive.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Applications that were accepted and changed something.
    pub rewrites: u64,
    /// Cursors of each sort that were forwarded, and that were invalid.
    pub fates: BTreeMap<Sort, (u64, u64)>,
    /// Expressions whose values were compared.
    pub compared: u64,
    /// Expressions that are not forwarded, though the node is there once.
    pub left: u64,
    /// Some of these.
    pub examples: Vec<String>,
    /// What the edits were.
    pub edits: BTreeSet<String>,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:6} rewrites", self.rewrites)?;
        for sort in SORTS {
            let (kept, gone) = self.fates.get(&sort).copied().unwrap_or_default();
            write!(f, ", {sort:?} {kept}+{gone}")?;
        }
        write!(f, ", values of {}, left {} {:?}", self.compared, self.left, self.examples)
    }
}

/// An edit in the words of the table.
pub fn word(edit: &Edit) -> String {
    match edit {
        Edit::Insert { .. } => "insert".to_owned(),
        Edit::Delete { .. } | Edit::Replace { as_whole: false, .. } => "delete".to_owned(),
        Edit::Replace { as_whole: true, .. } => "replace".to_owned(),
        Edit::Reshape { kept, .. } => format!("reshape ({})", kept.word()),
        Edit::ReplaceExpr { kept, .. } => match (kept.whole, kept.moved.is_empty()) {
            (true, true) => "value".to_owned(),
            (true, false) => "value and parts".to_owned(),
            (false, _) => "parts".to_owned(),
        },
        Edit::Move { .. } => "move".to_owned(),
        Edit::Wrap { .. } => "wrap".to_owned(),
        Edit::Head { .. } => "head".to_owned(),
        Edit::Redirect { .. } => "redirect".to_owned(),
        Edit::RedirectExpr { .. } => "redirect an expression".to_owned(),
    }
}

/// All cursors to what has a mark in one version held against a later one. Without a word on how values lie they are
/// not compared.
///
/// # Errors
/// A cursor that points at something else, in words.
pub fn check(old: &Proc, new: &Proc, values: Option<Values>, seed: u64, row: &mut Row) -> Result<(), String> {
    row.rewrites += 1;
    let steps = steps(old, new);
    row.edits.extend(steps.iter().flat_map(|step| &step.edits).map(word));
    let rebuilt = steps.iter().any(|step| step.edits.iter().any(rebuilds));
    // Of several that became one, only one has left its mark; other copies of them may be as they were.
    let merges = steps.iter().any(|step| step.primitive == "mult_loops");
    let all = places(old.ast());
    let after = places(new.ast());
    let mut exprs = Vec::new();
    for (m, at) in &all {
        for place in at {
            let to = forwarded(old, new, place)?;
            count(row, place, to.is_some());
            match (place, to) {
                (Place::Stmt(_), to) => {
                    // Of several copies another may be left; what was gone on the way does not come back.
                    let only = at.len() == 1 && steps.len() == 1 && !rebuilt;
                    let merged = merges || became_another(&steps, place) || !after.contains_key(m);
                    statement(new, *m, after.get(m), to.as_ref(), (only, merged))?;
                }
                (Place::Expr(at), Some(Place::Expr(to))) => exprs.push((at.clone(), to)),
                (Place::Expr(at), None) => {
                    if after.get(m).is_some_and(|v| v.len() == 1) {
                        row.left += 1;
                        row.examples.extend(expr_at(old.ast(), at).map(expr_to_string));
                        row.examples.truncate(8);
                    }
                }
                (Place::Expr(_), Some(to)) => return Err(format!("an expression became {to:?}")),
                (Place::Block(_) | Place::Gap(_) | Place::Arg(_), _) => {}
            }
        }
    }
    injective(&exprs, &steps)?;
    nested(old, new, &exprs, &steps)?;
    blocks_and_gaps(old, new, &steps, row)?;
    arguments(old, new, row)?;
    if let Some(values) = values {
        row.compared += value_check(old, new, &exprs, values, seed)?;
    }
    Ok(())
}

/// Whether statements became others that may have their marks, and are no copies of them: a call has the place of what it
/// stands for, and the body of what was extracted has the marks of where it was.
fn rebuilds(edit: &Edit) -> bool {
    matches!(edit, Edit::Replace { run, stmts, as_whole: true } if run.len != 1 || stmts.len() != 1)
}

/// Whether a statement, or one around it, becomes another one, which has a mark of its own.
fn becomes(edit: &Edit, place: &Place) -> bool {
    let Place::Stmt(path) = place else { return false };
    match edit {
        Edit::Redirect { from, .. } => path.starts_with(from),
        Edit::Replace { run, as_whole: true, .. } => run.len == 1 && path.starts_with(&run.path),
        Edit::Replace { as_whole: false, .. }
        | Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Move { .. }
        | Edit::Wrap { .. }
        | Edit::Head { .. }
        | Edit::RedirectExpr { .. } => false,
    }
}

/// The steps from one version to a later one.
fn steps(old: &Proc, new: &Proc) -> Vec<std::sync::Arc<Record>> {
    let later = new.history().into_iter().skip_while(|p| p.id() != old.id()).skip(1);
    later.filter_map(|p| p.origin().map(|o| o.step.clone())).collect()
}

/// Whether a statement becomes another one on the way.
fn became_another(steps: &[std::sync::Arc<Record>], place: &Place) -> bool {
    let mut here = Some(place.clone());
    steps.iter().flat_map(|step| &step.edits).any(|edit| {
        let found = here.as_ref().is_some_and(|place| becomes(edit, place));
        here = here.take().and_then(|place| forward(edit, &place));
        found
    })
}

fn forwarded(old: &Proc, new: &Proc, place: &Place) -> Result<Option<Place>, String> {
    let c = Cursor::new(old, place.clone()).map_err(|e| e.to_string())?;
    let mut here = Some(place.clone());
    for edit in steps(old, new).iter().flat_map(|step| &step.edits) {
        here = here.and_then(|place| forward(edit, &place));
    }
    match (new.forward(&c), here) {
        (Ok(to), Some(place)) if *to.place() == place => Ok(Some(place)),
        (Err(_), None) => Ok(None),
        // An edit led to a place that is not there.
        (to, there) => Err(format!("{place:?} goes to {there:?}, and as a cursor to {to:?}")),
    }
}

fn count(row: &mut Row, place: &Place, kept: bool) {
    let sort = match place {
        Place::Stmt(_) => Sort::Stmt,
        Place::Block(_) => Sort::Block,
        Place::Gap(_) => Sort::Gap,
        Place::Expr(_) => Sort::Expr,
        Place::Arg(_) => Sort::Arg,
    };
    let fate = row.fates.entry(sort).or_default();
    if kept {
        fate.0 += 1;
    } else {
        fate.1 += 1;
    }
}

/// A statement is where its mark is, or where none is: at one that was made anew. The only one of a mark that is left
/// once is there.
fn statement(
    new: &Proc,
    m: u32,
    after: Option<&Vec<Place>>,
    to: Option<&Place>,
    (only, merged): (bool, bool),
) -> Result<(), String> {
    let Some(to) = to else {
        return match after.map(Vec::as_slice) {
            Some([left]) if only => {
                Err(format!("the statement of mark {m} is at {left:?}, and is not found"))
            }
            _ => Ok(()),
        };
    };
    let Place::Stmt(path) = to else { return Err(format!("a statement became {to:?}")) };
    let there = stmt_at(new.ast(), path).and_then(|s| mark(s.span));
    let stays = after.is_some_and(|v| v.contains(to));
    (stays || there.is_none() || merged)
        .then_some(())
        .ok_or_else(|| format!("the statement of mark {m} goes to one of mark {there:?}"))
}

/// No two expressions go to one place, but where two became one.
fn injective(exprs: &[(ExprPath, ExprPath)], steps: &[std::sync::Arc<Record>]) -> Result<(), String> {
    let merges = |edit: &Edit| matches!(edit, Edit::Redirect { .. } | Edit::RedirectExpr { .. });
    if steps.iter().any(|step| step.edits.iter().any(merges)) {
        return Ok(());
    }
    let mut seen: BTreeMap<&ExprPath, &ExprPath> = BTreeMap::new();
    for (from, to) in exprs {
        if let Some(other) = seen.insert(to, from) {
            return Err(format!("{from:?} and {other:?} both go to {to:?}"));
        }
    }
    Ok(())
}

/// An expression stays in what is left of what it was in, unless an edit says of it where it goes.
fn nested(
    old: &Proc,
    new: &Proc,
    exprs: &[(ExprPath, ExprPath)],
    steps: &[std::sync::Arc<Record>],
) -> Result<(), String> {
    let sends = |edit: &Edit| matches!(edit, Edit::RedirectExpr { .. });
    if steps.iter().any(|step| step.edits.iter().any(sends)) {
        return Ok(());
    }
    let known: BTreeMap<&ExprPath, &ExprPath> = exprs.iter().map(|(from, to)| (from, to)).collect();
    for (from, to) in exprs {
        let outer = (1..from.steps.len()).rev().find_map(|n| {
            let (steps, _) = from.steps.split_at(n);
            known.get(&ExprPath { stmt: from.stmt.clone(), steps: steps.to_vec() }).copied()
        });
        let inside = match outer {
            Some(outer) => outer.stmt == to.stmt && to.steps.starts_with(&outer.steps),
            None => {
                forwarded(old, new, &Place::Stmt(from.stmt.clone()))? == Some(Place::Stmt(to.stmt.clone()))
            }
        };
        if !inside {
            return Err(format!("{from:?} leaves what it was in: {to:?}"));
        }
    }
    Ok(())
}

/// A gap goes with its anchor. A block has at its ends what became of statements of it, and all of them that are left.
fn blocks_and_gaps(
    old: &Proc,
    new: &Proc,
    steps: &[std::sync::Arc<Record>],
    row: &mut Row,
) -> Result<(), String> {
    let whole = |edit: &Edit| matches!(edit, Edit::Replace { as_whole: true, .. });
    let replaced = steps.iter().any(|step| step.edits.iter().any(whole));
    for path in rewright_campaign::holes::paths(old.ast()) {
        let anchor = forwarded(old, new, &Place::Stmt(path.clone()))?;
        for side in [Side::Before, Side::After] {
            let place = Place::Gap(Gap { anchor: path.clone(), side });
            let to = forwarded(old, new, &place)?;
            count(row, &place, to.is_some());
            let expected = anchor.clone().map(|a| match a {
                Place::Stmt(anchor) => Place::Gap(Gap { anchor, side }),
                other @ (Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_)) => other,
            });
            if to != expected {
                return Err(format!("{place:?} goes to {to:?}, its anchor to {anchor:?}"));
            }
        }
        let left = block_of(old.ast(), &path).map_or(1, |b| b.len()) - path.last().map_or(0, |s| s.index());
        for len in 1..=left.min(4) {
            let run = Hole { path: path.clone(), len };
            let to = forwarded(old, new, &Place::Block(run.clone()))?;
            count(row, &Place::Block(run.clone()), to.is_some());
            block(old, new, &run, to, replaced)?;
        }
    }
    Ok(())
}

fn block(old: &Proc, new: &Proc, run: &Hole, to: Option<Place>, replaced: bool) -> Result<(), String> {
    let mut members = Vec::new();
    for k in 0..run.len {
        if let Some(Place::Stmt(path)) = forwarded(old, new, &Place::Stmt(member(run, k)))? {
            members.push(path);
        }
    }
    let Some(to) = to else {
        // A run that is left in one piece is found, unless it was in several on the way.
        let whole = members.len() == run.len && follow(&members) && steps(old, new).len() == 1;
        return if whole { Err(format!("{run:?} is at {members:?}, and is not found")) } else { Ok(()) };
    };
    let Place::Block(now) = to else { return Err(format!("a block became {to:?}")) };
    let inside: Vec<Vec<Step>> = (0..now.len).map(|k| member(&now, k)).collect();
    if let Some(out) = members.iter().find(|path| !inside.contains(path)) {
        return Err(format!("{run:?} goes to {now:?} without {out:?}"));
    }
    // A statement from elsewhere may have come between others, but is not where the block begins or ends.
    let within: BTreeSet<u32> = marks_in(old, run);
    let ends = [inside.first(), inside.last()].into_iter().flatten().filter(|path| !members.contains(path));
    let other = ends.filter_map(|path| mark(stmt_at(new.ast(), path)?.span)).find(|m| !within.contains(m));
    match other {
        Some(m) if !replaced => {
            Err(format!("{run:?} goes to {now:?}, at an end of which is {m}, from outside"))
        }
        Some(_) | None => Ok(()),
    }
}

/// The marks of statements of a run, and of those in them.
fn marks_in(p: &Proc, run: &Hole) -> BTreeSet<u32> {
    let mut out = BTreeSet::new();
    each_stmt(&run_at(p.ast(), run).unwrap_or_default(), &mut |s| out.extend(mark(s.span)));
    out
}

/// Whether statements follow one another in a block; several may have become one.
fn follow(paths: &[Vec<Step>]) -> bool {
    paths.windows(2).all(|pair| match pair {
        [a, b] => a == b || rewright_primitives::cursor::path::shifted(a, 1) == *b,
        _ => true,
    })
}

/// An argument is known by its name.
fn arguments(old: &Proc, new: &Proc, row: &mut Row) -> Result<(), String> {
    for (k, arg) in old.ast().args.iter().enumerate() {
        let to = forwarded(old, new, &Place::Arg(k))?;
        count(row, &Place::Arg(k), to.is_some());
        let there = new.ast().args.iter().position(|a| a.name == arg.name).map(Place::Arg);
        if to != there {
            return Err(format!("the argument `{}` is {there:?}, and goes to {to:?}", arg.name));
        }
    }
    Ok(())
}

/// Runs both versions and compares what the expressions are; how many were compared.
fn value_check(
    old: &Proc,
    new: &Proc,
    exprs: &[(ExprPath, ExprPath)],
    values: Values,
    seed: u64,
) -> Result<u64, String> {
    let Some(inputs) = Inputs::of(old, new) else { return Ok(0) };
    let (before, after): (Vec<ExprPath>, Vec<ExprPath>) = exprs.iter().cloned().unzip();
    let (first, second) = (Watched::new(old.ast(), &before), Watched::new(new.ast(), &after));
    let mut decided = BTreeSet::new();
    for k in 0..INPUTS {
        let Some((mine, theirs)) = inputs.draw(seed.wrapping_add(k << 40)) else { continue };
        let subjects = (Subject::pair(old.ast(), new.ast()), Subject::pair(new.ast(), old.ast()));
        let (Some(a), Some(b)) = (first.traces(&mine, &subjects.0), second.traces(&theirs, &subjects.1))
        else {
            continue;
        };
        for (n, (was, is)) in a.iter().zip(&b).enumerate() {
            let Some(how) = compared(was, is) else { continue };
            decided.insert(n);
            if !values.admits(how) {
                let (from, to) = exprs.get(n).ok_or("an expression was lost")?;
                let text =
                    |p: &Proc, at: &ExprPath| expr_at(p.ast(), at).map(expr_to_string).unwrap_or_default();
                return Err(format!(
                    "`{}` at {from:?} goes to `{}` at {to:?}, which has other values\n{was:?}\n{is:?}\non {mine}",
                    text(old, from),
                    text(new, to),
                ));
            }
        }
    }
    Ok(u64::try_from(decided.len()).unwrap_or(0))
}

/// How many inputs the values are compared on.
const INPUTS: u64 = 3;

const SEARCH: Search = Search { max_cells: 40, budget: 800 };

/// Inputs of two versions of one procedure, which need not take the same arguments.
struct Inputs {
    /// The version whose inputs both admit, with what the other one fixes.
    from: ast::Proc,
    /// Where each argument of that is in the other one.
    kept: Vec<bool>,
}

impl Inputs {
    fn of(old: &Proc, new: &Proc) -> Option<Inputs> {
        let mut from = old.ast().as_ref().clone();
        for step in steps(old, new) {
            match step.relation {
                Relation::Equivalent | Relation::Rounded => {}
                Relation::Restricted => from = ast::Proc { preds: new.ast().preds.clone(), ..from },
                // What is fixed is told by the arguments of the first version.
                Relation::Specialised if step.args.is_empty() || steps(old, new).len() > 1 => return None,
                Relation::Specialised => {
                    let (_, values) = step.args.iter().find(|(name, _)| *name == "values")?;
                    from.preds.extend(fixed(old, values));
                }
            }
        }
        let kept = from.args.iter().map(|arg| new.ast().args.iter().any(|a| a.name == arg.name)).collect();
        Some(Inputs { from, kept })
    }

    /// The same input for both. Each cell has a value of its own.
    fn draw(&self, seed: u64) -> Option<(Input, Input)> {
        let mut input = Subject::of(&self.from).generate(&Given::default(), seed, SEARCH).ok()?;
        let mut rng = Rng::new(seed);
        for (_, value) in &mut input.args {
            if let InputValue::Data(buffer) = value {
                for cell in buffer.cells.iter_mut().flatten() {
                    *cell = Decimal::new(rng.between(-4_000, 4_000), 0);
                }
            }
        }
        let kept = input.args.iter().zip(&self.kept).filter(|(_, kept)| **kept);
        let args = kept.map(|(arg, _)| arg.clone()).collect();
        let theirs = Input { args, fields: input.fields.clone() };
        Some((input, theirs))
    }
}

/// What is asserted of arguments that are fixed.
fn fixed(old: &Proc, values: &Value) -> Vec<ast::Expr> {
    let one = |k: usize, arg: &ast::Arg| {
        let value = match values {
            Value::Named(named) => named.iter().find(|(n, _)| *n == arg.name.name().as_str()).map(|(_, v)| v),
            Value::List(items) => items.get(k),
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Cursor(_)
            | Value::Proc(_)
            | Value::Config(_) => None,
        };
        match value {
            Some(Value::Bool(b)) => Some(eq(arg.name, boolean(*b))),
            Some(Value::Int(n)) => Some(eq(arg.name, int(*n))),
            Some(_) | None => None,
        }
    };
    old.ast().args.iter().enumerate().filter_map(|(k, arg)| one(k, arg)).collect()
}
