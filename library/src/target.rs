//! What a schedule must know of the machine that it is for: the record that makes one schedule serve several machines.
//! ASPLOS'25 §6.1.1. Spec: [rule: library.target], [rule: library.targets].
//!
//! The record is made from a machine of `rewright-machines` and a precision. Instructions are found by what they do: the
//! body of each says it, and the body is what `replace` goes by. So a new instruction is known here as soon as it is
//! defined, and none has to be listed twice.

mod lane;
mod prefetch;
mod shape;
mod sums;
mod tiles;

pub(crate) use lane::LaneMoves;
pub use prefetch::Nearer;
pub(crate) use shape::mentions;
pub use shape::{Home, Lookup, Shape, shape_of};

use rewright_machines::Machine;
use rewright_primitives::Proc;
use rewright_semantics::ast::{self, BinOp, Expr, ExprKind, Module, StmtKind};
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::fold;
use rewright_semantics::types::{ArgType, ControlType, DataType, MemName};
use std::collections::BTreeMap;

/// What an instruction of vectors does, lane by lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Op {
    /// `v[i] = x[i]`, from memory.
    Load,
    /// `v[i] = x[i]`, from floats in memory into registers of doubles.
    LoadFloats,
    /// `x[i] = v[i]`, to memory.
    Store,
    /// `v[i] = w[i]`, between registers.
    Move,
    /// `v[i] = 0.0`.
    Zero,
    /// `v[i] = x`, of a scalar in memory.
    Broadcast,
    /// `v[i] = a[i] + b[i]`.
    Add,
    /// `v[i] = a[i] - b[i]`.
    Sub,
    /// `v[i] = a[i] * b[i]`.
    Mul,
    /// `v[i] = a[i] / b[i]`.
    Div,
    /// `v[i] = a[i] / 3`.
    Third,
    /// `v[i] = -a[i]`.
    Neg,
    /// `v[i] = fabsf(a[i])`.
    Abs,
    /// `v[i] = fmaxf(a[i], b[i])`.
    Max,
    /// `v[i] = fminf(a[i], b[i])`.
    Min,
    /// `v[i] = sqrt(a[i])`.
    Sqrt,
    /// `v[i] = relu(a[i])`.
    Relu,
    /// `v[i] = select(a[i], b[i], c[i], d[i])`.
    Select,
    /// `v[i] += a[i]`.
    Accumulate,
    /// `v[i] += a[i] * b[i]`.
    Fma,
    /// `v[i] += -(a[i] * b[i])`.
    Fnma,
    /// `v[i] += a * b[i]`, of a scalar in memory.
    FmaBroadcast,
    /// `v[i] += -(a * b[i])`, of a scalar in memory.
    FnmaBroadcast,
    /// `x += v[i]`: all lanes are added to a scalar in memory.
    ReduceAdd,
    /// `x = fmaxf(x, v[i])`.
    ReduceMax,
}

impl Op {
    /// All of them.
    pub const ALL: [Op; 25] = [
        Op::Load,
        Op::LoadFloats,
        Op::Store,
        Op::Move,
        Op::Zero,
        Op::Broadcast,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Div,
        Op::Third,
        Op::Neg,
        Op::Abs,
        Op::Max,
        Op::Min,
        Op::Sqrt,
        Op::Relu,
        Op::Select,
        Op::Accumulate,
        Op::Fma,
        Op::Fnma,
        Op::FmaBroadcast,
        Op::FnmaBroadcast,
        Op::ReduceAdd,
        Op::ReduceMax,
    ];

