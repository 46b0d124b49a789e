//! The top level of a file. Spec: [rule: syntax.toplevel], [rule: syntax.skipped].

use super::super::error::{Refusal, SyntaxErrorKind};
use super::super::tree::{Item, WhyOpaque};
use super::{Reader, refusal};
use crate::sym::Name;
use ruff_python_ast as py;
use ruff_text_size::Ranged;

/// What a statement at the top level is.
pub(crate) enum Entry {
    /// Definitions.
    Items(Vec<Item>),
    /// A line for Python alone; it may bind names.
    Skipped(Vec<Item>),
}

impl Reader<'_> {
    /// Reads one statement of the file.
    pub(crate) fn entry(&mut self, s: &py::Stmt) -> Entry {
        match s {
            py::Stmt::FunctionDef(def) => {
                let name = Name::new(def.name.as_str());
                let broken = || Item::Opaque(vec![name], WhyOpaque::Broken);
                Entry::Items(vec![self.procedure(def).map_or_else(broken, Item::Proc)])
            }
            py::Stmt::ClassDef(class) => Entry::Items(vec![self.class(class)]),
            py::Stmt::Import(import) => Entry::Items(imports(&import.names)),
            py::Stmt::ImportFrom(import) => Entry::Items(imports(&import.names)),
            py::Stmt::Expr(e) if e.value.is_string_literal_expr() => Entry::Items(Vec::new()),
            py::Stmt::Expr(e) if e.value.is_call_expr() => Entry::Skipped(Vec::new()),
            py::Stmt::Pass(_) => Entry::Items(Vec::new()),
            py::Stmt::Assign(assign) => self.binding(s, assign.targets.iter().collect(), &assign.value),
            py::Stmt::AnnAssign(assign) => match &assign.value {
                Some(value) => self.binding(s, vec![&*assign.target], value),
                None => self.misplaced(s),
            },
            py::Stmt::AugAssign(assign) if is_dunder(&assign.target) => Entry::Items(Vec::new()),
            py::Stmt::AugAssign(assign) if assign.target.is_name_expr() && is_script(&assign.value) => {
                Entry::Skipped(vec![Item::Opaque(names(&[&*assign.target]), WhyOpaque::Scheduled)])
            }
            py::Stmt::If(branch) if is_main_guard(&branch.test) => Entry::Skipped(Vec::new()),
            py::Stmt::Return(_)
            | py::Stmt::Delete(_)
            | py::Stmt::TypeAlias(_)
            | py::Stmt::AugAssign(_)
            | py::Stmt::For(_)
            | py::Stmt::While(_)
            | py::Stmt::If(_)
            | py::Stmt::With(_)
            | py::Stmt::Match(_)
            | py::Stmt::Raise(_)
            | py::Stmt::Try(_)
            | py::Stmt::Assert(_)
            | py::Stmt::Global(_)
            | py::Stmt::Nonlocal(_)
            | py::Stmt::Expr(_)
            | py::Stmt::Break(_)
            | py::Stmt::Continue(_)
            | py::Stmt::IpyEscapeCommand(_) => self.misplaced(s),
        }
    }

    /// `N = 16`, or a scheduling line `p = divide_loop(…)`.
    fn binding(&mut self, s: &py::Stmt, targets: Vec<&py::Expr>, value: &py::Expr) -> Entry {
        if targets.iter().all(|t| is_dunder(t)) {
            return Entry::Items(Vec::new());
        }
        if let [target] = &*targets
            && let Some(name) = self.ident_of(target)
            && let Some(constant) = self.constant(value)
        {
            return Entry::Items(vec![Item::Constant(name, constant)]);
        }
        if is_scheduling(value) {
            return Entry::Skipped(vec![Item::Opaque(names(&targets), WhyOpaque::Scheduled)]);
        }
        self.misplaced(s);
        Entry::Items(vec![Item::Opaque(names(&targets), WhyOpaque::Broken)])
    }

    /// Reports a statement that has no place here.
    fn misplaced(&mut self, s: &py::Stmt) -> Entry {
        let start = usize::from(s.start());
        let head = self.text.get(start..usize::from(s.end())).unwrap_or("");
        let line = head.lines().next().unwrap_or("").trim_end().len();
        let end = u32::try_from(start + line).unwrap_or(s.end().into());
        let range = ruff_text_size::TextRange::new(s.start(), end.into());
        self.report(&range, SyntaxErrorKind::TopLevel(toplevel(s)));
        Entry::Items(Vec::new())
    }
}

