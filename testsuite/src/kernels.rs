//! The kernels of the library under test: beside their plain programs, and beside the best library's speed.

pub mod measure;
pub mod model;
pub mod reference;
pub mod shown;
