//! Kernels in the model of a machine: the C of a kernel and of its plain program, and a driver that compares them and
//! prints what the model counted. Spec: [rule: kernels.gemmini].

use rewright_backends::toolchain::Compiler;
use rewright_library::definitions::unit_of;
use rewright_primitives::Proc;
use std::process::Command;
use tempfile::TempDir;

/// A driver that was built.
pub struct Driver {
    dir: TempDir,
}

/// What a driver is made of.
pub struct Parts<'a> {
    /// The text of the driver: it includes `kernel.c` and `plain.h`.
    pub text: &'a str,
    /// The kernel.
    pub fast: &'a Proc,
    /// Its plain program.
    pub plain: &'a Proc,
    /// Macros and other flags.
    pub flags: &'a [&'a str],
}

impl Driver {
    /// Compiles a driver.
    ///
    /// # Panics
    /// The C is refused.
    pub fn new(compiler: &Compiler, parts: &Parts<'_>) -> Driver {
        let dir = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
        for (name, p) in [("kernel", parts.fast), ("plain", parts.plain)] {
            let unit = unit_of(name, p);
            write(&format!("{name}.h"), &unit.header);
            write(&format!("{name}.c"), &unit.source);
        }
        write("main.c", parts.text);
        let mut build = Command::new(&compiler.path);
        build.current_dir(dir.path()).args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]);
        build
            .args(["-Wno-unused-function", "-O2", "main.c", "plain.c", "-o", "main", "-lm"])
            .args(parts.flags);
        let built = build.output().expect("the compiler runs");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Driver { dir }
    }

    /// What it prints, and what the model stops with.
    ///
    /// # Panics
    /// It cannot be started.
    pub fn run(&self, args: &[String]) -> String {
        let ran = Command::new(self.dir.path().join("main")).args(args).output().expect("the program runs");
        String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr)
    }
}
