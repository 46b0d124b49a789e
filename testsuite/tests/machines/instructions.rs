//! Every instruction of the vector machines, its C against its body: a procedure made from its signature brings the
//! operands into registers, calls it, and brings all of them back; the C of that, run by this processor or by one that
//! is emulated, agrees with the interpreter, which runs the body. Every length and lane is tried, and strides that the
//! instruction does not exclude. What no vector machine has is called in a kernel of the corpus, and in the test `models`.
//! Spec: [rule: machines], [rule: machines.emulated], [rule: instructions.operands].

use rayon::prelude::*;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Machine, Moves, RegisterType};
use rewright_semantics::ast::{Arg, Expr, ExprKind, Module, Proc};
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::{FaultKind, Limits};
use rewright_semantics::equiv::{self, Comparer};
use rewright_semantics::inputs::{Data, Given, InputValue, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::rounding::as_rounded;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ArgType, ControlType, DataType};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Inputs per instruction and compiler; where each is a process of its own; and of instructions with control arguments,
/// per value of each.
const INPUTS: u64 = 16;
const INPUTS_OF_PROCESSES: u64 = 4;
const INPUTS_PER_VALUE: u64 = 2;

/// The values that are tried for a control argument: those for which its procedure has inputs.
const VALUES: std::ops::RangeInclusive<i64> = -2..=70;

/// Where an operand comes from.
enum Operand {
    /// A control argument, of this type.
    Control(String),
    /// A buffer in DRAM: its type, and how it is passed.
    Dram(String, String),
    /// A register: its memory, its type, the instructions that move it.
    Register(&'static str, RegisterType, Moves),
}

/// `None` for an operand in another memory. A `spread` buffer in DRAM has its cells two apart.
fn operand(arg: &Arg, spread: bool) -> Option<Operand> {
    let name = arg.name.name();
    match &arg.typ {
        ArgType::Control(t) => Some(Operand::Control(t.to_string())),
        ArgType::Data { typ, mem } => {
            let (elem, dram) = (typ.elem.to_string(), mem.to_string() == "DRAM");
            if typ.shape.is_empty() {
                return dram.then(|| Operand::Dram(elem, name.to_string()));
            }
            let extents: Vec<String> = typ.shape.iter().map(expr_to_string).collect();
            if dram {
                // From the second cell, so that no vector is aligned to more than its lanes; and a vector behind the
                // last one, which must not change.
                let mut shown: Vec<String> = extents.iter().map(|e| format!("1:{e} + 1")).collect();
                let mut all: Vec<String> =
                    extents.iter().map(|e| format!("{e} + 1 + {}", behind(typ.elem))).collect();
                if spread {
                    shown.push("1".to_owned());
                    all.push("2".to_owned());
                }
                let typ = format!("{elem}[{}]", all.join(", "));
                return Some(Operand::Dram(typ, format!("{name}[{}]", shown.join(", "))));
            }
            let file = rewright_machines::register_files().find(|f| f.memory == mem.to_string())?;
            let register = file.types.iter().find(|t| t.elem == typ.elem)?;
            Some(Operand::Register(file.memory, *register, register.moves?))
        }
    }
}

/// The cells of the longest register of a type.
fn behind(elem: DataType) -> i64 {
    let types = rewright_machines::register_files().flat_map(|f| f.types);
    types.filter(|t| t.elem == elem).map(|t| t.lanes).max().unwrap_or(1)
}

fn mentions_strides(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Stride { .. } => true,
        ExprKind::Bin { lhs, rhs, .. } => mentions_strides(lhs) || mentions_strides(rhs),
        ExprKind::Neg(a) | ExprKind::Not(a) => mentions_strides(a),
        ExprKind::Read { .. }
        | ExprKind::Window(_)
        | ExprKind::Lit(_)
        | ExprKind::Extern { .. }
        | ExprKind::ReadConfig { .. } => false,
    }
}

/// The windows in DRAM that an instruction takes.
fn windows(p: &Proc) -> Vec<Name> {
    let is_window = |arg: &&Arg| match &arg.typ {
        ArgType::Data { typ, mem } => !typ.shape.is_empty() && mem.to_string() == "DRAM",
        ArgType::Control(_) => false,
    };
    p.args.iter().filter(is_window).map(|arg| arg.name.name()).collect()
}

