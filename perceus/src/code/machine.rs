//! Code, step by step, in a heap with counts. Spec: [rule: perceus.code.heap].
//!
//! A tail call leaves no frame. [`Machine::audit`] holds a state against what it should be: each count is the number
//! of references, each cell is needed.

mod audit;

use super::value::{CellId, Content, Counters, Fault, Heap, Value};
use super::{Atom, Block, Borrows, Bound, Code, Con, End, Fork, Instr, Lam, Op, Rhs, StaticId};
use crate::env::Env;
use crate::stuck::{Given, Stuck, apply};
use crate::syntax::Prim;
use crate::vars::Vars;
use rewright_base::sym::Name;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// With a value.
    Value(Value),
    /// It cannot go on.
    Fault(Fault),
    /// Not within the steps it was given.
    Unfinished,
}

/// A place in a block, and what its variables are.
#[derive(Clone, Debug)]
struct At<'p> {
    block: &'p Block,
    at: usize,
    env: Env<Value>,
    /// What the fields of cells that were looked into are called.
    fields: Vec<(Name, Names<'p>)>,
    plain: &'p Vars,
}

#[derive(Clone, Copy, Debug)]
enum Names<'p> {
    Binders(&'p [Option<Name>]),
    Captured(&'p [Name]),
}

/// A block that waits for a value, and what it calls the value.
#[derive(Clone, Debug)]
struct Frame<'p> {
    name: Name,
    place: At<'p>,
}

/// A state.
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    code: &'p Code,
    borrows: Borrows,
    /// The heap.
    pub heap: Heap<'p>,
    place: At<'p>,
    frames: Vec<Frame<'p>>,
    /// Steps done.
    pub steps: u64,
    /// Most frames at once.
    pub deepest: usize,
    ended: Option<Value>,
}

