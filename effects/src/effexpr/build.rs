//! The constructors of effect expressions. Each folds constants and simple identities that hold in the
//! ternary logic; none changes the meaning.
//!
//! What no fold is about stays as it is: so a form that folding does not know is no mistake.
//!
//! A constructor given an operand of the wrong sort yields ⊥, the least informative value: a mistake can
//! then lose a proof, but never make one.

use super::{CmpOp, EffExpr, Node, Sort, Var};
use rewright_semantics::sym::{Name, Sym};
use rustc_hash::FxHashSet;

/// Leaves that occur all over.
struct Leaves {
    /// The integers from 0 on.
    ints: Vec<EffExpr>,
    truth: EffExpr,
    falsehood: EffExpr,
    unknown_int: EffExpr,
    unknown_bool: EffExpr,
}

thread_local! {
    // Of each thread its own: threads that count the uses of one node wait for each other.
    static LEAVES: Leaves = Leaves {
        ints: (0..=64).map(|c| EffExpr::make(Node::Int(c))).collect(),
        truth: EffExpr::make(Node::Bool(true)),
        falsehood: EffExpr::make(Node::Bool(false)),
        unknown_int: EffExpr::make(Node::Unknown(Sort::Int)),
        unknown_bool: EffExpr::make(Node::Unknown(Sort::Bool)),
    };
}

impl EffExpr {
    /// A variable.
    pub fn var(v: Var, sort: Sort) -> EffExpr {
        EffExpr::make(Node::Var(v, sort))
    }

    /// An integer control variable.
    pub fn int_var(x: Sym) -> EffExpr {
        EffExpr::var(Var::Local(x), Sort::Int)
    }

    /// A boolean control variable.
    pub fn bool_var(x: Sym) -> EffExpr {
        EffExpr::var(Var::Local(x), Sort::Bool)
    }

    /// A configuration field.
    pub fn global(config: Name, field: Name, sort: Sort) -> EffExpr {
        EffExpr::var(Var::Global(config, field), sort)
    }

    /// The stride of a root buffer.
    pub fn stride(root: Sym, dim: usize) -> EffExpr {
        EffExpr::var(Var::Stride(root, dim), Sort::Int)
    }

    /// An integer.
    pub fn int(c: i64) -> EffExpr {
        let known = usize::try_from(c).ok().and_then(|c| LEAVES.with(|l| l.ints.get(c).cloned()));
        known.unwrap_or_else(|| EffExpr::make(Node::Int(c)))
    }

    /// A truth value.
    pub fn bool(b: bool) -> EffExpr {
        LEAVES.with(|l| if b { l.truth.clone() } else { l.falsehood.clone() })
    }

    /// ⊥.
    pub fn unknown(sort: Sort) -> EffExpr {
        LEAVES.with(|l| match sort {
            Sort::Int => l.unknown_int.clone(),
            Sort::Bool => l.unknown_bool.clone(),
        })
    }

    /// `-a`
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn neg(a: EffExpr) -> EffExpr {
        EffExpr::scale(-1, a)
    }

