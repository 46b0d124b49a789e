//! A step does the same in a long block as in a short one: statements that do nothing, before, between and after the
//! others, change nothing but that runs of statements are remembered. Spec: [rule: growth.runs].

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, subject};
use rewright_primitives::cursor::path::{ExprPath, Gap, Hole, Place, Step};
use rewright_primitives::cursor::pattern::many;
use rewright_primitives::cursor::resolve::Sort;
use rewright_primitives::error::Error;
use rewright_primitives::ops::eliminate_dead_code::eliminate_dead_code;
use rewright_primitives::registry::{Args, Primitive, Value};
use rewright_primitives::{Cursor, Proc, ops};
use rewright_semantics::ast::{self, Block, Stmt, StmtKind};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::{head_to_string, proc_to_string};
use rewright_semantics::span::SourceMap;
use std::collections::{BTreeMap, BTreeSet};

/// Statements put between two: more than a run has.
const BETWEEN: usize = 70;

/// Statements put at the end: more than a short block has.
const AFTER: usize = 200;

/// What looks at the statements that are put in: it deletes them, or replaces runs of statements anywhere.
const ABOUT_ALL: [&str; 2] = ["delete_pass", "replace_all"];

/// A procedure with the statements before one spaced out.
struct Long {
    proc: Proc,
    near: usize,
}

impl Long {
    fn of(p: &Proc, near: usize) -> Long {
        let pass = || Stmt::new(StmtKind::Pass);
        let mut body = Block::new();
        for (k, s) in p.ast().body.iter().enumerate() {
            body.push_back(s.clone());
            if k < near {
                body.extend((0..BETWEEN).map(|_| pass()));
            }
        }
        body.extend((0..AFTER).map(|_| pass()));
        let ast = ast::Proc { body, ..ast::Proc::clone(p.ast()) };
        Long { proc: Proc::root_among(ast, p.configs().iter().cloned()), near }
    }

    fn path(&self, path: &[Step]) -> Vec<Step> {
        let mut out = path.to_vec();
        if let Some(first) = out.first_mut() {
            let k = first.index();
            *first = first.at(k + k.min(self.near) * BETWEEN);
        }
        out
    }

    fn place(&self, place: &Place) -> Place {
        match place {
            Place::Stmt(path) => Place::Stmt(self.path(path)),
            Place::Block(run) => Place::Block(Hole { path: self.path(&run.path), len: run.len }),
            Place::Gap(gap) => Place::Gap(Gap { anchor: self.path(&gap.anchor), side: gap.side }),
            Place::Expr(at) => Place::Expr(ExprPath { stmt: self.path(&at.stmt), steps: at.steps.clone() }),
            Place::Arg(k) => Place::Arg(*k),
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Cursor(c) => {
                Value::Cursor(Cursor::new(&self.proc, self.place(c.place())).expect("the place is there"))
            }
            Value::List(items) => Value::List(items.iter().map(|v| self.value(v)).collect()),
            Value::Named(items) => {
                Value::Named(items.iter().map(|(name, v)| (name.clone(), self.value(v))).collect())
            }
            Value::None
            | Value::Bool(_)
            | Value::Int(_)
            | Value::Text(_)
            | Value::Proc(_)
            | Value::Config(_) => value.clone(),
        }
    }
}

/// The first of the procedure's own statements that a value points at or into.
fn first(value: &Value) -> Option<usize> {
    let index = |path: &[Step]| path.first().map(|step| step.index());
    match value {
        Value::Cursor(c) => match c.place() {
            Place::Stmt(path) => index(path),
            Place::Block(run) => index(&run.path),
            Place::Gap(gap) => index(&gap.anchor),
            Place::Expr(at) => index(&at.stmt),
            Place::Arg(_) => None,
        },
        Value::List(items) => items.iter().filter_map(first).min(),
        Value::Named(items) => items.iter().filter_map(|(_, v)| first(v)).min(),
        Value::None | Value::Bool(_) | Value::Int(_) | Value::Text(_) | Value::Proc(_) | Value::Config(_) => {
            None
        }
    }
}

/// The text without the procedure's own statements that do nothing.
fn text(p: &Proc) -> String {
    let body: Block = p.ast().body.iter().filter(|s| !matches!(&*s.kind, StmtKind::Pass)).cloned().collect();
    proc_to_string(&ast::Proc { body, ..ast::Proc::clone(p.ast()) })
}

fn condition(e: &Error) -> String {
    match e {
        Error::Scheduling(refused) => refused.condition.to_owned(),
        Error::InvalidCursor(_) => "cursor".to_owned(),
        Error::Internal { .. } => panic!("{e}"),
    }
}

/// What became of a step: the program, or which condition refused it.
fn outcome(primitive: &'static Primitive, p: &Proc, args: &Args) -> Result<String, String> {
    (primitive.run)(p, args).map(|new| text(&new)).map_err(|e| condition(&e))
}

