//! Conditions that say the same with other names. A program that is read again has the names that it was printed with, in
//! which no name is used for two things: of two loops over `i`, one inside the other, the inner one is over `i_1` then.
//! Spec: [rule: audit.names].

use super::{Because, Condition};
use rewright_effects::names::callees;
use rewright_semantics::ast::{Config, Proc, StmtKind};

use rewright_semantics::pretty::{is_keyword, proc_to_string};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ControlType, DataType};
use std::collections::{BTreeMap, BTreeSet};
use std::iter;
use std::sync::Arc;

/// Whether two conditions say the same: with other numbers at the ends of the names of variables, where these stand for one
/// another all over the sentence, or all over the script. Whatever else there is in a sentence has no numbers that may differ.
pub(super) fn same(a: &Condition, b: &Condition, names: &Names) -> bool {
    let (Some(of_a), Some(of_b)) = (Asked::of(a), Asked::of(b)) else { return a == b };
    a.id == b.id
        && of_a.tier == of_b.tier
        && of_a.comments == of_b.comments
        && differ_in_numbers(&of_a.words, &of_b.words, &|word| names.stay(word))
        // Every variable of a script has a number, and no word of SMT-LIB.
        && differ_in_numbers(&of_a.script, &of_b.script, &|word| word == without_number(word))
}

/// The names that the conditions of a step may say.
pub(super) struct Names {
    /// Those of variables, without their numbers.
    variables: BTreeSet<&'static str>,
    /// Of what is called, of configurations and their fields, unless a variable is called so.
    others: BTreeSet<&'static str>,
}

impl Names {
    /// Those of the programs before and after a step, and of what they call.
    pub(super) fn of(programs: [&Arc<Proc>; 2], configs: &[Arc<Config>]) -> Names {
        let mut others: BTreeSet<Name> =
            configs.iter().flat_map(|c| iter::once(c.name).chain(c.fields.iter().map(|f| f.name))).collect();
        let mut variables = BTreeSet::new();
        let (mut open, mut seen) = (programs.map(Arc::clone).to_vec(), BTreeSet::new());
        while let Some(p) = open.pop() {
            if seen.insert(Arc::as_ptr(&p)) {
                others.insert(p.name);
                variables.extend(variables_of(&p));
                callees(&p.body, &mut |callee| open.push(callee.clone()));
            }
        }
        // A variable that shares its name with one of them may be printed with a number.
        let others = others.difference(&variables).map(|name| name.as_str()).collect();
        Names { variables: variables.into_iter().map(|name| without_number(name.as_str())).collect(), others }
    }

    /// Whether a word is as it is, with its number.
    fn stay(&self, word: &str) -> bool {
        self.others.contains(word) || is_fixed(word, &self.variables)
    }

    /// The names of variables, without their numbers.
    pub(super) fn variables(&self) -> &BTreeSet<&'static str> {
        &self.variables
    }
}

/// Whether a word is none of these variables with any number: a word of the language never is.
pub(super) fn is_fixed(word: &str, variables: &BTreeSet<&str>) -> bool {
    !variables.contains(without_number(word))
        || is_keyword(Name::new(word))
        || DataType::from_keyword(word).is_some()
        || ControlType::from_keyword(word).is_some()
}

/// The names of a procedure's variables.
pub(super) fn variables_of(p: &Proc) -> BTreeSet<Name> {
    let mut variables: BTreeSet<Name> = p.args.iter().map(|a| a.name.name()).collect();
    each_stmt(&p.body, &mut |s| match s.kind.as_ref() {
        StmtKind::For { iter, .. } => variables.extend([iter.name()]),
        StmtKind::Alloc { name, .. } | StmtKind::WindowStmt { name, .. } => variables.extend([name.name()]),
        StmtKind::Call { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. } => {}
    });
    variables
}

/// A name that stands for two procedures in the text of a program, or of one that it calls: `k(x)` does not say which `k`.
pub(super) fn of_two(p: &Arc<Proc>) -> Option<Name> {
    let (mut open, mut seen) = (vec![p.clone()], BTreeSet::new());
    while let Some(p) = open.pop() {
        let mut called: BTreeMap<Name, Arc<Proc>> = BTreeMap::new();
        let mut two = None;
        callees(&p.body, &mut |callee| {
            let first = called.entry(callee.name).or_insert_with(|| callee.clone());
            if !are_one(first, callee) {
                two = two.or(Some(callee.name));
            }
        });
        if two.is_some() {
            return two;
        }
        open.extend(called.into_values().filter(|callee| seen.insert(Arc::as_ptr(callee))));
    }
    None
}

/// Whether two procedures say the same, and so does what they call.
fn are_one(a: &Arc<Proc>, b: &Arc<Proc>) -> bool {
    let called = |p: &Proc| {
        let mut all = Vec::new();
        callees(&p.body, &mut |callee| all.push(callee.clone()));
        all
    };
    let (mut open, mut seen) = (vec![(a.clone(), b.clone())], BTreeSet::new());
    while let Some((a, b)) = open.pop() {
        // What is called twice at each level is called a great many times at the lowest.
        if Arc::ptr_eq(&a, &b) || !seen.insert((Arc::as_ptr(&a), Arc::as_ptr(&b))) {
            continue;
        }
        if proc_to_string(&a) != proc_to_string(&b) {
            return false;
        }
        // The same text has as many calls.
        open.extend(called(&a).into_iter().zip(called(&b)));
    }
    true
}

/// What the solver was asked.
struct Asked<'a> {
    tier: &'a str,
    /// The sentence, and the comments of the script.
    words: String,
    script: String,
    /// Which lines of the script are comments.
    comments: Vec<bool>,
}

