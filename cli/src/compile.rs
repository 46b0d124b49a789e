//! `rewright compile`.

use crate::args::Compile;
use crate::load::{Loaded, load};
use crate::output::{Outcome, color, complain, error, say};
use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::{Compiler, Family};
use rewright_semantics::diag::has_errors;
use rewright_semantics::inputs::{Given, Search, generate};
use rewright_semantics::render::render;
use std::fs;
use std::path::Path;

/// Cells of one argument, at most; kernels of fixed sizes need as many as they say.
const CELLS: u64 = 1 << 16;

/// Writes the C of a file; with `--cc-check`, holds it against the interpreter.
pub(crate) fn compile(args: &Compile) -> Outcome {
    let Some(mut loaded) = load(&args.file) else { return Outcome::WrongInput };
    loaded.prove();
    loaded.complain();
    if has_errors(&loaded.diagnostics) {
        return Outcome::WrongInput;
    }
    let Some(name) = args.file.file_stem().and_then(|s| s.to_str()) else {
        return error(&format!("{} is no name to call a C file by", args.file.display()));
    };
    let mut options = Options::new(name);
    options.sources = vec![args.file.display().to_string()];
    let unit = match compile_module(&loaded.module, &options) {
        Ok(unit) => unit,
        Err(diagnostics) => {
            complain(&render(&diagnostics, &loaded.sources, color()));
            return Outcome::WrongInput;
        }
    };
    if !unit.warnings.is_empty() {
        complain(&render(&unit.warnings, &loaded.sources, color()));
    }
    if let Err(why) = write(&unit, &args.out, name) {
        return error(&format!("cannot write to {}: {why}", args.out.display()));
    }
    say(&format!("wrote {}", args.out.join(format!("{name}.{{c,h,d}}")).display()));
    if args.cc_check { check(args, &loaded) } else { Outcome::Fine }
}

fn write(unit: &CUnit, out: &Path, name: &str) -> std::io::Result<()> {
    fs::create_dir_all(out)?;
    for (ending, text) in [("c", &unit.source), ("h", &unit.header), ("d", &unit.depends)] {
        fs::write(out.join(format!("{name}.{ending}")), text)?;
    }
    Ok(())
}

/// Compiles with every compiler there is, and runs every procedure.
fn check(args: &Compile, loaded: &Loaded) -> Outcome {
    let compilers = Compiler::available();
    if compilers.is_empty() {
        return error("no C compiler was found: install gcc or clang");
    }
    for family in [Family::Gcc, Family::Clang] {
        if !compilers.iter().any(|c| c.family == family) {
            say(&format!("{family}: not installed, skipped"));
        }
    }
    let mut worst = Outcome::Fine;
    for compiler in &compilers {
        let outcome = check_with(args, loaded, compiler);
        worst = worst.max(outcome);
    }
    worst
}

fn check_with(args: &Compile, loaded: &Loaded, compiler: &Compiler) -> Outcome {
    let family = compiler.family;
    let built = match Built::new(&loaded.module, compiler).and_then(|b| b.check().map(|()| b)) {
        Ok(built) => built,
        Err(why @ HarnessError::Unsupported(_)) => {
            say(&format!("{family}: skipped: {why}"));
            return Outcome::Fine;
        }
        Err(why) => return error(&format!("{family}: {why}")),
    };
    say(&format!("{family}: compiles without a warning"));
    let mut worst = Outcome::Fine;
    for f in &built.unit().functions {
        let name = f.proc.name.as_str();
        let outcome = match trials(args, &built, name) {
            Ok(report) => {
                say(&format!("{family}: {name} agrees with the interpreter ({report})"));
                Outcome::Fine
            }
            Err(Trouble::Differs(text)) => {
                complain(&format!("{family}: {name} differs from the interpreter: {text}"));
                Outcome::Difference
            }
            Err(Trouble::Wrong(text)) => error(&format!("{family}: {name}: {text}")),
        };
        worst = worst.max(outcome);
    }
    worst
}

enum Trouble {
    /// The C leaves something else than the interpreter.
    Differs(String),
    /// The procedure, or what it needs, is wrong.
    Wrong(String),
}

/// Runs a procedure on random inputs, the first one also under sanitizers.
fn trials(args: &Compile, built: &Built, name: &str) -> Result<String, Trouble> {
    let wrong = |why: String| Trouble::Wrong(why);
    let (_, f) = built.function(name).map_err(|why| wrong(why.to_string()))?;
    let (mut cells, mut exactly) = (0, 0);
    for trial in 0..args.trials.max(1) {
        let search = Search { max_cells: CELLS, ..Search::default() };
        let input = generate(&f.proc, &Given::default(), args.seed.wrapping_add(trial), search)
            .map_err(|why| wrong(why.to_string()))?;
        let modes: &[Mode] = if trial == 0 { &[Mode::Fast, Mode::Sanitized] } else { &[Mode::Fast] };
        for &mode in modes {
            match built.agree(name, &input, mode).map_err(|why| broken(&why))? {
                Verdict::Agrees { compared, exact } => {
                    cells += compared;
                    exactly += exact;
                }
                Verdict::Differs(difference) => {
                    return Err(Trouble::Differs(format!("{difference}\n  input: {input}")));
                }
                Verdict::InputRejected(fault) | Verdict::Faulty(fault) => {
                    return Err(wrong(format!("{fault}\n  input: {input}")));
                }
            }
        }
    }
    Ok(format!("{cells} cells on {} inputs, {exactly} of them exact; sanitizers silent", args.trials.max(1)))
}

/// What a compiler or a sanitizer has to say means that the C is not what it should be.
fn broken(why: &HarnessError) -> Trouble {
    match why {
        HarnessError::Tool(_) => Trouble::Differs(why.to_string()),
        HarnessError::Refused(_)
        | HarnessError::Unsupported(_)
        | HarnessError::Load(_)
        | HarnessError::NoProcedure(_)
        | HarnessError::BadInput(_) => Trouble::Wrong(why.to_string()),
    }
}
