//! From the abstract syntax to [`code`](super::code): names become slots. Spec: [rule: run.scope].

use super::code::{
    AnyExpr, Body, BufSlot, CellRef, Code, CodeStmt, Coord, CtlExpr, CtlSlot, DataExpr, FieldSlot, Formal,
    Ill, ProcCode, ProcSlot, Unit, WinExpr,
};
use super::{fused, precision};
use crate::ast::{
    Arg, Block, Config, Expr, ExprKind, Instr, Literal, Proc, Rounds, Stmt, StmtKind, WinCoord, WindowExpr,
};
use crate::data::{Arith, DataDomain};
use crate::span::Span;
use crate::store::ConfigKey;
use crate::sym::{Name, Sym};
use crate::types::{ArgType, ArrayKind, DataType, FieldType};
use crate::value::Control;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Stack that must be left before a recursive step, and how much more is taken when it is not.
const RED_ZONE: usize = 128 << 10;
const STACK_STEP: usize = 4 << 20;

/// Runs a recursive step with enough stack, however deep the program is nested.
pub(crate) fn deeper<T>(step: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, STACK_STEP, step)
}

/// Target, its element type, and right-hand side.
type Writing<V> = (CellRef, DataType, DataExpr<V>);

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Binding {
    /// A control variable.
    Control(CtlSlot),
    /// A buffer or window, its element type and rank.
    Buffer(BufSlot, DataType, usize),
}

/// A unit in the making: what its procedures share.
pub(crate) struct UnitBuilder<D: DataDomain> {
    unit: Unit<D::Value>,
    fields: FxHashMap<ConfigKey, FieldSlot>,
    /// By address: a procedure called twice is resolved once. The callers keep it alive meanwhile.
    procs: FxHashMap<*const Proc, ProcSlot>,
}

impl<D: DataDomain> UnitBuilder<D> {
    pub(crate) fn new() -> UnitBuilder<D> {
        let unit = Unit { procs: Vec::new(), fields: Vec::new() };
        UnitBuilder { unit, fields: FxHashMap::default(), procs: FxHashMap::default() }
    }

    pub(crate) fn finish(self) -> Unit<D::Value> {
        self.unit
    }

    /// The slot of a procedure, which is resolved when it is met for the first time.
    pub(crate) fn proc(&mut self, p: &Proc) -> ProcSlot {
        let address = std::ptr::from_ref(p);
        if let Some(slot) = self.procs.get(&address) {
            return *slot;
        }
        let code = deeper(|| Resolver::new(self).proc(p));
        self.unit.procs.push(code);
        let slot = ProcSlot(self.unit.procs.len() - 1);
        self.procs.insert(address, slot);
        slot
    }

    fn field(&mut self, config: &Config, field: Name) -> Option<(FieldSlot, FieldType)> {
        let typ = config.field(field)?.typ;
        let key = ConfigKey { config: config.name, field };
        let fields = &mut self.unit.fields;
        let slot = *self.fields.entry(key).or_insert_with(|| {
            fields.push((key, typ));
            FieldSlot(fields.len() - 1)
        });
        Some((slot, typ))
    }
}

/// Resolves one procedure, or one block.
pub(crate) struct Resolver<'b, D: DataDomain> {
    builder: &'b mut UnitBuilder<D>,
    scope: FxHashMap<Sym, Binding>,
    /// What the names bound in the blocks around here meant before, to be restored at their end.
    shadowed: Vec<(Sym, Option<Binding>)>,
    ctl_slots: usize,
    buf_slots: usize,
    /// Whether a product and the sum that it is part of are rounded once. Spec: [rule: instructions.rounding].
    fuses: bool,
}

