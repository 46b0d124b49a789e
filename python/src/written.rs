//! Variables that are told apart by a mark and a number after their names, `i·3`, where quotes of a program have two of one name:
//! they get the names that were written. Spec: [rule: python.exo-quotes].

use rewright_semantics::ast::Proc;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::subst::{binders_of_proc, rename_proc};

/// The procedure with variables of the names that were written.
pub(crate) fn names(p: &Proc) -> Proc {
    let written = |x: Sym| as_written(x.name().as_str()).map(|name| (x, Sym::fresh(Name::new(name))));
    let by = binders_of_proc(p).into_iter().filter_map(written).collect();
    rename_proc(p, &by)
}

/// What stands before the mark and the number, where a name has them.
fn as_written(name: &str) -> Option<&str> {
    let (written, number) = name.rsplit_once('·')?;
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    (is_number && !written.is_empty()).then_some(written)
}
