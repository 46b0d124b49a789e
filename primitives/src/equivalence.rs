//! Which version of a procedure may stand for which. PLDI'22 §3.3 and §6.2; spec: [rule: equivalence].
//!
//! Versions form a tree, and every step says how the two versions that it is between are related. What lies between
//! two versions of one tree is what their steps say together: the sets of fields modulo which procedures are
//! equivalent form a lattice, and the path from one to the other is modulo the union.
//!
//! A step is a refinement: the new version may define what the old one leaves ⊥. So a version stands for those that
//! it was made from; for another one only if the steps back to their common origin are [`Exact`].

use crate::registry::Exact;
use crate::version::{Proc, Reason, Relation, Step};
use rewright_effects::analysis;
use rewright_effects::env::Field;
use rewright_effects::names::{callees, fields_in_block, fields_in_expr};
use rewright_semantics::alpha::alpha_eq;
use rewright_semantics::ast;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Whether a step that was made from `old` defines no more than `old`.
fn is_exact(step: &Step, old: &ast::Proc) -> bool {
    match step.exact {
        Exact::Always => true,
        Exact::WithoutFields => !reads_fields(old),
        Exact::Never => false,
    }
}

/// Whether the procedure or one that it calls reads a field.
fn reads_fields(p: &ast::Proc) -> bool {
    let mut found = false;
    let mut note = |_: &ast::Config, _| found = true;
    analysis::shapes(p).chain(p.preds.iter()).for_each(|e| fields_in_expr(e, &mut note));
    fields_in_block(&p.body, &mut note);
    callees(&p.body, &mut |callee| found = found || reads_fields(callee));
    found
}

/// How one version may stand for another.
#[derive(Clone, Debug, Default)]
pub struct Equivalence {
    /// They agree in everything but these fields.
    pub modulo: BTreeSet<Field>,
    /// They agree but for rounding.
    pub rounded: bool,
    /// What is rounded otherwise, a clause each.
    pub rounding: Vec<String>,
    /// Some step on the way admits fewer inputs than the version before it.
    pub restricted: bool,
    /// Some step is taken back: what the new version is called with may be more than it is good for.
    pub took_back: bool,
    /// Some step on the way assumes what was not proved.
    pub assumed: bool,
    /// What a caller must satisfy: these versions, on the way, may admit fewer inputs than the others.
    pub admitting: Vec<Arc<ast::Proc>>,
    /// All versions on the way, the two included.
    pub passed: Vec<Arc<ast::Proc>>,
}

