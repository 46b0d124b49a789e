//! The builder: the only way from one version to the next. Spec: [rule: rewrite].
//!
//! First what is required, on the program as given; then the edits; then [`Rewrite::finish`].

mod finish;

use crate::cursor::path::{ExprPath, Hole, Place, Step, block_of, member, run_at, stmt_at};
use crate::cursor::{Cursor, fragment};
use crate::edit::{Edit, Head, Wrapper, apply};
use crate::error::{Error, Found, Result, SchedulingError};
use crate::kept::{Kept, Parts};
use crate::left_open;
use crate::registry::{Condition, Guards, Primitive, Value, condition, form};
use crate::tools::requires::definitely_assigned::is_definitely_assigned;
use crate::tools::requires::race;
use crate::tools::syntax::stmt_views::For;
use crate::version::session::Session;
use crate::version::{Discharged, Proc, Reason, Relation, Step as Record};
use rewright_effects::context::Context;
use rewright_effects::env::Field;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{self, Block, Expr, Stmt};
use rewright_semantics::build;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::fold::Form;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The condition that every primitive has, without listing it.
pub const WELL_TYPED: Condition = form("well_typed", "what the rewrite leaves is well scoped and well typed");

/// The condition of primitives that evaluate an expression where the program may not have.
pub const READABLE: Condition =
    condition("readable", "what is evaluated anew is set, and no other thread writes it");

/// A rewrite in the making.
#[derive(Debug)]
pub struct Rewrite {
    base: Proc,
    primitive: &'static Primitive,
    ast: Arc<ast::Proc>,
    step: Record,
    broken: Option<String>,
    since: Instant,
}

impl Rewrite {
    /// Starts a rewrite of `p`.
    pub fn new(p: &Proc, primitive: &'static Primitive) -> Rewrite {
        let step = Record {
            primitive: primitive.name,
            exact: primitive.exact,
            args: Vec::new(),
            discharged: Vec::new(),
            edits: Vec::new(),
            modulo: BTreeSet::new(),
            relation: Relation::Equivalent,
            rounding: Vec::new(),
            form: p.session().form(),
            took: Duration::ZERO,
        };
        let since = Instant::now();
        Rewrite { base: p.clone(), primitive, ast: p.ast().clone(), step, broken: None, since }
    }

    /// Records an argument, for the derivation.
    pub fn arg(&mut self, name: &'static str, value: impl Into<Value>) {
        self.step.args.push((name, value.into()));
    }

    /// Records a place that an argument pointed at, for the derivation.
    pub fn at(&mut self, name: &'static str, place: Place) {
        match Cursor::new(&self.base, place) {
            Ok(c) => self.arg(name, Value::Cursor(c)),
            Err(e) => self.broken = Some(format!("`{name}`: {e}")),
        }
    }

    /// Records several places that an argument pointed at.
    pub fn at_all(&mut self, name: &'static str, places: impl IntoIterator<Item = Place>) {
        let base = self.base.clone();
        let cursors = places.into_iter().map(|place| Cursor::new(&base, place).map(Value::Cursor));
        match cursors.collect::<std::result::Result<Vec<Value>, _>>() {
            Ok(all) => self.arg(name, Value::List(all)),
            Err(e) => self.broken = Some(format!("`{name}`: {e}")),
        }
    }

    /// Records the path of a statement that an argument pointed at.
    pub fn at_stmt(&mut self, name: &'static str, path: &[Step]) {
        self.at(name, Place::Stmt(path.to_vec()));
    }

    /// How the arithmetic is to be written that the rewrite makes. Spec: [rule: forms].
    pub fn form(&self) -> Form {
        self.step.form
    }

    /// What the versions of this tree share.
    pub fn session(&self) -> &Session {
        self.base.session()
    }

    /// Whether a condition is not asked for, which the record then says.
    fn omits(&mut self, condition: &Condition) -> bool {
        let omitted = self.session().omits_at(self.base.depth(), self.primitive.name, condition.id);
        if omitted {
            self.step.discharged.push(Discharged { condition: condition.id, by: Reason::Omitted });
        }
        omitted
    }

