//! Directives of typed cases. Where a new loop has the name of the one that is split, it gets another; `reorder` becomes
//! swaps; what has no effect on values and boxes is left out.

use super::expr::Scope;
use super::{Read, Reader, Unread, field, index, list, name_of, not_covered, text, wrong};
use crate::alg::{Algorithm, Func};
use crate::expr::{Expr, Site};
use crate::schedule::{Directive, Source, Tail};
use crate::tgt::LoopName;
use rewright_base::sym::Name;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;

/// The loops of a stage, innermost first, under the names that they have here.
type Nests = BTreeMap<Site, Vec<Name>>;

struct Nest<'a> {
    p: &'a Algorithm,
    loops: Nests,
    /// Funcs with updates that are to be computed where they are used.
    innermost: Vec<Name>,
    /// What a loop of the case is called here.
    renamed: BTreeMap<(Site, Name), Name>,
}

impl Reader {
    pub(super) fn schedule(&self, j: &Json, p: &Algorithm) -> Read<Vec<Directive>> {
        let all = j.as_array().ok_or_else(|| Unread::Wrong("a schedule is not a list".to_owned()))?;
        let needed: Vec<Json> = {
            let mut needed = Vec::new();
            for d in all {
                if !self.ignored(d, p)? {
                    needed.push(d.clone());
                }
            }
            needed
        };
        let needed = specialized_once(needed)?;
        let prelude = self.prelude(&needed, p)?;
        let mut nest = Nest {
            p: &prelude.algorithm,
            loops: Nests::new(),
            innermost: Vec::new(),
            renamed: BTreeMap::new(),
        };
        let mut found = Vec::new();
        for d in &prelude.rest {
            found.extend(nest.directives(&mut d.clone())?);
        }
        for func in std::mem::take(&mut nest.innermost) {
            match nest.at_innermost_use(func) {
                Some(directives) => found.extend(directives),
                None => {
                    return not_covered(format!("`inline` of `{func}`, which has updates and several uses"));
                }
            }
        }
        // The func of a reduction inside of an expression is one that is not scheduled.
        for f in self.made.borrow().iter().filter(|f| prelude.algorithm.func(f.name).is_some()) {
            found.extend(nest.at_innermost_use(f.name).unwrap_or_default());
        }
        let mut out = prelude.directives.clone();
        for mut d in found {
            // Where a func is computed is looked up at the end, when all loops have their names.
            if is_level(text(&d, "op")?) {
                nest.rename(&mut d)?;
            }
            out.push(read_directive(self, &d)?);
        }
        Ok(out)
    }

    /// What has no effect here: the layout, tasks of their own, memory that is taken at the top, and directives for funcs that the output does not need.
    fn ignored(&self, d: &Json, p: &Algorithm) -> Read<bool> {
        let op = text(d, "op")?;
        if op == "reorder-storage" || op == "async" {
            return Ok(true);
        }
        if ["store-at", "hoist-storage"].contains(&op) && field(d, "loop")?.is_null() {
            return Ok(true);
        }
        let func = d.get("func").or_else(|| d.pointer("/loop/func")).and_then(Json::as_str).map(Name::new);
        Ok(func.is_some_and(|f| {
            p.func(f).is_none() && self.types().reads.contains_key(&f) && p.input(f).is_none()
        }))
    }
}

/// In practice a func is specialized again and again: the conditions are those of one directive.
fn specialized_once(all: Vec<Json>) -> Read<Vec<Json>> {
    let mut out: Vec<Json> = Vec::new();
    for d in all {
        let is = |other: &Json| {
            other.get("op").is_some_and(|o| o == "specialize") && other.get("func") == d.get("func")
        };
        let conds = d.get("conds").and_then(Json::as_array).cloned().unwrap_or_default();
        let first = if is(&d) { out.iter_mut().find(|o| is(o)) } else { None };
        match first.and_then(|first| first.get_mut("conds")).and_then(Json::as_array_mut) {
            Some(known) => known.extend(conds),
            None => out.push(d),
        }
    }
    Ok(out)
}

/// A directive, its arguments by name.
pub(super) fn read_directive(reader: &Reader, d: &Json) -> Read<Directive> {
    let name = text(d, "op")?.to_owned();
    match Directive::read(&name, &mut Fields { reader, json: d })? {
        Some(d) => Ok(d),
        None => not_covered(format!("directive `{name}`")),
    }
}

/// Whether a directive says at which loop a func is computed or stored.
fn is_level(op: &str) -> bool {
    ["compute-at", "store-at", "hoist-storage", "compute-with"].contains(&op)
}

fn site(j: &Json) -> Read<Site> {
    Ok(Site { func: name_of(j, "func")?, stage: index(j, "stage")?, spec: index(j, "spec")? })
}

