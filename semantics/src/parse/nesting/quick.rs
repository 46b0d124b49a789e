//! A look at the bytes of a text that is enough to see that most texts are shallow, in a tenth of the time
//! that a lexer takes. What it does not understand it calls deep.

use super::{MAX_BRACKETS, MAX_INDENT, MAX_PREFIXES};

/// Which bytes do something: all others only make their line longer.
const MATTERS: [bool; 256] = {
    let mut table = [false; 256];
    let list = b"\n\r\x0c()[]{}#'\"\\";
    let mut k = 0;
    while k < list.len() {
        table[usize_of(list[k])] = true;
        k += 1;
    }
    // Names that are not ASCII are for the lexer.
    let mut k = 0x80;
    while k < 256 {
        table[k] = true;
        k += 1;
    }
    table
};

/// A byte as an index.
#[expect(clippy::as_conversions, reason = "`From` is not for constants")]
const fn usize_of(byte: u8) -> usize {
    byte as usize
}

/// Whether a text certainly nests no deeper than allowed. Counts at least the brackets, operators and
/// levels that the lexer finds: in a logical line there are no more operators and keywords than it has
/// bytes, and each level of indentation takes a byte.
pub(super) fn is_shallow(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut at, mut line, mut brackets) = (0, 0, 0_usize);
    if indentation(bytes, 0) > MAX_INDENT {
        return false;
    }
    loop {
        at += bytes.get(at..).and_then(next).unwrap_or(bytes.len() - at);
        if at - line > MAX_PREFIXES {
            return false;
        }
        let Some(byte) = bytes.get(at) else { return true };
        match byte {
            b'\n' => {
                if brackets == 0 {
                    line = at;
                    if indentation(bytes, at + 1) > MAX_INDENT {
                        return false;
                    }
                }
                at += 1;
            }
            b'(' | b'[' | b'{' => {
                brackets += 1;
                if brackets > MAX_BRACKETS {
                    return false;
                }
                at += 1;
            }
            // The lexer, too, takes a closing bracket that closes nothing for nothing.
            b')' | b']' | b'}' => {
                brackets = brackets.saturating_sub(1);
                at += 1;
            }
            b'#' => {
                let rest = bytes.get(at..).unwrap_or_default();
                at += rest.iter().position(|b| matches!(*b, b'\n' | b'\r')).unwrap_or(rest.len());
            }
            b'\'' | b'"' => match string(bytes, at) {
                Some(length) => at += length,
                None => return false,
            },
            // Lines that go on and other ends of lines are for the lexer, too.
            _ => return false,
        }
    }
}

/// How far it is to the next byte that does something.
fn next(rest: &[u8]) -> Option<usize> {
    rest.iter().position(|b| MATTERS.get(usize::from(*b)).is_none_or(|m| *m))
}

/// The blanks that start a line.
fn indentation(bytes: &[u8], line: usize) -> usize {
    bytes.get(line..).map_or(0, |l| l.iter().take_while(|b| matches!(**b, b' ' | b'\t')).count())
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
