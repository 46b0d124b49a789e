//! AMX: tiles of x86-64 and products of them, and a model of them in C. Spec: [rule: machines.amx].

use crate::machine::{Definitions, Machine, Run};

/// Eight tiles of 16 rows of 64 bytes: four of sums, two of left operands, two of right ones.
pub(crate) const MACHINE: Machine = Machine {
    name: "amx",
    about: "x86-64, products of tiles of 16×64 bytes (AMX; a model in C, or the processor)",
    registers: None,
    definitions: &[
        Definitions { name: "<amx>", text: include_str!("tiles.py") },
        Definitions { name: "<amx, i8>", text: include_str!("i8.py") },
        Definitions { name: "<amx, bf16>", text: include_str!("bf16.py") },
    ],
    model: Some(include_str!("model.h")),
    processor: None,
    run: Run::Model,
};
