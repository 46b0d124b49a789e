//! Choices: random ones, and all of them in turn. What is made by choices can be sampled or enumerated.

use rewright_base::rng::Rng;

/// Where choices come from.
pub trait Choice {
    /// One of `0..n`; 0 for n = 0.
    fn below(&mut self, n: usize) -> usize;

    /// Yes once in `n` times; both answers where all are tried.
    fn one_in(&mut self, n: usize) -> bool;
}

impl Choice for Rng {
    fn below(&mut self, n: usize) -> usize {
        let n = u64::try_from(n).unwrap_or(u64::MAX);
        usize::try_from(Rng::below(self, n)).unwrap_or(0)
    }

    fn one_in(&mut self, n: usize) -> bool {
        Choice::below(self, n) == 0
    }
}

/// All sequences of choices, in lexicographic order.
#[derive(Clone, Debug, Default)]
pub struct Every {
    /// What was chosen, of how many.
    path: Vec<(usize, usize)>,
    at: usize,
}

impl Every {
    /// Before the first.
    pub fn new() -> Every {
        Every::default()
    }

    /// Goes to the next sequence; whether there is one.
    pub fn advance(&mut self) -> bool {
        self.path.truncate(self.at);
        self.at = 0;
        while let Some((chosen, of)) = self.path.pop() {
            if chosen + 1 < of {
                self.path.push((chosen + 1, of));
                return true;
            }
        }
        false
    }
}

impl Choice for Every {
    fn below(&mut self, n: usize) -> usize {
        if n <= 1 {
            return 0;
        }
        let chosen = match self.path.get(self.at) {
            Some((chosen, _)) => *chosen,
            None => {
                self.path.push((0, n));
                0
            }
        };
        self.at += 1;
        chosen
    }

    fn one_in(&mut self, _: usize) -> bool {
        self.below(2) == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sequence_is_met_once() {
        let mut every = Every::new();
        let mut met = Vec::new();
        loop {
            let a = every.below(3);
            met.push((a, if a == 1 { every.below(2) } else { 0 }));
            if !every.advance() {
                break;
            }
        }
        assert_eq!(met, [(0, 0), (1, 0), (1, 1), (2, 0)]);
    }
}
