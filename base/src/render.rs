//! Diagnostics as text: the line of source, what is marked in it, and what would help.

use crate::diag::{Diagnostic, Label, Severity};
use crate::span::{SourceFile, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};
use std::ops::Range;

/// How many diagnostics of one run are shown; the others are counted.
const MAX_SHOWN: usize = 100;
/// How many bytes of source one diagnostic may show.
const MAX_SOURCE: usize = 4096;
/// Lines longer than this are named and not shown.
const MAX_LINE: usize = 4 * MAX_SOURCE;

/// The diagnostics, one after the other with a blank line between, in colours for a terminal or without.
/// Places outside the sources are left out.
pub fn render(diagnostics: &[Diagnostic], sources: &SourceMap, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let mut out = String::new();
    for d in diagnostics.iter().take(MAX_SHOWN) {
        out.push_str(&renderer.render(&report(d, sources)));
        out.push_str("\n\n");
    }
    if let Some(more) = diagnostics.len().checked_sub(MAX_SHOWN).filter(|more| *more > 0) {
        out.push_str(&format!("… and {more} more\n\n"));
    }
    out
}

/// One diagnostic.
fn report<'s>(d: &'s Diagnostic, sources: &'s SourceMap) -> Vec<Group<'s>> {
    let Diagnostic { rule, severity, message, primary, secondary, notes, help } = d;
    let level = match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(message.as_str()).id(*rule));
    let mut marks = vec![(AnnotationKind::Primary, primary)];
    marks.extend(secondary.iter().map(|label| (AnnotationKind::Context, label)));
    for snippet in snippets(&marks, sources) {
        group = group.element(snippet);
    }
    for note in notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}

/// The marked lines: one snippet for each file, the primary place's first.
fn snippets<'s>(marks: &[(AnnotationKind, &'s Label)], sources: &'s SourceMap) -> Vec<Element<'s>> {
    let mut shown: Vec<Element<'s>> = Vec::new();
    let mut done = Vec::new();
    for (_, first) in marks {
        let Some(file) = sources.get(first.span.file) else { continue };
        if done.contains(&first.span.file) {
            continue;
        }
        done.push(first.span.file);
        let here: Vec<&(AnnotationKind, &Label)> =
            marks.iter().filter(|(_, label)| label.span.file == first.span.file).collect();
        shown.extend(snippet(file, &here));
    }
    shown
}

