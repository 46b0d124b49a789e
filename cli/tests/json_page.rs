//! The examples of `spec/json.md`: its files are written, its commands are run, and what they print is what it shows, as
//! JSON values. Spec: [rule: cli.json].
//!
//! After a change that is meant: `INSTA_UPDATE=always cargo test -p rewright-cli --test json_page`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on says where")]

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The page in parts: text between fences, and what is within them with its tag.
fn parts(text: &str) -> Vec<(Option<String>, String)> {
    let mut out = vec![(None, String::new())];
    for line in text.lines() {
        let inside = out.last().is_some_and(|(tag, _)| tag.is_some());
        match line.strip_prefix("```") {
            Some(tag) => out.push(((!inside).then(|| tag.to_owned()), String::new())),
            None => out.last_mut().unwrap().1.push_str(&format!("{line}\n")),
        }
    }
    out
}

#[test]
fn the_examples_print_what_is_shown() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/json.md");
    let dir = tempfile::tempdir().unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_rewright")).parent().unwrap();
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
    let (mut told, mut printed, mut count) = (String::new(), Value::Null, 0);
    let mut parts = parts(&fs::read_to_string(&page).unwrap());
    for (tag, text) in &mut parts {
        match tag.as_deref() {
            None => told.clone_from(text),
            Some("python") => {
                let name = told.rsplit("Save this as `").next().and_then(|t| t.split('`').next()).unwrap();
                fs::write(dir.path().join(name), &*text).unwrap();
            }
            Some("console") => {
                let command = text.trim().strip_prefix("$ ").unwrap();
                let mut shell = Command::new("sh");
                let done = shell.args(["-c", command]).current_dir(dir.path()).env("PATH", &path).output();
                printed = serde_json::from_slice(&done.unwrap().stdout).unwrap();
            }
            Some("json") => {
                if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
                    *text = format!("{printed:#}\n");
                }
                let shown: Value = serde_json::from_str(text).unwrap();
                assert_eq!(shown, printed, "spec/json.md shows something else than\n{printed:#}");
                count += 1;
            }
            Some(_) => {}
        }
    }
    assert!(count >= 5, "only {count} examples");
    if std::env::var("INSTA_UPDATE").is_ok_and(|v| v == "always") {
        let text: String = parts
            .iter()
            .map(|(tag, text)| match tag {
                Some(tag) => format!("```{tag}\n{text}```\n"),
                None => text.clone(),
            })
            .collect();
        fs::write(&page, text).unwrap();
    }
}
