//! Which iterations of a program's loops conflict, found by running it once, as pictures. Spec: [rule: ledger.dependences].

mod conflicts;
mod picture;
mod size;

use conflicts::{Kind, Nest};
use maud::{Markup, html};
use rewright_semantics::ast::{Block, Proc, Stmt, StmtKind};
use rewright_semantics::pretty::head_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::each_stmt;

/// The pictures of a program.
pub(crate) struct Pictures {
    /// The input that it ran on, or why there is none.
    input: Result<String, String>,
    nests: Vec<(String, Option<Nest>)>,
}

impl Pictures {
    pub(crate) fn of(p: &Proc) -> Pictures {
        let nests = outermost(&p.body);
        match size::small_run(p) {
            Err(why) => Pictures { input: Err(why), nests: Vec::new() },
            Ok((input, trace)) => {
                let picture = |s: &&Stmt| (head(s), Nest::of(&trace, &loops_of(s)));
                Pictures { input: Ok(input), nests: nests.iter().map(picture).collect() }
            }
        }
    }

    pub(crate) fn markup(&self) -> Markup {
        html! {
            @match &self.input {
                Err(why) => { p .missing { "The program could not be run: " (why) } }
                Ok(input) => {
                    p { "Made by running the program in the interpreter once, on the smallest input tried in which most of its loops run: "
                        @if input.is_empty() { "it has no sizes." } @else { code { (input) } } }
                    @if self.nests.is_empty() { p { "There are no loops." } }
                    @for (head, nest) in &self.nests {
                        div .nest {
                            h4 { code { (head) } }
                            @match nest {
                                None => { p .missing { "This loop does not run on any input that was tried." } }
                                Some(nest) => (picture::nest(nest)),
                            }
                        }
                    }
                }
            }
        }
    }
}

/// What the pictures mean.
pub(crate) fn legend() -> Markup {
    html! {
        p .note { "Two iterations conflict where both touch a cell and one of them changes it: they must stay in their order, but for two that only "
            "reduce into it. A callee's accesses are those of the iteration that calls it; a buffer that is allocated inside an iteration is that iteration's own." }
        ul .legend aria-label="Kinds of conflicts" {
            @for kind in Kind::ALL { li { (picture::sample(kind)) " " (kind.words()) } }
        }
    }
}

/// Where a loop stands in the text. Spans themselves are all equal.
pub(crate) type Place = (u32, u32);

fn place(span: Span) -> Place {
    (span.start, span.end)
}

/// Where a loop stands, and how it is shown.
pub(crate) struct Loop {
    pub(crate) place: Place,
    pub(crate) head: String,
    /// Whether its body is one loop.
    pub(crate) perfect: bool,
}

fn head(s: &Stmt) -> String {
    head_to_string(s).trim_end_matches(':').to_owned()
}

/// The loops that are in no other.
fn outermost(b: &Block) -> Vec<&Stmt> {
    let mut out = Vec::new();
    for s in b {
        match s.kind.as_ref() {
            StmtKind::For { .. } => out.push(s),
            StmtKind::If { body, orelse, .. } => {
                out.extend(outermost(body));
                out.extend(outermost(orelse));
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }
    out
}

/// A loop and those inside it, in the order of the text.
fn loops_of(s: &Stmt) -> Vec<Loop> {
    let mut out = Vec::new();
    each_stmt(&Block::unit(s.clone()), &mut |s| {
        if let StmtKind::For { body, .. } = s.kind.as_ref() {
            let perfect = body.len() == 1
                && body.iter().all(|inner| matches!(inner.kind.as_ref(), StmtKind::For { .. }));
            out.push(Loop { place: place(s.span), head: head(s), perfect });
        }
    });
    out
}
