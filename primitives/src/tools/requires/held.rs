//! Values of data that a field holds already. Effect expressions know no value of data, so this is a question of the text: the
//! same was written to the field before, and nothing since has changed the field or what the value is made of.

use crate::cursor::path::Step;
use crate::tools::syntax::formals::{changes, roots};
use crate::tools::syntax::inlining::{actuals, expr_with};
use rewright_effects::env::Field;
use rewright_effects::names::{callees, expr_names, fields_in_expr, fields_written};
use rewright_semantics::ast::{self, Block, Expr, Proc, Stmt, StmtKind};
use rewright_semantics::rounding;
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::each_stmt;
use std::collections::{BTreeMap, BTreeSet};

/// Whether a field holds the value of an expression of data whenever the program comes to a place. It does where a statement of
/// a block around the place has written that value, and nothing changes the field or the value that may have been run since: what
/// is between them, and all of a loop that begins between them and that the place is in.
pub fn holds_already(p: &Proc, place: &[Step], field: Field, e: &Expr) -> bool {
    let value = Value { field, e, roots: roots(&p.body) };
    value.is_held(&p.body, place)
}

/// What some statements certainly leave in a field of data, in terms of what is in scope around them, where they are a write of the
/// field or a call that writes it, and nothing after that changes the field or what the value is made of.
pub fn left_by(b: &Block, field: Field) -> Option<Expr> {
    let last = b.iter().rposition(|s| may_write(s, field))?;
    let e = match b.get(last)?.kind.as_ref() {
        StmtKind::WriteConfig { config: _, field: _, rhs } => rhs.clone(),
        // What an instruction rounds otherwise than its body is not what the expression says.
        StmtKind::Call { proc, args } if rounding::difference(proc).is_none() => {
            let e = left_by(&proc.body, field)?;
            let is_formal = |x: &Sym| proc.args.iter().any(|a| a.name == *x);
            let by = actuals(proc, args).filter(|_| expr_names(&e).iter().all(is_formal))?;
            expr_with(&e, &by)
        }
        StmtKind::Call { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::Pass
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. } => return None,
    };
    let after: Block = b.iter().skip(last).cloned().collect();
    let lasts = !remakes(&after, &Value { field, e: &e, roots: roots(b) });
    lasts.then_some(e)
}

/// Whether some statement may change what a value is made of.
fn remakes(b: &Block, value: &Value<'_>) -> bool {
    let mut found = false;
    each_stmt(b, &mut |s| found = found || value.is_remade(s));
    found
}

/// Whether two blocks leave the same in a field of data, which neither changes on the way.
pub fn leave_the_same(blocks: [&Block; 2], field: Field) -> bool {
    let [one, two] = blocks.map(|b| left_by(b, field));
    let Some(e) = one.filter(|e| two.as_ref() == Some(e)) else { return false };
    blocks.into_iter().all(|b| !remakes(b, &Value { field, e: &e, roots: roots(b) }))
}

/// Whether a statement, or a procedure that it calls, writes a field.
fn may_write(s: &Stmt, field: Field) -> bool {
    let alone: Block = [s.clone()].into_iter().collect();
    let mut found = false;
    fields_written(&alone, &mut |config, name| found = found || Field::of(config, name) == field);
    callees(&alone, &mut |callee| found = found || writes(callee, field));
    found
}

fn writes(callee: &Proc, field: Field) -> bool {
    callee.body.iter().any(|s| may_write(s, field))
}

/// The block of a statement that a place is in.
fn inside<'a>(s: &'a Stmt, place: &[Step]) -> Option<&'a Block> {
    match s.kind.as_ref() {
        StmtKind::If { cond: _, body, orelse } => {
            Some(if matches!(place.first(), Some(Step::Body(_))) { body } else { orelse })
        }
        StmtKind::For { body, .. } => Some(body),
        StmtKind::Assign { .. }
        | StmtKind::Reduce { .. }
        | StmtKind::WriteConfig { .. }
        | StmtKind::Pass
        | StmtKind::Alloc { .. }
        | StmtKind::WindowStmt { .. }
        | StmtKind::Call { .. } => None,
    }
}

