//! Regions are never larger than Halide's: schedules whose loops end apart from each other or run beside the region, beside
//! what Halide 21 allocates for them. Spec: [rule: halide.not-larger]. Spec: [rule: halide.pure-region].

use rewright_campaign::halide::outcome;
use rewright_halide_model::bounds::verify::verify_bounds;
use rewright_halide_model::confluence::Engine;
use rewright_halide_model::schedule::{Rules, Sequence, schedule};
use rewright_halide_model::text;
use rewright_semantics::span::SourceMap;
use serde_json::Value;
use std::sync::Arc;

type Box = &'static [(i64, i64)];

/// A pipeline, and what Halide 21 allocates for its funcs, by `rewright halide diff`.
struct Case {
    name: &'static str,
    text: &'static str,
    halide: &'static [(&'static str, Box)],
}

const CASES: &[Case] = &[
    Case {
        name: "guard, then swap",
        text: "typed pipeline f():
  fun f(x) = int32(x);
schedule:
  split(<f, x>, xo, xi, 2, guard);
  swap(<f, xo>);
realize((0, 7))",
        halide: &[("f", &[(0, 7)])],
    },
    Case {
        name: "guard, then swap, then guard",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x] + g[x div 2];
schedule:
  split(<g, x>, xo, xi, 4, guard);
  swap(<g, xo>);
  split(<g, xo>, xa, xb, 3, guard);
realize((0, 5))",
        halide: &[("f", &[(0, 5)]), ("g", &[(0, 5)])],
    },
    Case {
        name: "guard of an update, then swap",
        text: "typed pipeline f():
  fun f(x, y) = {x; (3, y) <- f[3, y] + y};
schedule:
  split(<f, 1, 0, y>, yo, yi, 2, guard);
  swap(<f, 1, 0, yo>);
realize((2, 8), (0, 7))",
        halide: &[("f", &[(2, 8), (0, 7)])],
    },
    Case {
        name: "guard, then fuse",
        text: "typed pipeline f():
  fun g(x, y) = x + y;
  fun f(x, y) = g[x, y] + g[x + 1, y];
schedule:
  split(<f, y>, yo, yi, 3, guard);
  fuse(<f, yi>, q);
realize((2, 12), (-2, 1))",
        halide: &[("f", &[(2, 12), (-2, 1)]), ("g", &[(2, 13), (-2, 1)])],
    },
    Case {
        name: "round in a branch that is not taken",
        text: "typed pipeline f(k: int16):
  fun g(x) = x * x;
  fun f(x) = g[x];
schedule:
  specialize(f, k = 6);
  split(<f, 0, 1, x>, xo, xi, 4, round);
realize((1, 5); k = 1)",
        halide: &[("f", &[(1, 5)]), ("g", &[(1, 5)])],
    },
    Case {
        name: "shift in the branch that is not taken",
        text: "typed pipeline f(k: int16):
  fun g(x) = x * x;
  fun f(x) = g[x] + g[x + 1];
schedule:
  specialize(f, k < 6);
  split(<f, x>, xo, xi, 8, shift);
realize((1, 4); k = 1)",
        halide: &[("f", &[(1, 4)]), ("g", &[(1, 5)])],
    },
    Case {
        name: "fuse, then shift",
        text: "typed pipeline f():
  fun g(x, y) = x + y;
  fun f(x, y) = g[x, min(x, 4) + y];
schedule:
  fuse(<f, y>, q);
  split(<f, q>, qo, qi, 4, shift);
realize((-1, 9), (2, 12))",
        halide: &[("f", &[(-1, 9), (2, 12)]), ("g", &[(-1, 9), (1, 17)])],
    },
    Case {
        name: "fuse, then round, and a func computed in a tile",
        text: "typed pipeline f():
  fun g(x, y) = x + y;
  fun f(x, y) = g[x + y, y];
schedule:
  fuse(<f, y>, q);
  split(<f, q>, qo, qi, 3, round);
  compute-at(g, <f, qo>);
  store-at(g, <f, qo>);
realize((-2, 9), (0, 8))",
        halide: &[("f", &[(-2, 9), (0, 8)]), ("g", &[(-2, 16), (0, 8)])],
    },
    Case {
        name: "shift of less than a tile",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = g[x] + g[x + 1];
  fun f(x) = h[x];
schedule:
  split(<f, x>, xo, xi, 8, shift);
realize((-2, 3))",
        halide: &[("f", &[(-7, 8)]), ("g", &[(-2, 4)]), ("h", &[(-7, 8)])],
    },
    Case {
        name: "guard, then shift inside, then swap",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = g[x] + g[x + 1];
  fun f(x) = h[x];
schedule:
  split(<f, x>, xo, xi, 3, guard);
  split(<f, xi>, xa, xb, 4, shift);
  swap(<f, xo>);
realize((-2, 5))",
        halide: &[("f", &[(-3, 6)]), ("g", &[(-2, 6)]), ("h", &[(-3, 6)])],
    },
    Case {
        name: "shift, then shift inside",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = g[x] + g[x + 1];
  fun f(x) = h[x];
schedule:
  split(<f, x>, xo, xi, 3, shift);
  split(<f, xi>, xa, xb, 8, shift);
realize((-2, 9))",
        halide: &[("f", &[(-7, 14)]), ("g", &[(-2, 10)]), ("h", &[(-7, 14)])],
    },
    Case {
        name: "shift of a func computed where nothing of it is needed",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x] + g[x - 2];
