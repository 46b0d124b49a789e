//! Accepted rewrites, held against the C of both versions: what the C leaves is what the interpreter says.
//! Spec: [rule: campaign.c].
//!
//! Many versions go into one shared object, since it is the compiler's start that costs.

use super::trial::Failure;
use rewright_backends::c::{Options, compile_module};
use rewright_backends::harness::agree::{Mode, Verdict};
use rewright_backends::harness::{Built, HarnessError};
use rewright_backends::toolchain::Compiler;
use rewright_effects::analysis::Analysis;
use rewright_effects::frontend::decide;
use rewright_effects::solver::Solver;
use rewright_machines::Machine;
use rewright_primitives::Proc;
use rewright_primitives::ops;
use rewright_primitives::registry::{Args, Primitive};
use rewright_semantics::ast::{self, Block, Module, Stmt, StmtKind};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::inputs::{Data, Given, Search, generate};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::configs::configs_of;
use rewright_semantics::syntax::walk::map_blocks;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

/// A rewrite that was accepted.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// By which primitive.
    pub primitive: &'static Primitive,
    /// Its arguments, in words.
    pub args: String,
    /// Its arguments.
    pub values: Args,
    /// The version before.
    pub old: Proc,
    /// The version after.
    pub new: Proc,
}

/// What was compared in C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// Rewrites of which both versions were compiled, run and compared.
    pub rewrites: u64,
    /// Rewrites of programs that the back end refuses, before and after, or that call what the front end refuses.
    pub refused: u64,
    /// Rewrites that leave to later ones what the back end asks when all is done: see [`LATER`].
    pub unfinished: u64,
    /// Runs, of either version.
    pub runs: u64,
    /// Cells and fields compared.
    pub cells: u64,
    /// Shared objects made.
    pub objects: u64,
    /// Rewrites of programs with the instructions of a machine that were held, by machine.
    pub machines: BTreeMap<&'static str, u64>,
    /// Rewrites of programs whose C cannot be run here, by what is missing.
    pub skipped: BTreeMap<String, u64>,
}

impl Compiled {
    /// Adds number by number.
    pub fn add(&mut self, more: Compiled) {
        let Compiled { rewrites, refused, unfinished, runs, cells, objects, machines, skipped } = more;
        self.rewrites += rewrites;
        self.refused += refused;
        self.unfinished += unfinished;
        self.runs += runs;
        self.cells += cells;
        self.objects += objects;
        machines.into_iter().for_each(|(name, n)| *self.machines.entry(name).or_default() += n);
        skipped.into_iter().for_each(|(why, n)| *self.skipped.entry(why).or_default() += n);
    }
}

impl fmt::Display for Compiled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Compiled { rewrites, refused, unfinished, runs, cells, objects, machines, skipped } = self;
        write!(
            f,
            "C: {rewrites} rewrites held in {runs} runs of {objects} shared objects, {cells} cells compared; \
             {refused} of programs that have no C, {unfinished} that lose theirs until precisions and memories are right"
        )?;
        if !machines.is_empty() {
            let each: Vec<String> = machines.iter().map(|(name, n)| format!("{name} {n}")).collect();
            write!(f, "; of machines: {}", each.join(", "))?;
        }
        skipped.iter().try_for_each(|(why, n)| write!(f, "\n   {n} not run: {why}"))
    }
}

/// What a program on its way may do, and one that is done may not: mix precisions, and touch with ordinary statements what
/// only instructions touch, such as those that were inlined.
const LATER: [&str; 5] = [
    "backend.precision",
    "backend.config-access",
    "backend.memory-access",
    "backend.memory-alloc",
    "backend.memory-window",
];

/// Inputs that each version is run on.
const INPUTS: u64 = 2;

/// Holds accepted rewrites against their C.
///
/// # Errors
/// The C of a version does not compile, leaves something else than the interpreter says, or only the version before
/// has C at all.
pub fn compiled(rewrites: &[Accepted], compiler: &Compiler) -> Result<Compiled, Box<Failure>> {
    let mut done = Compiled::default();
    let mut groups: BTreeMap<(String, Vec<&str>), Vec<Pair<'_>>> = BTreeMap::new();
    for (k, of) in rewrites.iter().enumerate() {
        let pair = Pair::new(k, of);
        // An instruction is no function.
        if [&of.old, &of.new].iter().any(|p| p.ast().instr.is_some()) {
            done.refused += 1;
            continue;
        }
        match pair.is_compiled() {
            (true, true) => {
                let machines = pair.machines().into_iter().map(|m| m.name).collect();
                groups.entry((pair.configs_in_words(), machines)).or_default().push(pair);
            }
            (false, _) => done.refused += 1,
            // Where data lives and how it is represented is asked of the machine when all is done.
            (true, false) if is_annotation(of) => done.refused += 1,
            (true, false) if pair.is_unfinished() => done.unfinished += 1,
            // Procedures for `replace` are made at random: wrong for most callers, and fine for this one.
            (true, false) if pair.calls_what_is_refused() => done.refused += 1,
            (true, false) => return Err(pair.failure(pair.why_no_c())),
        }
    }
    for group in groups.into_values() {
        hold(&group, compiler, &mut done)?;
    }
    Ok(done)
}

