//! Templates: C text with placeholders, of instructions and of memories. PLDI'22 §3.2.2.
//!
//! `{x}` is the argument; `{x_data}` its first cell, as an lvalue; `{x.data}` a pointer to that cell;
//! `{x.strides[0]}` a stride. `{x}.data` and `{x}.strides[0]` mean the same as inside the braces, and
//! `{{` and `}}` are braces. Where the C is Python's, `{x!r:>8}` is what its `format` makes of the value.
//! Spec: [rule: c.instr].

use std::fmt;

/// A placeholder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Placeholder {
    /// `{x}`
    Name(String),
    /// `{x_data}`; the name is without the suffix.
    Data(String),
    /// `{x.data}`
    Pointer(String),
    /// `{x.strides[k]}`
    Stride(String, usize),
    /// `{x[k]}`
    Item(String, usize),
}

impl fmt::Display for Placeholder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Placeholder::Name(x) => f.write_str(x),
            Placeholder::Data(x) => write!(f, "{x}_data"),
            Placeholder::Pointer(x) => write!(f, "{x}.data"),
            Placeholder::Stride(x, k) => write!(f, "{x}.strides[{k}]"),
            Placeholder::Item(x, k) => write!(f, "{x}[{k}]"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    /// A placeholder, and how its value is shown: `!r:>8`, mostly nothing.
    Placeholder(Placeholder, String),
}

/// A placeholder without a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unfilled {
    /// None is known.
    NoValue(Placeholder),
    /// It cannot be shown so: why.
    NotShown(String),
}

/// Why text is no template.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTemplate {
    /// A brace has no partner.
    #[error("a brace has no partner (write `{{{{` or `}}}}` for a brace)")]
    Unbalanced,
    /// What stands in braces is no placeholder.
    #[error("`{{{0}}}` is no placeholder")]
    BadPlace(String),
}

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<Piece>,
}

impl Template {
    /// Reads a template whose placeholders stand for their values as they are.
    pub fn parse(text: &str) -> Result<Template, BadTemplate> {
        let found = Template::parse_shown(text)?;
        for piece in &found.pieces {
            match piece {
                Piece::Placeholder(place, how) if !how.is_empty() => {
                    return Err(BadTemplate::BadPlace(format!("{place}{how}")));
                }
                Piece::Placeholder(..) | Piece::Text(_) => {}
            }
        }
        Ok(found)
    }

    /// Reads a template in which a placeholder may say how its value is shown, as those of Python's `format` do:
    /// `{n!r:>8}`.
    pub fn parse_shown(text: &str) -> Result<Template, BadTemplate> {
        let mut pieces = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if let Some(tail) = rest.strip_prefix("{{") {
                literal.push('{');
                rest = tail;
            } else if let Some(tail) = rest.strip_prefix("}}") {
                literal.push('}');
                rest = tail;
            } else if let Some(tail) = rest.strip_prefix('{') {
                let (inside, tail) = tail.split_once('}').ok_or(BadTemplate::Unbalanced)?;
                if !literal.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut literal)));
                }
                let (inside, how) = inside.split_at(inside.find(['!', ':']).unwrap_or(inside.len()));
                let (place, tail) = match how {
                    "" => with_member(place(inside)?, tail),
                    _ => (place(inside)?, tail),
                };
                pieces.push(Piece::Placeholder(place, how.to_owned()));
                rest = tail;
            } else if c == '}' {
                return Err(BadTemplate::Unbalanced);
            } else {
                literal.push(c);
                rest = rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Template { pieces })
    }

    /// Whether `{x}` itself occurs, not only a part of it.
    pub fn names(&self, x: &str) -> bool {
        self.pieces.iter().any(|p| match p {
            Piece::Placeholder(Placeholder::Name(y), _) => x == y,
            // `{x_data}` may be an argument of that name.
            Piece::Placeholder(Placeholder::Data(y), _) => x.strip_suffix("_data") == Some(y),
            Piece::Placeholder(
                Placeholder::Pointer(_) | Placeholder::Stride(..) | Placeholder::Item(..),
                _,
            )
            | Piece::Text(_) => false,
        })
    }

    /// Whether `{x_data}` occurs.
    pub fn has_cell(&self, x: &str) -> bool {
        self.places().any(|p| matches!(p, Placeholder::Data(y) if x == y))
    }

    /// Its placeholders, in order.
    pub fn places(&self) -> impl Iterator<Item = &Placeholder> {
        self.pieces.iter().filter_map(|p| match p {
            Piece::Placeholder(place, _) => Some(place),
            Piece::Text(_) => None,
        })
    }

    /// The text with every placeholder replaced; the first that has no value is the error.
    pub fn fill(&self, value: impl Fn(&Placeholder) -> Option<String>) -> Result<String, Placeholder> {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Placeholder(p, _) => out.push_str(&value(p).ok_or_else(|| p.clone())?),
            }
        }
        Ok(out)
    }

    /// The text with every placeholder replaced: `shown` is asked for those that say how.
    pub fn fill_shown(
        &self,
        value: impl Fn(&Placeholder) -> Option<String>,
        shown: impl Fn(&Placeholder, &str, String) -> Result<String, String>,
    ) -> Result<String, Unfilled> {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Placeholder(p, how) => {
                    let found = value(p).ok_or_else(|| Unfilled::NoValue(p.clone()))?;
                    out.push_str(&match how.as_str() {
                        "" => found,
                        how => shown(p, how, found).map_err(Unfilled::NotShown)?,
                    });
                }
            }
        }
        Ok(out)
    }
}

