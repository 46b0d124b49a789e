//! Configurations without direct access are read and written by instructions only. PLDI'22 §3.2.3.
//! Spec: [rule: backend.config-access].

use rewright_semantics::ast::{Config, Expr, Proc};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use rewright_semantics::types::ArgType;

/// Every access of a procedure to a configuration that C may not touch.
pub fn check(p: &Proc) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for a in &p.args {
        if let ArgType::Data { typ, .. } = &a.typ {
            typ.shape.iter().for_each(|e| reads(e, a.span, &mut found));
        }
    }
    each_stmt(&p.body, &mut |s| {
        if let Some((config, field)) = s.kind.field_written() {
            access(config, field, s.span, "written", &mut found);
        }
        operands(s).into_iter().for_each(|e| reads(e, s.span, &mut found));
    });
    found
}

fn reads(e: &Expr, outer: Span, found: &mut Vec<Diagnostic>) {
    each_expr(e, &mut |e| {
        if let Some((config, field)) = e.kind.field_read() {
            let span = if e.span.is_none() { outer } else { e.span };
            access(config, field, span, "read", found);
        }
    });
}

fn access(config: &Config, field: Name, span: Span, what: &str, found: &mut Vec<Diagnostic>) {
    if config.direct_access {
        return;
    }
    let message = format!("{}.{field} is {what} by instructions only", config.name);
    let d = Diagnostic::error("backend.config-access", span, message)
        .label("this would need a field in C")
        .also(config.span, "declared without direct access here")
        .help("call an instruction that does this");
    found.push(d);
}
