//! Control expressions: integers by their normal form, truth values as they are written.
//! Spec: [rule: c.control], [rule: c.division].

use crate::c::affine::{Affine, Atom, NotAffine};
use crate::c::lower::Lower;
use crate::c::tree::{CExpr, InfixOp};
use crate::c::usage::CONTEXT;
use crate::externs::Helper;
use rewright_semantics::ast::{BinOp, Config, Expr, ExprKind, Literal, OpClass};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ControlType, FieldType};

/// A product: a constant and the other factors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Product {
    pub(crate) constant: i64,
    pub(crate) factors: Vec<CExpr>,
}

/// `Σ products + constant`, in the given order but for signs: what is subtracted comes after what is
/// added, and the constant last.
pub(crate) fn sum(products: Vec<Product>, constant: i64) -> CExpr {
    let (plus, minus): (Vec<Product>, Vec<Product>) = products.into_iter().partition(|p| p.constant > 0);
    let mut total: Option<CExpr> = None;
    let leads = plus.is_empty() && constant > 0;
    if leads {
        total = Some(CExpr::Int(constant));
    }
    for p in plus.into_iter().chain(minus) {
        total = Some(match total {
            None => product(p),
            Some(t) if p.constant < 0 && p.constant != i64::MIN => {
                let positive = Product { constant: -p.constant, factors: p.factors };
                CExpr::infix(InfixOp::Sub, t, product(positive))
            }
            Some(t) => CExpr::infix(InfixOp::Add, t, product(p)),
        });
    }
    match total {
        None => CExpr::Int(constant),
        Some(t) if leads || constant == 0 => t,
        Some(t) if constant < 0 && constant != i64::MIN => {
            CExpr::infix(InfixOp::Sub, t, CExpr::Int(-constant))
        }
        Some(t) => CExpr::infix(InfixOp::Add, t, CExpr::Int(constant)),
    }
}

fn product(p: Product) -> CExpr {
    let Product { constant, factors } = p;
    let mut factors = factors.into_iter();
    let Some(first) = factors.next() else { return CExpr::Int(constant) };
    let head = match constant {
        1 => first,
        -1 => first.negated(),
        k => CExpr::infix(InfixOp::Mul, CExpr::Int(k), first),
    };
    factors.fold(head, |l, r| CExpr::infix(InfixOp::Mul, l, r))
}

