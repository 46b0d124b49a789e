//! Printing the C tree: parentheses, spaces, indentation, line breaks. All else was decided before.

use crate::c::layout::{fits, line, wrapped};
use crate::c::tree::{CExpr, CFunction, CParam, CStmt, CType, InfixOp, UnOp, data_type_name};

/// How tightly an expression binds: C11 §6.5, loosest first. This table is the only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Prec {
    /// Text of a template, which may be anything.
    Any,
    Cond,
    Or,
    And,
    Equality,
    Relation,
    Additive,
    Multiplicative,
    Prefix,
    Postfix,
    Primary,
}

impl InfixOp {
    fn prec(self) -> Prec {
        match self {
            InfixOp::Mul | InfixOp::Div | InfixOp::Rem => Prec::Multiplicative,
            InfixOp::Add | InfixOp::Sub => Prec::Additive,
            InfixOp::Lt | InfixOp::Le | InfixOp::Gt | InfixOp::Ge => Prec::Relation,
            InfixOp::Eq => Prec::Equality,
            InfixOp::And => Prec::And,
            InfixOp::Or => Prec::Or,
        }
    }

    /// What the left and the right operand must bind at least as tightly as, to stand without
    /// parentheses. Tighter than C asks where compilers warn: `a && b || c`, `a < b == c`, `!a == b`.
    fn operands(self) -> (Prec, Prec) {
        match self {
            InfixOp::Mul | InfixOp::Div | InfixOp::Rem => (Prec::Multiplicative, Prec::Prefix),
            InfixOp::Add | InfixOp::Sub => (Prec::Additive, Prec::Multiplicative),
            InfixOp::Lt | InfixOp::Le | InfixOp::Gt | InfixOp::Ge | InfixOp::Eq => {
                (Prec::Additive, Prec::Additive)
            }
            InfixOp::And => (Prec::And, Prec::Equality),
            InfixOp::Or => (Prec::Or, Prec::Equality),
        }
    }

    fn symbol(self) -> &'static str {
        match self {
            InfixOp::Mul => "*",
            InfixOp::Div => "/",
            InfixOp::Rem => "%",
            InfixOp::Add => "+",
            InfixOp::Sub => "-",
            InfixOp::Lt => "<",
            InfixOp::Le => "<=",
            InfixOp::Gt => ">",
            InfixOp::Ge => ">=",
            InfixOp::Eq => "==",
            InfixOp::And => "&&",
            InfixOp::Or => "||",
        }
    }

    fn is_comparison(self) -> bool {
        matches!(self.prec(), Prec::Relation | Prec::Equality)
    }
}

fn prec(e: &CExpr) -> Prec {
    match e {
        CExpr::Int(i64::MIN) => Prec::Additive,
        CExpr::Int(n) if *n < 0 => Prec::Prefix,
        CExpr::Literal(text) if text.starts_with(['-', '(']) => Prec::Prefix,
        CExpr::Int(_) | CExpr::Literal(_) | CExpr::Bool(_) | CExpr::Var(_) | CExpr::Sizeof(_) => {
            Prec::Primary
        }
        CExpr::Raw(text) if is_cell(text) || is_token(text) || is_in_parentheses(text) => Prec::Postfix,
        CExpr::Raw(_) => Prec::Any,
        CExpr::Cond(_) => Prec::Cond,
        CExpr::Unary(..) | CExpr::Cast(..) => Prec::Prefix,
        CExpr::Infix(op, ..) => op.prec(),
        CExpr::Call(..) | CExpr::Index(..) | CExpr::Member(..) | CExpr::Arrow(..) | CExpr::Window { .. } => {
            Prec::Postfix
        }
    }
}

/// Whether text is a name with subscripts, calls and members only: `t[i * n].x`.
fn is_cell(text: &str) -> bool {
    let mut nesting = 0_usize;
    let begins = text.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic());
    begins
        && text.chars().all(|c| match c {
            '[' | '(' => {
                nesting += 1;
                true
            }
            ']' | ')' => {
                nesting = nesting.saturating_sub(1);
                true
            }
            _ => nesting > 0 || c == '_' || c == '.' || c.is_ascii_alphanumeric(),
        })
}