impl<'b, D: DataDomain> Resolver<'b, D> {
    pub(crate) fn new(builder: &'b mut UnitBuilder<D>) -> Resolver<'b, D> {
        Resolver {
            builder,
            scope: FxHashMap::default(),
            shadowed: Vec::new(),
            ctl_slots: 0,
            buf_slots: 0,
            fuses: false,
        }
    }

    pub(crate) fn ctl_slots(&self) -> usize {
        self.ctl_slots
    }

    pub(crate) fn buf_slots(&self) -> usize {
        self.buf_slots
    }

    /// The names in scope.
    pub(crate) fn scope(&self) -> impl Iterator<Item = (Sym, Binding)> {
        self.scope.iter().map(|(x, b)| (*x, *b))
    }

    pub(crate) fn bind_control(&mut self, x: Sym) -> CtlSlot {
        let slot = CtlSlot(self.ctl_slots);
        self.ctl_slots += 1;
        self.bind(x, Binding::Control(slot));
        slot
    }

    pub(crate) fn bind_buffer(&mut self, x: Sym, elem: DataType, rank: usize) -> BufSlot {
        let slot = BufSlot(self.buf_slots);
        self.buf_slots += 1;
        self.bind(x, Binding::Buffer(slot, elem, rank));
        slot
    }

    fn bind(&mut self, x: Sym, binding: Binding) {
        let before = self.scope.insert(x, binding);
        self.shadowed.push((x, before));
    }

    /// Forgets what was bound since the scope had this depth.
    fn leave(&mut self, depth: usize) {
        for (x, before) in self.shadowed.drain(depth..).rev() {
            match before {
                Some(binding) => self.scope.insert(x, binding),
                None => self.scope.remove(&x),
            };
        }
    }

    /// A procedure. All arguments are in scope in all shapes and assertions.
    fn proc(mut self, p: &Proc) -> ProcCode<D::Value> {
        let Proc { name, args, preds, body, instr, span } = p;
        for Arg { name, typ, span: _ } in args {
            match typ {
                ArgType::Control(_) => {
                    self.bind_control(*name);
                }
                ArgType::Data { typ, mem: _ } => {
                    self.bind_buffer(*name, typ.elem, typ.rank());
                }
            }
        }
        let formals = args.iter().map(|arg| self.formal(arg)).collect();
        let preds = preds.iter().map(|e| (self.control(e), e.clone())).collect();
        let body = self.body(args, body, instr.as_ref());
        ProcCode {
            name: *name,
            formals,
            preds,
            body,
            ctl_slots: self.ctl_slots,
            buf_slots: self.buf_slots,
            span: *span,
        }
    }

    /// What a call computes, rounded as the instruction says it is. Spec: [rule: instructions.rounding].
    fn body(&mut self, args: &[Arg], body: &Block, instr: Option<&Instr>) -> Body<D::Value> {
        match instr.map(|i| &i.rounds) {
            Some(Rounds::Fused) => {
                self.fuses = D::ROUNDS;
                self.block(body)
            }
            Some(Rounds::Like(stated)) if D::ROUNDS => {
                let whole = args.iter().map(|a| match self.scope.get(&a.name) {
                    Some(Binding::Control(slot)) => AnyExpr::Control(CtlExpr::Local(*slot)),
                    Some(Binding::Buffer(slot, ..)) => AnyExpr::Window(WinExpr::Whole(*slot)),
                    None => AnyExpr::Control(ill_control(a.span, "not bound")),
                });
                let args = whole.collect();
                let code = Code::Call { proc: self.builder.proc(stated), args };
                Body { stmts: vec![CodeStmt { code, span: stated.span }], allocates: false }
            }
            Some(Rounds::AsWritten | Rounds::Like(_)) | None => self.block(body),
        }
    }

    fn formal(&mut self, arg: &Arg) -> Formal {
        let Arg { name: x, typ, span } = arg;
        let (name, span) = (x.name(), *span);
        match (typ, self.scope.get(x).copied()) {
            (ArgType::Control(typ), Some(Binding::Control(slot))) => {
                Formal::Control { name, slot, typ: *typ, span }
            }
            (ArgType::Data { typ, mem: _ }, Some(Binding::Buffer(slot, ..))) => {
                let shape = typ.shape.iter().map(|e| self.control(e)).collect();
                Formal::Data { name, slot, elem: typ.elem, shape, kind: typ.kind, span }
            }
            // One symbol for two arguments of different sorts: the earlier gets a slot no one reads.
            (ArgType::Control(typ), Some(Binding::Buffer(..)) | None) => {
                self.ctl_slots += 1;
                Formal::Control { name, slot: CtlSlot(self.ctl_slots - 1), typ: *typ, span }
            }
            (ArgType::Data { typ, mem: _ }, Some(Binding::Control(_)) | None) => {
                self.buf_slots += 1;
                let slot = BufSlot(self.buf_slots - 1);
                let shape = typ.shape.iter().map(|e| self.control(e)).collect();
                Formal::Data { name, slot, elem: typ.elem, shape, kind: ArrayKind::Window, span }
            }
        }
    }

    /// A block: what it binds is forgotten at its end.
    pub(crate) fn block(&mut self, b: &Block) -> Body<D::Value> {
        let depth = self.shadowed.len();
        let body = self.open_block(b);
        self.leave(depth);
        body
    }

    /// A block whose names stay in scope.
    pub(crate) fn open_block(&mut self, b: &Block) -> Body<D::Value> {
        let stmts: Vec<_> = b.iter().map(|s| deeper(|| self.stmt(s))).collect();
        let allocates = stmts.iter().any(|s| matches!(s.code, Code::Alloc { .. }));
        Body { stmts, allocates }
    }

    fn stmt(&mut self, s: &Stmt) -> CodeStmt<D::Value> {
        let span = s.span;
        let code = match s.kind.as_ref() {
            StmtKind::Assign { name, idx, rhs } => match self.write(*name, idx, rhs, span) {
                Ok((dst, elem, rhs)) => Code::Assign { dst, elem, rhs },
                Err(ill) => Code::Ill(ill),
            },
            StmtKind::Reduce { name, idx, rhs } => match self.write(*name, idx, rhs, span) {
                Ok((dst, elem, rhs)) if self.fuses => fused::reduce(dst, elem, rhs),
                Ok((dst, elem, rhs)) => Code::Reduce { dst, elem, rhs },
                Err(ill) => Code::Ill(ill),
            },
            StmtKind::WriteConfig { config, field, rhs } => self.write_config(config, *field, rhs, span),
            StmtKind::Pass => Code::Pass,
            StmtKind::If { cond, body, orelse } => {
                Code::If { cond: self.control(cond), body: self.block(body), orelse: self.block(orelse) }
            }
            StmtKind::For { iter, lo, hi, body, mode } => {
                let (lo, hi) = (self.control(lo), self.control(hi));
                let depth = self.shadowed.len();
                let slot = self.bind_control(*iter);
                let body = self.block(body);
                self.leave(depth);
                Code::For { slot, iter: *iter, lo, hi, body, mode: *mode }
            }
            StmtKind::Alloc { name, typ, mem: _ } => {
                let shape = typ.shape.iter().map(|e| self.control(e)).collect();
                let slot = self.bind_buffer(*name, typ.elem, typ.rank());
                Code::Alloc { slot, name: name.name(), elem: typ.elem, shape }
            }
            StmtKind::WindowStmt { name, rhs } => self.window_stmt(*name, rhs, span),
            StmtKind::Call { proc, args } => self.call(proc, args, span),
        };
        CodeStmt { code, span }
    }

    /// The parts of `x[idx] = rhs` and `x[idx] += rhs`. Literals take the precision of what the right-hand
    /// side reads, and that of `x` when it reads nothing.
    fn write(&mut self, x: Sym, idx: &[Expr], rhs: &Expr, span: Span) -> Result<Writing<D::Value>, Box<Ill>> {
        let (dst, elem) = self.access(x, idx, span)?;
        let typ = precision::of_expr(rhs, &|x| self.elem(x)).unwrap_or(elem);
        Ok((dst, elem, self.data(rhs, typ)))
    }

    fn write_config(&mut self, config: &Config, field: Name, rhs: &Expr, span: Span) -> Code<D::Value> {
        match self.builder.field(config, field) {
            None => Code::Ill(ill(span, format!("`{}` has no field `{field}`", config.name))),
            Some((field, FieldType::Control(typ))) => {
                Code::WriteControl { field, typ, rhs: self.control(rhs) }
            }
            Some((field, FieldType::Data(typ))) => {
                let precision = precision::of_expr(rhs, &|x| self.elem(x)).unwrap_or(typ);
                Code::WriteData { field, typ, rhs: self.data(rhs, precision) }
            }
        }
    }

    /// The window is resolved before its name is bound: it may mention an outer variable of that name.
    fn window_stmt(&mut self, x: Sym, rhs: &WindowExpr, span: Span) -> Code<D::Value> {
        let elem = self.elem(rhs.name).unwrap_or(DataType::R);
        let rank = rhs.idx.iter().filter(|w| matches!(w, WinCoord::Interval(..))).count();
        let rhs = self.window(rhs, span);
        Code::Window { slot: self.bind_buffer(x, elem, rank), rhs }
    }

    fn call(&mut self, proc: &Arc<Proc>, args: &[Expr], span: Span) -> Code<D::Value> {
        if proc.args.len() != args.len() {
            let (name, expected, found) = (proc.name, proc.args.len(), args.len());
            return Code::Ill(ill(
                span,
                format!("`{name}` takes {expected} arguments, and {found} are given"),
            ));
        }
        let slot = self.builder.proc(proc);
        let args = proc.args.iter().zip(args).map(|(formal, e)| match &formal.typ {
            ArgType::Control(_) => AnyExpr::Control(self.control(e)),
            ArgType::Data { .. } => AnyExpr::Window(self.buffer(e)),
        });
        Code::Call { proc: slot, args: args.collect() }
    }

    /// An expression of whatever sort it is; a buffer of rank 0 is its value.
    pub(crate) fn any(&mut self, e: &Expr) -> AnyExpr<D::Value> {
        let typ = precision::of_expr(e, &|x| self.elem(x));
        match &e.kind {
            ExprKind::Window(_) => AnyExpr::Window(self.buffer(e)),
            ExprKind::Read { name, idx } => match self.scope.get(name) {
                Some(Binding::Buffer(_, _, rank)) if idx.is_empty() && *rank > 0 => {
                    AnyExpr::Window(self.buffer(e))
                }
                Some(Binding::Buffer(_, elem, _)) => AnyExpr::Data(self.data(e, *elem)),
                Some(Binding::Control(_)) | None => AnyExpr::Control(self.control(e)),
            },
            ExprKind::Lit(Literal::Data(_)) | ExprKind::Extern { .. } => {
                AnyExpr::Data(self.data(e, typ.unwrap_or(DataType::R)))
            }
            ExprKind::Neg(_) | ExprKind::Bin { .. } if typ.is_some() || precision::has_data_literal(e) => {
                AnyExpr::Data(self.data(e, typ.unwrap_or(DataType::R)))
            }
            ExprKind::ReadConfig { config, field } => match config.field(*field).map(|f| f.typ) {
                Some(FieldType::Data(typ)) => AnyExpr::Data(self.data(e, typ)),
                Some(FieldType::Control(_)) | None => AnyExpr::Control(self.control(e)),
            },
            ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Stride { .. } => AnyExpr::Control(self.control(e)),
        }
    }

    fn elem(&self, x: Sym) -> Option<DataType> {
        match self.scope.get(&x) {
            Some(Binding::Buffer(_, elem, _)) => Some(*elem),
            Some(Binding::Control(_)) | None => None,
        }
    }

    pub(crate) fn control(&mut self, e: &Expr) -> CtlExpr {
        let span = e.span;
        match &e.kind {
            ExprKind::Read { name, idx } => match self.scope.get(name) {
                Some(Binding::Control(slot)) if idx.is_empty() => CtlExpr::Local(*slot),
                Some(Binding::Control(_)) => ill_control(span, format!("`{name}` is not a buffer")),
                Some(Binding::Buffer(..)) => ill_control(span, format!("`{name}` is data, not control")),
                None => ill_control(span, format!("`{name}` is not bound")),
            },
            ExprKind::Lit(Literal::Int(n)) => CtlExpr::Lit(Control::Int(*n)),
            ExprKind::Lit(Literal::Bool(b)) => CtlExpr::Lit(Control::Bool(*b)),
            ExprKind::Lit(Literal::Data(_)) => ill_control(span, "data where control is needed"),
            ExprKind::Neg(e) => CtlExpr::Neg(Box::new(deeper(|| self.control(e))), span),
            ExprKind::Not(e) => CtlExpr::Not(Box::new(deeper(|| self.control(e))), span),
            ExprKind::Bin { op, lhs, rhs } => {
                let lhs = Box::new(deeper(|| self.control(lhs)));
                let rhs = Box::new(deeper(|| self.control(rhs)));
                CtlExpr::Bin { op: *op, lhs, rhs, span }
            }
            ExprKind::Stride { name, dim } => match self.scope.get(name) {
                Some(Binding::Buffer(slot, ..)) => CtlExpr::Stride { buf: *slot, dim: *dim, span },
                Some(Binding::Control(_)) | None => ill_control(span, format!("`{name}` is not a buffer")),
            },
            ExprKind::ReadConfig { config, field } => match self.builder.field(config, *field) {
                Some((slot, FieldType::Control(_))) => CtlExpr::Field(slot, span),
                Some((_, FieldType::Data(_))) => ill_control(span, format!("`{field}` is data, not control")),
                None => ill_control(span, format!("`{}` has no field `{field}`", config.name)),
            },
            ExprKind::Window(_) | ExprKind::Extern { .. } => {
                ill_control(span, "data where control is needed")
            }
        }
    }

    fn data(&mut self, e: &Expr, typ: DataType) -> DataExpr<D::Value> {
        let span = e.span;
        match &e.kind {
            ExprKind::Read { name, idx } => match self.access(*name, idx, span) {
                Ok((access, _)) => DataExpr::Read(access),
                Err(ill) => DataExpr::Ill(ill),
            },
            ExprKind::Lit(Literal::Data(decimal)) => DataExpr::Lit(D::literal(decimal, typ)),
            ExprKind::Neg(e) => DataExpr::Neg(Box::new(deeper(|| self.data(e, typ)))),
            ExprKind::Bin { op, lhs, rhs } => match Arith::of(*op) {
                Some(op) => {
                    let lhs = Box::new(deeper(|| self.data(lhs, typ)));
                    let rhs = Box::new(deeper(|| self.data(rhs, typ)));
                    if self.fuses { fused::bin(op, lhs, rhs) } else { DataExpr::Bin { op, lhs, rhs } }
                }
                None => ill_data(span, format!("`{}` does not compute data", op.symbol())),
            },
            ExprKind::Extern { func, args } if args.len() == func.arity() => {
                let args = args.iter().map(|e| deeper(|| self.data(e, typ))).collect();
                DataExpr::Extern { func: *func, args }
            }
            ExprKind::Extern { func, args } => ill_data(
                span,
                format!("`{func}` takes {} arguments, and {} are given", func.arity(), args.len()),
            ),
            ExprKind::ReadConfig { config, field } => match self.builder.field(config, *field) {
                Some((slot, FieldType::Data(_))) => DataExpr::Field(slot, span),
                Some((_, FieldType::Control(_))) => ill_data(span, format!("`{field}` is control, not data")),
                None => ill_data(span, format!("`{}` has no field `{field}`", config.name)),
            },
            ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
            | ExprKind::Not(_)
            | ExprKind::Stride { .. } => ill_data(span, "control where data is needed"),
            ExprKind::Window(_) => ill_data(span, "a window where a value is needed"),
        }
    }

    /// An expression passed for a data argument.
    fn buffer(&mut self, e: &Expr) -> WinExpr {
        match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => match self.scope.get(name) {
                Some(Binding::Buffer(slot, ..)) => WinExpr::Whole(*slot),
                Some(Binding::Control(_)) => ill_window(e.span, format!("`{name}` is control, not a buffer")),
                None => ill_window(e.span, format!("`{name}` is not bound")),
            },
            ExprKind::Read { name, idx } => match self.access(*name, idx, e.span) {
                Ok((access, _)) => WinExpr::Cell(access),
                Err(ill) => WinExpr::Ill(ill),
            },
            ExprKind::Window(w) => self.window(w, e.span),
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => ill_window(e.span, "a buffer or a window is needed here"),
        }
    }

