//! The denotational interpreter: `E⟦e⟧σ`, `S⟦s⟧σ`, `P⟦p⟧σ`. PLDI'22 App. A; spec: [rule: denotation].
//!
//! A program is first resolved (`code`): names become slots, nothing else changes. The rules then are
//! one function each, over a store in use: expressions in `expr`, statements in `stmt`, procedures and
//! calls in `call`. Error stores are [`Fault`]s; a rule that meets one hands it on, which is the lifting
//! of PLDI'22 Def. A.9. `race` watches `par` loops.
//!
//! The interpreter ends on every program and input: evaluation takes the time the program asks for, at
//! most [`Limits::statements`] statements, whatever the nesting.

mod call;
mod code;
mod domains;
mod expr;
pub mod fault;
mod fused;
mod precision;
mod race;
mod resolve;
mod state;
mod stmt;
mod trace;

pub use fault::{Fault, FaultClass, FaultKind, Location};
pub use race::AccessMode;
pub use trace::{Access, Iteration, Trace};

use crate::ast::{Block, Expr, Proc, Stmt};
use crate::data::DataDomain;
use crate::span::Span;
use crate::store::Store;
use crate::types::DataType;
use crate::value::{Control, Val};
use code::{ProcSlot, Unit};
pub(crate) use resolve::deeper;

use fault::Run;
use resolve::{Binding, Resolver, UnitBuilder};
use state::{Frame, State};
use trace::Tracer;

/// How much a run may take before the interpreter gives up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Statement instances; `None` for any number.
    pub statements: Option<u64>,
    /// Cells that the program's own allocations may have at once.
    pub cells: u64,
    /// Is asked every now and then whether to stop, as when the limit is reached.
    pub stop: Option<fn() -> bool>,
}

impl Default for Limits {
    /// Any number of statements, and 64 Mi cells.
    fn default() -> Limits {
        Limits { statements: None, cells: 1 << 26, stop: None }
    }
}

impl Limits {
    /// At most this many statement instances.
    pub fn statements(limit: u64) -> Limits {
        Limits { statements: Some(limit), ..Limits::default() }
    }
}

/// The store after a run.
#[derive(Clone, Debug)]
pub struct Outcome<V: Clone> {
    /// The store.
    pub store: Store<V>,
    /// How many statement instances were executed.
    pub statements: u64,
}

/// The denotation of a procedure, resolved once and applied to any number of stores.
pub struct Denotation<D: DataDomain> {
    unit: Unit<D::Value>,
    proc: ProcSlot,
}

/// A domain that procedures are interpreted in. It has its interpreter in a `static` of its crate, so that it is compiled there,
/// once, and not in each crate that runs programs.
pub trait Interpreted: DataDomain + Sized + 'static {
    /// The domain's.
    fn interpreter() -> &'static Interpreter<Self>;
}

/// The interpreter in a domain.
#[derive(Debug)]
pub struct Interpreter<D: DataDomain> {
    resolve: fn(&Proc) -> Denotation<D>,
    run: Runs<D>,
}

/// Applies a denotation to arguments in a store: how many statement instances were executed, and what they touched, where that is
/// to be traced. The store of an error is what is left of it.
type Runs<D> = fn(
    &Denotation<D>,
    &[Val<<D as DataDomain>::Value>],
    &mut Store<<D as DataDomain>::Value>,
    Limits,
    Option<Box<Tracer>>,
) -> Result<(u64, Option<Box<Tracer>>), Box<Fault>>;

impl<D: DataDomain> Interpreter<D> {
    /// For the `static` of a domain.
    #[expect(clippy::new_without_default, reason = "a constant has no default")]
    pub const fn new() -> Interpreter<D> {
        Interpreter { resolve: resolved, run }
    }
}

impl<D: Interpreted> Denotation<D> {
    /// The denotation of a procedure. Never fails: what has no meaning is ε_τ when it is reached.
    pub fn of(p: &Proc) -> Denotation<D> {
        (D::interpreter().resolve)(p)
    }

