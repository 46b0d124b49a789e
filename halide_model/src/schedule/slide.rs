//! `slide(f, x)`, an extension: of dimension `x` of `f`, an iteration of the loop in which `f` is computed computes only what the
//! iteration before did not. Spec: [rule: halide.slide].
//!
//! The directive asks for it; whether it may be depends on bounds and is decided by [`crate::slide`] when they are known.
//!
//! - `schedule.loop`: `x` is a variable of `f`, and `f` is computed in a loop.

use super::directive::{Form, Phase, Source};
use super::refusal::{Context, FUNC, LOOP, Refusal, Restriction};
use crate::tgt::walk::visit;
use crate::tgt::{LoopName, Program, Stmt};
use rewright_base::sym::Name;

/// `slide(f, x)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slide {
    /// The func.
    pub func: Name,
    /// Its variable.
    pub var: Name,
}

impl Form for Slide {
    const NAMES: &'static [&'static str] = &["slide"];
    const PHASE: Phase = Phase::Bounds;
    const RESTRICTIONS: &'static [Restriction] = &[];

    fn read<S: Source>(_: &str, from: &mut S) -> Result<Self, S::Error> {
        Ok(Slide { func: from.func()?, var: from.variable("var")? })
    }

    fn name(&self) -> &'static str {
        "slide"
    }

    fn arguments(&self) -> String {
        format!("{}, {}", self.func, self.var)
    }

    fn marked(&self) -> Option<LoopName> {
        None
    }

    fn after_consumers_of(&self) -> Option<Name> {
        None
    }

    fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
        let t = at.program;
        let Some(f) = t.algorithm.func(self.func) else {
            return Err(at.refuse(FUNC, format!("there is no func `{}`", self.func)));
        };
        let Some(dim) = f.vars.iter().position(|x| *x == self.var) else {
            return Err(at.refuse(LOOP, format!("`{}` has no variable `{}`", self.func, self.var)));
        };
        let mut in_a_loop = false;
        visit(&t.body, &mut |s: &Stmt| {
            if let Some(l) = s.as_loop() {
                visit(&l.body, &mut |inner| in_a_loop |= inner.computes(self.func));
            }
        });
        if !in_a_loop {
            return Err(at.refuse(LOOP, format!("`{}` is computed in no loop", self.func)));
        }
        let mut new = t.clone();
        new.slides.insert((self.func, dim));
        Ok(new)
    }
}
