//! Names in C: the source's own, with the shortest suffix that keeps them apart.
//!
//! A name of the object language may be a keyword of C or C++, a macro of a standard header, the name
//! of something generated, or live already in an enclosing scope. Spec: [rule: c.names].

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// Keywords of C11, C23 and C++ (headers are read by both), and the alternative spellings of C++.
const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if \
    inline int long register restrict return short signed sizeof static struct switch typedef union unsigned \
    void volatile while constexpr nullptr typeof typeof_unqual alignas alignof static_assert thread_local asm \
    catch char8_t char16_t char32_t class concept consteval constinit const_cast co_await co_return co_yield \
    decltype delete dynamic_cast explicit export friend mutable namespace new noexcept operator private \
    protected public reinterpret_cast requires static_cast template this throw try typeid typename using \
    virtual wchar_t and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq fortran";

/// Macros of the headers that generated code includes or that its users commonly do, of compilers, and
/// of ours; and types of those headers.
const MACROS: &str = "I NULL bool true false assert errno EOF complex imaginary stdin stdout stderr offsetof linux unix \
    i386 INFINITY NAN HUGE_VAL HUGE_VALF HUGE_VALL EXIT_SUCCESS EXIT_FAILURE RAND_MAX MB_CUR_MAX BUFSIZ CHAR_BIT \
    INT_MAX INT_MIN UINT_MAX LONG_MAX LONG_MIN FLT_MAX FLT_MIN DBL_MAX DBL_MIN FLT_EPSILON DBL_EPSILON INT8_MAX \
    INT8_MIN UINT8_MAX INT16_MAX INT16_MIN UINT16_MAX INT32_MAX INT32_MIN UINT32_MAX INT64_MAX INT64_MIN \
    UINT64_MAX SIZE_MAX INT8_C INT16_C INT32_C INT64_C UINT8_C UINT16_C UINT32_C UINT64_C fpclassify isfinite \
    isinf isnan isnormal signbit isgreater isless isunordered math_errhandling FP_NAN FP_INFINITE FP_ZERO \
    FP_SUBNORMAL FP_NORMAL FP_FAST_FMA FP_ILOGB0 FP_ILOGBNAN M_PI M_E setjmp va_arg va_start va_end va_copy \
    noreturn int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t int_fast8_t int_fast16_t \
    int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t int_least8_t int_least16_t \
    int_least32_t int_least64_t intptr_t uintptr_t intmax_t uintmax_t size_t ptrdiff_t max_align_t div_t ldiv_t \
    lldiv_t float_t double_t float16 ASSUME REQUIRE INT_FAST32_MAX ctxt";

/// Functions that generated code calls.
const CALLED: &str = "abort malloc calloc free sin sinf cos cosf sqrt sqrtf exp expf log logf fabs fabsf fmax fmaxf fmin fminf \
    rint rintf round roundf nearbyint nearbyintf trunc truncf";

/// Functions of the standard library: free for variables, not for functions.
const LIBRARY: &str = "main abs acos acosf acosh acoshf asin asinf asinh asinhf atan atan2 atan2f atanf atanh \
    atanhf atexit atof atoi atol atoll bsearch aligned_alloc cbrt cbrtf ceil ceilf copysign copysignf cosh \
    coshf div erf erfc erfcf erff exit exp2 exp2f expm1 expm1f fdim fdimf floor floorf fma fmaf fmod fmodf frexp \
    frexpf getenv hypot hypotf ilogb ilogbf isalpha isdigit isspace labs ldexp ldexpf ldiv lgamma lgammaf llabs \
    lldiv llrint llrintf llround llroundf log10 log10f log1p log1pf log2 log2f logb logbf lrint lrintf lround \
    lroundf mblen memchr memcmp memcpy memmove memset modf modff nan nanf nextafter nextafterf nexttoward pow \
    powf printf fprintf sprintf snprintf scanf putchar puts getchar fopen fclose fread fwrite qsort quick_exit \
    rand realloc remainder remainderf remquo remquof rename remove scalbln scalbn scalbnf sinh sinhf srand \
    strcat strchr strcmp strcpy strlen strncat strncmp strncpy strstr strtod strtof strtol strtoul system tan \
    tanf tanh tanhf tgamma tgammaf time clock signal raise index rindex y0 y1 yn j0 j1 jn gamma";

fn words(list: &'static str) -> impl Iterator<Item = String> {
    list.split_whitespace().map(str::to_owned)
}

/// Words that no generated identifier may be.
fn reserved() -> BTreeSet<String> {
    words(KEYWORDS).chain(words(MACROS)).chain(words(CALLED)).collect()
}

