//! `E⟦e⟧σ`: one function per sort, one arm per rule. PLDI'22 App. A, "Expression Denotations";
//! spec: [rule: run.expr].

use super::code::{AnyExpr, BufSlot, CellRef, Coord, CtlExpr, DataExpr, FieldSlot, WinExpr};
use super::fault::{Fault, FaultKind, Run};
use super::race::{self, Touched};
use super::resolve::deeper;
use super::state::State;
use crate::ast::BinOp;
use crate::data::{DataDomain, Datum};
use crate::span::Span;
use crate::store::{Dim, Window};
use crate::value::{Control, Val};

/// One cell of the heap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub buffer: usize,
    pub place: usize,
}

impl<D: DataDomain> State<'_, D> {
    /// `E⟦e⟧σ`, of any sort.
    pub(crate) fn eval_expr(&mut self, e: &AnyExpr<D::Value>) -> Run<Val<D::Value>> {
        Ok(match e {
            AnyExpr::Control(e) => self.eval_control(e)?.into(),
            AnyExpr::Data(e) => self.eval_data(e)?.into(),
            AnyExpr::Window(e) => Val::Window(self.eval_window(e)?),
        })
    }

    /// `E⟦e⟧σ` of control expressions.
    pub(crate) fn eval_control(&mut self, e: &CtlExpr) -> Run<Control> {
        match e {
            CtlExpr::Lit(value) => Ok(*value),
            CtlExpr::Local(slot) => Ok(self.frame.controls[slot.0]),
            CtlExpr::Neg(e, span) => negate(self.control_operand(e)?, *span),
            CtlExpr::Not(e, span) => complement(self.control_operand(e)?, *span),
            CtlExpr::Bin { op, lhs, rhs, span } => {
                let lhs = self.control_operand(lhs)?;
                let rhs = self.control_operand(rhs)?;
                operate(*op, lhs, rhs, *span)
            }
            CtlExpr::Stride { buf, dim, span } => self.eval_stride(*buf, *dim, *span),
            CtlExpr::Field(field, span) => self.eval_control_field(*field, *span),
            CtlExpr::Ill(ill) => Err(Fault::ill_typed(ill.span, &ill.what)),
        }
    }

    /// An operand: only what has operands itself is asked about the stack.
    #[inline]
    fn control_operand(&mut self, e: &CtlExpr) -> Run<Control> {
        match e {
            CtlExpr::Lit(value) => Ok(*value),
            CtlExpr::Local(slot) => Ok(self.frame.controls[slot.0]),
            CtlExpr::Neg(..)
            | CtlExpr::Not(..)
            | CtlExpr::Bin { .. }
            | CtlExpr::Stride { .. }
            | CtlExpr::Field(..)
            | CtlExpr::Ill(_) => deeper(|| self.eval_control(e)),
        }
    }

    /// `E⟦stride(x, d)⟧σ`: how far apart neighbours along `d` are. Spec: [rule: run.stride].
    fn eval_stride(&mut self, buf: BufSlot, dim: usize, span: Span) -> Run<Control> {
        match self.frame.windows[buf.0].dims.get(dim) {
            Some(dim) => Ok(Control::Int(dim.stride)),
            None => Err(Fault::ill_typed(span, format!("there is no dimension {dim}"))),
        }
    }

    /// `E⟦Cfg.field⟧σ`, of a control field; ⊥ when never set. Spec: [rule: run.config].
    fn eval_control_field(&mut self, field: FieldSlot, span: Span) -> Run<Control> {
        self.touch(Touched::Field(field), race::AccessMode::Read, span)?;
        match &self.fields[field.0] {
            Val::Int(n) => Ok(Control::Int(*n)),
            Val::Bool(b) => Ok(Control::Bool(*b)),
            Val::Exceptional(_) => Ok(Control::Unknown),
            Val::Data(_) | Val::Window(_) => Err(Fault::ill_typed(span, "this field holds no control value")),
        }
    }

    /// `E⟦e⟧σ` of data expressions. Spec: [rule: run.data].
    pub(crate) fn eval_data(&mut self, e: &DataExpr<D::Value>) -> Run<Datum<D::Value>> {
        match e {
            DataExpr::Lit(value) => Ok(Datum::Known(value.clone())),
            DataExpr::Read(access) => self.eval_read(access),
            DataExpr::Field(field, span) => self.eval_data_field(*field, *span),
            DataExpr::Neg(e) => Ok(self.data_operand(e)?.lift1(|v| Datum::Known(D::neg(v)))),
            DataExpr::Bin { op, lhs, rhs } => {
                let lhs = self.data_operand(lhs)?;
                let rhs = self.data_operand(rhs)?;
                Ok(lhs.lift2(rhs, |a, b| D::arith(*op, a, b)))
            }
            DataExpr::Extern { func, args } => {
                let args: Run<Vec<_>> = args.iter().map(|e| self.data_operand(e)).collect();
                let known: Option<Vec<_>> = args?.into_iter().map(|d| d.known().cloned()).collect();
                Ok(known.map_or(Datum::Unknown, |args| Datum::Known(D::call(*func, &args))))
            }
            DataExpr::Ill(ill) => Err(Fault::ill_typed(ill.span, &ill.what)),
        }
    }

    #[inline]
    fn data_operand(&mut self, e: &DataExpr<D::Value>) -> Run<Datum<D::Value>> {
        match e {
            DataExpr::Lit(value) => Ok(Datum::Known(value.clone())),
            DataExpr::Read(access) => self.eval_read(access),
            DataExpr::Neg(_)
            | DataExpr::Bin { .. }
            | DataExpr::Extern { .. }
            | DataExpr::Field(..)
            | DataExpr::Ill(_) => deeper(|| self.eval_data(e)),
        }
    }

    /// `E⟦x[e…]⟧σ = σ(ℓ, φ(e'))` where `ℓ, φ = σ(x)`. Spec: [rule: run.read].
    fn eval_read(&mut self, access: &CellRef) -> Run<Datum<D::Value>> {
        let at = self.eval_address(access)?;
        self.touch(Touched::Cell(at.buffer, at.place), race::AccessMode::Read, access.span)?;
        Ok(self.heap[at.buffer].cells()[at.place].clone())
    }

    /// `E⟦Cfg.field⟧σ`, of a data field.
    fn eval_data_field(&mut self, field: FieldSlot, span: Span) -> Run<Datum<D::Value>> {
        self.touch(Touched::Field(field), race::AccessMode::Read, span)?;
        match &self.fields[field.0] {
            Val::Data(v) => Ok(Datum::Known(v.clone())),
            Val::Exceptional(_) => Ok(Datum::Unknown),
            Val::Int(_) | Val::Bool(_) | Val::Window(_) => {
                Err(Fault::ill_typed(span, "this field holds no data value"))
            }
        }
    }

    /// `(ℓ, φ(e'))`: the cell that `x[e…]` is; ε_m when there is none.
    #[inline]
    pub(crate) fn eval_address(&mut self, access: &CellRef) -> Run<Address> {
        let mut place = self.frame.windows[access.buf.0].offset;
        for (d, e) in access.idx.iter().enumerate() {
            let index = self.eval_int(e, access.span, "an index")?;
            // Only the strides of a window that is empty can be too large: another dimension then has no cell.
            let next = match self.frame.windows[access.buf.0].dims.get(d) {
                Some(dim) if 0 <= index && index < dim.extent => {
                    index.checked_mul(dim.stride).and_then(|n| place.checked_add(n))
                }
                Some(_) | None => None,
            };
            match next {
                Some(next) => place = next,
                None => return Err(self.out_of_bounds(access)),
            }
        }
        match usize::try_from(place) {
            Ok(place) => Ok(Address { buffer: self.frame.windows[access.buf.0].loc.0, place }),
            Err(_) => Err(self.out_of_bounds(access)),
        }
    }

    #[cold]
    fn out_of_bounds(&mut self, access: &CellRef) -> Box<Fault> {
        let indices: Run<Vec<i64>> =
            access.idx.iter().map(|e| self.eval_int(e, access.span, "an index")).collect();
        match indices {
            Err(fault) => fault,
            Ok(indices) => {
                let shape = self.frame.windows[access.buf.0].shape();
                Fault::at(access.span, FaultKind::OutOfBounds { buffer: access.name, indices, shape })
            }
        }
    }

    /// An integer that a decision hangs on: ⊥ is not one. Spec: [rule: values.unknown-control].
    #[inline]
    pub(crate) fn eval_int(&mut self, e: &CtlExpr, span: Span, what: &str) -> Run<i64> {
        match self.control_operand(e)? {
            Control::Int(n) => Ok(n),
            Control::Unknown => Err(unknown_control(span, what)),
            Control::Bool(_) => Err(Fault::ill_typed(span, format!("{what} is a truth value"))),
        }
    }

    /// `E⟦win(x, w…)⟧σ = (ℓ, φ ∘ φ_win(w'))` where `ℓ, φ = σ(x)`. Spec: [rule: run.window].
    pub(crate) fn eval_window(&mut self, e: &WinExpr) -> Run<Window> {
        match e {
            WinExpr::Whole(buf) => Ok(self.frame.windows[buf.0].clone()),
            WinExpr::Cell(access) => {
                let at = self.eval_address(access)?;
                let offset = i64::try_from(at.place).map_err(|_| self.out_of_bounds(access))?;
                Ok(Window { loc: self.frame.windows[access.buf.0].loc, offset, dims: Vec::new() })
            }
            WinExpr::Part { buf, name, coords, span } => {
                let base = self.frame.windows[buf.0].clone();
                let mut window = Window { loc: base.loc, offset: base.offset, dims: Vec::new() };
                for (d, (coord, dim)) in coords.iter().zip(&base.dims).enumerate() {
                    let (lo, kept) = self.eval_coord(coord, *dim, (*name, d), *span)?;
                    // Saturation is for empty windows alone, whose offset no one looks at.
                    window.offset = window.offset.saturating_add(lo.saturating_mul(dim.stride));
                    window.dims.extend(kept);
                }
                Ok(window)
            }
            WinExpr::Ill(ill) => Err(Fault::ill_typed(ill.span, &ill.what)),
        }
    }

    /// One factor of `φ_win`: the shift along a dimension, and the dimension that remains, if one does.
    fn eval_coord(
        &mut self,
        coord: &Coord,
        dim: Dim,
        (buffer, d): (crate::sym::Name, usize),
        span: Span,
    ) -> Run<(i64, Option<Dim>)> {
        let extent = dim.extent;
        match coord {
            Coord::Point(e) => {
                let index = self.eval_int(e, span, "an index")?;
                if index < 0 || index >= extent {
                    return Err(Fault::at(
                        span,
                        FaultKind::PointOutOfBounds { buffer, dim: d, index, extent },
                    ));
                }
                Ok((index, None))
            }
            Coord::Interval(lo, hi) => {
                let lo = self.eval_int(lo, span, "a window's bound")?;
                let hi = self.eval_int(hi, span, "a window's bound")?;
                if lo < 0 || hi < lo || extent < hi {
                    return Err(Fault::at(
                        span,
                        FaultKind::WindowOutOfBounds { buffer, dim: d, lo, hi, extent },
                    ));
                }
                Ok((lo, Some(Dim { extent: hi - lo, stride: dim.stride })))
            }
        }
    }
}

