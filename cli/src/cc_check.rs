//! Compiling C with every compiler there is, and holding what it computes against the interpreter: `--cc-check`.

use crate::args::CcCheck;
use crate::output::{Outcome, error, no_answer, put, say};
use rewright_backends::c::{Options, compile_module};
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::{Compiler, Family};
use rewright_machines::Run;
use rewright_semantics::ast::Module;
use rewright_semantics::denote::FaultClass;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::types::ArgType;
use serde_json::{Value, json};

/// Cells of one argument, at most; kernels of fixed sizes need as many as they say.
const CELLS: u64 = 1 << 16;

/// Compiles with every compiler there is, and runs every procedure.
pub(crate) fn cc_check(args: &CcCheck, module: &Module) -> Outcome {
    let compilers = match compilers_for(module) {
        Ok(compilers) => compilers,
        Err(outcome) => return outcome,
    };
    let mut worst = Outcome::Fine;
    let (mut rows, mut skipped) = (Vec::new(), 0);
    for compiler in &compilers {
        let (outcome, row) = check_with(args, module, compiler);
        worst = worst.max(outcome.unwrap_or(Outcome::Fine));
        skipped += usize::from(outcome.is_none());
        rows.push(row);
    }
    put("compilers", rows);
    if skipped == compilers.len() {
        no_answer("no compiler here can make what this machine runs")
    } else {
        worst
    }
}

/// The compilers of this processor; where it lacks a machine whose registers the module uses, those for the processor that
/// an emulator stands for. Spec: [rule: machines.emulated].
fn compilers_for(module: &Module) -> Result<Vec<Compiler>, Outcome> {
    let machines =
        compile_module(module, &Options::new("unit")).map(|unit| unit.machines).unwrap_or_default();
    let emulated = machines.into_iter().find(|m| !m.runs_here() && matches!(m.run, Run::Emulated(..)));
    if let Some(machine) = emulated {
        let missing =
            |why: String| no_answer(&format!("nothing here makes and runs code of {}: {why}", machine.name));
        return Compiler::of_machine(machine).map_err(missing);
    }
    let compilers = Compiler::available();
    if compilers.is_empty() {
        return Err(no_answer("no C compiler was found: install gcc or clang"));
    }
    for family in [Family::Gcc, Family::Clang] {
        if !compilers.iter().any(|c| c.family == family) {
            say(&format!("{family}: not installed, skipped"));
        }
    }
    Ok(compilers)
}

/// What one compiler says; no outcome where it, or this machine, lacks what the module uses.
fn check_with(args: &CcCheck, module: &Module, compiler: &Compiler) -> (Option<Outcome>, Value) {
    let family = compiler.label();
    let row = |verdict: &str, procedures: Vec<Value>| json!({ "compiler": family, "verdict": verdict, "procedures": procedures });
    let cflags: Vec<&str> = args.cflags.iter().flat_map(|f| f.split_whitespace()).collect();
    let built = Built::with_flags(module, compiler, &cflags);
    let built = match built.and_then(|b| b.check().map(|()| b)) {
        Ok(built) => built,
        Err(why @ HarnessError::Unsupported(_)) => {
            say(&format!("{family}: skipped: {why}"));
            return (None, row("skipped", Vec::new()));
        }
        Err(why) => {
            error(&format!("{family}: {why}"));
            return (Some(Outcome::Difference), row("does not compile", Vec::new()));
        }
    };
    say(&format!("{family}: compiles without a warning"));
    let (mut worst, mut procedures, mut without_state) = (Outcome::Fine, Vec::new(), 0);
    for f in &built.unit().functions {
        let name = f.proc.name.as_str();
        let (outcome, verdict, told) = match trials(args, &built, name) {
            Ok(report) => {
                say(&format!("{family}: {name} agrees with the interpreter ({report})"));
                (Outcome::Fine, "agrees", report)
            }
            Err(Trouble::Differs(text)) => {
                error(&format!("{family}: {name} differs from the interpreter: {text}"));
                (Outcome::Difference, "differs", text)
            }
            Err(Trouble::NeedsState(text)) => {
                say(&format!("{family}: {name}: {text}"));
                without_state += 1;
                (Outcome::Fine, "not compared", text)
            }
            Err(Trouble::NoInput(text)) => {
                no_answer(&format!("{family}: {name}: {text}"));
                (Outcome::NoAnswer, "not compared", text)
            }
            Err(Trouble::Wrong(text)) => {
                error(&format!("{family}: {name}: {text}"));
                (Outcome::WrongInput, "fails", text)
            }
        };
        worst = worst.max(outcome);
        procedures.push(json!({ "procedure": name, "verdict": verdict, "message": told }));
    }
    if without_state > 0 && without_state == procedures.len() {
        worst = worst.max(no_answer("nothing was compared"));
    }
    (Some(worst), row("compiles", procedures))
}

