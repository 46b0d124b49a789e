//! Programs as text that is read back as the same program.

use super::{Arm, Expr, ExprKind, Field, File, Param, Pattern, PatternKind};
use crate::deep;
use rewright_base::sym::Name;

/// A file.
pub fn file(f: &File) -> String {
    let mut out = String::new();
    for t in &f.types {
        let constructors: Vec<String> =
            t.constructors.iter().map(|c| format!("  {}{}\n", c.name, names(&c.fields))).collect();
        out.push_str(&format!("type {} {{\n{}}}\n", t.name, constructors.concat()));
    }
    for f in &f.funs {
        out.push_str(&format!("fun {}({}) {{\n  {}\n}}\n", f.name, params(&f.params), inside(&f.body, 1)));
    }
    out
}

fn names(fields: &[Field]) -> String {
    let all: Vec<&str> = fields.iter().map(|f| f.name.as_str()).collect();
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

fn param(p: &Param) -> &'static str {
    p.name.map_or("_", Name::as_str)
}

fn params(ps: &[Param]) -> String {
    ps.iter().map(param).collect::<Vec<_>>().join(", ")
}

fn indent(depth: usize) -> String {
    format!("\n{}", "  ".repeat(depth))
}

/// What stands between the braces of a block.
fn inside(e: &Expr, depth: usize) -> String {
    let ExprKind::Block(stmts, last) = &e.kind else { return expr(e, depth, 0) };
    let mut lines: Vec<String> = stmts
        .iter()
        .map(|s| match s.bound.name {
            None => format!("val _ = {}", expr(&s.value, depth, 0)),
            Some(x) => format!("val {x} = {}", expr(&s.value, depth, 0)),
        })
        .collect();
    lines.push(expr(last, depth, 0));
    lines.join(&indent(depth))
}

fn block(e: &Expr, depth: usize) -> String {
    format!("{{{}{}{}}}", indent(depth + 1), inside(e, depth + 1), indent(depth))
}

fn list(es: &[Expr], depth: usize) -> String {
    es.iter().map(|e| expr(e, depth, 0)).collect::<Vec<_>>().join(", ")
}

/// An expression where what binds less tightly than `above` needs brackets; 9 for the function of a call.
fn expr(e: &Expr, depth: usize, above: u8) -> String {
    let bracketed = |text: String| if above > 0 { format!("({text})") } else { text };
    deep(|| match &e.kind {
        ExprKind::Var(x) => x.to_string(),
        ExprKind::Int(n) if *n < 0 && above > 0 => format!("({n})"),
        ExprKind::Int(n) => n.to_string(),
        ExprKind::Con(c, args) if args.is_empty() => {
            // A bracket behind it would be taken for its arguments.
            if above == CALLEE { format!("({c})") } else { c.to_string() }
        }
        ExprKind::Con(c, args) => format!("{c}({})", list(args, depth)),
        ExprKind::Call(f, args) => format!("{}({})", expr(f, depth, CALLEE), list(args, depth)),
        ExprKind::Fn(ps, body) => bracketed(format!("fn({}) {}", params(ps), block(body, depth))),
        ExprKind::If(c, a, b) => bracketed(format!(
            "if {} then {} else {}",
            expr(c, depth, 0),
            expr(a, depth, 0),
            expr(b, depth, 0)
        )),
        ExprKind::Match(x, arms) => {
            let arms: Vec<String> =
                arms.iter().map(|a| format!("{}{}", indent(depth + 1), arm(a, depth + 1))).collect();
            format!("match({}) {{{}{}}}", expr(x, depth, 0), arms.concat(), indent(depth))
        }
        ExprKind::Block(..) => block(e, depth),
        ExprKind::Ref(e) => format!("ref({})", expr(e, depth, 0)),
        ExprKind::Get(e) => {
            let text = format!("!{}", expr(e, depth, PREFIX));
            if above == CALLEE { format!("({text})") } else { text }
        }
        ExprKind::Set(a, b) => bracketed(format!("{} := {}", expr(a, depth, 1), expr(b, depth, 0))),
        ExprKind::Throw(e) => bracketed(format!("throw {}", expr(e, depth, 0))),
        ExprKind::Try(a, x, b) => {
            format!("try {} catch {} {}", block(a, depth), param(x), block(b, depth))
        }
        ExprKind::Op(op, a, b) => {
            let level = op.level();
            // Both sides of a comparison bind tighter, the left side of the others may be as tight.
            let left = if level == 3 { level + 1 } else { level };
            let text = format!("{} {} {}", expr(a, depth, left), op.text(), expr(b, depth, level + 1));
            if level < above { format!("({text})") } else { text }
        }
    })
}

/// Tighter than any operator.
const CALLEE: u8 = 9;
/// The operand of `!`.
const PREFIX: u8 = 8;

fn arm(a: &Arm, depth: usize) -> String {
    format!("{} -> {}", pattern(&a.pattern), expr(&a.body, depth, 0))
}

/// A pattern.
pub fn pattern(p: &Pattern) -> String {
    match &p.kind {
        PatternKind::Wild => "_".to_owned(),
        PatternKind::Var(x) => x.to_string(),
        PatternKind::Con(c, args) if args.is_empty() => c.to_string(),
        PatternKind::Con(c, args) => {
            format!("{c}({})", args.iter().map(|p| deep(|| pattern(p))).collect::<Vec<_>>().join(", "))
        }
    }
}
