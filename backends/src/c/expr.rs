//! Data expressions in C. Spec: [rule: c.data], [rule: c.casts].
//!
//! Every expression has one precision (checked before). Floats are computed in it, operation by
//! operation. Integers are computed in `int`, as C does, wrapping: where an operation might leave `int`,
//! it is done in `uint32_t`, where wrapping is defined.

use crate::c::emit;
use crate::c::lower::Lower;
use crate::c::number;
use crate::c::tree::{CExpr, CType, InfixOp, UnOp, data_type_name};
use crate::checks::precision::precision;
use crate::externs::{Arithmetic, Helper, library};
use crate::memory::Refusal;
use rewright_semantics::ast::{BinOp, Decimal, Expr, ExprKind, Literal};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::externs::{Extern, Foreign};
use rewright_semantics::span::Span;
use rewright_semantics::types::DataType;

/// A data expression in C, of a known precision.
#[derive(Clone, Debug)]
struct Value {
    expr: CExpr,
    form: Form,
}

/// How the C expression stands for the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// A float, in its precision.
    Float,
    /// An `int` of at most this magnitude.
    Int(i64),
    /// A `uint32_t` that is equal to the value modulo 2^32.
    Wrapped,
}

impl Value {
    fn float(expr: CExpr) -> Value {
        Value { expr, form: Form::Float }
    }

    /// As a value of type `int` or of a float type.
    fn exact(self) -> CExpr {
        match self.form {
            Form::Float | Form::Int(_) => self.expr,
            Form::Wrapped => self.expr.cast(CType::Data(DataType::I32)),
        }
    }

    /// As a `uint32_t`.
    fn wrapped(self) -> CExpr {
        match (self.form, self.expr) {
            (Form::Wrapped, e) => e,
            (_, CExpr::Literal(text)) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                CExpr::Literal(format!("{text}u"))
            }
            (_, e) => e.cast(CType::Uint32),
        }
    }

    fn magnitude(&self) -> Option<i64> {
        match self.form {
            Form::Int(k) => Some(k),
            Form::Float | Form::Wrapped => None,
        }
    }
}

