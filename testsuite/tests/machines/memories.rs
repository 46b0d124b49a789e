//! Random programs in memories that a file defines, and random programs of the accelerator's instructions: the C of
//! both agrees with the interpreter bit for bit, with every compiler there is and under sanitizers.
//! Spec: [rule: c.agrees], [rule: c.memory], [rule: machines].

#![expect(clippy::print_stdout, reason = "tests report what they covered")]

use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_campaign::generate::{Shape, joined};
use rewright_semantics::ast::{Block, Expr, ExprKind, Module, Proc, Stmt, StmtKind, WindowExpr};
use rewright_semantics::inputs::rng::Rng;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::parse::parse_module;
use rewright_semantics::pretty::module_to_string;
use rewright_semantics::span::SourceMap;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::typecheck::check_module;
use rewright_semantics::types::{BufferType, DataType, MemName};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

/// Memories: one with every access by a template and a layout as usual, one that keeps negated numbers, one that keeps rows
/// longer than they are, one that keeps everything the other way round.
const MEMORIES: &str = include_str!("memories/memories.py");

/// Modules, each of so many generated programs.
const MODULES: u64 = 3;
const PROGRAMS: u64 = 14;
/// Programs of the accelerator, and calls in each.
const KERNELS: u64 = 8;
const CALLS: u64 = 16;
/// Inputs of each.
const INPUTS: u64 = 4;

/// What was compared.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    runs: usize,
    sanitized: usize,
    cells: usize,
}

/// Runs each procedure of a module that was written for this, with each compiler.
fn hold(text: &str, mentioned: &dyn Fn(&Proc) -> bool) -> Tally {
    let mut tally = Tally::default();
    let m = parsed(text);
    for compiler in Compiler::available() {
        let built = match Built::new(&m, &compiler) {
            Ok(built) => built,
            Err(why @ HarnessError::Unsupported(_)) => {
                println!("skipped: {why}");
                continue;
            }
            Err(why) => panic!("{}: {why}\n{text}", compiler.family),
        };
        built.check().unwrap_or_else(|why| panic!("{}: {why}\n{}", compiler.family, built.unit().source));
        for p in m.procs.iter().filter(|p| mentioned(p)) {
            runs(&built, p, &mut tally);
        }
    }
    tally
}

fn parsed(text: &str) -> Module {
    let mut sources = SourceMap::new();
    let prelude = rewright_machines::prelude(&mut sources);
    let file = sources.add("programs.py", text);
    let parsed = parse_module(file, &sources, &prelude);
    assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
    let wrong = check_module(&parsed.module);
    assert!(wrong.is_empty(), "{wrong:?}\n{text}");
    parsed.module
}

fn runs(built: &Built, p: &Proc, tally: &mut Tally) {
    for (seed, data) in (0..INPUTS).zip([Data::Whole, Data::Inexact, Data::Special].into_iter().cycle()) {
        let search = Search { max_cells: 2048, ..Search::default() };
        let Ok(input) = generate(p, &Given::default(), seed, search) else { continue };
        let input = input.with_data(p, data, seed);
        let mode = if seed == 1 { Mode::Sanitized } else { Mode::Fast };
        match built.agree(p.name.as_str(), &input, mode) {
            Ok(Verdict::Agrees { compared, .. }) => {
                tally.runs += 1;
                tally.sanitized += usize::from(mode == Mode::Sanitized);
                tally.cells += compared;
            }
            Ok(Verdict::InputRejected(_) | Verdict::TooLarge(_)) => {}
            bad @ (Ok(Verdict::Differs(_) | Verdict::Faulty(_) | Verdict::NeedsState(_)) | Err(_)) => {
                panic!("{data:?}, {mode:?}: {bad:?}\n{input}\n{}", built.unit().source);
            }
        }
    }
}

/// How the buffers of a procedure are used.
#[derive(Default)]
struct Uses {
    /// Windows, and what they are of.
    windows: BTreeMap<Sym, Sym>,
    /// Buffers and windows that calls are given.
    passed: BTreeSet<Sym>,
}

