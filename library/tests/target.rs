//! What the record of a machine says: instructions by what they do, registers, refusals. Spec: [rule: library.target].

mod support;

use rewright_library::target::{Lanes, Op, Shape, Target};
use rewright_machines::MACHINES;
use rewright_primitives::Proc;
use rewright_semantics::types::DataType;
use support::machine;

/// What the library's own schedules use is there on every machine with vectors of floats.
#[test]
fn machines_have_what_schedules_need() {
    let everywhere = [
        Op::Load,
        Op::Store,
        Op::Broadcast,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Neg,
        Op::Accumulate,
        Op::Fma,
        Op::Zero,
        Op::ReduceAdd,
        Op::Abs,
        Op::Max,
    ];
    for (name, masks) in [("avx2", true), ("avx512", true), ("neon", false), ("rvv", true)] {
        for precision in [DataType::F32, DataType::F64] {
            let t = Target::of(machine(name), precision).expect("vectors");
            for op in everywhere {
                assert!(t.has(op, Lanes::All), "{name} {precision}: {op:?} is missing");
                let counted = op != Op::ReduceAdd && (op != Op::Zero || name != "rvv");
                assert!(!masks || !counted || t.has(op, Lanes::First), "{name} {precision}: masked {op:?}");
            }
            assert_eq!(t.has_masks(), masks, "{name}");
        }
    }
}

/// An instruction is found by its body: its name and the order of its operands do not matter.
#[test]
fn instructions_are_found_by_their_bodies() {
    let t = Target::of(machine("avx512"), DataType::F32).expect("vectors");
    let name = |op, lanes| t.instruction(op, lanes).map(|p| p.name().to_string());
    assert_eq!(name(Op::Fma, Lanes::All).as_deref(), Some("mm512_fmadd_ps"));
    assert_eq!(name(Op::Load, Lanes::First).as_deref(), Some("mm512_mask_loadu_ps"));
    assert_eq!(name(Op::ReduceAdd, Lanes::All).as_deref(), Some("mm512_reduce_add_ps"));
    assert_eq!((t.lanes(), t.registers(), t.memory()), (16, 32, "AVX512"));
    // What has one form for all lengths has it for the full one.
    let t = Target::of(machine("rvv"), DataType::F64).expect("vectors");
    assert_eq!(
        t.instruction(Op::Fma, Lanes::All).map(Proc::name),
        t.instruction(Op::Fma, Lanes::First).map(Proc::name)
    );
}

/// Each operation's shape is one that some instruction has, and no two operations are one.
#[test]
fn operations_have_shapes_of_their_own() {
    let shapes: std::collections::BTreeSet<Shape> = Op::ALL.into_iter().map(Op::shape).collect();
    assert_eq!(shapes.len(), Op::ALL.len());
    let t = Target::of(machine("neon"), DataType::F32).expect("vectors");
    for op in Op::ALL {
        let elsewhere = [Op::LoadFloats, Op::Third, Op::FnmaBroadcast];
        assert!(t.has(op, Lanes::All) || elsewhere.contains(&op), "{op:?}");
    }
    for name in ["avx2", "avx512", "neon"] {
        let t = Target::of(machine(name), DataType::UI16).expect("vectors");
        for op in [Op::Load, Op::Store, Op::Broadcast, Op::Add, Op::Accumulate, Op::Third, Op::Max] {
            assert!(t.has(op, Lanes::All), "{name}: {op:?}");
        }
    }
    for name in ["avx2", "avx512"] {
        let t = Target::of(machine(name), DataType::F64).expect("vectors");
        assert!(t.has(Op::LoadFloats, Lanes::All) && t.has(Op::LoadFloats, Lanes::First), "{name}");
        for lanes in [Lanes::All, Lanes::First, Lanes::Last] {
            assert_eq!(t.has(Op::FnmaBroadcast, lanes), name == "avx512", "{name}: {lanes:?}");
        }
        for op in [Op::Load, Op::Store, Op::Broadcast, Op::Add, Op::Mul, Op::Fma, Op::Accumulate, Op::Abs] {
            assert!(t.has(op, Lanes::Below), "{name}: {op:?}");
        }
    }
}

/// What blocks of rows take: sums of several registers at once, and last lanes.
#[test]
fn sums_of_registers_and_last_lanes_are_found() {
    for (name, precision, sums) in [
        ("avx2", DataType::F32, Some("mm256_add_sums_ps")),
        ("avx2", DataType::F64, Some("mm256_add_sums_pd")),
        ("avx512", DataType::F32, Some("mm512_add_sums_ps")),
        ("avx512", DataType::F64, Some("mm512_add_sums_pd")),
        ("neon", DataType::F32, None),
        ("rvv", DataType::F64, None),
    ] {
        let t = Target::of(machine(name), precision).expect("vectors");
        assert_eq!(t.sums().map(|p| p.name().to_string()).as_deref(), sums, "{name} {precision}");
        for op in [Op::Load, Op::Fma, Op::FmaBroadcast] {
            assert_eq!(t.has(op, Lanes::Last), sums.is_some(), "{name} {precision}: {op:?}");
        }
    }
}

#[test]
fn what_has_no_vectors_is_refused() {
    let without: Vec<_> = MACHINES.iter().copied().filter(|m| m.registers.is_none()).collect();
    assert!(!without.is_empty());
    for m in without {
        let said = Target::of(m, DataType::F32).expect_err("no vectors").to_string();
        assert_eq!(said, format!("{} has no vector registers of f32: it has none at all", m.name));
    }
    let said = Target::of(machine("avx2"), DataType::F16).expect_err("no vectors").to_string();
    assert_eq!(said, "avx2 has no vector registers of f16, but of f32, f64, ui16");
}
