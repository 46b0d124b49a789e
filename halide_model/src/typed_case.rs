//! Cases with types in JSON: pipelines with input buffers, and what a practical system does with them. Spec: [rule: halide.case].

mod boundary;
mod expr;
mod prelude;
mod schedule;

use crate::alg::{Algorithm, Func, Image, Input, RVar, Update};
use crate::buffer::Buffer;
use crate::case::{Bounds, Kind, Recorded};
use crate::expr::{Expr, Interval, Place, Var};
use crate::float::Float;
use crate::int::Int;
use crate::op::Op;
use crate::promote::{I32, TypeError, Types};
use crate::schedule::Directive;
use crate::typed::Scalar;
use crate::value::Value;
use rewright_base::sym::Name;
use serde_json::Value as Json;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// When a practical system refuses a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// When it is written.
    Definition,
    /// When a directive is given.
    Schedule,
    /// When it is compiled.
    Lowering,
    /// When it is run.
    Runtime,
}

impl Stage {
    /// The stage of that name.
    pub fn of_name(name: &str) -> Option<Stage> {
        [Stage::Definition, Stage::Schedule, Stage::Lowering, Stage::Runtime]
            .into_iter()
            .find(|s| s.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Definition => "definition",
            Stage::Schedule => "schedule",
            Stage::Lowering => "lowering",
            Stage::Runtime => "runtime",
        }
    }
}

/// A pipeline, and what is stated of it.
#[derive(Clone, Debug)]
pub struct Pipeline {
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The directives, in order.
    pub schedule: Vec<Directive>,
    /// Parameters, buffers and windows.
    pub input: Input,
    /// The values of the windows, one output after the other, first variable fastest.
    pub expected: Vec<Value>,
    /// How many units in the last place each may differ by.
    pub ulps: Vec<u64>,
    /// Regions, where they were recorded.
    pub regions: Vec<Recorded>,
    /// The regions that are asked of input buffers, where they were recorded.
    pub required: Vec<(Name, Bounds)>,
}

/// A case.
#[derive(Clone, Debug)]
pub struct TypedCase {
    /// Its name.
    pub name: String,
    /// Whether it runs.
    pub kind: Kind,
    /// What it is about.
    pub about: String,
    /// The pipeline.
    pub pipeline: Pipeline,
    /// When it is refused, if it is.
    pub rejected_at: Option<Stage>,
}

/// Why a case is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// What is written in it does not fit together: it is refused when it is written.
    Refused(TypeError),
    /// Something that the model does not have.
    NotCovered(String),
    /// It is not as the format wants it.
    Wrong(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unread::Refused(e) => write!(f, "{}: {}", e.rule, e.why),
            Unread::NotCovered(what) => write!(f, "not covered: {what}"),
            Unread::Wrong(why) => f.write_str(why),
        }
    }
}

impl From<TypeError> for Unread {
    fn from(e: TypeError) -> Unread {
        Unread::Refused(e)
    }
}

impl From<String> for Unread {
    fn from(why: String) -> Unread {
        Unread::Wrong(why)
    }
}

type Read<T> = Result<T, Unread>;

fn wrong<T>(why: String) -> Read<T> {
    Err(Unread::Wrong(why))
}

fn not_covered<T>(what: impl Into<String>) -> Read<T> {
    Err(Unread::NotCovered(what.into()))
}

fn field<'j>(j: &'j Json, name: &str) -> Read<&'j Json> {
    j.get(name).ok_or_else(|| Unread::Wrong(format!("field `{name}` is missing")))
}

fn text<'j>(j: &'j Json, name: &str) -> Read<&'j str> {
    field(j, name)?.as_str().ok_or_else(|| Unread::Wrong(format!("field `{name}` is not a text")))
}

fn name_of(j: &Json, name: &str) -> Read<Name> {
    text(j, name).map(Name::new)
}

fn index(j: &Json, name: &str) -> Read<usize> {
    let found = field(j, name)?.as_u64().and_then(|v| usize::try_from(v).ok());
    found.ok_or_else(|| Unread::Wrong(format!("field `{name}` is no index")))
}

fn list<'j>(j: &'j Json, name: &str) -> Read<&'j [Json]> {
    let found = field(j, name)?.as_array().map(Vec::as_slice);
    found.ok_or_else(|| Unread::Wrong(format!("field `{name}` is not a list")))
}