impl Lower<'_> {
    /// A data expression, converted to a type: what is stored.
    pub(crate) fn data_as(&mut self, e: &Expr, to: DataType) -> CExpr {
        let from = self.precision_or(e, to);
        let value = self.data(e, from);
        self.convert(value, from, to, is_held_to_i8(e))
    }

    /// The right-hand side of `x += e`.
    pub(crate) fn summand(&mut self, e: &Expr, to: DataType) -> CExpr {
        let from = self.precision_or(e, to);
        let value = self.data(e, from);
        if to.is_integer() && from.is_integer() {
            // `x += e` converts the sum: only the sum itself must not leave `int`.
            let fits = combined(InfixOp::Add, number::magnitude(to), value.magnitude()).is_some();
            return if fits { value.expr } else { value.wrapped() };
        }
        if from == DataType::BF16 && to == DataType::BF16 {
            return value.exact();
        }
        let converted = self.convert(value, from, to, is_held_to_i8(e));
        if to == DataType::BF16 {
            return self.widened(converted, to);
        }
        if to == DataType::I32 { converted.cast(CType::Uint32) } else { converted }
    }

    fn precision_or(&self, e: &Expr, otherwise: DataType) -> DataType {
        let found = precision(e, self.bindings()).map(|t| self.unit.concrete(t));
        found.unwrap_or(otherwise)
    }

    fn convert(&mut self, value: Value, from: DataType, to: DataType, held_to_i8: bool) -> CExpr {
        match (from.is_integer(), to.is_integer()) {
            (true, true) => narrowed(value, from, to),
            (_, false) if to == DataType::BF16 => self.bfloat_cell(value, from),
            // Values of bf16 are computed as floats.
            (false, false) if from == DataType::BF16 && matches!(to, DataType::F32 | DataType::R) => {
                value.exact()
            }
            (true, false) => value.exact().cast(CType::Data(to)),
            (false, false) if from == to => value.exact(),
            (false, false) => value.exact().cast(CType::Data(to)),
            (false, true) if held_to_i8 && matches!(to, DataType::I8 | DataType::I32) => {
                value.exact().cast(CType::Data(to))
            }
            (false, true) => {
                let name = self.unit.helper(Helper::Truncate(Arithmetic::of(from), to));
                CExpr::Call(name, vec![value.exact()])
            }
        }
    }

    /// A value as a cell of type `bf16`.
    fn bfloat_cell(&mut self, value: Value, from: DataType) -> CExpr {
        let widen = self.unit.helper(Helper::FromBfloat);
        match (value.exact(), Arithmetic::of(from)) {
            // A cell is copied.
            (CExpr::Call(f, args), Arithmetic::Single) if f == widen && args.len() == 1 => {
                args.into_iter().next().unwrap_or(CExpr::Int(0))
            }
            (e, Arithmetic::Single) => {
                CExpr::Call(self.unit.helper(Helper::ToBfloat(Arithmetic::Single)), vec![e])
            }
            (e, Arithmetic::Double | Arithmetic::Integer) => {
                CExpr::Call(self.unit.helper(Helper::ToBfloat(Arithmetic::Double)), vec![e])
            }
        }
    }

    /// A cell in an expression: one of type `bf16` as a `float`.
    fn widened(&mut self, cell: CExpr, t: DataType) -> CExpr {
        if t == DataType::BF16 { CExpr::Call(self.unit.helper(Helper::FromBfloat), vec![cell]) } else { cell }
    }

    /// What a cell of type `bf16` holds after something is added to it.
    pub(crate) fn bfloat_sum(&mut self, cell: CExpr, summand: CExpr) -> CExpr {
        let sum = CExpr::infix(InfixOp::Add, self.widened(cell, DataType::BF16), summand);
        CExpr::Call(self.unit.helper(Helper::ToBfloat(Arithmetic::Single)), vec![sum])
    }

    /// `_Float16` may be computed with excess precision: the cast rounds. Values of `bf16` are computed as floats.
    fn rounded(&mut self, expr: CExpr, t: DataType) -> Value {
        Value::float(match t {
            DataType::F16 => expr.cast(CType::Data(t)),
            DataType::BF16 => CExpr::Call(self.unit.helper(Helper::RoundToBfloat), vec![expr]),
            DataType::R
            | DataType::F32
            | DataType::F64
            | DataType::I8
            | DataType::UI8
            | DataType::UI16
            | DataType::I32 => expr,
        })
    }

    /// An expression in a precision.
    fn data(&mut self, e: &Expr, t: DataType) -> Value {
        match &e.kind {
            ExprKind::Lit(Literal::Data(d)) => self.data_literal(d, t),
            ExprKind::Read { .. } => {
                let cell = self.read(e);
                leaf(self.widened(cell, t), t)
            }
            ExprKind::ReadConfig { config, field } => {
                let field = self.config(config, *field);
                leaf(self.widened(field, t), t)
            }
            ExprKind::Neg(e) => {
                let value = self.data(e, t);
                negated(value, t)
            }
            ExprKind::Bin { op, lhs, rhs } => self.data_binary(*op, lhs, rhs, t, e.span),
            ExprKind::Extern { func, args } => self.data_extern(*func, args, t),
            ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
            | ExprKind::Window(_)
            | ExprKind::Not(_)
            | ExprKind::Stride { .. } => self.not_data(e.span),
        }
    }

    fn not_data(&mut self, span: Span) -> Value {
        self.report(Diagnostic::error("backend.precision", span, "this is not a data expression"));
        Value { expr: CExpr::Int(0), form: Form::Int(0) }
    }

    fn data_literal(&self, d: &Decimal, t: DataType) -> Value {
        match number::literal(d, t) {
            Ok(text) => {
                let form = if t.is_integer() {
                    Form::Int(number::integer(d).map_or(i64::MAX, |k| k.saturating_abs()))
                } else {
                    Form::Float
                };
                Value { expr: CExpr::Literal(text), form }
            }
            // Reported by the check of precisions.
            Err(_) => Value { expr: CExpr::Int(0), form: Form::Int(0) },
        }
    }

    fn read(&mut self, e: &Expr) -> CExpr {
        let Some(part) = self.part(e) else { return self.not_data(e.span).expr };
        let done = self.with_cell(&part, |memory, cell| memory.read(cell));
        done.unwrap_or_else(|why| {
            self.refuse("backend.memory-access", e.span, &why);
            CExpr::Int(0)
        })
    }

    fn data_binary(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, t: DataType, span: Span) -> Value {
        let (l, r) = (self.data(lhs, t), self.data(rhs, t));
        let infix = match op {
            BinOp::Add => InfixOp::Add,
            BinOp::Sub => InfixOp::Sub,
            BinOp::Mul => InfixOp::Mul,
            BinOp::Div if t.is_integer() => return self.quotient(l, r, rhs),
            BinOp::Div => InfixOp::Div,
            BinOp::Mod
            | BinOp::Eq
            | BinOp::Lt
            | BinOp::Le
            | BinOp::Gt
            | BinOp::Ge
            | BinOp::And
            | BinOp::Or => return self.not_data(span),
        };
        if !t.is_integer() {
            return self.rounded(CExpr::infix(infix, l.exact(), r.exact()), t);
        }
        match combined(infix, l.magnitude(), r.magnitude()) {
            Some(k) => Value { expr: CExpr::infix(infix, l.expr, r.expr), form: Form::Int(k) },
            None => Value { expr: CExpr::infix(infix, l.wrapped(), r.wrapped()), form: Form::Wrapped },
        }
    }

    /// C's quotient has no value, and traps, for a zero divisor and where it overflows.
    fn quotient(&mut self, l: Value, r: Value, divisor: &Expr) -> Value {
        let magnitude = l.magnitude().unwrap_or(1 << 31);
        let is_safe = match &divisor.kind {
            ExprKind::Lit(Literal::Data(d)) => number::integer(d).is_some_and(|k| k != 0 && k != -1),
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => false,
        };
        let expr = if is_safe {
            CExpr::infix(InfixOp::Div, l.exact(), r.exact())
        } else {
            CExpr::Call(self.unit.helper(Helper::Quotient), vec![l.exact(), r.exact()])
        };
        Value { expr, form: Form::Int(magnitude) }
    }

    fn data_extern(&mut self, func: Extern, args: &[Expr], t: DataType) -> Value {
        if let (Extern::Select, [a, b, c, d]) = (func, args)
            && let Some(is_less) = self.known_less(a, b, t)
        {
            return self.data(if is_less { c } else { d }, t);
        }
        let values: Vec<CExpr> = args.iter().map(|e| self.data(e, t).exact()).collect();
        if func == Extern::Select {
            return self.select(values, t);
        }
        let kind = Arithmetic::of(t);
        if kind == Arithmetic::Integer {
            let helper = match func {
                Extern::Fabsf => Helper::AbsInt,
                Extern::Fmaxf => Helper::MaxInt,
                Extern::Fminf => Helper::MinInt,
                Extern::Clamp => Helper::ClampInt,
                Extern::Relu => Helper::Relu(kind),
                // Refused by the check of precisions.
                Extern::Fma
                | Extern::FmaFtz
                | Extern::Sin
                | Extern::Cos
                | Extern::Sqrt
                | Extern::Expf
                | Extern::Logf
                | Extern::Sigmoid => {
                    return Value { expr: CExpr::Int(0), form: Form::Int(0) };
                }
                Extern::Select => return self.select(values, t),
                Extern::Foreign(f) => return self.foreign(f, &values, t),
            };
            let expr = CExpr::Call(self.unit.helper(helper), values);
            return Value { expr, form: Form::Int(if func == Extern::Clamp { 128 } else { 1 << 31 }) };
        }
        if let Extern::Foreign(f) = func {
            return self.foreign(f, &values, t);
        }
        let expr = match library(func, kind) {
            Some(name) => {
                self.unit.headers.insert("math.h");
                library_call(func, name, kind, values)
            }
            None if func == Extern::FmaFtz => {
                self.unit.headers.insert("math.h");
                let float = |e: CExpr| match kind {
                    Arithmetic::Double => e.cast(CType::Data(DataType::F32)),
                    Arithmetic::Single | Arithmetic::Integer => e,
                };
                CExpr::Call(self.unit.helper(Helper::FmaFtz), values.into_iter().map(float).collect())
            }
            None => CExpr::Call(self.unit.helper(Helper::Relu(kind)), values),
        };
        self.rounded(expr, t)
    }

    /// A call of a function that is defined elsewhere.
    fn foreign(&mut self, f: Foreign, args: &[CExpr], t: DataType) -> Value {
        let c = self
            .unit
            .foreign
            .clone()
            .ok_or_else(|| Refusal::new(format!("nobody here knows the C of {}", f.name())));
        let args: Vec<String> = args.iter().map(emit::operand).collect();
        let made = c.and_then(|c| c.call(f, &args, t));
        match made {
            Ok(call) => {
                let key = (format!("{}{}", f.name(), data_type_name(t)), f.id());
                self.unit.externs.insert(key, (f, t));
                self.rounded(CExpr::Raw(call), t)
            }
            Err(why) => {
                self.refuse("backend.extern", Span::NONE, &why);
                Value { expr: CExpr::Int(0), form: Form::Int(0) }
            }
        }
    }

    /// Whether `a < b`, where the range of an integer type decides: compilers ask whether such a comparison is meant.
    fn known_less(&self, a: &Expr, b: &Expr, t: DataType) -> Option<bool> {
        if !t.is_integer() {
            return None;
        }
        let ((a_least, a_most), (b_least, b_most)) = (range(a, t)?, range(b, t)?);
        if a_most < b_least {
            Some(true)
        } else if a_least >= b_most {
            Some(false)
        } else {
            None
        }
    }

    fn select(&mut self, values: Vec<CExpr>, t: DataType) -> Value {
        let Ok([a, b, c, d]) = <[CExpr; 4]>::try_from(values) else {
            return self.not_data(Span::NONE);
        };
        if a == b {
            let form = if t.is_integer() { Form::Int(1 << 31) } else { Form::Float };
            return Value { expr: d, form };
        }
        let expr = CExpr::Cond(Box::new([CExpr::infix(InfixOp::Lt, a, b), c, d]));
        if t.is_integer() { Value { expr, form: Form::Int(1 << 31) } } else { Value::float(expr) }
    }
}

