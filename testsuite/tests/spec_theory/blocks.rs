//! The executed blocks of a chapter.

/// The kinds of block that are executed here.
const KINDS: [&str; 4] = ["ternary", "effect", "obligation", "halide"];

/// The class of fields that programs use without defining it.
const CFG: &str =
    "@config\nclass Cfg:\n    a: index\n    b: index\n    n: size\n    flag: bool\n    scale: f32\n\n";

/// A program as it is meant: with the class `Cfg`, when it has none of its own.
pub(crate) fn program(text: &str) -> String {
    if text.contains("Cfg.") && !text.contains("class Cfg") {
        format!("{CFG}{text}")
    } else {
        text.to_owned()
    }
}

/// An executed block.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// The first word of its tag.
    pub(crate) kind: String,
    /// The other words.
    pub(crate) words: Vec<String>,
    /// The line of the chapter that opens it.
    pub(crate) line: usize,
    /// What is between the fences.
    pub(crate) text: String,
}

impl Block {
    /// What stands after the fence.
    pub(crate) fn tag(&self) -> String {
        std::iter::once(&self.kind).chain(&self.words).cloned().collect::<Vec<_>>().join(" ")
    }

    /// What comes before the line `---`, and what comes after.
    pub(crate) fn parts(&self) -> Result<(&str, &str), String> {
        self.text.split_once("\n---\n").ok_or_else(|| "there is no line `---`".to_owned())
    }
}

/// The executed blocks of a chapter, in order.
pub(crate) fn blocks(chapter: &str) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (n, line) in chapter.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(tag)) => {
                let mut words = tag.split(' ').map(str::to_owned);
                let kind = words.next().unwrap_or_default();
                open = Some(Block { kind, words: words.collect(), line: n + 1, text: String::new() });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    found.retain(|block| KINDS.contains(&block.kind.as_str()));
    found
}
