//! Every instruction of the machines that a model in C stands for, its C against its body: a procedure made from its
//! signature brings the operands into the machine's memories, sets the state that the instruction asserts, calls it, and
//! brings the operands out again. Every value of each size is tried, with windows whose rows are further apart than they are
//! long. Spec: [rule: machines], [rule: machines.gemmini], [rule: machines.amx], [rule: instructions.operands].

use rayon::prelude::*;
use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Machine, Run};
use rewright_semantics::ast::{Arg, Module, Proc};
use rewright_semantics::inputs::{Data, Given, InputValue, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ArgType, BufferType};
use std::fmt::Write as _;

mod ports;

use ports::{Port, Setting};

/// The values that are tried for a size: those that the instruction admits.
const VALUES: std::ops::RangeInclusive<i64> = 1..=17;

/// What the numbers of an input are, one run each; under sanitizers at the least and the greatest value of each size.
const DATA: [Data; 3] = [Data::Special, Data::Inexact, Data::Whole];

/// A procedure around a call of an instruction.
struct Wrapper {
    formals: Vec<String>,
    asserts: Vec<String>,
    before: String,
    after: String,
    actuals: Vec<String>,
}

impl Wrapper {
    fn new(machine: &str) -> Wrapper {
        let own = ports::machine(machine);
        let lines = |all: &[&str]| all.iter().map(|l| format!("    {l}\n")).collect();
        Wrapper {
            formals: own.formals.iter().map(|f| (*f).to_owned()).collect(),
            asserts: own.asserts.iter().map(|e| (*e).to_owned()).collect(),
            before: lines(own.first),
            after: lines(own.last),
            actuals: Vec::new(),
        }
    }

    fn operand(&mut self, arg: &Arg) {
        let x = arg.name.name();
        match &arg.typ {
            ArgType::Control(t) => {
                self.formals.push(format!("{x}: {t}"));
                self.actuals.push(x.to_string());
            }
            ArgType::Data { typ, mem } if mem.to_string() == "DRAM" => self.window(x, typ),
            ArgType::Data { typ, mem } => self.buffer(x, typ, ports::port(&mem.to_string(), typ.elem)),
        }
    }

    /// A window from the second cell of each dimension, with cells behind it, which must not change.
    fn window(&mut self, x: Name, typ: &BufferType) {
        let extents = shape(typ);
        let all: Vec<String> = extents.iter().map(|e| format!("{e} + 3")).collect();
        let part: Vec<String> = extents.iter().map(|e| format!("1:{e} + 1")).collect();
        if extents.is_empty() {
            self.formals.push(format!("{x}: {}", typ.elem));
            return self.actuals.push(x.to_string());
        }
        self.formals.push(format!("{x}_0: {}[{}]", typ.elem, all.join(", ")));
        self.actuals.push(format!("{x}_0[{}]", part.join(", ")));
    }

