//! What is on a page: all of the derivation, as text that is no HTML, in the same bytes each time. Spec: [rule: ledger].

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_ledger::{Trouble, page};
use rewright_primitives::derivation::{Because, Chain, Derivation, Times, of_script_with, record};
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use serde_json::Value;
use std::path::{Path, PathBuf};

fn schedules() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../testsuite/corpus/schedules");
    let files = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "py")).collect();
    files.sort();
    assert!(files.len() > 5);
    files
}

fn derivation(text: &str, times: Times) -> Derivation {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("schedule.py", text);
    let module = parse_module(file, &sources, &prelude).module;
    let lines = parse(file, text).unwrap();
    let ran = run_with(&Session::new(), &Registry::standard(), &module, &prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error);
    of_script_with(text, &ran, times)
}

fn page_of(d: &Derivation) -> String {
    page(d, &Registry::standard()).unwrap()
}

fn data(page: &str) -> Value {
    let from = "<script id=\"data\" type=\"application/json\">";
    let data = page.split_once(from).unwrap().1.split_once("</script>").unwrap().0;
    serde_json::from_str(data).unwrap()
}

fn number(v: &Value) -> usize {
    usize::try_from(v.as_u64().unwrap()).unwrap()
}

/// The text of a version, put together as the page's script does.
fn text(data: &Value, version: &Value) -> String {
    let lines = |v: &Value| lines(data, v);
    let out: Vec<String> =
        lines(version).iter().map(|k| data["lines"][*k].as_str().unwrap().to_owned()).collect();
    out.join("\n")
}

fn lines(data: &Value, version: &Value) -> Vec<usize> {
    let v = &data["versions"][number(version)];
    let numbers = |v: &Value| v.as_array().unwrap().iter().map(number).collect::<Vec<usize>>();
    if v["lines"].is_array() {
        return numbers(&v["lines"]);
    }
    let mut out = lines(data, &v["of"]);
    for edit in v["edits"].as_array().unwrap().iter().rev() {
        let at = number(&edit[0]);
        out.splice(at..at + number(&edit[1]), numbers(&edit[2]));
    }
    out
}

/// Every step of every schedule, with its condition's sentences and the program after it.
#[test]
fn all_of_the_derivation_is_there() {
    for file in schedules() {
        let d = derivation(&std::fs::read_to_string(&file).unwrap(), Times::Untold);
        let page = page_of(&d);
        let data = data(&page);
        let steps = data["steps"].as_array().unwrap();
        let mut found = 0;
        for recorded in d.chains.iter().flat_map(|c| &c.steps) {
            let same = |s: &&Value| {
                let conditions: Vec<&Value> = s["conditions"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|c| &data["conditions"][number(c)])
                    .collect();
                let asked = recorded.conditions.iter().zip(&conditions).all(|(c, shown)| {
                    shown["id"] == *c.id
                        && match &c.because {
                            Because::Syntax => shown["how"] == "syntax" && shown["question"].is_null(),
                            Because::Omitted | Because::Postponed(_) => false,
                            Because::Solver { sentence, tier, .. } => {
                                shown["how"] == **tier
                                    && shown["sentence"] == **sentence
                                    && data["questions"][number(&shown["question"])]["show"].is_string()
                            }
                        }
                });
                s["primitive"] == *recorded.primitive
                    && conditions.len() == recorded.conditions.len()
                    && asked
                    && s["args"].as_array().unwrap().len() == recorded.args.len()
                    && text(&data, &s["after"]) == recorded.after.trim_end()
            };
            let at = steps.iter().position(|s| same(&s));
            let at = at.unwrap_or_else(|| panic!("{}: {} is not there", file.display(), recorded.primitive));
            assert!(page.contains(&format!("<li id=\"step-{}\"><a href=\"#step-{0}\">", at + 1)));
            found += 1;
        }
        assert!(found > 0);
        for id in ["steps", "programs", "dependences", "assumptions", "definitions"] {
            assert!(page.contains(&format!("<section id=\"{id}\" aria-labelledby=")), "{id}");
        }
        assert!(page.contains("#include &quot;"), "{}: there is no C", file.display());
        assert!(page.contains(&d.digest));
        assert!(!page.contains("missing\">"), "{}: something is missing", file.display());
    }
}

