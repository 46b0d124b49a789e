//! Statements that change places though both write a cell: they write one value [E-35]. Spec:
//! [rule: conditions.same-value].

use super::formulas::commutes_but_for;
use super::overwritten::Overwritten;
use super::piece::Piece;
use super::writes::Search;
use crate::context::Context;
use crate::effect::Effect;
use crate::effexpr::EffExpr;
use crate::locset::Base;

/// Commutes*: Commutes, but for cells that both pieces write, where it is enough that each gives a cell the value that
/// the other does, and does not look at it. What these values are computed from neither changes.
pub(super) fn commutes_or_same(
    ctx: &Context,
    overwritten: &Overwritten,
    one: &Piece<'_>,
    two: &Piece<'_>,
) -> EffExpr {
    let strict = commutes_but_for(overwritten, &one.effect, &two.effect);
    // In a loop that writes a field, an index that reads it has another value in each iteration.
    let writes_field = [one, two].iter().any(|piece| !ctx.analysis.written_fields(piece.body).is_empty());
    if strict.is_true() || writes_field {
        return strict;
    }
    let (first, second) = (one.effect.modified().bases(), two.effect.modified().bases());
    let changed: Vec<Base> = first.keys().chain(second.keys()).copied().collect();
    let both = first.keys().copied().filter(|b| !b.is_field() && second.contains_key(b));
    let same: Vec<(Base, EffExpr)> = both
        .filter_map(|base| {
            let search = Search { an: &ctx.analysis, outside: &ctx.env, base, changed: &changed };
            Some((base, one_value(&search, [one, two])?))
        })
        .collect();
    if same.is_empty() {
        return strict;
    }
    let each = same.iter().map(|(base, one_value)| {
        let [a1, a2] = [one, two].map(|piece| piece.effect.only(*base));
        let unread = [(&a1, &a2), (&a2, &a1)]
            .map(|(a, b)| EffExpr::definitely(a.modified().inter(b.reads()).is_empty()));
        let alike = EffExpr::and(unread.into_iter().chain([one_value.clone()]));
        EffExpr::or([commutes_but_for(overwritten, &a1, &a2), alike])
    });
    let without = |a: &Effect| same.iter().fold(a.clone(), |a, (base, _)| a.except(*base));
    let others = commutes_but_for(overwritten, &without(&one.effect), &without(&two.effect));
    EffExpr::and(each.chain([others]).collect::<Vec<_>>())
}

/// Any two writes to one cell of the buffer, one by each piece, write one value; `None` when the buffer is changed in
/// another way, or by different computations.
fn one_value(search: &Search<'_>, pieces: [&Piece<'_>; 2]) -> Option<EffExpr> {
    let [one, two] = pieces.map(|piece| search.writes(&piece.env, EffExpr::bool(true), piece.body));
    let (one, two) = (one?, two?);
    let pairs = one.iter().flat_map(|a| two.iter().map(move |b| a.agrees_with(b)));
    Some(EffExpr::and(pairs.collect::<Option<Vec<_>>>()?))
}
