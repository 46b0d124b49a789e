//! `parse(print(p))` is `p` up to symbols, on random programs with all constructs, with names that
//! collide, hide each other and are words of the language; and printing is stable.

use proptest::prelude::*;
use rewright_semantics::alpha::alpha_eq_module;
use rewright_semantics::ast::*;
use rewright_semantics::diag::Severity;
use rewright_semantics::externs::Extern;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::render::render;
use rewright_semantics::span::{SourceMap, Span};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::*;
use std::sync::Arc;

/// Builds a program from a list of choices; when they run out, the smallest.
struct Gen {
    choices: Vec<u8>,
    at: usize,
    control: Vec<Sym>,
    /// Buffers with their ranks.
    buffers: Vec<(Sym, usize)>,
    configs: Vec<Arc<Config>>,
    procs: Vec<Arc<Proc>>,
}

const NAMES: [&str; 14] = [
    "i",
    "i_1",
    "x",
    "x_1",
    "y",
    "sin",
    "seq",
    "stride",
    "p0",
    "Cfg",
    "f32",
    "long_name_of_a_buffer",
    "N",
    "é",
];

impl Gen {
    fn pick(&mut self, n: usize) -> usize {
        let choice = self.choices.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        usize::from(choice) % n.max(1)
    }

    fn name(&mut self) -> Sym {
        Sym::fresh(NAMES[self.pick(NAMES.len())])
    }

    fn leaf(&mut self) -> Expr {
        let value = [0, 1, 7, -1, -12, i64::MAX, i64::MIN][self.pick(7)];
        let control = self.control.clone();
        if control.is_empty() || self.pick(2) == 0 {
            return Expr::new(ExprKind::Lit(Literal::Int(value)));
        }
        Expr::new(ExprKind::Read { name: control[self.pick(control.len())], idx: [].into() })
    }

    fn control(&mut self, depth: usize) -> Expr {
        if depth == 0 {
            return self.leaf();
        }
        let op = BinOp::ALL[self.pick(BinOp::ALL.len())];
        let kind = match self.pick(9) {
            0 | 1 => return self.leaf(),
            2 => ExprKind::Neg(Arc::new(self.control(depth - 1))),
            3 => ExprKind::Not(Arc::new(self.control(depth - 1))),
            4 => ExprKind::Lit(Literal::Bool(self.pick(2) == 0)),
            5 if !self.buffers.is_empty() => {
                let at = self.pick(self.buffers.len());
                ExprKind::Stride { name: self.buffers[at].0, dim: self.pick(3) }
            }
            6 => self.read_config(),
            _ => ExprKind::Bin {
                op,
                lhs: Arc::new(self.control(depth - 1)),
                rhs: Arc::new(self.control(depth - 1)),
            },
        };
        Expr::new(kind)
    }

    fn read_config(&mut self) -> ExprKind {
        let config = self.configs[0].clone();
        let field = config.fields[self.pick(config.fields.len())].name;
        ExprKind::ReadConfig { config, field }
    }

    fn cell(&mut self) -> Option<(Sym, Arc<[Expr]>)> {
        if self.buffers.is_empty() {
            return None;
        }
        let at = self.pick(self.buffers.len());
        let (name, rank) = self.buffers[at];
        Some((name, (0..rank).map(|_| self.control(2)).collect()))
    }

    fn data(&mut self, depth: usize) -> Expr {
        let mantissa = [0, 1, 25, -3, 123_456_789][self.pick(5)];
        let exponent = [0, -1, -3, 40, -40][self.pick(5)];
        let number = Decimal::new(mantissa, exponent);
        let number = if self.pick(2) == 0 { number.negated() } else { number };
        let literal = ExprKind::Lit(Literal::Data(number));
        if depth == 0 {
            return Expr::new(literal);
        }
        let op = [BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::Div][self.pick(4)];
        let kind = match self.pick(7) {
            0 => literal,
            1 => ExprKind::Neg(Arc::new(self.data(depth - 1))),
            2 => {
                let func = Extern::ALL[self.pick(Extern::ALL.len())];
                let args = (0..func.arity()).map(|_| self.data(depth - 1)).collect();
                ExprKind::Extern { func, args }
            }
            3 => self.read_config(),
            4 => match self.cell() {
                Some((name, idx)) => ExprKind::Read { name, idx },
                None => literal,
            },
            _ => {
                ExprKind::Bin { op, lhs: Arc::new(self.data(depth - 1)), rhs: Arc::new(self.data(depth - 1)) }
            }
        };
        Expr::new(kind)
    }

