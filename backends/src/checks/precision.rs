//! One precision per expression; literals have whichever the others have. PLDI'22 §3.1.1.
//! Spec: [rule: backend.precision], [rule: backend.real], [rule: backend.argument-precision].

use crate::c::bindings::Bindings;
use crate::c::number;
use crate::externs::takes_integers;
use rewright_semantics::ast::{Arg, Config, Expr, ExprKind, Literal, Proc, StmtKind, WindowExpr};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::walk::{each_expr, each_stmt};
use rewright_semantics::types::{ArgType, DataType, FieldType};

/// The precision of a data expression; `None` when it is made of literals only.
pub fn precision(e: &Expr, bindings: &Bindings) -> Option<DataType> {
    first_leaf(e, bindings).map(|(t, _)| t)
}

/// The first part of an expression that has a precision of its own.
fn first_leaf<'a>(e: &'a Expr, bindings: &Bindings) -> Option<(DataType, &'a Expr)> {
    match &e.kind {
        ExprKind::Read { name, .. } => bindings.buffer(*name).map(|b| (b.elem, e)),
        ExprKind::ReadConfig { config, field } => field_precision(config, *field).map(|t| (t, e)),
        ExprKind::Neg(e) => first_leaf(e, bindings),
        ExprKind::Bin { lhs, rhs, .. } => first_leaf(lhs, bindings).or_else(|| first_leaf(rhs, bindings)),
        ExprKind::Extern { args, .. } => args.iter().find_map(|e| first_leaf(e, bindings)),
        ExprKind::Lit(_) | ExprKind::Window(_) | ExprKind::Not(_) | ExprKind::Stride { .. } => None,
    }
}

fn field_precision(config: &Config, field: Name) -> Option<DataType> {
    match config.field(field)?.typ {
        FieldType::Data(t) => Some(t),
        FieldType::Control(_) => None,
    }
}

/// Every expression of a procedure that mixes precisions, and every literal and extern that its
/// precision does not have.
pub fn check(p: &Proc, bindings: &Bindings, real: Option<DataType>) -> Vec<Diagnostic> {
    let mut check = Check { bindings, real, found: Vec::new() };
    if real.is_none() {
        check.reals(p);
    }
    each_stmt(&p.body, &mut |s| match &*s.kind {
        StmtKind::Assign { name, rhs, .. } | StmtKind::Reduce { name, rhs, .. } => {
            let target = bindings.buffer(*name).map(|b| b.elem);
            check.expression(rhs, target);
        }
        StmtKind::WriteConfig { config, field, rhs } => {
            if let Some(target) = field_precision(config, *field) {
                check.expression(rhs, Some(target));
            }
        }
        StmtKind::Call { proc, args } => {
            proc.args
                .iter()
                .zip(args.iter())
                .for_each(|(formal, actual)| check.argument(formal, actual, proc));
        }
        StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => {}
    });
    check.found
}

/// What is wrong where two precisions meet.
const ONE_PRECISION: &str = "an expression has one precision, not two";

struct Check<'a> {
    bindings: &'a Bindings,
    real: Option<DataType>,
    found: Vec<Diagnostic>,
}

