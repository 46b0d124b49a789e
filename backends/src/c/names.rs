//! Names in C: the source's own, with the shortest suffix that keeps them apart.
//!
//! A name of the object language may be a keyword of C or C++, a macro of a standard header, the name
//! of something generated, or live already in an enclosing scope. Spec: [rule: c.names].

use rewright_base::c_names::{Class, keywords, of_headers};
use rewright_machines::RegisterFile;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

/// What is ours, or comes from headers that are not C's own.
const OURS: &str = "complex imaginary float16 bfloat16 ASSUME REQUIRE ctxt i386 M_PI M_E";

/// Functions that generated code calls.
const CALLED: &str = "abort malloc calloc free sin sinf cos cosf sqrt sqrtf exp expf log logf fabs fabsf fmax fmaxf fmin fminf \
    rint rintf fma fmaf round roundf nearbyint nearbyintf trunc truncf";

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    list.split_whitespace()
}

/// Words that no generated identifier may be.
fn reserved() -> BTreeSet<String> {
    let headers = of_headers(Class::Macro).chain(of_headers(Class::Name));
    keywords().chain(words(OURS)).chain(headers).chain(words(CALLED)).map(str::to_owned).collect()
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
                self.taken.insert(base, k);
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
    /// What the headers of registers define.
    defined: Vec<fn(&str) -> bool>,
}

/// Functions of headers, which variables need not keep clear of.
static LIBRARY: LazyLock<BTreeSet<&str>> =
    LazyLock::new(|| of_headers(Class::Function).chain(["main"]).collect());

impl FileNames {
    /// All reserved words, and no name given yet.
    pub fn new() -> FileNames {
        FileNames { taken: Arc::new(reserved()), suffixes: Suffixes::default(), defined: Vec::new() }
    }

    /// A name at file scope for this text, different from all others.
    pub fn declare(&mut self, text: &str) -> String {
        let is_taken =
            |n: &str| self.taken.contains(n) || LIBRARY.contains(n) || self.defined.iter().any(|d| d(n));
        let name = self.suffixes.first_free(text, is_taken);
        self.reserve(name.clone());
        name
    }

    /// Says that other text in the file uses this name.
    pub fn reserve(&mut self, name: String) {
        Arc::make_mut(&mut self.taken).insert(name);
    }

