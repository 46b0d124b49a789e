//! Arguments of calls have the shape in C that the callee's parameters have.
//! Spec: [rule: backend.window].

use crate::c::bindings::Bindings;
use crate::c::usage::window_rank;
use rewright_semantics::ast::{Arg, Expr, ExprKind, Proc};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::ArgType;

/// Every argument of a wrong rank.
pub fn check(p: &Proc, bindings: &Bindings) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    each_stmt(&p.body, &mut |s| {
        if let Some((proc, args)) = s.kind.called() {
            found.extend(
                proc.args.iter().zip(args.iter()).filter_map(|(a, e)| argument(a, e, proc, bindings)),
            );
        }
    });
    found
}

fn argument(formal: &Arg, actual: &Expr, callee: &Proc, bindings: &Bindings) -> Option<Diagnostic> {
    let ArgType::Data { typ, .. } = &formal.typ else { return None };
    let rank = match &actual.kind {
        ExprKind::Read { name, idx } if idx.is_empty() => bindings.buffer(*name)?.rank,
        ExprKind::Read { .. } => 0,
        ExprKind::Window(w) => window_rank(w),
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
    None
}
