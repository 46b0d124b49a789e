//! Where a buffer is declared: an allocation or a data argument. Spec: [rule: annotations].

use crate::cursor::At;
use crate::cursor::path::{Place, stmt_at};
use crate::cursor::resolve::{self, Sort};
use crate::edit::Head;
use crate::error::{InvalidCursor, Result};
use crate::kept::Kept;
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_semantics::ast::{self, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, BufferType, MemName};

/// A declaration of a buffer.
#[derive(Clone, Debug)]
pub struct Declared {
    /// Where it is.
    pub place: Place,
    /// The buffer.
    pub name: Sym,
    /// Its type.
    pub typ: BufferType,
    /// Where it lives.
    pub mem: MemName,
}

impl Declared {
    /// The declaration that is pointed at.
    ///
    /// # Errors
    /// There is none.
    pub fn at(p: &Proc, at: &At) -> Result<Declared> {
        let place = resolve::place(p, at, Sort::Buffer)?;
        Declared::of(p, place)
            .ok_or_else(|| InvalidCursor::new("expected a cursor to an allocation or a data argument").into())
    }

    fn of(p: &Proc, place: Place) -> Option<Declared> {
        let (name, typ, mem) = match &place {
            Place::Arg(k) => {
                let arg = p.ast().args.get(*k)?;
                let ArgType::Data { typ, mem } = &arg.typ else { return None };
                (arg.name, typ.clone(), *mem)
            }
            Place::Stmt(path) => match stmt_at(p.ast(), path)?.kind.as_ref() {
                StmtKind::Alloc { name, typ, mem } => (*name, typ.clone(), *mem),
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::If { .. }
                | StmtKind::For { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. } => return None,
            },
            Place::Block(_) | Place::Gap(_) | Place::Expr(_) => return None,
        };
        Some(Declared { place, name, typ, mem })
    }

    /// Whether it is an argument.
    pub fn is_argument(&self) -> bool {
        matches!(self.place, Place::Arg(_))
    }

    /// Declares the buffer otherwise.
    pub fn redeclare(&self, rw: &mut Rewrite, typ: BufferType, mem: MemName) {
        match &self.place {
            Place::Arg(k) => {
                let mut head = Head::of(rw.ast());
                if let Some(arg) = head.args.get_mut(*k) {
                    arg.typ = ArgType::Data { typ, mem };
                }
                let same = (0..head.args.len()).map(Some).collect();
                rw.set_head(head, same);
            }
            Place::Stmt(path) => {
                let name = self.name;
                rw.reshape_stmt(path, Kept::unchanged(), |s| {
                    Stmt::at(StmtKind::Alloc { name, typ, mem }, s.span)
                });
            }
            Place::Block(_) | Place::Gap(_) | Place::Expr(_) => rw.broken("no declaration"),
        }
    }
}

/// A procedure whose arguments have the types of another's, but for extents: so that two versions which declare
/// arguments otherwise can be run on the same inputs.
pub fn with_types_of(p: &ast::Proc, like: &ast::Proc) -> ast::Proc {
    let mut out = p.clone();
    for (arg, like) in out.args.iter_mut().zip(&like.args) {
        if let (ArgType::Data { typ, mem: _ }, ArgType::Data { typ: other, mem: _ }) =
            (&mut arg.typ, &like.typ)
        {
            (typ.elem, typ.kind) = (other.elem, other.kind);
        }
    }
    out
}
