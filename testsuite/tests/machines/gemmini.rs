//! Products and convolutions on Gemmini: their programs and C as snapshots; beside their plain programs by the
//! interpreter, and in C in the model of the machine, for all remainders of sizes and for layers of ResNet-50; and the
//! table of utilisation in the specification. Spec: [rule: kernels.gemmini], [rule: kernels.gemmini-conv],
//! [rule: machines.gemmini].

use rewright_backends::harness::Built;
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::toolchain::Compiler;
use rewright_library::definitions::Definitions;
use rewright_library::gemmini::{self, Conv, Hoisting, Registers, Taps};
use rewright_primitives::Proc;
use rewright_semantics::ast::Module;
use rewright_semantics::data::rational::RationalDomain;
use rewright_semantics::denote::Limits;
use rewright_semantics::equiv::{Comparer, Verdict as Same};
use rewright_semantics::inputs::{Given, InputValue, Search, generate};
use rewright_semantics::pretty::proc_to_string;
use rewright_semantics::store::ConfigKey;
use rewright_semantics::sym::Name;
use rewright_testsuite::kernels::model::{Driver, Parts};
use rewright_testsuite::kernels::shown::shown;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;
use std::sync::OnceLock;

const SANITIZED: &str = "-fsanitize=address,undefined";

const CONVS: [Conv; 4] = [
    Conv { taps: Taps::Three, bias: true },
    Conv { taps: Taps::Three, bias: false },
    Conv { taps: Taps::One, bias: true },
    Conv { taps: Taps::One, bias: false },
];

fn product(registers: Registers) -> [Proc; 2] {
    let d = Definitions::of(gemmini::SOURCE);
    [d.proc("matmul"), gemmini::matmul(&d, registers).unwrap_or_else(|e| panic!("{e}"))]
}

/// Scheduled once.
fn convolution(conv: Conv) -> &'static [Proc; 2] {
    static ALL: [OnceLock<[Proc; 2]>; 4] = [const { OnceLock::new() }; 4];
    let k = CONVS.iter().position(|c| *c == conv).expect("one of the four");
    ALL[k].get_or_init(|| {
        let fast = gemmini::conv(conv).unwrap_or_else(|e| panic!("{e}"));
        [conv.definitions().proc(conv.name()), fast]
    })
}

const ONCE: Registers = Registers::Once(Hoisting::Steps);

#[test]
fn the_product() {
    insta::assert_snapshot!(shown(&product(ONCE)[1]));
}

#[test]
fn a_convolution_of_3_by_3() {
    insta::assert_snapshot!(shown(&convolution(CONVS[0])[1]));
}

#[test]
fn a_convolution_of_1_by_1() {
    insta::assert_snapshot!(shown(&convolution(CONVS[3])[1]));
}

/// ASPLOS'25 Fig. 5b and 5c.
#[test]
fn both_ways_of_hoisting_give_the_same_program() {
    let [steps, combined] = [Hoisting::Steps, Hoisting::Combined]
        .map(|by| product(Registers::Once(by)).map(|p| proc_to_string(p.ast())));
    assert_eq!(steps, combined);
    let settings = steps[1].lines().filter(|l| l.contains("config")).collect::<Vec<_>>();
    assert!(
        settings.len() == 4 && settings.iter().all(|l| l.starts_with("    gemmini_config_")),
        "{settings:?}"
    );
}

// By the interpreter.

/// What the kernels leave the registers at is their own affair.
fn registers() -> BTreeSet<ConfigKey> {
    let all = [
        ("GemminiEx", "weight_stationary"),
        ("GemminiLd0", "src_stride"),
        ("GemminiLd1", "src_stride"),
        ("GemminiLd2", "src_stride"),
        ("GemminiSt", "dst_stride"),
        ("GemminiSt", "act"),
        ("GemminiSt", "scale"),
        ("GemminiSt", "wide"),
    ];
    all.map(|(config, field)| ConfigKey { config: Name::new(config), field: Name::new(field) }).into()
}

fn given(sizes: &[(&str, i64)]) -> Given {
    let args = sizes.iter().map(|(x, n)| (Name::new(x), InputValue::Int(*n))).collect();
    Given { args, ..Given::default() }
}

