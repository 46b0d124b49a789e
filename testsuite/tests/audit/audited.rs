//! Derivations of scripts, and what an audit says of them.

use rewright_primitives::derivation::audit::{Finding, Options, Summary, audit};
use rewright_primitives::derivation::{Derivation, of_script};
use rewright_primitives::registry::Registry;
use rewright_primitives::script;
use rewright_primitives::version::session::Session;
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;

/// What an audit says of a derivation.
pub(crate) fn audited(d: &Derivation) -> Result<Summary, Finding> {
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    audit(d, &Options { inputs: 3, statements: 300_000, ..Options::new(&prelude, &Registry::standard()) })
}

/// The derivation of what a script binds; `None` where it stops, or binds nothing.
pub(crate) fn of_text(text: &str) -> Option<Derivation> {
    of_text_in(&Session::new(), text)
}

/// The same in a session.
pub(crate) fn of_text_in(session: &Session, text: &str) -> Option<Derivation> {
    let mut sources = SourceMap::new();
    let file = sources.add("case.py", text);
    let prelude = rewright_machines::prelude(&mut sources);
    let module = parse_module(file, &sources, &prelude).module;
    let lines = script::parse(file, text).ok()?;
    let ran = script::run_with(session, &Registry::standard(), &module, &prelude, &lines);
    (ran.error.is_none() && !ran.bindings.is_empty()).then(|| of_script(text, &ran))
}

/// What an audit has against what a script makes.
pub(crate) fn against(text: &str) -> String {
    let d = of_text(text).expect("the script runs");
    audited(&d).map_or_else(|found| found.to_string(), |summary| format!("nothing: {summary:?}"))
}
