//! Other data for an input that was found: values that rounding and special cases show on. Spec: [rule: inputs.data].

use super::rng::Rng;
use super::{Input, InputValue};
use crate::ast::{Decimal, Proc};
use crate::types::{ArgType, DataType};

/// What kind of data an input has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Data {
    /// Small whole numbers: sums and products of a few are exact in every precision.
    Whole,
    /// Fractions of many digits, of magnitudes far apart: nearly every operation rounds.
    Inexact,
    /// These, and zeros of both signs, the smallest and the largest numbers, and infinities.
    Special,
}

/// A power of ten beyond every precision: as a number of the machine, infinity, or with the other sign zero.
const BEYOND: i32 = 400;

impl Input {
    /// The same input with other data, determined by the seed. Cells that are ⊥ stay so.
    #[must_use]
    pub fn with_data(&self, p: &Proc, data: Data, seed: u64) -> Input {
        let mut out = self.clone();
        if data == Data::Whole {
            return out;
        }
        let mut rng = Rng::new(seed);
        for ((_, value), arg) in out.args.iter_mut().zip(&p.args) {
            let (InputValue::Data(buffer), ArgType::Data { typ, mem: _ }) = (value, &arg.typ) else {
                continue;
            };
            for cell in buffer.cells.iter_mut().flatten() {
                *cell = datum(typ.elem, data, &mut rng);
            }
        }
        out
    }
}

fn datum(typ: DataType, data: Data, rng: &mut Rng) -> Decimal {
    if let Some((least, most)) = range(typ) {
        let at_end = data == Data::Special && rng.one_in(4);
        let ends = [least, most, 0, 1, least.max(-1)];
        return Decimal::new(if at_end { pick(&ends, rng) } else { rng.between(least, most) }, 0);
    }
    // Digits of the smallest and largest numbers of the precision.
    let (tiny, huge) = match typ {
        DataType::F16 => (-7, 4),
        DataType::F64 => (-320, 307),
        DataType::BF16 => (-40, 37),
        DataType::R | DataType::F32 | DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => {
            (-43, 37)
        }
    };
    if data == Data::Special && rng.one_in(3) {
        let sign = if rng.one_in(2) { 1 } else { -1 };
        return match rng.below(5) {
            0 => Decimal::new(0, 0),
            // Rounds to the zero of this sign.
            1 => Decimal::new(sign, -BEYOND),
            2 => Decimal::new(sign, BEYOND),
            3 => Decimal::new(sign * rng.between(1, 60), tiny),
            _ => Decimal::new(sign * rng.between(1, 3), huge),
        };
    }
    let power = if rng.one_in(3) { -5 } else { -6 };
    Decimal::new(rng.between(-9_999_999, 9_999_999), power)
}

fn pick(from: &[i64], rng: &mut Rng) -> i64 {
    let k = rng.below(u64::try_from(from.len()).unwrap_or(1));
    usize::try_from(k).ok().and_then(|k| from.get(k)).copied().unwrap_or(0)
}

/// What an integer type holds; none for floats.
fn range(typ: DataType) -> Option<(i64, i64)> {
    match typ {
        DataType::I8 => Some((i8::MIN.into(), i8::MAX.into())),
        DataType::UI8 => Some((0, u8::MAX.into())),
        DataType::UI16 => Some((0, u16::MAX.into())),
        DataType::I32 => Some((i32::MIN.into(), i32::MAX.into())),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => None,
    }
}
