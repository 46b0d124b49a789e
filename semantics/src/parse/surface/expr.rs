//! Expressions. Spec: [rule: syntax.expression], [rule: syntax.literal].

use super::super::error::{Refusal, SyntaxErrorKind};
use super::super::tree::{Coord, Expr, ExprKind, Ident};
use super::{Reader, refusal};
use crate::ast::{BinOp, Decimal};
use num_bigint::BigInt;
use num_traits::Num;
use ruff_python_ast as py;
use ruff_text_size::{Ranged, TextRange};

/// How many digits a literal may have, and how large its power of ten may be.
const MAX_DIGITS: usize = 1000;

impl Reader<'_> {
    /// An expression.
    pub(super) fn expr(&mut self, e: &py::Expr) -> Expr {
        if !self.enter(e, 1) {
            return Expr { kind: ExprKind::Broken, span: self.span(e) };
        }
        let read = self.expr_here(e);
        self.depth -= 1;
        read
    }

    /// An expression, boxed as a part of another.
    fn part(&mut self, e: &py::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    /// Which expression it is.
    fn expr_here(&mut self, e: &py::Expr) -> Expr {
        let kind = match e {
            py::Expr::Name(name) => ExprKind::Name(name.id.as_str().into()),
            py::Expr::NumberLiteral(number) => return self.number(number, false, number.range()),
            py::Expr::BooleanLiteral(b) => ExprKind::Bool(b.value),
            py::Expr::UnaryOp(unary) => return self.unary(unary),
            py::Expr::BinOp(binary) => return self.binary(binary),
            py::Expr::BoolOp(chain) => return self.logical(chain),
            py::Expr::Compare(compare) => return self.compare(compare),
            py::Expr::Subscript(subscript) => return self.subscript(subscript),
            py::Expr::Attribute(attribute) => return self.field(attribute),
            py::Expr::Call(call) => return self.call(call),
            py::Expr::Named(_)
            | py::Expr::Lambda(_)
            | py::Expr::If(_)
            | py::Expr::Dict(_)
            | py::Expr::Set(_)
            | py::Expr::ListComp(_)
            | py::Expr::SetComp(_)
            | py::Expr::DictComp(_)
            | py::Expr::Generator(_)
            | py::Expr::Await(_)
            | py::Expr::Yield(_)
            | py::Expr::YieldFrom(_)
            | py::Expr::FString(_)
            | py::Expr::TString(_)
            | py::Expr::StringLiteral(_)
            | py::Expr::BytesLiteral(_)
            | py::Expr::NoneLiteral(_)
            | py::Expr::EllipsisLiteral(_)
            | py::Expr::Starred(_)
            | py::Expr::List(_)
            | py::Expr::Tuple(_)
            | py::Expr::Slice(_)
            | py::Expr::IpyEscapeCommand(_) => {
                return self.broken(e, SyntaxErrorKind::Expression(foreign_expr(e)));
            }
        };
        Expr { kind, span: self.span(e) }
    }

    /// `-e` and `not e`. A minus before the digits of a literal is the literal's own.
    fn unary(&mut self, unary: &py::ExprUnaryOp) -> Expr {
        let span = self.span(unary);
        let refused = match unary.op {
            py::UnaryOp::USub => {
                if let py::Expr::NumberLiteral(number) = &*unary.operand
                    && !self.parenthesised(unary.start().into(), number.start().into())
                {
                    return self.number(number, true, unary.range());
                }
                return Expr { kind: ExprKind::Neg(self.part(&unary.operand)), span };
            }
            py::UnaryOp::Not => return Expr { kind: ExprKind::Not(self.part(&unary.operand)), span },
            py::UnaryOp::UAdd => refusal("there is no unary `+`", "leave the sign out"),
            py::UnaryOp::Invert => refusal("there is no operator `~`", "for truth values write `not e`"),
        };
        self.broken(unary, SyntaxErrorKind::Expression(refused))
    }

    /// Whether an opening parenthesis stands between two places.
    fn parenthesised(&self, start: usize, end: usize) -> bool {
        self.text.as_bytes().get(start..end).is_some_and(|gap| gap.contains(&b'('))
    }

    /// `e op e` of arithmetic.
    fn binary(&mut self, binary: &py::ExprBinOp) -> Expr {
        match arithmetic(binary.op) {
            Ok(op) => {
                let lhs = self.part(&binary.left);
                let rhs = self.part(&binary.right);
                Expr { kind: ExprKind::Bin(op, lhs, rhs), span: self.span(binary) }
            }
            Err(refused) => self.broken(binary, SyntaxErrorKind::Expression(refused)),
        }
    }

    /// `e and e and …`, grouped to the left.
    fn logical(&mut self, chain: &py::ExprBoolOp) -> Expr {
        let op = match chain.op {
            py::BoolOp::And => BinOp::And,
            py::BoolOp::Or => BinOp::Or,
        };
        let span = self.span(chain);
        let read = self.deeper(chain, chain.values.len(), |r| {
            chain.values.iter().map(|v| r.expr(v)).reduce(|lhs, rhs| {
                let span = lhs.span.to(rhs.span);
                Expr { kind: ExprKind::Bin(op, Box::new(lhs), Box::new(rhs)), span }
            })
        });
        read.flatten().unwrap_or(Expr { kind: ExprKind::Broken, span })
    }

    /// `e < e` and `e < e <= e`.
    fn compare(&mut self, compare: &py::ExprCompare) -> Expr {
        let span = self.span(compare);
        let read = self.deeper(compare, compare.ops.len(), |r| {
            let first = r.part(&compare.left);
            let mut rest = Vec::with_capacity(compare.ops.len());
            for (op, operand) in compare.ops.iter().zip(&compare.comparators) {
                match comparison(*op) {
                    Ok(op) => rest.push((op, r.expr(operand))),
                    Err(refused) => {
                        return r.broken(compare, SyntaxErrorKind::Expression(refused));
                    }
                }
            }
            let kind = match (rest.pop(), rest.is_empty()) {
                (Some((op, rhs)), true) => ExprKind::Bin(op, first, Box::new(rhs)),
                (Some(last), false) => {
                    rest.push(last);
                    ExprKind::Chain(first, rest)
                }
                (None, _) => ExprKind::Broken,
            };
            Expr { kind, span }
        });
        read.unwrap_or(Expr { kind: ExprKind::Broken, span })
    }

    /// `x[i, lo:hi]`.
    fn subscript(&mut self, subscript: &py::ExprSubscript) -> Expr {
        match self.index(subscript) {
            Some((base, coords)) => Expr { kind: ExprKind::Index(base, coords), span: self.span(subscript) },
            None => Expr { kind: ExprKind::Broken, span: self.span(subscript) },
        }
    }

    /// The buffer and the coordinates of `x[i, lo:hi]`.
    pub(super) fn index(&mut self, subscript: &py::ExprSubscript) -> Option<(Ident, Vec<Coord>)> {
        let coords = match &*subscript.slice {
            py::Expr::Tuple(tuple) => tuple.elts.iter().map(|e| self.coord(e)).collect(),
            single => vec![self.coord(single)],
        };
        match self.ident_of(&subscript.value) {
            Some(base) => Some((base, coords)),
            None => {
                self.report(&*subscript.value, SyntaxErrorKind::Expression(subscript_base(&subscript.value)));
                None
            }
        }
    }

    /// One coordinate.
    fn coord(&mut self, e: &py::Expr) -> Coord {
        let py::Expr::Slice(slice) = e else { return Coord::Point(self.expr(e)) };
        if let Some(step) = &slice.step {
            let refused = refusal(
                "a slice has no step",
                "write `lo:hi`; a step belongs into the index, as in `x[2 * i]`",
            );
            return Coord::Point(self.broken(&**step, SyntaxErrorKind::Expression(refused)));
        }
        let lower = slice.lower.as_deref().map(|e| self.expr(e));
        let upper = slice.upper.as_deref().map(|e| self.expr(e));
        Coord::Range(lower, upper, self.span(slice))
    }

    /// `Cfg.field`.
    fn field(&mut self, attribute: &py::ExprAttribute) -> Expr {
        match self.ident_of(&attribute.value) {
            Some(config) => {
                let kind = ExprKind::Field(Box::new((config, self.ident(&attribute.attr))));
                Expr { kind, span: self.span(attribute) }
            }
            None => self.broken(attribute, SyntaxErrorKind::Expression(FIELD_OF_NAME)),
        }
    }

    /// `f(e, …)`.
    fn call(&mut self, call: &py::ExprCall) -> Expr {
        let Some(func) = self.ident_of(&call.func) else {
            return self.broken(&*call.func, SyntaxErrorKind::Expression(CALL_OF_NAME));
        };
        let span = self.span(call);
        match self.arguments(&call.arguments) {
            Some(args) => Expr { kind: ExprKind::Call(func, args), span },
            None => Expr { kind: ExprKind::Broken, span },
        }
    }

    /// The arguments of a call: by position only, `None` where one is not.
    pub(super) fn arguments(&mut self, arguments: &py::Arguments) -> Option<Vec<Expr>> {
        if let Some(keyword) = arguments.keywords.first() {
            let refused = refusal("arguments are given by position", "leave the keyword out");
            self.report(keyword, SyntaxErrorKind::Expression(refused));
        }
        let args = arguments.args.iter().map(|e| self.expr(e)).collect();
        arguments.keywords.is_empty().then_some(args)
    }

    /// A number, its sign included.
    fn number(&mut self, number: &py::ExprNumberLiteral, minus: bool, range: TextRange) -> Expr {
        let digits = self.text.get(usize::from(number.start())..usize::from(number.end())).unwrap_or("");
        let read = match &number.value {
            py::Number::Int(_) => integer(digits, minus),
            py::Number::Float(_) => fraction(digits, minus),
            py::Number::Complex { .. } => {
                Err(refusal("there are no complex numbers", "keep two buffers, for real and imaginary parts"))
            }
        };
        match read {
            Ok(kind) => Expr { kind, span: self.span(&range) },
            Err(refused) => self.broken(&range, SyntaxErrorKind::Literal(refused)),
        }
    }
}

