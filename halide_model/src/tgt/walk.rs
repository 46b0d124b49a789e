//! Walking and rebuilding programs.

use super::{Block, For, Label, LoopName, Program, Stmt};
use crate::expr::{Expr, Site, Var};
use rewright_base::sym::Name;

impl Stmt {
    /// The blocks inside, in order.
    pub fn blocks(&self) -> Vec<&Block> {
        match self {
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => Vec::new(),
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::For(l) => vec![&l.body],
            Stmt::Let { body, .. } | Stmt::Label { body, .. } => vec![body],
        }
    }

    /// The blocks inside, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Block> {
        match self {
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => Vec::new(),
            Stmt::If { then, other, .. } => vec![then, other],
            Stmt::For(l) => vec![&mut l.body],
            Stmt::Let { body, .. } | Stmt::Label { body, .. } => vec![body],
        }
    }

    /// The loop, if it is one.
    pub fn as_loop(&self) -> Option<&For> {
        match self {
            Stmt::For(l) => Some(l),
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } | Stmt::If { .. } => None,
            Stmt::Let { .. } | Stmt::Label { .. } => None,
        }
    }

    /// Whether it is the loop of that name.
    pub fn is_loop(&self, name: LoopName) -> bool {
        self.as_loop().is_some_and(|l| l.name() == name)
    }

    /// The label, if it is one.
    pub fn label(&self) -> Option<Label> {
        match self {
            Stmt::Label { label, .. } => Some(*label),
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } | Stmt::If { .. } => None,
            Stmt::For(_) | Stmt::Let { .. } => None,
        }
    }

    /// Whether it computes a func: all its stages.
    pub fn computes(&self, func: Name) -> bool {
        self.label() == Some(Label::Func(func))
    }

    /// The func that it allocates.
    pub fn allocated(&self) -> Option<Name> {
        match self {
            Stmt::Allocate { func, .. } => Some(*func),
            Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) => None,
            Stmt::Let { .. } | Stmt::Label { .. } => None,
        }
    }

    /// The func that it stores to, itself and not by what is inside.
    pub fn stored(&self) -> Option<Name> {
        match self {
            Stmt::Store { site, .. } => Some(site.func),
            Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::If { .. } | Stmt::For(_) => None,
            Stmt::Let { .. } | Stmt::Label { .. } => None,
        }
    }

    /// The expressions of the statement itself, not of blocks inside.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Stmt::Assert { cond, .. } | Stmt::If { cond, .. } => vec![cond],
            Stmt::Allocate { bounds, .. } => bounds.iter().flat_map(|i| [&i.min, &i.len]).collect(),
            Stmt::Store { args, value, .. } => args.iter().chain([value]).collect(),
            Stmt::For(l) => vec![&l.domain.min, &l.domain.len],
            Stmt::Let { value, .. } => vec![value],
            Stmt::Label { .. } => Vec::new(),
        }
    }

    /// Visits this statement and all inside, outermost first.
    pub fn visit<'s>(&'s self, f: &mut impl FnMut(&'s Stmt)) {
        f(self);
        for b in self.blocks() {
            b.iter().for_each(|s| s.visit(f));
        }
    }

    /// With `f` applied to every expression.
    #[must_use]
    pub fn map_exprs(&self, f: &mut impl FnMut(&Expr) -> Expr) -> Stmt {
        match self {
            Stmt::Assert { cond, claim } => Stmt::Assert { cond: f(cond), claim: *claim },
            Stmt::Allocate { func, bounds } => {
                Stmt::Allocate { func: *func, bounds: bounds.iter().map(|i| i.map(f)).collect() }
            }
            Stmt::Store { site, args, value } => {
                Stmt::Store { site: *site, args: args.iter().map(&mut *f).collect(), value: f(value) }
            }
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: f(cond), then: map_block(then, f), other: map_block(other, f) }
            }
            Stmt::For(l) => {
                Stmt::For(For { domain: l.domain.map(f), body: map_block(&l.body, f), ..l.clone() })
            }
            Stmt::Let { var, value, body } => {
                Stmt::Let { var: *var, value: f(value), body: map_block(body, f) }
            }
            Stmt::Label { label, body } => Stmt::Label { label: *label, body: map_block(body, f) },
        }
    }
}