    /// A buffer in a memory of the machine, filled and read by instructions.
    fn buffer(&mut self, x: Name, typ: &BufferType, port: &Port) {
        let extents = shape(typ);
        // The blocks of a buffer of rank 3 have 16 rows each, of which the operand is the first.
        let (blocks, rows) = match extents.as_slice() {
            [rows, _] => (None, rows.clone()),
            [blocks, rows, _] => (Some(blocks.clone()), rows.clone()),
            other => panic!("{x}: {} dimensions", other.len()),
        };
        let (allocated, operand, each) = match (&blocks, port.parts) {
            (None, false) => (extents.join(", "), x.to_string(), x.to_string()),
            (None, true) => {
                let part = format!("{x}[1:{rows} + 1, 0:16]");
                (format!("{rows} + 1, 16"), part.clone(), part)
            }
            (Some(blocks), _) => (
                format!("{blocks} + 1, 16, 16"),
                format!("{x}[1:{blocks} + 1, 0:{rows}, 0:16]"),
                format!("{x}[q + 1, 0:{rows}, 0:16]"),
            ),
        };
        writeln!(self.before, "    {x}: {}[{allocated}] @ {}", typ.elem, port.memory).expect("a text");
        let outside = |suffix: &str| match &blocks {
            None => format!("{x}_{suffix}"),
            Some(_) => format!("{x}_{suffix}[q, 0:{rows}, 0:16]"),
        };
        let filled = |text: &str| {
            let with = [
                ("{from}", outside("0")),
                ("{to}", outside("1")),
                ("{each}", each.clone()),
                ("{x}", x.to_string()),
                ("{rows}", rows.clone()),
            ];
            with.iter().fold(text.to_owned(), |text, (hole, by)| text.replace(hole, by))
        };
        let lines = |all: &[&str]| -> String {
            let (head, margin) = match &blocks {
                None => (String::new(), "    "),
                Some(n) => (format!("    for q in seq(0, {n}):\n"), "        "),
            };
            let line = |l: &&str| format!("{margin}{}\n", filled(l).replace('\n', &format!("\n{margin}")));
            head + &all.iter().map(line).collect::<String>()
        };
        let several = blocks.as_ref().map(|n| format!("{n}, ")).unwrap_or_default();
        self.formals.extend(port.formals.iter().map(|f| filled(f).replace("{blocks}", &several)));
        self.before += &lines(port.enter);
        self.after = lines(port.leave) + &self.after;
        self.actuals.push(operand);
    }

    /// The state that an instruction asserts, and what it asserts of its sizes.
    fn assertion(&mut self, e: &str) {
        if e.contains("stride(") && !e.contains('.') {
            return;
        }
        match ports::setting(e) {
            Some(Setting::By { formals, call }) => {
                self.formals.extend(formals.iter().map(|f| (*f).to_owned()));
                if !call.is_empty() {
                    writeln!(self.before, "    {call}").expect("a text");
                }
            }
            Some(Setting::Asserts(sizes)) => self.asserts.push((*sizes).to_owned()),
            None => {
                assert!(!e.contains('.'), "no instruction is known that makes `{e}` true");
                self.asserts.push(e.to_owned());
            }
        }
    }

    fn text(&self, p: &Proc) -> String {
        let asserts: String = self.asserts.iter().map(|e| format!("    assert {e}\n")).collect();
        let (formals, actuals) = (self.formals.join(", "), self.actuals.join(", "));
        let call = format!("    {}({actuals})\n", p.name);
        format!("@proc\ndef test_{}({formals}):\n{asserts}{}{call}{}\n\n", p.name, self.before, self.after)
    }
}

fn shape(typ: &BufferType) -> Vec<String> {
    typ.shape.iter().map(expr_to_string).collect()
}

/// The machines with a model; of each a procedure for every instruction that has operands, and the others.
fn wrapped() -> Vec<(&'static Machine, Module, Vec<Name>, String)> {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let modelled = rewright_machines::modules().iter().filter(|(m, _)| matches!(m.run, Run::Model));
    let of = |(machine, module): &(&'static Machine, Module)| {
        let (mut text, mut others) = (String::new(), Vec::new());
        for p in module.procs.iter().filter(|p| p.instr.is_some()) {
            if p.args.iter().all(is_number) {
                others.push(p.name);
                continue;
            }
            let mut w = Wrapper::new(machine.name);
            p.args.iter().for_each(|arg| w.operand(arg));
            p.preds.iter().for_each(|e| w.assertion(&expr_to_string(e)));
            text += &w.text(p);
        }
        let file = sources.add(format!("{}.py", machine.name), text.as_str());
        let parsed = parse_module(file, &sources, &prelude);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
        (*machine, parsed.module, others, text)
    };
    modelled.map(of).collect()
}

fn is_number(arg: &Arg) -> bool {
    match &arg.typ {
        ArgType::Control(_) => true,
        ArgType::Data { typ, .. } => typ.shape.is_empty(),
    }
}

