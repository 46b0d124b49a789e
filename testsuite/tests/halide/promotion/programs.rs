//! Random pipelines with types: inputs of every type, two funcs, an update, a schedule.

use super::Rng;

/// All types.
const TYPES: [&str; 11] =
    ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"];

/// Something that has a type.
struct Known {
    text: String,
    ty: &'static str,
}

fn is_float(ty: &str) -> bool {
    ty.starts_with("float")
}

fn of<'k>(rng: &mut Rng, known: &'k [Known], fine: impl Fn(&str) -> bool) -> Option<&'k Known> {
    let fits: Vec<&Known> = known.iter().filter(|k| fine(k.ty)).collect();
    if fits.is_empty() { None } else { Some(fits[rng.below(fits.len())]) }
}

/// An expression of this type.
fn typed(rng: &mut Rng, known: &[Known], ty: &'static str, depth: usize) -> String {
    if depth == 0 || rng.chance(15) {
        if let (Some(k), false) = (of(rng, known, |t| t == ty), rng.chance(20)) {
            return k.text.clone();
        }
        let any = of(rng, known, |_| true).map_or("x".to_owned(), |k| k.text.clone());
        return if rng.chance(30) {
            format!("{ty}({})", rng.between(-300, 300))
        } else {
            format!("{ty}({any})")
        };
    }
    let other = TYPES[rng.below(TYPES.len())];
    let same = |rng: &mut Rng| typed(rng, known, ty, depth - 1);
    match ty {
        "bool" => truth(rng, known, depth),
        _ if is_float(ty) => floating(rng, known, ty, depth),
        _ => match rng.below(14) {
            0 => format!("({} + {})", same(rng), same(rng)),
            1 => format!("({} - {})", same(rng), same(rng)),
            2 => format!("({} * {})", same(rng), same(rng)),
            3 => format!("({} div {})", same(rng), same(rng)),
            4 => format!("({} mod {})", same(rng), same(rng)),
            5 => format!("({} {} {})", same(rng), ["&", "|", "^"][rng.below(3)], same(rng)),
            6 => format!("({} {} {})", same(rng), ["<<", ">>"][rng.below(2)], rng.between(-3, 9)),
            7 => format!("{}({}, {})", ["min", "max"][rng.below(2)], same(rng), same(rng)),
            8 => format!("select({}, {}, {})", truth(rng, known, depth - 1), same(rng), same(rng)),
            9 => format!("clamp({}, {ty}(3), {ty}(90))", same(rng)),
            10 if narrow(ty) => function(rng, known, ty, depth),
            11 => format!("saturating_cast({ty}, {})", typed(rng, known, other, depth - 1)),
            12 => format!("({} + {})", same(rng), rng.between(0, 100)),
            _ => format!("{ty}({})", typed(rng, known, other, depth - 1)),
        },
    }
}

fn narrow(ty: &str) -> bool {
    ["int8", "int16", "int32", "uint8", "uint16", "uint32"].contains(&ty)
}

/// Functions that keep the type.
fn function(rng: &mut Rng, known: &[Known], ty: &'static str, depth: usize) -> String {
    let names = ["saturating_add", "saturating_sub", "halving_add", "halving_sub", "rounding_halving_add"];
    let (a, b) = (typed(rng, known, ty, depth - 1), typed(rng, known, ty, depth - 1));
    match rng.below(4) {
        0 => format!("{ty}(absd({a}, {b}))"),
        1 => format!("{ty}(widening_mul({a}, {b}))"),
        2 => format!("div_round_to_zero({a}, {b})"),
        _ => format!("{}({a}, {b})", names[rng.below(names.len())]),
    }
}

fn truth(rng: &mut Rng, known: &[Known], depth: usize) -> String {
    if depth == 0 {
        return format!("({} < {})", typed(rng, known, "int32", 0), rng.between(-9, 9));
    }
    let ty = TYPES[1 + rng.below(TYPES.len() - 1)];
    let sign = ["<", "<=", ">", ">=", "=", "!="][rng.below(6)];
    match rng.below(4) {
        0 => format!("({} and {})", truth(rng, known, depth - 1), truth(rng, known, depth - 1)),
        1 => format!("(not {})", truth(rng, known, depth - 1)),
        _ => format!("({} {sign} {})", typed(rng, known, ty, depth - 1), typed(rng, known, ty, depth - 1)),
    }
}

