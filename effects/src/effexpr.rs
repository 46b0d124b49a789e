//! Effect expressions: symbolic control values and the sentences about them. PLDI'22 §5.2 (Def. 5.1)
//! and App. B; spec: [rule: effexpr].
//!
//! An effect expression has a sort, integer or boolean, and may be ⊥. Its *variables are never ⊥*: ⊥
//! enters through [`EffExpr::unknown`] alone, so an expression without it is two-valued
//! ([`EffExpr::is_definite`]). Expressions are immutable and shared; the constructors fold constants and
//! are the only way to build one, so sorts always fit.

mod build;
mod display;
mod subst;

pub use subst::Substitution;

use rewright_semantics::sym::{Name, Sym};
use rustc_hash::{FxHashSet, FxHasher};
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The sort of an effect expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// Integers. Strides are integers.
    Int,
    /// Truth values.
    Bool,
}

/// What an effect expression may mention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Var {
    /// A control variable: an argument, a loop variable, or a bound variable of a quantifier.
    Local(Sym),
    /// A configuration field, as it is on entry to the piece of program under consideration.
    Global(Name, Name),
    /// The stride of a root buffer (an argument of window type) along a dimension.
    Stride(Sym, usize),
}

/// Comparisons of integers. The others are these with operands exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CmpOp {
    /// `=`
    Eq,
    /// `<`
    Lt,
    /// `<=`
    Le,
}

/// The forms of effect expressions. Read-only: build with the constructors of [`EffExpr`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A variable of a sort.
    Var(Var, Sort),
    /// An integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// ⊥ of a sort.
    Unknown(Sort),
    /// `-a`
    Neg(EffExpr),
    /// `a + b`
    Add(EffExpr, EffExpr),
    /// `a - b`
    Sub(EffExpr, EffExpr),
    /// `k * a`
    Scale(i64, EffExpr),
    /// `a / k`, floor; `k > 0`.
    Div(EffExpr, i64),
    /// `a % k`, in `0..k`; `k > 0`.
    Mod(EffExpr, i64),
    /// A comparison of integers.
    Cmp(CmpOp, EffExpr, EffExpr),
    /// `a = b` of truth values.
    Iff(EffExpr, EffExpr),
    /// `not a`
    Not(EffExpr),
    /// Conjunction of at least two, none of them a conjunction or a constant.
    And(Arc<[EffExpr]>),
    /// Disjunction of at least two, none of them a disjunction or a constant.
    Or(Arc<[EffExpr]>),
    /// `c ? a else b`, of either sort; ⊥ when `c` is.
    If(EffExpr, EffExpr, EffExpr),
    /// For all integers.
    Forall(Sym, EffExpr),
    /// For some integer.
    Exists(Sym, EffExpr),
    /// D: definitely.
    Definitely(EffExpr),
    /// M: maybe.
    Maybe(EffExpr),
}

