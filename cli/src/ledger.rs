//! `rewright ledger`. Spec: [rule: ledger].

use crate::args::Ledger;
use crate::input::{is_stdin, name_of, read, stem_of};
use crate::load::load_text_with_script;
use crate::output::{Outcome, diagnose, error, put, say};
use crate::script::times;
use crate::versions::ended;
use rewright_ledger::page;
use rewright_primitives::derivation::{Derivation, FORMAT, of_script_with};
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{parse, run_with};
use rewright_primitives::version::session::Session;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the page of a derivation, or of a script that is run first.
pub(crate) fn ledger(args: &Ledger, primitives: &Registry) -> Outcome {
    written(args, primitives).unwrap_or_else(|outcome| outcome)
}

fn written(args: &Ledger, primitives: &Registry) -> Result<Outcome, Outcome> {
    let text = read(&args.file).map_err(|why| error(&why))?;
    let derivation = if is_json(&text) { recorded(&args.file, &text)? } else { run(args, primitives, text)? };
    let page =
        page(&derivation, primitives).map_err(|why| error(&format!("{}: {why}", name_of(&args.file))))?;
    let path = path(args);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    folder
        .map_or(Ok(()), fs::create_dir_all)
        .and_then(|()| fs::write(&path, &page))
        .map_err(|why| error(&format!("cannot write {}: {why}", path.display())))?;
    let steps: usize = derivation.chains.iter().map(|c| c.steps.len()).sum();
    say(&format!("wrote {} ({steps} steps, {} kB)", path.display(), page.len().div_ceil(1000)));
    put("files", vec![path.display().to_string()]);
    put("steps", steps);
    put("digest", derivation.digest);
    Ok(Outcome::Fine)
}

/// Whether a file is to be read as a derivation, though it may be none: no definition begins with a brace, and no script
/// is empty.
fn is_json(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}').trim();
    text.is_empty() || text.starts_with('{') || serde_json::from_str::<Value>(text).is_ok()
}

/// A derivation that was not changed after it was written.
fn recorded(file: &Path, text: &str) -> Result<Derivation, Outcome> {
    let name = name_of(file);
    let derivation =
        Derivation::of_json(text).map_err(|why| error(&format!("{name} is not a derivation: {why}")))?;
    if derivation.format != FORMAT {
        return Err(error(&format!(
            "{name}: its format is {}, not {FORMAT}: record the schedule again",
            derivation.format
        )));
    }
    if derivation.digest != derivation.digest_of_content() {
        return Err(error(&format!(
            "{name}: it was changed after it was written: its digest is another one"
        )));
    }
    Ok(derivation)
}

/// The derivation of a script.
fn run(args: &Ledger, primitives: &Registry, text: String) -> Result<Derivation, Outcome> {
    let mut loaded = load_text_with_script(&args.file, text).ok_or(Outcome::WrongInput)?;
    loaded.require_proved()?;
    let text = loaded.sources.get(loaded.file).map_or("", |f| &f.text);
    let lines = parse(loaded.file, text).map_err(|e| {
        diagnose(&[e.diagnostic()], &loaded.sources);
        Outcome::WrongInput
    })?;
    let ran = run_with(&Session::new(), primitives, &loaded.module, &loaded.prelude, &lines);
    match &ran.error {
        Some(e) => Err(ended(e, &loaded)),
        None => Ok(of_script_with(text, &ran, times(args.times))),
    }
}

/// Where the page goes.
fn path(args: &Ledger) -> PathBuf {
    let ending = args.out.extension().and_then(|e| e.to_str());
    let is_page = matches!(ending, Some("html" | "htm")) && !args.out.is_dir();
    if is_page {
        return args.out.clone();
    }
    let stem = if is_stdin(&args.file) { Some("ledger") } else { stem_of(&args.file) };
    args.out.join(format!("{}.html", stem.unwrap_or("ledger")))
}
