//! `trmm trsm`: in place.

use super::copies::{by_tiles, copied_triangle, longer, transposed_triangle};
use super::panels::{by_panels, extent};
use crate::Target;
use crate::blas::{Diag, Plan, Precision, Program, Side, Trans, Uplo};
use crate::gemm::{Kernel, call};
use rewright_primitives::cursor::CursorKind;
use rewright_primitives::error::Result;
use rewright_primitives::{Cursor, Proc};
use rewright_semantics::pretty::expr_to_string;

/// A triangular matrix as a factor.
#[derive(Clone, Copy)]
struct Factor {
    side: Side,
    uplo: Uplo,
    trans: Trans,
    diag: Diag,
}

impl Factor {
    fn all() -> Vec<Factor> {
        let mut all = Vec::new();
        for side in Side::ALL {
            for uplo in Uplo::ALL {
                for trans in Trans::ALL {
                    all.extend(Diag::ALL.map(|diag| Factor { side, uplo, trans, diag }));
                }
            }
        }
        all
    }

    fn name(self, routine: &str) -> String {
        let letters = [self.side.letter(), self.uplo.letter(), self.trans.letter(), self.diag.letter()];
        format!("{routine}_{}", String::from_iter(letters))
    }

    /// The factor as the first: a product from the right is that of the transposes from the left.
    fn triangle(self) -> Uplo {
        let of_factor = self.uplo.transposed(self.trans);
        match self.side {
            Side::Left => of_factor,
            Side::Right => of_factor.transposed(Trans::Yes),
        }
    }

    /// A cell of it as the first factor.
    fn cell(self, i: &str, l: &str) -> String {
        match self.side {
            Side::Left => self.trans.cell("A", i, l),
            Side::Right => self.trans.cell("A", l, i),
        }
    }

    /// Its rows.
    fn order(self) -> &'static str {
        match self.side {
            Side::Left => "m",
            Side::Right => "n",
        }
    }

    /// The rows or columns of B that it does not touch.
    fn others(self) -> &'static str {
        match self.side {
            Side::Left => "n",
            Side::Right => "m",
        }
    }

    fn parameters(self) -> String {
        let order = self.order();
        format!("m: size, n: size, A: [T][{order}, {order}], B: [T][m, n]")
    }
}

/// The programs.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    Factor::all().into_iter().flat_map(|f| [trmm(p, f), trsm(p, f)]).collect()
}

const UNIT: [&str; 2] = ["stride(A, 1) == 1", "stride(B, 1) == 1"];

/// A nest of two loops that sets all cells of a matrix.
fn set(matrix: &str, [rows, columns]: [&str; 2], value: &str) -> String {
    format!(
        "
for i in seq(0, {rows}):
    for j in seq(0, {columns}):
        {matrix}[i, j] = {value}"
    )
}

/// One that sets all cells of a matrix to those of the transpose of another with so many rows and columns.
fn set_transposed(matrix: &str, other: &str, [rows, columns]: [&str; 2]) -> String {
    format!(
        "
for i in seq(0, {rows}):
    for j in seq(0, {columns}):
        {matrix}[j, i] = {other}[i, j]"
    )
}

/// `B = op(A) B` or `B op(A)`, of a copy of B, so that rows may be done in any order.
fn trmm(p: Precision, f: Factor) -> Program {
    let (k, c) = (f.order(), f.others());
    let uplo = f.triangle();
    let (b, before, after) = match f.side {
        Side::Left => ("B", set("x", [k, c], "B[i, j]"), String::new()),
        Side::Right => {
            let z = format!("\nz: T[{k}, {c}]");
            ("z", set_transposed("x", "B", [c, k]) + &z, set_transposed("B", "z", [k, c]))
        }
    };
    let diagonal = match (f.diag, f.side) {
        (Diag::NonUnit, _) => set(b, [k, c], &format!("{} * x[i, j]", f.cell("i", "i"))),
        (Diag::Unit, Side::Left) => String::new(),
        (Diag::Unit, Side::Right) => set(b, [k, c], "x[i, j]"),
    };
    let columns = uplo.of(format!("seq(i + 1, {k})"), "seq(0, i)".to_owned());
    let factor = f.cell("i", "l");
    let body = format!(
        "
x: T[{k}, {c}]{before}{diagonal}
for i in seq(0, {k}):
    for l in {columns}:
        t: T
        t = {factor}
        for j in seq(0, {c}):
            {b}[i, j] += t * x[l, j]{after}
"
    );
    Program::new(p, &f.name("trmm"), &f.parameters(), &UNIT, &body).planned(Plan::Triangular { uplo })
}