/// The operands of a node, whatever it does with them.
#[derive(Clone, Copy, Debug)]
pub enum Shape<'a> {
    /// A variable, a constant or ⊥.
    Leaf,
    /// One operand.
    One(&'a EffExpr),
    /// Two.
    Two(&'a EffExpr, &'a EffExpr),
    /// A condition and two arms.
    Three(&'a EffExpr, &'a EffExpr, &'a EffExpr),
    /// Any number.
    Many(&'a [EffExpr]),
    /// The body of a quantifier, below the variable that it binds.
    Under(Sym, &'a EffExpr),
}

impl Node {
    /// Its operands.
    pub fn shape(&self) -> Shape<'_> {
        match self {
            Node::Var(..) | Node::Int(_) | Node::Bool(_) | Node::Unknown(_) => Shape::Leaf,
            Node::Neg(a)
            | Node::Scale(_, a)
            | Node::Div(a, _)
            | Node::Mod(a, _)
            | Node::Not(a)
            | Node::Definitely(a)
            | Node::Maybe(a) => Shape::One(a),
            Node::Add(a, b) | Node::Sub(a, b) | Node::Cmp(_, a, b) | Node::Iff(a, b) => Shape::Two(a, b),
            Node::If(c, a, b) => Shape::Three(c, a, b),
            Node::And(es) | Node::Or(es) => Shape::Many(es),
            Node::Forall(x, a) | Node::Exists(x, a) => Shape::Under(*x, a),
        }
    }

    /// The variable that a quantifier binds.
    pub fn bound_variable(&self) -> Option<Sym> {
        match self.shape() {
            Shape::Under(x, _) => Some(x),
            Shape::Leaf | Shape::One(_) | Shape::Two(..) | Shape::Three(..) | Shape::Many(_) => None,
        }
    }

    /// Calls `f` on each operand, left to right.
    fn operands(&self, mut f: impl FnMut(&EffExpr)) {
        match self.shape() {
            Shape::Leaf => {}
            Shape::One(a) | Shape::Under(_, a) => f(a),
            Shape::Two(a, b) => [a, b].into_iter().for_each(f),
            Shape::Three(c, a, b) => [c, a, b].into_iter().for_each(f),
            Shape::Many(es) => es.iter().for_each(f),
        }
    }
}

#[derive(Debug)]
struct Inner {
    node: Node,
    sort: Sort,
    hash: u64,
    /// Number of nodes as a tree, saturating.
    size: u64,
    /// A Bloom filter of the variables that occur: a cleared bit proves absence.
    mask: u64,
    facts: Facts,
    /// The free variables in their order, once someone has asked. A node shares those of an operand that has them all.
    free: OnceLock<Arc<[(Var, Sort)]>>,
}

/// An effect expression. Cloning is O(1).
#[derive(Clone, Debug)]
pub struct EffExpr(Arc<Inner>);

impl EffExpr {
    fn make(node: Node) -> EffExpr {
        let (sort, mut facts) = (sort_of(&node), Facts::of_form(&node));
        let mut hasher = FxHasher::default();
        node.hash(&mut hasher);
        let (mut size, mut mask) = (1_u64, 0);
        if let Node::Var(v, _) = &node {
            mask = v.mask();
        }
        node.operands(|c| {
            size = size.saturating_add(c.0.size);
            mask |= c.0.mask;
            facts = facts.with_operand(c.0.facts);
        });
        // D and M are never ⊥, whatever their operands are.
        facts.definite |= matches!(node, Node::Definitely(_) | Node::Maybe(_));
        EffExpr(Arc::new(Inner {
            hash: hasher.finish(),
            node,
            sort,
            size,
            mask,
            facts,
            free: OnceLock::new(),
        }))
    }

    /// Its form.
    pub fn node(&self) -> &Node {
        &self.0.node
    }

    /// Its sort.
    pub fn sort(&self) -> Sort {
        self.0.sort
    }

    /// How many nodes it has, written out as a tree; saturates.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Whether it cannot be ⊥ whatever its variables are, by the absence of ⊥ outside D and M.
    pub fn is_definite(&self) -> bool {
        self.0.facts.definite
    }

    /// Whether a quantifier occurs.
    pub fn is_quantified(&self) -> bool {
        self.0.facts.quantified
    }

    /// Whether it is made of variables, constants, arithmetic, comparisons, ¬, ∧ and ∨ alone: it says the same in two values.
    pub fn is_plain(&self) -> bool {
        self.0.facts.plain
    }

    /// Whether it is the constant true.
    pub fn is_true(&self) -> bool {
        self.as_bool() == Some(true)
    }

    /// Whether it is the constant false.
    pub fn is_false(&self) -> bool {
        self.as_bool() == Some(false)
    }

    /// Whether it is the constant ⊥.
    pub fn is_unknown(&self) -> bool {
        matches!(self.node(), Node::Unknown(_))
    }

    /// Its value, if it is a truth constant.
    pub fn as_bool(&self) -> Option<bool> {
        if let Node::Bool(b) = self.node() { Some(*b) } else { None }
    }

    /// Its value, if it is an integer constant.
    pub fn as_int(&self) -> Option<i64> {
        if let Node::Int(c) = self.node() { Some(*c) } else { None }
    }

    /// Its free variables.
    pub fn free_vars(&self) -> BTreeSet<Var> {
        self.free().iter().map(|(v, _)| *v).collect()
    }

    /// Its free variables with their sorts.
    pub fn free_vars_sorted(&self) -> BTreeSet<(Var, Sort)> {
        self.free().iter().copied().collect()
    }

    /// Whether `v` occurs free.
    pub fn mentions(&self, v: Var) -> bool {
        self.0.mask & v.mask() != 0 && self.free().iter().any(|(x, _)| *x == v)
    }

    fn free(&self) -> &Arc<[(Var, Sort)]> {
        self.0.free.get_or_init(|| {
            if let Node::Var(v, sort) = self.node() {
                return Arc::from([(*v, *sort)]);
            }
            let mut out: Arc<[(Var, Sort)]> = Arc::default();
            self.node().operands(|c| {
                if c.0.mask != 0 {
                    out = union(&out, c.free());
                }
            });
            let bound = self.node().bound_variable().map(|x| (Var::Local(x), Sort::Int));
            match bound.and_then(|x| out.binary_search(&x).ok()) {
                Some(at) => out[..at].iter().chain(&out[at + 1..]).copied().collect(),
                None => out,
            }
        })
    }

    /// Calls `f` on each direct subexpression, left to right.
    pub fn children(&self, f: impl FnMut(&EffExpr)) {
        self.node().operands(f);
    }

    /// An address that identifies the shared node, for memo tables during one traversal.
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0).addr()
    }
}

