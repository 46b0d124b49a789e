//! Exceptions and references. What the surface language means is told a second time here, by an interpreter with exceptions and a store of
//! its own: what becomes of a program of λ¹ is held against it, and then against everything else.

mod support;

use rewright_base::rng::Rng;
use rewright_base::span::FileId;
use rewright_base::sym::Name;
use rewright_perceus::optimise::Passes;
use rewright_perceus::optimise::agree::{Ended, agree};
use rewright_perceus::optimise::code;
use rewright_perceus::standard::{self, Run, Shape};
use rewright_perceus::stuck::{Given, Outcome, Stuck, apply};
use rewright_perceus::surface::{Arm, Expr, ExprKind, File, Op, Param, Pattern, PatternKind};
use rewright_perceus::surface::{check, desugar, parse, print, throws};
use rewright_perceus::syntax::Prim;
use rewright_perceus::tally::Tally;
use rewright_perceus::theorems::{effects, examine, well_formed};
use std::collections::HashMap;
use std::rc::Rc;
use support::{assert_none, files, number};

#[derive(Clone)]
enum Value {
    Int(i64),
    Con(Name, Vec<Value>),
    /// Parameters that are still to come, and what is there by then.
    Closure(Rc<(Vec<Option<Name>>, Body, Env)>),
    Ref(usize),
}

#[derive(Clone)]
enum Body {
    Expr(Expr),
    /// A function that is used as a value, and the arguments that it has.
    Fun(Name, Vec<Value>),
}

type Env = HashMap<Name, Value>;

enum Stop {
    Thrown(Value),
    Stuck(Stuck),
    Limit,
}

type Evaluated = Result<Value, Stop>;

struct Interpreter<'f> {
    file: &'f File,
    store: Vec<Value>,
    left: u32,
}

fn unit() -> Value {
    Value::Con(Name::new("Unit"), Vec::new())
}

fn bind(env: &mut Env, p: &Param, v: Value) {
    if let Some(x) = p.name {
        env.insert(x, v);
    }
}

