//! Buffers are passed to where they may live. (What a memory itself refuses, such as a direct read, is
//! found while lowering.) PLDI'22 §3.1.1, §3.2.1. Spec: [rule: backend.memory-access],
//! [rule: backend.memory-window].

use crate::c::bindings::Bindings;
use crate::c::usage::passed_name;
use crate::memory::Memories;
use rewright_semantics::ast::{Proc, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::ArgType;

/// Every argument of a call that lives in another memory than the callee expects, and every argument
/// of the procedure that no C function can have.
pub fn check(p: &Proc, bindings: &Bindings, memories: &Memories) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for a in &p.args {
        if let ArgType::Data { mem, typ } = &a.typ
            && !memories.is_addressable(*mem, typ.rank())
        {
            let message = format!("{} lives in {mem}, where buffers have no address to pass", a.name);
            let d = Diagnostic::error("backend.memory-window", a.span, message)
                .help("only instructions take such arguments: inline this procedure, or make it an @instr");
            found.push(d);
        }
    }
    found.extend(handed_out(p, memories));
    each_stmt(&p.body, &mut |s| {
        let Some((proc, args)) = s.kind.called() else { return };
        for (formal, actual) in proc.args.iter().zip(args.iter()) {
            let ArgType::Data { mem: expected, .. } = &formal.typ else { continue };
            let Some(buffer) = passed_name(actual).and_then(|x| bindings.buffer(x)) else { continue };
            if memories.serves_as(buffer.mem, *expected) {
                continue;
            }
            let span = if actual.span.is_none() { s.span } else { actual.span };
            let message = format!("{} of {} lives in {expected}", formal.name, proc.name);
            let d = Diagnostic::error("backend.memory-access", span, message)
                .label(format!("expected {expected}, found {}", buffer.mem))
                .also(buffer.span, "declared here")
                .help(format!("declare it `@ {expected}`, or copy it into a buffer there"));
            found.push(d);
        }
    });
    found
}

/// The first buffer that is handed out by a list of those that are free, where the procedure calls another one: that is compiled
/// by itself, and takes from the same list.
fn handed_out(p: &Proc, memories: &Memories) -> Option<Diagnostic> {
    let (mut callee, mut buffer) = (None, None);
    each_stmt(&p.body, &mut |s| match &*s.kind {
        StmtKind::Call { proc, args: _ } => {
            if proc.instr.is_none() {
                callee.get_or_insert((proc.name, s.span));
            }
        }
        StmtKind::Alloc { name, mem, typ: _ } => {
            if memories.is_handed_out(*mem) {
                buffer.get_or_insert((name.name(), *mem, s.span));
            }
        }
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::WindowStmt { .. } => {}
    });
    let ((callee, call), (name, mem, span)) = (callee?, buffer?);
    let message = format!("{name} lives in {mem}, of which {callee} may take the same part");
    let d = Diagnostic::error("backend.memory-alloc", span, message)
        .also(call, format!("{callee} is called here"))
        .help("inline the call, or make the callee an @instr");
    Some(d)
}