    /// Says that the file includes the header of these registers: functions avoid all that it defines, variables the types.
    pub fn include(&mut self, registers: &RegisterFile) {
        self.defined.push(registers.defines);
        registers.types.iter().for_each(|t| self.reserve(t.c.to_owned()));
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
    /// No field yet, in a unit that defines these macros.
    pub fn new(macros: &BTreeSet<String>) -> FieldNames {
        let words = keywords().chain(words(OURS)).chain(of_headers(Class::Macro)).map(str::to_owned);
        FieldNames { taken: words.chain(macros.iter().cloned()).collect(), suffixes: Suffixes::default() }
    }

    /// A name for this text, different from those of earlier fields.
    pub fn declare(&mut self, text: &str) -> String {
        let name = self.suffixes.first_free(text, |n| self.taken.contains(n));
        self.taken.insert(name.clone());
        name
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

/// The names by which threads reach one object that C text defines: the objects that may change, and where there are any, here or
/// `static` in a function, the functions and macros, too, whatever these do. A prototype is taken for an object.
pub fn reaching(text: &str) -> BTreeSet<String> {
    let plain = without_comments(text);
    let code: Vec<&str> = plain.lines().filter(|l| !l.trim_start().starts_with('#')).collect();
    let keywords: BTreeSet<String> = keywords().map(str::to_owned).collect();
    let found = outermost(&code.join("\n"))
        .split(';')
        .filter_map(|s| s.split("typedef").next())
        .flat_map(|s| s.split('}'))
        .filter(|declared| declares_object(declared))
        .flat_map(identifiers)
        .filter(|word| !keywords.contains(word))
        .collect::<BTreeSet<String>>();
    let in_functions = identifiers(&innermost(&code.join("\n"))).contains("static");
    if found.is_empty() && !in_functions {
        return found;
    }
    defined(text).difference(&keywords).cloned().collect()
}

/// Whether a declaration at file scope, up to a brace that it opens, is of an object that all threads share and may change.
fn declares_object(declared: &str) -> bool {
    let words = identifiers(declared);
    let is = |word: &str| words.contains(word);
    let is_fixed = is("const") && !declared.contains('*');
    let is_each_threads = ["_Thread_local", "thread_local", "__thread"].into_iter().any(is);
    // The head of a function, or of a type; that of an initialiser has a sign before it.
    let is_head = declared.contains('{') && !declared.contains('=');
    let is_enum = is("enum") && declared.contains('{');
    !(is_fixed || is_each_threads || is_head || is_enum)
}

/// The macros that C text defines.
pub fn macros(text: &str) -> BTreeSet<String> {
    let joined = without_comments(text).replace("\\\n", " ");
    let name = |line: &str| {
        let definition =
            line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
        let end = definition.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()));
        definition.get(..end.unwrap_or(definition.len())).map(str::to_owned)
    };
    joined.lines().filter_map(name).collect()
}

/// What C text defines for all that stands after it: macros, with what they stand for, and all that is declared outside
/// of braces and parentheses.
pub fn defined(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut code = String::new();
    let joined = without_comments(text).replace("\\\n", " ");
    for line in joined.lines() {
        let Some(directive) = line.trim_start().strip_prefix('#') else {
            code.push_str(line);
            code.push('\n');
            continue;
        };
        let Some(definition) = directive.trim_start().strip_prefix("define") else { continue };
        let definition = definition.trim_start();
        let end = definition.find(|c: char| !(c == '_' || c.is_ascii_alphanumeric()));
        let (name, rest) = definition.split_at(end.unwrap_or(definition.len()));
        let (parameters, body) = match rest.strip_prefix('(').and_then(|r| r.split_once(')')) {
            Some((parameters, body)) => (identifiers(parameters), body),
            None => (BTreeSet::new(), rest),
        };
        found.insert(name.to_owned());
        found.extend(identifiers(body).into_iter().filter(|w| !parameters.contains(w)));
    }
    found.extend(identifiers(&outermost(&code)));
    found
}

/// C text without comments and without what stands in quotes.
fn without_comments(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |k| k + 2)
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            let end = rest.char_indices().skip(1).find(|(_, d)| {
                let ends = *d == c && !escaped;
                escaped = *d == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |(k, _)| k + 1)
        } else {
            out.push(c);
            rest = rest.get(c.len_utf8()..).unwrap_or_default();
            continue;
        };
        out.push(' ');
        rest = rest.get(skipped..).unwrap_or_default();
    }
    out
}

/// What stands in no parentheses but those around a name, and in no braces but those of an `enum`.
fn outermost(code: &str) -> String {
    let mut out = String::new();
    let mut open: Vec<bool> = Vec::new();
    for (at, c) in code.char_indices() {
        match c {
            '(' => open.push(is_around_a_name(code.get(at..).unwrap_or_default())),
            '[' => open.push(false),
            '{' => {
                let head = out.rsplit([';', '}']).next().unwrap_or_default();
                open.push(identifiers(head).contains("enum"));
            }
            ')' | ']' | '}' => {
                open.pop();
                out.push(' ');
            }
            _ if open.iter().all(|shown| *shown) => out.push(c),
            _ => {}
        }
        if matches!(c, '{' | '}') {
            out.push(c);
        }
    }
    out
}

/// What stands in braces.
fn innermost(code: &str) -> String {
    let mut depth = 0_usize;
    let is_inside = |c: &char| {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > 0
    };
    code.chars().filter(is_inside).collect()
}

