//! Inputs as text: `n=4 flag=True x=[[1,2],[3,4]] y=[1,_]@[2]+3 Cfg.a=2`. Spec: [rule: inputs.text].
//!
//! `_` is a cell that is ⊥, or a field that was never set. A window that does not lie densely says how it lies: strides in brackets, then
//! the place of its first cell.

use super::{Given, Input, InputBuffer, InputValue, Layout, Subject};
use crate::ast::Decimal;
use crate::data::Datum;
use crate::data::number::Number;
use crate::store::{Loc, Store, Window};
use crate::sym::Name;
use crate::types::{ArgType, ArrayKind, ControlType, DataType, FieldType};
use num_bigint::BigInt;
use std::fmt;

/// Why an argument on the command line is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArgError {
    /// It has no `=`.
    #[error("`{text}` is not of the form name=value")]
    NoEquals {
        /// The argument.
        text: String,
    },
    /// No argument or field is called that.
    #[error("`{proc}` has no argument `{name}`; it has {known}")]
    UnknownName {
        /// The procedure.
        proc: Name,
        /// The name.
        name: String,
        /// The names there are.
        known: String,
    },
    /// It is given twice.
    #[error("`{name}` is given twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// The value cannot be read.
    #[error("`{name}`: expected {expected} at `{rest}`")]
    Syntax {
        /// The argument or field.
        name: String,
        /// What would be right.
        expected: &'static str,
        /// The text from there on.
        rest: String,
    },
    /// The value is of another kind.
    #[error("`{name}` is {expected}, and {found} is given")]
    Kind {
        /// The argument or field.
        name: String,
        /// What it is.
        expected: String,
        /// What the value is.
        found: String,
    },
    /// Rows of different lengths.
    #[error("`{name}`: the rows of a list must be equally long")]
    Ragged {
        /// The argument.
        name: String,
    },
    /// Strides that do not keep the cells apart.
    #[error("`{name}`: these strides do not suit its shape")]
    Layout {
        /// The argument.
        name: String,
    },
}

impl Subject<'_> {
    /// Reads arguments of the form `name=value` and `Config.field=value`.
    ///
    /// # Errors
    /// The first argument that is not right, and why.
    pub fn parse_args(&self, texts: &[String]) -> Result<Given, ArgError> {
        let mut given = Given::default();
        for text in texts {
            let Some((name, value)) = text.split_once('=') else {
                return Err(ArgError::NoEquals { text: text.clone() });
            };
            let (name, value) = (name.trim(), value.trim());
            let arg = self.proc.args.iter().find(|a| a.name.name().as_str() == name);
            let before = if let Some(arg) = arg {
                given.args.insert(arg.name.name(), argument(name, value, &arg.typ)?)
            } else if let Some((key, typ)) = self.fields().find(|(k, _)| k.to_string() == name) {
                given.fields.insert(key, field(name, value, typ)?)
            } else {
                return Err(self.unknown(name));
            };
            if before.is_some() {
                return Err(ArgError::Twice { name: name.to_owned() });
            }
        }
        Ok(given)
    }

    fn unknown(&self, name: &str) -> ArgError {
        let args = self.proc.args.iter().map(|a| format!("`{}`", a.name));
        let names: Vec<String> = args.chain(self.fields().map(|(k, _)| format!("`{k}`"))).collect();
        let known = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        ArgError::UnknownName { proc: self.proc.name, name: name.to_owned(), known }
    }
}

fn argument(name: &str, text: &str, typ: &ArgType) -> Result<InputValue, ArgError> {
    match typ {
        ArgType::Control(typ) => control(name, text, *typ),
        ArgType::Data { typ, mem: _ } => {
            let buffer = buffer(name, text, typ.rank())?;
            holds(name, typ.elem, &buffer.cells)?;
            if buffer.shape.len() != typ.rank() {
                let expected = ranked(typ.rank());
                return Err(ArgError::Kind {
                    name: name.to_owned(),
                    expected,
                    found: ranked(buffer.shape.len()),
                });
            }
            match (typ.kind, &buffer.layout) {
                (ArrayKind::Tensor, Some(_)) => Err(ArgError::Kind {
                    name: name.to_owned(),
                    expected: "a tensor, which lies densely".to_owned(),
                    found: "a layout".to_owned(),
                }),
                (ArrayKind::Tensor | ArrayKind::Window, _) => Ok(InputValue::Data(buffer)),
            }
        }
    }
}

fn field(name: &str, text: &str, typ: FieldType) -> Result<InputValue, ArgError> {
    match typ {
        FieldType::Control(_) if text == "_" => Ok(InputValue::unset()),
        FieldType::Control(typ) => control(name, text, typ),
        FieldType::Data(elem) => {
            let buffer = buffer(name, text, 0)?;
            holds(name, elem, &buffer.cells)?;
            if buffer.shape.is_empty() && buffer.layout.is_none() {
                Ok(InputValue::Data(buffer))
            } else {
                let (expected, found) = (ranked(0), ranked(buffer.shape.len()));
                Err(ArgError::Kind { name: name.to_owned(), expected, found })
            }
        }
    }
}

