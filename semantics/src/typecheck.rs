//! The type checker: every static rule of the language that needs no solver.
//!
//! PLDI'22 §3.1 (control against data, quasi-affine control, immutable control) and §4.1; the rules
//! are in `spec/types.md`. Holds for programs made by rewrites as well as for parsed ones.
//!
//! All faults of a program are reported, and none twice: an ill-typed expression has the type
//! [`Type::Error`], which is compatible with everything.
//!
//! Order of the files: [`types`](Type) what an expression can be, [`error`](Fault) what can be wrong,
//! `messages` how it is said, `stmt`, `call`, `expr` the rules.

mod call;
mod error;
mod expr;
mod messages;
mod stmt;
mod types;

pub use error::{BufferUse, Fault, Formal, IllTyped, Role};
pub use types::{Precision, Type};

use crate::ast::{Block, Expr, Module, Proc};
use crate::diag::Diagnostic;
use crate::span::Span;
use crate::sym::Sym;
use crate::types::env::{TypeEnv, VarType};
use rustc_hash::FxHashSet;

/// Everything that is ill-typed in a file, in the order of its procedures and their statements.
pub fn check_module(m: &Module) -> Vec<Diagnostic> {
    m.procs.iter().flat_map(|p| check_proc(p)).collect()
}

/// Everything that is ill-typed in a procedure; its callees are taken as they are declared.
pub fn check_proc(p: &Proc) -> Vec<Diagnostic> {
    faults(p).iter().map(IllTyped::diagnostic).collect()
}

/// As [`check_proc`], as data.
pub fn faults(p: &Proc) -> Vec<IllTyped> {
    let mut checker = Checker::default();
    checker.proc(p);
    checker.faults
}

/// What is ill-typed in statements that stand where this environment holds.
pub fn faults_in(env: &TypeEnv, stmts: &Block) -> Vec<IllTyped> {
    let mut checker = Checker::default();
    checker.block(env.clone(), stmts);
    checker.faults
}

impl TypeEnv {
    /// The type of an expression here; [`Type::Error`] where it is ill-typed.
    pub fn type_of(&self, e: &Expr) -> Type {
        let mut checker = Checker::default();
        let typed = checker.infer(self, e, expr::Want::Data);
        if checker.faults.is_empty() { typed.typ } else { Type::Error }
    }

    /// The type of an expression here, and all that is wrong with it.
    pub fn infer(&self, e: &Expr) -> (Type, Vec<IllTyped>) {
        let mut checker = Checker::default();
        let typed = checker.infer(self, e, expr::Want::Data);
        (typed.typ, checker.faults)
    }
}

/// Collects what is wrong while walking.
#[derive(Default)]
struct Checker {
    faults: Vec<IllTyped>,
    /// Names whose definition was ill-typed.
    poisoned: FxHashSet<Sym>,
}

impl Checker {
    fn fault(&mut self, kind: Fault, span: Span) {
        self.fault_about(kind, span, None);
    }

    /// A fault that disagrees with a declaration elsewhere.
    fn fault_about(&mut self, kind: Fault, span: Span, declared: Option<Span>) {
        self.faults.push(IllTyped { kind, span, declared: declared.unwrap_or(Span::NONE) });
    }

    /// Says no more about a name whose definition has been reported.
    fn poison(&mut self, x: Sym) {
        self.poisoned.insert(x);
    }

    /// The type of a name, if it has one.
    fn peek<'e>(&self, env: &'e TypeEnv, x: Sym) -> Option<&'e VarType> {
        if self.poisoned.contains(&x) { None } else { env.get(x) }
    }

    /// The type of a name; `None`, reported, when it has none.
    fn lookup<'e>(&mut self, env: &'e TypeEnv, x: Sym, span: Span) -> Option<&'e VarType> {
        let found = self.peek(env, x);
        if found.is_none() && !self.poisoned.contains(&x) {
            self.fault(Fault::Unbound { name: x }, span);
        }
        found
    }
}

#[cfg(test)]
mod tests;
