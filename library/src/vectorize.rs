//! Loops into vectors: one function of a loop, a target and a few choices. ASPLOS'25 §6.1.1, App. B.
//! Spec: [rule: library.vectorize].

use crate::inspect;
use crate::ops::{
    fission_into_singles, hoist, interleave, lanes_for_reductions, stage_operations, sums_per_iteration,
};
use crate::refusal::{During, refuse};
use crate::target::{Lanes, Op, Shape, Target, shape_of};
use rewright_primitives::cursor::{At, CursorKind};
use rewright_primitives::error::Result;
use rewright_primitives::hof::is_caught;
use rewright_primitives::{Cursor, Proc, ops};
use rewright_semantics::ast::{Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::fold;

const VECTORIZE: &str = "vectorize";

/// What becomes of the iterations that do not fill a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// There are none: the length is a multiple of the lanes.
    Perfect,
    /// A last vector in which only the first lanes work.
    Masked,
    /// Every vector asks which of its lanes work.
    Predicated,
    /// They stay as they were, one by one.
    Scalar,
}

/// The choices of [`vectorize`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// What becomes of the last iterations.
    pub tail: Tail,
    /// How many vectors are done beside each other, each with sums of its own. 1 is one after the other.
    pub interleave: i64,
    /// Whether a product and a sum are one operation where the target has it.
    pub fma: bool,
}

impl Options {
    /// What a target does best: masks where it has them, fused multiply-adds, one vector after the other.
    pub fn of(target: &Target) -> Options {
        let tail = if target.has_masks() { Tail::Masked } else { Tail::Scalar };
        Options { tail, interleave: 1, fma: true }
    }

    /// With so many vectors beside each other.
    #[must_use]
    pub fn interleaved(self, interleave: i64) -> Options {
        Options { interleave, ..self }
    }

    /// With another tail.
    #[must_use]
    pub fn with_tail(self, tail: Tail) -> Options {
        Options { tail, ..self }
    }
}

/// Makes a loop one over vectors of a target, in its instructions. What the loop adds up is added up lane by lane.
///
/// The loop has assignments and reductions in its body, and buffers of its own. It may stand anywhere in the procedure.
/// The cursor given back is at the loop over vectors; what is left over stands after that. For a target without
/// instructions the loops over lanes stay, for a C compiler.
///
/// ```
/// # use rewright_library::{Options, Target, definitions::Definitions, vectorize};
/// # use rewright_semantics::types::DataType;
/// # let machine = |name| rewright_machines::MACHINES.iter().copied().find(|m| m.name == name).expect("it is there");
/// let d = Definitions::of("
/// @proc
/// def axpy(n: size, a: f32, x: f32[n], y: f32[n]):
///     for i in seq(0, n):
///         y[i] += a * x[i]
/// ");
/// let axpy = d.proc("axpy");
/// let target = Target::of(machine("avx512"), DataType::F32)?;
/// let (fast, _) = vectorize(&axpy, "i", &target, Options::of(&target).interleaved(4))?;
/// assert!(fast.find("mm512_fmadd_ps(_)").is_ok() && fast.find("mm512_mask_fmadd_ps(_)").is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The iterations depend on each other otherwise than by sums, or the target has no instruction for an operation: the
/// refusal names the step, and the operation.
pub fn vectorize(p: &Proc, at: impl Into<At>, target: &Target, options: Options) -> Result<(Proc, Cursor)> {
    let at = place(p, at.into())?;
    let v = Vectorizer { target, options, at: &at };
    let leaves_some = inspect::trip_count(&at).is_some_and(|n| n % target.lanes() != 0);
    let p = v.divided(p)?;
    // There is no guard where it is known that some are left over.
    let after = p.forward(&at)?.next(1).ok();
    let rest = after.filter(|c| options.tail == Tail::Masked && (c.is_if() || leaves_some));
    let (p, blocks) = v.interleaved(&p)?;
    if !target.has_instructions() {
        let p = p.simplify()?;
        let vectors = p.forward(&at)?;
        return Ok((p, vectors));
    }
    let loops = v.lane_loops(&p, blocks.as_ref(), rest.as_ref())?;
    let p = loops.iter().try_fold(p, |p, l| v.operations(&p, l))?;
    let p = to_instructions(&p, target)?;
    let (p, vectors, beside) = v.hoisted(&p, blocks.as_ref())?;
    let p = match (beside, blocks) {
        (Some(beside), Some(blocks)) => v.jammed(&p, &beside, &blocks.iter)?,
        (Some(_) | None, _) => p,
    };
    let p = p.simplify()?;
    let vectors = p.forward(&vectors)?;
    Ok((p, vectors))
}

