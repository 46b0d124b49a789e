//! The names that a C program must leave alone: what C's headers define, and what compilers know without one.

/// `macro NAME` for macros that stand for something wherever they occur, `name NAME` for types, variables and constants,
/// `function NAME` for functions, macros with parameters, and what a compiler knows without a header.
const HEADERS: &str = include_str!("c_names.txt");

/// The keywords of C11, C23 and C++, and the alternative spellings of C++.
const KEYWORDS: &str = "auto break case char const continue default do double else enum extern float for goto if \
    inline int long register restrict return short signed sizeof static struct switch typedef union unsigned \
    void volatile while constexpr nullptr typeof typeof_unqual alignas alignof static_assert thread_local asm \
    catch char8_t char16_t char32_t class concept consteval constinit const_cast co_await co_return co_yield \
    decltype delete dynamic_cast explicit export friend mutable namespace new noexcept operator private \
    protected public reinterpret_cast requires static_cast template this throw try typeid typename using \
    virtual wchar_t and and_eq bitand bitor compl not not_eq or or_eq xor xor_eq fortran";

/// What a name of a header is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// A macro that stands for something wherever it occurs.
    Macro,
    /// A type, a variable, a constant.
    Name,
    /// A function, a macro with parameters, or what a compiler knows without a header: a local variable may have its name.
    Function,
}

/// The keywords.
pub fn keywords() -> impl Iterator<Item = &'static str> {
    KEYWORDS.split_whitespace()
}

/// The names of this class.
pub fn of_headers(class: Class) -> impl Iterator<Item = &'static str> {
    let word = match class {
        Class::Macro => "macro",
        Class::Name => "name",
        Class::Function => "function",
    };
    HEADERS.lines().filter_map(move |l| l.split_once(' ').filter(|(c, _)| *c == word).map(|(_, n)| n))
}
