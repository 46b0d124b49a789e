//! Random programs, most of them wrong: the interpreter never panics, and is monotonic.

use rewright_semantics::ast::{BinOp, Config, ConfigField, Expr, LoopMode, Proc, Stmt, WinCoord};
use rewright_semantics::build;
use rewright_semantics::data::DataDomain;
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{Denotation, Fault, FaultClass, Interpreted, Limits, Outcome};
use rewright_semantics::externs::Extern;
use rewright_semantics::inputs::rng::Rng;
use rewright_semantics::inputs::{Input, InputBuffer, InputValue, generate};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::store::Store;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::{ControlType, DataType, FieldType};
use rewright_semantics::value::{Exceptional, Val};
use std::sync::Arc;

/// Writes programs over a few names, whose ranks and sorts it often respects.
struct Author {
    rng: Rng,
    config: Arc<Config>,
    controls: Vec<Sym>,
    buffers: Vec<(Sym, usize)>,
    callees: Vec<Arc<Proc>>,
}

fn usize_of(n: u64) -> usize {
    usize::try_from(n).unwrap()
}

impl Author {
    fn pick(&mut self, n: usize) -> usize {
        usize_of(self.rng.below(u64::try_from(n).unwrap()))
    }

    fn buffer(&mut self) -> (Sym, usize) {
        let x = self.pick(self.buffers.len());
        self.buffers[x]
    }

