//! C compilers: finding them and running them, with a time limit. Spec: [rule: c.toolchain].

pub mod served;

use rewright_machines::{Emulation, Machine, Processor, Run};
use std::fmt;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The warnings that generated code is free of.
pub const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// How long a program may take that only says whether it can run.
const PROBE_LIMIT: Duration = Duration::from_secs(20);

/// How long a compiler may take.
const COMPILE_LIMIT: Duration = Duration::from_secs(300);

/// Which compiler it is: they differ in what they warn about and sanitize.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Family {
    /// GCC.
    Gcc,
    /// Clang.
    Clang,
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::Gcc => "gcc",
            Family::Clang => "clang",
        })
    }
}

/// A C compiler.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program.
    pub path: PathBuf,
    /// Which it is.
    pub family: Family,
    /// The first line of what `--version` prints.
    pub version: String,
    /// The other processor that it makes code for; nothing where that is this one.
    pub target: Option<Target>,
}

/// Another processor that a compiler makes code for, and what runs it here. Spec: [rule: machines.emulated].
#[derive(Clone, Debug)]
pub struct Target {
    /// The machine.
    pub machine: &'static str,
    /// What tells the compiler.
    pub flags: &'static [&'static str],
    /// The program that stands for the processor.
    pub emulator: PathBuf,
    /// Which processor that is.
    pub processor: Processor,
}

/// What to make of sources.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Product {
    /// Nothing, but every warning is an error.
    Check,
    /// An object file, to be linked into a program.
    Object,
    /// A shared object, to be loaded.
    Shared,
    /// A program that watches its own memory accesses and arithmetic; its arithmetic alone where it is for
    /// another processor.
    Sanitized,
    /// A program that does not.
    Program,
}

/// Why a tool did not do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// It could not be started, or a file could not be written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It ran too long.
    #[error("`{program}` did not end within {seconds} seconds")]
    TimeLimit {
        /// What ran.
        program: String,
        /// The limit.
        seconds: u64,
    },
    /// It ran and failed.
    #[error("`{program}` failed:\n{text}")]
    Failed {
        /// What ran.
        program: String,
        /// What it printed.
        text: String,
    },
}

impl Compiler {
    /// The compiler of a family, if there is one: the one the `cc` crate finds (which looks at `CC`), or
    /// the one of that name in `PATH`.
    pub fn find(family: Family) -> Option<Compiler> {
        let usual =
            default_compiler().into_iter().chain([PathBuf::from(family.to_string()), PathBuf::from("cc")]);
        usual.into_iter().filter_map(identify).find(|c| c.family == family)
    }

    /// All families that are there, GCC first.
    pub fn available() -> Vec<Compiler> {
        [Family::Gcc, Family::Clang].into_iter().filter_map(Compiler::find).collect()
    }

    /// What makes code of a machine and can run it here: the compilers of this processor where it has the
    /// instructions, or those for another, once for each processor that an emulator stands for.
    ///
    /// # Errors
    /// What is missing.
    pub fn of_machine(machine: &Machine) -> Result<Vec<Compiler>, String> {
        if machine.runs_here() {
            return Ok(Compiler::available());
        }
        match &machine.run {
            Run::Native(_) | Run::Model => Err(format!("this processor is no {}", machine.about)),
            Run::Emulated(_, emulation) => cross(machine, emulation),
        }
    }

    /// What it is called in messages: its family, and the processor that it makes code for if that is another.
    pub fn label(&self) -> String {
        match &self.target {
            None => self.family.to_string(),
            Some(t) => format!("{} ({}, {})", self.family, file_name(&t.emulator), t.processor.name),
        }
    }

    /// Whether what it makes of a machine's instructions can be run.
    pub fn runs(&self, machine: &Machine) -> bool {
        match (&self.target, machine.run) {
            (_, Run::Model) => true,
            (Some(target), Run::Native(_) | Run::Emulated(..)) => target.machine == machine.name,
            (None, Run::Native(_) | Run::Emulated(..)) => machine.runs_here(),
        }
    }

    /// A command that runs a program which this compiler made.
    pub fn command(&self, program: &Path) -> Command {
        match &self.target {
            None => Command::new(program),
            Some(target) => {
                let mut command = Command::new(&target.emulator);
                command.args(target.processor.arguments).arg(program);
                command
            }
        }
    }

