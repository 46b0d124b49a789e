//! Halide's directives on loop nests. Each names stages by the buffers that they write and loops by their variables, and
//! is made of primitives: a refusal names the directive, its step, and what the primitive said.

use super::footprint::{self, Range};
use crate::refusal::{During, refuse};
use crate::{Options, Target, inspect, ops};
use rewright_primitives::error::Result;
use rewright_primitives::hof::is_caught;
use rewright_primitives::ops::{Indices, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::syntax::fold;
use rewright_semantics::types::linear::{Atom, Linear};

const COMPUTE: &str = "compute_at";
const STORE: &str = "store_at";

/// The last statement that writes a stage's buffer.
fn written(p: &Proc, stage: &str) -> Result<Cursor> {
    match inspect::writers(&p.body()?, stage).pop() {
        Some(last) => Ok(last),
        None => refuse("stage", "looking for it", format!("nothing writes `{stage}`")),
    }
}

/// The loop of a stage with this variable.
fn loop_of(p: &Proc, stage: &str, iter: &str) -> Result<Cursor> {
    let around = inspect::enclosing_loops(&written(p, stage)?);
    match around.into_iter().find(|l| l.name().is_ok_and(|n| n.as_str() == iter)) {
        Some(found) => Ok(found),
        None => refuse("stage", "looking for a loop", format!("`{stage}` is in no loop over `{iter}`")),
    }
}

/// Divides loops of a stage, the outermost first, each by its number, and brings the inner parts together: `y` becomes
/// `yo` and `yi`.
///
/// ```text
/// for y in seq(0, 8):              for yo in seq(0, 2):
///     for x in seq(0, 6):              for xo in seq(0, 2):
///         b[y, x] = a[y, x]    ~>          for yi in seq(0, 4):
///                                              for xi in seq(0, 3):
///                                                  b[4 * yo + yi, 3 * xo + xi] = a[4 * yo + yi, 3 * xo + xi]
/// ```
///
/// # Errors
/// As [`ops::tile`]; or a number does not divide its loop.
pub fn tile(p: &Proc, stage: &str, loops: &[(&str, i64)]) -> Result<Proc> {
    let at =
        loops.iter().map(|(iter, by)| Ok((loop_of(p, stage, iter)?, *by))).collect::<Result<Vec<_>>>()?;
    ops::tile(p, &at, Tail::Perfect)?.0.simplify()
}

/// Makes a loop of a stage parallel.
///
/// ```text
/// for y in seq(0, 8):        for y in par(0, 8):
///     b[y] = a[y]      ~>        b[y] = a[y]
/// ```
///
/// # Errors
/// Its iterations touch what others change.
pub fn parallel(p: &Proc, stage: &str, iter: &str) -> Result<Proc> {
    p.parallelize_loop(loop_of(p, stage, iter)?)
}

/// Makes a loop of a stage one over vectors of a target: [`crate::vectorize`].
///
/// ```text
/// for y in seq(0, 8):        for yo in seq(0, 1):
///     b[y] = a[y]                v0: f32[8] @ AVX2
///                      ~>        mm256_loadu_ps(v0[0:8], a[8 * yo:8 * yo + 8])
///                                mm256_storeu_ps(b[8 * yo:8 * yo + 8], v0[0:8])
/// ```
///
/// # Errors
/// As there.
pub fn vectorize(p: &Proc, stage: &str, iter: &str, target: &Target, options: Options) -> Result<Proc> {
    Ok(crate::vectorize(p, loop_of(p, stage, iter)?, target, options)?.0)
}

/// Puts a stage's buffer into a memory.
///
/// ```text
/// b: f32[8]                  b: f32[8] @ DRAM_STACK
/// for y in seq(0, 8):        for y in seq(0, 8):
///     b[y] = a[y]      ~>        b[y] = a[y]
/// ```
///
/// # Errors
/// There is no such buffer or memory.
pub fn store_in(p: &Proc, stage: &str, memory: &str) -> Result<Proc> {
    p.set_memory(format!("{stage}: _").as_str(), memory)
}

/// Computes what an iteration of a consumer's loop needs of a producer right before it needs that, in loops around both:
/// Halide's `compute_at`, with the buffer where it was. What two iterations need is computed in both.
///
/// ```text
/// for y in seq(0, 33):                                    for yo in seq(0, 4):
///     a[y] = x[y]                                             for yi in seq(0, 9):
/// for yo in seq(0, 4):                             ~>             a[8 * yo + yi] = x[8 * yo + yi]
///     for yi in seq(0, 8):                                    for yi in seq(0, 8):
///         b[8 * yo + yi] = a[8 * yo + yi + 1]                     b[8 * yo + yi] = a[8 * yo + yi + 1]
/// ```
///
/// # Errors
/// An iteration's need has no number of cells, or begins elsewhere than at a multiple of the loop's variable; the producer is no
/// nest of loops each along a dimension; or a primitive refuses.
pub fn compute_at(p: &Proc, producer: &str, consumer: &str, iter: &str) -> Result<Proc> {
    let target = loop_of(p, consumer, iter)?;
    let made = written(p, producer)?;
    let mut levels = vec![target.clone()];
    levels.extend(inspect::enclosing_loops(&target));
    levels.retain(|l| !inspect::encloses(l, &made));
    levels.iter().rev().try_fold(p.clone(), |p, level| fused(&p, producer, &p.forward(level)?))
}

/// The producer computed in one loop around its consumer, which stands in the same block as its nest.
fn fused(p: &Proc, producer: &str, level: &Cursor) -> Result<Proc> {
    let need = Need::of(p, producer, level)?;
    let (p, along, depth) = brought_out(p, &need.along, level)?;
    let p = brought_next_to(&p, &along, level)?;
    let here = p.forward(&along)?;
    let around = p.forward(level)?;
    let names = [around.name()?.to_string(), format!("{}i", here.name()?.to_string().trim_end_matches('o'))];
    let pieces = expr_to_string(&around.hi()?.expr()?);
    let p = p
        .divide_with_recompute(here, pieces.as_str(), need.step, [&names[0], &names[1]])
        .during(COMPUTE, "dividing the producer's loop as its consumer's")?;
    let inner = p.forward(&along)?.body()?.at(0)?;
    let cells = need.cells.to_string();
    // A number, where it is one: the assertions say so, and `simplify` does not look at them.
    let p = match p.rewrite_expr(inner.hi()?, cells.as_str()) {
        Ok(p) => p,
        Err(e) if is_caught(&e) => p,
        Err(bug) => return Err(bug),
    };
    let p = p
        .fuse(p.forward(&along)?, p.forward(level)?)
        .during(COMPUTE, "bringing a piece and its consumer together")?;
    if inspect::trip_count(&p.forward(&inner)?) == Some(1) {
        return p.unroll_loop(p.forward(&inner)?)?.simplify();
    }
    // The loops of the producer in the order in which they were.
    let p = (0..depth)
        .try_fold(p, |p, _| p.reorder_loops(p.forward(&inner)?))
        .during(COMPUTE, "bringing a loop of the producer back in")?;
    p.simplify()
}

/// What an iteration of a loop needs of a producer, along the dimension in which that moves.
struct Need {
    /// The producer's loop along that dimension.
    along: Cursor,
    /// By how many cells it moves.
    step: i64,
    cells: i64,
}

impl Need {
    fn of(p: &Proc, producer: &str, level: &Cursor) -> Result<Need> {
        const STEP: &str = "finding out what an iteration needs";
        let made = written(p, producer)?;
        let var = Atom::Var(level.sym()?);
        let ranges = footprint::of_iteration(level, made.sym()?, |a| !a.is_write);
        let moving: Vec<(usize, &Range)> =
            ranges.iter().enumerate().filter_map(|(d, r)| Some((d, r.as_ref()?))).collect();
        let moving: Vec<_> = moving.into_iter().filter(|(_, r)| r.first.coefficient(&var) != 0).collect();
        let [(dim, range)] = moving.as_slice() else {
            let why = format!(
                "`{producer}` moves with {} in {} dimensions, not in one",
                level.describe(),
                moving.len()
            );
            return refuse(COMPUTE, STEP, why);
        };
        let index = made.idx()?.get(*dim).map(Cursor::expr).transpose()?;
        let Some(index) = index.and_then(|e| Linear::of(&e).ok()) else {
            return refuse(COMPUTE, STEP, format!("{} has no linear index", made.describe()));
        };
        let own = inspect::enclosing_loops(&made).into_iter().filter(|l| !inspect::encloses(l, level));
        let own: Vec<Cursor> =
            own.filter(|l| l.sym().is_ok_and(|x| index.coefficient(&Atom::Var(x)) != 0)).collect();
        let [along] = own.as_slice() else {
            let why =
                format!("dimension {dim} of `{producer}` is written by {} loops, not by one", own.len());
            return refuse(COMPUTE, STEP, why);
        };
        let step = range.first.coefficient(&var);
        // Piece k of the producer's loop begins where iteration k begins to read, or that many cells before.
        let begins = range.first.clone().plus(-step, &Linear::atom(var));
        let written = index.plus(-1, &Linear::atom(Atom::Var(along.sym()?)));
        let before = match (begins, written) {
            (Ok(begins), Ok(written)) => begins.minus(&written).ok().and_then(|d| d.as_constant()),
            (Err(_), _) | (_, Err(_)) => None,
        };
        let Some(before) = before.filter(|n| *n >= 0 && step >= 1) else {
            let why = format!(
                "the cells do not begin a fixed number further in each iteration: {step}, at {}",
                made.describe()
            );
            return refuse(COMPUTE, STEP, why);
        };
        Ok(Need { along: along.clone(), step, cells: before + range.cells })
    }
}

/// The producer's loop outside of the others of its nest, in the block of its consumer's loop, and by how many it went out.
fn brought_out(p: &Proc, along: &Cursor, level: &Cursor) -> Result<(Proc, Cursor, usize)> {
    let (mut p, mut depth) = (p.clone(), 0);
    while let here = p.forward(along)?
        && !same_block(&here, &p.forward(level)?)
    {
        p = p.reorder_loops(here.parent()?).during(COMPUTE, "bringing a loop of the producer out")?;
        depth += 1;
    }
    Ok((p, along.clone(), depth))
}

fn same_block(a: &Cursor, b: &Cursor) -> bool {
    match (a.parent(), b.parent()) {
        (Ok(a), Ok(b)) => a == b,
        (Err(_), Err(_)) => true,
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

/// The producer's nest right before its consumer's: what stands between them goes before it.
fn brought_next_to(p: &Proc, producer: &Cursor, level: &Cursor) -> Result<Proc> {
    let mut p = p.clone();
    while let here = p.forward(producer)?
        && here.next(1)? != p.forward(level)?
    {
        p = p
            .reorder_stmts(here.expand(Some(0), Some(1))?)
            .during(COMPUTE, "bringing the producer to its consumer")?;
    }
    Ok(p)
}

/// Allocates a stage's buffer in a loop of its consumer, with as many cells as an iteration needs: Halide's `store_at`.
/// Dimensions of which an iteration needs no fixed number of cells keep their extent.
///
/// ```text
/// a: f32[33]                                              for yo in seq(0, 4):
/// for yo in seq(0, 4):                                        a: f32[9]
///     for yi in seq(0, 9):                                    for yi in seq(0, 9):
///         a[8 * yo + yi] = x[8 * yo + yi]          ~>             a[yi] = x[8 * yo + yi]
///     for yi in seq(0, 8):                                    for yi in seq(0, 8):
///         b[8 * yo + yi] = a[8 * yo + yi + 1]                     b[8 * yo + yi] = a[yi + 1]
/// ```
///
/// # Errors
/// Iterations of the loop share cells of the buffer, or it is used outside.
pub fn store_at(p: &Proc, producer: &str, consumer: &str, iter: &str) -> Result<Proc> {
    let target = loop_of(p, consumer, iter)?;
    let alloc = p.find(&format!("{producer}: _"))?;
    let mut p = p.clone();
    while !inspect::encloses(&p.forward(&target)?, &p.forward(&alloc)?) {
        p = p.sink_alloc(p.forward(&alloc)?).during(STORE, "bringing the allocation into a loop")?;
    }
    let here = p.forward(&alloc)?;
    let ranges = footprint::of_iteration(&p.forward(&target)?, here.sym()?, |_| true);
    for (d, range) in ranges.iter().enumerate() {
        let extent = here.extents()?.get(d).and_then(fold::as_int);
        let (Some(range), Ok(d)) = (range, i64::try_from(d)) else { continue };
        if extent == Some(range.cells) {
            continue;
        }
        let (cells, first) = (range.cells.to_string(), expr_to_string(&range.first.to_expr()));
        p = p
            .resize_dim(p.forward(&alloc)?, d, cells.as_str(), first.as_str(), Indices::Shifted)
            .during(STORE, "leaving the cells that an iteration needs")?;
    }
    p.simplify()
}

/// [`compute_at`] and [`store_at`] at the same loop: what Halide does where only `compute_at` is said.
///
/// ```text
/// a: f32[33]                                              for yo in seq(0, 4):
/// for y in seq(0, 33):                                        a: f32[9]
///     a[y] = x[y]                                             for yi in seq(0, 9):
/// for yo in seq(0, 4):                             ~>             a[yi] = x[8 * yo + yi]
///     for yi in seq(0, 8):                                    for yi in seq(0, 8):
///         b[8 * yo + yi] = a[8 * yo + yi + 1]                     b[8 * yo + yi] = a[yi + 1]
/// ```
///
/// # Errors
/// As these.
pub fn compute_and_store_at(p: &Proc, producer: &str, consumer: &str, iter: &str) -> Result<Proc> {
    let p = compute_at(p, producer, consumer, iter)?;
    store_at(&p, producer, consumer, iter)
}

/// Puts a stage's value where its consumer reads it, which is computed at the same place of every dimension: Halide's
/// default for what is not scheduled.
///
/// ```text
/// a: f32[8]                         for y in seq(0, 8):
/// for y in seq(0, 8):                   b[y] = 2.0 * x[y] + 1.0
///     a[y] = 2.0 * x[y]       ~>
/// for y in seq(0, 8):
///     b[y] = a[y] + 1.0
/// ```
///
/// # Errors
/// The consumer reads other cells too, or the value would change.
pub fn inline(p: &Proc, producer: &str, consumer: &str) -> Result<Proc> {
    let innermost = match inspect::enclosing_loops(&written(p, consumer)?).first() {
        Some(l) => l.name()?.to_string(),
        None => return refuse("inline", "looking for a loop", format!("`{consumer}` is in no loop")),
    };
    let p = compute_at(p, producer, consumer, &innermost)?;
    let p = p
        .inline_assign(written(&p, producer)?)
        .during("inline", "putting the value in place of its reads")?;
    p.delete_buffer(format!("{producer}: _").as_str())
}
