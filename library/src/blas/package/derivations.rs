//! How the kernels of a unit came about. Spec: [rule: blas.package].

use super::{Kernel, Precision, Processor};
use rewright_primitives::derivation::{Derivation, record};

/// The derivations of all kernels that were scheduled, by name: one for each, and one for those that are made of products,
/// which have most of their steps in common. Each is made when it is asked for: all together are some hundred megabytes.
pub fn of_unit(
    precision: Precision,
    processor: Processor,
    kernels: &[Kernel],
) -> impl Iterator<Item = (String, Derivation)> {
    let scheduled = kernels.iter().filter(|k| k.fast.history().len() > 2);
    let (products, others): (Vec<&Kernel>, Vec<&Kernel>) = scheduled.partition(|k| uses_others(k));
    let level3 = format!("level3_{}_{}", precision.letter(), processor.name());
    let products = (!products.is_empty()).then_some((level3, products));
    let others = others.into_iter().map(|kernel| (kernel.fast.name().to_string(), vec![kernel]));
    others.chain(products).map(|(name, kernels)| (name, derivation(kernels)))
}

/// How some kernels came about. What several of them use is there once.
pub fn derivation<'a>(kernels: impl IntoIterator<Item = &'a Kernel>) -> Derivation {
    let (mut definitions, mut bound): (Vec<&str>, Vec<_>) = Default::default();
    for kernel in kernels {
        for text in &kernel.definitions {
            if !definitions.contains(&text.as_str()) {
                definitions.push(text);
            }
        }
        bound.push((kernel.fast.name().as_str(), &kernel.fast));
    }
    record(definitions.concat(), bound)
}

/// Whether a kernel's schedule uses definitions besides its own: those of products.
fn uses_others(kernel: &Kernel) -> bool {
    kernel.definitions.len() > 1
}
