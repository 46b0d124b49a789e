//! The programs and the C of a page call what the schedule's programs call, whatever has the same name. Spec:
//! [rule: ledger.calls].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_ledger::page;
use rewright_primitives::derivation::{Derivation, of_script};
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;

fn derivation(text: &str) -> Derivation {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("schedule.py", text);
    let module = parse_module(file, &sources, &prelude).module;
    let lines = parse(file, text).unwrap();
    let ran = run_with(&Session::new(), &Registry::standard(), &module, &prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error);
    of_script(text, &ran)
}

/// The C of a page, or what is said in its place; and the dependences.
fn shown(d: &Derivation, binding: &str) -> [String; 2] {
    let page = page(d, &Registry::standard()).unwrap();
    ["programs", "dependences"].map(|part| {
        let part = page
            .split_once(&format!("<section id=\"{part}\""))
            .unwrap()
            .1
            .split_once("</section>")
            .unwrap()
            .0;
        let of_binding = part.split_once(&format!("<h3>{binding}</h3>")).unwrap().1;
        let of_binding = of_binding.split_once("<h3>").map_or(of_binding, |(this, _)| this);
        of_binding.split_once("<figcaption>C</figcaption>").map_or(of_binding, |(_, c)| c).to_owned()
    })
}

/// Its C by the text of a script.
fn c(text: &str, binding: &str) -> String {
    let [c, _] = shown(&derivation(text), binding);
    c
}

const TWO_ZEROS: &str = "
@proc
def zero(n: size, y: f32[n]):
    for i in seq(0, n):
        y[i] = 5.0

@proc
def user(n: size, y: f32[n], z: f32[n]):
    for i in seq(0, n):
        y[i] = 0.0
    for i in seq(0, n):
        z[i] += 1.0

u, sub = extract_subproc(user, 'for i in _: _ #0', 'zero')
u = reorder_stmts(u, u.body()[0:2])
sub = rename(sub, 'other')
";

/// What was extracted is called, and not the definition that has its name.
#[test]
fn what_was_extracted_is_no_definition() {
    let d = derivation(TWO_ZEROS);
    let [c, dependences] = shown(&d, "u");
    assert!(c.contains("] = 0.0f;") && !c.contains("5.0f"), "{c}");
    assert!(dependences.contains("for i in seq(0, n)"), "{dependences}");
    // The version that it was extracted from is on the page already, as the beginning of `u`.
    let page = page(&d, &Registry::standard()).unwrap();
    assert!(page.contains("2 schedules, 3 steps"), "{page}");
}

/// It is not known where nothing says what it was.
#[test]
fn what_is_not_in_the_record_is_not_shown() {
    let mut d = derivation(TWO_ZEROS);
    d.chains.truncate(1);
    d.versions.clear();
    for part in shown(&d, "u") {
        let why = "it calls `zero`: it was extracted, and the record does not say what it is";
        assert!(part.contains(why) && !part.contains("5.0f"), "{part}");
    }
}

/// Where only what was extracted is bound, the steps before that are there, too.
#[test]
fn what_something_was_extracted_from_is_there() {
    let mut d = derivation(TWO_ZEROS);
    d.chains.remove(0);
    let page = page(&d, &Registry::standard()).unwrap();
    assert!(page.contains("2 schedules, 2 steps"), "{page}");
    assert!(shown(&d, "sub")[0].contains("] = 0.0f;"));
}

