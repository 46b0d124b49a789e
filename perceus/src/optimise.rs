//! The optimisations of Thesis §4.2.3 to §4.2.5, each a pass. Spec: [rule: perceus.optimise].
//!
//! | pass | what it does | on |
//! | --- | --- | --- |
//! | [`inline`] | calls of small functions that do not recurse | λ¹ |
//! | [`constants`] | constructors of constants are there from the start | code |
//! | [`crate::reuse`], [`reuse_drops`] | matched cells give their memory to constructors | λ¹, code |
//! | [`fuse`] | `dup`s as late as possible; `dup`/`drop` pairs go | code |
//! | [`plain`] | no counting of what is never a cell | code |
//! | [`specialise`] | `drop` and `drop-reuse` where the constructor is known | code |
//! | [`borrow`] | functions that only look at an argument do not own it; must be asked for | code |
//! | [`reuse_specialise`] | fields that are in the memory already are not assigned | code |
//!
//! [`stages`] runs them in the order in which Fig. 4.1 shows them. Each can be left out.

pub mod agree;
pub mod borrow;
pub mod campaign;
pub mod constants;
pub mod fuse;
pub mod inline;
pub mod lower;
pub mod plain;
pub mod reuse_drops;
pub mod reuse_specialise;
pub mod specialise;
pub mod tail_calls;

use crate::algorithm;
use crate::code::Code;
use crate::reuse;
use crate::syntax::Program;
use std::fmt;
use std::str::FromStr;

/// A pass that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Pass {
    /// [`inline`]
    Inline,
    /// [`constants`]
    Constants,
    /// [`crate::reuse`] and [`reuse_drops`]
    Reuse,
    /// [`fuse`]
    Fuse,
    /// [`plain`]
    Plain,
    /// [`specialise`] of `drop`
    DropSpecialize,
    /// [`specialise`] of `drop-reuse`
    DropReuseSpecialize,
    /// [`reuse_specialise`]
    ReuseSpecialize,
    /// [`borrow`], which must be asked for
    Borrow,
}

impl Pass {
    /// All that keep programs garbage-free, static cells left out.
    pub const ALL: [Pass; 8] = [
        Pass::Inline,
        Pass::Constants,
        Pass::Reuse,
        Pass::Fuse,
        Pass::Plain,
        Pass::DropSpecialize,
        Pass::DropReuseSpecialize,
        Pass::ReuseSpecialize,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Inline => "inline",
            Pass::Constants => "constants",
            Pass::Reuse => "reuse",
            Pass::Fuse => "fuse",
            Pass::Plain => "plain",
            Pass::DropSpecialize => "drop-specialize",
            Pass::DropReuseSpecialize => "drop-reuse-specialize",
            Pass::ReuseSpecialize => "reuse-specialize",
            Pass::Borrow => "borrow",
        }
    }
}

impl fmt::Display for Pass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Pass, String> {
        let every = || Pass::ALL.into_iter().chain([Pass::Borrow]);
        let names: Vec<&str> = every().map(Pass::name).collect();
        let found = every().find(|p| p.name() == text);
        found.ok_or_else(|| format!("no pass is called `{text}`; there are {}", names.join(", ")))
    }
}

/// Which passes run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passes(Vec<Pass>);

impl Passes {
    /// [`Pass::ALL`].
    pub fn all() -> Passes {
        Passes(Pass::ALL.to_vec())
    }

    /// These alone.
    pub fn only(passes: &[Pass]) -> Passes {
        Passes(passes.to_vec())
    }

    /// All but these.
    pub fn without(passes: &[Pass]) -> Passes {
        Passes(Pass::ALL.into_iter().filter(|p| !passes.contains(p)).collect())
    }

    /// These, and another.
    #[must_use]
    pub fn and(mut self, pass: Pass) -> Passes {
        self.0.push(pass);
        self
    }

    /// Whether a pass runs.
    pub fn has(&self, pass: Pass) -> bool {
        self.0.contains(&pass)
    }
}

/// The code after a pass.
#[derive(Clone, Debug)]
pub struct Stage {
    /// What was done last.
    pub name: &'static str,
    /// What it made.
    pub code: Code,
}

/// The code of a program with each count operation in sight, and after each pass; the last is what is compiled.
#[must_use]
pub fn stages(p: &Program, passes: &Passes) -> Vec<Stage> {
    let inlined = if passes.has(Pass::Inline) { inline::program(p) } else { p.clone() };
    let paired = match (passes.has(Pass::Reuse), passes.has(Pass::Constants)) {
        (true, true) => reuse::beside_constants(&inlined),
        (true, false) => reuse::program(&inlined),
        (false, _) => inlined,
    };
    let mut code = lower::program(&algorithm::translate(&paired).program);
    let mut out = vec![Stage { name: "perceus", code: code.clone() }];
    let mut then = |pass: Pass, f: &dyn Fn(&Code) -> Code| {
        if passes.has(pass) {
            code = f(&code);
            out.push(Stage { name: pass.name(), code: code.clone() });
        }
    };
    then(Pass::Constants, &constants::code);
    then(Pass::Plain, &plain::code);
    then(Pass::Fuse, &fuse::code);
    then(Pass::Borrow, &borrow::code);
    then(Pass::Reuse, &reuse_drops::code);
    then(Pass::DropSpecialize, &|c| specialise::code(c, specialise::What::Drop));
    then(Pass::DropReuseSpecialize, &|c| specialise::code(c, specialise::What::DropReuse));
    then(Pass::Fuse, &fuse::code);
    then(Pass::Plain, &plain::code);
    then(Pass::ReuseSpecialize, &reuse_specialise::code);
    out
}

/// The last of the [`stages`].
#[must_use]
pub fn code(p: &Program, passes: &Passes) -> Code {
    let last = stages(p, passes).pop();
    last.expect("there is a first stage").code
}
