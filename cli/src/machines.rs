//! `rewright machines`. Spec: [rule: cli.machines].

use crate::args::Machines;
use crate::output::{Outcome, error, put, say};
use rewright_backends::toolchain::Compiler;
use rewright_machines::{Arrays, Machine, Run};
use rewright_semantics::ast::{Config, Instr, Module, Proc, Rounds};
use rewright_semantics::pretty::{block_to_string, expr_to_string, proc_to_string};
use serde_json::{Value, json};
use std::sync::Arc;

/// Lists the machines, or describes one.
pub(crate) fn machines(args: &Machines) -> Outcome {
    let all = rewright_machines::modules();
    let chosen: Vec<&(&'static Machine, Module)> = match &args.name {
        None => all.iter().collect(),
        Some(name) => match all.iter().find(|(m, _)| m.name == name) {
            Some(found) => vec![found],
            None => return error(&format!("there is no machine `{name}`; `rewright machines` lists them")),
        },
    };
    let mut rows = Vec::new();
    for (machine, module) in chosen {
        let run = How::of(machine);
        if args.name.is_some() {
            say(&describe(machine, module, &run));
        } else {
            say(&line(machine, module, &run));
        }
        rows.push(to_json(machine, module, &run));
    }
    put("machines", rows);
    Outcome::Fine
}

/// How the code of a machine is run here.
struct How {
    /// In general.
    kind: &'static str,
    /// With what; or why not at all.
    with: Result<Vec<Compiler>, String>,
}

impl How {
    fn of(machine: &'static Machine) -> How {
        let with = match Compiler::of_machine(machine) {
            Ok(compilers) if compilers.is_empty() => {
                Err("no C compiler was found: install gcc or clang".to_owned())
            }
            found => found,
        };
        let kind = match &machine.run {
            Run::Model => "model",
            Run::Native(_) => "native",
            Run::Emulated(has, _) if has() => "native",
            Run::Emulated(..) => "emulated",
        };
        How { kind, with }
    }

    /// In a few words.
    fn words(&self) -> String {
        let by = match self.kind {
            "model" => "by a model in C",
            "native" => "by this processor",
            _ => "by an emulator",
        };
        match &self.with {
            Ok(compilers) => {
                let names: Vec<String> = compilers.iter().map(Compiler::label).collect();
                format!("run {by}: {}", names.join(", "))
            }
            Err(why) => format!("skipped: {why}"),
        }
    }
}

/// What a reader of the list is told.
fn line(machine: &Machine, module: &Module, run: &How) -> String {
    format!(
        "{:<13}{}\n{:<13}memories {}; {} instructions\n{:<13}{}",
        machine.name,
        machine.about,
        "",
        memories(machine, module).join(", "),
        instructions(module).count(),
        "",
        run.words()
    )
}

fn describe(machine: &Machine, module: &Module, run: &How) -> String {
    let mut out = format!("{}: {}\n\n{}\n\nMemories:\n", machine.name, machine.about, run.words());
    if let Some(file) = &machine.registers {
        let types: Vec<String> = file.types.iter().map(|t| format!("{} {}", t.lanes, t.elem)).collect();
        let arrays = match file.arrays {
            Arrays::Allowed => "",
            Arrays::Refused => "; one buffer is one register",
        };
        out.push_str(&format!("  {}: registers of {}{arrays}\n", file.memory, types.join(", ")));
    }
    for m in &module.memories {
        out.push_str(&format!("  {}\n", m.name));
    }
    if !module.configs.is_empty() {
        out.push_str("\nConfiguration:\n");
    }
    for field in fields(module) {
        out.push_str(&format!("  {field}\n"));
    }
    out.push_str("\nInstructions:\n");
    for (p, instr) in instructions(module) {
        out.push_str(&format!("  {}\n      {}\n", signature(p), summary(p)));
        if !p.preds.is_empty() {
            let preds: Vec<String> = p.preds.iter().map(expr_to_string).collect();
            out.push_str(&format!("      requires {}\n", preds.join(", ")));
        }
        if let Some(rounds) = rounds(instr) {
            out.push_str(&format!("      rounds {rounds}\n"));
        }
        if !instr.cflags.is_empty() {
            out.push_str(&format!("      asks for {}\n", instr.cflags));
        }
    }
    out.trim_end().to_owned()
}

/// The names of its memories.
fn memories(machine: &Machine, module: &Module) -> Vec<String> {
    let registers = machine.registers.iter().map(|file| file.memory.to_owned());
    registers.chain(module.memories.iter().map(|m| m.name.to_string())).collect()
}

/// `ConfigLoad.src_stride: stride`
fn fields(module: &Module) -> Vec<String> {
    let of = |c: &Arc<Config>| {
        c.fields.iter().map(|f| format!("{}.{}: {}", c.name, f.name, f.typ)).collect::<Vec<_>>()
    };
    module.configs.iter().flat_map(of).collect()
}

fn instructions(module: &Module) -> impl Iterator<Item = (&Proc, &Instr)> {
    module.procs.iter().filter_map(|p| Some((&**p, p.instr.as_ref()?)))
}

/// `mm256_loadu_ps(dst: [f32][8] @ AVX2, src: [f32][8] @ DRAM)`
fn signature(p: &Proc) -> String {
    let text = proc_to_string(p);
    let head = text.split_once("\ndef ").map_or(text.as_str(), |(_, rest)| rest);
    let head = head.split_once("):\n").map_or(head, |(head, _)| head);
    let words: Vec<&str> = head.split_whitespace().collect();
    format!("{})", words.join(" ").replace("( ", "(").trim_end_matches([',', ' ']))
}

/// The body in one line: `for i in seq(0, 8): dst[i] = src[i]`.
fn summary(p: &Proc) -> String {
    let mut out = String::new();
    for line in block_to_string(&p.body).lines().map(str::trim) {
        let between = if out.is_empty() {
            ""
        } else if out.ends_with(':') {
            " "
        } else {
            "; "
        };
        out.push_str(between);
        out.push_str(line);
    }
    out
}

/// How it rounds, where not as its body.
fn rounds(instr: &Instr) -> Option<String> {
    match &instr.rounds {
        Rounds::AsWritten => None,
        Rounds::Fused => Some("once for a product and a sum".to_owned()),
        Rounds::Like(p) => Some(format!("as {}", p.name)),
    }
}

fn to_json(machine: &Machine, module: &Module, run: &How) -> Value {
    let registers: Vec<Value> = machine
        .registers
        .iter()
        .flat_map(|file| file.types)
        .map(|t| json!({ "type": t.elem.to_string(), "lanes": t.lanes, "c": t.c }))
        .collect();
    let instructions: Vec<Value> = instructions(module)
        .map(|(p, instr)| {
            json!({
                "name": p.name.to_string(),
                "signature": signature(p),
                "summary": summary(p),
                "requires": p.preds.iter().map(expr_to_string).collect::<Vec<_>>(),
                "rounds": rounds(instr),
                "cflags": &*instr.cflags,
            })
        })
        .collect();
    json!({
        "name": machine.name,
        "about": machine.about,
        "memories": memories(machine, module),
        "registers": registers,
        "configuration": fields(module),
        "instructions": instructions,
        "run": {
            "how": run.kind,
            "with": run.with.as_ref().map(|c| c.iter().map(Compiler::label).collect::<Vec<_>>()).unwrap_or_default(),
            "skipped": run.with.as_ref().err(),
        },
    })
}
