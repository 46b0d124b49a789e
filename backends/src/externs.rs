//! Extern functions in C, and the helpers that generated code defines when it uses them.
//!
//! Each is what the domain Machine of the interpreter computes: library functions in the precision of
//! the arguments (`_Float16` and `bf16` through `float`), integers as `int`. Spec: [rule: c.externs].

use crate::memory::Refusal;
use rewright_semantics::externs::{Extern, Foreign};
use rewright_semantics::types::DataType;

mod bfloat;

/// A `static inline` function of the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Helper {
    /// `⌊a / b⌋` for b > 0.
    FloorDiv,
    /// `a - b * ⌊a / b⌋` for b > 0.
    FloorMod,
    /// An integer quotient that does not trap.
    Quotient,
    /// The positive part, of `float`, `double` or `int`.
    Relu(Arithmetic),
    /// The larger of two integers.
    MaxInt,
    /// The smaller of two integers.
    MinInt,
    /// The absolute value of an integer.
    AbsInt,
    /// An integer held to -128 … 127.
    ClampInt,
    /// A `float` or `double` cut to an integer type.
    Truncate(Arithmetic, DataType),
    /// A cell of type `bf16` as a `float`.
    FromBfloat,
    /// The nearest `bf16` of a `float` or `double`.
    ToBfloat(Arithmetic),
    /// A `float` rounded to the bits that `bf16` has.
    RoundToBfloat,
    /// [`Extern::FmaFtz`].
    FmaFtz,
}

/// The types that values are computed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arithmetic {
    /// `float`; `_Float16` and `bf16` are widened to it.
    Single,
    /// `double`.
    Double,
    /// `int32_t`; the narrower integers are promoted to it.
    Integer,
}

impl Arithmetic {
    /// Where values of a type are computed.
    pub fn of(t: DataType) -> Arithmetic {
        match t {
            DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 => Arithmetic::Single,
            DataType::F64 => Arithmetic::Double,
            DataType::I8 | DataType::UI8 | DataType::UI16 | DataType::I32 => Arithmetic::Integer,
        }
    }

    fn c(self) -> &'static str {
        match self {
            Arithmetic::Single => "float",
            Arithmetic::Double => "double",
            Arithmetic::Integer => "int32_t",
        }
    }

    fn suffix(self) -> &'static str {
        match self {
            Arithmetic::Single => "f32",
            Arithmetic::Double => "f64",
            Arithmetic::Integer => "i32",
        }
    }
}

/// The range of an integer type as open bounds for a `float` and a `double`, and its name in C.
fn range(t: DataType) -> Option<(&'static str, &'static str, &'static str)> {
    match t {
        DataType::I8 => Some(("-129.0", "128.0", "int8_t")),
        DataType::UI8 => Some(("-1.0", "256.0", "uint8_t")),
        DataType::UI16 => Some(("-1.0", "65536.0", "uint16_t")),
        DataType::I32 => Some(("-2147483649.0", "2147483648.0", "int32_t")),
        DataType::R | DataType::F16 | DataType::BF16 | DataType::F32 | DataType::F64 => None,
    }
}

impl Helper {
    /// Every helper.
    pub fn all() -> Vec<Helper> {
        let mut all = vec![
            Helper::FloorDiv,
            Helper::FloorMod,
            Helper::Quotient,
            Helper::Relu(Arithmetic::Single),
            Helper::Relu(Arithmetic::Double),
            Helper::Relu(Arithmetic::Integer),
            Helper::MaxInt,
            Helper::MinInt,
            Helper::AbsInt,
            Helper::ClampInt,
            Helper::FromBfloat,
            Helper::ToBfloat(Arithmetic::Single),
            Helper::ToBfloat(Arithmetic::Double),
            Helper::RoundToBfloat,
            Helper::FmaFtz,
        ];
        for t in DataType::ALL.into_iter().filter(|t| t.is_integer()) {
            all.extend([Helper::Truncate(Arithmetic::Single, t), Helper::Truncate(Arithmetic::Double, t)]);
        }
        all
    }

