//! Texts of programs that are one program with other numbers at the ends of names: a name is one variable where that is in
//! scope, and may be another's beside it. Spec: [rule: audit.names].

use super::names::{is_fixed, variables_of, without_number, words};
use rewright_semantics::ast::Proc;
use rewright_semantics::pretty::proc_to_string;
use std::collections::BTreeSet;

/// Whether a text is that of a procedure, but for numbers at the ends of the names that its body binds.
pub(super) fn is_text_of(text: &str, p: &Proc) -> bool {
    let variables = variables_of(p).into_iter().map(|name| without_number(name.as_str())).collect();
    same_program(text, &proc_to_string(p), &variables)
}

/// The same of two texts; `variables` are all names of variables, without numbers. What is called, configurations, fields,
/// memories, arguments and what is written of C have the names that they have.
pub(super) fn same_program(a: &str, b: &str, variables: &BTreeSet<&str>) -> bool {
    a == b || {
        let ((head_a, a), (head_b, b)) = (parts(a), parts(b));
        let (a, b) = (statements(a), statements(b));
        let mut scope = Scope { variables, pairs: Vec::new() };
        head_a == head_b && a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| scope.agrees(a, b))
    }
}

/// What stands before `def`, to be compared to the letter, and the rest.
fn parts(text: &str) -> (&str, &str) {
    let begin =
        if text.starts_with("def ") { 0 } else { text.find("\ndef ").map_or(0, |newline| newline + 1) };
    text.split_at(begin)
}

