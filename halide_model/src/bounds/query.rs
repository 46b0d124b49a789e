//! 𝓑(T): what bounds must satisfy. Thesis Fig. 2.10a; spec: [rule: halide.query].
//!
//! Where the figure cannot be taken literally: compute holes are quantified around the block their label stands in
//! [H-3]; a stage's compute bounds contain the next stage's, and references of a func to itself are demanded of the
//! stage that is running [H-5]; assertions are checked when the program runs [H-7].

use super::normal;
use super::origin::{Origin, Reader};
use crate::expr::{Access, End, Expr, Interval, Region, Site, Var};
use crate::index;
use crate::tgt::{Block, Claim, For, Label, Program, Stmt};
use rewright_base::sym::Name;

/// A predicate over the holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// `e`: an assertion of the program.
    Holds {
        /// The condition.
        cond: Expr,
        /// What it is about.
        claim: Claim,
    },
    /// `b₁ ∧ b₂ ∧ …`, in the program's order.
    And(Vec<Query>),
    /// `e ⇒ b`
    Implies(Expr, Box<Query>),
    /// `∀v ∈ I : b`
    Forall {
        /// v
        var: Var,
        /// I
        domain: Interval,
        /// b
        body: Box<Query>,
    },
    /// `let v = e in b`
    Let {
        /// v
        var: Var,
        /// e
        value: Expr,
        /// b
        body: Box<Query>,
    },
    /// `∃?ℓ : b`, several at once, the outermost first.
    Exists {
        /// The regions.
        regions: Vec<Region>,
        /// b
        body: Box<Query>,
    },
    /// `ē ∈ ?ℓ`, for some of the dimensions.
    Member {
        /// Dimensions and coordinates.
        point: Vec<(usize, Expr)>,
        /// ?ℓ
        region: Region,
        /// What asks for it.
        origin: Origin,
    },
    /// `ē ∈ ?ℓ ⇒ b`
    Inside {
        /// The point.
        point: Vec<Expr>,
        /// ?ℓ
        region: Region,
        /// b
        body: Box<Query>,
    },
    /// `Ī ⊆ ?ℓ`
    Covers {
        /// ?ℓ
        region: Region,
        /// Ī
        inner: Vec<Interval>,
        /// What asks for it.
        origin: Origin,
    },
    /// `e >= 0`
    NonNegative(Expr),
    /// The values of a func change here: what was known of them is no longer.
    Changed(Name),
}

/// `𝓑(pipeline f(p̄, x̄_min, x̄_len) : s) = ∀p̄ : 𝓑(s) ∧ [x̄_min, x̄_len] ⊆ ?cpu f`, and ⊆ ?mem f, for the window is read.
pub fn query(t: &Program) -> Query {
    let end = |d, end| Expr::Var(Var::Window(d, end));
    let mut asked = Vec::new();
    for (f, dims) in t.algorithm.windows() {
        let window: Vec<Interval> =
            dims.map(|d| Interval { min: end(d, End::Min), len: end(d, End::Len) }).collect();
        for region in [Region::Mem(f), t.last_region(f)] {
            asked.push(Query::Covers { region, inner: window.clone(), origin: Origin::Window(f) });
        }
    }
    let all = block(t, &t.body, asked);
    let corners = index::asserted(t);
    if corners.is_empty() {
        all
    } else {
        within_ends(all, &|e| index::within_ends(e, &t.algorithm, &corners))
    }
}

/// With the indices of all demands cut off at ends between which they lie.
fn within_ends(q: Query, cut: &dyn Fn(&Expr) -> Expr) -> Query {
    let inside = |body: Box<Query>| Box::new(within_ends(*body, cut));
    match q {
        Query::Member { point, region, origin } => {
            Query::Member { point: point.into_iter().map(|(d, e)| (d, cut(&e))).collect(), region, origin }
        }
        Query::Inside { point, region, body } => {
            Query::Inside { point: point.iter().map(cut).collect(), region, body: inside(body) }
        }
        Query::And(parts) => Query::And(parts.into_iter().map(|q| within_ends(q, cut)).collect()),
        Query::Implies(e, body) => Query::Implies(e, inside(body)),
        Query::Forall { var, domain, body } => Query::Forall { var, domain, body: inside(body) },
        Query::Let { var, value, body } => Query::Let { var, value, body: inside(body) },
        Query::Exists { regions, body } => Query::Exists { regions, body: inside(body) },
        Query::Holds { .. } | Query::Covers { .. } | Query::NonNegative(_) | Query::Changed(_) => q,
    }
}

