//! Statements in C. Spec: [rule: c.statements].

use crate::c::affine::Affine;
use crate::c::control::Product;
use crate::c::lifetime::last_uses;
use crate::c::lower::{Free, Lower};
use crate::c::tree::{CExpr, CStmt, CType, push};
use crate::c::unroll::MOST_WRITTEN_OUT;
use crate::c::usage::Field;
use crate::c::window::{BufferRef, dense_strides, stride_expr};
use crate::memory::{Allocation, Refusal};
use rewright_semantics::ast::{Block, Config, Expr, ExprKind, LoopMode, Stmt, StmtKind};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{BufferType, ControlType, DataType, FieldType, MemName};
use std::collections::BTreeSet;

impl Lower<'_> {
    /// The statements of a block.
    pub(crate) fn stmts(&mut self, b: &Block) -> Vec<CStmt> {
        self.block(|l| l.in_order(b))
    }

    /// The statements of a block that is open, each with what gives back the buffers that it is the last to use.
    fn in_order(&mut self, b: &Block) -> Vec<CStmt> {
        let last = last_uses(b);
        let places = places(b, self.span);
        let mut body = Vec::new();
        for (k, (s, at)) in b.iter().zip(places).enumerate() {
            let produced = self.stmt(s, at);
            body.extend(self.hold(&produced, Some(s)));
            produced.into_iter().for_each(|c| push(&mut body, c));
            body.extend(self.give_back(|x| last.get(&x) == Some(&k), at));
        }
        body
    }

    /// A statement, with the place at which it is reported.
    fn stmt(&mut self, s: &Stmt, at: Span) -> Vec<CStmt> {
        match &*s.kind {
            StmtKind::Assign { name, idx, rhs } => self.assign(*name, idx, rhs, at),
            StmtKind::Reduce { name, idx, rhs } => self.reduce(*name, idx, rhs, at),
            StmtKind::WriteConfig { config, field, rhs } => self.write_config(config, *field, rhs),
            StmtKind::Pass => Vec::new(),
            StmtKind::If { cond, body, orelse } => self.conditional(cond, body, orelse),
            StmtKind::For { iter, lo, hi, body, mode } => self.loop_(*iter, lo, hi, body, *mode),
            StmtKind::Alloc { name, typ, mem } => self.alloc(*name, typ, *mem, at),
            StmtKind::WindowStmt { name, rhs } => self.window_stmt(*name, rhs, at),
            StmtKind::Call { proc, args } => self.call(proc, args, at),
        }
    }

    fn assign(&mut self, x: Sym, idx: &[Expr], rhs: &Expr, span: Span) -> Vec<CStmt> {
        let Some(part) = self.cell_part(x, idx, span) else { return Vec::new() };
        let elem = self.unit.concrete(part.place.elem);
        let value = self.data_as(rhs, elem);
        let done = self.with_cell(&part, |memory, cell| memory.write(&cell.storing(idx, rhs), value));
        let mut out = self.or_refuse(done, span);
        out.iter_mut().for_each(without_effect);
        out
    }

    fn reduce(&mut self, x: Sym, idx: &[Expr], rhs: &Expr, span: Span) -> Vec<CStmt> {
        let Some(part) = self.cell_part(x, idx, span) else { return Vec::new() };
        let elem = self.unit.concrete(part.place.elem);
        let value = self.summand(rhs, elem);
        let done = if elem == DataType::BF16 {
            self.bfloat_reduce(&part, value)
        } else {
            self.with_cell(&part, |memory, cell| memory.reduce(&cell.storing(idx, rhs), value))
        };
        self.or_refuse(done, span)
    }

    /// A struct has no `+=`: the cell is read, and written.
    fn bfloat_reduce(&mut self, part: &crate::c::window::Part, value: CExpr) -> Result<Vec<CStmt>, Refusal> {
        // What the memory says of reductions holds all the same.
        self.with_cell(part, |memory, cell| memory.reduce(cell, value.clone()))?;
        let cell = self.with_cell(part, |memory, cell| memory.read(cell))?;
        let sum = self.bfloat_sum(cell, value);
        self.with_cell(part, |memory, cell| memory.write(cell, sum))
    }

    fn cell_part(&mut self, x: Sym, idx: &[Expr], span: Span) -> Option<crate::c::window::Part> {
        self.part(&Expr::at(ExprKind::Read { name: x, idx: idx.into() }, span))
    }

    fn or_refuse(&mut self, done: Result<Vec<CStmt>, Refusal>, span: Span) -> Vec<CStmt> {
        done.unwrap_or_else(|why| {
            self.refuse("backend.memory-access", span, &why);
            Vec::new()
        })
    }

    fn write_config(&mut self, config: &Config, field: Name, rhs: &Expr) -> Vec<CStmt> {
        let value = match config.field(field).map(|f| f.typ) {
            Some(FieldType::Control(ControlType::Bool)) => self.condition(rhs),
            Some(FieldType::Control(_)) | None => self.integer(rhs),
            Some(FieldType::Data(t)) => {
                let t = self.unit.concrete(t);
                self.data_as(rhs, t)
            }
        };
        let mut write = CStmt::Assign(self.config(config, field), value);
        without_effect(&mut write);
        vec![write]
    }

    fn conditional(&mut self, cond: &Expr, body: &Block, orelse: &Block) -> Vec<CStmt> {
        let test = self.condition(cond);
        let then = self.block(|l| {
            l.facts_mut().assume(cond);
            l.ranges.assume(&test, true);
            l.in_order(body)
        });
        let otherwise = self.block(|l| {
            l.ranges.assume(&test, false);
            l.in_order(orelse)
        });
        vec![CStmt::If { cond: test, then, otherwise }]
    }

    fn loop_(&mut self, iter: Sym, lo: &Expr, hi: &Expr, body: &Block, mode: LoopMode) -> Vec<CStmt> {
        let mut out = Vec::new();
        let (first, end) = (self.affine(lo), self.affine(hi));
        let lo = self.affine_expr(&first);
        let mut hi = self.affine_expr(&end);
        if reads_any(&end, &self.unit.program.config_writes(body)) {
            let name = self.declare_text(&format!("{}_end", iter.name()));
            self.ranges.define(&name, &hi);
            out.push(CStmt::Decl { is_const: true, typ: CType::Int, name: name.clone(), init: Some(hi) });
            hi = CExpr::var(name);
        }
        let parallel = mode == LoopMode::Par;
        let trips = first.as_constant().zip(end.as_constant()).and_then(|(lo, hi)| hi.checked_sub(lo));
        let mut counter = String::new();
        let stmts = self.block(|l| {
            counter = l.declare(iter);
            l.bind_control(iter, counter.clone());
            l.ranges.iterate(&counter, &lo, &hi);
            l.facts_mut().iterate(iter, Some(first), Some(end));
            l.in_order(body)
        });
        // A loop that runs once is written out anyway; one of many iterations takes compilers minutes, and no register is left.
        let unroll =
            trips.filter(|n| (2..=MOST_WRITTEN_OUT).contains(n) && self.chooses_registers(iter, body));
        out.push(CStmt::For { iter: counter, lo, hi, body: stmts, parallel, unroll });
        out
    }

    fn alloc(&mut self, x: Sym, typ: &BufferType, mem: MemName, span: Span) -> Vec<CStmt> {
        let mut out = Vec::new();
        let extents = self.extents(&typ.shape);
        let (shape, strides) = self.fixed_shape(x, &extents, &mut out);
        let elem = self.unit.concrete(typ.elem);
        let name = self.declare(x);
        let base = CExpr::var(&name);
        let mut place = BufferRef::dense(x, base, elem, mem);
        (place.strides, place.extents) = (strides.clone(), extents.clone());
        self.bind_buffer(x, place);
        let Some(memory) = self.unit.memories.get(mem).cloned() else {
            let why = Refusal::new(format!("the back end has no memory called {mem}"))
                .help(format!("declare it: `class {mem}(Memory): …`"));
            self.refuse("backend.memory-alloc", span, &why);
            return out;
        };
        self.unit.used_memories.insert(mem);
        let distances: Vec<CExpr> = strides.iter().cloned().map(stride_expr).collect();
        out.extend(self.hold_allocation(&name, &shape, &distances, memory.is_text(), span));
        let constants: Vec<Option<i64>> = extents.iter().map(Affine::as_constant).collect();
        let zeroed = self.read_unset.contains(&x);
        let a = Allocation { name: &name, elem, shape: &shape, extents: &constants, zeroed, span };
        let free = || if memory.is_stateful() { Ok(Vec::new()) } else { memory.free(&a) };
        match memory.alloc(&a).and_then(|alloc| Ok((alloc, free()?))) {
            Ok((alloc, free)) => {
                let is_freed = !free.is_empty() || memory.is_stateful();
                out.extend(alloc);
                if memory.is_stateful() {
                    let (name, shape) = (name.clone(), shape.clone());
                    self.after_use(x, Free::Later { memory, name, elem, shape, extents: constants, span });
                } else {
                    self.after_use(x, Free::Known(free));
                }
                if !is_freed && !self.usage.read.contains(&x) {
                    out.push(CStmt::Unused(CExpr::Var(name)));
                }
            }
            Err(why) => self.refuse("backend.memory-alloc", span, &why),
        }
        out
    }

    /// Extents as expressions, and the strides they make. An inner extent that reads a configuration
    /// field is kept in a variable: the field may change, the buffer does not.
    pub(crate) fn fixed_shape(
        &mut self,
        x: Sym,
        extents: &[Affine],
        out: &mut Vec<CStmt>,
    ) -> (Vec<CExpr>, Vec<Product>) {
        let mut shape = Vec::new();
        for (d, e) in extents.iter().enumerate() {
            let value = self.affine_expr(e);
            if d == 0 || !e.reads_config() {
                shape.push(value);
                continue;
            }
            let name = self.declare_text(&format!("{}_extent{d}", x.name()));
            self.ranges.define(&name, &value);
            out.push(CStmt::Decl { is_const: true, typ: CType::Int, name: name.clone(), init: Some(value) });
            shape.push(CExpr::var(name));
        }
        let strides = dense_strides(&shape);
        (shape, strides)
    }
}