fn ranked(rank: usize) -> String {
    match rank {
        0 => "a number".to_owned(),
        1 => "a list of numbers".to_owned(),
        n => format!("an array of {n} dimensions"),
    }
}

fn control(name: &str, text: &str, typ: ControlType) -> Result<InputValue, ArgError> {
    let wrong = |expected: &str| ArgError::Kind {
        name: name.to_owned(),
        expected: format!("{expected} ({typ})"),
        found: format!("`{text}`"),
    };
    match typ {
        ControlType::Bool => match text {
            "True" | "true" => Ok(InputValue::Bool(true)),
            "False" | "false" => Ok(InputValue::Bool(false)),
            _ => Err(wrong("True or False")),
        },
        ControlType::Size => match text.parse() {
            Ok(n) if n >= 1 => Ok(InputValue::Int(n)),
            Ok(_) | Err(_) => Err(wrong("an integer above 0")),
        },
        ControlType::Int | ControlType::Index | ControlType::Stride => {
            text.parse().map(InputValue::Int).map_err(|_| wrong("an integer"))
        }
    }
}

/// Whether an integer type holds all of these.
fn holds(name: &str, typ: DataType, cells: &[Option<Decimal>]) -> Result<(), ArgError> {
    let (least, most) = match typ {
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => return Ok(()),
        DataType::I8 => (-128, 127),
        DataType::UI8 => (0, 255),
        DataType::UI16 => (0, 65_535),
        DataType::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
    };
    let fits = |d: &Decimal| match Number::from_decimal(d) {
        Some(Number::Small { num, den: 1 }) => least <= num && num <= most,
        Some(Number::Small { .. } | Number::Big(_)) | None => false,
    };
    match cells.iter().flatten().find(|d| !fits(d)) {
        None => Ok(()),
        Some(d) => Err(ArgError::Kind {
            name: name.to_owned(),
            expected: format!("{typ}, from {least} to {most}"),
            found: format!("`{}`", short(d)),
        }),
    }
}

/// A number or nested lists of numbers, and possibly a layout. The rank matters only to `[]`, which may
/// have any.
fn buffer(name: &str, text: &str, rank: usize) -> Result<InputBuffer, ArgError> {
    let mut reader = Reader { name, rest: text, cells: Vec::new() };
    let mut shape = reader.nested(0)?;
    if reader.cells.is_empty() && shape.len() < rank {
        shape.resize(rank, 0);
    }
    let layout = reader.layout(shape.len())?;
    if !reader.rest.is_empty() {
        return Err(reader.expected("the end"));
    }
    let buffer = InputBuffer { shape, cells: reader.cells, layout };
    let offset = buffer.layout.as_ref().map_or(0, |l| l.offset);
    let window = Window { loc: Loc(0), offset, dims: buffer.dims() };
    let length = usize::try_from(super::layout::length(&window)).ok().filter(|n| *n <= 1 << 28);
    if length.is_some_and(|n| window.fits(n)) {
        Ok(buffer)
    } else {
        Err(ArgError::Layout { name: name.to_owned() })
    }
}

/// What is left to read of a value, and the cells read so far.
struct Reader<'t> {
    name: &'t str,
    rest: &'t str,
    cells: Vec<Option<Decimal>>,
}

/// No buffer has more dimensions than this.
const MAX_RANK: usize = 64;

impl<'t> Reader<'t> {
    fn expected(&self, expected: &'static str) -> ArgError {
        let mut rest: String = self.rest.chars().take(20).collect();
        if rest.is_empty() {
            rest.push_str("the end");
        }
        ArgError::Syntax { name: self.name.to_owned(), expected, rest }
    }

    /// Whether a token comes next; it is then read.
    fn token(&mut self, token: char) -> bool {
        match self.rest.trim_start().strip_prefix(token) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// A number or a list of such; its shape.
    fn nested(&mut self, depth: usize) -> Result<Vec<i64>, ArgError> {
        if !self.token('[') {
            let cell = if self.token('_') { None } else { Some(self.number()?) };
            self.cells.push(cell);
            return Ok(Vec::new());
        }
        if depth >= MAX_RANK {
            return Err(self.expected("fewer brackets"));
        }
        if self.token(']') {
            return Ok(vec![0]);
        }
        let (mut count, inner) = (1, self.nested(depth + 1)?);
        while self.token(',') {
            if self.nested(depth + 1)? != inner {
                return Err(ArgError::Ragged { name: self.name.to_owned() });
            }
            count += 1;
        }
        if !self.token(']') {
            return Err(self.expected("`,` or `]`"));
        }
        let mut shape = vec![count];
        shape.extend(inner);
        Ok(shape)
    }

    /// `-12.5e-3`.
    fn number(&mut self) -> Result<Decimal, ArgError> {
        let minus = self.token('-');
        let whole = self.digits();
        let part = if self.rest.starts_with('.') {
            self.rest = &self.rest[1..];
            self.digits()
        } else {
            ""
        };
        if whole.is_empty() && part.is_empty() {
            return Err(self.expected("a number"));
        }
        let mut exponent = 0i64;
        if let Some(rest) = self.rest.strip_prefix(['e', 'E']) {
            self.rest = rest;
            exponent = self.integer()?;
        }
        let mantissa: BigInt = format!("{whole}{part}").parse().map_err(|_| self.expected("a number"))?;
        let shift = i64::try_from(part.len()).unwrap_or(i64::MAX);
        let exponent =
            i32::try_from(exponent.saturating_sub(shift)).map_err(|_| self.expected("a smaller exponent"))?;
        let number = Decimal::new(mantissa, exponent);
        Ok(if minus { number.negated() } else { number })
    }

    fn digits(&mut self) -> &'t str {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits
    }