impl Uses {
    fn block(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match &*s.kind {
            StmtKind::WindowStmt { name, rhs } => {
                self.windows.insert(*name, rhs.name);
            }
            StmtKind::Call { args, .. } => self.passed.extend(args.iter().filter_map(passed)),
            StmtKind::If { body, orelse, .. } => {
                self.block(body);
                self.block(orelse);
            }
            StmtKind::For { body, .. } => self.block(body),
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::Alloc { .. } => {}
        }
    }

    fn root(&self, x: Sym) -> Sym {
        self.windows.get(&x).map_or(x, |of| self.root(*of))
    }

    fn is_passed(&self, x: Sym) -> bool {
        self.passed.iter().any(|y| self.root(*y) == x)
    }

    fn is_windowed(&self, x: Sym) -> bool {
        self.windows.values().any(|of| *of == x)
    }
}

fn passed(e: &Expr) -> Option<Sym> {
    match &e.kind {
        ExprKind::Read { name, .. } | ExprKind::Window(WindowExpr { name, .. }) => Some(*name),
        ExprKind::Lit(_)
        | ExprKind::Neg(_)
        | ExprKind::Not(_)
        | ExprKind::Bin { .. }
        | ExprKind::Extern { .. }
        | ExprKind::Stride { .. }
        | ExprKind::ReadConfig { .. } => None,
    }
}

/// Puts the local arrays of programs into memories of their own, where these can hold them.
struct Placer {
    rng: Rng,
    placed: BTreeMap<&'static str, usize>,
    /// What procedures have become: callers call that.
    new: BTreeMap<Name, Arc<Proc>>,
}

impl Placer {
    fn proc(&mut self, p: &Arc<Proc>) -> Arc<Proc> {
        let mut uses = Uses::default();
        uses.block(&p.body);
        let placed = Arc::new(Proc { body: self.block(&p.body, &uses), ..Proc::clone(p) });
        self.new.insert(p.name, placed.clone());
        placed
    }

    fn block(&mut self, b: &Block, uses: &Uses) -> Block {
        b.iter().map(|s| Stmt { kind: Arc::new(self.stmt(&s.kind, uses)), ..s.clone() }).collect()
    }

    fn stmt(&mut self, s: &StmtKind, uses: &Uses) -> StmtKind {
        match s {
            StmtKind::Alloc { name, typ, mem } => {
                StmtKind::Alloc { name: *name, typ: typ.clone(), mem: self.memory(*name, typ, *mem, uses) }
            }
            StmtKind::If { cond, body, orelse } => StmtKind::If {
                cond: cond.clone(),
                body: self.block(body, uses),
                orelse: self.block(orelse, uses),
            },
            StmtKind::For { iter, lo, hi, body, mode } => StmtKind::For {
                iter: *iter,
                lo: lo.clone(),
                hi: hi.clone(),
                body: self.block(body, uses),
                mode: *mode,
            },
            StmtKind::Call { proc, args } => {
                let proc = self.new.get(&proc.name).unwrap_or(proc).clone();
                StmtKind::Call { proc, args: args.clone() }
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::WindowStmt { .. } => s.clone(),
        }
    }

    /// A memory that allows what is done with the buffer: callees take what is in DRAM alone, and windows have
    /// the strides of the usual layout.
    fn memory(&mut self, x: Sym, typ: &BufferType, mem: MemName, uses: &Uses) -> MemName {
        let is_float = matches!(typ.elem, DataType::R | DataType::F32 | DataType::F64);
        let mut fits = Vec::new();
        if typ.rank() > 0 && !uses.is_passed(x) && mem == MemName::dram() {
            fits.push("HEAP");
            if is_float {
                fits.extend(["NEGATED"; 3]);
            }
            if !uses.is_windowed(x) {
                fits.extend([None, Some("PADDED"), Some("MIRRORED")].get(typ.rank()).copied().flatten());
            }
        }
        let Some(k) = self.rng.below(u64::try_from(fits.len()).unwrap_or(0).max(1)).try_into().ok() else {
            return mem;
        };
        let Some(name) = fits.get::<usize>(k) else { return mem };
        *self.placed.entry(name).or_default() += 1;
        MemName(Name::new(name))
    }
}

#[test]
fn programs_in_memories_of_their_own_agree() {
    let mut placer = Placer { rng: Rng::new(7), placed: BTreeMap::new(), new: BTreeMap::new() };
    let mut all = Tally::default();
    for k in 0..MODULES {
        let elems = vec![DataType::R, DataType::F32, DataType::F64, DataType::I32, DataType::UI8];
        let shape = Shape { stmts: 16, elems, ..Shape::default() };
        let mut m = joined(k * PROGRAMS..(k + 1) * PROGRAMS, &shape);
        m.procs = m.procs.iter().map(|p| placer.proc(p)).collect();
        let one = hold(&format!("{MEMORIES}\n\n{}", module_to_string(&m)), &|_| true);
        all.runs += one.runs;
        all.sanitized += one.sanitized;
        all.cells += one.cells;
    }
    println!("{all:?}, buffers by memory: {:?}", placer.placed);
    assert!(all.cells > 5_000 && all.sanitized > 20, "next to nothing was compared: {all:?}");
    assert!(placer.placed.len() == 4 && placer.placed.values().all(|n| *n > 2), "{:?}", placer.placed);
}

/// Buffers of the accelerator's programs in DRAM, and their columns.
const MATRICES: [(&str, u64); 4] = [("x", 40), ("w", 24), ("y", 40), ("z", 24)];
const ROWS: u64 = 40;

/// A program of the accelerator's instructions.
struct Kernel {
    rng: Rng,
    /// The matrices whose strides the two registers hold, by what the program said last.
    load: Option<&'static str>,
    store: Option<&'static str>,
    used: BTreeSet<&'static str>,
}

impl Kernel {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let k = self.rng.below(u64::try_from(from.len()).expect("few"));
        from[usize::try_from(k).expect("few")]
    }

