//! What an audit says of a record that is not whole, says one thing in two ways, or another one than is made again. Spec:
//! [rule: audit], [rule: audit.names], [rule: audit.versions], [rule: derivations.keys].

use crate::audited;

use audited::{against, audited, of_text};
use rewright_primitives::derivation::audit::Summary;
use rewright_primitives::derivation::called::Called;
use rewright_primitives::derivation::{Because, Derivation};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;

/// `fill` is extracted from a version and scheduled.
const EXTRACTED: &str = "\
@proc
def p(n: size, x: f32[n]):
    for i in seq(0, n):
        x[i] = 1.0

";

const EXTRACTING: &str = "\
q, part = extract_subproc(p, \"for i in _: _\", \"fill\")
part = rename(part, \"set\")
";

/// A derivation of [`EXTRACTING`], with its script and without, after a change.
fn extracted_but(change: impl Fn(&mut Derivation)) -> [Result<Summary, String>; 2] {
    let with_script = of_text(&format!("{EXTRACTED}{EXTRACTING}")).expect("the script runs");
    let without = Derivation { definitions: EXTRACTED.to_owned(), ..with_script.clone() };
    [with_script, without].map(|mut d| {
        change(&mut d);
        d.digest = d.digest_of_content();
        audited(&d).map_err(|found| found.to_string())
    })
}

#[test]
fn what_was_extracted_says_what_it_begins_with() {
    for result in extracted_but(|_| ()) {
        assert!(result.is_ok(), "{result:?}");
    }
    for result in extracted_but(|d| d.chains.iter_mut().for_each(|c| c.begins = None)) {
        let why = "part: its `begins` is missing, the text of `fill` as it was extracted";
        assert_eq!(result.unwrap_err(), why);
    }
}

#[test]
fn every_version_is_taken() {
    let unused = |d: &mut Derivation| {
        // It has a step of its own, and so it is another version than the first.
        let mut more = d.chains[1].clone();
        more.binding.clear();
        d.versions.push(more);
    };
    for result in extracted_but(unused) {
        let why = "version 1 of `fill`: no schedule takes it, or was extracted from it";
        assert_eq!(result.unwrap_err(), why);
    }
    // One that only such a version takes is not taken either.
    let both = |d: &mut Derivation| {
        unused(d);
        d.chains.truncate(1);
    };
    for result in extracted_but(both) {
        assert!(
            result.as_ref().unwrap_err().starts_with("version 0 of `p`: no schedule takes it"),
            "{result:?}"
        );
    }
}

/// A name that is none, and would clear the screen and write a line of its own.
#[test]
fn names_in_messages_are_escaped() {
    let named = |d: &mut Derivation| {
        d.chains[0].binding = "q\u{1b}[2J\nok".to_owned();
        d.chains[0].steps[0].primitive.push('\u{9b}');
    };
    let [by_script, alone] = extracted_but(named).map(Result::unwrap_err);
    let names = "its script binds `q`, `part`, and schedules are written for `q\\u{1b}[2J\\nok`, `part`";
    assert_eq!(by_script, format!("derivation: {names}"));
    let step = "q\\u{1b}[2J\\nok, step 1 (extract_subproc\\u{9b}): there is no such primitive";
    assert_eq!(alone, step);
}

/// Wherever it stands: in a message of a parser, of a primitive or of a reader of arguments.
#[test]
fn no_message_has_control_characters() {
    let (escape, c1) = ("\u{1b}[31mred", "\u{9b}31m");
    let argument =
        |value: serde_json::Value| move |d: &mut Derivation| d.chains[0].steps[0].args[0].1 = value.clone();
    let [_, name] = extracted_but(|d| d.chains[0].steps[0].args[0].0 = format!("{escape}\nok"));
    let said = "q, step 1 (extract_subproc): extract_subproc: has no parameter `\\u{1b}[31mred\\nok`";
    assert!(name.as_ref().is_err_and(|found| found.starts_with(said)), "{name:?}");
    let new_name = |d: &mut Derivation| d.chains[0].steps[0].args[1].1 = escape.into();
    let places =
        [argument(format!("for {escape} in _: _").into()), argument(serde_json::json!({ "at": c1 }))];
    let mut results = extracted_but(new_name).to_vec();
    results.extend(places.into_iter().flat_map(extracted_but));
    results.extend(extracted_but(|d| d.definitions = d.definitions.replace("1.0", &format!("1.0 {c1}"))));
    results.extend(extracted_but(|d| d.definitions = d.definitions.replace("i in", &format!("{escape} in"))));
    for result in results {
        let found = result.unwrap_err();
        assert!(!found.chars().any(|c| c.is_control() && c != '\n'), "{found:?}");
    }
}

/// What the audit makes again has other numbers at the ends of variables' names, and at no other words' ends.
#[test]
fn what_is_recorded_is_compared_to_the_letter() {
    let asked = |change: &dyn Fn(&mut String, &mut String)| {
        let [_, alone] = extracted_but(|d| {
            let conditions = &mut d.chains[0].steps[0].conditions;
            let mut solved = conditions.iter_mut().filter_map(|c| match &mut c.because {
                Because::Solver { sentence, smt2, .. } => Some((sentence, smt2)),
                Because::Syntax | Because::Omitted | Because::Postponed(_) => None,
            });
            let (sentence, smt2) = solved.next().expect("a condition that was asked");
            assert!(sentence.contains("`fill`") && sentence.contains('1'), "{sentence}");
            change(sentence, smt2);
        });
        alone.unwrap_err()
    };
    let not_made = "q, step 1 (extract_subproc): condition `asserts` is not what the rewrite makes";
    let both = |from: &'static str, to: &'static str| {
        asked(&move |sentence, smt2| {
            let comments = smt2.split_inclusive('\n');
            let changed = |l: &str| if l.starts_with(';') { l.replace(from, to) } else { l.to_owned() };
            *smt2 = comments.map(changed).collect();
            *sentence = sentence.replace(from, to);
        })
    };
    assert_eq!(both("1", "1_1"), not_made);
    assert_eq!(both("fill", "fill_7"), not_made);
    assert_eq!(asked(&|_, smt2| *smt2 = smt2.replace('\n', "\r\n")), not_made);
    let [_, alone] = extracted_but(|d| {
        let begins = d.chains[1].begins.as_mut().expect("it was extracted");
        *begins = begins.replace("seq(0, n)", "seq(0_0, n)");
    });
    assert_eq!(alone.unwrap_err(), "part: it does not begin with the procedure that is written down");
}

#[test]
fn what_a_schedule_takes_is_before_it() {
    let versions = "the derivation has 1, numbered from 0 on";
    let with_source = |number| move |d: &mut Derivation| d.chains[1].source = Some(number);
    for result in extracted_but(with_source(5)) {
        assert_eq!(result.unwrap_err(), format!("part: there is no version 5: {versions}"));
    }
    let own = |d: &mut Derivation| {
        d.versions[0].source = Some(0);
        d.versions[0].begins = Some(String::new());
    };
    for result in extracted_but(own) {
        let why = "version 0 of `p`: it is its own source: it would have been extracted from itself";
        assert_eq!(result.unwrap_err(), why);
    }
    let taken = |number: u64| {
        move |d: &mut Derivation| {
            d.versions[0].steps[0].args.push(("other".to_owned(), serde_json::json!({ "version": number })));
        }
    };
    for (number, why) in [(0, "it takes version 0, which is itself"), (9, "there is no version 9: ")] {
        for result in extracted_but(taken(number)) {
            let found = result.unwrap_err();
            let place = "version 0 of `p`, step 1 (extract_subproc): ";
            assert!(found.starts_with(&format!("{place}{why}")), "{found}");
        }
    }
}

#[test]
fn what_is_no_object_is_no_derivation() {
    for (text, why) in [
        ("", "there is nothing in it"),
        (" \n", "there is nothing in it"),
        ("null", "it is `null`, and a derivation is an object"),
        ("[]", "it is an array, and a derivation is an object"),
        ("\u{feff}{}", "it begins with a byte order mark (U+FEFF), which JSON does not have"),
    ] {
        assert_eq!(Derivation::of_json(text).unwrap_err(), why, "{text:?}");
    }
}

/// Two versions of one name, one called by either statement.
#[test]
fn a_name_means_one_procedure() {
    let text = "\
@proc
def f(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 1.0

@proc
def g(x: f32[4]):
    for i in seq(0, 4):
        x[i] = 2.0

@proc
def user(y: f32[4], z: f32[4]):
    f(y)
    g(z)

fk = rename(f, \"k\")
gk = rename(g, \"GK\")
u = call_eqv(user, \"f(_)\", fk)
u = call_eqv(u, \"g(_)\", gk)
";
    assert!(against(text).starts_with("nothing: "), "{}", against(text));
    let found = against(&text.replace("GK", "k"));
    let why = "u: `k` means two procedures in the program that it ends with, whose text does not say which";
    assert!(found.starts_with(why), "{found}");
    // On the way it may: here the first of two calls is already of the other version.
    let both = text
        .replace("g(z)", "f(z)")
        .replace("GK", "h")
        .replace("rename(f, \"k\")", "add_loop(f, \"for i in _: _\", \"j\", 2)");
    let both = both.replace("\"f(_)\"", "\"f(_) #0\"").replace("u, \"g(_)\", gk", "u, \"f(_) #1\", fk");
    assert!(against(&both).starts_with("nothing: "), "{}", against(&both));
    // Both have one text, and what is called in it is another procedure.
    let inside = "
@proc
def k(x: f32[4]):
    f(x)

@proc
def user(y: f32[4], z: f32[4]):
    k(y)
    k(z)

";
    let schedule = "\
f2 = divide_loop(f, \"i\", 2, [\"io\", \"ii\"], tail=\"perfect\")
k2 = call_eqv(k, \"f(_)\", f2)
u = call_eqv(user, \"k(_) #1\", k2)
";
    let f = text.split("@proc\ndef g").next().unwrap_or_default();
    let found = against(&format!("{f}{}{schedule}", inside.trim_start()));
    assert!(found.starts_with(why), "{found}");
}

const COPY: &str = "\
@proc
def f(n: size, x: f32[n], y: f32[n]):
    for i in seq(0, n):
        y[i] = x[i]
";

/// Of two values of a key no reader may choose one: the digest is of the one that is chosen.
#[test]
fn no_key_is_there_twice() {
    let text = format!("{COPY}\np = divide_loop(f, \"i\", 4, [\"io\", \"ii\"], tail=\"cut\")\n");
    let d = of_text(&text).expect("the script runs");
    let written = serde_json::to_string(&d).expect("a derivation can be written");
    assert_eq!(Derivation::of_json(&written), Ok(d));
    let at = "{\"at\":\"body[0]\"}";
    for (once, twice, why) in [
        (
            at,
            "{\"at\":\"body[7]\",\"at\":\"body[0]\"}",
            "p, step 1 (divide_loop): the key \"at\" is there twice in argument `loop_cursor`",
        ),
        (
            at,
            "[{\"version\":0,\"\\u0076ersion\":1}]",
            "p, step 1 (divide_loop): the key \"version\" is there twice in argument `loop_cursor`",
        ),
        (
            "\"relation\"",
            "\"relation\":\"equivalent\",\"relation\"",
            "p, step 1 (divide_loop): the key \"relation\" is there twice",
        ),
        (
            "\"because\"",
            "\"because\":\"omitted\",\"because\"",
            "p, step 1 (divide_loop): the key \"because\" is there twice in condition `lower_bound`",
        ),
        ("\"root\"", "\"root\":\"g\",\"root\"", "p: the key \"root\" is there twice"),
        ("\"format\"", "\"format\":1,\"format\"", "derivation: the key \"format\" is there twice"),
    ] {
        assert!(written.contains(once), "{once}: {written}");
        let changed = written.replacen(once, twice, 1);
        let found = Derivation::of_json(&changed).expect_err(twice);
        assert!(found.starts_with(why), "{twice}: {found}");
        // However it is read.
        assert!(serde_json::from_str::<Derivation>(&changed).is_err(), "{twice}");
    }
}

/// What is printed has numbers for names that two variables share. Spec: [rule: audit.called].
#[test]
fn printed_definitions_say_what_variables_are_called() {
    let text = "\
@proc
def p(x: f32[4, 4]):
    for i in seq(0, 1):
        for i in seq(0, 4):
            x[0, i] = 1.0
            x[1, i] = 2.0

";
    let mut sources = SourceMap::new();
    let file = sources.add("p.py", text);
    let module = parse_module(file, &sources, &Prelude::standard()).module;
    let (called, printed) = (Called::of(&module.procs), module_to_string(&module));
    assert!(printed.contains("for i_1 in seq(0, 4):"), "{printed}");
    // Once the outer loop is gone, the inner one is printed `i`, and meant by it.
    let script = "q = unroll_loop(p, \"i\")\nq = specialize(q, \"x[1, _] = _\", \"i < 2\")\n";
    let with_script = of_text(&format!("{text}{script}")).expect("the script runs");
    let without = Derivation { definitions: printed, ..with_script };
    let told = |called: Called| audited(&without.clone().calling(called)).map_err(|found| found.to_string());
    assert!(told(called).is_ok());
    assert!(told(Called::default()).is_err());
    for wrong in [
        r#"{"p": []}"#,
        r#"{"p": ["x", "i", "i 1"]}"#,
        r#"{"p": ["x", "i"]}"#,
        r#"{"p": ["x", "i", "j"]}"#,
        r#"{"q": ["x", "i", "i"]}"#,
    ] {
        let why = told(serde_json::from_str(wrong).expect("names")).unwrap_err();
        assert!(why.starts_with("called: "), "{wrong}: {why}");
    }
}
