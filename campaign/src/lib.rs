//! Random programs × random targets and arguments, for every primitive: whatever is accepted must be equivalent
//! by the interpreter. Spec: [rule: campaign].
//!
//! A case is one application of one primitive. It knows nothing of any primitive but its entry in the registry,
//! so that a new primitive is tried as soon as it has one.
//!
//! What must stay true at this boundary: the generator builds programs that are well typed and in
//! bounds by construction, and shares with the code under test the syntax and nothing else.

mod arguments;
mod compiled;
pub mod corpus;
mod drawn;
pub mod generate;
pub mod halide;
pub mod holes;
pub mod perturb;
pub mod procs;
mod report;
pub mod rng;
mod saved;
pub mod shrink;
mod shrunk;
mod trial;
mod variety;

pub use arguments::{arguments, places_in};
pub use compiled::{Accepted, Compiled, compiled};
pub use drawn::{Drawn, Line, drawn};
pub use report::{Report, Row};
pub use saved::{Saved, saved};
pub use shrunk::shrunk;
pub use trial::{Checked, Failure, Outcome, Tally, apply, check, check_exact};

use crate::generate::{Shape, module};
use crate::rng::Rng;
use rewright_primitives::registry::{Args, Primitive};
use rewright_primitives::version::session::Session;
use rewright_primitives::{Proc, ops};
use rewright_semantics::types::DataType;

/// What a campaign tries.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The primitives to draw from.
    pub primitives: Vec<&'static Primitive>,
    /// How many applications are tried on each program.
    pub attempts: usize,
    /// How many inputs an accepted rewrite is compared on.
    pub inputs: u64,
    /// Each program gets a fresh one like this.
    pub session: Session,
}

impl Plan {
    /// A plan for these primitives.
    pub fn of(primitives: Vec<&'static Primitive>) -> Plan {
        Plan { primitives, attempts: 12, inputs: 3, session: Session::new() }
    }
}

/// The program of a seed: one procedure and what it calls, among its configuration classes.
pub fn program(seed: u64) -> Proc {
    program_in(&Session::new(), seed)
}

/// The same in a session.
pub fn program_in(session: &Session, seed: u64) -> Proc {
    let shape = Shape {
        procs: match seed % 6 {
            0 => 3,
            3 => 2,
            _ => 1,
        },
        stmts: 4 + usize::try_from(seed % 7).unwrap_or(0),
        depth: 3,
        elems: match seed % 11 {
            3 => vec![DataType::I8, DataType::I32],
            7 => vec![DataType::F32, DataType::I32, DataType::I8],
            _ => vec![DataType::R, DataType::F32],
        },
        uninitialised: seed.is_multiple_of(5),
        ..Shape::default()
    };
    let m = module(seed, &shape);
    let last = m.procs.last().expect("the generator makes at least one procedure");
    session.root_among(last.clone(), m.configs.iter().cloned())
}

/// A program that may have what a primitive asks for.
pub fn subject(seed: u64, primitive: &Primitive) -> Proc {
    subject_in(&Session::new(), seed, primitive)
}

/// The same in a session.
fn subject_in(session: &Session, seed: u64, primitive: &Primitive) -> Proc {
    let mut rng = Rng::new(seed);
    let p = variety::varied(program_in(session, seed), &mut rng);
    let aimed = if rng.chance(50) { variety::aimed(&p, primitive, &mut rng) } else { None };
    aimed.unwrap_or(p)
}

/// Tries primitives until one application is found to be wrong, which is made small, or until `programs` programs
/// have been tried.
///
/// # Errors
/// The failure that was found.
pub fn refute(plan: &Plan, programs: u64) -> Result<Report, Box<Failure>> {
    let mut report = Report::default();
    for seed in 0..programs {
        if let Some(failure) = cases(seed, plan, &mut report).into_iter().next() {
            return Err(Box::new(shrunk(failure, 1_000)));
        }
    }
    Ok(report)
}

/// All cases on the program of one seed. A third of the programs have been rewritten before.
pub fn cases(seed: u64, plan: &Plan, report: &mut Report) -> Vec<Failure> {
    explore(seed, plan, report, &mut |_, _, _, _| {})
}

/// All cases on the program of one seed, and one of the rewrites that were accepted, if there is one.
pub fn sampled(seed: u64, plan: &Plan, report: &mut Report) -> (Vec<Failure>, Option<Accepted>) {
    let (mut rng, mut kept, mut seen) = (Rng::new(!seed), None, 0);
    let failures = explore(seed, plan, report, &mut |primitive, args, old, new| {
        seen += 1;
        if rng.below(seen) == 0 {
            let (args, values) = (trial::in_words(old, args), args.clone());
            kept = Some(Accepted { primitive, args, values, old: old.clone(), new: new.clone() });
        }
    });
    (failures, kept)
}

/// All cases on the program of one seed; each rewrite that is accepted is shown.
pub fn watched(
    seed: u64,
    plan: &Plan,
    report: &mut Report,
    watch: &mut dyn FnMut(&Accepted),
) -> Vec<Failure> {
    explore(seed, plan, report, &mut |primitive, args, old, new| {
        let (args, values) = (trial::in_words(old, args), args.clone());
        watch(&Accepted { primitive, args, values, old: old.clone(), new: new.clone() });
    })
}

/// Who is told of each accepted rewrite: the primitive, its arguments, the versions before and after.
type Watch<'a> = &'a mut dyn FnMut(&'static Primitive, &Args, &Proc, &Proc);

fn explore(seed: u64, plan: &Plan, report: &mut Report, accepted: Watch<'_>) -> Vec<Failure> {
    let mut rng = Rng::new(seed);
    let original = program_in(&plan.session.fresh(), seed);
    // A program that was changed is a root again, in the same surroundings.
    let among = |p: Proc| match p.origin() {
        None => p.session().root_among(p.ast().clone(), original.configs().iter().cloned()),
        Some(_) => p,
    };
    let mut p = among(variety::varied(original.clone(), &mut rng));
    let earlier = if seed % 3 == 1 { 1 + rng.below(3) } else { 0 };
    let mut failures = Vec::new();
    for attempt in 0..plan.attempts {
        let preparing = attempt < earlier;
        let from = if preparing { ops::ALL } else { &plan.primitives };
        let Some(primitive) = rng.pick(from).copied() else { break };
        // What the primitive asks for is rare in programs that know nothing of it.
        let aimed = if rng.chance(35) { variety::aimed(&p, primitive, &mut rng) } else { None };
        let subject = aimed.map_or_else(|| p.clone(), among);
        let Some(args) = arguments(&mut rng, &subject, primitive) else {
            report.count(primitive, &Outcome::NoTarget);
            continue;
        };
        let outcome = apply(
            &subject,
            primitive,
            &args,
            seed.wrapping_mul(31) + u64::try_from(attempt).unwrap_or(0),
            plan.inputs,
        );
        report.count(primitive, &outcome);
        match outcome {
            Outcome::Accepted { new, checked: _ } => {
                accepted(primitive, &args, &subject, &new);
                if preparing || rng.chance(40) {
                    p = new;
                }
            }
            Outcome::Wrong(failure) => failures.push(*failure),
            Outcome::NoTarget | Outcome::Refused { .. } | Outcome::InvalidCursor => {}
        }
    }
    failures
}