/// `x = x` does nothing, and compilers ask whether it is meant.
fn without_effect(s: &mut CStmt) {
    if let CStmt::Assign(l, r) = s
        && l == r
    {
        *s = CStmt::Unused(l.clone());
    }
}

/// Whether a normal form reads one of these fields.
fn reads_any(a: &Affine, fields: &BTreeSet<Field>) -> bool {
    a.any_atom(&|atom| match atom {
        super::affine::Atom::Config(config, field) => fields.contains(&(config.name, *field)),
        super::affine::Atom::Var(_)
        | super::affine::Atom::Stride(..)
        | super::affine::Atom::Div(..)
        | super::affine::Atom::Mod(..) => false,
    })
}

/// The places of the statements of a block. What no one wrote is reported where the next statement is that someone wrote: a
/// buffer that a step made stands before what it was made for. At the end of a block, it is where the procedure is.
fn places(b: &Block, procedure: Span) -> Vec<Span> {
    let mut next = procedure;
    let backwards = b.iter().rev().map(|s| {
        next = written(s).unwrap_or(next);
        next
    });
    let mut places: Vec<Span> = backwards.collect();
    places.reverse();
    places
}

/// The first place in a statement.
fn written(s: &Stmt) -> Option<Span> {
    if !s.span.is_none() {
        return Some(s.span);
    }
    match s.kind.as_ref() {
        StmtKind::If { cond: _, body, orelse } => body.iter().chain(orelse).find_map(written),
        StmtKind::For { body, .. } => body.iter().find_map(written),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}