/// `12`, `0x1F`, `1_000`.
fn integer(text: &str, minus: bool) -> Result<ExprKind, Refusal> {
    if text.len() < 18
        && text.bytes().all(|b| b.is_ascii_digit())
        && let Ok(value) = text.parse::<i64>()
    {
        return Ok(ExprKind::Int(if minus { -value } else { value }));
    }
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (digits, radix) = match plain.get(..2) {
        Some("0x") => (plain.get(2..).unwrap_or(""), 16),
        Some("0o") => (plain.get(2..).unwrap_or(""), 8),
        Some("0b") => (plain.get(2..).unwrap_or(""), 2),
        _ => (&*plain, 10),
    };
    if digits.len() > MAX_DIGITS {
        return Err(refusal("this literal has too many digits", "a literal has at most 1000 digits"));
    }
    match BigInt::from_str_radix(digits, radix) {
        Ok(value) => {
            let value = if minus { -value } else { value };
            Ok(i64::try_from(&value).map_or(ExprKind::Long(value), ExprKind::Int))
        }
        Err(_) => Err(refusal("this is not a number", "write digits, as in `12`")),
    }
}

/// `1.5`, `.5`, `2.`, `1e-30`.
fn fraction(text: &str, minus: bool) -> Result<ExprKind, Refusal> {
    if let Some((mantissa, exponent)) = short_fraction(text) {
        return Ok(ExprKind::Float(signed(minus, Decimal::new(mantissa, exponent))));
    }
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (digits, power) = plain.split_once('e').unwrap_or((&plain, "0"));
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.len() + part.len() > MAX_DIGITS {
        return Err(refusal("this literal has too many digits", "a literal has at most 1000 digits"));
    }
    let bad = || refusal("this literal is out of range", "its power of ten lies between -1000 and 1000");
    let limit = i32::try_from(MAX_DIGITS).map_err(|_| bad())?;
    let power: i32 = power.parse().map_err(|_| bad())?;
    if !(-limit..=limit).contains(&power) {
        return Err(bad());
    }
    let behind = i32::try_from(part.len()).map_err(|_| bad())?;
    let mantissa = BigInt::from_str_radix(&format!("{whole}{part}"), 10).map_err(|_| bad())?;
    Ok(ExprKind::Float(signed(minus, Decimal::new(mantissa, power - behind))))
}

