//! What the primitives share that lay the cells of an allocated buffer out anew: each mention of the buffer is
//! spelt in terms of the new layout, and nobody may see that strides have changed. Spec: [rule: buffers].

use crate::cursor::path::{Hole, Step};
use crate::error::Result;
use crate::kept::{Dims, Kept};
use crate::registry::{Condition, form};
use crate::rewrite::Rewrite;
use crate::tools::buffers::uses::{Spelling, Use, What, rest_of_block, uses_of};
use crate::tools::buffers::views::observations;
use rewright_effects::context::Context;
use rewright_effects::effexpr::EffExpr;
use rewright_effects::lift::dense_strides;
use rewright_effects::names::fields_in_expr;
use rewright_effects::obligation::{ConditionId, Obligation};
use rewright_semantics::ast::{Expr, Proc, Stmt, StmtKind, WinCoord, WindowExpr};
use rewright_semantics::build::{int, interval};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{BufferType, MemName};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The condition of primitives that change the shape of a buffer.
pub const WINDOWS: Condition = form("windows", "every use of the buffer can be expressed in its new shape");

/// An allocation and the mentions of what it allocates.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The path of the allocation.
    pub path: Vec<Step>,
    /// The buffer.
    pub name: Sym,
    /// Its type.
    pub typ: BufferType,
    /// Where it lives.
    pub mem: MemName,
    /// The allocation's place in the source.
    pub span: Span,
    /// The statements in which it is in scope.
    pub rest: Hole,
    /// Its mentions there.
    pub uses: Vec<Use>,
}

