//! What back end and front end say of a schedule's result, shown in the result: statements that a rewrite made are in no
//! file.

use crate::output::diagnose;
use rewright_backends::c::{Options, compile_module};
use rewright_effects::frontend;
use rewright_semantics::ast::{Module, Proc, StmtKind};
use rewright_semantics::diag::has_errors;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::typecheck::check_module;
use std::sync::Arc;

/// Tells the findings about a module in the text that it is printed as; whether there are any in that.
pub(crate) fn tell(module: &Module, prelude: &Prelude, options: &Options) -> bool {
    let text = module_to_string(&complete(module, prelude));
    let mut sources = SourceMap::new();
    let file = sources.add("<scheduled>", text);
    let parsed = parse_module(file, &sources, prelude);
    if has_errors(&parsed.diagnostics) {
        return false;
    }
    let Err(found) = compile_module(&parsed.module, options) else { return false };
    diagnose(&found, &sources);
    true
}

/// Tells why the front end does not accept a procedure. What was extracted is safe where it is called, and nobody has
/// shown more of it.
pub(crate) fn tell_unsafe(module: &Module, p: &Proc, prelude: &Prelude) {
    let alone = Module { procs: vec![Arc::new(p.clone())], ..module.clone() };
    let mut sources = SourceMap::new();
    let file = sources.add("<scheduled>", module_to_string(&complete(&alone, prelude)));
    let parsed = parse_module(file, &sources, prelude);
    let mut found = parsed.diagnostics;
    found.extend(check_module(&parsed.module));
    if !has_errors(&found) {
        found.extend(frontend::check_module(&parsed.module).iter().flat_map(|c| c.refusals(&sources)));
    }
    diagnose(&found, &sources);
}

/// The module with all that its procedures call, but for what is known by name.
fn complete(module: &Module, prelude: &Prelude) -> Module {
    let mut out = Module { procs: Vec::new(), ..module.clone() };
    module.procs.iter().for_each(|p| add(p, prelude, &mut out.procs));
    out
}

/// A procedure after those that it calls.
fn add(p: &Arc<Proc>, prelude: &Prelude, out: &mut Vec<Arc<Proc>>) {
    let known = |q: &&Arc<Proc>| Arc::ptr_eq(q, p);
    if out.iter().chain(&prelude.procs).any(|q| known(&q)) {
        return;
    }
    each_stmt(&p.body, &mut |s| {
        if let StmtKind::Call { proc, args: _ } = s.kind.as_ref() {
            add(proc, prelude, out);
        }
    });
    out.push(p.clone());
}
