//! Tokens.

use crate::int::Int;
use rewright_base::span::{FileId, Span};

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    /// A name or a word of the language.
    Name(String),
    /// A number.
    Int(Int),
    /// A number of floating point: the bits in double precision, and whether it is of single precision (`0.5f`).
    Float(u64, bool),
    /// Punctuation.
    Sign(&'static str),
    /// The end of the text.
    End,
}

impl Token {
    /// As it is shown in a message.
    pub fn shown(&self) -> String {
        match self {
            Token::Name(n) => format!("`{n}`"),
            Token::Int(v) => format!("`{v}`"),
            Token::Float(v, _) => format!("`{}`", f64::from_bits(*v)),
            Token::Sign(s) => format!("`{s}`"),
            Token::End => "the end of the text".to_owned(),
        }
    }
}

/// Longer signs first.
const SIGNS: [&str; 33] = [
    "<-", "<<", ">>", "<=", ">=", "!=", "==", "&&", "||", "%", "!", "&", "|", "^", "~", "(", ")", "[", "]",
    "{", "}", ",", ";", ":", "+", "-", "*", "<", ">", "=", "?", ".", "/",
];

/// A place where no token starts.
#[derive(Clone, Debug)]
pub struct LexError {
    /// The place.
    pub span: Span,
    /// What is wrong.
    pub why: &'static str,
}

/// The tokens of a text; comments run from `#` to the end of the line.
///
/// # Errors
/// A character that starts no token, or a number that does not fit 64 bits.
pub fn tokens(file: FileId, text: &str) -> Result<Vec<(Token, Span)>, LexError> {
    let mut out = Vec::new();
    let mut at = 0;
    let offset = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    while let Some(rest) = text.get(at..).filter(|r| !r.is_empty()) {
        let len = if let Some(n) = blank(rest) {
            at += n;
            continue;
        } else {
            let (token, len) = token(rest)
                .map_err(|why| LexError { span: Span::new(file, offset(at), offset(at + 1)), why })?;
            out.push((token, Span::new(file, offset(at), offset(at + len))));
            len
        };
        at += len;
    }
    out.push((Token::End, Span::new(file, offset(text.len()), offset(text.len()))));
    Ok(out)
}

/// The length of leading blanks or of a comment.
fn blank(rest: &str) -> Option<usize> {
    let len = if rest.starts_with('#') {
        rest.find('\n').unwrap_or(rest.len())
    } else {
        rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len())
    };
    (len > 0).then_some(len)
}

fn token(rest: &str) -> Result<(Token, usize), &'static str> {
    if let Some(len) = float(rest) {
        let v = rest.get(..len).unwrap_or_default().parse::<f64>().ok().filter(|v| v.is_finite());
        let single = rest
            .get(len..)
            .is_some_and(|r| r.starts_with('f') && !r.get(1..).unwrap_or_default().starts_with(in_word));
        if single && v.is_some_and(|v| crate::float::to_single(v).is_infinite()) {
            return Err("not a number of single precision");
        }
        let token = v.map(|v| (Token::Float(v.to_bits(), single), len + usize::from(single)));
        return token.ok_or("not a number of double precision");
    }
    if let Some(sign) = SIGNS.into_iter().find(|s| rest.starts_with(s)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let word_end = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
    let word = rest.get(..word_end).unwrap_or_default();
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return word
            .parse::<u64>()
            .map(|v| (Token::Int(Int::from_big(v.into())), word_end))
            .map_err(|_| "not a number of 64 bits");
    }
    if word.is_empty() {
        return Err("no token starts here");
    }
    Ok((Token::Name(word.to_owned()), word_end))
}

fn in_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// The length of a number of floating point: digits with a fraction, an exponent, or both.
fn float(rest: &str) -> Option<usize> {
    let digits = |at: usize| {
        let tail = rest.get(at..).unwrap_or_default();
        tail.find(|c: char| !c.is_ascii_digit()).unwrap_or(tail.len())
    };
    let whole = digits(0);
    if whole == 0 {
        return None;
    }
    let mut at = whole;
    if rest.get(at..)?.starts_with('.') && digits(at + 1) > 0 {
        at += 1 + digits(at + 1);
    }
    if rest.get(at..)?.starts_with('e') {
        let sign = usize::from(rest.get(at + 1..)?.starts_with('-'));
        let exponent = digits(at + 1 + sign);
        at += if exponent > 0 { 1 + sign + exponent } else { 0 };
    }
    (at > whole).then_some(at)
}
