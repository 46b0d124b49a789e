//! A recorded question, an SMT-LIB 2 script, in mathematical notation. Spec: [rule: ledger.obligation].
//!
//! The script asks for a counterexample to `h₁ ∧ … ⟹ c`, which it writes as `(assert (not (or ¬h₁ … c)))`.

mod print;
mod sexp;

use serde::Serialize;
use sexp::Sexp;

/// A question.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Question {
    /// The free variables, with the set that they are from: they are under ∀.
    pub(crate) all: String,
    /// What may be assumed.
    pub(crate) given: Vec<String>,
    /// What must follow.
    pub(crate) show: String,
    /// What parts that occur several times stand for.
    #[serde(rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub(crate) parts: Vec<(String, String)>,
}

/// The question of a script; `None` where it is not such a script.
pub(crate) fn question(smt2: &str) -> Option<Question> {
    let (mut variables, mut asserted) = (Vec::new(), None);
    for command in sexp::read(smt2)? {
        match command.list()? {
            [head, name, sort] if head.is("declare-const") => {
                variables.push((name.atom()?.to_owned(), sort.atom()?.to_owned()));
            }
            [head, formula] if head.is("assert") && asserted.is_none() => asserted = Some(formula.clone()),
            [head, ..] if head.is("set-logic") || head.is("set-info") || head.is("check-sat") => {}
            _ => return None,
        }
    }
    let mut names = print::Names::default();
    variables.iter().for_each(|(name, _)| names.add(name));
    let mut formula = asserted?.applied("not")?.first()?.clone();
    let mut parts = Vec::new();
    while let Some([bindings, body]) = formula.applied("let") {
        for binding in bindings.list()? {
            let [name, part] = binding.list()? else { return None };
            names.add(name.atom()?);
            parts.push((names.of(name.atom()?), print::formula(part, &mut names)));
        }
        formula = body.clone();
    }
    let (given, show) = implication(&formula);
    let given = given.iter().map(|h| print::formula(h, &mut names)).collect();
    let show = print::formula(&show, &mut names);
    Some(Question { all: quantified(&variables, &names), given: print::chained(given), show, parts })
}

/// `M, N ∈ ℤ, b ∈ 𝔹`
fn quantified(variables: &[(String, String)], names: &print::Names) -> String {
    let of = |wanted: &str| {
        let names: Vec<String> =
            variables.iter().filter(|(_, sort)| sort == wanted).map(|(name, _)| names.of(name)).collect();
        names.join(", ")
    };
    let sets = [(of("Int"), "ℤ"), (of("Bool"), "𝔹")];
    let sets = sets.iter().filter(|(names, _)| !names.is_empty());
    sets.map(|(names, set)| format!("{names} ∈ {set}")).collect::<Vec<_>>().join(", ")
}

/// `h₁, …` and `c` of `(or ¬h₁ … c)`.
fn implication(formula: &Sexp) -> (Vec<Sexp>, Sexp) {
    match formula.applied("or") {
        Some([given @ .., show]) => (given.iter().map(Sexp::negated).collect(), show.clone()),
        Some([]) | None => (Vec::new(), formula.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(formula: &str) -> Question {
        let script = format!(
            "; condition: bounds\n(set-logic LIA)\n(declare-const N_0 Int)\n(declare-const i_1 Int)\n\
             (declare-const i_2 Int)\n(declare-const on_3 Bool)\n(assert (not {formula}))\n(check-sat)\n"
        );
        question(&script).unwrap()
    }

    #[test]
    fn a_question_is_an_implication() {
        let q = asked("(or (< N_0 1) (< i_1 0) (<= (div N_0 8) i_1) (not on_3) (= (mod i_2 8) (- 1)))");
        assert_eq!(q.all, "N, i, i′ ∈ ℤ, on ∈ 𝔹");
        assert_eq!(q.given, ["1 ≤ N", "0 ≤ i < ⌊N / 8⌋", "on"]);
        assert_eq!(q.show, "i′ mod 8 = −1");
        assert_eq!(asked("true").show, "true");
    }

    #[test]
    fn connectives_have_few_parentheses() {
        let q =
            asked("(and on_3 (or (= i_1 i_2) (not (= N_0 (* 2 (+ i_1 (- i_2)))))) (ite on_3 true false))");
        assert_eq!(q.show, "on ∧ (i = i′ ∨ N ≠ 2·(i − i′)) ∧ (if on then true else false)");
        let q = asked("(forall ((k_4 Int)) (=> (exists ((i_5 Int)) (< i_5 k_4)) (= on_3 true)))");
        assert_eq!(q.show, "∀k. (∃i″. i″ < k) ⟹ on = true");
    }

    #[test]
    fn long_formulas_are_laid_out() {
        let part = "(and (<= 0 (+ i_1 (* 1000000 i_2))) (< (+ i_1 (* 1000000 i_2)) (* 1000000 N_0)))";
        let q = asked(&format!("(and {part} (or {part} on_3 {part} (= i_1 i_2) {part}) {part})"));
        let chain = "0 ≤ i + 1000000·i′ < 1000000·N";
        let lines = [
            chain.to_owned(),
            format!("∧ ({chain}"),
            "   ∨ on".to_owned(),
            format!("   ∨ {chain}"),
            "   ∨ i = i′".to_owned(),
            format!("   ∨ {chain})"),
            format!("∧ {chain}"),
        ];
        assert_eq!(q.show.lines().collect::<Vec<_>>(), lines);
    }

    #[test]
    fn shared_parts_have_names() {
        let q = asked(
            "(let ((part_0 (< i_1 i_2)))\n(let ((part_1 (and part_0 on_3)))\n(or (not part_1) part_0)))",
        );
        assert_eq!(q.parts, [("part".into(), "i < i′".into()), ("part′".into(), "part ∧ on".to_owned())]);
        assert_eq!((q.given, q.show), (vec!["part′".to_owned()], "part".to_owned()));
    }

    #[test]
    fn what_is_no_question_has_no_notation() {
        for text in ["", "(", ")", "(assert x)", "(assert (not x)) (oops)", "(check-sat"] {
            assert_eq!(question(text), None, "{text}");
        }
        let deep = format!("(assert (not {}x{}))", "(not ".repeat(100_000), ")".repeat(100_000));
        assert_eq!(question(&deep), None);
    }
}