    /// `P⟦p⟧(heap(σ)[arg_i ↦ v_i])`, with σ's own locals afterwards.
    ///
    /// # Errors
    /// The error store, as a [`Fault`]: precondition, bounds, race, limit, or a sort mistaken.
    pub fn call(
        &self,
        args: &[Val<D::Value>],
        mut st: Store<D::Value>,
        limits: Limits,
    ) -> Result<Outcome<D::Value>, Box<Fault>> {
        let (statements, _) = (D::interpreter().run)(self, args, &mut st, limits, None)?;
        Ok(Outcome { store: st, statements })
    }

    /// What such a call touches. Spec: [rule: run.trace].
    ///
    /// # Errors
    /// Those of the call.
    pub fn trace(
        &self,
        args: &[Val<D::Value>],
        mut st: Store<D::Value>,
        limits: Limits,
    ) -> Result<Trace, Box<Fault>> {
        let (_, tracer) = (D::interpreter().run)(self, args, &mut st, limits, Some(Box::default()))?;
        Ok(tracer.map(|t| t.trace).unwrap_or_default())
    }
}

fn resolved<D: DataDomain>(p: &Proc) -> Denotation<D> {
    let mut builder = UnitBuilder::<D>::new();
    let proc = builder.proc(p);
    Denotation { unit: builder.finish(), proc }
}

fn run<D: DataDomain>(
    denotation: &Denotation<D>,
    args: &[Val<D::Value>],
    st: &mut Store<D::Value>,
    limits: Limits,
    tracer: Option<Box<Tracer>>,
) -> Result<(u64, Option<Box<Tracer>>), Box<Fault>> {
    let p = &denotation.unit.procs[denotation.proc.0];
    check_windows(st, args.iter(), p.span)?;
    let mut state: State<'_, D> = State::enter(&denotation.unit, st, limits);
    state.frame = Frame::new(p.ctl_slots, p.buf_slots);
    state.known =
        p.formals.iter().zip(args).filter_map(|(f, v)| Some((f.name(), v.window()?.clone()))).collect();
    state.tracer = tracer;
    state.call_proc(p, args)?;
    let done = (state.statements, state.tracer.take());
    state.leave(st);
    Ok(done)
}

/// `P⟦p⟧` applied to arguments and a store: see [`Denotation::call`].
///
/// # Errors
/// The error store.
pub fn call_proc<D: Interpreted>(
    p: &Proc,
    args: &[Val<D::Value>],
    st: Store<D::Value>,
    limits: Limits,
) -> Result<Outcome<D::Value>, Box<Fault>> {
    Denotation::<D>::of(p).call(args, st, limits)
}

/// `S⟦s⟧σ`. What `s` itself binds (an allocation, a window) is in the locals afterwards.
///
/// # Errors
/// The error store.
pub fn exec_stmt<D: DataDomain>(
    s: &Stmt,
    st: Store<D::Value>,
    limits: Limits,
) -> Result<Outcome<D::Value>, Box<Fault>> {
    exec_block::<D>(&Block::unit(s.clone()), st, limits)
}

/// `S⟦s1; s2; …⟧σ`. What the statements themselves bind is in the locals afterwards.
///
/// # Errors
/// The error store.
pub fn exec_block<D: DataDomain>(
    b: &Block,
    mut st: Store<D::Value>,
    limits: Limits,
) -> Result<Outcome<D::Value>, Box<Fault>> {
    check_windows(&st, st.locals().map(|(_, v)| v), Span::NONE)?;
    let mut builder = UnitBuilder::<D>::new();
    let (body, layout) = resolve_in(&mut builder, &st, |r| r.open_block(b));
    let unit = builder.finish();
    let mut state: State<'_, D> = State::enter(&unit, &mut st, limits);
    state.frame = layout.frame(&st);
    state.known = st.locals().filter_map(|(x, v)| Some((x.name(), v.window()?.clone()))).collect();
    state.exec_open_block(&body)?;
    let (statements, frame) = (state.statements, state.frame.clone());
    state.leave(&mut st);
    layout.write_back(&frame, &mut st);
    Ok(Outcome { store: st, statements })
}

