//! Which dimensions of a buffer a window keeps. PLDI'22 §3.4: `x[i, jlo:jhi]` or `x[ilo:ihi, j]`; spec:
//! [rule: unification.windows].

use super::problem::{Mismatch, Problem, WindowEquation};
use super::solve::inner_of;
use rewright_semantics::ast::{Arg, Expr, Proc, WinCoord};
use rewright_semantics::build::int;
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::env::TypeEnv;
use rewright_semantics::types::{ArgType, ArrayKind, BufferType};

/// What may be passed for a formal argument of data.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The formal argument.
    pub(super) formal: Sym,
    /// Its type.
    pub(super) typ: BufferType,
    /// The buffer.
    pub(super) buffer: Sym,
    /// Its type.
    pub(super) shown: BufferType,
    /// The dimensions of the buffer that are kept, in order.
    pub(super) kept: Vec<usize>,
    /// Whether all of the buffer is passed: then there is nothing to solve for.
    pub(super) whole: bool,
}

impl Choice {
    /// The dimension of the formal argument that runs along a dimension of the buffer.
    pub(super) fn of_dim(&self, d: usize) -> Option<usize> {
        self.kept.iter().position(|k| *k == d)
    }

    /// The coordinates of an access in terms of the formal argument, and in terms of the buffer.
    pub(super) fn coordinates(&self, a: &WindowEquation) -> (Vec<WinCoord>, Vec<WinCoord>) {
        let whole = |t: &BufferType| t.shape.iter().map(|e| WinCoord::Interval(int(0), e.clone())).collect();
        let callee = a.callee.clone().unwrap_or_else(|| whole(&self.typ));
        let block = a.block.clone().unwrap_or_else(|| whole(&self.shown));
        (callee, block)
    }

    fn fits(&self, problem: &Problem, a: &WindowEquation) -> bool {
        let (callee, block) = self.coordinates(a);
        if callee.len() != self.typ.rank() || block.len() != self.shown.rank() {
            return false;
        }
        let same = |e: &Expr, d: &Expr| inner_of(problem, e, d).is_some_and(|rest| rest);
        block.iter().enumerate().all(|(d, b)| match (self.of_dim(d).and_then(|j| callee.get(j)), b) {
            (Some(WinCoord::Point(e)), WinCoord::Point(i)) => same(e, i),
            (Some(WinCoord::Interval(lo, hi)), WinCoord::Interval(k, g)) => same(lo, k) && same(hi, g),
            (None, WinCoord::Point(i)) => same(&int(0), i),
            (Some(WinCoord::Point(_)) | None, WinCoord::Interval(..))
            | (Some(WinCoord::Interval(..)), WinCoord::Point(_)) => false,
        })
    }
}

/// How many combinations are tried.
const MOST: usize = 64;

/// The combinations of choices for all formal arguments of data.
///
/// # Errors
/// A formal argument for which there is no buffer.
pub(super) fn choices(callee: &Proc, env: &TypeEnv, problem: &Problem) -> Result<Vec<Vec<Choice>>, Mismatch> {
    let mut out: Vec<Vec<Choice>> = vec![Vec::new()];
    for formal in &callee.args {
        let ArgType::Data { typ, mem: _ } = &formal.typ else { continue };
        let these = of_formal(callee, env, problem, formal, typ)?;
        out = out
            .iter()
            .flat_map(|before| these.iter().map(|c| before.iter().chain([c]).cloned().collect()))
            .take(MOST)
            .collect();
    }
    Ok(out)
}

fn of_formal(
    callee: &Proc,
    env: &TypeEnv,
    problem: &Problem,
    formal: &Arg,
    typ: &BufferType,
) -> Result<Vec<Choice>, Mismatch> {
    let (x, name) = (formal.name, callee.name);
    let accesses: Vec<&WindowEquation> = problem.accesses.iter().filter(|a| a.formal == x).collect();
    let Some(first) = accesses.first() else {
        let why = format!("nothing says what to pass for `{x}`: `{name}` does not use it");
        return Err(Mismatch::new(Span::NONE, why));
    };
    let buffer = first.buffer;
    if let Some(other) = accesses.iter().find(|a| a.buffer != buffer) {
        let why = format!("`{x}` of `{name}` would be both `{buffer}` and `{}`", other.buffer);
        return Err(Mismatch::new(other.at, why));
    }
    let Some(shown) = env.buffer(buffer) else {
        return Err(Mismatch::new(first.at, format!("`{x}` of `{name}` is data, and `{buffer}` is none")));
    };
    let mut possible = Vec::new();
    for kept in subsets(shown.rank(), typ.rank()) {
        // Part of a buffer of more dimensions may be dense: that is proved of the call.
        let whole = typ.kind == ArrayKind::Tensor && typ.rank() > 0 && shown.rank() == typ.rank();
        possible.push(Choice { formal: x, typ: typ.clone(), buffer, shown: shown.clone(), kept, whole });
    }
    possible.retain(|c| accesses.iter().all(|a| c.fits(problem, a)));
    if possible.is_empty() {
        let text = |c: &Option<Vec<WinCoord>>, x: Sym| shown_part(x, c.as_deref());
        let uses: Vec<String> = accesses
            .iter()
            .map(|a| format!("`{}` is `{}`", text(&a.callee, a.formal), text(&a.block, a.buffer)))
            .collect();
        let why =
            format!("no part of `{buffer}` can be `{x}` of `{name}`, where {}", distinct(uses).join(" and "));
        return Err(Mismatch::new(first.at, why));
    }
    Ok(possible)
}

fn distinct(mut texts: Vec<String>) -> Vec<String> {
    texts.dedup();
    texts.truncate(3);
    texts
}

/// A part of a buffer as it is written.
pub(super) fn shown_part(x: Sym, coords: Option<&[WinCoord]>) -> String {
    let Some(coords) = coords.filter(|c| !c.is_empty()) else { return x.to_string() };
    let texts: Vec<String> = coords
        .iter()
        .map(|c| match c {
            WinCoord::Point(e) => rewright_semantics::pretty::expr_to_string(e),
            WinCoord::Interval(lo, hi) => {
                let text = rewright_semantics::pretty::expr_to_string;
                format!("{}:{}", text(lo), text(hi))
            }
        })
        .collect();
    format!("{x}[{}]", texts.join(", "))
}

/// The subsets of `0..n` with so many elements, the last dimensions first: windows mostly keep them.
fn subsets(n: usize, size: usize) -> Vec<Vec<usize>> {
    if size > n {
        return Vec::new();
    }
    let mut out: Vec<Vec<usize>> = vec![Vec::new()];
    for d in 0..n {
        let with: Vec<Vec<usize>> =
            out.iter().filter(|s| s.len() < size).map(|s| s.iter().copied().chain([d]).collect()).collect();
        out.extend(with);
    }
    out.retain(|s| s.len() == size);
    out.sort_by(|a, b| b.cmp(a));
    out
}
