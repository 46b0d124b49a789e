//! Rows: an innermost loop that stores one point per iteration is run operator by operator over many iterations at once.
//!
//! Only for runs that nobody watches, and only where nothing can be told apart from one iteration after the other: the
//! func that is stored is not read. At the first thing out of the ordinary (an error value, a number that does not
//! fit, a point out of bounds) the row is given up; its iterations run one by one then, from its start, and say what
//! is wrong. Spec: [rule: halide.fast].

use super::{Cells, Code, Compiled, ERROR, State, Word};
use crate::exec::watch::Watch;
use crate::op::Op;

/// How many iterations are run at once.
const WIDTH: usize = 256;

type Row = [i64; WIDTH];

/// The iterations from `first` on, `len` of them, of the loop over `slot`.
#[derive(Clone, Copy)]
struct Run {
    slot: usize,
    first: i64,
    len: usize,
}

/// Whether the iterations of a loop with this body can be run at once.
pub(super) fn is_row(body: &[Code]) -> bool {
    let [Code::Store { f, args, value, atomic: _ }] = body else { return false };
    args.iter().chain([value]).all(|w| !w.loads(*f))
}

impl Word {
    fn loads(&self, f: usize) -> bool {
        match self {
            Word::Const(_) | Word::Slot(_) | Word::SlotPlus(..) => false,
            Word::Load(g, args) => *g == f || args.iter().any(|a| a.loads(f)),
            Word::Binary(_, ab) => ab.0.loads(f) || ab.1.loads(f),
            Word::Unary(_, a) => a.loads(f),
            Word::Select(cab) => cab.0.loads(f) || cab.1.loads(f) || cab.2.loads(f),
        }
    }

    fn varies(&self, slot: usize) -> bool {
        match self {
            Word::Const(_) => false,
            Word::Slot(s) | Word::SlotPlus(s, _) => *s == slot,
            Word::Load(_, args) => args.iter().any(|a| a.varies(slot)),
            Word::Binary(_, ab) => ab.0.varies(slot) || ab.1.varies(slot),
            Word::Unary(_, a) => a.varies(slot),
            Word::Select(cab) => cab.0.varies(slot) || cab.1.varies(slot) || cab.2.varies(slot),
        }
    }
}

impl Compiled {
    /// Runs the iterations from `from` to `to` as far as rows can; gives the first one that is left.
    pub(super) fn rows<W: Watch>(
        &self,
        slot: usize,
        from: i64,
        to: i64,
        body: &[Code],
        st: &mut State<'_, W>,
    ) -> i64 {
        let [Code::Store { f, args, value, atomic: _ }] = body else { return from };
        if self.scalars.get(*f).copied().flatten().is_some() {
            return from;
        }
        let mut next = from;
        while next < to {
            let len = usize::try_from(to.saturating_sub(next)).unwrap_or(WIDTH).min(WIDTH);
            let run = Run { slot, first: next, len };
            if self.row(*f, args, value, run, st).is_none() {
                break;
            }
            next = next.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
        }
        next
    }

    fn row<W: Watch>(
        &self,
        f: usize,
        args: &[Word],
        value: &Word,
        run: Run,
        st: &mut State<'_, W>,
    ) -> Option<()> {
        let fuel = st.fuel.checked_sub(u64::try_from(run.len).ok()?)?;
        let mut out = [0; WIDTH];
        self.values(value, run, st, &mut out)?;
        let (at, step) = self.place(f, args, run, st)?;
        let cells = st.buffers.get_mut(f)?.as_mut()?;
        let values = out.get(..run.len)?;
        match step {
            1 => cells.values.get_mut(at..at + run.len)?.copy_from_slice(values),
            0 => *cells.values.get_mut(at)? = *values.last()?,
            _ => {
                let places = cells.values.get_mut(at..)?.iter_mut().step_by(step);
                places.zip(values).for_each(|(place, v)| *place = *v);
            }
        }
        st.fuel = fuel;
        Some(())
    }

    /// Where a point that moves with the loop begins, and how far each iteration moves it; all of them are inside.
    fn place<W: Watch>(
        &self,
        f: usize,
        args: &[Word],
        run: Run,
        st: &mut State<'_, W>,
    ) -> Option<(usize, usize)> {
        let (mut at, mut step, mut stride) = (0, 0, 1);
        for (d, arg) in args.iter().enumerate() {
            let (first, moves) = match arg {
                Word::Slot(s) if *s == run.slot => (run.first, true),
                Word::SlotPlus(s, k) if *s == run.slot => (run.first.checked_add(*k)?, true),
                Word::Const(_) | Word::Slot(_) | Word::SlotPlus(..) => (self.sure(arg, st).ok()?, false),
                Word::Load(..) | Word::Binary(..) | Word::Unary(..) | Word::Select(_) => {
                    if arg.varies(run.slot) {
                        return None;
                    }
                    (self.sure(arg, st).ok()?, false)
                }
            };
            let (min, len) = bounds(st, f, d)?;
            let start = usize::try_from(first.checked_sub(min)?).ok()?;
            if start + if moves { run.len } else { 1 } > len {
                return None;
            }
            at += start * stride;
            step += if moves { stride } else { 0 };
            stride *= len;
        }
        (st.buffers.get(f)?.as_ref()?.bounds.len() == args.len()).then_some((at, step))
    }