enum Trouble {
    /// The C leaves something else than the interpreter.
    Differs(String),
    /// Only procedures can call it that have set the state of the hardware.
    NeedsState(String),
    /// There is nothing to run it on or by, or it runs too long.
    NoInput(String),
    /// The procedure, or what it needs, is wrong.
    Wrong(String),
}

/// What the inputs hold, in turn: where everything is exact, where everything rounds, and what is special.
const DATA: [Data; 3] = [Data::Whole, Data::Inexact, Data::Special];

/// Runs a procedure on random inputs of every kind, the first of each also under sanitizers.
fn trials(args: &CcCheck, built: &Built, name: &str) -> Result<String, Trouble> {
    let wrong = |why: String| Trouble::Wrong(why);
    let (_, f) = built.function(name).map_err(|why| wrong(why.to_string()))?;
    let (mut cells, mut rounded) = (0, 0);
    for (trial, data) in (0..args.trials.max(1)).zip(DATA.into_iter().cycle()) {
        let search = Search { max_cells: CELLS, ..Search::default() };
        let input = generate(&f.proc, &Given::default(), args.seed.wrapping_add(trial), search)
            .map_err(|why| Trouble::NoInput(why.to_string()))?
            .with_data(&f.proc, data, args.seed.wrapping_add(trial));
        let modes: &[Mode] = if trial < 3 { &[Mode::Fast, Mode::Sanitized] } else { &[Mode::Fast] };
        for &mode in modes {
            match built.agree(name, &input, mode).map_err(|why| broken(&why))? {
                Verdict::Agrees { compared, exact } => {
                    cells += compared;
                    rounded += compared - exact;
                }
                Verdict::Differs(difference) => {
                    return Err(Trouble::Differs(format!("{difference}\n  input: {input}")));
                }
                Verdict::Faulty(fault) if fault.kind.class() == FaultClass::Limit => {
                    return Err(Trouble::NoInput(format!("{fault}\n  input: {input}")));
                }
                Verdict::TooLarge(why) => {
                    return Err(Trouble::NoInput(format!(
                        "more than C computes with: {why}\n  input: {input}"
                    )));
                }
                Verdict::NeedsState(why) => {
                    return Err(Trouble::NeedsState(format!(
                        "not compared by itself: its caller is to have set the state of the hardware ({why})"
                    )));
                }
                Verdict::InputRejected(fault) | Verdict::Faulty(fault) => {
                    return Err(wrong(format!("{fault}\n  input: {input}")));
                }
            }
        }
    }
    let takes_data = f.proc.args.iter().any(|a| matches!(a.typ, ArgType::Data { .. }));
    if cells == 0 && takes_data {
        return Err(Trouble::NoInput(
            "nothing could be compared: all it leaves is unset in the interpreter".to_owned(),
        ));
    }
    let inputs = args.trials.max(1);
    let of_them = format!("{rounded} of them rounded or special");
    Ok(format!("{cells} cells on {inputs} inputs, bit for bit, {of_them}; sanitizers silent"))
}

/// What a compiler or a sanitizer has to say means that the C is not what it should be.
fn broken(why: &HarnessError) -> Trouble {
    match why {
        HarnessError::Emulator(_) => Trouble::NoInput(why.to_string()),
        HarnessError::Tool(_) | HarnessError::Stopped(_) => Trouble::Differs(why.to_string()),
        HarnessError::Refused(_)
        | HarnessError::Unsupported(_)
        | HarnessError::Load(_)
        | HarnessError::NoProcedure(_)
        | HarnessError::BadInput(_) => Trouble::Wrong(why.to_string()),
    }
}
