//! The fast executor: variables are slots, values machine words, and ε_mem one word that is set aside. What does not
//! fit is reported, never wrapped. Spec: [rule: halide.fast].

mod compile;
mod row;

use super::watch::{Blind, Watch};
use super::{Buffer, MAX_POINTS, Outputs, Realized, Stuck, points};
use crate::alg::Input;
use crate::int::Int;
use crate::op::{Bits, Op};
use crate::tgt::{Claim, Program};
use crate::typed::{Overflow, Scalar};
use crate::value::Value;
use rewright_base::sym::Name;
use std::ops::Range;

/// The word for ε_mem. A result that would be this word is an overflow.
const ERROR: i64 = i64::MIN;

/// A compiled program.
#[derive(Debug)]
pub struct Compiled {
    code: Vec<Code>,
    slots: usize,
    /// Slots of parameters and window ends, in the order of an input.
    params: Vec<usize>,
    window: Vec<(usize, usize)>,
    /// The funcs, and after these the input buffers.
    funcs: Vec<Name>,
    /// How many funcs there are.
    own: usize,
    /// What the points of funcs hold, where that is not ℤ.
    scalars: Vec<Option<Scalar>>,
    /// The outputs, and which dimensions of the window are theirs.
    outputs: Vec<(usize, Range<usize>)>,
    /// Of each func the dimensions that are circles.
    folds: Vec<Vec<(usize, i64)>>,
}

/// Expressions over slots.
#[derive(Debug)]
enum Word {
    Const(i64),
    Slot(usize),
    SlotPlus(usize, i64),
    Load(usize, Box<[Word]>),
    Binary(Op, Box<(Word, Word)>),
    Unary(Op, Box<Word>),
    Select(Box<(Word, Word, Word)>),
}

#[derive(Debug)]
enum Code {
    Assert(Word, Claim),
    Allocate(usize, Box<[(Word, Word)]>),
    Store { f: usize, args: Box<[Word]>, value: Word, atomic: bool },
    If(Word, Vec<Code>, Vec<Code>),
    For { slot: usize, min: Word, len: Word, parallel: bool, row: bool, body: Vec<Code> },
    Let(usize, Word, Vec<Code>),
}

struct Cells {
    id: usize,
    bounds: Vec<(i64, i64)>,
    values: Vec<i64>,
}

struct State<'w, W> {
    slots: Vec<i64>,
    buffers: Vec<Option<Cells>>,
    point: Vec<i64>,
    parallel: usize,
    allocations: usize,
    cells: usize,
    fuel: u64,
    inputs: &'w [Buffer],
    watch: &'w mut W,
}

/// How many stores and iterations a run may have.
pub const FUEL: u64 = 1 << 33;

impl Compiled {
    /// Compiles a program without holes.
    ///
    /// # Errors
    /// A variable that nothing binds.
    pub fn new(t: &Program) -> Result<Compiled, Stuck> {
        compile::compile(t)
    }

    /// Runs the program.
    ///
    /// # Errors
    /// The state in which it is stuck.
    pub fn run(&self, z: &Input) -> Result<Outputs, Stuck> {
        self.run_watched(z, FUEL, &mut Blind)
    }

    /// Runs the program and tells what it does.
    ///
    /// # Errors
    /// The state in which it is stuck, or more than `fuel` stores and iterations.
    pub fn run_watched<W: Watch>(&self, z: &Input, fuel: u64, watch: &mut W) -> Result<Outputs, Stuck> {
        let mut slots = vec![0; self.slots];
        let ends = self.window.iter().zip(&z.window).flat_map(|((a, b), (min, len))| [(a, min), (b, len)]);
        for (slot, v) in self.params.iter().zip(&z.params).chain(ends) {
            if let Some(place) = slots.get_mut(*slot) {
                *place = *v;
            }
        }
        let buffers = self.funcs.iter().map(|_| None).collect();
        let (point, inputs) = (Vec::new(), z.buffers.as_slice());
        let mut st =
            State { slots, buffers, point, parallel: 0, allocations: 0, cells: 0, fuel, inputs, watch };
        self.block(&self.code, &mut st)?;
        let value = |v: i64| if v == ERROR { Value::MEM } else { Value::int(v) };
        let mut out = Vec::new();
        for (f, dims) in &self.outputs {
            let none = || Stuck::Unbound("an output".to_owned());
            let func = self.funcs.get(*f).copied().ok_or_else(none)?;
            let cells = st.buffers.get_mut(*f).and_then(Option::take).ok_or_else(none)?;
            let values = cells.values.into_iter().map(value).collect();
            let buffer = Buffer { bounds: cells.bounds, values };
            out.push(Realized { func, dims: dims.clone(), buffer });
        }
        Ok(out)
    }

