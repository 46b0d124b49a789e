//! AArch64 with vectors of 128 bits.

mod names;

use crate::machine::{
    Arrays, CrossCompiler, Definitions, Emulation, Machine, Processor, RegisterFile, RegisterType, Run,
};
use rewright_semantics::types::DataType;

/// Neon: 32 registers.
pub(crate) const MACHINE: Machine = Machine {
    name: "neon",
    about: "AArch64, vectors of 128 bits (Neon)",
    registers: Some(RegisterFile {
        memory: "Neon",
        count: 32,
        header: "#include <arm_neon.h>",
        defines: names::is_intrinsic,
        flags: &[],
        arrays: Arrays::Allowed,
        masked: false,
        types: &[
            RegisterType::new(DataType::F16, 8, "float16x8_t").moved("neon_vld1q_f16", "neon_vst1q_f16"),
            RegisterType::new(DataType::F32, 4, "float32x4_t").moved("neon_vld1q_f32", "neon_vst1q_f32"),
            RegisterType::new(DataType::F64, 2, "float64x2_t").moved("neon_vld1q_f64", "neon_vst1q_f64"),
            RegisterType::new(DataType::I8, 16, "int8x16_t").moved("neon_vld1q_s8", "neon_vst1q_s8"),
            RegisterType::new(DataType::UI8, 16, "uint8x16_t").moved("neon_vld1q_u8", "neon_vst1q_u8"),
            RegisterType::new(DataType::UI16, 8, "uint16x8_t").moved("neon_vld1q_u16", "neon_vst1q_u16"),
            RegisterType::new(DataType::I32, 4, "int32x4_t").moved("neon_vld1q_s32", "neon_vst1q_s32"),
        ],
    }),
    definitions: &[
        Definitions { name: "<neon, f16>", text: include_str!("f16.py") },
        Definitions { name: "<neon, f32>", text: include_str!("f32.py") },
        Definitions { name: "<neon, f64>", text: include_str!("f64.py") },
        Definitions { name: "<neon, integers>", text: include_str!("integers.py") },
    ],
    model: None,
    processor: Some("AArch64"),
    run: Run::Emulated(
        is_here,
        Emulation {
            compilers: &[
                CrossCompiler { program: "aarch64-linux-gnu-gcc", flags: &[] },
                CrossCompiler { program: "clang", flags: &["--target=aarch64-linux-gnu"] },
            ],
            emulator: "qemu-aarch64",
            processors: &[Processor { name: "max", arguments: &["-cpu", "max"] }],
            packages: &["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-user"],
        },
    ),
};

fn is_here() -> bool {
    cfg!(target_arch = "aarch64")
}