    /// The name, when nothing else has it.
    pub fn base_name(self) -> String {
        match self {
            Helper::FloorDiv => "floor_div".to_owned(),
            Helper::FloorMod => "floor_mod".to_owned(),
            Helper::Quotient => "divide_i32".to_owned(),
            Helper::Relu(k) => format!("relu_{}", k.suffix()),
            Helper::MaxInt => "max_i32".to_owned(),
            Helper::MinInt => "min_i32".to_owned(),
            Helper::AbsInt => "abs_i32".to_owned(),
            Helper::ClampInt => "clamp_i32".to_owned(),
            Helper::Truncate(k, t) => format!("{}_to_{}", k.suffix(), t.keyword()),
            Helper::FromBfloat => "bf16_to_f32".to_owned(),
            Helper::ToBfloat(k) => format!("{}_to_bf16", k.suffix()),
            Helper::RoundToBfloat => "rounded_to_bf16".to_owned(),
            Helper::FmaFtz => "fma_ftz".to_owned(),
        }
    }

    /// Its definition under a name.
    pub fn definition(self, name: &str) -> String {
        match self {
            Helper::FloorDiv => format!(
                "// The quotient rounded down; b > 0.\n\
                 static inline int_fast32_t {name}(int_fast32_t a, int_fast32_t b) {{\n    \
                     return a / b - (a % b < 0);\n}}\n"
            ),
            Helper::FloorMod => format!(
                "// The remainder of the quotient rounded down; b > 0.\n\
                 static inline int_fast32_t {name}(int_fast32_t a, int_fast32_t b) {{\n    \
                     return a % b + (a % b < 0 ? b : 0);\n}}\n"
            ),
            Helper::Quotient => format!(
                "// The quotient; some value, not a trap, where there is none.\n\
                 static inline int32_t {name}(int32_t a, int32_t b) {{\n    \
                     return b == 0 || (b == -1 && a == INT32_MIN) ? 0 : a / b;\n}}\n"
            ),
            Helper::Relu(k) => {
                let zero = match k {
                    Arithmetic::Single => "0.0f",
                    Arithmetic::Double => "0.0",
                    Arithmetic::Integer => "0",
                };
                one_liner(name, k.c(), &format!("{} x", k.c()), &format!("x > {zero} ? x : {zero}"))
            }
            Helper::MaxInt => one_liner(name, "int32_t", "int32_t a, int32_t b", "a > b ? a : b"),
            Helper::MinInt => one_liner(name, "int32_t", "int32_t a, int32_t b", "a < b ? a : b"),
            Helper::AbsInt => {
                one_liner(name, "int32_t", "int32_t x", "x < 0 ? (int32_t)(0 - (uint32_t)x) : x")
            }
            Helper::ClampInt => {
                one_liner(name, "int32_t", "int32_t x", "x < -128 ? -128 : (x > 127 ? 127 : x)")
            }
            Helper::Truncate(k, t) => truncation(name, k, t),
            Helper::FromBfloat => bfloat::to_float(name),
            Helper::ToBfloat(k) => bfloat::of(name, k),
            Helper::RoundToBfloat => bfloat::rounded(name),
            Helper::FmaFtz => FMA_FTZ.replace("NAME", name),
        }
    }
}

/// A result is denormal if it is when rounded to 24 bits. Next to the least normal number this is seen when all is 2^32
/// times as large, which one of the factors can be: one is small there.
const FMA_FTZ: &str = "\
// a * b + c rounded once, where denormal numbers are zeros.
static inline float NAME(float a, float b, float c) {
    const float least = 1.17549435e-38f, scale = 4294967296.0f;
    a = fabsf(a) < least ? copysignf(0.0f, a) : a;
    b = fabsf(b) < least ? copysignf(0.0f, b) : b;
    c = fabsf(c) < least ? copysignf(0.0f, c) : c;
    float sum = fmaf(a, b, c);
    float size = fabsf(sum);
    if (size == least && fabsf(c) < 1e-27f) {
        const float scaled = fabsf(a) < fabsf(b) ? fmaf(a * scale, b, c * scale) : fmaf(a, b * scale, c * scale);
        size = fabsf(scaled) < least * scale ? 0.0f : least;
    }
    return size < least ? copysignf(0.0f, sum) : sum;
}
";

