//! Rows that are summed up in registers, each in one: what they share of a vector is loaded once, and one instruction adds
//! up the lanes of as many registers as a register has lanes.

use crate::ops::{fission_into_singles, lanes_for_reductions, stage_operations};
use crate::target::{Lanes, Op};
use crate::{Target, inspect};
use rewright_primitives::cursor::{At, CursorKind};
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Occurrences, Staging, Tail};
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

/// Rows of few columns that are written out.
const WRITTEN_OUT: i64 = 4;

/// Where vectors are begun with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Begin {
    First,
    /// What the next block waits for is there first, where that is the one before.
    Last,
}

/// Such rows on a target.
#[derive(Clone, Copy)]
pub(super) struct InLanes<'a> {
    pub(super) target: &'a Target,
    /// The instruction that adds up the registers of all rows.
    sums: &'a Proc,
    /// Rows of which columns are done at once: those of a large matrix come from as many places.
    at_once: i64,
}

impl<'a> InLanes<'a> {
    /// Rows on a target that has what they take, of which columns are done for at most so many at once.
    pub(super) fn of(target: &'a Target, at_once: i64) -> Option<InLanes<'a>> {
        let needed = [Op::Load, Op::Fma, Op::FmaBroadcast];
        let has = |lanes| needed.into_iter().all(|op| target.has(op, lanes));
        let sums = target.sums().filter(|_| has(Lanes::All) && has(Lanes::First))?;
        Some(InLanes { target, sums, at_once })
    }

    pub(super) fn lanes(&self) -> i64 {
        self.target.lanes()
    }

    /// Sums of the rows of blocks over columns that all of them have: one loop over the rows of a block with `sum = 0.0`, the
    /// loop over these columns, and more. What comes after the loop stays in one over rows.
    pub(super) fn sums(&self, p: &Proc, [sum, zero, columns]: [&Cursor; 3]) -> Result<Proc> {
        let (p, total) = self.summed(p, [sum, zero, columns])?;
        let zero = p.forward(zero)?.parent()?;
        let p = self.totals(&p, &zero, &total)?;
        let p = self.far(&p, columns)?;
        self.rows_as_lanes(&p, &zero)
    }

    /// The same where the sums begin with what is in memory: all rows are added to it at once.
    pub(super) fn added_sums(&self, p: &Proc, stmts: [&Cursor; 3]) -> Result<Proc> {
        let (p, total) = self.summed(p, stmts)?;
        let p = p.stage_mem(&total, format!("t[0:{}]", self.lanes()), "totals", Staging::Accumulate)?;
        let p = p.set_memory("totals", self.target.memory())?;
        let total = p.forward(&total)?;
        let p = [total.prev(1)?, total.next(1)?].iter().try_fold(p, |p, at| self.rows_as_lanes(&p, at))?;
        self.far(&p, stmts[2])
    }

    /// Each of the statements in a loop of its own over the rows of a block, and each sum in the lanes of a register. The cursor
    /// is at the loop that adds these up.
    fn summed(&self, p: &Proc, [sum, first, columns]: [&Cursor; 3]) -> Result<(Proc, Cursor)> {
        let p = lanes_for_reductions(p, columns, self.lanes(), self.target.memory())?;
        let total = p.forward(columns)?.next(1)?;
        let p = self.own_buffers(&p, &total.parent()?)?;
        let cleared = p.forward(columns)?.prev(1)?;
        let p = [first, &cleared, columns, &total]
            .into_iter()
            .try_fold(p, |p, at| p.fission(p.forward(at)?.after()?, 1))?;
        let p = self.on_stack(&p, sum)?;
        let total = p.forward(&total)?.parent()?;
        Ok((p, total))
    }

    /// Gives each row of a block buffers of its own.
    pub(super) fn own_buffers(&self, p: &Proc, rows: &Cursor) -> Result<Proc> {
        let allocs = rows.body()?.stmts()?.into_iter().filter(|at| at.kind() == CursorKind::Alloc);
        allocs.into_iter().try_fold(p.clone(), |p, at: Cursor| {
            let p = p.expand_dim(p.forward(&at)?, self.lanes(), "ir")?;
            p.lift_alloc(p.forward(&at)?, 1)
        })
    }

    pub(super) fn on_stack(&self, p: &Proc, alloc: &Cursor) -> Result<Proc> {
        p.set_memory(p.forward(alloc)?, "DRAM_STACK")
    }

    /// The columns that all rows of a block have: a nest over rows, then columns. They are not done for more than so many
    /// rows at once, since the rows of a large matrix come from as many places.
    pub(super) fn far(&self, p: &Proc, far: &Cursor) -> Result<Proc> {
        self.far_from(p, far, Begin::First)
    }

    /// The same from one end.
    pub(super) fn far_from(&self, p: &Proc, far: &Cursor, begin: Begin) -> Result<Proc> {
        let rows = p.forward(far)?.parent()?;
        if self.lanes() <= self.at_once {
            return self.far_of_rows(p, &rows, begin);
        }
        let (mut p, mut all, mut first) = (p.clone(), vec![rows.clone()], rows);
        for done in (1..self.lanes()).filter(|n| n % self.at_once == 0) {
            p = p.cut_loop(p.forward(&first)?, done)?;
            first = p.forward(&first)?.next(1)?;
            all.push(first.clone());
        }
        all.iter().try_fold(p, |p, rows| self.far_of_rows(&p, rows, begin))
    }

    /// The same for a nest over some of the rows.
    fn far_of_rows(&self, p: &Proc, rows: &Cursor, begin: Begin) -> Result<Proc> {
        let columns = p.forward(rows)?.body()?.at(0)?;
        let p = p.reorder_loops(p.forward(rows)?)?;
        let columns = p.forward(&columns)?;
        let rows = columns.body()?.at(0)?;
        let stmts = rows.body()?.stmts()?;
        let p = p.bind_expr(row_cell(&stmts)?, "a", Occurrences::These)?;
        let p = staged(&p, &rows, "y", "added", Staging::Copy)?;
        let p = staged(&p, &rows, "x", "xs", Staging::Copy)?;
        let (p, whole, rest) = self.vectors(&p, &columns)?;
        let p = match begin {
            Begin::First => p,
            Begin::Last => p.reverse_loop(&whole)?,
        };
        let whole = p.forward(&whole)?;
        let p = self.lane_nest(&p, &whole.body()?.at(0)?, Lanes::All)?;
        match rest {
            Some(rest) => self.lane_nest(&p, &p.forward(&rest)?.body()?.at(0)?, Lanes::First),
            None => Ok(p),
        }
    }

    /// Columns as vectors, and those that are left over, where there may be any.
    fn vectors(&self, p: &Proc, columns: &Cursor) -> Result<(Proc, Cursor, Option<Cursor>)> {
        let columns = p.forward(columns)?;
        let name = columns.name()?;
        let names = [format!("{name}o"), format!("{name}i")];
        let p = p.divide_loop(&columns, self.lanes(), [&names[0], &names[1]], Tail::CutAndGuard)?;
        let rest = p.forward(&columns)?.next(1)?;
        let p = p.simplify()?;
        let (whole, rest) = (p.forward(&columns)?, p.forward(&rest).ok().filter(Cursor::is_if));
        Ok((p, whole, rest))
    }

    /// Columns of which there are fewer than a register has lanes, a nest over rows of a block: multiples that are added to
    /// `vector`, which is in a register. What is added is summed up apart from it.
    pub(super) fn edge(&self, p: &Proc, columns: &Cursor, vector: &str) -> Result<Proc> {
        let rows = p.forward(columns)?.parent()?;
        let p = p.reorder_loops(&rows)?;
        let (p, columns) = self.guarded(&p, &p.forward(columns)?)?;
        let rows = columns.body()?.at(0)?;
        let p = p.bind_expr(row_cell(&rows.body()?.stmts()?)?, "a", Occurrences::These)?;
        let p = staged(&p, &rows, vector, "sums", Staging::Accumulate)?;
        let p = self.lane_nest(&p, &columns, Lanes::First)?;
        // Where all rows are written out, each wants a register for its address.
        p.divide_loop(p.forward(&rows)?, WRITTEN_OUT, ["ie", "ir"], Tail::Perfect)?.simplify()
    }

    /// A loop over fewer lanes than there are, where it has any.
    pub(super) fn guarded(&self, p: &Proc, lanes: &Cursor) -> Result<(Proc, Cursor)> {
        let name = p.forward(lanes)?.name()?;
        let names = [format!("{name}o"), format!("{name}i")];
        let p = p.divide_loop(p.forward(lanes)?, self.lanes(), [&names[0], &names[1]], Tail::CutAndGuard)?;
        let some = p.forward(lanes)?.next(1)?;
        let p = p.simplify()?;
        let lanes = p.forward(&some)?.body()?.at(0)?;
        Ok((p, lanes))
    }

    /// A loop over lanes, with a loop over rows in it, whose statements are operations on registers.
    fn lane_nest(&self, p: &Proc, at: &Cursor, which: Lanes) -> Result<Proc> {
        let lanes = Some(self.lanes());
        let at = p.forward(at)?;
        let allocs: Vec<Cursor> =
            at.body()?.stmts()?.into_iter().filter(|c| c.kind() == CursorKind::Alloc).collect();
        let (p, singles) = fission_into_singles(p, &at, lanes)?;
        let mut p = self.registers(&p, &allocs)?;
        for one in singles {
            let here = p.forward(&one)?;
            let inner = here.body()?.at(0)?;
            if !inner.is_loop() {
                continue;
            }
            p = p.reorder_loops(&here)?;
            let inner = p.forward(&one)?;
            p = self.lane_loop(&p, &inner, which)?;
        }
        Ok(p)
    }

    /// A loop over lanes, whose statements become operations on registers.
    pub(super) fn lane_loop(&self, p: &Proc, at: &Cursor, which: Lanes) -> Result<Proc> {
        let (p, around) = stage_operations(p, &p.forward(at)?, self.target, which, true)?;
        Ok(fission_into_singles(&p, &around, Some(self.lanes()))?.0)
    }

    fn registers(&self, p: &Proc, allocs: &[Cursor]) -> Result<Proc> {
        allocs.iter().try_fold(p.clone(), |p, at| p.set_memory(p.forward(at)?, self.target.memory()))
    }

    /// A loop over all rows of a block as one over lanes.
    pub(super) fn rows_as_lanes(&self, p: &Proc, at: &Cursor) -> Result<Proc> {
        self.lane_loop(p, at, Lanes::All)
    }

    /// Sums of rows, made by statements from `from` to `to`, in a register, and in memory after that.
    pub(super) fn totals(&self, p: &Proc, from: &Cursor, to: &Cursor) -> Result<Proc> {
        let all = through(&p.forward(from)?, &p.forward(to)?)?;
        let window = format!("sum[0:{}]", self.lanes());
        p.stage_mem(&all, window, "totals", Staging::Copy)?.set_memory("totals", self.target.memory())
    }

    /// The cells that are left of the triangle of rows that are written out, and the sums of all registers at once.
    pub(super) fn cells_written_out(&self, p: &Proc, block: &Cursor) -> Result<Proc> {
        let p = written_out(p, block, "j")?;
        let block = p.forward(block)?;
        let sums =
            ["sum", "t", "totals"].map(|x| block.find(&format!("for _ in _:\n    {x}[_] += sums0[_, _]")));
        match sums.into_iter().find_map(std::result::Result::ok) {
            Some(first) => {
                let rest = usize::try_from(self.lanes() - 1).unwrap_or_default();
                p.replace(first.expand(Some(0), Some(rest))?, self.sums)
            }
            None => Ok(p),
        }
    }
}

/// Loops of this name and of constant length in a block, written out.
pub(super) fn written_out(p: &Proc, block: &Cursor, name: &str) -> Result<Proc> {
    let loops = counted(p, block, name)?;
    loops.iter().try_fold(p.clone(), |p, at| p.unroll_loop(p.forward(at)?))?.simplify()
}

/// The loops of this name and of constant length in a block.
pub(super) fn counted(p: &Proc, block: &Cursor, name: &str) -> Result<Vec<Cursor>> {
    let is_named = |at: &Cursor| at.name().is_ok_and(|x| x.as_str() == name);
    let mut loops = inspect::inner_loops(&p.forward(block)?);
    loops.retain(|at| is_named(at) && inspect::trip_count(at).is_some());
    Ok(loops)
}

/// Statements from one to another.
pub(super) fn through(first: &Cursor, last: &Cursor) -> Result<Cursor> {
    let mut count = 0;
    while first.next(count)? != *last {
        count += 1;
    }
    Ok(first.expand(Some(0), Some(count))?)
}

/// The occurrences of a row's cell `A[_, _]` in statements.
pub(super) fn row_cell(stmts: &[Cursor]) -> Result<Vec<At>> {
    let mut found = Vec::new();
    for s in stmts {
        found.extend(s.find_all("A[_, _]")?.iter().map(At::from));
    }
    Ok(found)
}

/// A cell of a vector, read or added to in a loop with the same index everywhere, through a scalar.
pub(super) fn staged(p: &Proc, rows: &Cursor, vector: &str, name: &str, how: Staging) -> Result<Proc> {
    let here = p.forward(rows)?;
    let Some(access) = inspect::accesses(&here).into_iter().find(|a| a.name.name().as_str() == vector) else {
        return Ok(p.clone());
    };
    let idx: Vec<String> = access.idx.iter().map(expr_to_string).collect();
    p.stage_mem(&here, format!("{vector}[{}]", idx.join(", ")), name, how)
}