fn signed(minus: bool, number: Decimal) -> Decimal {
    if minus { number.negated() } else { number }
}

/// Digits and a point and nothing else, few enough for a machine integer: what most fractions are.
fn short_fraction(text: &str) -> Option<(i64, i32)> {
    if text.len() > 18 {
        return None;
    }
    let (mut mantissa, mut behind, mut point) = (0_i64, 0_i32, false);
    for byte in text.bytes() {
        match byte {
            b'0'..=b'9' => {
                mantissa = mantissa * 10 + i64::from(byte - b'0');
                behind += i32::from(point);
            }
            b'.' => point = true,
            _ => return None,
        }
    }
    Some((mantissa, -behind))
}

/// Which operator of arithmetic it is.
fn arithmetic(op: py::Operator) -> Result<BinOp, Refusal> {
    const BITS: &str = "multiply or divide by a power of two; on data use an instruction";
    match op {
        py::Operator::Add => Ok(BinOp::Add),
        py::Operator::Sub => Ok(BinOp::Sub),
        py::Operator::Mult => Ok(BinOp::Mul),
        py::Operator::Div => Ok(BinOp::Div),
        py::Operator::Mod => Ok(BinOp::Mod),
        py::Operator::FloorDiv => {
            Err(refusal("there is no operator `//`", "write `/`: on control integers it rounds down"))
        }
        py::Operator::Pow => Err(refusal("there is no operator `**`", "multiply")),
        py::Operator::MatMult => Err(refusal(
            "there is no operator `@` on values",
            "write loops; `@` gives the memory in a declaration",
        )),
        py::Operator::LShift => Err(refusal("there is no operator `<<`", BITS)),
        py::Operator::RShift => Err(refusal("there is no operator `>>`", BITS)),
        py::Operator::BitOr => Err(refusal("there is no operator `|`", "for truth values write `or`")),
        py::Operator::BitXor => {
            Err(refusal("there is no operator `^`", "for truth values write `not (a == b)`"))
        }
        py::Operator::BitAnd => Err(refusal("there is no operator `&`", "for truth values write `and`")),
    }
}

