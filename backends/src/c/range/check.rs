//! Holding what is emitted to the range: proved, checked at run time, or refused.
//! Spec: [rule: c.range], [rule: c.require], [rule: backend.range].

use super::env::{Env, factors, reads_field};
use super::eval::{Eval, Overflow, interval};
use super::interval::Interval;
use super::{Entry, Width};
use crate::c::emit;
use crate::c::lower::Lower;
use crate::c::tree::{CExpr, CStmt, CType, InfixOp, UnOp};
use crate::c::unit::Unit;
use crate::c::usage::ProcId;
use crate::externs::Helper;
use rewright_semantics::ast::{Stmt, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::syntax::walk::each_stmt;
use rewright_semantics::types::{ControlType, DataType};
use std::sync::Arc;

/// The macro that ends a run whose numbers are too large for C.
pub(crate) const REQUIRE: &str = "REQUIRE";

/// What is known in a procedure, for both widths.
pub(crate) struct Ranges {
    envs: [Env; 2],
    /// What the templates of the statement at hand were filled with.
    in_text: Vec<CExpr>,
}

impl Ranges {
    /// Where nothing is in scope.
    pub(crate) fn new(unit: &Unit) -> Ranges {
        let helper = |h| unit.helper_names.get(&h).cloned().unwrap_or_default();
        let helpers = [helper(Helper::FloorDiv), helper(Helper::FloorMod)];
        let env = |w: Width, entry: &Entry| Env::new(w, Arc::clone(&entry.by_path), helpers.clone());
        let [wide, narrow] = &unit.entry;
        Ranges { envs: [env(Width::Wide, wide), env(Width::Narrow, narrow)], in_text: Vec::new() }
    }

    /// Begins a block.
    pub(crate) fn open(&mut self) {
        self.envs.iter_mut().for_each(Env::open);
    }

    /// Ends a block.
    pub(crate) fn close(&mut self) {
        self.envs.iter_mut().for_each(Env::close);
    }

    /// Learns that a condition holds, or does not.
    pub(crate) fn assume(&mut self, condition: &CExpr, holds: bool) {
        self.envs.iter_mut().for_each(|env| env.assume(condition, holds));
    }

    /// A constant of the block: `const int_fast32_t x = value;`.
    pub(crate) fn define(&mut self, name: &str, value: &CExpr) {
        for env in &mut self.envs {
            let value = interval(env, value);
            env.bind(name, value);
        }
    }

    /// A loop variable, inside its loop.
    pub(crate) fn iterate(&mut self, name: &str, lo: &CExpr, hi: &CExpr) {
        for env in &mut self.envs {
            let (lo, hi) = (interval(env, lo), interval(env, hi));
            env.bind(name, Interval::new(lo.lo, hi.hi.saturating_sub(1)));
        }
    }

    /// Notes what a template is filled with: it is computed where the text stands.
    pub(crate) fn fill(&mut self, e: &CExpr) {
        self.in_text.push(e.clone());
    }

    /// Says that an argument of this shape exists: its extents that are not 0 multiply to a buffer's size.
    pub(crate) fn argument_exists(&mut self, shape: &[CExpr]) {
        self.exists(shape, true);
    }

    fn exists(&mut self, shape: &[CExpr], is_argument: bool) {
        for env in &mut self.envs {
            env.exists(shape, is_argument);
        }
    }
}

impl Lower<'_> {
    /// A control argument, where its function is entered.
    pub(crate) fn range_of_argument(&mut self, id: Option<ProcId>, k: usize, name: &str, t: ControlType) {
        for (env, entry) in self.ranges.envs.iter_mut().zip(&self.unit.entry) {
            let interval = id.map_or_else(|| Entry::promised(env.width, t), |id| entry.argument(id, k, t));
            env.bind(name, interval);
        }
    }

    /// Holds what a statement has become to the range, all but the blocks in it, which have been. The checks
    /// that must stand before it.
    pub(crate) fn hold(&mut self, produced: &[CStmt], s: Option<&Stmt>) -> Vec<CStmt> {
        let in_text = std::mem::take(&mut self.ranges.in_text);
        let [wide, narrow] = &self.ranges.envs;
        let found = [wide, narrow].map(|env| {
            let mut walk = Walk { eval: Eval::new(env), unit: self.unit };
            produced.iter().for_each(|s| walk.stmt(s));
            if walk.eval.has_text {
                in_text.iter().for_each(|e| walk.eval.visit(e));
            }
            walk.eval.found
        });
        if found.iter().all(Vec::is_empty) {
            return Vec::new();
        }
        let span = self.written_at(s);
        self.settle(found, span)
    }

    /// The place of a statement; of the first in it that someone wrote, where a rewrite made it.
    fn written_at(&self, s: Option<&Stmt>) -> Span {
        let mut span = s.map_or(Span::NONE, |s| s.span);
        let mut first = |s: &Stmt| {
            if span.is_none() {
                span = s.span;
            }
        };
        match s.map(|s| &*s.kind) {
            Some(StmtKind::For { body, .. }) => each_stmt(body, &mut first),
            Some(StmtKind::If { body, orelse, .. }) => {
                each_stmt(body, &mut first);
                each_stmt(orelse, &mut first);
            }
            Some(
                StmtKind::Assign { .. }
                | StmtKind::Reduce { .. }
                | StmtKind::WriteConfig { .. }
                | StmtKind::Pass
                | StmtKind::Alloc { .. }
                | StmtKind::WindowStmt { .. }
                | StmtKind::Call { .. },
            )
            | None => {}
        }
        if span.is_none() { self.span } else { span }
    }

    /// Checks for what may overflow, where a field is to blame; a report of the rest.
    fn settle(&mut self, [wide, narrow]: [Vec<Overflow>; 2], span: Span) -> Vec<CStmt> {
        let mut checks: Vec<CStmt> = Vec::new();
        for overflow in &wide {
            if reads_field(&overflow.expr) {
                let also =
                    narrow.iter().filter(|n| n.expr == overflow.expr).map(|n| (Width::Narrow, n.range));
                let check = require(within_half(
                    &overflow.expr,
                    [(Width::Wide, overflow.range)].into_iter().chain(also),
                ));
                if !checks.contains(&check) {
                    checks.push(check);
                }
            } else {
                self.refuse_range(overflow, span);
                return checks;
            }
        }
        if narrow.iter().any(|n| !wide.iter().any(|w| w.expr == n.expr)) {
            self.unit.needs_wide = true;
        }
        checks
    }

    fn refuse_range(&mut self, overflow: &Overflow, span: Span) {
        let text = emit::expr(&overflow.expr);
        let always = self.unit_range().lo > overflow.range.hi || self.unit_range().hi < overflow.range.lo;
        let may = if always { "is" } else { "may be" };
        let mut d = Diagnostic::error(
            "backend.range",
            span,
            format!("`{text}` {may} too large for C to compute with"),
        )
        .label(format!("it is {}", overflow.range));
        let [env, _] = &self.ranges.envs;
        let mut seen = Vec::new();
        for (name, interval) in values(env, &overflow.expr) {
            if !seen.contains(&name) {
                d = d.note(format!("`{name}` is {interval}"));
                seen.push(name);
            }
        }
        let help = if seen.is_empty() {
            "use smaller constants"
        } else {
            "let an assertion say how large its variables are, or use smaller constants"
        };
        self.report(d.help(help));
    }

    fn unit_range(&self) -> Interval {
        Width::Wide.range()
    }

    /// Holds a buffer that is about to be allocated to its size; the checks that must stand before it.
    pub(crate) fn hold_allocation(
        &mut self,
        name: &str,
        shape: &[CExpr],
        strides: &[CExpr],
        is_text: bool,
        span: Span,
    ) -> Vec<CStmt> {
        let span = if span.is_none() { self.span } else { span };
        let cells = shape.iter().cloned().reduce(|l, r| CExpr::infix(InfixOp::Mul, l, r));
        let Some(cells) = cells else { return Vec::new() };
        let sizes = self.ranges.envs.each_ref().map(|env| Size::of(env, shape, &cells));
        let mut checks = self.settle(sizes.each_ref().map(|s| s.extents.clone()), span);
        let [wide, narrow] = sizes;
        if wide.least > Width::Wide.cells() {
            self.too_many_cells(name, wide.least, span);
            return checks;
        }
        if !(wide.fits && narrow.fits) {
            if factors(&cells).others.is_empty() {
                self.unit.needs_wide = true;
            } else {
                checks.push(require(cells_fit(&cells)));
            }
        }
        self.ranges.exists(shape, false);
        // What is multiplied on the way to the number of cells, and to the place of one, tells nothing where an
        // extent may be 0. A field that is too large has checks of its own.
        let outer = partial_products(shape);
        for product in outer.iter().filter(|e| !reads_field(e)).chain(strides) {
            let fits = |env: &Env| {
                let mut eval = Eval::new(env);
                eval.control(product);
                eval.found.is_empty()
            };
            if !self.ranges.envs.iter().all(fits) && !factors(product).others.is_empty() {
                checks.push(require(cells_fit(product)));
                self.ranges.exists(std::slice::from_ref(product), false);
            }
        }
        if is_text {
            // The templates multiply extents as they like; together they must not leave `int` either.
            let found = self.ranges.envs.each_ref().map(|env| {
                let mut eval = Eval::new(env);
                eval.control(&cells);
                eval.found
            });
            checks.extend(self.settle(found, span));
        }
        checks
    }

    fn too_many_cells(&mut self, name: &str, cells: i128, span: Span) {
        let most = Width::Wide.cells();
        let d = Diagnostic::error("backend.range", span, format!("`{name}` is too large for C to allocate"))
            .label(format!("it has at least {cells} cells, and C's buffers have at most {most}"))
            .help("use smaller extents");
        self.report(d);
    }
}

