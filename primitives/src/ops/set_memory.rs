//! ```text
//! a: T @ M    ~>    a: T @ MEM
//! ```
//! `a` is an allocation or a data argument.
//!
//! No conditions: where a buffer lives changes no value. What its memory can do is checked just before C.
//!
//! Source: ASPLOS'25 App. A.7. Spec: [rule: set_memory].

use crate::cursor::At;
use crate::error::Result;
use crate::registry::{ArgKind, Exact, Primitive, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::declared::Declared;
use crate::version::Proc;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::naming::is_name;
use rewright_semantics::types::MemName;
/// The entry of [`set_memory`].
pub static SET_MEMORY: Primitive = Primitive {
    name: "set_memory",
    summary: "puts a buffer into another memory",
    source: "ASPLOS'25 App. A.7",
    params: &[required("cursor", ArgKind::Buffer), required("memory_type", ArgKind::Memory)],
    conditions: &[],
    exact: Exact::Always,
    run: |p, args| set_memory(p, args.at("cursor")?, &args.text("memory_type")?),
};

/// Puts a buffer into another memory.
///
/// # Errors
/// There is no such buffer, or the memory's name is none.
pub fn set_memory(p: &Proc, at: impl Into<At>, memory: &str) -> Result<Proc> {
    let buffer = Declared::at(p, &at.into())?;
    let mut rw = Rewrite::new(p, &SET_MEMORY);
    if !is_name(memory) {
        return Err(rw.wrong_argument(format!("`{memory}` is no name of a memory")));
    }
    rw.at("cursor", buffer.place.clone());
    rw.arg("memory_type", memory);
    buffer.redeclare(&mut rw, buffer.typ.clone(), MemName(Name::new(memory)));
    rw.finish()
}

impl Proc {
    /// Puts a buffer into another memory: [`set_memory`](fn@set_memory).
    ///
    /// # Errors
    /// As the function.
    pub fn set_memory(&self, at: impl Into<At>, memory: &str) -> Result<Proc> {
        set_memory(self, at, memory)
    }
}
