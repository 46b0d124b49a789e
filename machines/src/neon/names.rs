//! The names of `<arm_neon.h>`, in the shape that Arm gives them.

/// What stands after an underscore in a name: the type of an element, which lanes, how many registers.
const PARTS: &str = "bf16 f16 f32 f64 p8 p16 p64 p128 s8 s16 s32 s64 u8 u16 u32 u64 dup high low lane laneq n x2 x3 x4 rot90 \
    rot180 rot270";

/// What a type begins with.
const ELEMENTS: [&str; 6] = ["bfloat", "float", "int", "mfloat", "poly", "uint"];

/// Whether a word may be a function, `vfmaq_laneq_f32`, or a type, `float32x4_t`.
pub(super) fn is_intrinsic(word: &str) -> bool {
    is_function(word) || is_type(word)
}

fn is_function(word: &str) -> bool {
    let mut parts = word.split('_');
    let operation = parts.next().unwrap_or_default();
    let mut parts = parts.peekable();
    operation.len() > 1
        && operation.starts_with('v')
        && parts.peek().is_some()
        && parts.all(|part| PARTS.split_whitespace().any(|known| known == part))
}

fn is_type(word: &str) -> bool {
    let Some(stem) = word.strip_suffix("_t") else { return false };
    let sizes = ELEMENTS.iter().find_map(|e| stem.strip_prefix(e));
    let is_size = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    sizes.is_some_and(|sizes| sizes.split('x').all(is_size))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: [rule: c.names].
    #[test]
    fn intrinsics_have_the_shape_that_arm_gives_them() {
        let known =
            ["vaddq_f32", "vld1q_s8_x4", "vcvt_high_f16_f32", "vrndns_f32", "vcaddq_rot90_f64", "vldrq_p128"];
        let types = ["float32x4_t", "float32_t", "poly64x1x2_t", "uint8x16x4_t", "bfloat16x8_t"];
        assert!(known.into_iter().chain(types).all(is_intrinsic));
        let own = [
            "vadd",
            "vec_add",
            "v_f32",
            "vaddq_f32_1",
            "add_f32",
            "float32x4",
            "floats_t",
            "int_t",
            "integer8_t",
        ];
        assert!(!own.into_iter().any(is_intrinsic));
    }
}