/// A procedure of DRAM alone around a call of an instruction; `None` where an operand is in another memory. The cells of
/// the window `spread` are two apart.
fn wrapper(p: &Proc, spread: Option<Name>) -> Option<String> {
    let (mut formals, mut loads, mut stores, mut actuals) = (vec![], String::new(), String::new(), vec![]);
    for arg in &p.args {
        let name = arg.name.name();
        match operand(arg, spread == Some(name))? {
            Operand::Control(typ) => {
                formals.push(format!("{name}: {typ}"));
                actuals.push(name.to_string());
            }
            Operand::Dram(typ, passed) => {
                formals.push(format!("{name}: {typ}"));
                actuals.push(passed);
            }
            Operand::Register(mem, RegisterType { elem, lanes, .. }, Moves { load, store }) => {
                formals.push(format!("{name}_0: {elem}[{lanes} + 1]"));
                writeln!(loads, "    {name}: {elem}[{lanes}] @ {mem}").ok()?;
                writeln!(loads, "    {load}({name}, {name}_0[1:{lanes} + 1])").ok()?;
                writeln!(stores, "    {store}({name}_0[1:{lanes} + 1], {name})").ok()?;
                actuals.push(name.to_string());
            }
        }
    }
    let how = spread.map(|x| format!("_spread_{x}")).unwrap_or_default();
    let mut text = format!("@proc\ndef test_{}{how}({}):\n", p.name, formals.join(", "));
    for e in p.preds.iter().filter(|e| !mentions_strides(e)) {
        writeln!(text, "    assert {}", expr_to_string(e)).ok()?;
    }
    write!(text, "{loads}    {}({})\n{stores}", p.name, actuals.join(", ")).ok()?;
    Some(text)
}

/// The texts of the corpus in which machines are used.
fn kernels() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/ok");
    let entries = std::fs::read_dir(folder).expect("the corpus").map(|e| e.expect("a file").path());
    let is_kernel = |p: &PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("machine_"));
    entries.filter(is_kernel).map(|p| std::fs::read_to_string(p).expect("a text")).collect()
}