schedule:
  split(<g, x>, xo, xi, 8, shift);
  split(<f, x>, ya, yb, 8, guard);
  compute-at(g, <f, yb>);
  store-at(g, <f, ya>);
realize((-1, 3))",
        halide: &[("f", &[(-1, 3)]), ("g", &[(-8, 10)])],
    },
    Case {
        name: "shift of a stage that an update stores outside of",
        text: "typed pipeline f():
  fun g(x) = x + 1;
  fun f(x) = {g[x - 2]; rdom(r = (2, 1)) in (r) <- f[r] + 1};
schedule:
  split(<f, x>, xo, xi, 4, shift);
realize((-2, 3))",
        halide: &[("f", &[(-2, 5)]), ("g", &[(-4, 5)])],
    },
    Case {
        name: "round of an update that never happens",
        text: "typed pipeline f():
  fun f(x) = {x; (x) <- f[x] + 1 if x mod 3 > 3};
schedule:
  split(<f, 1, 0, x>, xo, xi, 8, round-blend);
realize((-1, 9))",
        halide: &[("f", &[(-1, 9)])],
    },
    Case {
        name: "round of what begins at one of two points",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x + 3] + g[(x - 1) div 2];
schedule:
  split(<g, x>, xo, xi, 3, round);
  split(<f, x>, ya, yb, 2, guard);
  compute-at(g, <f, yb>);
  store-at(g, <f, ya>);
