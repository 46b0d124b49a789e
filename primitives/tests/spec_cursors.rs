//! The examples of `spec/cursors.md`, on its procedure: moves, patterns, and how cursors print.

use rewright_primitives::cursor::path::{Place, Side};
use rewright_primitives::registry::Value;
use rewright_primitives::{Cursor, InvalidCursor, Proc, script};
use rewright_semantics::ast::Module;
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;

const CHAPTER: &str = include_str!("../../spec/cursors.md");

struct Example {
    tag: String,
    text: String,
}

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    let mut open: Option<Example> = None;
    for line in CHAPTER.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => open = Some(Example { tag: tag.to_owned(), text: String::new() }),
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(example), None) => {
                example.text.push_str(line);
                example.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found
}

fn module() -> Module {
    let examples = examples();
    let program = examples.iter().find(|e| e.tag == "exo").expect("a program");
    let mut sources = SourceMap::new();
    let file = sources.add("cursors.md", program.text.as_str());
    let parsed = parse_module(file, &sources, &Prelude::standard());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.module
}

/// The first line of what is pointed at.
fn words(c: &Cursor) -> String {
    let first = |c: &Cursor| c.text().lines().next().unwrap_or("").to_owned();
    match c.place() {
        Place::Block(run) => format!("{} from {}", run.len, first(c)),
        Place::Gap(gap) => {
            let anchor = c.anchor().expect("a gap has an anchor");
            let side = match gap.side {
                Side::Before => "before",
                Side::After => "after",
            };
            format!("{side} {}", first(&anchor))
        }
        Place::Stmt(_) | Place::Expr(_) | Place::Arg(_) => first(c),
    }
}

/// `left => right`, each.
fn rows<'t>(examples: &'t [Example], tag: &str) -> Vec<(&'t str, &'t str)> {
    let blocks = examples.iter().filter(|e| e.tag == tag);
    let lines = blocks.flat_map(|e| e.text.lines());
    lines.map(|l| l.split_once("=>").expect("`left => right`")).map(|(l, r)| (l.trim(), r.trim())).collect()
}

fn evaluate(module: &Module, expression: &str) -> Result<Cursor, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("line", "");
    let lines = script::parse(file, &format!("it = {expression}")).expect("a line of a script");
    let run = script::run(module, &Prelude::standard(), &lines);
    match (run.error, run.names.get("it")) {
        (Some(e), _) => Err(e.diagnostic().message),
        (None, Some(Value::Cursor(c))) => Ok(c.clone()),
        (None, other) => panic!("{expression} is no cursor but {other:?}"),
    }
}

fn agrees(expected: &str, found: Result<String, String>, what: &str) {
    match (expected.strip_prefix("error: "), found) {
        (None, Ok(found)) => assert_eq!(found, expected, "{what}"),
        (Some(why), Err(e)) => assert!(e.contains(why), "{what}: {e}"),
        (None, Err(e)) => panic!("{what}: {e}"),
        (Some(_), Ok(found)) => panic!("{what}: {found}"),
    }
}

/// [rule: cursors]
#[test]
fn moves_lead_where_the_chapter_says() {
    let (module, examples) = (module(), examples());
    let rows = rows(&examples, "moves");
    assert!(rows.len() > 20);
    for (expression, expected) in rows {
        agrees(expected, evaluate(&module, expression).map(|c| words(&c)), expression);
    }
}

/// [rule: patterns]
#[test]
fn patterns_describe_what_the_chapter_says() {
    let (module, examples) = (module(), examples());
    let p = Proc::root(module.proc("p").expect("the procedure").clone());
    let rows = rows(&examples, "patterns");
    assert!(rows.len() > 30);
    for (pattern, expected) in rows {
        match p.find_all(pattern) {
            Ok(found) => {
                let found: Vec<String> = found.iter().map(words).collect();
                agrees(expected, Ok(found.join(" | ")), pattern);
            }
            Err(InvalidCursor { what }) if expected.is_empty() => assert!(what.contains("nothing in")),
            Err(InvalidCursor { what }) => agrees(expected, Err(what), pattern),
        }
    }
}

/// [rule: cursors.printing]
#[test]
fn cursors_print_as_the_chapter_says() {
    let (module, examples) = (module(), examples());
    let shown: Vec<(&str, &str)> =
        examples.iter().filter_map(|e| Some((e.tag.strip_prefix("shown ")?, e.text.as_str()))).collect();
    assert_eq!(shown.len(), 4);
    for (expression, expected) in shown {
        let c = evaluate(&module, expression).expect("a cursor");
        assert!(c.to_string().contains(expected), "{expression}:\n{c}");
    }
}
