//! Typing rules of expressions. Spec: [rule: type.expr] and those below it.

use super::Checker;
use super::error::{BufferUse, Fault, Role};
use super::types::{Precision, Type};
use crate::ast::{BinOp, Config, Expr, ExprKind, Literal, OpClass, WinCoord, WindowExpr};
use crate::externs::Extern;
use crate::span::Span;
use crate::sym::{Name, Sym};
use crate::types::env::{Extents, TypeEnv, VarType};
use crate::types::{BufferType, ControlType, FieldType, deep};
use num_integer::Integer;

/// What an expression is for: tells which operand is to blame where control and data meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    Control,
    Data,
}

/// The type of an expression, and its value where it consists of integer literals only.
#[derive(Clone, Debug)]
pub(super) struct Typed {
    pub(super) typ: Type,
    pub(super) constant: Option<i64>,
}

impl From<Type> for Typed {
    fn from(typ: Type) -> Typed {
        Typed { typ, constant: None }
    }
}

impl Checker {
    /// The type of any expression.
    pub(super) fn infer(&mut self, env: &TypeEnv, e: &Expr, want: Want) -> Typed {
        deep(|| match &e.kind {
            ExprKind::Read { name, idx } => self.read(env, *name, idx, e.span).into(),
            ExprKind::Window(w) => {
                self.window(env, w, e.span).map_or(Type::Error, |(t, _)| Type::Buffer(t)).into()
            }
            ExprKind::Lit(l) => literal(l),
            ExprKind::Neg(inner) => self.neg(env, inner, want),
            ExprKind::Not(inner) => {
                self.boolean(env, inner, Role::Negated);
                Type::Control(ControlType::Bool).into()
            }
            ExprKind::Bin { op, lhs, rhs } => match op.class() {
                OpClass::Arithmetic => self.arithmetic(env, *op, e.span, (lhs, rhs), want),
                OpClass::Comparison => self.comparison(env, *op, e.span, (lhs, rhs)).into(),
                OpClass::Logical => {
                    self.boolean(env, lhs, Role::Operand(*op));
                    self.boolean(env, rhs, Role::Operand(*op));
                    Type::Control(ControlType::Bool).into()
                }
            },
            ExprKind::Extern { func, args } => self.apply(env, *func, args, e.span).into(),
            ExprKind::Stride { name, dim } => self.stride(env, *name, *dim, e.span).into(),
            ExprKind::ReadConfig { config, field } => match self.field(config, *field, e.span) {
                Some(FieldType::Control(t)) => Type::Control(t).into(),
                Some(FieldType::Data(t)) => Type::Data(Precision::Of(t)).into(),
                None => Type::Error.into(),
            },
        })
    }

    /// An integer: an index, a bound. Its value where it consists of literals only.
    pub(super) fn integer(&mut self, env: &TypeEnv, e: &Expr, role: Role) -> Option<i64> {
        let Typed { typ, constant } = self.infer(env, e, Want::Control);
        match typ {
            Type::Control(t) if t.is_indexable() => {}
            Type::Control(found) => self.fault(Fault::NotInteger { role, found }, e.span),
            found @ (Type::Data(_) | Type::Buffer(_)) => {
                self.fault(Fault::ControlExpected { role, found }, e.span);
            }
            Type::Error => {}
        }
        constant
    }

    /// A truth value: a condition, an operand of `and`.
    pub(super) fn boolean(&mut self, env: &TypeEnv, e: &Expr, role: Role) {
        match self.infer(env, e, Want::Control).typ {
            Type::Control(ControlType::Bool) | Type::Error => {}
            found @ Type::Control(_) => self.fault(Fault::BoolExpected { role, found }, e.span),
            found @ (Type::Data(_) | Type::Buffer(_)) => {
                self.fault(Fault::ControlExpected { role, found }, e.span);
            }
        }
    }