fn bounds(j: &Json) -> Read<Bounds> {
    let dim = |d: &Json| Some((d.get(0)?.as_i64()?, d.get(1)?.as_i64()?));
    let dims = j.as_array().map(|dims| dims.iter().map(dim).collect::<Option<Bounds>>());
    dims.flatten().ok_or_else(|| Unread::Wrong("a box is not a list of pairs".to_owned()))
}

/// The type of that short name.
fn scalar_of(name: &str) -> Read<Scalar> {
    let long = match name.split_at_checked(1) {
        Some(("u", bits)) => format!("uint{bits}"),
        Some(("i", bits)) => format!("int{bits}"),
        Some(("f", bits)) => format!("float{bits}"),
        _ => name.to_owned(),
    };
    let found = Scalar::of_name(&long).filter(|s| *s != Scalar::Integer);
    found.ok_or_else(|| Unread::Wrong(format!("`{name}` is not a type")))
}

/// A value of a type.
fn value(scalar: Scalar, j: &Json) -> Read<Value> {
    let found = match scalar {
        Scalar::Float(p) => {
            let special = match j.as_str() {
                Some("nan") => Some(f64::NAN),
                Some("inf") => Some(f64::INFINITY),
                Some("-inf") => Some(f64::NEG_INFINITY),
                _ => None,
            };
            special.or_else(|| j.as_f64()).map(|v| Value::Float(Float::new(p, v)))
        }
        Scalar::Bool | Scalar::Integer | Scalar::Signed(_) | Scalar::Unsigned(_) => {
            let truth = j.as_bool().map(i64::from);
            let small = j.as_i64().or(truth).map(Value::int);
            small.or_else(|| j.as_u64().map(|v| Value::Int(Int::from_big(v.into()))))
        }
    };
    found.ok_or_else(|| Unread::Wrong(format!("{j} is not a value of type {scalar}")))
}

fn values(scalar: Scalar, j: &Json) -> Read<Vec<Value>> {
    let all = j.as_array().ok_or_else(|| Unread::Wrong("values are not a list".to_owned()))?;
    all.iter().map(|v| value(scalar, v)).collect()
}

/// What is declared.
#[derive(Default)]
struct Declared {
    params: Vec<(Name, i64)>,
    types: BTreeMap<Name, Scalar>,
    inputs: Vec<(Image, Buffer)>,
    requires: Vec<Expr>,
}

impl Declared {
    fn read(j: &Json) -> Read<Declared> {
        let mut out = Declared::default();
        for i in list(j, "inputs")? {
            let scalar = scalar_of(text(i, "type")?)?;
            let buffer =
                Buffer { bounds: bounds(field(i, "box")?)?, values: values(scalar, field(i, "data")?)? };
            let image =
                Image { name: name_of(i, "name")?, scalar, rank: buffer.bounds.len(), span: Place::NONE };
            let required = i.get("require").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
            for (d, (min, len)) in buffer.bounds.iter().enumerate() {
                let wanted = |end: &str| required.get(d).and_then(|r| r.get(end)?.as_i64());
                for end in ["min", "len"] {
                    if let Some(v) = wanted(end) {
                        let here = Expr::Var(Var::Param(boundary::end(image.name, d, end)));
                        out.requires.push(Expr::binary(Op::Eq, here, Expr::int(v)));
                    }
                }
                // The input's own box, as boundary conditions use it.
                for (end, v) in [("min", *min), ("len", *len)] {
                    let name = boundary::end(image.name, d, end);
                    out.types.insert(name, I32);
                    out.params.push((name, v));
                }
            }
            out.inputs.push((image, buffer));
        }
        for p in list(j, "params")? {
            let (name, scalar) = (name_of(p, "name")?, scalar_of(text(p, "type")?)?);
            let v = value(scalar, field(p, "value")?)?;
            match v.to_i64().filter(|_| !scalar.is_data()) {
                Some(v) => {
                    out.types.insert(name, scalar);
                    out.params.push((name, v));
                    let range = p.get("range").and_then(Json::as_array).map(Vec::as_slice);
                    if let Some([lo, hi]) = range {
                        let here = Expr::Var(Var::Param(name));
                        let beyond = |op, end: &Json| {
                            let end = end.as_i64().map(Expr::int);
                            end.map(|e| Expr::op(Op::Not, [Expr::binary(op, here.clone(), e)]))
                        };
                        out.requires.extend(beyond(Op::Lt, lo).into_iter().chain(beyond(Op::Gt, hi)));
                    }
                }
                None if p.get("range").is_some_and(|r| !r.is_null()) => {
                    return not_covered("the declared range of a parameter that is no control");
                }
                None => {
                    let image = Image { name, scalar, rank: 0, span: Place::NONE };
                    out.inputs.push((image, Buffer { bounds: Vec::new(), values: vec![v] }));
                }
            }
        }
        Ok(out)
    }
}

