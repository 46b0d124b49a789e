//! Static cells. Spec: [rule: perceus.c.static].

use super::layout::{Layout, Rep};
use super::text;
use crate::code::{Atom, Static, StaticId};

/// The word that refers to a static cell.
pub(super) fn value(id: StaticId) -> String {
    format!("rw_of(&c_static{})", id.0)
}

/// All of a program, each behind those it refers to.
pub(super) fn definitions(layout: &Layout<'_>) -> String {
    let all = layout.code.statics.iter().enumerate();
    all.map(|(i, s)| definition(layout, i, s)).collect()
}

fn definition(layout: &Layout<'_>, number: usize, s: &Static) -> String {
    let Some((tag, fields)) = layout.constructors.get(&s.con) else { return String::new() };
    let (mut before, mut words) = (String::new(), vec![String::new(); s.args.len()]);
    for (i, ((a, at), rep)) in s.args.iter().zip(&fields.at).zip(&fields.reps).enumerate() {
        if let Some(word) = words.get_mut(*at) {
            *word = match (*a, rep) {
                (Atom::Int(n), Rep::Int) => format!("(uint64_t){}", text::int(n)),
                (Atom::Int(n), Rep::Value | Rep::Token) if is_small(n) => format!("RW_INT({})", text::int(n)),
                (Atom::Int(n), Rep::Value | Rep::Token) => {
                    let name = format!("c_static{number}_{i}");
                    let int = text::int(n);
                    before.push_str(&format!("RW_STATIC_CELL({name}, RW_BIG, 1, 0, (uint64_t){int})\n"));
                    format!("RW_STATIC_REF({name})")
                }
                (Atom::Con(c), _) => {
                    let name = layout.constructors.get(&c).map_or("0", |(name, _)| name.as_str());
                    format!("RW_CON({name})")
                }
                (Atom::Static(s), _) => format!("RW_STATIC_REF(c_static{})", s.0),
                (Atom::Var(_), _) => "0".to_owned(),
            };
        }
    }
    let (length, counted) = (fields.at.len(), fields.counted);
    format!("{before}RW_STATIC_CELL(c_static{number}, {tag}, {length}, {counted}, {})\n", words.join(", "))
}

/// Whether a word has room for an integer.
fn is_small(n: i64) -> bool {
    (-(1 << 62)..1 << 62).contains(&n)
}