/// Each value of each size of the instruction, the others at random.
fn values(p: &Proc, own: &Proc) -> Vec<Given> {
    let sizes = own.args.iter().filter(|a| matches!(a.typ, ArgType::Control(_))).map(|a| a.name.name());
    let with = |name: Name, v: i64| Given { args: [(name, InputValue::Int(v))].into(), ..Given::default() };
    let all = sizes.flat_map(|name| VALUES.map(move |v| with(name, v)));
    let found: Vec<Given> = all.filter(|g| generate(p, g, 0, Search::default()).is_ok()).collect();
    if found.is_empty() { vec![Given::default()] } else { found }
}

/// How often the C and the interpreter agree, and on how many cells; or the first input on which they do not.
fn agreed(built: &Built, p: &Proc, given: &[Given]) -> Result<(usize, usize), String> {
    let (mut runs, mut cells) = (0, 0);
    for (k, given) in given.iter().enumerate() {
        for (seed, data) in (0..).zip(DATA) {
            let input =
                generate(p, given, seed, Search::default()).map_err(|e| format!("{}: {e:?}", p.name))?;
            let input = input.with_data(p, data, seed);
            let mode = if data == Data::Whole && k % 16 == 0 { Mode::Sanitized } else { Mode::Fast };
            match built.agree(p.name.as_str(), &input, mode) {
                Ok(Verdict::Agrees { compared, .. }) => cells += compared,
                other => return Err(format!("{}, {data:?}, {mode:?}: {other:?}\n{input}", p.name)),
            }
            runs += 1;
        }
    }
    Ok((runs, cells))
}

/// What agrees with one compiler, in a line, and what differs.
fn compared(
    machine: &Machine,
    module: &Module,
    given: &[Vec<Given>],
    compiler: &Compiler,
) -> (String, Vec<String>) {
    let label = format!("{}, {}", machine.name, compiler.label());
    let built = Built::new(module, compiler).unwrap_or_else(|e| panic!("{label}: {e}"));
    let (mut runs, mut cells, mut different) = (0, 0, Vec::new());
    for (p, given) in module.procs.iter().zip(given) {
        match agreed(&built, p, given) {
            Ok((r, c)) => (runs, cells) = (runs + r, cells + c),
            Err(why) => different.push(format!("{label}, {why}")),
        }
    }
    assert!(!different.is_empty() || cells > 100 * runs, "{label}: {cells} cells in {runs} runs");
    let n = module.procs.len();
    (format!("{label}: {n} instructions, {runs} runs, {cells} cells agree"), different)
}

#[test]
fn the_c_of_every_instruction_in_a_model_agrees_with_its_body() {
    let of = |(machine, module, others, text): (&'static Machine, Module, Vec<Name>, String)| {
        for name in others {
            assert!(text.contains(&format!(" {name}(")), "{}: nothing calls {name}", machine.name);
        }
        let given: Vec<Vec<Given>> =
            module.procs.iter().map(|p| values(p, instruction(machine, p))).collect();
        let compilers = Compiler::of_machine(machine).expect("a compiler");
        compilers.par_iter().map(|c| compared(machine, &module, &given, c)).collect::<Vec<_>>()
    };
    let (lines, different): (Vec<String>, Vec<Vec<String>>) =
        wrapped().into_par_iter().flat_map_iter(of).unzip();
    println!("{}", lines.join("\n"));
    let all = different.concat();
    assert!(all.is_empty(), "{} differences:\n{}", all.len(), all.join("\n"));
}

/// The instruction that a procedure calls.
fn instruction(machine: &Machine, p: &Proc) -> &'static Proc {
    let of = rewright_machines::modules().iter().find(|(m, _)| m.name == machine.name);
    let (_, module) = of.expect("it is there");
    let name = p.name.as_str().strip_prefix("test_");
    module.procs.iter().find(|q| Some(q.name.as_str()) == name).expect("an instruction")
}
