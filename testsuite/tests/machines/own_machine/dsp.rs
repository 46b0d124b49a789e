//! A signal processor with two registers of eight bytes, their dot product, and a mode.

use crate::{Definitions, Machine, Run};

/// Two registers, and a mode in which products are halved.
pub(crate) const MACHINE: Machine = Machine {
    name: "dsp",
    about: "a signal processor with two registers of eight bytes (a model in C)",
    registers: None,
    definitions: &[Definitions { name: "<dsp>", text: include_str!("instructions.py") }],
    model: Some(include_str!("model.h")),
    processor: None,
    run: Run::Model,
};
