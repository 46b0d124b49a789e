//! `S⟦s⟧σ`: one function per statement. PLDI'22 App. A, "Statement Denotations"; spec: [rule: run.stmt].

use super::code::{Body, BufSlot, CellRef, Code, CodeStmt, CtlExpr, CtlSlot, DataExpr, FieldSlot, WinExpr};
use super::expr::unknown_control;
use super::fault::{Fault, FaultKind, Run};
use super::race::{self, ParLoop, Touched};
use super::resolve::deeper;
use super::state::State;
use crate::ast::LoopMode;
use crate::data::{Arith, DataDomain, Datum};
use crate::span::Span;
use crate::store::{Buffer, Loc, Window, cell_count};
use crate::sym::{Name, Sym};
use crate::types::{ControlType, DataType};
use crate::value::{Control, Exceptional, Val};

impl<D: DataDomain> State<'_, D> {
    /// `S⟦s1; s2⟧ = S⟦s2⟧ ∘ S⟦s1⟧`; buffers that the block allocates end with it. Spec: [rule: run.block].
    pub(crate) fn exec_block(&mut self, b: &Body<D::Value>) -> Run<()> {
        let buffers = self.heap.len();
        self.exec_open_block(b)?;
        if b.allocates {
            self.free_down_to(buffers);
        }
        Ok(())
    }

    /// The same, where the buffers remain.
    pub(crate) fn exec_open_block(&mut self, b: &Body<D::Value>) -> Run<()> {
        for s in &b.stmts {
            self.exec_stmt(s)?;
        }
        Ok(())
    }

    /// `S⟦s⟧σ`.
    pub(crate) fn exec_stmt(&mut self, s: &CodeStmt<D::Value>) -> Run<()> {
        let span = s.span;
        self.step(span)?;
        match &s.code {
            Code::Assign { dst, elem, rhs } => self.exec_assign(dst, *elem, rhs),
            Code::Reduce { dst, elem, rhs } => self.exec_reduce(dst, *elem, rhs),
            Code::WriteControl { field, typ, rhs } => self.exec_write_control(*field, *typ, rhs, span),
            Code::WriteData { field, typ, rhs } => self.exec_write_data(*field, *typ, rhs, span),
            Code::Pass => Ok(()),
            Code::If { cond, body, orelse } => deeper(|| self.exec_if(cond, body, orelse, span)),
            Code::For { slot, iter, lo, hi, body, mode } => deeper(|| {
                let lo = self.eval_int(lo, span, "a loop bound")?;
                let hi = self.eval_int(hi, span, "a loop bound")?;
                match mode {
                    LoopMode::Seq => self.exec_seq(*slot, *iter, lo, hi, body, span),
                    LoopMode::Par => self.exec_par(*slot, *iter, lo, hi, body, span),
                }
            }),
            Code::Alloc { slot, name, elem, shape } => self.exec_alloc(*slot, *name, *elem, shape, span),
            Code::Window { slot, rhs } => self.exec_window(*slot, rhs),
            Code::Call { proc, args } => deeper(|| self.exec_call(*proc, args, span)),
            Code::Ill(ill) => Err(Fault::ill_typed(ill.span, &ill.what)),
        }
    }

    /// `S⟦x[e…] = e_rhs⟧σ = σ[(ℓ, φ(e')) ↦ e'_rhs]`, cast to the cell's type. Spec: [rule: run.assign].
    fn exec_assign(&mut self, dst: &CellRef, elem: DataType, rhs: &DataExpr<D::Value>) -> Run<()> {
        let value = self.eval_data(rhs)?.lift1(|v| D::cast(v, elem));
        let at = self.eval_address(dst)?;
        self.touch(Touched::Cell(at.buffer, at.place), race::AccessMode::Write, dst.span)?;
        self.heap[at.buffer].cells_mut()[at.place] = value;
        Ok(())
    }

    /// `S⟦x[e…] += e_rhs⟧σ = σ[(ℓ, φ(e')) ⊕↦ e'_rhs]`: the right-hand side is cast to the cell's type, then
    /// added, and the sum cast again. Spec: [rule: run.reduce].
    fn exec_reduce(&mut self, dst: &CellRef, elem: DataType, rhs: &DataExpr<D::Value>) -> Run<()> {
        let value = self.eval_data(rhs)?.lift1(|v| D::cast(v, elem));
        let at = self.eval_address(dst)?;
        self.touch(Touched::Cell(at.buffer, at.place), race::AccessMode::Reduce, dst.span)?;
        let cell = &mut self.heap[at.buffer].cells_mut()[at.place];
        // Taken out, so that a long sum is extended in place where the domain can.
        let old = std::mem::replace(cell, Datum::Unknown);
        *cell = old.lift2(value, |a, b| D::arith(Arith::Add, a, b)).lift1(|v| D::cast(v, elem));
        Ok(())
    }

    /// `S⟦x_g = e⟧σ = σ[x_g ↦ E⟦e⟧σ]` of a control field; a size below 1 is ε_m, and ⊥ may be written.
    /// Spec: [rule: run.write-config].
    fn exec_write_control(
        &mut self,
        field: FieldSlot,
        typ: ControlType,
        rhs: &CtlExpr,
        span: Span,
    ) -> Run<()> {
        let value = self.eval_control(rhs)?;
        check_control(value, typ).map_err(|misfit| {
            let key = self.unit.fields[field.0].0;
            misfit.fault(&key.to_string(), span, |value| FaultKind::FieldNotPositive { field: key, value })
        })?;
        self.touch(Touched::Field(field), race::AccessMode::Write, span)?;
        self.fields[field.0] = value.into();
        Ok(())
    }

    /// `S⟦x_g = e⟧σ` of a data field: cast to the field's type.
    fn exec_write_data(
        &mut self,
        field: FieldSlot,
        typ: DataType,
        rhs: &DataExpr<D::Value>,
        span: Span,
    ) -> Run<()> {
        let value = self.eval_data(rhs)?.lift1(|v| D::cast(v, typ));
        self.touch(Touched::Field(field), race::AccessMode::Write, span)?;
        self.fields[field.0] = match value {
            Datum::Known(v) => Val::Data(v),
            Datum::Unknown => Val::Exceptional(Exceptional::Unknown),
        };
        Ok(())
    }

    /// `S⟦if e: s1 else: s2⟧σ`: `S⟦s1⟧σ` when `E⟦e⟧σ` is true, `S⟦s2⟧σ` when false, and ε_m when ⊥.
    /// Spec: [rule: run.if].
    fn exec_if(
        &mut self,
        cond: &CtlExpr,
        body: &Body<D::Value>,
        orelse: &Body<D::Value>,
        span: Span,
    ) -> Run<()> {
        match self.eval_control(cond)? {
            Control::Bool(true) => self.exec_block(body),
            Control::Bool(false) => self.exec_block(orelse),
            Control::Unknown => Err(unknown_control(span, "a condition")),
            Control::Int(_) => Err(Fault::ill_typed(span, "a condition is an integer")),
        }
    }

    /// `S⟦for x in seq(lo, hi): s⟧σ = (φ_{hi-1} ∘ … ∘ φ_lo)σ` where `φ_k σ' = S⟦s⟧(σ'[x ↦ k])`. The bounds
    /// have been evaluated in σ. Spec: [rule: run.for].
    fn exec_seq(
        &mut self,
        slot: CtlSlot,
        iter: Sym,
        lo: i64,
        hi: i64,
        body: &Body<D::Value>,
        span: Span,
    ) -> Run<()> {
        for k in lo..hi {
            self.exec_iteration(slot, iter, k, body, span)?;
        }
        Ok(())
    }

    /// `φ_k`.
    #[inline]
    fn exec_iteration(
        &mut self,
        slot: CtlSlot,
        iter: Sym,
        k: i64,
        body: &Body<D::Value>,
        span: Span,
    ) -> Run<()> {
        self.frame.controls[slot.0] = Control::Int(k);
        let around = self.tracer.as_mut().and_then(|t| t.begin(span, iter.name(), k));
        self.exec_block(body)?;
        if let Some(tracer) = &mut self.tracer {
            tracer.end(around);
        }
        Ok(())
    }

    /// `S⟦for x in par(lo, hi): s⟧σ`: as `seq`, and ε_race when two iterations conflict.
    /// Spec: [rule: run.par].
    fn exec_par(
        &mut self,
        slot: CtlSlot,
        iter: Sym,
        lo: i64,
        hi: i64,
        body: &Body<D::Value>,
        span: Span,
    ) -> Run<()> {
        let level = self.par.len();
        self.par.push(ParLoop::new(iter.name(), self.heap.len()));
        for k in lo..hi {
            self.par[level].at = k;
            self.exec_iteration(slot, iter, k, body, span)?;
        }
        self.par.truncate(level);
        Ok(())
    }

    /// `S⟦alloc x(e…)⟧σ = σ[ℓ ↦ buf(e'), x ↦ (ℓ, id)]`, ℓ fresh and every cell ⊥. Spec: [rule: run.alloc].
    fn exec_alloc(
        &mut self,
        slot: BufSlot,
        name: Name,
        elem: DataType,
        shape: &[CtlExpr],
        span: Span,
    ) -> Run<()> {
        let shape: Run<Vec<i64>> = shape.iter().map(|e| self.eval_int(e, span, "an extent")).collect();
        let shape = shape?;
        if shape.iter().any(|e| *e < 0) {
            return Err(Fault::at(span, FaultKind::NegativeExtent { buffer: name, shape }));
        }
        let limit = self.limits.cells;
        let room = limit.saturating_sub(self.cells);
        let Some(buffer) = Buffer::unknown(name, elem, &shape, room) else {
            return Err(Fault::at(span, FaultKind::OutOfMemory { buffer: name, shape, limit }));
        };
        self.cells += cell_count(&shape).unwrap_or(0);
        self.heap.push(buffer);
        self.frame.windows[slot.0] = Window::whole(Loc(self.heap.len() - 1), &shape);
        Ok(())
    }

    /// `S⟦y = x[w…]⟧σ = σ[y ↦ E⟦x[w…]⟧σ]`. Spec: [rule: run.window-stmt].
    fn exec_window(&mut self, slot: BufSlot, rhs: &WinExpr) -> Run<()> {
        self.frame.windows[slot.0] = self.eval_window(rhs)?;
        Ok(())
    }
}

