//! Obligations as SMT-LIB 2 scripts, for anyone who wants to ask another solver. Spec: [rule: smtlib].
//!
//! The script says exactly what the obligation says, through the encoding of App. B alone: nothing of the
//! normal forms, the quantifier elimination or the cache of this crate takes part. An obligation holds when
//! the answer is `unsat`.

use super::encode::encode_bool;
use crate::effexpr::{EffExpr, Node, Sort, Var};
use crate::obligation::Obligation;
use rewright_semantics::sym::Sym;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// The script that asks for a counterexample.
pub fn script(obligation: &Obligation) -> String {
    let formula = encode_bool(&obligation.sentence_formula()).t;
    let mut out = String::new();
    comment(&mut out, &format!("condition: {}", obligation.id));
    comment(&mut out, &obligation.sentence);
    out.push_str("(set-logic LIA)\n(set-info :status unsat)\n");
    let mut names = Names::default();
    for (v, sort) in in_order(&formula) {
        let sort = match sort {
            Sort::Int => "Int",
            Sort::Bool => "Bool",
        };
        let name = names.declare(v);
        line(&mut out, &format!("(declare-const {name} {sort})"));
    }
    let mut printer = Printer { out, names, scope: Vec::new(), shared: FxHashMap::default() };
    let parts = shared_parts(&formula);
    printer.out.push_str("(assert (not ");
    for (number, part) in parts.iter().enumerate() {
        let name = format!("part_{number}");
        printer.word(&format!("(let (({name} "));
        printer.print(part);
        printer.out.push_str("))\n");
        printer.shared.insert(part.address(), name);
    }
    printer.print(&formula);
    let Printer { mut out, .. } = printer;
    out.extend(std::iter::repeat_n(')', parts.len() + 2));
    out.push_str("\n(check-sat)\n");
    out
}

/// Formulas of at most this size are written out.
const LONG: u64 = 5_000;

/// The parts of a long formula that occur more than once and mention no bound variable, the inner ones first.
/// Written out each time, they could make the script exponentially long.
fn shared_parts(formula: &EffExpr) -> Vec<EffExpr> {
    fn visit(
        ee: &EffExpr,
        seen: &mut FxHashMap<usize, bool>,
        bound: &mut FxHashSet<Var>,
        order: &mut Vec<EffExpr>,
    ) {
        if let Some(again) = seen.get_mut(&ee.address()) {
            *again = true;
            return;
        }
        seen.insert(ee.address(), false);
        if let Some(x) = ee.node().bound_variable() {
            bound.insert(Var::Local(x));
        }
        ee.children(|c| visit(c, seen, bound, order));
        order.push(ee.clone());
    }
    if formula.size() <= LONG {
        return Vec::new();
    }
    let (mut seen, mut bound, mut order) = (FxHashMap::default(), FxHashSet::default(), Vec::new());
    visit(formula, &mut seen, &mut bound, &mut order);
    let again = |ee: &EffExpr| seen.get(&ee.address()) == Some(&true);
    let open = |ee: &EffExpr| ee.free_vars().iter().any(|v| bound.contains(v));
    order.retain(|ee| ee.size() > 3 && again(ee) && !open(ee));
    order
}