    /// The statement in a lane, as [`Shape`] writes it.
    pub fn shape(self) -> Shape {
        Shape::new(match self {
            Op::Load => "R = M",
            Op::LoadFloats => "R = M:f32",
            Op::Store => "M = R",
            Op::Move => "R = R",
            Op::Zero => "R = 0",
            Op::Broadcast => "R = S",
            Op::Add => "R = (R + R)",
            Op::Sub => "R = (R - R)",
            Op::Mul => "R = (R * R)",
            Op::Div => "R = (R / R)",
            Op::Third => "R = (R / 3)",
            Op::Neg => "R = -R",
            Op::Abs => "R = fabsf(R)",
            Op::Max => "R = fmaxf(R, R)",
            Op::Min => "R = fminf(R, R)",
            Op::Sqrt => "R = sqrt(R)",
            Op::Relu => "R = relu(R)",
            Op::Select => "R = select(R, R, R, R)",
            Op::Accumulate => "R += R",
            Op::Fma => "R += (R * R)",
            Op::Fnma => "R += -(R * R)",
            Op::FmaBroadcast => "R += (S * R)",
            Op::FnmaBroadcast => "R += -(S * R)",
            Op::ReduceAdd => "S += R",
            Op::ReduceMax => "S = fmaxf(S, R)",
        })
    }
}

/// Which lanes an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lanes {
    /// All of them: `for i in seq(0, 8)`.
    All,
    /// The first ones, of which there are at least one and not more than all: `for i in seq(0, n)`.
    First,
    /// Those below a bound, which may be larger than all of them: `for i in seq(0, 8): if i < n`.
    Below,
    /// Those from a bound on: `for i in seq(n, 8)`.
    Last,
}

/// Bytes of a second-level cache: any processor with vectors of 256 bits and more has as many for each core.
const SECOND_CACHE: i64 = 512 << 10;

/// A machine and a precision, as schedules see them.
#[derive(Clone, Debug)]
pub struct Target {
    name: String,
    precision: DataType,
    lanes: i64,
    memory: MemName,
    registers: i64,
    masked: bool,
    second_cache: i64,
    instructions: BTreeMap<(Lanes, Shape), Proc>,
    transposition: Option<(i64, Proc)>,
    sums: Option<Proc>,
    lane_moves: Option<LaneMoves>,
    prefetches: BTreeMap<Nearer, Proc>,
}

/// A machine has no vectors of a precision.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{machine} has no vector registers of {precision}{}", list(.has))]
pub struct NoVectors {
    /// The machine.
    pub machine: &'static str,
    /// The precision.
    pub precision: DataType,
    /// Of which precisions it has some.
    pub has: Vec<DataType>,
}

fn list(has: &[DataType]) -> String {
    let words: Vec<String> = has.iter().map(ToString::to_string).collect();
    if words.is_empty() {
        ": it has none at all".to_owned()
    } else {
        format!(", but of {}", words.join(", "))
    }
}

/// How many bytes a value has.
fn bytes(precision: DataType) -> i64 {
    match precision {
        DataType::I8 | DataType::UI8 => 1,
        DataType::F16 | DataType::BF16 | DataType::UI16 => 2,
        DataType::F32 | DataType::I32 | DataType::R => 4,
        DataType::F64 => 8,
    }
}

impl Target {
    /// The record of a machine's vectors of a precision.
    ///
    /// # Errors
    /// It has none: there is no register of that type, or nothing brings one in and out.
    pub fn of(machine: &'static Machine, precision: DataType) -> Result<Target, NoVectors> {
        let file = machine.registers.as_ref();
        let moved = file.into_iter().flat_map(|f| f.types).filter(|t| t.moves.is_some());
        let has: Vec<DataType> = moved.clone().map(|t| t.elem).collect();
        let (Some(file), Some(typ)) = (file, moved.into_iter().find(|t| t.elem == precision)) else {
            return Err(NoVectors { machine: machine.name, precision, has });
        };
        let memory = MemName(Name::new(file.memory));
        let module = rewright_machines::modules().iter().find(|(m, _)| m.name == machine.name);
        let instructions =
            module.map(|(_, m)| instructions(m, memory, precision, typ.lanes)).unwrap_or_default();
        let transposition = module.and_then(|(_, m)| tiles::transposition(m, precision));
        let sums = module.and_then(|(_, m)| sums::sums(m, memory, precision, typ.lanes));
        let lane_moves = module.and_then(|(_, m)| lane::moves(m, memory, precision));
        let prefetches =
            module.map(|(_, m)| prefetch::prefetches(m, precision, typ.lanes)).unwrap_or_default();
        Ok(Target {
            name: machine.name.to_owned(),
            precision,
            lanes: typ.lanes,
            memory,
            registers: file.count,
            masked: file.masked,
            second_cache: SECOND_CACHE,
            instructions,
            transposition,
            sums,
            lane_moves,
            prefetches,
        })
    }

