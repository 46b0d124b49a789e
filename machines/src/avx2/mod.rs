//! x86-64 with vectors of 256 bits.

use crate::machine::{Arrays, Definitions, Machine, RegisterFile, RegisterType, Run};
use crate::x86::is_intrinsic;
use rewright_semantics::types::DataType;

/// AVX2 and FMA: 16 registers.
pub(crate) const MACHINE: Machine = Machine {
    name: "avx2",
    about: "x86-64, vectors of 256 bits (AVX2, FMA)",
    registers: Some(RegisterFile {
        memory: "AVX2",
        count: 16,
        header: "#include <immintrin.h>",
        defines: is_intrinsic,
        flags: &["-mavx2", "-mfma"],
        arrays: Arrays::Allowed,
        masked: false,
        types: &[
            RegisterType::new(DataType::F32, 8, "__m256").moved("mm256_loadu_ps", "mm256_storeu_ps"),
            RegisterType::new(DataType::F64, 4, "__m256d").moved("mm256_loadu_pd", "mm256_storeu_pd"),
            RegisterType::new(DataType::I8, 32, "__m256i"),
            RegisterType::new(DataType::UI8, 32, "__m256i"),
            RegisterType::new(DataType::UI16, 16, "__m256i").moved("mm256_loadu_epi16", "mm256_storeu_epi16"),
            RegisterType::new(DataType::I32, 8, "__m256i"),
        ],
    }),
    definitions: &[
        Definitions { name: "<avx2, f32>", text: include_str!("f32.py") },
        Definitions { name: "<avx2, f64>", text: include_str!("f64.py") },
        Definitions { name: "<avx2, ui16>", text: include_str!("ui16.py") },
        Definitions { name: "<avx2, transposes>", text: include_str!("transpose.py") },
        Definitions { name: "<avx2, sums>", text: include_str!("sums.py") },
        Definitions { name: "<avx2, last lanes>", text: include_str!("last.py") },
        Definitions { name: "<avx2, prefetch>", text: include_str!("prefetch.py") },
    ],
    model: None,
    processor: Some("x86-64"),
    run: Run::Native(is_here),
};

fn is_here() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}
