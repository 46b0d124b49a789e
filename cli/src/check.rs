//! `rewright check`.

use crate::args::Check;
use crate::input::name_of;
use crate::load::load;
use crate::output::{Outcome, place, put, say};
use rewright_effects::frontend::{Checked, Finding, Mode, explain};
use rewright_effects::obligation::Verdict;
use rewright_semantics::ast::Module;
use rewright_semantics::diag::has_errors;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use serde_json::{Value, json};

/// Checks each file; one line of summary for each that is fine.
pub(crate) fn check(args: &Check) -> Outcome {
    let mut worst = Outcome::Fine;
    let mut files = Vec::new();
    for path in &args.files {
        let name = name_of(path);
        let Some(mut loaded) = load(path) else {
            worst = Outcome::WrongInput;
            files.push(json!({ "file": name, "ok": false }));
            continue;
        };
        let mode = if args.strict { Mode::Strict } else { Mode::Standard };
        let checked = loaded.prove_in(mode);
        loaded.complain();
        if args.explain {
            for c in &checked {
                say(&explain(c.proc.name.as_str(), &c.findings, &loaded.sources));
            }
        }
        let ok = !has_errors(&loaded.diagnostics);
        let mut row = row(&name, ok, &loaded.module);
        if ok {
            say(&format!("{name}: ok ({})", summary(&loaded.module)));
        } else {
            worst = Outcome::WrongInput;
        }
        if ok && args.print {
            let text = module_to_string(&loaded.module);
            say(&text);
            row["text"] = json!(text);
        }
        if args.explain {
            row["requirements"] = checked.iter().flat_map(|c| requirements(c, &loaded.sources)).collect();
        }
        files.push(row);
    }
    put("files", files);
    worst
}

fn row(name: &str, ok: bool, m: &Module) -> Value {
    let instrs = m.procs.iter().filter(|p| p.instr.is_some()).count();
    json!({
        "file": name, "ok": ok, "procedures": m.procs.len() - instrs, "instructions": instrs,
        "configs": m.configs.len(), "memories": m.memories.len(),
    })
}

/// What had to be proved of a procedure, and what became of it.
fn requirements(c: &Checked, sources: &SourceMap) -> Vec<Value> {
    let row = |f: &Finding| {
        let asked = &f.requirement.obligation;
        let (verdict, by) = match &f.verdict {
            Verdict::Proved { by } => ("proved", by.to_string()),
            Verdict::Refuted { .. } => ("refuted", f.counterexample().unwrap_or_default()),
            Verdict::Unknown { why } => ("unknown", why.clone()),
        };
        let at = asked.locations.first().and_then(|(at, _)| place(*at, sources));
        let mut row = json!({
            "procedure": c.proc.name.as_str(), "rule": asked.id.to_string(), "sentence": asked.sentence,
            "verdict": verdict, "because": by,
        });
        if let Some(at) = at {
            row["place"] = at;
        }
        row
    };
    c.findings.iter().map(row).collect()
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
