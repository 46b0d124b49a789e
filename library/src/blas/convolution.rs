//! Convolutions of images in rows of channels (NHWC), beside the BLAS, row by row of the result. PLDI'22 §7.2. Spec: [rule: blas.convolution].

use super::{Plan, Precision, Program};
use crate::gemm::{self, Kernel, call};
use crate::target::Target;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging, Tail};

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

/// A row of the result is set to the bias, what the filters make of rows of the image is added to it, and what is negative
/// becomes zero.
pub(super) fn convolution(p: &Proc, filtered: &Kernel, target: &Target) -> Result<Proc> {
    let p = packed(p, target)?;
    let sum = p.find_loop("ky")?;
    let p = p.fission(sum.before()?, 2)?;
    let p = p.fission(p.forward(&sum)?.after()?, 2)?;
    let filters = p.forward(&sum)?.parent()?;
    let nest = filters.parent()?;
    let p = p.divide_loop(&filters, gemm::panel_columns(target), ["jo", "ji"], Tail::Cut)?.simplify()?;
    call(&p, &p.forward(&nest)?, filtered)
}

/// Copies the filters before all, in panels of as many as the micro-kernel has columns.
fn packed(p: &Proc, target: &Target) -> Result<Proc> {
    let width = gemm::panel_columns(target);
    let p = p.stage_mem("for b in _: _", "a[0:c, 0:kh, 0:kw, 0:f]", "filters", Staging::Copy)?;
    let p =
        p.resize_dim("filters", 3, format!("{width} * (f / {width} + 1)").as_str(), 0, Indices::Shifted)?;
    let p = p.divide_dim("filters", 3, width)?;
    let p = p.rearrange_dim("filters", &[3, 1, 2, 0, 4])?;
    let copied = p.find_loop("i3")?;
    p.divide_loop(&copied, width, ["jo", "ji"], Tail::Cut)?.simplify()
}