    fn block<W: Watch>(&self, b: &[Code], st: &mut State<'_, W>) -> Result<(), Stuck> {
        b.iter().try_for_each(|c| self.code(c, st))
    }

    fn code<W: Watch>(&self, c: &Code, st: &mut State<'_, W>) -> Result<(), Stuck> {
        match c {
            Code::Store { f, args, value, atomic } => {
                st.watch.atomic(*atomic);
                let done = self.store(*f, args, value, st);
                st.watch.atomic(false);
                done
            }
            Code::For { slot, min, len, parallel, row, body } => {
                let (min, len) = (self.sure(min, st)?, self.sure(len, st)?);
                if len < 0 {
                    return Err(Stuck::Rdom);
                }
                let count = u64::try_from(len).map_err(|_| Stuck::Overflow)?;
                st.fuel = st.fuel.checked_sub(count).ok_or(Stuck::TooMuch)?;
                let end = min.checked_add(len).ok_or(Stuck::Overflow)?;
                let min = if *row && W::SILENT { self.rows(*slot, min, end, body, st) } else { min };
                if *parallel {
                    self.tasks(*slot, min..end, body, st)
                } else {
                    self.turns(*slot, min..end, body, st)
                }
            }
            Code::Let(slot, value, body) => {
                let v = self.word(value, st)?;
                set(&mut st.slots, *slot, v);
                self.block(body, st)
            }
            Code::If(cond, then, other) => {
                let chosen = if self.sure(cond, st)? == 0 { other } else { then };
                self.block(chosen, st)
            }
            Code::Assert(cond, claim) => {
                if self.sure(cond, st)? == 0 {
                    Err(Stuck::Assertion(*claim))
                } else {
                    Ok(())
                }
            }
            Code::Allocate(f, bounds) => self.allocate(*f, bounds, st),
        }
    }

    fn turns<W: Watch>(
        &self,
        slot: usize,
        range: std::ops::Range<i64>,
        body: &[Code],
        st: &mut State<'_, W>,
    ) -> Result<(), Stuck> {
        for i in range {
            set(&mut st.slots, slot, i);
            self.block(body, st)?;
        }
        Ok(())
    }

    fn tasks<W: Watch>(
        &self,
        slot: usize,
        range: std::ops::Range<i64>,
        body: &[Code],
        st: &mut State<'_, W>,
    ) -> Result<(), Stuck> {
        let depth = st.parallel;
        st.parallel += 1;
        for i in range {
            st.watch.iteration(depth, i);
            set(&mut st.slots, slot, i);
            self.block(body, st)?;
        }
        st.watch.end(depth);
        st.parallel = depth;
        Ok(())
    }

    fn allocate<W: Watch>(
        &self,
        f: usize,
        bounds: &[(Word, Word)],
        st: &mut State<'_, W>,
    ) -> Result<(), Stuck> {
        let mut ends = Vec::with_capacity(bounds.len());
        for (min, len) in bounds {
            ends.push((self.sure(min, st)?, self.sure(len, st)?));
        }
        if let Some(i) = f.checked_sub(self.own) {
            return self.bind_input(f, i, &ends, st);
        }
        let folds = self.folds.get(f).map(Vec::as_slice).unwrap_or_default();
        let n = points(&super::folded_bounds(&ends, folds))?;
        let old = st.buffers.get_mut(f).and_then(Option::take).map(|c| c.values).unwrap_or_default();
        st.cells = st.cells.saturating_sub(old.len()).saturating_add(n);
        if st.cells > MAX_POINTS {
            return Err(Stuck::TooMuch);
        }
        let mut values = old;
        values.clear();
        values.resize(n, ERROR);
        let id = st.allocations;
        st.allocations += 1;
        if let Some(name) = self.funcs.get(f) {
            st.watch.allocate(*name, id, &ends);
        }
        if let Some(place) = st.buffers.get_mut(f) {
            *place = Some(Cells { id, bounds: ends, values });
        }
        Ok(())
    }

