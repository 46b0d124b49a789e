//! ```text
//! a: T
//! s      ~>  s
//! ```
//! Source: ASPLOS'25 App. A.5. Spec: [rule: delete_buffer].

use crate::cursor::At;
use crate::cursor::path::Hole;
use crate::cursor::resolve::{self, Sort};
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, form, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::relayout::Buffer;
use crate::version::Proc;

const UNUSED: Condition = form("unused", "nothing mentions the buffer");

/// The entry of [`delete_buffer`].
pub static DELETE_BUFFER: Primitive = Primitive {
    name: "delete_buffer",
    summary: "removes an allocation that is not used",
    source: "ASPLOS'25 App. A.5",
    params: &[required("buf_cursor", ArgKind::Alloc)],
    conditions: &[UNUSED],
    exact: Exact::Never,
    run: |p, args| delete_buffer(p, args.at("buf_cursor")?),
};

/// Removes an allocation.
///
/// # Errors
/// The buffer is used, or there is none.
pub fn delete_buffer(p: &Proc, at: impl Into<At>) -> Result<Proc> {
    let path = resolve::stmt(p, &at.into(), Sort::Alloc)?;
    let mut rw = Rewrite::new(p, &DELETE_BUFFER);
    rw.at_stmt("buf_cursor", &path);
    let a = Buffer::at(&rw, p.ast(), &path)?;
    rw.require_that(&UNUSED, a.uses.is_empty(), || format!("`{}` is used after its allocation", a.name))?;
    rw.delete(&Hole::stmt(path));
    rw.finish()
}

impl Proc {
    /// Removes an allocation that is not used: [`delete_buffer`](fn@delete_buffer).
    ///
    /// # Errors
    /// As the function.
    pub fn delete_buffer(&self, at: impl Into<At>) -> Result<Proc> {
        delete_buffer(self, at)
    }
}
