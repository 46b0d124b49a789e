//! Boundary conditions: what a func is outside of the box of another.

use super::expr::Scope;
use super::{Read, Reader, field, list, name_of, not_covered, text, wrong};
use crate::expr::{Expr, Interval, Var};
use crate::promote::Boundary;
use rewright_base::sym::Name;
use serde_json::Value as Json;

/// The parameter that holds an end of the box of an input.
pub(super) fn end(input: Name, dim: usize, end: &str) -> Name {
    Name::new(&format!("{input}_{dim}_{end}"))
}

/// Whether it is such a parameter.
pub(super) fn is_end(p: Name) -> bool {
    p.as_str().ends_with("_min") || p.as_str().ends_with("_len")
}

impl Reader {
    /// The definition of a func that extends another one.
    pub(super) fn boundary(&self, j: &Json, vars: &[Name]) -> Read<Expr> {
        let (of, kind) = (name_of(j, "of")?, text(j, "kind")?);
        let Some(kind) = Boundary::ALL.into_iter().find(|b| b.name() == kind.replace('-', "_")) else {
            return not_covered(format!("boundary condition `{kind}`"));
        };
        let inner = self.inner_box(j, of, vars.len())?;
        let value = match kind {
            Boundary::ConstantExterior => Some(self.expr(field(j, "value")?, &Scope::default())?),
            Boundary::RepeatEdge | Boundary::RepeatImage => None,
            Boundary::MirrorImage | Boundary::MirrorInterior => None,
        };
        let at: Vec<Expr> = vars.iter().map(|x| Expr::Var(Var::Local(*x))).collect();
        Ok(self.types().bounded(kind, of, value.as_ref(), &inner, &at)?)
    }

    fn inner_box(&self, j: &Json, of: Name, rank: usize) -> Read<Vec<Interval>> {
        if field(j, "box")?.is_null() {
            let ends = |d| ["min", "len"].map(|e| Expr::Var(Var::Param(end(of, d, e))));
            return Ok((0..rank).map(ends).map(|[min, len]| Interval { min, len }).collect());
        }
        let mut out = Vec::new();
        for dim in list(j, "box")? {
            let Some([min, len]) = dim.as_array().map(Vec::as_slice) else {
                return wrong("not a box".to_owned());
            };
            let (min, len) = (self.expr(min, &Scope::default())?, self.expr(len, &Scope::default())?);
            out.push(Interval { min, len });
        }
        Ok(out)
    }
}
