//! Whose names and order a unit has. Spec: [rule: c.style].

use crate::c::names::unit_word;
use crate::memory::{Memories, is_main};
use rewright_semantics::types::MemName;

/// What those count on that link with a unit, or whose texts stand in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Names that keep apart units of any name.
    #[default]
    Rewright,
    /// Exo's names, its structs, and its order of global code.
    Exo,
}

/// What Exo's main memory has once in a file.
const EXO_MAIN_MEMORY: &str = "#include <stdio.h>\n#include <stdlib.h>";

impl Style {
    /// What the tags of windows' structs begin with.
    pub fn window_prefix(self) -> &'static str {
        match self {
            Style::Rewright => "win_",
            Style::Exo => "exo_win_",
        }
    }

    /// The macro that says that the struct of this tag is there.
    pub(crate) fn window_guard(self, tag: &str) -> String {
        match self {
            Style::Rewright => format!("REWRIGHT_{}", tag.to_ascii_uppercase()),
            Style::Exo => tag.to_ascii_uppercase(),
        }
    }

    /// The macro that says that the header of a unit is there.
    pub(crate) fn header_guard(self, unit: &str) -> String {
        format!("{}_H", self.unit_word(unit)).to_uppercase()
    }

    /// The context of a unit.
    pub(crate) fn context(self, unit: &str) -> String {
        let word = self.unit_word(unit);
        match self {
            Style::Rewright => format!("{word}_ctxt"),
            Style::Exo => format!("{word}_Context"),
        }
    }

    fn unit_word(self, unit: &str) -> String {
        match self {
            Style::Rewright => unit_word(unit),
            Style::Exo => exo_word(unit),
        }
    }

    /// What a memory has once in a file.
    pub(crate) fn global(self, memories: &Memories, m: MemName) -> Option<String> {
        let own = memories.get(m)?.global();
        match self {
            Style::Rewright => own,
            Style::Exo => own.or_else(|| is_main(m).then(|| EXO_MAIN_MEMORY.to_owned())),
        }
    }
}

/// A unit's name with `_` for what stands in no identifier; nothing begins with a digit, which is no C in Exo.
fn exo_word(unit: &str) -> String {
    let word: String = unit.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    if word.starts_with(|c: char| c.is_numeric()) { format!("x{word}") } else { word }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: [rule: c.style].
    #[test]
    fn units_have_exos_names() {
        for (unit, context, guard) in [
            ("u", "u_Context", "U_H"),
            ("MyLib", "MyLib_Context", "MYLIB_H"),
            ("my-lib", "my_lib_Context", "MY_LIB_H"),
            ("a.b", "a_b_Context", "A_B_H"),
            ("x y", "x_y_Context", "X_Y_H"),
            ("9x", "x9x_Context", "X9X_H"),
        ] {
            assert_eq!(
                (Style::Exo.context(unit), Style::Exo.header_guard(unit)),
                (context.into(), guard.into())
            );
        }
    }
}
