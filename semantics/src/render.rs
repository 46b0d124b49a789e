//! Diagnostics as text: the line of source, what is marked in it, and what would help.

use crate::diag::{Diagnostic, Label, Severity};
use crate::span::{SourceFile, SourceMap, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::ops::Range;

/// How many diagnostics of one run are shown; the others are counted.
const MAX_SHOWN: usize = 100;
/// How many bytes of source one diagnostic may show.
const MAX_SOURCE: usize = 4096;

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
    let Diagnostic { rule, severity, message, primary, secondary, help } = d;
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
    if let Some(help) = help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    vec![group]
}

/// The marked lines: one snippet for each file, the primary place's first.
fn snippets<'s>(
    marks: &[(AnnotationKind, &'s Label)],
    sources: &'s SourceMap,
) -> Vec<Snippet<'s, annotate_snippets::Annotation<'s>>> {
    let mut shown: Vec<Snippet<'s, annotate_snippets::Annotation<'s>>> = Vec::new();
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
fn snippet<'s>(
    file: &'s SourceFile,
    marks: &[&(AnnotationKind, &'s Label)],
) -> Vec<Snippet<'s, annotate_snippets::Annotation<'s>>> {
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
        let mut snippet = Snippet::source(text).line_start(number).path(file.name.as_str());
        for i in group {
            if let (Some((kind, label)), Some(place)) = (marks.get(i), places.get(i)) {
                let words = (!label.text.is_empty()).then_some(label.text.as_str());
                snippet = snippet.annotation(kind.span(place.start - from..place.end - from).label(words));
            }
        }
        shown.push(snippet);
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