/// It asks for nothing from elsewhere.
#[test]
fn a_page_is_alone() {
    let page = page_of(&derivation(SMALL, Times::Untold));
    for word in ["src=", "<link", "@import", "url(", "http://", "https://", "fetch("] {
        assert!(!page.contains(word), "{word}");
    }
}

const SMALL: &str = "
@proc
def p(n: size, x: f32[n]):
    assert n % 4 == 0
    for i in seq(0, n):
        x[i] = 2.0 * x[i]

q = divide_loop(p, 'i', 4, ['io', 'ii'], tail='perfect')
r = rename(q, 'other')
";

#[test]
fn the_same_record_gives_the_same_bytes() {
    let (a, b) = (derivation(SMALL, Times::Untold), derivation(SMALL, Times::Untold));
    assert_eq!(a, b);
    assert_eq!(page_of(&a), page_of(&b));
    // Read again, it is the same.
    let read: Derivation = serde_json::from_str(&serde_json::to_string(&a).unwrap()).unwrap();
    assert_eq!(page_of(&read), page_of(&a));
}

/// What two schedules begin with is there once.
#[test]
fn a_common_beginning_is_there_once() {
    let d = derivation(SMALL, Times::Untold);
    assert_eq!(d.chains.iter().map(|c| c.steps.len()).sum::<usize>(), 3);
    let page = page_of(&d);
    assert_eq!(data(&page)["steps"].as_array().unwrap().len(), 2);
    assert!(page.contains("begins with 1 step, up to <a href=\"#step-1\">"));
}

#[test]
fn times_are_told_where_they_were_recorded() {
    let took = |d: &Derivation| data(&page_of(d))["steps"][0]["took"].clone();
    assert!(took(&derivation(SMALL, Times::Untold)).is_null());
    assert!(took(&derivation(SMALL, Times::Told)).is_u64());
}

/// Whatever a file says is text.
#[test]
fn nothing_of_a_derivation_is_html() {
    let evil = "</script><script>alert(1)</script><b title=\"x\">";
    let mut d = derivation(&format!("# {evil}\n{SMALL}"), Times::Untold);
    for chain in &mut d.chains {
        chain.binding = evil.to_owned();
        for step in &mut chain.steps {
            step.primitive = evil.to_owned();
            step.relation = evil.to_owned();
            step.rounding.push(evil.to_owned());
            step.modulo.push(evil.to_owned());
            step.after.push_str(evil);
            step.args.push((evil.to_owned(), Value::String(evil.to_owned())));
            for c in &mut step.conditions {
                c.id = evil.to_owned();
                c.because = Because::Solver {
                    sentence: evil.to_owned(),
                    tier: evil.to_owned(),
                    smt2: format!("(assert (not {evil}))"),
                };
            }
        }
    }
    let page = page_of(&d);
    assert!(!page.contains("<script>alert") && !page.contains("<b title"));
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(data(&page)["steps"][0]["primitive"], evil);
}

#[test]
fn a_record_without_schedules_has_no_page() {
    let empty = record("", []);
    assert_eq!(page(&empty, &Registry::standard()), Err(Trouble::NoSchedule));
    let mut d = derivation(SMALL, Times::Untold);
    d.chains[0].root = "nothing".to_owned();
    let trouble = page(&d, &Registry::standard()).unwrap_err();
    assert!(matches!(trouble, Trouble::NoBeginning { .. }), "{trouble}");
}