    /// Whether it makes programs that compute with `_Float16`: it may know the type, and the library for the processor not
    /// convert it.
    pub fn has_f16(&self) -> bool {
        let Ok(dir) = tempfile::tempdir() else { return false };
        let source = "__extension__ typedef _Float16 half;\n\
                      int main(int argc, char **argv) {\n\
                      (void)argv;\nhalf x = (half)argc;\nfloat y = (float)x;\nx = (half)(y * (double)(x + x));\n\
                      return (int)x != 2;\n}\n";
        std::fs::write(dir.path().join("probe.c"), source).is_ok()
            && self.compile(dir.path(), &["probe.c"], Product::Check, &[], "").is_ok()
            && self.compile(dir.path(), &["probe.c"], Product::Program, &[], "probe").is_ok()
    }

    /// Whether its programs run: a compiler may be there without the library for the processor, or without the types
    /// of its registers.
    fn makes_programs(&self, machine: &Machine) -> bool {
        let Ok(dir) = tempfile::tempdir() else { return false };
        let (mut head, mut body, mut flags) = ("", String::new(), Vec::new());
        if let Some(file) = &machine.registers {
            (head, flags) = (file.header, file.flags.to_vec());
            if let Some(t) = file.types.first() {
                body = format!("{} v = {};\n(void)v;\n", t.c, t.zero);
            }
        }
        let source = format!("{head}\nint main(void) {{\n{body}return 0;\n}}\n");
        let made = std::fs::write(dir.path().join("probe.c"), source).is_ok()
            && self.compile(dir.path(), &["probe.c"], Product::Program, &flags, "probe").is_ok();
        let ran = || run(&mut self.command(&dir.path().join("probe")), PROBE_LIMIT);
        made && ran().is_ok_and(|done| done.is_success)
    }

    /// Compiles C sources of one directory, with `flags` besides.
    ///
    /// # Errors
    /// What the compiler has to say, or that it could not run.
    pub fn compile(
        &self,
        dir: &Path,
        sources: &[&str],
        product: Product,
        flags: &[&str],
        output: &str,
    ) -> Result<(), ToolError> {
        let mut command = Command::new(&self.path);
        // Optimisers warn about what might happen if code ran that never does: only plain compilation is
        // held to the promise that there are no warnings.
        let warnings: &[&str] = if product == Product::Check { &STRICT } else { &["-std=c11", "-w"] };
        command.current_dir(dir).args(warnings);
        if let Some(target) = &self.target {
            command.args(target.flags);
        }
        command.args(flags);
        match product {
            Product::Check => command.args(["-c", "-o", "/dev/null"]),
            Product::Object => command.args(["-c", "-o", output]),
            // A procedure called `read` must not turn into the system's.
            Product::Shared => {
                // The threads of OpenMP's library wait for more work in its code, which must not go with the object that
                // brought it.
                let stays: &[&str] = if flags.contains(&"-fopenmp") { &["-Wl,-z,nodelete"] } else { &[] };
                command.args(["-O2", "-fPIC", "-shared", "-Wl,-Bsymbolic"]).args(stays).args(["-o", output])
            }
            Product::Program if self.target.is_some() => command.args(["-O2", "-static", "-o", output]),
            Product::Program => command.args(["-O2", "-o", output]),
            // The libraries that tell what was found are seldom there for another processor; and GNU ld 2.40 does not
            // survive what Clang 19 says to debuggers of RISC-V.
            Product::Sanitized if self.target.is_some() => command.args([
                "-O1",
                "-fsanitize=undefined",
                "-fsanitize-undefined-trap-on-error",
                "-static",
                "-o",
                output,
            ]),
            Product::Sanitized => command.args([
                "-O0",
                "-g1",
                "-fsanitize=address,undefined",
                "-fno-sanitize-recover=all",
                "-fno-omit-frame-pointer",
                "-o",
                output,
            ]),
        };
        command.args(sources);
        match product {
            Product::Check | Product::Object => {}
            Product::Shared | Product::Sanitized | Product::Program => {
                command.arg("-lm");
            }
        }
        let done = run(&mut command, COMPILE_LIMIT)?;
        done.success().map(|_| ())
    }
}

