//! What primitives share.

pub mod alongside;
pub mod buffers;
pub mod requires;
pub mod syntax;
