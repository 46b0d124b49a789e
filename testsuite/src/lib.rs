//! Generators, oracles, campaigns, corpora and benchmarks.
//!
//! What must stay true at this boundary: the generator builds programs that are well typed and in
//! bounds by construction, and shares with the code under test the syntax and nothing else.

pub mod abstraction;
pub mod callers;
pub mod campaign;
pub mod cases;
pub mod coverage;
pub mod forwarded;
pub mod generate;
pub mod growth;
pub mod halide;
pub mod hold;
pub mod holes;
pub mod huge;
pub mod kernels;
pub mod marks;
pub mod perturb;
pub mod probe;
pub mod residue;
pub mod rewrites;
pub mod rng;
pub mod rules;
pub mod shrink;
pub mod table;
pub mod tamper;
pub mod throughput;
pub mod traces;
pub mod workload;