    /// No machine in particular: lanes are cells of small arrays, of which a C compiler makes what it can. There are no
    /// instructions.
    pub fn portable(precision: DataType) -> Target {
        Target {
            name: "portable C".to_owned(),
            precision,
            lanes: 32 / bytes(precision),
            memory: MemName(Name::new("DRAM_STACK")),
            registers: 16,
            masked: false,
            second_cache: SECOND_CACHE,
            instructions: BTreeMap::new(),
            transposition: None,
            sums: None,
            lane_moves: None,
            prefetches: BTreeMap::new(),
        }
    }

    /// With a second-level cache of so many bytes for each core.
    #[must_use]
    pub fn with_second_cache(self, bytes: i64) -> Target {
        Target { second_cache: bytes, ..self }
    }

    /// The machine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The type of a lane.
    pub fn precision(&self) -> DataType {
        self.precision
    }

    /// How many bytes a lane has.
    pub fn bytes(&self) -> i64 {
        bytes(self.precision)
    }

    /// How many lanes a register has.
    pub fn lanes(&self) -> i64 {
        self.lanes
    }

    /// The memory that stands for the registers.
    pub fn memory(&self) -> &'static str {
        self.memory.0.as_str()
    }

    /// Whether leaving lanes out takes no instructions of its own.
    pub fn masked(&self) -> bool {
        self.masked
    }

    /// How many registers there are.
    pub fn registers(&self) -> i64 {
        self.registers
    }

    /// Bytes of the second-level cache that a core has for itself, or of its share.
    pub fn second_cache(&self) -> i64 {
        self.second_cache
    }

    /// Whether there are instructions, or all is left to a C compiler.
    pub fn has_instructions(&self) -> bool {
        !self.instructions.is_empty()
    }

    /// Where a buffer of a memory and a type is.
    pub fn home(&self, memory: MemName, elem: DataType) -> Home {
        home(self.memory, self.precision, memory, elem)
    }

    /// The instruction that does something in some lanes. One that works on the first lanes, however many they are, works
    /// on all of them too.
    pub fn instruction(&self, op: Op, lanes: Lanes) -> Option<&Proc> {
        self.by_shape(&op.shape(), lanes)
    }

    /// Whether there is one.
    pub fn has(&self, op: Op, lanes: Lanes) -> bool {
        self.instruction(op, lanes).is_some()
    }

    /// Whether whatever a tail needs at least is there: lanes that are loaded, stored, set.
    pub fn has_masks(&self) -> bool {
        [Op::Load, Op::Store, Op::Broadcast].into_iter().all(|op| self.has(op, Lanes::First))
    }

    /// The instruction whose body is a loop over lanes with such a statement.
    pub fn by_shape(&self, shape: &Shape, lanes: Lanes) -> Option<&Proc> {
        let get = |lanes| self.instructions.get(&(lanes, shape.clone()));
        match lanes {
            Lanes::All => get(Lanes::All).or_else(|| get(Lanes::First)),
            Lanes::First | Lanes::Below | Lanes::Last => get(lanes),
        }
    }

    /// The instruction that transposes a square tile of a matrix in memory, and how many rows the tile has.
    pub fn transposition(&self) -> Option<(i64, &Proc)> {
        self.transposition.as_ref().map(|(rows, p)| (*rows, p))
    }

    /// The instruction that adds up the lanes of each of as many registers as a register has lanes, the sums into the
    /// lanes of one more: that register first, then the others in the order of the lanes.
    pub fn sums(&self) -> Option<&Proc> {
        self.sums.as_ref()
    }

    /// The instructions that move one lane of a register to a scalar in memory, and back.
    pub(crate) fn lane_moves(&self) -> Option<&LaneMoves> {
        self.lane_moves.as_ref()
    }

    /// The instruction that brings as many cells of memory as a register has lanes nearer, and does nothing else.
    pub fn prefetch(&self, to: Nearer) -> Option<&Proc> {
        self.prefetches.get(&to)
    }

    /// All instructions on registers.
    pub fn instructions(&self) -> Vec<Proc> {
        self.instructions.values().cloned().collect()
    }
}