fn default_compiler() -> Option<PathBuf> {
    let target = format!("{}-unknown-{}-gnu", std::env::consts::ARCH, std::env::consts::OS);
    let mut build = cc::Build::new();
    build.cargo_metadata(false).cargo_warnings(false).opt_level(0).target(&target).host(&target);
    build.try_get_compiler().ok().map(|tool| tool.path().to_owned())
}

/// The compilers for another processor that are installed, each with each processor.
fn cross(machine: &Machine, emulation: &Emulation) -> Result<Vec<Compiler>, String> {
    let advice = || format!("on Debian, `apt-get install {}`", emulation.packages.join(" "));
    let emulator = in_path(emulation.emulator)
        .ok_or_else(|| format!("there is no `{}`: {}", emulation.emulator, advice()))?;
    let mut found = Vec::new();
    for c in emulation.compilers {
        let Some(compiler) = in_path(c.program).and_then(identify) else { continue };
        for processor in emulation.processors {
            let target = Target {
                machine: machine.name,
                flags: c.flags,
                emulator: emulator.clone(),
                processor: *processor,
            };
            let compiler = Compiler { target: Some(target), ..compiler.clone() };
            if compiler.makes_programs(machine) {
                found.push(compiler);
            }
        }
    }
    if found.is_empty() {
        let names: Vec<&str> = emulation.compilers.iter().map(|c| c.program).collect();
        return Err(format!("there is no compiler, neither {}: {}", names.join(" nor "), advice()));
    }
    Ok(found)
}

fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Where a program is.
fn in_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|file| file.is_file())
}

/// Asks a program which compiler it is.
fn identify(path: PathBuf) -> Option<Compiler> {
    let done = run(Command::new(&path).arg("--version"), Duration::from_secs(10)).ok()?;
    let text = done.success().ok()?;
    let version = text.lines().next()?.to_owned();
    let family = if text.contains("clang") {
        Family::Clang
    } else if text.contains("Free Software Foundation") || version.contains("gcc") {
        Family::Gcc
    } else {
        return None;
    };
    Some(Compiler { path, family, version, target: None })
}

/// A program that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    program: String,
    /// Whether it ended with success.
    pub is_success: bool,
    /// Its exit code; nothing when a signal ended it.
    pub code: Option<i32>,
    /// What it printed, standard output first.
    pub text: String,
}

impl Finished {
    /// What it printed, when it ended with success.
    ///
    /// # Errors
    /// It did not.
    pub fn success(self) -> Result<String, ToolError> {
        if self.is_success {
            return Ok(self.text);
        }
        Err(ToolError::Failed { program: self.program, text: self.text })
    }
}

/// Runs a program to its end, and ends it when that takes too long.
///
/// # Errors
/// It could not be started, or it took too long.
pub fn run(command: &mut Command, limit: Duration) -> Result<Finished, ToolError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let readers = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
    let ended = wait(&mut child, limit)?;
    let Some(status) = ended else {
        child.kill()?;
        child.wait()?;
        // Its own children may still hold the pipes: the readers are left to themselves.
        return Err(ToolError::TimeLimit { program, seconds: limit.as_secs() });
    };
    let text = readers.into_iter().flatten().filter_map(|r| r.join().ok()).collect();
    Ok(Finished { program, is_success: status.success(), code: status.code(), text })
}

/// Reads everything a child prints, so that it never waits for us.
fn reader(mut pipe: impl Read + Send + 'static) -> JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is still worth showing.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// How the child ended; `None` when the limit has passed.
fn wait(child: &mut Child, limit: Duration) -> Result<Option<ExitStatus>, ToolError> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if start.elapsed() > limit {
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: [rule: c.toolchain].
    #[test]
    fn there_is_a_compiler_and_it_says_what_is_wrong() {
        let compilers = Compiler::available();
        assert!(!compilers.is_empty());
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("bad.c"), "int f(void) { return g(); }\n").unwrap();
        for c in compilers {
            let done = c.compile(dir.path(), &["bad.c"], Product::Check, &[], "");
            assert!(matches!(done, Err(ToolError::Failed { text, .. }) if text.contains('g')));
        }
    }

    #[test]
    fn what_runs_too_long_is_ended() {
        let done = run(Command::new("sleep").arg("60"), Duration::from_millis(50));
        assert!(matches!(done, Err(ToolError::TimeLimit { .. })));
    }
}
