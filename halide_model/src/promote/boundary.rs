//! Boundary conditions: what is read of a func or an input outside of a box. Spec: [rule: halide.boundary].

use super::arithmetic::Comparison;
use super::{Typed, Types, wrong};
use crate::expr::{Access, Expr, Interval, Place};
use crate::op::Op;
use rewright_base::sym::Name;

/// What stands outside of the box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// The point of the edge.
    RepeatEdge,
    /// The box again.
    RepeatImage,
    /// The box reflected, the points of the edge twice.
    MirrorImage,
    /// The box reflected, the points of the edge once.
    MirrorInterior,
    /// A value.
    ConstantExterior,
}

impl Boundary {
    /// All of them.
    pub const ALL: [Boundary; 5] = [
        Boundary::RepeatEdge,
        Boundary::RepeatImage,
        Boundary::MirrorImage,
        Boundary::MirrorInterior,
        Boundary::ConstantExterior,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Boundary::RepeatEdge => "repeat_edge",
            Boundary::RepeatImage => "repeat_image",
            Boundary::MirrorImage => "mirror_image",
            Boundary::MirrorInterior => "mirror_interior",
            Boundary::ConstantExterior => "constant_exterior",
        }
    }
}

impl Types {
    /// A point of `of`, which is given inside of a box; outside, where that is a value, it is this one.
    ///
    /// # Errors
    /// The value is of another type.
    pub fn bounded(
        &self,
        kind: Boundary,
        of: Name,
        value: Option<&Expr>,
        inner: &[Interval],
        at: &[Expr],
    ) -> Typed<Expr> {
        if inner.len() != at.len() {
            return wrong(format!(
                "the box of `{of}` has {} dimensions, the point {}",
                inner.len(),
                at.len()
            ));
        }
        let (mut point, mut outside) = (Vec::new(), None);
        for (x, i) in at.iter().zip(inner) {
            let last = self.less(&self.plus(&i.min, &i.len)?, &Expr::int(1))?;
            point.push(self.index(&self.moved(kind, x, i, &last)?)?);
            let below = self.compared(Comparison::Less, x.clone(), i.min.clone())?;
            let beyond = self.compared(Comparison::Greater, x.clone(), last)?;
            let out = self.logic(Op::Or, vec![below, beyond])?;
            outside = Some(match outside {
                Some(before) => self.logic(Op::Or, vec![before, out])?,
                None => out,
            });
        }
        let inside = Expr::Access(Access { func: of, site: None, args: point.into(), span: Place::NONE });
        match (kind, value, outside) {
            (Boundary::ConstantExterior, Some(value), Some(outside)) => {
                let found = self.function("select", &[outside, value.clone(), inside.clone()])?;
                Ok(found.unwrap_or(inside))
            }
            (Boundary::ConstantExterior, None, _) => {
                wrong("there is no value for what is outside".to_owned())
            }
            (Boundary::ConstantExterior, Some(_), None) => Ok(inside),
            (Boundary::RepeatEdge | Boundary::RepeatImage, ..) => Ok(inside),
            (Boundary::MirrorImage | Boundary::MirrorInterior, ..) => Ok(inside),
        }
    }

    /// The coordinate that is read instead.
    fn moved(&self, kind: Boundary, x: &Expr, i: &Interval, last: &Expr) -> Typed<Expr> {
        let clamped = |e: Expr| Expr::binary(Op::Max, Expr::binary(Op::Min, e, last.clone()), i.min.clone());
        let twice = |e: &Expr| self.arithmetic(Op::Mul, e.clone(), Expr::int(2));
        let phase = |n: Expr| self.arithmetic(Op::Mod, self.less(x, &i.min)?, n);
        Ok(match kind {
            Boundary::RepeatEdge | Boundary::ConstantExterior => clamped(x.clone()),
            Boundary::RepeatImage => clamped(self.plus(&phase(i.len.clone())?, &i.min)?),
            Boundary::MirrorImage => {
                let phase = phase(twice(&i.len)?)?;
                let back = self.less(&self.less(&twice(&i.len)?, &Expr::int(1))?, &phase)?;
                let first = self.compared(Comparison::Less, phase.clone(), i.len.clone())?;
                clamped(self.plus(&Expr::op(Op::Select, [first, phase, back]), &i.min)?)
            }
            Boundary::MirrorInterior => {
                let limit = self.less(&i.len, &Expr::int(1))?;
                let phase = phase(twice(&limit)?)?;
                let back = self.less(&twice(&limit)?, &phase)?;
                let first = self.compared(Comparison::Less, phase.clone(), limit)?;
                clamped(self.plus(&Expr::op(Op::Select, [first, phase, back]), &i.min)?)
            }
        })
    }

    fn plus(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        self.arithmetic(Op::Add, a.clone(), b.clone())
    }

    fn less(&self, a: &Expr, b: &Expr) -> Typed<Expr> {
        self.arithmetic(Op::Sub, a.clone(), b.clone())
    }
}
