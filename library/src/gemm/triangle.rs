//! Products in which a matrix has one triangle: the sum, of which no more is wanted, the first factor, or the coefficients
//! of equations. What lies
//! beside the squares on the diagonal is a product of its own; the squares are cut up in the same way, until one has as
//! many rows as a register has lanes, or as the micro-kernel. ASPLOS'25 §6.2.3.

mod panels;

use super::{
    Gemm, Kernel, Kernels, PANELS, ROWS, branches, by_parts, by_rows, call, narrow, panel_columns,
    panel_width, sizes, square_or, whole,
};
use crate::blas::{Diag, Uplo};
use crate::definitions::Definitions;
use crate::target::{Lanes, Op, Target};
use crate::{Options, vectorize};
use panels::Threads;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// The definitions, of floats in columns of 64.
const SOURCE: &str = include_str!("triangle.py");

/// Rows of the squares on the diagonal of the whole, and of those on the diagonals of these: multiples of every
/// register's lanes, and of the micro-kernel's rows.
const SIDES: [i64; 2] = [384, 96];

/// Rows of the squares on the diagonal of a factor: as many of a panel stay in the second cache.
const TALL: i64 = 1536;

/// So much in K is worth several threads, where there are rows enough for them.
const DEEP: i64 = 64;

/// When a triangle of so many rows and sums of so many products are worth several threads.
pub(crate) fn large(target: &Target, [rows, depth]: [&str; 2]) -> String {
    format!("{rows} >= {} and {depth} >= {DEEP}", 2 * PANELS * panel_width(target))
}

/// The definitions in a target's precision.
pub(crate) fn source(target: &Target) -> String {
    super::of_target(SOURCE, target).replace("LANES", &target.lanes().to_string())
}

/// A triangle of a product of windows, the second of which is in panels, for other schedules; several threads may call
/// it.
///
/// # Errors
/// A primitive refuses: a bug.
pub(crate) fn sum(target: &Target, uplo: Uplo) -> Result<Kernel> {
    let d = Definitions::of(&(super::source(target) + &source(target)));
    let g = Gemm::with(&d, target)?.parallel();
    let kernels = Kernels::new(&g)?;
    let narrow = narrow(&g, &kernels)?;
    let beside = square_or(&g, &narrow)?;
    let t = Triangle { g: &g, role: Role::Sum, uplo, plain: d.proc(uplo.name()), product: &beside };
    let (all, fewer) = (t.register(Rows::All)?, t.register(Rows::Fewer)?);
    let (columns, side) = (panel_columns(target), panel_width(target));
    let square = t.squares(g.sizes.lanes, &all, &fewer, Some(columns))?;
    let plain = d.proc(&format!("{}_of_panels", uplo.name()));
    let panel = whole(&g, &kernels, columns)?;
    let part = if side == columns {
        t.of_panels(&plain, columns, Threads::Many, [&square, &panel])?
    } else {
        let few = plain.rename(&format!("{}_{side}", plain.name()))?.add_assertion(format!("M <= {side}"))?;
        let square = t.of_panels(&few, columns, Threads::One, [&square, &panel])?;
        t.of_panels(&plain, side, Threads::Many, [&square, &panel])?
    };
    let p = plain.rename(&format!("{}_by_parts", uplo.name()))?;
    let fast = by_parts(&p, &p.find_loop("i")?, g.sizes.depth, &part)?;
    Ok(Kernel { plain, fast })
}

/// Products of windows whose first factor is what a matrix has on one side of its diagonal: one with the columns of a
/// panel, and one with fewer.
///
/// # Errors
/// A primitive refuses: a bug.
pub(crate) fn factor(target: &Target, uplo: Uplo) -> Result<[Kernel; 2]> {
    let d = Definitions::of(&(super::source(target) + &source(target)));
    let g = Gemm::with(&d, target)?;
    let (kernels, width) = (Kernels::new(&g)?, panel_width(target));
    let plain = d.proc(&format!("by_{}", uplo.name()));
    let fewer = plain.add_assertion(format!("N <= {width}"))?;
    let (all, product) = if width == panel_columns(target) {
        (plain, whole(&g, &kernels, width)?)
    } else {
        (d.proc(&format!("by_{}_of_panels", uplo.name())), some_panels(&g, &kernels, width)?)
    };
    let all = all.rename(&format!("by_{}_whole", uplo.name()))?.partial_eval(&sizes(&[("N", width)]))?;
    let made = |plain: Proc, product: &Kernel| {
        let t = Triangle { g: &g, role: Role::Factor, uplo, plain, product };
        let rows = t.rows()?;
        let square = t.squares(ROWS, &rows, &rows, Some(TALL))?;
        let deep = deep(&g, product)?;
        Triangle { product: &deep, ..t }.squares(TALL, &square, &square, None)
    };
    Ok([made(all, &product)?, made(fewer, &narrow(&g, &kernels)?)?])
}