#[test]
fn long_blocks_are_as_short_ones() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(25);
    let (mut counts, mut wrong) = (BTreeMap::<&str, [u64; 2]>::new(), Vec::new());
    for primitive in ops::ALL.iter().copied().filter(|p| !ABOUT_ALL.contains(&p.name)) {
        for seed in 0..programs {
            let p = subject(seed, primitive);
            let Some(args) = arguments(&mut Rng::new(seed), &p, primitive) else { continue };
            let near = args.iter().filter_map(|(_, v)| first(v)).min().unwrap_or(p.ast().body.len());
            let long = Long::of(&p, near);
            let named = args.iter().map(|(param, v)| (param.name.to_owned(), long.value(v))).collect();
            let moved = Args::bind(primitive, Vec::new(), named).expect("the same arguments");
            let (one, other) = (outcome(primitive, &p, &args), outcome(primitive, &long.proc, &moved));
            counts.entry(primitive.name).or_default()[usize::from(one.is_err())] += 1;
            if one != other {
                wrong.push(format!("{} seed {seed} at {near}:\n{p}\n{one:?}\n{other:?}", primitive.name));
            }
        }
    }
    let sum = |k: usize| counts.values().map(|c| c[k]).sum::<u64>();
    println!("accepted and refused: {counts:?}");
    println!("{} steps accepted alike, {} refused alike; {} otherwise", sum(0), sum(1), wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.iter().take(3).cloned().collect::<Vec<_>>().join("\n\n"));
    assert!(sum(0) > programs * 15 && sum(1) > programs * 5, "too few");
}

/// The names by which statements of a block, and those inside, are known.
fn names(b: &Block, out: &mut BTreeSet<String>) {
    for s in b {
        match s.kind.as_ref() {
            StmtKind::Assign { name, .. }
            | StmtKind::Reduce { name, .. }
            | StmtKind::Alloc { name, .. }
            | StmtKind::WindowStmt { name, .. } => drop(out.insert(name.name().to_string())),
            StmtKind::Call { proc, args: _ } => drop(out.insert(proc.name.to_string())),
            StmtKind::For { iter, body, .. } => {
                out.insert(iter.name().to_string());
                names(body, out);
            }
            StmtKind::If { cond: _, body, orelse } => {
                names(body, out);
                names(orelse, out);
            }
            StmtKind::WriteConfig { .. } | StmtKind::Pass => {}
        }
    }
}

#[test]
fn the_same_is_found_by_name() {
    let sorts =
        [None, Some(Sort::Loop), Some(Sort::Stmt), Some(Sort::Alloc), Some(Sort::Buffer), Some(Sort::Call)];
    let (mut asked, mut found) = (0, 0);
    for (seed, primitive) in (0..300).zip(ops::ALL.iter().cycle()) {
        let p = subject(seed, primitive);
        let long = Long::of(&p, p.ast().body.len());
        let mut words = BTreeSet::new();
        names(&p.ast().body, &mut words);
        let more: Vec<String> = words.iter().flat_map(|w| [format!("{w} #1"), format!("{w}_1")]).collect();
        words.extend(more);
        let loops = p.ast().body.iter().filter(|s| matches!(&*s.kind, StmtKind::For { .. }));
        words.extend(loops.map(head_to_string).filter_map(|head| {
            let iter = head.strip_prefix("for ")?.split(' ').next()?.to_owned();
            Some(format!("{iter} _"))
        }));
        for word in &words {
            for sort in sorts {
                let short = many(&p, None, sort, word).map_err(drop);
                let moved = short.map(|places| places.iter().map(|at| long.place(at)).collect::<Vec<_>>());
                assert_eq!(
                    many(&long.proc, None, sort, word).map_err(drop),
                    moved,
                    "seed {seed}: `{word}`\n{p}"
                );
                asked += 1;
                found += moved.map_or(0, |places| places.len());
            }
        }
    }
    println!("{asked} patterns, {found} places");
    assert!(asked > 5_000 && found > 3_000, "{asked} patterns, {found} places");
}

/// A field that is written far away, by the procedure or by a callee, is not what it was on entry.
#[test]
fn what_is_written_far_away_is_known() {
    let text = "
@config
class Cfg:
    a: index

@proc
def set():
    Cfg.a = 4

@proc
def here(x: f32):
    assert Cfg.a == 3
    Cfg.a = 4
    if Cfg.a == 3:
        x = 1.0
    else:
        x = 2.0

@proc
def there(x: f32):
    assert Cfg.a == 3
    set()
    if Cfg.a == 3:
        x = 1.0
    else:
        x = 2.0
";
    let mut sources = SourceMap::new();
    let file = sources.add("far.py", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    for ast in parsed.module.procs.iter().filter(|p| !p.args.is_empty()) {
        let short = Proc::root_among(ast.clone(), parsed.module.configs.iter().cloned());
        let long = Long::of(&short, 1);
        for p in [&short, &long.proc] {
            let new = eliminate_dead_code(p, p.find("if _: _").expect("the guard")).expect("it is decided");
            assert!(text_of_last(&new).contains("x = 2.0"), "{new}");
        }
    }
}

fn text_of_last(p: &Proc) -> String {
    text(p).lines().last().unwrap_or_default().to_owned()
}
