//! Lines of C on their way. What a function reads of its variables is only known when all of it is written: loads of what nothing reads
//! go, and compilers are told of what is never read.

use rustc_hash::FxHashMap;

/// Begins a line that says which variable was declared, so that `(void)x;` can go there.
const DECLARED: char = '\u{1}';
/// Begins a line that stays where its variable is read: `LOADED x LOADED line`.
const LOADED: char = '\u{2}';
/// Begins a line that opens a block, behind a label where something goes to it: `LABEL name`.
const LABEL: char = '\u{3}';

/// An integer.
pub(super) fn int(n: i64) -> String {
    if n == i64::MIN { "INT64_MIN".to_owned() } else { format!("INT64_C({n})") }
}

/// A place for `(void)x;`.
pub(super) fn declared(x: &str) -> String {
    format!("{DECLARED}{x}")
}

/// A line that declares x and does nothing else.
pub(super) fn loaded(x: &str, line: &str) -> String {
    format!("{LOADED}{x}{LOADED}{line}")
}

/// `label: {`
pub(super) fn label(name: &str) -> String {
    format!("{LABEL}{name}")
}

/// The function as it is compiled.
pub(super) fn finished(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let mut reads: FxHashMap<&str, usize> = FxHashMap::default();
    for line in &lines {
        read(line).for_each(|word| *reads.entry(word).or_insert(0) += 1);
    }
    // Backwards, since a load that goes may have been what read the variable of a load before it.
    for line in lines.iter_mut().rev() {
        if let Some((x, _)) = load(line)
            && !is_read(&reads, x)
        {
            read(line).for_each(|word| *reads.entry(word).or_insert(1) -= 1);
            *line = "";
        }
    }
    let kept = lines.into_iter().filter(|line| !line.is_empty());
    kept.filter_map(|line| resolved(line, &reads)).collect()
}

fn resolved(line: &str, reads: &FxHashMap<&str, usize>) -> Option<String> {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let (indent, rest) = line.split_at(blanks);
    if let Some(x) = rest.strip_prefix(DECLARED) {
        return (!is_read(reads, x)).then(|| format!("{indent}(void){x};\n"));
    }
    if let Some(name) = rest.strip_prefix(LABEL) {
        return Some(if is_read(reads, name) { format!("{name}: {{\n") } else { "{\n".to_owned() });
    }
    match load(line) {
        Some((_, text)) => Some(format!("{indent}{text}\n")),
        None => Some(format!("{line}\n")),
    }
}

fn is_read(reads: &FxHashMap<&str, usize>, x: &str) -> bool {
    reads.get(x).is_some_and(|n| *n > 0)
}

/// The variable of a load, and the line.
fn load(line: &str) -> Option<(&str, &str)> {
    line.trim_start_matches(' ').strip_prefix(LOADED)?.split_once(LOADED)
}

/// The words that a line reads: all but those that it declares or assigns.
fn read(line: &str) -> impl Iterator<Item = &str> {
    let text = line.trim_start_matches(' ');
    let is_code = !text.starts_with([DECLARED, LABEL])
        && !["static ", "RW_ADD(", "rw_stuck("].iter().any(|start| text.starts_with(start));
    let text = load(text).map_or(text, |(_, text)| text);
    let text = ["rw_val ", "int64_t ", "struct rw_cell *"]
        .iter()
        .find_map(|ctype| text.strip_prefix(ctype))
        .unwrap_or(text);
    let assigned = text.find(|c: char| !is_part(c)).unwrap_or(text.len());
    let (word, behind) = text.split_at(assigned);
    let text = if !word.is_empty() && (behind == ";" || behind.starts_with(" = ")) { behind } else { text };
    text.split(|c: char| !is_part(c)).filter(move |word| is_code && !word.is_empty())
}

fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_read_is_said_or_left_out() {
        let lines = [
            "static int64_t f(rw_val self) {".to_owned(),
            format!("    {}", declared("self")),
            label("enter_f"),
            format!("    {}", loaded("x", "rw_val x = rw_cell(self)->f[0];")),
            format!("    {}", loaded("y", "rw_val y = rw_cell(x)->f[0];")),
            "    struct rw_cell *r;".to_owned(),
            format!("    {}", declared("r")),
            "    r = NULL;".to_owned(),
            "    int64_t n = 1;".to_owned(),
            format!("    {}", declared("n")),
            "    return n;".to_owned(),
        ];
        assert_eq!(
            finished(&lines.join("\n")),
            "static int64_t f(rw_val self) {\n    (void)self;\n{\n    struct rw_cell *r;\n    (void)r;\n    r = NULL;\n    \
             int64_t n = 1;\n    return n;\n"
        );
        assert_eq!(finished(&format!("{}\ngoto a;", label("a"))), "a: {\ngoto a;\n");
    }
}