/// The products of the outer extents: `n`, `n * m` of `n`, `m` and `k`.
fn partial_products(shape: &[CExpr]) -> Vec<CExpr> {
    let mut products: Vec<CExpr> = Vec::new();
    for e in shape.split_last().map_or(&[][..], |(_, outer)| outer) {
        let product = match products.last() {
            Some(before) => CExpr::infix(InfixOp::Mul, before.clone(), e.clone()),
            None => e.clone(),
        };
        products.push(product);
    }
    products
}

/// How many cells a buffer may have.
struct Size {
    /// What may overflow in its extents.
    extents: Vec<Overflow>,
    /// The fewest cells.
    least: i128,
    /// Whether there are never too many.
    fits: bool,
}

impl Size {
    fn of(env: &Env, shape: &[CExpr], cells: &CExpr) -> Size {
        let mut eval = Eval::new(env);
        let (mut least, mut most) = (1_i128, 1_i128);
        for e in shape {
            let extent = eval.control(e);
            least = least.saturating_mul(extent.lo.max(0));
            most = most.saturating_mul(extent.hi.max(1));
        }
        let known = env.most(&factors(cells)).is_some_and(|n| n <= env.width.cells());
        Size { extents: eval.found, least, fits: known || most <= env.width.cells() }
    }
}

