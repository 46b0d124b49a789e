//! Throughput of the interpreter on gemm 64³, in statement instances.

use mimalloc::MiMalloc;
use rewright_semantics::ast::Proc;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Interpreted, Limits};
use rewright_semantics::inputs::{Search, generate, parse_args};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use rewright_testsuite::throughput::{Unit, measure};
use std::sync::Arc;

/// As in the command.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const GEMM: &str = "
@proc
def gemm(n: size, A: f32[n, n], B: f32[n, n], C: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            for k in seq(0, n):
                C[i, j] += A[i, k] * B[k, j]
";

fn main() {
    gemm_64::<RationalDomain>("interpreter, Rational, gemm 64³", Some(3.0));
    gemm_64::<MachineDomain>("interpreter, Machine, gemm 64³", None);
}

fn gemm() -> Arc<Proc> {
    let mut sources = SourceMap::new();
    let file = sources.add("gemm.py", GEMM);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    parsed.module.proc("gemm").expect("gemm is defined").clone()
}

fn gemm_64<D: Interpreted>(what: &str, goal: Option<f64>) {
    let p = gemm();
    let given = parse_args(&["n=64".to_owned()], &p).expect("n is an argument");
    let input = generate(&p, &given, 0, Search::default()).expect("there is an input");
    let (args, st) = input.store::<D>(&p);
    let gemm = Denotation::<D>::of(&p);
    let statements = gemm.call(&args, st.clone(), Limits::default()).expect("gemm has a meaning").statements;
    let amount = usize::try_from(statements).expect("a small number");
    measure(what, Unit::Statements, amount, goal, || gemm.call(&args, st.clone(), Limits::default()));
}
