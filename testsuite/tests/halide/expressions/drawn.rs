//! Random typed expressions whose exact values leave 64 bits: of every type, many in one program.

use super::Rng;

const INTEGERS: [&str; 8] = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

/// How many points each input has.
const POINTS: usize = 12;

fn bits(ty: &str) -> u32 {
    ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(8)
}

fn value(rng: &mut Rng, ty: &str) -> String {
    let signed = ty.starts_with('i');
    let n = bits(ty);
    let (lo, hi) = if signed { (-(1_i128 << (n - 1)), (1 << (n - 1)) - 1) } else { (0, (1 << n) - 1) };
    let some = i128::from(rng.between(0, 70));
    [lo, lo + some, hi, hi - some, hi / 2 + 1, some.min(hi), some.min(hi)][rng.below(7)].to_string()
}

fn literal(rng: &mut Rng) -> i64 {
    [rng.between(0, 9), rng.between(-9, 120), 127][rng.below(3)]
}

/// An expression of this type.
fn typed(rng: &mut Rng, ty: &str, depth: usize) -> String {
    if depth == 0 || rng.chance(10) {
        return format!("{}_{ty}[x]", ["a", "b"][rng.below(2)]);
    }
    let same = |rng: &mut Rng| typed(rng, ty, depth - 1);
    let other = INTEGERS[rng.below(INTEGERS.len())];
    let any = |rng: &mut Rng| typed(rng, other, depth - 1);
    let exact = ["saturating_add", "saturating_sub", "halving_add", "halving_sub", "rounding_halving_add"];
    match rng.below(16) {
        0 => format!("({} {} {})", same(rng), ["+", "-", "*"][rng.below(3)], same(rng)),
        1 => format!("({} {} {})", same(rng), ["div", "mod"][rng.below(2)], same(rng)),
        2 => format!("({} {} {})", same(rng), ["&", "|", "^"][rng.below(3)], same(rng)),
        3 => format!("{ty}({} {} {})", same(rng), ["<<", ">>"][rng.below(2)], any(rng)),
        4 => format!("{}({}, {})", ["min", "max"][rng.below(2)], same(rng), same(rng)),
        5 => format!("select({}, {}, {})", truth(rng, depth - 1), same(rng), same(rng)),
        6 => format!("{}({}, {})", exact[rng.below(5)], same(rng), same(rng)),
        7 => {
            format!(
                "{ty}({}({}, {}))",
                ["div_round_to_zero", "mod_round_to_zero"][rng.below(2)],
                same(rng),
                any(rng)
            )
        }
        8 => format!("{ty}(rounding_shift_right({}, {}))", same(rng), any(rng)),
        9 if bits(ty) < 64 => {
            format!("mul_shift_right({}, {}, {})", same(rng), same(rng), rng.between(0, 40))
        }
        10 if bits(ty) < 64 => format!("lerp({}, {}, a_uint32[x])", same(rng), same(rng)),
        11 if bits(ty) < 64 => format!("{ty}(widening_mul({}, {}))", same(rng), same(rng)),
        12 => format!("saturating_cast({ty}, {})", any(rng)),
        13 => format!("{ty}(absd({}, {}))", same(rng), any(rng)),
        14 => {
            format!("{ty}(int({}) {} int({}))", any(rng), ["*", "div", "mod", "-"][rng.below(4)], same(rng))
        }
        _ => format!("({} + {})", same(rng), literal(rng).clamp(0, 120)),
    }
}

fn truth(rng: &mut Rng, depth: usize) -> String {
    let ty = INTEGERS[rng.below(INTEGERS.len())];
    let sign = ["<", "<=", ">", ">=", "=", "!="][rng.below(6)];
    if rng.chance(40) {
        let other = INTEGERS[rng.below(INTEGERS.len())];
        return format!("(int({}) {sign} int({}))", typed(rng, ty, depth), typed(rng, other, depth));
    }
    format!("({} {sign} {})", typed(rng, ty, depth), typed(rng, ty, depth))
}

/// A pipeline with this many expressions, a row of the output each.
pub(crate) fn program(rng: &mut Rng, many: usize) -> String {
    let (mut declared, mut given) = (Vec::new(), Vec::new());
    for ty in INTEGERS {
        for name in ["a", "b"] {
            declared.push(format!("{name}_{ty}(_0): {ty}"));
            let values: Vec<String> = (0..POINTS).map(|_| value(rng, ty)).collect();
            given.push(format!("{name}_{ty} = (0, {POINTS}) {{{}}}", values.join(", ")));
        }
    }
    let mut text = format!("typed pipeline f({}):\n", declared.join(", "));
    let mut rows = Vec::new();
    for i in 0..many {
        let ty = INTEGERS[rng.below(INTEGERS.len())];
        text.push_str(&format!("  fun g{i}(x): {ty} = {};\n", typed(rng, ty, 3)));
        rows.push(format!("int64(g{i}[x])"));
    }
    text.push_str(&format!("  fun f(x, y) = mux(y, {});\n", rows.join(", ")));
    text.push_str(&format!("realize((0, {POINTS}), (0, {many}); {})\n", given.join(", ")));
    text
}
