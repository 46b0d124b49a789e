//! Stages that are computed together: the loops of one are fused with those of another func's.
//! Spec: [rule: halide.compute-with].

use super::walk::{reads, visit, writes};
use super::{Block, For, Label, LoopName, Order, Program, Stmt};
use crate::expr::{Expr, Interval, Site, Var};
use crate::op::Op;
use crate::text::print;
use rewright_base::sym::Name;

/// A stage goes along with the loops of another func's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Together {
    /// The innermost loop that is shared.
    pub host: LoopName,
    /// The stage that goes along.
    pub guest: Site,
    /// Which iterations run beside each other.
    pub align: Align,
}

/// Which iterations of fused loops run beside each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Those of one number.
    #[default]
    None,
    /// The first ones.
    Start,
    /// The last ones.
    End,
}

impl Align {
    /// All of them.
    pub const ALL: [Align; 3] = [Align::None, Align::Start, Align::End];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Align::None => "none",
            Align::Start => "start",
            Align::End => "end",
        }
    }

    /// The guest's range in terms of the host's variable, and how far the guest's variable is from that.
    fn moved(self, host: &Interval, guest: &Interval) -> (Interval, Option<Expr>) {
        let sub = |a: &Expr, b: &Expr| Expr::binary(Op::Sub, a.clone(), b.clone());
        let end = |i: &Interval| Expr::binary(Op::Add, i.min.clone(), i.len.clone());
        let min = match self {
            Align::None => return (guest.clone(), None),
            Align::Start => host.min.clone(),
            Align::End => sub(&end(host), &guest.len),
        };
        let by = sub(&guest.min, &min);
        (Interval { min, len: guest.len.clone() }, Some(by))
    }
}

/// What is in the way of fusing two stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    /// One func uses the other, perhaps through others.
    Dependent,
    /// The funcs are not specialized alike.
    Specializations,
    /// The stages of a func would change their order.
    StageOrder,
    /// The loops are not traversed alike.
    LoopOrder,
}

/// The program with the loops of what is computed together fused.
pub(crate) fn fused(t: &Program) -> Program {
    if t.together.is_empty() {
        return t.clone();
    }
    Program { body: everywhere(t, &t.body), together: Vec::new(), ..t.clone() }
}

fn everywhere(t: &Program, b: &Block) -> Block {
    let mut out = fused_here(t, b);
    for inner in out.iter_mut().flat_map(Stmt::blocks_mut) {
        *inner = everywhere(t, inner);
    }
    out
}

/// A block, with the funcs that are computed directly in it fused as the program asks for.
pub(crate) fn fused_here(t: &Program, b: &Block) -> Block {
    t.together.iter().fold(b.clone(), |b, pair| pair_fused(&b, *pair, &mut Vec::new()).unwrap_or(b))
}

/// Visits blocks, outermost first, until `f` says that it is done.
pub(crate) fn find(b: &Block, f: &mut impl FnMut(&Block) -> bool) -> bool {
    f(b) || b.iter().flat_map(Stmt::blocks).any(|inner| find(inner, f))
}

/// Whether one block computes both.
pub(crate) fn siblings(b: &Block, f: Name, g: Name) -> bool {
    find(b, &mut |b| position(b, f).is_some() && position(b, g).is_some())
}

/// Moves what computes `func` behind what computes `other`.
pub(crate) fn beside(t: &mut Program, func: Name, other: Name) {
    let mut taken = None;
    let without = t.replace_first(&mut |s| {
        taken = s.computes(func).then(|| s.clone());
        taken.is_some().then(Vec::new)
    });
    let (Some(without), Some(label)) = (without, taken) else { return };
    let new = without.replace_first(&mut |s| s.computes(other).then(|| vec![s.clone(), label.clone()]));
    if let Some(new) = new {
        *t = new;
    }
}

/// What is in the way, and how.
type Obstacles = Vec<(Obstacle, String)>;

/// Fuses two stages that are computed directly in a block; why there is nothing to fuse.
pub(crate) fn pair_fused(b: &Block, pair: Together, found: &mut Obstacles) -> Result<Block, String> {
    let (f, g) = (pair.host.site.func, pair.guest.func);
    let missing = || format!("`{f}` and `{g}` are not computed in one block");
    let (Some(first), Some(second)) = (position(b, f), position(b, g)) else { return Err(missing()) };
    let (block, at) = if first == second {
        (b.clone(), first)
    } else {
        joined(b, first, second, pair, found).ok_or_else(missing)?
    };
    let mut block = block;
    let body = block.get_mut(at).and_then(group_body).ok_or_else(missing)?;
    let branch = branch_mut(body, pair.host.site.spec).ok_or_else(missing)?;
    *branch = stages_fused(branch, pair, found)?;
    Ok(block)
}

