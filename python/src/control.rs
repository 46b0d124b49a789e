//! Whether the arguments of a call are what a procedure asks for: control expressions, evaluated without a store.

use rewright_semantics::ast::{BinOp, Expr, ExprKind, Literal, Proc};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, ArrayKind, ControlType};
use std::collections::{BTreeMap, HashMap};

/// A control value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Control {
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
}

/// What a call is given.
#[derive(Debug, Default)]
pub(crate) struct Actuals {
    control: HashMap<Sym, i64>,
    fields: BTreeMap<String, Control>,
    /// Extents and strides.
    buffers: HashMap<Sym, (Vec<i64>, Vec<i64>)>,
}

impl Actuals {
    /// A control argument; a truth value is 0 or 1.
    pub(crate) fn bind(&mut self, x: Sym, value: i64) {
        self.control.insert(x, value);
    }

    /// A buffer's extents and strides.
    pub(crate) fn show(&mut self, x: Sym, shape: Vec<i64>, strides: Vec<i64>) {
        self.buffers.insert(x, (shape, strides));
    }

    /// The first number that is larger than callers promise.
    fn promised(&self) -> Result<(), (String, i64)> {
        let arguments = self.control.iter().map(|(x, n)| (x.name().to_string(), *n));
        let fields = self.fields.iter().filter_map(|(x, value)| Some((x.clone(), integer(*value)?)));
        match arguments.chain(fields).find(|(_, n)| n.unsigned_abs() >= PROMISED) {
            Some(large) => Err(large),
            None => Ok(()),
        }
    }

    /// A field.
    pub(crate) fn set(&mut self, field: &str, value: Control) {
        self.fields.insert(field.to_owned(), value);
    }
}

/// What callers promise of control arguments and fields: their magnitude is below this. Spec: [rule: c.entry].
const PROMISED: u64 = 1 << 40;

/// What does not fit, in words. What cannot be computed does not fit.
pub(crate) fn fits(p: &Proc, given: &Actuals) -> Result<(), String> {
    let name = p.name;
    let truths: Vec<Sym> = p
        .args
        .iter()
        .filter(|a| matches!(a.typ, ArgType::Control(ControlType::Bool)))
        .map(|a| a.name)
        .collect();
    let eval = |e: &Expr| Evaluation { given, truths: &truths }.of(e);
    given.promised().map_err(|(x, n)| {
        format!("{name}: `{x}` is {n}, and what is compiled takes numbers below 2**40 in magnitude")
    })?;
    for arg in &p.args {
        match &arg.typ {
            ArgType::Control(ControlType::Size) => {
                let value = given.control.get(&arg.name).copied().unwrap_or(0);
                if value < 1 {
                    return Err(format!("{name}: the size `{}` is {value}, which is below 1", arg.name));
                }
            }
            ArgType::Control(
                ControlType::Int | ControlType::Index | ControlType::Bool | ControlType::Stride,
            ) => {}
            ArgType::Data { typ, .. } => {
                let Some((shape, strides)) = given.buffers.get(&arg.name) else { continue };
                let extents: Vec<Option<i64>> = typ.shape.iter().map(|e| integer(eval(e)?)).collect();
                let same =
                    extents.len() == shape.len() && extents.iter().zip(shape).all(|(e, n)| *e == Some(*n));
                if !same {
                    let asked: Vec<String> = typ.shape.iter().map(expr_to_string).collect();
                    return Err(format!(
                        "{name}: `{}` is an array of shape {shape:?}, and [{}] is asked for",
                        arg.name,
                        asked.join(", ")
                    ));
                }
                if typ.kind == ArrayKind::Tensor && !is_dense(shape, strides) {
                    let x = arg.name;
                    return Err(format!("{name}: `{x}` does not lie densely, row by row; it is no window"));
                }
            }
        }
    }
    for e in &p.preds {
        match eval(e) {
            Some(Control::Bool(true)) => {}
            Some(Control::Bool(false)) => {
                return Err(format!("{name}: `assert {}` does not hold", expr_to_string(e)));
            }
            Some(Control::Int(_)) | None => {
                let e = expr_to_string(e);
                return Err(format!(
                    "{name}: `assert {e}` cannot be computed: a field that it reads is not given, or it overflows"
                ));
            }
        }
    }
    Ok(())
}