/// Whether text is a name or a number without a point: some assembler's register, which a template may make a part of a name.
fn is_token(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c == '_' || c.is_ascii_alphanumeric())
}

/// Whether the first parenthesis is closed by the last character, and nothing before.
fn is_in_parentheses(text: &str) -> bool {
    let mut nesting = 0_usize;
    let mut ends = text.char_indices().filter_map(|(at, c)| {
        match c {
            '(' => nesting += 1,
            ')' => nesting = nesting.saturating_sub(1),
            _ => {}
        }
        (nesting == 0).then_some(at)
    });
    text.starts_with('(') && ends.next() == text.len().checked_sub(1)
}

/// An expression as C text.
pub fn expr(e: &CExpr) -> String {
    let mut out = String::new();
    write_expr(e, &mut out);
    out
}

/// An expression as C text that can stand next to anything: in parentheses unless it is a name, a
/// literal, a call or a cell. (The commas of a struct's members would part the arguments of a macro.)
pub fn operand(e: &CExpr) -> String {
    match e {
        CExpr::Window { .. } => format!("({})", expr(e)),
        CExpr::Int(_)
        | CExpr::Literal(_)
        | CExpr::Bool(_)
        | CExpr::Var(_)
        | CExpr::Raw(_)
        | CExpr::Unary(..)
        | CExpr::Infix(..)
        | CExpr::Cond(_)
        | CExpr::Call(..)
        | CExpr::Index(..)
        | CExpr::Member(..)
        | CExpr::Arrow(..)
        | CExpr::Cast(..)
        | CExpr::Sizeof(_) => at_least(e, Prec::Postfix),
    }
}

fn at_least(e: &CExpr, least: Prec) -> String {
    let mut out = String::new();
    write_at(e, least, &mut out);
    out
}

/// Writes `e` where something that binds at least as tightly as `least` can stand.
fn write_at(e: &CExpr, least: Prec, out: &mut String) {
    if prec(e) < least {
        out.push('(');
        write_expr(e, out);
        out.push(')');
    } else {
        write_expr(e, out);
    }
}

fn write_expr(e: &CExpr, out: &mut String) {
    match e {
        CExpr::Int(n) => out.push_str(&integer(*n)),
        CExpr::Literal(text) | CExpr::Var(text) | CExpr::Raw(text) => out.push_str(text),
        CExpr::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        CExpr::Unary(op, e) => write_unary(*op, e, out),
        CExpr::Infix(op, l, r) => write_infix(*op, l, r, out),
        CExpr::Cond(parts) => {
            let [c, a, b] = &**parts;
            write_at(c, Prec::Or, out);
            out.push_str(" ? ");
            write_at(a, Prec::Or, out);
            out.push_str(" : ");
            write_at(b, Prec::Or, out);
        }
        CExpr::Call(f, args) => {
            out.push_str(f);
            out.push('(');
            write_list(args, out);
            out.push(')');
        }
        CExpr::Index(a, i) => {
            write_at(a, Prec::Postfix, out);
            out.push('[');
            write_expr(i, out);
            out.push(']');
        }
        CExpr::Member(a, f) => {
            write_at(a, Prec::Postfix, out);
            out.push('.');
            out.push_str(f);
        }
        CExpr::Arrow(a, f) => {
            write_at(a, Prec::Postfix, out);
            out.push_str("->");
            out.push_str(f);
        }
        CExpr::Cast(t, e) => {
            out.push('(');
            out.push_str(type_name(t).trim_end());
            out.push(')');
            write_at(e, Prec::Prefix, out);
        }
        CExpr::Window { tag, data, strides } => {
            out.push_str("(struct ");
            out.push_str(tag);
            out.push(')');
            write_window_fields(data, strides, out);
        }
        CExpr::Sizeof(e) => {
            out.push_str("sizeof(");
            write_expr(e, out);
            out.push(')');
        }
    }
}

fn write_window_fields(data: &CExpr, strides: &[CExpr], out: &mut String) {
    out.push_str("{ ");
    write_expr(data, out);
    out.push_str(", { ");
    write_list(strides, out);
    out.push_str(" } }");
}

