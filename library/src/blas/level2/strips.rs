//! Multiples of rows that are added to a vector, strip of columns by strip: the vector's part stays in registers while all
//! rows go by. Every second row has sums of its own, so that a register need not wait for the row before.

use crate::definitions::vectorize;
use crate::gemm::{Kernel, branches, call, sizes};
use crate::ops::hoist;
use crate::target::{Lanes, Op};
use crate::{Target, inspect};
use rewright_primitives::cursor::At;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// Rows that have sums of their own.
const APART: i64 = 2;

/// So many strips of columns of a matrix lie close enough together, if they are as wide as this, in bytes. Of narrower ones,
/// the next begins in the middle of what a cache brings along.
const STRIPS: i64 = 4;
const WIDE: i64 = 256;

const OPS: [Op; 5] = [Op::Load, Op::Store, Op::Zero, Op::Accumulate, Op::FmaBroadcast];

/// Strips for a target.
pub(super) struct Strips<'a> {
    target: &'a Target,
    /// Registers beside each other: with two sums for each, three in four are taken.
    vectors: i64,
}

/// The columns of a strip.
#[derive(Clone, Copy)]
enum Width {
    /// All of them.
    Full,
    /// So many registers, the last of them full or not.
    Ragged(i64),
}

impl<'a> Strips<'a> {
    /// Strips for a target that has what they take.
    pub(super) fn of(target: &'a Target) -> Option<Strips<'a>> {
        let has = |lanes| OPS.into_iter().all(|op| target.has(op, lanes));
        (has(Lanes::All) && has(Lanes::First)).then(|| Strips { target, vectors: target.registers() / 4 })
    }

    /// The columns of a whole strip.
    pub(super) fn columns(&self) -> i64 {
        self.target.lanes() * self.vectors
    }

    /// So many strips are worth going down all rows for each of them.
    pub(super) fn number(&self) -> i64 {
        if self.columns() * self.target.bytes() < WIDE { 1 } else { STRIPS }
    }

    /// A loop over rows, in what has become of a program that is no more than such a loop, as calls: for each strip, and for
    /// the columns that are left over.
    pub(super) fn by_strips(&self, program: &Proc, p: &Proc, rows: &Cursor) -> Result<Proc> {
        let columns = self.columns();
        let p = inlined(p, rows)?;
        let cells = p.forward(rows)?.find_loop("j")?;
        let p = p.divide_loop(&cells, columns, ["jo", "ji"], Tail::Cut)?;
        let p = p.fission(p.forward(&cells)?.after()?, 1)?;
        let first = p.forward(&cells)?.parent()?;
        let rest = first.next(1)?;
        let p = p.reorder_loops(first)?;
        let p = call(&p, &p.forward(&cells)?.body()?.at(0)?, &self.kernel(program, Width::Full)?)?;
        let more = |n: i64| format!("n % {columns} > {n}");
        let conditions: Vec<String> =
            (0..self.vectors).rev().map(|n| more(n * self.target.lanes())).collect();
        let p = p.specialize(&rest, &conditions.iter().map(String::as_str).collect::<Vec<_>>())?;
        let (some, none) = branches(&p, &rest, conditions.len())?;
        let p = p.reorder_loops(&none)?.eliminate_dead_code(none.body()?.at(0)?)?;
        some.iter()
            .zip((1..=self.vectors).rev())
            .try_fold(p, |p, (at, n)| call(&p, at, &self.kernel(program, Width::Ragged(n))?))
    }

    /// One strip.
    fn kernel(&self, program: &Proc, width: Width) -> Result<Kernel> {
        let lanes = self.target.lanes();
        let name = program.name();
        let (p, vectors) = match width {
            Width::Full => {
                let p = program.rename(&format!("{name}_{}", self.columns()))?;
                (p.partial_eval(&sizes(&[("n", self.columns())]))?, self.vectors)
            }
            Width::Ragged(n) => {
                let p = program.rename(&format!("{name}_to_{}", lanes * n))?;
                let p = p.add_assertion(format!("{} < n", lanes * (n - 1)))?;
                (p.add_assertion(format!("n <= {}", lanes * n))?, n)
            }
        };
        let plain = inlined(&p, &p.find_loop("i")?)?;
        let p = plain.rename(&format!("{}_in_registers", plain.name()))?;
        let p = once_for_each_row(&p)?;
        let columns = match width {
            Width::Full => self.columns().to_string(),
            Width::Ragged(_) => "n".to_owned(),
        };
        let p = apart(&p, &columns)?;
        let p = ["acc", "sums", "a", "a1"].into_iter().try_fold(p, |p, buffer| {
            let dim = i64::from(buffer == "sums");
            let p = p.resize_dim(buffer, dim, lanes * vectors, 0, Indices::Shifted)?;
            let p = p.divide_dim(buffer, dim, lanes)?;
            p.set_memory(buffer, self.target.memory())
        })?;
        let p = pairs_written_out(&p)?;
        let covers = matches!(width, Width::Full);
        let loops = p.find_all("for _ in _:\n    _[_] = _")?;
        let loops = [loops, p.find_all("for _ in _:\n    _[_] += _")?].concat();
        let p = loops.iter().try_fold(p, |p, at| vectorize(&p, at, lanes, vectors - 1, covers))?;
        let fast = p.simplify()?.replace_all(&self.instructions())?;
        Ok(Kernel { plain, fast })
    }

    fn instructions(&self) -> Vec<Proc> {
        let all = [Lanes::All, Lanes::First].into_iter().flat_map(|l| OPS.map(|op| (op, l)));
        all.filter_map(|(op, lanes)| self.target.instruction(op, lanes).cloned()).collect()
    }
}

/// A nest without the factor that is computed for each row.
fn inlined(p: &Proc, rows: &Cursor) -> Result<Proc> {
    let (made, alloc) = (p.forward(rows)?.find("t = _")?, p.forward(rows)?.find("t: _")?);
    let p = p.inline_assign(&made)?;
    p.delete_buffer(p.forward(&alloc)?)
}

/// The factor of a row, computed before its columns.
fn once_for_each_row(p: &Proc) -> Result<Proc> {
    let sum = p.find("y[_] += _")?;
    let p = p.bind_expr(vec![At::from(sum.find("alpha * _")?)], "t", Occurrences::These)?;
    Ok(hoist(&p, &p.forward(&sum)?.prev(1)?)?.0)
}

/// The sums of so many columns in a buffer, and those of the rows of each pair in one for each, before these are added up.
fn apart(p: &Proc, columns: &str) -> Result<Proc> {
    let (rows, cells) = (p.find_loop("i")?, p.find_loop("j")?);
    let p = p.stage_mem(&rows, format!("y[0:{columns}]"), "acc", Staging::Copy)?;
    let p = p.divide_loop(&rows, APART, ["io", "ii"], Tail::Cut)?;
    let pairs = p.forward(&rows)?;
    let single = pairs.next(1)?.find_loop("j")?;
    let p = p.reorder_loops(&pairs)?;
    let pairs = p.forward(&rows)?;
    let p = p.stage_mem(&pairs, format!("acc[0:{columns}]"), "sums", Staging::Accumulate)?;
    let p = p.expand_dim("sums", APART, "ii")?.lift_alloc("sums", 1)?;
    let p = p.fission(p.forward(&pairs)?.before()?, 1)?;
    let p = p.fission(p.forward(&pairs)?.after()?, 1)?;
    let p = p.reorder_loops(p.forward(&pairs)?.parent()?)?;
    let p =
        p.stage_mem(p.forward(&cells)?, format!("A[{APART} * io + ii, 0:{columns}]"), "a", Staging::Copy)?;
    let row = format!("ii + {APART} * (m / {APART})");
    p.stage_mem(p.forward(&single)?, format!("A[{row}, 0:{columns}]"), "a1", Staging::Copy)
}

/// The rows of each pair, written out.
fn pairs_written_out(p: &Proc) -> Result<Proc> {
    let pairs = p.find_all("for ii in _: _")?;
    let pairs = pairs.iter().filter(|at| inspect::trip_count(at) == Some(APART));
    pairs.into_iter().try_fold(p.clone(), |p, at| p.unroll_loop(p.forward(at)?))
}
