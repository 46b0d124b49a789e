//! The steps of the heap semantics, one at a time. Thesis Fig. 4.7.

use super::{CellId, Content, Heap, Ref};
use crate::env::Env;
use crate::stuck::{Given, Outcome, Stuck, apply};
use crate::syntax::{Branch, Con, Expr, ExprKind, Prim, Program};
use rewright_base::sym::Name;
use std::collections::VecDeque;
use std::fmt;

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule {
    /// (lam_r)
    Lam,
    /// (con_r)
    Con,
    /// (app_r)
    App,
    /// (match_r)
    Match,
    /// (bind_r)
    Bind,
    /// (dup_r)
    Dup,
    /// (drop_r), (dlam_r) or (dcon_r), or a `drop-reuse`
    Drop,
    /// (prim_r)
    Prim,
    /// (ref_r)
    Ref,
    /// (get_r)
    Get,
    /// (set_r)
    Set,
    /// (call_r)
    Call,
}

impl Rule {
    /// Whether the next redex is a reference count operation: Theorem 4.4 says nothing about such states [P-9].
    pub fn is_counting(self) -> bool {
        match self {
            Rule::Dup | Rule::Drop => true,
            Rule::Lam
            | Rule::Con
            | Rule::App
            | Rule::Match
            | Rule::Bind
            | Rule::Prim
            | Rule::Ref
            | Rule::Get
            | Rule::Set
            | Rule::Call => false,
        }
    }

    /// Its name in the figure.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Lam => "lam_r",
            Rule::Con => "con_r",
            Rule::App => "app_r",
            Rule::Match => "match_r",
            Rule::Bind => "bind_r",
            Rule::Dup => "dup_r",
            Rule::Drop => "drop_r",
            Rule::Prim => "prim_r",
            Rule::Ref => "ref_r",
            Rule::Get => "get_r",
            Rule::Set => "set_r",
            Rule::Call => "call_r",
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A frame of E.
#[derive(Clone, Debug)]
pub enum Frame {
    /// □ e
    Fun(Expr, Env<Ref>),
    /// x □
    Arg(Ref),
    /// val x = □; e
    Val(Name, Expr, Env<Ref>),
    /// C x … □ e …, and likewise for primitives and calls.
    Operands {
        /// What the operands are for.
        head: Head,
        /// The operands that are evaluated.
        done: Vec<Ref>,
        /// Those that are not, the last first.
        rest: Vec<Expr>,
        /// Their environment, and the head's token's.
        env: Env<Ref>,
    },
}

/// What operands are for.
#[derive(Clone, Copy, Debug)]
pub enum Head {
    /// A constructor, perhaps in the memory of a token.
    Con(Name, Option<Name>),
    /// A primitive.
    Prim(Prim),
    /// A call.
    Call(Name),
}

/// What is in the hole of E.
#[derive(Clone, Debug)]
pub enum Control {
    /// An expression.
    Eval(Expr, Env<Ref>),
    /// A value.
    Return(Ref),
}

/// A reference count operation that a rule inserted.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// dup x
    Dup(Ref),
    /// drop x
    Drop(Ref),
    /// val r = drop-reuse x
    DropReuse(Name, Ref),
}

/// H | E\[e\].
#[derive(Clone, Debug)]
pub struct Machine<'p> {
    program: &'p Program,
    /// H
    pub heap: Heap,
    /// Inserted operations, which come before `control`.
    pub ops: VecDeque<Op>,
    /// The hole.
    pub control: Control,
    /// E, the innermost frame last.
    pub frames: Vec<Frame>,
    /// Steps done.
    pub steps: u64,
}