/// Which comparison it is.
fn comparison(op: py::CmpOp) -> Result<BinOp, Refusal> {
    match op {
        py::CmpOp::Eq => Ok(BinOp::Eq),
        py::CmpOp::Lt => Ok(BinOp::Lt),
        py::CmpOp::LtE => Ok(BinOp::Le),
        py::CmpOp::Gt => Ok(BinOp::Gt),
        py::CmpOp::GtE => Ok(BinOp::Ge),
        py::CmpOp::NotEq => Err(refusal("there is no operator `!=`", "write `not (a == b)`")),
        py::CmpOp::Is => Err(refusal("there is no operator `is`", "write `a == b`")),
        py::CmpOp::IsNot => Err(refusal("there is no operator `is not`", "write `not (a == b)`")),
        py::CmpOp::In => Err(refusal("there is no operator `in`", "write comparisons, as in `lo <= i < hi`")),
        py::CmpOp::NotIn => {
            Err(refusal("there is no operator `not in`", "write comparisons, as in `i < lo or i >= hi`"))
        }
    }
}

const FIELD_OF_NAME: Refusal =
    Refusal { what: "only a configuration class has fields", instead: "write `Cfg.field`" };
const CALL_OF_NAME: Refusal = Refusal {
    what: "only a procedure or an extern can be called",
    instead: "write its name, as in `sin(x)`",
};

/// Why the thing before `[` is no buffer.
fn subscript_base(base: &py::Expr) -> Refusal {
    match base {
        py::Expr::Subscript(_) => {
            refusal("indices of several dimensions stand in one bracket", "write `x[i, j]`")
        }
        py::Expr::Attribute(_) => refusal("a field of a configuration is one value", "leave the index out"),
        _ => refusal("only a buffer has cells", "write its name before the bracket, as in `x[i]`"),
    }
}

/// What to say of an expression that the object language does not have.
pub(super) fn foreign_expr(e: &py::Expr) -> Refusal {
    const NAMES: &str = "only numbers, `True` and `False` are literals";
    const LISTS: &str = "use a buffer and loops over it";
    match e {
        py::Expr::Named(_) => {
            refusal("an expression assigns nothing", "write the assignment as a statement of its own")
        }
        py::Expr::Lambda(_) => refusal("there are no `lambda` functions", "define a procedure and call it"),
        py::Expr::If(_) => refusal(
            "there are no conditional expressions",
            "write an `if` statement, or the extern `select(a, b, c, d)` on data",
        ),
        py::Expr::Dict(_) => refusal("there are no dictionaries", LISTS),
        py::Expr::Set(_) => refusal("there are no sets", LISTS),
        py::Expr::List(_) => refusal("there are no lists", LISTS),
        py::Expr::Tuple(_) => refusal("there are no tuples", "use one variable for each part"),
        py::Expr::ListComp(_) | py::Expr::SetComp(_) | py::Expr::DictComp(_) | py::Expr::Generator(_) => {
            refusal("there are no comprehensions", "write a loop")
        }
        py::Expr::Await(_) => {
            refusal("there is no `await`", "parallel loops are written `for i in par(lo, hi):`")
        }
        py::Expr::Yield(_) | py::Expr::YieldFrom(_) => {
            refusal("a procedure yields nothing", "assign to a buffer that is an argument")
        }
        py::Expr::FString(_)
        | py::Expr::TString(_)
        | py::Expr::StringLiteral(_)
        | py::Expr::BytesLiteral(_) => refusal("there are no strings in expressions", NAMES),
        py::Expr::NoneLiteral(_) => refusal("there is no `None`", NAMES),
        py::Expr::EllipsisLiteral(_) => {
            refusal("there is no `...`", "write `pass` for an empty body, `:` for a whole dimension")
        }
        py::Expr::Starred(_) => refusal("there are no starred expressions", "give each argument on its own"),
        py::Expr::Slice(_) => refusal("a slice stands between brackets only", "write `x[lo:hi]`"),
        py::Expr::IpyEscapeCommand(_) => refusal("there are no shell commands", "leave it out"),
        py::Expr::BoolOp(_)
        | py::Expr::BinOp(_)
        | py::Expr::UnaryOp(_)
        | py::Expr::Compare(_)
        | py::Expr::Call(_)
        | py::Expr::NumberLiteral(_)
        | py::Expr::BooleanLiteral(_)
        | py::Expr::Attribute(_)
        | py::Expr::Subscript(_)
        | py::Expr::Name(_) => refusal("this expression does not belong here", "write a name"),
    }
}
