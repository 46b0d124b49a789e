//! Equality of control expressions at one place.

use crate::version::session::Session;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::effexpr::{EffExpr, Var};
use rewright_effects::env::{Field, sort_of_field};
use rewright_effects::names::fields_in_expr;
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::Expr;
use rewright_semantics::sym::Sym;

/// Two control expressions have the same value at the hole.
///
/// A field of which nothing is known holds *some* value there, the same wherever it is read: where what is known
/// of the fields does not decide it, nothing is taken to be known of them.
pub fn equal_here(session: &Session, ctx: &Context, a: &Expr, b: &Expr) -> Obligation {
    let known = conditions::equal_exprs(ctx, a, b);
    let reads_fields = !fields(a).is_empty() && !fields(b).is_empty();
    if reads_fields && !session.decide(&known).is_proved() {
        let any = conditions::equal_exprs(&any_fields(ctx, [a, b]), a, b);
        if session.decide(&any).is_proved() {
            return any;
        }
    }
    known
}

/// The context, where the fields that are read hold any values.
fn any_fields(ctx: &Context, es: [&Expr; 2]) -> Context {
    let mut env = ctx.env.clone();
    for e in es {
        fields_in_expr(e, &mut |config, name| {
            let field = Field::of(config, name);
            if let Some(sort) = sort_of_field(config, name)
                && !env.globals.get(field, sort).is_definite()
            {
                env.globals.set(field, EffExpr::var(Var::Local(Sym::fresh(name)), sort));
            }
        });
    }
    ctx.inside(env, [])
}

/// The control fields that an expression reads, wherever it does.
pub fn fields(e: &Expr) -> Vec<Field> {
    let mut out = Vec::new();
    fields_in_expr(e, &mut |config, name| {
        if sort_of_field(config, name).is_some() {
            out.push(Field::of(config, name));
        }
    });
    out
}
