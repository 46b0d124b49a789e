//! A case before the interpreter: pairs that agree, or an input near a model on which they do not.

use super::Pair;
use rewright_campaign::rng::Rng;
use rewright_effects::effexpr::Var;
use rewright_effects::obligation::{Model, ModelValue};
use rewright_semantics::ast::Proc;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict};
use rewright_semantics::inputs::{Given, InputValue, Search};
use rewright_semantics::store::ConfigKey;
use rewright_semantics::types::ArgType;

/// What the interpreter says of a pair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// They differ: on the values of the model itself, or only near them.
    Differs {
        /// Whether the arguments and fields are exactly those of the model.
        at_the_model: bool,
        /// The input, and how they differ.
        how: String,
    },
    /// They agree on this many inputs, on which the old one runs without an error.
    Agrees(u64),
}

/// Inputs tried with the values of the model, each with other data.
const AT_THE_MODEL: u64 = 6;
/// Inputs tried with values near those of the model.
const NEAR: u64 = 60;

/// Compares the two on inputs with the values of a model, then on inputs near it. With an empty model, on
/// any inputs.
///
/// # Errors
/// The pair cannot be compared.
pub fn confirm(pair: &Pair, model: &Model) -> Result<Found, String> {
    let limits = Limits::statements(20_000);
    let comparer = Comparer::<RationalDomain>::new(&pair.old, &pair.new, pair.modulo.clone(), limits)
        .map_err(|why| why.to_string())?;
    let mut agreed = 0;
    for trial in 0..AT_THE_MODEL + NEAR {
        let near = trial.checked_sub(AT_THE_MODEL);
        let given = given(&pair.old, model, near);
        let search = Search { max_cells: 2000, budget: 3000 };
        let Ok(input) = comparer.subject().generate(&given, trial, search) else { continue };
        match comparer.compare(&input) {
            Verdict::Equal | Verdict::Refines { .. } => agreed += 1,
            Verdict::Differs(difference) => {
                let how = format!("{difference:?}\n{input}");
                return Ok(Found::Differs { at_the_model: near.is_none(), how });
            }
            Verdict::Undecided { .. }
            | Verdict::InputRejected(_)
            | Verdict::OldFails(_)
            | Verdict::GaveUp(_) => {}
        }
    }
    Ok(Found::Agrees(agreed))
}

/// The model's values of arguments and fields; the `near`-th neighbour of them.
fn given(p: &Proc, model: &Model, near: Option<u64>) -> Given {
    let mut out = Given::default();
    let mut rng = near.map(Rng::new);
    for (var, value) in &model.values {
        let value = match (*value, rng.as_mut()) {
            (ModelValue::Int(n), None) => InputValue::Int(n),
            (ModelValue::Int(n), Some(rng)) => InputValue::Int(n.saturating_add(rng.between(-2, 4))),
            (ModelValue::Bool(b), None) => InputValue::Bool(b),
            (ModelValue::Bool(b), Some(rng)) => InputValue::Bool(b != rng.chance(30)),
        };
        match var {
            Var::Local(x) => {
                let formal = p.args.iter().find(|a| a.name == *x);
                if formal.is_some_and(|a| matches!(a.typ, ArgType::Control(_))) {
                    out.args.insert(x.name(), value);
                }
            }
            Var::Global(config, field) => {
                out.fields.insert(ConfigKey { config: *config, field: *field }, value);
            }
            // Where a window lies is left to chance.
            Var::Stride(..) => {}
        }
    }
    out
}
