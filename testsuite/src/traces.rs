//! The values that expressions take while a program runs. Nothing of the interpreter is changed for that: each statement
//! gets others in front of it that write the values of its expressions down. Spec: [rule: forwarding.values].

use rewright_effects::analysis::Analysis;
use rewright_primitives::cursor::path::{ExprPath, ExprStep, Step, child, expr_at, stmt_at};
use rewright_primitives::tools::syntax::scope::env_at;
use rewright_semantics::ast::{Block, Config, ConfigField, Expr, ExprKind, LoopMode, Proc, Stmt, StmtKind};
use rewright_semantics::build::{add, assign, data, for_, if_, int, reduce, tensor_arg, write_config};
use rewright_semantics::data::Datum;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::denote::{Denotation, Limits};
use rewright_semantics::inputs::{Input, Subject};
use rewright_semantics::span::Span;
use rewright_semantics::store::{Buffer, ConfigKey, Window};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::typecheck::Type;
use rewright_semantics::types::{ArgType, ControlType, DataType, FieldType};
use rewright_semantics::value::Val;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many values are written down in all.
const ROOM: i64 = 4_000;

/// A run may take so many statements, those that write values down included.
const LIMITS: Limits = Limits { statements: Some(60_000), cells: 1 << 16, stop: None };

/// The values of one expression, in the order in which it was evaluated.
pub type Trace = Vec<Datum<Rational>>;

/// A program that writes down the values of expressions.
pub struct Watched {
    program: Denotation<RationalDomain>,
    config: Arc<Config>,
    expressions: usize,
}

/// What writes values down.
struct Probes {
    by_stmt: BTreeMap<Vec<Step>, Vec<Stmt>>,
}

/// What an expression is, as far as its values can be written down.
#[derive(Clone, Copy)]
enum Sort {
    Data,
    Truth,
    Integer,
}

impl Watched {
    /// A program whose expressions at these places are watched. Those that stand for buffers and cells have no values.
    pub fn new(p: &Proc, places: &[ExprPath]) -> Watched {
        let field = ConfigField {
            name: Name::new("next"),
            typ: FieldType::Control(ControlType::Index),
            span: Span::NONE,
        };
        let config = Arc::new(Config {
            name: Name::new("Watch"),
            fields: vec![field].into(),
            direct_access: true,
            span: Span::NONE,
        });
        let (log, which) = (Sym::fresh("log"), Sym::fresh("which"));
        let mut by_stmt = BTreeMap::<Vec<Step>, Vec<Stmt>>::new();
        for (k, at) in places.iter().enumerate() {
            let Some((e, sort)) = expr_at(p, at).and_then(|e| Some((e.clone(), sort_of(p, at, e)?))) else {
                continue;
            };
            let probe = probe(&config, log, which, i64::try_from(k).unwrap_or(-1), e, sort);
            by_stmt.entry(at.stmt.clone()).or_default().extend(probe);
        }
        let mut body: Block = std::iter::once(write_config(&config, "next", 0)).collect();
        body.append(Probes { by_stmt }.block(&p.body, &[], Step::Body(0)));
        let mut args = p.args.clone();
        args.extend([log, which].map(|x| tensor_arg(x, DataType::R, [int(ROOM)])));
        let program = Denotation::of(&Proc { args, body, ..p.clone() });
        Watched { program, config, expressions: places.len() }
    }

    /// The values on an input; `None` when the program does not come to its end in the room and time there is.
    pub fn traces(&self, input: &Input, subject: &Subject<'_>) -> Option<Vec<Trace>> {
        let (mut args, mut st) = input.store_for::<RationalDomain>(subject);
        let mut room = |name: &str| {
            let blank = Buffer::unknown(Name::new(name), DataType::R, &[ROOM], 1 << 16)?;
            Some(Window::whole(st.allocate(blank), &[ROOM]))
        };
        let (log, which) = (room("log")?, room("which")?);
        args.extend([log.clone(), which.clone()].map(Val::Window));
        let done = self.program.call(&args, st, LIMITS).ok()?.store;
        let key = ConfigKey { config: self.config.name, field: Name::new("next") };
        let Some(Val::Int(count)) = done.global(key) else { return None };
        let mut out = vec![Trace::new(); self.expressions];
        for k in 0..*count {
            let Some(Datum::Known(Rational::Number(number))) = done.read(&which, &[k]) else { return None };
            let at: usize = number.to_string().parse().ok()?;
            out.get_mut(at)?.push(done.read(&log, &[k])?.clone());
        }
        Some(out)
    }
}

