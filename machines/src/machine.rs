//! What is recorded of a machine. Spec: [rule: machines].

use rewright_semantics::types::DataType;

/// A machine: its memories, its instructions, what a C compiler must know of it, and how its code is run.
#[derive(Debug)]
pub struct Machine {
    /// Its name, in messages and on the command line.
    pub name: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// Its vector registers, a memory of their own.
    pub registers: Option<RegisterFile>,
    /// Definitions in the object language: memories, configuration, instructions.
    pub definitions: &'static [Definitions],
    /// C that stands for the hardware, as the constant `MODEL` of the definitions.
    pub model: Option<&'static str>,
    /// The processor that its registers are a part of, which C is made for: `x86-64`. None where a model stands for the hardware
    /// on any.
    pub processor: Option<&'static str>,
    /// How its code is run.
    pub run: Run,
}

/// A file of definitions.
#[derive(Clone, Copy, Debug)]
pub struct Definitions {
    /// Its name in messages, `<avx2, f32>`.
    pub name: &'static str,
    /// The definitions.
    pub text: &'static str,
}

/// Vector registers as a memory: the last dimension of a buffer there is the lanes of one register.
#[derive(Debug)]
pub struct RegisterFile {
    /// The name of the memory, `AVX512`.
    pub memory: &'static str,
    /// How many there are.
    pub count: i64,
    /// C that stands once at the head of each unit that uses the registers.
    pub header: &'static str,
    /// Whether a word, such as `vaddq_f32`, may be a function or type of what the header includes: names in C keep away from
    /// these. Of a word with the suffix `_1` it may not say so. Spec: [rule: c.names].
    pub defines: fn(&str) -> bool,
    /// What a compiler must be told to accept the registers' types. Spec: [rule: c.flags].
    pub flags: &'static [&'static str],
    /// What becomes of buffers of several registers.
    pub arrays: Arrays,
    /// Whether the processor's own instructions leave lanes out; elsewhere others are needed beside them for that.
    pub masked: bool,
    /// The types that a register holds.
    pub types: &'static [RegisterType],
}

/// What becomes of buffers of several registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrays {
    /// An array of C.
    Allowed,
    /// They are refused: how large the types are is not known before they run, and C has no arrays of such.
    Refused,
}

/// A type of vector register.
#[derive(Clone, Copy, Debug)]
pub struct RegisterType {
    /// The type of a lane.
    pub elem: DataType,
    /// How many lanes there are.
    pub lanes: i64,
    /// Its name in C.
    pub c: &'static str,
    /// What initialises one in C where its lanes must hold some value.
    pub zero: &'static str,
    /// The instructions that bring a register in from consecutive cells and out again, where the definitions have them.
    pub moves: Option<Moves>,
}

/// How a register is loaded and stored.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// From consecutive cells in DRAM into a register, `mm512_loadu_ps(v, x[0:16])`.
    pub load: &'static str,
    /// From a register into consecutive cells in DRAM.
    pub store: &'static str,
}

impl RegisterType {
    /// Registers that no instruction moves.
    pub(crate) const fn new(elem: DataType, lanes: i64, c: &'static str) -> RegisterType {
        RegisterType { elem, lanes, c, zero: "{ 0 }", moves: None }
    }

    /// Initialised by an expression, because braces do not do.
    pub(crate) const fn zeroed(self, zero: &'static str) -> RegisterType {
        RegisterType { zero, ..self }
    }

    /// With the instructions that move them.
    pub(crate) const fn moved(self, load: &'static str, store: &'static str) -> RegisterType {
        RegisterType { moves: Some(Moves { load, store }), ..self }
    }
}

/// How a machine's code is run.
#[derive(Clone, Copy, Debug)]
pub enum Run {
    /// By this processor, if it has the instructions.
    Native(fn() -> bool),
    /// By this processor, if it is of the kind; elsewhere by a program that stands for one.
    Emulated(fn() -> bool, Emulation),
    /// Anywhere: a model in C stands for the hardware.
    Model,
}

/// Compilers for another processor, and a program that runs what they make.
#[derive(Clone, Copy, Debug)]
pub struct Emulation {
    /// The compilers, of which any will do.
    pub compilers: &'static [CrossCompiler],
    /// The program that runs what they make, `qemu-aarch64`.
    pub emulator: &'static str,
    /// The processors that it is to stand for, all of which compute the same.
    pub processors: &'static [Processor],
    /// The packages of Debian that contain all this.
    pub packages: &'static [&'static str],
}

/// A compiler that makes code for another processor.
#[derive(Clone, Copy, Debug)]
pub struct CrossCompiler {
    /// The program.
    pub program: &'static str,
    /// What chooses the processor.
    pub flags: &'static [&'static str],
}

/// A processor that an emulator can stand for.
#[derive(Clone, Copy, Debug)]
pub struct Processor {
    /// Its name in messages.
    pub name: &'static str,
    /// What the emulator is told.
    pub arguments: &'static [&'static str],
}

impl Machine {
    /// Whether its code can be run in this process.
    pub fn runs_here(&self) -> bool {
        match self.run {
            Run::Native(has) | Run::Emulated(has, _) => has(),
            Run::Model => true,
        }
    }

    /// The definitions as they are read: the model is defined above them.
    pub(crate) fn source(&self, definitions: &Definitions) -> String {
        match self.model {
            Some(model) => format!("MODEL = r\"\"\"{model}\"\"\"\n{}", definitions.text),
            None => definitions.text.to_owned(),
        }
    }
}