fn comment(out: &mut String, text: &str) {
    for part in text.lines() {
        line(out, &format!("; {part}"));
    }
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

/// The free variables in the order in which they are met, which does not depend on the identity of symbols.
fn in_order(formula: &EffExpr) -> Vec<(Var, Sort)> {
    fn visit(ee: &EffExpr, free: &mut Vec<(Var, Sort)>, found: &mut Vec<(Var, Sort)>) {
        if let Node::Var(v, sort) = ee.node()
            && let Some(at) = free.iter().position(|f| *f == (*v, *sort))
        {
            found.push(free.remove(at));
        }
        // A part none of whose variables is still looked for need not be entered, shared or not.
        if free.iter().any(|(v, _)| ee.mentions(*v)) {
            ee.children(|c| visit(c, free, found));
        }
    }
    let mut free = formula.free_vars_sorted().into_iter().collect();
    let mut found = Vec::new();
    visit(formula, &mut free, &mut found);
    found
}

#[derive(Default)]
struct Names {
    names: FxHashMap<Var, String>,
    next: usize,
}

impl Names {
    /// A new name. The number makes it unique, and different from every word of SMT-LIB.
    fn declare(&mut self, v: Var) -> String {
        let text = match v {
            Var::Local(x) => x.to_string(),
            Var::Global(config, field) => format!("{config}.{field}"),
            Var::Stride(x, dim) => format!("stride.{x}.{dim}"),
        };
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '_' { c } else { '?' };
        let name = format!("{}_{}", text.chars().map(plain).collect::<String>(), self.next);
        self.next += 1;
        self.names.insert(v, name.clone());
        name
    }
}

/// Writes formulas to the end of a text.
struct Printer {
    out: String,
    names: Names,
    scope: Vec<(Sym, String)>,
    /// Names of parts that were printed before.
    shared: FxHashMap<usize, String>,
}

impl Printer {
    fn print(&mut self, ee: &EffExpr) {
        if let Some(name) = self.shared.get(&ee.address()) {
            self.out.push_str(name);
            return;
        }
        match ee.node() {
            Node::Var(v, _) => self.variable(*v),
            Node::Int(c) => self.int(*c),
            Node::Bool(b) => self.word(if *b { "true" } else { "false" }),
            Node::Neg(a) => self.apply("-", [a]),
            Node::Scale(k, a) => self.apply("*", [&EffExpr::int(*k), a]),
            Node::Div(a, k) => self.apply("div", [a, &EffExpr::int(*k)]),
            Node::Mod(a, k) => self.apply("mod", [a, &EffExpr::int(*k)]),
            Node::Add(a, b) => self.apply("+", [a, b]),
            Node::Sub(a, b) => self.apply("-", [a, b]),
            Node::Cmp(op, a, b) => self.apply(op.symbol(), [a, b]),
            Node::Iff(a, b) => self.apply("=", [a, b]),
            Node::Not(a) => self.apply("not", [a]),
            Node::And(es) => self.apply("and", es.iter()),
            Node::Or(es) => self.apply("or", es.iter()),
            Node::If(c, a, b) => self.apply("ite", [c, a, b]),
            Node::Forall(x, a) => self.quantified("forall", *x, a),
            Node::Exists(x, a) => self.quantified("exists", *x, a),
            // The encoding leaves none of these; a solver rejects the script should one get here.
            Node::Unknown(_) | Node::Definitely(_) | Node::Maybe(_) => self.word("<not classical>"),
        }
    }

    fn word(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn int(&mut self, c: i64) {
        let size = c.unsigned_abs();
        // Writing to a string cannot fail.
        let _ = if c < 0 { write!(self.out, "(- {size})") } else { write!(self.out, "{size}") };
    }

    fn variable(&mut self, v: Var) {
        let bound = self.scope.iter().rev().find(|(y, _)| v == Var::Local(*y)).map(|(_, name)| name);
        let name = bound.or_else(|| self.names.names.get(&v));
        self.out.push_str(name.map_or("<undeclared>", String::as_str));
    }

    fn apply<'a>(&mut self, head: &str, args: impl IntoIterator<Item = &'a EffExpr>) {
        self.out.push('(');
        self.word(head);
        for a in args {
            self.out.push(' ');
            self.print(a);
        }
        self.out.push(')');
    }

    fn quantified(&mut self, word: &str, x: Sym, body: &EffExpr) {
        let free = self.names.names.get(&Var::Local(x)).cloned();
        let name = self.names.declare(Var::Local(x));
        match free {
            Some(old) => self.names.names.insert(Var::Local(x), old),
            None => self.names.names.remove(&Var::Local(x)),
        };
        self.word(&format!("({word} (({name} Int)) "));
        self.scope.push((x, name));
        self.print(body);
        self.scope.pop();
        self.out.push(')');
    }
}
