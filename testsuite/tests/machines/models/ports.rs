//! How cells come into the memories of machines that only instructions reach, and out of them; and which instructions set
//! the state that others assert.

use rewright_semantics::types::DataType;

/// What a machine wants before anything else, and after.
pub(crate) struct Own {
    pub(crate) formals: &'static [&'static str],
    pub(crate) asserts: &'static [&'static str],
    pub(crate) first: &'static [&'static str],
    pub(crate) last: &'static [&'static str],
}

const NOTHING: Own = Own { formals: &[], asserts: &[], first: &[], last: &[] };

const AMX: Own = Own {
    formals: &["rows: size", "cols: size", "depth: size"],
    asserts: &["rows <= 16", "cols <= 16", "depth <= 16"],
    first: &["amx_tile_config(rows, cols, depth)"],
    last: &["amx_tile_release()"],
};

/// What the machine of a name wants.
pub(crate) fn machine(name: &str) -> &'static Own {
    if name == "amx" { &AMX } else { &NOTHING }
}

/// How a buffer `{x}` in a memory is filled `{from}` DRAM and read out `{to}` it; `{each}` is the operand, or each of
/// its blocks.
pub(crate) struct Port {
    pub(crate) memory: &'static str,
    pub(crate) elem: DataType,
    /// Whether an operand may be a part of a buffer.
    pub(crate) parts: bool,
    pub(crate) formals: &'static [&'static str],
    pub(crate) enter: &'static [&'static str],
    pub(crate) leave: &'static [&'static str],
}

/// The port of a memory for cells of a type.
pub(crate) fn port(memory: &str, elem: DataType) -> &'static Port {
    let found = PORTS.iter().find(|p| p.memory == memory && p.elem == elem);
    found.unwrap_or_else(|| panic!("no port of {memory} for {elem}"))
}

/// The rows of a scratchpad leave by a product with 1, since nothing else reads them; those of an accumulator are stored.
/// The tiles of operands leave by a product with numbers at random.
const PORTS: &[Port] = &[
    Port {
        memory: "GEMM_SCRATCH",
        elem: DataType::I8,
        parts: true,
        formals: &["{x}_0: i8[{blocks}{rows}, 16]", "{x}_1: i32[{blocks}{rows}, 16]"],
        enter: &["gemmini_config_ld0(16)", "gemmini_mvin({rows}, 16, {from}, {each})"],
        leave: &[
            "{x}_one: i8[16, 16]",
            "for i in seq(0, 16):\n    for j in seq(0, 16):\n        {x}_one[i, j] = 0.0\n    {x}_one[i, i] = 1.0",
            "{x}_b: i8[16, 16] @ GEMM_SCRATCH",
            "gemmini_config_ld0(16)",
            "gemmini_mvin(16, 16, {x}_one, {x}_b)",
            "gemmini_config_ex_ws()",
            "{x}_c: i32[{rows}, 16] @ GEMM_ACCUM",
            "gemmini_matmul({rows}, 16, 16, {each}, {x}_b, {x}_c)",
            "gemmini_config_st_wide(16)",
            "gemmini_mvout_wide({rows}, 16, {x}_c, {to})",
        ],
    },
    Port {
        memory: "GEMM_ACCUM",
        elem: DataType::I32,
        parts: true,
        formals: &["{x}_0: i32[{blocks}{rows}, 16]", "{x}_1: i32[{blocks}{rows}, 16]"],
        enter: &["gemmini_config_ld2(16)", "gemmini_mvin3({rows}, 16, {from}, {each})"],
        leave: &["gemmini_config_st_wide(16)", "gemmini_mvout_wide({rows}, 16, {each}, {to})"],
    },
    Port {
        memory: "ACCEL_SCRATCH",
        elem: DataType::F32,
        parts: true,
        formals: &["{x}_0: f32[{rows}, 16]", "{x}_1: f32[{rows}, 16]"],
        enter: &["accel_ld({rows}, 16, {from}, {each})"],
        leave: &[
            "{x}_one: f32[16, 16]",
            "for i in seq(0, 16):\n    for j in seq(0, 16):\n        {x}_one[i, j] = 0.0\n    {x}_one[i, i] = 1.0",
            "{x}_b: f32[16, 16] @ ACCEL_SCRATCH",
            "accel_ld(16, 16, {x}_one, {x}_b)",
            "{x}_c: f32[{rows}, 16] @ ACCEL_ACCUM",
            "accel_zero_acc({rows}, {x}_c)",
            "accel_matmul({rows}, 16, 16, {each}, {x}_b, {x}_c)",
            "accel_st({rows}, 16, {x}_c, {to})",
        ],
    },
    Port {
        memory: "ACCEL_ACCUM",
        elem: DataType::F32,
        parts: true,
        formals: &["{x}_0: f32[{rows}, 16]", "{x}_1: f32[{rows}, 16]"],
        enter: &["accel_ld_acc({rows}, 16, {from}, {each})"],
        leave: &["accel_st({rows}, 16, {each}, {to})"],
    },
    Port {
        memory: "AMX_C",
        elem: DataType::I32,
        parts: false,
        formals: &["{x}_0: i32[n, m]", "{x}_1: i32[n, m]"],
        enter: &["amx_tileload_c_i32(n, m, {x}, {from})"],
        leave: &["amx_tilestore_i32(n, m, {to}, {x})"],
    },
    Port {
        memory: "AMX_C",
        elem: DataType::F32,
        parts: false,
        formals: &["{x}_0: f32[n, m]", "{x}_1: f32[n, m]"],
        enter: &["amx_tileload_c_f32(n, m, {x}, {from})"],
        leave: &["amx_tilestore_f32(n, m, {to}, {x})"],
    },
    Port {
        memory: "AMX_A",
        elem: DataType::I8,
        parts: false,
        formals: &["{x}_0: i8[n, 4 * k]", "{x}_y: i8[k, 4 * cols]", "{x}_1: i32[n, cols]"],
        enter: &["amx_tileload_a_i8(n, k, {x}, {from})"],
        leave: &[
            "{x}_b: i8[k, 4 * cols] @ AMX_B",
            "amx_tileload_b_i8(k, cols, {x}_b, {x}_y)",
            "{x}_c: i32[n, cols] @ AMX_C",
            "amx_tilezero_i32(n, cols, {x}_c)",
            "amx_tdpbssd(n, cols, k, {x}_c, {x}, {x}_b)",
            "amx_tilestore_i32(n, cols, {to}, {x}_c)",
        ],
    },
    Port {
        memory: "AMX_B",
        elem: DataType::I8,
        parts: false,
        formals: &["{x}_0: i8[k, 4 * m]", "{x}_y: i8[rows, 4 * k]", "{x}_1: i32[rows, m]"],
        enter: &["amx_tileload_b_i8(k, m, {x}, {from})"],
        leave: &[
            "{x}_a: i8[rows, 4 * k] @ AMX_A",
            "amx_tileload_a_i8(rows, k, {x}_a, {x}_y)",
            "{x}_c: i32[rows, m] @ AMX_C",
            "amx_tilezero_i32(rows, m, {x}_c)",
            "amx_tdpbssd(rows, m, k, {x}_c, {x}_a, {x})",
            "amx_tilestore_i32(rows, m, {to}, {x}_c)",
        ],
    },
    Port {
        memory: "AMX_A",
        elem: DataType::BF16,
        parts: false,
        formals: &["{x}_0: bf16[n, 2 * k]", "{x}_y: bf16[k, 2 * cols]", "{x}_1: f32[n, cols]"],
        enter: &["amx_tileload_a_bf16(n, k, {x}, {from})"],
        leave: &[
            "{x}_b: bf16[k, 2 * cols] @ AMX_B",
            "amx_tileload_b_bf16(k, cols, {x}_b, {x}_y)",
            "{x}_c: f32[n, cols] @ AMX_C",
            "amx_tilezero_f32(n, cols, {x}_c)",
            "amx_tdpbf16ps(n, cols, k, {x}_c, {x}, {x}_b)",
            "amx_tilestore_f32(n, cols, {to}, {x}_c)",
        ],
    },
    Port {
        memory: "AMX_B",
        elem: DataType::BF16,
        parts: false,
        formals: &["{x}_0: bf16[k, 2 * m]", "{x}_y: bf16[rows, 2 * k]", "{x}_1: f32[rows, m]"],
        enter: &["amx_tileload_b_bf16(k, m, {x}, {from})"],
        leave: &[
            "{x}_a: bf16[rows, 2 * k] @ AMX_A",
            "amx_tileload_a_bf16(rows, k, {x}_a, {x}_y)",
            "{x}_c: f32[rows, m] @ AMX_C",
            "amx_tilezero_f32(rows, m, {x}_c)",
            "amx_tdpbf16ps(rows, m, k, {x}_c, {x}_a, {x})",
            "amx_tilestore_f32(rows, m, {to}, {x}_c)",
        ],
    },
];