/// The interpreter finds no difference between the programs, and the C of the second, in the model, agrees with it.
fn agree([plain, fast]: &[Proc; 2], all: &[Vec<(&str, i64)>]) {
    let comparer = Comparer::<RationalDomain>::new(plain.ast(), fast.ast(), registers(), Limits::default());
    let comparer = comparer.expect("one signature");
    let mut module = Module::default();
    module.procs.push(fast.ast().clone());
    let built = Compiler::available().first().map(|c| Built::new(&module, c).expect("C that is built"));
    for (seed, sizes) in (0..).zip(all) {
        let search = Search { max_cells: 1 << 24, ..Search::default() };
        let input = comparer.subject().generate(&given(sizes), seed, search).expect("an input");
        assert_eq!(comparer.compare(&input), Same::Equal, "{} {sizes:?}", fast.name());
        let Some(built) = &built else { continue };
        let input = generate(fast.ast(), &given(sizes), seed, search).expect("an input");
        let verdict = built.agree(fast.name().as_str(), &input, Mode::Fast).expect("it runs");
        assert!(matches!(verdict, Verdict::Agrees { .. }), "{} {sizes:?}: {verdict:?}", fast.name());
    }
}

#[test]
fn the_product_is_the_plain_one_but_for_the_registers() {
    let p = product(ONCE);
    let sizes = [[1, 1, 1], [16, 16, 16], [17, 3, 33], [64, 64, 5], [70, 81, 20], [83, 64, 31], [9, 70, 16]];
    agree(&p, &sizes.map(|[n, m, k]| vec![("n", n), ("m", m), ("k", k)]));
    let exact = Comparer::<RationalDomain>::new(p[0].ast(), p[1].ast(), BTreeSet::new(), Limits::default())
        .expect("one signature");
    let sizes = given(&[("n", 17), ("m", 3), ("k", 5)]);
    let input = exact.subject().generate(&sizes, 1, Search::default()).expect("an input");
    assert_ne!(exact.compare(&input), Same::Equal, "the registers are left at something else");
}

#[test]
fn convolutions_are_the_plain_ones_but_for_the_registers() {
    let shapes = [
        [1, 1, 1, 1, 1],
        [1, 2, 1, 3, 17],
        [2, 1, 2, 2, 2],
        [1, 3, 16, 16, 3],
        [1, 9, 17, 5, 4],
        [1, 8, 3, 17, 66],
        [2, 10, 18, 2, 2],
    ];
    let names = ["batch", "height", "width", "ic", "oc"];
    for conv in CONVS {
        agree(convolution(conv), &shapes.map(|s| names.into_iter().zip(s).collect()));
    }
}

// In the model, beside the plain program's C.

fn product_driver(compiler: &Compiler, registers: Registers, flags: &[&str]) -> Driver {
    let [plain, fast] = product(registers);
    Driver::new(
        compiler,
        &Parts { text: include_str!("../../kernels/run_gemmini.c"), fast: &fast, plain: &plain, flags },
    )
}

fn conv_driver(compiler: &Compiler, conv: Conv, flags: &[&str]) -> Driver {
    let [plain, fast] = convolution(conv);
    let taps = match conv.taps {
        Taps::One => 1,
        Taps::Three => 3,
    };
    let flags = flags.iter().map(|f| (*f).to_owned()).chain([
        format!("-DCONV={}", fast.name()),
        format!("-DPLAIN={}", plain.name()),
        format!("-DTAPS={taps}"),
        format!("-DBIAS={}", u8::from(conv.bias)),
    ]);
    let flags: Vec<String> = flags.collect();
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let text = include_str!("../../kernels/run_gemmini_conv.c");
    Driver::new(compiler, &Parts { text, fast, plain, flags: &flags })
}

fn words(all: &[&str]) -> Vec<String> {
    all.iter().map(|w| (*w).to_owned()).collect()
}

/// Why a test is skipped where [`compiler`] finds none.
const SKIPPED: &str = "skipped: there is no C compiler";

fn compiler() -> Option<Compiler> {
    Compiler::available().into_iter().next()
}

#[test]
fn products_of_all_remainders() {
    for compiler in Compiler::available() {
        let driver = product_driver(&compiler, ONCE, &[SANITIZED]);
        assert_eq!(
            driver.run(&words(&["remainders"])),
            "2621 products, 0 cells wrong\n",
            "{}",
            compiler.family
        );
        assert_eq!(
            driver.run(&words(&["sample", "2000"])),
            "2000 products, 0 cells wrong\n",
            "{}",
            compiler.family
        );
        let each = product_driver(&compiler, Registers::Each, &[]);
        assert_eq!(
            each.run(&words(&["remainders"])),
            "2621 products, 0 cells wrong\n",
            "{}",
            compiler.family
        );
    }
}

#[test]
#[ignore = "minutes: make nightly"]
fn products_of_all_sizes_up_to_33() {
    let Some(compiler) = compiler() else { return println!("{SKIPPED}") };
    let driver = product_driver(&compiler, ONCE, &[SANITIZED]);
    assert_eq!(driver.run(&words(&["all"])), "71874 products, 0 cells wrong\n");
}

