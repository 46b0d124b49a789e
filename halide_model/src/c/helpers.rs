//! What units have in common: the functions that the text of one uses, and what these use.

use std::collections::BTreeSet;

/// What every unit begins with.
const HEAD: &str = r#"#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENMP
#define PARALLEL _Pragma("omp parallel for")
#define THREADS _Pragma("omp parallel")
#define SHARED _Pragma("omp for")
#define SIMD _Pragma("omp simd")
#define ATOMIC _Pragma("omp critical")
#else
#define PARALLEL
#define THREADS
#define SHARED
#define SIMD
#define ATOMIC
#endif
"#;

/// What units with floating point say besides.
const FLOATS: &str = r#"
#include <float.h>

/* Compile with -ffp-contract=off: every operation is rounded, in the precision of its operands. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16, "operations are rounded to the type of their operands");
"#;

/// Words of `math.h` that units use, without the suffix of single precision.
const MATH: [&str; 21] = [
    "sqrt", "exp", "log", "sin", "cos", "tan", "atan", "tanh", "floor", "ceil", "rint", "trunc", "pow",
    "atan2", "fabs", "isnan", "isinf", "isfinite", "NAN", "INFINITY", "HUGE_VAL",
];

/// Functions and constants, each after those that it uses.
const HELPERS: [(&str, &str); 52] = [
    (
        "require",
        r#"
static inline void require(int64_t holds, int code, const char *what) {
    if (holds) return;
    fprintf(stderr, "%s\n", what);
    exit(code);
}
"#,
    ),
    (
        "quotient",
        r#"
/* Euclidean quotient and remainder; 0 by 0. */
static inline int64_t quotient(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    int64_t q = a / b;
    return a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q;
}
"#,
    ),
    (
        "remainder_of",
        r#"
static inline int64_t remainder_of(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    int64_t r = a % b;
    return r < 0 ? (b > 0 ? r + b : r - b) : r;
}
"#,
    ),
    (
        "least",
        r#"
static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
"#,
    ),
    (
        "greatest",
        r#"
static inline int64_t greatest(int64_t a, int64_t b) { return a < b ? b : a; }
"#,
    ),
    (
        "pick",
        r#"
static inline int64_t pick(int64_t c, int64_t a, int64_t b) { return c != 0 ? a : b; }
"#,
    ),
    (
        "magnitude",
        r#"
static inline int64_t magnitude(int64_t a) { return a < 0 ? -a : a; }
"#,
    ),
    (
        "shl",
        r#"
/* Times 2 to the power of b, and divided by it; rounded down. */
static inline int64_t shl(int64_t a, int64_t b) {
    if (b >= 64) return 0;
    if (b >= 0) return (int64_t)((uint64_t)a << b);
    return b <= -64 ? (a < 0 ? -1 : 0) : a >> -b;
}
"#,
    ),
    (
        "shr",
        r#"
static inline int64_t shr(int64_t a, int64_t b) { return shl(a, b == INT64_MIN ? INT64_MAX : -b); }
"#,
    ),
    (
        "shl_u64",
        r#"
/* Unsigned numbers are kept as the signed ones of the same bits. */
static inline int64_t shl_u64(int64_t a, int64_t b) {
    if (b >= 64 || b <= -64) return 0;
    return (int64_t)(b >= 0 ? (uint64_t)a << b : (uint64_t)a >> -b);
}
"#,
    ),
    (
        "shr_u64",
        r#"
static inline int64_t shr_u64(int64_t a, int64_t b) { return shl_u64(a, b == INT64_MIN ? INT64_MAX : -b); }
"#,
    ),
    (
        "quotient_u64",
        r#"
static inline int64_t quotient_u64(int64_t a, int64_t b) { return b == 0 ? 0 : (int64_t)((uint64_t)a / (uint64_t)b); }
"#,
    ),
    (
        "remainder_u64",
        r#"
static inline int64_t remainder_u64(int64_t a, int64_t b) { return b == 0 ? 0 : (int64_t)((uint64_t)a % (uint64_t)b); }
"#,
    ),
    (
        "below_u64",
        r#"
static inline int64_t below_u64(int64_t a, int64_t b) { return (uint64_t)a < (uint64_t)b; }
"#,
    ),
    (
        "above_u64",
        r#"
static inline int64_t above_u64(int64_t a, int64_t b) { return (uint64_t)a > (uint64_t)b; }
"#,
    ),
    (
        "least_u64",
        r#"
static inline int64_t least_u64(int64_t a, int64_t b) { return (uint64_t)a < (uint64_t)b ? a : b; }
"#,
    ),
    (
        "greatest_u64",
        r#"
static inline int64_t greatest_u64(int64_t a, int64_t b) { return (uint64_t)a < (uint64_t)b ? b : a; }
"#,
    ),
    (
        "truncated",
        r#"
/* What is before the point; 0 where that does not fit 64 bits. */
static inline int64_t truncated(double v) {
    if (-9223372036854775808.0 <= v && v < 9223372036854775808.0) return (int64_t)v;
    return 9223372036854775808.0 <= v && v < 18446744073709551616.0 ? (int64_t)(uint64_t)v : 0;
}
"#,
    ),
    (
        "checked_shl",
        r#"
static inline int64_t checked_shl(int64_t a, int64_t b) {
    require(b <= 0 || a == 0 || (b < 63 && shr(shl(a, b), b) == a), 16, "a coordinate, a size or a condition does not fit 64 bits");
    return shl(a, b);
}
"#,
    ),
    (
        "remainder_float",
        r#"
static inline float remainder_float(float a, float b) { return a - b * floorf(a / b); }
"#,
    ),
    (
        "remainder_double",
        r#"
static inline double remainder_double(double a, double b) { return a - b * floor(a / b); }
"#,
    ),
    (
        "number",
        r#"
/* Parameters and windows: numbers of 32 bits. */
static inline int64_t number(int64_t v) {
    require(-2147483648 <= v && v <= 2147483647, 16, "a parameter does not fit 32 bits");
    return v;
}
"#,
    ),
    (
        "number_in",
        r#"
static inline int64_t number_in(int64_t v, int64_t lo, int64_t hi) {
    require(lo <= v && v <= hi, 16, "a parameter does not fit its type");
    return v;
}
"#,
    ),
    (
        "require_window",
        r#"
static inline void require_window(int64_t min, int64_t len) {
    require(0 <= len && len <= 2147483647, 16, "a length of the window is negative or does not fit 32 bits");
    require(-2147483648 <= min && min <= 2147483647 && min <= 2147483648 - len, 16, "the window does not fit 32 bits");
}
"#,
    ),
    (
        "points",
        r#"
/* How many points there are; a length below zero stands for none. */
static inline int64_t points(int64_t a, int64_t b) {
    if (a <= 0 || b <= 0) return 0;
    require(a <= INT64_MAX / b, 16, "the points of a func cannot be counted");
    return a * b;
}
"#,
    ),
    (
        "array",
        r#"
static inline void *array(int64_t count, size_t size) {
    count = greatest(count, 1);
    require((uint64_t)count <= PTRDIFF_MAX / size, 15, "out of memory");
    void *p = malloc((size_t)count * size);
    require(p != NULL, 15, "out of memory");
    return p;
}
"#,
    ),
    (
        "too_large",
        r#"
static const char *const too_large = "a coordinate, a size or a condition does not fit 64 bits";
"#,
    ),
    (
        "checked_add",
        r#"
static inline int64_t checked_add(int64_t a, int64_t b) {
    require(b < 0 ? a >= INT64_MIN - b : a <= INT64_MAX - b, 16, too_large);
    return a + b;
}
"#,
    ),
    (
        "checked_sub",
        r#"
static inline int64_t checked_sub(int64_t a, int64_t b) {
    require(b < 0 ? a <= INT64_MAX + b : a >= INT64_MIN + b, 16, too_large);
    return a - b;
}
"#,
    ),
    (
        "checked_mul",
        r#"
static inline int64_t checked_mul(int64_t a, int64_t b) {
    if (a == 0 || b == 0) return 0;
    require(a == -1 ? b != INT64_MIN : b == -1 ? a != INT64_MIN : 1, 16, too_large);
    int64_t product = (int64_t)((uint64_t)a * (uint64_t)b);
    require(b == -1 || product / b == a, 16, too_large);
    return product;
}
"#,
    ),
    (
        "checked_div",
        r#"
static inline int64_t checked_div(int64_t a, int64_t b) {
    require(a != INT64_MIN || b != -1, 16, too_large);
    return quotient(a, b);
}
"#,
    ),
    (
        "inside",
        r#"
/* The distance of an index from the first cell. */
static inline int64_t inside(int64_t i, int64_t min, int64_t len) {
    require(min <= i && i - min < len, 16, too_large);
    return i - min;
}
"#,
    ),
    (
        "within",
        r#"
/* Whether the first interval is part of the second. */
static inline int64_t within(int64_t min, int64_t len, int64_t outer_min, int64_t outer_len) {
    return outer_min <= min && min + len <= outer_min + outer_len;
}
"#,
    ),
    (
        "least_float",
        r#"
static inline float least_float(float a, float b) { return a < b ? a : b; }
"#,
    ),
    (
        "greatest_float",
        r#"
static inline float greatest_float(float a, float b) { return b < a ? a : b; }
"#,
    ),
    (
        "pick_float",
        r#"
static inline float pick_float(int64_t c, float a, float b) { return c != 0 ? a : b; }
"#,
    ),
    (
        "least_double",
        r#"
static inline double least_double(double a, double b) { return a < b ? a : b; }
"#,
    ),
    (
        "greatest_double",
        r#"
static inline double greatest_double(double a, double b) { return b < a ? a : b; }
"#,
    ),
    (
        "pick_double",
        r#"
static inline double pick_double(int64_t c, double a, double b) { return c != 0 ? a : b; }
"#,
    ),
    (
        "int128",
        r#"
/* Exact numbers between values and casts, where 64 bits do not hold them. */
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
"#,
    ),
    (
        "quotient_128",
        r#"
static inline int128 quotient_128(int128 a, int128 b) {
    if (b == 0) return 0;
    int128 q = a / b;
    return a % b < 0 ? (b > 0 ? q - 1 : q + 1) : q;
}
"#,
    ),
    (
        "remainder_128",
        r#"
static inline int128 remainder_128(int128 a, int128 b) {
    if (b == 0) return 0;
    int128 r = a % b;
    return r < 0 ? (b > 0 ? r + b : r - b) : r;
}
"#,
    ),
    (
        "least_128",
        r#"
static inline int128 least_128(int128 a, int128 b) { return a < b ? a : b; }
"#,
    ),
    (
        "greatest_128",
        r#"
static inline int128 greatest_128(int128 a, int128 b) { return a < b ? b : a; }
"#,
    ),
    (
        "magnitude_128",
        r#"
static inline int128 magnitude_128(int128 a) { return a < 0 ? -a : a; }
"#,
    ),
    (
        "below_128",
        r#"
static inline int below_128(int128 a, int128 b) { return a < b; }
"#,
    ),
    (
        "above_128",
        r#"
static inline int above_128(int128 a, int128 b) { return a > b; }
"#,
    ),
    (
        "equal_128",
        r#"
static inline int equal_128(int128 a, int128 b) { return a == b; }
"#,
    ),
    (
        "shl_128",
        r#"
/* No bit of any type is left at a distance of 64. */
static inline int128 shl_128(int128 a, int128 b) {
    int by = b > 64 ? 64 : b < -64 ? -64 : (int)b;
    return by >= 0 ? (int128)((uint128)a << by) : a >> -by;
}
"#,
    ),
    (
        "shr_128",
        r#"
static inline int128 shr_128(int128 a, int128 b) { return shl_128(a, -b); }
"#,
    ),
    (
        "truncated_128",
        r#"
static inline int128 truncated_128(double v) {
    return -9223372036854775808.0 <= v && v < 18446744073709551616.0 ? (int128)v : 0;
}
"#,
    ),
    (
        "checked_u64",
        r#"
static inline int64_t checked_u64(int64_t a) {
    require(a >= 0, 16, "a coordinate, a size or a condition does not fit 64 bits");
    return a;
}
"#,
    ),
];

/// The words that a program's names must leave alone.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    HELPERS.iter().map(|(name, _)| *name)
}

/// The beginning of a unit of which this is the rest: compilers warn of functions that are not used.
pub(super) fn preamble(rest: &str, math: bool) -> String {
    let code = rest.lines().filter(|l| !l.trim_start().starts_with("/*"));
    let mut wanted: BTreeSet<&str> = code.flat_map(identifiers).collect();
    let mut used = Vec::new();
    for (name, helper) in HELPERS.iter().rev() {
        if wanted.contains(name) {
            wanted.extend(identifiers(helper));
            used.push(*helper);
        }
    }
    let of_math = |w: &&str| MATH.contains(w) || w.strip_suffix('f').is_some_and(|w| MATH.contains(&w));
    let mut out = HEAD.to_owned();
    if math || wanted.iter().any(of_math) {
        out = out.replacen("#include <stdint.h>\n", "#include <math.h>\n#include <stdint.h>\n", 1);
    }
    if wanted.contains("float") || wanted.contains("double") {
        out.push_str(FLOATS);
    }
    out.extend(used.into_iter().rev());
    out
}

/// The identifiers of a text in C.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}
