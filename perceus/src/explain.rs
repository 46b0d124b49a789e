//! Derivations and runs for a reader. Spec: [rule: perceus.explain].

use crate::algorithm;
use crate::declarative;
use crate::deep;
use crate::env::Env;
use crate::heap::machine::{Control, Frame, Head, Machine, Op, Rule};
use crate::heap::{Cell, CellId, Content, Ref};
use crate::stuck::Outcome;
use crate::syntax::{Expr, Program};
use std::fmt::Display;

/// How many characters of an expression are shown on a line.
const WIDTH: usize = 100;

/// A derivation by Fig. 4.8: a line for each rule, its premises below it.
pub fn algorithm(d: &algorithm::Derivation) -> String {
    let mut out = String::new();
    walk(&mut out, d, 0, &|d| {
        (line(&d.rule, &d.delta, &d.gamma, "⊢ₛ", &d.source, &d.output), d.premises.as_slice())
    });
    out
}

/// A derivation by Fig. 4.5, likewise.
pub fn declarative(d: &declarative::Derivation) -> String {
    let mut out = String::new();
    walk(&mut out, d, 0, &|d| {
        (line(&d.rule, &d.delta, &d.gamma, "⊢", &d.source, &d.output), d.premises.as_slice())
    });
    out
}

/// What is said of a derivation, and those above it.
type View<'v, D> = dyn for<'d> Fn(&'d D) -> (String, &'d [D]) + 'v;

fn walk<D>(out: &mut String, d: &D, depth: usize, view: &View<'_, D>) {
    let (text, premises) = view(d);
    out.push_str(&format!("{}{text}\n", "  ".repeat(depth)));
    premises.iter().for_each(|p| deep(|| walk(out, p, depth + 1, view)));
}

fn line(
    rule: &impl Display,
    delta: &impl Display,
    gamma: &impl Display,
    turnstile: &str,
    source: &Expr,
    output: &Expr,
) -> String {
    format!("[{rule}] {delta} | {gamma} {turnstile} {} ⇝ {}", cut(source), cut(output))
}

/// The text of an expression, cut where it is long.
fn cut(e: &Expr) -> String {
    let text = e.to_string();
    match text.char_indices().nth(WIDTH) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text,
    }
}

/// A run in the heap semantics: each state, with the rule that comes next; at most so many.
pub fn run(program: &Program, limit: u64) -> String {
    let mut out = String::new();
    let mut machine = Machine::new(program);
    let outcome = machine.run(limit, |m, next| {
        let rule = next.map_or("end", Rule::name);
        out.push_str(&format!("{:>5} {rule:<8} {} | {}\n", m.steps, heap(m), state(m)));
    });
    match outcome {
        Outcome::Value(_) => {}
        Outcome::Stuck(why) => out.push_str(&format!("stuck: {why}\n")),
        Outcome::Unfinished => out.push_str(&format!("not ended after {limit} steps\n")),
    }
    out
}

/// H
fn heap(m: &Machine<'_>) -> String {
    let cells: Vec<String> = m.heap.cells().into_iter().map(|(c, cell)| one(c, cell)).collect();
    if cells.is_empty() { "∅".to_owned() } else { cells.join(", ") }
}

/// x ↦ⁿ v
pub fn one(CellId(number): CellId, cell: &Cell) -> String {
    let refs: Vec<String> = cell.content.refs().map(|r| r.to_string()).collect();
    match &cell.content {
        Content::Con(name, _) if refs.is_empty() => format!("#{number} ↦{} {name}", cell.count),
        Content::Con(name, _) => format!("#{number} ↦{} {name} {}", cell.count, refs.join(" ")),
        Content::Ref(_) => format!("#{number} ↦{} ref {}", cell.count, refs.join(" ")),
        Content::Lam { param, .. } => format!("#{number} ↦{} λ^{{{}}} {param}", cell.count, refs.join(",")),
    }
}

/// E[e], from the outside in, each part with what its variables stand for.
fn state(m: &Machine<'_>) -> String {
    let frames = m.frames.iter().map(|frame| match frame {
        Frame::Fun(arg, env) => format!("(□ {})", closed(arg, env)),
        Frame::Arg(f) => format!("({f} □)"),
        Frame::Val(x, body, env) => format!("(val {x} = □; {})", closed(body, env)),
        Frame::Operands { head, done, rest, env } => {
            let name = match head {
                Head::Con(name, None) => name.to_string(),
                Head::Con(name, Some(token)) => format!("{name}@{token}"),
                Head::Prim(op) => op.to_string(),
                Head::Call(f) => f.to_string(),
            };
            let done = done.iter().map(Ref::to_string);
            let rest = rest.iter().rev().map(|e| closed(e, env));
            let all: Vec<String> = done.chain(["□".to_owned()]).chain(rest).collect();
            format!("{name}({})", all.join(", "))
        }
    });
    let ops = m.ops.iter().map(|op| match op {
        Op::Dup(r) => format!("dup {r};"),
        Op::Drop(r) => format!("drop {r};"),
        Op::DropReuse(token, r) => format!("val {token} = drop-reuse {r};"),
    });
    let hole = match &m.control {
        Control::Return(r) => r.to_string(),
        Control::Eval(e, env) => closed(e, env),
    };
    frames.chain(ops).chain([hole]).collect::<Vec<_>>().join(" ")
}

/// e[x := r, …]
fn closed(e: &Expr, env: &Env<Ref>) -> String {
    let with: Vec<String> =
        env.iter().filter(|(x, _)| e.free().contains(*x)).map(|(x, r)| format!("{x} := {r}")).collect();
    if with.is_empty() { cut(e) } else { format!("{}[{}]", cut(e), with.join(", ")) }
}

/// A value of the heap as text, cut where it is long: `Cons(1, Nil)`; closures as `<closure>`, references as `<ref>`.
pub fn value(m: &Machine<'_>, r: Ref) -> String {
    const NODES: usize = 2_000;
    text(m, r, &mut NODES.clone())
}

fn text(m: &Machine<'_>, r: Ref, left: &mut usize) -> String {
    if *left == 0 {
        return "…".to_owned();
    }
    *left -= 1;
    let Some(cell) = r.cell().and_then(|c| m.heap.get(c)) else { return r.to_string() };
    deep(|| match &cell.content {
        Content::Lam { .. } => "<closure>".to_owned(),
        Content::Ref(_) => "<ref>".to_owned(),
        Content::Con(name, fields) if fields.is_empty() => name.to_string(),
        Content::Con(name, fields) => {
            let fields: Vec<String> = fields.iter().map(|f| text(m, *f, left)).collect();
            format!("{name}({})", fields.join(", "))
        }
    })
}
