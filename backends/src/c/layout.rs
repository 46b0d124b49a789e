//! Lines: indentation, and where long ones break.

/// Lines are broken, where there is a place to break, when they would pass this column.
const WIDTH: usize = 100;
/// One step of indentation.
const INDENT: &str = "    ";

/// One line, indented by `depth` steps.
pub(super) fn line(depth: usize, text: &str, out: &mut String) {
    for _ in 0..depth {
        out.push_str(INDENT);
    }
    out.push_str(text);
    out.push('\n');
}

/// Whether text fits on one line.
pub(super) fn fits(text: &str, depth: usize) -> bool {
    depth * INDENT.len() + text.chars().count() <= WIDTH
}

/// Text on as many lines as it takes, those after the first `hang` steps further in. Lines break
/// before operators and after commas, as far outside of brackets as possible.
pub(super) fn wrapped(text: &str, depth: usize, hang: usize, out: &mut String) {
    let mut rest = text;
    let mut depth_here = depth;
    while !fits(rest, depth_here) {
        let room = WIDTH.saturating_sub(depth_here * INDENT.len());
        let Some(at) = break_before(rest, room) else { break };
        let (head, tail) = rest.split_at(at);
        line(depth_here, head.trim_end(), out);
        rest = tail.trim_start();
        depth_here = depth + hang;
    }
    line(depth_here, rest, out);
}

/// The best place to break within the first `room` bytes: least nested, then loosest, then last.
fn break_before(text: &str, room: usize) -> Option<usize> {
    let mut nesting = 0_usize;
    let mut best: Option<((usize, u8), usize)> = None;
    for (k, c) in text.char_indices().take_while(|(k, _)| *k <= room) {
        match c {
            '(' | '[' | '{' => nesting += 1,
            ')' | ']' | '}' => nesting = nesting.saturating_sub(1),
            ' ' => {
                let found = tightness(text, k).map(|t| (nesting, t));
                if let Some(found) = found.filter(|f| best.is_none_or(|(b, _)| *f <= b)) {
                    best = Some((found, k));
                }
            }
            _ => {}
        }
    }
    best.map(|(_, k)| k)
}

/// How tightly what stands around the space at `k` holds together; none where a line may not end.
fn tightness(text: &str, k: usize) -> Option<u8> {
    let (before, after) = text.split_at(k);
    if before.ends_with([',', ';']) {
        return Some(0);
    }
    let levels: [&[&str]; 4] = [&["|| "], &["&& ", "? ", ": "], &["+ ", "- "], &["* ", "/ ", "% "]];
    let level =
        levels.iter().zip(1..).find(|(ops, _)| ops.iter().any(|op| after.trim_start().starts_with(op)));
    level.map(|(_, n)| n)
}
