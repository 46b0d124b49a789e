//! What variables of printed definitions are called. Two variables of a program may have one name, of which the print gives one a
//! number: `i_1`. Steps speak of it by the name it has, so that a record says which that is. Spec: [rule: audit.called].

use rewright_semantics::ast::{self, Block, Instr, Module, Rounds, Stmt, StmtKind};
use rewright_semantics::pretty::{names_of_proc, proc_to_string};
use rewright_semantics::sym::Sym;
use rewright_semantics::syntax::naming::is_name;
use rewright_semantics::syntax::subst::{binders_of_proc, rename_proc};
use rewright_semantics::syntax::walk::map_blocks;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// By procedure, where some variable is printed under another name: what its arguments are called, and what its body binds, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Called(BTreeMap<String, Vec<String>>);

/// What procedures became.
type New = FxHashMap<*const ast::Proc, Arc<ast::Proc>>;

impl Called {
    /// Of procedures as they are printed.
    pub fn of(procs: &[Arc<ast::Proc>]) -> Called {
        let differs = |p: &&Arc<ast::Proc>| names_of_proc(p).iter().any(|(sym, shown)| sym.name() != *shown);
        let names = |p: &ast::Proc| binders_of_proc(p).iter().map(|sym| sym.name().to_string()).collect();
        Called(procs.iter().filter(differs).map(|p| (p.name.to_string(), names(p))).collect())
    }

    /// Whether every variable is printed under its name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The definitions with the names that their variables have.
    ///
    /// # Errors
    /// They have no such variables, or would be printed otherwise.
    pub(super) fn restored(&self, module: Module) -> Result<Module, String> {
        if self.is_empty() {
            return Ok(module);
        }
        if let Some(unknown) = self.0.keys().find(|name| module.proc(name).is_none()) {
            return Err(format!("there is no procedure `{}`", super::shown(unknown)));
        }
        let mut new = New::default();
        let mut procs = Vec::with_capacity(module.procs.len());
        for p in &module.procs {
            let made = Arc::new(self.of_proc(p, &new)?);
            new.insert(Arc::as_ptr(p), made.clone());
            procs.push(made);
        }
        Ok(Module { procs, ..module })
    }

    fn of_proc(&self, p: &ast::Proc, new: &New) -> Result<ast::Proc, String> {
        let name = p.name.as_str();
        let binders = binders_of_proc(p);
        let by = match self.0.get(name) {
            None => FxHashMap::default(),
            Some(called) if called.len() != binders.len() => {
                return Err(format!("`{name}` has {} variables, and {} names", binders.len(), called.len()));
            }
            Some(called) => match called.iter().find(|x| !is_name(x)) {
                Some(x) => return Err(format!("`{}` is no name", super::shown(x))),
                None => binders.into_iter().zip(called.iter().map(|x| Sym::fresh(x.as_str()))).collect(),
            },
        };
        let renamed = rename_proc(p, &by);
        let made = ast::Proc {
            body: calling(&renamed.body, new),
            instr: p.instr.as_ref().map(|i| Instr { rounds: rounding(&i.rounds, new), ..i.clone() }),
            ..renamed
        };
        if proc_to_string(&made) == proc_to_string(p) {
            Ok(made)
        } else {
            Err(format!("with these names, `{name}` is not what is written there"))
        }
    }
}

fn calling(b: &Block, new: &New) -> Block {
    b.iter().map(|s| calls(s, new)).collect()
}

fn calls(s: &Stmt, new: &New) -> Stmt {
    let StmtKind::Call { proc, args } = s.kind.as_ref() else {
        return map_blocks(s, &mut |b| calling(b, new));
    };
    let Some(made) = new.get(&Arc::as_ptr(proc)) else { return s.clone() };
    Stmt::at(StmtKind::Call { proc: made.clone(), args: args.clone() }, s.span)
}

fn rounding(rounds: &Rounds, new: &New) -> Rounds {
    match rounds {
        Rounds::Like(other) => Rounds::Like(new.get(&Arc::as_ptr(other)).unwrap_or(other).clone()),
        Rounds::AsWritten | Rounds::Fused => rounds.clone(),
    }
}