    fn control(&mut self, depth: u32) -> Expr {
        let x = self.pick(self.controls.len());
        let x = self.controls[x];
        let (y, _) = self.buffer();
        match if depth == 0 { self.rng.below(6) } else { self.rng.below(12) } {
            0..=2 => build::var(x),
            3 | 4 => build::int(self.rng.between(-1, 3)),
            5 => {
                let field = ["k", "n"][self.pick(2)];
                build::read_config(&self.config, field)
            }
            6 => build::stride(y, self.pick(2)),
            7 => build::neg(self.control(depth - 1)),
            8 => build::rem(self.control(depth - 1), 3),
            9 if self.rng.one_in(2) => build::int(i64::MAX - 1),
            _ => {
                let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div][self.pick(4)];
                build::bin(op, self.control(depth - 1), self.control(depth - 1))
            }
        }
    }

    fn condition(&mut self) -> Expr {
        match self.rng.below(6) {
            0 => build::read_config(&self.config, "b"),
            1 => build::not(self.condition()),
            2 => build::and(self.condition(), self.condition()),
            3 if self.rng.one_in(5) => self.control(1),
            _ => build::bin(BinOp::ALL[5 + self.pick(5)], self.control(1), self.control(1)),
        }
    }

    fn indices(&mut self, rank: usize) -> Vec<Expr> {
        let rank = if self.rng.one_in(60) { rank + 1 } else { rank };
        (0..rank).map(|_| self.control(1)).collect()
    }

    fn data(&mut self, depth: u32) -> Expr {
        let (x, rank) = self.buffer();
        match if depth == 0 { self.rng.below(5) } else { self.rng.below(9) } {
            0..=2 => build::read(x, self.indices(rank)),
            3 => build::data(self.rng.between(-3, 3), 0),
            4 => build::read_config(&self.config, "s"),
            5 => build::neg(self.data(depth - 1)),
            6 => {
                let func = Extern::ALL[self.pick(Extern::ALL.len())];
                let args: Vec<Expr> = (0..func.arity()).map(|_| self.data(depth - 1)).collect();
                build::apply(func, args)
            }
            _ => {
                let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div, BinOp::Mod][self.pick(5)];
                build::bin(op, self.data(depth - 1), self.data(depth - 1))
            }
        }
    }

    fn coords(&mut self, rank: usize) -> Vec<WinCoord> {
        (0..rank)
            .map(|_| match self.rng.below(3) {
                0 => build::point(self.control(0)),
                1 => build::interval(0, self.control(0)),
                _ => build::interval(self.control(0), self.control(1)),
            })
            .collect()
    }

    fn block(&mut self, depth: u32) -> Vec<Stmt> {
        let (controls, buffers) = (self.controls.len(), self.buffers.len());
        let block = (0..=self.rng.below(3)).map(|_| self.stmt(depth)).collect();
        // Now and then a name is used beyond its scope.
        if !self.rng.one_in(20) {
            self.controls.truncate(controls);
            self.buffers.truncate(buffers);
        }
        block
    }

    fn stmt(&mut self, depth: u32) -> Stmt {
        let (x, rank) = self.buffer();
        match if depth == 0 { self.rng.below(7) } else { self.rng.below(12) } {
            0 | 1 => build::assign(x, self.indices(rank), self.data(2)),
            2 => build::reduce(x, self.indices(rank), self.data(1)),
            3 => {
                let (field, rhs) = match self.rng.below(4) {
                    0 => ("s", self.data(1)),
                    1 => ("b", self.condition()),
                    2 => ("k", self.control(1)),
                    _ => ("n", self.control(1)),
                };
                build::write_config(&self.config, field, rhs)
            }
            4 => {
                let shape: Vec<Expr> = (0..self.rng.below(3)).map(|_| self.control(0)).collect();
                let y = Sym::fresh("t");
                self.buffers.push((y, shape.len()));
                build::alloc(y, DataType::ALL[self.pick(8)], shape)
            }
            5 => {
                let coords = self.coords(rank);
                let y = Sym::fresh("w");
                let kept = coords.iter().filter(|c| matches!(c, WinCoord::Interval(..))).count();
                self.buffers.push((y, kept));
                build::window_stmt(y, build::window(x, coords))
            }
            6 => self.call(),
            7 => {
                let cond = self.condition();
                let body = self.block(depth - 1);
                build::if_(cond, body, self.block(depth - 1))
            }
            _ => {
                let (lo, hi) = (self.control(0), self.control(1));
                let i = Sym::fresh("i");
                self.controls.push(i);
                let mode = if self.rng.one_in(3) { LoopMode::Par } else { LoopMode::Seq };
                let body = self.block(depth - 1);
                build::loop_(mode, i, lo, hi, body)
            }
        }
    }

    fn call(&mut self) -> Stmt {
        if self.callees.is_empty() {
            return build::pass();
        }
        let p = self.pick(self.callees.len());
        let p = self.callees[p].clone();
        let mut args: Vec<Expr> = Vec::new();
        for place in 0..p.args.len() {
            let (x, rank) = self.buffer();
            args.push(match (place, self.rng.below(3)) {
                (0, _) => self.control(1),
                (_, 0) => build::var(x),
                (_, 1) => build::read(x, self.indices(rank)),
                _ => build::window_arg(x, self.coords(rank)),
            });
        }
        if self.rng.one_in(50) {
            args.pop();
        }
        build::call(&p, args)
    }

    /// A procedure over `n: size, x: R[n], A: [f32][n, 3], s: i8`.
    fn proc(&mut self) -> Proc {
        let [n, x, a, s] = ["n", "x", "A", "s"].map(Sym::fresh);
        self.controls = vec![n];
        self.buffers = vec![(x, 1), (a, 2), (s, 0)];
        let args = vec![
            build::size_arg(n),
            build::tensor_arg(x, DataType::R, [build::var(n)]),
            build::window_formal(a, DataType::F32, [build::var(n), build::int(3)]),
            build::tensor_arg(s, DataType::I8, []),
        ];
        let preds = if self.rng.one_in(4) { vec![self.condition()] } else { Vec::new() };
        let body = build::block(self.block(3));
        Proc { name: "p".into(), args, preds, body, instr: None, span: Span::NONE }
    }
}

fn config() -> Arc<Config> {
    let control = |name: &str, typ| (name.into(), FieldType::Control(typ));
    let fields = [
        control("k", ControlType::Index),
        control("n", ControlType::Size),
        control("b", ControlType::Bool),
        ("s".into(), FieldType::Data(DataType::F32)),
    ];
    let fields = fields.map(|(name, typ)| ConfigField { name, typ, span: Span::NONE });
    Arc::new(Config {
        name: "Cfg".into(),
        fields: fields.into_iter().collect(),
        direct_access: true,
        span: Span::NONE,
    })
}

