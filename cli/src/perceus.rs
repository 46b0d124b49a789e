//! `rewright perceus`.

use crate::args::{Perceus, PerceusCase, PerceusCommand};
use crate::input::{name_of, read};
use crate::output::{Outcome, error, put, say};
use rewright_perceus::case;
use serde_json::json;

pub(crate) fn perceus(args: &Perceus) -> Outcome {
    match &args.command {
        PerceusCommand::Case(c) => cases(c),
    }
}

/// One broken file outweighs any difference.
fn cases(args: &PerceusCase) -> Outcome {
    let (mut broken, mut fine) = (0_usize, 0_usize);
    let mut rows = Vec::new();
    for path in &args.files {
        let differences = match read(path).and_then(|text| case::read(&text)) {
            Ok(case) => case.differences(),
            Err(why) => {
                error(&format!("{}: broken: {why}", name_of(path)));
                broken += 1;
                rows.push(json!({ "file": name_of(path), "ok": false, "differences": [] }));
                continue;
            }
        };
        fine += usize::from(differences.is_empty());
        let told: Vec<String> = differences.iter().map(ToString::to_string).collect();
        rows.push(json!({ "file": name_of(path), "ok": told.is_empty(), "differences": told }));
        for d in differences {
            error(&format!("{}: {d}", name_of(path)));
        }
    }
    put("cases", rows);
    put("fine", fine);
    let all = args.files.len();
    say(&format!("{fine} of {all} cases come out as they state; {broken} broken"));
    match (broken, fine) {
        (0, n) if n == all => Outcome::Fine,
        (0, _) => Outcome::Difference,
        (_, _) => Outcome::WrongInput,
    }
}