/// The union of two sets in order: one of them, where it has all of the other.
fn union<T: Copy + Ord>(a: &Arc<[T]>, b: &Arc<[T]>) -> Arc<[T]> {
    let has_all = |large: &[T], small: &[T]| small.iter().all(|x| large.binary_search(x).is_ok());
    if Arc::ptr_eq(a, b) || (b.len() <= a.len() && has_all(a, b)) {
        return a.clone();
    }
    if a.len() <= b.len() && has_all(b, a) {
        return b.clone();
    }
    let mut all = [&a[..], &b[..]].concat();
    all.sort_unstable();
    all.dedup();
    all.into()
}

impl PartialEq for EffExpr {
    fn eq(&self, other: &EffExpr) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        if self.0.hash != other.0.hash || self.0.size != other.0.size {
            return false;
        }
        if self.0.size <= SMALL {
            return self.0.node == other.0.node;
        }
        same_shared(self, other, &mut FxHashSet::default())
    }
}

/// Expressions of at most this size are compared as trees.
const SMALL: u64 = 256;

/// Equality where shared parts are compared once: written out as trees they may be exponentially large.
fn same_shared(a: &EffExpr, b: &EffExpr, known: &mut FxHashSet<(usize, usize)>) -> bool {
    if Arc::ptr_eq(&a.0, &b.0) || known.contains(&(a.address(), b.address())) {
        return true;
    }
    if a.0.hash != b.0.hash || a.0.size != b.0.size || !same_head(a.node(), b.node()) {
        return false;
    }
    let (mut left, mut right) = (Vec::new(), Vec::new());
    a.children(|c| left.push(c.clone()));
    b.children(|c| right.push(c.clone()));
    let same = left.len() == right.len() && left.iter().zip(&right).all(|(x, y)| same_shared(x, y, known));
    // What is not the same ends the comparison, so only what is needs to be known.
    if same {
        known.insert((a.address(), b.address()));
    }
    same
}

/// Whether two nodes are of one form and agree in all but their operands.
fn same_head(a: &Node, b: &Node) -> bool {
    match a {
        Node::Var(..) | Node::Int(_) | Node::Bool(_) | Node::Unknown(_) => a == b,
        Node::Scale(k, _) => matches!(b, Node::Scale(j, _) if k == j),
        Node::Div(_, k) => matches!(b, Node::Div(_, j) if k == j),
        Node::Mod(_, k) => matches!(b, Node::Mod(_, j) if k == j),
        Node::Cmp(p, ..) => matches!(b, Node::Cmp(q, ..) if p == q),
        Node::Forall(x, _) => matches!(b, Node::Forall(y, _) if x == y),
        Node::Exists(x, _) => matches!(b, Node::Exists(y, _) if x == y),
        Node::Neg(_)
        | Node::Add(..)
        | Node::Sub(..)
        | Node::Iff(..)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::If(..)
        | Node::Definitely(_)
        | Node::Maybe(_) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

impl Eq for EffExpr {}

impl Hash for EffExpr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash.hash(state);
    }
}

impl Var {
    fn mask(self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        1 << (hasher.finish() >> 58)
    }
}

fn sort_of(node: &Node) -> Sort {
    match node {
        Node::Var(_, s) | Node::Unknown(s) => *s,
        Node::If(_, a, _) => a.sort(),
        Node::Int(_)
        | Node::Neg(_)
        | Node::Add(..)
        | Node::Sub(..)
        | Node::Scale(..)
        | Node::Div(..)
        | Node::Mod(..) => Sort::Int,
        Node::Bool(_)
        | Node::Cmp(..)
        | Node::Iff(..)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::Forall(..)
        | Node::Exists(..)
        | Node::Definitely(_)
        | Node::Maybe(_) => Sort::Bool,
    }
}

/// What is known of an expression by its forms.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// No ⊥ occurs outside D and M.
    definite: bool,
    /// A quantifier occurs.
    quantified: bool,
    /// Only variables, constants, arithmetic, comparisons, ¬, ∧ and ∨ occur.
    plain: bool,
}

impl Facts {
    /// Of a node without its operands.
    fn of_form(node: &Node) -> Facts {
        let plain = match node {
            Node::Var(..)
            | Node::Int(_)
            | Node::Bool(_)
            | Node::Neg(_)
            | Node::Add(..)
            | Node::Sub(..)
            | Node::Scale(..)
            | Node::Div(..)
            | Node::Mod(..)
            | Node::Cmp(..)
            | Node::Not(_)
            | Node::And(_)
            | Node::Or(_) => true,
            Node::Unknown(_)
            | Node::Iff(..)
            | Node::If(..)
            | Node::Forall(..)
            | Node::Exists(..)
            | Node::Definitely(_)
            | Node::Maybe(_) => false,
        };
        let definite = !matches!(node, Node::Unknown(_));
        Facts { definite, quantified: node.bound_variable().is_some(), plain }
    }

    fn with_operand(self, operand: Facts) -> Facts {
        Facts {
            definite: self.definite & operand.definite,
            quantified: self.quantified | operand.quantified,
            plain: self.plain & operand.plain,
        }
    }
}
