//! `P⟦p⟧σ` and calls. PLDI'22 App. A, "Procedure Denotations"; spec: [rule: run.proc].

use super::code::{AnyExpr, Formal, ProcCode, ProcSlot};
use super::expr::unknown_control;
use super::fault::{Fault, FaultKind, Run};
use super::state::{Frame, State};
use super::stmt::check_control;
use crate::data::DataDomain;
use crate::span::Span;
use crate::store::Window;
use crate::types::{ArrayKind, DataType};
use crate::value::{Control, Val};

impl<'u, D: DataDomain> State<'u, D> {
    /// `S⟦p(e…)⟧σ = σ[heap ↦ P⟦p⟧(heap(σ)[arg_i ↦ e'_i])]`: the callee sees buffers and fields, and the
    /// caller gets its own locals back. Spec: [rule: run.call].
    pub(crate) fn exec_call(&mut self, proc: ProcSlot, args: &[AnyExpr<D::Value>], span: Span) -> Run<()> {
        let unit = self.unit;
        let p = &unit.procs[proc.0];
        let args: Run<Vec<Val<D::Value>>> = args.iter().map(|e| self.eval_expr(e)).collect();
        let args = args?;
        let locals = std::mem::replace(&mut self.frame, Frame::new(p.ctl_slots, p.buf_slots));
        if let Some(tracer) = &mut self.tracer {
            tracer.call();
        }
        self.call_proc(p, &args).map_err(|fault| fault.inside(p.name, span))?;
        if let Some(tracer) = &mut self.tracer {
            tracer.back();
        }
        self.frame = locals;
        Ok(())
    }

    /// `P⟦p⟧σ`: ε_m unless sizes are at least 1, shapes are as declared and assertions hold; then `S⟦body⟧σ`.
    /// The frame is new. Spec: [rule: run.entry].
    pub(crate) fn call_proc(&mut self, p: &ProcCode<D::Value>, args: &[Val<D::Value>]) -> Run<()> {
        if p.formals.len() != args.len() {
            let (expected, found) = (p.formals.len(), args.len());
            let what = format!("`{}` takes {expected} arguments, and {found} are given", p.name);
            return Err(Fault::ill_typed(p.span, what));
        }
        for (formal, arg) in p.formals.iter().zip(args) {
            self.bind_formal(formal, arg)?;
        }
        for formal in &p.formals {
            self.check_shape(p, formal)?;
        }
        for (number, (pred, source)) in p.preds.iter().enumerate() {
            if self.eval_control(pred)? != Control::Bool(true) {
                let kind = FaultKind::AssertFailed { proc: p.name, number, pred: source.clone() };
                return Err(Fault::at(source.span, kind));
            }
        }
        self.exec_block(&p.body)
    }

    /// `σ[arg_i ↦ e'_i]`.
    fn bind_formal(&mut self, formal: &Formal, arg: &Val<D::Value>) -> Run<()> {
        match formal {
            Formal::Control { name, slot, typ, span } => {
                let value = match arg {
                    Val::Int(n) => Control::Int(*n),
                    Val::Bool(b) => Control::Bool(*b),
                    Val::Exceptional(_) => Control::Unknown,
                    Val::Data(_) | Val::Window(_) => {
                        return Err(Fault::ill_typed(
                            *span,
                            format!("`{name}` is control, and data is given"),
                        ));
                    }
                };
                check_control(value, *typ).map_err(|misfit| {
                    misfit.fault(name.as_str(), *span, |value| FaultKind::SizeNotPositive {
                        name: *name,
                        value,
                    })
                })?;
                self.frame.controls[slot.0] = value;
            }
            Formal::Data { name, slot, elem, shape: _, kind: _, span } => {
                let Val::Window(window) = arg else {
                    return Err(Fault::ill_typed(*span, format!("`{name}` is data, and none is given")));
                };
                self.check_window(window, *elem)
                    .map_err(|what| Fault::ill_typed(*span, format!("`{name}`: {what}")))?;
                self.frame.windows[slot.0] = window.clone();
            }
        }
        Ok(())
    }

    /// Whether a window may stand for an argument: it shows cells of this type.
    fn check_window(&self, window: &Window, elem: DataType) -> Result<(), String> {
        let Some(buffer) = self.heap.get(window.loc.0) else {
            return Err("there is no such buffer".to_owned());
        };
        if !compatible(elem, buffer.elem) {
            return Err(format!("cells of type {elem} are needed, and {} given", buffer.elem));
        }
        Ok(())
    }

    /// The shape of a data argument is the one declared, and the cells of a tensor are dense.
    fn check_shape(&mut self, p: &ProcCode<D::Value>, formal: &Formal) -> Run<()> {
        let Formal::Data { name, slot, elem: _, shape, kind, span } = formal else { return Ok(()) };
        let mut expected = Vec::with_capacity(shape.len());
        for e in shape {
            match self.eval_control(e)? {
                Control::Int(n) => expected.push(n),
                Control::Unknown => return Err(unknown_control(*span, &format!("the shape of `{name}`"))),
                Control::Bool(_) => return Err(Fault::ill_typed(*span, "an extent is a truth value")),
            }
        }
        let found = self.frame.windows[slot.0].shape();
        if expected != found {
            let kind = FaultKind::ShapeMismatch { proc: p.name, arg: *name, expected, found };
            return Err(Fault::at(*span, kind));
        }
        match kind {
            ArrayKind::Tensor if !self.frame.windows[slot.0].is_dense() => {
                Err(Fault::at(*span, FaultKind::NotDense { proc: p.name, arg: *name }))
            }
            ArrayKind::Tensor | ArrayKind::Window => Ok(()),
        }
    }
}

/// Whether cells of one type may stand for cells of another: equal, or one of them abstract.
fn compatible(formal: DataType, actual: DataType) -> bool {
    formal == actual || formal == DataType::R || actual == DataType::R
}
