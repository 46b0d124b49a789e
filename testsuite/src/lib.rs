//! What the tests and benchmarks of the whole share: probes, tables, families of programs that grow.
//!
//! What must stay true at this boundary: nothing but tests and benchmarks depends on it.

pub mod abstraction;
pub mod callers;
pub mod coverage;
pub mod forwarded;
pub mod growth;
pub mod hold;
pub mod huge;
pub mod kernels;
pub mod marks;
pub mod probe;
pub mod residue;
pub mod rewrites;
pub mod rules;
pub mod table;
pub mod tamper;
pub mod throughput;
pub mod traces;
pub mod workload;
