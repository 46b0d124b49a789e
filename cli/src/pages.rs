//! `rewright completions` and `rewright man`: what a shell and a reader of manuals need, from the same description of
//! the command line that `--help` prints.

use crate::args::{Cli, Completions, Man};
use crate::output::{Outcome, error, put, say};
use clap::CommandFactory;
use std::fs;
use std::path::Path;

/// Prints a script that completes the command line.
pub(crate) fn completions(args: &Completions) -> Outcome {
    let mut bytes = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "rewright", &mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    say(&text);
    put("text", text);
    Outcome::Fine
}

/// Prints the manual page, or writes it with those of the commands.
pub(crate) fn man(args: &Man) -> Outcome {
    let mut command = Cli::command();
    command.build();
    let Some(dir) = &args.out else {
        return match page(&command) {
            Ok(bytes) => {
                let text = String::from_utf8_lossy(&bytes).into_owned();
                say(&text);
                put("text", text);
                Outcome::Fine
            }
            Err(why) => error(&format!("the page cannot be made: {why}")),
        };
    };
    let mut files = Vec::new();
    match fs::create_dir_all(dir).and_then(|()| write(&command, "rewright", dir, &mut files)) {
        Ok(()) => {
            say(&format!("wrote {} pages to {}", files.len(), dir.display()));
            put("files", files);
            Outcome::Fine
        }
        Err(why) => error(&format!("cannot write to {}: {why}", dir.display())),
    }
}

/// The page of a command, and those of the commands below it.
fn write(command: &clap::Command, name: &str, dir: &Path, files: &mut Vec<String>) -> std::io::Result<()> {
    let path = dir.join(format!("{name}.1"));
    fs::write(&path, page(command)?)?;
    files.push(path.display().to_string());
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        write(sub, &format!("{name}-{}", sub.get_name()), dir, files)?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut bytes)?;
    Ok(bytes)
}
