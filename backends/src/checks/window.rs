//! Arguments of calls have the shape in C that the callee's parameters have.
//! Spec: [rule: backend.window].

use crate::c::bindings::Bindings;
use crate::c::usage::window_rank;
use crate::c::walk::each_stmt;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Proc, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::types::{ArgType, ArrayKind};

/// Every window that is passed as a tensor, and every argument of a wrong rank.
pub fn check(p: &Proc, bindings: &Bindings) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, args } = &*s.kind {
            found.extend(
                proc.args.iter().zip(args.iter()).filter_map(|(a, e)| argument(a, e, proc, bindings)),
            );
        }
    });
    found
}

fn argument(formal: &Arg, actual: &Expr, callee: &Proc, bindings: &Bindings) -> Option<Diagnostic> {
    let ArgType::Data { typ, .. } = &formal.typ else { return None };
    let (rank, is_window) = match &actual.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => {
            let buffer = bindings.buffer(*name)?;
            (buffer.rank, buffer.kind == ArrayKind::Window)
        }
        ExprKind::Read { .. } => (0, true),
        ExprKind::Window(w) => (window_rank(w), true),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => return None,
    };
    let error = |message: String| Diagnostic::error("backend.window", actual.span, message);
    if rank != typ.rank() {
        let message = format!("{} of {} has {} dimensions", formal.name, callee.name, typ.rank());
        return Some(error(message).label(format!("expected {}, found {rank}", typ.rank())));
    }
    if is_window && rank > 0 && typ.kind == ArrayKind::Tensor && callee.instr.is_none() {
        let message = format!("{} of {} is a tensor: its cells are dense in C", formal.name, callee.name);
        return Some(
            error(message)
                .label("expected a tensor, found a window")
                .help(format!("declare `{}: [{}][…]` in {}", formal.name, typ.elem, callee.name)),
        );
    }
    None
}
