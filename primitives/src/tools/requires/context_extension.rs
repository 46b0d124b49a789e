//! Configuration fields that a rewrite leaves otherwise than they were. PLDI'22 §6.2 (context extension); spec:
//! [rule: modulo].

use crate::cursor::path::{Step, stmt_at};
use crate::edit::Edit;
use crate::error::Result;
use crate::registry::Condition;
use crate::rewrite::Rewrite;
use crate::tools::requires::definitely_assigned::{assigned_after, is_definitely_assigned};
use crate::tools::requires::held::{holds_already, leave_the_same, left_by};
use crate::tools::requires::tentative::{parallel_around, races, tentative};
use crate::tools::syntax::stmt_views::For;
use rewright_effects::conditions;
use rewright_effects::context::Context;
use rewright_effects::effexpr::{EffExpr, Sort};
use rewright_effects::env::{Field, sort_of_field};
use rewright_effects::obligation::Obligation;
use rewright_semantics::ast::{self, Block, Config, Expr, Stmt, StmtKind};
use rewright_semantics::build::block;
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::sym::Name;
use rewright_semantics::types::{ControlType, FieldType};

/// The field of this name; a wrong argument where there is none.
pub fn field_of(rw: &Rewrite, config: &Config, name: &str) -> Result<(Name, FieldType)> {
    let name = Name::new(name);
    match config.field(name) {
        Some(f) => Ok((name, f.typ)),
        None => {
            let known: Vec<&str> = config.fields.iter().map(|f| f.name.as_str()).collect();
            let why = format!("`{}` has no field `{name}`; it has {}", config.name, known.join(", "));
            Err(rw.wrong_argument(why))
        }
    }
}

/// Requires that nothing after the hole reads the fields before they are overwritten. Where they are overwritten in
/// any case the versions agree in them again; in the others they agree no more. What is put at the place, in versions of it, must not
/// read them either, when a loop runs it again.
///
/// # Errors
/// One may be read: a refusal.
pub fn require_unread(
    rw: &mut Rewrite,
    condition: &Condition,
    (place, ctx): (&[Step], &Context),
    fields: &[Field],
    new: &[Block],
) -> Result<()> {
    rw.require(condition, conditions::unread_after(ctx, fields))?;
    let loops = loops_around(rw.ast(), place);
    if let (Some((_, outermost)), Some((depth, innermost))) = (loops.first(), loops.last()) {
        let before = innermost.body.clone().slice(..place[*depth].index());
        let again =
            new.iter().flat_map(|new| conditions::unread_again(ctx, &outermost.body, [&before, new], fields));
        let again: Vec<Obligation> = again.collect();
        if !again.is_empty() {
            rw.require(condition, again)?;
        }
    }
    let session = rw.session().clone();
    let (again, left): (Vec<_>, Vec<_>) = conditions::remaining_globals(ctx, fields)
        .into_iter()
        .partition(|(_, overwritten)| session.decide(overwritten).is_proved());
    if !again.is_empty() {
        rw.require(condition, again.into_iter().map(|(_, overwritten)| overwritten))?;
    }
    rw.modulo(left.into_iter().map(|(f, _)| f));
    Ok(())
}

/// The loops around a place, outermost first, each with how many steps lead to it.
fn loops_around(p: &ast::Proc, place: &[Step]) -> Vec<(usize, For)> {
    (1..place.len()).filter_map(|depth| Some((depth, For::of(stmt_at(p, &place[..depth])?)?))).collect()
}

/// Of the fields in which two blocks may differ at a place, those that may hold different values after either. A field of
/// data is one, for no value is known of it, unless one block is nothing and the other writes what it holds already, or both write
/// the same; and so is a field that may not be set.
///
/// # Errors
/// A bug of the primitive.
pub fn differing(
    rw: &mut Rewrite,
    condition: &Condition,
    p: &ast::Proc,
    (place, ctx): (&[Step], &Context),
    fields: impl IntoIterator<Item = Field>,
    blocks: [&Block; 2],
) -> Result<Vec<Field>> {
    let mut fields = fields.into_iter().peekable();
    if fields.peek().is_none() {
        return Ok(Vec::new());
    }
    let mut sorts = ctx.analysis.written_fields(blocks[0]);
    sorts.extend(ctx.analysis.written_fields(blocks[1]));
    let [one, two] = blocks.map(|b| assigned_after(p, place, b));
    let mut out = Vec::new();
    for field in fields {
        let sort = sorts.get(&field).copied();
        let same = conditions::same_after_either(ctx, (field, sort.unwrap_or(Sort::Int)), blocks);
        let is_known = sort.is_some() && one.contains(&field) && two.contains(&field);
        let formula = match written_alone(blocks, field).filter(|_| sort.is_none()) {
            Some(e) => EffExpr::bool(holds_already(p, place, field, &e)),
            None if is_known => same.formula.clone(),
            None => EffExpr::bool(sort.is_none() && leave_the_same(blocks, field)),
        };
        let is_same = rw.holds(condition, [Obligation { formula, ..same }])?;
        if !is_same {
            out.push(field);
        }
    }
    Ok(out)
}

/// What one of two blocks leaves in a field of data, if it is one statement and the other block does nothing.
fn written_alone(blocks: [&Block; 2], of: Field) -> Option<Expr> {
    let does = |s: &&Stmt| !matches!(s.kind.as_ref(), StmtKind::Pass);
    let [one, two] = blocks.map(|b| b.iter().filter(does).collect::<Vec<_>>());
    let (([s], []) | ([], [s])) = (one.as_slice(), two.as_slice()) else { return None };
    left_by(&block([(*s).clone()]), of)
}

/// Requires that the parallel loops around a place are free of races after the edits.
///
/// # Errors
/// They may not be: a refusal.
pub fn require_no_races(
    rw: &mut Rewrite,
    condition: &Condition,
    p: &ast::Proc,
    place: &[Step],
    edits: &[Edit],
) -> Result<()> {
    let loops = parallel_around(p, place);
    if loops.is_empty() {
        return rw.require(condition, []);
    }
    let new = tentative(p, edits).ok_or_else(|| rw.internal("an edit does not fit"))?;
    rw.require(condition, races(rw.session(), &new, &loops))
}

/// Requires that a value which is written to a field of type size is one, and at least 1. PLDI'22 §3.1 (6). What the
/// program evaluates there in any case is in `also`.
///
/// # Errors
/// It may not be: a refusal.
pub fn require_positive(
    rw: &mut Rewrite,
    condition: &Condition,
    p: &ast::Proc,
    (place, ctx): (&[Step], &Context),
    (config, field, e): (&Config, Name, &Expr),
    also: &[Expr],
) -> Result<()> {
    if config.field(field).is_none_or(|f| f.typ != FieldType::Control(ControlType::Size)) {
        return rw.require(condition, []);
    }
    rw.refuse_unless(condition, is_definitely_assigned(p, place, e, also), || {
        format!("`{}` reads a field that may not be set", expr_to_string(e))
    })?;
    rw.require(condition, [conditions::positive(ctx, e)])
}

/// Whether a field is control.
pub fn is_control(config: &Config, field: Name) -> bool {
    sort_of_field(config, field).is_some()
}
