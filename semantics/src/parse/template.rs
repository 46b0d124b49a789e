//! The placeholders of an instruction's C. Spec: [rule: instr.placeholder].

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// C as it stands, braces no longer doubled.
    Text(String),
    /// `{name}`, `{name.data}` or `{name.strides[0]}`.
    Hole {
        /// An argument's name, or one followed by `_data`.
        name: &'t str,
        /// What of it.
        field: Field,
    },
}

/// What a placeholder stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The argument as C passes it.
    Whole,
    /// A pointer to its first cell.
    Pointer,
    /// Its stride along a dimension.
    Stride(usize),
}

/// Takes a template apart; an error is a sentence.
pub fn placeholders(template: &str) -> Result<Vec<Piece<'_>>, String> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = template;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, brace) = rest.split_at(at);
        text.push_str(before);
        if let Some(after) = brace.strip_prefix("{{") {
            text.push('{');
            rest = after;
        } else if let Some(after) = brace.strip_prefix("}}") {
            text.push('}');
            rest = after;
        } else if let Some(hole) = brace.strip_prefix('{') {
            let (inner, after) = hole.split_once('}').ok_or("a brace of the template is not closed")?;
            if !text.is_empty() {
                pieces.push(Piece::Text(std::mem::take(&mut text)));
            }
            pieces.push(hole_of(inner)?);
            rest = after;
        } else {
            return Err("a closing brace of the template has no opening one".to_owned());
        }
    }
    text.push_str(rest);
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

/// What stands between braces.
fn hole_of(inner: &str) -> Result<Piece<'_>, String> {
    let word = |s: &str| {
        let mut chars = s.chars();
        chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
            && chars.all(|c| c == '_' || c.is_alphanumeric())
    };
    if word(inner) {
        return Ok(Piece::Hole { name: inner, field: Field::Whole });
    }
    if let Some(name) = inner.strip_suffix(".data").filter(|name| word(name)) {
        return Ok(Piece::Hole { name, field: Field::Pointer });
    }
    let stride = inner.split_once(".strides[").and_then(|(name, dim)| Some((name, dim.strip_suffix(']')?)));
    match stride.map(|(name, dim)| (name, dim.parse::<usize>())) {
        Some((name, Ok(dim))) if word(name) => Ok(Piece::Hole { name, field: Field::Stride(dim) }),
        Some(_) | None => Err(format!("the placeholder `{{{inner}}}` is not understood")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_come_apart() {
        let hole = |name, field| Piece::Hole { name, field };
        let text = |t: &str| Piece::Text(t.to_owned());
        assert_eq!(
            placeholders("f({x_data}, {n}, {y.data}) {{ {y.strides[1]} }}"),
            Ok(vec![
                text("f("),
                hole("x_data", Field::Whole),
                text(", "),
                hole("n", Field::Whole),
                text(", "),
                hole("y", Field::Pointer),
                text(") { "),
                hole("y.strides[1]".split_once('.').unwrap().0, Field::Stride(1)),
                text(" }"),
            ])
        );
        assert!(placeholders("{x").is_err());
        assert!(placeholders("x}").is_err());
        assert!(placeholders("{x + 1}").is_err());
        assert!(placeholders("{x.size}").is_err());
        assert_eq!(placeholders(""), Ok(vec![]));
    }
}
