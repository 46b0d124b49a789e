//! `rewright script`.

use crate::args::{Emit, Script};
use crate::load::{Loaded, load};
use crate::output::{Outcome, color, complain, error, say};
use crate::scheduled;
use rewright_backends::c::{Options, compile_module};
use rewright_primitives::Proc;
use rewright_primitives::derivation::record;
use rewright_primitives::script::{Binding, Run, parse, run};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use rewright_semantics::render::render;
use std::fs;
use std::path::Path;

/// Runs a script and writes what it made, as far as it came.
pub(crate) fn script(args: &Script) -> Outcome {
    let Some(mut loaded) = load(&args.file) else { return Outcome::WrongInput };
    // The lines that other commands skip are what this one runs.
    loaded.diagnostics.retain(|d| d.rule != "syntax.skipped");
    if !has_errors(&loaded.diagnostics) {
        loaded.prove();
    }
    loaded.complain();
    if has_errors(&loaded.diagnostics) {
        return Outcome::WrongInput;
    }
    let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
    let lines = match parse(loaded.file, text) {
        Ok(lines) => lines,
        Err(e) => {
            complain(&render(&[e.diagnostic()], &loaded.sources, color()));
            return Outcome::WrongInput;
        }
    };
    let ran = run(&loaded.module, &loaded.prelude, &lines);
    ran.printed.iter().for_each(|text| say(text));
    if let Some(e) = &ran.error {
        complain(&render(&[e.diagnostic()], &loaded.sources, color()));
        return if e.is_refusal() { Outcome::Refused } else { Outcome::WrongInput };
    }
    write(args, &loaded, &ran)
}

fn write(args: &Script, loaded: &Loaded, ran: &Run) -> Outcome {
    match args.emit {
        Emit::Procs => {
            let blocks = ran.bindings.iter().map(|b| format!("# {}\n{}", b.name, b.proc));
            put(args, "procs.py", &blocks.collect::<Vec<_>>().join("\n"))
        }
        Emit::Derivation => {
            let last = last_of_each(&ran.bindings);
            let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
            let d = record(text, last.iter().map(|b| (b.name.as_str(), &b.proc)));
            match serde_json::to_string_pretty(&d) {
                Ok(text) => put(args, "derivation.json", &text),
                Err(why) => error(&format!("the derivation cannot be written: {why}")),
            }
        }
        Emit::C => emit_c(args, loaded, &last_of_each(&ran.bindings)),
    }
}

/// The last procedure bound to each name, in the order of the names' last lines.
fn last_of_each(bindings: &[Binding]) -> Vec<Binding> {
    let later = |k: usize, name: &str| bindings.iter().skip(k + 1).any(|b| b.name == name);
    let last = bindings.iter().enumerate().filter(|(k, b)| !later(*k, &b.name));
    last.map(|(_, b)| b.clone()).collect()
}

fn emit_c(args: &Script, loaded: &Loaded, bound: &[Binding]) -> Outcome {
    let mut module = Module { procs: Vec::new(), ..loaded.module.clone() };
    for Binding { name: _, proc } in bound {
        let proc: &Proc = proc;
        // Two versions of one procedure cannot have one name in C: the later one stands.
        module.procs.retain(|p| p.name != proc.name());
        module.procs.push(proc.ast().clone());
    }
    let stem = args.file.file_stem().map_or("unit".to_owned(), |s| s.to_string_lossy().into_owned());
    let options = Options::new(&stem);
    match compile_module(&module, &options) {
        Ok(unit) => {
            let header = put(args, &format!("{stem}.h"), &unit.header);
            header.max(put(args, &format!("{stem}.c"), &unit.source))
        }
        Err(diagnostics) => {
            let shown = scheduled::findings(&module, &loaded.prelude, &options);
            complain(&shown.unwrap_or_else(|| render(&diagnostics, &loaded.sources, color())));
            Outcome::WrongInput
        }
    }
}

/// Prints a text, or writes it into the directory asked for.
fn put(args: &Script, name: &str, text: &str) -> Outcome {
    let Some(dir) = &args.out else {
        say(text);
        return Outcome::Fine;
    };
    let path = dir.join(name);
    match fs::create_dir_all(dir).and_then(|()| fs::write(&path, text)) {
        Ok(()) => wrote(&path),
        Err(why) => error(&format!("cannot write {}: {why}", path.display())),
    }
}

fn wrote(path: &Path) -> Outcome {
    say(&format!("wrote {}", path.display()));
    Outcome::Fine
}
