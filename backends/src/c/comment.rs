//! What stands above a function: the procedure's signature and assertions, as its author wrote them.

use rewright_semantics::ast::{Block, Proc, Stmt, StmtKind};
use rewright_semantics::pretty::proc_to_string;

/// Lines of comment for a procedure.
pub(crate) fn describe(p: &Proc) -> Vec<String> {
    let mut head = p.clone();
    head.body = Block::unit(Stmt::new(StmtKind::Pass));
    let text = proc_to_string(&head);
    let lines = text.lines().filter(|l| *l != "@proc" && l.trim() != "pass");
    lines
        .map(|l| if l.starts_with("    assert ") { l.trim_start() } else { unframed(l) }.to_owned())
        .collect()
}

/// A line without `def` and the colon after the arguments.
fn unframed(line: &str) -> &str {
    let line = line.strip_prefix("def ").unwrap_or(line);
    if line.ends_with("):") { line.trim_end_matches(':') } else { line }
}
