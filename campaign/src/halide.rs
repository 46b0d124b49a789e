//! The Halide model under test: cases, compiled C, random algorithms and schedules.

pub mod campaign;
pub mod cases;
pub mod compiled;
pub mod generate;
pub mod outcome;
pub mod schedules;
pub mod siblings;
pub mod typed_cases;
