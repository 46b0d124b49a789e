//! Calls that a step leaves open: a buffer that is passed has another precision than the callee's argument, or it is a
//! window, and the callee takes a tensor. A later step puts them right, by giving the buffer or another version of the callee
//! the type that is missing, or by inlining. Exo asks for both no sooner than when it makes C. Spec: [rule: open-calls].
//!
//! What is open has the meaning of the callee's body with the arguments put in, in exact arithmetic, where a precision is a
//! note: [`erased`] is the program that says so. So each step from or to such a version is one in exact arithmetic
//! ([`Relation::Rounded`](crate::version::Relation::Rounded)), and neither C nor the interpreter takes it.

use crate::version::session::Session;
use crate::version::{Discharged, Proc, Reason};
use rewright_effects::frontend::{CALL_DENSE, Requirement, check_call_shapes};
use rewright_effects::names::callees;
use rewright_semantics::ast::{self, Block, ExprKind, Stmt, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::{each_expr, each_operand, each_stmt, map_blocks};
use rewright_semantics::typecheck::{self, Fault, IllTyped};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, DataType};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// Whether a fault leaves a call open, and is nothing worse: integers in the place of floats, or the other way round, are no
/// matter of rounding.
pub(crate) fn leaves_open(fault: &IllTyped) -> bool {
    matches!(fault.kind, Fault::ArgumentPrecision { expected, found, .. }
        if !expected.is_integer() && !found.is_integer())
}

/// Whether what the front end finds in a procedure leaves a call open, and is nothing worse.
pub fn leaves_call_open(p: &ast::Proc, found: &Diagnostic) -> bool {
    let of_precision = |f: &IllTyped| matches!(f.kind, Fault::ArgumentPrecision { .. });
    match found.rule {
        ARGUMENT_PRECISION => typecheck::faults(p).iter().filter(|f| of_precision(f)).all(leaves_open),
        rule => rule == CALL_DENSE.0 && !asks_tensors_for_strides(&p.body),
    }
}

/// The rule that a buffer of another precision breaks.
const ARGUMENT_PRECISION: &str = "type.argument-precision";

/// Whether a version takes tensors and asks for strides, itself or in what it calls: what it does with a window, whose strides
/// are others, is not what it does with a tensor.
pub(crate) fn stands_on_strides(p: &ast::Proc) -> bool {
    (takes_tensors(p) && asks_for_strides(p)) || asks_tensors_for_strides(&p.body)
}

/// The first thing that is ill typed in a procedure, but for calls that the session lets a step leave open.
pub(crate) fn ill_typed(session: &Session, p: &ast::Proc) -> Option<IllTyped> {
    first_worse(session, &typecheck::faults(p)).cloned()
}

/// The first of these faults that is worse than a call that the session lets a step leave open.
pub(crate) fn first_worse<'f>(session: &Session, faults: &'f [IllTyped]) -> Option<&'f IllTyped> {
    faults.iter().find(|f| !(session.postpones() && leaves_open(f)))
}

/// Whether what is not proved of a call in a procedure may be left open: that a window is as dense as a tensor, where no
/// callee that takes tensors asks for strides. Those of the tensor that it declares are not those of the window.
pub(crate) fn may_be_open(session: &Session, requirement: &Requirement, p: &ast::Proc) -> bool {
    session.postpones() && requirement.obligation.id == CALL_DENSE && !asks_tensors_for_strides(&p.body)
}

pub(crate) fn asks_tensors_for_strides(b: &Block) -> bool {
    let mut found = false;
    callees(b, &mut |callee| found = found || stands_on_strides(callee));
    found
}

fn takes_tensors(p: &ast::Proc) -> bool {
    p.args.iter().any(|a| match &a.typ {
        ArgType::Data { typ, mem: _ } => typ.kind == ArrayKind::Tensor && typ.rank() > 0,
        ArgType::Control(_) => false,
    })
}

/// Whether a procedure, or one that it calls, mentions a stride.
fn asks_for_strides(p: &ast::Proc) -> bool {
    let mut found = false;
    let mut look =
        |e: &ast::Expr| each_expr(e, &mut |e| found = found || matches!(e.kind, ExprKind::Stride { .. }));
    p.preds.iter().for_each(&mut look);
    each_stmt(&p.body, &mut |s| each_operand(s, &mut |_, e| look(e)));
    callees(&p.body, &mut |callee| found = found || asks_for_strides(callee));
    found
}

