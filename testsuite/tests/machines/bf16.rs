//! `bf16` in C and on the tiles of AMX against the interpreter, bit for bit: numbers that round, the largest and the smallest,
//! denormals, infinities, zeros of both signs and what is no number. Spec: [rule: c.bf16], [rule: machines.amx].

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::ast::Decimal;
use rewright_semantics::data::DataDomain;
use rewright_semantics::data::machine::{Machine, MachineDomain};
use rewright_semantics::externs::Extern;
use rewright_semantics::inputs::{Data, Given, InputValue, Search, generate};
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
        let data = [Data::Special, Data::Inexact, Data::Special, Data::Special]
            [usize::try_from(seed % 4).expect("small")];
        let input = input.with_data(p, data, seed);
        let nans: Vec<(usize, usize)> =
            if seed % 8 == 3 { (0..p.args.len()).map(|arg| (arg, arg % 3)).collect() } else { Vec::new() };
        let mode = if seed < 3 { Mode::Sanitized } else { Mode::Fast };
        match built.agree_without_numbers(p.name.as_str(), &input, &nans, mode) {
            Ok(Verdict::Agrees { compared, .. }) => cells += compared,
            other => {
                panic!("{name}, {}, {data:?}: {other:?}\n{input}\n{}", compiler.family, built.unit().source)
            }
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

/// `1.1754944e-38` as a decimal number.
fn decimal(x: f32) -> Decimal {
    let text = format!("{x:e}");
    let (digits, power) = text.split_once('e').expect("a power");
    let fraction = digits.split_once('.').map_or(0, |(_, f)| i32::try_from(f.len()).expect("few digits"));
    let mantissa: i64 = digits.replace('.', "").parse().expect("digits");
    Decimal::new(mantissa, power.parse::<i32>().expect("a power") - fraction)
}

/// Next to the least normal number a sum is denormal if it is with 24 bits, not with those that denormals have.
/// Spec: [rule: data.externs].
#[test]
fn small_results_are_seen_with_24_bits() {
    let text = "@proc\ndef p(x: f32[64], y: f32[64], z: f32[64], w: f32[64]):\n    \
                for i in seq(0, 64):\n        w[i] = fma_ftz(x[i], y[i], z[i])\n";
    let mut sources = SourceMap::new();
    let file = sources.add("p", text);
    let parsed = parse_module(file, &sources, &rewright_machines::prelude(&mut SourceMap::new()));
    let p = parsed.module.procs.last().expect("a procedure");
    let least = f32::MIN_POSITIVE;
    let mut input = generate(p, &Given::default(), 0, Search::default()).expect("an input");
    let mut zeros = 0;
    for i in 0..64_u8 {
        let sign = if i % 2 == 0 { 1.0 } else { -1.0 };
        let (x, y) = ((1.0 + f32::from(i) / 64.0) * 2.0_f32.powi(-63), -sign * 2.0_f32.powi(-88));
        let z = sign * least;
        for (arg, value) in [x, y, z, 1.0].into_iter().enumerate() {
            let InputValue::Data(buffer) = &mut input.args[arg].1 else { panic!("data") };
            buffer.cells[usize::from(i)] = Some(decimal(value));
        }
        let [a, b, c] = [x, y, z].map(Machine::F32);
        let sum = MachineDomain::call(Extern::FmaFtz, &[a, b, c]);
        zeros += usize::from(sum == Machine::F32(0.0) && x.mul_add(y, z).abs() == least);
    }
    assert!(zeros > 20, "{zeros}");
    for compiler in Compiler::available() {
        let built = Built::new(&parsed.module, &compiler).expect("C");
        let found = built.agree("p", &input, Mode::Fast);
        assert!(matches!(found, Ok(Verdict::Agrees { compared, .. }) if compared >= 64), "{found:?}");
    }
}