/// Reads a case.
///
/// # Errors
/// Why it is not read.
pub fn read(source: &str) -> Read<TypedCase> {
    let j: Json = serde_json::from_str(source).map_err(|e| Unread::Wrong(e.to_string()))?;
    if field(&j, "schema")?.as_i64() != Some(2) {
        return wrong("only schema 2 has types".to_owned());
    }
    let (kind, rejected_at) = verdict(&j)?;
    let declared = Declared::read(&j)?;
    let mut reader = Reader::new(&declared);
    let mut funcs = Vec::new();
    for f in list(&j, "funcs")? {
        let before = reader.made.borrow().len();
        let read = reader.func(f)?;
        funcs.extend(reader.made.borrow().iter().skip(before).cloned());
        funcs.extend(read);
    }
    let pipeline = reader.pipeline(&j, &declared, &funcs)?;
    Ok(TypedCase {
        name: text(&j, "name")?.to_owned(),
        kind,
        about: text(&j, "about")?.to_owned(),
        pipeline,
        rejected_at,
    })
}

/// What a case states about itself, whether or not the rest of it can be read.
///
/// # Errors
/// It is not as the format wants it.
pub fn stated(source: &str) -> Result<(Kind, Option<Stage>), String> {
    let j: Json = serde_json::from_str(source).map_err(|e| e.to_string())?;
    verdict(&j).map_err(|e| e.to_string())
}

fn verdict(j: &Json) -> Read<(Kind, Option<Stage>)> {
    let kind = match text(j, "kind")? {
        "valid" => return Ok((Kind::Valid, None)),
        "invalid" => Kind::Invalid,
        other => return wrong(format!("`{other}` is not a kind of case")),
    };
    let at = text(field(j, "expect")?, "rejected_at")?;
    let stage = Stage::of_name(at).ok_or_else(|| Unread::Wrong(format!("`{at}` is not a stage")))?;
    Ok((kind, Some(stage)))
}

struct Reader {
    /// The types of what is declared and defined.
    base: Types,
    /// Names of parameters, and of inputs without dimensions.
    params: BTreeSet<Name>,
    scalars: BTreeSet<Name>,
    ranks: BTreeMap<Name, usize>,
    /// The funcs of reductions inside of expressions.
    made: RefCell<Vec<Func>>,
}

impl Reader {
    fn new(d: &Declared) -> Reader {
        let mut types = Types { params: d.types.clone(), ..Types::default() };
        let mut scalars = BTreeSet::new();
        let mut ranks = BTreeMap::new();
        for (i, _) in &d.inputs {
            types.reads.insert(i.name, i.scalar);
            ranks.insert(i.name, i.rank);
            if i.rank == 0 {
                scalars.insert(i.name);
            }
        }
        let params = d.params.iter().map(|(p, _)| *p).collect();
        Reader { base: types, params, scalars, ranks, made: RefCell::default() }
    }

    fn func(&mut self, j: &Json) -> Read<Vec<Func>> {
        let name = name_of(j, "name")?;
        let vars = list(j, "vars")?.iter().map(|v| v.as_str().map(Name::new));
        let vars: Vec<Name> = vars.collect::<Option<_>>().ok_or("a variable is not a text".to_owned())?;
        let scope = expr::Scope::of(&vars);
        self.ranks.insert(name, vars.len());
        let updates = list(j, "updates")?;
        let pure = field(j, "pure")?;
        let func = |name, scalar, pure| Func {
            name,
            vars: vars.clone(),
            scalar,
            parts: Vec::new(),
            pure,
            updates: Vec::new(),
            span: Place::NONE,
        };
        if let Some(b) = j.get("boundary") {
            let pure = self.boundary(b, &vars)?;
            let scalar = self.types().scalar(&pure);
            self.base.reads.insert(name, scalar);
            return Ok(vec![func(name, scalar, pure)]);
        }
        let pure = if pure.is_null() { self.zero(&vars, updates)? } else { self.expr(pure, &scope)? };
        let found = self.types().values(&pure)?;
        let is_tuple = matches!(pure, Expr::Op(Op::Tuple(_), _));
        let scalar = if is_tuple { Scalar::Integer } else { self.types().scalar(&pure) };
        self.base.reads.insert(name, scalar);
        let parts = if is_tuple { found.clone() } else { Vec::new() };
        self.base.parts.insert(name, parts.clone());
        let updates = updates.iter().map(|u| self.update(u, &vars, &found)).collect::<Read<_>>()?;
        Ok(vec![Func { updates, parts, ..func(name, scalar, pure) }])
    }