impl Interpreter<'_> {
    fn all(&mut self, es: &[Expr], env: &Env) -> Result<Vec<Value>, Stop> {
        es.iter().map(|e| self.eval(e, env)).collect()
    }

    fn int(&mut self, v: Value) -> Result<i64, Stop> {
        match v {
            Value::Int(n) => Ok(n),
            Value::Con(..) | Value::Closure(_) | Value::Ref(_) => Err(Stop::Stuck(Stuck::PrimNonInteger)),
        }
    }

    fn place(&mut self, v: Value) -> Result<usize, Stop> {
        match v {
            Value::Ref(l) => Ok(l),
            Value::Int(_) | Value::Con(..) | Value::Closure(_) => Err(Stop::Stuck(Stuck::NotAReference)),
        }
    }

    fn eval(&mut self, e: &Expr, env: &Env) -> Evaluated {
        self.left = self.left.checked_sub(1).ok_or(Stop::Limit)?;
        match &e.kind {
            ExprKind::Var(x) => match env.get(x) {
                Some(v) => Ok(v.clone()),
                None => Ok(self.function(*x)),
            },
            ExprKind::Int(n) => Ok(Value::Int(*n)),
            ExprKind::Con(c, args) => Ok(Value::Con(*c, self.all(args, env)?)),
            ExprKind::Call(f, args) => {
                if let ExprKind::Var(x) = &f.kind
                    && !env.contains_key(x)
                {
                    let args = self.all(args, env)?;
                    return self.call(*x, args);
                }
                let mut f = self.eval(f, env)?;
                if args.is_empty() {
                    return self.apply(f, unit());
                }
                for a in args {
                    let a = self.eval(a, env)?;
                    f = self.apply(f, a)?;
                }
                Ok(f)
            }
            ExprKind::Fn(params, body) => {
                let mut names: Vec<Option<Name>> = params.iter().map(|p| p.name).collect();
                if names.is_empty() {
                    names.push(None);
                }
                Ok(Value::Closure(Rc::new((names, Body::Expr((**body).clone()), env.clone()))))
            }
            ExprKind::If(c, a, b) => match self.eval(c, env)? {
                Value::Con(c, _) if c.as_str() == "True" => self.eval(a, env),
                Value::Con(c, _) if c.as_str() == "False" => self.eval(b, env),
                Value::Con(..) => Err(Stop::Stuck(Stuck::NoBranch)),
                Value::Int(_) | Value::Closure(_) | Value::Ref(_) => {
                    Err(Stop::Stuck(Stuck::MatchNonConstructor))
                }
            },
            ExprKind::Match(x, arms) => {
                let v = self.eval(x, env)?;
                self.matching(&v, arms, env)
            }
            ExprKind::Block(stmts, last) => {
                let mut env = env.clone();
                for s in stmts {
                    let v = self.eval(&s.value, &env)?;
                    bind(&mut env, &s.bound, v);
                }
                self.eval(last, &env)
            }
            ExprKind::Op(op, a, b) => self.operation(*op, a, b, env),
            ExprKind::Ref(e) => {
                let v = self.eval(e, env)?;
                self.store.push(v);
                Ok(Value::Ref(self.store.len() - 1))
            }
            ExprKind::Get(e) => {
                let v = self.eval(e, env)?;
                let l = self.place(v)?;
                Ok(self.store[l].clone())
            }
            ExprKind::Set(r, e) => {
                let (r, v) = (self.eval(r, env)?, self.eval(e, env)?);
                let l = self.place(r)?;
                self.store[l] = v;
                Ok(unit())
            }
            ExprKind::Throw(e) => Err(Stop::Thrown(self.eval(e, env)?)),
            ExprKind::Try(body, x, handler) => match self.eval(body, env) {
                Err(Stop::Thrown(v)) => {
                    let mut env = env.clone();
                    bind(&mut env, x, v);
                    self.eval(handler, &env)
                }
                other => other,
            },
        }
    }

    fn operation(&mut self, op: Op, a: &Expr, b: &Expr, env: &Env) -> Evaluated {
        let truth = |t: bool| Value::Con(Name::new(Given::constructor(t)), Vec::new());
        if op == Op::And || op == Op::Or {
            let yes = match self.eval(a, env)? {
                Value::Con(c, _) => c.as_str() == "True",
                Value::Int(_) | Value::Closure(_) | Value::Ref(_) => {
                    return Err(Stop::Stuck(Stuck::MatchNonConstructor));
                }
            };
            return if yes == (op == Op::And) { self.eval(b, env) } else { Ok(truth(yes)) };
        }
        let (a, b) = (self.eval(a, env)?, self.eval(b, env)?);
        let (a, b) = (self.int(a)?, self.int(b)?);
        let (prim, negated) = match op {
            Op::Eq => (Prim::Eq, false),
            Op::Ne => (Prim::Eq, true),
            Op::Lt => (Prim::Lt, false),
            Op::Ge => (Prim::Lt, true),
            Op::Le => (Prim::Le, false),
            Op::Gt => (Prim::Le, true),
            Op::Add => (Prim::Add, false),
            Op::Sub => (Prim::Sub, false),
            Op::Mul => (Prim::Mul, false),
            Op::Div => (Prim::Div, false),
            Op::Mod => (Prim::Mod, false),
            Op::And | Op::Or => unreachable!("they are above"),
        };
        match apply(prim, a, b).map_err(Stop::Stuck)? {
            Given::Int(n) => Ok(Value::Int(n)),
            Given::Truth(t) => Ok(truth(t != negated)),
        }
    }

    fn matching(&mut self, v: &Value, arms: &[Arm], env: &Env) -> Evaluated {
        for arm in arms {
            let mut inner = env.clone();
            if fits(&arm.pattern, v, &mut inner)? {
                return self.eval(&arm.body, &inner);
            }
        }
        Err(Stop::Stuck(Stuck::NoBranch))
    }

    fn function(&self, f: Name) -> Value {
        let params = self.file.funs.iter().find(|d| d.name == f).expect("a function").params.len();
        Value::Closure(Rc::new((vec![None; params.max(1)], Body::Fun(f, Vec::new()), Env::new())))
    }

    fn call(&mut self, f: Name, args: Vec<Value>) -> Evaluated {
        let d = self.file.funs.iter().find(|d| d.name == f).expect("a function");
        let mut env = Env::new();
        d.params.iter().zip(args).for_each(|(p, v)| bind(&mut env, p, v));
        self.eval(&d.body, &env)
    }

    fn apply(&mut self, f: Value, a: Value) -> Evaluated {
        let Value::Closure(c) = f else { return Err(Stop::Stuck(Stuck::ApplyNonFunction)) };
        let (names, mut body, mut env) = (*c).clone();
        if let Some(x) = names[0] {
            env.insert(x, a.clone());
        }
        if let Body::Fun(_, args) = &mut body {
            args.push(a);
        }
        match body {
            body if names.len() > 1 => Ok(Value::Closure(Rc::new((names[1..].to_vec(), body, env)))),
            Body::Expr(e) => self.eval(&e, &env),
            Body::Fun(f, args) => self.call(f, args),
        }
    }
}