/// Whether the rewrite only says where and how: App. A.7, checked by the back end.
fn is_annotation(of: &Accepted) -> bool {
    let made_by = of.new.origin().map(|o| o.step.primitive);
    ops::ALL.iter().any(|p| Some(p.name) == made_by && p.source.ends_with("App. A.7"))
}

/// Two versions under names of their own.
struct Pair<'a> {
    of: &'a Accepted,
    /// With their callees before them.
    procs: [Vec<Arc<ast::Proc>>; 2],
}

impl<'a> Pair<'a> {
    fn new(k: usize, of: &'a Accepted) -> Pair<'a> {
        let procs = [("old", &of.old), ("new", &of.new)].map(|(version, p)| {
            let mut out = Vec::new();
            renamed(p.ast(), &format!("{version}{k}_"), &mut out);
            out.into_iter().map(|(_, renamed)| renamed).collect()
        });
        Pair { of, procs }
    }

    /// Procedures share an object when their configurations are the same.
    fn configs_in_words(&self) -> String {
        let both = [&self.of.old, &self.of.new].map(|p| configs_of(p.ast()));
        let all: BTreeSet<String> = both
            .iter()
            .flatten()
            .map(|c| {
                let fields: Vec<String> =
                    c.fields.iter().map(|f| format!("{}: {:?}", f.name, f.typ)).collect();
                format!("{} {}", c.name, fields.join(", "))
            })
            .collect();
        all.into_iter().collect::<Vec<_>>().join("; ")
    }

    /// The machines whose registers the C of either version uses, by name.
    fn machines(&self) -> Vec<&'static Machine> {
        let units =
            self.procs.iter().filter_map(|procs| compile_module(&module(procs), &Options::new("unit")).ok());
        let mut out: Vec<&Machine> = units.flat_map(|unit| unit.machines).collect();
        out.sort_by_key(|m| m.name);
        out.dedup_by_key(|m| m.name);
        out
    }

    fn is_compiled(&self) -> (bool, bool) {
        let [old, new] = self.procs.each_ref().map(|procs| refusals(procs).is_empty());
        (old, new)
    }

    /// Whether that is all that the back end has against the version after.
    fn is_unfinished(&self) -> bool {
        let [_, new] = &self.procs;
        refusals(new).iter().all(|d| LATER.contains(&d.rule))
    }

    /// Whether the version after calls a procedure that the front end does not accept by itself.
    fn calls_what_is_refused(&self) -> bool {
        let (an, solver) = (Analysis::default(), Solver::default());
        let [_, new] = &self.procs;
        let callees = new.split_last().map_or(&[][..], |(_, callees)| callees);
        callees.iter().any(|p| decide(&an, &solver, p).iter().any(|f| !f.verdict.is_proved()))
    }

    fn why_no_c(&self) -> String {
        let [_, new] = &self.procs;
        let why: Vec<String> = refusals(new).into_iter().map(|d| d.message).collect();
        format!("only the version before has C: {}", why.join("; "))
    }

    fn failure(&self, what: impl Into<String>) -> Box<Failure> {
        let Accepted { primitive, args, values, old, new } = self.of.clone();
        Box::new(Failure { primitive, args, values: Some(values), old, new: Some(new), what: what.into() })
    }
}

/// What the back end has against procedures.
fn refusals(procs: &[Arc<ast::Proc>]) -> Vec<Diagnostic> {
    compile_module(&module(procs), &Options::new("unit")).err().unwrap_or_default()
}

fn module(procs: &[Arc<ast::Proc>]) -> Module {
    Module { procs: procs.to_vec(), ..Module::default() }
}

