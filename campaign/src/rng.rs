//! A small deterministic random source: the same seed gives the same program on every machine.

/// SplitMix64. Fast, seedable with any number, good enough to pick branches.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A source that depends on nothing but the seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed ^ 0x5851_f42d_4c95_7f2d)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.bits() % n).unwrap_or(0)
    }

    /// A number in `lo..=hi`.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        let width = hi.saturating_sub(lo).saturating_add(1).max(1);
        let width = u64::try_from(width).unwrap_or(1);
        lo.saturating_add(i64::try_from(self.bits() % width).unwrap_or(0))
    }

    /// True `percent` times in a hundred.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.bits() % 100 < percent
    }

    /// One of these, or `None` when there is none.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> Option<&'a T> {
        of.get(self.below(of.len()))
    }

    /// An independent source.
    pub fn split(&mut self) -> Rng {
        Rng::new(self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stays_within_its_limits_and_repeats() {
        let (mut a, mut b) = (Rng::new(7), Rng::new(7));
        for _ in 0..1000 {
            let x = a.between(-3, 4);
            assert!((-3..=4).contains(&x));
            assert_eq!(x, b.between(-3, 4));
        }
        assert_eq!(a.pick::<u8>(&[]), None);
    }
}
