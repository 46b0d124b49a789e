//! Random numbers that are the same on every platform: SplitMix64.

/// A stream of numbers that depends on the seed alone.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from `0` to `bound - 1`; 0 for the bound 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // The bias is below 2^-40 for the small bounds asked for here.
        if bound == 0 { 0 } else { self.draw() % bound }
    }

    /// A number from `lo` to `hi`, both included; `lo` when there is none.
    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        let span = hi.checked_sub(lo).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
        let shift = i64::try_from(self.below(span.saturating_add(1))).unwrap_or(0);
        lo.saturating_add(shift)
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// The items in random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u64::try_from(last).unwrap_or(u64::MAX).saturating_add(1);
            items.swap(last, usize::try_from(self.below(bound)).unwrap_or(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_fixed() {
        let mut rng = Rng::new(0);
        assert_eq!(rng.draw(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(rng.draw(), 0x6e78_9e6a_a1b9_65f4);
        assert_eq!(rng.between(3, 3), 3);
        assert!((0..200).all(|_| (-2..=2).contains(&rng.between(-2, 2))));
        let mut items: Vec<u32> = (0..50).collect();
        rng.shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
    }
}
