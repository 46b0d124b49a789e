//! Inputs of procedures: found at random, shrunk, written and read as text. Spec: [rule: inputs].
//!
//! An [`Input`] is independent of any data domain. [`generate`] finds one that satisfies a procedure's
//! assertions; [`shrink`] makes one smaller while something stays true of it; [`parse_args`] reads what
//! [`Input`]'s `Display` prints. All is determined by the seed, on every platform.

mod layout;
pub mod rng;
mod shrink;
mod solve;
mod survey;
#[cfg(test)]
mod tests;
mod text;

pub use shrink::shrink;
pub use text::{ArgError, parse_args};

use crate::ast::{Decimal, Expr, Proc};
use crate::data::{DataDomain, Datum};
use crate::store::{Buffer, ConfigKey, Store, Window};
use crate::sym::Name;
use crate::types::{ArgType, ArrayKind, BufferType, ControlType, DataType, FieldType};
use crate::value::{Control, Val};
use rng::Rng;
use solve::{Assignment, Constraint, Key, Problem};
use std::collections::BTreeMap;
use survey::Survey;

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

/// How inputs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Most cells of one argument.
    pub max_cells: u64,
    /// Most values tried for control variables.
    pub budget: u64,
}

impl Default for Search {
    fn default() -> Search {
        Search { max_cells: 1 << 13, budget: 20_000 }
    }
}

/// No input was found that satisfies the assertions: there is none, or it was not among those tried.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("found no input for `{proc}` that satisfies its assertions{} (tried {tried} values)", blame(.assertion))]
pub struct NoInput {
    /// The procedure.
    pub proc: Name,
    /// How many values were tried.
    pub tried: u64,
    /// The assertion (counted from 0) that failed most often; `None` when shapes or given data did.
    pub assertion: Option<usize>,
}

fn blame(assertion: &Option<usize>) -> String {
    match assertion {
        Some(n) => format!("; assertion {} stood in the way", n + 1),
        None => String::new(),
    }
}

/// An input that satisfies the procedure's assertions, agrees with what is given, and is random otherwise.
///
/// # Errors
/// None was found within the budget.
pub fn generate(p: &Proc, given: &Given, seed: u64, search: Search) -> Result<Input, NoInput> {
    let mut rng = Rng::new(seed);
    let problem = problem_of(p, given, search);
    let mut stuck = None;
    // A solution can still have strides that no layout has; another one is then looked for.
    for _ in 0..8 {
        let mut taste = Taste::random(p, &mut rng);
        let found = problem
            .solve(&mut |v, candidates| taste.order(v.typ, candidates, &problem, &mut rng), search.budget);
        match found {
            Ok(values) => {
                if let Some(input) = complete(p, given, &problem, &values, &mut Filler::Random(&mut rng)) {
                    return Ok(input);
                }
            }
            Err(s) => {
                stuck = Some(s);
                break;
            }
        }
    }
    let (tried, assertion) = stuck.map_or((0, None), |s| (s.tried, s.assertion));
    Err(NoInput { proc: p.name, tried, assertion })
}

/// The constraints on the control variables, with what is given.
fn problem_of(p: &Proc, given: &Given, search: Search) -> Problem {
    // Data that is given may be larger than what is generated.
    let given_cells = given.args.values().map(|v| match v {
        InputValue::Data(b) => u64::try_from(b.cells.len()).unwrap_or(u64::MAX),
        InputValue::Int(_) | InputValue::Bool(_) => 0,
    });
    let fixed_sizes = given.args.values().any(|v| matches!(v, InputValue::Int(_)));
    let limit = if fixed_sizes { 1 << 26 } else { search.max_cells };
    let mut problem = Problem::of(p, given_cells.max().unwrap_or(0).max(limit));
    for arg in &p.args {
        match (&arg.typ, given.args.get(&arg.name.name())) {
            (ArgType::Control(_), Some(value)) => {
                if let Some(value) = value.control() {
                    problem.fix(Key::Arg(arg.name), value);
                }
            }
            (ArgType::Data { typ, mem: _ }, Some(InputValue::Data(buffer))) => {
                for (e, extent) in typ.shape.iter().zip(&buffer.shape) {
                    problem.require(Constraint::Extent(e.clone(), *extent));
                }
                for (d, dim) in buffer.window_dims().iter().enumerate() {
                    problem.fix(Key::Stride(arg.name, d), Control::Int(dim.stride));
                }
            }
            (ArgType::Data { .. }, Some(InputValue::Int(_) | InputValue::Bool(_)) | None)
            | (ArgType::Control(_), None) => {}
        }
    }
    for (key, value) in &given.fields {
        if let Some(value) = value.control() {
            problem.fix(Key::Field(*key), value);
        }
    }
    problem
}