    /// Whether a condition that is not proved is assumed, which the record then says: one on the meaning, in a step that
    /// does so.
    fn assumes(&mut self, condition: &Condition) -> bool {
        let assumed = self.session().assumes(condition.id) && condition.guards == Guards::Meaning;
        if assumed {
            self.step.discharged.push(Discharged { condition: condition.id, by: Reason::Omitted });
        }
        assumed
    }

    /// Records that a condition holds only if what earlier steps assumed does. Spec: [rule: assumptions].
    pub fn stands_on_assumptions(&mut self, condition: &Condition) {
        self.step.discharged.push(Discharged { condition: condition.id, by: Reason::Omitted });
    }

    /// The procedure as the edits so far have left it.
    pub fn ast(&self) -> &Arc<ast::Proc> {
        &self.ast
    }

    /// The context of a run of statements in the procedure as given.
    ///
    /// # Errors
    /// There is no such run: a bug of the primitive.
    pub fn context(&self, hole: &Hole) -> Result<Context> {
        let found = Context::of(self.session().analysis(), self.base.ast(), hole);
        found.ok_or_else(|| self.internal(format!("no context at {hole:?}")))
    }

    /// The context of a statement in the procedure as given.
    ///
    /// # Errors
    /// There is no such statement: a bug of the primitive.
    pub fn context_of(&self, path: &[Step]) -> Result<Context> {
        self.context(&Hole::stmt(path))
    }

    /// The statement at a path of the procedure as given.
    ///
    /// # Errors
    /// There is none: a bug of the primitive.
    pub fn given(&self, path: &[Step]) -> Result<Stmt> {
        stmt_at(self.base.ast(), path)
            .cloned()
            .ok_or_else(|| self.internal(format!("no statement at {path:?}")))
    }

    /// The loop at a path of the procedure as given.
    ///
    /// # Errors
    /// There is none: a bug of the primitive.
    pub fn given_loop(&self, path: &[Step]) -> Result<For> {
        For::of(&self.given(path)?).ok_or_else(|| self.internal(format!("no loop at {path:?}")))
    }

    /// A control expression that an argument gives as text, in the names just before the statement at a path.
    ///
    /// # Errors
    /// It cannot be read there.
    pub fn control(&self, path: &[Step], text: &str) -> Result<Expr> {
        fragment::control(&self.base, path, text).map_err(|e| self.wrong_argument(e.to_string()))
    }

    /// A truth value that an argument gives as text, in the names just before the statement at a path.
    ///
    /// # Errors
    /// It cannot be read there.
    pub fn cond(&self, path: &[Step], text: &str) -> Result<Expr> {
        fragment::cond(&self.base, path, text).map_err(|e| self.wrong_argument(e.to_string()))
    }

    /// Requires a condition that stands and falls with these obligations.
    ///
    /// # Errors
    /// One of them is not proved: a refusal.
    pub fn require(
        &mut self,
        condition: &Condition,
        obligations: impl IntoIterator<Item = Obligation>,
    ) -> Result<()> {
        self.check_known(condition)?;
        if self.omits(condition) {
            return Ok(());
        }
        let before = self.step.discharged.len();
        for obligation in obligations {
            let verdict = self.session().decide(&obligation);
            let found = Found::of(&obligation, &verdict);
            let by = match found {
                None => Reason::Solver { obligation, verdict },
                Some(_) if left_open::is_race(obligation.id) && self.session().postpones() => {
                    Reason::Postponed { what: format!("this is not known: {}", obligation.sentence) }
                }
                Some(_) if self.assumes(condition) => continue,
                Some(found) => return Err(self.refusal(condition, found, obligation.locations)),
            };
            self.step.discharged.push(Discharged { condition: condition.id, by });
        }
        if self.step.discharged.len() == before {
            // There was nothing to ask.
            self.step.discharged.push(Discharged { condition: condition.id, by: Reason::Syntax });
        }
        Ok(())
    }

    /// Whether a condition holds on which it hangs *what* the rewrite makes, and not whether it may: it is recorded
    /// where it does. A mutant takes it for true.
    ///
    /// # Errors
    /// A bug of the primitive.
    pub fn holds(
        &mut self,
        condition: &Condition,
        obligations: impl IntoIterator<Item = Obligation>,
    ) -> Result<bool> {
        self.check_known(condition)?;
        if self.omits(condition) {
            return Ok(true);
        }
        let mut found = Vec::new();
        for obligation in obligations {
            let verdict = self.session().decide(&obligation);
            if !verdict.is_proved() {
                return Ok(false);
            }
            found.push(Discharged { condition: condition.id, by: Reason::Solver { obligation, verdict } });
        }
        self.step.discharged.extend(found);
        Ok(true)
    }

