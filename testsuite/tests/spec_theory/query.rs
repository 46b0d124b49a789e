//! Queries 𝓑(T) in the notation of the chapter on bounds, one conjunct on a line.

use rewright_halide_model::bounds::query::Query;
use rewright_halide_model::expr::{Expr, Interval};
use rewright_halide_model::text::print;

/// A query as text.
pub(crate) fn text(q: &Query) -> String {
    let mut out = Vec::new();
    lines(q, 0, &mut out);
    out.join("\n")
}

fn lines(q: &Query, depth: usize, out: &mut Vec<String>) {
    let mut line = |text: String| out.push(format!("{}{text}", "  ".repeat(depth)));
    match q {
        Query::And(parts) => parts.iter().for_each(|part| lines(part, depth, out)),
        Query::Holds { cond, claim: _ } => line(format!("assert {}", print::expr(cond))),
        Query::NonNegative(e) => line(format!("{} >= 0", print::expr(e))),
        Query::Member { point, region, origin: _ } => {
            line(format!("{} ∈ {}", coordinates(point), print::region(*region)));
        }
        Query::Covers { region, inner, origin: _ } => {
            line(format!("{} ⊆ {}", boxed(inner), print::region(*region)));
        }
        // What holds of values is forgotten here: that is for the verifier, and no demand.
        Query::Changed(_) => {}
        Query::Implies(e, body) => within(format!("{} ⇒", print::expr(e)), body, depth, out),
        Query::Inside { point, region, body } => {
            let head = format!("({}) ∈ {} ⇒", print::list(point), print::region(*region));
            within(head, body, depth, out);
        }
        Query::Forall { var, domain, body } => {
            within(format!("∀{} ∈ {}:", print::var(*var), print::interval(domain)), body, depth, out);
        }
        Query::Let { var, value, body } => {
            within(format!("let {} = {} in", print::var(*var), print::expr(value)), body, depth, out);
        }
        Query::Exists { regions, body } => {
            let names: Vec<String> = regions.iter().map(|r| print::region(*r)).collect();
            within(format!("∃{}:", names.join(", ∃")), body, depth, out);
        }
    }
}

/// A head with a body below it; nothing at all when the body says nothing.
fn within(head: String, body: &Query, depth: usize, out: &mut Vec<String>) {
    let before = out.len();
    lines(body, depth + 1, out);
    if out.len() > before {
        out.insert(before, format!("{}{head}", "  ".repeat(depth)));
    }
}

/// A point, with `_` in the dimensions of which nothing is asked.
fn coordinates(point: &[(usize, Expr)]) -> String {
    let rank = point.iter().map(|(d, _)| d + 1).max().unwrap_or(0);
    let at = |d| point.iter().find(|(e, _)| *e == d).map_or("_".to_owned(), |(_, e)| print::expr(e));
    format!("({})", (0..rank).map(at).collect::<Vec<_>>().join(", "))
}

fn boxed(inner: &[Interval]) -> String {
    inner.iter().map(print::interval).collect::<Vec<_>>().join(" × ")
}
