//! What stands above a function: the procedure's signature and preconditions, as its author wrote them.

use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, OpClass, Proc};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType};

/// The widest line.
const WIDTH: usize = 96;

/// Lines of comment for a procedure.
pub(crate) fn describe(p: &Proc) -> Vec<String> {
    let args: Vec<String> = p
        .args
        .iter()
        .map(|a| match &a.typ {
            ArgType::Control(t) => format!("{}: {t}", a.name),
            ArgType::Data { typ, mem } => format!("{}: {} @ {mem}", a.name, buffer_type(typ)),
        })
        .collect();
    let mut lines = wrapped(&format!("{}(", p.name), &args, ")");
    lines.extend(p.preds.iter().map(|e| format!("assert {}", expr(e, 0))));
    lines
}

/// Items after a head, broken between items.
fn wrapped(head: &str, items: &[String], close: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = head.to_owned();
    for (k, item) in items.iter().enumerate() {
        let end = if k + 1 == items.len() { close } else { "," };
        if line.len() + item.len() + 2 > WIDTH && !line.trim().is_empty() && line != head {
            lines.push(std::mem::replace(&mut line, "   ".to_owned()));
        }
        if !line.ends_with('(') {
            line.push(' ');
        }
        line.push_str(item);
        line.push_str(end);
    }
    if items.is_empty() {
        line.push_str(close);
    }
    lines.push(line);
    lines
}

fn buffer_type(t: &BufferType) -> String {
    let elem = match t.kind {
        ArrayKind::Tensor => t.elem.to_string(),
        ArrayKind::Window => format!("[{}]", t.elem),
    };
    if t.shape.is_empty() {
        return elem;
    }
    let shape: Vec<String> = t.shape.iter().map(|e| expr(e, 0)).collect();
    format!("{elem}[{}]", shape.join(", "))
}

fn level(op: BinOp) -> u8 {
    match op {
        BinOp::Or => 1,
        BinOp::And => 2,
        BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => 4,
        BinOp::Add | BinOp::Sub => 5,
        BinOp::Mul | BinOp::Div | BinOp::Mod => 6,
    }
}

/// A control expression in the surface language, where something of level `least` stands.
fn expr(e: &Expr, least: u8) -> String {
    let (text, own) = match &e.kind {
        ExprKind::Read { name, .. } => (name.to_string(), 9),
        ExprKind::Lit(Literal::Int(k)) => (k.to_string(), if *k < 0 { 7 } else { 9 }),
        ExprKind::Lit(Literal::Bool(b)) => ((if *b { "True" } else { "False" }).to_owned(), 9),
        ExprKind::Lit(Literal::Data(d)) => (d.to_string(), 9),
        ExprKind::Neg(e) => (format!("-{}", expr(e, 8)), 7),
        ExprKind::Not(e) => (format!("not {}", expr(e, 3)), 3),
        ExprKind::Bin { op, lhs, rhs } => {
            let own = level(*op);
            let left = if op.class() == OpClass::Comparison { own + 1 } else { own };
            (format!("{} {} {}", expr(lhs, left), op.symbol(), expr(rhs, own + 1)), own)
        }
        ExprKind::Stride { name, dim } => (format!("stride({name}, {dim})"), 9),
        ExprKind::ReadConfig { config, field } => (format!("{}.{field}", config.name), 9),
        ExprKind::Window(_) | ExprKind::Extern { .. } => ("…".to_owned(), 9),
    };
    if own < least { format!("({text})") } else { text }
}
