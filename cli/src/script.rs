//! `rewright script`.

use crate::args::{Emit, Script};
use crate::cc_check::cc_check;
use crate::compile;
use crate::input::stem_of;
use crate::load::{Loaded, load_with_script};
use crate::output::{Outcome, aside, complain, diagnose, error, put, say};
use crate::versions::{Version, Versions, ended, is_safe_alone};
use rewright_backends::c::CUnit;
use rewright_primitives::Proc;
use rewright_primitives::derivation::{Times, of_script_with};
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{Binding, Run, parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::ast::Module;
use serde_json::{Map, Value, json};
use std::fs;

/// Runs a script and writes what it made, as far as it came.
pub(crate) fn script(args: &Script, primitives: &Registry) -> Outcome {
    let Some(mut loaded) = load_with_script(&args.file) else { return Outcome::WrongInput };
    if let Err(outcome) = loaded.require_proved() {
        return outcome;
    }
    let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
    let lines = match parse(loaded.file, text) {
        Ok(lines) => lines,
        Err(e) => {
            diagnose(&[e.diagnostic()], &loaded.sources);
            return Outcome::WrongInput;
        }
    };
    let ran = run_with(&Session::new(), primitives, &loaded.module, &loaded.prelude, &lines);
    // What is asked for is alone where it goes.
    let is_beside = args.emit != Emit::Procs && args.out.is_none();
    ran.printed.iter().for_each(|text| if is_beside { aside(text) } else { say(text) });
    put("printed", ran.printed.clone());
    let bound = ran.bindings.iter().map(|b| json!({ "name": b.name, "procedure": b.proc.name().as_str() }));
    put("bindings", bound.collect::<Vec<Value>>());
    if let Some(e) = &ran.error {
        return ended(e, &loaded);
    }
    written(args, primitives, &mut loaded, &ran).unwrap_or_else(|outcome| outcome)
}

/// Writes what is asked for, and holds its C against the interpreter where that is asked for.
fn written(args: &Script, primitives: &Registry, loaded: &mut Loaded, ran: &Run) -> Result<Outcome, Outcome> {
    let mut texts = Map::new();
    if args.emit != Emit::C {
        for Binding { name, proc } in ran.last_of_each().into_iter().filter(|b| !is_safe_alone(&b.proc)) {
            let called = proc.name();
            complain(&format!(
                "{name} is no program by itself: `{called}` was extracted and is safe only where it is called"
            ));
        }
    }
    match args.emit {
        Emit::Procs => {
            let blocks: Vec<String> = if args.procs.is_empty() {
                let bound = if args.all { ran.bindings.iter().collect() } else { ran.last_of_each() };
                bound.into_iter().map(|Binding { name, proc }| block(name, proc)).collect()
            } else {
                let mut versions = Versions::of(loaded, primitives)?;
                let named = args.procs.iter().map(|name| versions.named(name));
                named.map(|v| v.map(|v| block(&v.name, &v.proc))).collect::<Result<_, Outcome>>()?
            };
            emit(args, &mut texts, "procs.py", &blocks.join("\n"))?;
        }
        Emit::Derivation if !args.procs.is_empty() => {
            return Err(error("a derivation is one of the whole script: leave out --proc"));
        }
        Emit::Derivation => {
            let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
            let written = serde_json::to_string_pretty(&of_script_with(text, ran, times(args.times)));
            let text = written.map_err(|why| error(&format!("the derivation cannot be written: {why}")))?;
            emit(args, &mut texts, "derivation.json", &text)?;
        }
        Emit::C => {}
    }
    if args.emit == Emit::C || args.cc.cc_check {
        let (module, versions) = in_c(args, primitives, loaded, ran)?;
        let unit = compile::unit_of(&args.file, &module, loaded, true)?;
        if args.emit == Emit::C {
            emit_c(args, &mut texts, &unit, &versions)?;
        }
        put("texts", texts);
        return Ok(if args.cc.cc_check { cc_check(&args.cc, &module) } else { Outcome::Fine });
    }
    put("texts", texts);
    Ok(Outcome::Fine)
}

/// Whether times are told.
pub(crate) fn times(told: bool) -> Times {
    if told { Times::Told } else { Times::Untold }
}

/// A procedure under its name.
fn block(name: &str, proc: &Proc) -> String {
    format!("# {name}\n{proc}")
}

/// What becomes C: the versions that are asked for, else the last one of each name. Of two versions of one procedure,
/// which have one name in C, the later one stands.
fn in_c(
    args: &Script,
    primitives: &Registry,
    loaded: &mut Loaded,
    ran: &Run,
) -> Result<(Module, Vec<Version>), Outcome> {
    if !args.procs.is_empty() {
        return Versions::of(loaded, primitives)?.module(&args.procs);
    }
    let mut versions: Vec<Version> = Vec::new();
    for Binding { name, proc } in ran.last_of_each() {
        if !is_safe_alone(proc) {
            let called = proc.name();
            complain(&format!(
                "{name} is left out: `{called}` was extracted and is safe only where it is called"
            ));
            continue;
        }
        versions.retain(|v| {
            let stays = v.proc.name() != proc.name();
            if !stays && v.proc.id() != proc.id() {
                let called = proc.name();
                complain(&format!("{} is left out: {name} is called `{called}` in C, too", v.name));
            }
            stays
        });
        versions.push(Version { name: name.clone(), proc: proc.clone() });
    }
    let procs = versions.iter().map(|v| v.proc.ast().clone()).collect();
    Ok((Module { procs, ..loaded.module.clone() }, versions))
}

/// Writes a unit as `compile` does, or prints header and source.
fn emit_c(
    args: &Script,
    texts: &mut Map<String, Value>,
    unit: &CUnit,
    versions: &[Version],
) -> Result<(), Outcome> {
    if let Some(dir) = &args.out {
        return compile::write(unit, dir, &args.file, versions);
    }
    let stem = stem_of(&args.file).unwrap_or("unit");
    emit(args, texts, &format!("{stem}.h"), &unit.header)?;
    emit(args, texts, &format!("{stem}.c"), &unit.source)
}

/// Prints a text, or writes it into the directory asked for.
fn emit(args: &Script, texts: &mut Map<String, Value>, name: &str, text: &str) -> Result<(), Outcome> {
    let Some(dir) = &args.out else {
        say(text);
        texts.insert(name.to_owned(), json!(text));
        return Ok(());
    };
    let path = dir.join(name);
    match fs::create_dir_all(dir).and_then(|()| fs::write(&path, text)) {
        Ok(()) => {
            say(&format!("wrote {}", path.display()));
            put("files", vec![path.display().to_string()]);
            Ok(())
        }
        Err(why) => Err(error(&format!("cannot write {}: {why}", path.display()))),
    }
}