pub(crate) fn unknown_control(span: Span, what: &str) -> Box<Fault> {
    Fault::at(span, FaultKind::UnknownControl { what: what.to_owned() })
}

/// `-n`.
fn negate(value: Control, span: Span) -> Run<Control> {
    match value {
        Control::Int(n) => match n.checked_neg() {
            Some(n) => Ok(Control::Int(n)),
            None => Err(Fault::at(span, FaultKind::Overflow { op: "-", lhs: 0, rhs: n })),
        },
        Control::Unknown => Ok(Control::Unknown),
        Control::Bool(_) => Err(Fault::ill_typed(span, "`-` of a truth value")),
    }
}

/// `not b`.
fn complement(value: Control, span: Span) -> Run<Control> {
    match value {
        Control::Bool(b) => Ok(Control::Bool(!b)),
        Control::Unknown => Ok(Control::Unknown),
        Control::Int(_) => Err(Fault::ill_typed(span, "`not` of an integer")),
    }
}

/// The strict extension of an operator: ⊥ when an operand is, ε_τ when the operands are of the wrong sort.
/// PLDI'22 Def. A.6. Spec: [rule: run.control].
fn operate(op: BinOp, lhs: Control, rhs: Control, span: Span) -> Run<Control> {
    match (lhs, rhs) {
        (Control::Int(a), Control::Int(b)) => operate_on_ints(op, a, b, span),
        (Control::Bool(a), Control::Bool(b)) => match op {
            BinOp::And => Ok(Control::Bool(a && b)),
            BinOp::Or => Ok(Control::Bool(a || b)),
            BinOp::Eq => Ok(Control::Bool(a == b)),
            BinOp::Add
            | BinOp::Sub
            | BinOp::Mul
            | BinOp::Div
            | BinOp::Mod
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge => Err(Fault::ill_typed(span, format!("`{}` of truth values", op.symbol()))),
        },
        (Control::Unknown, _) | (_, Control::Unknown) => Ok(Control::Unknown),
        (Control::Int(_), Control::Bool(_)) | (Control::Bool(_), Control::Int(_)) => {
            Err(Fault::ill_typed(span, format!("`{}` of an integer and a truth value", op.symbol())))
        }
    }
}

