//! What is known about the names in scope at a place in a procedure.
//!
//! An environment is extended as one walks down a body, by [`TypeEnv::within`] into a statement and by
//! [`TypeEnv::after`] past it, so that it comes from the path to a place and not from the node there.
//! It is persistent: extending it costs O(log n) and leaves the old one as it was.
//!
//! Extents are kept twice: as written, and in linear normal form *at the moment of definition*. The
//! second is what shapes are compared by: after `Cfg.n` is written, a buffer of extent `Cfg.n` keeps
//! the extent it had. Spec: [rule: type.env], [rule: type.shape-equality].

use super::linear::{Atom, ConfigAtom, Epoch, Linear, NotLinear};
use super::{ArgType, ArrayKind, BufferType, ControlType, FieldType, MemName};
use crate::ast::{
    Arg, Block, Config, ConfigField, Expr, ExprKind, Literal, Proc, Stmt, StmtKind, WinCoord, WindowExpr,
};
use crate::build;
use crate::span::Span;
use crate::sym::{Name, Sym};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The type of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VarType {
    /// An argument or a loop variable: immutable.
    Control(ControlType),
    /// A scalar, a tensor or a window.
    Buffer {
        /// What it is.
        typ: BufferType,
        /// Where it lives; a window lives where its buffer does.
        mem: MemName,
    },
}

/// Extents in linear normal form when the buffer was made; `None` where the extent is ill-typed.
pub type Extents = Arc<[Option<Linear>]>;

/// Which block of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The body of a loop, the then-branch of an `if`.
    Body,
    /// The else-branch of an `if`.
    Orelse,
}

/// The names in scope with their types.
#[derive(Clone, Debug, Default)]
pub struct TypeEnv {
    vars: im::GenericHashMap<Sym, Arc<Binding>, FxBuildHasher, im::shared_ptr::DefaultSharedPtr>,
    epochs: im::OrdMap<(Name, Name), Epoch>,
    /// Whether a form kept here depends on a configuration field: before that, writes to fields (which
    /// have to be looked for in callees) change nothing.
    depends_on_state: bool,
}

#[derive(Clone, Debug)]
struct Binding {
    typ: VarType,
    extents: Extents,
    span: Span,
}

impl TypeEnv {
    /// No name in scope.
    pub fn new() -> TypeEnv {
        TypeEnv::default()
    }

    /// At the head of a procedure's body: its arguments are in scope.
    pub fn of_proc(p: &Proc) -> TypeEnv {
        TypeEnv::of_args(&p.args)
    }

    /// The arguments alone. Control first: extents may mention later control arguments.
    pub fn of_args(args: &[Arg]) -> TypeEnv {
        let mut env = TypeEnv::new();
        for arg in args {
            if let ArgType::Control(t) = arg.typ {
                env.bind_control(arg.name, t, arg.span);
            }
        }
        for arg in args {
            if let ArgType::Data { typ, mem } = &arg.typ {
                env.bind_buffer(arg.name, typ.clone(), *mem, arg.span);
            }
        }
        env
    }

    /// At the head of a block of `s`, where this environment is the one before `s`.
    #[must_use]
    pub fn within(&self, s: &Stmt, part: Part) -> TypeEnv {
        let mut env = self.clone();
        match (&*s.kind, part) {
            (StmtKind::For { iter, body, .. }, _) => {
                env.forget_configs_written_by(body);
                env.bind_control(*iter, ControlType::Index, s.span);
            }
            (
                StmtKind::If { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. },
                _,
            ) => {}
        }
        env
    }

    /// Past `s`, in the same block.
    #[must_use]
    pub fn after(&self, s: &Stmt) -> TypeEnv {
        let mut env = self.clone();
        env.pass(s);
        env
    }