/// Text as a C identifier that is not reserved for the implementation: ASCII, and without the leading
/// underscores of `__x` and `_X`.
fn identifier(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii() {
            out.push(if c.is_ascii_alphanumeric() { c } else { '_' });
        } else {
            out.push_str(&format!("u{:x}", u32::from(c)));
        }
    }
    let is_ours = |s: &str| {
        !(s.starts_with("__") || s.starts_with('_') && s[1..].starts_with(|c: char| c.is_ascii_uppercase()))
    };
    while !is_ours(&out) {
        out.remove(0);
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'x');
    }
    out
}

/// What stands for a unit in the names that its header defines: include guard and context. Units of different names
/// have different words, whatever their case, so that their headers can be included together. Spec: [rule: c.unit-names].
pub fn unit_word(unit: &str) -> String {
    let word = identifier(unit);
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if word == unit && unit.chars().all(plain) {
        return word;
    }
    // FNV-1a, of what the identifier does not tell.
    let hash =
        unit.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{word}_{hash:08x}")
}

/// Up to which suffix all names are known to be taken, by text without a suffix: `x`, `x_1`, …, `x_9` are 10.
#[derive(Clone, Debug, Default)]
struct Suffixes {
    taken: BTreeMap<String, u64>,
}

impl Suffixes {
    /// `text`, or `text_1`, `text_2`, …: the first that is free.
    fn first_free(&mut self, text: &str, is_taken: impl Fn(&str) -> bool) -> String {
        let base = identifier(text);
        let mut k = self.taken.get(&base).copied().unwrap_or(0);
        loop {
            let candidate = if k == 0 { base.clone() } else { format!("{base}_{k}") };
            if !is_taken(&candidate) {
                if k > 0 {
                    self.taken.insert(base, k);
                }
                return candidate;
            }
            k += 1;
        }
    }

    /// A name is free again.
    fn free(&mut self, name: &str) {
        self.taken.remove(name);
        if let Some((base, suffix)) = name.rsplit_once('_')
            && let Some(first) = self.taken.get_mut(base)
        {
            *first = (*first).min(suffix.parse().unwrap_or(0));
        }
    }
}

/// The names at file scope: functions, types, helpers.
#[derive(Clone, Debug)]
pub struct FileNames {
    taken: Arc<BTreeSet<String>>,
    suffixes: Suffixes,
}

/// The words of [`LIBRARY`].
static LIBRARY_WORDS: LazyLock<BTreeSet<String>> = LazyLock::new(|| words(LIBRARY).collect());

impl FileNames {
    /// All reserved words, and no name given yet.
    pub fn new() -> FileNames {
        FileNames { taken: Arc::new(reserved()), suffixes: Suffixes::default() }
    }

    /// A name at file scope for this text, different from all others.
    pub fn declare(&mut self, text: &str) -> String {
        let is_taken = |n: &str| self.taken.contains(n) || LIBRARY_WORDS.contains(n);
        let name = self.suffixes.first_free(text, is_taken);
        self.reserve(name.clone());
        name
    }

    /// Says that other text in the file uses this name.
    pub fn reserve(&mut self, name: String) {
        Arc::make_mut(&mut self.taken).insert(name);
    }
}

impl Default for FileNames {
    fn default() -> FileNames {
        FileNames::new()
    }
}

/// The names inside one function. A name is free again when its block ends; inner blocks never hide
/// outer names, so that a bound such as `seq(0, i)` of an inner `i` means what it says.
#[derive(Clone, Debug)]
pub struct LocalNames {
    /// Names at file scope.
    file: Arc<BTreeSet<String>>,
    taken: BTreeSet<String>,
    suffixes: Suffixes,
    blocks: Vec<Vec<String>>,
}

impl LocalNames {
    /// The names of a function in a file; `also` are names that templates used in it mention.
    pub fn new(file: &FileNames, also: impl IntoIterator<Item = String>) -> LocalNames {
        LocalNames {
            file: file.taken.clone(),
            taken: also.into_iter().collect(),
            suffixes: Suffixes::default(),
            blocks: vec![Vec::new()],
        }
    }

    /// Begins a block.
    pub fn open(&mut self) {
        self.blocks.push(Vec::new());
    }

    /// Ends a block: its names are free.
    pub fn close(&mut self) {
        for name in self.blocks.pop().unwrap_or_default() {
            self.taken.remove(&name);
            self.suffixes.free(&name);
        }
    }