/// The loop that is pointed at.
fn place(p: &Proc, at: At) -> Result<Cursor> {
    Ok(match at {
        At::Pattern(text) => p.find_loop(&text)?,
        At::Cursor(c) => p.forward(&c)?,
    })
}

struct Vectorizer<'a> {
    target: &'a Target,
    options: Options,
    /// The loop, as it was and later over vectors.
    at: &'a Cursor,
}

/// A loop over lanes, and which of them work in it.
struct LaneLoop {
    at: Cursor,
    lanes: Lanes,
}

/// The inner loop of vectors beside each other, and the loop of those that are left over.
struct Blocks {
    beside: Cursor,
    rest: Option<Cursor>,
    iter: String,
}

impl Vectorizer<'_> {
    fn is_whole(&self, at: &Cursor) -> bool {
        inspect::trip_count(at).is_some_and(|n| n % self.target.lanes() == 0)
    }

    /// A loop over vectors around one over lanes, with sums in lanes.
    fn divided(&self, p: &Proc) -> Result<Proc> {
        let lanes = self.target.lanes();
        let memory = self.target.memory();
        let p = self.zero_based(p)?;
        let here = p.forward(self.at)?;
        if let (Some(n), Tail::Masked | Tail::Scalar) = (inspect::trip_count(&here), self.options.tail)
            && n < lanes
        {
            let why = format!("{} runs {n} times, which fills no vector of {lanes} lanes", here.describe());
            return refuse(VECTORIZE, "dividing the loop by the lanes", why);
        }
        let tail = match self.options.tail {
            Tail::Perfect => ops::Tail::Perfect,
            Tail::Masked | Tail::Scalar if self.is_whole(&here) => ops::Tail::Perfect,
            Tail::Masked => ops::Tail::CutAndGuard,
            Tail::Scalar => ops::Tail::Cut,
            Tail::Predicated => ops::Tail::Guard,
        };
        let p = if tail == ops::Tail::CutAndGuard {
            lanes_for_reductions(&p, self.at, lanes, memory)?
        } else {
            p
        };
        let here = p.forward(self.at)?;
        let name = here.name()?;
        let names = [format!("{name}o"), format!("{name}i")];
        let p = p
            .divide_loop(here, lanes, [&names[0], &names[1]], tail)
            .during(VECTORIZE, "dividing the loop by the lanes")?;
        let p = p.simplify()?;
        if tail == ops::Tail::CutAndGuard {
            Ok(p)
        } else {
            sums_per_iteration(&p, self.at, memory)?.simplify()
        }
    }

    fn zero_based(&self, p: &Proc) -> Result<Proc> {
        let here = p.forward(self.at)?;
        if !here.is_loop() {
            return refuse(VECTORIZE, "looking at the loop", format!("{} is not a loop", here.describe()));
        }
        let lo = here.lo()?.expr()?;
        if fold::as_int(&lo) == Some(0) { Ok(p.clone()) } else { p.shift_loop(here, 0)?.simplify() }
    }

    /// Vectors beside each other, each with sums of its own.
    fn interleaved(&self, p: &Proc) -> Result<(Proc, Option<Blocks>)> {
        let factor = self.options.interleave;
        if factor <= 1 {
            return Ok((p.clone(), None));
        }
        let here = p.forward(self.at)?;
        let name = here.name()?;
        let names = [format!("{name}o"), format!("{name}m")];
        let whole = inspect::trip_count(&here).is_some_and(|n| n % factor == 0);
        let tail = if whole { ops::Tail::Perfect } else { ops::Tail::Cut };
        let p = p
            .divide_loop(here, factor, [&names[0], &names[1]], tail)
            .during(VECTORIZE, "dividing the loop over vectors")?;
        let p = p.simplify()?;
        let rest = if whole { None } else { Some(p.forward(self.at)?.next(1)?) };
        let p = sums_per_iteration(&p, self.at, self.target.memory())?.simplify()?;
        let beside = p.forward(self.at)?.body()?.at(0)?;
        let iter = names[1].clone();
        Ok((p, Some(Blocks { beside, rest, iter })))
    }

    /// The loops over lanes whose statements are to become instructions; `rest` is what does the last iterations.
    fn lane_loops(&self, p: &Proc, blocks: Option<&Blocks>, rest: Option<&Cursor>) -> Result<Vec<LaneLoop>> {
        let all = if self.options.tail == Tail::Predicated { Lanes::Below } else { Lanes::All };
        let mut around = vec![match blocks {
            Some(blocks) => p.forward(&blocks.beside)?,
            None => p.forward(self.at)?,
        }];
        if let Some(rest) = blocks.and_then(|b| b.rest.as_ref()) {
            around.push(p.forward(rest)?);
        }
        let mut out = Vec::new();
        for at in around {
            out.push(LaneLoop { at: at.body()?.at(0)?, lanes: all });
        }
        if let Some(rest) = rest {
            let rest = p.forward(rest)?;
            let at = if rest.is_if() { rest.body()?.at(0)? } else { rest };
            out.push(LaneLoop { at, lanes: Lanes::First });
        }
        Ok(out)
    }

    /// The statements of a loop over lanes, each an operation in a loop of its own.
    fn operations(&self, p: &Proc, l: &LaneLoop) -> Result<Proc> {
        let (p, around) = stage_operations(p, &l.at, self.target, l.lanes, self.options.fma)
            .during(VECTORIZE, "taking the computation apart")?;
        let (p, singles) = fission_into_singles(&p, &around, Some(self.target.lanes()))
            .during(VECTORIZE, "giving each operation a loop")?;
        for one in &singles {
            self.check(&p.forward(one)?, l.lanes)?;
        }
        Ok(p)
    }

    /// That a loop is an instruction.
    fn check(&self, at: &Cursor, lanes: Lanes) -> Result<()> {
        let Some(shape) = shape_in(at, self.target) else {
            return refuse(
                VECTORIZE,
                "finding instructions",
                format!("{} is no operation in lanes", at.describe()),
            );
        };
        if self.target.by_shape(&shape, lanes).is_some() || shape == Shape::new("M = L") {
            return Ok(());
        }
        let which = match lanes {
            Lanes::All => "all",
            Lanes::First => "the first",
            Lanes::Below => "those below a bound",
            Lanes::Last => "the last",
        };
        let (name, precision) = (self.target.name(), self.target.precision());
        let why =
            format!("{name} has no instruction that does `{shape}` in {which} of its lanes of {precision}");
        refuse(VECTORIZE, "finding instructions", why)
    }

    /// Numbers, and broadcasts of what is the same for all vectors, go to before the loop. The cursors given back are at the loop over
    /// vectors, and at that of vectors beside each other.
    fn hoisted(&self, p: &Proc, blocks: Option<&Blocks>) -> Result<(Proc, Cursor, Option<Cursor>)> {
        let vectors = p.forward(self.at)?;
        let beside = blocks.map(|b| p.forward(&b.beside)).transpose()?;
        let inner = beside.as_ref().unwrap_or(&vectors);
        let stays = inner.body()?.at(-1)?;
        let set = self.target.instruction(Op::Broadcast, Lanes::All).map(Proc::name);
        let calls =
            set.map(|name| inner.find_all(&format!("{name}(_)")).unwrap_or_default()).unwrap_or_default();
        let is_number = |c: &Cursor| {
            c.kind() == CursorKind::Assign && c.rhs().is_ok_and(|e| e.kind() == CursorKind::Literal)
        };
        let numbers = inner.body()?.stmts()?.into_iter().filter(is_number);
        let depth = if beside.is_some() { 2 } else { 1 };
        let mut p = p.clone();
        for call in numbers.chain(calls).filter(|c| *c != stays) {
            for _ in 0..depth {
                match hoist(&p, &call) {
                    Ok((next, _)) => p = next,
                    Err(e) if is_caught(&e) => break,
                    Err(bug) => return Err(bug),
                }
            }
        }
        let inner = p.forward(&stays)?.parent()?;
        Ok(match beside {
            Some(_) => (p, inner.parent()?, Some(inner)),
            None => (p, inner, None),
        })
    }

    /// Vectors beside each other, instruction by instruction.
    fn jammed(&self, p: &Proc, beside: &Cursor, iter: &str) -> Result<Proc> {
        let p = interleave(p, beside).during(VECTORIZE, "putting vectors beside each other")?;
        // What clears sums and adds them up.
        let all = p.find_all(&format!("for {iter} in _: _")).unwrap_or_default();
        all.iter().try_fold(p, |p, at| {
            let here = p.forward(at)?;
            let constant = inspect::trip_count(&here).is_some();
            if constant { p.unroll_loop(here) } else { Ok(p) }
        })
    }
}