impl Nest<'_> {
    /// The directives that one of a case stands for.
    fn directives(&mut self, d: &mut Json) -> Read<Vec<Json>> {
        match text(d, "op")? {
            "split" => self.split(d).map(|()| vec![d.clone()]),
            "fuse" => self.fuse(d).map(|()| vec![d.clone()]),
            "reorder" => self.reorder(d),
            "compute-with" => {
                // What the practical system chooses by itself is no shift.
                if d.get("align").is_none_or(|a| a == "auto") {
                    d["align"] = json!("none");
                }
                Ok(vec![d.clone()])
            }
            "inline" if self.p.func(name_of(d, "func")?).is_some_and(|f| !f.updates.is_empty()) => {
                self.innermost.push(name_of(d, "func")?);
                Ok(Vec::new())
            }
            op if is_level(op) => Ok(vec![d.clone()]),
            _ => {
                self.rename(d)?;
                Ok(vec![d.clone()])
            }
        }
    }

    /// A func with updates is not inlined: it is computed and stored in the innermost loop of the stage that uses it.
    fn at_innermost_use(&mut self, func: Name) -> Option<Vec<Json>> {
        let mut users = Vec::new();
        for f in self.p.funcs.iter().filter(|f| f.name != func) {
            for (stage, u) in f.all_stages().iter().enumerate() {
                if u.exprs().flat_map(Expr::accesses).any(|a| a.func == func) {
                    users.push(Site { func: f.name, stage, spec: 0 });
                }
            }
        }
        let [user] = users.as_slice() else { return None };
        let Some(var) = self.loops(*user).first().copied() else { return Some(Vec::new()) };
        let at = json!({"func": user.func.as_str(), "stage": user.stage, "spec": 0, "var": var.as_str()});
        let level = |op: &str| json!({"op": op, "func": func.as_str(), "loop": at});
        Some(vec![level("compute-at"), level("store-at")])
    }

    fn loops(&mut self, at: Site) -> &mut Vec<Name> {
        // Branches begin with the loops that the default has.
        let default = self.loops.get(&Site { spec: 0, ..at }).cloned();
        let p = self.p;
        self.loops.entry(at).or_insert_with(|| {
            default.unwrap_or_else(|| p.func(at.func).map(|f| initial(f, at.stage)).unwrap_or_default())
        })
    }

    /// What a loop is called here.
    fn here(&self, at: Site, var: Name) -> Name {
        let known = self.renamed.get(&(at, var)).or_else(|| self.renamed.get(&(Site { spec: 0, ..at }, var)));
        known.copied().unwrap_or(var)
    }

    /// Puts the names of here into the loop that a directive names.
    fn rename(&self, d: &mut Json) -> Read<()> {
        if let Some(l) = d.get_mut("loop").filter(|l| !l.is_null()) {
            let here = self.here(site(l)?, name_of(l, "var")?);
            if let Some(var) = l.get_mut("var") {
                *var = json!(here.as_str());
            }
        }
        Ok(())
    }

    /// A name that no loop of the stage has.
    fn fresh(&mut self, at: Site, wanted: Name) -> Name {
        let vars: Vec<Name> = self.p.func(at.func).map(|f| f.vars.clone()).unwrap_or_default();
        let mut taken = self.loops(at).clone();
        taken.extend(
            vars.into_iter().chain(self.renamed.iter().filter(|((s, _), _)| *s == at).map(|(_, n)| *n)),
        );
        let mut name = wanted;
        while taken.contains(&name) {
            name = Name::new(&format!("{name}_"));
        }
        name
    }

    fn split(&mut self, d: &mut Json) -> Read<()> {
        let l = field(d, "loop")?.clone();
        let (at, var) = (site(&l)?, name_of(&l, "var")?);
        if text(d, "tail")? == "auto" {
            d["tail"] = json!(self.automatic(at, self.here(at, var)));
        }
        // A predicate on the loads or the stores alone computes the same points of the window.
        if ["predicate", "predicate-loads", "predicate-stores"].contains(&text(d, "tail")?) {
            d["tail"] = json!("guard");
        }
        // A pure stage has nothing to blend with, and computes the same values again.
        if at.stage == 0 {
            for tail in ["shift", "round"] {
                if text(d, "tail")? == format!("{tail}-blend") {
                    d["tail"] = json!(tail);
                }
            }
        }
        if !Tail::ALL.iter().any(|t| Ok(t.name()) == text(d, "tail").as_ref().copied()) {
            return not_covered(format!("tail strategy `{}`", text(d, "tail")?));
        }
        self.rename(d)?;
        let split = self.here(at, var);
        let mut new = Vec::new();
        for which in ["inner", "outer"] {
            let wanted = name_of(d, which)?;
            let name = self.fresh(at, wanted);
            self.renamed.insert((at, wanted), name);
            d[which] = json!(name.as_str());
            new.push(name);
        }
        let loops = self.loops(at);
        if let Some(i) = loops.iter().position(|x| *x == split) {
            loops.splice(i..=i, new);
        }
        Ok(())
    }

    /// What the practical system chooses.
    fn automatic(&self, at: Site, var: Name) -> &'static str {
        let is_pure = self.p.func(at.func).is_some_and(|f| f.vars.contains(&var));
        match (at.stage, is_pure) {
            (0, _) => "shift",
            (_, true) => "round",
            (_, false) => "guard",
        }
    }

    fn fuse(&mut self, d: &mut Json) -> Read<()> {
        let l = field(d, "loop")?.clone();
        let (at, var) = (site(&l)?, name_of(&l, "var")?);
        let outer = self.here(at, var);
        self.rename(d)?;
        let wanted = name_of(d, "into")?;
        let name = self.fresh(at, wanted);
        self.renamed.insert((at, wanted), name);
        d["into"] = json!(name.as_str());
        let loops = self.loops(at);
        if let Some(i) = loops.iter().position(|x| *x == outer).filter(|i| *i > 0) {
            loops.splice(i - 1..=i, [name]);
        }
        Ok(())
    }

    /// The named loops take the places that they have, in another order: swaps of neighbours.
    fn reorder(&mut self, d: &Json) -> Read<Vec<Json>> {
        let at = site(d)?;
        let wanted = list(d, "order")?.iter().map(|v| v.as_str().map(Name::new));
        let wanted: Vec<Name> =
            wanted.collect::<Option<_>>().ok_or("an order is not a list of names".to_owned())?;
        let wanted: Vec<Name> = wanted.into_iter().map(|v| self.here(at, v)).collect();
        let loops = self.loops(at);
        let mut places: Vec<usize> =
            loops.iter().enumerate().filter(|(_, x)| wanted.contains(x)).map(|(i, _)| i).collect();
        places.sort_unstable();
        if places.len() != wanted.len() {
            return wrong("an order names a loop that is not there".to_owned());
        }
        let mut target = loops.clone();
        for (place, name) in places.iter().zip(&wanted) {
            if let Some(x) = target.get_mut(*place) {
                *x = *name;
            }
        }
        let mut out = Vec::new();
        // From the outside: each loop is brought to its place by swaps with the one around it.
        for i in (0..target.len()).rev() {
            let Some(mut k) = loops.iter().position(|x| Some(x) == target.get(i)) else { continue };
            while k < i {
                let outer = loops.get(k + 1).copied();
                loops.swap(k, k + 1);
                k += 1;
                let Some(outer) = outer else { continue };
                let site = json!({"func": at.func.as_str(), "stage": at.stage, "spec": at.spec, "var": outer.as_str()});
                out.push(json!({"op": "swap", "loop": site}));
            }
        }
        Ok(out)
    }
}

