//! Places as text, for derivations: `body[0].orelse[1]`, `body[0].body[1:3]`, `after body[2]`,
//! `body[0] rhs.lhs`, `arg[1]`.

use super::path::{ExprPath, ExprStep, Gap, Hole, Place, Side, Step};
use std::fmt::Write;

/// The text of a place.
pub fn place_to_text(place: &Place) -> String {
    match place {
        Place::Stmt(path) => path_to_text(path),
        Place::Block(run) => {
            let mut out = path_to_text(&run.path);
            if let Some(last) = run.path.last() {
                out.pop();
                let _ = write!(out, ":{}]", last.index() + run.len);
            }
            out
        }
        Place::Gap(Gap { anchor, side: Side::Before }) => format!("before {}", path_to_text(anchor)),
        Place::Gap(Gap { anchor, side: Side::After }) => format!("after {}", path_to_text(anchor)),
        Place::Expr(ExprPath { stmt, steps }) => {
            let steps: Vec<String> = steps.iter().map(|s| step_to_text(*s)).collect();
            format!("{} {}", path_to_text(stmt), steps.join("."))
        }
        Place::Arg(k) => format!("arg[{k}]"),
    }
}

fn path_to_text(path: &[Step]) -> String {
    let steps: Vec<String> = path
        .iter()
        .map(|step| match step {
            Step::Body(k) => format!("body[{k}]"),
            Step::Orelse(k) => format!("orelse[{k}]"),
        })
        .collect();
    steps.join(".")
}

fn step_to_text(step: ExprStep) -> String {
    match step {
        ExprStep::Rhs => "rhs".to_owned(),
        ExprStep::Lhs => "lhs".to_owned(),
        ExprStep::Operand => "operand".to_owned(),
        ExprStep::Cond => "cond".to_owned(),
        ExprStep::Lo => "lo".to_owned(),
        ExprStep::Hi => "hi".to_owned(),
        ExprStep::Idx(k) => format!("idx[{k}]"),
        ExprStep::From(k) => format!("from[{k}]"),
        ExprStep::To(k) => format!("to[{k}]"),
        ExprStep::Extent(k) => format!("extent[{k}]"),
        ExprStep::Arg(k) => format!("arg[{k}]"),
    }
}

/// The place of a text; `None` when it is none.
pub fn place_of_text(text: &str) -> Option<Place> {
    if let Some(path) = text.strip_prefix("before ") {
        return Some(Place::Gap(Gap { anchor: path_of_text(path)?, side: Side::Before }));
    }
    if let Some(path) = text.strip_prefix("after ") {
        return Some(Place::Gap(Gap { anchor: path_of_text(path)?, side: Side::After }));
    }
    if let Some((path, steps)) = text.split_once(' ') {
        let steps = steps.split('.').map(step_of_text).collect::<Option<Vec<_>>>()?;
        return Some(Place::Expr(ExprPath { stmt: path_of_text(path)?, steps }));
    }
    if let ("arg", Some(k)) = indexed(text) {
        return Some(Place::Arg(k));
    }
    if let Some((path, end)) = text.strip_suffix(']').and_then(|t| t.rsplit_once(':')) {
        let path = path_of_text(&format!("{path}]"))?;
        let len = end.parse::<usize>().ok()?.checked_sub(path.last()?.index())?;
        return Some(Place::Block(Hole { path, len }));
    }
    path_of_text(text).map(Place::Stmt)
}

fn path_of_text(text: &str) -> Option<Vec<Step>> {
    text.split('.')
        .map(|step| match indexed(step) {
            ("body", Some(k)) => Some(Step::Body(k)),
            ("orelse", Some(k)) => Some(Step::Orelse(k)),
            _ => None,
        })
        .collect()
}

fn step_of_text(text: &str) -> Option<ExprStep> {
    match indexed(text) {
        ("rhs", None) => Some(ExprStep::Rhs),
        ("lhs", None) => Some(ExprStep::Lhs),
        ("operand", None) => Some(ExprStep::Operand),
        ("cond", None) => Some(ExprStep::Cond),
        ("lo", None) => Some(ExprStep::Lo),
        ("hi", None) => Some(ExprStep::Hi),
        ("idx", Some(k)) => Some(ExprStep::Idx(k)),
        ("from", Some(k)) => Some(ExprStep::From(k)),
        ("to", Some(k)) => Some(ExprStep::To(k)),
        ("extent", Some(k)) => Some(ExprStep::Extent(k)),
        ("arg", Some(k)) => Some(ExprStep::Arg(k)),
        _ => None,
    }
}

/// `name[k]`, or a name alone.
fn indexed(text: &str) -> (&str, Option<usize>) {
    match text.strip_suffix(']').and_then(|t| t.split_once('[')) {
        Some((name, k)) => (name, k.parse().ok()),
        None => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_back() {
        for text in [
            "body[0]",
            "body[0].orelse[12].body[3]",
            "body[1].body[2:5]",
            "before body[0]",
            "after body[0].body[1]",
            "body[2] rhs.lhs.idx[0]",
            "body[2] from[1].operand",
            "body[0] extent[0]",
            "arg[3]",
        ] {
            let place = place_of_text(text).unwrap_or_else(|| panic!("{text} is not read"));
            assert_eq!(place_to_text(&place), text);
        }
        for text in ["", "body", "body[x]", "else[0]", "body[0] lefthand", "body[3:1]", "arg[]"] {
            assert_eq!(place_of_text(text), None, "{text}");
        }
    }
}
