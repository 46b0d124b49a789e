//! Conditions that say the same with other names. A program that is read again has the names that it was printed with, in
//! which no name is used for two things: of two loops over `i`, one inside the other, the inner one is over `i_1` then.

use super::{Because, Condition};
use std::collections::BTreeMap;

/// Whether two conditions say the same: with other numbers at the ends of names, where these stand for one another all over
/// the sentence, or all over the script.
pub(super) fn same(a: &Condition, b: &Condition) -> bool {
    let (Some(of_a), Some(of_b)) = (Asked::of(a), Asked::of(b)) else { return a == b };
    a.id == b.id
        && of_a.tier == of_b.tier
        && differ_in_numbers(&of_a.words, &of_b.words)
        && differ_in_numbers(&of_a.script, &of_b.script)
}

/// Whether two printed procedures say the same: with other numbers at the ends of the names of variables, where these stand for
/// one another all over the text. What is called, a configuration, its field or a memory is one thing by its name.
pub(super) fn same_program(a: &str, b: &str) -> bool {
    let of_others = |text: &str| {
        let words: Vec<&str> = words(text).filter(|word| !word.trim().is_empty()).collect();
        let around = |k: usize| (k.checked_sub(1).and_then(|k| words.get(k)), words.get(k + 1));
        let is_one = |k: &usize| matches!(around(*k), (Some(&("@" | ".")), _) | (_, Some(&"(" | &".")));
        (0..words.len()).filter(is_one).filter_map(|k| words.get(k).map(|word| (*word).to_owned())).collect()
    };
    let (of_a, of_b): (Vec<String>, Vec<String>) = (of_others(a), of_others(b));
    of_a == of_b && differ_in_numbers(a, b)
}

/// What the solver was asked.
struct Asked<'a> {
    tier: &'a str,
    /// The sentence, and the comments of the script.
    words: String,
    script: String,
}

impl Asked<'_> {
    fn of(c: &Condition) -> Option<Asked<'_>> {
        let Because::Solver { sentence, tier, smt2 } = &c.because else { return None };
        let (comments, script): (Vec<&str>, Vec<&str>) = smt2.lines().partition(|line| line.starts_with(';'));
        let words = format!("{sentence}\n{}", comments.join("\n"));
        Some(Asked { tier, words, script: script.join("\n") })
    }
}

/// Whether two texts are the same but for numbers at the ends of names, each name of one standing for one of the other.
fn differ_in_numbers(a: &str, b: &str) -> bool {
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    let stand = |(x, y): (&str, &str)| without_number(x) == without_number(y);
    let (a, b): (Vec<&str>, Vec<&str>) = (words(a).collect(), words(b).collect());
    a.len() == b.len()
        && a.into_iter().zip(b).all(|(x, y)| {
            stand((x, y)) && *there.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x
        })
}

/// Words, and what stands between them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split_inclusive(move |c| !is_part(c)).flat_map(move |piece| {
        let end = piece.trim_end_matches(move |c| !is_part(c)).len();
        [&piece[..end], &piece[end..]]
    })
}

/// A name without the numbers at its end: `i_1` is `i`.
fn without_number(name: &str) -> &str {
    match name.rsplit_once('_') {
        Some((stem, n)) if !stem.is_empty() && !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()) => {
            without_number(stem)
        }
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition(sentence: &str, smt2: &str) -> Condition {
        let [sentence, tier, smt2] = [sentence, "fast", smt2].map(str::to_owned);
        Condition { id: "asserts".to_owned(), because: Because::Solver { sentence, tier, smt2 } }
    }

    #[test]
    fn what_says_the_same_with_other_names_is_the_same() {
        let script = |x: &str, y: &str| {
            format!(
                "; a question\n(declare-const {x} Int)\n(declare-const {y} Int)\n(assert (< {x} (+ {y} 1)))\n"
            )
        };
        let a = condition("`i < n` holds", &script("i_1", "i_2"));
        assert!(same(&a, &condition("`i_1 < n` holds", &script("i_1", "i_1_2"))));
        // Another variable, another number, another sentence, another id.
        assert!(!same(&a, &condition("`i < n` holds", &script("i_1", "i_2").replace("(< i_1", "(< i_2"))));
        assert!(!same(&a, &condition("`i < n` holds", &script("i_1", "i_2").replace(" 1)", " 2)"))));
        assert!(!same(&a, &condition("`i < m` holds", &script("i_1", "i_2"))));
        assert!(!same(&a, &Condition { id: "bounds".to_owned(), ..a.clone() }));
        assert!(!same(&a, &Condition { because: Because::Syntax, ..a.clone() }));
    }

    #[test]
    fn a_program_with_other_names_is_the_same() {
        let part = |i: &str, f: &str, m: &str| {
            format!(
                "def part(x: f32[8] @ {m}):\n    for {i} in seq(0, 8):\n        {f}(x[{i}:8])\n        Cfg_1.a = {i}\n"
            )
        };
        assert!(same_program(&part("i", "f", "DRAM"), &part("i_1", "f", "DRAM")));
        // Another variable, another callee, another memory, one name for two.
        assert!(!same_program(&part("i", "f", "DRAM"), &part("j", "f", "DRAM")));
        assert!(!same_program(&part("i", "f_1", "DRAM"), &part("i", "f_2", "DRAM")));
        assert!(!same_program(&part("i", "f", "M_1"), &part("i", "f", "M_2")));
        assert!(!same_program("x_1[0] = x_2[0]", "x_1[0] = x_1[0]"));
        assert!(!same_program(&part("i", "f", "M"), &part("i", "f", "M").replace("Cfg_1", "Cfg_2")));
        assert!(!same_program("Cfg.a_1 = 2", "Cfg.a_2 = 2"));
    }
}