/// The lines of one file that marks cover; a snippet for each mark when they are far apart.
fn snippet<'s>(file: &'s SourceFile, marks: &[&(AnnotationKind, &'s Label)]) -> Vec<Element<'s>> {
    let places: Vec<Range<usize>> = marks.iter().map(|(_, label)| clamp(&file.text, label.span)).collect();
    let start = places.iter().map(|r| r.start).min().unwrap_or(0);
    let end = places.iter().map(|r| r.end).max().unwrap_or(0);
    let near = end - start <= MAX_SOURCE;
    let groups: Vec<Vec<usize>> =
        if near { vec![(0..marks.len()).collect()] } else { (0..marks.len()).map(|i| vec![i]).collect() };
    let mut shown = Vec::new();
    for group in groups {
        let within = || group.iter().filter_map(|i| places.get(*i));
        let from = line_start(&file.text, within().map(|r| r.start).min().unwrap_or(0));
        let to = line_end(&file.text, within().map(|r| r.end).max().unwrap_or(0));
        let Some(text) = file.text.get(from..to) else { continue };
        let number = file.text.as_bytes().iter().take(from).filter(|b| **b == b'\n').count() + 1;
        if text.len() > MAX_LINE {
            let first = within().map(|r| r.start).min().and_then(|place| file.text.get(from..place));
            let column = first.map_or(0, |before| before.chars().count()) + 1;
            shown.push(Origin::path(file.name.as_str()).line(number).char_column(column).into());
            continue;
        }
        let mut snippet = Snippet::source(text).line_start(number).path(file.name.as_str());
        for i in group {
            if let (Some((kind, label)), Some(place)) = (marks.get(i), places.get(i)) {
                let words = (!label.text.is_empty()).then_some(label.text.as_str());
                snippet = snippet.annotation(kind.span(place.start - from..place.end - from).label(words));
            }
        }
        shown.push(snippet.into());
    }
    shown
}

/// A span as a range that lies in the text, on the borders of characters, and is not too long.
fn clamp(text: &str, span: Span) -> Range<usize> {
    let at = |place: u32| usize::try_from(place).unwrap_or(usize::MAX).min(text.len());
    let start = text.floor_char_boundary(at(span.start));
    let end = text.ceil_char_boundary(at(span.end).min(start.saturating_add(MAX_SOURCE)));
    start..end.max(start)
}

/// Where the line of a place begins.
fn line_start(text: &str, place: usize) -> usize {
    let before = text.get(..place).unwrap_or("");
    before.rfind('\n').map_or(0, |at| at + 1)
}

/// Where the line of a place ends.
fn line_end(text: &str, place: usize) -> usize {
    let after = text.get(place..).unwrap_or("");
    after.find('\n').map_or(text.len(), |at| place + at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::span::FileId;

    fn shown(text: &str, start: u32, end: u32) -> String {
        let mut sources = SourceMap::new();
        let file = sources.add("a.py", text);
        let d = Diagnostic::error("type.shape", Span::new(file, start, end), "the shapes differ");
        render(&[d.label("expected `n`, found `m`").help("write `n`")], &sources, false)
    }

    #[test]
    fn a_diagnostic_shows_rule_place_words_and_help() {
        insta::assert_snapshot!(shown("a = 1\nb = xyz\n", 10, 13), @r"
        error[type.shape]: the shapes differ
         --> a.py:2:5
          |
        2 | b = xyz
          |     ^^^ expected `n`, found `m`
          |
          = help: write `n`
        ");
    }

    #[test]
    fn both_places_of_a_finding_are_shown() {
        let mut sources = SourceMap::new();
        let file = sources.add("a.py", "x\ny\nx\n");
        let d = Diagnostic::warning("name.twice", Span::new(file, 4, 5), "twice")
            .also(Span::new(file, 0, 1), "first here");
        insta::assert_snapshot!(render(&[d], &sources, false), @r"
        warning[name.twice]: twice
         --> a.py:3:1
          |
        1 | x
          | - first here
        2 | y
        3 | x
          | ^
        ");
    }

    #[test]
    fn a_diagnostic_without_a_place_is_its_sentence() {
        let d = Diagnostic::error("x.y", Span::NONE, "no place").help("none");
        let text = render(&[d], &SourceMap::new(), false);
        assert!(text.starts_with("error[x.y]: no place\n"), "{text}");
        assert!(text.contains("help: none"), "{text}");
    }

    #[test]
    fn odd_places_and_texts_are_shown_somehow() {
        for text in ["", "x", "x\r\ny\r\n", "\tx\ty", "é = 日本\n", "a\u{0}b", "\u{feff}x"] {
            let len = u32::try_from(text.len()).unwrap();
            for start in 0..=len + 1 {
                for end in 0..=len + 2 {
                    assert!(shown(text, start, end).contains("a.py:"), "{text:?} {start} {end}");
                }
            }
        }
        let far = Span::new(FileId(7), 0, 1);
        assert!(render(&[Diagnostic::error("x.y", far, "m")], &SourceMap::new(), true).contains("m"));
    }

    #[test]
    fn lines_are_counted_where_line_breaks_have_two_characters() {
        assert!(shown("a = 1\r\nb = x\r\n", 11, 12).contains("a.py:2:5"));
    }

    #[test]
    fn long_lists_and_long_texts_are_cut() {
        let mut sources = SourceMap::new();
        let text = "x + ".repeat(100_000);
        let file = sources.add("a.py", text.as_str());
        let d = Diagnostic::error("x.y", Span::new(file, 0, 400_000), "m")
            .also(Span::new(file, 300_000, 300_001), "w");
        let many: Vec<Diagnostic> = (0..300).map(|_| d.clone()).collect();
        let text = render(&many, &sources, false);
        assert!(text.ends_with("… and 200 more\n\n"));
        assert!(text.len() < 20_000, "{}", text.len());
        assert!(text.contains("a.py:1:1"));
    }
}
