//! Types of points. Spec: [rule: halide.typed], [rule: halide.promotion].

use crate::int::Int;
use num_bigint::BigInt;
use std::fmt;

/// What the points of a func hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scalar {
    /// An integer of ℤ: the formal model.
    #[default]
    Integer,
    /// A truth value: an unsigned integer of 1 bit.
    Bool,
    /// A signed integer of 8, 16, 32 or 64 bits.
    Signed(Width),
    /// An unsigned integer of 8, 16, 32 or 64 bits.
    Unsigned(Width),
    /// A number of floating point.
    Float(Precision),
}

/// Numbers of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Width {
    /// 8
    W8,
    /// 16
    W16,
    /// 32
    W32,
    /// 64
    W64,
}

/// Precisions; the greater one wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// 32 bits.
    Single,
    /// 64 bits.
    Double,
}

impl Width {
    /// All widths.
    pub const ALL: [Width; 4] = [Width::W8, Width::W16, Width::W32, Width::W64];

    /// How many bits.
    pub fn bits(self) -> u32 {
        match self {
            Width::W8 => 8,
            Width::W16 => 16,
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }
}

impl Scalar {
    /// All of them.
    pub fn all() -> Vec<Scalar> {
        let mut out = vec![Scalar::Integer, Scalar::Bool];
        out.extend(Width::ALL.map(Scalar::Signed));
        out.extend(Width::ALL.map(Scalar::Unsigned));
        out.extend([Scalar::Float(Precision::Single), Scalar::Float(Precision::Double)]);
        out
    }

    /// The scalar of that name, such as `uint8`.
    pub fn of_name(name: &str) -> Option<Scalar> {
        Scalar::all().into_iter().find(|s| s.name() == name)
    }

    /// The least and the greatest value; `None` for ℤ and for floating point.
    pub fn range(self) -> Option<(Int, Int)> {
        let pow = |n: u32| BigInt::from(1) << n;
        let (lo, hi) = match self {
            Scalar::Integer | Scalar::Float(_) => return None,
            Scalar::Bool => (BigInt::from(0), BigInt::from(1)),
            Scalar::Signed(w) => (-pow(w.bits() - 1), pow(w.bits() - 1) - 1),
            Scalar::Unsigned(w) => (BigInt::from(0), pow(w.bits()) - 1),
        };
        Some((Int::from_big(lo), Int::from_big(hi)))
    }

    /// The least and the greatest value of a type of less than 32 bits.
    pub fn narrow_range(self) -> Option<(Int, Int)> {
        match self {
            Scalar::Bool
            | Scalar::Signed(Width::W8 | Width::W16)
            | Scalar::Unsigned(Width::W8 | Width::W16) => self.range(),
            Scalar::Signed(Width::W32 | Width::W64) | Scalar::Unsigned(Width::W32 | Width::W64) => None,
            Scalar::Integer | Scalar::Float(_) => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Integer => "int",
            Scalar::Bool => "bool",
            Scalar::Signed(Width::W8) => "int8",
            Scalar::Signed(Width::W16) => "int16",
            Scalar::Signed(Width::W32) => "int32",
            Scalar::Signed(Width::W64) => "int64",
            Scalar::Unsigned(Width::W8) => "uint8",
            Scalar::Unsigned(Width::W16) => "uint16",
            Scalar::Unsigned(Width::W32) => "uint32",
            Scalar::Unsigned(Width::W64) => "uint64",
            Scalar::Float(Precision::Single) => "float32",
            Scalar::Float(Precision::Double) => "float64",
        }
    }

    /// Whether a parameter of this type is data, and no control: control has 32 bits.
    pub fn is_data(self) -> bool {
        match self {
            Scalar::Float(_) | Scalar::Signed(Width::W64) | Scalar::Unsigned(Width::W64) => true,
            Scalar::Integer | Scalar::Bool | Scalar::Signed(_) | Scalar::Unsigned(_) => false,
        }
    }

    /// Whether it is floating point.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::Float(_))
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
