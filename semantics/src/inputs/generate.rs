//! Finding inputs that satisfy a procedure's assertions.

use super::layout;
use super::rng::Rng;
use super::solve::{Assignment, Constraint, Key, Obstacle, Problem};
use super::{Given, Input, InputBuffer, InputValue, Subject};
use crate::ast::{Decimal, Expr, ExprKind, Proc};
use crate::pretty::expr_to_string;
use crate::store::{ConfigKey, all_indices, cell_count};
use crate::sym::Name;
use crate::types::{ArgType, ArrayKind, BufferType, ControlType, DataType, FieldType};
use crate::value::Control;
use std::fmt;

/// How inputs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Most cells of one argument, unless sizes are given.
    pub max_cells: u64,
    /// Most values tried for control variables.
    pub budget: u64,
}

impl Search {
    /// What the commands use that run a procedure on input given by hand.
    pub const COMMAND: Search = Search { max_cells: 1 << 16, budget: 20_000 };
}

impl Default for Search {
    fn default() -> Search {
        Search { max_cells: 1 << 13, budget: 20_000 }
    }
}

/// Most cells of one argument, where sizes are given.
const MOST_CELLS: u64 = 1 << 22;

/// No input was found that satisfies the assertions: there is none, or it was not among those tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoInput {
    /// The procedure.
    pub proc: Name,
    /// How many values were tried.
    pub tried: u64,
    /// What stood in the way: something without which there is an input, where one thing is to blame; of several, what
    /// ruled out most values.
    pub because: Option<Obstacle>,
    /// The same in words.
    pub words: String,
}

impl fmt::Display for NoInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found no input for `{}`", self.proc)?;
        // Shapes are what is given, and no assertion.
        if !matches!(self.because, Some(Obstacle::Extent(..))) {
            write!(f, " that satisfies its assertions")?;
        }
        match self.words.as_str() {
            "" => {}
            words => write!(f, ": {words}")?,
        }
        match self.tried {
            1 => write!(f, " (1 value tried)"),
            n => write!(f, " ({n} values tried)"),
        }
    }
}

/// What stands in the way, in words.
fn in_words(p: &Proc, given: &Given, because: Option<Obstacle>) -> String {
    let shape = |x: Name| {
        p.args.iter().find(|a| a.name.name() == x).and_then(|a| match &a.typ {
            ArgType::Data { typ, mem: _ } => Some(typ.shape.clone()),
            ArgType::Control(_) => None,
        })
    };
    match because {
        Some(Obstacle::Assertion(n)) => {
            let text = p.preds.get(n).map(expr_to_string).unwrap_or_default();
            format!("assertion {}, `{text}`, stood in the way", n + 1)
        }
        Some(Obstacle::Negative(x)) => format!("an extent of `{x}` would be negative"),
        Some(Obstacle::Extent(x, d)) => {
            let extent =
                shape(x).and_then(|s| s.get(d).map(|e| extent_in_words(e, given))).unwrap_or_default();
            let elements = match given.args.get(&x) {
                Some(InputValue::Data(b)) => b.shape.get(d).copied().unwrap_or_default(),
                Some(InputValue::Int(_) | InputValue::Bool(_)) | None => 0,
            };
            let plural = if elements == 1 { "" } else { "s" };
            format!(
                "`{x}` is given with {elements} element{plural} in dimension {d}, where its extent is {extent}"
            )
        }
        Some(Obstacle::Cells(x, limit)) => format!("`{x}` would have more than {limit} cells"),
        Some(Obstacle::Strides) => "no layout of a window has the strides asked for".to_owned(),
        None => String::new(),
    }
}

/// An extent, and what it comes to where it is an argument that is given.
fn extent_in_words(extent: &Expr, given: &Given) -> String {
    let text = expr_to_string(extent);
    if let ExprKind::Read { name, idx } = &extent.kind
        && idx.is_empty()
        && let Some(InputValue::Int(n)) = given.args.get(&name.name())
    {
        return format!("`{text}`, which is {n}");
    }
    format!("`{text}`")
}

impl std::error::Error for NoInput {}

