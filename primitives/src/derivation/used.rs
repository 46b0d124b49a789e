//! Which versions of a derivation are taken by what is bound to names. Spec: [rule: audit.versions].

use super::{Chain, Derivation};

/// The number of a version that nothing takes on the way to what is bound to names; the first of them.
pub(super) fn unused(d: &Derivation) -> Option<usize> {
    let mut used = vec![false; d.versions.len()];
    let mut open: Vec<&Chain> = d.chains.iter().collect();
    while let Some(chain) = open.pop() {
        for number in taken(chain) {
            if let Some(known) = used.get_mut(number).filter(|known| !**known) {
                *known = true;
                open.extend(d.versions.get(number));
            }
        }
    }
    used.iter().position(|used| !used)
}

/// The versions that a chain takes.
fn taken(chain: &Chain) -> Vec<usize> {
    let mut taken: Vec<usize> = chain.source.into_iter().collect();
    chain.each_taken(&mut |number| {
        taken.extend(number.as_u64().and_then(|n| usize::try_from(n).ok()));
    });
    taken
}
