//! A program of a block, with the statements that are marked in it.

use rewright_campaign::holes::{block_at, paths};
use rewright_effects::analysis::Analysis;
use rewright_effects::context::{Context, Hole, Step};
use rewright_semantics::ast::{Block, Proc, Stmt};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::render::render;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::sync::Arc;

/// The last procedure of a program.
pub(crate) struct Program {
    /// The procedure.
    pub(crate) proc: Arc<Proc>,
    /// The paths of the statements marked `# here`.
    here: Vec<Vec<Step>>,
}

impl Program {
    /// Reads a program.
    ///
    /// # Errors
    /// What is wrong with it, rendered.
    pub(crate) fn read(text: &str) -> Result<Program, String> {
        let mut sources = SourceMap::new();
        let file = sources.add("example.py", text);
        let parsed = parse_module(file, &sources, &Prelude::standard());
        let mut found = parsed.diagnostics;
        found.extend(check_module(&parsed.module));
        if !found.is_empty() {
            return Err(render(&found, &sources, false));
        }
        let proc = parsed.module.procs.last().cloned().ok_or("there is no procedure")?;
        let is_marked = |path: &Vec<Step>| {
            let stmt = block_at(&proc, path).and_then(|(b, i)| b.get(i));
            let line = stmt.and_then(|s| sources.line_col(s.span)).map(|(line, _)| line);
            let line = line.and_then(|n| text.lines().nth(n - 1));
            line.and_then(|l| l.rsplit_once('#')).is_some_and(|(_, mark)| mark.trim() == "here")
        };
        let here = paths(&proc).into_iter().filter(is_marked).collect();
        Ok(Program { proc, here })
    }

    /// The context of the marked statements; `None` when there are none.
    ///
    /// # Errors
    /// They do not stand side by side.
    pub(crate) fn context(&self, an: &Analysis) -> Result<Option<Context>, String> {
        let Some(first) = self.here.first() else { return Ok(None) };
        let hole = Hole { path: first.clone(), len: self.here.len() };
        let found = Context::of(an, &self.proc, &hole);
        found.map(Some).ok_or_else(|| "the marked statements do not stand side by side".to_owned())
    }

    /// The one marked statement, with its context.
    ///
    /// # Errors
    /// There is none, or more than one.
    pub(crate) fn marked(&self, an: &Analysis) -> Result<(Context, Stmt), String> {
        let ctx = self.context(an)?.ok_or("nothing is marked `# here`")?;
        let stmt = only(&ctx.hole)?;
        Ok((ctx, stmt))
    }
}

fn only(b: &Block) -> Result<Stmt, String> {
    b.get(0).filter(|_| b.len() == 1).cloned().ok_or_else(|| "exactly one statement must be marked".into())
}