/// Whether C text begins with a declarator in parentheses, `(*name)`.
fn is_around_a_name(text: &str) -> bool {
    let inside = text.strip_prefix('(').and_then(|t| t.split_once(')')).map_or("", |(inside, _)| inside);
    identifiers(inside).len() == 1
        && inside.chars().all(|c| c == '*' || c == '_' || c.is_ascii_alphanumeric() || c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is left of a name without its underscores may be nothing, or begin with a digit.
    #[test]
    fn every_text_becomes_an_identifier() {
        for (text, expected) in [
            ("", "x"),
            ("__", "_"),
            ("_A", "A"),
            ("__1", "_1"),
            ("8x8", "x8x8"),
            ("a-b", "a_b"),
            ("é", "ue9"),
        ] {
            assert_eq!(identifier(text), expected, "{text}");
        }
    }

    #[test]
    fn units_that_differ_have_different_words() {
        assert_eq!(unit_word("gemm_8"), "gemm_8");
        let words = ["gemm", "Gemm", "GEMM", "g-emm", "g_emm", "_Gemm", "int", "é", "ue9"].map(unit_word);
        let different: BTreeSet<String> = words.iter().map(|w| w.to_ascii_lowercase()).collect();
        assert_eq!(different.len(), words.len(), "{words:?}");
    }

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
    fn what_global_code_defines() {
        let text = "#include <x.h>\n#define T 4 // not this\n#define ADD(a, b) (total += (a) + \\\n (b))\n\
                    static int total, more[3]; enum mode { ON, OFF = 2 };\n/* nor this */ \
                    typedef struct { int member; } row_t;\nstatic void put(int arg) { int local = \"text\"[arg]; }";
        let found = defined(text);
        for word in ["T", "ADD", "total", "more", "ON", "OFF", "row_t", "put", "mode"] {
            assert!(found.contains(word), "{word} is not in {found:?}");
        }
        for word in ["a", "b", "arg", "local", "member", "this", "text", "x", "h"] {
            assert!(!found.contains(word), "{word} is in {found:?}");
        }
    }

    #[test]
    fn what_threads_share() {
        for (text, shared) in [
            ("#include <stdlib.h>\n#define N 4\nstruct row { int m; }; typedef struct { int m; } row_t;", ""),
            ("static inline float twice(float x) { return 2 * x; }\n#define TWICE(x) twice(x)", ""),
            ("static float a(float x) { return x; } static float b(float x) { return a(x); }", ""),
            ("static const float table[2] = { 1, 2 }; enum mode { ON, OFF };", ""),
            ("static _Thread_local float own[64];", ""),
            ("static float pool[64];", "pool"),
            ("extern float (pool)[64];", "pool"),
            ("static struct { float cells[64]; } pool, *pp = &pool;", "pool pp"),
            ("static float table[2] = { 1, 2 }; static float at(int i) { return table[i]; }", "at table"),
            ("static enum mode now = ON;", "ON mode now"),
            ("static float *next(int n) { static float all[64]; return all + n; }", "next"),
            ("static float all[4];\n#define ALL (all)", "ALL all"),
        ] {
            let expected = shared.split(' ').filter(|w| !w.is_empty()).map(str::to_owned).collect();
            assert_eq!(reaching(text), expected, "{text}");
        }
    }

    #[test]
    fn identifiers_of_a_template() {
        let found = identifiers("for (int k = 0; k < 4; k++) a.data[k] += p->q * 2.0f;");
        let expected = ["a", "for", "int", "k", "p"].map(str::to_owned);
        assert_eq!(found, expected.into_iter().collect());
        let called = functions("static int twice(int x) { return xtwice (x); }");
        assert_eq!(called, ["twice", "xtwice"].map(str::to_owned).into_iter().collect());
    }

    #[test]
    fn comments_and_what_is_quoted_are_left_out() {
        for (text, left) in [
            ("a // b\nc", "a  \nc"),
            ("a /* b */ c", "a   c"),
            ("a /* b", "a  "),
            ("a / b * c", "a / b * c"),
            ("x = \"y z\"; w", "x =  ; w"),
            ("x = \"y\\\" z\" w", "x =   w"),
            ("x = \"y\\\\\" z", "x =   z"),
            ("x = 'y' z 'w' v", "x =   z   v"),
            ("'\"' a \"'\" b", "  a   b"),
            ("\"// no\" a", "  a"),
            ("α \"β\" γ", "α   γ"),
        ] {
            assert_eq!(without_comments(text), left, "{text}");
        }
    }
}
