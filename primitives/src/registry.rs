//! What is known of every primitive: its parameters, its conditions, how to call it by name.
//! Spec: [rule: primitives].
//!
//! The entry of a primitive stands in its own file, beside its function; [`crate::ops::ALL`] lists those that come with
//! Rewright, and a [`Registry`] has those that a program adds, too.

mod args;
mod expr_arg;

pub use args::Args;
pub(crate) use args::argument_error;
pub use expr_arg::ExprArg;

pub use crate::version::{Exact, Value};

use crate::cursor::pattern::similar::nearest;
use crate::error::Result;
use crate::version::Proc;

/// A primitive rewrite. Spec: [rule: tutorial].
#[derive(Debug)]
pub struct Primitive {
    /// Its name, as in scripts.
    pub name: &'static str,
    /// What it does, in one line without a full stop.
    pub summary: &'static str,
    /// Where it is defined: a section of the papers, or `Exo` for what only the practical system has.
    pub source: &'static str,
    /// Its parameters after the procedure, in order.
    pub params: &'static [Param],
    /// Its conditions.
    pub conditions: &'static [Condition],
    /// Whether what it makes can be taken back.
    pub exact: Exact,
    /// Calls it with arguments by name.
    pub run: fn(&Proc, &Args) -> Result<Proc>,
}

impl Primitive {
    /// The condition of this id.
    pub fn condition(&self, id: &str) -> Option<&'static Condition> {
        self.conditions.iter().find(|c| c.id == id)
    }
}

/// The primitives that scripts, audits and campaigns know by name: those that Rewright comes with, and those that a
/// program adds.
#[derive(Clone, Debug)]
pub struct Registry {
    all: Vec<&'static Primitive>,
}

/// Two primitives cannot have one name: a script or a derivation would not say which is meant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a primitive `{0}` already")]
pub struct NameTaken(pub &'static str);

impl Registry {
    /// These.
    pub(crate) fn of(all: &[&'static Primitive]) -> Registry {
        Registry { all: all.to_vec() }
    }

    /// The same and one more.
    ///
    /// # Errors
    /// Its name is taken.
    pub fn with(mut self, primitive: &'static Primitive) -> std::result::Result<Registry, NameTaken> {
        if self.by_name(primitive.name).is_some() {
            return Err(NameTaken(primitive.name));
        }
        self.all.push(primitive);
        Ok(self)
    }

    /// Every primitive: the standard ones first, then the others as they were added.
    pub fn all(&self) -> &[&'static Primitive] {
        &self.all
    }

    /// The primitive of this name.
    pub fn by_name(&self, name: &str) -> Option<&'static Primitive> {
        self.all.iter().copied().find(|p| p.name == name)
    }

    /// That there is none of this name, and which may have been meant.
    pub fn missing(&self, name: &str) -> String {
        let known = self.all.iter().map(|p| p.name);
        let lower = name.to_lowercase();
        match nearest(&lower, known) {
            Some(near) => format!("there is no primitive `{name}`; did you mean `{near}`?"),
            None => format!("there is no primitive `{name}`"),
        }
    }
}

/// A condition of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// Its id within the primitive: `bodies_commute`. Stable.
    pub id: &'static str,
    /// What must hold, in one sentence.
    pub sentence: &'static str,
    /// What goes wrong without it.
    pub guards: Guards,
    /// What may be tried where it does not hold, in one sentence.
    pub advice: Option<&'static str>,
}

impl Condition {
    /// The same condition with advice for those whom it refuses.
    #[must_use]
    pub const fn advise(self, advice: &'static str) -> Condition {
        Condition { advice: Some(advice), ..self }
    }
}

/// What a condition guards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guards {
    /// The meaning: without it there are programs that the rewrite changes. Such a condition has a mutant.
    Meaning,
    /// The form: without it the rewrite cannot be stated, or what it leaves is ill scoped or ill typed.
    Form,
}

/// A parameter of a primitive.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Its name, Exo's own.
    pub name: &'static str,
    /// What it takes.
    pub kind: ArgKind,
    /// What stands for an argument that is left out; `None` when it must be given.
    pub default: Option<Default>,
}

/// The value of an omitted argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// `None`
    None,
    /// `True` or `False`
    Bool(bool),
    /// A number.
    Int(i64),
    /// A string.
    Text(&'static str),
}

/// What an argument may be; also what a random argument is drawn from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// A loop: a cursor, a pattern, or its variable's name.
    Loop,
    /// Two loops, one right inside the other: a cursor to the outer one, or `"i j"`.
    LoopPair,
    /// A loop or a guard.
    Scope,
    /// A statement.
    Stmt,
    /// One statement or several.
    Block,
    /// A place between statements.
    Gap,
    /// Two statements, one right after the other: a block, or `"s1 ; s2"`.
    StmtPair,
    /// Two statements one after another: an assignment, and a loop that adds to the same cell.
    Accumulation,
    /// An allocation.
    Alloc,
    /// An allocation or a data argument.
    Buffer,
    /// A data argument.
    Arg,
    /// An assignment.
    Assign,
    /// A reduction.
    Reduce,
    /// An assignment or a reduction.
    Write,
    /// A call.
    Call,
    /// A window statement.
    WindowStmt,
    /// A write to a configuration field, or a call.
    WriteConfig,
    /// An expression of data.
    DataExpr,
    /// Any expression.
    Expr,
    /// One or several equal expressions.
    Exprs,
    /// An integer.
    Int,
    /// A dimension of the buffer that an earlier parameter names.
    Dim,
    /// The numbers of the dimensions of that buffer, in another order.
    Permutation,
    /// A truth value.
    Bool,
    /// A name that will be bound.
    NewName,
    /// So many names that will be bound.
    NewNames(usize),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A control expression in the names in scope, as text or number.
    Control,
    /// A truth-valued control expression, as text.
    Cond,
    /// One or several of these.
    Conds,
    /// An expression of either kind, as text.
    NewExpr,
    /// `A[0:4, j]`, as text.
    Window,
    /// A configuration class.
    Config,
    /// A field of the configuration class that an earlier parameter names.
    Field,
    /// A memory.
    Memory,
    /// A data type.
    Precision,
    /// Another procedure.
    Proc,
    /// One or several of these.
    Procs,
    /// Another version of the procedure that is called at an earlier parameter.
    Version,
    /// The text of an instruction.
    Template,
    /// Arguments for a call of an earlier parameter's procedure, each as text.
    Arguments,
    /// Values for arguments by name, `n=8`.
    Values,
}

/// A required parameter.
pub const fn required(name: &'static str, kind: ArgKind) -> Param {
    Param { name, kind, default: None }
}

/// A parameter that may be left out.
pub const fn optional(name: &'static str, kind: ArgKind, default: Default) -> Param {
    Param { name, kind, default: Some(default) }
}

/// A condition without which meanings change.
pub const fn condition(id: &'static str, sentence: &'static str) -> Condition {
    Condition { id, sentence, guards: Guards::Meaning, advice: None }
}

/// A condition without which the rewrite cannot be stated.
pub const fn form(id: &'static str, sentence: &'static str) -> Condition {
    Condition { id, sentence, guards: Guards::Form, advice: None }
}
