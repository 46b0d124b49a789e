//! Inputs of procedures: found at random, shrunk, written and read as text. Spec: [rule: inputs].
//!
//! An [`Input`] is independent of any data domain. [`generate`] finds one that satisfies a procedure's
//! assertions; [`shrink`] makes one smaller while something stays true of it; [`parse_args`] reads what
//! [`Input`]'s `Display` prints. All is determined by the seed, on every platform.
//!
//! The three are methods of a [`Subject`] as well, which two procedures can share that are to be
//! compared: the fields that either reads then have values.

mod data;
mod generate;
mod layout;
mod partial;
mod shrink;
mod solve;
mod survey;
mod text;

pub use data::Data;
pub use rewright_base::rng;

pub use generate::{NoInput, Search};
pub use solve::Obstacle;
pub use text::{ArgError, show_window};

use crate::ast::{Decimal, Proc};
use crate::data::{DataDomain, Datum};
use crate::store::{Buffer, ConfigKey, Dim, Loc, Store, Window, dense};
use crate::sym::Name;
use crate::types::{ArgType, DataType, FieldType};
use crate::value::{Control, Val};
use std::collections::BTreeMap;
use survey::Survey;

/// What inputs are for: a procedure, and the fields and literals that matter.
#[derive(Clone, Debug)]
pub struct Subject<'p> {
    proc: &'p Proc,
    survey: Survey,
}

impl<'p> Subject<'p> {
    /// A procedure.
    pub fn of(p: &'p Proc) -> Subject<'p> {
        Subject { proc: p, survey: Survey::of(p) }
    }

    /// Two procedures of equal signature. Names, shapes and assertions are those of the first.
    pub fn pair(old: &'p Proc, new: &Proc) -> Subject<'p> {
        let mut survey = Survey::of(old);
        survey.proc(new);
        Subject { proc: old, survey }
    }

    /// The procedure, or the first of the pair.
    pub fn procedure(&self) -> &'p Proc {
        self.proc
    }

    /// The fields that are read or written, in order.
    pub fn fields(&self) -> impl Iterator<Item = (ConfigKey, FieldType)> {
        self.survey.fields.iter().map(|(key, typ)| (*key, *typ))
    }
}

/// An input of a procedure: see [`Subject::generate`].
///
/// # Errors
/// None was found within the budget.
pub fn generate(p: &Proc, given: &Given, seed: u64, search: Search) -> Result<Input, NoInput> {
    Subject::of(p).generate(given, seed, search)
}

/// A smaller input of a procedure: see [`Subject::shrink`].
pub fn shrink(p: &Proc, input: &Input, still: &mut dyn FnMut(&Input) -> bool, budget: u64) -> Input {
    Subject::of(p).shrink(input, still, budget)
}

/// Reads arguments from the command line: see [`Subject::parse_args`].
///
/// # Errors
/// The first argument that is not right, and why.
pub fn parse_args(texts: &[String], p: &Proc) -> Result<Given, ArgError> {
    Subject::of(p).parse_args(texts)
}

/// Values for the arguments of a procedure and for configuration fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// One per formal argument, in order.
    pub args: Vec<(Name, InputValue)>,
    /// The fields that are set; the others are ⊥.
    pub fields: BTreeMap<ConfigKey, InputValue>,
}

/// The value of an argument or field.
#[derive(Clone, Debug, PartialEq)]
pub enum InputValue {
    /// A control integer.
    Int(i64),
    /// A truth value.
    Bool(bool),
    /// Data: a scalar, a tensor or a window.
    Data(InputBuffer),
}

/// A buffer: what an argument shows, and how it lies in memory.
#[derive(Clone, Debug, PartialEq)]
pub struct InputBuffer {
    /// Extents; empty for a scalar.
    pub shape: Vec<i64>,
    /// The values, row-major; `None` is ⊥.
    pub cells: Vec<Option<Decimal>>,
    /// Where a window's cells lie; `None` is densely, from the start.
    pub layout: Option<Layout>,
}

/// Where the cells of a window lie within the buffer it shows a part of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The place of the first cell.
    pub offset: i64,
    /// One per dimension.
    pub strides: Vec<i64>,
}

/// What is given of an input before the rest is found: any arguments and fields, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Given {
    /// Arguments.
    pub args: BTreeMap<Name, InputValue>,
    /// Fields.
    pub fields: BTreeMap<ConfigKey, InputValue>,
}

impl From<&Input> for Given {
    fn from(input: &Input) -> Given {
        Given { args: input.args.iter().cloned().collect(), fields: input.fields.clone() }
    }
}

impl InputValue {
    /// ⊥: what a field holds that was never set, of data or control alike.
    pub fn unset() -> InputValue {
        InputValue::Data(InputBuffer { shape: Vec::new(), cells: vec![None], layout: None })
    }

    /// Whether it is [`InputValue::unset`].
    pub fn is_unset(&self) -> bool {
        match self {
            InputValue::Int(_) | InputValue::Bool(_) => false,
            InputValue::Data(buffer) => buffer.shape.is_empty() && buffer.get(&[]) == Some(None),
        }
    }

    /// The control value, when it is one.
    fn control(&self) -> Option<Control> {
        match self {
            InputValue::Int(n) => Some(Control::Int(*n)),
            InputValue::Bool(b) => Some(Control::Bool(*b)),
            InputValue::Data(_) => None,
        }
    }

