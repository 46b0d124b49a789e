//! Whether the C and the interpreter agree. Spec: [rule: c.agrees].
//!
//! The domain Machine says what the C computes, and every cell and field that it knows must come out
//! the same, bit for bit (all that is not a number counts as equal; of two zeros `fmax` may give either).
//! Where Machine and Rational agree too, the C is exact. Cells that are ⊥ are not compared, but those between the
//! cells of a window must not change.

use super::hidden::without_hidden;
use super::image::{Image, decode, size_of_data};
use super::shim::STOPPED;
use super::{Built, HarnessError};
use crate::c::PublicFunction;
use crate::c::range::Width;
use crate::memory::modelled;
use crate::toolchain::{Compiler, ToolError};
use num_traits::ToPrimitive;
use rewright_semantics::ast::{ExprKind, Module, Proc, StmtKind};
use rewright_semantics::data::machine::{Machine, MachineDomain};
use rewright_semantics::data::number::Number;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::data::{DataDomain, Datum};
use rewright_semantics::denote::{Fault, FaultClass, FaultKind, Interpreted, Limits, Outcome, call_proc};
use rewright_semantics::externs::Extern;
use rewright_semantics::inputs::{Input, InputValue};
use rewright_semantics::rounding::as_rounded;
use rewright_semantics::store::{ConfigKey, Store, Window};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::walk::{each_expr, each_stmt, operands};
use rewright_semantics::types::{ArgType, ControlType, DataType, FieldType, MemName};
use rewright_semantics::value::Val;
use std::fmt;

/// What came of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The C leaves what the interpreter says.
    Agrees {
        /// How many cells and fields were compared.
        compared: usize,
        /// How many of them are the exact rational results.
        exact: usize,
    },
    /// It does not.
    Differs(Difference),
    /// The input breaks the procedure's preconditions: the C was not run.
    InputRejected(Box<Fault>),
    /// The interpreter finds an error in the procedure: the C was not run.
    Faulty(Box<Fault>),
    /// The input, or what is computed from it, is larger than C promises to compute with, and why: C was not
    /// run, or stopped. Spec: [rule: c.entry], [rule: c.require].
    TooLarge(String),
    /// What the procedure does depends on state of the hardware at its entry, which no caller of its C sets: the C was not
    /// run. Spec: [rule: c.entry-state].
    NeedsState(String),
}

/// A place where the C and the interpreter differ.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// `y[3]`, counting the cells of the memory behind the argument, or `Cfg.field`.
    pub place: String,
    /// What the interpreter says.
    pub expected: String,
    /// What the C leaves.
    pub found: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: the interpreter says {}, C says {}", self.place, self.expected, self.found)
    }
}

/// Which of the two ways to run C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// In this process.
    Fast,
    /// In a process of its own, under sanitizers.
    Sanitized,
}

/// Compiles a module, and runs one of its procedures on an input in the interpreter and in C.
///
/// # Errors
/// The module cannot be compiled or run.
pub fn agree(
    module: &Module,
    proc: &str,
    input: &Input,
    compiler: &Compiler,
) -> Result<Verdict, HarnessError> {
    Built::new(module, compiler)?.agree(proc, input, Mode::Fast)
}

impl Built {
    /// Runs a procedure on an input in the interpreter and in C.
    ///
    /// # Errors
    /// The C cannot be compiled or run, or the sanitizers have something to say.
    pub fn agree(&self, proc: &str, input: &Input, mode: Mode) -> Result<Verdict, HarnessError> {
        self.agree_without_numbers(proc, input, &[], mode)
    }

