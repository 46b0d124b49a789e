//! Matches: one level of patterns at a time, the first row that matches.

use super::{Desugar, Made, Scope};
use crate::deep;
use crate::surface::{Arm, Expr, Pattern, PatternKind};
use crate::syntax::{self, Branch};
use rewright_base::span::Span;
use rewright_base::sym::Name;
use std::collections::BTreeSet;

/// How many branches nested patterns may become.
const MAX_BRANCHES: usize = 20_000;

/// A branch on its way: patterns that are still to be matched, one for each scrutinee.
#[derive(Clone)]
struct Row<'f> {
    patterns: Vec<Option<&'f Pattern>>,
    scope: Scope,
    body: &'f Expr,
}

impl Desugar {
    pub(super) fn matching(&mut self, span: Span, x: Name, arms: &[Arm], scope: &Scope) -> Made {
        let mut rows = Vec::new();
        for Arm { pattern, body } in arms {
            rows.push(Row { patterns: vec![Some(pattern)], scope: scope.clone(), body });
        }
        self.rows(span, &[x], rows)
    }

    /// The first row that matches.
    fn rows(&mut self, span: Span, scrutinees: &[Name], rows: Vec<Row<'_>>) -> Made {
        let nothing = || Made::Plain(syntax::Expr::con("Unit", Vec::new()));
        let Some(first) = rows.first() else { return nothing() };
        self.branches += 1;
        if self.branches > MAX_BRANCHES {
            self.too_many = Some(span);
            return nothing();
        }
        let is_con = |p: &Option<&Pattern>| p.is_some_and(|p| matches!(p.kind, PatternKind::Con(..)));
        match first.patterns.iter().position(is_con) {
            None => {
                let scope = named(first, scrutinees);
                deep(|| self.expr(first.body, &scope))
            }
            Some(column) => self.split(span, scrutinees, &rows, column),
        }
    }

    /// A match on one scrutinee: a branch for each constructor of its type, those first that rows are for.
    fn split(&mut self, span: Span, scrutinees: &[Name], rows: &[Row<'_>], column: usize) -> Made {
        let x = scrutinees.get(column).copied().unwrap_or_else(|| Name::new("s"));
        let (mut order, mut seen): (Vec<Name>, BTreeSet<Name>) = Default::default();
        let heads = rows.iter().filter_map(|r| head(r, column));
        order.extend(heads.filter(|c| seen.insert(*c)));
        let siblings = order.first().and_then(|c| self.known.get(c)).map(|k| k.siblings.clone());
        order.extend(siblings.iter().flat_map(|s| s.iter().copied()).filter(|c| seen.insert(*c)));
        let made: Vec<(syntax::Pattern, Made)> =
            order.into_iter().map(|c| self.branch(span, scrutinees, rows, column, c)).collect();
        self.case(x, made)
    }

    fn branch(
        &mut self,
        span: Span,
        scrutinees: &[Name],
        rows: &[Row<'_>],
        column: usize,
        c: Name,
    ) -> (syntax::Pattern, Made) {
        let fields = self.known.get(&c).map_or_else(Vec::new, |k| k.fields.clone());
        let given: Vec<Option<Name>> =
            (0..fields.len()).map(|i| rows.iter().find_map(|r| field_name(r, column, c, i))).collect();
        let names: Vec<Name> = given
            .iter()
            .zip(&fields)
            .map(|(given, field)| self.fresh(given.unwrap_or(*field).as_str()))
            .collect();
        let inner: Vec<Row<'_>> =
            rows.iter().filter_map(|r| specialize(r, scrutinees, column, c, fields.len())).collect();
        let mut below = scrutinees.to_vec();
        below.splice(column..=column, names.iter().copied());
        let body = deep(|| self.rows(span, &below, inner));
        let binder = |(name, given): (&Name, &Option<Name>)| {
            (given.is_some() || body.core().free().contains(*name)).then_some(*name)
        };
        let binders = names.iter().zip(&given).map(binder).collect();
        (syntax::Pattern::new(c, binders), body)
    }

    /// match x { p → e … }, which may throw where a branch may.
    pub(super) fn case(&mut self, x: Name, branches: Vec<(syntax::Pattern, Made)>) -> Made {
        let throws = branches.iter().any(|(_, made)| made.throws());
        let mut all = Vec::new();
        for (pattern, made) in branches {
            let body = if throws { self.result(made) } else { made.core().clone() };
            all.push(Branch { pattern, body });
        }
        Made::of(throws, syntax::Expr::case(x, all))
    }
}

/// The scope of a row's body: what its patterns name.
fn named(row: &Row<'_>, scrutinees: &[Name]) -> Scope {
    let mut scope = row.scope.clone();
    for (p, x) in row.patterns.iter().zip(scrutinees) {
        if let Some(PatternKind::Var(y)) = p.map(|p| &p.kind) {
            scope.insert(*y, *x);
        }
    }
    scope
}

/// The constructor that a row wants in a column.
fn head(row: &Row<'_>, column: usize) -> Option<Name> {
    match row.patterns.get(column).copied().flatten().map(|p| &p.kind) {
        Some(PatternKind::Con(c, _)) => Some(*c),
        Some(PatternKind::Var(_) | PatternKind::Wild) | None => None,
    }
}

/// What a row calls a field of a constructor.
fn field_name(row: &Row<'_>, column: usize, c: Name, field: usize) -> Option<Name> {
    match row.patterns.get(column).copied().flatten().map(|p| &p.kind) {
        Some(PatternKind::Con(d, args)) if *d == c => match args.get(field).map(|p| &p.kind) {
            Some(PatternKind::Var(x)) => Some(*x),
            Some(PatternKind::Wild | PatternKind::Con(..)) | None => None,
        },
        Some(PatternKind::Con(..) | PatternKind::Var(_) | PatternKind::Wild) | None => None,
    }
}

/// What is left of a row once its column is known to be this constructor; `None` where it wants another.
fn specialize<'f>(
    row: &Row<'f>,
    scrutinees: &[Name],
    column: usize,
    c: Name,
    arity: usize,
) -> Option<Row<'f>> {
    let pattern = row.patterns.get(column).copied().flatten();
    let mut named = None;
    let inner: Vec<Option<&Pattern>> = match pattern.map(|p| &p.kind) {
        Some(PatternKind::Con(d, args)) if *d == c => args.iter().map(Some).collect(),
        Some(PatternKind::Con(..)) => return None,
        Some(PatternKind::Var(y)) => {
            named = scrutinees.get(column).map(|x| (*y, *x));
            vec![None; arity]
        }
        Some(PatternKind::Wild) | None => vec![None; arity],
    };
    let mut out = row.clone();
    out.scope.extend(named);
    out.patterns.splice(column..=column, inner);
    Some(out)
}