    /// A control value that is not ⊥.
    fn from_control(value: Control) -> Option<InputValue> {
        match value {
            Control::Int(n) => Some(InputValue::Int(n)),
            Control::Bool(b) => Some(InputValue::Bool(b)),
            Control::Unknown => None,
        }
    }
}

impl Input {
    /// How many cells its arguments have.
    pub fn cells(&self) -> u64 {
        let of = |v: &InputValue| match v {
            InputValue::Data(b) => u64::try_from(b.cells.len()).unwrap_or(u64::MAX),
            InputValue::Int(_) | InputValue::Bool(_) => 0,
        };
        self.args.iter().map(|(_, v)| of(v)).fold(0, u64::saturating_add)
    }

    /// The buffer given for an argument.
    pub fn buffer(&self, name: Name) -> Option<&InputBuffer> {
        self.args.iter().find_map(|(n, value)| match value {
            InputValue::Data(buffer) if *n == name => Some(buffer),
            InputValue::Data(_) | InputValue::Int(_) | InputValue::Bool(_) => None,
        })
    }

    /// The arguments and the store of this input, in a data domain. Arguments of the wrong kind are left
    /// to the interpreter, which finds them ill-typed.
    pub fn store<D: DataDomain>(&self, p: &Proc) -> (Vec<Val<D::Value>>, Store<D::Value>) {
        self.store_for::<D>(&Subject::of(p))
    }

    /// The same, for a subject.
    pub fn store_for<D: DataDomain>(&self, subject: &Subject<'_>) -> (Vec<Val<D::Value>>, Store<D::Value>) {
        let mut st = Store::new();
        let mut values = Vec::with_capacity(self.args.len());
        for ((name, value), arg) in self.args.iter().zip(&subject.proc.args) {
            let elem = match &arg.typ {
                ArgType::Data { typ, mem: _ } => typ.elem,
                ArgType::Control(_) => DataType::R,
            };
            values.push(match value {
                InputValue::Int(n) => Val::Int(*n),
                InputValue::Bool(b) => Val::Bool(*b),
                InputValue::Data(buffer) => Val::Window(buffer.allocate::<D>(*name, elem, &mut st)),
            });
        }
        for (key, value) in &self.fields {
            let value = match value {
                InputValue::Int(n) => Val::Int(*n),
                InputValue::Bool(b) => Val::Bool(*b),
                InputValue::Data(buffer) => match buffer.get(&[]).flatten() {
                    Some(given) => {
                        let typ = subject.field_precision(*key);
                        Val::Data(D::input(Name::new(&key.to_string()), &[], &given, typ))
                    }
                    None => continue,
                },
            };
            st.set_global(*key, value);
        }
        (values, st)
    }
}

impl Subject<'_> {
    /// The same input where some fields were never set: each in half of the cases, and one at least. `None` where
    /// there are no fields.
    pub fn with_fields_unset(&self, input: &Input, seed: u64) -> Option<Input> {
        let keys: Vec<ConfigKey> = self.survey.fields.keys().copied().collect();
        let mut rng = rng::Rng::new(seed);
        let one = usize::try_from(rng.below(u64::try_from(keys.len()).ok()?)).ok()?;
        let mut out = input.clone();
        for (k, key) in keys.iter().enumerate() {
            if k == one || rng.one_in(2) {
                out.fields.insert(*key, InputValue::unset());
            }
        }
        (!keys.is_empty()).then_some(out)
    }

    fn field_precision(&self, key: ConfigKey) -> DataType {
        match self.survey.fields.get(&key) {
            Some(FieldType::Data(typ)) => *typ,
            Some(FieldType::Control(_)) | None => DataType::R,
        }
    }
}

impl InputBuffer {
    /// A scalar.
    pub fn scalar(value: Decimal) -> InputBuffer {
        InputBuffer { shape: Vec::new(), cells: vec![Some(value)], layout: None }
    }

    /// The value at these indices, `Some(None)` for ⊥; `None` outside.
    fn get(&self, index: &[i64]) -> Option<Option<Decimal>> {
        let whole = Window::whole(Loc(0), &self.shape);
        self.cells.get(whole.cell(index)?).cloned()
    }

    /// Extents and strides.
    fn dims(&self) -> Vec<Dim> {
        match &self.layout {
            None => dense(&self.shape),
            Some(layout) => {
                let dims = self.shape.iter().zip(&layout.strides);
                dims.map(|(extent, stride)| Dim { extent: *extent, stride: *stride }).collect()
            }
        }
    }

    /// Puts the buffer into a store; cells between those of a window are ⊥.
    fn allocate<D: DataDomain>(&self, name: Name, elem: DataType, st: &mut Store<D::Value>) -> Window {
        let offset = self.layout.as_ref().map_or(0, |l| l.offset);
        let mut window = Window { loc: Loc(0), offset, dims: self.dims() };
        let root: Vec<i64> = match &self.layout {
            None => self.shape.clone(),
            Some(_) => vec![layout::length(&window)],
        };
        let blank = Buffer::unknown(name, elem, &root, 1 << 28);
        let Some(blank) = blank.or_else(|| Buffer::unknown(name, elem, &[0], 0)) else { return window };
        window.loc = st.allocate(blank);
        for (index, value) in window.indices().zip(&self.cells) {
            let value = match value {
                Some(given) => Datum::Known(D::input(name, &index, given, elem)),
                None => Datum::Unknown,
            };
            st.write(&window, &index, value);
        }
        window
    }
}