/// Each register is set once by each convolution: four, and with a bias five. Sanitizers watch over one of each two.
#[test]
fn convolutions_of_any_shape() {
    for compiler in Compiler::available() {
        for conv in CONVS {
            let flags = if conv.bias { &[SANITIZED][..] } else { &[] };
            let said = conv_driver(&compiler, conv, flags).run(&words(&["sample", "120"]));
            let set = 120 * if conv.bias { 5 } else { 4 };
            let expected = format!("120 convolutions, 0 cells wrong, {set} registers set\n");
            assert_eq!(said, expected, "{} {conv:?}", compiler.family);
        }
    }
}

#[test]
#[ignore = "minutes: make nightly"]
fn convolutions_of_all_channels_up_to_33() {
    let Some(compiler) = compiler() else { return println!("{SKIPPED}") };
    for conv in CONVS {
        let said = conv_driver(&compiler, conv, &[SANITIZED]).run(&words(&["all"]));
        assert_eq!(said, "58806 convolutions, 0 cells wrong\n", "{conv:?}");
    }
}

// Layers of ResNet-50, of four images.

/// Products: rows, columns, depth.
const PRODUCTS: [[u32; 3]; 9] = [
    [12544, 64, 64],
    [12544, 256, 64],
    [12544, 64, 256],
    [3136, 512, 128],
    [3136, 128, 512],
    [784, 1024, 256],
    [784, 256, 1024],
    [196, 2048, 512],
    [196, 512, 2048],
];

/// Convolutions of 3 by 3 with stride 1: rows and columns of the result, channels in, channels out.
const THREE: [[u32; 3]; 4] = [[56, 64, 64], [28, 128, 128], [14, 256, 256], [7, 512, 512]];

/// Of 1 by 1, those that take every second row and column of a larger image included.
const ONE: [[u32; 3]; 15] = [
    [56, 64, 64],
    [56, 64, 256],
    [56, 256, 64],
    [56, 256, 128],
    [28, 256, 512],
    [28, 128, 512],
    [28, 512, 128],
    [28, 512, 256],
    [14, 512, 1024],
    [14, 256, 1024],
    [14, 1024, 256],
    [14, 1024, 512],
    [7, 1024, 2048],
    [7, 512, 2048],
    [7, 2048, 512],
];

/// What the model says of a layer.
struct Counted {
    /// Cells that are not the plain program's; less than 0 where that was not run.
    wrong: i64,
    /// The part of all cycles in which the array multiplies, in percent: of the products that the layer is.
    busy: f64,
    /// Registers that were set; loads; products of tiles; stores.
    counts: [u64; 4],
    /// Bytes that were loaded, in millions.
    loaded: f64,
}

fn counted(driver: &Driver, mode: &str, layers: &[[u32; 3]]) -> Vec<Counted> {
    let sizes = layers.iter().flatten().map(u32::to_string);
    let said = driver.run(&[mode.to_owned()].into_iter().chain(sizes).collect::<Vec<_>>());
    let read = |line: &str| {
        let mut words = line.split(' ');
        let mut word = || words.next().unwrap_or_else(|| panic!("{said}"));
        let (wrong, busy) = (word().parse().ok()?, word().parse().ok()?);
        let counts = [word().parse().ok()?, word().parse().ok()?, word().parse().ok()?, word().parse().ok()?];
        Some(Counted { wrong, busy, counts, loaded: word().parse().ok()? })
    };
    let all: Vec<Counted> = said.lines().map(|l| read(l).unwrap_or_else(|| panic!("{said}"))).collect();
    assert_eq!(all.len(), layers.len(), "{said}");
    all
}

#[test]
fn a_layer_of_each_kind_is_the_plain_one() {
    let Some(compiler) = compiler() else { return println!("{SKIPPED}") };
    let driver = product_driver(&compiler, ONCE, &[]);
    assert!(counted(&driver, "checked", &[PRODUCTS[0], PRODUCTS[7]]).iter().all(|c| c.wrong == 0));
    for (conv, layer) in [(CONVS[0], THREE[3]), (CONVS[1], THREE[0]), (CONVS[2], ONE[0]), (CONVS[3], ONE[13])]
    {
        let driver = conv_driver(&compiler, conv, &[]);
        assert!(counted(&driver, "checked", &[layer]).iter().all(|c| c.wrong == 0), "{conv:?} {layer:?}");
    }
}

