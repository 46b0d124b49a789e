//! `rewright perceus fuzz`.

use crate::args::PerceusFuzz;
use crate::output::{Outcome, error, say};
use rayon::prelude::*;
use rewright_base::rng::Rng;
use rewright_perceus::optimise::campaign;
use rewright_perceus::syntax::Program;
use rewright_perceus::tally::Tally;
use rewright_perceus::theorems::{effects, examine, generate};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is wrong with a program, the smallest first.
type Wrong = Option<(usize, String)>;

pub(super) fn fuzz(args: &PerceusFuzz) -> Outcome {
    let stopped = AtomicBool::new(false);
    let one = |n: u64| {
        let seed = args.seed.wrapping_add(n);
        let mut tally = Tally::new();
        if stopped.load(Ordering::Relaxed) {
            return (tally, None);
        }
        let mut trial = Trial { seed, program: None, stopped: &stopped };
        let found = if args.optimise {
            campaign::program(seed, args.size)
                .and_then(|p| campaign::examine(trial.about(p), &mut Rng::new(seed), &mut tally))
        } else {
            theorems(seed, n, args, &mut trial, &mut tally)
        };
        let size = trial.program.as_ref().map_or(0, |p| p.main.size());
        (tally, found.err().map(|why| (size, format!("seed {seed}, {why}"))))
    };
    let both = |(a, wrong): (Tally, Wrong), (b, other): (Tally, Wrong)| {
        (a.and(&b), wrong.into_iter().chain(other).min())
    };
    let (tally, wrong) = (0..args.programs).into_par_iter().map(one).reduce(|| (Tally::new(), None), both);
    say(&tally.to_string());
    match wrong {
        None => Outcome::Fine,
        Some((_, why)) => {
            error(&why);
            Outcome::Difference
        }
    }
}

/// One program in three has exceptions and references.
fn theorems(
    seed: u64,
    n: u64,
    args: &PerceusFuzz,
    trial: &mut Trial<'_>,
    tally: &mut Tally,
) -> Result<(), String> {
    let mut rng = Rng::new(seed);
    let p = if n % 3 == 2 {
        effects::program(&mut rng, args.size)?
    } else {
        generate::program(&mut rng, args.size)
    };
    examine(trial.about(p), args.derivations, &mut rng, tally).map_err(|v| v.to_string())
}

/// What is under examination. A panic ends the campaign: it says of which program, and no other begins.
struct Trial<'s> {
    seed: u64,
    program: Option<Program>,
    stopped: &'s AtomicBool,
}

impl Trial<'_> {
    fn about(&mut self, p: Program) -> &Program {
        self.program.insert(p)
    }
}

impl Drop for Trial<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.stopped.store(true, Ordering::Relaxed);
            let program = self.program.as_ref().map_or_else(|| "none yet".to_owned(), Program::to_string);
            error(&format!("the program of seed {} ends in a panic:\n{program}", self.seed));
        }
    }
}