/// Where data and layouts that are not given come from.
enum Filler<'r> {
    /// At random.
    Random(&'r mut Rng),
    /// From another input where that has them, zero and dense elsewhere.
    Like(&'r Input),
}

/// The input with these control values; `None` when strides and extents do not go together.
fn complete(
    p: &Proc,
    given: &Given,
    problem: &Problem,
    values: &Assignment,
    filler: &mut Filler<'_>,
) -> Option<Input> {
    let mut args = Vec::with_capacity(p.args.len());
    for arg in &p.args {
        let name = arg.name.name();
        let value = match &arg.typ {
            ArgType::Control(_) => InputValue::from_control(*values.get(&Key::Arg(arg.name))?)?,
            ArgType::Data { typ, mem: _ } => match given.args.get(&name) {
                Some(value @ InputValue::Data(_)) => value.clone(),
                Some(InputValue::Int(_) | InputValue::Bool(_)) | None => {
                    let shape = extents(typ, problem, values)?;
                    let stride = |d| match values.get(&Key::Stride(arg.name, d)) {
                        Some(Control::Int(n)) => Some(*n),
                        Some(Control::Bool(_) | Control::Unknown) | None => None,
                    };
                    InputValue::Data(filler.buffer(name, typ, shape, &stride)?)
                }
            },
        };
        args.push((name, value));
    }
    let mut fields = given.fields.clone();
    for (key, typ) in Survey::of(p).fields {
        let value = match (fields.contains_key(&key), typ) {
            (true, _) => continue,
            (false, FieldType::Control(_)) => InputValue::from_control(*values.get(&Key::Field(key))?)?,
            (false, FieldType::Data(typ)) => InputValue::Data(InputBuffer {
                shape: Vec::new(),
                cells: vec![Some(filler.scalar(key, typ))],
                layout: None,
            }),
        };
        fields.insert(key, value);
    }
    Some(Input { args, fields })
}

fn extents(typ: &BufferType, problem: &Problem, values: &Assignment) -> Option<Vec<i64>> {
    let extent = |e: &Expr| match problem.eval(e, values) {
        Control::Int(n) => Some(n),
        Control::Bool(_) | Control::Unknown => None,
    };
    typ.shape.iter().map(extent).collect()
}

impl Filler<'_> {
    fn buffer(
        &mut self,
        name: Name,
        typ: &BufferType,
        shape: Vec<i64>,
        stride: &dyn Fn(usize) -> Option<i64>,
    ) -> Option<InputBuffer> {
        let layout = match (typ.kind, &mut *self) {
            (ArrayKind::Tensor, _) => None,
            (ArrayKind::Window, Filler::Random(rng)) => layout::random(&shape, stride, rng)?,
            (ArrayKind::Window, Filler::Like(_)) => layout::tight(&shape, stride)?,
        };
        let old = match self {
            Filler::Random(_) => None,
            Filler::Like(input) => input.buffer(name),
        };
        let cells = crate::store::all_indices(&shape)
            .map(|index| match (old, &mut *self) {
                (Some(old), _) => old.get(&index).unwrap_or_else(|| Some(Decimal::new(0, 0))),
                (None, Filler::Random(rng)) => Some(small(typ.elem, rng)),
                (None, Filler::Like(_)) => Some(Decimal::new(0, 0)),
            })
            .collect();
        Some(InputBuffer { shape, cells, layout })
    }

    fn scalar(&mut self, key: ConfigKey, typ: DataType) -> Decimal {
        match self {
            Filler::Random(rng) => small(typ, rng),
            Filler::Like(input) => match input.fields.get(&key) {
                Some(InputValue::Data(b)) => {
                    b.cells.first().cloned().flatten().unwrap_or_else(|| Decimal::new(0, 0))
                }
                Some(InputValue::Int(_) | InputValue::Bool(_)) | None => Decimal::new(0, 0),
            },
        }
    }
}

/// A small integer that the type can hold.
fn small(typ: DataType, rng: &mut Rng) -> Decimal {
    let least = match typ {
        DataType::UI8 | DataType::UI16 => 0,
        DataType::R | DataType::F16 | DataType::F32 | DataType::F64 | DataType::I8 | DataType::I32 => -4,
    };
    Decimal::new(rng.between(least, 5), 0)
}

