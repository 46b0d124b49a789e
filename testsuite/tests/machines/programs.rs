//! Random programs of the vector machines' instructions: loads from anywhere, whatever works on registers, tiles whose
//! registers a loop chooses, windows of them, stores. Their C agrees with the interpreter bit for bit, on numbers that round,
//! special ones and cells that hold none, with every compiler there is and under sanitizers.
//! Spec: [rule: c.agrees], [rule: machines], [rule: instructions.rounding].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Arrays, Moves, RegisterType};
use rewright_semantics::ast::{Arg, Expr, ExprKind, Literal, Proc};
use rewright_semantics::inputs::rng::Rng;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use rewright_semantics::types::{ArgType, ControlType, DataType};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Programs per machine, calls in each, and inputs of each.
const PROGRAMS: u64 = 6;
const CALLS: u64 = 14;
const INPUTS: u64 = 6;

/// Cells of the buffers in DRAM.
const CELLS: u64 = 64;

/// Registers, and tiles of two.
const REGISTERS: [&str; 5] = ["a", "b", "c", "d", "e"];
const TILES: [&str; 2] = ["t", "u"];

struct Maker<'a> {
    rng: Rng,
    lanes: u64,
    arrays: Arrays,
    instructions: Vec<&'a Arc<Proc>>,
    used: BTreeSet<String>,
    /// The register that the call changes.
    changed: String,
}

impl Maker<'_> {
    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let k = self.rng.below(u64::try_from(from.len()).unwrap());
        from[usize::try_from(k).unwrap()].clone()
    }

    /// The tiles that there are.
    fn tiles(&self) -> &'static [&'static str] {
        match self.arrays {
            Arrays::Allowed => &TILES,
            Arrays::Refused => &[],
        }
    }

    /// A register that no other operand of the call is, as long as there is one, and never the one that is changed; in a loop
    /// over `i`, one of a tile.
    fn register(&mut self, taken: &mut BTreeSet<String>, in_loop: bool, is_written: bool) -> String {
        let (lanes, all) = (self.lanes, REGISTERS.len() + self.tiles().len());
        loop {
            let kinds = match self.arrays {
                Arrays::Refused => 2,
                Arrays::Allowed if in_loop => 4,
                Arrays::Allowed => 3,
            };
            let text = match self.rng.below(kinds) {
                0 => self.pick(&REGISTERS).to_owned(),
                1 => format!("{}[0:{lanes}]", self.pick(&REGISTERS)),
                2 => format!("{}[{}, 0:{lanes}]", self.pick(&TILES), self.rng.below(2)),
                _ => format!("{}[i, 0:{lanes}]", self.pick(&TILES)),
            };
            let name = text.split('[').next().unwrap_or_default().to_owned();
            let again = taken.len() == all && !is_written && name != self.changed;
            if taken.insert(name.clone()) || again {
                if is_written {
                    self.changed = name;
                }
                return text;
            }
        }
    }

    fn operand(
        &mut self,
        arg: &Arg,
        n: u64,
        taken: &mut BTreeSet<String>,
        in_loop: bool,
        is_written: bool,
    ) -> String {
        let (typ, mem) = match &arg.typ {
            ArgType::Control(ControlType::Index) => return (n - 1).to_string(),
            ArgType::Control(_) => return n.to_string(),
            ArgType::Data { typ, mem } => (typ, mem),
        };
        if mem.to_string() != "DRAM" {
            return self.register(taken, in_loop, is_written);
        }
        let buffer = if is_written { "y" } else { "x" };
        let shift = if in_loop { "i + " } else { "" };
        match &*typ.shape {
            [] => format!("{buffer}[{shift}{}]", self.rng.below(CELLS - 1)),
            [extent, ..] => {
                let long = if is_constant(extent) { self.lanes } else { n };
                let k = self.rng.below(CELLS - long - 1);
                format!("{buffer}[{shift}{k}:{shift}{}]", k + long)
            }
        }
    }

    fn call(&mut self, in_loop: bool) -> String {
        let p = self.pick(&self.instructions.clone());
        self.used.insert(p.name.to_string());
        let n = 1 + self.rng.below(self.lanes);
        let mut taken = BTreeSet::new();
        self.changed.clear();
        let written = p.args.iter().map(|a| a.name.name().as_str() == "dst").collect::<Vec<_>>();
        let args: Vec<String> =
            p.args.iter().zip(written).map(|(a, w)| self.operand(a, n, &mut taken, in_loop, w)).collect();
        format!("{}({})", p.name, args.join(", "))
    }

    fn program(&mut self, k: u64, mem: &str, elem: DataType, moves: Moves) -> String {
        let (lanes, Moves { load, store }) = (self.lanes, moves);
        let mut text = format!("@proc\ndef p{k}(x: {elem}[{CELLS}], y: {elem}[{CELLS}]):\n");
        for r in REGISTERS {
            writeln!(text, "    {r}: {elem}[{lanes}] @ {mem}").unwrap();
            // Now and then what is computed is not known: then the C must only do no harm.
            if !self.rng.one_in(8) {
                let from = self.rng.below(CELLS - lanes);
                writeln!(text, "    {load}({r}, x[{from}:{}])", from + lanes).unwrap();
            }
        }
        for t in self.tiles() {
            writeln!(text, "    {t}: {elem}[2, {lanes}] @ {mem}\n    for i in seq(0, 2):").unwrap();
            writeln!(text, "        {load}({t}[i, 0:{lanes}], x[i + 3:i + {}])", lanes + 3).unwrap();
        }
        for _ in 0..CALLS {
            if self.rng.one_in(3) {
                writeln!(
                    text,
                    "    for i in seq(0, 2):\n        {}\n        {}",
                    self.call(true),
                    self.call(true)
                )
                .unwrap();
            } else {
                writeln!(text, "    {}", self.call(false)).unwrap();
            }
        }
        for r in REGISTERS
            .iter()
            .map(|r| (*r).to_owned())
            .chain(self.tiles().iter().map(|t| format!("{t}[1, 0:{lanes}]")))
        {
            let to = self.rng.below(CELLS - lanes);
            writeln!(text, "    {store}(y[{to}:{}], {r})", to + lanes).unwrap();
        }
        text
    }
}

