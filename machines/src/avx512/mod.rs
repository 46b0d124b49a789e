//! x86-64 with vectors of 512 bits.

use crate::machine::{Arrays, Definitions, Machine, RegisterFile, RegisterType, Run};
use crate::x86::is_intrinsic;
use rewright_semantics::types::DataType;

/// AVX-512F: 32 registers, masks.
pub(crate) const MACHINE: Machine = Machine {
    name: "avx512",
    about: "x86-64, vectors of 512 bits (AVX-512F)",
    registers: Some(RegisterFile {
        memory: "AVX512",
        count: 32,
        header: "#include <immintrin.h>",
        defines: is_intrinsic,
        flags: &["-mavx512f", "-mfma"],
        arrays: Arrays::Allowed,
        masked: true,
        types: &[
            RegisterType::new(DataType::F32, 16, "__m512").moved("mm512_loadu_ps", "mm512_storeu_ps"),
            RegisterType::new(DataType::F64, 8, "__m512d").moved("mm512_loadu_pd", "mm512_storeu_pd"),
            RegisterType::new(DataType::I8, 64, "__m512i"),
            RegisterType::new(DataType::UI8, 64, "__m512i"),
            RegisterType::new(DataType::UI16, 32, "__m512i").moved("mm512_loadu_epi16", "mm512_storeu_epi16"),
            RegisterType::new(DataType::I32, 16, "__m512i"),
        ],
    }),
    definitions: &[
        Definitions { name: "<avx512, f32>", text: include_str!("f32.py") },
        Definitions { name: "<avx512, f64>", text: include_str!("f64.py") },
        Definitions { name: "<avx512, ui16>", text: include_str!("ui16.py") },
        Definitions { name: "<avx512, transposes>", text: include_str!("transpose.py") },
        Definitions { name: "<avx512, sums>", text: include_str!("sums.py") },
        Definitions { name: "<avx512, last lanes>", text: include_str!("last.py") },
        Definitions { name: "<avx512, one lane>", text: include_str!("lane.py") },
        Definitions { name: "<avx512, prefetch>", text: include_str!("prefetch.py") },
    ],
    model: None,
    processor: Some("x86-64"),
    run: Run::Native(is_here),
};

fn is_here() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