fn write_list(items: &[CExpr], out: &mut String) {
    for (k, e) in items.iter().enumerate() {
        if k > 0 {
            out.push_str(", ");
        }
        write_at(e, Prec::Cond, out);
    }
}

/// `-(-x)` must not become `--x`, nor `&&x` anything.
fn write_unary(op: UnOp, e: &CExpr, out: &mut String) {
    let sign = match op {
        UnOp::Neg => '-',
        UnOp::Not => '!',
        UnOp::Deref => '*',
        UnOp::Addr => '&',
    };
    let inner = expr(e);
    let bare = prec(e) >= Prec::Prefix && !(matches!(sign, '-' | '&') && inner.starts_with(sign));
    out.push(sign);
    if bare {
        out.push_str(&inner);
    } else {
        out.push('(');
        out.push_str(&inner);
        out.push(')');
    }
}

fn write_infix(op: InfixOp, l: &CExpr, r: &CExpr, out: &mut String) {
    let (left, right) = op.operands();
    let explicit = (op.is_comparison() && matches!(l, CExpr::Unary(UnOp::Not, _)))
        || (op == InfixOp::Or && matches!(l, CExpr::Infix(InfixOp::And, ..)));
    write_at(l, if explicit { Prec::Primary } else { left }, out);
    out.push(' ');
    out.push_str(op.symbol());
    out.push(' ');
    write_at(r, right, out);
}

/// A control integer. Beyond 31 bits it is `long long`, so that what it is multiplied with is too.
fn integer(n: i64) -> String {
    if n == i64::MIN {
        return format!("{}LL - 1", n + 1);
    }
    let narrow = i32::try_from(n).is_ok_and(|n| n != i32::MIN);
    if narrow { n.to_string() } else { format!("{n}LL") }
}

/// A type with the space that separates it from a name, where there must be one.
fn type_name(t: &CType) -> String {
    match t {
        CType::Int => "int_fast32_t ".to_owned(),
        CType::Bool => "bool ".to_owned(),
        CType::Uint32 => "uint32_t ".to_owned(),
        CType::Int64 => "int64_t ".to_owned(),
        CType::Data(t) => format!("{} ", data_type_name(*t)),
        CType::Named(name) => format!("{name} "),
        CType::Pointer { to, is_const, restrict } => {
            let constness = if *is_const { "const " } else { "" };
            let restriction = if *restrict { "restrict " } else { "" };
            format!("{constness}{}*{restriction}", type_name(to))
        }
    }
}

/// `T x`, as in a declaration.
pub fn declare(t: &CType, name: &str) -> String {
    format!("{}{name}", type_name(t))
}

/// Statements, one per line, indented by `depth` steps.
pub fn stmts(body: &[CStmt], depth: usize, out: &mut String) {
    for s in body {
        write_stmt(s, depth, out);
    }
}

fn write_stmt(s: &CStmt, depth: usize, out: &mut String) {
    match s {
        CStmt::Decl { is_const, typ, name, init } => {
            let head = format!("{}{}", if *is_const { "const " } else { "" }, declare(typ, name));
            match init {
                None => line(depth, &format!("{head};"), out),
                Some(CExpr::Window { data, strides, .. }) => {
                    let mut fields = String::new();
                    write_window_fields(data, strides, &mut fields);
                    wrapped(&format!("{head} = {fields};"), depth, 1, out);
                }
                Some(e) => equation(&head, "=", e, depth, out),
            }
        }
        CStmt::Array { is_static, typ, name, extents, zeroed } => {
            let storage = if *is_static { "static " } else { "" };
            let dims: String = extents.iter().map(|n| format!("[{}]", integer(*n))).collect();
            let init = if *zeroed { " = { 0 }" } else { "" };
            line(depth, &format!("{storage}{}{dims}{init};", declare(typ, name)), out);
        }
        CStmt::Assign(l, r) => equation(&expr(l), "=", r, depth, out),
        CStmt::AddAssign(l, r) => equation(&expr(l), "+=", r, depth, out),
        CStmt::Expr(e) => call(e, depth, out),
        CStmt::Unused(e) => line(depth, &format!("(void){};", operand(e)), out),
        CStmt::Raw(text) => text.lines().for_each(|l| line(depth, l.trim_end(), out)),
        CStmt::If { cond, then, otherwise } => write_if("", cond, then, otherwise, depth, out),
        CStmt::For { iter, lo, hi, body, parallel, unroll } => {
            if *parallel {
                out.push_str("#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n");
            } else if let Some(n) = unroll {
                line(depth, &format!("#pragma GCC unroll {n}"), out);
            }
            let (lo, hi) = (expr(lo), bound(hi));
            wrapped(&format!("for (int_fast32_t {iter} = {lo}; {iter} < {hi}; {iter}++) {{"), depth, 2, out);
            stmts(body, depth + 1, out);
            line(depth, "}", out);
        }
    }
}