impl Check<'_> {
    fn concrete(&self, t: DataType) -> DataType {
        if t == DataType::R { self.real.unwrap_or(t) } else { t }
    }

    /// A whole right-hand side, stored into a cell of type `target`.
    fn expression(&mut self, e: &Expr, target: Option<DataType>) {
        let Some((t, _)) = first_leaf(e, self.bindings) else {
            if let Some(target) = target {
                self.parts(e, self.concrete(target));
            }
            return;
        };
        self.agree(e);
        self.parts(e, self.concrete(t));
    }

    /// A buffer that is passed is of the formal's type, once `R` is one.
    fn argument(&mut self, formal: &Arg, actual: &Expr, callee: &Proc) {
        let ArgType::Data { typ, .. } = &formal.typ else { return };
        let found = match &actual.kind {
            ExprKind::Read { name, .. } | ExprKind::Window(WindowExpr { name, .. }) => {
                self.bindings.buffer(*name)
            }
            ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => None,
        };
        let Some(found) = found.map(|b| self.concrete(b.elem)) else { return };
        let expected = self.concrete(typ.elem);
        // What is still `R` is refused where it is declared.
        if found.meets(expected) {
            return;
        }
        let message = format!("{} of {} is of type {expected}, not {found}", formal.name, callee.name);
        let d = Diagnostic::error("backend.argument-precision", actual.span, message)
            .label(format!("expected {expected}, found {found}"))
            .help("buffers are passed by reference and never converted: declare both with one precision");
        self.found.push(d);
    }

    /// Reports the innermost operations whose operands differ in precision.
    fn agree(&mut self, e: &Expr) {
        let (message, operands): (_, Vec<&Expr>) = match &e.kind {
            ExprKind::Neg(e) => (ONE_PRECISION.to_owned(), vec![e]),
            ExprKind::Bin { lhs, rhs, .. } => (ONE_PRECISION.to_owned(), vec![lhs, rhs]),
            ExprKind::Extern { func, args } => {
                (format!("the arguments of {func} have one precision, not two"), args.iter().collect())
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Not(_)
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => return,
        };
        operands.iter().for_each(|e| self.agree(e));
        let leaves: Vec<_> = operands.iter().filter_map(|e| first_leaf(e, self.bindings)).collect();
        let Some(&(t, first)) = leaves.first() else { return };
        if let Some(&(u, other)) = leaves.iter().find(|(u, _)| self.concrete(*u) != self.concrete(t)) {
            let d = Diagnostic::error("backend.precision", e.span, message)
                .label(format!("mixes {t} and {u}"))
                .also(first.span, format!("this is {t}"))
                .also(other.span, format!("this is {u}"))
                .help(format!("convert by assigning to a scalar first: `tmp: {t}`, `tmp = …`"));
            self.found.push(d);
        }
    }

    /// Literals and externs of an expression that is computed in `t`.
    fn parts(&mut self, e: &Expr, t: DataType) {
        let mut found = Vec::new();
        each_expr(e, &mut |e| match &e.kind {
            ExprKind::Lit(Literal::Data(d)) => {
                if let Err(why) = number::literal(d, t) {
                    let message = format!("this literal is computed in {t}, and {why}");
                    found.push(Diagnostic::error("backend.precision", e.span, message));
                }
            }
            ExprKind::Extern { func, .. } if t.is_integer() && !takes_integers(*func) => {
                let message = format!("{func} computes with floating point, not with {t}");
                let d = Diagnostic::error("backend.precision", e.span, message)
                    .help("assign the argument to a scalar of type f32 or f64 first");
                found.push(d);
            }
            ExprKind::Read { .. }
            | ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Not(_)
            | ExprKind::Bin { .. }
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. }
            | ExprKind::ReadConfig { .. } => {}
        });
        self.found.append(&mut found);
    }

    /// Every declaration of type R.
    fn reals(&mut self, p: &Proc) {
        let mut places = Vec::new();
        for a in &p.args {
            if let ArgType::Data { typ, .. } = &a.typ
                && typ.elem == DataType::R
            {
                places.push((a.name, a.span));
            }
        }
        each_stmt(&p.body, &mut |s| {
            if let StmtKind::Alloc { name, typ, .. } = &*s.kind
                && typ.elem == DataType::R
            {
                places.push((*name, s.span));
            }
        });
        for (name, span) in places {
            let d = Diagnostic::error(
                "backend.real",
                span,
                format!("{name} is of type R, which has no C type here"),
            )
            .label("expected a precision, found R")
            .help("declare it f32, f64 or another precision");
            self.found.push(d);
        }
    }
}