/// Where in a block a func is computed, on its own or with others.
pub(crate) fn position(b: &Block, f: Name) -> Option<usize> {
    b.iter().position(|s| members(s).contains(&f))
}

/// The funcs that a statement computes together.
fn members(s: &Stmt) -> Vec<Name> {
    let (mut out, mut s) = (Vec::new(), Some(s));
    while let Some(Stmt::Label { label: Label::Func(f), body }) = s {
        out.push(*f);
        s = body.first();
    }
    out
}

/// What stands inside the labels of funcs.
fn group_body(s: &mut Stmt) -> Option<&mut Block> {
    let Stmt::Label { label: Label::Func(_), body } = s else { return None };
    if matches!(body.as_slice(), [Stmt::Label { label: Label::Func(_), .. }]) {
        return body.first_mut().and_then(group_body);
    }
    Some(body)
}

/// What stands between two statements, taken apart: what can come before both, and what has to come after.
struct Between {
    before: Block,
    after: Block,
    /// Whether the second depends on something that has to come after the first.
    linked: bool,
}

fn between(first: &Stmt, middle: &[Stmt], second: &Stmt) -> Between {
    let (mut before, mut after) = (Block::new(), Block::new());
    for s in middle {
        let memory = match s {
            Stmt::Allocate { .. } | Stmt::Assert { .. } => true,
            Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Let { .. } | Stmt::Label { .. } => {
                false
            }
        };
        let dependent = std::iter::once(first).chain(&after).any(|d| conflict(d, s));
        if dependent && !memory { after.push(s.clone()) } else { before.push(s.clone()) }
    }
    let linked = after.iter().any(|d| conflict(d, second));
    Between { before, after, linked }
}

/// Whether two statements share memory to which one of them stores.
fn conflict(a: &Stmt, b: &Stmt) -> bool {
    let (a, b) = (vec![a.clone()], vec![b.clone()]);
    let touches = |b: &Block, f| writes(b, f) || reads(b, f);
    stored(&a).into_iter().any(|f| touches(&b, f)) || stored(&b).into_iter().any(|f| touches(&a, f))
}

/// Whether two statements contain stages of one func.
fn same_func(a: &Stmt, b: &Stmt) -> bool {
    let b = stored(&vec![b.clone()]);
    stored(&vec![a.clone()]).iter().any(|f| b.contains(f))
}

fn stored(b: &Block) -> Vec<Name> {
    let mut out = Vec::new();
    visit(b, &mut |s| {
        out.extend(s.stored());
    });
    out
}

/// Puts two funcs under common labels, their stages one after the other; the block, and where in it.
fn joined(
    b: &Block,
    first: usize,
    second: usize,
    pair: Together,
    found: &mut Obstacles,
) -> Option<(Block, usize)> {
    let (lo, hi) = (first.min(second), first.max(second));
    let (one, two) = (b.get(lo)?, b.get(hi)?);
    let parts = between(one, b.get(lo + 1..hi)?, two);
    if conflict(one, two) || parts.linked {
        let (f, g) = (pair.host.site.func, pair.guest.func);
        let why = format!("`{f}` and `{g}` depend on each other");
        found.push((Obstacle::Dependent, why));
    }
    let (mut host, mut guest) = (b.get(first)?.clone(), b.get(second)?.clone());
    let names: Vec<Name> = members(one).into_iter().chain(members(two)).collect();
    let (host, guest) = (branches(group_body(&mut host)?), branches(group_body(&mut guest)?));
    if host.0 != guest.0 {
        let told = |conds: &[Expr]| match conds {
            [] => "is not specialized".to_owned(),
            _ => format!("is specialized for {}", print::list(conds)),
        };
        let why = format!(
            "`{}` {}, `{}` {}: specialize both with the same conditions",
            pair.host.site.func,
            told(&host.0),
            pair.guest.func,
            told(&guest.0)
        );
        found.push((Obstacle::Specializations, why));
    }
    let body = concatenated(host, guest, pair, first < second);
    let label = |body, f: &Name| vec![Stmt::Label { label: Label::Func(*f), body }];
    let group = names.iter().rev().fold(body, label);
    let mut out: Block = b.get(..lo)?.to_vec();
    out.extend(parts.before);
    let at = out.len();
    out.extend(group);
    out.extend(parts.after);
    out.extend_from_slice(b.get(hi + 1..)?);
    Some((out, at))
}

