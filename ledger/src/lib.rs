//! A schedule as one page for a browser: [rule: ledger].
//!
//! What is on the page comes from the derivation alone, the record that `rewright audit` checks: versions, arguments,
//! conditions and questions as they were written down; C and the dependences of loops from the last version's text.

mod called;
mod data;
mod dependences;
mod formula;
mod page;
mod program;
mod record;
mod versions;

pub use page::page;
pub use record::Trouble;
