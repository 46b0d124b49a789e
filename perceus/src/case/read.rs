//! The fields of a case. What the format does not know is refused: it could not be compared.

use super::expr::{Mode, expression};
use super::{
    Bad, Case, CaseKind, Cell, Content, Core, Count, Derivation, Heap, HeapEnd, Operand, Reuse, Standard,
    StandardEnd,
};
use crate::syntax::{Expr, Program};
use rewright_base::sym::Name;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// What was read, or why not and where.
pub(super) type Read<T> = Result<T, String>;

/// How deep a file may be nested.
const MAX_DEPTH: usize = 5_000;

/// Fields that are never compared; so are those whose names end in `_text`.
const INFORMATIVE: [&str; 7] =
    ["about", "tags", "text", "ys", "why", "fresh_around_the_call", "fresh_in_the_call"];

/// A JSON value and where it stands, as a JSON pointer.
#[derive(Clone)]
pub(super) struct At<'j> {
    pub(super) json: &'j Json,
    pub(super) pointer: String,
}

pub(super) fn read(text: &str) -> Read<Case> {
    too_deep(text)?;
    let mut parser = serde_json::Deserializer::from_str(text);
    parser.disable_recursion_limit();
    let json: Json = crate::deep_enough(|| serde::Deserialize::deserialize(&mut parser))
        .map_err(|e: serde_json::Error| e.to_string())?;
    parser.end().map_err(|e| e.to_string())?;
    let case = At { json: &json, pointer: String::new() }.case();
    crate::deep_enough(move || drop(json));
    case
}

