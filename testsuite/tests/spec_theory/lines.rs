//! Expectations of a block: `quantity = text`, where the text goes on in the indented lines below.

/// One expectation.
pub(crate) struct Line {
    /// Which quantity.
    pub(crate) quantity: String,
    /// What it is said to be.
    pub(crate) said: String,
}

/// The expectations of a block. A line `# …` is a comment.
///
/// # Errors
/// A line that is none.
pub(crate) fn lines(text: &str, separators: &[&str]) -> Result<Vec<Line>, String> {
    let mut out: Vec<Line> = Vec::new();
    for line in text.lines().filter(|l| !l.is_empty() && !l.starts_with('#')) {
        if let (true, Some(last)) = (line.starts_with(' '), out.last_mut()) {
            last.said.push('\n');
            last.said.push_str(line);
            continue;
        }
        let split = line.strip_suffix(" =").map(|quantity| (quantity, ""));
        let split = split.or_else(|| separators.iter().find_map(|s| line.split_once(s)));
        let (quantity, said) = split.ok_or_else(|| format!("no expectation: {line}"))?;
        out.push(Line { quantity: quantity.trim().to_owned(), said: said.trim().to_owned() });
    }
    if out.is_empty() { Err("nothing is expected".to_owned()) } else { Ok(out) }
}

/// Compares all that is said with what was found, and shows each difference.
///
/// # Errors
/// The differences.
pub(crate) fn compare(
    lines: &[Line],
    mut found: impl FnMut(&str, &str) -> Result<String, String>,
) -> Result<(), String> {
    let mut wrong = Vec::new();
    for Line { quantity, said } in lines {
        let is = found(quantity, said)?;
        if !same(&is, said) {
            wrong.push(format!("{quantity} = {is}\n  and not {said}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Lines of several are compared with their relative indentation; a single one may be broken between words.
fn same(is: &str, said: &str) -> bool {
    if is.trim_end().contains('\n') {
        return dedented(is) == dedented(said);
    }
    is.split_whitespace().eq(said.split_whitespace())
}

/// The lines of a text, all as far to the left as they can be.
fn dedented(text: &str) -> Vec<&str> {
    let lines = || text.lines().map(str::trim_end).filter(|l| !l.is_empty());
    let margin = lines().map(|l| l.len() - l.trim_start().len()).min().unwrap_or(0);
    lines().filter_map(|l| l.get(margin..)).collect()
}
