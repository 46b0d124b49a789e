//! ```text
//! @proc             @instr("…", "…")
//! def f(…): s  ~>   def f(…): s
//! ```
//! Calls become the text in C, with `{x}`, `{x_data}` and `{x.strides[0]}` for arguments. What the text does is for the
//! one who writes it to answer for; what a call means is `s`, before and after. PLDI'22 §3.2.2.
//!
//! No conditions. A placeholder that stands for no argument is a wrong argument.
//!
//! Source: Exo; PLDI'22 §3.2.2. Spec: [rule: make_instr], [rule: instructions].

use crate::edit::Head;
use crate::error::Result;
use crate::registry::{ArgKind, Default, Exact, Primitive, optional, required};
use crate::rewrite::Rewrite;
use crate::version::Proc;
use rewright_semantics::ast::{Instr, Rounds};
use rewright_semantics::parse::wrong_placeholder;
/// The entry of [`make_instr`].
pub static MAKE_INSTR: Primitive = Primitive {
    name: "make_instr",
    summary: "gives a procedure the C text that its calls become",
    source: "Exo",
    params: &[
        required("c_instr", ArgKind::Template),
        optional("c_global", ArgKind::Template, Default::Text("")),
    ],
    conditions: &[],
    exact: Exact::Always,
    run: |p, args| make_instr(p, &args.text("c_instr")?, &args.text("c_global")?),
};

/// Makes a procedure an instruction.
///
/// # Errors
/// A placeholder of the text stands for no argument.
pub fn make_instr(p: &Proc, c_instr: &str, c_global: &str) -> Result<Proc> {
    let mut rw = Rewrite::new(p, &MAKE_INSTR);
    rw.arg("c_instr", c_instr);
    rw.arg("c_global", c_global);
    if let Some(wrong) = wrong_placeholder(c_instr, &p.ast().args) {
        return Err(rw.wrong_argument(wrong));
    }
    let (c_instr, c_global) = (c_instr.into(), c_global.into());
    // A procedure that is an instruction already goes on rounding as it does.
    let known = p.ast().instr.as_ref().map(|i| (i.cflags.clone(), i.rounds.clone()));
    let (cflags, rounds) = known.unwrap_or_else(|| ("".into(), Rounds::AsWritten));
    let instr = Some(Instr { c_instr, c_global, cflags, rounds });
    let same = (0..p.ast().args.len()).map(Some).collect();
    rw.set_head(Head { instr, ..Head::of(p.ast()) }, same);
    rw.finish()
}

impl Proc {
    /// Gives a procedure the C text that its calls become: [`make_instr`](fn@make_instr).
    ///
    /// # Errors
    /// As the function.
    pub fn make_instr(&self, c_instr: &str, c_global: &str) -> Result<Proc> {
        make_instr(self, c_instr, c_global)
    }
}