    /// The same, with cells of the input's buffers that hold no number (NaN): which, and which argument's.
    ///
    /// # Errors
    /// The C cannot be compiled or run, or the sanitizers have something to say.
    pub fn agree_without_numbers(
        &self,
        proc: &str,
        input: &Input,
        nans: &[(usize, usize)],
        mode: Mode,
    ) -> Result<Verdict, HarnessError> {
        let (_, f) = self.function(proc)?;
        let p = &f.proc;
        let interpreted =
            |input| interpret_with::<MachineDomain>(p, input, &mut |args, st| put_nans(nans, args, st));
        let full = input;
        if let Some((x, mem)) = out_of_reach(p) {
            return Ok(Verdict::NeedsState(format!("`{x}` is in {mem}, where no argument can be put")));
        }
        let input = &without_hidden(p, input);
        let expected = match interpreted(input) {
            Ok(outcome) => outcome,
            Err(fault) if interpreted(full).is_ok() => return Ok(Verdict::NeedsState(fault.to_string())),
            Err(fault) => return Ok(refused(p, fault)),
        };
        if let Some(why) = beyond_promise(input) {
            return Ok(Verdict::TooLarge(why));
        }
        let mut before = Image::of(f, self.unit(), input)?;
        nans.iter().for_each(|(arg, cell)| before.put_nan(f, input, *arg, *cell));
        let ran = match mode {
            Mode::Fast => self.call(proc, before.clone()),
            Mode::Sanitized => self.call_sanitized(proc, before.clone()),
        };
        let after = match ran {
            Ok(after) => after,
            Err(why) => return required(&why).map(Verdict::TooLarge).ok_or(why),
        };
        let exact = if is_whole(input) { interpret::<RationalDomain>(p, input).ok() } else { None };
        let latitude = Latitude::of(p);
        let compare = Compare { built: self, latitude, f, input, before: &before, after: &after };
        Ok(compare.run(&expected, exact.as_ref()))
    }
}

/// The condition of the `REQUIRE` that ended a process.
fn required(why: &HarnessError) -> Option<String> {
    let (HarnessError::Tool(ToolError::Failed { text, .. }) | HarnessError::Stopped(text)) = why else {
        return None;
    };
    let (_, after) = text.split_once(STOPPED)?;
    Some(after.lines().next().unwrap_or_default().to_owned())
}

/// What of an input is beyond what callers promise. Spec: [rule: c.entry].
fn beyond_promise(input: &Input) -> Option<String> {
    let most = Width::here().argument().unsigned_abs();
    let integer = |name: String, value: &InputValue| match value {
        InputValue::Int(n) if n.unsigned_abs() > most => Some(format!("{name} = {n} is beyond {most}")),
        InputValue::Int(_) | InputValue::Bool(_) | InputValue::Data(_) => None,
    };
    let arguments = input.args.iter().find_map(|(name, value)| integer(name.to_string(), value));
    arguments.or_else(|| input.fields.iter().find_map(|(key, value)| integer(key.to_string(), value)))
}

/// The windows that the arguments show, and the store afterwards.
struct Ended<D: Interpreted> {
    args: Vec<Val<D::Value>>,
    outcome: Outcome<D::Value>,
}

fn interpret<D: Interpreted>(p: &Proc, input: &Input) -> Result<Ended<D>, Box<Fault>> {
    interpret_with(p, input, &mut |_, _| {})
}

/// Changes the arguments' store before a run.
type Change<'a, D> =
    &'a mut dyn FnMut(&[Val<<D as DataDomain>::Value>], &mut Store<<D as DataDomain>::Value>);

fn interpret_with<D: Interpreted>(
    p: &Proc,
    input: &Input,
    change: Change<'_, D>,
) -> Result<Ended<D>, Box<Fault>> {
    let (args, mut st) = input.store::<D>(p);
    change(&args, &mut st);
    let outcome = call_proc::<D>(p, &args, st, Limits::default())?;
    Ok(Ended { args, outcome })
}

/// Whether the data are integers of few digits: of others exact results grow too long to wait for, and are seldom met.
fn is_whole(input: &Input) -> bool {
    input.args.iter().all(|(_, value)| match value {
        InputValue::Data(b) => b.cells.iter().flatten().all(|d| (0..16).contains(&d.exponent())),
        InputValue::Int(_) | InputValue::Bool(_) => true,
    })
}

/// Puts what is no number into cells of arguments, counted row-major, that hold floating point.
fn put_nans(nans: &[(usize, usize)], args: &[Val<Machine>], st: &mut Store<Machine>) {
    for (arg, cell) in nans {
        let Some(Val::Window(w)) = args.get(*arg) else { continue };
        let (Some(index), Some(elem)) = (w.indices().nth(*cell), st.buffer(w.loc).map(|b| b.elem)) else {
            continue;
        };
        if !elem.is_integer()
            && let Datum::Known(nan) = Machine::F64(f64::NAN).cast(elem)
        {
            st.write(w, &index, Datum::Known(nan));
        }
    }
}

