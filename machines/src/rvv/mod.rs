//! RISC-V with vectors, of which a program uses as many bits as every processor has. Spec: [rule: machines.rvv].

use crate::machine::{
    Arrays, CrossCompiler, Definitions, Emulation, Machine, Processor, RegisterFile, RegisterType, Run,
};
use rewright_semantics::types::DataType;

/// RVV 1.0: 32 registers of at least 128 bits.
pub(crate) const MACHINE: Machine = Machine {
    name: "rvv",
    about: "RISC-V, vectors of at least 128 bits (RVV 1.0)",
    registers: Some(RegisterFile {
        memory: "RVV",
        count: 32,
        header: "#include <riscv_vector.h>",
        defines: is_type,
        flags: &["-march=rv64gcv"],
        arrays: Arrays::Refused,
        masked: true,
        types: &[
            RegisterType::new(DataType::F32, 4, "vfloat32m1_t")
                .zeroed("__riscv_vfmv_v_f_f32m1(0.0f, 4)")
                .moved("rvv_load_f32", "rvv_store_f32"),
            RegisterType::new(DataType::F64, 2, "vfloat64m1_t")
                .zeroed("__riscv_vfmv_v_f_f64m1(0.0, 2)")
                .moved("rvv_load_f64", "rvv_store_f64"),
        ],
    }),
    definitions: &[
        Definitions { name: "<rvv, f32>", text: include_str!("f32.py") },
        Definitions { name: "<rvv, f64>", text: include_str!("f64.py") },
    ],
    model: None,
    processor: Some("RISC-V"),
    // The intrinsics are of version 1.0, which GCC 12 and Clang 14 do not know.
    run: Run::Emulated(
        || false,
        Emulation {
            compilers: &[
                CrossCompiler { program: "clang", flags: FLAGS },
                CrossCompiler { program: "clang-19", flags: FLAGS },
                CrossCompiler { program: "riscv64-linux-gnu-gcc", flags: &[] },
            ],
            emulator: "qemu-riscv64",
            processors: &[
                Processor { name: "VLEN 128", arguments: &["-cpu", "rv64,v=true,vext_spec=v1.0,vlen=128"] },
                Processor { name: "VLEN 256", arguments: &["-cpu", "rv64,v=true,vext_spec=v1.0,vlen=256"] },
                Processor { name: "VLEN 512", arguments: &["-cpu", "rv64,v=true,vext_spec=v1.0,vlen=512"] },
            ],
            packages: &["clang-19", "gcc-riscv64-linux-gnu", "libc6-dev-riscv64-cross", "qemu-user"],
        },
    ),
};

/// What tells Clang the processor.
const FLAGS: &[&str] = &["--target=riscv64-linux-gnu"];

/// Whether a word may be a type, `vfloat32m1_t`; the functions begin with `__riscv_`, as no other name does.
fn is_type(word: &str) -> bool {
    let elements = ["vfloat", "vbfloat", "vint", "vuint", "vbool"];
    word.ends_with("_t") && elements.iter().any(|e| word.starts_with(e))
}
