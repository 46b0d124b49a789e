//! A look at the bytes of a text that is enough to see that most texts are shallow, in a fifth of the time
//! that a lexer takes. What it does not understand it calls deep.

use super::{MAX_BRACKETS, MAX_INDENT, MAX_PREFIXES};

/// Whether a text certainly nests no deeper than allowed. Counts at least the brackets, operators and
/// levels that the lexer finds: in a logical line there are no more operators and keywords than it has
/// bytes, and each level of indentation takes a byte.
pub(super) fn is_shallow(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut brackets, mut indent) = (0, 0, 0_usize, 0_usize);
    let mut blank = true;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\n' if brackets == 0 => {
                (line, indent, blank) = (at, 0, true);
            }
            b' ' | b'\t' => indent += usize::from(blank),
            b'(' | b'[' | b'{' => {
                brackets += 1;
                blank = false;
            }
            // The lexer, too, takes a closing bracket that closes nothing for nothing.
            b')' | b']' | b'}' => {
                brackets = brackets.saturating_sub(1);
                blank = false;
            }
            b'#' => {
                at += rest_of_line(bytes.get(at..).unwrap_or_default());
                continue;
            }
            b'\'' | b'"' => match string(bytes, at) {
                Some(length) => {
                    (at, blank) = (at + length, false);
                    continue;
                }
                None => return false,
            },
            // Lines that go on, other ends of lines, and names that are not ASCII are for the lexer.
            b'\\' | b'\r' | 0x0c | 0x80.. => return false,
            _ => blank = false,
        }
        if brackets > MAX_BRACKETS || indent > MAX_INDENT || at - line > MAX_PREFIXES {
            return false;
        }
        at += 1;
    }
    true
}

/// The bytes before the end of the line.
fn rest_of_line(bytes: &[u8]) -> usize {
    bytes.iter().position(|b| matches!(*b, b'\n' | b'\r')).unwrap_or(bytes.len())
}

/// The length of the string that starts here; `None` for one with expressions or escapes in it, and for
/// one without an end.
fn string(bytes: &[u8], at: usize) -> Option<usize> {
    let prefix = at.checked_sub(1).and_then(|k| bytes.get(k));
    if prefix.is_some_and(u8::is_ascii_alphanumeric) {
        return None;
    }
    let rest = bytes.get(at..)?;
    let quote = *rest.first()?;
    let triple = rest.get(1) == Some(&quote) && rest.get(2) == Some(&quote);
    let mut length = if triple { 3 } else { 1 };
    loop {
        match *rest.get(length)? {
            b'\\' | b'\r' => return None,
            b'\n' if !triple => return None,
            b if b == quote && !triple => return Some(length + 1),
            b if b == quote
                && rest.get(length + 1) == Some(&quote)
                && rest.get(length + 2) == Some(&quote) =>
            {
                return Some(length + 3);
            }
            _ => length += 1,
        }
    }
}
