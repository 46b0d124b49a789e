//! The pages that people read, as pages: links lead to files and headings that are there, and the book has every chapter.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The pages below a folder.
fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|e| e == "md") {
            out.push(path);
        }
    }
}

/// The lines of a page without its fenced blocks.
fn prose(text: &str) -> Vec<&str> {
    let mut fenced = false;
    let is_prose = |l: &&str| {
        let fence = l.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    };
    text.lines().filter(is_prose).collect()
}

/// Where the links of a page lead.
fn links(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    for line in prose(text) {
        // Code is not a link; a link's label may be code.
        let plain: String =
            line.split('`').enumerate().map(|(k, p)| if k % 2 == 0 { p } else { "code" }).collect();
        let targets = plain.split("](").skip(1).filter_map(|rest| rest.split_once(')'));
        out.extend(targets.map(|(link, _)| link.to_owned()));
    }
    out
}

/// The anchors of a page, as they are made of headings.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut met: BTreeMap<String, usize> = BTreeMap::new();
    let headings = prose(text).into_iter().filter(|l| l.starts_with('#'));
    let of = headings.map(|l| {
        let anchor = anchor(l.trim_start_matches('#').trim());
        let count = met.entry(anchor.clone()).or_default();
        *count += 1;
        if *count == 1 { anchor } else { format!("{anchor}-{}", *count - 1) }
    });
    of.collect()
}

/// The anchor of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || "-_".contains(*c)).collect()
}

/// What is wrong with a link that stands on a page.
fn dead(page: &Path, link: &str) -> Option<&'static str> {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let target = if file.is_empty() { page.to_owned() } else { page.with_file_name(file) };
    if !target.exists() {
        return Some("there is no such file");
    }
    if heading.is_empty() {
        return None;
    }
    if !heading.is_ascii() {
        return Some("of other letters each renderer makes an anchor of its own");
    }
    let text = fs::read_to_string(&target).unwrap_or_default();
    (!anchors(&text).contains(heading)).then_some("there is no such heading")
}

#[test]
fn every_link_leads_somewhere() {
    let mut found = vec![root().join("README.md"), root().join("testsuite/corpus/README.md")];
    pages(&root().join("spec"), &mut found);
    let (mut count, mut wrong) = (0, Vec::new());
    for page in &found {
        let text = fs::read_to_string(page).expect("a page");
        for link in links(&text).iter().filter(|l| !l.contains("://")) {
            count += 1;
            let told = dead(page, link).map(|why| format!("{}: {link}: {why}", page.display()));
            wrong.extend(told);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 500 && found.len() > 90, "{count} links on {} pages", found.len());
}

#[test]
fn links_and_anchors_are_read_as_they_are_rendered() {
    let text = "# A `b` of c\n[x](y.md#z) and `](no)` and [[E-1]](e.md).\n```\n[n](no)\n```\n## A b of c\n";
    assert_eq!(links(text), ["y.md#z", "e.md"]);
    assert_eq!(anchors(text), BTreeSet::from(["a-b-of-c".to_owned(), "a-b-of-c-1".to_owned()]));
}

/// The table of contents of the book names each page once, and no other.
#[test]
fn every_chapter_is_in_the_summary() {
    let folder = root().join("spec");
    let summary = fs::read_to_string(folder.join("SUMMARY.md")).expect("the summary");
    let mut found = Vec::new();
    pages(&folder, &mut found);
    let relative = |p: &Path| p.strip_prefix(&folder).expect("below").to_string_lossy().replace('\\', "/");
    let chapters: BTreeSet<String> =
        found.iter().map(|p| relative(p)).filter(|p| p != "SUMMARY.md").collect();
    let listed = links(&summary);
    let named: BTreeSet<String> = listed.iter().cloned().collect();
    let missing: Vec<&String> = chapters.difference(&named).collect();
    assert!(missing.is_empty(), "spec/SUMMARY.md lacks {missing:?}");
    assert_eq!(named, chapters);
    assert_eq!(listed.len(), named.len(), "a chapter is named twice");
}

/// The pieces of a line that are in backticks.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a file of Rust defines this name.
fn defines(text: &str, name: &str) -> bool {
    let starts = ["fn ", "struct ", "enum ", "trait "].map(|word| format!("{word}{name}"));
    let whole = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    starts
        .iter()
        .any(|start| text.match_indices(start.as_str()).any(|(at, _)| whole(&text[at + start.len()..])))
}

/// In the table of definitions each name is defined in the file that stands before it.
#[test]
fn definitions_are_where_the_table_says() {
    let page = fs::read_to_string(root().join("spec/README.md")).expect("the page");
    let section = page.split("## Where to find a definition").nth(1).expect("the table");
    let rows = section.lines().take_while(|l| !l.starts_with("## ")).filter(|l| l.starts_with("| "));
    let (mut names, mut wrong) = (0, Vec::new());
    for row in rows {
        let last = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        let (mut file, mut text) = ("", String::new());
        for piece in code(last) {
            if piece.ends_with(".rs") {
                file = piece;
                text = fs::read_to_string(root().join(file)).unwrap_or_default();
            } else {
                names += 1;
                if !defines(&text, piece) {
                    wrong.push(format!("`{file}` does not define `{piece}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(names > 40, "{names}");
    for word in
        ["Commutes", "Shadows", "ValG", "Eff", "Lift", "CtrlPred", "PreValG", "PostEff", "≅ modulo fields"]
    {
        assert!(section.contains(&format!("\n| {word} | ")), "the table lacks {word}");
    }
}
