//! Convolutions of images in rows of channels (NHWC), beside the BLAS: for each row of the result, and each place of the
//! filter, a product of matrices. PLDI'22 §7.2. Spec: [rule: blas.convolution].

use super::{Plan, Precision, Program};
use crate::gemm::{Kernel, call};
use crate::target::Target;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_primitives::ops::{Indices, Staging};

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

/// A row of the result is set to the bias, products are added to it, and what is negative becomes zero.
pub(super) fn convolution(p: &Proc, product: &Kernel, target: &Target) -> Result<Proc> {
    let p = packed(p, target)?;
    let sum = p.find_loop("ky")?;
    let p = p.fission(sum.before()?, 2)?;
    let p = p.fission(p.forward(&sum)?.after()?, 2)?;
    let outward = ["o ky", "j ky", "o kx", "j kx"];
    let p = outward.into_iter().try_fold(p, |p, loops| p.reorder_loops(loops))?;
    let nest = p.find_loop("kx")?.body()?.at(0)?;
    call(&p, &nest, product)
}

/// Copies the filters before all, so that those of a place are a matrix: its rows are the channels, and longer than they
/// need be, so that not all begin at the same places in a cache.
fn packed(p: &Proc, target: &Target) -> Result<Proc> {
    let p = p.stage_mem("for b in _: _", "a[0:c, 0:kh, 0:kw, 0:f]", "filters", Staging::Copy)?;
    let p = p.rearrange_dim("filters", &[1, 2, 0, 3])?;
    p.resize_dim("filters", 3, format!("f + {}", target.lanes()).as_str(), 0, Indices::Shifted)
}