    /// Without a pure definition a func begins as zero of what the first update adds.
    fn zero(&self, vars: &[Name], updates: &[Json]) -> Read<Expr> {
        let Some(first) = updates.first() else { return wrong("a func without a definition".to_owned()) };
        let mut scope = expr::Scope::of(vars);
        for r in list(first, "rdom")? {
            scope.bind(name_of(r, "var")?);
        }
        let added = field(first, "rhs")?.get(2).ok_or("an update that adds nothing".to_owned())?;
        let to = self.types().scalar(&self.expr(added, &scope)?);
        Ok(self.types().cast(to, Expr::int(0)))
    }

    fn update(&self, j: &Json, vars: &[Name], wanted: &[Scalar]) -> Read<Update> {
        let mut rdom = Vec::new();
        let outside = expr::Scope::of(vars);
        let mut scope = expr::Scope::of(vars);
        for r in list(j, "rdom")? {
            let end = |name| Ok::<_, Unread>(self.types().index(&self.expr(field(r, name)?, &outside)?)?);
            let domain = Interval { min: end("min")?, len: end("len")? };
            rdom.push(RVar { var: name_of(r, "var")?, domain, span: Place::NONE });
        }
        rdom.iter().for_each(|r| scope.bind(r.var));
        let cond = field(j, "where")?;
        let cond =
            if cond.is_null() { Expr::int(1) } else { self.types().condition(&self.expr(cond, &scope)?)? };
        let lhs = list(j, "lhs")?.iter().map(|e| Ok(self.types().index(&self.expr(e, &scope)?)?));
        let lhs = lhs.collect::<Read<_>>()?;
        let rhs = self.expr(field(j, "rhs")?, &scope)?;
        let found = self.types().values(&rhs)?;
        if found.len() != wanted.len() {
            let why = format!("a func of {} values is updated with {}", wanted.len(), found.len());
            return Err(Unread::Refused(TypeError { rule: "halide.tuple", why }));
        }
        if let Some((wanted, found)) = wanted.iter().zip(&found).find(|(a, b)| a != b) {
            let why = format!("a func of type {wanted} is updated with a value of type {found}");
            return Err(Unread::Refused(TypeError { rule: "halide.type", why }));
        }
        Ok(Update { rdom, lhs, rhs, cond, span: Place::NONE })
    }

    /// The pipeline, with all of its outputs.
    fn pipeline(&self, j: &Json, d: &Declared, funcs: &[Func]) -> Read<Pipeline> {
        let mut asked = Vec::new();
        for output in list(j, "outputs")? {
            let window = list(output, "window")?
                .iter()
                .map(|w| Some((w.get("min")?.as_i64()?, w.get("len")?.as_i64()?)));
            let window: Vec<(i64, i64)> =
                window.collect::<Option<_>>().ok_or("a window is not a box".to_owned())?;
            asked.push((name_of(output, "func")?, window));
        }
        let algorithm = algorithm(&asked.iter().map(|(f, _)| *f).collect::<Vec<_>>(), d, funcs)?;
        let schedule = self.schedule(field(j, "schedule")?, &algorithm)?;
        let params = algorithm.params.iter().filter_map(|p| d.params.iter().find(|(q, _)| q == p));
        let buffers = algorithm.inputs.iter().filter_map(|i| d.inputs.iter().find(|(j, _)| j.name == i.name));
        let input = Input {
            params: params.map(|(_, v)| *v).collect(),
            window: asked.into_iter().flat_map(|(_, window)| window).collect(),
            buffers: buffers.map(|(_, b)| b.clone()).collect(),
        };
        input.in_range().map_err(|e| Unread::NotCovered(e.to_string()))?;
        let expect = field(j, "expect")?;
        let (expected, ulps) = expected(expect)?;
        let (regions, required) = (regions(expect)?, required(expect)?);
        Ok(Pipeline { algorithm, schedule, input, expected, ulps, regions, required })
    }
}