    /// Requires a condition on the syntax.
    ///
    /// # Errors
    /// It does not hold: a refusal.
    pub fn require_that<W: Into<String>>(
        &mut self,
        condition: &Condition,
        holds: bool,
        why: impl FnOnce() -> W,
    ) -> Result<()> {
        self.check_known(condition)?;
        if self.omits(condition) {
            return Ok(());
        }
        if !holds {
            if self.assumes(condition) {
                return Ok(());
            }
            return Err(self.refusal(condition, Found::Form { why: why().into() }, Vec::new()));
        }
        self.step.discharged.push(Discharged { condition: condition.id, by: Reason::Syntax });
        Ok(())
    }

    /// Requires something of iterations that run at once: it may be left open, as a race. Spec: [rule: left-open].
    ///
    /// # Errors
    /// It does not hold: a refusal.
    pub fn require_apart<W: Into<String>>(
        &mut self,
        condition: &Condition,
        holds: bool,
        why: impl FnOnce() -> W,
    ) -> Result<()> {
        if holds || !self.session().postpones() || self.omits(condition) {
            return self.require_that(condition, holds, why);
        }
        self.check_known(condition)?;
        let by = Reason::Postponed { what: why().into() };
        self.step.discharged.push(Discharged { condition: condition.id, by });
        Ok(())
    }

    /// Refuses when something does not hold without which a condition cannot be asked at all.
    ///
    /// # Errors
    /// It does not hold: a refusal.
    pub fn refuse_unless<W: Into<String>>(
        &mut self,
        condition: &Condition,
        holds: bool,
        why: impl FnOnce() -> W,
    ) -> Result<()> {
        if holds { Ok(()) } else { self.require_that(condition, false, why) }
    }

    /// Requires the condition `readable` of expressions at a place where the program as given may not have evaluated
    /// them: the fields that they read are set, and no other iteration of a parallel loop around the place writes
    /// one. What the program evaluates there in any case is in `also`; with `or_else` they may be evaluated there too.
    ///
    /// # Errors
    /// They are not: a refusal.
    pub fn require_readable(
        &mut self,
        place: &[Step],
        exprs: &[&Expr],
        also: &[Expr],
        or_else: Option<Obligation>,
    ) -> Result<()> {
        let unset = exprs.iter().find(|e| !is_definitely_assigned(self.base.ast(), place, e, also));
        match (unset, or_else) {
            (Some(e), Some(mut evaluated)) => {
                let text = expr_to_string(e);
                evaluated.sentence = format!("{}, so that `{text}` is read in any case", evaluated.sentence);
                self.require(&READABLE, [evaluated])?;
            }
            (unset, _) => self.require_that(&READABLE, unset.is_none(), || match unset {
                Some(e) => format!("`{}` reads a field that may not be set", expr_to_string(e)),
                None => String::new(),
            })?,
        }
        self.require_no_race(place, exprs)
    }

    /// The second half of [`Rewrite::require_readable`], for expressions whose fields are known to be set.
    ///
    /// # Errors
    /// An iteration writes one: a refusal.
    pub fn require_no_race(&mut self, place: &[Step], exprs: &[&Expr]) -> Result<()> {
        let found = race::field_of_threads(self.session().analysis(), self.base.ast(), place, exprs);
        self.require_apart(&READABLE, found.is_none(), || match found {
            Some((field, iter)) => {
                format!("`{}` would be read, and the parallel loop over `{iter}` writes it", field.var())
            }
            None => String::new(),
        })
    }

    /// An argument that makes no sense, whatever the program.
    pub fn wrong_argument(&self, why: impl Into<String>) -> Error {
        crate::registry::argument_error(self.primitive, why)
    }

    /// A refusal for a condition that cannot even be stated.
    pub fn refuse(&self, condition: &Condition, why: impl Into<String>, at: Span) -> Error {
        let places = if at.is_none() { Vec::new() } else { vec![(at, "here".to_owned())] };
        self.refusal(condition, Found::Form { why: why.into() }, places)
    }