/// What a field may hold.
struct Value<'a> {
    field: Field,
    e: &'a Expr,
    roots: BTreeMap<Sym, Sym>,
}

impl Value<'_> {
    /// Whether the field holds it at a place, by what is written in the blocks around it.
    fn is_held(&self, b: &Block, place: &[Step]) -> bool {
        let Some((step, rest)) = place.split_first() else { return false };
        let before = b.iter().take(step.index()).collect::<Vec<_>>();
        let within = b.get(step.index()).filter(|_| !rest.is_empty());
        let here = before.iter().rposition(|s| self.is_written(s)).is_some_and(|k| {
            before.iter().skip(k).all(|s| self.outlasts(s)) && within.is_none_or(|s| self.is_kept_to(s, rest))
        });
        here || within.and_then(|s| inside(s, rest)).is_some_and(|b| self.is_held(b, rest))
    }

    /// Whether the field still holds it at a place in a statement, if it does before that: of a loop, any part may have been run.
    fn is_kept_to(&self, s: &Stmt, place: &[Step]) -> bool {
        match s.kind.as_ref() {
            StmtKind::If { .. } => {
                inside(s, place).zip(place.split_first()).is_some_and(|(b, (step, rest))| {
                    b.iter().take(step.index()).all(|s| self.outlasts(s))
                        && (rest.is_empty() || b.get(step.index()).is_some_and(|s| self.is_kept_to(s, rest)))
                })
            }
            StmtKind::For { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => self.outlasts(s),
        }
    }

    /// Whether a statement writes it to the field.
    fn is_written(&self, s: &Stmt) -> bool {
        match s.kind.as_ref() {
            StmtKind::WriteConfig { config, field, rhs } => {
                Field::of(config, *field) == self.field && rhs == self.e
            }
            StmtKind::Call { .. } => {
                let alone: Block = [s.clone()].into_iter().collect();
                left_by(&alone, self.field).is_some_and(|e| e == *self.e)
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => false,
        }
    }

    /// Whether the field still holds it after a statement, whatever of that was run.
    fn outlasts(&self, s: &Stmt) -> bool {
        let mut lasts = true;
        each_stmt(&[s.clone()].into_iter().collect(), &mut |s| lasts = lasts && !self.may_end(s));
        lasts
    }

    /// Whether a statement itself may change the field or the value.
    fn may_end(&self, s: &Stmt) -> bool {
        let itself = s.kind.field_written().is_some_and(|(config, f)| Field::of(config, f) == self.field);
        let writes_it = itself || s.kind.called().is_some_and(|(callee, _)| writes(callee, self.field));
        self.is_remade(s) || (writes_it && !self.is_written(s))
    }

    /// Whether a statement itself may change what the value is made of.
    fn is_remade(&self, s: &Stmt) -> bool {
        match s.kind.as_ref() {
            StmtKind::Assign { name, .. } | StmtKind::Reduce { name, .. } => self.reads(*name),
            StmtKind::WriteConfig { config, field, rhs: _ } => self.reads_field(Field::of(config, *field)),
            StmtKind::Call { proc, args } => {
                let passed = proc.args.iter().zip(args.iter());
                let is_changed = |(formal, e): (&ast::Arg, &Expr)| {
                    expr_names(e).into_iter().any(|x| self.reads(x)) && changes(proc, formal.name)
                };
                passed.into_iter().any(is_changed) || self.reads_field_of(proc)
            }
            StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => false,
        }
    }

    /// Whether a procedure, or one that it calls, writes a field that the value is made of.
    fn reads_field_of(&self, callee: &Proc) -> bool {
        let mut found = false;
        fields_in_expr(self.e, &mut |config, field| {
            found = found || writes(callee, Field::of(config, field))
        });
        found
    }

    /// Whether the value is made of a variable, or of cells that it is a window of.
    fn reads(&self, x: Sym) -> bool {
        let root = |x: Sym| *self.roots.get(&x).unwrap_or(&x);
        let of: BTreeSet<Sym> = expr_names(self.e).into_iter().map(root).collect();
        of.contains(&root(x))
    }

    /// Whether the value is made of a field.
    fn reads_field(&self, other: Field) -> bool {
        let mut found = false;
        fields_in_expr(self.e, &mut |config, field| found = found || Field::of(config, field) == other);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::resolve::{self, Sort};
    use crate::version;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::span::SourceMap;

    /// Whether the last write of `Cfg.f` writes what it holds already; where it does, it can be deleted, and nothing differs.
    fn is_held(body: &str) -> bool {
        let text = format!(
            "@config\nclass Cfg:\n    f: f32\n    g: f32\n\n\
             @proc\ndef deep():\n    Cfg.f = 2.0\n\n\
             @proc\ndef put():\n    deep()\n\n\
             @proc\ndef set(v: f32):\n    Cfg.f = v\n\n\
             @proc\ndef through(v: f32):\n    Cfg.g = v\n    set(v)\n\n\
             @proc\ndef set_twice(v: f32):\n    Cfg.f = v\n    Cfg.f = v + 1.0\n\n\
             @proc\ndef set_some(n: size, v: f32):\n    if n > 3:\n        Cfg.f = v\n\n\
             @proc\ndef set_and_change(v: f32):\n    Cfg.f = v\n    v = 1.0\n\n\
             @proc\ndef set_fma(a: f32, b: f32, c: f32):\n    Cfg.f = fma(a, b, c)\n\n\
             @instr('set();', rounds=set_fma)\ndef set_sum(a: f32, b: f32, c: f32):\n    Cfg.f = a * b + c\n\n\
             @instr('set();', rounds='fused')\ndef fused(v: f32, z: f32):\n    z += v * v\n    Cfg.f = v * v + v\n\n\
             @proc\ndef set_local(v: f32):\n    t: f32\n    t = v\n    Cfg.f = t\n\n\
             @proc\ndef other(z: [f32][1]):\n    Cfg.g = 2.0\n    z[0] = 1.0\n\n\
             @proc\ndef p(n: size, u: f32, x: f32[64], y: f32[64]):\n    w = x[0:4]\n{body}"
        );
        let mut sources = SourceMap::new();
        let file = sources.add("p.py", text.as_str());
        let parsed = parse_module(file, &sources, &Prelude::standard());
        assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
        let p = version::Proc::root(parsed.module.procs.last().unwrap().clone());
        let count = body.matches("Cfg.f = ").count();
        let pattern = format!("Cfg.f = _ #{}", count - 1);
        let at = resolve::stmt(&p, &pattern.as_str().into(), Sort::WriteConfig).unwrap();
        let s = p.find_all("Cfg.f = _").unwrap().pop().unwrap();
        let StmtKind::WriteConfig { config, field, rhs } = s.stmt().unwrap().kind.as_ref().clone() else {
            panic!("a write of a field")
        };
        let held = holds_already(p.ast(), &at, Field::of(&config, field), &rhs);
        let without = p.delete_config(pattern.as_str());
        assert_eq!(
            held,
            without.is_ok_and(|q| q.origin().is_some_and(|o| o.step.modulo.is_empty())),
            "{body}"
        );
        held
    }

    /// Spec: [rule: delete_config], [rule: write_config].
    #[test]
    fn a_field_holds_what_was_written_where_nothing_has_changed_since() {
        let held = [
            "    Cfg.f = u\n    y[0] = Cfg.f\n    Cfg.f = u\n",
            "    Cfg.f = 2.0\n    put()\n    Cfg.f = 2.0\n    y[0] = 1.0\n    Cfg.f = 2.0\n",
            "    Cfg.f = x[3]\n    y[0] = 2.0\n    Cfg.g = 1.0\n    Cfg.f = x[3]\n",
            "    Cfg.f = u\n    for i in seq(0, n):\n        y[0] = 1.0\n        Cfg.f = u\n",
            "    Cfg.f = u\n    for i in seq(0, n):\n        if i < 3:\n            Cfg.f = u\n        else:\n            Cfg.f = u\n",
            "    for i in seq(0, 4):\n        Cfg.f = x[i]\n        y[i] = 1.0\n        Cfg.f = x[i]\n        x[i] = 0.0\n",
            "    Cfg.f = u\n    other(y[0:1])\n    Cfg.f = u\n",
            "    Cfg.f = u\n    if n < 3:\n        y[0] = 1.0\n        Cfg.f = u\n        u = 1.0\n",
            "    Cfg.f = u\n    if n < 3:\n        Cfg.f = 2.0\n    else:\n        if n < 9:\n            Cfg.f = u\n",
            "    set(u)\n    Cfg.f = u\n",
            "    Cfg.f = u\n    through(u)\n    Cfg.f = u\n",
            "    set(x[3])\n    through(x[3])\n    Cfg.f = x[3]\n",
            "    put()\n    Cfg.f = 2.0\n",
        ];
        let open = [
            "    Cfg.f = u\n",
            "    set(x[3])\n    Cfg.f = x[2]\n",
            "    set_twice(u)\n    Cfg.f = u\n",
            "    set_some(n, u)\n    Cfg.f = u\n",
            "    set_and_change(u)\n    Cfg.f = u\n",
            "    Cfg.f = u\n    set_and_change(u)\n    Cfg.f = u\n",
            "    set_local(u)\n    Cfg.f = u\n",
            "    set_sum(x[0], x[1], x[2])\n    Cfg.f = x[0] * x[1] + x[2]\n",
            "    fused(u, y[0])\n    Cfg.f = u * u + u\n",
            "    Cfg.f = u\n    through(x[0])\n    Cfg.f = u\n",
            "    Cfg.f = u\n    u = 1.0\n    Cfg.f = u\n",
            "    Cfg.f = u\n    u += 1.0\n    Cfg.f = u\n",
            "    Cfg.f = u\n    Cfg.f = 1.0\n    Cfg.f = u\n",
            "    Cfg.f = 2.0\n    Cfg.f = 2.5\n",
            "    Cfg.f = u\n    put()\n    Cfg.f = u\n",
            "    Cfg.f = Cfg.g\n    other(y[0:1])\n    Cfg.f = Cfg.g\n",
            "    Cfg.f = Cfg.f + u\n    Cfg.f = Cfg.f + u\n",
            "    Cfg.f = x[0]\n    other(x[3:4])\n    Cfg.f = x[0]\n",
            "    Cfg.f = x[0]\n    w[0] = 1.0\n    Cfg.f = x[0]\n",
            "    Cfg.f = w[0]\n    x[0] = 1.0\n    Cfg.f = w[0]\n",
            "    if n > 3:\n        Cfg.f = u\n    Cfg.f = u\n",
            "    Cfg.f = u\n    if n < 3:\n        u = 1.0\n        Cfg.f = u\n",
            "    Cfg.f = u\n    if n < 3:\n        Cfg.f = 2.0\n        if n < 2:\n            Cfg.f = u\n",
            "    Cfg.f = u\n    for i in seq(0, n):\n        if i < 3:\n            Cfg.f = u\n            u = 1.0\n",
            "    for i in seq(0, n):\n        Cfg.f = u\n    Cfg.f = u\n",
            "    Cfg.f = u\n    for i in seq(0, n):\n        Cfg.f = u\n        u = 1.0\n",
            "    Cfg.f = u\n    for i in seq(0, n):\n        y[0] = 1.0\n        Cfg.f = 1.0\n        y[1] = 1.0\n    Cfg.f = u\n",
            "    for i in seq(0, 4):\n        Cfg.f = x[i]\n    for i in seq(0, 4):\n        Cfg.f = x[i]\n",
        ];
        for body in held {
            assert!(is_held(body), "{body}");
        }
        for body in open {
            assert!(!is_held(body), "{body}");
        }
    }
}
