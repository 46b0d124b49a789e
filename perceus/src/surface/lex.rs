//! Tokens.

use rewright_base::diag::Diagnostic;
use rewright_base::span::{FileId, Span};

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name that begins with a small letter.
    Name,
    /// A name that begins with a capital.
    Con,
    /// An integer.
    Int,
    /// `fun`, `val`, …
    Keyword,
    /// `(`, `->`, …
    Sign,
    /// The end of the file.
    End,
}

/// A token.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// Its kind.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'t str,
    /// Where.
    pub span: Span,
    /// Whether it is the first of its line.
    pub starts_line: bool,
}

const KEYWORDS: [&str; 13] =
    ["fun", "fn", "val", "match", "if", "then", "else", "elif", "type", "ref", "throw", "try", "catch"];
/// Longer ones first.
const SIGNS: [&str; 26] = [
    ":=", "->", "==", "!=", "<=", ">=", "&&", "||", "(", ")", "{", "}", "<", ">", ",", ";", ":", "=", "+",
    "-", "*", "/", "%", "_", "|", "!",
];

/// The tokens of a text, the last of which is [`TokenKind::End`].
///
/// # Errors
/// A character that begins no token, or a comment without an end.
pub fn lex(file: FileId, text: &str) -> Result<Vec<Token<'_>>, Diagnostic> {
    let mut tokens = Vec::new();
    let (mut at, mut starts_line) = (0, true);
    let span = |from: usize, to: usize| {
        let place = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span::new(file, place(from), place(to))
    };
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        if let Some(blank) = blank(rest) {
            let end = blank.ok_or_else(|| {
                Diagnostic::error("perceus.syntax", span(at, at + 2), "this comment has no end")
                    .help("write `*/`")
            })?;
            starts_line |= rest.get(..end).is_some_and(|b| b.contains('\n'));
            at += end;
            continue;
        }
        let Some((kind, len)) = token(rest) else {
            let len = rest.chars().next().map_or(1, char::len_utf8);
            return Err(Diagnostic::error(
                "perceus.syntax",
                span(at, at + len),
                "this character begins nothing",
            ));
        };
        let word = rest.get(..len).unwrap_or_default();
        let kind =
            if kind == TokenKind::Name && KEYWORDS.contains(&word) { TokenKind::Keyword } else { kind };
        tokens.push(Token { kind, text: word, span: span(at, at + len), starts_line });
        starts_line = false;
        at += len;
    }
    tokens.push(Token { kind: TokenKind::End, text: "", span: span(at, at), starts_line: true });
    Ok(tokens)
}

/// The length of blanks and comments; `None` within for a comment without an end.
fn blank(rest: &str) -> Option<Option<usize>> {
    if rest.starts_with("//") {
        return Some(Some(rest.find('\n').unwrap_or(rest.len())));
    }
    if rest.starts_with("/*") {
        return Some(rest.find("*/").map(|n| n + 2));
    }
    let len = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
    (len > 0).then_some(Some(len))
}

fn token(rest: &str) -> Option<(TokenKind, usize)> {
    let first = rest.chars().next()?;
    if first.is_ascii_digit() {
        return Some((TokenKind::Int, rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())));
    }
    if first.is_ascii_alphabetic() || first == '_' && rest.len() > 1 && name_length(rest) > 1 {
        let kind = if first.is_ascii_uppercase() { TokenKind::Con } else { TokenKind::Name };
        return Some((kind, name_length(rest)));
    }
    SIGNS.iter().find(|s| rest.starts_with(**s)).map(|s| (TokenKind::Sign, s.len()))
}

/// Letters, digits, `_`, and `-` before a letter, as in `bal-left`.
fn name_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let letter = |n: usize| bytes.get(n).is_some_and(u8::is_ascii_alphabetic);
    let is_part = |n: usize, b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-' && letter(n + 1);
    bytes.iter().enumerate().find(|(n, b)| !is_part(*n, **b)).map_or(rest.len(), |(n, _)| n)
}