/// A product of which the second factor is in panels of the micro-kernel's columns, some of them.
fn some_panels(g: &Gemm<'_>, kernels: &Kernels, width: i64) -> Result<Kernel> {
    let plain = g.d.proc("by_panels").rename("by_some_panels")?.partial_eval(&sizes(&[("N", width)]))?;
    let p = in_columns(&plain.rename("some_panels")?, g.sizes.columns)?.reorder_loops("i jo")?;
    Ok(Kernel { plain, fast: by_rows(&p, &p.find_loop("i")?, &kernels.full)? })
}

/// Loops over the columns of some panels by loops over panels, and over the columns of one.
fn in_columns(p: &Proc, columns: i64) -> Result<Proc> {
    let loops = p.find_all("for j in _: _")?;
    loops
        .iter()
        .try_fold(p.clone(), |p, at| p.divide_loop(at, columns, ["jo", "ji"], Tail::Perfect))?
        .simplify()
}

/// A product by parts of K.
fn deep(g: &Gemm<'_>, part: &Kernel) -> Result<Kernel> {
    let plain = part.plain.rename(&format!("{}_deep", part.plain.name()))?;
    let p = plain.rename(&format!("{}_deep", part.fast.name()))?;
    Ok(Kernel { fast: by_parts(&p, &p.find_loop("i")?, g.sizes.depth, part)?, plain })
}

/// The solution, in place, of equations of which a matrix has the negated coefficients below its diagonal.
///
/// # Errors
/// A primitive refuses: a bug.
pub(crate) fn solution(target: &Target, diag: Diag, product: &Kernel) -> Result<Kernel> {
    let name = match diag {
        Diag::NonUnit => "solve_lower",
        Diag::Unit => "solve_unit_lower",
    };
    row_by_row(target, Role::Solution, Uplo::Lower, name, product)
}

/// Squares down to so few rows that these are done one after the other.
fn row_by_row(target: &Target, role: Role, uplo: Uplo, name: &str, product: &Kernel) -> Result<Kernel> {
    let d = Definitions::of(&(super::source(target) + &source(target)));
    let g = Gemm::with(&d, target)?;
    let narrow = narrow(&g, &Kernels::new(&g)?)?;
    let t = Triangle { g: &g, role, uplo, plain: d.proc(name), product };
    let [large, small] = SIDES;
    let rows = t.rows()?;
    let square = Triangle { product: &narrow, ..t.clone() }.squares(ROWS, &rows, &rows, Some(small))?;
    let square = t.squares(small, &square, &square, Some(large))?;
    t.squares(large, &square, &square, None)
}

/// Which matrix has a triangle.
#[derive(Clone, Copy)]
enum Role {
    /// The sum, with its diagonal.
    Sum,
    /// The first factor, without.
    Factor,
    /// The coefficients of equations whose right side becomes the solution, without.
    Solution,
}

/// Which triangle of what, the product for what is beside the diagonal, and what else a schedule needs.
#[derive(Clone)]
struct Triangle<'a> {
    g: &'a Gemm<'a>,
    role: Role,
    uplo: Uplo,
    plain: Proc,
    product: &'a Kernel,
}

/// The rows of a square that is at most as wide as a register.
#[derive(Clone, Copy)]
enum Rows {
    /// As many as a register has lanes.
    All,
    /// At most so many.
    Fewer,
}

