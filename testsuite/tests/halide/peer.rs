//! What the model says of a text to those who compare it with Halide itself: `python/tests/test_halide.py` does that.

use rewright_campaign::halide::outcome::{normal, of_case, of_text};
use serde_json::{Value, json};

const SUM: &str = "typed pipeline f(a(_0): uint8):
  fun g(x) = a[x] + a[x + 1];
  fun f(x) = (uint16(g[x]) + 1, float32(g[x + 1]) * 0.5f);
schedule:
  compute-at(g, <f, x>);
realize((0, 3); a = (0, 5) {1, 2, 3, 250, 9})
";

fn text(source: &str) -> Value {
    of_text(&source.replace("= (uint16", "= tuple(uint16"))
}

/// [rule: halide.peer] [rule: halide.peer.diff]
#[test]
fn values_and_regions_are_told() {
    let told = text(SUM);
    assert_eq!(told["verdict"], "equal", "{told}");
    let output = json!({"func": "f", "types": ["uint16", "float32"], "values": [["4", "6", "254"], ["2.5", "126.5", "1.5"]]});
    assert_eq!(told["values"], json!([output]));
    assert_eq!(told["required"]["a"], json!([[0, 5]]));
    // Regions are told of what is run step by step, too.
    assert_eq!(told["regions"]["g"]["allocated"], json!([[0, 4]]));
    assert_eq!(told["regions"]["f"]["allocated"], json!([[0, 3]]));
}

/// [rule: halide.peer]
#[test]
fn a_refusal_tells_when_and_by_which_rule() {
    let refused = |from: &str, to: &str| {
        let told = text(&SUM.replace(from, to));
        (
            told["at"].as_str().unwrap_or_default().to_owned(),
            told["rule"].as_str().unwrap_or_default().to_owned(),
        )
    };
    let of = |at: &str, rule: &str| (at.to_owned(), rule.to_owned());
    assert_eq!(refused("+ 1,", "+ 70000,"), of("definition", "halide.literal"));
    assert_eq!(refused("g[x])", "h[x])"), of("definition", "halide.order"));
    assert_eq!(refused("compute-at(g, <f, x>)", "swap(<f, x>)"), of("schedule", "schedule.loop"));
    assert_eq!(
        refused("uint16(g[x])", "uint16(g[int32(int64(a[x]) * 3)])"),
        of("lowering", "halide.no-bounds")
    );
    assert_eq!(refused("(0, 5) {1, 2, 3, 250, 9}", "(0, 4) {1, 2, 3, 250}"), of("runtime", "input"));
    assert_eq!(
        refused("realize((0, 3); a = (0, 5) {1, 2, 3, 250, 9})", ""),
        of("definition", "halide.realize")
    );
}

/// [rule: halide.peer]
#[test]
fn the_normal_form_writes_promotions_out() {
    let plain = normal(&SUM.replace("= (uint16", "= tuple(uint16")).expect("a text");
    assert!(plain.contains("fun g(x): uint8 = uint8(a[x] + a[x + 1]);"), "{plain}");
    assert_eq!(normal(&plain), Ok(plain.clone()));
    assert!(normal("pipeline f(): fun f(x) = ;").is_err());
    let case = include_str!("../../corpus/halide_typed/valid/wrap_u8_add.json");
    let text = of_case(case).expect("a case");
    assert_eq!(normal(&text), Ok(text));
}
