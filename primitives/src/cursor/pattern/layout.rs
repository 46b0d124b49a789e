//! Line breaks and indentation of patterns, as Python's grammar wants them.

/// The lines without what all of them are indented by.
pub(super) fn dedented(text: &str) -> String {
    if !text.trim().contains('\n') {
        return text.to_owned();
    }
    let full = text.lines().filter(|l| !l.trim().is_empty());
    let indent = full.map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        out.push_str(line.get(indent..).unwrap_or(""));
        out.push('\n');
    }
    out
}

/// Line breaks where Python wants them and people write `;` or a space. No byte changes its place.
pub(super) fn in_lines(text: &str) -> String {
    let start = text.len() - text.trim_start().len();
    let mut out: Vec<u8> = text.bytes().collect();
    out.iter_mut().take(start).for_each(|b| *b = b'\n');
    if !text.trim().contains('\n') {
        let bytes = text.as_bytes();
        let follows = |at: usize, words: &[&str]| {
            let rest = text.get(at..).unwrap_or("");
            words.iter().any(|w| {
                let after = rest.strip_prefix(w).map(|r| r.chars().next());
                after.is_some_and(|c| !c.is_some_and(|c| c == '_' || c.is_alphanumeric()))
            })
        };
        let (mut at, mut depth) = (start, 0_usize);
        while at < bytes.len() {
            match bytes.get(at) {
                Some(b'(' | b'[') => depth += 1,
                Some(b')' | b']') => depth = depth.saturating_sub(1),
                Some(c @ (b';' | b' ')) if depth == 0 => {
                    let gap = text.get(at + 1..).unwrap_or("");
                    let next = at + 1 + gap.len() - gap.trim_start().len();
                    let breaks = match c {
                        b';' => follows(next, &["for", "if"]),
                        _ => follows(next, &["else", "elif"]),
                    };
                    if breaks {
                        out.iter_mut().take(next).skip(at).for_each(|b| *b = b'\n');
                        at = next;
                        continue;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
    String::from_utf8(out).unwrap_or_default()
}
