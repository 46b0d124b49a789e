//! Random schedules as JSON, one on a line: `drawn FIRST COUNT LINES`. What `python/tests/test_campaign.py` reads.

use rewright_campaign::drawn;
use serde_json::json;
use std::io::{Write, stdout};

fn main() -> std::io::Result<()> {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let [first, count, lines] = numbers[..] else {
        return Err(std::io::Error::other(
            "three numbers are asked for: the first seed, how many, lines of each",
        ));
    };
    let lines = usize::try_from(lines).map_err(std::io::Error::other)?;
    let mut out = stdout().lock();
    for seed in first..first.saturating_add(count) {
        let Some(one) = drawn(seed, lines) else { continue };
        let rows = one.lines.iter().map(|l| match &l.came {
            Ok((text, name)) => {
                json!({ "primitive": l.primitive, "of": l.of, "args": l.args, "name": name, "text": text })
            }
            Err(why) => json!({ "primitive": l.primitive, "of": l.of, "args": l.args, "refused": why }),
        });
        let rows: Vec<_> = rows.collect();
        let row = json!({
            "seed": seed, "text": one.text, "name": one.name, "others": one.others, "lines": rows,
            "chains": one.chains,
        });
        writeln!(out, "{row}")?;
    }
    Ok(())
}