    /// A data value: what is stored.
    pub(super) fn value(&mut self, env: &TypeEnv, e: &Expr, role: Role) {
        match self.operand(env, e, Want::Data).typ {
            Type::Control(found) => self.fault(Fault::DataExpected { role, found }, e.span),
            Type::Data(_) | Type::Buffer(_) | Type::Error => {}
        }
    }

    /// A value of either kind, not a whole buffer.
    pub(super) fn operand(&mut self, env: &TypeEnv, e: &Expr, want: Want) -> Typed {
        let typed = self.infer(env, e, want);
        let Type::Buffer(_) = typed.typ else { return typed };
        match &e.kind {
            ExprKind::Window(w) => self.fault(Fault::WindowValue { name: w.name }, e.span),
            ExprKind::Read { name, .. } => {
                self.fault(Fault::TensorValue { name: *name, found: typed.typ }, e.span);
            }
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => {}
        }
        Type::Error.into()
    }

    /// As many indices as dimensions, each an integer. Whether the number was right.
    pub(super) fn indices(
        &mut self,
        env: &TypeEnv,
        name: Sym,
        typ: &BufferType,
        idx: &[Expr],
        span: Span,
    ) -> bool {
        for e in idx {
            self.integer(env, e, Role::Index);
        }
        if idx.len() == typ.rank() {
            return true;
        }
        let fault = Fault::Rank { name, rank: typ.rank(), found: idx.len() };
        self.fault_about(fault, span, env.declared_at(name));
        false
    }

    /// The type of `x[w, …]` and its extents here and now; `None` when ill-typed. Spec: [rule: type.window].
    pub(super) fn window(
        &mut self,
        env: &TypeEnv,
        w: &WindowExpr,
        span: Span,
    ) -> Option<(BufferType, Extents)> {
        for c in w.idx.iter() {
            match c {
                WinCoord::Point(e) => {
                    self.integer(env, e, Role::Index);
                }
                WinCoord::Interval(lo, hi) => self.slice(env, lo, hi),
            }
        }
        let base = self.buffer(env, w.name, BufferUse::Windowed, span)?;
        if base.rank() != w.idx.len() {
            let fault = Fault::Rank { name: w.name, rank: base.rank(), found: w.idx.len() };
            self.fault_about(fault, span, env.declared_at(w.name));
            return None;
        }
        Some((env.window_type(w)?, env.window_extents(w)))
    }

