//! Rows of large matrices in parts of which each is for a thread.

use crate::gemm::{Kernel, call};
use crate::{Options, Target, vectorize};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// A matrix with fewer rows or columns is done before threads have begun.
const LEAST: i64 = 512;

/// Rows of a part.
const ROWS: i64 = 64;

/// Rows of a part that has a sum of its own: to add it up takes as long as two rows.
const SUMMED: i64 = 128;

/// Vectors that are added up beside each other.
const BESIDE: i64 = 4;

/// A loop over rows `i` by a schedule of it, which threads call for parts of the rows.
pub(super) fn rows(p: &Proc, schedule: impl Fn(&Proc) -> Result<Proc>) -> Result<Proc> {
    let plain = p.rename(&format!("{}_plain", p.name()))?;
    let kernel = Kernel { fast: schedule(&p.rename(&format!("{}_of_rows", p.name()))?)?, plain };
    let (p, [many, few]) = by_size(p)?;
    let p = p.divide_loop(&many, ROWS, ["it", "ii"], Tail::CutAndGuard)?;
    let parts = p.forward(&many)?;
    let rest = parts.next(1)?.body()?.at(0)?;
    let p = p.parallelize_loop(&parts)?;
    let calls = [parts.body()?.at(0)?, rest, few];
    calls.iter().try_fold(p, |p, at| call(&p, &p.forward(at)?, &kernel))
}

/// A sum of rows `i`, of which a factor `t` is computed for each, by a schedule of it, which threads call for parts of the rows:
/// each part has a sum of its own.
pub(super) fn sums(p: &Proc, schedule: impl Fn(&Proc) -> Result<Proc>, target: &Target) -> Result<Proc> {
    let plain = p.rename(&format!("{}_plain", p.name()))?;
    let kernel = Kernel { fast: schedule(&p.rename(&format!("{}_of_rows", p.name()))?)?, plain };
    let (p, [many, few]) = by_size(p)?;
    let p = p.divide_loop(&many, SUMMED, ["it", "ii"], Tail::CutAndGuard)?;
    let parts = p.forward(&many)?;
    let (part, rest) = (parts.body()?.at(0)?, parts.next(1)?.body()?.at(0)?);
    let p = p.stage_mem(&part, "y[0:n]", "sums", Staging::Accumulate)?;
    let p = p.expand_dim("sums", format!("m / {SUMMED}").as_str(), "it")?.lift_alloc("sums", 1)?;
    let added = p.forward(&part)?.next(1)?;
    let p = p.fission(added.before()?, 1)?;
    let p = p.parallelize_loop(p.forward(&part)?.parent()?)?;
    let (p, _) = vectorize(&p, p.forward(&added)?, target, Options::of(target).interleaved(BESIDE))?;
    let calls = [part, rest, few];
    calls.iter().try_fold(p, |p, at| call(&p, &p.forward(at)?, &kernel))
}

/// The loop over rows of a large matrix, and of another.
fn by_size(p: &Proc) -> Result<(Proc, [Cursor; 2])> {
    let rows = p.find_loop("i")?;
    let p = p.specialize(&rows, &[&format!("m >= {LEAST} and n >= {LEAST}")])?;
    let around = p.forward(&rows)?.parent()?;
    let both = [around.body()?.at(0)?, around.orelse()?.at(0)?];
    Ok((p, both))
}