    fn window(&mut self, keep: bool) -> Option<WindowExpr> {
        let at = self.pick(self.buffers.len());
        let (name, rank) = *self.buffers.get(at)?;
        if rank == 0 {
            return None;
        }
        let mut idx: Vec<WinCoord> = Vec::new();
        for dim in 0..rank {
            let must = keep && dim + 1 == rank;
            if must || (keep && self.pick(2) == 0) {
                idx.push(WinCoord::Interval(self.control(1), self.control(1)));
            } else {
                idx.push(WinCoord::Point(self.control(1)));
            }
        }
        Some(WindowExpr { name, idx: idx.into() })
    }

    fn buffer_type(&mut self, kind: ArrayKind) -> BufferType {
        let elem = DataType::ALL[self.pick(DataType::ALL.len())];
        let rank = self.pick(3);
        BufferType { elem, shape: (0..rank).map(|_| self.control(1)).collect(), kind }
    }

    fn mem(&mut self) -> MemName {
        MemName(Name::new(["DRAM", "DRAM_STACK", "ACC"][self.pick(3)]))
    }

    fn block(&mut self, depth: usize) -> Block {
        let (control, buffers) = (self.control.len(), self.buffers.len());
        let mut block = Block::new();
        for _ in 0..1 + self.pick(4) {
            block.push_back(Stmt::new(self.stmt(depth)));
        }
        self.control.truncate(control);
        self.buffers.truncate(buffers);
        block
    }

    fn stmt(&mut self, depth: usize) -> StmtKind {
        match self.pick(if depth == 0 { 7 } else { 9 }) {
            1 => match self.cell() {
                Some((name, idx)) => StmtKind::Assign { name, idx, rhs: self.data(3) },
                None => StmtKind::Pass,
            },
            2 => match self.cell() {
                Some((name, idx)) => StmtKind::Reduce { name, idx, rhs: self.data(3) },
                None => StmtKind::Pass,
            },
            3 => {
                let config = self.configs[0].clone();
                let field = config.fields[self.pick(config.fields.len())].clone();
                let rhs = match field.typ {
                    FieldType::Control(_) => self.control(2),
                    FieldType::Data(_) => self.data(2),
                };
                StmtKind::WriteConfig { config, field: field.name, rhs }
            }
            4 => {
                let (name, typ, mem) = (self.name(), self.buffer_type(ArrayKind::Tensor), self.mem());
                self.buffers.push((name, typ.rank()));
                StmtKind::Alloc { name, typ, mem }
            }
            5 => {
                let keep = self.pick(3) > 0;
                let Some(rhs) = self.window(keep) else { return StmtKind::Pass };
                let name = self.name();
                let kept = |w: &&WinCoord| matches!(w, WinCoord::Interval(..));
                self.buffers.push((name, rhs.idx.iter().filter(kept).count()));
                StmtKind::WindowStmt { name, rhs }
            }
            6 => self.call(),
            7 => {
                let (lo, hi) = (self.control(3), self.control(3));
                let iter = self.name();
                self.control.push(iter);
                let body = self.block(depth - 1);
                self.control.pop();
                let mode = [LoopMode::Seq, LoopMode::Par][self.pick(2)];
                StmtKind::For { iter, lo, hi, body, mode }
            }
            8 => {
                let (cond, body) = (self.control(4), self.block(depth - 1));
                let orelse = if self.pick(2) == 0 { Block::new() } else { self.block(depth - 1) };
                StmtKind::If { cond, body, orelse }
            }
            _ => StmtKind::Pass,
        }
    }

    fn call(&mut self) -> StmtKind {
        if self.procs.is_empty() {
            return StmtKind::Pass;
        }
        let at = self.pick(self.procs.len());
        let proc = self.procs[at].clone();
        let args = proc.args.iter().map(|formal| match &formal.typ {
            ArgType::Control(_) => self.control(2),
            ArgType::Data { .. } => match self.pick(3) {
                0 => self.data(1),
                1 if !self.buffers.is_empty() => {
                    let at = self.pick(self.buffers.len());
                    Expr::new(ExprKind::Read { name: self.buffers[at].0, idx: [].into() })
                }
                _ => match self.window(true) {
                    Some(w) => Expr::new(ExprKind::Window(w)),
                    None => self.data(0),
                },
            },
        });
        let args = args.collect::<Vec<Expr>>().into();
        StmtKind::Call { proc, args }
    }

