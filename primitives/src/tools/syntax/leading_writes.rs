//! The writes of configuration fields that a body begins with, and the body without the first of them. Spec: [rule: replace.state].

use super::inlining::{Actuals, body_with};
use rewright_effects::env::Field;
use rewright_semantics::ast::{Block, Expr, Proc, Stmt, StmtKind};

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
