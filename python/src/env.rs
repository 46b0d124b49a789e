//! What surrounds a procedure, and what cannot stand beside what, since state and cells go by name.
//! Spec: [rule: python.definitions], [rule: name.hidden-state].

use crate::world::World;
use rewright_effects::names::callees;
use rewright_semantics::ast::{Config, MemoryDef, Proc};
use rewright_semantics::sym::Name;
use rewright_semantics::syntax::configs::configs_of;
use rewright_semantics::syntax::memories::memories_of;
use rewright_semantics::types::{ArgType, MemName};
use std::fmt;
use std::sync::Arc;

/// What surrounds a procedure: what C needs beside its syntax. Versions share it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    /// Configuration classes, of which C makes one struct.
    pub(crate) configs: Vec<Arc<Config>>,
    /// Memories that are declared and not a machine's.
    pub(crate) memories: Vec<Arc<MemoryDef>>,
    /// The text with the definitions, where there is one.
    pub(crate) text: Option<Arc<str>>,
    /// What it takes from machines.
    pub(crate) machines: OfMachines,
    /// What the versions of others assume that it calls, or that took their place: the procedure, and an assumption.
    pub(crate) assumed: Vec<(Name, Assumption)>,
}

/// How many versions are before the step that assumes something, its primitive, and the condition.
pub(crate) type Assumption = (usize, &'static str, &'static str);

/// What the steps up to a version assume.
pub(crate) fn assumptions(version: &rewright_primitives::Proc) -> Vec<Assumption> {
    let row = |(v, condition): (rewright_primitives::Proc, _)| {
        Some((v.depth(), v.origin()?.step.primitive, condition))
    };
    version.assumptions().into_iter().filter_map(row).collect()
}

/// The names of machines' state and memories that are used.
#[derive(Clone, Debug, Default)]
pub(crate) struct OfMachines {
    /// Configuration classes of which an instruction speaks, or a text in which they are known by name.
    configs: Vec<Name>,
    /// Memories of an instruction's operands, and those that were named as such.
    memories: Vec<MemName>,
}

impl OfMachines {
    /// A memory, if it is a machine's.
    pub(crate) fn memory(name: MemName) -> OfMachines {
        let known = World::get().prelude().memories.contains(&name);
        OfMachines { memories: known.then_some(name).into_iter().collect(), ..OfMachines::default() }
    }

    /// What these speak of, and the machines' procedures that they are or call.
    pub(crate) fn of<'p>(procs: impl IntoIterator<Item = &'p Arc<Proc>>) -> OfMachines {
        let mut out = OfMachines::default();
        let mut seen = Vec::new();
        for p in procs {
            let theirs = configs_of(p).into_iter().filter(is_of_machine).map(|c| c.name);
            out.add(theirs, []);
            out.reach(p, &mut seen);
        }
        out
    }

    /// The same of a text's procedures, and the machines' memories in which they store, which are none of its own: those are
    /// called otherwise, or are these.
    pub(crate) fn of_text(procs: &[Arc<Proc>], own: &[MemName]) -> OfMachines {
        let mut out = OfMachines::of(procs);
        let theirs = |m: &MemName| World::get().prelude().memories.contains(m) && !own.contains(m);
        out.add([], procs.iter().flat_map(|p| memories_of(p)).filter(theirs));
        out
    }

    fn reach<'p>(&mut self, p: &'p Arc<Proc>, seen: &mut Vec<&'p Arc<Proc>>) {
        if seen.iter().any(|q| Arc::ptr_eq(q, p)) {
            return;
        }
        seen.push(p);
        if World::get().prelude().procs.iter().any(|q| Arc::ptr_eq(q, p)) {
            let stored = p.args.iter().filter_map(|a| match &a.typ {
                ArgType::Data { mem, .. } => Some(*mem),
                ArgType::Control(_) => None,
            });
            self.add(configs_of(p).iter().map(|c| c.name), stored);
        } else {
            callees(&p.body, &mut |q| self.reach(q, seen));
        }
    }

    fn add(&mut self, configs: impl IntoIterator<Item = Name>, memories: impl IntoIterator<Item = MemName>) {
        for c in configs {
            if !self.configs.contains(&c) {
                self.configs.push(c);
            }
        }
        for m in memories {
            if !self.memories.contains(&m) {
                self.memories.push(m);
            }
        }
    }
}

impl Env {
    /// This and what surrounds another procedure.
    ///
    /// # Errors
    /// One name stands for two configuration classes, or for two memories.
    pub(crate) fn with(&self, other: &Env) -> Result<Env, Clash> {
        let mut out = self.clone();
        for config in &other.configs {
            match out.configs.iter().find(|c| c.name == config.name) {
                None => out.configs.push(config.clone()),
                Some(known) if same_class(known, config) => {}
                Some(_) => return Err(Clash::two("configuration classes", config.name)),
            }
        }
        for memory in &other.memories {
            match out.memories.iter().find(|m| m.name == memory.name) {
                None => out.memories.push(memory.clone()),
                Some(known) if known.methods == memory.methods => {}
                Some(_) => return Err(Clash::two("memories", memory.name.0)),
            }
        }
        for known in &other.assumed {
            if !out.assumed.contains(known) {
                out.assumed.push(*known);
            }
        }
        let OfMachines { configs, memories } = &other.machines;
        out.machines.add(configs.iter().copied(), memories.iter().copied());
        out.beside_machines()?;
        Ok(out)
    }

    /// # Errors
    /// A class or a memory is called like one of a machine that is used.
    fn beside_machines(&self) -> Result<(), Clash> {
        let mut own = self.configs.iter().filter(|c| !is_of_machine(c));
        if let Some(c) = own.find(|c| self.machines.configs.contains(&c.name)) {
            return Err(Clash::machines("configuration class", c.name));
        }
        let shared = self.memories.iter().find(|m| self.machines.memories.contains(&m.name));
        shared.map_or(Ok(()), |m| Err(Clash::machines("memory", m.name.0)))
    }
}

fn is_of_machine(class: &Arc<Config>) -> bool {
    World::get().prelude().configs.iter().any(|theirs| Arc::ptr_eq(theirs, class))
}

/// Whether two definitions of a class are of the same state: a cell of a notebook may run twice, a text be read twice.
fn same_class(a: &Config, b: &Config) -> bool {
    let fields = |c: &Config| c.fields.iter().map(|f| (f.name, f.typ)).collect::<Vec<_>>();
    fields(a) == fields(b) && a.direct_access == b.direct_access
}

/// Two different things of one sort are called the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash {
    what: &'static str,
    name: Name,
    /// Whether one of them is of a machine.
    with_machine: bool,
}

impl Clash {
    fn two(what: &'static str, name: Name) -> Clash {
        Clash { what, name, with_machine: false }
    }

    fn machines(what: &'static str, name: Name) -> Clash {
        Clash { what, name, with_machine: true }
    }
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Clash { what, name, with_machine } = self;
        if *with_machine {
            write!(
                f,
                "a machine that is used has a {what} `{name}`, too, which is another: give yours another name"
            )
        } else {
            write!(f, "two different {what} are called `{name}`: give one of them another name")
        }
    }
}