    /// `a + b`
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn add(a: EffExpr, b: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Int, [&a, &b]) {
            return bottom;
        }
        match (a.as_int(), b.as_int()) {
            (Some(x), Some(y)) => {
                if let Some(z) = x.checked_add(y) {
                    return EffExpr::int(z);
                }
            }
            (Some(0), None) => return b,
            (None, Some(0)) => return a,
            (None, Some(y)) => {
                if let Some((base, x)) = a.split_constant()
                    && let Some(z) = x.checked_add(y)
                {
                    return EffExpr::add(base, EffExpr::int(z));
                }
            }
            (Some(_), None) => return EffExpr::add(b, a),
            (None, None) => {}
        }
        EffExpr::make(Node::Add(a, b))
    }

    /// `a - b`, where `(b + y) - b` is `y`.
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn sub(a: EffExpr, b: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Int, [&a, &b]) {
            return bottom;
        }
        if a.is_definite() && a == b {
            return EffExpr::int(0);
        }
        // The extent of most windows.
        if b.is_definite()
            && let Node::Add(x, y) = a.node()
        {
            if *x == b {
                return y.clone();
            }
            if *y == b {
                return x.clone();
            }
        }
        if let Some(y) = b.as_int().and_then(i64::checked_neg) {
            return EffExpr::add(a, EffExpr::int(y));
        }
        EffExpr::make(Node::Sub(a, b))
    }

    /// `k * a`
    pub fn scale(k: i64, a: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Int, [&a]) {
            return bottom;
        }
        if k == 1 {
            return a;
        }
        if k == 0 && a.is_definite() {
            return EffExpr::int(0);
        }
        if let Some(z) = a.as_int().and_then(|c| c.checked_mul(k)) {
            return EffExpr::int(z);
        }
        if let Node::Scale(j, b) = a.node()
            && let Some(z) = j.checked_mul(k)
        {
            return EffExpr::scale(z, b.clone());
        }
        EffExpr::make(Node::Scale(k, a))
    }

    /// `a * b`: ⊥ unless one of them is a constant (quasi-affine arithmetic, PLDI'22 §3.1).
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn mul(a: EffExpr, b: EffExpr) -> EffExpr {
        match (a.as_int(), b.as_int()) {
            (Some(k), _) => EffExpr::scale(k, b),
            (None, Some(k)) => EffExpr::scale(k, a),
            (None, None) => EffExpr::unknown(Sort::Int),
        }
    }

    /// `a / k`, floor; ⊥ unless `k > 0`.
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn div(a: EffExpr, k: i64) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Int, [&a]) {
            return bottom;
        }
        match (a.as_int(), k) {
            (_, ..=0) => EffExpr::unknown(Sort::Int),
            (_, 1) => a,
            (Some(c), _) => EffExpr::int(c.div_euclid(k)),
            (None, _) => EffExpr::make(Node::Div(a, k)),
        }
    }

    /// `a % k`, in `0..k`; ⊥ unless `k > 0`.
    pub fn modulo(a: EffExpr, k: i64) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Int, [&a]) {
            return bottom;
        }
        match (a.as_int(), k) {
            (_, ..=0) => EffExpr::unknown(Sort::Int),
            (_, 1) if a.is_definite() => EffExpr::int(0),
            (Some(c), _) => EffExpr::int(c.rem_euclid(k)),
            (None, _) => EffExpr::make(Node::Mod(a, k)),
        }
    }

    /// `a = b`, of integers or of truth values.
    pub fn eq(a: EffExpr, b: EffExpr) -> EffExpr {
        match a.sort() {
            Sort::Int => EffExpr::cmp(CmpOp::Eq, a, b),
            Sort::Bool => EffExpr::iff(a, b),
        }
    }

    /// `a < b`
    pub fn lt(a: EffExpr, b: EffExpr) -> EffExpr {
        EffExpr::cmp(CmpOp::Lt, a, b)
    }

    /// `a <= b`
    pub fn le(a: EffExpr, b: EffExpr) -> EffExpr {
        EffExpr::cmp(CmpOp::Le, a, b)
    }

    /// `a > b`
    pub fn gt(a: EffExpr, b: EffExpr) -> EffExpr {
        EffExpr::lt(b, a)
    }

    /// `a >= b`
    pub fn ge(a: EffExpr, b: EffExpr) -> EffExpr {
        EffExpr::le(b, a)
    }

    /// A comparison of integers.
    pub fn cmp(op: CmpOp, a: EffExpr, b: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Int, Sort::Bool, [&a, &b]) {
            return bottom;
        }
        let holds = |x: i64, y: i64| match op {
            CmpOp::Eq => x == y,
            CmpOp::Lt => x < y,
            CmpOp::Le => x <= y,
        };
        if let (Some(x), Some(y)) = (a.as_int(), b.as_int()) {
            return EffExpr::bool(holds(x, y));
        }
        if a.is_definite() && a == b {
            return EffExpr::bool(holds(0, 0));
        }
        EffExpr::make(Node::Cmp(op, a, b))
    }

    /// `a = b` of truth values.
    pub fn iff(a: EffExpr, b: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Bool, Sort::Bool, [&a, &b]) {
            return bottom;
        }
        match (a.as_bool(), b.as_bool()) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) => EffExpr::not(b),
            (_, Some(false)) => EffExpr::not(a),
            (None, None) if a.is_definite() && a == b => EffExpr::bool(true),
            (None, None) => EffExpr::make(Node::Iff(a, b)),
        }
    }

    /// `not a`
    #[expect(clippy::should_implement_trait, reason = "named like the other constructors")]
    pub fn not(a: EffExpr) -> EffExpr {
        if let Some(bottom) = strict(Sort::Bool, Sort::Bool, [&a]) {
            return bottom;
        }
        if let Node::Bool(b) = a.node() {
            EffExpr::bool(!b)
        } else if let Node::Not(b) = a.node() {
            b.clone()
        } else if let Node::Cmp(CmpOp::Lt, x, y) = a.node() {
            EffExpr::le(y.clone(), x.clone())
        } else if let Node::Cmp(CmpOp::Le, x, y) = a.node() {
            EffExpr::lt(y.clone(), x.clone())
        } else {
            EffExpr::make(Node::Not(a))
        }
    }

    /// The conjunction of any number.
    pub fn and(es: impl IntoIterator<Item = EffExpr>) -> EffExpr {
        EffExpr::junction(true, es)
    }

    /// The disjunction of any number.
    pub fn or(es: impl IntoIterator<Item = EffExpr>) -> EffExpr {
        EffExpr::junction(false, es)
    }

    /// `and` when `unit` is true, else `or`: both have `unit` as neutral and its opposite as absorbing.
    fn junction(unit: bool, es: impl IntoIterator<Item = EffExpr>) -> EffExpr {
        let mut parts = Parts::default();
        for e in es {
            match e.as_bool() {
                Some(b) if b == unit => {}
                Some(b) => return EffExpr::bool(b),
                None if e.sort() != Sort::Bool => parts.push_new(&EffExpr::unknown(Sort::Bool)),
                None => match e.joined(unit) {
                    Some(inner) => inner.iter().for_each(|i| parts.push_new(i)),
                    None => parts.push_new(&e),
                },
            }
        }
        let parts = parts.all;
        match (unit, &parts[..]) {
            (_, []) => EffExpr::bool(unit),
            (_, [one]) => one.clone(),
            (true, _) => EffExpr::make(Node::And(parts.into())),
            (false, _) => EffExpr::make(Node::Or(parts.into())),
        }
    }

    /// `a ⇒ b`, that is `not a or b`.
    pub fn implies(a: EffExpr, b: EffExpr) -> EffExpr {
        EffExpr::or([EffExpr::not(a), b])
    }

    /// `c ? a else b`
    pub fn ite(c: EffExpr, a: EffExpr, b: EffExpr) -> EffExpr {
        let sort = a.sort();
        if c.sort() != Sort::Bool || b.sort() != sort {
            return EffExpr::unknown(sort);
        }
        if let Some(known) = c.as_bool() {
            return if known { a } else { b };
        }
        if c.is_unknown() {
            return EffExpr::unknown(sort);
        }
        if let Node::Not(d) = c.node() {
            return EffExpr::ite(d.clone(), b, a);
        }
        if c.is_definite() && a == b {
            return a;
        }
        match (a.as_bool(), b.as_bool()) {
            (Some(true), Some(false)) => c,
            (Some(false), Some(true)) => EffExpr::not(c),
            (Some(_) | None, Some(_) | None) => EffExpr::make(Node::If(c, a, b)),
        }
    }

    /// ∀ over the integers.
    pub fn forall(x: Sym, a: EffExpr) -> EffExpr {
        EffExpr::quantified(x, a, Node::Forall)
    }

    /// ∃ over the integers: of `∃x. lo ≤ x ∧ x < hi ∧ a`, whether some iteration runs, no more is left than `lo < hi ∧ a` where
    /// `a` does not mention `x`.
    pub fn exists(x: Sym, a: EffExpr) -> EffExpr {
        run_at_all(x, &a).unwrap_or_else(|| EffExpr::quantified(x, a, Node::Exists))
    }

    fn quantified(x: Sym, a: EffExpr, make: fn(Sym, EffExpr) -> Node) -> EffExpr {
        if let Some(bottom) = strict(Sort::Bool, Sort::Bool, [&a]) {
            return bottom;
        }
        if a.mentions(Var::Local(x)) { EffExpr::make(make(x, a)) } else { a }
    }

    /// D: definitely `a`. PLDI'22 §5.1.
    pub fn definitely(a: EffExpr) -> EffExpr {
        if a.sort() != Sort::Bool || a.is_unknown() {
            EffExpr::bool(false)
        } else if a.is_definite() {
            a
        } else {
            EffExpr::make(Node::Definitely(a))
        }
    }

    /// M: maybe `a`. PLDI'22 §5.1.
    pub fn maybe(a: EffExpr) -> EffExpr {
        if a.sort() != Sort::Bool || a.is_unknown() {
            EffExpr::bool(true)
        } else if a.is_definite() {
            a
        } else {
            EffExpr::make(Node::Maybe(a))
        }
    }

    /// `D(a = b)`, asked of each arm where a side is a conditional: an arm that is ⊥ then drops out, and with it
    /// all that its condition would have been written for.
    pub fn surely_equal(a: &EffExpr, b: &EffExpr) -> EffExpr {
        if a.is_definite() && a == b {
            return EffExpr::bool(true);
        }
        if a.is_unknown() || b.is_unknown() {
            return EffExpr::bool(false);
        }
        let small = a.size().saturating_add(b.size()) <= MAX_ARMS;
        if small && let Node::If(c, x, y) = a.node() {
            either(c, EffExpr::surely_equal(x, b), EffExpr::surely_equal(y, b))
        } else if small && let Node::If(c, x, y) = b.node() {
            either(c, EffExpr::surely_equal(a, x), EffExpr::surely_equal(a, y))
        } else {
            EffExpr::definitely(EffExpr::eq(a.clone(), b.clone()))
        }
    }

    /// `base + c` taken apart.
    fn split_constant(&self) -> Option<(EffExpr, i64)> {
        if let Node::Add(a, b) = self.node() { Some((a.clone(), b.as_int()?)) } else { None }
    }

    /// The parts of a conjunction, when `unit` is true, or else of a disjunction.
    fn joined(&self, unit: bool) -> Option<&[EffExpr]> {
        if let Node::And(es) = self.node()
            && unit
        {
            return Some(es);
        }
        if let Node::Or(es) = self.node()
            && !unit
        {
            return Some(es);
        }
        None
    }
}

