//! Configuration fields that a rewrite reads where the program as given may not have read them: in an iteration of
//! a parallel loop of which another one writes the field, this is a race.

use crate::cursor::path::{Step, stmt_at};
use crate::tools::syntax::stmt_views::For;
use rewright_effects::analysis::Analysis;
use rewright_effects::env::Field;
use rewright_effects::names::fields_in_expr;
use rewright_semantics::ast::{Expr, LoopMode, Proc};
use rewright_semantics::sym::Sym;
use std::collections::BTreeSet;

/// A field of the expressions that a parallel loop around the place writes, and that loop's variable.
pub fn field_of_threads(an: &Analysis, p: &Proc, place: &[Step], exprs: &[&Expr]) -> Option<(Field, Sym)> {
    let mut read = BTreeSet::new();
    for e in exprs {
        fields_in_expr(e, &mut |config, field| {
            read.insert(Field::of(config, field));
        });
    }
    if read.is_empty() {
        return None;
    }
    let around = (1..place.len()).filter_map(|k| For::of(stmt_at(p, place.get(..k)?)?));
    around.filter(|l| l.mode == LoopMode::Par).find_map(|l| {
        let written = an.touched_fields(&l.body);
        read.iter().find(|f| written.contains(f)).map(|f| (*f, l.iter))
    })
}