fn one_liner(name: &str, result: &str, params: &str, value: &str) -> String {
    format!("static inline {result} {name}({params}) {{\n    return {value};\n}}\n")
}

fn truncation(name: &str, k: Arithmetic, t: DataType) -> String {
    let (above, below, c) = range(t).unwrap_or(("0.0", "0.0", "int32_t"));
    let lower = match (k, t) {
        // The neighbour below -2^31 is no `float`.
        (Arithmetic::Single, DataType::I32) => "x >= -2147483648.0f".to_owned(),
        (Arithmetic::Single, _) => format!("x > {above}f"),
        (Arithmetic::Double | Arithmetic::Integer, _) => format!("x > {above}"),
    };
    let suffix = if k == Arithmetic::Single { "f" } else { "" };
    let value = format!("{lower} && x < {below}{suffix} ? ({c})x : 0");
    let body = one_liner(name, c, &format!("{} x", k.c()), &value);
    format!("// Cut to an integer; some value where it is out of range.\n{body}")
}

/// Who knows the C of foreign functions.
pub trait ForeignC: std::fmt::Debug {
    /// A call with these arguments, each an operand, that gives a value of a type.
    ///
    /// # Errors
    /// The function does not take them.
    fn call(&self, f: Foreign, args: &[String], t: DataType) -> Result<String, Refusal>;

    /// What stands once in a file with a call.
    ///
    /// # Errors
    /// There is none for this type.
    fn global(&self, f: Foreign, t: DataType) -> Result<String, Refusal>;

    /// A value in the C of an instruction, shown as its placeholder says: `!r:>8`. `is_cell` is set for a cell of a buffer.
    ///
    /// # Errors
    /// Nothing is shown so.
    fn shown(&self, value: &str, is_cell: bool, how: &str) -> Result<String, Refusal>;
}

/// The library function of an extern, in the precision of its arguments.
pub fn library(f: Extern, k: Arithmetic) -> Option<&'static str> {
    let (single, double) = match f {
        Extern::Sin => ("sinf", "sin"),
        Extern::Cos => ("cosf", "cos"),
        Extern::Sqrt => ("sqrtf", "sqrt"),
        Extern::Expf | Extern::Sigmoid => ("expf", "exp"),
        Extern::Logf => ("logf", "log"),
        Extern::Fabsf => ("fabsf", "fabs"),
        Extern::Fmaxf => ("fmaxf", "fmax"),
        Extern::Fminf => ("fminf", "fmin"),
        Extern::Clamp => ("rintf", "rint"),
        Extern::Fma => ("fmaf", "fma"),
        Extern::Relu | Extern::Select | Extern::FmaFtz | Extern::Foreign(_) => return None,
    };
    match k {
        Arithmetic::Single => Some(single),
        Arithmetic::Double => Some(double),
        Arithmetic::Integer => None,
    }
}

/// Whether an extern has a meaning on integers.
pub fn takes_integers(f: Extern) -> bool {
    match f {
        Extern::Fabsf | Extern::Fmaxf | Extern::Fminf | Extern::Relu | Extern::Select | Extern::Clamp => true,
        // Who defines it says.
        Extern::Foreign(_) => true,
        Extern::Fma
        | Extern::FmaFtz
        | Extern::Sin
        | Extern::Cos
        | Extern::Sqrt
        | Extern::Expf
        | Extern::Logf
        | Extern::Sigmoid => false,
    }
}