impl Proc {
    /// Whether the step that made this version left calls open; of a root, whether it or what it calls has any.
    pub(crate) fn is_open(&self) -> bool {
        let postponed = |d: &Discharged| matches!(d.by, Reason::Postponed { .. });
        self.origin().is_none_or(|origin| origin.step.discharged.iter().any(postponed))
            && !self.open_calls().is_empty()
    }

    /// The calls in this version, and in what it calls, that are open: nothing is to be made of it before they are right.
    pub fn open_calls(&self) -> Vec<Diagnostic> {
        self.open_calls_where(|_| true)
    }

    /// Those that would be in its C, in which a call of an instruction is a text, and the instruction's body is nowhere.
    pub fn open_calls_of_c(&self) -> Vec<Diagnostic> {
        self.open_calls_where(|p| p.instr.is_none())
    }

    /// Those in the bodies that count.
    fn open_calls_where(&self, counts: impl Fn(&ast::Proc) -> bool) -> Vec<Diagnostic> {
        let (mut seen, mut found) = (FxHashSet::default(), Vec::new());
        self.open_calls_of(self.ast(), &counts, &mut seen, &mut found);
        found
    }

    fn open_calls_of(
        &self,
        p: &Arc<ast::Proc>,
        counts: &impl Fn(&ast::Proc) -> bool,
        seen: &mut FxHashSet<*const ast::Proc>,
        found: &mut Vec<Diagnostic>,
    ) {
        if !counts(p) || !seen.insert(Arc::as_ptr(p)) {
            return;
        }
        found.extend(typecheck::faults(p).iter().filter(|f| leaves_open(f)).map(IllTyped::diagnostic));
        let required = check_call_shapes(self.session().analysis(), p).into_iter();
        let dense = required.filter(|r| r.obligation.id == CALL_DENSE);
        found.extend(dense.filter(|r| !self.session().decide(&r.obligation).is_proved()).map(|r| {
            let at = r.obligation.locations.first().map_or(Span::NONE, |(at, _)| *at);
            Diagnostic::error(CALL_DENSE.0, at, r.danger)
        }));
        callees(&p.body, &mut |callee| self.open_calls_of(callee, counts, seen, found));
    }
}

/// The program in exact arithmetic that a procedure with open calls stands for: all data is `R`, and callees take windows.
pub(crate) fn erased(p: &ast::Proc) -> ast::Proc {
    let mut callees = FxHashMap::default();
    without_precisions(p, &mut callees)
}

/// Callees by address, without precisions.
type Erased = FxHashMap<*const ast::Proc, Arc<ast::Proc>>;

fn without_precisions(p: &ast::Proc, known: &mut Erased) -> ast::Proc {
    let mut out = p.clone();
    out.instr = None;
    for arg in &mut out.args {
        if let ArgType::Data { typ, mem: _ } = &mut arg.typ {
            typ.elem = DataType::R;
        }
    }
    out.body = in_block(&p.body, known);
    out
}

fn in_block(b: &Block, known: &mut Erased) -> Block {
    b.iter().map(|s| in_stmt(s, known)).collect()
}

fn in_stmt(s: &Stmt, known: &mut Erased) -> Stmt {
    match s.kind.as_ref() {
        StmtKind::Alloc { name, typ, mem } => {
            let typ = BufferType { elem: DataType::R, ..typ.clone() };
            Stmt::at(StmtKind::Alloc { name: *name, typ, mem: *mem }, s.span)
        }
        StmtKind::Call { proc, args } => {
            let proc = known.get(&Arc::as_ptr(proc)).cloned().unwrap_or_else(|| {
                let made = Arc::new(taking_windows(without_precisions(proc, known)));
                known.insert(Arc::as_ptr(proc), made.clone());
                made
            });
            Stmt::at(StmtKind::Call { proc, args: args.clone() }, s.span)
        }
        StmtKind::If { .. } | StmtKind::For { .. } => map_blocks(s, &mut |b| in_block(b, known)),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::WindowStmt { .. } => s.clone(),
    }
}

fn taking_windows(mut p: ast::Proc) -> ast::Proc {
    for arg in &mut p.args {
        if let ArgType::Data { typ, mem: _ } = &mut arg.typ
            && typ.rank() > 0
        {
            typ.kind = ArrayKind::Window;
        }
    }
    p
}
