//! What `make blas` writes: the kernels of every processor as C, the interface, and what others need to link them.
//! Spec: [rule: blas.package], [rule: blas.interface].

pub mod derivations;

use super::{Plan, Precision, Program, Schedules, programs};
use crate::definitions::Definitions;
use rewright_backends::c::{Options, compile_module};
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_semantics::ast::Module;

/// A kind of processor that kernels are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processor {
    /// Any: plain C.
    Portable,
    /// x86-64 with AVX2 and FMA.
    Avx2,
    /// x86-64 with AVX-512 F, DQ, BW and VL.
    Avx512,
}

impl Processor {
    /// All of them.
    pub const ALL: [Processor; 3] = [Processor::Portable, Processor::Avx2, Processor::Avx512];

    /// As in the names of files and functions.
    pub fn name(self) -> &'static str {
        match self {
            Processor::Portable => "portable",
            Processor::Avx2 => "avx2",
            Processor::Avx512 => "avx512",
        }
    }

    /// Schedules for its vectors of a precision, where it is known to have some.
    fn schedules(self, precision: Precision) -> Option<Schedules> {
        let machine = rewright_machines::MACHINES.iter().copied().find(|m| m.name == self.name())?;
        Schedules::new(machine, precision).ok()
    }
}

/// A kernel: its program, the program's procedure, and the version that is compiled.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// The definitions that its schedule begins with: the program's, and others that it uses, which other schedules may, too.
    pub definitions: Vec<String>,
    /// The procedure of the program.
    pub plain: Proc,
    /// What runs.
    pub fast: Proc,
    /// How it was scheduled.
    pub plan: Plan,
}

/// The kernels of a precision for a processor.
///
/// # Errors
/// A primitive refuses: a bug.
pub fn kernels(precision: Precision, processor: Processor) -> Result<Vec<Kernel>> {
    let schedules = processor.schedules(precision);
    let kernel = |program: Program| {
        let plain = Definitions::of(&program.text).proc(&program.proc_name(precision));
        let p = plain.rename(&format!("{}_{}", plain.name(), processor.name()))?;
        let fast = schedules.as_ref().map_or(Ok(p.clone()), |s| s.schedule(&p, program.plan))?;
        let others = schedules.as_ref().map_or_else(Vec::new, |s| s.definitions(program.plan));
        let definitions = [vec![program.text], others].concat();
        Ok(Kernel { definitions, plain, fast, plan: program.plan })
    };
    programs(precision).into_iter().map(kernel).collect()
}

/// A file of the package: its path and what it holds.
pub type File = (String, String);

/// The C of a precision's kernels for a processor. How they came about is [`derivations::of_unit`].
///
/// # Errors
/// The back end refuses a kernel: a bug; the message says which and why.
pub fn unit(
    precision: Precision,
    processor: Processor,
    kernels: &[Kernel],
) -> std::result::Result<Vec<File>, String> {
    let mut module = Module::default();
    module.procs.extend(kernels.iter().map(|k| k.fast.ast().clone()));
    let name = format!("kernels_{}_{}", precision.letter(), processor.name());
    let unit = compile_module(&module, &Options::new(name.as_str()))
        .map_err(|all| all.iter().map(|d| format!("{name}: {}\n", d.message)).collect::<String>())?;
    Ok(vec![(format!("{name}.h"), unit.header), (format!("{name}.c"), unit.source)])
}

/// The tables of kernels: their type, and one for each processor.
pub fn tables() -> Vec<File> {
    let all: Vec<String> = Precision::ALL
        .into_iter()
        .flat_map(|p| programs(p).into_iter().map(move |program| program.proc_name(p)))
        .collect();
    let mut header =
        String::from("// The kernels of each processor.\n#ifndef KERNELS_H\n#define KERNELS_H\n\n");
    for precision in Precision::ALL {
        header += &include(precision, Processor::Portable);
    }
    header += "\nstruct rewright_kernels {\n";
    for name in &all {
        write_line(&mut header, format_args!("    __typeof__({name}_portable) *{name};"));
    }
    header += "};\n\n";
    for processor in Processor::ALL {
        let name = processor.name();
        write_line(
            &mut header,
            format_args!("extern const struct rewright_kernels rewright_kernels_{name};"),
        );
    }
    header += "\n#endif\n";
    let tables =
        Processor::ALL.map(|processor| (format!("table_{}.c", processor.name()), table(processor, &all)));
    [("kernels.h".to_owned(), header)].into_iter().chain(tables).collect()
}

fn include(precision: Precision, processor: Processor) -> String {
    format!("#include \"kernels_{}_{}.h\"\n", precision.letter(), processor.name())
}

fn table(processor: Processor, all: &[String]) -> String {
    let mut text = String::from("#include \"kernels.h\"\n");
    for precision in Precision::ALL {
        text += &include(precision, processor);
    }
    let on = processor.name();
    write_line(&mut text, format_args!("\nconst struct rewright_kernels rewright_kernels_{on} = {{"));
    for name in all {
        write_line(&mut text, format_args!("    .{name} = {name}_{on},"));
    }
    text + "};\n"
}

fn write_line(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.push_str(&format!("{line}\n"));
}

/// The files that do not depend on the kernels. Spec: [rule: blas.scratch].
pub fn others() -> Vec<File> {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    vec![
        text("interface.c", include_str!("../../blas/interface.c")),
        text("scratch.h", include_str!("../../blas/scratch.h")),
        text("scratch.c", include_str!("../../blas/scratch.c")),
        text("cblas.h", include_str!("../../blas/cblas.h")),
        text("Makefile", include_str!("../../blas/Makefile")),
        text("rewright_blas.pc.in", include_str!("../../blas/rewright_blas.pc.in")),
        text("RewrightBlasConfig.cmake", include_str!("../../blas/RewrightBlasConfig.cmake")),
        text("RewrightBlasConfigVersion.cmake", include_str!("../../blas/RewrightBlasConfigVersion.cmake")),
    ]
}
