//! Instructions of machines in a program: as calls, and as what they do, of which `replace` makes calls.
//! Spec: [rule: campaign.machines].

use crate::holes::{edit, insert};
use crate::rng::Rng;
use rewright_primitives::Proc;
use rewright_primitives::cursor::path::{Step, stmt_at};
use rewright_primitives::tools::syntax::inlining::{Actual, Actuals, body_with, expr_with};
use rewright_primitives::tools::syntax::stmt_views::{Write, WriteKind};
use rewright_semantics::ast::{self, BinOp, Block, Expr, ExprKind, Literal, Stmt, StmtKind};
use rewright_semantics::build::{alloc, alloc_in, call, data, for_, int, read, write_config};
use rewright_semantics::span::Span;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ArgType, BufferType, DataType, MemName};
use std::collections::BTreeSet;
use std::mem::discriminant;
use std::sync::Arc;

/// How often values are drawn until they are what an instruction asserts.
const DRAWS: usize = 40;

/// The instructions of a machine, each machine as often as another.
fn instruction(rng: &mut Rng, fits: impl Fn(&ast::Proc) -> bool) -> Option<Arc<ast::Proc>> {
    let of =
        |m: &'static ast::Module| m.procs.iter().filter(|p| p.instr.is_some() && fits(p)).cloned().collect();
    let machines: Vec<Vec<Arc<ast::Proc>>> =
        rewright_machines::modules().iter().map(|(_, m)| of(m)).collect();
    let some: Vec<&Vec<_>> = machines.iter().filter(|all| !all.is_empty()).collect();
    let machine = rng.pick(&some)?;
    rng.pick(machine).cloned()
}

/// An instruction of which a run of statements may be a call, going by its form and by the types and memories of its buffers.
pub(crate) fn of_form(
    rng: &mut Rng,
    run: &Block,
    cells: &BTreeSet<(DataType, MemName)>,
) -> Option<Arc<ast::Proc>> {
    let has = |p: &ast::Proc| {
        p.args.iter().all(|a| match &a.typ {
            ArgType::Data { typ, mem } => cells.contains(&(typ.elem, *mem)),
            ArgType::Control(_) => true,
        })
    };
    instruction(rng, |p| are_alike(&p.body, run) && has(p))
}

fn are_alike(a: &Block, b: &Block) -> bool {
    a.len() == b.len() && a.iter().zip(b.iter()).all(|(s, t)| is_alike(&s.kind, &t.kind))
}

fn is_alike(a: &StmtKind, b: &StmtKind) -> bool {
    match (a, b) {
        (StmtKind::For { body: a, .. }, StmtKind::For { body: b, .. }) => are_alike(a, b),
        (StmtKind::If { body: a, orelse: c, .. }, StmtKind::If { body: b, orelse: d, .. }) => {
            are_alike(a, b) && are_alike(c, d)
        }
        (StmtKind::Assign { rhs: a, idx: i, .. }, StmtKind::Assign { rhs: b, idx: j, .. })
        | (StmtKind::Reduce { rhs: a, idx: i, .. }, StmtKind::Reduce { rhs: b, idx: j, .. }) => {
            i.len() <= j.len() && is_of_form(a, b)
        }
        (a, b) => discriminant(a) == discriminant(b),
    }
}

/// Whether two right-hand sides are the same operations.
fn is_of_form(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Bin { op: o, lhs: a, rhs: c }, ExprKind::Bin { op: q, lhs: b, rhs: d }) => {
            o == q && is_of_form(a, b) && is_of_form(c, d)
        }
        (ExprKind::Neg(a), ExprKind::Neg(b)) => is_of_form(a, b),
        (ExprKind::Extern { func: f, args: a }, ExprKind::Extern { func: g, args: b }) => {
            f == g && a.iter().zip(b.iter()).all(|(a, b)| is_of_form(a, b))
        }
        (a, b) => discriminant(a) == discriminant(b),
    }
}

/// The program with a call of an instruction before a statement, or with what it does, on buffers of its own and with the
/// state of the hardware that it asserts; `None` where no values were found that it admits.
pub(super) fn planted(p: &Proc, path: &[Step], rng: &mut Rng) -> Option<Proc> {
    let instr = instruction(rng, |_| true)?;
    let (by, state) = (0..DRAWS).find_map(|_| values(&instr, rng))?;
    let (mut stmts, mut args, mut by) = (state, Vec::new(), by);
    let mut stores = Vec::new();
    for arg in &instr.args {
        let ArgType::Data { typ, mem } = &arg.typ else {
            args.push(expr_with(&read(arg.name, []), &by));
            continue;
        };
        let x = Sym::fresh(["va", "vb", "vc"][args.len() % 3]);
        let shape: Vec<Expr> = typ.shape.iter().map(|e| expr_with(e, &by)).collect();
        let tensor = || BufferType::tensor(typ.elem, shape.clone());
        stmts.push(alloc_in(x, tensor(), *mem));
        match moves(*mem, typ.elem) {
            Some([load, store]) => {
                let [from, to] = ["from", "to"].map(Sym::fresh);
                stmts.extend([alloc(from, typ.elem, shape.clone()), filled(from, &shape, rng)]);
                stmts.push(call(&load, [read(x, []), read(from, [])]));
                stores
                    .extend([alloc(to, typ.elem, shape.clone()), call(&store, [read(to, []), read(x, [])])]);
                stores.extend(used(p, path, to, typ));
            }
            None => stmts.push(filled(x, &shape, rng)),
        }
        args.push(read(x, []));
        by.insert(arg.name, Actual::Buffer(x));
    }
    if rng.chance(50) {
        stmts.push(call(&instr, args));
    } else {
        stmts.extend(body_with(&instr, &by).iter().cloned());
    }
    stmts.extend(stores);
    Some(p.session().root(edit(p.ast(), path, &|b, i| insert(b, i, &stmts))))
}

