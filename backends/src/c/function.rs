//! One procedure as one C function: parameters, preconditions, body.
//! Spec: [rule: c.procedures], [rule: c.const], [rule: c.restrict], [rule: c.asserts].

use crate::c::comment::describe;
use crate::c::control::Product;
use crate::c::emit;
use crate::c::lower::Lower;
use crate::c::names::identifiers;
use crate::c::style::Style;
use crate::c::tree::{CExpr, CFunction, CParam, CStmt, CType};
use crate::c::unit::{Unit, WindowType};
use crate::c::usage::{CONTEXT, Usage};
use crate::c::window::{BufferRef, is_struct, member_stride};
use rewright_semantics::ast::{Arg, BinOp, Expr, ExprKind, Literal, Proc};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType, MemName};
use std::sync::Arc;

/// The macro that tells the C compiler what holds.
pub(crate) const ASSUME: &str = "ASSUME";

/// Lowers a procedure to a function.
pub(crate) fn function(unit: &mut Unit, p: &Arc<Proc>, usage: Usage, is_static: bool) -> CFunction {
    let name = unit.function(p);
    let mut params = Vec::new();
    if usage.needs_context {
        let is_const = match unit.style {
            Style::Rewright => !usage.writes_context,
            Style::Exo => false,
        };
        let typ = if unit.has_context {
            CType::pointer(CType::Named(unit.context.clone()), is_const)
        } else {
            CType::pointer(CType::Named("void".to_owned()), false)
        };
        params.push(CParam { typ, name: CONTEXT.to_owned() });
    }
    let id = unit.program.id(p);
    let mut l = Lower::new(unit, p, usage);
    let mut body = Vec::new();
    let rest = l.block(|l| {
        for (k, a) in p.args.iter().enumerate() {
            let param = l.parameter(k, a);
            if let ArgType::Control(t) = a.typ {
                l.range_of_argument(id, k, &param.name, t);
            }
            params.push(param);
        }
        // Shapes may mention arguments that come later.
        let mut head = p.args.iter().flat_map(|a| l.shape_of(a)).collect::<Vec<_>>();
        head.extend(p.preds.iter().filter_map(|e| l.assumption(e)));
        p.preds.iter().for_each(|e| l.known_strides(e));
        let mut checks = l.hold(&head, None);
        checks.append(&mut head);
        let mut head = checks;
        head.extend(l.stmts(&p.body));
        head
    });
    body.extend(unused(&params, &rest));
    body.extend(rest);
    CFunction { comment: describe(p), is_static, name, params, body }
}

/// Says of each parameter that the body does not mention that this is meant.
fn unused(params: &[CParam], body: &[CStmt]) -> Vec<CStmt> {
    let mut text = String::new();
    emit::stmts(body, 0, &mut text);
    let words = identifiers(&text);
    params.iter().filter(|p| !words.contains(&p.name)).map(|p| CStmt::Unused(CExpr::var(&p.name))).collect()
}

impl Lower<'_> {
    fn parameter(&mut self, k: usize, a: &Arg) -> CParam {
        let name = self.declare(a.name);
        let typ = match &a.typ {
            ArgType::Control(t) => {
                self.bind_control(a.name, name.clone());
                self.facts_mut().argument(a.name, *t);
                match t {
                    ControlType::Bool => CType::Bool,
                    ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride => {
                        CType::Int
                    }
                }
            }
            ArgType::Data { typ, mem } => self.data_parameter(k, a, typ, *mem, &name),
        };
        CParam { typ, name }
    }

    fn data_parameter(&mut self, k: usize, a: &Arg, t: &BufferType, mem: MemName, name: &str) -> CType {
        let elem = self.unit.concrete(t.elem);
        let is_const = !self.usage.written.contains(&a.name);
        if is_struct(t) {
            let tag = self.unit.window_tag(WindowType { rank: t.rank(), elem, is_const });
            // All factors are "unknown" here, so that each stride is the struct's.
            let unknown = Product { constant: 1, factors: vec![CExpr::Int(0)] };
            let strides = (0..t.rank()).map(|d| member_stride(name, d, unknown.clone())).collect();
            let place = self.struct_window(a.name, name, elem, mem, strides, is_const);
            self.bind_buffer(a.name, place);
            return CType::Named(format!("struct {tag}"));
        }
        let pointer = CExpr::var(name);
        let base = if t.rank() == 0 { pointer.deref() } else { pointer };
        self.bind_buffer(a.name, BufferRef::dense(a.name, base, elem, mem));
        let restrict = t.kind == ArrayKind::Tensor && !self.may_overlap_written(k, a);
        CType::Pointer { to: Box::new(CType::Data(elem)), is_const, restrict }
    }

    /// Whether a call in this unit passes, with this argument, another that shares cells with it, and
    /// one of the two is written: then `restrict` would be a lie.
    fn may_overlap_written(&self, k: usize, a: &Arg) -> bool {
        let written = |j: usize| self.arguments.get(j).is_some_and(|x| self.usage.written.contains(x));
        self.usage.overlaps.iter().any(|&(i, j)| {
            (i == k && (written(j) || self.usage.written.contains(&a.name)))
                || (j == k && (written(i) || self.usage.written.contains(&a.name)))
        })
    }

    /// The strides of a dense argument.
    fn shape_of(&mut self, a: &Arg) -> Vec<CStmt> {
        let mut out = Vec::new();
        if let ArgType::Data { typ, .. } = &a.typ
            && typ.kind == ArrayKind::Tensor
            && let Some(mut place) = self.place(a.name)
        {
            let extents = self.extents(&typ.shape);
            let shape;
            (shape, place.strides) = self.fixed_shape(a.name, &extents, &mut out);
            place.extents = extents;
            self.ranges.argument_exists(&shape);
            self.bind_buffer(a.name, place);
        } else if let ArgType::Data { typ, .. } = &a.typ {
            let shape: Vec<CExpr> = typ.shape.iter().map(|e| self.integer(e)).collect();
            self.ranges.argument_exists(&shape);
        }
        out
    }

    /// Where a precondition says what a window's stride is, indices say so too.
    fn known_strides(&mut self, e: &Expr) {
        let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return };
        if *op == BinOp::And {
            self.known_strides(lhs);
            self.known_strides(rhs);
        }
        let (ExprKind::Stride { name, dim }, ExprKind::Lit(Literal::Int(k)), BinOp::Eq) =
            (&lhs.kind, &rhs.kind, op)
        else {
            return;
        };
        if let Some(mut place) = self.place(*name)
            && let Some(stride) = place.strides.get_mut(*dim)
        {
            *stride = Product { constant: *k, factors: Vec::new() };
            self.bind_buffer(*name, place);
        }
    }

    /// A precondition as a hint. What reads configuration state is left out: hardware may hold it.
    fn assumption(&mut self, e: &Expr) -> Option<CStmt> {
        let mut reads_config = false;
        rewright_semantics::syntax::walk::each_expr(e, &mut |e| {
            reads_config |= matches!(e.kind, ExprKind::ReadConfig { .. });
        });
        if reads_config {
            return None;
        }
        let condition = self.condition(e);
        self.facts_mut().assume(e);
        self.ranges.assume(&condition, true);
        if matches!(condition, CExpr::Bool(_)) {
            return None;
        }
        Some(CStmt::Expr(CExpr::Call(ASSUME.to_owned(), vec![condition])))
    }
}
