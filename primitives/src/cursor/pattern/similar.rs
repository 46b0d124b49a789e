//! Names that may have been meant.

use super::tree::{ExprPat, Pattern, StmtPat, Word};
use rewright_semantics::ast::{self, Expr, ExprKind, StmtKind};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::{each_child, each_operand, each_stmt};
use std::collections::BTreeSet;

/// `did you mean …`, where a name of the pattern does not occur and a similar one does.
pub(super) fn hint(p: &ast::Proc, pattern: &Pattern) -> Option<String> {
    let known = names_of(p);
    let name = head(pattern)?;
    if known.contains(name.as_str()) {
        return None;
    }
    nearest(name.as_str(), known).map(|best| format!("did you mean `{best}`?"))
}

/// The name that may have been meant, if one is similar.
pub(crate) fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let rated = known.into_iter().map(|k| (distance(k, wanted), !k.starts_with(wanted), k));
    let (far, _, best) = rated.min()?;
    (far <= 1 + wanted.len() / 4 && far < wanted.len()).then_some(best)
}

/// Loops that are named, at most.
const MOST_LOOPS: usize = 12;

/// `the loops there are i, j (2)`: by name in order, and how often where there are several.
pub(super) fn loops(p: &ast::Proc) -> String {
    let mut found: Vec<(Name, usize)> = Vec::new();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::For { iter, .. } = s.kind.as_ref() {
            match found.iter_mut().find(|(name, _)| *name == iter.name()) {
                Some((_, count)) => *count += 1,
                None => found.push((iter.name(), 1)),
            }
        }
    });
    if found.is_empty() {
        return "there are no loops".to_owned();
    }
    let one = |(name, count): &(Name, usize)| match count {
        1 => format!("`{name}`"),
        _ => format!("`{name}` ({count} times)"),
    };
    let mut names: Vec<String> = found.iter().take(MOST_LOOPS).map(one).collect();
    if let Some(more @ 1..) = found.len().checked_sub(MOST_LOOPS) {
        names.push(format!("{more} more"));
    }
    format!("the loops there are {}", names.join(", "))
}

/// The name that a pattern is mainly about.
fn head(pattern: &Pattern) -> Option<Name> {
    let words: Vec<Word> = match pattern {
        Pattern::Names(words) => words.clone(),
        Pattern::Stmts(pats) => pats.iter().filter_map(stmt_head).collect(),
        Pattern::Expr(e) => expr_head(e).into_iter().collect(),
    };
    words.into_iter().find_map(|w| match w {
        Word::Any => None,
        Word::Is(name) => Some(name),
    })
}

fn stmt_head(pat: &StmtPat) -> Option<Word> {
    match pat {
        StmtPat::Assign { name, .. }
        | StmtPat::Reduce { name, .. }
        | StmtPat::Window { name, .. }
        | StmtPat::Alloc { name, .. }
        | StmtPat::For { iter: name, .. }
        | StmtPat::Call { callee: name, .. }
        | StmtPat::WriteConfig { config: name, .. } => Some(*name),
        StmtPat::If { cond, .. } => expr_head(cond),
        StmtPat::Hole | StmtPat::Pass => None,
    }
}

fn expr_head(pat: &ExprPat) -> Option<Word> {
    match pat {
        ExprPat::Access { name, .. } | ExprPat::Call { func: name, .. } => Some(*name),
        ExprPat::Field { config, .. } => Some(*config),
        ExprPat::Neg(e) | ExprPat::Not(e) => expr_head(e),
        ExprPat::Bin(_, l, r) => expr_head(l).or_else(|| expr_head(r)),
        ExprPat::Any | ExprPat::Number { .. } | ExprPat::Bool(_) => None,
    }
}

/// Every name that occurs.
fn names_of(p: &ast::Proc) -> BTreeSet<&'static str> {
    let mut out: BTreeSet<&'static str> = p.args.iter().map(|a| a.name.name().as_str()).collect();
    each_stmt(&p.body, &mut |s| {
        each_operand(s, &mut |_, e| exprs(e, &mut out));
        match s.kind.as_ref() {
            StmtKind::For { iter: x, .. }
            | StmtKind::Alloc { name: x, .. }
            | StmtKind::WindowStmt { name: x, .. }
            | StmtKind::Assign { name: x, .. }
            | StmtKind::Reduce { name: x, .. } => {
                out.insert(x.name().as_str());
            }
            StmtKind::Call { proc, .. } => {
                out.insert(proc.name.as_str());
            }
            StmtKind::WriteConfig { config, .. } => {
                out.insert(config.name.as_str());
            }
            StmtKind::Pass | StmtKind::If { .. } => {}
        }
    });
    out
}

fn exprs(e: &Expr, out: &mut BTreeSet<&'static str>) {
    match &e.kind {
        ExprKind::ReadConfig { config, .. } => {
            out.insert(config.name.as_str());
        }
        ExprKind::Extern { func, .. } => {
            out.insert(func.name());
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Stride { .. } => {}
    }
    each_child(e, &mut |_, inner| exprs(inner, out));
}

/// How many letters must be put in, left out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut next = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let at = |row: &[usize], k: usize| row.get(k).copied().unwrap_or(usize::MAX / 2);
            let changed = at(&row, j) + usize::from(x != *y);
            next.push(changed.min(at(&row, j + 1) + 1).min(at(&next, j) + 1));
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}