impl Subject<'_> {
    /// An input that satisfies the procedure's assertions, agrees with what is given, and is random
    /// otherwise.
    ///
    /// # Errors
    /// None was found within the budget.
    pub fn generate(&self, given: &Given, seed: u64, search: Search) -> Result<Input, NoInput> {
        self.solution(given, seed, search, self.problem(given, search))
    }

    /// The same, of arguments that have no more cells than `search` says even where sizes are given.
    ///
    /// # Errors
    /// None was found within the budget.
    pub fn generate_within(&self, given: &Given, seed: u64, search: Search) -> Result<Input, NoInput> {
        self.solution(given, seed, search, self.problem_within(given, search.max_cells))
    }

    fn solution(&self, given: &Given, seed: u64, search: Search, problem: Problem) -> Result<Input, NoInput> {
        let mut rng = Rng::new(seed);
        let no_input = |tried, because| {
            let words = in_words(self.proc, given, because);
            NoInput { proc: self.proc.name, tried, because, words }
        };
        // A solution can still have strides that no layout has; another one is then looked for.
        for _ in 0..ATTEMPTS {
            let taste = Taste::random(self.proc, &problem, &mut rng);
            let mut room = EDGE_CELLS;
            let values = problem
                .solve(
                    &mut |v, candidates| taste.order(v.typ, candidates, &mut room, &mut rng),
                    search.budget,
                )
                .map_err(|stuck| no_input(stuck.tried, stuck.because))?;
            if let Some(input) = self.complete(given, &problem, &values, &mut Filler::Random(&mut rng)) {
                return Ok(input);
            }
        }
        Err(no_input(ATTEMPTS, Some(Obstacle::Strides)))
    }

    /// The constraints on the control variables, with what is given.
    pub(super) fn problem(&self, given: &Given, search: Search) -> Problem {
        let sizes_given = given.args.values().any(|v| match v {
            InputValue::Int(_) | InputValue::Data(_) => true,
            InputValue::Bool(_) => false,
        });
        self.problem_within(given, if sizes_given { MOST_CELLS } else { search.max_cells })
    }

    fn problem_within(&self, given: &Given, max_cells: u64) -> Problem {
        let mut problem = Problem::of(self.proc, &self.survey, max_cells);
        for arg in &self.proc.args {
            match (&arg.typ, given.args.get(&arg.name.name())) {
                (ArgType::Control(_), Some(value)) => {
                    if let Some(value) = value.control() {
                        problem.fix(Key::Arg(arg.name), value);
                    }
                }
                (ArgType::Data { typ, mem: _ }, Some(InputValue::Data(buffer))) => {
                    if buffer.cells.is_empty() {
                        // `[]` does not say which dimension is empty.
                        problem.require(Constraint::Cells(typ.shape.clone(), 0, arg.name));
                    } else {
                        for (d, (e, extent)) in typ.shape.iter().zip(&buffer.shape).enumerate() {
                            problem.require(Constraint::Extent(e.clone(), *extent, (arg.name, d)));
                        }
                    }
                    for (d, dim) in buffer.dims().iter().enumerate() {
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

    /// The input with these control values; `None` when strides and extents do not go together.
    pub(super) fn complete(
        &self,
        given: &Given,
        problem: &Problem,
        values: &Assignment,
        filler: &mut Filler<'_>,
    ) -> Option<Input> {
        let mut args = Vec::with_capacity(self.proc.args.len());
        for arg in &self.proc.args {
            let name = arg.name.name();
            let value = match &arg.typ {
                ArgType::Control(_) => InputValue::from_control(*values.get(&Key::Arg(arg.name))?)?,
                ArgType::Data { typ, mem: _ } => {
                    let shape = extents(typ, problem, values)?;
                    let stride = |d| match values.get(&Key::Stride(arg.name, d)) {
                        Some(Control::Int(n)) => Some(*n),
                        Some(Control::Bool(_) | Control::Unknown) | None => None,
                    };
                    InputValue::Data(match given.args.get(&name) {
                        Some(InputValue::Data(buffer)) if buffer.cells.is_empty() => {
                            InputBuffer { shape, ..buffer.clone() }
                        }
                        Some(InputValue::Data(buffer)) => buffer.clone(),
                        Some(InputValue::Int(_) | InputValue::Bool(_)) | None => {
                            filler.buffer(name, typ, shape, &stride)?
                        }
                    })
                }
            };
            args.push((name, value));
        }
        let mut fields = given.fields.clone();
        for (key, typ) in &self.survey.fields {
            if !fields.contains_key(key) {
                let value = match typ {
                    FieldType::Control(_) => InputValue::from_control(*values.get(&Key::Field(*key))?)?,
                    FieldType::Data(typ) => InputValue::Data(InputBuffer::scalar(filler.scalar(*key, *typ))),
                };
                fields.insert(*key, value);
            }
        }
        Some(Input { args, fields })
    }
}

/// How many solutions are tried for layouts.
const ATTEMPTS: u64 = 8;

fn extents(typ: &BufferType, problem: &Problem, values: &Assignment) -> Option<Vec<i64>> {
    let extent = |e: &Expr| match problem.eval(e, values) {
        Control::Int(n) => Some(n),
        Control::Bool(_) | Control::Unknown => None,
    };
    typ.shape.iter().map(extent).collect()
}

/// Where data and layouts that are not given come from.
pub(super) enum Filler<'r> {
    /// At random.
    Random(&'r mut Rng),
    /// From another input where that has them, zero and dense elsewhere.
    Like(&'r Input),
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
        let zero = Decimal::new(0, 0);
        let cells = match self {
            Filler::Random(rng) => {
                let count = usize::try_from(cell_count(&shape)?).ok()?;
                (0..count).map(|_| Some(small(typ.elem, rng))).collect()
            }
            Filler::Like(input) => {
                let old = input.buffer(name)?;
                all_indices(&shape).map(|i| old.get(&i).unwrap_or_else(|| Some(zero.clone()))).collect()
            }
        };
        Some(InputBuffer { shape, cells, layout })
    }

    fn scalar(&mut self, key: ConfigKey, typ: DataType) -> Decimal {
        match self {
            Filler::Random(rng) => small(typ, rng),
            Filler::Like(input) => match input.fields.get(&key) {
                Some(InputValue::Data(b)) => b.get(&[]).flatten().unwrap_or_else(|| Decimal::new(0, 0)),
                Some(InputValue::Int(_) | InputValue::Bool(_)) | None => Decimal::new(0, 0),
            },
        }
    }
}

/// A small integer that the type can hold.
fn small(typ: DataType, rng: &mut Rng) -> Decimal {
    let least = match typ {
        DataType::UI8 | DataType::UI16 => 0,
        DataType::R
        | DataType::F16
        | DataType::BF16
        | DataType::F32
        | DataType::F64
        | DataType::I8
        | DataType::I32 => -4,
    };
    Decimal::new(rng.between(least, 5), 0)
}

/// What kind of control values one input is to have, so that different inputs are of different kinds.
struct Taste {
    /// Above this, a value is tried only when nothing else will do.
    cap: u64,
    /// Multiples of this come first.
    multiple: Option<i64>,
    /// Whether each value is to be at a literal of the procedure or beside it: programs do something else there, and two
    /// procedures that differ often do so there alone. Spec: [rule: inputs.edges].
    at_edges: bool,
    /// The literals.
    edges: Vec<i64>,
}

/// Sizes at the edges come to no more than this, multiplied: the work grows with it.
const EDGE_CELLS: i64 = 1 << 14;

impl Taste {
    fn random(p: &Proc, problem: &Problem, rng: &mut Rng) -> Taste {
        let sizes = p.args.iter().filter(|a| matches!(a.typ, ArgType::Control(_))).count();
        // The work of a loop nest grows with the power of its sizes.
        let widest = match sizes {
            0..=2 => 20,
            3 => 9,
            4 => 6,
            5 | 6 => 4,
            _ => 3,
        };
        let cap = if rng.one_in(4) { 2 } else { widest };
        let literals: Vec<i64> = problem.literals.iter().copied().filter(|n| *n <= 64).collect();
        let bound = u64::try_from(literals.len()).unwrap_or(0);
        let multiple = if rng.one_in(3) {
            literals.get(usize::try_from(rng.below(bound)).unwrap_or(0)).copied()
        } else {
            None
        };
        let at_edges = multiple.is_none() && rng.one_in(2);
        Taste { cap, multiple, at_edges, edges: problem.literals.iter().copied().collect() }
    }

    /// A literal, 0 or 1, or a number beside one; for sizes one of those that leave `room`.
    fn edge(&self, typ: ControlType, room: &mut i64, rng: &mut Rng) -> Option<i64> {
        if !self.at_edges {
            return None;
        }
        let work = typ == ControlType::Size;
        let fit: Vec<i64> = self.edges.iter().copied().filter(|n| !work || *n <= *room).collect();
        let fit = if fit.is_empty() || rng.one_in(8) { vec![0, 1] } else { fit };
        let at = usize::try_from(rng.below(u64::try_from(fit.len()).ok()?)).ok()?;
        let literal = *fit.get(at)?;
        if work {
            *room /= literal.max(1);
        }
        let beside = *[-1, 1, 0, 0, 0, 0, 0, 0].get(usize::try_from(rng.below(8)).ok()?)?;
        literal.checked_add(beside)
    }

    /// The candidates in the order in which to try them.
    fn order(
        &self,
        typ: ControlType,
        mut candidates: Vec<Control>,
        room: &mut i64,
        rng: &mut Rng,
    ) -> Vec<Control> {
        rng.shuffle(&mut candidates);
        let edge = if typ == ControlType::Bool { None } else { self.edge(typ, room, rng) };
        if let Some(n) = edge.map(Control::Int)
            && !candidates.contains(&n)
        {
            candidates.push(n);
        }
        let group = |value: &Control| match value {
            Control::Bool(_) | Control::Unknown => 0,
            Control::Int(n) if edge == Some(*n) => 0,
            Control::Int(n) => {
                let multiple =
                    self.multiple.is_some_and(|m| *n > 0 && n % m == 0 && *n <= m.saturating_mul(2));
                if multiple && typ.is_indexable() {
                    0
                } else if n.unsigned_abs() <= self.cap {
                    1
                } else {
                    n.unsigned_abs().saturating_add(2)
                }
            }
        };
        candidates.sort_by_key(group);
        candidates
    }
}
