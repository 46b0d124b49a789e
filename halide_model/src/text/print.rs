//! The printer: what it prints parses back to an equal algorithm.

use crate::alg::{Algorithm, Func, Input, Update};
use crate::buffer::Buffer;
use crate::expr::{Access, End, Expr, Hole, Interval, Region, Site, Var};
use crate::float::{Float, Precision};
use crate::op::math::Math;
use crate::op::{Bits, Op};
use crate::typed::Scalar;
use crate::value::Value;
use std::fmt::Write as _;

/// How tightly an operand must bind.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Or,
    And,
    Not,
    Compare,
    BitOr,
    BitXor,
    BitAnd,
    Shift,
    Sum,
    Product,
    Unary,
}

/// An expression.
pub fn expr(e: &Expr) -> String {
    at(e, Level::Or)
}

fn at(e: &Expr, level: Level) -> String {
    let (text, mine) = leveled(e);
    if mine < level { format!("({text})") } else { text }
}

fn leveled(e: &Expr) -> (String, Level) {
    match e {
        Expr::Const(Value::Int(v)) => (v.to_string(), Level::Unary),
        Expr::Const(Value::Float(v)) => float(*v),
        Expr::Const(Value::Tuple(_) | Value::Error(_)) => (format!("<{}>", constant(e)), Level::Unary),
        Expr::Var(v) => (var(*v), Level::Unary),
        Expr::Access(a) => (access(a), Level::Unary),
        Expr::Op(op, args) => operation(*op, args),
    }
}

/// A literal; there is none of infinities and of not-a-number, which are quotients then.
fn float(v: Float) -> (String, Level) {
    let suffix = if v.precision == Precision::Single { "f" } else { "" };
    let number = v.value();
    if !number.is_finite() {
        let over = if number.is_nan() { 0.0 } else { number.signum() };
        return (format!("{over:?}{suffix} div 0.0{suffix}"), Level::Product);
    }
    match v.precision {
        Precision::Single => (format!("{:?}f", v.single()), Level::Unary),
        Precision::Double => (v.to_string(), Level::Unary),
    }
}

fn constant(e: &Expr) -> String {
    if let Expr::Const(v) = e { v.to_string() } else { String::new() }
}

fn operation(op: Op, args: &[Expr]) -> (String, Level) {
    let operand = Level::BitOr;
    match (op, args) {
        (Op::Not, [Expr::Op(inner, ab)]) if ab.len() == 2 => {
            let sign = match inner {
                Op::Lt => ">=",
                Op::Gt => "<=",
                Op::Eq | Op::Math(Math::Equal) => "!=",
                Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Or | Op::And | Op::Not => "",
                Op::Select
                | Op::Min
                | Op::Max
                | Op::Cast(_)
                | Op::Bits(_)
                | Op::Abs
                | Op::Math(_)
                | Op::Tuple(_)
                | Op::Elem(_) => "",
            };
            match (sign, ab.as_ref()) {
                ("", _) => (
                    format!("not {}", args.first().map_or_else(String::new, |a| at(a, Level::Compare))),
                    Level::Not,
                ),
                (sign, [a, b]) => (format!("{} {sign} {}", at(a, operand), at(b, operand)), Level::Compare),
                _ => (String::new(), Level::Unary),
            }
        }
        (Op::Not, [a]) => (format!("not {}", at(a, Level::Compare)), Level::Not),
        (Op::Or, [a, b]) => (format!("{} or {}", at(a, Level::Or), at(b, Level::And)), Level::Or),
        (Op::And, [a, b]) => (format!("{} and {}", at(a, Level::And), at(b, Level::Not)), Level::And),
        (Op::Lt | Op::Gt | Op::Eq | Op::Math(Math::Less | Math::Equal), [a, b]) => {
            (format!("{} {} {}", at(a, operand), op.name(), at(b, operand)), Level::Compare)
        }
        (Op::Bits(bits), [a, b]) => {
            let (left, right) = match bits {
                Bits::Or => (Level::BitOr, Level::BitXor),
                Bits::Xor => (Level::BitXor, Level::BitAnd),
                Bits::And => (Level::BitAnd, Level::Shift),
                Bits::Shl | Bits::Shr => (Level::Shift, Level::Sum),
            };
            (format!("{} {} {}", at(a, left), bits.name(), at(b, right)), left)
        }
        (Op::Add | Op::Sub, [a, b]) => {
            (format!("{} {} {}", at(a, Level::Sum), op.name(), at(b, Level::Product)), Level::Sum)
        }
        (Op::Mul | Op::Div | Op::Mod, [a, b]) => {
            (format!("{} {} {}", at(a, Level::Product), op.name(), at(b, Level::Unary)), Level::Product)
        }
        (Op::Select | Op::Min | Op::Max | Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_), _) => {
            (format!("{}({})", op.name(), list(args)), Level::Unary)
        }
        (Op::Elem(k), _) => (format!("elem({k}, {})", list(args)), Level::Unary),
        // With the wrong number of arguments.
        (Op::Not | Op::Or | Op::And | Op::Lt | Op::Gt | Op::Eq, _)
        | (Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Bits(_), _) => {
            (format!("{}({})", op.name(), list(args)), Level::Unary)
        }
    }
}

