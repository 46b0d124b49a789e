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

/// Texts that many maps have: what they define is read once, and shown by each.
#[derive(Clone, Debug, Default)]
pub struct SharedFiles(Arc<[SourceFile]>);

impl SharedFiles {
    /// Number of the first of them; files of a map alone have numbers below.
    const FIRST: u32 = 1 << 31;

    /// These files.
    pub fn of(files: impl IntoIterator<Item = SourceFile>) -> SharedFiles {
        SharedFiles(files.into_iter().collect())
    }

    /// What each is called by spans, in every map that has them.
    pub fn ids(&self) -> impl Iterator<Item = FileId> + use<> {
        let n = u32::try_from(self.0.len()).expect("fewer than 2^31 files");
        (0..n).map(|k| FileId(SharedFiles::FIRST + k))
    }

    fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.0.get(usize::try_from(file.0.checked_sub(SharedFiles::FIRST)?).ok()?)
    }
}

/// All source texts of a run, so that a [`Span`] can be shown.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
    shared: SharedFiles,
}

impl SourceMap {
    /// No file yet.
    pub fn new() -> SourceMap {
        SourceMap::default()
    }

    /// Has files that other maps have, too, in the place of such files that it had.
    pub fn share(&mut self, files: &SharedFiles) {
        self.shared = files.clone();
    }

    /// Adds a text.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<Arc<str>>) -> FileId {
        let number = u32::try_from(self.files.len()).ok().filter(|n| *n < SharedFiles::FIRST);
        let id = FileId(number.expect("fewer than 2^31 files"));
        self.files.push(SourceFile { name: name.into(), text: text.into() });
        id
    }

    /// The file, or `None` for [`Span::NONE`]'s.
    pub fn get(&self, file: FileId) -> Option<&SourceFile> {
        self.shared.get(file).or_else(|| self.files.get(usize::try_from(file.0).ok()?))
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
