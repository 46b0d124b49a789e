//! Boundary conditions: what a func is outside of the box of another.

use super::expr::Scope;
use super::{Read, Reader, field, list, name_of, not_covered, text, wrong};
use crate::expr::{Access, Expr, Place, Var};
use crate::op::Op;
use crate::promote::Comparison;
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
        let inner = self.inner_box(j, of, vars.len())?;
        let t = &self.types();
        let add = |a: &Expr, b: &Expr| t.arithmetic(Op::Add, a.clone(), b.clone());
        let sub = |a: &Expr, b: &Expr| t.arithmetic(Op::Sub, a.clone(), b.clone());
        let mut point = Vec::new();
        let mut outside: Option<Expr> = None;
        for (x, (min, len)) in vars.iter().zip(&inner) {
            let x = Expr::Var(Var::Local(*x));
            let last = sub(&add(min, len)?, &Expr::int(1))?;
            let clamped =
                |e: &Expr| Expr::binary(Op::Max, Expr::binary(Op::Min, e.clone(), last.clone()), min.clone());
            let twice = |e: &Expr| t.arithmetic(Op::Mul, e.clone(), Expr::int(2));
            let at = match kind {
                "repeat-edge" | "constant-exterior" => clamped(&x),
                "repeat-image" => {
                    let inside = t.arithmetic(Op::Mod, sub(&x, min)?, len.clone())?;
                    clamped(&add(&inside, min)?)
                }
                "mirror-image" => {
                    let phase = t.arithmetic(Op::Mod, sub(&x, min)?, twice(len)?)?;
                    let back = sub(&sub(&twice(len)?, &Expr::int(1))?, &phase)?;
                    let first = t.compared(Comparison::Less, phase.clone(), len.clone())?;
                    clamped(&add(&Expr::op(Op::Select, [first, phase, back]), min)?)
                }
                "mirror-interior" => {
                    let limit = sub(len, &Expr::int(1))?;
                    let phase = t.arithmetic(Op::Mod, sub(&x, min)?, twice(&limit)?)?;
                    let first = t.compared(Comparison::Less, phase.clone(), limit.clone())?;
                    let back = sub(&twice(&limit)?, &phase)?;
                    clamped(&add(&Expr::op(Op::Select, [first, phase, back]), min)?)
                }
                other => return not_covered(format!("boundary condition `{other}`")),
            };
            let below = t.compared(Comparison::Less, x.clone(), min.clone())?;
            let out = t.logic(Op::Or, vec![below, t.compared(Comparison::Greater, x, last)?])?;
            outside = Some(match outside {
                Some(before) => t.logic(Op::Or, vec![before, out])?,
                None => out,
            });
            point.push(t.index(&at)?);
        }
        let inside = Expr::Access(Access { func: of, site: None, args: point.into(), span: Place::NONE });
        match (kind, outside) {
            ("constant-exterior", Some(outside)) => {
                let value = self.expr(field(j, "value")?, &Scope::default())?;
                match t.function("select", &[outside, value, inside])? {
                    Some(e) => Ok(e),
                    None => wrong("no such function".to_owned()),
                }
            }
            _ => Ok(inside),
        }
    }

    fn inner_box(&self, j: &Json, of: Name, rank: usize) -> Read<Vec<(Expr, Expr)>> {
        if field(j, "box")?.is_null() {
            let ends = |d| ["min", "len"].map(|e| Expr::Var(Var::Param(end(of, d, e))));
            return Ok((0..rank).map(ends).map(|[min, len]| (min, len)).collect());
        }
        let mut out = Vec::new();
        for dim in list(j, "box")? {
            let Some([min, len]) = dim.as_array().map(Vec::as_slice) else {
                return wrong("not a box".to_owned());
            };
            out.push((self.expr(min, &Scope::default())?, self.expr(len, &Scope::default())?));
        }
        Ok(out)
    }
}