/// The instructions that load and store a whole register of a memory.
fn moves(mem: MemName, elem: DataType) -> Option<[Arc<ast::Proc>; 2]> {
    let file = rewright_machines::register_files().find(|r| mem.0.as_str() == r.memory)?;
    let by = file.types.iter().find(|t| t.elem == elem)?.moves?;
    let named = |name: &str| {
        let mut all = rewright_machines::modules().iter().flat_map(|(_, m)| &m.procs);
        all.find(|p| p.name.as_str() == name).cloned()
    };
    Some([named(by.load)?, named(by.store)?])
}

/// A statement that adds a cell of what was stored to where the statement at a path writes.
fn used(p: &Proc, path: &[Step], x: Sym, typ: &BufferType) -> Option<Stmt> {
    let to = Write::of(stmt_at(p.ast(), path)?)?;
    let elem = p.env_at(path)?.buffer(to.name)?.elem;
    let last: Vec<Expr> = typ.shape.iter().map(|_| int(0)).collect();
    (elem == typ.elem).then(|| Write { kind: WriteKind::Reduce, rhs: read(x, last), ..to }.stmt())
}

/// Loops that give every cell a number.
fn filled(x: Sym, shape: &[Expr], rng: &mut Rng) -> Stmt {
    let iters: Vec<Sym> = shape.iter().map(|_| Sym::fresh("q")).collect();
    let idx: Vec<Expr> = iters.iter().map(|i| read(*i, [])).collect();
    let rhs = data(rng.between(0, 3), 0);
    let first = Write { kind: WriteKind::Assign, name: x, idx: idx.into(), rhs, span: Span::NONE };
    iters.iter().zip(shape).rev().fold(first.stmt(), |s, (i, n)| for_(*i, 0, n.clone(), [s]))
}

/// Values of the control arguments, and writes to fields, with which the assertions of an instruction hold.
fn values(instr: &ast::Proc, rng: &mut Rng) -> Option<(Actuals, Vec<Stmt>)> {
    let mut by = Actuals::default();
    for arg in instr.args.iter().filter(|a| matches!(a.typ, ArgType::Control(_))) {
        let value = match rng.below(4) {
            0 => rng.between(0, 1),
            1 => 1 << rng.between(0, 5),
            _ => rng.between(1, 16),
        };
        by.insert(arg.name, Actual::Control(int(value)));
    }
    let mut state = Vec::new();
    for pred in &instr.preds {
        conjuncts(pred).into_iter().try_for_each(|e| holds(instr, &expr_with(e, &by), &by, &mut state))?;
    }
    Some((by, state))
}

fn conjuncts(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Bin { op: BinOp::And, lhs, rhs } => [conjuncts(lhs), conjuncts(rhs)].concat(),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => vec![e],
    }
}

/// Sees to a condition: that it is true of numbers, or that a field is set to what it must be.
fn holds(instr: &ast::Proc, e: &Expr, by: &Actuals, state: &mut Vec<Stmt>) -> Option<()> {
    if let ExprKind::ReadConfig { config, field } = &e.kind {
        state.push(write_config(config, *field, Expr::new(ExprKind::Lit(Literal::Bool(true)))));
        return Some(());
    }
    let ExprKind::Bin { op, lhs, rhs } = &e.kind else { return None };
    if let (BinOp::Eq, ExprKind::ReadConfig { config, field }) = (op, &lhs.kind) {
        let value = number(instr, rhs, by)?;
        state.push(write_config(config, *field, int(value)));
        return Some(());
    }
    if let (BinOp::Le, ExprKind::ReadConfig { config, field }) = (op, &rhs.kind) {
        let least = number(instr, lhs, by)?;
        state.push(write_config(config, *field, int(least.max(16))));
        return Some(());
    }
    let (a, b) = (number(instr, lhs, by)?, number(instr, rhs, by)?);
    let is_true = match op {
        BinOp::Eq => a == b,
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Mod | BinOp::And | BinOp::Or => false,
    };
    is_true.then_some(())
}

/// The value of an expression of numbers and of strides of dense buffers.
fn number(instr: &ast::Proc, e: &Expr, by: &Actuals) -> Option<i64> {
    match &e.kind {
        ExprKind::Lit(Literal::Int(n)) => Some(*n),
        ExprKind::Neg(e) => number(instr, e, by).map(|n| -n),
        ExprKind::Bin { op, lhs, rhs } => {
            let (a, b) = (number(instr, lhs, by)?, number(instr, rhs, by)?);
            match op {
                BinOp::Add => a.checked_add(b),
                BinOp::Sub => a.checked_sub(b),
                BinOp::Mul => a.checked_mul(b),
                BinOp::Div => a.checked_div_euclid(b),
                BinOp::Mod => a.checked_rem_euclid(b),
                BinOp::Eq | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::And | BinOp::Or => None,
            }
        }
        ExprKind::Stride { name, dim } => {
            let of = instr.args.iter().find(|a| a.name == *name)?;
            let ArgType::Data { typ, .. } = &of.typ else { return None };
            let inner = typ.shape.iter().skip(dim + 1).map(|n| number(instr, &expr_with(n, by), by));
            inner.product()
        }
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(Literal::Bool(_) | Literal::Data(_))
        | ExprKind::Not(_)
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}