impl Asked<'_> {
    fn of(c: &Condition) -> Option<Asked<'_>> {
        let Because::Solver { sentence, tier, smt2 } = &c.because else { return None };
        let is_comment = |line: &&str| line.starts_with(';');
        // Not `lines`: what ends a line is compared, too.
        let (comments, script): (Vec<&str>, Vec<&str>) = smt2.split('\n').partition(is_comment);
        let words = format!("{sentence}\n{}", comments.join("\n"));
        let comments = smt2.split('\n').map(|line| is_comment(&line)).collect();
        Some(Asked { tier, words, script: script.join("\n"), comments })
    }
}

/// Whether two texts are the same but for numbers at the ends of names, each name of one standing for one of the other;
/// some names stay as they are.
fn differ_in_numbers(a: &str, b: &str, stays: &dyn Fn(&str) -> bool) -> bool {
    let (mut there, mut back) = (BTreeMap::new(), BTreeMap::new());
    let stand =
        |(x, y): (&str, &str)| x == y || (without_number(x) == without_number(y) && !stays(x) && !stays(y));
    let (a, b): (Vec<&str>, Vec<&str>) = (words(a).collect(), words(b).collect());
    a.len() == b.len()
        && a.into_iter().zip(b).all(|(x, y)| {
            stand((x, y)) && *there.entry(x).or_insert(y) == y && *back.entry(y).or_insert(x) == x
        })
}

/// Words, and what stands between them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split_inclusive(move |c| !is_part(c)).flat_map(move |piece| {
        let end = piece.trim_end_matches(move |c| !is_part(c)).len();
        [&piece[..end], &piece[end..]]
    })
}

/// A name without the numbers at its end: `i_1` is `i`. What begins with a digit is a number itself: `4_4` is no `4`.
pub(super) fn without_number(word: &str) -> &str {
    if word.starts_with(char::is_numeric) {
        return word;
    }
    match word.rsplit_once('_') {
        Some((stem, n)) if !stem.is_empty() && !n.is_empty() && n.bytes().all(|c| c.is_ascii_digit()) => {
            without_number(stem)
        }
        _ => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

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
        let names = Names { variables: BTreeSet::from(["i", "n"]), others: BTreeSet::from(["zero", "a"]) };
        let same = |a: &Condition, b: &Condition| super::same(a, b, &names);
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
    fn only_variables_have_other_numbers() {
        let names =
            Names { variables: BTreeSet::from(["n", "a"]), others: BTreeSet::from(["zero", "Cfg", "a_1"]) };
        let is =
            |a: &str, b: &str| same(&condition(a, "(check-sat)\n"), &condition(b, "(check-sat)\n"), &names);
        assert!(is(
            "the size `n` of `zero`, n, is at least 4",
            "the size `n_1` of `zero`, n_1, is at least 4"
        ));
        // A number is no name, whatever is written behind it.
        assert!(!is("n % 4 = 0", "n % 4_4 = 0") && !is("n % 4_4 = 0", "n % 4 = 0"));
        // What is called, a configuration and its field have the names that they have, on either side.
        assert!(!is("the size `n` of `zero`", "the size `n` of `zero_7`"));
        assert!(!is("the size `n` of `zero_7`", "the size `n` of `zero`"));
        assert!(!is("Cfg.a_1 = 0", "Cfg_1.a_1 = 0") && !is("Cfg.a_1 = 0", "Cfg.a_2 = 0"));
        // No word of a sentence is a variable, nor is one of a comment.
        assert!(!is("n is at least 1", "n is_7 at least 1") && !is("n is_7 at least 1", "n is at least 1"));
        let script = |comment: &str| condition("", &format!("; {comment}\n(check-sat)\n"));
        assert!(same(&script("condition: n_1"), &script("condition: n_2"), &names));
        assert!(!same(&script("condition: n_1"), &script("condition_3: n_1"), &names));
    }

    #[test]
    fn a_script_is_the_same_to_the_end_of_each_line() {
        let names = Names { variables: BTreeSet::from(["x"]), others: BTreeSet::new() };
        let is = |a: &str, b: &str| same(&condition("", a), &condition("", b), &names);
        assert!(is("; x_1\n(check-sat)\n", "; x_2\n(check-sat)\n"));
        assert!(!is("; x\n(check-sat)\n", "; x\r\n(check-sat)\r\n"));
        assert!(!is("; x\n(check-sat)\n", "; x\n(check-sat)"));
        assert!(!is("; x\n(check-sat)\n", "(check-sat)\n; x\n"));
        assert!(!is("(assert (= 4 4))", "(assert (= 4 4_4))"));
        assert!(is("(assert (= n_0 4))", "(assert (= n_1_0 4))"));
        assert!(!is("(check-sat)", "(check_1-sat)") && !is("(check_1-sat)", "(check-sat)"));
    }

    /// Each procedure calls the next twice: the last is called 2⁴⁰ times, and looked at once.
    #[test]
    fn what_is_shared_is_compared_once() {
        let called = |last: &str| {
            let mut text = format!("@proc\ndef k0(x: f32):\n    {last}\n");
            for k in 1..=40 {
                let call = format!("    k{}(x)\n", k - 1);
                text += &format!("\n@proc\ndef k{k}(x: f32):\n{call}{call}");
            }
            let mut sources = SourceMap::new();
            let file = sources.add("test", text);
            parse_module(file, &sources, &Prelude::standard()).module.proc("k40").unwrap().clone()
        };
        assert!(are_one(&called("x = 1.0"), &called("x = 1.0")));
        assert!(!are_one(&called("x = 1.0"), &called("x = 2.0")));
    }
}