    fn extent(&mut self) -> u64 {
        if self.rng.one_in(3) { 16 } else { 1 + self.rng.below(16) }
    }

    /// Rows of a memory's buffers: one of 32 rows, or one of two tiles, which in a loop its variable chooses.
    fn rows(&mut self, flat: &str, tiles: &str, n: u64, in_loop: bool) -> String {
        match self.rng.below(3) {
            0 => {
                let k = self.rng.below(32 - n + 1);
                format!("{flat}[{k}:{}, 0:16]", k + n)
            }
            _ => {
                let tile = if in_loop && self.rng.one_in(2) {
                    "t".to_owned()
                } else {
                    self.rng.below(2).to_string()
                };
                let k = self.rng.below(16 - n + 1);
                format!("{tiles}[{tile}, {k}:{}, 0:16]", k + n)
            }
        }
    }

    fn part(&mut self, matrix: (&str, u64), n: u64, m: u64, in_loop: bool) -> String {
        let (x, columns) = matrix;
        let shift = if in_loop { "t + " } else { "" };
        let (i, j) = (self.rng.below(ROWS - n), self.rng.below(columns - m));
        format!("{x}[{shift}{i}:{shift}{}, {j}:{}]", i + n, j + m)
    }

    fn call(&mut self, in_loop: bool) -> String {
        let (n, m, p) = (self.extent(), self.extent(), self.extent());
        let from = self.pick(&MATRICES[..2]);
        let to = self.pick(&MATRICES[2..]);
        let kind = self.rng.below(8);
        // Without a stride that is known, loads and stores come with their own.
        let kind = match kind {
            1 if self.load != Some(from.0) => 0,
            2 if self.load != Some(from.0) => 3,
            5 if self.store != Some(to.0) => 4,
            _ => kind,
        };
        let (name, args) = match kind {
            0 | 1 => {
                let dst = self.rows("a", "b", n, in_loop);
                (if kind == 0 { "accel_ld" } else { "accel_mvin" }, [self.part(from, n, m, in_loop), dst])
            }
            2 | 3 => {
                let dst = self.rows("c", "d", n, in_loop);
                let name = if kind == 2 { "accel_mvin_acc" } else { "accel_ld_acc" };
                (name, [self.part(from, n, m, in_loop), dst])
            }
            4 | 5 => {
                let src = self.rows("c", "d", n, in_loop);
                (if kind == 4 { "accel_st" } else { "accel_mvout" }, [src, self.part(to, n, m, in_loop)])
            }
            6 => {
                self.used.insert("accel_zero_acc");
                return format!("accel_zero_acc({n}, {})", self.rows("c", "d", n, in_loop));
            }
            _ => {
                self.used.insert("accel_matmul");
                let (l, r) = (self.rows("a", "b", n, in_loop), self.rows("a", "b", p, in_loop));
                return format!("accel_matmul({n}, {m}, {p}, {l}, {r}, {})", self.rows("c", "d", n, in_loop));
            }
        };
        self.used.insert(name);
        match kind {
            0 | 3 => self.load = Some(from.0),
            4 => self.store = Some(to.0),
            _ => {}
        }
        format!("{name}({n}, {m}, {}, {})", args[0], args[1])
    }

