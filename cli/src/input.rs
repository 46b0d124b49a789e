//! Texts that commands are given: files, or standard input for `-`. Spec: [rule: cli.stdin].

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// What standard input is called in messages.
const STDIN: &str = "<stdin>";

/// Whether standard input has been read: it can be read once.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// Whether this stands for standard input.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What a file is called in messages.
pub(crate) fn name_of(path: &Path) -> String {
    if is_stdin(path) { STDIN.to_owned() } else { path.display().to_string() }
}

/// What files that are made of this one are called, without their ending.
pub(crate) fn stem_of(path: &Path) -> Option<&str> {
    if is_stdin(path) { Some("stdin") } else { path.file_stem()?.to_str() }
}

/// The text of a file, or of standard input.
///
/// # Errors
/// It cannot be read, is no UTF-8, or is standard input for the second time: in words, with its name.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    let name = name_of(path);
    let bytes = if is_stdin(path) {
        if TAKEN.swap(true, Ordering::Relaxed) {
            return Err("standard input can be read once: `-` is given twice".to_owned());
        }
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|why| format!("cannot read {name}: {why}"))?;
    String::from_utf8(bytes).map_err(|why| {
        let at = why.utf8_error().valid_up_to();
        format!("{name} is not UTF-8 text: byte {at} does not belong to a character")
    })
}