    /// A name for this text, in scope to the end of the innermost block.
    pub fn declare(&mut self, text: &str) -> String {
        let is_taken = |n: &str| self.file.contains(n) || self.taken.contains(n);
        let name = self.suffixes.first_free(text, is_taken);
        self.taken.insert(name.clone());
        if let Some(block) = self.blocks.last_mut() {
            block.push(name.clone());
        }
        name
    }
}

/// The names of a struct's fields, which have a scope of their own, where only keywords and macros are in the way.
#[derive(Clone, Debug)]
pub struct FieldNames {
    taken: BTreeSet<String>,
    suffixes: Suffixes,
}

impl FieldNames {
    /// No field yet.
    pub fn new() -> FieldNames {
        let taken = words(KEYWORDS).chain(words(MACROS)).collect();
        FieldNames { taken, suffixes: Suffixes::default() }
    }

    /// A name for this text, different from those of earlier fields.
    pub fn declare(&mut self, text: &str) -> String {
        let name = self.suffixes.first_free(text, |n| self.taken.contains(n));
        self.taken.insert(name.clone());
        name
    }
}

impl Default for FieldNames {
    fn default() -> FieldNames {
        FieldNames::new()
    }
}

/// The identifiers in C text, without those that follow `.` or `->`.
pub fn identifiers(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    let mut before = "";
    while let Some(start) = rest.find(|c: char| c == '_' || c.is_ascii_alphabetic()) {
        let (lead, tail) = rest.split_at(start);
        let end = tail.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric())).unwrap_or(tail.len());
        let (word, after) = tail.split_at(end);
        let lead = if lead.is_empty() { before } else { lead };
        let lead = lead.trim_end();
        let in_number = lead.ends_with(|c: char| c.is_ascii_digit());
        if !(lead.ends_with('.') || lead.ends_with("->") || in_number) {
            found.insert(word.to_owned());
        }
        before = "";
        rest = after;
    }
    found
}

/// The identifiers in C text that a parenthesis follows: functions and macros that it defines or calls.
pub fn functions(text: &str) -> BTreeSet<String> {
    let is_called = |word: &String| {
        text.match_indices(word.as_str()).any(|(at, _)| {
            let before = text.get(..at).unwrap_or_default();
            let after = text.get(at + word.len()..).unwrap_or_default();
            !before.ends_with(|c: char| c == '_' || c.is_ascii_alphanumeric())
                && after.trim_start().starts_with('(')
        })
    };
    identifiers(text).into_iter().filter(is_called).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_avoid_keywords_macros_functions_and_each_other() {
        let mut file = FileNames::new();
        assert_eq!(file.declare("gemm"), "gemm");
        assert_eq!(file.declare("gemm"), "gemm_1");
        assert_eq!(file.declare("pow"), "pow_1");
        let mut local = LocalNames::new(&file, ["t".to_owned()]);
        assert_eq!(local.declare("gemm"), "gemm_2");
        assert_eq!(local.declare("int"), "int_1");
        assert_eq!(local.declare("I"), "I_1");
        assert_eq!(local.declare("pow"), "pow");
        assert_eq!(local.declare("t"), "t_1");
        assert_eq!(local.declare("_Bad"), "Bad");
        assert_eq!(local.declare("α"), "u3b1");
    }

    #[test]
    fn a_name_is_free_again_after_its_block_and_not_before() {
        let mut local = LocalNames::new(&FileNames::new(), []);
        assert_eq!(local.declare("i"), "i");
        local.open();
        assert_eq!(local.declare("i"), "i_1");
        local.close();
        local.open();
        assert_eq!(local.declare("i"), "i_1");
    }

    #[test]
    fn the_shortest_suffix_is_found_again_when_it_is_free() {
        let mut local = LocalNames::new(&FileNames::new(), []);
        assert_eq!(["x", "x", "x_2"].map(|x| local.declare(x)), ["x", "x_1", "x_2"]);
        local.open();
        assert_eq!(["x", "x"].map(|x| local.declare(x)), ["x_3", "x_4"]);
        local.close();
        assert_eq!(["x", "x"].map(|x| local.declare(x)), ["x_3", "x_4"]);
    }

    #[test]
    fn identifiers_of_a_template() {
        let found = identifiers("for (int k = 0; k < 4; k++) a.data[k] += p->q * 2.0f;");
        let expected = ["a", "for", "int", "k", "p"].map(str::to_owned);
        assert_eq!(found, expected.into_iter().collect());
        let called = functions("static int twice(int x) { return xtwice (x); }");
        assert_eq!(called, ["twice", "xtwice"].map(str::to_owned).into_iter().collect());
    }
}