    fn procedure(&mut self, at: usize) -> Arc<Proc> {
        (self.control, self.buffers) = (Vec::new(), Vec::new());
        let mut names: Vec<&str> = NAMES.to_vec();
        let count = self.pick(6);
        let mut args = Vec::new();
        for _ in 0..count {
            let name = Sym::fresh(names.remove(self.pick(names.len())));
            let typ = match self.pick(3) {
                0 => {
                    self.control.push(name);
                    ArgType::Control(ControlType::ALL[self.pick(5)])
                }
                kind => {
                    let kind = if kind == 1 { ArrayKind::Tensor } else { ArrayKind::Window };
                    let typ = self.buffer_type(kind);
                    self.buffers.push((name, typ.rank()));
                    ArgType::Data { typ, mem: self.mem() }
                }
            };
            args.push(Arg { name, typ, span: Span::NONE });
        }
        let preds = (0..self.pick(3)).map(|_| self.control(3)).collect();
        let hole = args.first().map(|a| format!("{{{}}}", a.name)).unwrap_or_default();
        let instr = (self.pick(3) == 0).then(|| Instr {
            c_instr: format!("f({hole}); {{{{ \"\\\t\n }}}}\u{1}é").into(),
            c_global: ["", "#include <x.h>\n", "a\nb\nc"][self.pick(3)].into(),
            cflags: ["", "-mavx2 -mfma"][self.pick(2)].into(),
            rounds: Rounds::AsWritten,
        });
        let body = self.block(3);
        let name = Name::new(&format!("p{at}"));
        Arc::new(Proc { name, args, preds, body, instr, span: Span::NONE })
    }

    fn module(choices: Vec<u8>) -> Module {
        let field = |(name, typ): (&str, FieldType)| ConfigField { name: name.into(), typ, span: Span::NONE };
        let config = Arc::new(Config {
            name: "Cfg".into(),
            fields: field_types().into_iter().map(field).collect(),
            direct_access: choices.len().is_multiple_of(2),
            span: Span::NONE,
        });
        let memory =
            Arc::new(MemoryDef { name: MemName("ACC".into()), methods: methods(), span: Span::NONE });
        let configs = vec![config];
        let mut gen_ = Gen {
            choices,
            at: 0,
            control: Vec::new(),
            buffers: Vec::new(),
            configs: configs.clone(),
            procs: Vec::new(),
        };
        for at in 0..3 {
            let proc = gen_.procedure(at);
            gen_.procs.push(proc);
        }
        Module { configs, memories: vec![memory], procs: gen_.procs }
    }
}

fn field_types() -> Vec<(&'static str, FieldType)> {
    vec![
        ("a", FieldType::Control(ControlType::Size)),
        ("b", FieldType::Control(ControlType::Stride)),
        ("c", FieldType::Data(DataType::F32)),
    ]
}

fn methods() -> Vec<(Name, MemoryMethod)> {
    vec![
        ("global_".into(), MemoryMethod::Template("#include <x.h>\n#define A \"{{\\n}}\"".into())),
        ("alloc".into(), MemoryMethod::Template("{prim_type} {new_name}[{shape[0]}];\n{{ }}".into())),
        ("free".into(), MemoryMethod::Template("".into())),
        ("can_read".into(), MemoryMethod::Flag(false)),
        ("write".into(), MemoryMethod::Refuse("no {writes} \"here\"".into())),
        ("window".into(), MemoryMethod::Opaque),
        ("custom".into(), MemoryMethod::Opaque),
    ]
}

fn read(text: &str) -> (Module, String) {
    let mut sources = SourceMap::new();
    let file = sources.add("printed", text);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    let shown = render(&parsed.diagnostics, &sources, false);
    let bad = parsed.diagnostics.iter().any(|d| d.severity == Severity::Error);
    (parsed.module, if bad { shown } else { String::new() })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Spec: [rule: syntax.printing].
    #[test]
    fn what_is_printed_reads_back(choices in prop::collection::vec(any::<u8>(), 0..600)) {
        let module = Gen::module(choices);
        let text = module_to_string(&module);
        let (again, shown) = read(&text);
        prop_assert!(shown.is_empty(), "{shown}\n{text}");
        prop_assert!(alpha_eq_module(&module, &again), "{text}\n-----\n{}", module_to_string(&again));
        prop_assert_eq!(&text, &module_to_string(&again));
    }
}

/// Lines are broken, and broken lines are still Python.
#[test]
fn random_programs_have_long_lines() {
    let choices: Vec<u8> = (0..4000_u32).map(|i| u8::try_from((i * i * 7 + i / 3) % 251).unwrap()).collect();
    let text = module_to_string(&Gen::module(choices));
    assert!(text.lines().count() > 50, "{text}");
}
