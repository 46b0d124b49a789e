//! What is in scope at a place of the program being built.

use super::Shape;
use super::affine::{Affine, Known};
use crate::rng::Rng;
use rewright_semantics::ast::{Config, Proc};
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArrayKind, DataType};
use std::sync::Arc;

/// A buffer in scope.
#[derive(Clone, Debug)]
pub(super) struct Buffer {
    pub(super) name: Sym,
    pub(super) elem: DataType,
    pub(super) shape: Vec<Affine>,
    pub(super) kind: ArrayKind,
    /// The buffer that owns the cells.
    pub(super) root: Sym,
    pub(super) writable: bool,
    /// Never written, here or anywhere.
    pub(super) constant: bool,
    pub(super) readable: bool,
}

/// The generator's state: a random source and what is in scope.
pub(super) struct Scope<'a> {
    pub(super) rng: &'a mut Rng,
    pub(super) settings: &'a Shape,
    /// Control integers, outermost first.
    pub(super) known: Vec<Known>,
    /// Control booleans.
    pub(super) flags: Vec<Sym>,
    pub(super) buffers: Vec<Buffer>,
    pub(super) configs: &'a [Arc<Config>],
    pub(super) callees: &'a [Arc<Proc>],
    /// Inside a parallel loop: no configuration writes, calls or windows.
    pub(super) in_par: bool,
}

impl<'a> Scope<'a> {
    pub(super) fn new(
        rng: &'a mut Rng,
        settings: &'a Shape,
        configs: &'a [Arc<Config>],
        callees: &'a [Arc<Proc>],
    ) -> Scope<'a> {
        Scope {
            rng,
            settings,
            known: Vec::new(),
            flags: Vec::new(),
            buffers: Vec::new(),
            configs,
            callees,
            in_par: false,
        }
    }

    /// Runs `f` in a scope whose additions are forgotten afterwards.
    pub(super) fn nested<T>(&mut self, f: impl FnOnce(&mut Scope<'a>) -> T) -> T {
        let (known, buffers) = (self.known.len(), self.buffers.clone());
        let in_par = self.in_par;
        let out = f(self);
        self.known.truncate(known);
        self.buffers = buffers;
        self.in_par = in_par;
        out
    }

    pub(super) fn elem(&mut self) -> DataType {
        self.rng.pick(&self.settings.elems).copied().unwrap_or(DataType::R)
    }

    pub(super) fn sizes(&self) -> Vec<Sym> {
        let size = |k: &Known| match k {
            Known::Size(x) => Some(*x),
            Known::Range { .. } | Known::Any(_) | Known::Fact(_) => None,
        };
        self.known.iter().filter_map(size).collect()
    }

    /// Every control integer variable in scope.
    pub(super) fn integers(&self) -> Vec<Sym> {
        let var = |k: &Known| match k {
            Known::Size(x) | Known::Any(x) | Known::Range { var: x, .. } => Some(*x),
            Known::Fact(_) => None,
        };
        self.known.iter().filter_map(var).collect()
    }

    /// An extent that is at least 1: a literal, a size, a size and a bit more, a sum of sizes.
    pub(super) fn extent(&mut self) -> Affine {
        let sizes = self.sizes();
        let Some(&n) = self.rng.pick(&sizes) else { return Affine::constant(self.rng.between(1, 5)) };
        let n = Affine::var(n);
        match self.rng.below(8) {
            0 | 1 => Affine::constant(self.rng.between(1, 5)),
            2 => n.shifted(self.rng.between(1, 3)),
            3 => match self.rng.pick(&sizes) {
                Some(&m) => n.plus(1, &Affine::var(m)),
                None => n,
            },
            4 => n.plus(1, &n.clone()),
            _ => n,
        }
    }
}
