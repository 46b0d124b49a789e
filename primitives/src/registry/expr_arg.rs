//! Expressions as arguments of schedules.

use rewright_semantics::ast::Expr;
use rewright_semantics::pretty::expr_to_string;

/// An expression that a schedule gives: text of the object language, or a number. It is read in the names of the place
/// that the primitive works at, and the derivation keeps the text.
///
/// An expression of a program stands for the text that it prints as.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExprArg(pub(crate) String);

impl From<&str> for ExprArg {
    fn from(text: &str) -> ExprArg {
        ExprArg(text.to_owned())
    }
}

impl From<String> for ExprArg {
    fn from(text: String) -> ExprArg {
        ExprArg(text)
    }
}

impl From<&String> for ExprArg {
    fn from(text: &String) -> ExprArg {
        ExprArg(text.clone())
    }
}

impl From<i64> for ExprArg {
    fn from(n: i64) -> ExprArg {
        ExprArg(n.to_string())
    }
}

impl From<&Expr> for ExprArg {
    fn from(e: &Expr) -> ExprArg {
        ExprArg(expr_to_string(e))
    }
}