/// Which cells a mention means.
#[derive(Clone, Debug)]
pub enum Cells<'a> {
    /// One.
    Cell(&'a [Expr]),
    /// Those of a window.
    Part(&'a [WinCoord]),
    /// All, by name: as a window it would be this one.
    Whole {
        /// Every dimension from its beginning to its end.
        all: Vec<WinCoord>,
        /// Whether they are passed for a window, and not for a tensor, which is dense.
        as_window: bool,
    },
    /// None: `stride(x, d)`.
    Stride(usize),
}

impl Buffer {
    /// The buffer that is allocated at a path.
    ///
    /// # Errors
    /// There is no allocation: a bug of the primitive.
    pub fn at(rw: &Rewrite, p: &Proc, path: &[Step]) -> Result<Buffer> {
        let s = rw.given(path)?;
        let (name, typ, mem) = alloc_parts(&s).ok_or_else(|| rw.internal("the allocation is gone"))?;
        let rest = rest_of_block(p, path);
        let uses = uses_of(p, &rest, name);
        Ok(Buffer { path: path.to_vec(), name, typ, mem, span: s.span, rest, uses })
    }

    /// A dimension given as an argument.
    ///
    /// # Errors
    /// The buffer has no such dimension.
    pub fn dim(&self, rw: &Rewrite, dim: i64) -> Result<usize> {
        let found = usize::try_from(dim).ok().filter(|d| *d < self.typ.rank());
        found.ok_or_else(|| {
            rw.wrong_argument(format!(
                "`{}` has {} dimensions, and {dim} is not one",
                self.name,
                self.typ.rank()
            ))
        })
    }

    /// The edits that give the buffer another shape and spell its mentions anew. `dims` says where each of its
    /// dimensions is then.
    pub fn reshape(&self, rw: &mut Rewrite, shape: Vec<Expr>, spellings: Vec<(Use, Spelling)>, dims: &Dims) {
        let alloc = |typ| Stmt::at(StmtKind::Alloc { name: self.name, typ, mem: self.mem }, self.span);
        let typ = BufferType { shape: shape.into(), ..self.typ.clone() };
        rw.reshape_stmt(&self.path, Kept::along(dims.clone()), |_| alloc(typ));
        respell_all(rw, spellings, dims);
    }

    /// How every mention is spelt anew. Where `f` knows no spelling, the condition `windows` fails.
    ///
    /// # Errors
    /// It does, or `f` fails.
    pub fn respell(
        &self,
        rw: &Rewrite,
        mut f: impl FnMut(&Use, Cells<'_>) -> Result<Option<Spelling>>,
    ) -> Result<Vec<(Use, Spelling)>> {
        let mut out = Vec::new();
        for u in &self.uses {
            let spelling = match &u.what {
                What::Assigned(idx) | What::Reduced(idx) | What::Read(idx) | What::CellPassed(idx) => {
                    f(u, Cells::Cell(idx))?
                }
                What::PartPassed(w) | What::Viewed(_, w) => f(u, Cells::Part(&w.idx))?,
                What::Stride(d) => f(u, Cells::Stride(*d))?,
                What::Passed { as_window } => {
                    let all = self.typ.shape.iter().map(|e| interval(int(0), e.clone())).collect();
                    // Extents that read the configuration may have another value here than at the allocation.
                    let stable = !self.typ.shape.iter().any(reads_config);
                    f(u, Cells::Whole { all, as_window: *as_window })?.filter(|new| match new {
                        Spelling::Part(_) => stable,
                        Spelling::Cell(..) | Spelling::Whole(_) | Spelling::Value(_) => true,
                    })
                }
            };
            let why = || format!("this use of `{}` cannot be expressed in its new shape", self.name);
            let new = spelling.ok_or_else(|| rw.refuse(&WINDOWS, why(), u.span))?;
            out.push((u.clone(), new));
        }
        Ok(out)
    }

    /// No one sees a change of strides. `to(d)` says which new dimension runs along the old one `d`.
    ///
    /// # Errors
    /// There is no context: a bug of the primitive.
    pub fn same_strides(
        &self,
        rw: &Rewrite,
        p: &Proc,
        shape: &[Expr],
        to: impl Fn(usize) -> Option<usize>,
    ) -> Result<Vec<Obligation>> {
        let seen = observations(p, &self.rest, self.name, self.typ.rank());
        if seen.is_empty() {
            return Ok(Vec::new());
        }
        let ctx = rw.context_of(&self.path)?;
        let strides = |shape: &[Expr]| {
            let extents: Vec<EffExpr> = shape.iter().map(|e| ctx.lift(e)).collect();
            let unknown = |_| EffExpr::unknown(rewright_effects::effexpr::Sort::Int);
            dense_strides(&extents, unknown)
        };
        let (old, new) = (strides(&self.typ.shape), strides(shape));
        let same = |o: crate::tools::buffers::views::Observation| {
            let after = to(o.dim).and_then(|d| new.get(d));
            let formula = match (old.get(o.dim), after) {
                (Some(a), Some(b)) => EffExpr::definitely(EffExpr::eq(a.clone(), b.clone())),
                (None, _) | (_, None) => EffExpr::bool(false),
            };
            let sentence = format!("the stride of `{}` that is asked for stays what it is", o.name);
            ctx.obligation(ConditionId("equal"), sentence, formula).at(o.span, "asked for here")
        };
        Ok(seen.into_iter().map(same).collect())
    }
}

/// Makes the edits that spell mentions anew. `dims` says where each dimension of what was mentioned is in what is.
pub fn respell_all(rw: &mut Rewrite, spellings: Vec<(Use, Spelling)>, dims: &Dims) {
    for (u, new) in spellings {
        match u.respell(rw.ast(), new, dims) {
            Some(edit) => rw.edit(edit),
            None => rw.broken("a spelling does not fit a use"),
        }
    }
}

/// What is allocated, when the statement is an allocation.
pub fn alloc_parts(s: &Stmt) -> Option<(Sym, BufferType, MemName)> {
    match s.kind.as_ref() {
        StmtKind::Alloc { name, typ, mem } => Some((*name, typ.clone(), *mem)),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}

/// Whether an expression reads a configuration field.
pub fn reads_config(e: &Expr) -> bool {
    let mut found = false;
    fields_in_expr(e, &mut |_, _| found = true);
    found
}

/// A window of a buffer.
pub fn part(name: Sym, idx: Vec<WinCoord>) -> Spelling {
    Spelling::Part(WindowExpr { name, idx: Arc::from(idx) })
}

/// Contexts of statements, made once each.
#[derive(Debug, Default)]
pub struct Contexts(BTreeMap<Vec<Step>, Context>);

impl Contexts {
    /// The context of a statement of the procedure as given.
    ///
    /// # Errors
    /// There is no such statement: a bug of the primitive.
    pub fn at(&mut self, rw: &Rewrite, path: &[Step]) -> Result<&Context> {
        if !self.0.contains_key(path) {
            self.0.insert(path.to_vec(), rw.context_of(path)?);
        }
        self.0.get(path).ok_or_else(|| rw.internal("a context was lost"))
    }
}

/// `0 ≤ e < extent` at a mention of a buffer.
pub fn index_within(ctx: &Context, u: &Use, e: &Expr, extent: &EffExpr) -> Obligation {
    let i = ctx.lift(e);
    let sentence = format!("the index {i} is at least 0 and below {extent}");
    let formula = EffExpr::and([EffExpr::le(EffExpr::int(0), i.clone()), EffExpr::lt(i, extent.clone())]);
    ctx.obligation(ConditionId("bounds"), sentence, EffExpr::definitely(formula)).at(u.span, "this access")
}

/// `0 ≤ lo ≤ hi ≤ extent` at a mention of a buffer.
pub fn interval_within(ctx: &Context, u: &Use, (lo, hi): (&Expr, &Expr), extent: &EffExpr) -> Obligation {
    let (lo, hi) = (ctx.lift(lo), ctx.lift(hi));
    let sentence = format!("the interval {lo}:{hi} is within 0:{extent}");
    let formula = EffExpr::and([
        EffExpr::le(EffExpr::int(0), lo.clone()),
        EffExpr::le(lo, hi.clone()),
        EffExpr::le(hi, extent.clone()),
    ]);
    ctx.obligation(ConditionId("bounds"), sentence, EffExpr::definitely(formula)).at(u.span, "this window")
}

/// An expression has at a mention of a buffer the value that it has elsewhere; `None` when it plainly has.
pub fn same_value(ctx: &Context, u: &Use, e: &Expr, elsewhere: &EffExpr) -> Option<Obligation> {
    let formula = EffExpr::definitely(EffExpr::eq(ctx.lift(e), elsewhere.clone()));
    (!formula.is_true()).then(|| {
        let sentence =
            "the expression has at every use of the buffer the value that it has at its allocation";
        ctx.obligation(ConditionId("equal"), sentence, formula).at(u.span, "this use")
    })
}
