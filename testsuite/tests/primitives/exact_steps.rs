//! The steps that `call_eqv` may take back define no more than what they were made of. Spec: [rule: equivalence].

use rewright_campaign::rng::Rng;
use rewright_campaign::{arguments, check_exact, program};
use rewright_primitives::ops;
use rewright_primitives::registry::{Exact, Primitive};
use std::collections::BTreeMap;

#[test]
fn what_is_exact_can_be_taken_back() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let exact: Vec<&Primitive> = ops::ALL.iter().copied().filter(|p| p.exact != Exact::Never).collect();
    let mut compared: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..programs {
        let (p, mut rng) = (program(seed), Rng::new(seed));
        for primitive in &exact {
            let Some(args) = arguments(&mut rng, &p, primitive) else { continue };
            let Ok(new) = (primitive.run)(&p, &args) else { continue };
            let checked = check_exact(&p, &new, seed, 3)
                .unwrap_or_else(|what| panic!("seed {seed}, {}: {what}\n{p}\n{new}", primitive.name));
            *compared.entry(primitive.name).or_default() += checked.equal;
        }
    }
    println!("{compared:?}");
    let never: Vec<&str> =
        exact.iter().map(|p| p.name).filter(|name| compared.get(name).is_none_or(|n| *n == 0)).collect();
    assert!(never.is_empty(), "never compared: {never:?}");
}
