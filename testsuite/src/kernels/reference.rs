//! Whether a scheduled matrix product is the plain one: by the interpreter, and by its C. Spec: [rule: kernels].

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_campaign::rng::Rng;
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, InputValue, Search, generate};
use rewright_semantics::sym::Name;
use std::collections::BTreeSet;

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// Shapes.
    pub shapes: usize,
    /// Cells of C: none where it was not run.
    pub cells: usize,
    /// Why the C was not run, if it was not: this processor lacks its instructions.
    pub not_run: Option<String>,
}

/// Holds `fast` and its C against `plain` on random shapes: with ones, with sizes around the tiles', and now and then
/// with one beyond a block.
///
/// # Errors
/// They differ, or C cannot be compiled.
pub fn check(plain: &Proc, fast: &Proc, shapes: usize) -> Result<Checked, String> {
    let mut module = Module::default();
    module.procs.push(fast.ast().clone());
    let compiler = Compiler::available().into_iter().next().ok_or("there is no C compiler")?;
    let (built, not_run) = match Built::new(&module, &compiler) {
        Ok(built) => (Some(built), None),
        Err(why @ HarnessError::Unsupported(_)) => (None, Some(why.to_string())),
        Err(e) => return Err(e.to_string()),
    };
    let comparer =
        Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), BTreeSet::new(), Limits::default())
            .map_err(|e| e.to_string())?;
    let mut checked = Checked { not_run, ..Checked::default() };
    for seed in 0..shapes {
        let seed = u64::try_from(seed).map_err(|e| e.to_string())?;
        let shape = shape(&mut Rng::new(seed));
        let words: Vec<String> = ["M", "N", "K"].iter().zip(shape).map(|(x, n)| format!("{x}={n}")).collect();
        let sizes = ["M", "N", "K"].iter().zip(shape);
        let args = sizes.map(|(x, n)| (Name::new(x), InputValue::Int(n))).collect();
        let given = Given { args, ..Given::default() };
        let search = Search { max_cells: 1 << 20, ..Search::default() };
        let input = generate(fast.ast(), &given, seed, search).map_err(|e| e.to_string())?;
        let same = comparer.compare(&input);
        if same != Same::Equal {
            return Err(format!("{}: {same:?}", words.join(" ")));
        }
        checked.shapes += 1;
        let Some(built) = &built else { continue };
        let c = built.agree(fast.name().as_str(), &input, Mode::Fast).map_err(|e| e.to_string())?;
        let Verdict::Agrees { compared, exact } = c else {
            return Err(format!("{}: {c:?}", words.join(" ")));
        };
        if compared != exact {
            return Err(format!("{}: {exact} of {compared} cells are exact", words.join(" ")));
        }
        checked.cells += compared;
    }
    Ok(checked)
}

/// M, N and K: not more than some 40,000 products in all.
fn shape(rng: &mut Rng) -> [i64; 3] {
    let mut left = 40_000;
    let mut shape = [1; 3];
    let first = rng.below(3);
    for k in 0..3 {
        let at = (first + k) % 3;
        let largest = [700, 2200, 1100][at].min(left);
        let near = [12, 64, 512][at].min(largest);
        shape[at] = match rng.below(4) {
            0 => 1,
            1 => near,
            2 => rng.between(1, near),
            _ => rng.between(1, largest),
        };
        left = (left / shape[at]).max(1);
    }
    shape
}