/// What the instructions of a module do, of those with a register of a precision; of two that do the same, the first.
fn instructions(
    module: &Module,
    memory: MemName,
    precision: DataType,
    lanes: i64,
) -> BTreeMap<(Lanes, Shape), Proc> {
    let mut all = BTreeMap::new();
    for p in module.procs.iter().filter(|p| p.instr.is_some()) {
        if let Some(key) = does(p, memory, precision, lanes) {
            all.entry(key).or_insert_with(|| Proc::root(p.clone()));
        }
    }
    all
}

/// Where a buffer is, for registers in a memory and of a precision.
fn home(registers: MemName, precision: DataType, memory: MemName, elem: DataType) -> Home {
    if elem != precision {
        Home::Other(elem)
    } else if memory == registers {
        Home::Register
    } else {
        Home::Memory
    }
}

/// What an instruction does, where that is the same statement in each of its lanes.
fn does(p: &ast::Proc, memory: MemName, precision: DataType, lanes: i64) -> Option<(Lanes, Shape)> {
    let is_register = |arg: &ast::Arg| matches!(&arg.typ, ArgType::Data { typ, mem } if *mem == memory && typ.elem == precision);
    let only = p.body.get(0).filter(|_| p.body.len() == 1 && p.args.iter().any(is_register))?;
    let StmtKind::For { iter, lo, hi, body, .. } = only.kind.as_ref() else { return None };
    let inner = body.get(0).filter(|_| body.len() == 1)?;
    let is = |x: Sym, t| p.args.iter().any(|a| a.name == x && a.typ == ArgType::Control(t));
    let (is_size, is_index) = (|x| is(x, ControlType::Size), |x| is(x, ControlType::Index));
    let lookup = |x: Sym| {
        p.args.iter().find(|a| a.name == x).and_then(|a| match &a.typ {
            ArgType::Data { typ, mem } => Some(home(memory, precision, *mem, typ.elem)),
            ArgType::Control(_) => None,
        })
    };
    let from_first = fold::as_int(lo) == Some(0);
    let (which, stmt) = match (fold::as_int(hi), read(hi)) {
        (Some(n), _) if n == lanes && from_first => match guarded(inner, *iter) {
            Some((x, stmt)) if is_size(x) => (Lanes::Below, stmt),
            Some(_) => return None,
            None => (Lanes::All, inner),
        },
        (Some(n), _) if n == lanes && read(lo).is_some_and(is_index) => (Lanes::Last, inner),
        (None, Some(x)) if is_size(x) && from_first => (Lanes::First, inner),
        (Some(_) | None, _) => return None,
    };
    Some((which, shape_of(stmt, *iter, &lookup)?))
}

/// The bound `n` and the statement of `if i < n: s`.
fn guarded(s: &ast::Stmt, iter: Sym) -> Option<(Sym, &ast::Stmt)> {
    let StmtKind::If { cond, body, orelse } = s.kind.as_ref() else { return None };
    let ExprKind::Bin { op: BinOp::Lt, lhs, rhs } = &cond.kind else { return None };
    let stmt = body.get(0).filter(|_| body.len() == 1 && orelse.is_empty() && read(lhs) == Some(iter))?;
    Some((read(rhs)?, stmt))
}

/// The variable that an expression is.
fn read(e: &Expr) -> Option<Sym> {
    e.kind.read().filter(|(_, idx)| idx.is_empty()).map(|(x, _)| x)
}
