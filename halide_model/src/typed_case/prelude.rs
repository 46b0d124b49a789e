//! The directives of a typed case that change the algorithm, which come first here: the loops that the others name are those of
//! the algorithm as it is then.

use super::schedule::read_directive;
use super::{Read, Reader, field, index, name_of, text};
use crate::alg::Algorithm;
use crate::lower::lower;
use crate::schedule::{Directive, Rules, apply};
use rewright_base::sym::Name;
use serde_json::{Value as Json, json};
use std::sync::Arc;

/// The directives that change the algorithm, the algorithm that they make, and the other directives.
pub(super) struct Prelude {
    pub(super) directives: Vec<Directive>,
    pub(super) algorithm: Algorithm,
    pub(super) rest: Vec<Json>,
}

impl Reader {
    pub(super) fn prelude(&self, all: &[Json], p: &Algorithm) -> Read<Prelude> {
        let mut out = Prelude { directives: Vec::new(), algorithm: p.clone(), rest: Vec::new() };
        for (i, d) in all.iter().enumerate() {
            let later = all.get(i + 1..).unwrap_or_default();
            match self.of_algorithm(d, later, &out.algorithm)? {
                Some(d) => {
                    let d = read_directive(self, &d)?;
                    // What is refused is refused again where the schedule is applied.
                    if let Ok(t) = apply(&d, &lower(&Arc::new(out.algorithm.clone())), Rules::default()) {
                        out.algorithm = Algorithm::clone(&t.algorithm);
                    }
                    out.directives.push(d);
                }
                None => out.rest.push(d.clone()),
            }
        }
        Ok(out)
    }

    /// The directive for the algorithm that one of a case stands for.
    fn of_algorithm(&self, d: &Json, later: &[Json], p: &Algorithm) -> Read<Option<Json>> {
        let op = text(d, "op")?;
        match op {
            "in" | "clone-in" | "rfactor" => Ok(Some(d.clone())),
            "inline" => {
                let f = name_of(d, "func")?;
                Ok(p.func(f).is_none_or(|f| f.updates.is_empty()).then(|| d.clone()))
            }
            "split" => {
                let l = field(d, "loop")?;
                let (func, stage, var) = (name_of(l, "func")?, index(l, "stage")?, name_of(l, "var")?);
                let factored = later.iter().any(|d| {
                    d.get("op").is_some_and(|o| o == "rfactor")
                        && d.get("func").and_then(Json::as_str).map(Name::new) == Some(func)
                        && d.get("stage").and_then(Json::as_u64).and_then(|s| usize::try_from(s).ok())
                            == Some(stage)
                });
                let update = p.func(func).and_then(|f| f.updates.get(stage.checked_sub(1)?));
                let is_rvar = update.is_some_and(|u| u.rdom.iter().any(|r| r.var == var));
                if !factored || !is_rvar {
                    return Ok(None);
                }
                Ok(Some(json!({
                    "op": "split-rdom", "func": func.as_str(), "stage": stage, "var": var.as_str(),
                    "outer": d["outer"], "inner": d["inner"], "factor": d["factor"],
                })))
            }
            _ => Ok(None),
        }
    }
}