/// What stands between braces.
fn place(inside: &str) -> Result<Placeholder, BadTemplate> {
    let bad = || BadTemplate::BadPlace(inside.to_owned());
    let text = inside.trim();
    let end = text.find(|c: char| !(c == '_' || c.is_alphanumeric())).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    if name.is_empty() {
        return Err(bad());
    }
    let owned = name.to_owned();
    if rest.is_empty() {
        return Ok(match name.strip_suffix("_data") {
            Some(x) if !x.is_empty() => Placeholder::Data(x.to_owned()),
            _ => Placeholder::Name(owned),
        });
    }
    if rest == ".data" {
        return Ok(Placeholder::Pointer(owned));
    }
    let (bracketed, is_stride) = match rest.strip_prefix(".strides") {
        Some(tail) => (tail, true),
        None => (rest, false),
    };
    let digits = bracketed.strip_prefix('[').and_then(|t| t.strip_suffix(']')).ok_or_else(bad)?;
    let k = digits.trim().parse().map_err(|_| bad())?;
    Ok(if is_stride { Placeholder::Stride(owned, k) } else { Placeholder::Item(owned, k) })
}

/// Takes `.data` or `.strides[k]` that follows a closing brace into the placeholder.
fn with_member(p: Placeholder, tail: &str) -> (Placeholder, &str) {
    let Placeholder::Name(x) = &p else { return (p, tail) };
    if let Some(rest) = tail.strip_prefix(".data")
        && !rest.starts_with(|c: char| c == '_' || c.is_alphanumeric())
    {
        return (Placeholder::Pointer(x.clone()), rest);
    }
    if let Some((digits, rest)) = tail.strip_prefix(".strides[").and_then(|t| t.split_once(']'))
        && let Ok(k) = digits.trim().parse()
    {
        return (Placeholder::Stride(x.clone(), k), rest);
    }
    (p, tail)
}

/// A template without what stands in its single braces.
pub fn without_placeholders(text: &str) -> String {
    let Ok(template) = Template::parse_shown(text) else { return text.to_owned() };
    // What follows a placeholder is not a word of its own: `{x}.strides[0]`.
    template.fill(|_| Some("0".to_owned())).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_and_braces() {
        let t = Template::parse("f({x}.strides[0], &{y_data}, {z.data}); {{ {n} }}").unwrap();
        let filled = t.fill(|p| Some(format!("<{p}>"))).unwrap();
        assert_eq!(filled, "f(<x.strides[0]>, &<y_data>, <z.data>); { <n> }");
        assert_eq!(t.fill(|p| (p.to_string() != "n").then(String::new)), Err(Placeholder::Name("n".into())));
        let padded = Template::parse_shown("f({n!r:>8}, {x_data:5}.data)").unwrap();
        let shown = |p: &Placeholder, how: &str, v: String| match p {
            Placeholder::Name(_) => Ok(format!("{v}{how}")),
            Placeholder::Data(_)
            | Placeholder::Pointer(_)
            | Placeholder::Stride(..)
            | Placeholder::Item(..) => Err(p.to_string()),
        };
        assert_eq!(padded.fill_shown(|_| Some("1".into()), shown), Err(Unfilled::NotShown("x_data".into())));
        let shown = |_: &Placeholder, how: &str, v: String| Ok(format!("{v}{how}"));
        let text = padded.fill_shown(|_| Some("1".into()), shown);
        assert_eq!(text.unwrap(), "f(1!r:>8, 1:5.data)");
        assert_eq!(Template::parse("{n!r}"), Err(BadTemplate::BadPlace("n!r".into())));
        assert_eq!(Template::parse("{x"), Err(BadTemplate::Unbalanced));
        assert_eq!(Template::parse("{x + 1}"), Err(BadTemplate::BadPlace("x + 1".into())));
    }
}
