//! The accelerator of PLDI'22 §2, without the hardware.

use crate::machine::{Definitions, Machine, Run};

/// A scratchpad, an accumulator, and two registers with the distances of rows in DRAM.
pub(crate) const MACHINE: Machine = Machine {
    name: "accelerator",
    about: "the accelerator of PLDI'22 §2: tiles of 16×16 (a model in C)",
    registers: None,
    definitions: &[Definitions { name: "<accelerator>", text: include_str!("instructions.py") }],
    model: Some(include_str!("model.h")),
    processor: None,
    run: Run::Model,
};
