//! Expressions and windows given as text, in the names of a place. Spec: [rule: fragments].

use rewright_semantics::ast::{Module, Stmt, StmtKind};
use rewright_semantics::parse::fragment::{self, Names, Sort};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::Sym;
use rewright_semantics::types::env::{Part, TypeEnv};
use rewright_semantics::{build, typecheck};

const PROGRAM: &str = "
@config
class Cfg:
    stride: stride
    n: size
    on: bool
    scale: f32

@proc
def p(n: size, m: size, A: f32[n, m], x: f32[n], s: f32):
    for i in seq(0, n):
        x: f32[8]
        x[0] = s
";

fn module() -> Module {
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", PROGRAM);
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    assert!(typecheck::check_module(&parsed.module).is_empty());
    parsed.module
}

/// The names before the last statement of the loop.
#[expect(clippy::unwrap_used, reason = "a test")]
fn names(module: &Module) -> Names {
    let p = module.proc("p").unwrap();
    let mut visible: Vec<Sym> = p.args.iter().map(|a| a.name).collect();
    let outer: &Stmt = p.body.get(0).unwrap();
    let StmtKind::For { iter, body, .. } = outer.kind.as_ref() else { panic!() };
    let alloc = body.get(0).unwrap();
    let StmtKind::Alloc { name, .. } = alloc.kind.as_ref() else { panic!() };
    visible.extend([*iter, *name]);
    let env = TypeEnv::of_proc(p).within(outer, Part::Body).after(alloc);
    let prelude = Prelude { configs: module.configs.clone(), ..Prelude::standard() };
    Names::new(env, &visible, &prelude)
}

#[test]
fn expressions_are_read_in_the_innermost_names() {
    let module = module();
    let names = names(&module);
    for (sort, text, shown) in [
        (Sort::Control, "8*i + 3", "8 * i + 3"),
        (Sort::Control, "  n - 1 ", "n - 1"),
        (Sort::Control, "-7", "-7"),
        (Sort::Control, "(n + 7) / 8 % 3", "(n + 7) / 8 % 3"),
        (Sort::Control, "Cfg.n + 1", "Cfg.n + 1"),
        (Sort::Bool, "0 <= i < m", "0 <= i and i < m"),
        (Sort::Bool, "Cfg.on", "Cfg.on"),
        (Sort::Bool, "stride(A, 0) == 1", "stride(A, 0) == 1"),
        (Sort::Stride, "stride(A, 1)", "stride(A, 1)"),
        (Sort::Stride, "1", "1"),
        (Sort::Data, "x[i] * 2.0", "x[i] * 2.0"),
        (Sort::Data, "2", "2"),
        (Sort::Data, "sin(s) + Cfg.scale", "sin(s) + Cfg.scale"),
    ] {
        let e = fragment::expr(text, &names, sort).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(expr_to_string(&e), shown);
        assert!(e.span.is_none());
    }
    // The inner `x` has 8 cells, and hides the argument.
    let w = fragment::window("x", &names).unwrap();
    assert_eq!(expr_to_string(&build::window_arg(w.name, w.idx)), "x[0:8]");
}

#[test]
fn windows_are_written_out() {
    let module = module();
    let names = names(&module);
    for (text, shown) in [
        ("A[0:4, i]", "A[0:4, i]"),
        ("A[i, 2]", "A[i, 2]"),
        ("A", "A[0:n, 0:m]"),
        ("A[i]", "A[i, 0:m]"),
        ("A[:, 1:]", "A[0:n, 1:m]"),
        ("s", "s"),
    ] {
        let w = fragment::window(text, &names).unwrap_or_else(|e| panic!("{text}: {e}"));
        if w.idx.is_empty() {
            continue;
        }
        assert_eq!(expr_to_string(&build::window_arg(w.name, w.idx)), shown);
    }
}

#[test]
fn what_cannot_be_read_is_said_in_a_sentence() {
    let module = module();
    let names = names(&module);
    for (sort, text, why) in [
        (Sort::Control, "", "not an expression"),
        (Sort::Control, "n +", "cannot read `n +`"),
        (Sort::Control, "n = 1", "not an expression"),
        (Sort::Control, "n; m", "not an expression"),
        (Sort::Control, "q", "no variable `q` is in scope"),
        (Sort::Control, "n ** 2", "n ** 2"),
        (Sort::Control, "n * m", "product"),
        (Sort::Control, "n < 1", "expected a control integer"),
        (Sort::Control, "s", "expected a control integer, found data of type `f32`"),
        (Sort::Control, "s + 1", "s"),
        (Sort::Bool, "n", "expected a truth value"),
        (Sort::Bool, "Other.on", "`Other` is not a configuration class"),
        (Sort::Bool, "Cfg.off", "no field `off`"),
        (Sort::Data, "A", "expected a data value"),
        (Sort::Data, "i", "expected a data value"),
        (Sort::Data, "A[i]", "A"),
    ] {
        let error = fragment::expr(text, &names, sort).expect_err(text);
        assert!(error.to_string().contains(why), "{text}: {error}");
        assert!(!error.errors.is_empty());
    }
    for text in ["1 + 2", "n", "n[0:1]", "A[0:1, 0:1, 0]", "A[0:1:2]", "q[0]", "A[s, 0]", "for i in"] {
        assert!(fragment::window(text, &names).is_err(), "{text}");
    }
    assert!(fragment::expr(&"(".repeat(100_000), &names, Sort::Control).is_err());
    let long = "n + ".repeat(100_000) + "n";
    assert!(fragment::expr(&long, &names, Sort::Control).is_err());
}
