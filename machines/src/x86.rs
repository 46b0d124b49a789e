//! What the machines of x86-64 have in common.

/// Whether a word may be one of `<immintrin.h>`, all of which begin with an underscore: `_mm256_add_ps`, `_kand_mask8`.
pub(crate) fn is_intrinsic(word: &str) -> bool {
    let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit());
    word.strip_prefix('_').is_some_and(|rest| !rest.rsplit('_').next().is_some_and(is_number))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: [rule: c.names].
    #[test]
    fn intrinsics_begin_with_an_underscore() {
        assert!(["_mm256_add_ps", "_rdtsc", "_kand_mask8", "_tile_zero"].into_iter().all(is_intrinsic));
        assert!(!["mm256_add_ps", "add_ps", "_mm256_add_ps_1"].into_iter().any(is_intrinsic));
    }
}
