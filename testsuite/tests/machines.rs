//! Every instruction of the vector machines, its C against its body: a procedure made from its signature brings the
//! operands into registers, calls it, and brings all of them back; the C of that agrees with the interpreter, which
//! runs the body. What no vector machine has (the accelerator) is called in a kernel of the corpus.
//! Spec: [rule: machines].

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Moves, RegisterType};
use rewright_semantics::ast::{Arg, Expr, ExprKind, Proc};
use rewright_semantics::data::machine::MachineDomain;
use rewright_semantics::data::symbolic::SymbolicDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{self, Comparer};
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::rounding::as_rounded;
use rewright_semantics::span::SourceMap;
use rewright_semantics::types::ArgType;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Inputs per instruction and compiler.
const INPUTS: u64 = 24;

/// Where an operand comes from.
enum Operand {
    /// A control argument, of this type.
    Control(String),
    /// A buffer in DRAM: its type, and how it is passed.
    Dram(String, String),
    /// A register: its memory, its type, the instructions that move it.
    Register(&'static str, RegisterType, Moves),
}

/// `None` for an operand in another memory.
fn operand(arg: &Arg) -> Option<Operand> {
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
                // One cell further, so that no vector is aligned to more than its lanes.
                let whole: Vec<String> = extents.iter().map(|e| format!("1:{e} + 1")).collect();
                let longer: Vec<String> = extents.iter().map(|e| format!("{e} + 1")).collect();
                let typ = format!("{elem}[{}]", longer.join(", "));
                return Some(Operand::Dram(typ, format!("{name}[{}]", whole.join(", "))));
            }
            let file = rewright_machines::register_files().find(|f| f.memory == mem.to_string())?;
            let register = file.types.iter().find(|t| t.elem == typ.elem)?;
            Some(Operand::Register(file.memory, *register, register.moves?))
        }
    }
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

/// A procedure of DRAM alone around a call of an instruction; `None` where an operand is in another memory.
fn wrapper(p: &Proc) -> Option<String> {
    let (mut formals, mut loads, mut stores, mut actuals) = (vec![], String::new(), String::new(), vec![]);
    for arg in &p.args {
        let name = arg.name.name();
        match operand(arg)? {
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
    let mut text = format!("@proc\ndef test_{}({}):\n", p.name, formals.join(", "));
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

#[test]
fn the_c_of_every_instruction_agrees_with_its_body() {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let mut in_kernels = Vec::new();
    for (machine, module) in rewright_machines::modules() {
        if machine.registers.is_none() {
            in_kernels.extend(module.procs.iter().filter(|p| p.instr.is_some()).map(|p| p.name));
            continue;
        }
        let instructions = module.procs.iter().filter(|p| p.instr.is_some());
        let (wrapped, others): (Vec<_>, Vec<_>) =
            instructions.map(|p| (p.name, wrapper(p))).partition(|(_, w)| w.is_some());
        in_kernels.extend(others.into_iter().map(|(name, _)| name));
        let (prefix, n) = (machine.name, wrapped.len());
        let text: String = wrapped.into_iter().filter_map(|(_, w)| Some(w? + "\n\n")).collect();
        if machine.definitions.is_empty() {
            println!("{prefix}: registers without instructions");
            continue;
        }
        let file = sources.add(format!("{prefix}.py"), text.as_str());
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
        for compiler in Compiler::available() {
            let built = match Built::new(&parsed.module, &compiler) {
                Ok(built) => built,
                Err(why @ HarnessError::Unsupported(_)) => {
                    println!("{prefix}: skipped: {why}");
                    continue;
                }
                Err(why) => panic!("{}: {why}", compiler.family),
            };
            let mut cells = 0;
            for p in &parsed.module.procs {
                cells += agreed(&built, p, compiler.family.to_string().as_str());
            }
            println!("{prefix}, {}: {n} instructions, {cells} cells agree", compiler.family);
            assert!(cells > 100 * n, "{cells} cells for {n} instructions");
        }
    }
    let kernels = kernels();
    for name in in_kernels {
        assert!(
            kernels.contains(&format!("    {name}(")),
            "no kernel `machine_….py` of the corpus calls {name}"
        );
    }
}

/// How many cells the C and the interpreter agree on: whole numbers, numbers whose sums and products are not exact, the
/// smallest and largest, zeros of both signs, infinities, and cells that hold no number.
fn agreed(built: &Built, p: &Proc, family: &str) -> usize {
    let mut cells = 0;
    for (seed, data) in
        (0..INPUTS).zip([Data::Whole, Data::Inexact, Data::Inexact, Data::Special].into_iter().cycle())
    {
        let input = generate(p, &Given::default(), seed, Search::default()).expect("an input");
        let input = input.with_data(p, data, seed);
        let nans: Vec<(usize, usize)> = if data == Data::Special {
            (0..p.args.len()).flat_map(|arg| [(arg, 2), (arg, 3 + arg)]).collect()
        } else {
            Vec::new()
        };
        match built.agree_without_numbers(p.name.as_str(), &input, &nans, Mode::Fast) {
            Ok(Verdict::Agrees { compared, .. }) => cells += compared,
            other => panic!("{family}, {}, {data:?}: {other:?}\n{input}", p.name),
        }
    }
    cells
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
    assert_eq!(rounded, 22);
}