fn is_dense(shape: &[i64], strides: &[i64]) -> bool {
    let mut expected = 1_i64;
    let mut dense = true;
    for (n, s) in shape.iter().zip(strides).rev() {
        dense &= *n <= 1 || *s == expected;
        expected = expected.saturating_mul(*n);
    }
    dense || shape.contains(&0)
}

fn integer(value: Control) -> Option<i64> {
    match value {
        Control::Int(n) => Some(n),
        Control::Bool(_) => None,
    }
}

struct Evaluation<'a> {
    given: &'a Actuals,
    truths: &'a [Sym],
}

impl Evaluation<'_> {
    /// The value; `None` where it hangs on a field that is not given, or on data.
    fn of(&self, e: &Expr) -> Option<Control> {
        match &e.kind {
            ExprKind::Read { name, idx } if idx.is_empty() => {
                let value = *self.given.control.get(name)?;
                let truth = self.truths.contains(name);
                Some(if truth { Control::Bool(value != 0) } else { Control::Int(value) })
            }
            ExprKind::Lit(Literal::Int(n)) => Some(Control::Int(*n)),
            ExprKind::Lit(Literal::Bool(b)) => Some(Control::Bool(*b)),
            ExprKind::Neg(a) => self.int(a)?.checked_neg().map(Control::Int),
            ExprKind::Not(a) => Some(Control::Bool(!self.truth(a)?)),
            ExprKind::Bin { op, lhs, rhs } => self.binary(*op, lhs, rhs),
            ExprKind::Stride { name, dim } => Some(Control::Int(*self.given.buffers.get(name)?.1.get(*dim)?)),
            ExprKind::ReadConfig { config, field } => {
                self.given.fields.get(&format!("{}.{field}", config.name)).copied()
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(Literal::Data(_))
            | ExprKind::Extern { .. } => None,
        }
    }

    fn int(&self, e: &Expr) -> Option<i64> {
        integer(self.of(e)?)
    }

    fn truth(&self, e: &Expr) -> Option<bool> {
        match self.of(e)? {
            Control::Bool(b) => Some(b),
            Control::Int(_) => None,
        }
    }

    fn binary(&self, op: BinOp, lhs: &Expr, rhs: &Expr) -> Option<Control> {
        let ints = || Some((self.int(lhs)?, self.int(rhs)?));
        let int = |n: Option<i64>| n.map(Control::Int);
        match op {
            BinOp::Add => ints().and_then(|(a, b)| int(a.checked_add(b))),
            BinOp::Sub => ints().and_then(|(a, b)| int(a.checked_sub(b))),
            BinOp::Mul => ints().and_then(|(a, b)| int(a.checked_mul(b))),
            // Divisors are positive: the quotient is rounded down, and the remainder is not negative.
            BinOp::Div => ints().and_then(|(a, b)| int(a.checked_div_euclid(b))),
            BinOp::Mod => ints().and_then(|(a, b)| int(a.checked_rem_euclid(b))),
            BinOp::Lt => ints().map(|(a, b)| Control::Bool(a < b)),
            BinOp::Le => ints().map(|(a, b)| Control::Bool(a <= b)),
            BinOp::Gt => ints().map(|(a, b)| Control::Bool(a > b)),
            BinOp::Ge => ints().map(|(a, b)| Control::Bool(a >= b)),
            BinOp::Eq => Some(Control::Bool(self.of(lhs)? == self.of(rhs)?)),
            BinOp::And => match (self.truth(lhs), self.truth(rhs)) {
                (Some(false), _) | (_, Some(false)) => Some(Control::Bool(false)),
                (Some(true), Some(true)) => Some(Control::Bool(true)),
                (None, Some(true)) | (Some(true), None) | (None, None) => None,
            },
            BinOp::Or => match (self.truth(lhs), self.truth(rhs)) {
                (Some(true), _) | (_, Some(true)) => Some(Control::Bool(true)),
                (Some(false), Some(false)) => Some(Control::Bool(false)),
                (None, Some(false)) | (Some(false), None) | (None, None) => None,
            },
        }
    }
}
