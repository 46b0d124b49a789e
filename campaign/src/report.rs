//! What a campaign has covered.

use super::trial::{Outcome, Tally};
use rewright_primitives::registry::Primitive;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Counts per primitive.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// By name of the primitive.
    pub rows: BTreeMap<&'static str, Row>,
}

/// The counts of one primitive.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Row {
    /// Applications that had a target.
    pub tried: u64,
    /// Applications accepted.
    pub accepted: u64,
    /// Comparisons on an input: with equal results, or with a refinement.
    pub compared: u64,
    /// Comparisons that said nothing.
    pub silent: u64,
    /// How many accepted applications each oracle was asked about with an answer.
    pub held: Tally,
    /// Refusals by condition.
    pub refused: BTreeMap<&'static str, u64>,
    /// Cursors that led nowhere.
    pub invalid: u64,
    /// Programs without a target.
    pub no_target: u64,
    /// Differences found.
    pub wrong: u64,
}

impl Report {
    /// Counts one outcome.
    pub fn count(&mut self, primitive: &Primitive, outcome: &Outcome) {
        let row = self.rows.entry(primitive.name).or_default();
        row.tried += u64::from(!matches!(outcome, Outcome::NoTarget));
        match outcome {
            Outcome::NoTarget => row.no_target += 1,
            Outcome::Refused { condition, why: _ } => *row.refused.entry(condition).or_insert(0) += 1,
            Outcome::InvalidCursor => row.invalid += 1,
            Outcome::Accepted { new: _, checked } => {
                row.accepted += 1;
                row.compared += checked.equal + checked.refines;
                row.silent += checked.silent;
                row.held.add(checked.by.any());
            }
            Outcome::Wrong(_) => row.wrong += 1,
        }
    }

    /// Adds the counts of another part of the campaign.
    pub fn merge(&mut self, other: Report) {
        for (name, from) in other.rows {
            let Row { tried, accepted, compared, silent, held, refused, invalid, no_target, wrong } = from;
            let row = self.rows.entry(name).or_default();
            row.tried += tried;
            row.accepted += accepted;
            row.compared += compared;
            row.silent += silent;
            row.held.add(held);
            row.invalid += invalid;
            row.no_target += no_target;
            row.wrong += wrong;
            for (condition, n) in refused {
                *row.refused.entry(condition).or_insert(0) += n;
            }
        }
    }

    /// Applications that had a target.
    pub fn tried(&self) -> u64 {
        self.rows.values().map(|row| row.tried).sum()
    }

    /// Applications accepted.
    pub fn accepted(&self) -> u64 {
        self.rows.values().map(|row| row.accepted).sum()
    }
}

impl Report {
    /// How many accepted applications each oracle has held.
    pub fn held(&self) -> Tally {
        self.rows.values().fold(Tally::default(), |mut all, row| {
            all.add(row.held);
            all
        })
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<24}{:>8}{:>10}{:>10}  refused by", "primitive", "tried", "accepted", "compared")?;
        for (name, row) in &self.rows {
            let refused: Vec<String> = row.refused.iter().map(|(c, n)| format!("{c} {n}")).collect();
            writeln!(
                f,
                "{name:<24}{:>8}{:>9}%{:>10}  {}",
                row.tried,
                row.accepted * 100 / row.tried.max(1),
                row.compared,
                refused.join(", ")
            )?;
        }
        let Tally { rational, unset, symbolic, machine } = self.held();
        writeln!(
            f,
            "accepted {}, held against: Rational {rational}, with unset fields {unset}, Symbolic {symbolic}, Machine {machine}",
            self.accepted()
        )
    }
}
