//! Running generated C: compile it, load it, call it on given inputs, and hold it against the
//! interpreter. Spec: [rule: c.harness].
//!
//! Every function is called through a shim of one signature, `void shim(void **args, const int64_t
//! *ctl)`: pointers to buffers and fields, and control integers. What a call is given, and what it
//! leaves, is an [`image::Image`]. The same image can go to a program with sanitizers, in a process of
//! its own.

pub mod agree;
mod hidden;
pub mod image;
mod load;
mod program;
mod shim;

use crate::c::names::identifiers;
use crate::c::range::Width;
use crate::c::tree::F16;
use crate::c::{CUnit, Options, PublicFunction, compile_module};
use crate::toolchain::served::Served;
use crate::toolchain::{Compiler, Product, ToolError};
use image::Image;
use load::Loaded;
use rewright_semantics::ast::Module;
use rewright_semantics::diag::Diagnostic;
use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// The name of the files of a unit under test.
const UNIT: &str = "unit";

/// The file with the shims, which includes the unit.
const SHIMS: &str = "shim.c";

/// The shared object.
const SHARED: &str = "unit.so";

/// How long a program may run.
const RUN_LIMIT: Duration = Duration::from_secs(60);

/// The name of the function of a shared object that calls function `k` of its unit: `void entry(void **args, const int64_t
/// *ctl)`.
pub fn entry(k: usize) -> String {
    shim::name(k)
}

/// Why a module could not be built or run.
#[derive(Debug, thiserror::Error)]
pub enum HarnessError {
    /// The back end refuses the module.
    #[error("the back end refuses this: {}", first_message(.0))]
    Refused(Vec<Diagnostic>),
    /// The compiler, or a program it made, failed.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The shared object could not be loaded.
    #[error("cannot load the compiled code: {0}")]
    Load(String),
    /// The C ended its process, and said this: a model of hardware found something wrong.
    #[error("the C stopped: {0}")]
    Stopped(String),
    /// The program that stands for another processor failed, which says nothing of the C.
    #[error("the emulator failed: {0}")]
    Emulator(String),
    /// The compiler or the machine does not have what the module uses.
    #[error("this machine has no {0}")]
    Unsupported(String),
    /// There is no public function for a procedure.
    #[error("there is no procedure called {0}")]
    NoProcedure(String),
    /// The input is not one of this procedure.
    #[error("the input does not fit the procedure: {0}")]
    BadInput(String),
}

