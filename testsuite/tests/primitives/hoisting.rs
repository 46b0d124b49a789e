//! The configuration of an accelerator, from a plain load to one instruction that sets the stride once: PLDI'22 §2.4
//! and ASPLOS'25 Fig. 5, in both of its forms. Spec: [rule: modulo].

use rewright_campaign::check;
use rewright_primitives::error::Result;
use rewright_primitives::hof::{is_caught, lift, reframe, repeat, seq, try_else};
use rewright_primitives::ops::fission::fission;
use rewright_primitives::ops::remove_loop::remove_loop;
use rewright_primitives::ops::reorder_stmts::reorder_stmts;
use rewright_primitives::registry::Value;
use rewright_primitives::version::Reason;
use rewright_primitives::{Cursor, Proc, script};
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use std::fmt::Write;

const PROGRAM: &str = r#"
@config(readwrite=False)
class ConfigLoad:
    src_stride: stride

@instr("config_ld({s});")
def config_ld(s: stride):
    ConfigLoad.src_stride = s

@instr("mvin({src_data}, {dst_data});")
def mvin(src: [f32][16, 16] @ DRAM, dst: [f32][16, 16] @ GEMM_SCRATCH):
    assert stride(src, 0) == ConfigLoad.src_stride
    assert stride(src, 1) == 1
    for i in seq(0, 16):
        for j in seq(0, 16):
            dst[i, j] = src[i, j]

@proc
def ld_data(src: [f32][16, 16] @ DRAM, dst: [f32][16, 16] @ GEMM_SCRATCH):
    assert stride(src, 1) == 1
    for i in seq(0, 16):
        for j in seq(0, 16):
            dst[i, j] = src[i, j]

@proc
def sums(A: f32[64, 64], y: f32[64, 64]):
    for io in seq(0, 4):
        for jo in seq(0, 4):
            for ko in seq(0, 4):
                a: f32[16, 16] @ GEMM_SCRATCH
                ld_data(A[16 * io:16 * io + 16, 16 * ko:16 * ko + 16], a)
                for i in seq(0, 16):
                    for j in seq(0, 16):
                        y[16 * io + i, 16 * jo + j] += a[i, j]

ld = rename(ld_data, "ld_data_by_mvin")
ld = write_config(ld, ld.find_loop("i").before(), ConfigLoad, "src_stride", "stride(src, 0)")
ld = replace(ld, "ConfigLoad.src_stride = _", config_ld)
ld = replace(ld, "for i in _: _", mvin)
p = call_eqv(sums, "ld_data(_)", ld)
p = inline(p, "ld_data_by_mvin(_)")
p = inline_window(p, "src = _")
"#;

/// The procedures that the lines bind, in order.
fn scheduled() -> Vec<(String, Proc)> {
    let mut sources = SourceMap::new();
    let file = sources.add("program.py", PROGRAM);
    let prelude = rewright_machines::prelude(&mut sources);
    let parsed = parse_module(file, &sources, &prelude);
    let lines = script::parse(file, PROGRAM).expect("a script");
    let ran = script::run(&parsed.module, &prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error);
    assert!(matches!(ran.names.get("p"), Some(Value::Proc(_))));
    ran.bindings.into_iter().map(|b| (b.name, b.proc)).collect()
}

/// Fig. 5b: with a loop, and errors that are caught.
fn hoist_by_hand(p: &Proc, c: &Cursor) -> Result<Proc> {
    let (mut p, c) = (p.clone(), c.clone());
    loop {
        let here = p.forward(&c)?;
        let out = fission(&p, here.after()?, 1).and_then(|p| {
            let around = p.forward(&c)?.parent()?;
            remove_loop(&p, around)
        });
        let next = match out {
            Err(e) if is_caught(&e) => {
                here.expand(Some(1), Some(0)).map_err(Into::into).and_then(|pair| reorder_stmts(&p, pair))
            }
            done => done,
        };
        match next {
            Ok(new) => p = new,
            Err(e) if is_caught(&e) => return Ok(p),
            Err(e) => return Err(e),
        }
    }
}

/// Fig. 5c: with higher-order operations.
fn hoist_by_combinators(p: &Proc, c: &Cursor) -> Result<Proc> {
    let reorder_before = reframe(|c| c.expand(Some(1), Some(0)), lift(|p, c| reorder_stmts(p, c)));
    let fission_after = reframe(|c| c.after(), lift(|p, c| fission(p, c, 1)));
    let remove_parent_loop = reframe(|c| c.parent(), lift(|p, c| remove_loop(p, c)));
    let hoist = repeat(try_else(seq([fission_after, remove_parent_loop]), reorder_before));
    hoist.on(p, c)
}

#[test]
fn a_configuring_instruction_is_hoisted_out_of_all_loops() {
    let bound = scheduled();
    let mut golden = String::new();
    for (name, p) in &bound {
        let step = &p.origin().expect("a rewrite").step;
        let _ = writeln!(golden, "# {name}, by {}", step.primitive);
        if !step.modulo.is_empty() {
            let fields: Vec<String> = step.modulo.iter().map(|f| f.var().to_string()).collect();
            let _ = writeln!(golden, "# modulo {}", fields.join(", "));
        }
        for done in &step.discharged {
            if let Reason::Solver { obligation, .. } = &done.by {
                let _ = writeln!(golden, "#   {}: {}", done.condition, obligation.sentence);
            }
        }
        let _ = writeln!(golden, "{p}");
    }
    let (_, p) = bound.last().expect("a schedule");
    let c = p.find("config_ld(_)").expect("the instruction");
    let (by_hand, by_combinators) =
        (hoist_by_hand(p, &c).expect("hoisted"), hoist_by_combinators(p, &c).expect("hoisted"));
    assert_eq!(by_hand.to_string(), by_combinators.to_string());
    let _ = writeln!(golden, "# hoisted\n{by_hand}");
    for versions in by_hand.history().windows(2) {
        check(&versions[0], &versions[1], 3, 1).unwrap_or_else(|what| panic!("{what}\n{}", versions[1]));
    }
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../corpus/schedules");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| insta::assert_snapshot!("hoisting", golden));
}