#[test]
#[ignore = "slow: make nightly"]
fn all_layers_are_the_plain_ones() {
    for compiler in Compiler::available() {
        for registers in [ONCE, Registers::Each] {
            let driver = product_driver(&compiler, registers, &[]);
            assert!(counted(&driver, "checked", &PRODUCTS).iter().all(|c| c.wrong == 0));
        }
        for conv in CONVS {
            let layers = match conv.taps {
                Taps::One => &ONE[..],
                Taps::Three => &THREE[..],
            };
            assert!(
                counted(&conv_driver(&compiler, conv, &[]), "checked", layers).iter().all(|c| c.wrong == 0),
                "{conv:?}"
            );
        }
    }
}

/// One layer of each kind at its full shape, of four images: minutes each, so not all that the C of the plain programs
/// is run on.
#[test]
#[ignore = "half an hour: make nightly"]
fn layers_are_the_plain_ones_by_the_interpreter() {
    for [n, m, k] in [PRODUCTS[0], PRODUCTS[5]].map(|l| l.map(i64::from)) {
        agree(&product(ONCE), &[vec![("n", n), ("m", m), ("k", k)]]);
        println!("product {n} {m} {k}");
    }
    for (conv, layer) in [(CONVS[2], ONE[9]), (CONVS[0], THREE[3])] {
        let [rows, ic, oc] = layer.map(i64::from);
        let sizes = [("batch", 4), ("height", rows), ("width", rows), ("ic", ic), ("oc", oc)];
        agree(convolution(conv), &[sizes.to_vec()]);
        println!("{conv:?} {rows} {ic} {oc}");
    }
}

// The table in the specification.

const HEADER: &str = "| layer | array busy | registers set | loads | products | stores | MB loaded | registers set by each part: busy | registers set |\n\
                      | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";

/// The table, and a line of averages below it.
fn utilisation(compiler: &Compiler) -> String {
    let once = counted(&product_driver(compiler, ONCE, &[]), "layers", &PRODUCTS);
    let each = counted(&product_driver(compiler, Registers::Each, &[]), "layers", &PRODUCTS);
    let three = counted(&conv_driver(compiler, CONVS[0], &[]), "layers", &THREE);
    let one = counted(&conv_driver(compiler, CONVS[2], &[]), "layers", &ONE);
    let mut out = HEADER.to_owned();
    for (([n, m, k], c), e) in PRODUCTS.iter().zip(&once).zip(&each) {
        assert!(c.counts[0] == 4 && e.counts[0] > 4 && c.busy > e.busy, "{n} {m} {k}");
        let last = format!("| {:.1} % | {} |", e.busy, e.counts[0]);
        line(&mut out, &format!("{n} × {m} × {k}"), c, &last);
    }
    for (taps, layers, all) in [(3, &THREE[..], &three), (1, &ONE[..], &one)] {
        for ([rows, ic, oc], c) in layers.iter().zip(all) {
            assert_eq!(c.counts[0], 5, "{rows} {ic} {oc}");
            line(&mut out, &format!("{taps}×{taps}: {rows} × {oc} × {ic}"), c, "| | |");
        }
    }
    let mean = |all: &[Counted]| {
        all.iter().map(|c| c.busy).sum::<f64>() / f64::from(u32::try_from(all.len()).unwrap_or(1))
    };
    write!(
        out,
        "\nOn average {:.1} % for the products ({:.1} % where each part sets its registers), {:.1} % for the convolutions of 3×3, {:.1} % for those of 1×1.\n",
        mean(&once), mean(&each), mean(&three), mean(&one)
    )
    .expect("text");
    out
}

fn line(out: &mut String, name: &str, c: &Counted, last: &str) {
    let [set, loads, products, stores] = c.counts;
    writeln!(
        out,
        "| {name} | {:.1} % | {set} | {loads} | {products} | {stores} | {:.1} {last}",
        c.busy, c.loaded
    )
    .expect("text");
}

/// After a change that is meant: `INSTA_UPDATE=always cargo test -p rewright-testsuite --test machines gemmini::`.
#[test]
fn the_table_of_utilisation_is_true() {
    let Some(compiler) = compiler() else { return println!("{SKIPPED}") };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/machines/gemmini.md");
    let page = std::fs::read_to_string(&path).expect("the page");
    let (before, rest) = page.split_once("| layer |").expect("the table");
    let end = rest.find("\nOn average ").map(|k| k + 1).expect("the averages");
    let end = rest[end..].find('\n').map_or(rest.len(), |k| end + k + 1);
    let new = format!("{before}{}{}", utilisation(&compiler), &rest[end..]);
    if new == page {
        return;
    }
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        std::fs::write(&path, new).expect("the page can be written");
        return;
    }
    panic!(
        "spec/machines/gemmini.md is out of date: INSTA_UPDATE=always cargo test -p rewright-testsuite --test machines gemmini::"
    );
}
