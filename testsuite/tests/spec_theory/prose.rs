//! The text around the blocks: each erratum that is named is linked, and formulas are set with what every renderer has.

use std::collections::BTreeSet;

/// Names of LaTeX that occur in formulas: all of them are known to MathJax and to KaTeX.
const MACROS: &[&str] = &[
    "Big",
    "Downarrow",
    "Gamma",
    "Longleftrightarrow",
    "Rightarrow",
    "Sigma",
    "ast",
    "bar",
    "begin",
    "beta",
    "big",
    "bigcup",
    "bigwedge",
    "bmod",
    "bot",
    "bullet",
    "cap",
    "cdot",
    "cdots",
    "circ",
    "cong",
    "cup",
    "dots",
    "downarrow",
    "ell",
    "emptyset",
    "end",
    "enspace",
    "exists",
    "forall",
    "frac",
    "gamma",
    "ge",
    "hat",
    "imath",
    "in",
    "infty",
    "jmath",
    "kappa",
    "lambda",
    "langle",
    "lbrace",
    "le",
    "left",
    "leftarrow",
    "mapsto",
    "mathbb",
    "mathbf",
    "mathcal",
    "mathrel",
    "mathsf",
    "mathtt",
    "max",
    "mid",
    "min",
    "ne",
    "neg",
    "notin",
    "oplus",
    "overline",
    "qquad",
    "quad",
    "rangle",
    "rbrace",
    "right",
    "scriptstyle",
    "setminus",
    "sigma",
    "simeq",
    "subseteq",
    "tau",
    "text",
    "textit",
    "textstyle",
    "theta",
    "times",
    "to",
    "varepsilon",
    "varphi",
    "vee",
    "wedge",
    "xrightarrow",
];

/// What is wrong with the text of a chapter.
pub(crate) fn defects(text: &str) -> Vec<String> {
    let mut found: Vec<String> =
        unlinked(text).into_iter().map(|n| format!("{n} is named, and linked nowhere")).collect();
    found.extend(text.lines().filter(|l| has_odd_dollar(l)).map(|l| format!("one `$` too many: {l}")));
    for formula in formulas(&without_blocks(text)) {
        let unknown = macros(&formula).into_iter().filter(|m| !MACROS.contains(&m.as_str()));
        found.extend(unknown.map(|m| format!("`\\{m}` in ${formula}$ may not render")));
        // A formula of several lines is a block, which Markdown leaves alone. In others it takes away the backslash before a
        // sign.
        let escapes =
            formula.split('\\').skip(1).any(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        if escapes && !formula.contains('\n') {
            found.push(format!("a backslash before a sign in ${formula}$"));
        }
        if formula.matches('{').count() != formula.matches('}').count() {
            found.push(format!("braces of ${formula}$ do not match"));
        }
        for (open, close) in [("\\left", "\\right"), ("\\begin", "\\end")] {
            let count = |word: &str| macros(&formula).iter().filter(|m| **m == word[1..]).count();
            if count(open) != count(close) {
                found.push(format!("`{open}` of ${formula}$ has no `{close}`"));
            }
        }
    }
    found
}

/// The text without fenced blocks and without inline code.
fn without_blocks(text: &str) -> String {
    let mut fenced = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            let plain: Vec<&str> = line.split('`').step_by(2).collect();
            out.push_str(&plain.join(" "));
            out.push('\n');
        }
    }
    out
}

/// What stands between dollars.
fn formulas(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (k, part) in text.split("$$").enumerate() {
        if k % 2 == 1 {
            out.push(part.trim().to_owned());
        } else {
            out.extend(part.split('$').skip(1).step_by(2).map(str::to_owned));
        }
    }
    out
}

/// Whether a line of text begins a formula that does not end on it.
fn has_odd_dollar(line: &str) -> bool {
    let plain: Vec<&str> = line.split('`').step_by(2).collect();
    plain.join(" ").replace("$$", "").matches('$').count() % 2 == 1
}

/// The errata that a chapter names, by letter and number, outside of its headings, and does not link.
fn unlinked(text: &str) -> BTreeSet<String> {
    let prose: Vec<&str> = text.lines().filter(|l| !l.starts_with('#')).collect();
    let prose = prose.join("\n");
    let named = prose.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').filter(|word| {
        let number = word.strip_prefix("E-").or_else(|| word.strip_prefix("H-"));
        number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    });
    let is_linked = |n: &str| text.contains(&format!("errata.md#{}-", n.to_lowercase()));
    named.filter(|n| !is_linked(n)).map(str::to_owned).collect()
}

/// The names after backslashes.
fn macros(formula: &str) -> BTreeSet<String> {
    let names = formula.split('\\').skip(1).map(|rest| {
        let len = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        rest[..len].to_owned()
    });
    names.filter(|name| !name.is_empty()).collect()
}