/// Why a value may not stand for a control variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Misfit {
    /// A size below 1.
    NotPositive(i64),
    /// A size that is ⊥.
    Unknown,
    /// An integer for a truth value.
    IntForBool,
    /// A truth value for an integer.
    BoolForInt,
}

impl Misfit {
    /// The fault it is, for a variable of this name.
    pub(crate) fn fault(self, name: &str, span: Span, size: impl FnOnce(i64) -> FaultKind) -> Box<Fault> {
        match self {
            Misfit::NotPositive(n) => Fault::at(span, size(n)),
            Misfit::Unknown => unknown_control(span, &format!("the size `{name}`")),
            Misfit::IntForBool => {
                Fault::ill_typed(span, format!("`{name}` is a truth value, and an integer is given"))
            }
            Misfit::BoolForInt => {
                Fault::ill_typed(span, format!("`{name}` is an integer, and a truth value is given"))
            }
        }
    }
}

/// Whether a value may stand for a control variable of this type. ⊥ may, but for a size: nothing then says
/// that it is at least 1. Spec: [rule: values.size].
pub(crate) fn check_control(value: Control, typ: ControlType) -> Result<(), Misfit> {
    match (typ, value) {
        (ControlType::Size, Control::Int(n)) if n < 1 => Err(Misfit::NotPositive(n)),
        (ControlType::Size, Control::Unknown) => Err(Misfit::Unknown),
        (ControlType::Bool, Control::Int(_)) => Err(Misfit::IntForBool),
        (
            ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride,
            Control::Bool(_),
        ) => Err(Misfit::BoolForInt),
        (
            ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride,
            Control::Int(_),
        )
        | (
            ControlType::Int | ControlType::Index | ControlType::Stride | ControlType::Bool,
            Control::Unknown,
        )
        | (ControlType::Bool, Control::Bool(_)) => Ok(()),
    }
}