    /// The buffer of this name; `None`, reported, when there is none.
    pub(super) fn buffer<'e>(
        &mut self,
        env: &'e TypeEnv,
        name: Sym,
        used: BufferUse,
        span: Span,
    ) -> Option<&'e BufferType> {
        match self.lookup(env, name, span)? {
            VarType::Buffer { typ, mem: _ } => Some(typ),
            VarType::Control(found) => {
                self.fault_about(
                    Fault::NotABuffer { name, found: *found, used },
                    span,
                    env.declared_at(name),
                );
                None
            }
        }
    }

    /// The type of a configuration field; `None`, reported, when the class has none of that name.
    pub(super) fn field(&mut self, config: &Config, field: Name, span: Span) -> Option<FieldType> {
        let found = config.field(field);
        if found.is_none() {
            self.fault(Fault::UnknownField { config: config.name, field }, span);
        }
        found.map(|f| f.typ)
    }

    fn read(&mut self, env: &TypeEnv, name: Sym, idx: &[Expr], span: Span) -> Type {
        if let (Some(VarType::Control(t)), []) = (self.peek(env, name), idx) {
            return Type::Control(*t);
        }
        let Some(typ) = self.buffer(env, name, BufferUse::Indexed, span) else {
            for e in idx {
                self.integer(env, e, Role::Index);
            }
            return Type::Error;
        };
        if idx.is_empty() && typ.rank() > 0 {
            return Type::Buffer(typ.clone());
        }
        let elem = Type::Data(Precision::Of(typ.elem));
        if self.indices(env, name, typ, idx, span) { elem } else { Type::Error }
    }

    /// [rule: type.extent]: a slice that always ends before it begins is refused.
    fn slice(&mut self, env: &TypeEnv, lo: &Expr, hi: &Expr) {
        self.integer(env, lo, Role::SliceBound);
        self.integer(env, hi, Role::SliceBound);
        let extent = env.linear(hi).and_then(|h| h.minus(&env.linear(lo)?));
        if let Some(found) = extent.ok().and_then(|e| e.as_constant()).filter(|n| *n < 0) {
            self.fault(Fault::ExtentOfSlice { found }, lo.span.to(hi.span));
        }
    }

    fn neg(&mut self, env: &TypeEnv, e: &Expr, want: Want) -> Typed {
        let Typed { typ, constant } = self.operand(env, e, want);
        let Type::Control(t) = typ else { return typ.into() };
        if !self.number(t, None, e.span) {
            return Type::Error.into();
        }
        let typ = Type::Control(sum_type(t, ControlType::Int));
        Typed { typ, constant: constant.and_then(i64::checked_neg) }
    }

    /// Spec: [rule: type.precision].
    fn arithmetic(
        &mut self,
        env: &TypeEnv,
        op: BinOp,
        span: Span,
        (lhs, rhs): (&Expr, &Expr),
        want: Want,
    ) -> Typed {
        let (a, b) = (self.operand(env, lhs, want), self.operand(env, rhs, want));
        let numeric = |this: &mut Checker, typ: &Type, e: &Expr| match typ {
            Type::Control(t) => this.number(*t, Some(op), e.span),
            Type::Data(_) | Type::Buffer(_) | Type::Error => true,
        };
        if !(numeric(self, &a.typ, lhs) & numeric(self, &b.typ, rhs)) {
            return Type::Error.into();
        }
        match (&a.typ, &b.typ) {
            (Type::Control(s), Type::Control(t)) => {
                if !self.quasi_affine(op, span, rhs.span, &a, &b) {
                    return Type::Error.into();
                }
                let typ = Type::Control(sum_type(*s, *t));
                Typed { typ, constant: a.constant.zip(b.constant).and_then(|(m, n)| fold(op, m, n)) }
            }
            (Type::Data(p), Type::Data(q)) => {
                if op == BinOp::Mod {
                    self.fault(Fault::DataModulo, span);
                }
                Type::Data(p.join(*q)).into()
            }
            (Type::Control(t), Type::Data(_)) => self.mixture(op, want, (*t, lhs), (&b.typ, rhs)),
            (Type::Data(_), Type::Control(t)) => self.mixture(op, want, (*t, rhs), (&a.typ, lhs)),
            (Type::Buffer(_) | Type::Error, _) | (_, Type::Buffer(_) | Type::Error) => Type::Error.into(),
        }
    }

    /// Control and data in one operation: one of them is not what is wanted.
    fn mixture(
        &mut self,
        op: BinOp,
        want: Want,
        control: (ControlType, &Expr),
        data: (&Type, &Expr),
    ) -> Typed {
        let role = Role::Operand(op);
        match want {
            Want::Control => self.fault(Fault::ControlExpected { role, found: data.0.clone() }, data.1.span),
            Want::Data => self.fault(Fault::DataExpected { role, found: control.0 }, control.1.span),
        }
        Type::Error.into()
    }

    /// An operand of integer arithmetic: neither boolean nor stride.
    fn number(&mut self, t: ControlType, op: Option<BinOp>, span: Span) -> bool {
        match t {
            ControlType::Int | ControlType::Index | ControlType::Size => return true,
            ControlType::Bool => self.fault(Fault::BoolArithmetic { op }, span),
            ControlType::Stride => self.fault(Fault::StrideArithmetic { op }, span),
        }
        false
    }

    /// [rule: type.nonaffine] and [rule: type.divisor].
    fn quasi_affine(&mut self, op: BinOp, span: Span, divisor: Span, a: &Typed, b: &Typed) -> bool {
        match op {
            BinOp::Mul if a.constant.is_none() && b.constant.is_none() => {
                self.fault(Fault::Nonaffine, span);
                false
            }
            BinOp::Div | BinOp::Mod if b.constant.is_none_or(|c| c < 1) => {
                self.fault(Fault::Divisor { op, found: b.constant }, divisor);
                false
            }
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod => true,
            BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => true,
        }
    }

    /// [rule: type.comparison]: integers; for `==` also two booleans, and strides with strides or `int`.
    fn comparison(&mut self, env: &TypeEnv, op: BinOp, span: Span, (lhs, rhs): (&Expr, &Expr)) -> Type {
        let a = self.operand(env, lhs, Want::Control).typ;
        let b = self.operand(env, rhs, Want::Control).typ;
        match (&a, &b) {
            (Type::Control(s), Type::Control(t)) if !comparable(op, *s, *t) => {
                self.fault(Fault::Comparison { op, lhs: *s, rhs: *t }, span);
            }
            (Type::Data(_), Type::Data(_) | Type::Control(_)) | (Type::Control(_), Type::Data(_)) => {
                self.fault(Fault::DataComparison { op }, span);
            }
            (Type::Control(_), Type::Control(_))
            | (Type::Buffer(_) | Type::Error, _)
            | (_, Type::Buffer(_) | Type::Error) => {}
        }
        Type::Control(ControlType::Bool)
    }

    fn apply(&mut self, env: &TypeEnv, func: Extern, args: &[Expr], span: Span) -> Type {
        let mut precision = Precision::Literal;
        for e in args {
            match self.operand(env, e, Want::Data).typ {
                Type::Data(p) => precision = precision.join(p),
                Type::Control(found) => {
                    self.fault(Fault::ExternArgument { func: func.name(), found }, e.span);
                }
                Type::Buffer(_) | Type::Error => {}
            }
        }
        if args.len() != func.arity() {
            let fault = Fault::ExternArity { func: func.name(), expected: func.arity(), found: args.len() };
            self.fault(fault, span);
        }
        Type::Data(precision)
    }

    fn stride(&mut self, env: &TypeEnv, name: Sym, dim: usize, span: Span) -> Type {
        if let Some(typ) = self.buffer(env, name, BufferUse::Stride, span)
            && dim >= typ.rank()
        {
            let fault = Fault::StrideDim { name, rank: typ.rank(), dim };
            self.fault_about(fault, span, env.declared_at(name));
        }
        Type::Control(ControlType::Stride)
    }
}