/// Conditions, and the branches: one for each and the default at the end.
type Branches = (Vec<Expr>, Vec<Block>);

fn branches(body: &Block) -> Branches {
    let (mut conds, mut out, mut b) = (Vec::new(), Vec::new(), body);
    while let [Stmt::If { cond, then, other }] = b.as_slice() {
        conds.push(cond.clone());
        out.push(then.clone());
        b = other;
    }
    out.push(b.clone());
    (conds, out)
}

/// Both in each branch. With other conditions than the host's the guest comes along in the branch that is named alone.
fn concatenated(host: Branches, guest: Branches, pair: Together, host_first: bool) -> Block {
    let same = host.0 == guest.0;
    let place = |n: usize| pair.host.site.spec.checked_sub(1).unwrap_or(n.saturating_sub(1));
    let named = place(host.1.len());
    let bodies = host.1.iter().enumerate().map(|(i, mine)| {
        let theirs = if same { guest.1.get(i) } else { guest.1.get(place(guest.1.len())) };
        let theirs = theirs.filter(|_| same || i == named).cloned().unwrap_or_default();
        let (a, b) = if host_first { (mine.clone(), theirs) } else { (theirs, mine.clone()) };
        a.into_iter().chain(b).collect::<Block>()
    });
    let mut bodies: Vec<Block> = bodies.collect();
    let default = bodies.pop().unwrap_or_default();
    host.0
        .into_iter()
        .zip(bodies)
        .rev()
        .fold(default, |other, (cond, then)| vec![Stmt::If { cond, then, other }])
}

/// The branch of a specialization.
fn branch_mut(body: &mut Block, spec: usize) -> Option<&mut Block> {
    if !matches!(body.as_slice(), [Stmt::If { .. }]) {
        return (spec == 0).then_some(body);
    }
    let Some(Stmt::If { then, other, .. }) = body.first_mut() else { return None };
    match spec {
        0 => branch_mut(other, 0),
        1 => Some(then),
        n => branch_mut(other, n - 1),
    }
}

/// Fuses two stages of a branch.
fn stages_fused(b: &Block, pair: Together, found: &mut Obstacles) -> Result<Block, String> {
    let host = b.iter().position(|s| contains(s, |s| s.is_loop(pair.host)));
    let mine = |at: &Site| at.func == pair.guest.func && at.stage == pair.guest.stage;
    let guest =
        b.iter().position(|s| contains(s, |s| matches!(s.label(), Some(Label::Stage(at)) if mine(&at))));
    let host = host.ok_or_else(|| format!("there is no loop {}", pair.host))?;
    let Site { func, stage, .. } = pair.guest;
    let guest = guest.ok_or_else(|| format!("`{func}` has no stage {stage} here"))?;
    if host == guest {
        return Err(format!("stage {stage} of `{func}` goes along with {} already", pair.host));
    }
    let (lo, hi) = (host.min(guest), host.max(guest));
    let none = || "there is nothing to fuse".to_owned();
    let (one, two) = (b.get(lo).ok_or_else(none)?, b.get(hi).ok_or_else(none)?);
    let parts = between(one, b.get(lo + 1..hi).unwrap_or_default(), two);
    if parts.linked || same_func(one, two) {
        let why =
            format!("stage {stage} of `{func}` and {} would change the order of a func's stages", pair.host);
        found.push((Obstacle::StageOrder, why));
    }
    let fused = nests_fused(
        b.get(host).ok_or_else(none)?,
        b.get(guest).ok_or_else(none)?,
        pair,
        host < guest,
        found,
    )?;
    let mut out: Block = b.get(..lo).unwrap_or_default().to_vec();
    out.extend(parts.before);
    out.push(fused);
    out.extend(parts.after);
    out.extend_from_slice(b.get(hi + 1..).unwrap_or_default());
    Ok(out)
}

fn contains(s: &Stmt, is: impl Fn(&Stmt) -> bool) -> bool {
    let mut found = false;
    s.visit(&mut |s| found |= is(s));
    found
}

/// Loops that stand one immediately inside the other, outermost first, and what is inside them.
struct PerfectNest {
    loops: Vec<For>,
    rest: Block,
}