/// How an assertion about state is met.
pub(crate) enum Setting {
    /// By a call; of arguments that the procedure has besides.
    By { formals: &'static [&'static str], call: &'static str },
    /// By what this says of sizes.
    Asserts(&'static str),
}

const fn by(call: &'static str) -> Setting {
    Setting::By { formals: &[], call }
}

/// How an assertion is met, if it is about state.
pub(crate) fn setting(assertion: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|(e, _)| *e == assertion).map(|(_, setting)| setting)
}

const SETTINGS: &[(&str, Setting)] = &[
    ("GemminiEx.weight_stationary == True", by("gemmini_config_ex_ws()")),
    ("GemminiLd0.src_stride == stride(src, 0)", by("gemmini_config_ld0(stride(src_0, 0))")),
    ("GemminiLd1.src_stride == stride(src, 0)", by("gemmini_config_ld1(stride(src_0, 0))")),
    ("GemminiLd2.src_stride == stride(src, 0)", by("gemmini_config_ld2(stride(src_0, 0))")),
    ("GemminiLd2.src_stride == 0", by("gemmini_config_ld2(0)")),
    // Set with the next one.
    ("GemminiSt.dst_stride == stride(dst, 0)", by("")),
    ("GemminiSt.wide == True", by("gemmini_config_st_wide(stride(dst_0, 0))")),
    (
        "GemminiSt.wide == False",
        Setting::By {
            formals: &["act: bool", "scale: f32"],
            call: "gemmini_config_st(stride(dst_0, 0), act, scale)",
        },
    ),
    ("ConfigLoad.src_stride == stride(src, 0)", by("accel_config_ld(stride(src_0, 0))")),
    ("ConfigStore.dst_stride == stride(dst, 0)", by("accel_config_st(stride(dst_0, 0))")),
    ("AmxTiles.palette == 1", by("")),
    ("n <= AmxTiles.rows", Setting::Asserts("n <= rows")),
    ("m <= AmxTiles.cols", Setting::Asserts("m <= cols")),
    ("k <= AmxTiles.depth", Setting::Asserts("k <= depth")),
];