/// The funcs that the outputs need, and what they read.
fn algorithm(outputs: &[Name], d: &Declared, funcs: &[Func]) -> Read<Algorithm> {
    let Some((output, also)) = outputs.split_first() else { return wrong("there is no output".to_owned()) };
    let mut needed: BTreeSet<Name> = outputs.iter().copied().collect();
    for f in funcs.iter().rev() {
        if needed.contains(&f.name) {
            needed.extend(f.references());
        }
    }
    let funcs: Vec<Func> = funcs.iter().filter(|f| needed.contains(&f.name)).cloned().collect();
    let inputs: Vec<Image> =
        d.inputs.iter().map(|(i, _)| i.clone()).filter(|i| needed.contains(&i.name)).collect();
    let params: Vec<Name> = d.params.iter().map(|(p, _)| *p).collect();
    let params: Vec<Name> = params
        .into_iter()
        .filter(|p| {
            let required = d.requires.iter().any(|e| e.mentions(Var::Param(*p)));
            !boundary::is_end(*p) || required || funcs.iter().any(|f| mentions(f, *p))
        })
        .collect();
    let types = d.types.iter().filter(|(p, _)| params.contains(p)).map(|(p, s)| (*p, *s)).collect();
    let also = also.to_vec();
    let requires = d.requires.clone();
    Ok(Algorithm { types, inputs, also, requires, typed: true, ..Algorithm::new(*output, params, funcs) })
}

fn mentions(f: &Func, p: Name) -> bool {
    let domains = f.updates.iter().flat_map(|u| &u.rdom).flat_map(|r| [&r.domain.min, &r.domain.len]);
    let stages = f.all_stages();
    domains.chain(stages.iter().flat_map(Update::exprs)).any(|e| e.mentions(Var::Param(p)))
}

/// The values of the windows, one output after the other, and how many units in the last place they may differ by.
fn expected(expect: &Json) -> Read<(Vec<Value>, Vec<u64>)> {
    let (mut all, mut ulps) = (Vec::new(), Vec::new());
    for output in expect.get("outputs").and_then(Json::as_array).into_iter().flatten() {
        let scalars = list(output, "types")?.iter().map(|t| t.as_str().map(scalar_of));
        let scalars: Vec<Scalar> = scalars
            .map(|s| s.unwrap_or_else(|| wrong("an output without a type".to_owned())))
            .collect::<Read<_>>()?;
        let parts = scalars.iter().zip(list(output, "values")?).map(|(s, v)| values(*s, v));
        let parts: Vec<Vec<Value>> = parts.collect::<Read<_>>()?;
        let may = field(output, "tolerance")?.get("ulps").and_then(Json::as_u64).unwrap_or(0);
        let found = match parts.as_slice() {
            [one] => one.clone(),
            several => {
                let count = several.iter().map(Vec::len).min().unwrap_or(0);
                let point = |i: usize| several.iter().filter_map(|p| p.get(i).cloned()).collect();
                (0..count).map(|i| Value::Tuple(point(i))).collect()
            }
        };
        ulps.extend(found.iter().map(|_| may));
        all.extend(found);
    }
    Ok((all, ulps))
}

fn regions(expect: &Json) -> Read<Vec<Recorded>> {
    let Some(all) = expect.get("regions").and_then(Json::as_object) else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for (f, r) in all {
        let Some(allocated) = r.get("allocated").filter(|b| !b.is_null()) else { continue };
        let stored = r.get("stored").filter(|s| !s.is_null()).map(bounds).transpose()?;
        out.push(Recorded { func: Name::new(f), allocated: bounds(allocated)?, stored });
    }
    Ok(out)
}

fn required(expect: &Json) -> Read<Vec<(Name, Bounds)>> {
    let Some(all) = expect.get("inputs").and_then(Json::as_object) else { return Ok(Vec::new()) };
    let known = all.iter().filter_map(|(i, r)| Some((i, r.get("required").filter(|b| !b.is_null())?)));
    known.map(|(i, b)| Ok((Name::new(i), bounds(b)?))).collect()
}
