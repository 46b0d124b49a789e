//! The operators of expressions. Thesis Fig. 2.5b; those of typed algorithms: [rule: halide.typed].

pub mod math;

use crate::scalar::Scalar;
use math::Math;

/// Operators. All are total, and none short-circuits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// Euclidean quotient; 0 by 0.
    Div,
    /// Euclidean remainder; 0 by 0.
    Mod,
    /// Logical or.
    Or,
    /// Logical and.
    And,
    /// Logical not.
    Not,
    /// `a < b`
    Lt,
    /// `a > b`
    Gt,
    /// `a = b`
    Eq,
    /// `select(c, a, b)`
    Select,
    /// The smaller.
    Min,
    /// The greater.
    Max,
    /// The value made to fit a type: `uint8(a)`.
    Cast(Scalar),
    /// An operation on the bits of integers.
    Bits(Bits),
    /// The absolute value.
    Abs,
    /// An operation on numbers of floating point.
    Math(Math),
    /// The value of a func of several values: [rule: halide.tuple].
    Tuple(usize),
    /// One of several values: `elem(k, f[x])`, from 0.
    Elem(usize),
}

/// Operations on bits. Integers are in two's complement, with as many bits as they need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Bits {
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `a << b`: times 2 to the power of `b`, rounded down where that is negative.
    Shl,
    /// `a >> b`: `a << -b`.
    Shr,
}

impl Bits {
    /// All of them.
    pub const ALL: [Bits; 5] = [Bits::And, Bits::Or, Bits::Xor, Bits::Shl, Bits::Shr];

    /// Its sign.
    pub fn name(self) -> &'static str {
        match self {
            Bits::And => "&",
            Bits::Or => "|",
            Bits::Xor => "^",
            Bits::Shl => "<<",
            Bits::Shr => ">>",
        }
    }
}

impl Op {
    /// The operators of Fig. 2.5b.
    pub const ALL: [Op; 14] = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Mod,
        Op::Or,
        Op::And,
        Op::Not,
        Op::Lt,
        Op::Gt,
        Op::Eq,
        Op::Select,
        Op::Min,
        Op::Max,
    ];

    /// How many arguments it takes.
    pub fn arity(self) -> usize {
        match self {
            Op::Not | Op::Cast(_) | Op::Abs | Op::Elem(_) => 1,
            Op::Tuple(n) => n,
            Op::Bits(_) => 2,
            Op::Math(m) => m.arity(),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Or | Op::And => 2,
            Op::Lt | Op::Gt | Op::Eq | Op::Min | Op::Max => 2,
            Op::Select => 3,
        }
    }

    /// Its name: the paper's, and the one of the JSON cases.
    pub fn name(self) -> &'static str {
        match self {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "div",
            Op::Mod => "mod",
            Op::Or => "or",
            Op::And => "and",
            Op::Not => "not",
            Op::Lt => "<",
            Op::Gt => ">",
            Op::Eq => "=",
            Op::Select => "select",
            Op::Min => "min",
            Op::Max => "max",
            Op::Cast(s) => s.name(),
            Op::Bits(b) => b.name(),
            Op::Abs => "abs",
            Op::Math(m) => m.name(),
            Op::Tuple(_) => "tuple",
            Op::Elem(_) => "elem",
        }
    }

    /// The operator of that name.
    pub fn of_name(name: &str) -> Option<Op> {
        Op::ALL.into_iter().find(|op| op.name() == name)
    }

    /// Whether it gives a truth value, 0 or 1.
    pub fn is_truth(self) -> bool {
        match self {
            Op::Or | Op::And | Op::Not | Op::Lt | Op::Gt | Op::Eq => true,
            Op::Math(m) => m.is_truth(),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Select | Op::Min | Op::Max => false,
            Op::Cast(_) | Op::Bits(_) | Op::Abs | Op::Tuple(_) | Op::Elem(_) => false,
        }
    }
}
