//! Memories for `set_memory`.

use rewright_semantics::parse::Prelude;
use rewright_semantics::span::SourceMap;
use rewright_semantics::types::MemName;
use std::sync::OnceLock;

/// The memories that there are: as often in DRAM as on a machine.
pub(super) fn memories() -> &'static [MemName] {
    static MEMORIES: OnceLock<Vec<MemName>> = OnceLock::new();
    MEMORIES.get_or_init(|| {
        let standard = Prelude::standard().memories;
        let known = rewright_machines::prelude(&mut SourceMap::new()).memories;
        let machines: Vec<MemName> = known.into_iter().filter(|m| !standard.contains(m)).collect();
        standard.into_iter().cycle().take(machines.len()).chain(machines).collect()
    })
}
