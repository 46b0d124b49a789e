//! Where two versions of a procedure differ, so that what was checked of the one need not be checked again of the
//! other. Spec: [rule: rewrite.local].

use crate::cursor::path::{Hole, Step};
use rewright_effects::analysis::Analysis;
use rewright_effects::digest::Digest;
use rewright_semantics::ast::{Block, Proc, Stmt, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::subst::binds_after;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// A run of statements that another run has taken the place of; all else is shared.
#[derive(Clone, Debug)]
pub struct Changed {
    /// Where it is in the new version.
    pub run: Hole,
    /// What was there.
    pub old: Block,
    /// What is there.
    pub new: Block,
}

impl Changed {
    /// The smallest run of statements in which two versions differ; `None` when their heads differ too.
    pub fn between(old: &Proc, new: &Proc) -> Option<Changed> {
        let Proc { name, args, preds, body, instr, span: _ } = old;
        let same = *name == new.name && *args == new.args && *preds == new.preds && *instr == new.instr;
        same.then(|| in_block(body, &new.body, Vec::new(), Step::Body(0)))
    }

    /// Whether what is outside of the run means what it meant: no field is written in the run, and what its statements
    /// bind for those after it is still bound, in the same words.
    pub fn is_local(&self, an: &Analysis) -> bool {
        let binders =
            |b: &Block| b.iter().filter(|s| binds_after(s).is_some()).cloned().collect::<Vec<Stmt>>();
        let kept = binders(&self.new);
        !writes(an, &self.old)
            && !writes(an, &self.new)
            && binders(&self.old).iter().all(|s| kept.contains(s))
    }

    /// Whether each name that is bound in the run is bound once in the whole of the new version.
    pub fn binds_once(&self, an: &Analysis, new: &Proc) -> bool {
        let (mut known, mut here) = (FxHashSet::default(), FxHashSet::default());
        each_binder(&self.old, &mut |x| {
            known.insert(x);
        });
        let mut once = true;
        each_binder(&self.new, &mut |x| once = here.insert(x) && once);
        here.retain(|x| !known.contains(x));
        if here.is_empty() || !once {
            return once;
        }
        let mut met = 0;
        new.args.iter().filter(|a| here.contains(&a.name)).for_each(|_| met += 1);
        let names: Vec<Name> = here.iter().map(|x| x.name()).collect();
        let may_bind = |digest: &Digest| names.iter().any(|x| digest.names.contains(x));
        for s in an.before(&new.body, new.body.len(), may_bind) {
            each_binder([s], &mut |x| met += usize::from(here.contains(&x)));
        }
        met == here.len()
    }
}

/// Calls `f` on each name that is bound in a block, loop variables included.
fn each_binder<'a>(b: impl IntoIterator<Item = &'a Stmt>, f: &mut impl FnMut(Sym)) {
    for s in b {
        match s.kind.as_ref() {
            StmtKind::Alloc { name, .. } | StmtKind::WindowStmt { name, .. } => f(*name),
            StmtKind::For { iter, body, .. } => {
                f(*iter);
                each_binder(body, f);
            }
            StmtKind::If { cond: _, body, orelse } => {
                each_binder(body, f);
                each_binder(orelse, f);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Call { .. } => {}
        }
    }
}

/// Whether a field may be written, be it by a callee.
fn writes(an: &Analysis, b: &Block) -> bool {
    !an.touched_fields(b).is_empty()
}

/// How many statements two blocks have in common at their beginning, and of the others at their end.
fn common(old: &Block, new: &Block) -> (usize, usize) {
    let same = |(s, t): &(&Stmt, &Stmt)| Arc::ptr_eq(&s.kind, &t.kind);
    let shared = |(s, t): &(&[Stmt], &[Stmt])| std::ptr::eq(*s, *t);
    let len = |(s, _): (&[Stmt], &[Stmt])| s.len();
    let start: usize = old.leaves().zip(new.leaves()).take_while(shared).map(len).sum();
    let tails = part(old, start..old.len()).zip(part(new, start..new.len()));
    let before = start + tails.take_while(same).count();
    let most = old.len().min(new.len()) - before;
    let end: usize = old.leaves().rev().zip(new.leaves().rev()).take_while(shared).map(len).sum();
    if end >= most {
        return (before, most);
    }
    let heads = part(old, 0..old.len() - end).rev().zip(part(new, 0..new.len() - end).rev());
    (before, end + heads.take(most - end).take_while(same).count())
}

fn part(b: &Block, range: Range<usize>) -> impl DoubleEndedIterator<Item = &Stmt> {
    b.focus().narrow(range).into_iter()
}

fn in_block(old: &Block, new: &Block, up: Vec<Step>, kind: Step) -> Changed {
    let (before, after) = common(old, new);
    let between = |b: &Block| -> Block { part(b, before..b.len() - after).cloned().collect() };
    let (old, new) = (between(old), between(new));
    let mut path = up;
    path.push(kind.at(before));
    if old.len() == 1
        && let (Some(s), Some(t)) = (old.get(0), new.get(0).filter(|_| new.len() == 1))
        && let Some((step, a, b)) = only_block(s, t)
    {
        return in_block(a, b, path, step);
    }
    Changed { run: Hole { path, len: new.len() }, old, new }
}

/// Of two statements that differ in one block at most, this block.
fn only_block<'a>(s: &'a Stmt, t: &'a Stmt) -> Option<(Step, &'a Block, &'a Block)> {
    match (s.kind.as_ref(), t.kind.as_ref()) {
        (
            StmtKind::For { iter, lo, hi, body, mode },
            StmtKind::For { iter: i, lo: l, hi: h, body: b, mode: m },
        ) => (iter == i && lo == l && hi == h && mode == m).then_some((Step::Body(0), body, b)),
        (StmtKind::If { cond, body, orelse }, StmtKind::If { cond: c, body: b, orelse: o }) if cond == c => {
            if orelse.ptr_eq(o) {
                Some((Step::Body(0), body, b))
            } else {
                body.ptr_eq(b).then_some((Step::Orelse(0), orelse, o))
            }
        }
        (
            StmtKind::For { .. }
            | StmtKind::If { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. },
            _,
        ) => None,
    }
}
