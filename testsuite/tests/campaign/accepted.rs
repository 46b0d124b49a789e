//! Whatever a primitive accepts is equivalent, by the interpreter. Spec: [rule: campaign].

use rewright_backends::toolchain::Compiler;
use rewright_campaign::{Accepted, Plan, Report, cases, compiled, sampled, shrunk};
use rewright_library::definitions::Definitions;
use rewright_primitives::ops;
use rewright_primitives::registry::{Args, Registry};

#[test]
fn what_is_accepted_is_equivalent() {
    let programs: u64 = std::env::var("REWRIGHT_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(750);
    // One primitive alone, or all.
    let only = std::env::var("REWRIGHT_PRIMITIVE").ok();
    let chosen = ops::ALL.iter().copied().filter(|p| only.as_ref().is_none_or(|name| name == p.name));
    let plan = Plan::of(chosen.collect());
    let mut report = Report::default();
    for seed in 0..programs {
        if let Some(failure) = cases(seed, &plan, &mut report).into_iter().next() {
            panic!("seed {seed}: {}", shrunk(failure, 400));
        }
    }
    println!("{report}");
    for primitive in &plan.primitives {
        let accepted = report.rows.get(primitive.name).is_some_and(|row| row.accepted > 0);
        assert!(accepted, "`{}` was never accepted", primitive.name);
    }
}

/// Spec: [rule: campaign.c].
#[test]
fn what_is_accepted_has_c_that_agrees() {
    let compilers = Compiler::available();
    let compiler = compilers.first().expect("a C compiler");
    let plan = Plan::of(ops::ALL.to_vec());
    let mut report = Report::default();
    let rewrites: Vec<_> = (70_000..70_400).filter_map(|seed| sampled(seed, &plan, &mut report).1).collect();
    let done = compiled(&rewrites, compiler).unwrap_or_else(|failure| panic!("{failure}"));
    println!("{done}");
    assert!(done.rewrites > 80 && done.cells > 1_000, "next to nothing was compared: {done}");
}

/// What is drawn for `replace` may be refused by itself, and right where it is called: no C of it is promised.
/// Spec: [rule: campaign.c].
#[test]
fn a_callee_that_is_refused_by_itself_needs_no_c() {
    let compilers = Compiler::available();
    let compiler = compilers.first().expect("a C compiler");
    let d = Definitions::of(REFUSED_BY_ITSELF);
    let (old, made) = (d.proc("p"), d.proc("made"));
    let at = old.find("Cfg.count = _").expect("a write");
    let new = old.replace(at.clone(), &made).expect("a call");
    let primitive = Registry::standard().by_name("replace").expect("a primitive");
    let values = Args::bind(primitive, vec![at.into(), made.into()], Vec::new()).expect("arguments");
    let rewrite = Accepted { primitive, args: String::new(), values, old, new };
    let done = compiled(&[rewrite], compiler).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!((done.refused, done.rewrites), (1, 0));
}

/// `2 * n` may be no size.
const REFUSED_BY_ITSELF: &str = "
@config
class Cfg:
    count: size
@proc
def made(n: index):
    Cfg.count = 2 * n
@proc
def p(n: size, x: f32[n]):
    Cfg.count = 2 * n
    x[0] = 1.0
";
