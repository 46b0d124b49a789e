//! Names for a piece of text that stands somewhere inside a procedure that is there already.

use super::super::Prelude;
use super::super::error::SyntaxError;
use super::super::tree::{self, Ident};
use super::Resolver;
use super::expr::Want;
use super::globals::Globals;
use super::scope::{Buffer, Scope, Variable};
use crate::ast::{Expr, WindowExpr};
use crate::sym::{Name, Sym};
use crate::types::ArgType;
use crate::types::env::{TypeEnv, VarType};

/// The variables, and what else has a name.
#[derive(Debug)]
pub(in super::super) struct Surroundings {
    scope: Scope,
    globals: Globals,
}

impl Surroundings {
    /// These variables, later ones hiding earlier ones of the same name; those without a type are left out.
    pub(in super::super) fn new(env: &TypeEnv, visible: &[(Name, Sym)], prelude: &Prelude) -> Surroundings {
        let mut scope = Scope::default();
        for (name, sym) in visible {
            let variable = match env.get(*sym) {
                Some(VarType::Control(_)) => Variable::Control(*sym),
                Some(VarType::Buffer { typ, mem: _ }) => {
                    Variable::Buffer(Buffer { sym: *sym, elem: typ.elem, shape: typ.shape.clone() })
                }
                None => continue,
            };
            scope.bind(*name, variable);
        }
        Surroundings { scope, globals: Globals::new(prelude, std::iter::empty()) }
    }

    /// An expression, its integer literals data where `data` says so.
    pub(in super::super) fn expr(
        &self,
        e: &tree::Expr,
        data: bool,
        errors: &mut Vec<SyntaxError>,
    ) -> Option<Expr> {
        self.resolver(errors).expr(e, if data { Want::Data } else { Want::Control })
    }

    /// A window; a name alone stands for all of the buffer.
    pub(in super::super) fn window(
        &self,
        e: &tree::Expr,
        errors: &mut Vec<SyntaxError>,
    ) -> Option<WindowExpr> {
        let mut resolver = self.resolver(errors);
        if let tree::ExprKind::Name(name) = &e.kind {
            resolver.window(&Ident { name: *name, span: e.span }, &[], e.span)
        } else {
            resolver.window_of(e)
        }
    }

    /// An argument of a call.
    pub(in super::super) fn argument(
        &self,
        e: &tree::Expr,
        formal: &ArgType,
        errors: &mut Vec<SyntaxError>,
    ) -> Option<Expr> {
        self.resolver(errors).argument(e, Some(formal))
    }

    fn resolver<'a>(&'a self, errors: &'a mut Vec<SyntaxError>) -> Resolver<'a> {
        let (globals, scope) = (&self.globals, self.scope.clone());
        Resolver { globals, scope, errors, current: Name::new("") }
    }
}