/// ⊥ of sort `to` when an operand is ⊥ or not of sort `from`: for operators that are strict in ⊥.
fn strict<const N: usize>(from: Sort, to: Sort, operands: [&EffExpr; N]) -> Option<EffExpr> {
    let bad = |e: &&EffExpr| e.sort() != from || e.is_unknown();
    operands.iter().any(bad).then(|| EffExpr::unknown(to))
}

/// `lo < hi ∧ a`, where an expression is `lo ≤ x ∧ x < hi ∧ a`, and nothing but `x` is ⊥ or mentions `x`.
fn run_at_all(x: Sym, a: &EffExpr) -> Option<EffExpr> {
    let var = EffExpr::int_var(x);
    let Node::And(all) = a.node() else { return None };
    let (within, rest): (Vec<_>, Vec<_>) = all.iter().partition(|part| part.mentions(Var::Local(x)));
    let [lower, upper] = within[..] else { return None };
    let (Node::Cmp(CmpOp::Le, lo, below), Node::Cmp(CmpOp::Lt, above, hi)) = (lower.node(), upper.node())
    else {
        return None;
    };
    let outside = |bound: &EffExpr| bound.is_definite() && !bound.mentions(Var::Local(x));
    let of_var = *below == var && *above == var;
    let known = of_var && outside(lo) && outside(hi) && rest.iter().all(|part| part.is_definite());
    let some = EffExpr::lt(lo.clone(), hi.clone());
    known.then(|| EffExpr::and([some].into_iter().chain(rest.into_iter().cloned())))
}

/// How large two sides may be together for [`EffExpr::surely_equal`] to look at all pairs of arms.
const MAX_ARMS: u64 = 4_000;

/// `yes` where the condition surely holds, `no` where it surely does not; false where it is ⊥.
fn either(c: &EffExpr, yes: EffExpr, no: EffExpr) -> EffExpr {
    let (holds, fails) = (EffExpr::definitely(c.clone()), EffExpr::definitely(EffExpr::not(c.clone())));
    EffExpr::or([EffExpr::and([holds, yes]), EffExpr::and([fails, no])])
}

/// Different expressions, in the order in which they came.
#[derive(Default)]
struct Parts {
    all: Vec<EffExpr>,
    /// All of them, when there are many.
    known: FxHashSet<EffExpr>,
}

/// Up to so many parts, looking through all is faster than a table of them.
const FEW_PARTS: usize = 16;

impl Parts {
    fn push_new(&mut self, e: &EffExpr) {
        if self.all.len() < FEW_PARTS {
            if !self.all.contains(e) {
                self.all.push(e.clone());
            }
            return;
        }
        if self.known.is_empty() {
            self.known.extend(self.all.iter().cloned());
        }
        if self.known.insert(e.clone()) {
            self.all.push(e.clone());
        }
    }
}