/// The loops of a stage, innermost first.
fn initial(f: &Func, stage: usize) -> Vec<Name> {
    let rvars =
        stage.checked_sub(1).and_then(|i| f.updates.get(i)).into_iter().flat_map(|u| &u.rdom).map(|r| r.var);
    let pure = f.pure_dims(stage);
    let vars = f.vars.iter().zip(pure).filter(|(_, pure)| *pure).map(|(x, _)| *x);
    rvars.chain(vars).collect()
}

/// The arguments of a directive, by name.
struct Fields<'a> {
    reader: &'a Reader,
    json: &'a Json,
}

impl Source for Fields<'_> {
    type Error = Unread;

    fn func(&mut self) -> Read<Name> {
        name_of(self.json, "func")
    }

    fn variable(&mut self, field: &str) -> Read<Name> {
        name_of(self.json, field)
    }

    fn loop_name(&mut self) -> Read<LoopName> {
        let l = field(self.json, "loop")?;
        Ok(LoopName { site: site(l)?, var: name_of(l, "var")? })
    }

    fn stage(&mut self) -> Read<usize> {
        index(self.json, "stage")
    }

    fn expr(&mut self, name: &str) -> Read<Expr> {
        let e = self.reader.expr(field(self.json, name)?, &Scope::default())?;
        Ok(self.reader.types().control(&e))
    }

    fn funcs(&mut self, name: &str) -> Read<Vec<Name>> {
        let given = field(self.json, name)?;
        let all = given.as_array().into_iter().flatten().map(|v| v.as_str().map(Name::new));
        all.collect::<Option<_>>().ok_or_else(|| Unread::Wrong("a func is not a text".to_owned()))
    }

    fn pairs(&mut self, name: &str) -> Read<Vec<(Name, Name)>> {
        let pair = |p: &Json| Some((Name::new(p.get(0)?.as_str()?), Name::new(p.get(1)?.as_str()?)));
        let all = list(self.json, name)?.iter().map(pair).collect::<Option<_>>();
        all.ok_or_else(|| Unread::Wrong(format!("`{name}` is not a list of pairs")))
    }

    fn exprs(&mut self, name: &str) -> Read<Vec<Expr>> {
        let all = list(self.json, name)?;
        all.iter()
            .map(|e| Ok(self.reader.types().control(&self.reader.expr(e, &Scope::default())?)))
            .collect()
    }

    fn word<T: Copy>(&mut self, field: &str, words: &[(&'static str, T)], _: Option<T>) -> Read<T> {
        let given = text(self.json, field)?;
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|(_, value)| *value).ok_or_else(|| Unread::NotCovered(format!("`{given}` for `{field}`")))
    }
}