/// `∃?cpu f̄ : 𝓑(s₁) ∧ 𝓑(s₂) ∧ …` for the funcs computed in this block, consumers outermost.
fn block(t: &Program, b: &Block, last: Vec<Query>) -> Query {
    let regions = cpu_regions(t, b);
    let body = sequence(t, b, last);
    if regions.is_empty() { body } else { Query::Exists { regions, body: Box::new(body) } }
}

/// The compute regions of the funcs that are computed directly in a block: the last func first, of each func the last
/// stage first, which is the order in which they are determined.
pub fn cpu_regions(t: &Program, b: &[Stmt]) -> Vec<Region> {
    let mut out = Vec::new();
    for s in b.iter().rev() {
        let Some(Label::Func(f)) = s.label() else { continue };
        let mut mine: Vec<Region> = Vec::new();
        s.visit(&mut |s| {
            if let Some(Label::Stage(site)) = s.label()
                && site.func == f
            {
                let region = Region::cpu(site, t.stages(f));
                if !mine.contains(&region) {
                    mine.push(region);
                }
            }
        });
        let stage = |r: &Region| if let Region::Cpu(s) = r { s.stage } else { 0 };
        mine.sort_by_key(|r| std::cmp::Reverse(stage(r)));
        out.extend(mine);
    }
    out
}

fn sequence(t: &Program, b: &[Stmt], last: Vec<Query>) -> Query {
    let mut parts = Vec::new();
    for (i, s) in b.iter().enumerate() {
        match s {
            // 𝓑(allocate f(…); s) = ∃?mem f : 𝓑(s)
            Stmt::Allocate { func, .. } => {
                let rest = sequence(t, b.get(i + 1..).unwrap_or_default(), last);
                let regions = vec![Region::Mem(*func)];
                parts.push(Query::Exists { regions, body: Box::new(rest) });
                return Query::And(parts);
            }
            // A completed program ends inside the lets that bind its holes.
            Stmt::Let { var, value, body } if i + 1 == b.len() => {
                parts.push(let_in(t, *var, value, body, last));
                return Query::And(parts);
            }
            Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) | Stmt::Let { .. } => {
                parts.push(stmt(t, s));
            }
            Stmt::Label { .. } => parts.push(stmt(t, s)),
        }
        parts.extend(written(s).into_iter().map(Query::Changed));
    }
    parts.extend(last);
    Query::And(parts)
}

/// The funcs that a statement stores to.
fn written(s: &Stmt) -> Vec<Name> {
    let mut out = Vec::new();
    s.visit(&mut |s| {
        if let Some(f) = s.stored().filter(|f| !out.contains(f)) {
            out.push(f);
        }
    });
    out
}

fn stmt(t: &Program, s: &Stmt) -> Query {
    match s {
        Stmt::Assert { cond, claim } => Query::Holds { cond: cond.clone(), claim: *claim },
        Stmt::Allocate { .. } => Query::And(Vec::new()),
        Stmt::Store { site, args, value } => store(t, *site, args, value),
        // 𝓑_cpu(e) ∧ e ⇒ 𝓑(s₁) ∧ ¬e ⇒ 𝓑(s₂)
        Stmt::If { cond, then, other } => {
            let not = Expr::op(crate::op::Op::Not, [cond.clone()]);
            Query::And(vec![
                cpu(t, cond, Reader::Condition, &[], None),
                Query::Implies(cond.clone(), Box::new(block(t, then, Vec::new()))),
                Query::Implies(not, Box::new(block(t, other, Vec::new()))),
            ])
        }
        Stmt::For(l) => for_loop(t, l),
        Stmt::Let { var, value, body } => let_in(t, *var, value, body, Vec::new()),
        Stmt::Label { label, body } => labelled(t, *label, body),
    }
}

/// `𝓑_cpu(e) ∧ let v = e in 𝓑(s)`
fn let_in(t: &Program, var: Var, value: &Expr, body: &Block, last: Vec<Query>) -> Query {
    let inner = Box::new(block(t, body, last));
    Query::And(vec![
        cpu(t, value, Reader::Let(var), &[], None),
        Query::Let { var, value: value.clone(), body: inner },
    ])
}

/// `e_len >= 0 ∧ ∀v ∈ I : 𝓑(s)`. What the body stores to has other values when an iteration begins.
fn for_loop(t: &Program, l: &For) -> Query {
    let mut inner: Vec<Query> = Vec::new();
    for s in &l.body {
        inner.extend(written(s).into_iter().map(Query::Changed));
    }
    inner.push(block(t, &l.body, Vec::new()));
    let body = Box::new(Query::And(inner));
    let all = Query::Forall { var: l.variable(), domain: l.domain.clone(), body };
    Query::And(vec![Query::NonNegative(l.domain.len.clone()), all])
}

