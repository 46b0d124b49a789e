//! The standard strict semantics. Thesis Fig. 4.6. Spec: [rule: perceus.standard].
//!
//! ```text
//! E ::= □ | E e | v E | val x = E; e | C v … E e … | ⊕(v …, E, e …) | f(v …, E, e …)
//! (app)    (λx. e) v                      → e[x := v]
//! (bind)   val x = v; e                   → e[x := v]
//! (match)  match C v₁ … vₙ { p → e … }    → eᵢ[bⱼ := vⱼ]            pᵢ = C b₁ … bₙ
//! (prim)   ⊕(m, n)                        → the integer, or True or False
//! (ref)    σ | ref(v)                     → σ, l ↦ v | l                     l fresh
//! (get)    σ, l ↦ v | get(l)              → σ, l ↦ v | v
//! (set)    σ, l ↦ v | set(l, w)           → σ, l ↦ w | Unit
//! (call)   f(v₁, …, vₙ)                   → e[xⱼ := vⱼ]             fun f(x₁, …, xₙ) { e }
//! ```
//!
//! Substitutions are kept in environments. `dup`, `drop` and tokens mean nothing here: a translation runs as what it
//! erases to.

use crate::canon::{self, Id, Met, Table};
use crate::env::Env;
use crate::stuck::{Given, Outcome, Stuck, apply};
use crate::syntax::{Con, Expr, ExprKind, Prim, Program};
use rewright_base::sym::Name;

/// A value of a [`Run`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(usize);

/// What a value is.
#[derive(Clone, Debug)]
pub enum Shape {
    /// n
    Int(i64),
    /// C v₁ … vₙ
    Con(Name, Vec<Value>),
    /// λx. e, with the values of its free variables.
    Lam(Name, Expr, Env<Value>),
    /// l, a place of σ.
    Ref(usize),
}

/// A run, as far as it went.
pub struct Run<'p> {
    program: &'p Program,
    limit: u64,
    values: Vec<Shape>,
    /// σ
    store: Vec<Value>,
    /// Reductions done.
    pub steps: u64,
    /// How it ended.
    pub outcome: Outcome<Value>,
}

/// E, from the inside out.
enum Frame {
    Fun(Expr, Env<Value>),
    Arg(Value),
    Val(Name, Expr, Env<Value>),
    Operands(Head, Vec<Value>, Vec<Expr>, Env<Value>),
}

#[derive(Clone, Copy)]
enum Head {
    Con(Name),
    Prim(Prim),
    Call(Name),
}

enum Control {
    Eval(Expr, Env<Value>),
    Return(Value),
}

/// Why a run halts without a value.
enum Halt {
    Stuck(Stuck),
    Limit,
}

impl From<Stuck> for Halt {
    fn from(why: Stuck) -> Halt {
        Halt::Stuck(why)
    }
}

/// Runs a program for at most so many reductions.
pub fn run(program: &Program, limit: u64) -> Run<'_> {
    let mut run =
        Run { program, limit, values: Vec::new(), store: Vec::new(), steps: 0, outcome: Outcome::Unfinished };
    run.outcome = match run.reduce() {
        Ok(value) => Outcome::Value(value),
        Err(Halt::Limit) => Outcome::Unfinished,
        Err(Halt::Stuck(why)) => Outcome::Stuck(why),
    };
    run
}