    fn window(&mut self, w: &WindowExpr, span: Span) -> WinExpr {
        let WindowExpr { name, idx } = w;
        match self.scope.get(name).copied() {
            Some(Binding::Buffer(buf, _, rank)) if rank == idx.len() => {
                let coords = idx.iter().map(|c| match c {
                    WinCoord::Point(e) => Coord::Point(self.control(e)),
                    WinCoord::Interval(lo, hi) => Coord::Interval(self.control(lo), self.control(hi)),
                });
                WinExpr::Part { buf, name: name.name(), coords: coords.collect(), span }
            }
            Some(Binding::Buffer(_, _, rank)) => {
                ill_window(span, format!("`{name}` has {rank} dimensions, and {} are given", idx.len()))
            }
            Some(Binding::Control(_)) => ill_window(span, format!("`{name}` is not a buffer")),
            None => ill_window(span, format!("`{name}` is not bound")),
        }
    }

    fn access(&mut self, x: Sym, idx: &[Expr], span: Span) -> Result<(CellRef, DataType), Box<Ill>> {
        match self.scope.get(&x).copied() {
            Some(Binding::Buffer(buf, elem, rank)) if rank == idx.len() => {
                let idx = idx.iter().map(|e| self.control(e)).collect();
                Ok((CellRef { buf, name: x.name(), idx, span }, elem))
            }
            Some(Binding::Buffer(_, _, rank)) => {
                Err(ill(span, format!("`{x}` has {rank} dimensions, and {} indices are given", idx.len())))
            }
            Some(Binding::Control(_)) => Err(ill(span, format!("`{x}` is control, not data"))),
            None => Err(ill(span, format!("`{x}` is not bound"))),
        }
    }
}

fn ill(span: Span, what: impl Into<String>) -> Box<Ill> {
    Box::new(Ill { what: what.into(), span })
}

fn ill_control(span: Span, what: impl Into<String>) -> CtlExpr {
    CtlExpr::Ill(ill(span, what))
}

fn ill_data<V>(span: Span, what: impl Into<String>) -> DataExpr<V> {
    DataExpr::Ill(ill(span, what))
}

fn ill_window(span: Span, what: impl Into<String>) -> WinExpr {
    WinExpr::Ill(ill(span, what))
}
