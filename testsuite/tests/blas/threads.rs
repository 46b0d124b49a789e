//! Kernels that are compiled for several threads.

use super::{agrees, module_of, named, of_sizes};
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_library::blas::Precision;
use rewright_library::blas::package::{Kernel, Processor};

/// Products that are large enough for several threads, with some: whole parts, and one that is left over.
#[test]
fn threads_make_the_same_products() {
    let [single, double] = [(Precision::F32, Processor::Avx512), (Precision::F64, Processor::Avx2)];
    for ((precision, processor), name, sizes) in [
        (single, "gemm_one", &[("m", 25), ("n", 300), ("k", 520)][..]),
        (single, "gemm_nt", &[("m", 25), ("n", 300), ("k", 520)]),
        (double, "gemm_one", &[("m", 25), ("n", 150), ("k", 140)]),
        (double, "trmm_lunn", &[("m", 193), ("n", 197)]),
        (single, "syrk_lt", &[("n", 577), ("k", 65)]),
        (double, "syrk_un", &[("n", 433), ("k", 67)]),
        (double, "syrk_lt", &[("n", 392), ("k", 64)]),
        (single, "gemv_n", &[("m", 577), ("n", 513)]),
        (double, "gemv_t", &[("m", 513), ("n", 577)]),
        (single, "gemv_t", &[("m", 512), ("n", 512)]),
        (double, "ger", &[("m", 577), ("n", 513)]),
    ] {
        if let Some(why) = with_threads(named(name, precision, processor), sizes) {
            println!("{why}");
        }
    }
}

/// Columns that are too few for all threads, a third strip and one column, whose rows are done in parts: 96, and one more. The
/// schedule is compared on every machine, its C where it runs.
#[test]
fn threads_share_the_rows_of_what_is_left_over() {
    for name in ["gemm_one", "gemm_nt"] {
        let kernel = named(name, Precision::F32, Processor::Avx512);
        let sizes = [("m", 97), ("n", 385), ("k", 513)];
        agrees(kernel, [of_sizes(kernel, &sizes)], &Err("it is compiled for threads".to_owned()));
        if let Some(why) = with_threads(kernel, &sizes) {
            println!("{why}");
        }
    }
}

/// Compares a kernel that is compiled for threads with its program, or says why it was not run.
fn with_threads(kernel: &Kernel, sizes: &[(&str, i64)]) -> Option<String> {
    let compiler = &Compiler::available()[0];
    let p = kernel.fast.ast();
    let input = of_sizes(kernel, sizes);
    match Built::with_flags(&module_of([&kernel.fast]), compiler, &["-fopenmp"]) {
        Ok(built) => {
            assert!(built.unit().source.contains("#pragma omp parallel for"));
            let verdict = built.agree(p.name.as_str(), &input, Mode::Fast);
            assert!(matches!(verdict, Ok(Verdict::Agrees { .. })), "{}: {verdict:?}", p.name);
            None
        }
        Err(HarnessError::Unsupported(what)) => Some(format!("{}: not run, no {what}", p.name)),
        Err(e) => panic!("{e}"),
    }
}
