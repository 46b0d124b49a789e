//! `rewright compile`.

use crate::args::Compile;
use crate::output::Outcome;

/// Writes the C of a file.
pub(crate) fn compile(_args: &Compile) -> Outcome {
    Outcome::WrongInput
}