/// The control expressions of statements.
struct Walk<'a> {
    eval: Eval<'a>,
    unit: &'a Unit,
}

impl Walk<'_> {
    fn stmt(&mut self, s: &CStmt) {
        match s {
            CStmt::Decl { is_const: _, typ, name: _, init: Some(e) } => self.value(typ, e),
            CStmt::Assign(l, r) => {
                self.eval.data(l);
                let is_control =
                    matches!(l, CExpr::Arrow(_, path) if self.unit.control_fields.contains_key(path));
                if is_control { self.field(l, r) } else { self.eval.data(r) }
            }
            CStmt::AddAssign(l, r) => {
                self.eval.data(l);
                self.eval.data(r);
            }
            CStmt::Expr(CExpr::Call(f, args)) if f != REQUIRE => {
                args.iter().for_each(|e| self.eval.visit(e));
            }
            CStmt::Expr(e) | CStmt::Unused(e) => self.eval.data(e),
            CStmt::Raw(_) => self.eval.has_text = true,
            CStmt::If { cond, then: _, otherwise: _ } => self.eval.visit(cond),
            CStmt::For { iter: _, lo, hi, body: _, parallel, unroll: _ } => {
                self.eval.control(lo);
                self.eval.control(hi);
                if *parallel {
                    // The iterations are counted before they are handed out.
                    self.eval.control(&CExpr::infix(InfixOp::Sub, hi.clone(), lo.clone()));
                }
            }
            CStmt::Decl { is_const: _, typ: _, name: _, init: None } | CStmt::Array { .. } => {}
        }
    }

    /// A control field is written, which is held to what it is taken to be where it is read.
    fn field(&mut self, field: &CExpr, value: &CExpr) {
        let before = self.eval.found.len();
        let range = self.eval.control(value);
        let held = self.eval.control(field);
        if self.eval.found.len() == before && !range.is_within(held) {
            self.eval.found.push(Overflow { expr: value.clone(), range });
        }
    }

    /// The first value of a variable.
    fn value(&mut self, typ: &CType, e: &CExpr) {
        match (typ, e) {
            (CType::Int | CType::Bool, e) => self.eval.visit(e),
            (CType::Pointer { .. }, CExpr::Call(_, args)) => args.iter().for_each(|e| self.bytes(e)),
            (CType::Pointer { .. } | CType::Uint32 | CType::Int64 | CType::Data(_) | CType::Named(_), e) => {
                self.eval.data(e)
            }
        }
    }

    /// A number of cells, or of cells times the size of one.
    fn bytes(&mut self, e: &CExpr) {
        if let CExpr::Infix(InfixOp::Mul, cells, size) = e
            && matches!(**size, CExpr::Sizeof(_))
        {
            self.eval.control(cells);
        } else {
            self.eval.visit(e);
        }
    }
}

