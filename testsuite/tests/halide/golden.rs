//! The blur of TR'20 Fig. 1 and the example of Thesis §2.2 with its three schedules: algorithm, lowered, scheduled,
//! completed, C.

use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::c;
use rewright_halide_model::confluence::Engine;
use rewright_halide_model::lower::lower;
use rewright_halide_model::schedule::{self, Directive, Rules, Sequence, schedule};
use rewright_halide_model::text::{parse, print};
use rewright_halide_model::{tgt, valid};
use rewright_semantics::span::SourceMap;
use std::sync::Arc;

/// All that becomes of a pipeline.
fn story(text: &str) -> String {
    let mut sources = SourceMap::new();
    let file = sources.add("golden", text);
    let parsed = parse(file, &sources).unwrap_or_else(|d| panic!("{}", d.message));
    assert!(valid::check(&parsed.algorithm).is_empty());
    let directives: Vec<Directive> = parsed.schedule.iter().map(|(d, _)| d.clone()).collect();
    let p = Arc::new(parsed.algorithm);
    let t = schedule(&p, &directives, Sequence::Strict, Rules::default()).unwrap_or_else(|r| panic!("{r}"));
    let (completed, none) = Engine::Tight.complete(&t);
    assert_eq!(none, None);
    assert!(verify_bounds(&completed).is_verified());
    let unit = c::unit(&completed).expect("C");
    let own = unit.find("\nvoid run_").map_or(unit.as_str(), |at| &unit[at + 1..]);
    [
        ("algorithm", print::algorithm(&p) + &schedule::print(&directives)),
        ("lowered", tgt::print::program(&lower(&p), None)),
        ("scheduled", tgt::print::program(&t, None)),
        ("completed", tgt::print::program(&completed, None)),
        ("C", own.to_owned()),
    ]
    .map(|(title, text)| format!("## {title}\n{text}"))
    .join("\n")
}

const EXAMPLE: &str = "pipeline f():
  fun g(x) = x * x + 1;
  fun f(x) = g[x] + g[x + 1];
";

/// Fig. 2.1. [rule: halide.lower]
#[test]
fn the_example_by_default() {
    insta::assert_snapshot!(story(EXAMPLE));
}

/// Fig. 2.2.
#[test]
fn the_example_in_tiles_of_three() {
    let schedule = "schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g, <f, xo>); store-at(g, <f, xo>);";
    insta::assert_snapshot!(story(&format!("{EXAMPLE}{schedule}")));
}

/// Fig. 2.3.
#[test]
fn the_example_rounded_up() {
    insta::assert_snapshot!(story(&format!("{EXAMPLE}schedule: split(<f, x>, xo, xi, 4, round);")));
}

/// TR'20 Fig. 1, with a polynomial for the sine.
#[test]
fn the_blur() {
    insta::assert_snapshot!(story(
        "pipeline h(w):
  fun f(x, y) = (7 * x + 3 * y) mod 11;
  fun g(x, y) = {0; rdom(r = (0 - w, 2 * w + 1)) in (x, y) <- g[x, y] + f[x + r, y]};
  fun h(x, y) = {0; rdom(r = (0 - w, 2 * w + 1)) in (x, y) <- h[x, y] + g[x, y + r]};
schedule:
  split(<h, 1, 0, x>, xo, xi, 256, guard);
  split(<h, 1, 0, y>, yo, yi, 32, guard);
  swap(<h, 1, 0, yi>);
  swap(<h, 1, 0, yo>);
  traverse(<h, 1, 0, xo>, parallel);
  compute-at(g, <h, 1, 0, yo>);
  store-at(g, <h, 1, 0, yo>);
"
    ));
}