/// Whether an instruction has operands in registers of this memory and type, and the others in DRAM, of that type too.
fn works_on(p: &Proc, mem: &str, elem: DataType) -> bool {
    let (mut ours, mut others) = (false, false);
    for arg in &p.args {
        if let ArgType::Data { typ, mem: m } = &arg.typ {
            let is_ours = m.to_string() == mem && typ.elem == elem;
            ours |= is_ours;
            others |= !is_ours && (m.to_string() != "DRAM" || typ.elem != elem);
        }
    }
    ours && !others
}

fn is_constant(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Lit(Literal::Int(_)))
}

#[test]
fn programs_of_instructions_agree_bit_for_bit() {
    let moved = rewright_machines::modules().iter().flat_map(|(machine, module)| {
        let files = machine.registers.iter().flat_map(|f| f.types.iter().map(move |t| (f, t)));
        files.filter_map(move |(file, t)| Some((*machine, module, file, t, t.moves?)))
    });
    for (m, (machine, module, file, RegisterType { elem, lanes, .. }, moves)) in (0..).zip(moved) {
        let (mem, arrays) = (file.memory, file.arrays);
        let mut sources = SourceMap::new();
        let prelude = rewright_machines::prelude(&mut sources);
        let instructions: Vec<&Arc<Proc>> =
            module.procs.iter().filter(|p| p.instr.is_some() && works_on(p, mem, *elem)).collect();
        let count = instructions.len();
        let lanes = u64::try_from(*lanes).expect("lanes");
        let mut maker = Maker {
            rng: Rng::new(m),
            lanes,
            arrays,
            instructions,
            used: BTreeSet::new(),
            changed: String::new(),
        };
        let text: String = (0..PROGRAMS).map(|k| maker.program(k, mem, *elem, moves) + "\n\n").collect();
        let file = sources.add("programs.py", text.as_str());
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
        assert!(check_module(&parsed.module).is_empty(), "{text}");
        let compilers = Compiler::of_machine(machine).unwrap_or_else(|why| {
            println!("{mem} {elem}: skipped: {why}");
            Vec::new()
        });
        for compiler in compilers {
            let built = match Built::new(&parsed.module, &compiler) {
                Ok(built) => built,
                Err(why @ HarnessError::Unsupported(_)) => {
                    println!("{mem}: skipped: {why}");
                    continue;
                }
                Err(why) => panic!("{}: {why}\n{text}", compiler.label()),
            };
            built.check().unwrap_or_else(|why| panic!("{}: {why}\n{}", compiler.family, built.unit().source));
            let (mut cells, mut runs) = (0, 0);
            for p in &parsed.module.procs {
                // Under an emulator each is a process of its own.
                let inputs = if compiler.target.is_some() { INPUTS / 2 + 1 } else { INPUTS };
                for (seed, data) in (0..inputs).zip([Data::Inexact, Data::Special].into_iter().cycle()) {
                    let input = generate(p, &Given::default(), seed, Search::default()).expect("an input");
                    let input = input.with_data(p, data, seed);
                    let nans: &[(usize, usize)] = if seed == 3 { &[(0, 5), (0, 40)] } else { &[] };
                    let mode = if seed == 1 { Mode::Sanitized } else { Mode::Fast };
                    match built.agree_without_numbers(p.name.as_str(), &input, nans, mode) {
                        Ok(Verdict::Agrees { compared, .. }) => cells += compared,
                        other => panic!(
                            "{}, {data:?}, {mode:?}: {other:?}\n{input}\n{text}\n{}",
                            compiler.family,
                            built.unit().source
                        ),
                    }
                    runs += 1;
                }
            }
            println!(
                "{mem} {elem}, {}: {} of {count} instructions, {runs} runs, {cells} cells agree",
                compiler.label(),
                maker.used.len()
            );
            assert!(cells > 1000, "only {cells} cells were compared");
            assert!(maker.used.len() * 3 > count * 2, "only {} instructions", maker.used.len());
        }
    }
}