/// The least and the greatest value of a literal, or of a cell of an integer type.
fn range(e: &Expr, t: DataType) -> Option<(i64, i64)> {
    match &e.kind {
        ExprKind::Lit(Literal::Data(d)) => number::integer(d).map(|k| (k, k)),
        ExprKind::Read { .. } | ExprKind::ReadConfig { .. } => number::range(t),
        ExprKind::Neg(e) => range(e, t).map(|(lo, hi)| (hi.saturating_neg(), lo.saturating_neg())),
        ExprKind::Lit(Literal::Int(_) | Literal::Bool(_))
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Window(_)
        | ExprKind::Not(_)
        | ExprKind::Stride { .. } => None,
    }
}

fn leaf(expr: CExpr, t: DataType) -> Value {
    let form = number::magnitude(t).map_or(Form::Float, Form::Int);
    Value { expr, form }
}

fn negated(value: Value, t: DataType) -> Value {
    if !t.is_integer() {
        return Value::float(value.exact().negated());
    }
    match value.magnitude().filter(|k| *k <= i64::from(i32::MAX)) {
        Some(k) => Value { expr: value.expr.negated(), form: Form::Int(k) },
        None => Value {
            expr: CExpr::infix(InfixOp::Sub, CExpr::Literal("0".to_owned()), value.wrapped()),
            form: Form::Wrapped,
        },
    }
}