impl<'p> Machine<'p> {
    /// ∅ | e'
    pub fn new(program: &'p Program) -> Machine<'p> {
        Machine {
            program,
            heap: Heap::new(),
            ops: VecDeque::new(),
            control: Control::Eval(program.main.clone(), Env::new()),
            frames: Vec::new(),
            steps: 0,
        }
    }

    /// Runs for at most so many steps; `see` is shown each state with the rule that comes next, and the last state.
    pub fn run(&mut self, limit: u64, mut see: impl FnMut(&Machine<'p>, Option<Rule>)) -> Outcome<Ref> {
        loop {
            let next = match self.focus() {
                Ok(next) => next,
                Err(why) => {
                    see(self, None);
                    return Outcome::Stuck(why);
                }
            };
            if self.steps < limit || next.is_none() {
                see(self, next);
            }
            let Some(rule) = next else {
                return match self.control {
                    Control::Return(r) => Outcome::Value(r),
                    Control::Eval(..) => Outcome::Stuck(Stuck::Unbound),
                };
            };
            if self.steps == limit {
                // A state that is stuck has ended, at the limit too.
                return self.clone().step(rule).map_or_else(Outcome::Stuck, |()| Outcome::Unfinished);
            }
            if let Err(why) = self.step(rule) {
                return Outcome::Stuck(why);
            }
        }
    }

    /// Moves to the next redex: the rule that is next, or `None` where there is a value. Nothing is reduced.
    ///
    /// # Errors
    /// A variable has no value.
    pub fn focus(&mut self) -> Result<Option<Rule>, Stuck> {
        loop {
            match self.ops.front() {
                None => {}
                Some(Op::Dup(r) | Op::Drop(r)) if matches!(r, Ref::Int(_)) => {
                    self.ops.pop_front();
                    continue;
                }
                Some(Op::Dup(_)) => return Ok(Some(Rule::Dup)),
                Some(Op::Drop(_) | Op::DropReuse(..)) => return Ok(Some(Rule::Drop)),
            }
            match std::mem::replace(&mut self.control, Control::Return(Ref::Int(0))) {
                Control::Eval(e, env) => {
                    if let Some(rule) = self.descend(e, env)? {
                        return Ok(Some(rule));
                    }
                }
                Control::Return(r) => {
                    self.control = Control::Return(r);
                    match self.frames.last_mut() {
                        None => return Ok(None),
                        Some(Frame::Arg(_)) => return Ok(Some(Rule::App)),
                        Some(Frame::Val(..)) => return Ok(Some(Rule::Bind)),
                        Some(Frame::Fun(arg, env)) => {
                            self.control = Control::Eval(arg.clone(), env.clone());
                            self.frames.pop();
                            self.frames.push(Frame::Arg(r));
                        }
                        Some(Frame::Operands { head, done, rest, env }) => match rest.pop() {
                            None => return Ok(Some(complete(*head))),
                            Some(next) => {
                                done.push(r);
                                self.control = Control::Eval(next, env.clone());
                            }
                        },
                    }
                }
            }
        }
    }

    /// Moves into an expression; the rule, if it is a redex.
    fn descend(&mut self, e: Expr, env: Env<Ref>) -> Result<Option<Rule>, Stuck> {
        let operands = |head: Head, args: &[Expr], env: &Env<Ref>| {
            let rest = args.iter().skip(1).rev().cloned().collect();
            let frame = Frame::Operands { head, done: Vec::new(), rest, env: env.clone() };
            args.first().map(|first| (frame, first.clone()))
        };
        let redex = |machine: &mut Machine<'p>, e: Expr, env| {
            machine.control = Control::Eval(e, env);
        };
        let env = env.only(e.free());
        let (frame, inner, head) = match e.kind() {
            ExprKind::Var(x) => {
                self.control = Control::Return(env.get(*x).ok_or(Stuck::Unbound)?);
                return Ok(None);
            }
            ExprKind::Int(n) => {
                self.control = Control::Return(Ref::Int(*n));
                return Ok(None);
            }
            ExprKind::Lam(_) => {
                redex(self, e, env);
                return Ok(Some(Rule::Lam));
            }
            ExprKind::Match(..) => {
                redex(self, e, env);
                return Ok(Some(Rule::Match));
            }
            ExprKind::Dup(x, rest) | ExprKind::Drop(x, rest)
                if env.get(*x).is_some_and(|r| matches!(r, Ref::Int(_))) =>
            {
                redex(self, rest.clone(), env);
                return Ok(None);
            }
            ExprKind::Dup(..) => {
                redex(self, e, env);
                return Ok(Some(Rule::Dup));
            }
            ExprKind::Drop(..) => {
                redex(self, e, env);
                return Ok(Some(Rule::Drop));
            }
            ExprKind::App(fun, arg) => {
                (Some(Frame::Fun(arg.clone(), env.only(arg.free()))), fun.clone(), None)
            }
            ExprKind::Val(x, bound, body) => {
                let kept = env.only(&body.free().without(*x));
                (Some(Frame::Val(*x, body.clone(), kept)), bound.clone(), None)
            }
            ExprKind::Con(Con { name, at, args }) => {
                split(operands(Head::Con(*name, *at), args, &env), &e, Rule::Con)
            }
            ExprKind::Prim(op, args) => split(operands(Head::Prim(*op), args, &env), &e, Rule::Prim),
            ExprKind::Call(f, args) => split(operands(Head::Call(*f), args, &env), &e, Rule::Call),
        };
        self.frames.extend(frame);
        self.control = Control::Eval(inner, env);
        Ok(head)
    }

    /// Does the step that [`Machine::focus`] found.
    ///
    /// # Errors
    /// Why it cannot be done; the state is as before then.
    pub fn step(&mut self, rule: Rule) -> Result<(), Stuck> {
        self.reduce(rule)?;
        self.steps += 1;
        Ok(())
    }

    fn reduce(&mut self, rule: Rule) -> Result<(), Stuck> {
        if let Some(op) = self.ops.front().copied() {
            return self.counting(op);
        }
        match (&self.control, rule) {
            (Control::Eval(e, env), _) => {
                let (e, env) = (e.clone(), env.clone());
                self.redex(&e, &env)
            }
            (Control::Return(r), _) => {
                let r = *r;
                self.value(r)
            }
        }
    }

    /// An operation that a rule inserted.
    fn counting(&mut self, op: Op) -> Result<(), Stuck> {
        let children = match op {
            Op::Dup(r) => {
                self.heap.dup(r)?;
                Vec::new()
            }
            Op::Drop(r) => self.heap.drop(r)?,
            Op::DropReuse(name, r) => {
                let (token, children) = self.heap.drop_reuse(r)?;
                if let Control::Eval(_, env) = &mut self.control {
                    env.bind(name, Ref::Token(token));
                }
                children
            }
        };
        self.ops.pop_front();
        children.into_iter().rev().for_each(|r| self.ops.push_front(Op::Drop(r)));
        Ok(())
    }

    /// An expression that is a redex.
    fn redex(&mut self, e: &Expr, env: &Env<Ref>) -> Result<(), Stuck> {
        let lookup = |x: &Name| env.get(*x).ok_or(Stuck::Unbound);
        match e.kind() {
            ExprKind::Lam(l) => {
                let captured: Vec<Name> = l.ys.clone().unwrap_or_else(|| e.free().iter().collect());
                let ys = captured.iter().map(|y| Ok((*y, lookup(y)?))).collect::<Result<_, _>>()?;
                let f = self.heap.alloc(Content::Lam { ys, param: l.param, body: l.body.clone() });
                self.control = Control::Return(Ref::Cell(f));
            }
            ExprKind::Match(x, branches) => self.branch(lookup(x)?, branches, env)?,
            ExprKind::Dup(x, rest) => {
                self.heap.dup(lookup(x)?)?;
                self.control = Control::Eval(rest.clone(), env.clone());
            }
            ExprKind::Drop(x, rest) => {
                let children = self.heap.drop(lookup(x)?)?;
                self.ops.extend(children.into_iter().map(Op::Drop));
                self.control = Control::Eval(rest.clone(), env.clone());
            }
            ExprKind::Con(c) => {
                let token = c.at.map(|t| lookup(&t)).transpose()?;
                self.construct(c.name, token, Vec::new());
            }
            ExprKind::Call(f, _) => self.call(*f, Vec::new())?,
            ExprKind::Prim(..) => return Err(Stuck::PrimNonInteger),
            ExprKind::Var(_) | ExprKind::Int(_) | ExprKind::App(..) | ExprKind::Val(..) => {
                return Err(Stuck::Unbound);
            }
        }
        Ok(())
    }

    /// (match_r), (match_r@)
    fn branch(&mut self, x: Ref, branches: &[Branch], env: &Env<Ref>) -> Result<(), Stuck> {
        let c = x.cell().ok_or(Stuck::MatchNonConstructor)?;
        let (name, fields) = match &self.heap.get(c).ok_or(Stuck::UseAfterFree)?.content {
            Content::Con(name, fields) => (*name, fields.clone()),
            Content::Lam { .. } | Content::Ref(_) => return Err(Stuck::MatchNonConstructor),
        };
        let branch = branches.iter().find(|b| b.pattern.con == name).ok_or(Stuck::NoBranch)?;
        let mut inner = env.only(branch.body.free());
        for (binder, field) in branch.pattern.binders.iter().zip(fields) {
            if let Some(b) = binder {
                inner.bind(*b, field);
                self.ops.push_back(Op::Dup(field));
            }
        }
        self.ops.push_back(branch.pattern.reuse.map_or(Op::Drop(x), |token| Op::DropReuse(token, x)));
        self.control = Control::Eval(branch.body.clone(), inner);
        Ok(())
    }

    /// A value in a frame that makes a redex of it.
    fn value(&mut self, r: Ref) -> Result<(), Stuck> {
        match self.frames.last() {
            Some(Frame::Arg(f)) => {
                let f = *f;
                self.apply(f, r)?;
            }
            Some(Frame::Val(x, body, env)) => self.control = Control::Eval(body.clone(), env.with(*x, r)),
            Some(Frame::Operands { head, done, env, .. }) => {
                let (head, mut operands, env) = (*head, done.clone(), env.clone());
                operands.push(r);
                self.operands(head, operands, &env)?;
            }
            Some(Frame::Fun(..)) | None => return Err(Stuck::Unbound),
        }
        self.frames.pop();
        Ok(())
    }

    /// (app_r)
    fn apply(&mut self, f: Ref, z: Ref) -> Result<(), Stuck> {
        let c = f.cell().ok_or(Stuck::ApplyNonFunction)?;
        match &self.heap.get(c).ok_or(Stuck::UseAfterFree)?.content {
            Content::Con(..) | Content::Ref(_) => Err(Stuck::ApplyNonFunction),
            Content::Lam { ys, param, body } => {
                self.ops.extend(ys.iter().map(|(_, y)| Op::Dup(*y)));
                self.ops.push_back(Op::Drop(f));
                let env: Env<Ref> = ys.iter().copied().collect();
                self.control = Control::Eval(body.clone(), env.with(*param, z));
                Ok(())
            }
        }
    }

    /// All operands are values.
    fn operands(&mut self, head: Head, operands: Vec<Ref>, env: &Env<Ref>) -> Result<(), Stuck> {
        match head {
            Head::Con(name, at) => {
                let token = at.map(|t| env.get(t).ok_or(Stuck::Unbound)).transpose()?;
                self.construct(name, token, operands);
            }
            Head::Call(f) => self.call(f, operands)?,
            Head::Prim(op @ (Prim::Ref | Prim::Get | Prim::Set)) => self.referring(op, &operands)?,
            Head::Prim(op) => {
                let [Ref::Int(a), Ref::Int(b)] = operands.as_slice() else {
                    return Err(Stuck::PrimNonInteger);
                };
                match apply(op, *a, *b)? {
                    Given::Int(n) => self.control = Control::Return(Ref::Int(n)),
                    Given::Truth(t) => self.construct(Name::new(Given::constructor(t)), None, Vec::new()),
                }
            }
        }
        Ok(())
    }

    /// (ref_r), (get_r), (set_r)
    fn referring(&mut self, op: Prim, operands: &[Ref]) -> Result<(), Stuck> {
        let r = operands.first().copied().ok_or(Stuck::Unbound)?;
        match operands.get(1) {
            None if op == Prim::Ref => {
                let cell = self.heap.alloc(Content::Ref(r));
                self.control = Control::Return(Ref::Cell(cell));
            }
            None => {
                let held = self.heap.held(r)?;
                self.ops.extend([Op::Dup(held), Op::Drop(r)]);
                self.control = Control::Return(held);
            }
            Some(new) => {
                let old = self.heap.assign(r, *new)?;
                self.ops.extend([Op::Drop(old), Op::Drop(r)]);
                self.control = Control::Eval(Expr::con("Unit", Vec::new()), Env::new());
            }
        }
        Ok(())
    }

    /// (con_r), (con_r@)
    fn construct(&mut self, name: Name, token: Option<Ref>, fields: Vec<Ref>) {
        let memory: Option<CellId> = match token {
            Some(Ref::Token(memory)) => memory,
            Some(Ref::Cell(_) | Ref::Int(_)) | None => None,
        };
        let z = self.heap.alloc_at(memory, Content::Con(name, fields));
        self.control = Control::Return(Ref::Cell(z));
    }

    /// (call_r)
    fn call(&mut self, f: Name, operands: Vec<Ref>) -> Result<(), Stuck> {
        let def = self.program.def(f).ok_or(Stuck::Unbound)?;
        let env = def.params.iter().copied().zip(operands).collect();
        self.control = Control::Eval(def.body.clone(), env);
        Ok(())
    }
}

/// The rule for operands that are all there.
fn complete(head: Head) -> Rule {
    match head {
        Head::Con(..) => Rule::Con,
        Head::Prim(op) => prim_rule(op),
        Head::Call(_) => Rule::Call,
    }
}

fn prim_rule(op: Prim) -> Rule {
    match op {
        Prim::Ref => Rule::Ref,
        Prim::Get => Rule::Get,
        Prim::Set => Rule::Set,
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Mod | Prim::Eq | Prim::Lt | Prim::Le => {
            Rule::Prim
        }
    }
}

/// Into the first operand; a redex where there is none.
fn split(into: Option<(Frame, Expr)>, e: &Expr, rule: Rule) -> (Option<Frame>, Expr, Option<Rule>) {
    match into {
        Some((frame, first)) => (Some(frame), first, None),
        None => (None, e.clone(), Some(rule)),
    }
}
