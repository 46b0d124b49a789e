//! Gemmini: its instruction set, and a model of it in C. PLDI'22 §7.1 and App. G; ASPLOS'25 §6.1.2.
//! Spec: [rule: machines.gemmini].

use crate::machine::{Definitions, Machine, Run};

/// A systolic array of 16×16, a scratchpad of bytes and an accumulator of sums, both of rows of 16.
pub(crate) const MACHINE: Machine = Machine {
    name: "gemmini",
    about: "the accelerator of PLDI'22 §7.1: products of bytes on an array of 16×16 (a model in C)",
    registers: None,
    definitions: &[Definitions { name: "<gemmini>", text: include_str!("instructions.py") }],
    model: Some(include_str!("model.h")),
    processor: None,
    run: Run::Model,
};
