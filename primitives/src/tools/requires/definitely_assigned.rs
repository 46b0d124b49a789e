//! Expressions that a rewrite makes the program evaluate where it did not: a configuration field that was never set
//! is ⊥, and an extent or index that is ⊥ is an error. Spec: [rule: buffers.decided]; [E-17].
//!
//! Effect expressions take every field for set, so this is a question of its own: which fields are certainly set
//! when the program reaches a place, because it has evaluated them where ⊥ is an error, or written them since.

use crate::cursor::path::Step;
use rewright_effects::env::{Field, sort_of_field};
use rewright_effects::names::{expr_names, fields_in_expr};
use rewright_semantics::ast::{self, Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_operand;
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;

/// Whether everything that an expression reads is certainly set at a place, or else read by `also`, which the
/// program evaluates there.
pub fn is_definitely_assigned(p: &Proc, place: &[Step], e: &Expr, also: &[Expr]) -> bool {
    let needed = control_fields(e);
    if needed.is_empty() {
        return true;
    }
    let mut known = Known::default();
    p.preds.iter().for_each(|pred| known.evaluated(pred));
    known.walk(&p.body, place);
    also.iter().for_each(|e| known.evaluated(e));
    needed.is_subset(&known.set)
}

/// The control fields that are certainly set when a block has run at a place.
pub fn assigned_after(p: &Proc, place: &[Step], b: &Block) -> BTreeSet<Field> {
    let mut known = Known::default();
    p.preds.iter().for_each(|pred| known.evaluated(pred));
    known.walk(&p.body, place);
    known.after_block(b).set
}

/// What a block evaluates first, in any case, where ⊥ is an error: the expressions of its first statement. A value
/// that is only copied, into a field or to a callee, may be ⊥.
pub fn assigned_first(b: &Block) -> Vec<Expr> {
    let mut out = Vec::new();
    let Some(s) = b.get(0) else { return out };
    match s.kind.as_ref() {
        StmtKind::WriteConfig { .. } | StmtKind::Call { .. } | StmtKind::Pass => {}
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => each_operand(s, &mut |_, e| out.push(e.clone())),
    }
    out
}

/// The control fields that an expression reads.
fn control_fields(e: &Expr) -> BTreeSet<Field> {
    let mut out = BTreeSet::new();
    fields_in_expr(e, &mut |config, field| {
        if sort_of_field(config, field).is_some() {
            out.insert(Field::of(config, field));
        }
    });
    out
}

/// What is certainly set, when the run has come so far without an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    /// These fields are.
    set: BTreeSet<Field>,
    /// All control variables are, but for these arguments of a callee.
    loose: BTreeSet<Sym>,
}

impl Known {
    /// An expression has been evaluated where ⊥ is an error.
    fn evaluated(&mut self, e: &Expr) {
        self.set.extend(control_fields(e));
        let names = expr_names(e);
        self.loose.retain(|x| !names.contains(x));
    }

    /// Whether an expression certainly has a value.
    fn has_value(&self, e: &Expr) -> bool {
        control_fields(e).is_subset(&self.set) && expr_names(e).is_disjoint(&self.loose)
    }

    /// What both know.
    fn both(&self, other: &Known) -> Known {
        Known {
            set: self.set.intersection(&other.set).copied().collect(),
            loose: self.loose.union(&other.loose).copied().collect(),
        }
    }

