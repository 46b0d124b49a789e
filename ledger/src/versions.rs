//! The versions of a schedule as what each step changes: lines are written once, whatever the number of versions.

use rustc_hash::FxHashMap;
use serde::Serialize;
use similar::{Algorithm, DiffOp, capture_diff_slices};

/// Texts that are written once, and referred to by number.
#[derive(Default, Serialize)]
#[serde(transparent)]
pub(crate) struct Pool {
    texts: Vec<String>,
    #[serde(skip)]
    known: FxHashMap<String, usize>,
}

impl Pool {
    /// The number of a text.
    pub(crate) fn number(&mut self, text: &str) -> usize {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let number = self.texts.len();
        self.texts.push(text.to_owned());
        self.known.insert(text.to_owned(), number);
        number
    }

    /// The lines of a text.
    pub(crate) fn lines(&mut self, text: &str) -> Vec<usize> {
        text.lines().map(|line| self.number(line)).collect()
    }
}

/// Lines of the version before that others replace: where they begin, how many there are, the lines instead.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Edit(usize, usize, Vec<usize>);

/// What leads from some lines to others, from the first to the last; between any two there are lines that stay.
pub(crate) fn edits(before: &[usize], after: &[usize]) -> Vec<Edit> {
    let mut out: Vec<Edit> = Vec::new();
    let (mut at, mut open) = (0, false);
    for op in capture_diff_slices(Algorithm::Patience, before, after) {
        let (stays, old, new) = match op {
            DiffOp::Equal { len, .. } => (true, len, 0..0),
            DiffOp::Delete { old_len, .. } => (false, old_len, 0..0),
            DiffOp::Insert { new_index, new_len, .. } => (false, 0, new_index..new_index + new_len),
            DiffOp::Replace { old_len, new_index, new_len, .. } => {
                (false, old_len, new_index..new_index + new_len)
            }
        };
        if !stays {
            let new = after.get(new).unwrap_or_default();
            match out.last_mut().filter(|_| open) {
                Some(Edit(_, gone, made)) => {
                    *gone += old;
                    made.extend_from_slice(new);
                }
                None => out.push(Edit(at, old, new.to_vec())),
            }
        }
        open = !stays;
        at += old;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(before: &[usize], edits: &[Edit]) -> Vec<usize> {
        let mut out = before.to_vec();
        for Edit(at, gone, new) in edits.iter().rev() {
            out.splice(at..&(at + gone), new.iter().copied());
        }
        out
    }

    #[test]
    fn edits_lead_from_one_version_to_the_next() {
        let mut pool = Pool::default();
        let texts = ["a\nb\nc", "a\nc", "x\na\nc\nb\nb", "", "b\na", "b\nx\na\nx\nc", "a\nc\nb\nx\na"];
        let versions: Vec<Vec<usize>> = texts.iter().map(|t| pool.lines(t)).collect();
        for pair in versions.windows(2) {
            assert_eq!(applied(&pair[0], &edits(&pair[0], &pair[1])), pair[1]);
        }
        assert_eq!(pool.texts, ["a", "b", "c", "x"]);
        assert_eq!(edits(&versions[0], &versions[0]), []);
    }
}