impl Lower<'_> {
    /// The normal form of a control integer; what has none is reported, and taken for 0.
    pub(crate) fn affine(&mut self, e: &Expr) -> Affine {
        match Affine::of(e) {
            Ok(a) => a,
            Err(why) => self.not_affine(e.span, why),
        }
    }

    /// Reports a control integer without a normal form.
    pub(crate) fn not_affine(&mut self, span: Span, why: NotAffine) -> Affine {
        self.report(Diagnostic::error("backend.control", span, why.to_string()));
        Affine::default()
    }

    /// A control integer.
    pub(crate) fn integer(&mut self, e: &Expr) -> CExpr {
        let a = self.affine(e);
        self.affine_expr(&a)
    }

    /// A normal form in C.
    pub(crate) fn affine_expr(&mut self, a: &Affine) -> CExpr {
        let products = self.products(a);
        sum(products, a.constant)
    }

    /// The terms of a normal form, outer variables before inner ones.
    pub(crate) fn products(&mut self, a: &Affine) -> Vec<Product> {
        let mut terms: Vec<&(i64, Atom)> = a.terms.iter().collect();
        terms.sort_by_key(|(_, atom)| self.order(atom));
        terms.into_iter().map(|(k, atom)| Product { constant: *k, factors: vec![self.atom(atom)] }).collect()
    }

    /// Where an atom stands in a sum: by the variables in it, in the order they came into scope; what
    /// has none comes last.
    fn order(&self, atom: &Atom) -> usize {
        match atom {
            Atom::Var(x) => self.var_order(*x),
            Atom::Div(e, _) | Atom::Mod(e, _) => {
                e.terms.iter().map(|(_, a)| self.order(a)).min().unwrap_or(usize::MAX)
            }
            Atom::Config(..) | Atom::Stride(..) => usize::MAX,
        }
    }

    fn atom(&mut self, atom: &Atom) -> CExpr {
        match atom {
            Atom::Var(x) => self.control_var(*x),
            Atom::Config(config, field) => self.config(config, *field),
            Atom::Stride(x, dim) => self.stride(*x, *dim),
            Atom::Div(e, c) => self.division(e, *c, InfixOp::Div, Helper::FloorDiv),
            Atom::Mod(e, c) => self.division(e, *c, InfixOp::Rem, Helper::FloorMod),
        }
    }

    /// C rounds towards zero: its operators are right when the dividend is not negative.
    fn division(&mut self, e: &Affine, c: i64, op: InfixOp, helper: Helper) -> CExpr {
        let is_plain = self.facts().is_nonneg(e);
        let dividend = self.affine_expr(e);
        if is_plain {
            return CExpr::infix(op, dividend, CExpr::Int(c));
        }
        CExpr::Call(self.unit.helper(helper), vec![dividend, CExpr::Int(c)])
    }

    /// A field of the context.
    pub(crate) fn config(&mut self, config: &Config, field: Name) -> CExpr {
        let path = self.unit.field(config, field).cloned();
        // Without direct access there is no field: reported by the check of configurations.
        let path = path.unwrap_or_else(|| format!("{}.{field}", config.name));
        CExpr::Arrow(Box::new(CExpr::var(CONTEXT)), path)
    }

    /// A truth value.
    pub(crate) fn condition(&mut self, e: &Expr) -> CExpr {
        match &e.kind {
            ExprKind::Lit(Literal::Bool(b)) => CExpr::Bool(*b),
            ExprKind::Read { name, .. } => self.control_var(*name),
            ExprKind::ReadConfig { config, field } => self.config(config, *field),
            ExprKind::Not(e) => self.condition(e).inverted(),
            ExprKind::Bin { op, lhs, rhs } => self.binary_condition(*op, lhs, rhs, e.span),
            ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. } => {
                self.not_affine(e.span, NotAffine::NotQuasiAffine);
                CExpr::Bool(false)
            }
        }
    }

    fn binary_condition(&mut self, op: BinOp, lhs: &Expr, rhs: &Expr, span: Span) -> CExpr {
        let infix = match op {
            BinOp::And => InfixOp::And,
            BinOp::Or => InfixOp::Or,
            BinOp::Eq => InfixOp::Eq,
            BinOp::Lt => InfixOp::Lt,
            BinOp::Le => InfixOp::Le,
            BinOp::Gt => InfixOp::Gt,
            BinOp::Ge => InfixOp::Ge,
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod => {
                self.not_affine(span, NotAffine::NotQuasiAffine);
                return CExpr::Bool(false);
            }
        };
        if let Some(known) = overlapping(op, lhs, rhs) {
            return CExpr::Bool(known);
        }
        if op.class() == OpClass::Logical || self.is_condition(lhs) {
            let (l, r) = (self.condition(lhs), self.condition(rhs));
            return folded(op, l, r).unwrap_or_else(|(l, r)| CExpr::infix(infix, l, r));
        }
        let (l, r) = (self.affine(lhs), self.affine(rhs));
        if let Some(known) = l.plus_scaled(-1, &r).ok().and_then(|d| d.as_constant()) {
            return CExpr::Bool(holds(op, known));
        }
        CExpr::infix(infix, self.affine_expr(&l), self.affine_expr(&r))
    }

    /// Whether an expression is a truth value.
    fn is_condition(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(Literal::Bool(_)) | ExprKind::Not(_) => true,
            ExprKind::Read { name, .. } => self.control_type(*name) == Some(ControlType::Bool),
            ExprKind::ReadConfig { config, field } => {
                config.field(*field).is_some_and(|f| f.typ == FieldType::Control(ControlType::Bool))
            }
            ExprKind::Bin { op, .. } => op.class() != OpClass::Arithmetic,
            ExprKind::Window(_)
            | ExprKind::Lit(_)
            | ExprKind::Neg(_)
            | ExprKind::Extern { .. }
            | ExprKind::Stride { .. } => false,
        }
    }
}

/// `l op r` of truth values, where one of them, or their being the same, decides; else the operands.
fn folded(op: BinOp, l: CExpr, r: CExpr) -> Result<CExpr, (CExpr, CExpr)> {
    match (op, l, r) {
        (BinOp::Eq, l, r) if l == r => Ok(CExpr::Bool(true)),
        (BinOp::And, CExpr::Bool(true), e) | (BinOp::And, e, CExpr::Bool(true)) => Ok(e),
        (BinOp::Or, CExpr::Bool(false), e) | (BinOp::Or, e, CExpr::Bool(false)) => Ok(e),
        (BinOp::And, CExpr::Bool(false), _) | (BinOp::And, _, CExpr::Bool(false)) => Ok(CExpr::Bool(false)),
        (BinOp::Or, CExpr::Bool(true), _) | (BinOp::Or, _, CExpr::Bool(true)) => Ok(CExpr::Bool(true)),
        (_, l, r) => Err((l, r)),
    }
}

