//! Pages in a browser without a screen: they are drawn, links and keys do what they say, nothing is wrong on the console.
//! Spec: [rule: ledger]. Skipped where there is no Chromium.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use rewright_ledger::page;
use rewright_primitives::derivation::of_script;
use rewright_primitives::registry::Registry;
use rewright_primitives::script::{parse, run_with};
use rewright_primitives::version::session::Session;
use rewright_semantics::parse::parse_module;
use rewright_semantics::span::SourceMap;
use serde_json::{Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the browser is told to do.
const DRIVER: &str = include_str!("browser.js");

fn chromium() -> Option<PathBuf> {
    let found = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
    let found = found.iter().map(Path::new).find(|p| p.is_file());
    if found.is_none() {
        eprintln!("skipped: there is no chromium");
    }
    found.map(Path::to_owned)
}

fn page_of(text: &str) -> String {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("schedule.py", text);
    let module = parse_module(file, &sources, &prelude).module;
    let lines = parse(file, text).unwrap();
    let registry = Registry::standard();
    let ran = run_with(&Session::new(), &registry, &module, &prelude, &lines);
    assert!(ran.error.is_none(), "{:?}", ran.error);
    page(&of_script(text, &ran), &registry).unwrap()
}

/// A schedule of so many steps.
fn long(steps: usize) -> String {
    let mut text = "
@proc
def first(n: size, m: size, x: f32[n + 1, m], y: f32[m]):
    assert n % 4 == 0
    for i in seq(0, n):
        for j in seq(0, m):
            x[i + 1, j] = x[i, j]
            y[j] += x[i, j]

p = divide_loop(first, 'i', 4, ['io', 'ii'], tail='perfect')
p = rename(p, 'second')
"
    .to_owned();
    for k in 2..steps {
        writeln!(text, "p = rename(p, 'p{k}')").unwrap();
    }
    text
}

/// What the driver saw on a page, and what stood on the console.
fn saw(chromium: &Path, page: &str) -> (Value, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    std::fs::write(&file, page.replace("</body>", &format!("<script>{DRIVER}</script></body>"))).unwrap();
    let done = Command::new(chromium)
        .args(["--headless=new", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0"])
        .args(["--virtual-time-budget=60000", "--window-size=1400,900", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    let dom = String::from_utf8_lossy(&done.stdout).into_owned();
    let log = String::from_utf8_lossy(&done.stderr).into_owned();
    let console = log.lines().filter(|l| l.contains("CONSOLE")).map(str::to_owned).collect();
    let told = dom.split_once("<pre id=\"saw\">").and_then(|(_, rest)| rest.split_once("</pre>"));
    let told = told.unwrap_or_else(|| panic!("the driver did not come to its end:\n{log}")).0;
    let told = told.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    (serde_json::from_str(&told).unwrap(), console)
}

/// Whatever the length of the schedule.
fn used_as_by_a_reader(steps: usize) {
    let Some(chromium) = chromium() else { return };
    let page = page_of(&long(steps));
    let (saw, console) = saw(&chromium, &page);
    assert_eq!(console, Vec::<String>::new());
    assert_eq!(saw["error"], Value::Null, "{saw:#}");
    let expected = json!({
        "first": format!("Step 1 of {steps}"), "start": "steps",
        "anchor": format!("Step 2 of {steps}"), "current": "#step-2",
        "j": format!("Step 3 of {steps}"), "k": format!("Step 1 of {steps}"), "last": format!("Step {steps} of {steps}"),
        "closed": 0, "focus": "search",
        "found": format!("2 of {steps} steps"), "listed": 2, "unlisted": 0,
        "match": "rename(name=\"second\")",
        "help": true, "themes": true, "back": true,
        "programs": "programs", "dependences": "dependences", "assumptions": "assumptions",
        "definitions": "definitions", "steps": "steps", "three": "dependences",
        "svg": true, "dangling": [], "nameless": 0, "twice": [],
        "after20": format!("Step 21 of {steps}"), "printed": steps, "cleared": 0,
    });
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(saw[key], *value, "{key} of {saw:#}");
    }
    assert!(saw["diff"].as_str().unwrap().contains("for io in seq(0, n / 4):"), "{saw:#}");
    assert!(saw["details"].as_u64().unwrap() > 0 && saw["questions"] == saw["details"], "{saw:#}");
}

#[test]
fn a_page_works_in_a_browser() {
    used_as_by_a_reader(30);
}

/// Steps of a long schedule are shown as quickly as those of a short one.
#[test]
fn a_page_of_1200_steps_works_in_a_browser() {
    used_as_by_a_reader(1200);
}

/// The driver sees a page that is broken.
#[test]
fn what_is_wrong_is_seen() {
    let Some(chromium) = chromium() else { return };
    let page = page_of(&long(30));
    let broken = page
        .replace("<a href=\"#step-7\">", "<a href=\"#step-seven\">")
        .replace("j: () => go(near(1))", "j: () => {}")
        .replace("\"use strict\";\n(() => {", "console.error('!');\n(() => {");
    let (saw, console) = saw(&chromium, &broken);
    assert_eq!(console.len(), 1, "{console:?}");
    assert_eq!(saw["dangling"], json!(["#step-seven"]));
    assert_eq!((&saw["anchor"], &saw["j"]), (&json!("Step 2 of 30"), &json!("Step 2 of 30")));
}