/// A stage's compute bounds contain those of the stage after it [H-5].
fn labelled(t: &Program, label: Label, body: &Block) -> Query {
    let inner = block(t, body, Vec::new());
    let Label::Stage(site) = label else { return inner };
    let Some(before) = site.stage.checked_sub(1) else { return inner };
    let stages = t.stages(site.func);
    let (mine, previous) = (Region::cpu(site, stages), Region::cpu(Site { stage: before, ..site }, stages));
    let rank = t.algorithm.rank(site.func);
    let holes = (0..rank).map(|d| Interval::hole(mine, d)).collect();
    let origin = Origin::Stage(site);
    Query::And(vec![Query::Covers { region: previous, inner: holes, origin }, inner])
}

/// `ē ∈ ?mem f ∧ 𝓑_cpu(ē) ∧ 𝓑_mem(e₀) ∧ (ē ∈ ?cpu f^{i,j} ⇒ 𝓑_cpu(e₀))`
fn store(t: &Program, site: Site, args: &[Expr], value: &Expr) -> Query {
    let mut parts = vec![member(Region::Mem(site.func), args, Origin::Store(site))];
    parts.extend(args.iter().map(|e| cpu(t, e, Reader::Index(site), &[], None)));
    parts.push(mem(t, value, Reader::Value(site)));
    let region = Region::cpu(site, t.stages(site.func));
    let body = Box::new(cpu(t, value, Reader::Value(site), args, Some(site.func)));
    parts.push(Query::Inside { point: args.to_vec(), region, body });
    Query::And(parts)
}

fn member(region: Region, args: &[Expr], origin: Origin) -> Query {
    Query::Member { point: args.iter().cloned().enumerate().collect(), region, origin }
}

/// `𝓑_cpu(f^ℓ[ē]) = 𝓑_cpu(ē) ∧ ē ∈ ?mem f ∧ ē ∈ ?cpu f^ℓ`; other forms fold with ∧.
///
/// `given`: the point of func `own` that is known to be in its compute bounds; a reference of the func to itself needs
/// to say nothing of the coordinates it shares with that point.
fn cpu(t: &Program, e: &Expr, by: Reader, given: &[Expr], own: Option<Name>) -> Query {
    let mut parts = Vec::new();
    for a in e.accesses() {
        let origin = Origin::Read { by, access: a.clone() };
        parts.push(member(Region::Mem(a.func), &a.args, origin.clone()));
        let region = needed(t, a);
        let shared = |d: usize, e: &Expr| own == Some(a.func) && given.get(d).is_some_and(|g| same(g, e));
        let point: Vec<(usize, Expr)> =
            a.args.iter().enumerate().filter(|(d, e)| !shared(*d, e)).map(|(d, e)| (d, e.clone())).collect();
        if !point.is_empty() || own != Some(a.func) {
            parts.push(Query::Member { point, region, origin });
        }
    }
    Query::And(parts)
}

fn same(a: &Expr, b: &Expr) -> bool {
    a == b || normal::simplify(a) == normal::simplify(b)
}

/// The region whose values a reference must find: of another func the last stage's, of the func itself the running
/// stage's, for it may read what an earlier iteration of this stage wrote [H-5].
fn needed(t: &Program, a: &Access) -> Region {
    match a.site {
        // An input buffer holds its values everywhere.
        None if t.algorithm.input(a.func).is_some() => Region::Mem(a.func),
        None => t.last_region(a.func),
        Some(site) => Region::cpu(Site { stage: site.stage + 1, ..site }, t.stages(a.func)),
    }
}

/// `𝓑_mem(f[ē]) = 𝓑_cpu(ē) ∧ ē ∈ ?mem f`: outside the compute bounds a value may be wrong, but not its place.
fn mem(t: &Program, e: &Expr, by: Reader) -> Query {
    match e {
        Expr::Const(_) | Expr::Var(_) => Query::And(Vec::new()),
        Expr::Op(_, args) => Query::And(args.iter().map(|e| mem(t, e, by)).collect()),
        Expr::Access(a) => {
            let mut parts: Vec<Query> = a.args.iter().map(|e| cpu(t, e, by, &[], None)).collect();
            let origin = Origin::Read { by, access: a.clone() };
            parts.push(member(Region::Mem(a.func), &a.args, origin));
            Query::And(parts)
        }
    }
}