/// The variables and fields of an expression, with what they come to.
fn values(env: &Env, e: &CExpr) -> Vec<(String, Interval)> {
    match e {
        CExpr::Var(_) | CExpr::Arrow(..) => vec![(emit::expr(e), interval(env, e))],
        CExpr::Infix(_, l, r) => values(env, l).into_iter().chain(values(env, r)).collect(),
        CExpr::Unary(_, e) | CExpr::Cast(_, e) => values(env, e),
        CExpr::Call(_, args) => args.iter().flat_map(|e| values(env, e)).collect(),
        CExpr::Index(..) => vec![(emit::expr(e), interval(env, e))],
        CExpr::Int(_)
        | CExpr::Literal(_)
        | CExpr::Bool(_)
        | CExpr::Raw(_)
        | CExpr::Cond(_)
        | CExpr::Member(..)
        | CExpr::Window { .. }
        | CExpr::Sizeof(_) => Vec::new(),
    }
}

fn require(condition: CExpr) -> CStmt {
    CStmt::Expr(CExpr::Call(REQUIRE.to_owned(), vec![condition]))
}

/// `INT_FAST32_MAX / k + 1`, a power of two, which `double` holds.
fn part_of_range(k: i64) -> CExpr {
    let part = CExpr::infix(InfixOp::Div, CExpr::var("INT_FAST32_MAX"), CExpr::Int(k));
    CExpr::infix(InfixOp::Add, part, CExpr::Int(1))
}

/// `(double)n * m < INT_FAST32_MAX / 16 + 1`: nothing overflows in `double`, and what it rounds is less than
/// what the offsets in a buffer leave of the range.
fn cells_fit(product: &CExpr) -> CExpr {
    let all = factors(product);
    let constant = i64::try_from(all.constant).ok().filter(|k| *k != 1).map(CExpr::Int);
    let mut others = all.others.into_iter();
    let first = others.next().unwrap_or(CExpr::Int(1)).cast(CType::Data(DataType::F64));
    let product = others.chain(constant).fold(first, |l, r| CExpr::infix(InfixOp::Mul, l, r));
    CExpr::infix(InfixOp::Lt, product, part_of_range(16))
}

/// That an operation stays within half of the range, computed in `double`: the other half is more than
/// all that is rounded. Only the ends that it may pass for one of the widths are looked at.
fn within_half(e: &CExpr, comes_to: impl Iterator<Item = (Width, Interval)>) -> CExpr {
    let value = in_double(e);
    let (mut is_above, mut is_below) = (false, false);
    for (width, range) in comes_to {
        is_above |= range.hi > width.half().hi;
        is_below |= range.lo < width.half().lo;
    }
    let above = is_above.then(|| CExpr::infix(InfixOp::Lt, value.clone(), part_of_range(2)));
    let below = is_below.then(|| CExpr::infix(InfixOp::Gt, value.clone(), part_of_range(2).negated()));
    let both = above.into_iter().chain(below).reduce(|l, r| CExpr::infix(InfixOp::And, l, r));
    both.unwrap_or(CExpr::Bool(true))
}

/// The same sum or product, in `double`.
fn in_double(e: &CExpr) -> CExpr {
    if let CExpr::Infix(op @ (InfixOp::Add | InfixOp::Sub | InfixOp::Mul), l, r) = e {
        // A product on the right that may leave the range has a check of its own, which stands before.
        return CExpr::infix(*op, in_double(l), (**r).clone());
    }
    if let CExpr::Unary(UnOp::Neg, e) = e {
        return in_double(e).negated();
    }
    e.clone().cast(CType::Data(DataType::F64))
}