fn floating(rng: &mut Rng, known: &[Known], ty: &'static str, depth: usize) -> String {
    let same = |rng: &mut Rng| typed(rng, known, ty, depth - 1);
    let other = TYPES[rng.below(TYPES.len())];
    match rng.below(8) {
        0 => format!("({} + {})", same(rng), same(rng)),
        1 => format!("({} - {})", same(rng), same(rng)),
        2 => format!("({} * {})", same(rng), same(rng)),
        3 => format!("({} div {})", same(rng), same(rng)),
        4 => format!("{}({})", ["sqrt", "floor", "ceil", "round", "trunc", "abs"][rng.below(6)], same(rng)),
        5 => format!("select({}, {}, {})", truth(rng, known, depth - 1), same(rng), same(rng)),
        6 => format!("min({}, {})", same(rng), same(rng)),
        _ => format!("{ty}({})", typed(rng, known, other, depth - 1)),
    }
}

/// A value of a type, often at the ends of its range.
fn value(rng: &mut Rng, ty: &str) -> String {
    if is_float(ty) {
        return if rng.chance(10) {
            ["nan", "inf", "-inf"][rng.below(3)].to_owned()
        } else {
            format!("{}.{}", rng.between(-99, 99), rng.between(0, 999))
        };
    }
    if ty == "bool" {
        return rng.between(0, 1).to_string();
    }
    let signed = !ty.starts_with('u');
    let bits: u32 = ty.trim_start_matches(|c: char| c.is_ascii_alphabetic()).parse().unwrap_or(8);
    let hi = if signed || bits == 64 { (1_i128 << (bits - 1)) - 1 } else { (1 << bits) - 1 };
    let lo = if signed { -hi - if bits == 64 { 0 } else { 1 } } else { 0 };
    match rng.below(4) {
        0 => lo.to_string(),
        1 => hi.to_string(),
        2 => i128::from(rng.between(0, 9)).to_string(),
        _ => (lo.max(-100) + i128::from(rng.between(0, 100))).to_string(),
    }
}

/// A pipeline, a schedule and a realization.
pub(crate) fn program(rng: &mut Rng) -> String {
    let mut known =
        vec![Known { text: "x".to_owned(), ty: "int32" }, Known { text: "k".to_owned(), ty: "uint8" }];
    let (mut declared, mut given) =
        (vec!["k: uint8".to_owned()], vec![format!("k = {}", rng.between(0, 255))]);
    for i in 0..3 {
        let ty = TYPES[rng.below(TYPES.len())];
        declared.push(format!("a{i}(_0): {ty}"));
        let values: Vec<String> = (0..16).map(|_| value(rng, ty)).collect();
        given.push(format!("a{i} = (-4, 16) {{{}}}", values.join(", ")));
        known.push(Known { text: format!("a{i}[x + {}]", rng.between(0, 2)), ty });
    }
    let (g, f) = (TYPES[rng.below(TYPES.len())], TYPES[rng.below(TYPES.len())]);
    let mut text = format!(
        "typed pipeline f({}):\n  fun g(x): {g} = {};\n",
        declared.join(", "),
        typed(rng, &known, g, 3)
    );
    for d in 0..2 {
        known.push(Known { text: format!("g[x + {d}]"), ty: g });
    }
    text.push_str(&format!("  fun f(x): {f} = {{{};\n", typed(rng, &known, f, 3)));
    known.truncate(known.len() - 2);
    known.push(Known { text: "r".to_owned(), ty: "int32" });
    known.push(Known { text: "f[x]".to_owned(), ty: f });
    let cond = truth(
        rng,
        &[Known { text: "r".to_owned(), ty: "int32" }, Known { text: "k".to_owned(), ty: "uint8" }],
        1,
    );
    let cond = if cond.contains("float") { "r < 2".to_owned() } else { cond };
    text.push_str(&format!("    rdom(r = (0, 3)) in (x) <- {} if {cond}}};\n", typed(rng, &known, f, 2)));
    let schedules = [
        "",
        "schedule: inline(g);\n",
        "schedule: split(<f, x>, xo, xi, 3, guard); compute-at(g, <f, xo>);\n",
        "schedule: split(<f, x>, xo, xi, 4, shift); compute-at(g, <f, xi>); store-at(g, <f, xo>);\n",
        "schedule: split(<f, 1, 0, x>, xo, xi, 2, guard); traverse(<f, 1, 0, xo>, parallel);\n",
    ];
    text.push_str(schedules[rng.below(schedules.len())]);
    text.push_str(&format!("realize((-2, 7); {})\n", given.join(", ")));
    text
}