    fn configure(&mut self) -> String {
        if self.rng.one_in(2) {
            let (x, _) = self.pick(&MATRICES[..2]);
            self.load = Some(x);
            self.used.insert("accel_config_ld");
            format!("accel_config_ld(stride({x}, 0))")
        } else {
            let (y, _) = self.pick(&MATRICES[2..]);
            self.store = Some(y);
            self.used.insert("accel_config_st");
            format!("accel_config_st(stride({y}, 0))")
        }
    }

    /// Loads of everything first, so that little is not known; then calls, some in a loop.
    fn program(&mut self, k: u64) -> String {
        let mut text = format!("@proc\ndef k{k}(");
        let args = MATRICES.map(|(x, columns)| format!("{x}: f32[{ROWS}, {columns}]"));
        writeln!(text, "{}):", args.join(", ")).expect("a string");
        text += "    a: f32[32, 16] @ ACCEL_SCRATCH\n    b: f32[2, 16, 16] @ ACCEL_SCRATCH\n";
        text += "    c: f32[32, 16] @ ACCEL_ACCUM\n    d: f32[2, 16, 16] @ ACCEL_ACCUM\n";
        for h in 0..2 {
            writeln!(text, "    accel_ld(16, 16, x[{h}:{h} + 16, 3:19], a[16 * {h}:16 * {h} + 16, 0:16])")
                .expect("a string");
            writeln!(text, "    accel_ld(16, 16, w[{h}:{h} + 16, 1:17], b[{h}, 0:16, 0:16])")
                .expect("a string");
            writeln!(text, "    accel_zero_acc(16, c[16 * {h}:16 * {h} + 16, 0:16])").expect("a string");
            writeln!(text, "    accel_ld_acc(16, 16, x[{h}:{h} + 16, 0:16], d[{h}, 0:16, 0:16])")
                .expect("a string");
        }
        self.load = Some("x");
        self.store = None;
        for _ in 0..CALLS {
            match self.rng.below(4) {
                0 => writeln!(text, "    {}", self.configure()).expect("a string"),
                1 => {
                    // What holds before the loop need not hold in its second iteration.
                    (self.load, self.store) = (None, None);
                    let (one, two) = (self.call(true), self.call(true));
                    writeln!(text, "    for t in seq(0, 2):\n        {one}\n        {two}")
                        .expect("a string");
                    (self.load, self.store) = (None, None);
                }
                _ => writeln!(text, "    {}", self.call(false)).expect("a string"),
            }
        }
        text += "    accel_st(16, 16, c[8:24, 0:16], y[1:17, 2:18])\n";
        text += "    accel_st(16, 16, d[1, 0:16, 0:16], z[20:36, 5:21])\n";
        text
    }
}

#[test]
fn programs_of_the_accelerator_agree() {
    let mut kernel = Kernel { rng: Rng::new(11), load: None, store: None, used: BTreeSet::new() };
    let text: String = (0..KERNELS).map(|k| kernel.program(k) + "\n\n").collect();
    let all = hold(&text, &|_| true);
    println!("{all:?}, {} instructions: {:?}", kernel.used.len(), kernel.used);
    assert!(all.cells > 20_000 && all.sanitized > 10, "next to nothing was compared: {all:?}");
    assert!(kernel.used.len() == 10, "{:?}", kernel.used);
}