/// The right-hand side of `i < hi`.
fn bound(hi: &CExpr) -> String {
    at_least(hi, Prec::Additive)
}

fn write_if(lead: &str, cond: &CExpr, then: &[CStmt], otherwise: &[CStmt], depth: usize, out: &mut String) {
    wrapped(&format!("{lead}if ({}) {{", expr(cond)), depth, 2, out);
    stmts(then, depth + 1, out);
    match otherwise {
        [] => line(depth, "}", out),
        [CStmt::If { cond, then, otherwise }] => write_if("} else ", cond, then, otherwise, depth, out),
        _ => {
            line(depth, "} else {", out);
            stmts(otherwise, depth + 1, out);
            line(depth, "}", out);
        }
    }
}

/// `lhs = rhs;`. When that is too long for a line, the right-hand side gets its own lines: one for each
/// term of a sum.
fn equation(lhs: &str, op: &str, rhs: &CExpr, depth: usize, out: &mut String) {
    let whole = format!("{lhs} {op} {};", expr(rhs));
    if fits(&whole, depth) {
        return line(depth, &whole, out);
    }
    line(depth, &format!("{lhs} {op}"), out);
    let mut parts = summands(rhs);
    if let Some(last) = parts.last_mut() {
        last.push(';');
    }
    parts.iter().for_each(|p| wrapped(p, depth + 1, 1, out));
}

/// `a + b - c` as `a`, `+ b`, `- c`.
fn summands(e: &CExpr) -> Vec<String> {
    let CExpr::Infix(op @ (InfixOp::Add | InfixOp::Sub), l, r) = e else { return vec![expr(e)] };
    let is_sum = matches!(**l, CExpr::Infix(InfixOp::Add | InfixOp::Sub, ..));
    let mut parts = if is_sum { summands(l) } else { vec![at_least(l, op.operands().0)] };
    let mut text = format!("{} ", op.symbol());
    write_at(r, op.operands().1, &mut text);
    parts.push(text);
    parts
}

/// A call as a statement, with one argument per line when the line is long.
fn call(e: &CExpr, depth: usize, out: &mut String) {
    let whole = format!("{};", expr(e));
    let CExpr::Call(f, args) = e else { return line(depth, &whole, out) };
    if fits(&whole, depth) {
        return line(depth, &whole, out);
    }
    let args: Vec<String> = args.iter().map(expr).collect();
    broken_list(f, &args, ");", depth, out);
}

fn broken_list(head: &str, items: &[String], close: &str, depth: usize, out: &mut String) {
    line(depth, &format!("{head}("), out);
    for (k, item) in items.iter().enumerate() {
        let end = if k + 1 == items.len() { close } else { "," };
        wrapped(&format!("{item}{end}"), depth + 1, 1, out);
    }
}

/// The head of a function up to and with `close`, which is `);` or `) {`.
pub fn signature(f: &CFunction, with_restrict: bool, close: &str, out: &mut String) {
    let storage = if f.is_static { "static " } else { "" };
    let head = format!("{storage}void {}", f.name);
    if f.params.is_empty() {
        return line(0, &format!("{head}(void{close}"), out);
    }
    let params: Vec<String> = f.params.iter().map(|p| param(p, with_restrict)).collect();
    let whole = format!("{head}({}{close}", params.join(", "));
    if fits(&whole, 0) {
        return line(0, &whole, out);
    }
    broken_list(&head, &params, close, 0, out);
}