    /// [`TypeEnv::after`], in place.
    pub fn pass(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::Alloc { name, typ, mem } => self.bind_buffer(*name, typ.clone(), *mem, s.span),
            StmtKind::WindowStmt { name, rhs } => self.bind_window(*name, rhs, s.span),
            StmtKind::WriteConfig { config, field, rhs: _ } => self.advance(config, *field),
            StmtKind::Call { .. } | StmtKind::If { .. } | StmtKind::For { .. } => {
                self.forget_configs_written_by([s]);
            }
            StmtKind::Assign { .. } | StmtKind::Reduce { .. } | StmtKind::Pass => {}
        }
    }

    /// The variables in scope, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = Sym> {
        self.vars.keys().copied()
    }

    /// The type of a variable in scope.
    pub fn get(&self, x: Sym) -> Option<&VarType> {
        Some(&self.vars.get(&x)?.typ)
    }

    /// The type of a buffer in scope; `None` for control variables too.
    pub fn buffer(&self, x: Sym) -> Option<&BufferType> {
        match self.get(x)? {
            VarType::Buffer { typ, .. } => Some(typ),
            VarType::Control(_) => None,
        }
    }

    /// Where a buffer in scope lives.
    pub fn memory(&self, x: Sym) -> Option<MemName> {
        match self.get(x)? {
            VarType::Buffer { mem, .. } => Some(*mem),
            VarType::Control(_) => None,
        }
    }

    /// The type of a control variable in scope; `None` for buffers too.
    pub fn control(&self, x: Sym) -> Option<ControlType> {
        match self.get(x)? {
            VarType::Control(t) => Some(*t),
            VarType::Buffer { .. } => None,
        }
    }

    /// Where a variable in scope was bound.
    pub fn declared_at(&self, x: Sym) -> Option<Span> {
        Some(self.vars.get(&x)?.span)
    }

    /// The extents that a buffer in scope was made with.
    pub fn extents(&self, x: Sym) -> Option<Extents> {
        Some(Arc::clone(&self.vars.get(&x)?.extents))
    }

    /// Brings a control variable into scope.
    pub fn bind_control(&mut self, x: Sym, typ: ControlType, span: Span) {
        self.vars.insert(x, Arc::new(Binding { typ: VarType::Control(typ), extents: Arc::from([]), span }));
    }

    /// Brings a buffer into scope.
    pub fn bind_buffer(&mut self, x: Sym, typ: BufferType, mem: MemName, span: Span) {
        let extents: Extents =
            typ.shape.iter().map(|e| self.linear(e).ok().filter(|l| !is_below(l, 1))).collect();
        self.keep(extents.iter().flatten());
        self.vars.insert(x, Arc::new(Binding { typ: VarType::Buffer { typ, mem }, extents, span }));
    }

    /// Brings a window into scope; nothing when what it shows is not a buffer in scope of that rank.
    pub fn bind_window(&mut self, y: Sym, w: &WindowExpr, span: Span) {
        let (Some(typ), Some(mem)) = (self.window_type(w), self.memory(w.name)) else { return };
        let extents = self.window_extents(w);
        self.keep(extents.iter().flatten());
        self.vars.insert(y, Arc::new(Binding { typ: VarType::Buffer { typ, mem }, extents, span }));
    }

    /// The type of `x[w, …]`: a window, one dimension per interval, of extent `hi - lo` simplified.
    /// `None` when `x` is not a buffer in scope of as many dimensions.
    pub fn window_type(&self, w: &WindowExpr) -> Option<BufferType> {
        let base = self.buffer(w.name)?;
        if base.rank() != w.idx.len() {
            return None;
        }
        let extents = intervals(w).map(|(lo, hi)| self.difference(hi, lo));
        Some(BufferType { elem: base.elem, shape: extents.collect(), kind: ArrayKind::Window })
    }

    /// The extents of `x[w, …]` in linear normal form, here and now.
    pub fn window_extents(&self, w: &WindowExpr) -> Extents {
        let extent = |(lo, hi)| self.linear(hi).ok()?.minus(&self.linear(lo).ok()?).ok();
        intervals(w).map(|i| extent(i).filter(|l| !is_below(l, 0))).collect()
    }

    /// The linear normal form of an integer, here and now: comparable with what this environment keeps,
    /// not with forms taken elsewhere when configuration fields are read. Errors: also [`NotLinear::NotControl`] where
    /// a part of it is a stride, a boolean, data or a buffer.
    pub fn linear(&self, e: &Expr) -> Result<Linear, NotLinear> {
        let l = Linear::of_at(e, &|config, field| self.epoch(config, field))?;
        if l.all_atoms(&|a| self.is_integer(a)) { Ok(l) } else { Err(NotLinear::NotControl) }
    }

    /// Whether an atom is an integer, as far as it is known.
    fn is_integer(&self, a: &Atom) -> bool {
        match a {
            Atom::Var(x) => match self.get(*x) {
                Some(VarType::Control(t)) => t.is_indexable(),
                Some(VarType::Buffer { .. }) => false,
                None => true,
            },
            Atom::Stride(..) => false,
            Atom::Config(ConfigAtom { config, field, epoch: _ }) => match config.field(*field) {
                Some(ConfigField { typ: FieldType::Control(t), .. }) => t.is_indexable(),
                Some(ConfigField { typ: FieldType::Data(_), .. }) | None => false,
            },
            Atom::Div(..) => true,
        }
    }

    /// `hi - lo`, as written where there is nothing to subtract.
    fn difference(&self, hi: &Expr, lo: &Expr) -> Expr {
        if lo.kind == ExprKind::Lit(Literal::Int(0)) {
            return hi.clone();
        }
        match (self.linear(hi), self.linear(lo)) {
            (Ok(h), Ok(l)) => {
                h.minus(&l).map_or_else(|_| build::sub(hi.clone(), lo.clone()), |d| d.to_expr())
            }
            (Err(_), _) | (_, Err(_)) => build::sub(hi.clone(), lo.clone()),
        }
    }

    /// Notes whether forms that are about to be kept depend on configuration fields.
    fn keep<'a>(&mut self, forms: impl IntoIterator<Item = &'a Linear>) {
        let stateless = |l: &Linear| l.all_atoms(&|a| !matches!(a, Atom::Config(_)));
        self.depends_on_state = self.depends_on_state || !forms.into_iter().all(stateless);
    }

    fn epoch(&self, config: &Config, field: Name) -> Epoch {
        self.epochs.get(&(config.name, field)).copied().unwrap_or(0)
    }

    fn advance(&mut self, config: &Config, field: Name) {
        let next = self.epoch(config, field).saturating_add(1);
        self.epochs.insert((config.name, field), next);
    }

    fn forget_configs_written_by<'a>(&mut self, stmts: impl IntoIterator<Item = &'a Stmt>) {
        if !self.depends_on_state {
            return;
        }
        let mut written = ConfigWrites::default();
        stmts.into_iter().for_each(|s| written.stmt(s));
        for key in written.fields {
            let next = self.epochs.get(&key).map_or(1, |n| n.saturating_add(1));
            self.epochs.insert(key, next);
        }
    }
}

/// Whether a form is a constant below a bound.
fn is_below(l: &Linear, bound: i64) -> bool {
    l.as_constant().is_some_and(|n| n < bound)
}

/// The intervals of a window, without its points.
fn intervals(w: &WindowExpr) -> impl Iterator<Item = (&Expr, &Expr)> {
    w.idx.iter().filter_map(|c| match c {
        WinCoord::Interval(lo, hi) => Some((lo, hi)),
        WinCoord::Point(_) => None,
    })
}

/// The configuration fields that statements may write, through calls too.
#[derive(Default)]
struct ConfigWrites {
    fields: BTreeSet<(Name, Name)>,
    callees: FxHashSet<*const Proc>,
}

impl ConfigWrites {
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        super::deep(|| match &*s.kind {
            StmtKind::WriteConfig { config, field, rhs: _ } => {
                self.fields.insert((config.name, *field));
            }
            StmtKind::If { cond: _, body, orelse } => {
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { body, .. } => self.block(body),
            StmtKind::Call { proc, args: _ } => {
                if self.callees.insert(Arc::as_ptr(proc)) {
                    self.block(&proc.body);
                }
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => {}
        });
    }
}
