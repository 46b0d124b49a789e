//! `rewright perceus`.

use crate::args::{Perceus, PerceusCase, PerceusCommand};
use crate::input::{name_of, read};
use crate::output::{Outcome, error, say};
use rewright_perceus::case;

pub(crate) fn perceus(args: &Perceus) -> Outcome {
    match &args.command {
        PerceusCommand::Case(c) => cases(c),
    }
}

/// One broken file outweighs any difference.
fn cases(args: &PerceusCase) -> Outcome {
    let (mut broken, mut fine) = (0_usize, 0_usize);
    for path in &args.files {
        let differences = match read(path).and_then(|text| case::read(&text)) {
            Ok(case) => case.differences(),
            Err(why) => {
                error(&format!("{}: broken: {why}", name_of(path)));
                broken += 1;
                continue;
            }
        };
        fine += usize::from(differences.is_empty());
        for d in differences {
            error(&format!("{}: {d}", name_of(path)));
        }
    }
    let all = args.files.len();
    say(&format!("{fine} of {all} cases come out as they state; {broken} broken"));
    match (broken, fine) {
        (0, n) if n == all => Outcome::Fine,
        (0, _) => Outcome::Difference,
        (_, _) => Outcome::WrongInput,
    }
}