/// Expressions with commas between.
pub fn list(args: &[Expr]) -> String {
    args.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn access(a: &Access) -> String {
    let tag = a.site.map_or_else(String::new, |s| tag(s.stage, s.spec));
    format!("{}{tag}[{}]", a.func, list(&a.args))
}

/// `^i` or `^i,j`.
pub fn tag(stage: usize, spec: usize) -> String {
    if spec == 0 { format!("^{stage}") } else { format!("^{stage},{spec}") }
}

/// A variable. Those of loops are qualified where they are bound (see [`crate::tgt`]'s printer).
pub fn var(v: Var) -> String {
    match v {
        Var::Param(p) => p.to_string(),
        Var::Local(x) => x.to_string(),
        Var::Loop(site, x) => loop_var(site, x.as_str()),
        Var::Window(dim, end) => format!("out.{dim}.{}", end_name(end)),
        Var::Hole(h) => hole(h),
    }
}

/// `f.x`, or with the stage and specialization where they are not 0: `f^1,2.x`.
pub fn loop_var(site: Site, x: &str) -> String {
    let Site { func, stage, spec } = site;
    if (stage, spec) == (0, 0) { format!("{func}.{x}") } else { format!("{func}{}.{x}", tag(stage, spec)) }
}

/// `min` or `len`.
pub fn end_name(end: End) -> &'static str {
    match end {
        End::Min => "min",
        End::Len => "len",
    }
}

/// A hole: `?mem f.0.min`, `?cpu f^1,2.0.len`.
pub fn hole(h: Hole) -> String {
    let Hole { region: r, dim, end } = h;
    format!("{}.{dim}.{}", region(r), end_name(end))
}

/// A region: `?mem f`, `?cpu f^1,2`.
pub fn region(r: Region) -> String {
    match r {
        Region::Mem(f) => format!("?mem {f}"),
        Region::Cpu(Site { func, stage, spec }) => format!("?cpu {func}{}", tag(stage, spec)),
    }
}

/// `(min, len)`.
pub fn interval(i: &Interval) -> String {
    format!("({}, {})", expr(&i.min), expr(&i.len))
}

/// An algorithm.
pub fn algorithm(p: &Algorithm) -> String {
    let typed = if p.typed { "typed " } else { "" };
    let mut out = format!("{typed}pipeline {}({}):\n", names(&p.outputs()), declared(p).join(", "));
    for e in &p.requires {
        let _ = writeln!(out, "  require {};", expr(e));
    }
    for f in &p.funcs {
        out.push_str(&func(f));
    }
    out
}

/// Parameters and input buffers. The dimensions of a buffer have the names that the practical system gives them.
fn declared(p: &Algorithm) -> Vec<String> {
    let params = p.params.iter().map(|x| match p.types.get(x) {
        Some(scalar) => format!("{x}: {scalar}"),
        None => x.to_string(),
    });
    let inputs = p.inputs.iter().map(|i| {
        let dims: Vec<String> = (0..i.rank).map(|d| format!("_{d}")).collect();
        let dims = if dims.is_empty() { String::new() } else { format!("({})", dims.join(", ")) };
        format!("{}{dims}: {}", i.name, i.scalar)
    });
    params.chain(inputs).collect()
}

/// Names with commas between.
pub(crate) fn names(names: &[rewright_base::sym::Name]) -> String {
    names.iter().map(|n| n.as_str()).collect::<Vec<_>>().join(", ")
}

fn func(f: &Func) -> String {
    let Func { name, vars, scalar, parts, pure, updates, span: _ } = f;
    let is_plain = |s: &Scalar| *s == Scalar::Integer;
    let scalar = if parts.iter().any(|s| !is_plain(s)) {
        format!(": ({})", parts.iter().map(Scalar::to_string).collect::<Vec<_>>().join(", "))
    } else if is_plain(scalar) {
        String::new()
    } else {
        format!(": {scalar}")
    };
    let head = format!("  fun {name}({}){scalar} = ", names(vars));
    if updates.is_empty() {
        return format!("{head}{};\n", expr(pure));
    }
    let mut out = format!("{head}{{{}", expr(pure));
    for u in updates {
        // Writing to a string cannot fail.
        let _ = write!(out, ";\n    {}", update(u));
    }
    out.push_str("};\n");
    out
}

/// An update stage.
pub fn update(u: &Update) -> String {
    let Update { rdom, lhs, rhs, cond, span: _ } = u;
    let mut out = String::new();
    if !rdom.is_empty() {
        let vars: Vec<String> = rdom.iter().map(|r| format!("{} = {}", r.var, interval(&r.domain))).collect();
        let _ = write!(out, "rdom({}) in ", vars.join(", "));
    }
    let _ = write!(out, "({}) <- {}", list(lhs), expr(rhs));
    if *cond != Expr::int(1) {
        let _ = write!(out, " if {}", expr(cond));
    }
    out
}

/// A realization.
pub fn input(p: &Algorithm, z: &Input) -> String {
    let dims: Vec<String> = z.window.iter().map(|(m, n)| format!("({m}, {n})")).collect();
    let params = p.params.iter().zip(&z.params).map(|(p, v)| format!("{p} = {v}"));
    let buffers = p.inputs.iter().zip(&z.buffers).map(|(i, b)| format!("{} = {}", i.name, buffer(b)));
    let params: Vec<String> = params.chain(buffers).collect();
    let params = if params.is_empty() { String::new() } else { format!("; {}", params.join(", ")) };
    format!("realize({}{params})\n", dims.join(", "))
}

/// What an input buffer holds.
fn buffer(b: &Buffer) -> String {
    let number = |v: &Value| v.to_string().replace("NaN", "nan");
    let values: Vec<String> = b.values.iter().map(number).collect();
    if b.bounds.is_empty() {
        return values.concat();
    }
    let dims: Vec<String> = b.bounds.iter().map(|(m, n)| format!("({m}, {n})")).collect();
    format!("{} {{{}}}", dims.join(", "), values.join(", "))
}
