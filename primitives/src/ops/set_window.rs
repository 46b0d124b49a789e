//! ```text
//! def p(a: T[n])    ~>    def p(a: [T][n])
//! ```
//! A window stands for every buffer of its shape, wherever its cells are: the new version does the same where the old
//! one was defined. With `is_window=False` it is the other way round, and the new version admits fewer inputs:
//! [`Relation::Restricted`].
//!
//! A window is never passed for a tensor (`well_typed`).
//!
//! Source: ASPLOS'25 App. A.7. Spec: [rule: set_window].

use crate::cursor::At;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, form, optional, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::declared::Declared;
use crate::version::{Proc, Relation};
use rewright_effects::frontend::{CALL_ASSERT, check_proc};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType};

const ASSERTS: Condition = form("asserts", "what callees assert holds for windows too");

/// How an argument is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// As dense cells, row by row.
    Dense,
    /// As a window: a pointer and strides.
    Window,
}

/// The entry of [`set_window`].
pub static SET_WINDOW: Primitive = Primitive {
    name: "set_window",
    summary: "makes a data argument a window, or a dense tensor",
    source: "ASPLOS'25 App. A.7",
    params: &[required("cursor", ArgKind::Arg), optional("is_window", ArgKind::Bool, Default::Bool(true))],
    conditions: &[ASSERTS],
    exact: Exact::Always,
    run: |p, args| {
        let passing = if args.bool("is_window")? { Passing::Window } else { Passing::Dense };
        set_window(p, args.at("cursor")?, passing)
    },
};

/// Makes a data argument a window, or a dense tensor.
///
/// # Errors
/// There is no such argument, or it would be a window where a tensor is needed.
pub fn set_window(p: &Proc, at: impl Into<At>, passing: Passing) -> Result<Proc> {
    let is_window = passing == Passing::Window;
    let buffer = Declared::at(p, &at.into())?;
    let mut rw = Rewrite::new(p, &SET_WINDOW);
    if !buffer.is_argument() {
        return Err(
            rw.wrong_argument(format!("`{}` is allocated here: only arguments are windows", buffer.name))
        );
    }
    rw.at("cursor", buffer.place.clone());
    rw.arg("is_window", is_window);
    let kind = if is_window { ArrayKind::Window } else { ArrayKind::Tensor };
    if kind == ArrayKind::Tensor && buffer.typ.kind == ArrayKind::Window {
        rw.relation(Relation::Restricted);
    }
    if kind == ArrayKind::Window && buffer.typ.kind == ArrayKind::Tensor {
        let mut there = p.ast().as_ref().clone();
        there.args.iter_mut().filter(|arg| arg.name == buffer.name).for_each(|arg| {
            if let ArgType::Data { typ, mem: _ } = &mut arg.typ {
                typ.kind = kind;
            }
        });
        let required = check_proc(p.session().analysis(), &there).into_iter().map(|r| r.obligation);
        rw.require(&ASSERTS, required.filter(|o| o.id == CALL_ASSERT).collect::<Vec<_>>())?;
    }
    buffer.redeclare(&mut rw, BufferType { kind, ..buffer.typ.clone() }, buffer.mem);
    rw.finish()
}

impl Proc {
    /// Makes a data argument a window, or a dense tensor: [`set_window`](fn@set_window).
    ///
    /// # Errors
    /// As the function.
    pub fn set_window(&self, at: impl Into<At>, passing: Passing) -> Result<Proc> {
        set_window(self, at, passing)
    }
}