/// A compiler whose code for all the machines can be run here: this one, or that of the machine that is emulated.
fn compiler_for(machines: &[&'static Machine], usual: &Compiler) -> Result<Compiler, String> {
    match machines.iter().find(|m| !usual.runs(m)) {
        None => Ok(usual.clone()),
        Some(other) => {
            let all = Compiler::of_machine(other)?;
            let fits = |c: &Compiler| machines.iter().all(|m| c.runs(m));
            all.into_iter()
                .find(fits)
                .ok_or_else(|| "no processor has the instructions of several machines".to_owned())
        }
    }
}

fn hold(group: &[Pair<'_>], compiler: &Compiler, done: &mut Compiled) -> Result<(), Box<Failure>> {
    let Some(first) = group.first() else { return Ok(()) };
    let procs = group.iter().flat_map(|pair| pair.procs.iter().flatten().cloned()).collect();
    let (m, machines) = (Module { procs, ..Module::default() }, first.machines());
    let mut skip =
        |why: String| *done.skipped.entry(why).or_default() += u64::try_from(group.len()).unwrap_or(0);
    let built = match compiler_for(&machines, compiler).map(|c| Built::new(&m, &c)) {
        Ok(Ok(built)) => built,
        Ok(Err(why @ HarnessError::Unsupported(_))) => {
            skip(why.to_string());
            return Ok(());
        }
        Ok(Err(why)) => return Err(first.failure(why.to_string())),
        Err(why) => {
            skip(why);
            return Ok(());
        }
    };
    done.objects += 1;
    for pair in group {
        done.rewrites += 1;
        machines.iter().for_each(|m| *done.machines.entry(m.name).or_default() += 1);
        for p in pair.procs.iter().filter_map(|procs| procs.last()) {
            run(&built, p, done).map_err(|what| pair.failure(what))?;
        }
    }
    Ok(())
}

fn run(built: &Built, p: &ast::Proc, done: &mut Compiled) -> Result<(), String> {
    for (seed, data) in (0..INPUTS).zip([Data::Inexact, Data::Special].into_iter().cycle()) {
        let search = Search { max_cells: 64, budget: 2_000 };
        let Ok(input) = generate(p, &Given::default(), seed, search) else { continue };
        let input = input.with_data(p, data, seed);
        match built.agree(p.name.as_str(), &input, Mode::Fast) {
            Ok(Verdict::Agrees { compared, exact: _ }) => {
                done.runs += 1;
                done.cells += u64::try_from(compared).unwrap_or(0);
            }
            // A program may be in error; whether the versions agree in that is for the interpreter to say.
            Ok(Verdict::InputRejected(_) | Verdict::Faulty(_) | Verdict::TooLarge(_)) => {}
            Ok(Verdict::NeedsState(_)) => {
                *done.skipped.entry("a run needs state of the hardware at entry".to_owned()).or_default() +=
                    1;
            }
            Ok(Verdict::Differs(difference)) => {
                return Err(format!("C of `{}`: {difference}\non {input}", p.name));
            }
            Err(HarnessError::Unsupported(_)) => {}
            Err(HarnessError::Emulator(_)) => {
                *done.skipped.entry("the emulator failed".to_owned()).or_default() += 1;
            }
            Err(why) => return Err(format!("C of `{}`: {why}\non {input}", p.name)),
        }
    }
    Ok(())
}

/// Procedures and what they are under another name, callees first.
type Renamed = Vec<(Arc<ast::Proc>, Arc<ast::Proc>)>;

/// The procedure and those that it calls, each under a name with this prefix.
fn renamed(p: &Arc<ast::Proc>, prefix: &str, out: &mut Renamed) -> Arc<ast::Proc> {
    if let Some((_, known)) = out.iter().find(|(of, _)| of == p) {
        return known.clone();
    }
    let body = renamed_block(&p.body, prefix, out);
    // Two procedures may have one name.
    let again = out.iter().filter(|(of, _)| of.name == p.name).count();
    let mark = if again > 0 { format!("_{again}") } else { String::new() };
    let name = Name::new(&format!("{prefix}{}{mark}", p.name));
    let made = Arc::new(ast::Proc { name, body, ..p.as_ref().clone() });
    out.push((p.clone(), made.clone()));
    made
}

fn renamed_block(b: &Block, prefix: &str, out: &mut Renamed) -> Block {
    b.iter()
        .map(|s| match s.kind.as_ref() {
            StmtKind::Call { proc, args } => {
                let proc = renamed(proc, prefix, out);
                Stmt::at(StmtKind::Call { proc, args: args.clone() }, s.span)
            }
            StmtKind::Assign { .. }
            | StmtKind::Reduce { .. }
            | StmtKind::WriteConfig { .. }
            | StmtKind::Pass
            | StmtKind::If { .. }
            | StmtKind::For { .. }
            | StmtKind::Alloc { .. }
            | StmtKind::WindowStmt { .. } => map_blocks(s, &mut |b| renamed_block(b, prefix, out)),
        })
        .collect()
}
