//! Random well-typed, in-bounds programs.
//!
//! A program is built with what is known of each control variable at hand ([`affine`]), so that every
//! access is in bounds for every input that satisfies the assertions; nothing is generated and then
//! thrown away. Loops that are `par` write one cell per iteration and read nothing that they write.

pub mod affine;
mod calls;
mod data;
mod index;
mod scope;
mod stmts;

use crate::rng::Rng;
use affine::{Affine, Known, bin, int, var};
use rewright_semantics::ast::{Arg, BinOp, Config, ConfigField, ExprKind, Module, Proc};
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::types::{ArgType, ArrayKind, BufferType, ControlType, DataType, FieldType, MemName};
use scope::{Buffer, Scope};
use std::sync::Arc;

/// What kind of programs to make.
#[derive(Clone, Debug)]
pub struct Shape {
    /// How many procedures; the last may call the others.
    pub procs: usize,
    /// About how many statements each.
    pub stmts: usize,
    /// How deeply loops and guards nest.
    pub depth: usize,
    /// Element types to draw from.
    pub elems: Vec<DataType>,
    /// Whether some cells may be read before they are written.
    pub uninitialised: bool,
    /// What the names of procedures and configurations start with, so that modules can be joined.
    pub prefix: String,
    /// Whether values that are not rational (`sin`, `sqrt`, `expf`, …) may occur.
    pub irrational: bool,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape {
            procs: 3,
            stmts: 10,
            depth: 4,
            elems: DataType::ALL.to_vec(),
            uninitialised: false,
            prefix: String::new(),
            irrational: false,
        }
    }
}

impl Shape {
    /// Programs over the reals and the two common precisions: what exact arithmetic can be compared on.
    pub fn floating() -> Shape {
        Shape { elems: vec![DataType::R, DataType::F32, DataType::F64], ..Shape::default() }
    }
}

/// The module with this seed.
pub fn module(seed: u64, shape: &Shape) -> Module {
    let mut rng = Rng::new(seed);
    let configs = if rng.chance(60) { vec![config(&mut rng, shape)] } else { Vec::new() };
    let mut procs: Vec<Arc<Proc>> = Vec::new();
    for k in 0..shape.procs.max(1) {
        let name = Name::new(&format!("{}p{k}", shape.prefix));
        let made = proc(name, &mut rng.split(), shape, &configs, &procs);
        procs.push(Arc::new(made));
    }
    Module { configs, memories: Vec::new(), procs }
}

/// The modules of these seeds in one.
pub fn joined(seeds: impl Iterator<Item = u64>, shape: &Shape) -> Module {
    let mut all = Module::default();
    for seed in seeds {
        let one = module(seed, &Shape { prefix: format!("s{seed}_"), ..shape.clone() });
        all.configs.extend(one.configs);
        all.procs.extend(one.procs);
    }
    all
}

fn config(rng: &mut Rng, shape: &Shape) -> Arc<Config> {
    let field = |name: &str, typ| ConfigField { name: Name::new(name), typ, span: Span::NONE };
    let elem = rng.pick(&shape.elems).copied().unwrap_or(DataType::R);
    let fields = vec![
        field("count", FieldType::Control(ControlType::Size)),
        field("offset", FieldType::Control(ControlType::Index)),
        field("whole", FieldType::Control(ControlType::Int)),
        field("flag", FieldType::Control(ControlType::Bool)),
        field("pitch", FieldType::Control(ControlType::Stride)),
        field("scale", FieldType::Data(elem)),
    ];
    Arc::new(Config {
        name: Name::new(&format!("{}Cfg", shape.prefix)),
        fields: fields.into(),
        direct_access: true,
        span: Span::NONE,
    })
}

fn proc(name: Name, rng: &mut Rng, shape: &Shape, configs: &[Arc<Config>], callees: &[Arc<Proc>]) -> Proc {
    let mut scope = Scope::new(rng, shape, configs, callees);
    let mut args = Vec::new();
    for k in 0..scope.rng.below(3) + 1 {
        args.push(scope.size_arg(k));
    }
    if scope.rng.chance(25) {
        args.push(scope.control_arg("k", ControlType::Index));
    }
    if scope.rng.chance(20) {
        args.push(scope.control_arg("b", ControlType::Bool));
    }
    for k in 0..scope.rng.below(3) + 2 {
        args.push(scope.buffer_arg(k));
    }
    let preds = scope.preds(&args);
    let mut budget = shape.stmts;
    let body = scope.block(shape.depth, &mut budget);
    Proc { name, args, preds, body, instr: None, span: Span::NONE }
}

impl Scope<'_> {
    fn size_arg(&mut self, k: usize) -> Arg {
        let x = Sym::fresh(["n", "m", "w"][k % 3]);
        self.known.push(Known::Size(x));
        arg(x, ArgType::Control(ControlType::Size))
    }

    fn control_arg(&mut self, name: &str, typ: ControlType) -> Arg {
        let x = Sym::fresh(name);
        match typ {
            ControlType::Bool => self.flags.push(x),
            ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride => {
                self.known.push(Known::Any(x));
            }
        }
        arg(x, ArgType::Control(typ))
    }

    fn buffer_arg(&mut self, k: usize) -> Arg {
        let x = Sym::fresh(["x", "y", "z", "a"][k % 4]);
        let rank = self.rng.below(4).min(self.rng.below(4));
        let elem = self.elem();
        let shape: Vec<Affine> = (0..rank).map(|_| self.extent()).collect();
        let kind = if rank > 0 && self.rng.chance(45) { ArrayKind::Window } else { ArrayKind::Tensor };
        let exprs: Vec<_> = shape.iter().map(Affine::to_expr).collect();
        let constant = self.rng.chance(35);
        self.buffers.push(Buffer {
            name: x,
            elem,
            shape,
            kind,
            root: x,
            writable: !constant,
            readable: true,
            constant,
        });
        let typ = BufferType { elem, shape: exprs.into(), kind };
        arg(x, ArgType::Data { typ, mem: MemName::dram() })
    }

    /// Assertions that some input satisfies: about sizes, and about strides of windows.
    fn preds(&mut self, args: &[Arg]) -> Vec<rewright_semantics::ast::Expr> {
        let mut preds = Vec::new();
        let sizes = self.sizes();
        if let Some(&n) = self.rng.pick(&sizes)
            && self.rng.chance(25)
        {
            let k = self.rng.between(2, 4);
            preds.push(bin(BinOp::Eq, bin(BinOp::Mod, var(n), int(k)), int(0)));
        }
        if let [n, m, ..] = sizes[..]
            && self.rng.chance(25)
        {
            preds.push(bin(BinOp::Le, var(n), var(m)));
            self.known.push(Known::Fact(Affine::var(m).plus(-1, &Affine::var(n))));
        }
        for a in args {
            let ArgType::Data { typ, .. } = &a.typ else { continue };
            if typ.kind == ArrayKind::Window && self.rng.chance(20) {
                let dim = typ.rank() - 1;
                let stride = rewright_semantics::ast::Expr::new(ExprKind::Stride { name: a.name, dim });
                preds.push(bin(BinOp::Eq, stride, int(1)));
            }
        }
        preds
    }
}

fn arg(name: Sym, typ: ArgType) -> Arg {
    Arg { name, typ, span: Span::NONE }
}
