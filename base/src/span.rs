//! Places in source text.

use std::sync::Arc;

/// A half-open range of bytes in one source file.
///
/// Spans never take part in equality: all spans are equal and hash alike, so that `==` on syntax
/// means "the same program", wherever it was written.
#[derive(Clone, Copy, Debug, Default)]
pub struct Span {
    /// Which file of the [`SourceMap`].
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// For syntax that no one wrote: made by a builder or a rewrite.
    pub const NONE: Span = Span { file: FileId(u32::MAX), start: 0, end: 0 };

    /// A span in a file.
    pub fn new(file: FileId, start: u32, end: u32) -> Span {
        Span { file, start, end }
    }

    /// Whether this span points nowhere.
    pub fn is_none(self) -> bool {
        self.file == Span::NONE.file
    }

    /// The smallest span that covers both; the other where one points nowhere.
    #[must_use]
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

impl PartialEq for Span {
    fn eq(&self, _: &Span) -> bool {
        true
    }
}

impl Eq for Span {}

impl std::hash::Hash for Span {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

/// Which file of a [`SourceMap`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// One source text and what it is called in messages.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The path or label shown to the user.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
}

/// All source texts of a run, so that a [`Span`] can be shown.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// No file yet.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).expect("fewer than 2^32 files"));
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// The file, or `None` for [`Span::NONE`]'s.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.files.get(usize::try_from(file.0).ok()?)
    }

    /// The text a span covers.
    pub fn slice(&self, span: Span) -> Option<&str> {
        let file = self.get(span.file)?;
        file.text.get(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)
    }

    /// Line and column of a span's start, both counted from 1; columns in characters.
    pub fn line_col(&self, span: Span) -> Option<(usize, usize)> {
        let file = self.get(span.file)?;
        let before = file.text.get(..usize::try_from(span.start).ok()?)?;
        let line = before.matches('\n').count() + 1;
        let col = before.rsplit('\n').next().map_or(0, |l| l.chars().count()) + 1;
        Some((line, col))
    }
}