const FILLS: &str = "
@proc
def f(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 1.0

@proc
def g(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 2.0

@proc
def h(x: f32[4]):
    f(x)

";

/// Two procedures are called `k`; the text says which of them is which nowhere.
#[test]
fn a_name_of_two_procedures_is_told() {
    let text = format!(
        "{FILLS}
@proc
def user(y: f32[4], z: f32[4]):
    f(y)
    g(z)

fk = rename(f, 'k')
gk = rename(g, 'NAME')
u = call_eqv(user, 'f(_)', fk)
u = call_eqv(u, 'g(_)', gk)
"
    );
    for part in shown(&derivation(&text.replace("NAME", "k")), "u") {
        assert!(
            part.contains("`k` stands for more than one procedure in it") && !part.contains("void k("),
            "{part}"
        );
    }
    let c = c(&text.replace("NAME", "l"), "u");
    assert!(
        c.contains("void k(") && c.contains("void l(") && c.contains("1.0f") && c.contains("2.0f"),
        "{c}"
    );
}

/// In two texts, a name may mean two procedures; not in one, in which the other was put.
#[test]
fn what_is_inlined_brings_its_callees() {
    let text = format!(
        "{FILLS}
@proc
def user(y: f32[4], z: f32[4]):
    h(y)
    g(z)

gf = rename(g, 'f')
u = call_eqv(user, 'g(_)', gf)
v = inline(u, 'h(_)')
"
    );
    let d = derivation(&text);
    let [c, _] = shown(&d, "u");
    assert!(c.contains("1.0f") && c.contains("2.0f"), "{c}");
    for part in shown(&d, "v") {
        assert!(part.contains("`f` stands for more than one procedure in it"), "{part}");
    }
}

/// A call that is given a version of the same name means that one, and the other call what it meant.
#[test]
fn a_call_is_given_another_version_of_its_name() {
    let text = format!(
        "{FILLS}
@proc
def user(y: f32[4], z: f32[4]):
    f(y)
    f(z)

once = inline(user, 'f(_) #1')
new = divide_loop(f, 'i', 2, ['io', 'ii'], tail='perfect')
one = call_eqv(once, 'f(_)', new)
first = call_eqv(user, 'f(_) #0', new)
both = call_eqv(first, 'f(_) #1', new)
"
    );
    for (binding, loops) in [("once", 0), ("one", 1), ("both", 1)] {
        let c = c(&text, binding);
        assert_eq!(c.matches("io &lt; 2").count(), loops, "{binding}: {c}");
    }
    let c = c(&text, "first");
    assert!(c.contains("`f` stands for more than one procedure in it"), "{c}");
}

/// Inlining brings in what the inlined procedure calls, and not what those beside it call.
#[test]
fn other_calls_bring_nothing_where_one_is_inlined() {
    let text = format!(
        "{FILLS}
@proc
def e(x: f32[4]):
    f(x)

@proc
def user(y: f32[4], z: f32[4]):
    h(y)
    e(z)

new = divide_loop(f, 'i', 2, ['io', 'ii'], tail='perfect')
other = call_eqv(e, 'f(_)', new)
other = rename(other, 'other')
u = call_eqv(user, 'e(_)', other)
u = inline(u, 'h(_)')
"
    );
    let c = c(&text, "u");
    assert_eq!(c.matches("io &lt; 2").count(), 1, "{c}");
}

/// A line that goes on from the one before it may begin like a call.
#[test]
fn a_function_at_the_beginning_of_a_line_is_no_call() {
    let long = "y".repeat(60);
    let sum = [format!("sin({long}[i])"), format!("sin({long}[i] * 2.0)"), format!("sin({long}[i] * 3.0)")];
    let text = format!(
        "{FILLS}
@proc
def user(x: f32[4], {long}: f32[4]):
    f(x)
    for i in seq(0, 4):
        x[i] = {}

new = divide_loop(f, 'i', 2, ['io', 'ii'], tail='perfect')
u = call_eqv(user, 'f(_)', new)
",
        sum.join(" + ")
    );
    let d = derivation(&text);
    let begins = |text: &str| text.lines().any(|line| line.trim_start().starts_with("sin("));
    assert!(
        d.chains.iter().flat_map(|c| &c.steps).any(|step| begins(&step.after)),
        "the text is not broken so"
    );
    let [c, _] = shown(&d, "u");
    assert_eq!(c.matches("io &lt; 2").count(), 1, "{c}");
}