    /// An input buffer must have all that is asked of it.
    fn bind_input<W: Watch>(
        &self,
        f: usize,
        i: usize,
        ends: &[(i64, i64)],
        st: &mut State<'_, W>,
    ) -> Result<(), Stuck> {
        let (Some(name), Some(given)) = (self.funcs.get(f), st.inputs.get(i)) else {
            return Err(Stuck::Unbound("an input".to_owned()));
        };
        if !given.covers(ends) {
            return Err(Stuck::Input(*name, ends.to_vec()));
        }
        let values = given.values.iter().map(|v| v.to_i64().filter(|v| *v != ERROR).ok_or(Stuck::Overflow));
        let cells = Cells {
            id: st.allocations,
            bounds: given.bounds.clone(),
            values: values.collect::<Result<_, _>>()?,
        };
        st.watch.allocate(*name, st.allocations, ends);
        st.allocations += 1;
        if let Some(place) = st.buffers.get_mut(f) {
            *place = Some(cells);
        }
        Ok(())
    }

    fn store<W: Watch>(
        &self,
        f: usize,
        args: &[Word],
        value: &Word,
        st: &mut State<'_, W>,
    ) -> Result<(), Stuck> {
        st.fuel = st.fuel.checked_sub(1).ok_or(Stuck::TooMuch)?;
        let v = self.stored(f, self.word(value, st)?)?;
        let base = st.point.len();
        for a in args {
            let i = self.sure(a, st)?;
            st.point.push(i);
        }
        let folds = self.folds.get(f).map(Vec::as_slice).unwrap_or_default();
        let found = {
            let point = st.point.get(base..).unwrap_or_default();
            let cells = st.buffers.get_mut(f).and_then(Option::as_mut);
            cells.and_then(|c| {
                let at = super::folded_offset(&c.bounds, folds, point)?;
                *c.values.get_mut(at)? = v;
                Some((c.id, at))
            })
        };
        let name = self.funcs.get(f).copied();
        match (found, name) {
            (Some((id, at)), Some(name)) => {
                st.watch.store(name, id, at, st.point.get(base..).unwrap_or_default(), v);
                st.point.truncate(base);
                Ok(())
            }
            (None, Some(name)) => Err(Stuck::Write(name, st.point.split_off(base))),
            (_, None) => Err(Stuck::Unbound("a func".to_owned())),
        }
    }

    /// The word as a func's points hold it.
    fn stored(&self, f: usize, v: i64) -> Result<i64, Stuck> {
        match self.scalars.get(f).copied().flatten() {
            Some(scalar) if v != ERROR => {
                let stored = scalar.store(&Int::Small(v), Overflow::Wrap);
                stored.and_then(|v| v.to_i64()).ok_or(Stuck::Overflow)
            }
            Some(_) | None => Ok(v),
        }
    }

    /// A word that must not be an error.
    fn sure<W: Watch>(&self, e: &Word, st: &mut State<'_, W>) -> Result<i64, Stuck> {
        match self.word(e, st)? {
            ERROR => Err(Stuck::ErrorValue),
            v => Ok(v),
        }
    }

    fn word<W: Watch>(&self, e: &Word, st: &mut State<'_, W>) -> Result<i64, Stuck> {
        match e {
            Word::Const(v) => Ok(*v),
            Word::Slot(s) => Ok(get(&st.slots, *s)),
            Word::SlotPlus(s, k) => match get(&st.slots, *s) {
                ERROR => Ok(ERROR),
                v => v.checked_add(*k).ok_or(Stuck::Overflow),
            },
            Word::Load(f, args) => self.load(*f, args, st),
            Word::Binary(op, ab) => {
                let (a, b) = (self.word(&ab.0, st)?, self.word(&ab.1, st)?);
                if a == ERROR || b == ERROR { Ok(ERROR) } else { binary(*op, a, b) }
            }
            Word::Unary(op, a) => match self.word(a, st)? {
                ERROR => Ok(ERROR),
                v => unary(*op, v),
            },
            Word::Select(cab) => {
                let (c, a, b) = (self.word(&cab.0, st)?, self.word(&cab.1, st)?, self.word(&cab.2, st)?);
                if c == ERROR || a == ERROR || b == ERROR {
                    Ok(ERROR)
                } else {
                    Ok(if c == 0 { b } else { a })
                }
            }
        }
    }