/// The machines with registers and instructions, and a procedure for each instruction, `spread` or not; and the
/// instructions for which there is none.
fn wrapped(spread: bool) -> (Vec<(&'static Machine, Module, usize)>, Vec<Name>) {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let (mut out, mut others) = (Vec::new(), Vec::new());
    for (machine, module) in rewright_machines::modules() {
        let (mut text, mut count) = (String::new(), 0);
        for p in module.procs.iter().filter(|p| p.instr.is_some()) {
            let spreads = if spread { windows(p).into_iter().map(Some).collect() } else { vec![None] };
            for w in spreads {
                match wrapper(p, w).filter(|_| machine.registers.is_some()) {
                    None => others.push(p.name),
                    Some(procedure) => {
                        text += &(procedure + "\n\n");
                        count += 1;
                    }
                }
            }
        }
        let file = sources.add(format!("{}.py", machine.name), text.as_str());
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
        if count > 0 {
            out.push((*machine, parsed.module, count));
        }
    }
    (out, others)
}

/// Runs something with everything that makes code of a machine and can run it here; says what cannot. What differs is
/// collected.
fn with_compilers(
    machine: &Machine,
    module: &Module,
    run: &(dyn Fn(&Built, &str) -> Vec<String> + Sync),
) -> Vec<String> {
    let compilers = match Compiler::of_machine(machine) {
        Ok(compilers) => compilers,
        Err(why) => {
            eprintln!("{}: skipped: {why}", machine.name);
            return Vec::new();
        }
    };
    let all = compilers.par_iter().flat_map(|compiler| {
        let label = format!("{}, {}", machine.name, compiler.label());
        match Built::new(module, compiler) {
            Ok(built) => run(&built, &label),
            Err(why @ HarnessError::Unsupported(_)) => {
                eprintln!("{label}: skipped: {why}");
                Vec::new()
            }
            Err(why) => vec![format!("{label}: {why}")],
        }
    });
    all.collect()
}

fn assert_none(differences: &[String]) {
    assert!(differences.is_empty(), "{} differences:\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn the_c_of_every_instruction_agrees_with_its_body() {
    let (machines, others) = wrapped(false);
    let mut differences = Vec::new();
    for (machine, module, n) in machines {
        let inputs: Vec<Vec<Given>> = module.procs.iter().map(|p| values(p)).collect();
        differences.extend(with_compilers(machine, &module, &|built, label| {
            if let Err(why) = built.check() {
                return vec![format!("{label}: {why}")];
            }
            let (mut runs, mut cells, mut different) = (0, 0, Vec::new());
            for (p, given) in module.procs.iter().zip(&inputs) {
                match agreed(built, p, given) {
                    Ok((r, c)) => (runs, cells) = (runs + r, cells + c),
                    Err(why) => different.push(format!("{label}, {}, {why}", p.name)),
                }
            }
            println!("{label}: {n} instructions, {runs} runs, {cells} cells agree");
            assert!(!different.is_empty() || cells > 50 * n, "{cells} cells for {n} instructions");
            different
        }));
    }
    assert_none(&differences);
    let kernels = kernels();
    for name in others {
        assert!(
            kernels.contains(&format!("    {name}(")),
            "no kernel `machine_….py` of the corpus calls {name}"
        );
    }
}

/// What an instruction needs at the head of a unit is its own where it names no register: the memory's header is not there then.
/// Spec: [rule: machines].
#[test]
fn an_instruction_of_dram_compiles_alone() {
    let in_dram = |arg: &Arg| match &arg.typ {
        ArgType::Data { mem, .. } => mem.to_string() == "DRAM",
        ArgType::Control(_) => true,
    };
    let (mut tried, mut differences) = (0, Vec::new());
    for (machine, module) in rewright_machines::modules() {
        let alone = module.procs.iter().filter(|p| p.instr.is_some() && p.args.iter().all(in_dram));
        for p in alone.filter(|_| machine.registers.is_some()) {
            let mut sources = SourceMap::new();
            let prelude = rewright_machines::prelude(&mut sources);
            let text = wrapper(p, None).expect("operands in DRAM");
            let file = sources.add("alone.py", text.as_str());
            let parsed = parse_module(file, &sources, &prelude);
            assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
            differences.extend(with_compilers(machine, &parsed.module, &|built, label| {
                let checked = built.check();
                checked.err().map(|why| format!("{label}, {}: {why}", p.name)).into_iter().collect()
            }));
            tried += 1;
        }
    }
    assert_none(&differences);
    assert!(tried >= 10, "{tried}");
}

/// An instruction whose C assumes that cells lie next to each other says so: where a window's cells may be two apart,
/// the C agrees all the same. Spec: [rule: instructions.operands].
#[test]
fn strides_that_are_not_excluded_make_no_difference() {
    let (machines, _) = wrapped(true);
    let mut differences = Vec::new();
    for (machine, module, n) in machines {
        differences.extend(with_compilers(machine, &module, &|built, label| {
            let (mut excluded, mut agree, mut different) = (0, 0, Vec::new());
            for p in &module.procs {
                let input = generate(p, &Given::default(), 1, Search::default()).expect("an input");
                match built.agree(p.name.as_str(), &input, Mode::Fast) {
                    Ok(Verdict::Agrees { .. }) => agree += 1,
                    Ok(Verdict::Faulty(fault)) if matches!(fault.kind, FaultKind::AssertFailed { .. }) => {
                        excluded += 1;
                    }
                    other => different.push(format!("{label}, {}: {other:?}\n{input}", p.name)),
                }
            }
            println!("{label}: {excluded} strides are excluded, {agree} make no difference");
            assert_eq!(excluded + agree + different.len(), n);
            assert!(excluded > 1, "{excluded}");
            different
        }));
    }
    assert_none(&differences);
}

/// Nothing, for a procedure without control arguments; else every value of each, one at a time.
fn values(p: &Proc) -> Vec<Given> {
    let mut all = Vec::new();
    for arg in &p.args {
        let ArgType::Control(control) = arg.typ else { continue };
        let name = arg.name.name();
        let with = |v: i64| Given { args: [(name, InputValue::Int(v))].into(), ..Given::default() };
        let has_input = |given: &Given| generate(p, given, 0, Search::default()).is_ok();
        let longest = p.args.iter().filter_map(register_lanes).max().unwrap_or(1);
        // A bound on the lanes may be larger than all of them, where nothing is asserted of it.
        let most = if p.preds.is_empty() { 2 * longest + 1 } else { longest };
        let tried = VALUES.filter(|v| !p.preds.is_empty() || *v <= most);
        let found: Vec<Given> = tried.map(with).filter(has_input).collect();
        // A size is at least 1; an index is a lane, or where the last lanes begin, behind all of them if there are none.
        let n = i64::try_from(found.len()).expect("few values");
        let is_right = n == most || (control == ControlType::Index && n == most + 1);
        assert!(is_right, "{}: {n} values of {name}, of {most} lanes", p.name);
        all.extend(found);
    }
    if all.is_empty() { vec![Given::default()] } else { all }
}

/// The lanes of the register that an argument of a procedure made by [`wrapper`] is loaded into.
fn register_lanes(arg: &Arg) -> Option<i64> {
    let ArgType::Data { typ, .. } = &arg.typ else { return None };
    let extent = typ.shape.first().filter(|_| arg.name.name().as_str().ends_with("_0"))?;
    expr_to_string(extent).split(' ').next()?.parse().ok()
}

/// How often the C and the interpreter agree, and on how many cells: whole numbers, numbers whose sums and products are
/// not exact, the smallest and largest, zeros of both signs, infinities, and cells that hold no number. Or the first input
/// on which they do not.
fn agreed(built: &Built, p: &Proc, values: &[Given]) -> Result<(usize, usize), String> {
    let (mut runs, mut cells) = (0, 0);
    let inputs = match (values.len(), built.compiler().target.is_some()) {
        (1, false) => INPUTS,
        (1, true) => INPUTS_OF_PROCESSES,
        _ => INPUTS_PER_VALUE,
    };
    for (k, given) in values.iter().enumerate() {
        for (seed, data) in
            (0..inputs).zip([Data::Special, Data::Inexact, Data::Special, Data::Whole].into_iter().cycle())
        {
            let input = generate(p, given, seed, Search::default()).expect("an input");
            let input = input.with_data(p, data, seed);
            let nans = if data == Data::Special { cells_without_numbers(p, k) } else { Vec::new() };
            // Under sanitizers once, and once at each limit.
            let is_limit = k == 0 || k + 1 == values.len();
            let mode = if seed == 1 && is_limit { Mode::Sanitized } else { Mode::Fast };
            match built.agree_without_numbers(p.name.as_str(), &input, &nans, mode) {
                Ok(Verdict::Agrees { compared, .. }) => cells += compared,
                other => return Err(format!("{data:?}, {mode:?}: {other:?}\n{input}")),
            }
            runs += 1;
        }
    }
    Ok((runs, cells))
}

/// A lane of each register and another of the next one, so that an operation meets numbers and what is none; and a cell
/// further on.
fn cells_without_numbers(p: &Proc, round: usize) -> Vec<(usize, usize)> {
    (0..p.args.len()).flat_map(|arg| [(arg, 1 + (arg + round) % 2), (arg, 3 + arg)]).collect()
}

/// What an instruction says of its rounding is its body in exact arithmetic, for all data, and not in the machine's.
/// Spec: [rule: instructions.rounding].
#[test]
fn rounding_otherwise_is_the_same_over_the_reals() {
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let (mut symbolic, mut rounded) = (0, 0);
    for p in &prelude.procs {
        let Some(stated) = as_rounded(p) else { continue };
        let body = Proc { instr: None, ..Proc::clone(p) };
        let mut differs = 0;
        let symbolically =
            Comparer::<SymbolicDomain>::new(&body, &stated, BTreeSet::new(), Limits::default())
                .expect("one signature");
        let in_machine = Comparer::<MachineDomain>::new(&body, &stated, BTreeSet::new(), Limits::default())
            .expect("one signature");
        for seed in 0..12 {
            let input = generate(&body, &Given::default(), seed, Search::default()).expect("an input");
            let found = symbolically.compare(&input);
            assert!(matches!(found, equiv::Verdict::Equal), "{}: {found:?}\n{input}", p.name);
            symbolic += 1;
            let inexact = input.with_data(&body, Data::Inexact, seed);
            let found = in_machine.compare(&inexact);
            differs += usize::from(matches!(found, equiv::Verdict::Differs(_)));
        }
        assert!(differs > 0, "{}: rounds as its body", p.name);
        rounded += 1;
    }
    println!("{rounded} instructions round otherwise; {symbolic} comparisons for all data");
    assert_eq!(rounded, 75);
}
