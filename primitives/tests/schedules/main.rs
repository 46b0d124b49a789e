//! Schedules from outside: versions, refusals, higher-order operations and scripts by their public names.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

mod equivalence;
mod hof;
mod refusals;
mod values;