    fn integer(&mut self) -> Result<i64, ArgError> {
        let negative = self.token('-');
        if !negative {
            self.token('+');
        }
        let digits = self.digits();
        let value: i64 = digits.parse().map_err(|_| self.expected("an integer"))?;
        Ok(if negative { -value } else { value })
    }

    /// `@[8,1]+3`: strides, then offset.
    fn layout(&mut self, rank: usize) -> Result<Option<Layout>, ArgError> {
        if !self.token('@') {
            return Ok(None);
        }
        let mut strides = Vec::with_capacity(rank);
        if !self.token('[') {
            return Err(self.expected("`[`"));
        }
        for d in 0..rank {
            if d > 0 && !self.token(',') {
                return Err(self.expected("`,`: one stride for each dimension"));
            }
            strides.push(self.integer()?);
        }
        if !self.token(']') {
            return Err(self.expected("`]`"));
        }
        let offset = if self.token('+') { self.integer()? } else { 0 };
        Ok(Some(Layout { offset, strides }))
    }
}

/// Cells of a buffer that are written where a text is to be short.
const FEW: usize = 32;

impl Input {
    /// As it is displayed, but for buffers of more than a few cells: `x=[…]`, and how a window lies.
    pub fn brief(&self) -> String {
        let text = |value: &InputValue| match value {
            InputValue::Data(buffer) if buffer.cells.len() > FEW => format!("[…]{}", buffer.lies()),
            InputValue::Data(_) | InputValue::Int(_) | InputValue::Bool(_) => value.to_string(),
        };
        let args = self.args.iter().map(|(name, value)| format!("{name}={}", text(value)));
        let fields = self.fields.iter().map(|(key, value)| format!("{key}={}", text(value)));
        args.chain(fields).collect::<Vec<_>>().join(" ")
    }
}

impl InputBuffer {
    /// `@[8,1]+3`; nothing where it lies densely, from the start.
    fn lies(&self) -> String {
        let Some(Layout { offset, strides }) = &self.layout else { return String::new() };
        let strides: Vec<String> = strides.iter().map(ToString::to_string).collect();
        format!("@[{}]+{offset}", strides.join(","))
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let args = self.args.iter().map(|(name, value)| format!("{name}={value}"));
        let fields = self.fields.iter().map(|(key, value)| format!("{key}={value}"));
        f.write_str(&args.chain(fields).collect::<Vec<_>>().join(" "))
    }
}

impl fmt::Display for InputValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputValue::Int(n) => n.fmt(f),
            InputValue::Bool(true) => f.write_str("True"),
            InputValue::Bool(false) => f.write_str("False"),
            InputValue::Data(buffer) => buffer.fmt(f),
        }
    }
}

impl fmt::Display for InputBuffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |place: usize| match self.cells.get(place) {
            Some(Some(value)) => short(value),
            Some(None) | None => "_".to_owned(),
        };
        write!(f, "{}{}", nested(&self.shape, &cell), self.lies())
    }
}

/// What a window shows in a store, written as an input is: nested lists, `_` for ⊥.
pub fn show_window<V: Clone + fmt::Display>(window: &Window, st: &Store<V>) -> String {
    let cells: Vec<String> = window
        .indices()
        .map(|index| match st.read(window, &index) {
            Some(Datum::Known(value)) => value.to_string(),
            Some(Datum::Unknown) | None => "_".to_owned(),
        })
        .collect();
    nested(&window.shape(), &|place| cells.get(place).cloned().unwrap_or_default())
}

/// Nested lists of this shape; cells are numbered in row-major order.
fn nested(shape: &[i64], cell: &dyn Fn(usize) -> String) -> String {
    fn row(shape: &[i64], next: &mut usize, cell: &dyn Fn(usize) -> String, text: &mut String) {
        let Some((first, rest)) = shape.split_first() else {
            text.push_str(&cell(*next));
            *next += 1;
            return;
        };
        text.push('[');
        for k in 0..*first {
            if k > 0 {
                text.push(',');
            }
            row(rest, next, cell, text);
        }
        text.push(']');
    }
    // Beyond an empty dimension there is nothing to write, however many rows there are.
    let written = shape.iter().position(|e| *e == 0).map_or(shape, |d| &shape[d..]);
    let mut text = String::new();
    row(written, &mut 0, cell, &mut text);
    text
}

/// Integers without their point.
fn short(value: &Decimal) -> String {
    let text = value.to_string();
    match text.strip_suffix(".0") {
        Some(integer) => integer.to_owned(),
        None => text,
    }
}