    /// From the start of a block to just before a place in it.
    fn walk(&mut self, b: &Block, place: &[Step]) {
        let Some((step, rest)) = place.split_first() else { return };
        b.iter().take(step.index()).for_each(|s| self.after(s));
        let (false, Some(s)) = (rest.is_empty(), b.get(step.index())) else { return };
        match s.kind.as_ref() {
            StmtKind::If { cond, body, orelse } => {
                self.evaluated(cond);
                self.walk(if matches!(rest.first(), Some(Step::Body(_))) { body } else { orelse }, rest);
            }
            StmtKind::For { iter: _, lo, hi, body, mode: _ } => {
                self.evaluated(lo);
                self.evaluated(hi);
                self.any_iterations(body);
                self.walk(body, rest);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => {}
        }
    }

    /// After a block.
    fn after_block(&self, b: &Block) -> Known {
        let mut out = self.clone();
        b.iter().for_each(|s| out.after(s));
        out
    }

    /// After any number of iterations, none among them.
    fn any_iterations(&mut self, body: &Block) {
        loop {
            let less = self.both(&self.after_block(body));
            if less == *self {
                return;
            }
            *self = less;
        }
    }

    /// After a statement.
    fn after(&mut self, s: &Stmt) {
        match s.kind.as_ref() {
            StmtKind::WriteConfig { config, field, rhs } => {
                let field = Field::of(config, *field);
                if self.has_value(rhs) {
                    self.set.insert(field);
                } else {
                    self.set.remove(&field);
                }
            }
            StmtKind::If { cond, body, orelse } => {
                self.evaluated(cond);
                *self = self.after_block(body).both(&self.after_block(orelse));
            }
            StmtKind::For { iter: _, lo, hi, body, mode: _ } => {
                self.evaluated(lo);
                self.evaluated(hi);
                self.any_iterations(body);
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => each_operand(s, &mut |_, e| self.evaluated(e)),
            StmtKind::Call { proc, args } => self.after_call(proc, args),
            StmtKind::Pass => {}
        }
    }

    /// After a call: of its arguments, those of control are only copied.
    fn after_call(&mut self, callee: &ast::Proc, args: &[Expr]) {
        let mut inside = Known { set: self.set.clone(), loose: BTreeSet::new() };
        for (formal, e) in callee.args.iter().zip(args) {
            match formal.typ {
                ArgType::Control(_) if self.has_value(e) => {}
                ArgType::Control(_) => {
                    inside.loose.insert(formal.name);
                }
                ArgType::Data { .. } => {}
            }
        }
        self.set = inside.after_block(&callee.body).set;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::resolve::{self, Sort};
    use crate::version;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

    /// Whether `Cfg.k` is certainly set at the place before `x = 1.0`.
    fn is_set(body: &str) -> bool {
        let text = format!(
            "@config\nclass Cfg:\n    k: index\n    j: index\n    on: bool\n\n\
             @proc\ndef put(v: index):\n    Cfg.k = v\n\n\
             @proc\ndef p(n: size, x: f32, y: f32[64]):\n{body}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add("p.py", text.as_str());
        let parsed = parse_module(file, &sources, &Prelude::standard());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let p = version::Proc::root(parsed.module.procs.last().unwrap().clone());
        let at = resolve::stmt(&p, &"x = 1.0".into(), Sort::Assign).unwrap();
        let config = parsed.module.configs[0].clone();
        let k = rewright_semantics::build::read_config(&config, "k");
        is_definitely_assigned(p.ast(), &at, &k, &[])
    }

    /// Spec: [rule: buffers.decided].
    #[test]
    fn a_field_is_set_when_every_way_to_the_place_has_set_or_evaluated_it() {
        let set = [
            "    Cfg.k = 3\n    x = 1.0\n",
            "    assert Cfg.k < 4\n    x = 1.0\n",
            "    if Cfg.k < 4:\n        x = 1.0\n",
            "    if Cfg.k < 4:\n        pass\n    x = 1.0\n",
            "    for i in seq(0, Cfg.k):\n        x = 1.0\n",
            "    y[Cfg.k] = 0.0\n    x = 1.0\n",
            "    if n > 3:\n        Cfg.k = 1\n    else:\n        Cfg.k = 2\n    x = 1.0\n",
            "    Cfg.k = 1\n    for i in seq(0, n):\n        Cfg.k = i\n    x = 1.0\n",
            "    put(n)\n    x = 1.0\n",
            "    t: f32[Cfg.k]\n    x = 1.0\n",
        ];
        let open = [
            "    x = 1.0\n",
            "    x = 1.0\n    y[Cfg.k] = 0.0\n",
            "    Cfg.k = Cfg.j\n    x = 1.0\n",
            "    Cfg.k = Cfg.j - Cfg.j\n    x = 1.0\n",
            "    if n > 3:\n        Cfg.k = 1\n    x = 1.0\n",
            "    for i in seq(0, n):\n        Cfg.k = i\n    x = 1.0\n",
            "    Cfg.k = 1\n    for i in seq(0, n):\n        x = 1.0\n        Cfg.k = Cfg.j\n",
            "    put(Cfg.j)\n    x = 1.0\n",
            "    if n > 3:\n        Cfg.on = Cfg.k > 4\n    if Cfg.on:\n        x = 1.0\n",
            "    Cfg.j = Cfg.k\n    x = 1.0\n",
        ];
        for body in set {
            assert!(is_set(body), "{body}");
        }
        for body in open {
            assert!(!is_set(body), "{body}");
        }
    }
}
