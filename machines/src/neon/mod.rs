//! AArch64 with vectors of 128 bits.

use crate::machine::{Machine, RegisterFile, RegisterType, Run};
use rewright_semantics::types::DataType;

/// Neon: 32 registers. No instructions are defined: a schedule brings its own.
pub(crate) const MACHINE: Machine = Machine {
    name: "neon",
    about: "AArch64, vectors of 128 bits (Neon); registers only",
    registers: Some(RegisterFile {
        memory: "Neon",
        header: "#include <arm_neon.h>",
        flags: &[],
        types: &[
            RegisterType::new(DataType::F16, 8, "float16x8_t"),
            RegisterType::new(DataType::F32, 4, "float32x4_t"),
            RegisterType::new(DataType::F64, 2, "float64x2_t"),
            RegisterType::new(DataType::I8, 16, "int8x16_t"),
            RegisterType::new(DataType::UI8, 16, "uint8x16_t"),
            RegisterType::new(DataType::UI16, 8, "uint16x8_t"),
            RegisterType::new(DataType::I32, 4, "int32x4_t"),
        ],
    }),
    definitions: &[],
    model: None,
    run: Run::Native(is_here),
};

fn is_here() -> bool {
    cfg!(target_arch = "aarch64")
}