/// Whether a value fits a pattern, whose names get what they stand for.
fn fits(p: &Pattern, v: &Value, env: &mut Env) -> Result<bool, Stop> {
    match &p.kind {
        PatternKind::Wild => Ok(true),
        PatternKind::Var(x) => {
            env.insert(*x, v.clone());
            Ok(true)
        }
        PatternKind::Con(c, args) => match v {
            Value::Con(d, fields) if c == d => {
                for (p, v) in args.iter().zip(fields) {
                    if !fits(p, v, env)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            // Of another type there is no branch at all; that none is left is told by who asks.
            Value::Con(..) => Ok(false),
            Value::Int(_) | Value::Closure(_) | Value::Ref(_) => Err(Stop::Stuck(Stuck::MatchNonConstructor)),
        },
    }
}

/// Whether a value of the interpreter is that of the standard semantics; references one for one.
fn same(
    a: &Value,
    store: &[Value],
    run: &Run<'_>,
    b: standard::Value,
    met: &mut HashMap<usize, standard::Value>,
) -> bool {
    match (a, run.shape(b)) {
        (Value::Int(a), Shape::Int(b)) => a == b,
        (Value::Closure(_), Shape::Lam(..)) => true,
        (Value::Con(c, args), Shape::Con(d, fields)) => {
            c == d
                && args.len() == fields.len()
                && args.iter().zip(fields).all(|(a, b)| same(a, store, run, *b, met))
        }
        (Value::Ref(l), Shape::Ref(_)) => match met.get(l) {
            Some(known) => *known == b,
            None => {
                let fresh = !met.values().any(|known| *known == b);
                met.insert(*l, b);
                fresh && same(&store[*l], store, run, run.held(b), met)
            }
        },
        _ => false,
    }
}

/// What the interpreter says of a file is what the standard semantics says of what becomes of it; how it ended.
fn held(file: &File, limit: u32) -> Result<&'static str, String> {
    let program = desugar::desugar(file).map_err(|d| d.message)?;
    let run = standard::run(&program, u64::from(2 * limit));
    let mut i = Interpreter { file, store: Vec::new(), left: limit };
    let found = i.call(Name::new("main"), Vec::new());
    let may_throw = throws::of(file).funs.contains(&Name::new("main"));
    let wrapped = |name: &str, v: Value| Value::Con(Name::new(name), vec![v]);
    let (wanted, how) = match found {
        Err(Stop::Limit) => return Ok("unfinished"),
        Err(Stop::Stuck(why)) => {
            return match run.outcome {
                Outcome::Stuck(found) if found == why => Ok("stuck"),
                Outcome::Unfinished => Ok("unfinished"),
                other @ (Outcome::Value(_) | Outcome::Stuck(_)) => {
                    Err(format!("{other:?}, and not stuck: {why}"))
                }
            };
        }
        Err(Stop::Thrown(_)) if !may_throw => return Err("main throws, and may not".to_owned()),
        Err(Stop::Thrown(v)) => (wrapped("Error", v), "throws"),
        Ok(v) if may_throw => (wrapped("Ok", v), "may throw, and does not"),
        Ok(v) => (v, "value"),
    };
    match run.outcome {
        Outcome::Value(v) if same(&wanted, &i.store, &run, v, &mut HashMap::new()) => Ok(how),
        Outcome::Value(v) => Err(format!("another value: {}, {how}", run.shown(v))),
        Outcome::Unfinished => Ok("unfinished"),
        Outcome::Stuck(why) => Err(format!("stuck, and not {how}: {why}")),
    }
}

fn programs() -> u64 {
    number("PERCEUS_PROGRAMS", 3_000)
}

fn first() -> u64 {
    number("PERCEUS_FIRST", 0)
}

fn on_a_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).expect("a thread");
    if let Err(why) = thread.join() {
        std::panic::resume_unwind(why);
    }
}