impl Triangle<'_> {
    /// The cells of row i of a sum, in a square whose side is `side`.
    fn row(&self, side: &str) -> [String; 2] {
        match self.uplo {
            Uplo::Lower => ["0".to_owned(), "i + 1".to_owned()],
            Uplo::Upper => ["i".to_owned(), side.to_owned()],
        }
    }

    /// A square of a sum, whose rows are in a register each.
    fn register(&self, rows: Rows) -> Result<Kernel> {
        let lanes = self.g.sizes.lanes;
        let (plain, side) = match rows {
            Rows::All => {
                let p = self.plain.rename(&format!("{}_{lanes}", self.plain.name()))?;
                (p.partial_eval(&sizes(&[("M", lanes)]))?, lanes.to_string())
            }
            Rows::Fewer => {
                let p = self.plain.rename(&format!("{}_rest", self.plain.name()))?;
                (p.add_assertion(format!("M < {lanes}"))?, "M".to_owned())
            }
        };
        let [lo, hi] = self.row(&side);
        // Whole registers have their lanes where the columns are; the others begin with the first column that there is.
        let shift = match (rows, self.uplo) {
            (Rows::All, Uplo::Upper) => "i",
            (Rows::All, Uplo::Lower) | (Rows::Fewer, _) => "0",
        };
        let p = plain.rename(&format!("{}_in_registers", plain.name()))?;
        let p = p.shift_loop("j", shift)?;
        let p = p.reorder_loops("j k")?;
        let sums = p.find_loop("k")?;
        let p = p.stage_mem(sums.clone(), format!("C[i, {lo}:{hi}]"), "acc", Staging::Copy)?;
        let copies = [p.forward(&sums)?.prev(1)?, p.forward(&sums)?.next(1)?];
        let p = copies.iter().try_fold(p, |p, copy| p.shift_loop(copy, shift))?;
        let p = p.resize_dim("acc", 0, lanes, format!("0 - {shift}").as_str(), Indices::Shifted)?;
        let (p, at, row) = match rows {
            Rows::All => {
                let p = together(&p, &sums, lanes)?;
                let at = p.find_loop("i #1")?;
                (p, at, ["0".to_owned(), side])
            }
            Rows::Fewer => {
                let at = p.find_loop("j")?;
                (p, at, [lo.clone(), hi.clone()])
            }
        };
        let p = p.stage_mem(at, format!("B[k, {}]", row.join(":")), "b", Staging::Copy)?;
        let p = p.resize_dim("b", 0, lanes, 0, Indices::Shifted)?;
        let p = match rows {
            Rows::All if !self.g.target.masked() => self.all_lanes(&p, [&lo, &hi])?,
            Rows::All | Rows::Fewer => p,
        };
        let memory = self.g.target.memory();
        let p = p.set_memory("acc", memory)?.set_memory("b", memory)?.simplify()?;
        let last = [Op::Load, Op::FmaBroadcast, Op::Store].map(|op| (op, Lanes::Last));
        let fast = p.replace_all(&self.g.with_others(&last))?;
        Ok(Kernel { plain, fast })
    }

    /// Sums in all lanes, of which some are wanted.
    fn all_lanes(&self, p: &Proc, [lo, hi]: [&str; 2]) -> Result<Proc> {
        let (more, lanes) = (self.g.d.proc("more_lanes"), self.g.sizes.lanes);
        let wanted = p.find("acc[_] += _")?.parent()?;
        let (from, to, gap) = match self.uplo {
            Uplo::Lower => (hi.to_owned(), lanes.to_string(), wanted.after()?),
            Uplo::Upper => ("0".to_owned(), lo.to_owned(), wanted.before()?),
        };
        let row = format!("acc[i, 0:{lanes}]");
        let p = p.insert_noop_call(gap, &more, &[&from, &to, &row, "A[i, k]", &format!("b[0:{lanes}]")])?;
        let p = p.inline(p.find("more_lanes(_)")?)?;
        let wanted = p.forward(&wanted)?;
        // Behind the windows that stand for what is passed.
        let windows = match self.uplo {
            Uplo::Lower => [wanted.next(1)?, wanted.next(2)?],
            Uplo::Upper => [wanted.prev(3)?, wanted.prev(2)?],
        };
        let p = windows.iter().try_fold(p, |p, window| p.inline_window(window))?;
        let wanted = p.forward(&wanted)?;
        match self.uplo {
            Uplo::Lower => p.join_loops(&wanted, wanted.next(1)?),
            Uplo::Upper => p.join_loops(wanted.prev(1)?, &wanted),
        }
    }

    /// A square of a factor or of coefficients with no more rows than the micro-kernel has: row by row.
    fn rows(&self) -> Result<Kernel> {
        let plain = self.plain.rename(&format!("{}_{ROWS}", self.plain.name()))?;
        let plain = plain.add_assertion(format!("M <= {ROWS}"))?;
        let p = plain.rename(&format!("{}_by_rows", plain.name()))?;
        let options = Options::of(&self.g.target);
        let in_panels = plain.ast().args.iter().any(|a| a.name.to_string() == "P");
        let p = if in_panels { in_columns(&p, self.g.sizes.columns)? } else { p };
        let columns = p.find_all(if in_panels { "for ji in _: _" } else { "for j in _: _" })?;
        let fast =
            columns.iter().try_fold(p, |p, at| vectorize(&p, at, &self.g.target, options).map(|(p, _)| p))?;
        Ok(Kernel { plain, fast })
    }

    /// A triangle by squares of so many rows on its diagonal, the last of them smaller, and products beside them.
    fn squares(&self, side: i64, whole: &Kernel, rest: &Kernel, most: Option<i64>) -> Result<Kernel> {
        let plain = most.iter().try_fold(self.plain.clone(), |p, most| {
            p.rename(&format!("{}_{most}", p.name()))?.add_assertion(format!("M <= {most}"))
        })?;
        let p = plain.rename(&format!("{}_by_{side}", plain.name()))?;
        let p = p.divide_loop("i", side, ["io", "ii"], Tail::Cut)?;
        let first = p.find_loop("ii")?;
        let last = p.find_loop("io")?.next(1)?;
        let beside = match self.uplo {
            Uplo::Lower => Beside { from: format!("{side} * io"), some: "io > 0".to_owned() },
            Uplo::Upper => {
                Beside { from: format!("{side} * io + {side}"), some: format!("{side} * io + {side} < M") }
            }
        };
        let p = self.square(&p, &first, &beside, whole)?;
        let p = p.specialize(last.clone(), &[&format!("M % {side} > 0")])?;
        let (_, none) = branches(&p, &last, 1)?;
        let p = p.eliminate_dead_code(none)?;
        let beside = Beside { from: format!("{side} * (M / {side})"), some: format!("M / {side} > 0") };
        let p = match self.uplo {
            Uplo::Lower => self.square(&p, &last, &beside, rest)?,
            Uplo::Upper => call(&p.shift_loop(last.body()?.at(0)?, self.first())?, &last, rest)?,
        };
        Ok(Kernel { plain, fast: p.simplify()? })
    }

    /// Where row ii of a square begins.
    fn first(&self) -> &'static str {
        match (self.role, self.uplo) {
            (_, Uplo::Lower) => "0",
            (Role::Sum, Uplo::Upper) => "ii",
            (Role::Factor | Role::Solution, Uplo::Upper) => "ii + 1",
        }
    }

    /// The rows of a square: what is beside it as a product, if there is something, and the square by a kernel.
    fn square(&self, p: &Proc, rows: &Cursor, beside: &Beside, kernel: &Kernel) -> Result<Proc> {
        let cells = p.forward(rows)?.body()?.at(0)?;
        let p = p.cut_loop(cells.clone(), beside.from.as_str())?;
        let first = p.forward(&cells)?;
        let p = p.fission(first.after()?, 1)?;
        let (one, other) = (p.forward(&first)?.parent()?, p.forward(&first)?.parent()?.next(1)?);
        let (square, product) = match self.uplo {
            Uplo::Lower => (other, one),
            Uplo::Upper => (one, other),
        };
        let p = p.shift_loop(square.body()?.at(0)?, self.first())?;
        let p = call(&p, &p.forward(&square)?, kernel)?;
        let product = p.forward(&product)?;
        let p = p.shift_loop(product.body()?.at(0)?, 0)?;
        let p = p.specialize(product.clone(), &[&beside.some])?;
        let (some, none) = branches(&p, &product, 1)?;
        let p = p.reorder_loops(none.clone())?;
        let p = p.eliminate_dead_code(p.forward(&none)?)?;
        some.iter().try_fold(p, |p, at| {
            let p = match self.role {
                Role::Sum => p,
                Role::Factor | Role::Solution => p.reorder_loops(p.forward(at)?.body()?.at(0)?)?,
            };
            call(&p, &p.forward(at)?, self.product)
        })
    }
}

/// Where what is beside a square begins, and when there is something.
struct Beside {
    from: String,
    some: String,
}

/// The sums of so many rows at once: loaded before, stored after.
fn together(p: &Proc, sums: &Cursor, rows: i64) -> Result<Proc> {
    let p = p.expand_dim("acc", rows, "i")?.lift_alloc("acc", 1)?;
    let p = p.fission(p.forward(sums)?.before()?, 1)?;
    let p = p.fission(p.forward(sums)?.after()?, 1)?;
    p.reorder_loops(p.forward(sums)?.parent()?)
}