/// The outer loops of a stage, up to the one for which `last` holds of its number and itself.
fn perfect_nest(s: &Stmt, last: &impl Fn(usize, &For) -> bool) -> Option<PerfectNest> {
    if let Stmt::Label { label: label @ Label::Stage(_), body } = s {
        let [inner] = body.as_slice() else { return None };
        let PerfectNest { loops, rest } = perfect_nest(inner, last)?;
        return Some(PerfectNest { loops, rest: vec![Stmt::Label { label: *label, body: rest }] });
    }
    let outermost = s.as_loop()?;
    let mut loops = vec![outermost.clone()];
    loop {
        let innermost = loops.last()?;
        if last(loops.len(), innermost) {
            let rest = innermost.body.clone();
            return rectangular(&loops).then_some(PerfectNest { loops, rest });
        }
        let next = innermost.inner_loop()?;
        loops.push(next);
    }
}

/// Whether no loop's range depends on another loop's variable.
fn rectangular(loops: &[For]) -> bool {
    let fixed = |e: &Expr| e.accesses().is_empty() && !e.vars().iter().any(|v| matches!(v, Var::Loop(..)));
    loops.iter().all(|l| fixed(&l.domain.min) && fixed(&l.domain.len))
}

fn nests_fused(
    host: &Stmt,
    guest: &Stmt,
    pair: Together,
    host_first: bool,
    found: &mut Obstacles,
) -> Result<Stmt, String> {
    let Together { host: l, guest: Site { func, stage, .. }, align } = pair;
    let host = perfect_nest(host, &|_, at| at.site == l.site && at.var == l.var)
        .ok_or_else(|| format!("something other than loops stands around {l}"))?;
    let depth = host.loops.len();
    let guest = perfect_nest(guest, &|n, _| n == depth).ok_or_else(|| {
        format!(
            "stage {stage} of `{func}` does not begin with {depth} loops, one immediately inside the other"
        )
    })?;
    let guest_at: Vec<(Interval, Option<Expr>)> =
        host.loops.iter().zip(&guest.loops).map(|(a, b)| align.moved(&a.domain, &b.domain)).collect();
    let pairs = || host.loops.iter().zip(&guest.loops);
    let placed = || host.loops.iter().zip(&guest_at);
    for (a, b) in pairs() {
        if a.order != b.order || !matches!(a.order, Order::Serial | Order::Parallel) {
            let why = format!("`{}` is traversed in another way than `{}`", b.var, a.var);
            found.push((Obstacle::LoopOrder, why));
        }
    }
    let range = |mine: fn(&Interval, &Interval) -> Interval| -> Vec<Expr> {
        let differ = placed().filter(|(a, (b, _))| a.domain != *b);
        differ.flat_map(|(a, (b, _))| within(&Expr::Var(a.variable()), &mine(&a.domain, b))).collect()
    };
    let mine = guarded(range(|a, _| a.clone()), host.rest.clone());
    let theirs = pairs().zip(&guest_at).rev().fold(guest.rest.clone(), |body, ((a, b), (_, by))| {
        let here = Expr::Var(a.variable());
        let value = match by {
            Some(by) => Expr::binary(Op::Add, here, by.clone()),
            None => here,
        };
        vec![Stmt::Let { var: b.variable(), value, body }]
    });
    let theirs = guarded(range(|_, b| b.clone()), theirs);
    let (one, two) = if host_first { (mine, theirs) } else { (theirs, mine) };
    let body: Block = one.into_iter().chain(two).collect();
    let nest = pairs().zip(&guest_at).rev().fold(body, |body, ((a, b), (at, _))| {
        let domain = if a.domain == *at { a.domain.clone() } else { union(&a.domain, at) };
        vec![Stmt::For(For { domain, pure: a.pure && b.pure, body, ..a.clone() })]
    });
    nest.into_iter().next().ok_or_else(|| "there is nothing to fuse".to_owned())
}

/// `m <= v` and `v < m + n`
fn within(v: &Expr, i: &Interval) -> [Expr; 2] {
    let below = Expr::binary(Op::Lt, v.clone(), i.min.clone());
    let end = Expr::binary(Op::Add, i.min.clone(), i.len.clone());
    [Expr::op(Op::Not, [below]), Expr::binary(Op::Lt, v.clone(), end)]
}

fn guarded(conds: Vec<Expr>, then: Block) -> Block {
    match conds.into_iter().reduce(|a, b| Expr::binary(Op::And, a, b)) {
        Some(cond) => vec![Stmt::If { cond, then, other: Block::new() }],
        None => then,
    }
}

/// The least interval that contains both.
fn union(a: &Interval, b: &Interval) -> Interval {
    let end = |i: &Interval| Expr::binary(Op::Add, i.min.clone(), i.len.clone());
    let min = Expr::binary(Op::Min, a.min.clone(), b.min.clone());
    let max = Expr::binary(Op::Max, end(a), end(b));
    Interval { len: Expr::binary(Op::Sub, max, min.clone()), min }
}
