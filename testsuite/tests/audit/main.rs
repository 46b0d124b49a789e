//! Records of schedules: what an audit accepts, and what it finds.

mod audited;
mod records;
mod scripts;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