/// Refuses what is nested too deep to be read.
fn too_deep(text: &str) -> Read<()> {
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    for byte in text.bytes() {
        if in_string {
            (in_string, escaped) = (escaped || byte != b'"', !escaped && byte == b'\\');
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_DEPTH {
            return Err(format!("nested more than {MAX_DEPTH} deep"));
        }
    }
    Ok(())
}

impl<'j> At<'j> {
    pub(super) fn wrong<T>(&self, what: &str) -> Read<T> {
        let place = if self.pointer.is_empty() { "the case" } else { &self.pointer };
        Err(format!("{place}: {what}"))
    }

    fn below(&self, json: &'j Json, key: impl std::fmt::Display) -> At<'j> {
        At { json, pointer: format!("{}/{key}", self.pointer) }
    }

    pub(super) fn object(&self) -> Read<&'j Map<String, Json>> {
        self.json.as_object().map_or_else(|| self.wrong("an object is expected"), Ok)
    }

    /// A field that may be absent.
    pub(super) fn maybe(&self, key: &str) -> Read<Option<At<'j>>> {
        Ok(self.object()?.get(key).map(|json| self.below(json, key)))
    }

    pub(super) fn field(&self, key: &str) -> Read<At<'j>> {
        self.maybe(key)?.map_or_else(|| self.wrong(&format!("field `{key}` is missing")), Ok)
    }

    /// Refuses fields of other names.
    pub(super) fn only(&self, keys: &[&str]) -> Read<()> {
        match self.object()?.keys().find(|k| !keys.contains(&k.as_str())) {
            None => Ok(()),
            Some(other) => self.wrong(&format!("unknown field `{other}`")),
        }
    }

    /// Refuses expectations of other names, but for those that only inform.
    fn expects(&self, keys: &[&str]) -> Read<()> {
        let informs = |k: &str| INFORMATIVE.contains(&k) || k.ends_with("_text");
        match self.object()?.keys().find(|k| !keys.contains(&k.as_str()) && !informs(k)) {
            None => Ok(()),
            Some(other) => self.wrong(&format!("unknown expectation `{other}`")),
        }
    }

    pub(super) fn list(&self) -> Read<Vec<At<'j>>> {
        match self.json.as_array() {
            Some(items) => Ok(items.iter().enumerate().map(|(i, json)| self.below(json, i)).collect()),
            None => self.wrong("a list is expected"),
        }
    }

    pub(super) fn text(&self) -> Read<&'j str> {
        self.json.as_str().map_or_else(|| self.wrong("a text is expected"), Ok)
    }

    pub(super) fn name(&self) -> Read<Name> {
        match self.text()? {
            "" => self.wrong("a name is expected"),
            text => Ok(Name::new(text)),
        }
    }

    pub(super) fn int(&self) -> Read<i64> {
        self.json.as_i64().map_or_else(|| self.wrong("an integer of 64 bits is expected"), Ok)
    }

    fn natural(&self) -> Read<u64> {
        self.json.as_u64().map_or_else(|| self.wrong("a natural number is expected"), Ok)
    }

    fn truth(&self) -> Read<bool> {
        self.json.as_bool().map_or_else(|| self.wrong("`true` or `false` is expected"), Ok)
    }

    /// Reads a field where there is one.
    fn optional<T>(&self, key: &str, read: impl FnOnce(&At<'j>) -> Read<T>) -> Read<Option<T>> {
        self.maybe(key)?.map(|at| read(&at)).transpose()
    }

    fn case(&self) -> Read<Case> {
        let schema = self.field("schema")?;
        if schema.int()? != 1 {
            return schema.wrong("only schema 1 is known");
        }
        let name = self.field("name")?.text()?.to_owned();
        let kind = self.field("kind")?;
        let known = match kind.text()? {
            "core" => self.core(),
            "derivation" => self.derivation(),
            "bad" => self.bad(),
            "reuse" => self.reuse(),
            other => kind.wrong(&format!("unknown kind `{other}`")),
        };
        known.map(|kind| Case { name, kind })
    }

    fn constructors(&self) -> Read<BTreeMap<Name, usize>> {
        let at = self.field("constructors")?;
        let mut known = BTreeMap::new();
        for name in at.object()?.keys() {
            let arity = at.field(name)?;
            let Ok(n) = usize::try_from(arity.natural()?) else { return arity.wrong("too large an arity") };
            known.insert(Name::new(name), n);
        }
        Ok(known)
    }

    fn program(&self, key: &str) -> Read<Program> {
        let main = expression(&self.field(key)?, Mode::Source)?;
        Ok(Program::of(self.constructors()?, main))
    }

    fn core(&self) -> Read<CaseKind> {
        let program = self.program("program")?;
        let expect = self.field("expect")?;
        expect.expects(&["standard", "perceus", "heap"])?;
        let core = Core {
            standard: expect.optional("standard", At::standard)?,
            perceus: expect.optional("perceus", |at| expression(at, Mode::Translation))?,
            heap: expect.optional("heap", At::heap)?,
        };
        Ok(CaseKind::Core(program, core))
    }

    fn derivation(&self) -> Read<CaseKind> {
        let program = self.program("program")?;
        let translation = expression(&self.field("translation")?, Mode::Translation)?;
        let expect = self.field("expect")?;
        expect.expects(&["derivable", "perceus_output", "garbage_free", "standard", "heap"])?;
        let wanted = Derivation {
            derivable: expect.optional("derivable", At::truth)?,
            perceus_output: expect.optional("perceus_output", At::truth)?,
            garbage_free: expect.optional("garbage_free", At::truth)?,
            standard: expect.optional("standard", At::standard)?,
            heap: expect.optional("heap", At::heap)?,
        };
        Ok(CaseKind::Derivation(program, translation, wanted))
    }

    fn bad(&self) -> Read<CaseKind> {
        let program = self.program("program")?;
        let expect = self.field("expect")?;
        expect.expects(&["error", "name", "at"])?;
        let name = expect.field("name")?;
        let bad = Bad {
            error: expect.field("error")?.text()?.to_owned(),
            name: if name.json.is_null() { None } else { Some(name.text()?.to_owned()) },
            at: expect.field("at")?.text()?.to_owned(),
        };
        Ok(CaseKind::Bad(program, bad))
    }

    fn reuse(&self) -> Read<CaseKind> {
        let expect = self.field("expect")?;
        expect.expects(&["unique", "shared"])?;
        let counts = |at: &At<'j>| {
            at.expects(&["value", "fresh", "reused"])?;
            Ok(Reuse {
                value: at.optional("value", At::value)?,
                fresh: at.optional("fresh", At::natural)?,
                reused: at.optional("reused", At::natural)?,
            })
        };
        let unique = (self.program("unique")?, expect.optional("unique", counts)?);
        let shared = (self.program("shared")?, expect.optional("shared", counts)?);
        Ok(CaseKind::Reuse { unique, shared })
    }

    fn value(&self) -> Read<Expr> {
        expression(self, Mode::Value)
    }

    fn standard(&self) -> Read<Standard> {
        self.expects(&["value", "stuck", "diverges_within", "steps"])?;
        let ends = [
            self.optional("value", |at| at.value().map(StandardEnd::Value))?,
            self.optional("stuck", |at| at.text().map(|t| StandardEnd::Stuck(t.to_owned())))?,
            self.optional("diverges_within", |at| at.natural().map(StandardEnd::Diverges))?,
        ];
        let end = self.single(ends, "`value`, `stuck` or `diverges_within`")?;
        Ok(Standard { end, steps: self.optional("steps", At::natural)? })
    }

    fn heap(&self) -> Read<Heap> {
        let mut known = vec!["result", "stuck", "diverges_within", "cells"];
        known.extend(Count::ALL.map(Count::name));
        self.expects(&known)?;
        let ends = [
            self.optional("result", |at| at.operand().map(HeapEnd::Result))?,
            self.optional("stuck", |at| at.text().map(|t| HeapEnd::Stuck(t.to_owned())))?,
            self.optional("diverges_within", |at| at.natural().map(HeapEnd::Diverges))?,
        ];
        let end = self.single(ends, "`result`, `stuck` or `diverges_within`")?;
        let mut counts = Vec::new();
        for count in Count::ALL {
            counts.extend(self.optional(count.name(), At::natural)?.map(|n| (count, n)));
        }
        let cells = self.optional("cells", |at| at.list()?.iter().map(At::cell).collect())?;
        Ok(Heap { end, counts, cells })
    }

    /// The one alternative that is there.
    fn single<T>(&self, of: impl IntoIterator<Item = Option<T>>, names: &str) -> Read<T> {
        let mut there: Vec<T> = of.into_iter().flatten().collect();
        match (there.pop(), there.is_empty()) {
            (Some(one), true) => Ok(one),
            (Some(_), false) | (None, _) => self.wrong(&format!("exactly one of {names} is expected")),
        }
    }

    fn operand(&self) -> Read<Operand> {
        self.only(&["cell", "int"])?;
        let ways = [
            self.optional("cell", |at| at.natural().map(Operand::Cell))?,
            self.optional("int", |at| at.int().map(Operand::Int))?,
        ];
        self.single(ways, "`cell` or `int`")
    }

    fn operands(&self) -> Read<Vec<Operand>> {
        self.list()?.iter().map(At::operand).collect()
    }

    fn cell(&self) -> Read<Cell> {
        let (cell, rc) = (self.field("cell")?.natural()?, self.field("rc")?.natural()?);
        let content = if self.maybe("lam")?.is_some() {
            self.only(&["cell", "rc", "lam", "ys"])?;
            let lam = self.field("lam")?;
            if !lam.truth()? {
                return lam.wrong("`true` is expected");
            }
            let mut ys = self.field("ys")?.operands()?;
            ys.sort_unstable();
            Content::Lam(ys)
        } else {
            self.only(&["cell", "rc", "con", "args"])?;
            Content::Con(self.field("con")?.name()?, self.field("args")?.operands()?)
        };
        Ok(Cell { cell, rc, content })
    }
}