/// [rule: perceus.exceptions] [rule: perceus.mutation] [rule: perceus.throws]
#[test]
fn exceptions_and_references_mean_what_the_interpreter_says() {
    on_a_large_stack(|| {
        let mut how: HashMap<&'static str, u64> = HashMap::new();
        let mut wrong = Vec::new();
        for seed in first()..first() + programs() {
            let file = effects::file(&mut Rng::new(seed), 20);
            let found = check::check(&file);
            assert!(found.is_empty(), "seed {seed}: {}\n{}", found[0].message, print::file(&file));
            let text = print::file(&file);
            let again = parse::parse(FileId(0), &text).unwrap_or_else(|d| panic!("{}\n{text}", d.message));
            assert_eq!(print::file(&again), text);
            match held(&file, 3_000) {
                Ok(end) => *how.entry(end).or_insert(0) += 1,
                Err(why) => wrong.push(format!("seed {seed}: {why}\n{}", print::file(&file))),
            }
        }
        println!("{how:?}");
        assert_none(wrong);
        for end in ["value", "throws", "may throw, and does not", "stuck"] {
            assert!(how[end] * 60 > programs(), "{end}: {how:?}");
        }
    });
}

/// Likewise the programs of the corpus.
#[test]
fn programs_of_the_corpus_mean_what_the_interpreter_says() {
    on_a_large_stack(|| {
        let (mut finished, mut wrong) = (0, Vec::new());
        for (name, text) in files("programs") {
            let file = parse::parse(FileId(0), &text).unwrap_or_else(|d| panic!("{name}: {}", d.message));
            match held(&file, 300_000) {
                Ok(end) => finished += u32::from(end != "unfinished"),
                Err(why) => wrong.push(format!("{name}: {why}")),
            }
        }
        assert_none(wrong);
        assert!(finished > 110, "{finished}");
    });
}

/// Theorems 4.1 to 4.4 of programs with exceptions and references, 4.2 and 4.4 up to cycles. [rule: perceus.cycles]
#[test]
fn programs_with_exceptions_and_references_satisfy_every_theorem() {
    let mut seen = Tally::new();
    let mut wrong = Vec::new();
    for seed in first()..first() + programs() / 3 {
        let mut rng = Rng::new(seed);
        let program = effects::program(&mut rng, 14).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        if let Err(v) = examine(&program, 2, &mut rng, &mut seen) {
            wrong.push(format!("seed {seed}: {v}"));
        }
    }
    println!("{seen}");
    assert_none(wrong);
    let all = seen.get("programs");
    for (what, least) in [
        ("runs that read or assign references", 4),
        ("runs that lose a cycle", 40),
        ("closures that capture", 10),
    ] {
        assert!(seen.get(what) * least >= all, "{what}: {} of {all}", seen.get(what));
    }
}

/// The optimised code of such programs. [rule: perceus.optimise.oracle]
#[test]
fn optimised_programs_with_exceptions_and_references_agree() {
    let (mut left, mut reuses, mut ends, mut audited, mut wrong) = (0, 0, HashMap::new(), 0, Vec::new());
    for seed in first()..first() + programs() / 2 {
        let program =
            effects::program(&mut Rng::new(seed), 20).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        match agree(&program, &code(&program, &Passes::all()), 4_000, 4_000) {
            Err(why) => wrong.push(format!("seed {seed}: {why}\n{program}")),
            Ok(found) => {
                left += u64::from(found.left > 0);
                reuses += u64::from(found.counters.reuses > 0);
                audited += found.audited;
                let end = match found.end {
                    Ended::Value(v) if v.starts_with("Error") => "throws",
                    Ended::Value(_) => "value",
                    Ended::Stuck(_) => "stuck",
                    Ended::Unfinished => "unfinished",
                };
                *ends.entry(end).or_insert(0_u64) += 1;
            }
        }
    }
    println!("{ends:?}; {left} leave a cycle, {reuses} reuse memory; {audited} states");
    assert_none(wrong);
    assert!(left * 40 > programs() / 2 && reuses * 20 > programs() / 2);
}

/// A function of several parameters that is used as a value has the type of a curried one; applied to one argument by its name it would be
/// a call with too few, which the language refuses: [rule: perceus.surface.check].
#[test]
fn functions_as_values_are_not_called_by_name_with_too_few_arguments() {
    for seed in [20_353_049].into_iter().chain(first()..first() + programs()) {
        let program = effects::program(&mut Rng::new(seed), 60);
        well_formed(&program.unwrap_or_else(|why| panic!("seed {seed}: {why}"))).unwrap();
    }
}
