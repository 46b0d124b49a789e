//! Where things are in memory, and what a word of C holds.

use crate::code::kinds::{Kinds, Slot};
use crate::code::{Code, Fun};
use rewright_base::c_names::{self, Class};
use rewright_base::sym::Name;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a C variable holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rep {
    /// An integer: `int64_t`.
    Int,
    /// Any value: `rw_val`.
    Value,
    /// Memory, or NULL: `struct rw_cell *`.
    Token,
}

impl Rep {
    pub(super) fn ctype(self) -> &'static str {
        match self {
            Rep::Int => "int64_t ",
            Rep::Value => "rw_val ",
            Rep::Token => "struct rw_cell *",
        }
    }
}

/// The fields of a cell: values first, since only these are dropped with it.
#[derive(Clone, Debug)]
pub(super) struct Fields {
    /// Where each field is.
    pub(super) at: Vec<usize>,
    /// What each field is.
    pub(super) reps: Vec<Rep>,
    /// How many are values.
    pub(super) counted: usize,
}

impl Fields {
    /// # Errors
    /// More fields than a header can say.
    pub(super) fn new(what: Name, reps: Vec<Rep>) -> Result<Fields, String> {
        if reps.len() > usize::from(u8::MAX) {
            return Err(format!("`{what}` has {} fields; C takes 255", reps.len()));
        }
        let counted = reps.iter().filter(|r| **r != Rep::Int).count();
        let (mut values, mut ints) = (0, counted);
        let place = |rep: &Rep| {
            let next = if *rep == Rep::Int { &mut ints } else { &mut values };
            *next += 1;
            *next - 1
        };
        Ok(Fields { at: reps.iter().map(place).collect(), reps, counted })
    }

    /// Whether two cells have the same thing at the place of a field.
    pub(super) fn agrees(&self, other: &Fields, field: usize) -> bool {
        self.at.get(field) == other.at.get(field) && self.reps.get(field) == other.reps.get(field)
    }
}

/// The layout of a program.
pub(super) struct Layout<'c> {
    pub(super) code: &'c Code,
    pub(super) kinds: Kinds,
    /// Constructors: the number in their cells, what C calls it, their fields.
    pub(super) constructors: BTreeMap<Name, (String, Fields)>,
}

impl<'c> Layout<'c> {
    /// # Errors
    /// More constructors or fields than a header can say.
    pub(super) fn new(code: &'c Code) -> Result<Layout<'c>, String> {
        let kinds = Kinds::of(code);
        if code.constructors.len() > 30_000 {
            return Err("C takes 30000 constructors".to_owned());
        }
        let mut names = Names::default();
        let mut constructors = BTreeMap::new();
        for (name, arity) in &code.constructors {
            let rep = |i| if kinds.get(Slot::Field(*name, i)).is_int() { Rep::Int } else { Rep::Value };
            let fields = Fields::new(*name, (0..*arity).map(rep).collect())?;
            constructors.insert(*name, (names.fresh("C_", *name), fields));
        }
        Ok(Layout { code, kinds, constructors })
    }

    pub(super) fn rep(&self, f: &Fun, x: Name) -> Rep {
        if self.kinds.get(Slot::Var(f.name, x)).is_int() { Rep::Int } else { Rep::Value }
    }

    pub(super) fn result(&self, f: Name) -> Rep {
        if self.kinds.get(Slot::Result(f)).is_int() { Rep::Int } else { Rep::Value }
    }

    pub(super) fn has_fields(&self, con: Name) -> bool {
        self.code.constructors.get(&con).is_some_and(|n| *n > 0)
    }
}

/// Names of C, each once.
#[derive(Default)]
pub(super) struct Names {
    taken: BTreeMap<String, usize>,
}

impl Names {
    /// A name of C like this one.
    pub(super) fn fresh(&mut self, prefix: &str, name: Name) -> String {
        let letters = name.as_str().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' });
        let mut text = format!("{prefix}{}", letters.collect::<String>());
        if prefix.is_empty() && (is_reserved(&text) || !text.starts_with(|c: char| c.is_ascii_lowercase())) {
            text = format!("v_{text}");
        }
        let n = self.taken.entry(text.clone()).or_insert(0);
        *n += 1;
        if *n == 1 {
            return text;
        }
        let numbered = format!("{text}_{n}");
        if self.taken.contains_key(&numbered) {
            self.fresh(prefix, Name::new(&format!("{name}_")))
        } else {
            self.taken.insert(numbered.clone(), 1);
            numbered
        }
    }
}

/// Whether C or the runtime means something by a word: `f` and `tag` are fields of cells.
fn is_reserved(word: &str) -> bool {
    static WORDS: OnceLock<FxHashSet<&str>> = OnceLock::new();
    let words = || {
        let defined = [Class::Macro, Class::Name].into_iter().flat_map(c_names::of_headers);
        c_names::keywords().chain(defined).chain(["asm", "linux", "main", "unix", "f", "tag"]).collect()
    };
    WORDS.get_or_init(words).contains(word)
        || ["rw_", "f_", "c_", "t_", "v_"].iter().any(|p| word.starts_with(p))
}