/// A product of a triangular matrix, or of a copy of it if its columns are read: panel of columns by panel, of which a
/// copy is made.
pub(in crate::blas) fn triangular(
    p: &Proc,
    uplo: Uplo,
    factors: &[Kernel; 2],
    target: &Target,
) -> Result<Proc> {
    let nest = p.find("t = _")?.parent()?.parent()?;
    let (order, columns) = (extent(&nest)?, extent(&nest.find("for j in _: _")?)?);
    let (p, nest) = if p.find("A[i, l]").is_ok() {
        let p = p.inline_assign("t = _")?.delete_buffer("t")?;
        let nest = p.forward(&nest)?;
        (p, nest)
    } else {
        transposed_triangle(p, &nest, uplo, &order, target)?
    };
    by_panels(&p, &nest, [&order, &columns], factors, target)
}

/// `op(A) X = B` or `X op(A) = B`, where B holds the right side before and X after. An upper triangle is the lower one of
/// the same equations from last to first.
fn trsm(p: Precision, f: Factor) -> Program {
    let reversed = f.triangle() == Uplo::Upper;
    let (k, c) = (f.order(), f.others());
    let at = |i: &str| if reversed { format!("{k} - 1 - {i}") } else { i.to_owned() };
    let (mut x, mut before, mut after) = ("B", String::new(), String::new());
    if f.side == Side::Right {
        before += &format!("\nbt: T[{k}, {c}]");
        before += &set_transposed("bt", "B", [c, k]);
        after = set_transposed("B", "bt", [k, c]);
        x = "bt";
    }
    if reversed {
        before += &format!("\nx: T[{k}, {c}]");
        before += &set("x", [k, c], &format!("{x}[{}, j]", at("i")));
        after = set(x, [k, c], &format!("x[{}, j]", at("i"))) + &after;
        x = "x";
    }
    let [diagonal, beside] = [f.cell(&at("i"), &at("i")), f.cell(&at("i"), &at("l"))];
    let pivot = f.diag.unless_unit(format!(
        "
    d: T
    d = {diagonal}"
    ));
    let divided = f.diag.unless_unit(format!(
        "
    for j in seq(0, {c}):
        {x}[i, j] = {x}[i, j] / d"
    ));
    let body = format!(
        "{before}
for i in seq(0, {k}):{pivot}
    for l in seq(0, i):
        t: T
        t = -{beside}
        for j in seq(0, {c}):
            {x}[i, j] += t * {x}[l, j]{divided}{after}
"
    );
    Program::new(p, &f.name("trsm"), &f.parameters(), &UNIT, &body).planned(Plan::Solution { diag: f.diag })
}

/// The equations by blocks, with copies of the negated coefficients and of the diagonal.
pub(in crate::blas) fn solution(p: &Proc, solution: &Kernel, target: &Target) -> Result<Proc> {
    let nest = p.find("t = _")?.parent()?.parent()?;
    let order = expr_to_string(&nest.hi()?.expr()?);
    let p = copies(p, target)?;
    let p = match p.find("d = _") {
        Ok(pivot) => {
            let p = p.expand_dim("d", order.as_str(), "i")?.lift_alloc("d", 1)?;
            p.fission(p.forward(&pivot)?.after()?, 1)?
        }
        Err(_) => p,
    };
    let nest = p.find("t = _")?.parent()?.parent()?;
    let (p, rest) = copied_triangle(&p, &nest, &order, target)?;
    call(&p, &rest, solution)
}

/// Copies of matrices, with longer rows; those that transpose go by tiles.
fn copies(p: &Proc, target: &Target) -> Result<Proc> {
    let mut there = ["bt", "x", "z"].into_iter().filter(|name| p.find(&format!("{name}: _")).is_ok());
    let p = there.try_fold(p.clone(), |p, name| {
        let columns = p.find(&format!("{name}: _"))?.shape()?.get(1).map(Cursor::expr).transpose()?;
        longer(&p, name, &columns.map(|e| expr_to_string(&e)).unwrap_or_default(), target)
    })?;
    let is_copy = |nest: &Cursor| {
        let made = nest.body().and_then(|b| b.at(0)).and_then(|b| b.body()).and_then(|b| b.at(0));
        made.is_ok_and(|made| made.kind() == CursorKind::Assign)
    };
    let made: Vec<Cursor> = p.body()?.stmts()?.into_iter().filter(is_copy).collect();
    made.iter().try_fold(p, |p, nest| {
        let here = p.forward(nest)?;
        let transposed = ["x", "bt", "B"].iter().any(|to| here.find(&format!("{to}[j, i] = _")).is_ok());
        if transposed { by_tiles(&p, &here, target) } else { Ok(p) }
    })
}
