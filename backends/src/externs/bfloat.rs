//! `bf16` in C: a struct of 16 bits, computed with as `float`. Spec: [rule: c.bf16].

use super::Arithmetic;

/// A cell as a `float`.
pub(super) fn to_float(name: &str) -> String {
    TO_FLOAT.replace("NAME", name)
}

/// The nearest `bf16`, ties to even; what is no number stays none.
pub(super) fn of(name: &str, k: Arithmetic) -> String {
    match k {
        Arithmetic::Single | Arithmetic::Integer => OF_FLOAT,
        Arithmetic::Double => OF_DOUBLE,
    }
    .replace("NAME", name)
}

/// A `float` with the bits that `bf16` has.
pub(super) fn rounded(name: &str) -> String {
    ROUNDED.replace("NAME", name)
}

const TO_FLOAT: &str = "\
static inline float NAME(bfloat16 x) {
    const union { uint32_t bits; float value; } wide = { (uint32_t)x.bits << 16 };
    return wide.value;
}
";

const OF_FLOAT: &str = "\
// The nearest bf16.
static inline bfloat16 NAME(float x) {
    const union { float value; uint32_t bits; } wide = { x };
    if (x != x) return (bfloat16){ (uint16_t)(wide.bits >> 16 | 64u) };
    return (bfloat16){ (uint16_t)((wide.bits + 32767u + (wide.bits >> 16 & 1u)) >> 16) };
}
";

/// Through a `float` that is rounded to odd: its last bit says that something was left out.
const OF_DOUBLE: &str = "\
// The nearest bf16, rounded once.
static inline bfloat16 NAME(double x) {
    union { float value; uint32_t bits; } wide = { (float)x };
    const double back = (double)wide.value;
    if (x != x) return (bfloat16){ (uint16_t)(wide.bits >> 16 | 64u) };
    if (back != x && back - back == 0.0)
        wide.bits = (wide.bits - ((back < 0.0 ? -back : back) > (x < 0.0 ? -x : x))) | 1u;
    return (bfloat16){ (uint16_t)((wide.bits + 32767u + (wide.bits >> 16 & 1u)) >> 16) };
}
";

const ROUNDED: &str = "\
// The nearest number of bf16, as a float.
static inline float NAME(float x) {
    union { float value; uint32_t bits; } wide = { x };
    wide.bits = (wide.bits + 32767u + (wide.bits >> 16 & 1u)) & 4294901760u;
    return x != x ? x : wide.value;
}
";
