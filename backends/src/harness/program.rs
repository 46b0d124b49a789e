//! Calling generated code in a process of its own: one that watches its memory accesses and its arithmetic, or one
//! of another processor.

use super::HarnessError;
use super::image::Image;
use crate::toolchain::served::{Answer, Served};
use crate::toolchain::{self, Compiler, Finished, Product};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Which program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// One that watches itself.
    Watched,
    /// One that does not.
    Plain,
}

impl Kind {
    /// The name of the program.
    fn name(self) -> &'static str {
        match self {
            Kind::Watched => "watched",
            Kind::Plain => "plain",
        }
    }

    fn product(self) -> Product {
        match self {
            Kind::Watched => Product::Sanitized,
            Kind::Plain => Product::Program,
        }
    }
}

/// A program that reads images, calls a shim on each, and writes its buffers: one image from a file to another, or those that
/// come on its standard input, until there are no more, with a byte behind each answer, which may have no buffers. All numbers
/// are 64 bits, in the machine's order. It is the same for every unit.
const MAIN: &str = "\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern void (*const _Rewright_shims[])(void **, const int64_t *);

_Noreturn void _Rewright_stop(const char *condition);
_Noreturn void _Rewright_stop(const char *condition) {
    fprintf(stderr, \"stopped by REQUIRE: %s\\n\", condition);
    _Exit(4);
}

static size_t number(FILE *f) {
    int64_t n = 0;
    if (fread(&n, sizeof n, 1, f) != 1) {
        exit(3);
    }
    return (size_t)n;
}

static void answer(FILE *in, FILE *out) {
    size_t shim = number(in);
    size_t n = number(in);
    int64_t *ctl = malloc((n + 1) * sizeof *ctl);
    for (size_t k = 0; k < n; k++) {
        ctl[k] = (int64_t)number(in);
    }
    size_t count = number(in);
    char **buffers = malloc((count + 1) * sizeof *buffers);
    size_t *sizes = malloc((count + 1) * sizeof *sizes);
    for (size_t k = 0; k < count; k++) {
        sizes[k] = number(in);
        buffers[k] = malloc(sizes[k]);
        if (fread(buffers[k], 1, sizes[k], in) != sizes[k]) {
            exit(3);
        }
    }
    size_t pointers = number(in);
    void **args = malloc((pointers + 1) * sizeof *args);
    for (size_t k = 0; k < pointers; k++) {
        size_t buffer = number(in);
        args[k] = buffers[buffer] + number(in);
    }
    _Rewright_shims[shim](args, ctl);
    for (size_t k = 0; k < count; k++) {
        fwrite(buffers[k], 1, sizes[k], out);
        free(buffers[k]);
    }
    free(args);
    free(sizes);
    free(buffers);
    free(ctl);
}

int main(int argc, char **argv) {
    if (argc == 1) {
        int c;
        while ((c = getc(stdin)) != EOF) {
            ungetc(c, stdin);
            answer(stdin, stdout);
            putchar('.');
            fflush(stdout);
        }
        return 0;
    }
    FILE *in = argc == 3 ? fopen(argv[1], \"rb\") : NULL;
    FILE *out = in ? fopen(argv[2], \"wb\") : NULL;
    if (!out) {
        return 3;
    }
    answer(in, out);
    fclose(in);
    fclose(out);
    return 0;
}
";

/// A compiler, and what tells it the processor.
type Maker = (PathBuf, Vec<&'static str>);

/// The object files of [`MAIN`]: it is compiled once in a process.
static OBJECTS: Mutex<BTreeMap<Maker, Vec<u8>>> = Mutex::new(BTreeMap::new());

/// The name of the object file.
const OBJECT: &str = "main.o";

/// Makes the program of a unit, from the file with its shims.
pub(super) fn build(dir: &Path, compiler: &Compiler, flags: &[&str], kind: Kind) -> Result<(), HarnessError> {
    std::fs::write(dir.join(OBJECT), object(dir, compiler)?)?;
    Ok(compiler.compile(dir, &[super::SHIMS, OBJECT], kind.product(), flags, kind.name())?)
}

fn object(dir: &Path, compiler: &Compiler) -> Result<Vec<u8>, HarnessError> {
    let processor = compiler.target.as_ref().map(|t| t.flags.to_vec()).unwrap_or_default();
    let key = (compiler.path.clone(), processor);
    // A panic of another thread leaves nothing half done here.
    let mut objects = OBJECTS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(made) = objects.get(&key) {
        return Ok(made.clone());
    }
    std::fs::write(dir.join("main.c"), MAIN)?;
    compiler.compile(dir, &["main.c"], Product::Object, &[], OBJECT)?;
    let made = std::fs::read(dir.join(OBJECT))?;
    objects.insert(key, made.clone());
    Ok(made)
}

/// Runs the program on an image.
pub(super) fn run(
    dir: &Path,
    compiler: &Compiler,
    kind: Kind,
    shim: usize,
    mut image: Image,
    limit: Duration,
) -> Result<Image, HarnessError> {
    let (input, output) = (dir.join("image.in"), dir.join("image.out"));
    std::fs::write(&input, image.serialize(shim))?;
    let mut command = compiler.command(&dir.join(kind.name()));
    command.arg(&input).arg(&output);
    command.env("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0").env("UBSAN_OPTIONS", "print_stacktrace=0");
    let done = toolchain::run(&mut command, limit)?;
    succeeded(done, compiler)?;
    let bytes = std::fs::read(&output)?;
    image
        .load_buffers(&bytes)
        .ok_or_else(|| HarnessError::Load("the program's answer is cut off".to_owned()))?;
    Ok(image)
}

/// Calls the plain program, which is started where none is running, and goes on running.
pub(super) fn ask(
    dir: &Path,
    compiler: &Compiler,
    running: &mut Option<Served>,
    shim: usize,
    mut image: Image,
    limit: Duration,
) -> Result<Image, HarnessError> {
    let served = match running.take() {
        Some(served) => running.insert(served),
        None => running.insert(Served::start(&mut compiler.command(&dir.join(Kind::Plain.name())))?),
    };
    match served.ask(image.serialize(shim), image.size() + 1, limit) {
        Ok(Answer::Whole(bytes)) => {
            image.load_buffers(&bytes);
            Ok(image)
        }
        Ok(Answer::Ended(how)) => {
            *running = None;
            succeeded(how, compiler)?;
            Err(HarnessError::Load("the program ended without an answer".to_owned()))
        }
        Err(why) => {
            *running = None;
            Err(why.into())
        }
    }
}

fn succeeded(done: Finished, compiler: &Compiler) -> Result<(), HarnessError> {
    if compiler.target.is_some() && is_emulators_own(&done) {
        return Err(HarnessError::Emulator(done.text.trim().to_owned()));
    }
    done.success()?;
    Ok(())
}

/// Whether a program that was emulated ended by a fault of the emulator: QEMU says of signals of what it runs that they are.
fn is_emulators_own(done: &Finished) -> bool {
    let was_signalled = !done.is_success && done.code.is_none();
    was_signalled && !done.text.contains("uncaught target signal")
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::Command;

    /// QEMU ends itself by the signal that ended what it ran, and says so. Spec: [rule: c.harness].
    #[test]
    fn a_fault_of_the_emulator_is_told_from_one_of_what_it_runs() {
        for (script, is_own) in [
            ("echo 'ERROR:translate.c: assertion failed' >&2; kill -ABRT $$", true),
            ("kill -SEGV $$", true),
            ("echo 'qemu: uncaught target signal 6 (Aborted) - core dumped' >&2; kill -ABRT $$", false),
            ("echo 'gemmini: the accumulator is full' >&2; exit 134", false),
            ("exit 0", false),
        ] {
            let done = toolchain::run(Command::new("sh").args(["-c", script]), Duration::from_secs(10));
            assert_eq!(is_emulators_own(&done.unwrap()), is_own, "{script}");
        }
    }
}
