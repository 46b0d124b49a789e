//! `rewright check`.

use crate::args::Check;
use crate::load::load;
use crate::output::{Outcome, say};
use rewright_effects::frontend::explain;
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use rewright_semantics::pretty::module_to_string;

/// Checks each file; one line of summary for each that is fine.
pub(crate) fn check(args: &Check) -> Outcome {
    let mut worst = Outcome::Fine;
    for path in &args.files {
        let Some(mut loaded) = load(path) else {
            worst = Outcome::WrongInput;
            continue;
        };
        let checked = loaded.prove();
        loaded.complain();
        if args.explain {
            for c in &checked {
                say(&explain(c.proc.name.as_str(), &c.findings, &loaded.sources));
            }
        }
        if has_errors(&loaded.diagnostics) {
            worst = Outcome::WrongInput;
            continue;
        }
        say(&format!("{}: ok ({})", path.display(), summary(&loaded.module)));
        if args.print {
            say(&module_to_string(&loaded.module));
        }
    }
    worst
}

fn summary(m: &Module) -> String {
    let instrs = m.procs.iter().filter(|p| p.instr.is_some()).count();
    let counts = [
        (m.procs.len() - instrs, "procedure", "procedures"),
        (instrs, "instruction", "instructions"),
        (m.configs.len(), "config", "configs"),
        (m.memories.len(), "memory", "memories"),
    ];
    let parts: Vec<String> = counts
        .iter()
        .filter(|(n, ..)| *n > 0)
        .map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many }))
        .collect();
    if parts.is_empty() { "no definition".to_owned() } else { parts.join(", ") }
}