/// What is passed by reference is a place: what is in it may be of no account.
fn is_reference(p: &Proc, at: &ExprPath) -> bool {
    match (stmt_at(p, &at.stmt).map(|s| s.kind.as_ref()), at.steps.as_slice()) {
        (Some(StmtKind::Call { proc, args: _ }), [ExprStep::Arg(k)]) => {
            proc.args.get(*k).is_none_or(|formal| matches!(formal.typ, ArgType::Data { .. }))
        }
        _ => false,
    }
}

fn sort_of(p: &Proc, at: &ExprPath, e: &Expr) -> Option<Sort> {
    if is_reference(p, at) {
        return None;
    }
    match env_at(&Analysis::new(), p, &at.stmt)?.type_of(e) {
        Type::Data(_) => Some(Sort::Data),
        Type::Buffer(typ) => (typ.rank() == 0).then_some(Sort::Data),
        Type::Control(ControlType::Bool) => Some(Sort::Truth),
        Type::Control(ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride) => {
            Some(Sort::Integer)
        }
        Type::Error => None,
    }
}

/// `log[Watch.next] = e; which[Watch.next] = k; Watch.next = Watch.next + 1`. A control value becomes data by counting.
fn probe(config: &Arc<Config>, log: Sym, which: Sym, k: i64, e: Expr, sort: Sort) -> Vec<Stmt> {
    let next = || Expr::new(ExprKind::ReadConfig { config: config.clone(), field: Name::new("next") });
    let (set, one) = (|n| assign(log, [next()], data(n, 0)), |n| reduce(log, [next()], data(n, 0)));
    let count = |lo: Expr, hi: Expr, by| for_(Sym::fresh("t"), lo, hi, [one(by)]);
    let mut out = match sort {
        Sort::Data => vec![assign(log, [next()], e)],
        Sort::Truth => vec![if_(e, [set(1)], [set(0)])],
        Sort::Integer => vec![set(0), count(int(0), e.clone(), 1), count(e, int(0), -1)],
    };
    out.push(assign(which, [next()], data(k, 0)));
    out.push(write_config(config, "next", add(next(), 1)));
    out
}

impl Probes {
    fn block(&self, b: &Block, up: &[Step], kind: Step) -> Block {
        let mut out = Block::new();
        for (k, s) in b.iter().enumerate() {
            let path = child(up, kind.at(k));
            out.extend(self.by_stmt.get(&path).into_iter().flatten().cloned());
            out.push_back(self.stmt(s, &path));
        }
        out
    }

    /// The statement with what is in it watched. Parallel loops run in order: writing values down is a race.
    fn stmt(&self, s: &Stmt, path: &[Step]) -> Stmt {
        let kind = match s.kind.as_ref() {
            StmtKind::For { iter, lo, hi, body, mode: _ } => StmtKind::For {
                iter: *iter,
                lo: lo.clone(),
                hi: hi.clone(),
                body: self.block(body, path, Step::Body(0)),
                mode: LoopMode::Seq,
            },
            StmtKind::If { cond, body, orelse } => StmtKind::If {
                cond: cond.clone(),
                body: self.block(body, path, Step::Body(0)),
                orelse: self.block(orelse, path, Step::Orelse(0)),
            },
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. }
            | StmtKind::Call { .. } => return s.clone(),
        };
        Stmt::at(kind, s.span)
    }
}

/// How the values of one expression lie to those of another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Each value of the new one is one of the old one.
    pub within: bool,
    /// Each value of the old one is one of the new one.
    pub covers: bool,
}

/// Compares the sets of values; `None` where the old ones say nothing: there are none, or there is one of which nothing
/// is known.
pub fn compared(old: &Trace, new: &Trace) -> Option<Compared> {
    let known = |d: &Datum<Rational>| matches!(d, Datum::Known(Rational::Number(_) | Rational::Term(_)));
    if old.is_empty() || !old.iter().all(known) || new.contains(&Datum::Known(Rational::TooLarge)) {
        return None;
    }
    let within = |a: &Trace, b: &Trace| a.iter().all(|v| b.contains(v));
    Some(Compared { within: within(new, old), covers: within(old, new) })
}