/// With `f` applied to every expression.
#[must_use]
pub fn map_block(b: &Block, f: &mut impl FnMut(&Expr) -> Expr) -> Block {
    b.iter().map(|s| s.map_exprs(f)).collect()
}

/// Visits all statements, outermost first.
pub fn visit<'s>(b: &'s Block, f: &mut impl FnMut(&'s Stmt)) {
    b.iter().for_each(|s| s.visit(f));
}

/// Whether a block stores to a func.
pub fn writes(b: &Block, func: Name) -> bool {
    let mut found = false;
    visit(b, &mut |s| found |= s.stored() == Some(func));
    found
}

/// Whether a block refers to a func in an expression.
pub fn reads(b: &Block, func: Name) -> bool {
    let mut found = false;
    visit(b, &mut |s| {
        found |= s.exprs().iter().any(|e| e.accesses().iter().any(|a| a.func == func));
    });
    found
}

impl Program {
    /// The names of all loops, in order.
    pub fn loops(&self) -> Vec<LoopName> {
        let mut out = Vec::new();
        visit(&self.body, &mut |s| {
            out.extend(s.as_loop().map(For::name));
        });
        out
    }

    /// The loop of that name.
    pub fn find_loop(&self, name: LoopName) -> Option<&For> {
        let mut found = None;
        visit(&self.body, &mut |s| {
            if let Some(l) = s.as_loop().filter(|l| l.name() == name) {
                found = Some(l);
            }
        });
        found
    }

    /// The variables that loops and lets of a stage bind.
    pub fn bound_in(&self, site: Site) -> Vec<Name> {
        let mut out = Vec::new();
        visit(&self.body, &mut |s| match s {
            Stmt::For(l) if l.site == site => out.push(l.var),
            Stmt::Let { var: Var::Loop(at, x), .. } if *at == site => out.push(*x),
            Stmt::For(_) | Stmt::Let { .. } | Stmt::Assert { .. } | Stmt::Allocate { .. } => {}
            Stmt::Store { .. } | Stmt::If { .. } | Stmt::Label { .. } => {}
        });
        out
    }

    /// Replaces the first statement, outermost first, for which `f` gives something; `None` when there is none.
    #[must_use]
    pub fn replace_first(&self, f: &mut impl FnMut(&Stmt) -> Option<Vec<Stmt>>) -> Option<Program> {
        let mut body = self.body.clone();
        let found = replace_in(&mut body, f);
        found.then(|| Program { body, ..self.clone() })
    }

    /// Whether a func is computed somewhere.
    pub fn has_label(&self, label: Label) -> bool {
        let mut found = false;
        visit(&self.body, &mut |s| found |= s.label() == Some(label));
        found
    }
}

fn replace_in(b: &mut Block, f: &mut impl FnMut(&Stmt) -> Option<Vec<Stmt>>) -> bool {
    for i in 0..b.len() {
        let Some(s) = b.get_mut(i) else { return false };
        if let Some(new) = f(s) {
            b.splice(i..=i, new);
            return true;
        }
        if s.blocks_mut().into_iter().any(|inner| replace_in(inner, f)) {
            return true;
        }
    }
    false
}

impl For {
    /// The loop immediately inside, with the lets and guards that stood between moved into its body.
    pub fn inner_loop(&self) -> Option<For> {
        sunk(&self.body)
    }
}

fn sunk(b: &Block) -> Option<For> {
    let [s] = b.as_slice() else { return None };
    match s {
        Stmt::For(l) => Some(l.clone()),
        Stmt::Let { var, value, body } => {
            let inner = sunk(body)?;
            let body = vec![Stmt::Let { var: *var, value: value.clone(), body: inner.body }];
            Some(For { body, ..inner })
        }
        Stmt::If { cond, then, other } if other.is_empty() => {
            let inner = sunk(then)?;
            // The update's predicate stands inside all loops; what stands around one is a split's guard.
            let body = vec![Stmt::If { cond: cond.clone(), then: inner.body, other: Block::new() }];
            Some(For { body, ..inner })
        }
        Stmt::If { .. } | Stmt::Assert { .. } | Stmt::Allocate { .. } => None,
        Stmt::Store { .. } | Stmt::Label { .. } => None,
    }
}