/// Comparisons that are looked at on either side of an `and` or `or`.
const COMPARISONS: usize = 16;

/// What `lhs op rhs` is where a comparison on the left and one on the right, of the same terms, decide it: no number is
/// below 0 and above 3, all are below 5 or above 2. Compilers ask whether that is meant.
fn overlapping(op: BinOp, lhs: &Expr, rhs: &Expr) -> Option<bool> {
    let decided = match op {
        BinOp::And => false,
        BinOp::Or => true,
        BinOp::Add
        | BinOp::Sub
        | BinOp::Mul
        | BinOp::Div
        | BinOp::Mod
        | BinOp::Eq
        | BinOp::Lt
        | BinOp::Le
        | BinOp::Gt
        | BinOp::Ge => return None,
    };
    let (mut left, mut right) = (Vec::new(), Vec::new());
    comparisons(op, lhs, &mut left);
    comparisons(op, rhs, &mut right);
    let decides = left.iter().any(|a| right.iter().any(|b| decide(a, b, op)));
    decides.then_some(decided)
}

/// The values of a form without a constant for which a comparison holds: between two bounds, both included.
#[derive(Clone, Debug)]
struct Between {
    form: Affine,
    least: Option<i64>,
    most: Option<i64>,
}

impl Between {
    fn of(op: BinOp, l: &Affine, r: &Affine) -> Option<Between> {
        let mut form = l.plus_scaled(-1, r).ok()?;
        let zero = form.constant.checked_neg()?;
        form.constant = 0;
        let (least, most) = match op {
            BinOp::Eq => (Some(zero), Some(zero)),
            BinOp::Lt => (None, Some(zero.checked_sub(1)?)),
            BinOp::Le => (None, Some(zero)),
            BinOp::Gt => (Some(zero.checked_add(1)?), None),
            BinOp::Ge => (Some(zero), None),
            BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => {
                return None;
            }
        };
        Some(Between { form, least, most })
    }

    fn negated(&self) -> Option<Between> {
        let neg = |k: Option<i64>| match k {
            None => Some(None),
            Some(k) => k.checked_neg().map(Some),
        };
        Some(Between { form: self.form.scaled(-1).ok()?, least: neg(self.most)?, most: neg(self.least)? })
    }
}

/// The comparisons that `op` joins.
fn comparisons(op: BinOp, e: &Expr, out: &mut Vec<Between>) {
    if out.len() >= COMPARISONS {
        return;
    }
    if let ExprKind::Bin { op: inner, lhs, rhs } = &e.kind {
        if *inner == op {
            comparisons(op, lhs, out);
            comparisons(op, rhs, out);
        } else if let (Ok(l), Ok(r)) = (Affine::of(lhs), Affine::of(rhs)) {
            out.extend(Between::of(*inner, &l, &r));
        }
    }
}

/// Whether no value is in both (for `and`), or every value is in one (for `or`).
fn decide(a: &Between, b: &Between, op: BinOp) -> bool {
    let is_same = |b: &Between| a.form.plus_scaled(-1, &b.form).is_ok_and(|d| d.as_constant() == Some(0));
    let found = if is_same(b) { Some(b.clone()) } else { b.negated().filter(is_same) };
    let Some(b) = found else { return false };
    let apart = |lo: &Between, hi: &Between| matches!((lo.most, hi.least), (Some(m), Some(l)) if m < l);
    let covers = |lo: &Between, hi: &Between| {
        lo.least.is_none()
            && hi.most.is_none()
            && matches!((lo.most, hi.least), (Some(m), Some(l)) if m.saturating_add(1) >= l)
    };
    if op == BinOp::And { apart(a, &b) || apart(&b, a) } else { covers(a, &b) || covers(&b, a) }
}

/// Whether `l op r`, when `l - r` is known.
fn holds(op: BinOp, difference: i64) -> bool {
    match op {
        BinOp::Eq => difference == 0,
        BinOp::Lt => difference < 0,
        BinOp::Le => difference <= 0,
        BinOp::Gt => difference > 0,
        BinOp::Ge => difference >= 0,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => false,
    }
}
