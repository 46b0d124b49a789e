//! Expressions of a case.

use super::read::{At, Read};
use crate::deep;
use crate::syntax::{Branch, Con, Expr, ExprKind, Lam, Pattern, Prim};
use rewright_base::sym::Name;

/// Which language.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// What users write. `dup` and `drop` are read all the same: that they do not belong there is an error with a
    /// place of its own.
    Source,
    /// Values, where a scrutinee may be the head of what was substituted for it: a constructor or an integer.
    Value,
    /// What translations are: lambdas say what they capture.
    Translation,
}

/// The primitives of the format.
const PRIMITIVES: [Prim; 6] = [Prim::Add, Prim::Sub, Prim::Mul, Prim::Eq, Prim::Lt, Prim::Le];

/// Reads an expression: each node has exactly the fields of its form.
pub(super) fn expression(at: &At<'_>, mode: Mode) -> Read<Expr> {
    deep(|| node(at, mode))
}

fn node(at: &At<'_>, mode: Mode) -> Read<Expr> {
    let sub = |key: &str| expression(&at.field(key)?, mode);
    let has = |key: &str| at.object().is_ok_and(|o| o.contains_key(key));
    at.object()?;
    if has("var") {
        at.only(&["var"])?;
        Ok(Expr::var(at.field("var")?.name()?))
    } else if has("int") {
        at.only(&["int"])?;
        Ok(Expr::int(at.field("int")?.int()?))
    } else if has("lam") {
        lambda(at, mode)
    } else if has("app") {
        at.only(&["app"])?;
        let pair = at.field("app")?;
        match pair.list()?.as_slice() {
            [fun, arg] => Ok(Expr::app(expression(fun, mode)?, expression(arg, mode)?)),
            _ => pair.wrong("a function and an argument are expected"),
        }
    } else if has("val") {
        at.only(&["val", "be", "in"])?;
        Ok(Expr::val(at.field("val")?.name()?, sub("be")?, sub("in")?))
    } else if has("match") {
        matching(at, mode)
    } else if has("con") {
        at.only(&["con", "args"])?;
        let name = at.field("con")?.name()?;
        Ok(Expr::new(ExprKind::Con(Con { name, at: None, args: operands(at, mode)? })))
    } else if has("prim") {
        at.only(&["prim", "args"])?;
        let prim = at.field("prim")?;
        let text = prim.text()?;
        match PRIMITIVES.into_iter().find(|p| p.name() == text) {
            Some(op) => Ok(Expr::new(ExprKind::Prim(op, operands(at, mode)?))),
            None => prim.wrong(&format!("unknown primitive `{text}`")),
        }
    } else if has("dup") {
        at.only(&["dup", "in"])?;
        Ok(Expr::dup(at.field("dup")?.name()?, sub("in")?))
    } else if has("drop") {
        at.only(&["drop", "in"])?;
        Ok(Expr::drop(at.field("drop")?.name()?, sub("in")?))
    } else {
        at.wrong("unknown node")
    }
}

fn lambda(at: &At<'_>, mode: Mode) -> Read<Expr> {
    let ys = match mode {
        Mode::Source | Mode::Value => {
            at.only(&["lam", "body"])?;
            None
        }
        Mode::Translation => {
            at.only(&["lam", "body", "ys"])?;
            Some(at.field("ys")?.list()?.iter().map(At::name).collect::<Read<Vec<Name>>>()?)
        }
    };
    let (param, body) = (at.field("lam")?.name()?, expression(&at.field("body")?, mode)?);
    Ok(Expr::new(ExprKind::Lam(Lam { ys, param, body })))
}

fn operands(at: &At<'_>, mode: Mode) -> Read<Vec<Expr>> {
    at.field("args")?.list()?.iter().map(|arg| expression(arg, mode)).collect()
}

fn matching(at: &At<'_>, mode: Mode) -> Read<Expr> {
    at.only(&["match", "branches"])?;
    let branches = at.field("branches")?;
    let all = branches.list()?;
    if all.is_empty() {
        return branches.wrong("a branch is expected");
    }
    let read = all.iter().map(|b| branch(b, mode)).collect::<Read<Vec<Branch>>>()?;
    let scrutinee = at.field("match")?;
    let name = match scrutinee.json.as_i64() {
        Some(n) if mode == Mode::Value => Name::new(&n.to_string()),
        Some(_) | None => scrutinee.name()?,
    };
    Ok(Expr::case(name, read))
}

fn branch(at: &At<'_>, mode: Mode) -> Read<Branch> {
    at.only(&["con", "binders", "body"])?;
    let binder = |b: &At<'_>| b.name().map(|x| (x.as_str() != "_").then_some(x));
    let binders = at.field("binders")?.list()?.iter().map(binder).collect::<Read<_>>()?;
    let pattern = Pattern::new(at.field("con")?.name()?, binders);
    Ok(Branch { pattern, body: expression(&at.field("body")?, mode)? })
}
