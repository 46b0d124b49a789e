//! What can be asked of the thing pointed at. ASPLOS'25 §4 (Inspection).

use super::Cursor;
use super::kinds::Node;
use super::path::Place;
use crate::error::InvalidCursor;
use crate::version::Proc;
use rewright_semantics::ast::{BinOp, Config, Expr, ExprKind, Literal, LoopMode, Stmt, StmtKind, WindowExpr};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::typecheck::{Precision, Type};
use rewright_semantics::types::{ArgType, BufferType, DataType, MemName};
use std::sync::Arc;

type Result<T> = std::result::Result<T, InvalidCursor>;

impl Cursor {
    /// The statement pointed at; of a run of one, that one.
    ///
    /// # Errors
    /// It is no single statement.
    pub fn stmt(&self) -> Result<Stmt> {
        let only = match self.place() {
            Place::Block(run) if run.len == 1 => self.at(0)?,
            Place::Stmt(_) | Place::Block(_) | Place::Gap(_) | Place::Expr(_) | Place::Arg(_) => self.clone(),
        };
        match only.node() {
            Some(Node::Stmt(s)) => Ok(s.clone()),
            Some(Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(InvalidCursor::new(format!("{} is not one statement", self.describe())))
            }
        }
    }

    /// The expression pointed at.
    ///
    /// # Errors
    /// It is none.
    pub fn expr(&self) -> Result<Expr> {
        match self.node() {
            Some(Node::Expr(e)) => Ok(e.clone()),
            Some(Node::Stmt(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(InvalidCursor::new(format!("{} is not an expression", self.describe())))
            }
        }
    }

    /// The name: of a loop's variable; of the buffer that is written, read, declared, windowed or measured; of an
    /// argument; of the extern or the procedure that is called.
    ///
    /// # Errors
    /// It has none.
    pub fn name(&self) -> Result<Name> {
        if let Ok(x) = self.sym() {
            return Ok(x.name());
        }
        match self.node() {
            Some(Node::Stmt(Stmt { kind, .. })) if let StmtKind::Call { proc, .. } = kind.as_ref() => {
                Ok(proc.name)
            }
            Some(Node::Expr(Expr { kind: ExprKind::Extern { func, .. }, .. })) => Ok(Name::new(func.name())),
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("name"))
            }
        }
    }

    /// The variable that [`Cursor::name`] is the name of.
    ///
    /// # Errors
    /// There is none.
    pub fn sym(&self) -> Result<Sym> {
        match self.node() {
            Some(Node::Stmt(s)) => match s.kind.as_ref() {
                StmtKind::For { iter: x, .. }
                | StmtKind::Assign { name: x, .. }
                | StmtKind::Reduce { name: x, .. }
                | StmtKind::Alloc { name: x, .. }
                | StmtKind::WindowStmt { name: x, .. } => Ok(*x),
                StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::Call { .. } => Err(self.lacks("variable")),
            },
            Some(Node::Expr(e)) => match &e.kind {
                ExprKind::Read { name, .. } | ExprKind::Stride { name, .. } => Ok(*name),
                ExprKind::Window(w) => Ok(w.name),
                ExprKind::Lit(_)
                | ExprKind::Neg(_)
                | ExprKind::Not(_)
                | ExprKind::Bin { .. }
                | ExprKind::Extern { .. }
                | ExprKind::ReadConfig { .. } => Err(self.lacks("variable")),
            },
            Some(Node::Arg(arg)) => Ok(arg.name),
            Some(Node::Block(_) | Node::Gap) | None => Err(self.lacks("variable")),
        }
    }

    /// The value of a literal.
    ///
    /// # Errors
    /// This is none.
    pub fn value(&self) -> Result<Literal> {
        match self.node() {
            Some(Node::Expr(Expr { kind: ExprKind::Lit(value), .. })) => Ok(value.clone()),
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("value: it is not a literal"))
            }
        }
    }

    /// The operator of a binary operation.
    ///
    /// # Errors
    /// This is none.
    pub fn op(&self) -> Result<BinOp> {
        match self.node() {
            Some(Node::Expr(Expr { kind: ExprKind::Bin { op, .. }, .. })) => Ok(*op),
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("operator"))
            }
        }
    }

    /// The type: of an expression, an argument, an allocation, a window; of an assignment or a reduction, that of
    /// the cell.
    ///
    /// # Errors
    /// It has none.
    pub fn typ(&self) -> Result<Type> {
        let env = |path| self.proc().env_at(path).ok_or_else(|| self.lacks("type"));
        match (self.node(), self.place()) {
            (Some(Node::Expr(e)), Place::Expr(at)) => Ok(env(&at.stmt)?.type_of(e)),
            (Some(Node::Arg(arg)), _) => Ok(match &arg.typ {
                ArgType::Control(t) => Type::Control(*t),
                ArgType::Data { typ, mem: _ } => Type::Buffer(typ.clone()),
            }),
            (Some(Node::Stmt(s)), Place::Stmt(path)) => match s.kind.as_ref() {
                StmtKind::Alloc { typ, .. } => Ok(Type::Buffer(typ.clone())),
                StmtKind::WindowStmt { rhs, .. } => {
                    env(path)?.window_type(rhs).map(Type::Buffer).ok_or_else(|| self.lacks("type"))
                }
                StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => {
                    let elem = env(path)?.buffer(*name).map(|t| t.elem);
                    elem.map(|t| Type::Data(Precision::Of(t))).ok_or_else(|| self.lacks("type"))
                }
                StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::Call { .. } => Err(self.lacks("type")),
            },
            (Some(_), _) | (None, _) => Err(self.lacks("type")),
        }
    }

    /// The data type of a cell or a value.
    ///
    /// # Errors
    /// It is not data, or of no one type.
    pub fn elem(&self) -> Result<DataType> {
        match self.typ()? {
            Type::Buffer(typ) => Ok(typ.elem),
            Type::Data(Precision::Of(t)) => Ok(t),
            Type::Data(Precision::Literal | Precision::Mixed) | Type::Control(_) | Type::Error => {
                Err(self.lacks("element type"))
            }
        }
    }

    /// The extents of an allocation, an argument or a window.
    ///
    /// # Errors
    /// It is no buffer.
    pub fn extents(&self) -> Result<Arc<[Expr]>> {
        match self.typ()? {
            Type::Buffer(typ) => Ok(typ.shape),
            Type::Data(_) | Type::Control(_) | Type::Error => Err(self.lacks("shape")),
        }
    }

    /// Whether an allocation or an argument has dimensions.
    ///
    /// # Errors
    /// It is neither.
    pub fn is_tensor(&self) -> Result<bool> {
        match self.node() {
            Some(Node::Arg(arg)) => Ok(match &arg.typ {
                ArgType::Control(_) => false,
                ArgType::Data { typ, mem: _ } => typ.rank() > 0,
            }),
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Block(_) | Node::Gap) | None => {
                self.allocated().map(|typ| typ.rank() > 0).ok_or_else(|| self.lacks("dimensions"))
            }
        }
    }

    /// Where an allocation or an argument lives.
    ///
    /// # Errors
    /// It is neither, or control.
    pub fn mem(&self) -> Result<MemName> {
        match self.node() {
            Some(Node::Arg(arg)) if let ArgType::Data { mem, .. } = &arg.typ => Ok(*mem),
            Some(Node::Stmt(Stmt { kind, .. })) if let StmtKind::Alloc { mem, .. } = kind.as_ref() => {
                Ok(*mem)
            }
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("memory"))
            }
        }
    }

    /// The configuration class that is written or read.
    ///
    /// # Errors
    /// None is.
    pub fn config(&self) -> Result<Arc<Config>> {
        self.config_field().map(|(config, _)| config.clone()).ok_or_else(|| self.lacks("configuration"))
    }

    /// The field that is written or read.
    ///
    /// # Errors
    /// None is.
    pub fn field(&self) -> Result<Name> {
        self.config_field().map(|(_, field)| field).ok_or_else(|| self.lacks("field"))
    }

    fn config_field(&self) -> Option<(&Arc<Config>, Name)> {
        match self.node()? {
            Node::Stmt(Stmt { kind, .. })
                if let StmtKind::WriteConfig { config, field, .. } = kind.as_ref() =>
            {
                Some((config, *field))
            }
            Node::Expr(Expr { kind: ExprKind::ReadConfig { config, field }, .. }) => Some((config, *field)),
            Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap => None,
        }
    }

    /// Whether a loop is sequential or parallel.
    ///
    /// # Errors
    /// This is no loop.
    pub fn loop_mode(&self) -> Result<LoopMode> {
        match self.node() {
            Some(Node::Stmt(Stmt { kind, .. })) if let StmtKind::For { mode, .. } = kind.as_ref() => {
                Ok(*mode)
            }
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("mode: it is not a loop"))
            }
        }
    }

    /// The dimension of a stride.
    ///
    /// # Errors
    /// This is none.
    pub fn dim(&self) -> Result<usize> {
        match self.node() {
            Some(Node::Expr(Expr { kind: ExprKind::Stride { dim, .. }, .. })) => Ok(*dim),
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("dimension"))
            }
        }
    }

    /// The procedure that is called, as a root: a call knows no history.
    ///
    /// # Errors
    /// This is no call.
    pub fn subproc(&self) -> Result<Proc> {
        match self.node() {
            Some(Node::Stmt(Stmt { kind, .. })) if let StmtKind::Call { proc, .. } = kind.as_ref() => {
                Ok(Proc::root_among(proc.clone(), self.proc().configs().iter().cloned()))
            }
            Some(Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap) | None => {
                Err(self.lacks("callee"))
            }
        }
    }

    /// The type of an allocation.
    pub(super) fn allocated(&self) -> Option<&BufferType> {
        match self.node()? {
            Node::Stmt(Stmt { kind, .. }) if let StmtKind::Alloc { typ, .. } = kind.as_ref() => Some(typ),
            Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap => None,
        }
    }

    /// The window of a window statement or an argument.
    pub(super) fn window(&self) -> Option<&WindowExpr> {
        match self.node()? {
            Node::Stmt(Stmt { kind, .. }) if let StmtKind::WindowStmt { rhs, .. } = kind.as_ref() => {
                Some(rhs)
            }
            Node::Expr(Expr { kind: ExprKind::Window(w), .. }) => Some(w),
            Node::Stmt(_) | Node::Expr(_) | Node::Arg(_) | Node::Block(_) | Node::Gap => None,
        }
    }
}
