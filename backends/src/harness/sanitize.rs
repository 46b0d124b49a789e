//! Calling generated code in a process of its own that watches its memory accesses and its arithmetic.

use super::HarnessError;
use super::image::Image;
use crate::toolchain;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// A program that reads an image from a file, calls a shim on it, and writes the buffers to another.
/// All numbers are 64 bits, in the machine's order.
pub(super) fn main(count: usize) -> String {
    let mut out = String::from("#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n\n");
    let shims: Vec<String> = (0..count).map(super::shim::name).collect();
    for shim in &shims {
        let _ = writeln!(out, "void {shim}(void **args, const int64_t *ctl);");
    }
    let _ = write!(
        out,
        "\nstatic void (*const shims[])(void **, const int64_t *) = {{ {} }};\n\n{BODY}",
        if shims.is_empty() { "0".to_owned() } else { shims.join(", ") }
    );
    out
}

const BODY: &str = "\
static size_t number(FILE *f) {
    int64_t n = 0;
    if (fread(&n, sizeof n, 1, f) != 1) {
        exit(3);
    }
    return (size_t)n;
}

int main(int argc, char **argv) {
    FILE *in = argc == 3 ? fopen(argv[1], \"rb\") : NULL;
    if (!in) {
        return 3;
    }
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
            return 3;
        }
    }
    size_t pointers = number(in);
    void **args = malloc((pointers + 1) * sizeof *args);
    for (size_t k = 0; k < pointers; k++) {
        size_t buffer = number(in);
        args[k] = buffers[buffer] + number(in);
    }
    fclose(in);
    shims[shim](args, ctl);
    FILE *out = fopen(argv[2], \"wb\");
    if (!out) {
        return 3;
    }
    for (size_t k = 0; k < count; k++) {
        fwrite(buffers[k], 1, sizes[k], out);
        free(buffers[k]);
    }
    fclose(out);
    free(args);
    free(sizes);
    free(buffers);
    free(ctl);
    return 0;
}
";

/// Runs the program on an image.
pub(super) fn run(dir: &Path, shim: usize, mut image: Image, limit: Duration) -> Result<Image, HarnessError> {
    let (input, output) = (dir.join("image.in"), dir.join("image.out"));
    std::fs::write(&input, image.serialize(shim))?;
    let mut command = Command::new(dir.join("watched"));
    command.arg(&input).arg(&output);
    command.env("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0").env("UBSAN_OPTIONS", "print_stacktrace=0");
    toolchain::run(&mut command, limit)?.success()?;
    let bytes = std::fs::read(&output)?;
    image
        .load_buffers(&bytes)
        .ok_or_else(|| HarnessError::Load("the program's answer is cut off".to_owned()))?;
    Ok(image)
}
