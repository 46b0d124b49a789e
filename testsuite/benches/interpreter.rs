//! Throughput of the interpreter on gemm 64³, in statement instances.

use divan::Bencher;
use divan::counter::ItemsCount;
use rewright_semantics::ast::Proc;
use rewright_semantics::data::DataDomain;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::{Denotation, Limits};
use rewright_semantics::inputs::{Search, generate, parse_args};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

const GEMM: &str = "
@proc
def gemm(n: size, A: f32[n, n], B: f32[n, n], C: f32[n, n]):
    for i in seq(0, n):
        for j in seq(0, n):
            for k in seq(0, n):
                C[i, j] += A[i, k] * B[k, j]
";

fn main() {
    divan::main();
}

fn gemm() -> Arc<Proc> {
    let mut sources = SourceMap::new();
    let file = sources.add("gemm.py", GEMM);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    parsed.module.proc("gemm").expect("gemm is defined").clone()
}

#[divan::bench(types = [RationalDomain, MachineDomain], sample_count = 10)]
fn gemm_64<D: DataDomain>(bencher: Bencher<'_, '_>) {
    let p = gemm();
    let given = parse_args(&["n=64".to_owned()], &p).expect("n is an argument");
    let input = generate(&p, &given, 0, Search::default()).expect("there is an input");
    let (args, st) = input.store::<D>(&p);
    let gemm = Denotation::<D>::of(&p);
    let statements = gemm.call(&args, st.clone(), Limits::default()).expect("gemm has a meaning").statements;
    bencher.counter(ItemsCount::from(statements)).bench(|| gemm.call(&args, st.clone(), Limits::default()));
}