/// Whether this machine runs what a compiler makes with a flag of [`CUnit::flags`]. Flags that do not choose
/// instructions do no harm; of those that do and are not known here, nobody can say.
fn machine_has(flag: &str) -> bool {
    if !flag.starts_with("-m") {
        return true;
    }
    #[cfg(target_arch = "x86_64")]
    {
        macro_rules! detected {
            ($($flag:literal $feature:tt),*) => {
                match flag {
                    $($flag => std::arch::is_x86_feature_detected!($feature),)*
                    _ => false,
                }
            };
        }
        detected!(
            "-msse2" "sse2", "-msse3" "sse3", "-mssse3" "ssse3", "-msse4.1" "sse4.1", "-msse4.2" "sse4.2",
            "-mpopcnt" "popcnt", "-mavx" "avx", "-mavx2" "avx2", "-mfma" "fma", "-mf16c" "f16c", "-mbmi" "bmi1",
            "-mbmi2" "bmi2", "-mavx512f" "avx512f", "-mavx512bw" "avx512bw", "-mavx512cd" "avx512cd",
            "-mavx512dq" "avx512dq", "-mavx512vl" "avx512vl", "-mavx512vnni" "avx512vnni"
        )
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

fn first_message(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("", |d| &d.message)
}

/// What a program says that ended itself.
fn stopped(why: HarnessError) -> HarnessError {
    if let HarnessError::Tool(ToolError::Failed { text, program: _ }) = &why
        && !text.trim().is_empty()
    {
        return HarnessError::Stopped(text.trim().to_owned());
    }
    why
}

impl From<std::io::Error> for HarnessError {
    fn from(e: std::io::Error) -> HarnessError {
        HarnessError::Tool(ToolError::Io(e))
    }
}

/// A module, compiled and ready to be called.
pub struct Built {
    unit: CUnit,
    dir: TempDir,
    compiler: Compiler,
    flags: Vec<String>,
    loaded: OnceCell<Loaded>,
    plain: OnceCell<()>,
    /// The plain program of another processor: emulators take longer to start than most calls.
    running: RefCell<Option<Served>>,
    sanitized: OnceCell<()>,
    may_abort: bool,
}

impl Built {
    /// Compiles a module to C and writes it down; every procedure is public.
    ///
    /// # Errors
    /// The back end refuses it, or the files cannot be written.
    pub fn new(module: &Module, compiler: &Compiler) -> Result<Built, HarnessError> {
        Built::with_flags(module, compiler, &[])
    }

    /// As [`Built::new`], with more flags for the compiler, such as `-fopenmp`.
    ///
    /// # Errors
    /// The back end refuses it, or the files cannot be written.
    pub fn with_flags(module: &Module, compiler: &Compiler, flags: &[&str]) -> Result<Built, HarnessError> {
        Built::with_options(module, compiler, flags, Options::new(""))
    }

    /// As [`Built::with_flags`], compiled with options; the unit has a name of its own.
    ///
    /// # Errors
    /// The back end refuses it, or the files cannot be written.
    pub fn with_options(
        module: &Module,
        compiler: &Compiler,
        flags: &[&str],
        options: Options,
    ) -> Result<Built, HarnessError> {
        let options = Options { unit: UNIT.to_owned(), ..options };
        let unit = compile_module(module, &options).map_err(HarnessError::Refused)?;
        let text = format!("{}{}", unit.header, unit.source);
        let words = identifiers(&text);
        let may_abort = words.contains("abort");
        if words.contains(F16) && !compiler.has_f16() {
            return Err(HarnessError::Unsupported(format!("_Float16 with {}", compiler.family)));
        }
        if unit.needs_wide && Width::here() == Width::Narrow {
            return Err(HarnessError::Unsupported("int_fast32_t of 64 bits".to_owned()));
        }
        if let Some(machine) = unit.machines.iter().find(|m| !compiler.runs(m)) {
            return Err(HarnessError::Unsupported(format!("instructions of {}", machine.name)));
        }
        let unknown = unit.flags.iter().find(|f| compiler.target.is_none() && !machine_has(f));
        if let Some(flag) = unknown {
            return Err(HarnessError::Unsupported(format!("instructions that {flag} allows")));
        }
        let dir = tempfile::tempdir()?;
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text);
        write("unit.h", &unit.header)?;
        write("unit.c", &unit.source)?;
        write(SHIMS, &shim::shims(&unit))?;
        let flags = unit.flags.iter().cloned().chain(flags.iter().map(|f| (*f).to_owned())).collect();
        let (loaded, plain, sanitized) = (OnceCell::new(), OnceCell::new(), OnceCell::new());
        let running = RefCell::new(None);
        Ok(Built {
            unit,
            dir,
            compiler: compiler.clone(),
            flags,
            loaded,
            plain,
            running,
            sanitized,
            may_abort,
        })
    }

    /// The C.
    pub fn unit(&self) -> &CUnit {
        &self.unit
    }

    /// What makes the code.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Where the files are; they go when this value does.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// The function of a procedure, and which of the shims calls it.
    pub fn function(&self, proc: &str) -> Result<(usize, &PublicFunction), HarnessError> {
        let found = self.unit.functions.iter().enumerate().find(|(_, f)| f.proc.name.as_str() == proc);
        found.ok_or_else(|| HarnessError::NoProcedure(proc.to_owned()))
    }

    fn flags(&self) -> Vec<&str> {
        self.flags.iter().map(String::as_str).collect()
    }

    /// Whether the unit compiles without a warning; `flags` may ask for optimisation, with which
    /// compilers see more.
    ///
    /// # Errors
    /// What the compiler has to say.
    pub fn check_with(&self, flags: &[&str]) -> Result<(), HarnessError> {
        let flags: Vec<&str> = self.flags().into_iter().chain(flags.iter().copied()).collect();
        Ok(self.compiler.compile(self.dir(), &["unit.c"], Product::Check, &flags, "")?)
    }

    /// Whether the unit compiles without a warning.
    ///
    /// # Errors
    /// What the compiler has to say.
    pub fn check(&self) -> Result<(), HarnessError> {
        self.check_with(&[])
    }

    /// Compiles the unit to a shared object: where it is. Function `k` of the unit is called through [`entry`]`(k)`.
    ///
    /// # Errors
    /// The C does not compile.
    pub fn shared(&self) -> Result<PathBuf, HarnessError> {
        self.compiler.compile(self.dir(), &[SHIMS], Product::Shared, &self.flags(), SHARED)?;
        Ok(self.dir().join(SHARED))
    }

    /// Calls a procedure in this process; in one of its own, where it is code for another processor, or C that may end
    /// its process, as models of hardware do.
    ///
    /// # Errors
    /// The C does not compile, cannot be loaded, or ended its process.
    pub fn call(&self, proc: &str, image: Image) -> Result<Image, HarnessError> {
        let (k, f) = self.function(proc)?;
        image.check(f, &self.unit)?;
        if self.may_abort {
            return self.call_program(&self.plain, program::Kind::Plain, k, image).map_err(stopped);
        }
        if self.compiler.target.is_some() {
            self.made(&self.plain, program::Kind::Plain)?;
            let mut running = self.running.borrow_mut();
            let called = program::ask(self.dir(), &self.compiler, &mut running, k, image, RUN_LIMIT);
            return called.map_err(stopped);
        }
        let loaded = match self.loaded.get() {
            Some(l) => l,
            None => {
                let l = Loaded::open(&self.shared()?, self.unit.functions.len())?;
                self.loaded.get_or_init(|| l)
            }
        };
        loaded.call(k, image)
    }

    /// Calls a procedure in a process of its own that watches memory and arithmetic.
    ///
    /// # Errors
    /// The C does not compile, or the sanitizers have something to say.
    pub fn call_sanitized(&self, proc: &str, image: Image) -> Result<Image, HarnessError> {
        let (k, f) = self.function(proc)?;
        image.check(f, &self.unit)?;
        self.call_program(&self.sanitized, program::Kind::Watched, k, image)
    }

    fn call_program(
        &self,
        made: &OnceCell<()>,
        kind: program::Kind,
        shim: usize,
        image: Image,
    ) -> Result<Image, HarnessError> {
        self.made(made, kind)?;
        program::run(self.dir(), &self.compiler, kind, shim, image, RUN_LIMIT)
    }

    fn made(&self, made: &OnceCell<()>, kind: program::Kind) -> Result<(), HarnessError> {
        if made.get().is_none() {
            program::build(self.dir(), &self.compiler, &self.flags(), kind)?;
            made.get_or_init(|| ());
        }
        Ok(())
    }
}
