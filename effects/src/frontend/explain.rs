//! What was asked about a procedure, and what the answers were, for `rewright check --explain`.

use super::Finding;
use crate::obligation::{Obligation, Tier, Verdict};
use rewright_semantics::span::{SourceMap, Span};
use std::fmt::Write;

/// The requirements of a procedure as text: a line with place, rule and sentence for each, a line with what
/// was assumed and shown, and the verdict.
pub fn explain(name: &str, findings: &[Finding], sources: &SourceMap) -> String {
    let mut out = format!("{name}: {}\n", totals(findings));
    for f in findings {
        let ob = &f.requirement.obligation;
        let at = ob.locations.first().map_or(Span::NONE, |(at, _)| *at);
        let place = sources.line_col(at).map_or(String::new(), |(line, col)| format!("{line}:{col} "));
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {place}[{}] {}", ob.id, ob.sentence);
        let _ = writeln!(out, "      {}", asked(ob));
        let _ = writeln!(out, "      {}", answer(f));
    }
    out
}

/// `3 requirements: 2 proved (2 fast), 1 refused`
fn totals(findings: &[Finding]) -> String {
    let by = |tier: Tier| {
        let n = findings.iter().filter(|f| f.verdict == Verdict::Proved { by: tier }).count();
        (n > 0).then(|| format!("{n} {tier}"))
    };
    let tiers: Vec<String> =
        [Tier::Fast, Tier::Linear, Tier::Quantified].into_iter().filter_map(by).collect();
    let proved = findings.iter().filter(|f| f.verdict.is_proved()).count();
    let (n, refused) = (findings.len(), findings.len() - proved);
    let noun = if n == 1 { "requirement" } else { "requirements" };
    let tiers = if tiers.is_empty() { String::new() } else { format!(" ({})", tiers.join(", ")) };
    match refused {
        0 if n == 0 => "nothing to prove".to_owned(),
        0 => format!("{n} {noun}, all proved{tiers}"),
        _ => format!("{n} {noun}, {proved} proved{tiers}, {refused} refused"),
    }
}

/// `given 1 <= n, 0 <= i: i < n`
fn asked(ob: &Obligation) -> String {
    let mut given: Vec<String> = ob.hypotheses.iter().map(|h| short(&h.to_string())).collect();
    given.dedup();
    let wanted = short(&plain(&ob.formula.to_string()));
    if given.is_empty() { wanted } else { format!("given {}: {wanted}", given.join("; ")) }
}

/// `D(…)` around the whole of a formula says nothing to a reader.
fn plain(formula: &str) -> String {
    let inner = formula.strip_prefix("D(").and_then(|rest| rest.strip_suffix(')'));
    let whole = inner.filter(|text| {
        let mut depth = 0_i64;
        text.chars().all(|c| {
            depth += i64::from(c == '(') - i64::from(c == ')');
            depth >= 0
        })
    });
    whole.unwrap_or(formula).to_owned()
}

/// As much of a formula as fits into a line or two.
fn short(formula: &str) -> String {
    const MOST: usize = 160;
    match formula.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{}…", formula.get(..cut).unwrap_or(formula)),
        None => formula.to_owned(),
    }
}

fn answer(f: &Finding) -> String {
    match &f.verdict {
        Verdict::Proved { by } => format!("proved ({by})"),
        Verdict::Refuted { .. } => format!("refused: {}", f.counterexample().unwrap_or_default()),
        Verdict::Unknown { why } => format!("refused: not decided, {why}"),
    }
}
