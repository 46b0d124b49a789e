//! `bf16` in C and on the tiles of AMX against the interpreter, bit for bit: numbers that round, the largest and the smallest,
//! denormals, infinities, zeros of both signs and what is no number. Spec: [rule: c.bf16], [rule: machines.amx].

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use rewright_semantics::typecheck::check_module;
use std::path::Path;

const PROGRAMS: [&str; 6] =
    ["literals_bf16", "axpy_bf16", "casts_bf16", "externs_bf16", "machine_amx_bf16", "machine_amx"];

/// Inputs of each program, per compiler.
const INPUTS: u64 = 120;

fn agree(name: &str, compiler: &Compiler) -> usize {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("corpus/ok/{name}.py"));
    let text = std::fs::read_to_string(path).expect("a program");
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add(name, text.as_str());
    let parsed = parse_module(file, &sources, &prelude);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert!(check_module(&parsed.module).is_empty(), "{name}");
    let built = Built::new(&parsed.module, compiler).expect("C");
    built.check().unwrap_or_else(|why| panic!("{name}: {why}"));
    let p = parsed.module.procs.last().expect("a procedure");
    let mut cells = 0;
    for seed in 0..INPUTS {
        let input = generate(p, &Given::default(), seed, Search::default()).expect("an input");
        let data = [Data::Special, Data::Inexact, Data::Special, Data::Special][usize::try_from(seed % 4).expect("small")];
        let input = input.with_data(p, data, seed);
        let nans: Vec<(usize, usize)> =
            if seed % 8 == 3 { (0..p.args.len()).map(|arg| (arg, arg % 3)).collect() } else { Vec::new() };
        let mode = if seed < 3 { Mode::Sanitized } else { Mode::Fast };
        match built.agree_without_numbers(p.name.as_str(), &input, &nans, mode) {
            Ok(Verdict::Agrees { compared, .. }) => cells += compared,
            other => panic!("{name}, {}, {data:?}: {other:?}\n{input}\n{}", compiler.family, built.unit().source),
        }
    }
    cells
}

#[test]
fn bf16_agrees_bit_for_bit() {
    for compiler in Compiler::available() {
        for name in PROGRAMS {
            let cells = agree(name, &compiler);
            println!("{name}, {}: {cells} cells agree", compiler.family);
            assert!(cells > 300, "{name}: {cells} cells");
        }
    }
}
