//! Every place that a pattern describes, in the order of the text: a statement before what is in it.

use super::matches::{Matcher, is_numbered};
use super::tree::{ExprPat, Pattern, StmtPat, Word};
use crate::cursor::path::{
    ExprPath, ExprStep, Gap, Hole, Place, Side, Step, block_of, expr_at, member, stmt_at,
};
use crate::cursor::sort::Sort;
use crate::version::Proc;
use rewright_effects::analysis::Analysis;
use rewright_semantics::ast::{self, Block, Expr, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_child, each_operand};
use rewright_semantics::types::ArgType;
use std::ops::Range;

/// Where to look.
#[derive(Clone, Copy, Debug)]
pub(super) enum Within<'a> {
    /// The whole procedure.
    All,
    /// A run of statements.
    Run(&'a Hole),
    /// An expression.
    Expr(&'a ExprPath),
}

/// The places of the wanted sort; without one, statements and expressions as the pattern is written.
pub(super) fn search(p: &Proc, within: Within<'_>, sort: Option<Sort>, pattern: &Pattern) -> Vec<Place> {
    let (an, p) = (p.session().analysis(), p.ast().as_ref());
    let mut search = Search { an, p, matcher: Matcher::new(p), sort, found: Vec::new() };
    match pattern {
        Pattern::Names(words) => search.names(words, within),
        Pattern::Stmts(pats) => search.stmts(pats, within),
        Pattern::Expr(pat) => search.exprs(pat, within),
    }
    search.found
}

struct Search<'a> {
    an: &'a Analysis,
    p: &'a ast::Proc,
    matcher: Matcher<'a>,
    sort: Option<Sort>,
    found: Vec<Place>,
}

/// What is done at a statement: with its path, and the range from it to the end of what is searched.
type Visit<'v, 'a> = dyn FnMut(&mut Search<'a>, Visited<'a>, &[Step], Range<usize>) + 'v;

/// A block, and the statement in it that is visited.
type Visited<'a> = (&'a Block, &'a Stmt);

impl<'a> Search<'a> {
    fn names(&mut self, words: &[Word], within: Within<'_>) {
        let [word] = words else { return self.nests(words, within) };
        if self.sort == Some(Sort::Buffer) && matches!(within, Within::All) {
            self.args(*word, &|_| true);
        }
        let sort = self.sort.unwrap_or(Sort::Stmt);
        let binds_only = matches!(sort, Sort::Stmt | Sort::Block);
        self.each_that_may_be(*word, within, &mut |search, (_, s), path, _| {
            let named = name_of(s, binds_only).is_some_and(|named| match named {
                Named::Sym(x) => search.matcher.sym(*word, x),
                Named::Proc(name) => *word == Word::Any || *word == Word::Is(name),
            });
            if named && sort.admits(&s.kind) {
                search.add(path, 1);
            }
        });
    }

    /// `i j`: the outermost of loops each of which is a statement of the one before it.
    fn nests(&mut self, words: &[Word], within: Within<'_>) {
        let Some(outermost) = words.first() else { return };
        self.each_that_may_be(*outermost, within, &mut |search, (_, s), path, _| {
            if search.nest(words, s) {
                search.add(path, 1);
            }
        });
    }

    fn nest(&self, words: &[Word], s: &Stmt) -> bool {
        let (Some((word, inner)), StmtKind::For { iter, body, .. }) = (words.split_first(), s.kind.as_ref())
        else {
            return false;
        };
        self.matcher.sym(*word, *iter) && (inner.is_empty() || body.iter().any(|s| self.nest(inner, s)))
    }

    fn stmts(&mut self, pats: &[StmtPat], within: Within<'_>) {
        if let (Some(Sort::Buffer), [StmtPat::Alloc { name, typ }], Within::All) = (self.sort, pats, within) {
            let p = self.p;
            let types = |i: usize| match p.args.get(i).map(|a| &a.typ) {
                Some(ArgType::Data { typ: t, mem }) => Matcher::new(p).typ(typ, t, *mem),
                Some(ArgType::Control(_)) | None => false,
            };
            self.args(*name, &types);
        }
        self.each(within, &mut |search, (b, _), path, range| {
            if let Some(len) = search.matcher.run(pats, b, range) {
                search.add(path, len);
            }
        });
    }

    fn args(&mut self, word: Word, fits: &dyn Fn(usize) -> bool) {
        for (i, arg) in self.p.args.iter().enumerate() {
            if matches!(arg.typ, ArgType::Data { .. }) && self.matcher.sym(word, arg.name) && fits(i) {
                self.found.push(Place::Arg(i));
            }
        }
    }

