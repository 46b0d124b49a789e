//! λ¹ as text: `\^{f}x. e`, `val x = e; e`, `match x { C a _ -> e, D -> e }`, `dup x; e`.

use super::{Branch, Expr, ExprKind, Pattern};
use crate::deep;
use rewright_base::sym::Name;
use std::fmt::Write;

/// How tightly what stands at a place must hold together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// Anything.
    Open,
    /// The function of an application: no lambda, no sequence.
    Fun,
    /// An argument: a name, a number, or something in brackets.
    Atom,
}

/// An expression on one line.
pub fn expr(e: &Expr) -> String {
    let mut out = String::new();
    write_expr(&mut out, e, Level::Open);
    out
}

/// A pattern.
pub fn pattern(p: &Pattern) -> String {
    let binders = p.binders.iter().map(|b| b.map_or(" _".to_owned(), |x| format!(" {x}")));
    let mut text = format!("{}{}", p.con, binders.collect::<String>());
    if let Some(token) = p.reuse {
        push(&mut text, format_args!(" @{token}"));
    }
    text
}

fn push(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("a string takes what is written to it");
}

fn level(e: &Expr) -> Level {
    match e.kind() {
        ExprKind::Var(_) | ExprKind::Prim(..) | ExprKind::Call(..) | ExprKind::Match(..) => Level::Atom,
        ExprKind::Int(n) if *n >= 0 => Level::Atom,
        ExprKind::Con(c) if c.args.is_empty() => Level::Atom,
        ExprKind::Int(_) | ExprKind::Con(_) | ExprKind::App(..) => Level::Fun,
        ExprKind::Lam(_) | ExprKind::Val(..) | ExprKind::Dup(..) | ExprKind::Drop(..) => Level::Open,
    }
}

fn write_expr(out: &mut String, e: &Expr, at: Level) {
    let brackets = level(e) < at;
    if brackets {
        out.push('(');
    }
    deep(|| write_bare(out, e));
    if brackets {
        out.push(')');
    }
}

fn write_bare(out: &mut String, e: &Expr) {
    match e.kind() {
        ExprKind::Var(x) => out.push_str(x.as_str()),
        ExprKind::Int(n) => push(out, format_args!("{n}")),
        ExprKind::Lam(l) => {
            out.push('\\');
            if let Some(ys) = &l.ys {
                let ys: Vec<&str> = ys.iter().map(|y| y.as_str()).collect();
                push(out, format_args!("^{{{}}}", ys.join(",")));
            }
            push(out, format_args!("{}. ", l.param));
            write_expr(out, &l.body, Level::Open);
        }
        ExprKind::App(fun, arg) => {
            write_expr(out, fun, Level::Fun);
            out.push(' ');
            write_expr(out, arg, Level::Atom);
        }
        ExprKind::Val(x, bound, body) => {
            push(out, format_args!("val {x} = "));
            write_expr(out, bound, Level::Fun);
            out.push_str("; ");
            write_expr(out, body, Level::Open);
        }
        ExprKind::Match(x, branches) => write_match(out, *x, branches),
        ExprKind::Con(c) => {
            out.push_str(c.name.as_str());
            if let Some(token) = c.at {
                push(out, format_args!("@{token}"));
            }
            for arg in &c.args {
                out.push(' ');
                write_expr(out, arg, Level::Atom);
            }
        }
        ExprKind::Prim(op, args) => write_call(out, op.name(), args),
        ExprKind::Call(f, args) => write_call(out, f.as_str(), args),
        ExprKind::Dup(x, e) => {
            push(out, format_args!("dup {x}; "));
            write_expr(out, e, Level::Open);
        }
        ExprKind::Drop(x, e) => {
            push(out, format_args!("drop {x}; "));
            write_expr(out, e, Level::Open);
        }
    }
}

fn write_call(out: &mut String, name: &str, args: &[Expr]) {
    push(out, format_args!("{name}("));
    for (i, arg) in args.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        write_expr(out, arg, Level::Open);
    }
    out.push(')');
}

fn write_match(out: &mut String, x: Name, branches: &[Branch]) {
    push(out, format_args!("match {x} {{ "));
    for (i, b) in branches.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        push(out, format_args!("{} -> ", pattern(&b.pattern)));
        write_expr(out, &b.body, Level::Open);
    }
    out.push_str(" }");
}
