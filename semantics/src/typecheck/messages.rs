//! Faults in words: one message, what stands under the place, and what to write instead.

use super::error::{BufferUse, Fault, Formal, IllTyped, Role};
use super::types::{Precision, Type, article};
use crate::ast::{BinOp, OpClass};
use crate::diag::Diagnostic;

use crate::types::ControlType;
use std::fmt;

impl IllTyped {
    /// The fault as it is shown.
    pub fn diagnostic(&self) -> Diagnostic {
        let mut d = Diagnostic::error(self.kind.rule(), self.span, self.to_string()).label(self.kind.label());
        if !self.declared.is_none() {
            d = d.also(self.declared, "declared here");
        }
        match self.kind.help() {
            Some(help) => d.help(help),
            None => d,
        }
    }
}

/// The message alone.
impl fmt::Display for IllTyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.kind.message())
    }
}

impl std::error::Error for IllTyped {}

/// As in ``argument `x` of `foo` ``.
impl fmt::Display for Formal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "argument `{}` of `{}`", self.arg, self.proc)
    }
}

impl Fault {
    /// What is wrong.
    fn message(&self) -> String {
        match self {
            Fault::Unbound { name } => format!("`{name}` is not in scope"),
            Fault::Rebound { name } => format!("the symbol `{name}` is bound again within its own scope"),
            Fault::ControlExpected { role, found } => format!("{role} must be control, not {found}"),
            Fault::DataExpected { role, found } => {
                format!("{role} must be data here, not {}", control(*found))
            }
            Fault::NotInteger { role, found } => {
                format!("{role} must be an integer, not {}", control(*found))
            }
            Fault::Rank { name, rank, found } => format!(
                "`{name}` has {} but is given {}",
                count(*rank, "dimension", "dimensions"),
                count(*found, "index", "indices")
            ),
            Fault::NotABuffer { name, found, used } => {
                let cannot = match used {
                    BufferUse::Indexed => "cannot be indexed",
                    BufferUse::Windowed => "cannot be sliced",
                    BufferUse::Stride => "has no stride",
                };
                format!("`{name}` is {} and {cannot}", control(*found))
            }
            Fault::AssignControl { name, found } => {
                format!("`{name}` is {} and cannot be assigned", control(*found))
            }
            Fault::TensorValue { name, .. } => format!("the whole of `{name}` is not a value"),
            Fault::WindowValue { name } => format!("a window of `{name}` is not a value"),
            Fault::BoolExpected { role, found } => format!("{role} must be a truth value, not {found}"),
            Fault::BoolArithmetic { op } => format!("`{}` does not apply to truth values", symbol(*op)),
            Fault::StrideArithmetic { op } => format!("`{}` does not apply to strides", symbol(*op)),
            Fault::Comparison { op, lhs, rhs } => {
                format!("`{}` cannot compare {} with {}", op.symbol(), control(*lhs), control(*rhs))
            }
            Fault::Nonaffine => "neither side of this product of integers is a constant".to_owned(),
            Fault::Divisor { op, .. } => {
                format!("the right side of `{}` must be a positive constant", op.symbol())
            }
            Fault::DataModulo => "`%` does not apply to data".to_owned(),
            Fault::DataComparison { op } => format!("`{}` cannot compare data", op.symbol()),
            Fault::Arity { proc, expected, found } => {
                format!("`{proc}` takes {}, not {found}", count(*expected, "argument", "arguments"))
            }
            Fault::Argument { formal, expected, found } => {
                format!("{formal} must be {expected}, not {found}")
            }
            Fault::ArgumentRank { formal, ranks: (expected, found), .. } => {
                format!("{formal} must have {}, not {found}", count(*expected, "dimension", "dimensions"))
            }
            Fault::ArgumentShape { formal, dim, expected, found } => {
                format!("{formal} must have extent `{expected}` in dimension {dim}, not `{found}`")
            }
            Fault::ArgumentPrecision { formal, expected, found } => {
                format!("{formal} must have elements of type `{expected}`, not `{found}`")
            }
            Fault::ScalarArgument { formal, .. } => {
                format!("{formal} is passed by reference, so it cannot be a computed value")
            }
            Fault::ExternArity { func, expected, found } => {
                format!("`{func}` takes {}, not {found}", count(*expected, "argument", "arguments"))
            }
            Fault::ExternArgument { func, found } => {
                format!("`{func}` is a function of data, not of {}", control(*found))
            }
            Fault::ConfigField { config, field, expected, found } => {
                format!("`{config}.{field}` has type `{expected}` and cannot hold {found}")
            }
            Fault::UnknownField { config, field } => format!("`{config}` has no field `{field}`"),
            Fault::StrideDim { name, rank, dim } => {
                format!("`{name}` has {}, so no stride {dim}", count(*rank, "dimension", "dimensions"))
            }
            Fault::ExtentType { found } => format!("an extent must be an integer, not {found}"),
            Fault::ExtentValue { found } => format!("an extent must not be negative, but this is {found}"),
            Fault::ExtentOfSlice { found } => {
                format!("this slice ends before it begins: its extent is {found}")
            }
            Fault::ExtentOfState { config, field } => {
                format!("an argument's shape cannot depend on the state `{config}.{field}`")
            }
            Fault::SizeLiteral { found } => format!("a `size` must be at least 1, not {found}"),
            Fault::AllocWindow { name } => format!("`{name}` is allocated with a window type"),
        }
    }