/// `E⟦e⟧σ`. A buffer of rank 0 gives its value, a larger one the window that shows it.
///
/// # Errors
/// ε_m or ε_τ with its explanation; [`Fault::value`] is the value alone.
pub fn eval_expr<D: DataDomain>(e: &Expr, st: &Store<D::Value>) -> Result<Val<D::Value>, Box<Fault>> {
    let mut st = st.clone();
    check_windows(&st, st.locals().map(|(_, v)| v), e.span)?;
    let mut builder = UnitBuilder::<D>::new();
    let (code, layout) = resolve_in(&mut builder, &st, |r| r.any(e));
    let unit = builder.finish();
    let mut state: State<'_, D> = State::enter(&unit, &mut st, Limits::default());
    state.frame = layout.frame(&st);
    state.eval_expr(&code)
}

/// Where the locals of a store are in a frame.
struct Layout {
    bindings: Vec<(crate::sym::Sym, Binding)>,
    controls: usize,
    windows: usize,
}

/// Resolves something in the scope of a store's locals.
fn resolve_in<D: DataDomain, T>(
    builder: &mut UnitBuilder<D>,
    st: &Store<D::Value>,
    resolve: impl FnOnce(&mut Resolver<'_, D>) -> T,
) -> (T, Layout) {
    let mut resolver = Resolver::new(builder);
    for (x, value) in st.locals() {
        match value {
            Val::Window(w) => {
                let elem = st.buffer(w.loc).map_or(DataType::R, |b| b.elem);
                resolver.bind_buffer(x, elem, w.dims.len());
            }
            Val::Int(_) | Val::Bool(_) | Val::Data(_) | Val::Exceptional(_) => {
                resolver.bind_control(x);
            }
        }
    }
    let code = resolve(&mut resolver);
    let bindings = resolver.scope().collect();
    (code, Layout { bindings, controls: resolver.ctl_slots(), windows: resolver.buf_slots() })
}

impl Layout {
    /// The locals of a store as a frame.
    fn frame<V: Clone>(&self, st: &Store<V>) -> Frame {
        let mut frame = Frame::new(self.controls, self.windows);
        for (x, binding) in &self.bindings {
            match (binding, st.local(*x)) {
                (Binding::Control(slot), Some(Val::Int(n))) => frame.controls[slot.0] = Control::Int(*n),
                (Binding::Control(slot), Some(Val::Bool(b))) => frame.controls[slot.0] = Control::Bool(*b),
                (Binding::Buffer(slot, ..), Some(Val::Window(w))) => frame.windows[slot.0] = w.clone(),
                (Binding::Control(_) | Binding::Buffer(..), _) => {}
            }
        }
        frame
    }

    /// The frame as locals of a store.
    fn write_back<V: Clone>(&self, frame: &Frame, st: &mut Store<V>) {
        for (x, binding) in &self.bindings {
            let value = match binding {
                Binding::Control(slot) => frame.controls[slot.0].into(),
                Binding::Buffer(slot, ..) => Val::Window(frame.windows[slot.0].clone()),
            };
            st.bind(*x, value);
        }
    }
}

/// Whether all windows show cells that exist, each its own: what the rules may then rely on.
fn check_windows<'v, V: Clone + 'v>(
    st: &Store<V>,
    values: impl Iterator<Item = &'v Val<V>>,
    span: Span,
) -> Run<()> {
    for value in values {
        let Val::Window(w) = value else { continue };
        let fits = st.buffer(w.loc).is_some_and(|b| w.fits(b.cells().len()));
        if !fits {
            return Err(Fault::ill_typed(span, "a window given to the program leaves its buffer"));
        }
    }
    Ok(())
}
