//! Typing rules of calls. Spec: [rule: type.call] and those below it.

use super::Checker;
use super::error::{Fault, Formal};
use super::expr::Want;
use super::types::Type;
use crate::ast::{Config, Expr, ExprKind, Proc};
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::env::{Extents, TypeEnv, VarType};
use crate::types::linear::{Atom, Linear};
use crate::types::{ArgType, BufferType, ControlType, FieldType};
use rustc_hash::FxHashMap;

/// What the formal control arguments are in the caller; those whose actual is ill-typed are missing.
type Actuals = FxHashMap<Sym, Linear>;

impl Checker {
    pub(super) fn call(&mut self, env: &TypeEnv, p: &Proc, args: &[Expr], span: Span) {
        if p.args.len() != args.len() {
            let fault = Fault::Arity { proc: p.name, expected: p.args.len(), found: args.len() };
            self.fault_about(fault, span, Some(p.span));
            for e in args {
                self.infer(env, e, Want::Data);
            }
            return;
        }
        let mut actuals = Actuals::default();
        for (arg, e) in p.args.iter().zip(args) {
            if let (ArgType::Control(_), Ok(value)) = (&arg.typ, env.linear(e)) {
                actuals.insert(arg.name, value);
            }
        }
        for (arg, e) in p.args.iter().zip(args) {
            let formal = Formal { proc: p.name, arg: arg.name.name() };
            match &arg.typ {
                ArgType::Control(t) => self.control_argument(env, *t, e, formal, arg.span),
                ArgType::Data { typ, mem: _ } => {
                    self.data_argument(env, typ, &actuals, e, (formal, arg.span));
                }
            }
        }
    }

    /// [rule: type.argument]: `size`, `index` and `int` are interchangeable; an `int` can be a `stride`.
    fn control_argument(&mut self, env: &TypeEnv, expected: ControlType, e: &Expr, formal: Formal, at: Span) {
        match self.infer(env, e, Want::Control).typ {
            Type::Control(found) if fits(expected, found) => {
                if expected == ControlType::Size {
                    self.size(env, e);
                }
            }
            Type::Error => {}
            found @ (Type::Control(_) | Type::Data(_) | Type::Buffer(_)) => {
                let expected = Type::Control(expected);
                self.fault_about(Fault::Argument { formal, expected, found }, e.span, Some(at));
            }
        }
    }

    /// [rule: type.size-literal]: a size that is constant is at least 1.
    pub(super) fn size(&mut self, env: &TypeEnv, e: &Expr) {
        let constant = env.linear(e).ok().and_then(|l| l.as_constant());
        if let Some(found) = constant.filter(|n| *n < 1) {
            self.fault(Fault::SizeLiteral { found }, e.span);
        }
    }

    fn data_argument(
        &mut self,
        env: &TypeEnv,
        expected: &BufferType,
        actuals: &Actuals,
        e: &Expr,
        (formal, at): (Formal, Span),
    ) {
        let Some((found, extents)) = self.place(env, expected, e, (formal, at)) else { return };
        if !expected.elem.meets(found.elem) {
            let fault = Fault::ArgumentPrecision { formal, expected: expected.elem, found: found.elem };
            self.fault_about(fault, e.span, Some(at));
        }
        let types = || (Type::Buffer(expected.clone()), Type::Buffer(found.clone()));
        if expected.rank() != found.rank() {
            let ranks = (expected.rank(), found.rank());
            let (expected, found) = types();
            let fault = Fault::ArgumentRank { formal, expected, found, ranks };
            return self.fault_about(fault, e.span, Some(at));
        }
        for (dim, (expected, found)) in expected.shape.iter().zip(extents.iter()).enumerate() {
            if let (Some(expected), Some(found)) = (in_caller(expected, actuals), found.clone())
                && never_equal(&expected, &found)
            {
                let fault = Fault::ArgumentShape {
                    formal,
                    dim,
                    expected: Box::new(expected),
                    found: Box::new(found),
                };
                self.fault_about(fault, e.span, Some(at));
            }
        }
    }

    /// What an argument lets the callee see; `None`, reported, when it is no place.
    fn place(
        &mut self,
        env: &TypeEnv,
        expected: &BufferType,
        e: &Expr,
        (formal, at): (Formal, Span),
    ) -> Option<(BufferType, Extents)> {
        match &e.kind {
            ExprKind::Read { name, idx } => {
                if let Some(VarType::Buffer { typ, mem: _ }) = self.peek(env, *name) {
                    if idx.is_empty() {
                        return Some((typ.clone(), env.extents(*name)?));
                    }
                    let cell = BufferType::tensor(typ.elem, []);
                    return self.indices(env, *name, typ, idx, e.span).then(|| (cell, Extents::from([])));
                }
            }
            ExprKind::Window(w) => return self.window(env, w, e.span),
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => {}
        }
        let fault = match self.operand(env, e, Want::Data).typ {
            Type::Error => return None,
            Type::Data(_) if expected.rank() == 0 => {
                Fault::ScalarArgument { formal, expected: expected.elem }
            }
            found @ (Type::Data(_) | Type::Control(_) | Type::Buffer(_)) => {
                Fault::Argument { formal, expected: Type::Buffer(expected.clone()), found }
            }
        };
        self.fault_about(fault, e.span, Some(at));
        None
    }

    /// `Cfg.field = e`. Spec: [rule: type.config-field].
    pub(super) fn write_config(&mut self, env: &TypeEnv, config: &Config, field: Name, e: &Expr, span: Span) {
        let Some(expected) = self.field(config, field, span) else {
            self.infer(env, e, Want::Data);
            return;
        };
        let want = match expected {
            FieldType::Control(_) => Want::Control,
            FieldType::Data(_) => Want::Data,
        };
        match (expected, self.operand(env, e, want).typ) {
            (_, Type::Error) | (FieldType::Data(_), Type::Data(_)) => {}
            (FieldType::Control(t), Type::Control(found)) if fits(t, found) => {
                if t == ControlType::Size {
                    self.size(env, e);
                }
            }
            (FieldType::Control(_) | FieldType::Data(_), found) => {
                let at = config.field(field).map(|f| f.span);
                self.fault_about(
                    Fault::ConfigField { config: config.name, field, expected, found },
                    e.span,
                    at,
                );
            }
        }
    }
}

/// Whether two extents differ by a constant. Of the others, whether they are equal is for a proof to say:
/// it may hang on assertions, guards and bounds of loops.
fn never_equal(a: &Linear, b: &Linear) -> bool {
    let difference = a.clone().minus(b).ok();
    difference.and_then(|d| d.as_constant()).is_some_and(|d| d != 0)
}

/// Whether a control value of one type may be passed for another.
fn fits(expected: ControlType, found: ControlType) -> bool {
    match expected {
        ControlType::Int | ControlType::Index | ControlType::Size => found.is_indexable(),
        ControlType::Bool => found == ControlType::Bool,
        ControlType::Stride => matches!(found, ControlType::Stride | ControlType::Int),
    }
}

/// A formal's extent in terms of the caller; `None` when an argument that it mentions is ill-typed.
fn in_caller(extent: &Expr, actuals: &Actuals) -> Option<Linear> {
    let extent = Linear::of(extent).ok()?;
    let known = std::cell::Cell::new(true);
    let image = extent.substitute(&|a| match a {
        Atom::Var(x) => {
            known.set(known.get() && actuals.contains_key(x));
            actuals.get(x).cloned()
        }
        Atom::Stride(..) | Atom::Config(_) | Atom::Div(..) => None,
    });
    image.ok().filter(|_| known.get())
}