    /// What stands under the place: expected and found.
    fn label(&self) -> String {
        match self {
            Fault::Unbound { .. } => "not bound here".to_owned(),
            Fault::Rebound { .. } => "bound again".to_owned(),
            Fault::ControlExpected { role, found } => wanted(role.wants(), found),
            Fault::DataExpected { found, .. } | Fault::ExternArgument { found, .. } => {
                wanted("data", &control(*found))
            }
            Fault::NotInteger { found, .. } => wanted("an integer", &control(*found)),
            Fault::Rank { rank, found, .. } => wanted(count(*rank, "index", "indices"), found),
            Fault::NotABuffer { found, .. } | Fault::AssignControl { found, .. } => {
                wanted("a buffer", &control(*found))
            }
            Fault::TensorValue { found, .. } => wanted("a value", found),
            Fault::WindowValue { .. } => wanted("a value", "a window"),
            Fault::BoolExpected { found, .. } => wanted(control(ControlType::Bool), found),
            Fault::BoolArithmetic { .. } => wanted("an integer or data", &control(ControlType::Bool)),
            Fault::StrideArithmetic { .. } => wanted("an integer or data", &control(ControlType::Stride)),
            Fault::Comparison { lhs, rhs, .. } => {
                wanted("two integers", &format!("{} and {}", control(*lhs), control(*rhs)))
            }
            Fault::Nonaffine => wanted("a constant on one side", "two variable sides"),
            Fault::Divisor { found: Some(n), .. } => wanted("a positive constant", n),
            Fault::Divisor { found: None, .. } => wanted("a positive constant", "a variable expression"),
            Fault::DataModulo => wanted("integers", "data"),
            Fault::DataComparison { .. } => wanted("control", "data"),
            Fault::Arity { expected, found, .. } | Fault::ExternArity { expected, found, .. } => {
                wanted(count(*expected, "argument", "arguments"), found)
            }
            Fault::Argument { expected, found, .. } | Fault::ArgumentRank { expected, found, .. } => {
                wanted(expected, found)
            }
            Fault::ArgumentShape { expected, found, .. } => {
                wanted(format!("extent `{expected}`"), &format!("`{found}`"))
            }
            Fault::ArgumentPrecision { expected, found, .. } => {
                wanted(format!("`{expected}`"), &format!("`{found}`"))
            }
            Fault::ScalarArgument { expected, .. } => {
                wanted(format!("a scalar or a cell of type `{expected}`"), "a value")
            }
            Fault::ConfigField { expected, found, .. } => wanted(format!("`{expected}`"), found),
            Fault::UnknownField { .. } => "no such field".to_owned(),
            Fault::StrideDim { .. } => "no such dimension".to_owned(),
            Fault::ExtentType { found } => wanted("an integer", found),
            Fault::SizeLiteral { found } => wanted("at least 1", found),
            Fault::ExtentValue { found } | Fault::ExtentOfSlice { found } => {
                wanted("an extent of at least 0", found)
            }
            Fault::ExtentOfState { .. } => wanted("control arguments and constants", "a configuration field"),
            Fault::AllocWindow { .. } => wanted("a tensor type", "a window type"),
        }
    }