/// What kind of control values one input is to have, so that different inputs are of different kinds.
struct Taste {
    /// Above this, a value is tried only when nothing else will do.
    cap: u64,
    /// Multiples of this come first.
    multiple: Option<i64>,
    chosen: bool,
}

impl Taste {
    fn random(p: &Proc, rng: &mut Rng) -> Taste {
        let sizes = p.args.iter().filter(|a| matches!(a.typ, ArgType::Control(_))).count();
        let widest = match sizes {
            0..=2 => 20,
            3 => 9,
            4 => 6,
            5 | 6 => 4,
            _ => 3,
        };
        let cap = if rng.one_in(4) { 2 } else { widest };
        Taste { cap, multiple: None, chosen: false }
    }

    /// The candidates in the order in which to try them.
    fn order(
        &mut self,
        typ: ControlType,
        mut candidates: Vec<Control>,
        problem: &Problem,
        rng: &mut Rng,
    ) -> Vec<Control> {
        if !self.chosen {
            self.chosen = true;
            let literals: Vec<i64> = problem.literals.iter().copied().filter(|n| *n <= 64).collect();
            if !literals.is_empty() && rng.one_in(3) {
                let bound = u64::try_from(literals.len()).unwrap_or(0);
                self.multiple = literals.get(usize::try_from(rng.below(bound)).unwrap_or(0)).copied();
            }
        }
        rng.shuffle(&mut candidates);
        let group = |value: &Control| match value {
            Control::Bool(_) | Control::Unknown => 0,
            Control::Int(n) => {
                let multiple =
                    self.multiple.is_some_and(|m| *n > 0 && n % m == 0 && *n <= m.saturating_mul(2));
                match typ {
                    ControlType::Size | ControlType::Int | ControlType::Index if multiple => 0,
                    _ if n.unsigned_abs() <= self.cap => 1,
                    _ => 2 + n.unsigned_abs(),
                }
            }
        };
        candidates.sort_by_key(group);
        candidates
    }
}

impl InputValue {
    fn control(&self) -> Option<Control> {
        match self {
            InputValue::Int(n) => Some(Control::Int(*n)),
            InputValue::Bool(b) => Some(Control::Bool(*b)),
            InputValue::Data(_) => None,
        }
    }

    fn from_control(value: Control) -> Option<InputValue> {
        match value {
            Control::Int(n) => Some(InputValue::Int(n)),
            Control::Bool(b) => Some(InputValue::Bool(b)),
            Control::Unknown => None,
        }
    }
}

impl Input {
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
        let mut st = Store::new();
        let mut values = Vec::with_capacity(self.args.len());
        for ((name, value), arg) in self.args.iter().zip(&p.args) {
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
        let types = Survey::of(p).fields;
        for (key, value) in &self.fields {
            let typ = match types.get(key) {
                Some(FieldType::Data(typ)) => *typ,
                Some(FieldType::Control(_)) | None => DataType::R,
            };
            let value = match value {
                InputValue::Int(n) => Val::Int(*n),
                InputValue::Bool(b) => Val::Bool(*b),
                InputValue::Data(buffer) => match buffer.cells.first().cloned().flatten() {
                    Some(given) => Val::Data(D::input(Name::new(&key.to_string()), &[], &given, typ)),
                    None => continue,
                },
            };
            st.set_global(*key, value);
        }
        (values, st)
    }
}

impl InputBuffer {
    /// A scalar.
    pub fn scalar(value: Decimal) -> InputBuffer {
        InputBuffer { shape: Vec::new(), cells: vec![Some(value)], layout: None }
    }

    /// The value at these indices; `None` outside.
    fn get(&self, index: &[i64]) -> Option<Option<Decimal>> {
        let whole = Window { loc: crate::store::Loc(0), offset: 0, dims: crate::store::dense(&self.shape) };
        self.cells.get(whole.cell(index)?).cloned()
    }

    fn window_dims(&self) -> Vec<crate::store::Dim> {
        match &self.layout {
            None => crate::store::dense(&self.shape),
            Some(layout) => {
                let dims = self.shape.iter().zip(&layout.strides);
                dims.map(|(extent, stride)| crate::store::Dim { extent: *extent, stride: *stride }).collect()
            }
        }
    }

    /// Puts the buffer into a store; cells between those of a window are ⊥.
    fn allocate<D: DataDomain>(&self, name: Name, elem: DataType, st: &mut Store<D::Value>) -> Window {
        let dims = self.window_dims();
        let offset = self.layout.as_ref().map_or(0, |l| l.offset);
        let mut window = Window { loc: crate::store::Loc(0), offset, dims };
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