impl<'p> Machine<'p> {
    /// Before the first step.
    pub fn new(code: &'p Code) -> Machine<'p> {
        let main = &code.main;
        Machine {
            code,
            borrows: code.borrows(),
            heap: Heap::default(),
            place: At { block: &main.body, at: 0, env: Env::new(), fields: Vec::new(), plain: &main.plain },
            frames: Vec::new(),
            steps: 0,
            deepest: 0,
            ended: None,
        }
    }

    /// What was executed.
    pub fn counters(&self) -> Counters {
        self.heap.counters
    }

    /// Runs for at most so many steps; `see` is shown the state before each step that is no count operation, and the last.
    pub fn run(&mut self, limit: u64, mut see: impl FnMut(&Machine<'p>) -> Result<(), Fault>) -> Outcome {
        loop {
            if (self.ended.is_some() || !self.is_counting())
                && let Err(fault) = see(self)
            {
                return Outcome::Fault(fault);
            }
            if let Some(v) = self.ended {
                return Outcome::Value(v);
            }
            if self.steps == limit {
                return Outcome::Unfinished;
            }
            if let Err(fault) = self.step() {
                return Outcome::Fault(fault);
            }
            self.steps += 1;
        }
    }

    /// Drops the value that a run gave. What is left is a leak, but for what a cycle keeps alive: how many cells that are.
    ///
    /// # Errors
    /// [`Fault::Leak`], or what is wrong with a count.
    pub fn finish(&mut self, v: Value) -> Result<usize, Fault> {
        self.heap.drop(v)?;
        let left: Vec<CellId> = self.heap.cells().into_iter().map(|(id, _)| id).collect();
        if self.unexplained(&left).is_empty() { Ok(left.len()) } else { Err(Fault::Leak) }
    }

    fn is_counting(&self) -> bool {
        match self.place.block.instrs.get(self.place.at) {
            Some(Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. }) => true,
            Some(Instr::Val(..)) | None => false,
        }
    }

    fn lookup(&self, x: Name) -> Result<Value, Fault> {
        self.place.env.get(x).ok_or(Fault::Stuck(Stuck::Unbound))
    }

    fn atom(&self, a: Atom) -> Result<Value, Fault> {
        match a {
            Atom::Var(x) => self.lookup(x),
            Atom::Int(n) => Ok(Value::Int(n)),
            Atom::Con(c) => Ok(Value::Con(c)),
            Atom::Static(s) => Ok(Value::Static(s)),
        }
    }

    /// The constructor and the fields of a static cell.
    pub fn fixed(&self, id: StaticId) -> Option<(Name, Vec<Value>)> {
        let s = self.code.fixed(id)?;
        let field = |a: &Atom| match a {
            Atom::Int(n) => Some(Value::Int(*n)),
            Atom::Con(c) => Some(Value::Con(*c)),
            Atom::Static(s) => Some(Value::Static(*s)),
            Atom::Var(_) => None,
        };
        Some((s.con, s.args.iter().map(field).collect::<Option<_>>()?))
    }

    fn atoms(&self, args: &[Atom]) -> Result<Vec<Value>, Fault> {
        args.iter().map(|a| self.atom(*a)).collect()
    }

    fn bind(&mut self, x: Name, v: Value) -> Result<(), Fault> {
        if matches!(v, Value::Cell(_)) && self.place.plain.contains(x) {
            return Err(Fault::NotPlain);
        }
        self.place.env.bind(x, v);
        Ok(())
    }

    fn step(&mut self) -> Result<(), Fault> {
        let block = self.place.block;
        let Some(instr) = block.instrs.get(self.place.at) else { return self.end(&block.end) };
        self.place.at += 1;
        match instr {
            Instr::Op(o) => self.op(*o),
            Instr::Unique(x, fork) => self.fork(*x, fork).map(drop),
            Instr::Token { token, of, fork } => {
                let memory = match fork {
                    None => self.drop_reuse(*of)?,
                    Some(fork) => {
                        let then = self.fork(*of, fork)?;
                        if then { self.heap.take(self.lookup(*of)?)? } else { None }
                    }
                };
                self.bind(*token, Value::Token(memory))
            }
            Instr::Val(x, Bound::Rhs(r)) => self.compute(r, Some(*x)),
            Instr::Val(x, Bound::Block(b)) => {
                let inner = At { block: b, at: 0, ..self.place.clone() };
                self.push(*x, inner);
                Ok(())
            }
        }
    }

    fn op(&mut self, o: Op) -> Result<(), Fault> {
        let v = self.lookup(o.name())?;
        match o {
            Op::Dup(_) => self.heap.dup(v),
            Op::Drop(_) => self.heap.drop(v),
            Op::DecRef(_) => self.heap.decref(v),
            Op::Free(_) => {
                let memory = self.heap.take(v)?;
                self.heap.release(memory)
            }
            Op::DropToken(_) => match v {
                Value::Token(memory) => self.heap.release(memory),
                Value::Cell(_) | Value::Int(_) | Value::Con(_) | Value::Static(_) => Err(Fault::BadToken),
            },
        }
    }

    fn fork(&mut self, x: Name, fork: &Fork) -> Result<bool, Fault> {
        let unique = self.heap.is_unique(self.lookup(x)?)?;
        let ops = if unique { &fork.then } else { &fork.otherwise };
        ops.iter().try_for_each(|o| self.op(*o))?;
        Ok(unique)
    }

    fn drop_reuse(&mut self, x: Name) -> Result<Option<CellId>, Fault> {
        let v = self.lookup(x)?;
        if !self.heap.is_unique(v)? {
            self.heap.decref(v)?;
            return Ok(None);
        }
        let memory = self.heap.take(v)?;
        let children = match memory.and_then(|id| self.heap.memory(id)) {
            Some(cell) => cell.content.fields().to_vec(),
            None => Vec::new(),
        };
        children.into_iter().try_for_each(|v| self.heap.drop(v))?;
        Ok(memory)
    }

    /// Goes into a block whose value is called `x` here.
    fn push(&mut self, x: Name, inner: At<'p>) {
        let place = std::mem::replace(&mut self.place, inner);
        self.frames.push(Frame { name: x, place });
        self.deepest = self.deepest.max(self.frames.len());
    }

    /// Goes into a body; behind it comes the rest of this block, or what is behind this block.
    fn enter(&mut self, into: Option<Name>, inner: At<'p>) {
        match into {
            Some(x) => self.push(x, inner),
            None => self.place = inner,
        }
    }

    fn end(&mut self, end: &'p End) -> Result<(), Fault> {
        match end {
            End::Done(r) => self.compute(r, None),
            End::Match(x, arms) => {
                let (name, fields) = match self.lookup(*x)? {
                    Value::Con(name) => (name, Vec::new()),
                    Value::Static(s) => self.fixed(s).ok_or(Stuck::MatchNonConstructor)?,
                    Value::Cell(id) => match &self.heap.get(id)?.content {
                        Content::Con(name, fields) => (*name, fields.clone()),
                        Content::Lam(..) | Content::Ref(_) => {
                            return Err(Stuck::MatchNonConstructor.into());
                        }
                    },
                    Value::Int(_) => return Err(Stuck::MatchNonConstructor.into()),
                    Value::Token(_) => return Err(Fault::BadToken),
                };
                let arm = arms.iter().find(|a| a.con == name).ok_or(Stuck::NoBranch)?;
                for (b, v) in arm.binders.iter().zip(fields) {
                    b.map_or(Ok(()), |b| self.bind(b, v))?;
                }
                self.place.fields.push((*x, Names::Binders(&arm.binders)));
                self.place.block = &arm.body;
                self.place.at = 0;
                Ok(())
            }
        }
    }

    /// What is computed is called `into` here, or is what this block gives.
    fn compute(&mut self, r: &'p Rhs, into: Option<Name>) -> Result<(), Fault> {
        let v = match r {
            Rhs::Atom(a) => self.atom(*a)?,
            Rhs::Lam(l) => {
                let ys = l.ys.iter().map(|y| self.lookup(*y)).collect::<Result<_, _>>()?;
                self.heap.alloc(Content::Lam(l, self.place.plain, ys))
            }
            Rhs::Con(c) => self.construct(c)?,
            Rhs::Prim(op, args) => self.primitive(*op, &self.atoms(args)?)?,
            Rhs::App(f, a) => {
                let (f, a) = (self.atom(*f)?, self.atom(*a)?);
                return self.apply(f, a, into);
            }
            Rhs::Call(f, args) => {
                let args = self.atoms(args)?;
                let fun = self.code.fun(*f).ok_or(Stuck::Unbound)?;
                let inner =
                    At { block: &fun.body, at: 0, env: Env::new(), fields: Vec::new(), plain: &fun.plain };
                self.enter(into, inner);
                return fun.params.iter().zip(args).try_for_each(|(x, v)| self.bind(*x, v));
            }
        };
        self.give(v, into)
    }

    fn give(&mut self, v: Value, into: Option<Name>) -> Result<(), Fault> {
        match (into, self.frames.pop()) {
            (Some(x), frame) => {
                self.frames.extend(frame);
                self.bind(x, v)
            }
            (None, Some(frame)) => {
                self.place = frame.place;
                self.bind(frame.name, v)
            }
            (None, None) => {
                self.ended = Some(v);
                Ok(())
            }
        }
    }

    fn construct(&mut self, c: &Con) -> Result<Value, Fault> {
        let fields = self.atoms(&c.args)?;
        let token = match &c.at {
            None => None,
            Some(at) => match self.lookup(at.token)? {
                Value::Token(memory) => memory,
                Value::Cell(_) | Value::Int(_) | Value::Con(_) | Value::Static(_) => {
                    return Err(Fault::BadToken);
                }
            },
        };
        match (token, &c.at) {
            (Some(id), Some(at)) => self.heap.reuse(id, c.name, fields, &at.kept),
            _ if fields.is_empty() => Ok(Value::Con(c.name)),
            _ => Ok(self.heap.alloc(Content::Con(c.name, fields))),
        }
    }

    fn primitive(&mut self, op: Prim, args: &[Value]) -> Result<Value, Fault> {
        match (op, args) {
            (Prim::Ref, [v]) => Ok(self.heap.alloc(Content::Ref(*v))),
            (Prim::Get, [r]) => {
                let held = self.heap.held(*r)?;
                self.heap.dup(held)?;
                self.heap.drop(*r)?;
                Ok(held)
            }
            (Prim::Set, [r, v]) => {
                let old = self.heap.assign(*r, *v)?;
                self.heap.drop(old)?;
                self.heap.drop(*r)?;
                Ok(Value::Con(Name::new("Unit")))
            }
            _ => arithmetic(op, args),
        }
    }

    fn apply(&mut self, f: Value, a: Value, into: Option<Name>) -> Result<(), Fault> {
        let Value::Cell(id) = f else { return Err(Stuck::ApplyNonFunction.into()) };
        let (l, plain, ys): (&'p Lam, &'p Vars, Vec<Value>) = match &self.heap.get(id)?.content {
            Content::Lam(l, plain, ys) => (l, plain, ys.clone()),
            Content::Con(..) | Content::Ref(_) => return Err(Stuck::ApplyNonFunction.into()),
        };
        let fields = vec![(l.this, Names::Captured(&l.ys))];
        let inner = At { block: &l.body, at: 0, env: Env::new(), fields, plain };
        self.enter(into, inner);
        l.ys.iter().zip(ys).try_for_each(|(y, v)| self.bind(*y, v))?;
        self.bind(l.this, f)?;
        self.bind(l.param, a)
    }
}

impl Names<'_> {
    fn to_vec(self) -> Vec<Option<Name>> {
        match self {
            Names::Binders(b) => b.to_vec(),
            Names::Captured(ys) => ys.iter().map(|y| Some(*y)).collect(),
        }
    }
}

fn arithmetic(op: Prim, args: &[Value]) -> Result<Value, Fault> {
    let [Value::Int(a), Value::Int(b)] = args else { return Err(Stuck::PrimNonInteger.into()) };
    Ok(match apply(op, *a, *b)? {
        Given::Int(n) => Value::Int(n),
        Given::Truth(t) => Value::Con(Name::new(Given::constructor(t))),
    })
}