/// The lines, those together over which a bracket is open.
fn statements(text: &str) -> Vec<&str> {
    let (mut found, mut from, mut open) = (Vec::new(), 0, 0_i32);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => open += 1,
            ')' | ']' => open -= 1,
            '\n' if open == 0 => {
                found.push(&text[from..=at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(&text[from..]);
    found
}

/// Which variables of two texts stand for one another.
struct Scope<'a> {
    variables: &'a BTreeSet<&'a str>,
    /// How far the block is indented in which a pair is in scope, at least; and the pair.
    pairs: Vec<(usize, &'a str, &'a str)>,
}

impl<'a> Scope<'a> {
    fn agrees(&mut self, a: &'a str, b: &'a str) -> bool {
        let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
        let depth = indent(a);
        self.pairs.retain(|(least, ..)| *least <= depth);
        let (a, b): (Vec<&str>, Vec<&str>) = (words(a).collect(), words(b).collect());
        // What a `for` binds is in scope in its body alone.
        let least = depth + usize::from(a.contains(&"for"));
        let is_head = a.contains(&"def");
        let is_other = |words: &[&str], k: usize| {
            let beside =
                |word: Option<&&str>, marks: &[&str]| word.is_some_and(|w| marks.contains(&w.trim()));
            let before = words[..k].iter().rev().find(|w| !w.trim().is_empty());
            let after = words[k + 1..].iter().find(|w| !w.trim().is_empty());
            beside(before, &["@", "."]) || beside(after, &["(", "."])
        };
        a.len() == b.len()
            && a.iter().zip(&b).enumerate().all(|(k, (x, y))| {
                if [x, y].into_iter().any(|word| is_fixed(word, self.variables))
                    || is_other(&a, k)
                    || is_other(&b, k)
                {
                    return x == y;
                }
                // Arguments have their names, and no other may have one of these.
                (!is_head || x == y) && self.stand(least, x, y)
            })
    }

    /// Whether a variable stands for another: as it does already, or from here on.
    fn stand(&mut self, least: usize, x: &'a str, y: &'a str) -> bool {
        let mut known = self.pairs.iter().filter(|(_, of_a, of_b)| *of_a == x || *of_b == y);
        if let Some((_, of_a, of_b)) = known.next() {
            return (*of_a, *of_b) == (x, y) && known.next().is_none();
        }
        self.pairs.push((least, x, y));
        without_number(x) == without_number(y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_with_other_names_is_the_same() {
        let part = |i: &str, f: &str, m: &str| {
            format!(
                "def part(x: f32[8] @ {m}):\n    for {i} in seq(0, 8):\n        {f}(x[{i}:8])\n        Cfg_1.a = {i}\n"
            )
        };
        let same_program = |a: &str, b: &str| {
            super::same_program(a, b, &BTreeSet::from(["i", "j", "x", "True", "f32", "r"]))
        };
        assert!(same_program(&part("i", "f", "DRAM"), &part("i_1", "f", "DRAM")));
        // Another variable, another callee, another memory, one name for two.
        assert!(!same_program(&part("i", "f", "DRAM"), &part("j", "f", "DRAM")));
        assert!(!same_program(&part("i", "f_1", "DRAM"), &part("i", "f_2", "DRAM")));
        assert!(!same_program(&part("i", "f", "M_1"), &part("i", "f", "M_2")));
        assert!(!same_program("x_1[0] = x_2[0]", "x_1[0] = x_1[0]"));
        assert!(!same_program(&part("i", "f", "M"), &part("i", "f", "M").replace("Cfg_1", "Cfg_2")));
        assert!(!same_program("Cfg.a_1 = 2", "Cfg.a_2 = 2"));
        assert!(!same_program("assert n % 4 == 0", "assert n % 4_4 == 0"));
        // No word of the language has a number, nor has a type.
        assert!(!same_program("for i in seq(0, 4):", "for_2 i in seq(0, 4):"));
        assert!(!same_program("x: f32[4]", "x: f32_1[4]") && same_program("x: f32[4]", "x_1: f32[4]"));
    }

    /// A name is one variable in its scope, and another one's beside it.
    #[test]
    fn names_stand_for_one_another_in_their_scope() {
        let same_program =
            |a: &str, b: &str| super::same_program(a, b, &BTreeSet::from(["i", "t", "x", "r"]));
        let nest = |i: &str, j: &str, beside: &str| {
            format!(
                "def p(x: f32[8, 8]):\n    for {i} in seq(0, 8):\n        for {j} in seq(0, 8):\n            \
                 x[{i}, {j}] = 0.0\n    for {beside} in seq(0, 8):\n        x[{beside}, 0] = 1.0\n"
            )
        };
        assert!(same_program(&nest("i", "i_1", "i"), &nest("i_1", "i", "i")));
        assert!(!same_program(&nest("i", "i_1", "i"), &nest("i", "i", "i")));
        let swapped = nest("i", "i_1", "i").replace("x[i, i_1]", "x[i_1, i]");
        assert!(!same_program(&nest("i", "i_1", "i"), &swapped));
        // The second `t` is the one in scope, whatever another block has.
        let cells = |t: &str, u: &str| {
            format!(
                "def p(x: f32):\n    {t}: f32\n    for i in seq(0, 8):\n        {u}: f32\n        {u} = 0.0\n    \
                 {t} = x\n    for i in seq(0, 8):\n        {u}: f32\n        {u} = {t}\n"
            )
        };
        assert!(same_program(&cells("t", "t_1"), &cells("t_1", "t")));
        assert!(!same_program(
            &cells("t", "t_1"),
            &cells("t", "t_1").replace("    t_1 = t\n", "    t = t_1\n")
        ));
        assert!(!same_program(&cells("t", "t_1"), &cells("t", "t_1").replace("t_1 = t\n", "t_1 = t_1\n")));
    }

    /// Arguments are what others know a procedure by, and C is not ours to read.
    #[test]
    fn arguments_and_c_are_the_same_to_the_letter() {
        let same_program =
            |a: &str, b: &str| super::same_program(a, b, &BTreeSet::from(["x", "r", "True", "f32"]));
        let moves = |x: &str, y: &str, c: &str| {
            format!(
                "@instr(\"{{x_1_data}} = {{x_2_data}}; {c} = 0;\")\ndef mv({x}: f32, {y}: f32):\n    {x} = {y}\n"
            )
        };
        assert!(!same_program(&moves("x_1", "x_2", "r_1"), &moves("x_2", "x_1", "r_1")));
        assert!(!same_program(&moves("x_1", "x_2", "r_1"), &moves("x_1", "x_2", "r_2")));
        let takes = |x: &str, t: &str| {
            format!("def q(b: bool, x: f32):\n    {x}: {t}\n    if b == True:\n        {x} = x\n")
        };
        assert!(same_program(&takes("f32_1", "f32"), &takes("f32_9", "f32")));
        assert!(!same_program(&takes("f32_1", "f32"), &takes("f32_1", "f32_7")));
        assert!(!same_program(&takes("r_1", "f32"), &takes("r_1", "f32").replace("True", "True_1")));
    }
}