    /// What to write instead.
    fn help(&self) -> Option<String> {
        let help = match self {
            Fault::Unbound { name } => format!("bind `{name}` before this place"),
            Fault::Rebound { .. } => "give the inner binding a symbol of its own".to_owned(),
            Fault::ControlExpected { found: Type::Data(Precision::Literal), .. } => {
                "write an integer, without point and exponent".to_owned()
            }
            Fault::ControlExpected { .. } => {
                "control (indices, bounds, sizes, conditions) never depends on data".to_owned()
            }
            Fault::DataExpected { .. } | Fault::ExternArgument { .. } => {
                "a control value cannot become data; only literals can be either".to_owned()
            }
            Fault::NotInteger { found, .. } => match found {
                ControlType::Stride => "strides can only be compared with `==` and passed on".to_owned(),
                ControlType::Bool | ControlType::Int | ControlType::Index | ControlType::Size => {
                    "use an `if` to choose by a truth value".to_owned()
                }
            },
            Fault::Rank { name, rank: 0, .. } => format!("`{name}` is a scalar: write `{name}`"),
            Fault::Rank { .. } => "write one index for each dimension".to_owned(),
            Fault::NotABuffer { .. } => "only tensors and windows have cells".to_owned(),
            Fault::AssignControl { .. } => {
                "control arguments and loop variables never change; write the expression where it is used"
                    .to_owned()
            }
            Fault::TensorValue { name, .. } => {
                format!("index it, `{name}[…]`, inside loops over its dimensions")
            }
            Fault::WindowValue { .. } => {
                "loop over the slice, or name the window: `w = x[…]` where `w` is new".to_owned()
            }
            Fault::BoolExpected { found: Type::Control(ControlType::Stride), .. } => {
                "compare it with something: `stride(x, 0) == 1`".to_owned()
            }
            Fault::BoolExpected { .. } => "compare it with something: `n == 0`, `i < n`".to_owned(),
            Fault::BoolArithmetic { .. } => "combine truth values with `and`, `or`, `not`".to_owned(),
            Fault::StrideArithmetic { .. } => {
                "strides can only be compared with `==` and passed on".to_owned()
            }
            Fault::Comparison { .. } => {
                "`<` and the like take integers; `==` also two booleans, or a stride and a stride or `int`"
                    .to_owned()
            }
            Fault::Nonaffine => "control is quasi-affine: multiply by an integer literal only".to_owned(),
            Fault::Divisor { .. } => "control is quasi-affine: divide by an integer literal only".to_owned(),
            Fault::DataModulo => "`%` is the remainder of control integers only".to_owned(),
            Fault::DataComparison { .. } => {
                "control never depends on data; `select(a, b, c, d)` is `c` where `a < b`, else `d`"
                    .to_owned()
            }
            Fault::Arity { proc, expected: 0, .. } => format!("write `{proc}()`"),
            Fault::Arity { .. } | Fault::ExternArity { .. } => {
                "write one argument for each parameter".to_owned()
            }
            Fault::Argument { expected, found, .. } => return argument_help(expected, found),
            Fault::ArgumentRank { ranks: (0, _), .. } => "pass one cell, as in `x[i]`".to_owned(),
            Fault::ArgumentRank { ranks: (expected, found), .. } if expected < found => {
                "fix dimensions with an index in a window, as in `x[i, 0:n]`".to_owned()
            }
            Fault::ArgumentRank { .. } => "pass a tensor or a window with as many dimensions".to_owned(),
            Fault::ArgumentShape { .. } => "these differ by a constant, so they are never equal".to_owned(),
            Fault::ArgumentPrecision { .. } => {
                "buffers are passed by reference and never converted; copy into a buffer of that type"
                    .to_owned()
            }
            Fault::ScalarArgument { expected, .. } => {
                format!("store it first: `t: {expected}`, `t = …`, and pass `t`")
            }
            Fault::ConfigField { .. } => "a field holds values of its own type only".to_owned(),
            Fault::UnknownField { config, field } => {
                format!("declare `{field}` in the class `{config}`")
            }
            Fault::StrideDim { rank: 0, .. } => "a scalar has no strides".to_owned(),
            Fault::StrideDim { rank: 1, .. } => "dimensions are counted from 0: write 0".to_owned(),
            Fault::StrideDim { rank, .. } => {
                format!("dimensions are counted from 0: write 0 to {}", rank.saturating_sub(1))
            }
            Fault::ExtentType { .. } => {
                "write an expression of sizes, indices and integer literals".to_owned()
            }
            Fault::ExtentValue { .. } => {
                "write an extent of at least 0; a buffer may have no cells".to_owned()
            }
            Fault::ExtentOfSlice { .. } => "write the smaller bound first: `x[lo:hi]`".to_owned(),
            Fault::ExtentOfState { .. } => "add a `size` argument and pass the field for it".to_owned(),
            Fault::SizeLiteral { .. } => "use `index` or `int` for numbers that may be 0 or less".to_owned(),
            Fault::AllocWindow { .. } => {
                "write `x: f32[n]` for a new buffer, `w = x[…]` for a window of an old one".to_owned()
            }
        };
        Some(help)
    }
}

