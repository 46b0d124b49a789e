//! Convolutions of images in rows of channels (NHWC), beside the BLAS, panel by panel of filters, and row by row of the result.
//! PLDI'22 §7.2. Spec: [rule: blas.convolution].

use super::{Plan, Precision, Program};
use crate::gemm::{self, Kernel, branches, call};
use crate::target::Target;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};
use rewright_primitives::{Cursor, Proc};

/// The program: with a bias, without padding, with stride 1; what is negative becomes zero.
pub(super) fn programs(p: Precision) -> Vec<Program> {
    vec![Program::new(p, "conv", PARAMETERS, &UNIT, BODY).planned(Plan::Convolution)]
}

const PARAMETERS: &str = "n: size, h: size, w: size, kh: size, kw: size, c: size, f: size, \
    x: [T][n, h + kh - 1, w + kw - 1, c], a: [T][c, kh, kw, f], bias: [T][f], y: [T][n, h, w, f]";

const UNIT: [&str; 4] =
    ["stride(x, 3) == 1", "stride(a, 3) == 1", "stride(bias, 0) == 1", "stride(y, 3) == 1"];

const BODY: &str = "
for b in seq(0, n):
    for i in seq(0, h):
        for j in seq(0, w):
            for o in seq(0, f):
                y[b, i, j, o] = bias[o]
                for ky in seq(0, kh):
                    for kx in seq(0, kw):
                        for l in seq(0, c):
                            y[b, i, j, o] += x[b, i + ky, j + kx, l] * a[l, ky, kx, o]
                y[b, i, j, o] = relu(y[b, i, j, o])
";

/// Panel by panel of filters, which stays in the second cache for all rows of an image: a row of the result is set to the
/// bias, what the filters make of rows of the image is added to it, and what is negative becomes zero.
pub(super) fn convolution(p: &Proc, filtered: &Kernel, target: &Target) -> Result<Proc> {
    let width = gemm::panel_columns(target);
    let p = packed(p, width)?;
    let sum = p.find_loop("ky")?;
    let filters = sum.parent()?;
    let p = p.divide_loop(&filters, width, ["jo", "ji"], Tail::Cut)?;
    let panels = p.forward(&filters)?;
    let last = panels.next(1)?.body()?.at(1)?;
    let p = p.fission(panels.after()?, 2)?;
    let p = p.reorder_loops(p.forward(&panels)?.parent()?)?;
    let p = p.reorder_loops(p.forward(&panels)?.parent()?)?.simplify()?;
    let p = row_by_row(&p, &sum, filtered)?;
    let rest = p.forward(&last)?.parent()?.parent()?.parent()?;
    let p = p.specialize(&rest, &[&format!("f % {width} > 0")])?;
    let (some, none) = branches(&p, &rest, 1)?;
    let p = emptied(&p, &none)?;
    some.iter().try_fold(p, |p, rest| {
        let sum = p.forward(rest)?.find_loop("ky")?;
        row_by_row(&p, &sum, filtered)
    })
}

/// Rows of the result in parts of their own: bias, sums, and what is left of those.
fn row_by_row(p: &Proc, sum: &Cursor, filtered: &Kernel) -> Result<Proc> {
    let p = p.fission(p.forward(sum)?.before()?, 2)?;
    let p = p.fission(p.forward(sum)?.after()?, 2)?;
    call(&p, &p.forward(sum)?.parent()?.parent()?, filtered)
}

/// Takes away loops of which the innermost has no iterations.
fn emptied(p: &Proc, rows: &Cursor) -> Result<Proc> {
    let columns = rows.body()?.at(0)?;
    let filters = columns.body()?.at(0)?;
    let p = p.reorder_loops(&columns)?;
    let p = p.reorder_loops(p.forward(rows)?)?;
    p.eliminate_dead_code(p.forward(&filters)?)
}

/// Copies the filters before all, in panels of as many as the micro-kernel has columns.
fn packed(p: &Proc, width: i64) -> Result<Proc> {
    let p = p.stage_mem("for b in _: _", "a[0:c, 0:kh, 0:kw, 0:f]", "filters", Staging::Copy)?;
    let p =
        p.resize_dim("filters", 3, format!("{width} * (f / {width} + 1)").as_str(), 0, Indices::Shifted)?;
    let p = p.divide_dim("filters", 3, width)?;
    let p = p.rearrange_dim("filters", &[3, 1, 2, 0, 4])?;
    let copied = p.find_loop("i3")?;
    p.divide_loop(&copied, width, ["jo", "ji"], Tail::Cut)?.simplify()
}