    fn refusal(&self, condition: &Condition, found: Found, places: Vec<(Span, String)>) -> Error {
        // What one condition is called in several primitives has each one's advice.
        let advice = self.primitive.condition(condition.id).and_then(|c| c.advice);
        let (primitive, condition) = (self.primitive.name, condition.id);
        let depth = self.base.depth();
        let nowhere = places.iter().all(|(at, _)| at.is_none());
        let places = if nowhere { self.pointed_at().into_iter().collect() } else { places };
        SchedulingError { primitive, condition, found, advice, places, depth }.into()
    }

    /// The statement that the step was given, for a refusal that says of no other place what is wrong there.
    fn pointed_at(&self) -> Option<(Span, String)> {
        let mut args = self.step.args.iter();
        let given = args.find_map(|(_, value)| if let Value::Cursor(c) = value { Some(c) } else { None })?;
        let path = match given.place() {
            Place::Stmt(path)
            | Place::Block(Hole { path, .. })
            | Place::Expr(ExprPath { stmt: path, .. }) => path,
            Place::Gap(gap) => &gap.anchor,
            Place::Arg(_) => return None,
        };
        let at = stmt_at(self.base.ast(), path)?.span;
        (!at.is_none()).then(|| (at, "here".to_owned()))
    }

    /// A bug of the primitive.
    pub fn internal(&self, what: impl Into<String>) -> Error {
        Error::Internal { primitive: self.primitive.name, what: what.into() }
    }

    fn check_known(&self, condition: &Condition) -> Result<()> {
        if self.primitive.condition(condition.id).is_none() {
            return Err(self.internal(format!("`{}` is not among its conditions", condition.id)));
        }
        if !self.step.edits.is_empty() {
            return Err(self.internal(format!("`{}` is required after an edit", condition.id)));
        }
        Ok(())
    }

    /// Makes an edit. One that does not fit is reported by [`Rewrite::finish`].
    pub fn edit(&mut self, edit: Edit) {
        if self.broken.is_some() {
            return;
        }
        match apply(&self.ast, &edit) {
            Some(ast) => {
                self.ast = Arc::new(ast);
                self.step.edits.push(edit);
            }
            None => self.broken = Some(format!("an edit does not fit: {edit:?}")),
        }
    }

    /// Says that an edit cannot be made; [`Rewrite::finish`] reports it.
    pub fn broken(&mut self, what: impl Into<String>) {
        self.broken.get_or_insert(what.into());
    }

    /// New statements before the one at this path; the index may be the block's length.
    pub fn insert(&mut self, at: &[Step], stmts: Block) {
        if !stmts.is_empty() {
            self.edit(Edit::Insert { at: at.to_vec(), stmts });
        }
    }

    /// Replaces a statement by another of the same shape, made from it as the edits so far have left it.
    pub fn reshape_stmt(&mut self, path: &[Step], kept: Kept, f: impl FnOnce(&Stmt) -> Stmt) {
        self.reshape_with(&Hole::stmt(path), kept, |b| b.get(0).map(f).into_iter().collect());
    }

    /// Deletes a run of statements. A body that would be empty becomes `pass`, and in Exo's form an `else`, too.
    pub fn delete(&mut self, run: &Hole) {
        if self.form() == Form::Literal && self.is_whole_else(run) {
            self.leave_pass(run);
        } else {
            self.delete_branch(run);
        }
    }

    /// Deletes a run of statements as [`delete`](Rewrite::delete) does, but leaves no empty `else` in either form.
    pub fn delete_branch(&mut self, run: &Hole) {
        if self.is_whole_body(run) {
            self.leave_pass(run);
        } else {
            self.edit(Edit::Delete { run: run.clone() });
        }
    }

    fn leave_pass(&mut self, run: &Hole) {
        let stmts = build::block([build::pass()]);
        self.edit(Edit::Replace { run: run.clone(), stmts, as_whole: false });
    }

    /// Replaces a run of statements by others, which together are what they were.
    pub fn replace(&mut self, run: &Hole, stmts: Block) {
        self.edit(Edit::Replace { run: run.clone(), stmts, as_whole: true });
    }