/// An argument in a memory of a machine that is modelled, whose places are not those of C.
fn out_of_reach(p: &Proc) -> Option<(Sym, MemName)> {
    p.args.iter().find_map(|a| match &a.typ {
        ArgType::Data { mem, .. } => modelled(*mem).map(|_| (a.name, *mem)),
        ArgType::Control(_) => None,
    })
}

/// A fault at the procedure's own door is the input's; any other is the program's.
fn refused(p: &Proc, fault: Box<Fault>) -> Verdict {
    let at_entry = fault.calls.is_empty()
        && fault.class() == FaultClass::MemError
        && (matches!(&fault.kind,
            FaultKind::AssertFailed { proc, .. } | FaultKind::ShapeMismatch { proc, .. } if *proc == p.name)
            || matches!(fault.kind, FaultKind::SizeNotPositive { .. }));
    if at_entry { Verdict::InputRejected(fault) } else { Verdict::Faulty(fault) }
}

struct Compare<'a> {
    built: &'a Built,
    latitude: Latitude,
    f: &'a PublicFunction,
    input: &'a Input,
    before: &'a Image,
    after: &'a Image,
}

/// The count so far, or the first difference.
type Tally = Result<(usize, usize), Difference>;

impl Compare<'_> {
    fn run(&self, expected: &Ended<MachineDomain>, exact: Option<&Ended<RationalDomain>>) -> Verdict {
        match self.all(expected, exact) {
            Ok((compared, exact)) => Verdict::Agrees { compared, exact },
            Err(d) => Verdict::Differs(d),
        }
    }

    fn all(&self, expected: &Ended<MachineDomain>, exact: Option<&Ended<RationalDomain>>) -> Tally {
        let (mut compared, mut same) = (0, 0);
        let mut buffer = 0;
        for (k, (name, value)) in self.input.args.iter().enumerate() {
            let InputValue::Data(_) = value else { continue };
            if let Some(Val::Window(w)) = expected.args.get(k) {
                let (n, m) = self.buffer(buffer, name.as_str(), w, expected, exact)?;
                compared += n;
                same += m;
            }
            buffer += 1;
        }
        if self.f.needs_context {
            let (n, m) = self.fields(buffer, &expected.outcome.store)?;
            compared += n;
            same += m;
        }
        Ok((compared, same))
    }

    fn buffer(
        &self,
        k: usize,
        name: &str,
        w: &Window,
        expected: &Ended<MachineDomain>,
        exact: Option<&Ended<RationalDomain>>,
    ) -> Tally {
        let Some(cells) = expected.outcome.store.buffer(w.loc) else { return Ok((0, 0)) };
        let exact = exact.and_then(|e| e.outcome.store.buffer(w.loc));
        let bytes = |image: &Image| image.buffers.get(k).map(super::image::Bytes::to_vec).unwrap_or_default();
        let (before, after) = (bytes(self.before), bytes(self.after));
        let size = size_of_data(cells.elem);
        let shown: std::collections::BTreeSet<usize> = w.indices().filter_map(|i| w.cell(&i)).collect();
        let (mut compared, mut same) = (0, 0);
        for (place, cell) in cells.cells().iter().enumerate() {
            let Some(found) = after.get(place * size..(place + 1) * size) else { continue };
            let Datum::Known(value) = cell else {
                let old = before.get(place * size..(place + 1) * size);
                if !shown.contains(&place) && old != Some(found) {
                    return Err(self.difference(
                        name,
                        place,
                        "a cell between those of the window",
                        found,
                        cells.elem,
                    ));
                }
                continue;
            };
            let found_value = decode(found, cells.elem);
            if !found_value.is_some_and(|f| self.same(value, &f)) {
                return Err(self.difference(name, place, &value.to_string(), found, cells.elem));
            }
            compared += 1;
            let rational = exact.and_then(|b| b.cells().get(place));
            same += usize::from(matches!(rational, Some(Datum::Known(r)) if is_exact(r, value)));
        }
        Ok((compared, same))
    }

    fn difference(&self, name: &str, place: usize, expected: &str, found: &[u8], t: DataType) -> Difference {
        let found = decode(found, t).map_or("nothing".to_owned(), |f| f.to_string());
        Difference { place: format!("{name}[{place}]"), expected: expected.to_owned(), found }
    }

    fn fields(&self, first: usize, st: &Store<Machine>) -> Tally {
        let mut compared = 0;
        for (k, x) in self.built.unit().fields.iter().enumerate() {
            let Some(field) = x.config.fields.get(x.index) else { continue };
            let key = ConfigKey { config: x.config.name, field: field.name };
            let bytes =
                self.after.buffers.get(first + k).map(super::image::Bytes::to_vec).unwrap_or_default();
            let integer = bytes.as_slice().try_into().ok().map(i64::from_ne_bytes);
            let (expected, found, is_same) = match (st.global(key), field.typ) {
                (Some(Val::Int(n)), FieldType::Control(_)) => {
                    (n.to_string(), integer.map(|i| i.to_string()), integer == Some(*n))
                }
                (Some(Val::Bool(b)), FieldType::Control(ControlType::Bool)) => {
                    (b.to_string(), integer.map(|i| (i != 0).to_string()), integer == Some(i64::from(*b)))
                }
                (Some(Val::Data(v)), FieldType::Data(t)) => {
                    let found = decode(&bytes, t);
                    (v.to_string(), found.map(|f| f.to_string()), found.is_some_and(|f| self.same(v, &f)))
                }
                _ => continue,
            };
            if !is_same {
                let found = found.unwrap_or_else(|| "nothing".to_owned());
                return Err(Difference { place: key.to_string(), expected, found });
            }
            compared += 1;
        }
        Ok((compared, compared))
    }

    /// Equal in all bits, or both no number; for results of the mathematical library, equal up to its last digits.
    fn same(&self, a: &Machine, b: &Machine) -> bool {
        let (x, y) = (a.to_f64(), b.to_f64());
        if x.to_bits() == y.to_bits() || (x.is_nan() && y.is_nan()) {
            return true;
        }
        let Latitude { digits, zeros } = self.latitude;
        (zeros && x == y) || (digits && (x - y).abs() <= 1e-5 * x.abs().max(y.abs()).max(1e-30))
    }
}

