//! From programs to slots.

use super::super::Stuck;
use super::{Code, Compiled, Word};
use crate::expr::{End, Expr, Var};
use crate::index;
use crate::op::Op;
use crate::tgt::{Block, For, Order, Program, Stmt};
use rewright_base::sym::Name;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

pub(super) fn compile(t: &Program) -> Result<Compiled, Stuck> {
    // Its words are integers: the small steps run what computes with floating point, and funcs of several values.
    let mut funcs: Vec<Name> = t.algorithm.funcs.iter().map(|f| f.name).collect();
    funcs.extend(t.algorithm.inputs.iter().map(|i| i.name));
    let is_tuple = |f: &crate::alg::Func| !f.parts.is_empty();
    if funcs.iter().any(|f| t.algorithm.scalar(*f).is_float()) || t.algorithm.funcs.iter().any(is_tuple) {
        return Err(Stuck::Overflow);
    }
    // Their corners are numbers of floating point.
    if !index::asserted(t).is_empty() {
        return Err(Stuck::Overflow);
    }
    let mut c = Compiler {
        slots: FxHashMap::default(),
        next: 0,
        funcs,
        atomic: t.atomic.clone(),
        folded: !t.folds.is_empty(),
    };
    let params = t.algorithm.params.iter().map(|p| c.bind(Var::Param(*p))).collect();
    let rank = t.algorithm.window_rank();
    let window =
        (0..rank).map(|d| (c.bind(Var::Window(d, End::Min)), c.bind(Var::Window(d, End::Len)))).collect();
    let code = c.block(&t.body)?;
    let outputs = t.algorithm.windows().into_iter().map(|(f, dims)| Ok((c.func(f)?, dims)));
    let outputs = outputs.collect::<Result<_, Stuck>>()?;
    let scalar = |f: &crate::alg::Func| (f.scalar != crate::typed::Scalar::Integer).then_some(f.scalar);
    let scalars = t.algorithm.funcs.iter().map(scalar).collect();
    let own = t.algorithm.funcs.len();
    let folds = t.algorithm.funcs.iter().map(|f| t.folds_of(f.name)).collect();
    Ok(Compiled { scalars, own, code, slots: c.next, params, window, funcs: c.funcs, outputs, folds })
}

struct Compiler {
    slots: FxHashMap<Var, usize>,
    next: usize,
    funcs: Vec<Name>,
    atomic: BTreeSet<(Name, usize)>,
    folded: bool,
}

impl Compiler {
    fn bind(&mut self, v: Var) -> usize {
        let slot = self.next;
        self.next += 1;
        self.slots.insert(v, slot);
        slot
    }

    /// Compiles a body in which `v` is bound.
    fn within(&mut self, v: Var, body: &Block) -> Result<(usize, Vec<Code>), Stuck> {
        let before = self.slots.get(&v).copied();
        let slot = self.bind(v);
        let code = self.block(body)?;
        match before {
            Some(old) => self.slots.insert(v, old),
            None => self.slots.remove(&v),
        };
        Ok((slot, code))
    }

    fn func(&self, f: Name) -> Result<usize, Stuck> {
        self.funcs.iter().position(|g| *g == f).ok_or_else(|| Stuck::Unbound(f.to_string()))
    }

    fn block(&mut self, b: &Block) -> Result<Vec<Code>, Stuck> {
        let mut out = Vec::new();
        for s in b {
            match s {
                Stmt::Label { body, .. } => out.extend(self.block(body)?),
                Stmt::Assert { .. } | Stmt::Allocate { .. } | Stmt::Store { .. } => out.push(self.stmt(s)?),
                Stmt::If { .. } | Stmt::For(_) | Stmt::Let { .. } => out.push(self.stmt(s)?),
            }
        }
        Ok(out)
    }

    fn stmt(&mut self, s: &Stmt) -> Result<Code, Stuck> {
        Ok(match s {
            Stmt::Assert { cond, claim } => Code::Assert(self.word(cond)?, *claim),
            Stmt::Allocate { func, bounds } => {
                let f = self.func(*func)?;
                let ends = bounds.iter().map(|i| Ok((self.word(&i.min)?, self.word(&i.len)?)));
                Code::Allocate(f, ends.collect::<Result<_, Stuck>>()?)
            }
            Stmt::Store { site, args, value } => Code::Store {
                f: self.func(site.func)?,
                args: self.words(args)?,
                value: self.word(value)?,
                atomic: self.atomic.contains(&(site.func, site.stage)),
            },
            Stmt::If { cond, then, other } => {
                Code::If(self.word(cond)?, self.block(then)?, self.block(other)?)
            }
            Stmt::For(l) => self.for_loop(l)?,
            Stmt::Let { var, value, body } => {
                let value = self.word(value)?;
                let (slot, body) = self.within(*var, body)?;
                Code::Let(slot, value, body)
            }
            Stmt::Label { body, .. } => Code::If(Word::Const(1), self.block(body)?, Vec::new()),
        })
    }

    fn for_loop(&mut self, l: &For) -> Result<Code, Stuck> {
        let (min, len) = (self.word(&l.domain.min)?, self.word(&l.domain.len)?);
        let (slot, body) = self.within(l.variable(), &l.body)?;
        let parallel = l.order == Order::Parallel || l.order == Order::Vectorized;
        // Rows are runs of cells, and circles have none.
        let row = !self.folded && super::row::is_row(&body);
        Ok(Code::For { slot, min, len, parallel, row, body })
    }

    fn words(&mut self, es: &[Expr]) -> Result<Box<[Word]>, Stuck> {
        es.iter().map(|e| self.word(e)).collect()
    }

    fn word(&mut self, e: &Expr) -> Result<Word, Stuck> {
        match e {
            Expr::Const(v) => {
                v.to_i64().filter(|v| *v != super::ERROR).map(Word::Const).ok_or(Stuck::Overflow)
            }
            Expr::Var(v) => {
                let slot = self.slots.get(v).copied();
                slot.map(Word::Slot).ok_or_else(|| Stuck::Unbound(crate::text::print::var(*v)))
            }
            Expr::Access(a) => Ok(Word::Load(self.func(a.func)?, self.words(&a.args)?)),
            Expr::Op(op, args) => self.operation(*op, args),
        }
    }

    fn operation(&mut self, op: Op, args: &[Expr]) -> Result<Word, Stuck> {
        let words: Vec<Word> = args.iter().map(|e| self.word(e)).collect::<Result<_, _>>()?;
        let mut words = words.into_iter();
        let arity = || Stuck::Unbound(op.name().to_owned());
        Ok(match (op, words.next(), words.next(), words.next()) {
            // Its words are integers.
            (Op::Math(_), ..) => return Err(Stuck::Overflow),
            (Op::Cast(scalar), ..) if scalar.is_float() => return Err(Stuck::Overflow),
            (Op::Not | Op::Abs | Op::Cast(_), Some(a), None, None) => Word::Unary(op, Box::new(a)),
            (Op::Select, Some(c), Some(a), Some(b)) => Word::Select(Box::new((c, a, b))),
            (Op::Not | Op::Abs | Op::Cast(_) | Op::Select, ..) => return Err(arity()),
            (Op::Add, Some(Word::Slot(s)), Some(Word::Const(k)), None) => Word::SlotPlus(s, k),
            (Op::Sub, Some(Word::Slot(s)), Some(Word::Const(k)), None) if k > i64::MIN => {
                Word::SlotPlus(s, -k)
            }
            (_, Some(a), Some(b), None) => Word::Binary(op, Box::new((a, b))),
            _ => return Err(arity()),
        })
    }
}
