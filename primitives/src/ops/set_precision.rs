//! ```text
//! a: T[n]    ~>    a: U[n]
//! ```
//! `a` is an allocation or a data argument, with all windows of it. The new version computes the same over the real
//! numbers, and rounds otherwise in the machine: the two are related as [`Rounded`](crate::version::Relation::Rounded).
//!
//! Source: ASPLOS'25 App. A.7; PLDI'22 §3.1.1. Spec: [rule: set_precision].

use crate::cursor::At;
use crate::error::Result;
use crate::registry::{ArgKind, Condition, Exact, Primitive, condition, required};
use crate::rewrite::Rewrite;
use crate::tools::buffers::declared::Declared;
use crate::version::Proc;
use rewright_semantics::types::{BufferType, DataType};

const FLOATING: Condition =
    condition("floating", "both types stand for real numbers, up to rounding, or the first is `R`");

/// The entry of [`set_precision`].
pub static SET_PRECISION: Primitive = Primitive {
    name: "set_precision",
    summary: "gives a buffer another precision; equal over the reals",
    source: "ASPLOS'25 App. A.7",
    params: &[required("cursor", ArgKind::Buffer), required("typ", ArgKind::Precision)],
    conditions: &[FLOATING],
    exact: Exact::Always,
    run: |p, args| set_precision(p, args.at("cursor")?, &args.text("typ")?),
};

/// Gives a buffer another precision.
///
/// # Errors
/// Integers come or go where the program named another type, there is no such type or buffer, or a callee takes another
/// precision.
pub fn set_precision(p: &Proc, at: impl Into<At>, typ: &str) -> Result<Proc> {
    let buffer = Declared::at(p, &at.into())?;
    let mut rw = Rewrite::new(p, &SET_PRECISION);
    let Some(elem) = DataType::from_keyword(typ) else {
        return Err(rw.wrong_argument(format!("`{typ}` is no type of data")));
    };
    rw.at("cursor", buffer.place.clone());
    rw.arg("typ", typ);
    let old = buffer.typ.elem;
    let integer =
        [old, elem].into_iter().find(|t| t.is_integer()).filter(|_| old != elem && old != DataType::R);
    rw.require_that(&FLOATING, integer.is_none(), || match integer {
        Some(t) => {
            format!("`{}` is {old}, and would be {elem}: {t} does not stand for real numbers", buffer.name)
        }
        None => String::new(),
    })?;
    buffer.redeclare(&mut rw, BufferType { elem, ..buffer.typ.clone() }, buffer.mem);
    if old != elem {
        rw.rounds(format!("`{}` is {elem} in place of {old}", buffer.name));
    }
    rw.finish()
}

impl Proc {
    /// Gives a buffer another precision; equal over the reals: [`set_precision`](fn@set_precision).
    ///
    /// # Errors
    /// As the function.
    pub fn set_precision(&self, at: impl Into<At>, typ: &str) -> Result<Proc> {
        set_precision(self, at, typ)
    }
}
