//! Lowering 𝓛: from an algorithm to a target program with holes. Thesis Fig. 2.9; spec: [rule: halide.lower].

use crate::alg::{Algorithm, Func, Image, Update};
use crate::expr::{Access, Expr, Interval, Region, Site, Var};
use crate::index;
use crate::op::Op;
use crate::tgt::{Block, Claim, For, Label, Order, Program, Stmt};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// `𝓛(pipeline f(p̄) : F̄)`: the funcs in their order, each allocated and computed at the top.
///
/// Domains are known to have no negative length at startup (Thesis §2.9); the first statements check it, so that no
/// directive can hide such a domain.
pub fn lower(p: &Arc<Algorithm>) -> Program {
    let required = |e: &Expr| Stmt::Assert { cond: e.clone(), claim: Claim::Required };
    let mut body: Block = p.requires.iter().map(required).collect();
    body.extend(p.funcs.iter().flat_map(domains));
    body.extend(p.inputs.iter().map(input));
    body.extend(index::assertions(p));
    body.extend(p.funcs.iter().flat_map(func));
    Program {
        algorithm: p.clone(),
        body,
        together: Vec::new(),
        atomic: BTreeSet::new(),
        folds: BTreeMap::new(),
        hoisted: BTreeMap::new(),
        slides: BTreeSet::new(),
    }
}

fn domains(f: &Func) -> Block {
    let mut out = Block::new();
    for r in f.updates.iter().flat_map(|u| &u.rdom) {
        if r.domain.len.as_i64().is_some_and(|n| n >= 0) {
            continue;
        }
        let cond = Expr::op(Op::Not, [Expr::binary(Op::Lt, r.domain.len.clone(), Expr::int(0))]);
        let check = Stmt::Assert { cond, claim: Claim::Rdom };
        if !out.contains(&check) {
            out.push(check);
        }
    }
    out
}

/// An input buffer is bound where a func would be allocated: its region is what is asked of it.
fn input(i: &Image) -> Stmt {
    let bounds = (0..i.rank).map(|d| Interval::hole(Region::Mem(i.name), d)).collect();
    Stmt::Allocate { func: i.name, bounds }
}

/// `𝓛(fun f(x̄) = B)`: `allocate f(?mem f); label f: 𝓛_B(f, x̄, B)`
fn func(f: &Func) -> Block {
    let bounds = (0..f.vars.len()).map(|d| Interval::hole(Region::Mem(f.name), d)).collect();
    let stages = f.all_stages();
    let body = stages.iter().enumerate().map(|(i, u)| stage(f, i, u)).collect();
    vec![Stmt::Allocate { func: f.name, bounds }, Stmt::Label { label: Label::Func(f.name), body }]
}

/// `label s_i : 𝓛_U(f, x̄, i, U_i)`: the pure loops outside, the last variable outermost; the domain's inside.
fn stage(f: &Func, i: usize, u: &Update) -> Stmt {
    let site = Site { func: f.name, stage: i, spec: 0 };
    let qualify = |e: &Expr| qualified(f, site, e);
    let store = Stmt::Store { site, args: u.lhs.iter().map(qualify).collect(), value: qualify(&u.rhs) };
    // 𝓛_U: if e_P then f^i[ē] <- e_B
    let mut s = if u.cond == Expr::int(1) {
        store
    } else {
        Stmt::If { cond: qualify(&u.cond), then: vec![store], other: Block::new() }
    };
    // 𝓛_R: r₁ is the innermost.
    for r in &u.rdom {
        let domain = r.domain.clone();
        s = Stmt::For(For {
            site,
            var: r.var,
            domain,
            order: Order::Serial,
            pure: false,
            edge: false,
            lead: false,
            blended: false,
            body: vec![s],
        });
    }
    // 𝓛_P: a loop for each pure dimension.
    let region = Region::cpu(site, f.stages());
    for (d, x) in f.vars.iter().enumerate().filter(|(d, _)| f.pure_dims(i).get(*d) == Some(&true)) {
        let domain = Interval::hole(region, d);
        s = Stmt::For(For {
            site,
            var: *x,
            domain,
            order: Order::Serial,
            pure: true,
            edge: true,
            lead: true,
            blended: false,
            body: vec![s],
        });
    }
    Stmt::Label { label: Label::Stage(site), body: vec![s] }
}

/// `[f^{i-1}/f]e`, with the stage's variables qualified.
fn qualified(f: &Func, site: Site, e: &Expr) -> Expr {
    e.rewrite(&mut |e| match e {
        Expr::Var(Var::Local(x)) => Some(Expr::Var(Var::Loop(site, *x))),
        Expr::Access(a) => {
            let args = a.args.iter().map(|e| qualified(f, site, e)).collect();
            let previous = Site { stage: site.stage.saturating_sub(1), ..site };
            let tag = (a.func == f.name).then_some(previous);
            Some(Expr::Access(Access { args, site: tag, ..a.clone() }))
        }
        Expr::Var(_) | Expr::Const(_) | Expr::Op(..) => None,
    })
}
