//! `rewright script`.

use crate::args::{Emit, Script};
use crate::input::stem_of;
use crate::load::{Loaded, load};
use crate::output::{Outcome, diagnose, error, put, say};
use crate::scheduled;
use rewright_backends::c::{Options, compile_module};
use rewright_primitives::Proc;
use rewright_primitives::derivation::record;
use rewright_primitives::error::Error;
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{Binding, Cause, Run, ScriptError, parse, run_with};
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use serde_json::{Map, Value, json};
use std::fs;

/// Runs a script and writes what it made, as far as it came.
pub(crate) fn script(args: &Script, primitives: &Registry) -> Outcome {
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
            diagnose(&[e.diagnostic()], &loaded.sources);
            return Outcome::WrongInput;
        }
    };
    let ran = run_with(primitives, &loaded.module, &loaded.prelude, &lines);
    ran.printed.iter().for_each(|text| say(text));
    put("printed", ran.printed.clone());
    let bound = ran.bindings.iter().map(|b| json!({ "name": b.name, "procedure": b.proc.name().as_str() }));
    put("bindings", bound.collect::<Vec<Value>>());
    if let Some(e) = &ran.error {
        diagnose(&[e.diagnostic()], &loaded.sources);
        return ended(e);
    }
    let mut made = Made::default();
    let outcome = write(args, &loaded, &ran, &mut made);
    put("files", made.files);
    put("texts", made.texts);
    outcome
}

/// How a script ends that stopped.
fn ended(e: &ScriptError) -> Outcome {
    match &e.cause {
        Cause::Refused(Error::Internal { .. }) => Outcome::Bug,
        Cause::Refused(_) if e.is_refusal() => Outcome::Refused,
        Cause::Refused(_) | Cause::Wrong { .. } => Outcome::WrongInput,
    }
}

/// What a script has written: into files, or as texts by name.
#[derive(Default)]
struct Made {
    files: Vec<String>,
    texts: Map<String, Value>,
}

fn write(args: &Script, loaded: &Loaded, ran: &Run, made: &mut Made) -> Outcome {
    match args.emit {
        Emit::Procs => {
            let blocks = ran.bindings.iter().map(|b| format!("# {}\n{}", b.name, b.proc));
            emit(args, made, "procs.py", &blocks.collect::<Vec<_>>().join("\n"))
        }
        Emit::Derivation => {
            let last = last_of_each(&ran.bindings);
            let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
            let d = record(text, last.iter().map(|b| (b.name.as_str(), &b.proc)));
            match serde_json::to_string_pretty(&d) {
                Ok(text) => emit(args, made, "derivation.json", &text),
                Err(why) => error(&format!("the derivation cannot be written: {why}")),
            }
        }
        Emit::C => emit_c(args, loaded, &last_of_each(&ran.bindings), made),
    }
}

/// The last procedure bound to each name, in the order of the names' last lines.
fn last_of_each(bindings: &[Binding]) -> Vec<Binding> {
    let later = |k: usize, name: &str| bindings.iter().skip(k + 1).any(|b| b.name == name);
    let last = bindings.iter().enumerate().filter(|(k, b)| !later(*k, &b.name));
    last.map(|(_, b)| b.clone()).collect()
}

fn emit_c(args: &Script, loaded: &Loaded, bound: &[Binding], made: &mut Made) -> Outcome {
    let mut module = Module { procs: Vec::new(), ..loaded.module.clone() };
    for Binding { name: _, proc } in bound {
        let proc: &Proc = proc;
        // Two versions of one procedure cannot have one name in C: the later one stands.
        module.procs.retain(|p| p.name != proc.name());
        module.procs.push(proc.ast().clone());
    }
    let stem = stem_of(&args.file).unwrap_or("unit");
    let options = Options::new(stem);
    match compile_module(&module, &options) {
        Ok(unit) => {
            let header = emit(args, made, &format!("{stem}.h"), &unit.header);
            header.max(emit(args, made, &format!("{stem}.c"), &unit.source))
        }
        Err(diagnostics) => {
            if !scheduled::tell(&module, &loaded.prelude, &options) {
                diagnose(&diagnostics, &loaded.sources);
            }
            Outcome::WrongInput
        }
    }
}

/// Prints a text, or writes it into the directory asked for.
fn emit(args: &Script, made: &mut Made, name: &str, text: &str) -> Outcome {
    let Some(dir) = &args.out else {
        say(text);
        made.texts.insert(name.to_owned(), json!(text));
        return Outcome::Fine;
    };
    let path = dir.join(name);
    match fs::create_dir_all(dir).and_then(|()| fs::write(&path, text)) {
        Ok(()) => {
            say(&format!("wrote {}", path.display()));
            made.files.push(path.display().to_string());
            Outcome::Fine
        }
        Err(why) => error(&format!("cannot write {}: {why}", path.display())),
    }
}
