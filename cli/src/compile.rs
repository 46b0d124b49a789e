//! `rewright compile`.

use crate::args::Compile;
use crate::cc_check::cc_check;
use crate::input::{name_of, stem_of};
use crate::load::{Loaded, load};
use crate::output::{Outcome, diagnose, error, put, say};
use crate::scheduled;
use crate::versions::{Version, Versions};
use rewright_backends::c::{CUnit, Options, compile_module};
use rewright_primitives::registry::Registry;
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use std::fs;
use std::path::Path;

/// Writes the C of a file; with `--cc-check`, holds it against the interpreter.
pub(crate) fn compile(args: &Compile, primitives: &Registry) -> Outcome {
    let Some(mut loaded) = load(&args.file) else { return Outcome::WrongInput };
    loaded.expect_script();
    loaded.prove();
    loaded.complain();
    if has_errors(&loaded.diagnostics) {
        return Outcome::WrongInput;
    }
    let chosen = Versions::of(&mut loaded, primitives).and_then(|mut v| v.module(&args.procs));
    let (module, versions) = match chosen {
        Ok(chosen) => chosen,
        Err(outcome) => return outcome,
    };
    let unit = match unit_of(&args.file, &module, &loaded, !versions.is_empty()) {
        Ok(unit) => unit,
        Err(outcome) => return outcome,
    };
    if let Err(outcome) = write(&unit, &args.out, &args.file, &versions) {
        return outcome;
    }
    if args.cc.cc_check { cc_check(&args.cc, &module) } else { Outcome::Fine }
}

/// The C of a module; an outcome after messages where there is none. What was `scheduled` is shown in its own text.
pub(crate) fn unit_of(
    file: &Path,
    module: &Module,
    loaded: &Loaded,
    scheduled: bool,
) -> Result<CUnit, Outcome> {
    let Some(name) = stem_of(file) else {
        return Err(error(&format!("{} is no name to call a C file by", file.display())));
    };
    let mut options = Options::new(name);
    options.sources = vec![name_of(file)];
    match compile_module(module, &options) {
        Ok(unit) => {
            diagnose(&unit.warnings, &loaded.sources);
            Ok(unit)
        }
        Err(diagnostics) => {
            if !scheduled || !scheduled::tell(module, &loaded.prelude, &options) {
                diagnose(&diagnostics, &loaded.sources);
            }
            Err(Outcome::WrongInput)
        }
    }
}

/// What is written: source, header, what they depend on.
const ENDINGS: [&str; 3] = ["c", "h", "d"];

/// Writes a unit into a directory, and says so; `versions` are what a script has made of it.
pub(crate) fn write(unit: &CUnit, out: &Path, file: &Path, versions: &[Version]) -> Result<(), Outcome> {
    let name = stem_of(file).unwrap_or("unit");
    if let Err(why) = write_files(unit, out, name) {
        return Err(error(&format!("cannot write to {}: {why}", out.display())));
    }
    let files: Vec<String> =
        ENDINGS.iter().map(|e| out.join(format!("{name}.{e}")).display().to_string()).collect();
    put("files", files);
    put("versions", versions.iter().map(|v| v.name.clone()).collect::<Vec<String>>());
    let of: Vec<&str> = versions.iter().map(|v| v.name.as_str()).collect();
    let of = if of.is_empty() { String::new() } else { format!(": {}", of.join(", ")) };
    say(&format!("wrote {}{of}", out.join(format!("{name}.{{c,h,d}}")).display()));
    if !unit.flags.is_empty() {
        say(&format!("compile it with {}", unit.flags.join(" ")));
    }
    put("cflags", unit.flags.clone());
    Ok(())
}

fn write_files(unit: &CUnit, out: &Path, name: &str) -> std::io::Result<()> {
    fs::create_dir_all(out)?;
    for (ending, text) in ENDINGS.iter().zip([&unit.source, &unit.header, &unit.depends]) {
        fs::write(out.join(format!("{name}.{ending}")), text)?;
    }
    Ok(())
}
