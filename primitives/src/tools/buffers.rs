//! Buffers: where they are declared, mentioned, laid out, staged.

pub mod declared;
pub mod depends;
pub mod relayout;
pub mod staging;
pub mod uses;
pub mod views;