impl Role {
    /// What an expression in this role is.
    fn wants(self) -> &'static str {
        match self {
            Role::Index | Role::Bound | Role::SliceBound => "an integer of type `index`",
            Role::Condition | Role::Assertion | Role::Negated => "a `bool`",
            Role::Operand(op) => match op.class() {
                OpClass::Logical => "a `bool`",
                OpClass::Arithmetic | OpClass::Comparison => "control",
            },
            Role::Value => "data",
        }
    }
}

/// ``a `size` ``.
fn control(t: ControlType) -> String {
    format!("{} `{t}`", article(t))
}

/// `1 dimension`, `2 dimensions`.
fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn symbol(op: Option<BinOp>) -> &'static str {
    op.map_or("-", BinOp::symbol)
}

fn wanted(expected: impl fmt::Display, found: &(impl fmt::Display + ?Sized)) -> String {
    format!("expected {expected}, found {found}")
}

/// Control where a buffer is needed, or the other way round, or the wrong control.
fn argument_help(expected: &Type, found: &Type) -> Option<String> {
    let help = match (expected, found) {
        (Type::Control(ControlType::Bool), Type::Control(_)) => {
            "compare it with something: `n == 0`, `i < n`"
        }
        (Type::Control(ControlType::Stride), Type::Control(_)) => "pass `stride(x, d)` or an integer literal",
        (Type::Control(_), Type::Control(_)) => "pass an integer control expression",
        (Type::Control(_), Type::Data(_) | Type::Buffer(_)) => {
            "control (indices, bounds, sizes, conditions) never depends on data"
        }
        (Type::Buffer(_), _) => "pass a tensor, a window `x[…]` or a cell `x[i]`",
        (Type::Data(_) | Type::Error, _) | (_, Type::Error) => return None,
    };
    Some(help.to_owned())
}