fn program(seed: u64) -> Proc {
    let mut author = Author {
        rng: Rng::new(seed),
        config: config(),
        controls: Vec::new(),
        buffers: Vec::new(),
        callees: Vec::new(),
    };
    let callee = author.proc();
    author.callees.push(Arc::new(callee));
    author.proc()
}

type Result<D> = std::result::Result<Outcome<<D as DataDomain>::Value>, Box<Fault>>;

fn run<D: Interpreted>(p: &Proc, input: &Input) -> Result<D> {
    let (args, st) = input.store::<D>(p);
    let limits = Limits { cells: 1 << 14, ..Limits::statements(3_000) };
    Denotation::<D>::of(p).call(&args, st, limits)
}

/// Some of the cells and fields become ⊥.
fn forget(input: &Input, rng: &mut Rng) -> Input {
    let mut less = input.clone();
    for (_, value) in &mut less.args {
        if let InputValue::Data(InputBuffer { cells, .. }) = value {
            cells.iter_mut().filter(|_| rng.one_in(3)).for_each(|c| *c = None);
        }
    }
    less.fields.retain(|_, _| !rng.one_in(3));
    less
}

fn below<D: Interpreted>(less: &Result<D>, more: &Result<D>) -> bool {
    match (less, more) {
        (Ok(less), Ok(more)) => stores_below(&less.store, &more.store),
        (Err(f), _) if f.class() == FaultClass::TypeError => true,
        // Only well-typed programs are monotonic, and limits are outside of the order.
        (_, Err(g)) if matches!(g.class(), FaultClass::TypeError | FaultClass::Limit) => true,
        (Err(f), _) if f.class() == FaultClass::MemError => true,
        (Err(f), Err(g)) => f.class() == g.class(),
        (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
    }
}

fn stores_below<V: Clone + PartialEq>(less: &Store<V>, more: &Store<V>) -> bool {
    let cells = less.buffers().zip(more.buffers()).all(|((_, a), (_, b))| {
        let mut cells = a.cells().iter().zip(b.cells());
        cells.all(|(a, b)| Val::from(a.clone()).is_below(&Val::from(b.clone())))
    });
    let unknown = Val::Exceptional(Exceptional::Unknown);
    let fields = less.globals().all(|(key, a)| a.is_below(more.global(key).unwrap_or(&unknown)));
    cells && fields
}

/// Whatever the program, running it ends without a panic; and told less, it tells less.
/// [rule: values.order], [rule: denotation].
#[test]
fn running_is_total_and_monotonic() {
    let mut seen = [0u32; 5];
    for seed in 0..3_000 {
        let p = program(seed);
        let Ok(input) = generate(
            &p,
            &rewright_semantics::inputs::Given::default(),
            seed,
            rewright_semantics::inputs::Search::default(),
        ) else {
            continue;
        };
        let less = forget(&input, &mut Rng::new(seed));
        let exact = run::<RationalDomain>(&p, &input);
        let told_less = run::<RationalDomain>(&p, &less);
        assert!(
            below::<RationalDomain>(&told_less, &exact),
            "seed {seed}: {less} gives {told_less:?}, and {input} gives {exact:?} in\n{}",
            proc_to_string(&p)
        );
        let machine = run::<MachineDomain>(&p, &input);
        let symbolic = run::<SymbolicDomain>(&p, &input);
        let ends = |f: Option<&Fault>| f.map(Fault::class);
        assert_eq!(ends(exact.as_ref().err().map(|f| &**f)), ends(machine.as_ref().err().map(|f| &**f)));
        assert_eq!(ends(exact.as_ref().err().map(|f| &**f)), ends(symbolic.as_ref().err().map(|f| &**f)));
        seen[match exact.as_ref().map_err(|f| f.class()) {
            Ok(_) => 0,
            Err(FaultClass::MemError) => 1,
            Err(FaultClass::TypeError) => 2,
            Err(FaultClass::Race) => 3,
            Err(FaultClass::Limit) => 4,
        }] += 1;
    }
    assert!(seen.iter().all(|n| *n > 5), "ok, ε_m, ε_τ, ε_race, limit: {seen:?}");
}