fn literal(l: &Literal) -> Typed {
    match l {
        Literal::Int(n) => Typed { typ: Type::Control(ControlType::Int), constant: Some(*n) },
        Literal::Bool(_) => Type::Control(ControlType::Bool).into(),
        Literal::Data(_) => Type::Data(Precision::Literal).into(),
    }
}

/// The type of integer arithmetic: `int` as long as only literals and `int`s take part.
fn sum_type(s: ControlType, t: ControlType) -> ControlType {
    if s == ControlType::Int && t == ControlType::Int { s } else { ControlType::Index }
}

fn comparable(op: BinOp, s: ControlType, t: ControlType) -> bool {
    let stridable = |t| matches!(t, ControlType::Stride | ControlType::Int);
    let equality = (s == ControlType::Bool && t == ControlType::Bool) || (stridable(s) && stridable(t));
    (s.is_indexable() && t.is_indexable()) || (op == BinOp::Eq && equality)
}

/// `m op n`, checked to be quasi-affine; `None` on overflow.
fn fold(op: BinOp, m: i64, n: i64) -> Option<i64> {
    match op {
        BinOp::Add => m.checked_add(n),
        BinOp::Sub => m.checked_sub(n),
        BinOp::Mul => m.checked_mul(n),
        BinOp::Div => (n > 0).then(|| Integer::div_floor(&m, &n)),
        BinOp::Mod => (n > 0).then(|| Integer::mod_floor(&m, &n)),
        BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => None,
    }
}