/// Puts instructions of a target in place of all loops over lanes that are one.
///
/// # Errors
/// A loop does what an instruction does, and cannot be replaced by it: the cells are not beside each other.
pub fn to_instructions(p: &Proc, target: &Target) -> Result<Proc> {
    let loops = inspect::inner_loops(&p.body()?);
    let mut p = p.clone();
    for at in loops.iter().filter(|c| inspect::inner_loops(c).is_empty()) {
        let here = p.forward(at)?;
        let found =
            shape_in(&here, target).and_then(|shape| target.by_shape(&shape, lanes_of(&here, target)));
        if let Some(instruction) = found {
            p = p
                .replace(here, instruction)
                .during(VECTORIZE, "putting an instruction in place of a loop")?;
        }
    }
    Ok(p)
}

/// Which lanes a loop with one operation works on.
fn lanes_of(at: &Cursor, target: &Target) -> Lanes {
    let guarded = at.body().and_then(|b| b.at(0)).is_ok_and(|s| s.kind() == CursorKind::If);
    let bound = |c: Result<Cursor>| c.ok().and_then(|c| c.expr().ok()).and_then(|e| fold::as_int(&e));
    let (lo, hi) = (bound(at.lo().map_err(Into::into)), bound(at.hi().map_err(Into::into)));
    match inspect::trip_count(at) {
        _ if hi == Some(target.lanes()) && lo != Some(0) => Lanes::Last,
        Some(n) if n == target.lanes() && guarded => Lanes::Below,
        Some(n) if n == target.lanes() => Lanes::All,
        Some(_) | None => Lanes::First,
    }
}

/// The shape of the one statement of a loop, below a guard or not.
fn shape_in(at: &Cursor, target: &Target) -> Option<Shape> {
    let lane = at.sym().ok()?;
    let only = only_statement(&at.stmt().ok()?)?;
    let p = at.proc();
    let lookup = |x: Sym| inspect::buffer(p, x).map(|b| target.home(b.memory, b.elem));
    shape_of(&only, lane, &lookup)
}

fn only_statement(s: &Stmt) -> Option<Stmt> {
    let body = match s.kind.as_ref() {
        StmtKind::For { body, .. } => body,
        StmtKind::If { body, orelse, .. } if orelse.is_empty() => body,
        StmtKind::If { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => return None,
    };
    let only = body.get(0).filter(|_| body.len() == 1)?;
    match only.kind.as_ref() {
        StmtKind::If { .. } => only_statement(only),
        StmtKind::For { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => Some(only.clone()),
    }
}
