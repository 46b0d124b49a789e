//! Random algorithms with two funcs that do not use each other, for schedules that compute them together.
//! Spec: [rule: halide.compute-with].

use crate::rng::Rng;
use rewright_halide_model::alg::Algorithm;
use rewright_halide_model::text::parse;
use rewright_semantics::span::SourceMap;
use std::fmt::Write as _;

/// A random algorithm; `a` and `b` are independent but for producer `c`, which both may read, and `h` may stand between.
///
/// # Panics
/// The text that was made cannot be read: a fault of this generator.
pub fn algorithm(rng: &mut Rng) -> Algorithm {
    let mut text = "pipeline f(p):\n  fun c(x, y) = x * x + 3 * y;\n".to_owned();
    define(rng, "a", &mut text);
    let between = rng.below(3);
    if between > 0 {
        let read = if between == 1 { "a[x, y + 1]" } else { "c[x + 1, y]" };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  fun h(x, y) = {read} + 1;");
    }
    define(rng, "b", &mut text);
    let h = if between > 0 { " + h[x, y]" } else { "" };
    let (i, j) = (rng.between(-3, 3), rng.between(-2, 2));
    let _ = writeln!(text, "  fun f(x, y) = a[x + {i}, y] + 7 * b[x, y + {j}] + b[x, y]{h};");
    let text = text.replace("+ -", "- ");
    let mut sources = SourceMap::new();
    let file = sources.add("siblings", text.as_str());
    match parse(file, &sources) {
        Ok(parsed) => parsed.algorithm,
        Err(d) => panic!("{}\n{text}", d.message),
    }
}

fn define(rng: &mut Rng, name: &str, text: &mut String) {
    let own = |e: &str| format!("{name}[{e}]");
    let pure = match rng.below(4) {
        0 => format!("c[x, y] + {}", rng.between(0, 5)),
        1 => "c[x + 1, y - 1] - y".to_owned(),
        2 => "x + 10 * y + p".to_owned(),
        _ => "x * y".to_owned(),
    };
    let updates: Vec<String> = (0..rng.below(3))
        .map(|_| {
            let (n, m) = (rng.between(0, 4), rng.between(-1, 2));
            match rng.below(7) {
                0 => format!("(x, y) <- {} + {n}", own("x, y")),
                1 => format!("rdom(r = ({m}, {n})) in (x, y) <- 2 * {} + r", own("x, y")),
                2 => format!("rdom(r = ({m}, {n})) in (r, y) <- {} + r", own("r - 1, y")),
                3 => format!("rdom(r = (0, {n})) in (x, y) <- {} + c[x, r] if r > p", own("x, y")),
                4 => format!("rdom(r = (0, {n}), t = ({m}, 2)) in (r, t) <- 3 * {} + t", own("r, t")),
                5 => format!("(x, {m}) <- {}", own(&format!("x, {m}")) + " + 4"),
                _ => format!("rdom(r = ({m}, {n})) in (x, r) <- {} - r", own("x, r + 1")),
            }
        })
        .collect();
    let _ = if updates.is_empty() {
        writeln!(text, "  fun {name}(x, y) = {pure};")
    } else {
        writeln!(text, "  fun {name}(x, y) = {{{pure}; {}}};", updates.join("; "))
    };
}