/// A version that a schedule takes, and that is not there.
#[test]
fn a_record_with_a_version_missing_has_no_page() {
    let with = |change: &dyn Fn(&mut Derivation)| {
        let mut d = derivation(SMALL, Times::Untold);
        change(&mut d);
        page(&d, &Registry::standard()).unwrap_err().to_string()
    };
    let argument =
        |value: Value| with(&move |d| d.chains[0].steps[0].args.push(("other".to_owned(), value.clone())));
    let said = "q, step 1 (divide_loop): there is no version 7: the derivation has 0, numbered from 0 on";
    assert_eq!(argument(serde_json::json!({ "version": 7 })), said);
    // In a list; and what is no number at all.
    assert_eq!(argument(serde_json::json!([1, { "version": 7 }])), said);
    assert_eq!(argument(serde_json::json!({ "version": null })), said.replace('7', "null"));
    let said = "r: there is no version 0: the derivation has 0, numbered from 0 on";
    assert_eq!(with(&|d| d.chains[1].source = Some(0)), said);
    let added = |d: &mut Derivation, source: usize| {
        let chain = d.chains[1].clone();
        d.versions.push(Chain { binding: String::new(), source: Some(source), ..chain });
    };
    let own = "version 0 of `p`: it is its own source: it would have been extracted from itself";
    assert_eq!(with(&|d| added(d, 0)), own);
    // What was extracted, and does not say what it was.
    let no_text = "version 1 of `p`: its `begins` is missing, the text of `p` as it was extracted";
    let two = |d: &mut Derivation| {
        d.versions.push(Chain { binding: String::new(), ..d.chains[1].clone() });
        added(d, 0);
    };
    assert_eq!(with(&two), no_text);
    // What is in a name stays in it.
    let named = |d: &mut Derivation| {
        d.chains[1].binding = "r\nok".to_owned();
        d.chains[1].source = Some(0);
    };
    assert_eq!(with(&named), said.replacen('r', "r\\nok", 1));
}

/// A derivation is what an audit checks: with times it is the same one.
#[test]
fn times_are_no_part_of_what_is_audited() {
    use rewright_primitives::derivation::audit::{Options, audit};
    let prelude = rewright_machines::prelude(&mut SourceMap::new());
    let registry = Registry::standard();
    let options = Options { inputs: 3, ..Options::new(&prelude, &registry) };
    let told = derivation(SMALL, Times::Told);
    let summary = audit(&told, &options).unwrap();
    assert_eq!(summary, audit(&derivation(SMALL, Times::Untold), &options).unwrap());
}

/// Iterations that conflict are drawn, with the cell; those of a loop without conflicts are not.
#[test]
fn dependences_are_those_of_a_run() {
    let page = page_of(&derivation(
        "
@proc
def scan(n: size, m: size, x: f32[n + 1, m]):
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + 1, j] = x[i, j]

q = insert_pass(scan, 'for i in _: _')
",
        Times::Untold,
    ));
    let part = page.split_once("<section id=\"dependences\"").unwrap().1.split_once("</section>").unwrap().0;
    assert!(part.contains("<code>n=2 m=2</code>"), "{part}");
    assert!(part.contains("<title>(0, 1) → (1, 1): x[1, 1]: written, then read</title>"), "{part}");
    assert!(part.contains("for j in seq(0, m): no two conflict"), "{part}");
    assert!(part.contains("for i in seq(0, n): 1 pair conflicting: 1 written, then read"), "{part}");
    assert!(part.contains("<td>i=0 j=0</td><td>i=1 j=0</td><td>x[1, 0]: written, then read</td>"), "{part}");
}

/// A procedure that was extracted has its text in the record.
#[test]
fn what_was_extracted_begins_with_its_text() {
    let d = derivation(
        "
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

q, part = extract_subproc(p, 'for i in _: _', 'fill')
part = rename(part, 'set')
",
        Times::Untold,
    );
    let chain = d.chains.iter().find(|c| c.binding == "part").unwrap();
    assert!(chain.begins.as_ref().unwrap().contains("def fill("));
    assert!(page_of(&d).contains(", extracted"));
    let text = of_script_text(&d);
    assert!(text.contains("def fill("));
}

fn of_script_text(d: &Derivation) -> String {
    let data = data(&page_of(d));
    data["lines"].as_array().unwrap().iter().map(|l| format!("{}\n", l.as_str().unwrap())).collect()
}