/// What to say of a statement at the top level.
fn toplevel(s: &py::Stmt) -> Refusal {
    const STRAIGHT: &str = "definitions and scheduling lines follow each other, one call after another; a schedule that computes is written in Rust against the crate `rewright-primitives`";
    const DEFINITIONS: &str = "a file holds imports, constants and definitions: `@proc`, `@instr(\"…\")`, `@config`, `class M(Memory):`";
    match s {
        py::Stmt::For(_)
        | py::Stmt::While(_)
        | py::Stmt::If(_)
        | py::Stmt::With(_)
        | py::Stmt::Try(_)
        | py::Stmt::Match(_) => refusal("no control flow stands at the top level of a file", STRAIGHT),
        py::Stmt::Assign(_) | py::Stmt::AugAssign(_) => refusal(
            "this value is not a constant",
            "constants are made of numbers and strings by `+ - * // %`, scheduling lines of calls, lists and names as well",
        ),
        py::Stmt::AnnAssign(_) => {
            refusal("there are no global variables", "use an argument, or a field of a configuration class")
        }
        py::Stmt::FunctionDef(_)
        | py::Stmt::ClassDef(_)
        | py::Stmt::Return(_)
        | py::Stmt::Delete(_)
        | py::Stmt::TypeAlias(_)
        | py::Stmt::Raise(_)
        | py::Stmt::Assert(_)
        | py::Stmt::Import(_)
        | py::Stmt::ImportFrom(_)
        | py::Stmt::Global(_)
        | py::Stmt::Nonlocal(_)
        | py::Stmt::Expr(_)
        | py::Stmt::Pass(_)
        | py::Stmt::Break(_)
        | py::Stmt::Continue(_)
        | py::Stmt::IpyEscapeCommand(_) => {
            refusal("this does not stand at the top level of a file", DEFINITIONS)
        }
    }
}

/// What imports bind.
fn imports(aliases: &[py::Alias]) -> Vec<Item> {
    let mut items = Vec::with_capacity(aliases.len());
    for alias in aliases {
        let there = Name::new(alias.name.as_str());
        match &alias.asname {
            Some(here) => items.push(Item::Alias { here: Name::new(here.as_str()), there }),
            None => items.push(Item::Opaque(vec![there], WhyOpaque::Imported)),
        }
    }
    items
}

/// Whether a value is one for a scheduling line, which mentions names or makes lists: `p`, `f(…)`, `p.m(…)[0]`,
/// `[4, 8]`, `2 * n`.
fn is_scheduling(value: &py::Expr) -> bool {
    is_script(value) && !is_made_of_literals(value)
}

/// Whether a value is written in the language of scripts. Spec: [rule: scripts].
fn is_script(value: &py::Expr) -> bool {
    match value {
        py::Expr::Name(_)
        | py::Expr::NoneLiteral(_)
        | py::Expr::BooleanLiteral(_)
        | py::Expr::NumberLiteral(_)
        | py::Expr::StringLiteral(_)
        | py::Expr::FString(_)
        | py::Expr::Call(_) => true,
        py::Expr::List(list) => list.elts.iter().all(is_script),
        py::Expr::Tuple(tuple) => tuple.elts.iter().all(is_script),
        py::Expr::UnaryOp(unary) => unary.op == py::UnaryOp::USub && is_script(&unary.operand),
        py::Expr::BinOp(binary) => {
            use py::Operator::{Add, FloorDiv, Mod, Mult, Sub};
            let known = matches!(binary.op, Add | Sub | Mult | FloorDiv | Mod);
            known && is_script(&binary.left) && is_script(&binary.right)
        }
        py::Expr::Attribute(attribute) => is_script(&attribute.value),
        py::Expr::Subscript(subscript) => is_script(&subscript.value),
        _ => false,
    }
}

/// Whether a value is of numbers, strings and their sums alone.
fn is_made_of_literals(value: &py::Expr) -> bool {
    match value {
        py::Expr::UnaryOp(unary) => is_made_of_literals(&unary.operand),
        py::Expr::BinOp(binary) => is_made_of_literals(&binary.left) && is_made_of_literals(&binary.right),
        other => other.is_literal_expr(),
    }
}

/// Whether a target is a name of Python's own: `__all__`.
fn is_dunder(target: &py::Expr) -> bool {
    target.as_name_expr().is_some_and(|n| n.id.starts_with("__") && n.id.ends_with("__"))
}

/// Whether a test is `__name__ == "__main__"`.
fn is_main_guard(test: &py::Expr) -> bool {
    test.as_compare_expr().is_some_and(|c| is_dunder(&c.left))
}

/// The names among targets.
fn names(targets: &[&py::Expr]) -> Vec<Name> {
    let mut found = Vec::new();
    for target in targets {
        match target.as_tuple_expr() {
            Some(tuple) => found.extend(tuple.elts.iter().filter_map(py::Expr::as_name_expr)),
            None => found.extend(target.as_name_expr()),
        }
    }
    found.into_iter().map(|n| Name::new(n.id.as_str())).collect()
}

/// The names of the functions and classes of a file.
pub(crate) fn defined_names(body: &[py::Stmt]) -> impl Iterator<Item = Name> + '_ {
    body.iter().filter_map(|s| match (s.as_function_def_stmt(), s.as_class_def_stmt()) {
        (Some(def), _) => Some(Name::new(def.name.as_str())),
        (None, Some(class)) => Some(Name::new(class.name.as_str())),
        (None, None) => None,
    })
}
