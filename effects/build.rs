//! Puts `libz3.a` where the linker finds it when z3-sys asks for z3: jumps into the library, which is loaded when the
//! first of its functions is called. See `z3/loader.c`. Spec: [rule: library.z3].

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=z3");
    // A checkout that was moved with its `target` has its library elsewhere.
    println!("cargo::rerun-if-env-changed=CARGO_MANIFEST_DIR");
    let var = |name| env::var(name).unwrap_or_default();
    let known = ["x86_64", "aarch64"].contains(&var("CARGO_CFG_TARGET_ARCH").as_str());
    if var("CARGO_CFG_TARGET_OS") != "linux" || !known {
        // Elsewhere the library is linked as z3-sys finds it.
        return;
    }
    let root = var("CARGO_MANIFEST_DIR");
    let built = Path::new(&root).join("../.deps/z3/lib/libz3.so");
    let mut jumps = cc::Build::new();
    jumps.file("z3/loader.c").warnings(true).extra_warnings(true).std("c11").opt_level(2);
    jumps.define("REWRIGHT_Z3_BUILT", format!("{:?}", built.display().to_string()).as_str());
    // z3-sys links it, after its own objects: here it would come too early.
    jumps.cargo_metadata(false).compile("z3");
    println!("cargo::rustc-link-search=native={}", var("OUT_DIR"));
}