    fn load<W: Watch>(&self, f: usize, args: &[Word], st: &mut State<'_, W>) -> Result<i64, Stuck> {
        let base = st.point.len();
        for a in args {
            let i = self.sure(a, st)?;
            st.point.push(i);
        }
        let folds = self.folds.get(f).map(Vec::as_slice).unwrap_or_default();
        let point = st.point.get(base..).unwrap_or_default();
        let cells = st.buffers.get(f).and_then(Option::as_ref);
        let found = cells.and_then(|c| {
            let at = super::folded_offset(&c.bounds, folds, point)?;
            Some((c.id, at, *c.values.get(at)?))
        });
        let Some((id, at, v)) = found else {
            let name = self.funcs.get(f).copied().unwrap_or(Name::new("?"));
            return Err(Stuck::Read(name, st.point.split_off(base)));
        };
        st.point.truncate(base);
        st.watch.load(id, at);
        Ok(v)
    }
}

fn get(slots: &[i64], s: usize) -> i64 {
    slots.get(s).copied().unwrap_or(ERROR)
}

fn set(slots: &mut [i64], s: usize, v: i64) {
    if let Some(place) = slots.get_mut(s) {
        *place = v;
    }
}

/// `a · 2^by`, rounded down.
fn shifted(a: i64, by: Option<i64>) -> Option<i64> {
    Int::Small(a).shl(&Int::Small(by?)).to_i64()
}

fn unary(op: Op, a: i64) -> Result<i64, Stuck> {
    let out = match op {
        Op::Not => Some(i64::from(a == 0)),
        Op::Abs => a.checked_abs(),
        Op::Cast(scalar) => scalar.store(&Int::Small(a), Overflow::Wrap).and_then(|v| v.to_i64()),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Or | Op::And => None,
        Op::Lt
        | Op::Gt
        | Op::Eq
        | Op::Select
        | Op::Min
        | Op::Max
        | Op::Bits(_)
        | Op::Math(_)
        | Op::Tuple(_)
        | Op::Elem(_) => None,
    };
    out.filter(|v| *v != ERROR).ok_or(Stuck::Overflow)
}

#[inline]
fn binary(op: Op, a: i64, b: i64) -> Result<i64, Stuck> {
    let out = match op {
        Op::Add => a.checked_add(b),
        Op::Sub => a.checked_sub(b),
        Op::Mul => a.checked_mul(b),
        Op::Div => {
            if b == 0 {
                Some(0)
            } else {
                a.checked_div_euclid(b)
            }
        }
        Op::Mod => {
            if b == 0 {
                Some(0)
            } else {
                a.checked_rem_euclid(b)
            }
        }
        Op::Or => Some(i64::from(a != 0 || b != 0)),
        Op::And => Some(i64::from(a != 0 && b != 0)),
        Op::Lt => Some(i64::from(a < b)),
        Op::Gt => Some(i64::from(a > b)),
        Op::Eq => Some(i64::from(a == b)),
        Op::Min => Some(a.min(b)),
        Op::Max => Some(a.max(b)),
        Op::Bits(Bits::And) => Some(a & b),
        Op::Bits(Bits::Or) => Some(a | b),
        Op::Bits(Bits::Xor) => Some(a ^ b),
        Op::Bits(Bits::Shl) => shifted(a, Some(b)),
        Op::Bits(Bits::Shr) => shifted(a, b.checked_neg()),
        Op::Not | Op::Select | Op::Cast(_) | Op::Abs | Op::Math(_) | Op::Tuple(_) | Op::Elem(_) => None,
    };
    out.filter(|v| *v != ERROR).ok_or(Stuck::Overflow)
}