impl Run<'_> {
    /// What a value is.
    pub fn shape(&self, v: Value) -> &Shape {
        self.values.get(v.0).expect("a value of this run")
    }

    /// The value in canonical form.
    pub fn canonical(&self, table: &mut Table, v: Value) -> Id {
        let (mut met, mut contents) = (Met::new(), Vec::new());
        let value = self.canon(table, v, &mut met);
        while let Some(l) = met.locations.get(contents.len()).copied() {
            contents.push(self.canon(table, self.held(l), &mut met));
        }
        table.store(value, contents)
    }

    /// What a reference holds; any other value is what it is.
    pub fn held(&self, v: Value) -> Value {
        match self.shape(v) {
            Shape::Ref(l) => *self.store.get(*l).expect("a place of this run"),
            Shape::Int(_) | Shape::Con(..) | Shape::Lam(..) => v,
        }
    }

    fn canon(&self, table: &mut Table, v: Value, met: &mut Met<Value>) -> Id {
        if let Some(id) = met.known.get(&v) {
            return *id;
        }
        let id = crate::deep(|| match self.shape(v) {
            Shape::Int(n) => table.int(*n),
            Shape::Con(name, args) => {
                let args = args.iter().map(|a| self.canon(table, *a, met)).collect();
                table.con(*name, args)
            }
            Shape::Lam(x, body, env) => {
                let body = body.erased();
                let captured = canon::captured(*x, &body).into_iter();
                let captured = captured.filter_map(|y| Some((y, env.get(y)?)));
                let env: Env<Id> = captured.map(|(y, v)| (y, self.canon(table, v, met))).collect();
                table.lambda(*x, &body, &|y| env.get(y))
            }
            Shape::Ref(_) => met.reference(table, v),
        });
        met.known.insert(v, id);
        id
    }

    /// The value as text, cut where it is long. What a closure captured stands behind it: `(\\x. y)[y := Unit]`.
    pub fn shown(&self, v: Value) -> String {
        const NODES: usize = 200;
        self.text(v, &mut NODES.clone())
    }

    fn text(&self, v: Value, left: &mut usize) -> String {
        if *left == 0 {
            return "…".to_owned();
        }
        *left -= 1;
        crate::deep(|| match self.shape(v) {
            Shape::Int(n) => n.to_string(),
            Shape::Con(name, args) if args.is_empty() => name.to_string(),
            Shape::Con(name, args) => {
                let args: Vec<String> = args.iter().map(|a| self.text(*a, left)).collect();
                format!("{name}({})", args.join(", "))
            }
            Shape::Lam(x, body, env) => {
                let with: Vec<String> =
                    env.iter().map(|(y, v)| format!("{y} := {}", self.text(v, left))).collect();
                let with = if with.is_empty() { String::new() } else { format!("[{}]", with.join(", ")) };
                format!("(\\{x}. {body}){with}")
            }
            Shape::Ref(_) => "<ref>".to_owned(),
        })
    }

    fn make(&mut self, shape: Shape) -> Value {
        self.values.push(shape);
        Value(self.values.len() - 1)
    }

    /// Reduces until there is a value, or to the limit.
    fn reduce(&mut self) -> Result<Value, Halt> {
        let mut frames: Vec<Frame> = Vec::new();
        let mut control = Control::Eval(self.program.main.clone(), Env::new());
        loop {
            control = match control {
                Control::Eval(e, env) => self.eval(&e, env, &mut frames)?,
                Control::Return(v) => match frames.pop() {
                    None => return Ok(v),
                    Some(frame) => self.resume(frame, v, &mut frames)?,
                },
            };
        }
    }

    /// Counts a reduction that is about to happen.
    fn step(&mut self) -> Result<(), Halt> {
        if self.steps == self.limit {
            return Err(Halt::Limit);
        }
        self.steps += 1;
        Ok(())
    }

    fn eval(&mut self, e: &Expr, env: Env<Value>, frames: &mut Vec<Frame>) -> Result<Control, Halt> {
        let lookup = |x: &Name| env.get(*x).ok_or(Stuck::Unbound);
        Ok(match e.kind() {
            ExprKind::Var(x) => Control::Return(lookup(x)?),
            ExprKind::Int(n) => Control::Return(self.make(Shape::Int(*n))),
            ExprKind::Lam(l) => {
                Control::Return(self.make(Shape::Lam(l.param, l.body.clone(), env.only(e.used()))))
            }
            ExprKind::App(fun, arg) => {
                frames.push(Frame::Fun(arg.clone(), env.only(arg.used())));
                Control::Eval(fun.clone(), env)
            }
            ExprKind::Val(x, bound, body) => {
                frames.push(Frame::Val(*x, body.clone(), env.only(body.used())));
                Control::Eval(bound.clone(), env)
            }
            ExprKind::Match(x, branches) => {
                let Shape::Con(name, args) = self.shape(lookup(x)?) else {
                    return Err(Stuck::MatchNonConstructor.into());
                };
                let branch = branches.iter().find(|b| b.pattern.con == *name).ok_or(Stuck::NoBranch)?;
                let mut inner = env.only(branch.body.used());
                for (binder, v) in branch.pattern.binders.iter().zip(args) {
                    if let Some(b) = binder {
                        inner.bind(*b, *v);
                    }
                }
                self.step()?;
                Control::Eval(branch.body.clone(), inner)
            }
            ExprKind::Con(Con { name, at: _, args }) => self.operands(Head::Con(*name), args, env, frames)?,
            ExprKind::Prim(op, args) => self.operands(Head::Prim(*op), args, env, frames)?,
            ExprKind::Call(f, args) => self.operands(Head::Call(*f), args, env, frames)?,
            ExprKind::Dup(_, e) | ExprKind::Drop(_, e) => Control::Eval(e.clone(), env),
        })
    }

    fn operands(
        &mut self,
        head: Head,
        args: &[Expr],
        env: Env<Value>,
        frames: &mut Vec<Frame>,
    ) -> Result<Control, Halt> {
        match args.split_first() {
            None => self.complete(head, Vec::new()),
            Some((first, rest)) => {
                let rest: Vec<Expr> = rest.iter().rev().cloned().collect();
                frames.push(Frame::Operands(head, Vec::new(), rest, env.clone()));
                Ok(Control::Eval(first.clone(), env))
            }
        }
    }

    fn resume(&mut self, frame: Frame, v: Value, frames: &mut Vec<Frame>) -> Result<Control, Halt> {
        match frame {
            Frame::Fun(arg, env) => {
                frames.push(Frame::Arg(v));
                Ok(Control::Eval(arg, env))
            }
            Frame::Arg(fun) => match self.shape(fun) {
                Shape::Lam(x, body, env) => {
                    let next = Control::Eval(body.clone(), env.with(*x, v));
                    self.step()?;
                    Ok(next)
                }
                Shape::Int(_) | Shape::Con(..) | Shape::Ref(_) => Err(Stuck::ApplyNonFunction.into()),
            },
            Frame::Val(x, body, env) => {
                self.step()?;
                Ok(Control::Eval(body, env.with(x, v)))
            }
            Frame::Operands(head, mut done, mut rest, env) => {
                done.push(v);
                match rest.pop() {
                    None => self.complete(head, done),
                    Some(next) => {
                        frames.push(Frame::Operands(head, done, rest, env.clone()));
                        Ok(Control::Eval(next, env))
                    }
                }
            }
        }
    }

    /// All operands are values.
    fn complete(&mut self, head: Head, values: Vec<Value>) -> Result<Control, Halt> {
        match head {
            Head::Con(name) => Ok(Control::Return(self.make(Shape::Con(name, values)))),
            Head::Call(f) => {
                let def = self.program.def(f).ok_or(Stuck::Unbound)?;
                self.step()?;
                Ok(Control::Eval(def.body.clone(), def.params.iter().copied().zip(values).collect()))
            }
            Head::Prim(op @ (Prim::Ref | Prim::Get | Prim::Set)) => self.referring(op, &values),
            Head::Prim(op) => {
                let ints: Option<Vec<i64>> = values.iter().map(|v| self.as_int(*v)).collect();
                let Some([a, b]) = ints.as_deref() else { return Err(Stuck::PrimNonInteger.into()) };
                let given = match apply(op, *a, *b)? {
                    Given::Int(n) => Shape::Int(n),
                    Given::Truth(t) => Shape::Con(Name::new(Given::constructor(t)), Vec::new()),
                };
                self.step()?;
                Ok(Control::Return(self.make(given)))
            }
        }
    }

    fn as_int(&self, v: Value) -> Option<i64> {
        match self.shape(v) {
            Shape::Int(n) => Some(*n),
            Shape::Con(..) | Shape::Lam(..) | Shape::Ref(_) => None,
        }
    }

    /// (ref), (get), (set)
    fn referring(&mut self, op: Prim, values: &[Value]) -> Result<Control, Halt> {
        let first = values.first().copied().ok_or(Stuck::Unbound)?;
        if op == Prim::Ref {
            self.step()?;
            self.store.push(first);
            return Ok(Control::Return(self.make(Shape::Ref(self.store.len() - 1))));
        }
        let Shape::Ref(l) = self.shape(first) else { return Err(Stuck::NotAReference.into()) };
        let l = *l;
        self.step()?;
        let Some(place) = self.store.get_mut(l) else { return Err(Stuck::Unbound.into()) };
        match values.get(1) {
            None => Ok(Control::Return(*place)),
            Some(new) => {
                *place = *new;
                Ok(Control::Return(self.make(Shape::Con(Name::new("Unit"), Vec::new()))))
            }
        }
    }
}
