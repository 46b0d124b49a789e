//! Writes the C of the image pipelines into a folder, for each processor: `rewright-images FOLDER`. Spec: [rule: kernels.images].

use rewright_library::Target;
use rewright_library::definitions::{Definitions, unit_of};
use rewright_library::images::{PIPELINES, Pipeline};
use rewright_machines::MACHINES;
use std::fs;
use std::io::{Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let folder = std::env::args_os().nth(1).filter(|a| !a.to_string_lossy().starts_with('-'));
    let Some(folder) = folder.map(PathBuf::from) else {
        drop(writeln!(stderr(), "usage: rewright-images FOLDER"));
        return ExitCode::FAILURE;
    };
    match write_all(&folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            drop(writeln!(stderr(), "error: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn write_all(folder: &Path) -> Result<(), String> {
    for machine in MACHINES.iter().filter(|m| ["avx2", "avx512", "neon"].contains(&m.name)) {
        for Pipeline { name, text, precision, schedule } in PIPELINES {
            let target = Target::of(machine, precision).map_err(|e| e.to_string())?;
            let fast = schedule(&Definitions::of(text).proc(name), &target).map_err(|e| e.to_string())?;
            let unit = unit_of(name, &fast);
            let at = folder.join(machine.name);
            fs::create_dir_all(&at).map_err(|e| format!("cannot write {}: {e}", at.display()))?;
            for (extension, text) in [("c", unit.source), ("h", unit.header)] {
                let file = at.join(format!("{name}.{extension}"));
                fs::write(&file, text).map_err(|e| format!("cannot write {}: {e}", file.display()))?;
            }
            drop(writeln!(stdout(), "wrote {}", at.join(name).display()));
        }
    }
    Ok(())
}
