//! One unit is C for one processor. Spec: [rule: backend.processor].

use crate::memory::Memories;
use rewright_machines::Machine;
use rewright_semantics::ast::{Proc, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ArgType, MemName};

/// The first buffer that lives in registers, of all procedures seen so far.
#[derive(Debug, Default)]
pub struct Processor {
    first: Option<Home>,
}

/// Where a buffer lives.
#[derive(Clone, Copy, Debug)]
struct Home {
    machine: &'static Machine,
    processor: &'static str,
    span: Span,
}

impl Processor {
    /// The first buffer of a procedure in registers of another processor than those before it.
    pub fn check(&mut self, p: &Proc, memories: &Memories) -> Option<Diagnostic> {
        for home in homes(p, memories) {
            let first = *self.first.get_or_insert(home);
            if first.processor != home.processor {
                return Some(refusal(first, home));
            }
        }
        None
    }
}

/// Where the buffers of a procedure live that are in registers, arguments first.
fn homes(p: &Proc, memories: &Memories) -> Vec<Home> {
    let home = |mem: MemName, span: Span| {
        let machine = memories.get(mem)?.machine()?;
        Some(Home { machine, processor: machine.processor?, span })
    };
    let mut found: Vec<Home> = Vec::new();
    for a in &p.args {
        match &a.typ {
            ArgType::Data { mem, .. } => found.extend(home(*mem, a.span)),
            ArgType::Control(_) => {}
        }
    }
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Alloc { mem, .. } = s.kind.as_ref() {
            found.extend(home(*mem, s.span));
        }
    });
    found
}

fn refusal(first: Home, home: Home) -> Diagnostic {
    let message = format!("one unit for two processors, {} and {}", first.processor, home.processor);
    Diagnostic::error("backend.processor", home.span, message)
        .label(format!("registers of {}", home.machine.name))
        .also(first.span, format!("registers of {}", first.machine.name))
        .help("no compiler makes code for both: put the procedures into files of their own")
}
