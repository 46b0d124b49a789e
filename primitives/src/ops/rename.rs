//! ```text
//! def p(…): s   ~>   def name(…): s
//! ```
//! No conditions. A name that is none, or that of a procedure that is called, is a wrong argument.
//!
//! Source: Exo. Spec: [rule: rename].

use crate::edit::Head;
use crate::error::Result;
use crate::registry::{ArgKind, Exact, Primitive, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_semantics::ast::{self};
use rewright_semantics::pretty::is_keyword;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::naming::is_name;
use rewright_semantics::syntax::walk::each_stmt;
/// The entry of [`rename`].
pub static RENAME: Primitive = Primitive {
    name: "rename",
    summary: "gives the procedure another name",
    source: "Exo",
    params: &[required("name", ArgKind::NewName)],
    conditions: &[],
    exact: Exact::Always,
    run: |p, args| rename(p, &args.text("name")?),
};

/// Gives the procedure another name.
///
/// # Errors
/// The name is none, or that of a procedure that this one calls.
pub fn rename(p: &Proc, name: &str) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &RENAME);
    if !is_name(name) || is_keyword(Name::new(name)) {
        return Err(rw.wrong_argument(format!("`{name}` is no name")));
    }
    if calls(p.ast(), Name::new(name)) {
        return Err(
            rw.wrong_argument(format!("`{name}` is the name of a procedure that `{}` calls", p.name()))
        );
    }
    rw.arg("name", name);
    let head = Head { name: Name::new(name), ..Head::of(p.ast()) };
    let same = (0..p.ast().args.len()).map(Some).collect();
    rw.set_head(head, same);
    rw.finish()
}

impl Proc {
    /// Gives the procedure another name: [`rename`](fn@rename).
    ///
    /// # Errors
    /// As the function.
    pub fn rename(&self, name: &str) -> Result<Proc> {
        rename(self, name)
    }
}

/// Whether a procedure of this name is called, directly or not.
fn calls(p: &ast::Proc, name: Name) -> bool {
    let mut found = false;
    each_stmt(&p.body, &mut |s| {
        if let Some((proc, _)) = s.kind.called() {
            found = found || proc.name == name || calls(proc, name);
        }
    });
    found
}