    /// The values of an expression in all iterations, none of them an error.
    fn values<W: Watch>(&self, e: &Word, run: Run, st: &mut State<'_, W>, out: &mut Row) -> Option<()> {
        let len = run.len;
        match e {
            Word::Const(_) | Word::Slot(_) | Word::SlotPlus(..) if !e.varies(run.slot) => {
                let v = self.sure(e, st).ok()?;
                out.get_mut(..len)?.fill(v);
            }
            Word::Const(_) => return None,
            Word::Slot(_) => counting(run.first, len, out)?,
            Word::SlotPlus(_, k) => counting(run.first.checked_add(*k)?, len, out)?,
            Word::Load(f, args) => self.loads(*f, args, run, st, out)?,
            Word::Binary(op, ab) => {
                self.values(&ab.0, run, st, out)?;
                if let Word::Const(k) = &ab.1 {
                    return with_constant(*op, out.get_mut(..len)?, *k);
                }
                let mut other = [0; WIDTH];
                self.values(&ab.1, run, st, &mut other)?;
                elementwise(*op, out.get_mut(..len)?, other.get(..len)?)?;
            }
            Word::Unary(op, a) => {
                self.values(a, run, st, out)?;
                for v in out.get_mut(..len)? {
                    *v = super::unary(*op, *v).ok()?;
                }
            }
            Word::Select(cab) => {
                let (mut a, mut b) = ([0; WIDTH], [0; WIDTH]);
                self.values(&cab.0, run, st, out)?;
                self.values(&cab.1, run, st, &mut a)?;
                self.values(&cab.2, run, st, &mut b)?;
                for ((c, a), b) in out.iter_mut().zip(&a).zip(&b) {
                    *c = if *c == 0 { *b } else { *a };
                }
            }
        }
        Some(())
    }

    fn loads<W: Watch>(
        &self,
        f: usize,
        args: &[Word],
        run: Run,
        st: &mut State<'_, W>,
        out: &mut Row,
    ) -> Option<()> {
        let (at, step) = self.place(f, args, run, st)?;
        let cells: &Cells = st.buffers.get(f)?.as_ref()?;
        let out = out.get_mut(..run.len)?;
        match step {
            0 => out.fill(*cells.values.get(at)?),
            1 => out.copy_from_slice(cells.values.get(at..at + run.len)?),
            _ => {
                let from = cells.values.get(at..)?.iter().step_by(step);
                out.iter_mut().zip(from).for_each(|(v, cell)| *v = *cell);
            }
        }
        (!out.contains(&ERROR)).then_some(())
    }
}

fn bounds<W>(st: &State<'_, W>, f: usize, d: usize) -> Option<(i64, usize)> {
    let (min, len) = *st.buffers.get(f)?.as_ref()?.bounds.get(d)?;
    Some((min, usize::try_from(len).ok()?))
}

fn counting(first: i64, len: usize, out: &mut Row) -> Option<()> {
    first.checked_add(i64::try_from(len).ok()?)?;
    for (next, v) in (first..).zip(out.get_mut(..len)?) {
        *v = next;
    }
    (first != ERROR).then_some(())
}

/// `aᵢ op k`. Small numbers divide faster.
fn with_constant(op: Op, a: &mut [i64], k: i64) -> Option<()> {
    if let (Op::Div | Op::Mod, Ok(k)) = (op, i32::try_from(k))
        && k > 0
        && a.iter().all(|v| i32::try_from(*v).is_ok())
    {
        for v in a {
            let small = i32::try_from(*v).unwrap_or(0);
            *v = i64::from(if op == Op::Div { small.div_euclid(k) } else { small.rem_euclid(k) });
        }
        return Some(());
    }
    each(op, a, std::iter::repeat(k))
}

/// `aᵢ op bᵢ`
fn elementwise(op: Op, a: &mut [i64], b: &[i64]) -> Option<()> {
    each(op, a, b.iter().copied())
}

fn each(op: Op, a: &mut [i64], b: impl Iterator<Item = i64>) -> Option<()> {
    match op {
        Op::Add => fits(a, b, i64::overflowing_add),
        Op::Sub => fits(a, b, i64::overflowing_sub),
        Op::Mul => fits(a, b, i64::overflowing_mul),
        Op::Min => fits(a, b, |x, y| (x.min(y), false)),
        Op::Max => fits(a, b, |x, y| (x.max(y), false)),
        Op::Lt => fits(a, b, |x, y| (i64::from(x < y), false)),
        Op::Gt => fits(a, b, |x, y| (i64::from(x > y), false)),
        Op::Eq => fits(a, b, |x, y| (i64::from(x == y), false)),
        Op::And => fits(a, b, |x, y| (i64::from(x != 0 && y != 0), false)),
        Op::Or => fits(a, b, |x, y| (i64::from(x != 0 || y != 0), false)),
        Op::Div => fits(a, b, |x, y| if y == 0 { (0, false) } else { x.overflowing_div_euclid(y) }),
        Op::Mod => fits(a, b, |x, y| if y == 0 { (0, false) } else { x.overflowing_rem_euclid(y) }),
        Op::Not
        | Op::Select
        | Op::Cast(_)
        | Op::Bits(_)
        | Op::Abs
        | Op::Math(_)
        | Op::Tuple(_)
        | Op::Elem(_) => None,
    }
}

/// Applies `f`; nothing when a result does not fit or is the word for errors.
fn fits(a: &mut [i64], b: impl Iterator<Item = i64>, f: impl Fn(i64, i64) -> (i64, bool)) -> Option<()> {
    let mut bad = false;
    for (x, y) in a.iter_mut().zip(b) {
        let (v, over) = f(*x, y);
        bad |= over | (v == ERROR);
        *x = v;
    }
    (!bad).then_some(())
}