realize((-2, 9))",
        halide: &[("f", &[(-2, 9)]), ("g", &[(-2, 19)])],
    },
    Case {
        name: "the same in two stages",
        text: "typed pipeline f():
  fun g(x) = {x * x; (x) <- g[x] + 1};
  fun f(x) = g[x + 3] + g[(x - 1) div 2];
schedule:
  split(<g, x>, xo, xi, 3, round);
  split(<f, x>, ya, yb, 2, guard);
  compute-at(g, <f, yb>);
  store-at(g, <f, ya>);
realize((-2, 9))",
        halide: &[("f", &[(-2, 9)]), ("g", &[(-2, 19)])],
    },
    Case {
        name: "the same at one of three points",
        text: "typed pipeline f():
  fun g(x) = {x * x; (x) <- g[x] + 1};
  fun f(x) = g[x + 3] + g[min(x - 1, 6)] + g[(x - 1) div 2];
schedule:
  split(<g, x>, xo, xi, 3, round);
  split(<f, x>, ya, yb, 2, guard);
  compute-at(g, <f, yb>);
  store-at(g, <f, ya>);
realize((-2, 9))",
        halide: &[("f", &[(-2, 9)]), ("g", &[(-3, 20)])],
    },
    Case {
        name: "fuse, then shift of less than two rows",
        text: "typed pipeline f():
  fun f(x, y) = x + y;
schedule:
  fuse(<f, y>, q);
  split(<f, q>, qo, qi, 3, shift);
realize((0, 7), (-1, 1))",
        halide: &[("f", &[(0, 7), (-1, 1)])],
    },
    Case {
        name: "a condition on a minimum",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = {x; rdom(r = (2, 1)) in (x) <- f[x] + g[x + x] * r if min(x, 5) = 2};
realize((-2, 8))",
        halide: &[("f", &[(-2, 8)]), ("g", &[(4, 1)])],
    },
    Case {
        name: "a condition of which one side never holds",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = {x; rdom(r = (-1, 5)) in (r) <- f[r] + g[r] if r + 1 <= 2 or r mod 2 > 2};
realize((-2, 8))",
        halide: &[("f", &[(-2, 8)]), ("g", &[(-1, 3)])],
    },
    Case {
        name: "shift of an update that a later one stores outside of",
        text: "typed pipeline f():
  fun g(x) = x + 1;
  fun f(x) = {x; (x) <- f[x] + g[x]; rdom(r = (2, 1)) in (r) <- f[r] + 1};
schedule:
  split(<f, 1, 0, x>, xo, xi, 4, shift-blend);
realize((-2, 3))",
        halide: &[("f", &[(-2, 5)]), ("g", &[(-2, 5)])],
    },
    Case {
        name: "a condition that holds for no value of a domain",
        text: "typed pipeline f():
  fun f(x) = {x; rdom(r = (2, 2)) in (x) <- f[x] + r if r div 2 + 1 < -1};
schedule:
  split(<f, 1, 0, x>, xo, xi, 8, shift-blend);
realize((-1, 3))",
        halide: &[("f", &[(-1, 3)])],
    },
    Case {
        name: "a func that nothing uses any more",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = {x; rdom(r = (1, 4)) in (x) <- h[x] + g[x + r]};
  fun f(x) = h[x];
schedule:
  clone-in(h, w, f);
realize((2, 3))",
        halide: &[("f", &[(2, 3)]), ("g", &[(3, 6)])],
    },
    Case {
        name: "shift of a func of which nothing is asked",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = {x; (x) <- f[x] + g[x] if x mod 3 > 3};
schedule:
  split(<g, x>, xo, xi, 4, shift);
realize((0, 3))",
        halide: &[("f", &[(0, 3)]), ("g", &[(-1, 4)])],
    },
    Case {
        name: "alignment of a func of which nothing is asked",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = {x; (x) <- f[x] + g[x] if x mod 3 > 3};
schedule:
  align-bounds(g, x, 4, 1);
realize((1, 3))",
        halide: &[("f", &[(1, 3)]), ("g", &[(1, 4)])],
    },
    Case {
        name: "an update computed beyond the end of a guarded tile",
        text: "typed pipeline f():
  fun g(x) = {x; (x) <- g[x] + x};
  fun f(x) = g[x];
schedule:
  split(<f, x>, xo, xi, 3, guard);
  compute-at(g, <f, xi>);
realize((1, 1))",
        halide: &[("f", &[(1, 1)]), ("g", &[(1, 1)])],
    },
    Case {
        name: "shift of a func stored beyond the end of a guarded tile",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x];
schedule:
  split(<g, x>, xo, xi, 2, shift);
  split(<f, x>, ya, yb, 8, guard);
  compute-at(g, <f, yb>);
  store-at(g, <f, yb>);
realize((1, 4))",
        halide: &[("f", &[(1, 4)]), ("g", &[(0, 5)])],
    },
    Case {
        name: "round of what is stored where it is computed, aligned",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x mod 2] + g[min(x, 6)];
schedule:
  split(<g, x>, xo, xi, 4, round);
  compute-at(g, <f, x>);
  store-at(g, <f, x>);
  align-bounds(g, x, 2, 0);