/// Whether a machine value is the rational one. Only fractions of powers of two can be.
fn is_exact(r: &Rational, value: &Machine) -> bool {
    match r {
        Rational::Number(Number::Small { num, den }) if den.count_ones() == 1 => {
            matches!((num.to_f64(), den.to_f64()), (Some(n), Some(d)) if n / d == value.to_f64())
        }
        Rational::Number(Number::Small { .. } | Number::Big(_)) | Rational::Term(_) | Rational::TooLarge => {
            false
        }
    }
}

/// In what the results of a procedure may differ between libraries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Latitude {
    /// In the last digits.
    digits: bool,
    /// In the sign of zero.
    zeros: bool,
}

impl Latitude {
    fn of(p: &Proc) -> Latitude {
        let mut found = Latitude::default();
        let stated = as_rounded(p);
        for body in std::iter::once(&p.body).chain(stated.as_ref().map(|q| &q.body)) {
            each_stmt(body, &mut |s| {
                if let StmtKind::Call { proc, .. } = &*s.kind {
                    found.add(Latitude::of(proc));
                }
                for e in operands(s) {
                    each_expr(e, &mut |e| {
                        if let ExprKind::Extern { func, .. } = &e.kind {
                            found.add(Latitude::of_extern(*func));
                        }
                    });
                }
            });
        }
        found
    }

    fn of_extern(f: Extern) -> Latitude {
        match f {
            Extern::Sin
            | Extern::Cos
            | Extern::Expf
            | Extern::Logf
            | Extern::Sigmoid
            | Extern::Foreign(_) => Latitude { digits: true, zeros: true },
            Extern::Fmaxf | Extern::Fminf => Latitude { digits: false, zeros: true },
            Extern::Sqrt
            | Extern::Fabsf
            | Extern::Relu
            | Extern::Select
            | Extern::Clamp
            | Extern::Fma
            | Extern::FmaFtz => Latitude::default(),
        }
    }

    fn add(&mut self, other: Latitude) {
        self.digits |= other.digits;
        self.zeros |= other.zeros;
    }
}