    fn exprs(&mut self, pat: &ExprPat, within: Within<'_>) {
        if let Within::Expr(path) = within {
            if let Some(e) = expr_at(self.p, path) {
                self.expr(pat, e, &path.stmt, &mut path.steps.clone());
            }
            return;
        }
        self.each(within, &mut |search, (_, s), path, _| {
            each_operand(s, &mut |step, e| search.expr(pat, e, path, &mut vec![step]));
        });
    }

    fn expr(&mut self, pat: &ExprPat, e: &Expr, stmt: &[Step], steps: &mut Vec<ExprStep>) {
        if self.matcher.expr(pat, e) {
            self.found.push(Place::Expr(ExprPath { stmt: stmt.to_vec(), steps: steps.clone() }));
        }
        each_child(e, &mut |step, inner| {
            steps.push(step);
            self.expr(pat, inner, stmt, steps);
            steps.pop();
        });
    }

    /// Adds a run of statements, if it is of the wanted sort.
    fn add(&mut self, path: &[Step], len: usize) {
        let run = Hole { path: path.to_vec(), len };
        let only = (len == 1).then(|| Place::Stmt(path.to_vec()));
        let place = match self.sort {
            None => Some(only.unwrap_or(Place::Block(run))),
            Some(Sort::Block) => Some(Place::Block(run)),
            Some(Sort::Gap) if len > 0 => {
                Some(Place::Gap(Gap { anchor: member(&run, len - 1), side: Side::After }))
            }
            Some(sort) => only.filter(|_| stmt_at(self.p, path).is_some_and(|s| sort.admits(&s.kind))),
        };
        self.found.extend(place.filter(|_| len > 0));
    }

    /// Visits the statements in the order of the text, but for some that are known not to be called so.
    fn each_that_may_be(&mut self, word: Word, within: Within<'_>, visit: &mut Visit<'_, 'a>) {
        let p: &'a ast::Proc = self.p;
        let runs = match (word, within) {
            (Word::Is(name), Within::All) if !is_numbered(name) => {
                self.an.runs(&p.body).map(|runs| (name, runs))
            }
            (Word::Any | Word::Is(_), _) => None,
        };
        let Some((name, runs)) = runs else { return self.each(within, visit) };
        for (range, _) in runs.iter().filter(|(_, held)| held.names.contains(&name)) {
            self.block(&p.body, &mut Vec::new(), Step::Body(0), range.clone(), visit);
        }
    }

    /// Visits every statement in the order of the text.
    fn each(&mut self, within: Within<'_>, visit: &mut Visit<'_, 'a>) {
        let p: &'a ast::Proc = self.p;
        match within {
            Within::All => self.block(&p.body, &mut Vec::new(), Step::Body(0), 0..p.body.len(), visit),
            Within::Run(run) => {
                let (Some(b), Some((first, up))) = (block_of(p, &run.path), run.path.split_last()) else {
                    return;
                };
                let start = first.index();
                self.block(b, &mut up.to_vec(), *first, start..(start + run.len).min(b.len()), visit);
            }
            Within::Expr(_) => {}
        }
    }

    fn block(
        &mut self,
        b: &'a Block,
        path: &mut Vec<Step>,
        kind: Step,
        range: Range<usize>,
        visit: &mut Visit<'_, 'a>,
    ) {
        for (k, s) in range.clone().zip(b.focus().narrow(range.clone())) {
            path.push(kind.at(k));
            visit(self, (b, s), path, k..range.end);
            match s.kind.as_ref() {
                StmtKind::For { body, .. } => self.block(body, path, Step::Body(0), 0..body.len(), visit),
                StmtKind::If { cond: _, body, orelse } => {
                    self.block(body, path, Step::Body(0), 0..body.len(), visit);
                    self.block(orelse, path, Step::Orelse(0), 0..orelse.len(), visit);
                }
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. } => {}
            }
            path.pop();
        }
    }
}

/// What a bare name may refer to.
enum Named {
    Sym(Sym),
    Proc(rewright_semantics::sym::Name),
}

/// The name by which a statement is known; of those that bind one only, if so wanted.
fn name_of(s: &Stmt, binds_only: bool) -> Option<Named> {
    match s.kind.as_ref() {
        StmtKind::For { iter: x, .. }
        | StmtKind::Alloc { name: x, .. }
        | StmtKind::WindowStmt { name: x, .. } => Some(Named::Sym(*x)),
        StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => {
            (!binds_only).then_some(Named::Sym(*name))
        }
        StmtKind::Call { proc, .. } => Some(Named::Proc(proc.name)),
        StmtKind::WriteConfig { .. } | StmtKind::Pass | StmtKind::If { .. } => None,
    }
}