/// Why one version may not stand for another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// They do not come from one procedure.
    #[error("`{old}` and `{new}` were not made from one procedure")]
    Unrelated {
        /// The one that is called.
        old: String,
        /// The one that is to be called.
        new: String,
    },
    /// A step made a procedure of other arguments.
    #[error("`{0}` made a procedure that takes other arguments")]
    Specialised(&'static str),
    /// A step may have defined what was not.
    #[error("it would take back `{0}`, which may have defined what was not defined before")]
    Inexact(&'static str),
}

/// `old ≅_𝓛 new`, the fields 𝓛 being those of the answer: how the version `new` may stand for the procedure `old`.
/// PLDI'22 §6.2.
///
/// # Errors
/// It may not.
pub fn equivalent_modulo(old: &Arc<ast::Proc>, new: &Proc) -> Result<Equivalence, Apart> {
    let version = new.session().version_of(old);
    Equivalence::of_versions(&version.unwrap_or_else(|| new.session().root(old.clone())), new)
}

impl Equivalence {
    /// How one version may stand for another.
    ///
    /// # Errors
    /// It may not.
    pub fn of_versions(old: &Proc, new: &Proc) -> Result<Equivalence, Apart> {
        let (from, to) = (old.history(), new.history());
        let mut out = Equivalence { passed: vec![old.ast().clone()], ..Equivalence::default() };
        // The youngest version that both come from.
        let met = from.iter().enumerate().rev().find_map(|(k, v)| Some((k, position(&to, v.ast())?)));
        let Some((back, forth)) = met else {
            let (old, new) = (old.name().to_string(), new.name().to_string());
            return Err(Apart::Unrelated { old, new });
        };
        for v in from.iter().skip(back + 1) {
            let Some(origin) = v.origin() else { continue };
            if !is_exact(&origin.step, origin.parent.ast()) {
                return Err(Apart::Inexact(origin.step.primitive));
            }
            out.took_back = true;
            out.add(&origin.step, v, &origin.parent)?;
        }
        for v in to.iter().skip(forth + 1) {
            if let Some(origin) = v.origin() {
                out.add(&origin.step, &origin.parent, v)?;
            }
        }
        Ok(out)
    }

    fn add(&mut self, step: &Step, from: &Proc, to: &Proc) -> Result<(), Apart> {
        self.assumed |= step.discharged.iter().any(|d| matches!(d.by, Reason::Omitted));
        for clause in &step.rounding {
            self.rounded = true;
            if !self.rounding.contains(clause) {
                self.rounding.push(clause.clone());
            }
        }
        match step.relation {
            Relation::Equivalent => {}
            Relation::Rounded => self.rounded = true,
            Relation::Restricted => self.restricted = true,
            Relation::Specialised => return Err(Apart::Specialised(step.primitive)),
        }
        // Two steps on, it may be a window again that a tensor was made of.
        if from.ast().args != to.ast().args || from.ast().preds != to.ast().preds {
            self.admitting.push(to.ast().clone());
        }
        self.passed.push(to.ast().clone());
        self.modulo.extend(&step.modulo);
        Ok(())
    }

    /// Whether the two are the same on every input.
    pub fn is_strict(&self) -> bool {
        self.modulo.is_empty() && !self.rounded && !self.restricted
    }
}

fn position(history: &[Proc], p: &Arc<ast::Proc>) -> Option<usize> {
    history.iter().rposition(|v| Arc::ptr_eq(v.ast(), p) || alpha_eq(v.ast(), p))
}

impl Proc {
    /// Whether this version and another one do the same on every input, as far as the steps between them say.
    pub fn is_eq(&self, other: &Proc) -> bool {
        let strict = |a: &Proc, b: &Proc| Equivalence::of_versions(a, b).is_ok_and(|e| e.is_strict());
        strict(self, other) || strict(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::add_assertion::add_assertion;
    use crate::ops::delete_buffer::delete_buffer;
    use crate::ops::divide_loop::{Tail, divide_loop};
    use crate::ops::inline::inline;
    use crate::ops::partial_eval::partial_eval;
    use crate::ops::rename::rename;
    use crate::ops::replace::replace;
    use crate::ops::replace_all::replace_all;
    use crate::ops::set_precision::set_precision;
    use crate::ops::write_config::write_config;
    use crate::registry::Value;
    use rewright_semantics::ast::Module;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

    const TEXT: &str = "
@config
class Cfg:
    k: index

@proc
def p(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        x[i] = 0.0

@proc
def q(n: size, x: f32[n]):
    t: f32
    for i in seq(0, n):
        x[i] = 0.0
";

    fn module() -> Module {
        let mut sources = SourceMap::new();
        let file = sources.add("test", TEXT);
        parse_module(file, &sources, &Prelude::standard()).module
    }

    fn root(m: &Module, name: &str) -> Proc {
        Proc::root(m.proc(name).unwrap().clone())
    }

    #[test]
    fn versions_are_equal_as_far_as_their_steps_say() {
        let m = module();
        let p = root(&m, "p");
        let divided = divide_loop(&p, "i", 4, ["io", "ii"], Tail::Guard).unwrap();
        let renamed = rename(&p, "r").unwrap();
        assert!(p.is_eq(&p) && p.is_eq(&divided) && divided.is_eq(&p) && divided.is_eq(&renamed));
        assert!(!p.is_eq(&root(&m, "q")));
        // Equal texts, but for one's being a version of the other.
        assert!(p.is_eq(&root(&m, "p")));
        let precise = set_precision(&p, "t", "f64").unwrap();
        assert!(!p.is_eq(&precise));
        // Spec: [rule: rounding].
        let there = equivalent_modulo(p.ast(), &rename(&precise, "r").unwrap()).unwrap();
        assert_eq!((there.rounded, there.rounding), (true, vec!["`t` is f64 in place of f32".to_owned()]));
        assert!(!p.is_eq(&add_assertion(&p, "n > 3").unwrap()));
        assert!(!p.is_eq(&partial_eval(&p, &Value::Named(vec![("n".to_owned(), Value::Int(4))])).unwrap()));
        let config = &m.configs[0];
        let loop_ = p.find_loop("i").unwrap();
        let polluted = write_config(&p, loop_.before().unwrap(), config, "k", "n").unwrap();
        assert!(!p.is_eq(&polluted));
        let between = equivalent_modulo(p.ast(), &polluted).unwrap();
        assert_eq!(between.modulo.len(), 1);
        assert_eq!(equivalent_modulo(polluted.ast(), &divided).unwrap().modulo, between.modulo);
    }

    const FUSED: &str = "
@instr(\"f({dst_data}, {a_data}, {b_data});\", rounds=\"fused\")
def fmadd(dst: [f32][8], a: [f32][8], b: [f32][8]):
    for i in seq(0, 8):
        dst[i] += a[i] * b[i]

@proc
def halves(dst: f32, a: [f32][4]):
    t: f32[2]
    for i in seq(0, 2):
        t[i] = a[i] + a[2 + i]
    dst += t[0] + t[1]

@instr(\"{dst_data} += sum({a_data});\", rounds=halves)
def total(dst: f32, a: [f32][4]):
    for i in seq(0, 4):
        dst += a[i]

@proc
def twice(x: f32[8], y: f32[8], s: f32):
    for i in seq(0, 8):
        y[i] += x[i] * x[i]
    for j in seq(0, 8):
        y[j] = fma(x[j], x[j], y[j])
    for k in seq(0, 4):
        s += x[k]
";

    /// A call in place of the body rounds otherwise, one in place of what rounds alike does not. Spec:
    /// [rule: instructions.rounding].
    #[test]
    fn a_fused_instruction_rounds_otherwise_than_its_body() {
        let mut sources = SourceMap::new();
        let file = sources.add("test", FUSED);
        let parsed = parse_module(file, &sources, &Prelude::standard());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let [p, fmadd, total] = ["twice", "fmadd", "total"].map(|name| root(&parsed.module, name));
        let clauses = |old: &Proc, new: &Proc| equivalent_modulo(old.ast(), new).unwrap().rounding;

        let by_body = replace(&p, "for i in _: _", &fmadd).unwrap();
        let why = "`fmadd` rounds a product and its sum once, and the statements it stands for after each operation";
        assert_eq!(clauses(&p, &by_body), [why]);
        assert!(!p.is_eq(&by_body));

        let alike = replace(&by_body, "for j in _: _", &fmadd).unwrap();
        assert!(by_body.is_eq(&alike), "{alike}");

        let summed = replace(&alike, "for k in _: _", &total).unwrap();
        assert_eq!(clauses(&alike, &summed).len(), 1);
        let back = inline(&alike, "fmadd(_)").unwrap();
        assert_eq!(
            clauses(&alike, &back),
            ["`fmadd` rounds a product and its sum once, and its body after each operation"]
        );

        let all = replace_all(&p, &[fmadd, total]).unwrap();
        assert!(!p.is_eq(&all));
        assert_eq!(clauses(&p, &all).len(), 2);
    }

    #[test]
    fn only_exact_steps_are_taken_back() {
        let m = module();
        let p = root(&m, "p");
        let without = delete_buffer(&p, "t").unwrap();
        let other = divide_loop(&p, "i", 4, ["io", "ii"], Tail::Guard).unwrap();
        // The one was made of the other, and so they are equal, whichever is asked.
        assert!(p.is_eq(&without) && without.is_eq(&p));
        assert!(equivalent_modulo(p.ast(), &without).is_ok());
        assert_eq!(equivalent_modulo(without.ast(), &p).unwrap_err(), Apart::Inexact("delete_buffer"));
        assert_eq!(equivalent_modulo(without.ast(), &other).unwrap_err(), Apart::Inexact("delete_buffer"));
        assert!(equivalent_modulo(other.ast(), &without).is_ok());
    }
}
