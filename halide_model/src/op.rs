//! The operators of expressions. Thesis Fig. 2.5b.

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
}

impl Op {
    /// All operators.
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
            Op::Not => 1,
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
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Select | Op::Min | Op::Max => false,
        }
    }
}