/// Integers: `/` is floor division and `%` its remainder, in the sign of the divisor, which is positive.
fn operate_on_ints(op: BinOp, a: i64, b: i64, span: Span) -> Run<Control> {
    let result = match op {
        BinOp::Add => a.checked_add(b),
        BinOp::Sub => a.checked_sub(b),
        BinOp::Mul => a.checked_mul(b),
        BinOp::Div | BinOp::Mod if b <= 0 => {
            return Err(Fault::ill_typed(span, format!("the divisor of `{}` is {b}", op.symbol())));
        }
        BinOp::Div => Some(a.div_euclid(b)),
        BinOp::Mod => Some(a.rem_euclid(b)),
        BinOp::Eq => return Ok(Control::Bool(a == b)),
        BinOp::Lt => return Ok(Control::Bool(a < b)),
        BinOp::Le => return Ok(Control::Bool(a <= b)),
        BinOp::Gt => return Ok(Control::Bool(a > b)),
        BinOp::Ge => return Ok(Control::Bool(a >= b)),
        BinOp::And | BinOp::Or => {
            return Err(Fault::ill_typed(span, format!("`{}` of integers", op.symbol())));
        }
    };
    match result {
        Some(n) => Ok(Control::Int(n)),
        None => Err(Fault::at(span, FaultKind::Overflow { op: op.symbol(), lhs: a, rhs: b })),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::denote::fault::FaultClass;

    fn int(op: BinOp, a: i64, b: i64) -> i64 {
        match operate(op, Control::Int(a), Control::Int(b), Span::NONE) {
            Ok(Control::Int(n)) => n,
            other => panic!("{other:?}"),
        }
    }

    /// [rule: run.control].
    #[test]
    fn division_rounds_down_and_its_remainder_is_not_negative() {
        for a in -50..=50 {
            for b in 1..=9 {
                let (q, r) = (int(BinOp::Div, a, b), int(BinOp::Mod, a, b));
                assert!(0 <= r && r < b, "{a} % {b} = {r}");
                assert_eq!(q * b + r, a);
            }
        }
    }

    #[test]
    fn errors_are_values() {
        let class = |op, a, b| operate(op, a, b, Span::NONE).map_err(|f| f.class());
        let (one, top, yes) = (Control::Int(1), Control::Int(i64::MAX), Control::Bool(true));
        assert_eq!(class(BinOp::Add, one, top), Err(FaultClass::Limit));
        assert_eq!(class(BinOp::Div, one, Control::Int(0)), Err(FaultClass::TypeError));
        assert_eq!(class(BinOp::Add, one, yes), Err(FaultClass::TypeError));
        assert_eq!(class(BinOp::And, one, one), Err(FaultClass::TypeError));
        assert_eq!(class(BinOp::Lt, yes, yes), Err(FaultClass::TypeError));
        assert_eq!(negate(Control::Int(i64::MIN), Span::NONE).map_err(|f| f.class()), Err(FaultClass::Limit));
    }

    /// [rule: run.control], [rule: values.order].
    #[test]
    fn operators_are_strict_in_bottom() {
        for op in BinOp::ALL {
            for other in [Control::Int(1), Control::Bool(false), Control::Unknown] {
                assert_eq!(operate(op, Control::Unknown, other, Span::NONE), Ok(Control::Unknown));
                assert_eq!(operate(op, other, Control::Unknown, Span::NONE), Ok(Control::Unknown));
            }
        }
    }
}