realize((-1, 8))",
        halide: &[("f", &[(-1, 8)]), ("g", &[(-2, 10)])],
    },
    Case {
        name: "round in a loop of two iterations",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = {x; rdom(r = (0, 2)) in (r) <- h[r] + g[(r - 1) mod 2] + g[r]};
  fun f(x) = h[x];
schedule:
  split(<g, x>, xo, xi, 4, round);
  compute-at(g, <h, 1, 0, r>);
realize((-1, 8))",
        halide: &[("f", &[(-1, 8)]), ("g", &[(0, 4)])],
    },
    Case {
        name: "round, then fuse, then guard of few iterations",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun f(x) = g[x mod 2 + 1];
schedule:
  split(<g, x>, xo, xi, 2, round);
  fuse(<g, xo>, q);
  split(<g, q>, qo, qi, 4, guard);
realize((-1, 4))",
        halide: &[("f", &[(-1, 4)]), ("g", &[(1, 2)])],
    },
    Case {
        name: "round of an aligned region that tiles divide",
        text: "typed pipeline f():
  fun g(x) = x * x;
  fun h(x) = g[x];
  fun f(x) = h[x] + h[x div 2];
schedule:
  split(<h, x>, xo, xi, 4, round);
  split(<f, x>, ya, yb, 4, shift);
  compute-at(h, <f, ya>);
  store-at(h, <f, ya>);
  align-bounds(h, x, 8, 2);
realize((-1, 7))",
        halide: &[("f", &[(-1, 7)]), ("g", &[(-6, 16)])],
    },
    Case {
        name: "round in a tile that is shifted",
        text: "typed pipeline f():
  fun w(x) = x * x;
  fun h(x) = {x; (x) <- h[x] + w[x]};
  fun f(x) = h[x];
schedule:
  split(<h, 1, 0, x>, xo, xi, 4, round);
  split(<f, x>, ya, yb, 8, shift);
  compute-at(h, <f, ya>);
  store-at(h, <f, ya>);
realize((0, 19))",
        halide: &[("f", &[(0, 19)]), ("w", &[(0, 19)])],
    },
    Case {
        name: "ends of several maxima in a shift of a guard",
        text: "typed pipeline f():
  fun h(x) = x * 3;
  fun g(x) = h[max(x + 3, 3)] + h[3 * x];
  fun f(x) = g[max(x + 1, 1)] + g[x - x mod 5 + 3];
schedule:
  split(<f, x>, o3, i3, 2, guard);
  split(<f, o3>, o4, i4, 2, shift);
  compute-at(g, <f, i4>);
  compute-at(h, <f, i4>);
realize((0, 9))",
        // `g` has one point more: that `x - x mod 5` stays when a tile of two moves by one is not seen.
        halide: &[("f", &[(0, 9)]), ("h", &[(-3, 37)])],
    },
];

fn boxed(v: &Value) -> Vec<(i64, i64)> {
    serde_json::from_value(v.clone()).unwrap_or_default()
}

/// Whether the completed program's bounds are verified.
fn verified(source: &str) -> bool {
    let mut sources = SourceMap::new();
    let file = sources.add("case", source.to_owned());
    let Ok(parsed) = text::parse(file, &sources) else { return false };
    let directives: Vec<_> = parsed.schedule.into_iter().map(|(d, _)| d).collect();
    let algorithm = Arc::new(parsed.algorithm);
    let Ok(t) = schedule(&algorithm, &directives, Sequence::Sorted, Rules::default()) else { return false };
    verify_bounds(&Engine::Tight.complete(&t).0).is_verified()
}

/// [rule: halide.not-larger], [rule: halide.pure-region]
#[test]
fn regions_are_not_larger_than_in_practice() {
    let mut wrong = Vec::new();
    for Case { name, text, halide } in CASES {
        let found = outcome::of_text(text);
        assert_eq!(found["verdict"], "equal", "{name}: {found}");
        assert!(verified(text), "{name}: the bounds are not verified");
        for (func, theirs) in *halide {
            let ours = boxed(&found["regions"][func]["allocated"]);
            let inside = |((m, n), (k, l)): (&(i64, i64), &(i64, i64))| m >= k && m + n <= k + l;
            let empty = ours.iter().any(|(_, n)| *n == 0);
            if ours.len() != theirs.len() || !empty && !ours.iter().zip(*theirs).all(inside) {
                wrong.push(format!("{name}: {func}: {ours:?} for {theirs:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "larger than Halide's:\n{}", wrong.join("\n"));
}
