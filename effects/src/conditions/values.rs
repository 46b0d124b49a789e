//! What the value of an assignment is computed from: cells of buffers, directly or by way of scalars that the statements
//! allocate themselves.

use crate::locset::Loc;
use rewright_semantics::ast::{BinOp, Block, Expr, ExprKind, Literal, Stmt, StmtKind};
use rewright_semantics::externs::Extern;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_expr, each_stmt};
use rewright_semantics::types::DataType;
use std::collections::BTreeMap;

/// A computation, up to the cells that it reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Cell,
    Literal(Literal),
    Neg(Box<Form>),
    Bin(BinOp, Box<[Form; 2]>),
    Extern(Extern, Vec<Form>),
    /// Assigned to a scalar of this type, which may round it.
    Assigned(DataType, Box<Form>),
    /// The second added to a scalar of this type with the first in it.
    Added(DataType, Box<[Form; 2]>),
}

/// A value: how it is computed, and the cells that are read for it, in the order of the text.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub(super) form: Form,
    pub(super) reads: Vec<Loc>,
}

/// The scalars that are allocated inside, and what is known to be in them.
#[derive(Clone, Debug, Default)]
pub(super) struct Scalars(BTreeMap<Sym, (DataType, Option<Value>)>);

impl Scalars {
    /// The value in a scalar; `Some(None)` where it has none that is known, `None` for what is no scalar of these.
    pub(super) fn get(&self, x: Sym) -> Option<Option<Value>> {
        self.0.get(&x).map(|(_, value)| value.clone())
    }

    /// A scalar is allocated: there is nothing in it.
    pub(super) fn allocate(&mut self, x: Sym, elem: DataType) {
        self.0.insert(x, (elem, None));
    }

    /// A value is assigned, if `x` is one of the scalars.
    pub(super) fn assign(&mut self, x: Sym, value: Option<Value>) {
        if let Some((elem, held)) = self.0.get_mut(&x) {
            *held = value.map(|v| Value { form: Form::Assigned(*elem, Box::new(v.form)), reads: v.reads });
        }
    }

    /// A value is added, if `x` is one of the scalars.
    pub(super) fn add(&mut self, x: Sym, value: Option<Value>) {
        if let Some((elem, held)) = self.0.get_mut(&x) {
            *held = held.take().zip(value).map(|(old, more)| Value {
                form: Form::Added(*elem, Box::new([old.form, more.form])),
                reads: [old.reads, more.reads].concat(),
            });
        }
    }

    /// Forgets what is in the scalars that some statements may change.
    pub(super) fn forget_changed(&mut self, b: &Block) {
        each_stmt(b, &mut |s| self.forget(s));
    }

    /// Forgets what is in the scalars that a statement by itself may change: those in it are for
    /// [`Scalars::forget_changed`].
    fn forget(&mut self, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => self.assign(*name, None),
            StmtKind::Call { args, .. } => self.forget_passed(args),
            StmtKind::WindowStmt { rhs, .. } => self.assign(rhs.name, None),
            StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. } => {}
        }
    }

    /// Forgets what is in the scalars that are passed to a procedure.
    pub(super) fn forget_passed(&mut self, args: &[Expr]) {
        for arg in args {
            each_expr(arg, &mut |e| {
                if let ExprKind::Read { name, .. } = &e.kind {
                    self.assign(*name, None);
                }
            });
        }
    }
}
