//! The writes of configuration fields that a body begins with, and the body without the first of them. Spec: [rule: replace.state].

use super::inlining::{Actuals, body_with};
use rewright_effects::env::Field;
use rewright_effects::names::{expr_names, free_names};
use rewright_semantics::ast::{Arg, Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

/// Writes of fields that come before some statements.
#[derive(Clone, Debug, Default)]
pub struct Lacking(Block);

impl Lacking {
    /// What a procedure does before the last so many statements of its body, and these as a body. `None` where that is more than
    /// writes of fields.
    pub fn before(p: &Proc, len: usize) -> Option<(Lacking, Proc)> {
        let lacking = forms(&p.body).find(|lacking| p.body.len() - lacking == len)?;
        let (writes, rest) = p.body.clone().split_at(lacking);
        Some((Lacking(writes), Proc { body: rest, instr: None, ..p.clone() }))
    }

    /// The fields, one for each write.
    pub fn fields(&self) -> Vec<Field> {
        self.writes().map(|(field, _)| field).collect()
    }

    /// What is written.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.writes().map(|(_, e)| e)
    }

    /// An argument that only what is written mentions: nothing in the rest of the body, nor in a shape, says what to pass for it.
    pub fn unsaid<'a>(&self, rest: &'a Proc) -> Option<&'a Arg> {
        let wanted: BTreeSet<Sym> = self.values().flat_map(expr_names).collect();
        let mut said = free_names(&rest.body);
        said.extend(rewright_effects::analysis::shapes(rest).flat_map(expr_names));
        rest.args.iter().find(|a| wanted.contains(&a.name) && !said.contains(&a.name))
    }

    /// The writes, where the procedure is called.
    pub fn with(&self, p: &Proc, by: &Actuals) -> Block {
        body_with(&Proc { body: self.0.clone(), ..p.clone() }, by)
    }

    fn writes(&self) -> impl Iterator<Item = (Field, &Expr)> {
        self.0.iter().filter_map(written)
    }
}

/// How many of its first statements a body may lack: none, or writes of fields, one after the other. Something is left.
pub fn forms(body: &Block) -> impl Iterator<Item = usize> + use<> {
    let leading = body.iter().take_while(|s| written(s).is_some()).count();
    0..=leading.min(body.len().saturating_sub(1))
}

fn written(s: &Stmt) -> Option<(Field, &Expr)> {
    match s.kind.as_ref() {
        StmtKind::WriteConfig { config, field, rhs } => Some((Field::of(config, *field), rhs)),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}
