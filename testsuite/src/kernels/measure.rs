//! The generated SGEMM against OpenBLAS and against the peak, in a program of its own. Spec: [rule: kernels].

use rewright_backends::c::CUnit;
use rewright_backends::toolchain::Compiler;
use std::path::{Path, PathBuf};
use std::process::Command;

const PROGRAM: &str = include_str!("../../kernels/bench_sgemm.c");

/// What [`measure`] found. All speeds are in GFLOP/s on one core.
#[derive(Clone, Debug)]
pub struct Measured {
    /// What fused multiply-adds alone reach.
    pub peak: f64,
    /// Whether OpenBLAS was there.
    pub compared: bool,
    /// Each size: M, N, K; ours; OpenBLAS.
    pub rows: Vec<([u32; 3], f64, f64)>,
}

/// Where `make bench` puts OpenBLAS; `None` when it is not there.
pub fn openblas() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/openblas/scipy_openblas64/lib");
    let lib = root.join("libscipy_openblas64_.so");
    lib.exists().then_some(lib)
}

/// Compiles the unit of `sgemm` for this machine and times it, beside OpenBLAS where that is there.
///
/// # Errors
/// The compiler or the program fails; the machine has no AVX-512.
pub fn measure(unit: &CUnit) -> Result<Measured, String> {
    if !has_avx512() {
        return Err("this machine has no AVX-512".to_owned());
    }
    let compiler = Compiler::available().into_iter().next().ok_or("there is no C compiler")?;
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let write =
        |name: &str, text: &str| std::fs::write(dir.path().join(name), text).map_err(|e| e.to_string());
    write("sgemm.h", &unit.header)?;
    write("sgemm.c", &unit.source)?;
    write("bench_sgemm.c", PROGRAM)?;
    let mut build = Command::new(&compiler.path);
    build.current_dir(dir.path());
    build.args(["-std=c11", "-O3", "-march=native", "sgemm.c", "bench_sgemm.c", "-ldl", "-o", "bench_sgemm"]);
    output(&mut build)?;
    let mut run = Command::new(dir.path().join("bench_sgemm"));
    // Left-over settings make OpenBLAS choose kernels of another machine.
    run.env_remove("OPENBLAS_CORETYPE").env_remove("OPENBLAS_L2_SIZE");
    let lib = openblas();
    run.args(&lib);
    parse(&output(&mut run)?, lib.is_some())
}

#[cfg(target_arch = "x86_64")]
fn has_avx512() -> bool {
    std::arch::is_x86_feature_detected!("avx512f")
}

#[cfg(not(target_arch = "x86_64"))]
fn has_avx512() -> bool {
    false
}

fn output(command: &mut Command) -> Result<String, String> {
    let out = command.output().map_err(|e| e.to_string())?;
    if out.status.success() {
        Ok(String::from_utf8_lossy(&out.stdout).into_owned())
    } else {
        Err(format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr)))
    }
}

fn parse(text: &str, compared: bool) -> Result<Measured, String> {
    let mut lines = text.lines();
    let wrong = || format!("not what was expected:\n{text}");
    let peak = lines.next().and_then(|l| l.strip_prefix("peak ")?.parse().ok()).ok_or_else(wrong)?;
    let row = |line: &str| {
        let mut words = line.split(' ');
        let mut size = || words.next()?.parse().ok();
        let shape = [size()?, size()?, size()?];
        Some((shape, words.next()?.parse().ok()?, words.next()?.parse().ok()?))
    };
    let rows = lines.map(|l| row(l).ok_or_else(wrong)).collect::<Result<_, _>>()?;
    Ok(Measured { peak, compared, rows })
}
