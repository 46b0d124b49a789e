//! Typing rules of procedures and statements. Spec: [rule: type.proc], [rule: type.stmt].

use super::Checker;
use super::error::{Fault, Role};
use super::expr::Want;
use super::types::Type;
use crate::ast::{Block, Config, Expr, ExprKind, Proc, Stmt, StmtKind, WinCoord};
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::env::{Part, TypeEnv, VarType};
use crate::types::{ArgType, ArrayKind, BufferType, deep};
use rustc_hash::FxHashSet;
use std::sync::Arc;

impl Checker {
    pub(super) fn proc(&mut self, p: &Proc) {
        let env = TypeEnv::of_args(&p.args);
        let mut earlier = FxHashSet::default();
        for arg in &p.args {
            if !earlier.insert(arg.name) {
                self.fault(Fault::Rebound { name: arg.name }, arg.span);
            }
            if let ArgType::Data { typ, mem: _ } = &arg.typ {
                self.argument_shape(&env, typ);
            }
        }
        for e in &p.preds {
            self.boolean(&env, e, Role::Assertion);
        }
        self.block(TypeEnv::of_proc(p), &p.body);
    }

    pub(super) fn block(&mut self, mut env: TypeEnv, b: &Block) {
        for s in b {
            deep(|| self.stmt(&env, s));
            env.pass(s);
        }
    }

    fn stmt(&mut self, env: &TypeEnv, s: &Stmt) {
        match &*s.kind {
            StmtKind::Assign { name, idx, rhs } | StmtKind::Reduce { name, idx, rhs } => {
                self.write(env, *name, idx, rhs, s.span);
            }
            StmtKind::WriteConfig { config, field, rhs } => {
                self.write_config(env, config, *field, rhs, s.span);
            }
            StmtKind::Pass => {}
            StmtKind::If { cond, body, orelse } => {
                self.boolean(env, cond, Role::Condition);
                self.block(env.within(s, Part::Body), body);
                self.block(env.within(s, Part::Orelse), orelse);
            }
            StmtKind::For { iter, lo, hi, body, mode: _ } => {
                self.integer(env, lo, Role::Bound);
                self.integer(env, hi, Role::Bound);
                self.binds(env, *iter, s.span);
                self.block(env.within(s, Part::Body), body);
            }
            StmtKind::Alloc { name, typ, mem: _ } => self.alloc(env, *name, typ, s.span),
            StmtKind::WindowStmt { name, rhs } => {
                if self.window(env, rhs, s.span).is_none() {
                    self.poison(*name);
                }
                self.binds(env, *name, s.span);
            }
            StmtKind::Call { proc, args } => self.call(env, proc, args, s.span),
        }
    }

    /// `x[i] = e` and `x[i] += e`.
    fn write(&mut self, env: &TypeEnv, name: Sym, idx: &[Expr], rhs: &Expr, span: Span) {
        match self.lookup(env, name, span) {
            Some(VarType::Buffer { typ, mem: _ }) => {
                self.indices(env, name, typ, idx, span);
                self.value(env, rhs, Role::Value);
                return;
            }
            Some(VarType::Control(found)) => {
                let fault = Fault::AssignControl { name, found: *found };
                self.fault_about(fault, span, env.declared_at(name));
            }
            None => {}
        }
        for e in idx {
            self.integer(env, e, Role::Index);
        }
        self.infer(env, rhs, Want::Control);
    }

    fn alloc(&mut self, env: &TypeEnv, name: Sym, typ: &BufferType, span: Span) {
        for e in typ.shape.iter() {
            self.extent(env, e);
        }
        if typ.kind == ArrayKind::Window {
            self.fault(Fault::AllocWindow { name }, span);
            self.poison(name);
        }
        self.binds(env, name, span);
    }

    /// [rule: name.rebound]: a symbol is not bound again in its own scope.
    fn binds(&mut self, env: &TypeEnv, name: Sym, span: Span) {
        if env.get(name).is_some() {
            self.fault_about(Fault::Rebound { name }, span, env.declared_at(name));
        }
    }

    /// [rule: type.extent]: an integer; where it is constant, not negative.
    fn extent(&mut self, env: &TypeEnv, e: &Expr) {
        match self.infer(env, e, Want::Control).typ {
            Type::Control(t) if t.is_indexable() => {
                let constant = env.linear(e).ok().and_then(|l| l.as_constant());
                if let Some(found) = constant.filter(|n| *n < 0) {
                    self.fault(Fault::ExtentValue { found }, e.span);
                }
            }
            Type::Error => {}
            found @ (Type::Control(_) | Type::Data(_) | Type::Buffer(_)) => {
                self.fault(Fault::ExtentType { found }, e.span);
            }
        }
    }

    /// An argument's shape mentions control arguments only: what the caller can see at the call.
    fn argument_shape(&mut self, env: &TypeEnv, typ: &BufferType) {
        for e in typ.shape.iter() {
            self.extent(env, e);
            if let Some((config, field, span)) = config_read(e) {
                self.fault(Fault::ExtentOfState { config: config.name, field }, span);
            }
        }
    }
}

/// A read of a configuration field inside of an expression.
fn config_read(e: &Expr) -> Option<(&Arc<Config>, Name, Span)> {
    deep(|| match &e.kind {
        ExprKind::ReadConfig { config, field } => Some((config, *field, e.span)),
        ExprKind::Read { name: _, idx } => idx.iter().find_map(config_read),
        ExprKind::Neg(e) | ExprKind::Not(e) => config_read(e),
        ExprKind::Bin { op: _, lhs, rhs } => config_read(lhs).or_else(|| config_read(rhs)),
        ExprKind::Extern { func: _, args } => args.iter().find_map(config_read),
        ExprKind::Window(w) => w.idx.iter().find_map(|c| match c {
            WinCoord::Point(e) => config_read(e),
            WinCoord::Interval(lo, hi) => config_read(lo).or_else(|| config_read(hi)),
        }),
        ExprKind::Lit(_) | ExprKind::Stride { .. } => None,
    })
}