fn param(p: &CParam, with_restrict: bool) -> String {
    let mut typ = p.typ.clone();
    if let CType::Pointer { restrict, .. } = &mut typ {
        *restrict &= with_restrict;
    }
    declare(&typ, &p.name)
}

/// A whole function with its comment.
pub fn function(f: &CFunction) -> String {
    let mut out = String::new();
    comment(&f.comment, &mut out);
    signature(f, true, ") {", &mut out);
    stmts(&f.body, 1, &mut out);
    out.push_str("}\n");
    out
}

/// Lines of comment.
pub fn comment(lines: &[String], out: &mut String) {
    for text in lines {
        line(0, format!("// {text}").trim_end(), out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn v(x: &str) -> CExpr {
        CExpr::var(x)
    }

    #[test]
    fn negations_never_meet() {
        assert_eq!(expr(&v("x").negated().negated()), "-(-x)");
        assert_eq!(expr(&CExpr::Int(-3).negated()), "-(-3)");
        assert_eq!(expr(&CExpr::infix(InfixOp::Sub, v("a"), v("x").negated())), "a - -x");
        assert_eq!(expr(&CExpr::Literal("-1.5f".into()).negated()), "-(-1.5f)");
    }

    #[test]
    fn parentheses_stand_where_they_must_and_nowhere_else() {
        let sub = |a, b| CExpr::infix(InfixOp::Sub, a, b);
        assert_eq!(expr(&sub(v("a"), sub(v("b"), v("c")))), "a - (b - c)");
        assert_eq!(expr(&sub(sub(v("a"), v("b")), v("c"))), "a - b - c");
        let mul = CExpr::infix(InfixOp::Mul, sub(v("a"), v("b")), v("c"));
        assert_eq!(expr(&mul), "(a - b) * c");
        let both = CExpr::infix(InfixOp::Or, CExpr::infix(InfixOp::And, v("a"), v("b")), v("c"));
        assert_eq!(expr(&both), "(a && b) || c");
    }

    #[test]
    fn the_first_term_of_a_broken_sum_keeps_its_parentheses() {
        let long = || v(&"x".repeat(60));
        let choice = CExpr::Cond(Box::new([v("c"), long(), v("b")]));
        let sum = CExpr::infix(InfixOp::Add, choice, long());
        let mut out = String::new();
        stmts(&[CStmt::Assign(v("y"), sum)], 0, &mut out);
        let x = "x".repeat(60);
        assert_eq!(out, format!("y =\n    (c ? {x} : b)\n    + {x};\n"));
    }

    #[test]
    fn wide_integers_have_a_suffix() {
        assert_eq!(expr(&CExpr::Int(2_147_483_647)), "2147483647");
        assert_eq!(expr(&CExpr::Int(2_147_483_648)), "2147483648LL");
        assert_eq!(expr(&CExpr::Int(i64::MIN)), "-9223372036854775807LL - 1");
    }

    #[test]
    fn text_of_a_memory_is_an_operand_where_it_is_a_cell() {
        let raw = |text: &str| operand(&CExpr::Raw(text.to_owned()));
        for cell in ["x", "_t1[i * n].x", "at(t, (i + 1) * 2)", "t[a(b)][0].c"] {
            assert_eq!(raw(cell), cell);
        }
        for whole in ["0", "17", "0x1f", "(a)", "(a + (b))"] {
            assert_eq!(raw(whole), whole);
        }
        for text in ["a + b", "*p", "1.5", "t[0] + u[1]", "(a) + (b)", "(a", "", "f(x) y", "a\u{e9}"] {
            assert_eq!(raw(text), format!("({text})"));
        }
        let literal = |text: &str| operand(&CExpr::Literal(text.to_owned()));
        assert_eq!([literal("1.5f"), literal("-1.5f"), literal("(1)")], ["1.5f", "(-1.5f)", "((1))"]);
        assert!(InfixOp::Eq.is_comparison() && InfixOp::Lt.is_comparison());
        assert!(!InfixOp::And.is_comparison() && !InfixOp::Add.is_comparison());
    }
}