    /// Replaces a run of statements by what `f` makes of them, of the same shape. What is not said to be kept of their
    /// expressions is gone.
    pub fn reshape_with(&mut self, run: &Hole, kept: Kept, f: impl FnOnce(&Block) -> Block) {
        match run_at(&self.ast, run) {
            Some(old) => {
                let stmts = f(&old);
                self.edit(Edit::Reshape { run: run.clone(), old, stmts, kept });
            }
            None => self.broken = Some(format!("no statements at {run:?}")),
        }
    }

    /// Replaces an expression. What is not said to be kept of it is gone.
    pub fn replace_expr(&mut self, at: &ExprPath, with: Expr, kept: Parts) {
        self.edit(Edit::ReplaceExpr { at: at.clone(), with, kept });
    }

    /// Moves a run of statements to before the statement at `to`. A body that would be empty becomes `pass`.
    pub fn move_to(&mut self, run: &Hole, to: &[Step]) {
        if self.is_whole_body(run) {
            // The `pass` comes after the run, so that no path up to the run changes.
            let end = member(run, run.len);
            let inside = self.relative_to_insert(to, &end);
            self.insert(&end, build::block([build::pass()]));
            self.edit(Edit::Move { run: run.clone(), to: inside });
        } else {
            self.edit(Edit::Move { run: run.clone(), to: to.to_vec() });
        }
    }

    fn relative_to_insert(&self, to: &[Step], at: &[Step]) -> Vec<Step> {
        let edit = Edit::Insert { at: at.to_vec(), stmts: build::block([build::pass()]) };
        crate::forward::forward_stmt(&edit, to).unwrap_or_else(|| to.to_vec())
    }

    /// Puts a run of statements into a new statement.
    pub fn wrap(&mut self, run: &Hole, in_: Wrapper) {
        self.edit(Edit::Wrap { run: run.clone(), in_ });
    }

    /// Changes the procedure's head; `args` says where each former argument is.
    pub fn set_head(&mut self, head: Head, args: Vec<Option<usize>>) {
        self.edit(Edit::Head { head, args });
    }

    /// Says that cursors to one statement go to another, as the edits so far have left them, and what makes an
    /// expression of the one an expression of the other.
    pub fn redirect(&mut self, from: &[Step], to: &[Step], kept: Kept) {
        match (stmt_at(&self.ast, from).cloned(), stmt_at(&self.ast, to).cloned()) {
            (Some(old), Some(new)) => {
                self.edit(Edit::Redirect { from: from.to_vec(), to: to.to_vec(), old, new, kept });
            }
            (None, _) | (_, None) => self.broken = Some(format!("no statements at {from:?} and {to:?}")),
        }
    }

    /// Says that cursors to an expression go to another place where it stands.
    pub fn redirect_expr(&mut self, from: ExprPath, to: ExprPath) {
        self.edit(Edit::RedirectExpr { from, to });
    }

    /// Says that the new version agrees with the old one only modulo these fields.
    pub fn modulo(&mut self, fields: impl IntoIterator<Item = Field>) {
        self.step.modulo.extend(fields);
    }

    /// Says that the new version is not equivalent to the old one but related in another way.
    pub fn relation(&mut self, relation: Relation) {
        self.step.relation = relation;
    }

    /// Says that the new version is the old one with another rounding, and which: a clause such as "`x` is f32 in place
    /// of f64". Spec: [rule: rounding].
    pub fn rounds(&mut self, what: impl Into<String>) {
        self.step.relation = match self.step.relation {
            Relation::Equivalent | Relation::Rounded => Relation::Rounded,
            // Each says of itself that only exact arithmetic is meant.
            other @ (Relation::Restricted | Relation::Specialised) => other,
        };
        self.step.rounding.push(what.into());
    }

    fn is_whole_body(&self, run: &Hole) -> bool {
        matches!(run.path.last(), Some(Step::Body(_))) && self.is_whole_block(run)
    }

    fn is_whole_else(&self, run: &Hole) -> bool {
        matches!(run.path.last(), Some(Step::Orelse(_))) && self.is_whole_block(run)
    }

    fn is_whole_block(&self, run: &Hole) -> bool {
        block_of(&self.ast, &run.path).is_some_and(|b| b.len() == run.len)
    }
}