/// The magnitude of the result, when both operands are `int` and the result is too.
fn combined(op: InfixOp, l: Option<i64>, r: Option<i64>) -> Option<i64> {
    let k = match op {
        InfixOp::Mul => l?.checked_mul(r?)?,
        InfixOp::Add | InfixOp::Sub => l?.checked_add(r?)?,
        InfixOp::Div
        | InfixOp::Rem
        | InfixOp::Lt
        | InfixOp::Le
        | InfixOp::Gt
        | InfixOp::Ge
        | InfixOp::Eq
        | InfixOp::And
        | InfixOp::Or => return None,
    };
    (k <= i64::from(i32::MAX)).then_some(k)
}

/// An integer as a value of an integer type; no cast where it is a cell of that type, or a literal that
/// fits it.
fn narrowed(value: Value, from: DataType, to: DataType) -> CExpr {
    let fits = match (&value.expr, value.form) {
        (_, Form::Float | Form::Wrapped) => false,
        (CExpr::Literal(text), Form::Int(_)) => text.parse().is_ok_and(|k| number::holds(to, k)),
        (e, Form::Int(_)) => to == DataType::I32 || (from == to && is_cell(e)),
    };
    if fits { value.expr } else { value.expr.cast(CType::Data(to)) }
}

fn is_cell(e: &CExpr) -> bool {
    matches!(
        e,
        CExpr::Var(_) | CExpr::Index(..) | CExpr::Arrow(..) | CExpr::Unary(UnOp::Deref, _) | CExpr::Raw(_)
    )
}

fn library_call(func: Extern, name: &str, kind: Arithmetic, args: Vec<CExpr>) -> CExpr {
    let literal =
        |text: &str| CExpr::Literal(format!("{text}{}", if kind == Arithmetic::Single { "f" } else { "" }));
    let call = |args| CExpr::Call(name.to_owned(), args);
    match func {
        Extern::Sigmoid => {
            let power = call(args.into_iter().map(CExpr::negated).collect());
            CExpr::infix(InfixOp::Div, literal("1.0"), CExpr::infix(InfixOp::Add, literal("1.0"), power))
        }
        Extern::Clamp => {
            let (max, min) = if kind == Arithmetic::Single { ("fmaxf", "fminf") } else { ("fmax", "fmin") };
            let upper = CExpr::Call(min.to_owned(), vec![call(args), literal("127.0")]);
            CExpr::Call(max.to_owned(), vec![upper, literal("-128.0")])
        }
        Extern::Fma
        | Extern::FmaFtz
        | Extern::Sin
        | Extern::Cos
        | Extern::Sqrt
        | Extern::Expf
        | Extern::Logf
        | Extern::Fabsf
        | Extern::Fmaxf
        | Extern::Fminf
        | Extern::Relu
        | Extern::Select
        | Extern::Foreign(_) => call(args),
    }
}

/// Whether the value certainly lies in the range of `i8`, so that no check is needed to cut it down.
fn is_held_to_i8(e: &Expr) -> bool {
    matches!(&e.kind, ExprKind::Extern { func: Extern::Clamp, .. })
}
