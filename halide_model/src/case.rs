//! Cases in JSON: an algorithm, a schedule, an input, and what a practical system does with them.
//! Spec: [rule: halide.case].

use crate::alg::{Algorithm, Func, Input, RVar, Update};
use crate::expr::{Access, Expr, Interval, Place, Site, Var};
use crate::op::Op;
use crate::schedule::{Directive, Source};
use crate::tgt::LoopName;
use crate::typed::Scalar;
use rewright_base::sym::Name;
use serde_json::Value as Json;

/// Whether the practical system runs a case or refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It runs.
    Valid,
    /// It is refused.
    Invalid,
}

/// How the formal model relates to the practical system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Formalism {
    /// It accepts or rejects, too.
    Same,
    /// Something outside the formal model is used; otherwise as `Same`.
    Extension,
    /// Valid, but the baseline engine cannot bound it.
    BaselineWeaker,
    /// The practical system runs it, the formal rules forbid it.
    Rejects,
    /// The practical system refuses it, the formal rules as written allow it.
    Accepts,
    /// Both accept it; values or bounds differ.
    Differs,
}

/// A box, `(min, len)` per dimension.
pub type Bounds = Vec<(i64, i64)>;

/// What the practical system recorded about one func.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// The func.
    pub func: Name,
    /// The union of its allocations.
    pub allocated: Bounds,
    /// The bounding box of all stores, if there was one.
    pub stored: Option<Bounds>,
}

/// A case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its name.
    pub name: String,
    /// Whether it runs.
    pub kind: Kind,
    /// What it is about.
    pub about: String,
    /// The algorithm.
    pub algorithm: Algorithm,
    /// The directives, in order.
    pub schedule: Vec<Directive>,
    /// Parameters and window.
    pub input: Input,
    /// Model and practice.
    pub formalism: Formalism,
    /// The values of the window, first variable fastest, when it runs.
    pub expected: Option<Vec<i64>>,
    /// What the algorithm's semantics says, where it differs.
    pub algorithm_value: Option<String>,
    /// Regions, where they were recorded.
    pub regions: Vec<Recorded>,
    /// Why it is refused.
    pub message: Option<String>,
}

type Read<T> = Result<T, String>;

fn field<'j>(j: &'j Json, name: &str) -> Read<&'j Json> {
    j.get(name).ok_or_else(|| format!("field `{name}` is missing"))
}

fn text<'j>(j: &'j Json, name: &str) -> Read<&'j str> {
    field(j, name)?.as_str().ok_or_else(|| format!("field `{name}` is not a text"))
}

fn name_of(j: &Json, name: &str) -> Read<Name> {
    text(j, name).map(Name::new)
}

fn number(j: &Json, name: &str) -> Read<i64> {
    field(j, name)?.as_i64().ok_or_else(|| format!("field `{name}` is not an integer"))
}

fn index(j: &Json, name: &str) -> Read<usize> {
    usize::try_from(number(j, name)?).map_err(|_| format!("field `{name}` is negative"))
}

fn list<'j>(j: &'j Json, name: &str) -> Read<&'j Vec<Json>> {
    field(j, name)?.as_array().ok_or_else(|| format!("field `{name}` is not a list"))
}

/// Reads a case.
///
/// # Errors
/// What is not as the format wants it.
pub fn read(source: &str) -> Read<Case> {
    let j: Json = serde_json::from_str(source).map_err(|e| e.to_string())?;
    if number(&j, "schema")? != 1 {
        return Err("only schema 1 is known".to_owned());
    }
    let mut names = Vec::new();
    let mut params = Vec::new();
    for p in list(&j, "params")? {
        names.push(name_of(p, "name")?);
        params.push(number(p, "value")?);
    }
    let reader = Reader { params: names.clone() };
    let funcs: Vec<Func> = list(&j, "funcs")?.iter().map(|f| reader.func(f)).collect::<Read<_>>()?;
    let output = funcs.last().ok_or("there is no func")?.name;
    let schedule = list(&j, "schedule")?.iter().map(|d| reader.directive(d)).collect::<Read<_>>()?;
    let window = list(&j, "window")?.iter().map(|w| Ok((number(w, "min")?, number(w, "len")?)));
    let input = Input::new(params, window.collect::<Read<_>>()?);
    input.in_range().map_err(|e| e.to_string())?;
    Ok(Case {
        name: text(&j, "name")?.to_owned(),
        kind: match text(&j, "kind")? {
            "valid" => Kind::Valid,
            "invalid" => Kind::Invalid,
            other => return Err(format!("`{other}` is not a kind of case")),
        },
        about: text(&j, "about")?.to_owned(),
        input,
        algorithm: Algorithm::new(output, names, funcs),
        schedule,
        formalism: formalism(text(&j, "formalism")?)?,
        expected: expected(&j)?,
        algorithm_value: j.get("algorithm_value").and_then(Json::as_str).map(str::to_owned),
        regions: regions(&j)?,
        message: j.get("halide").and_then(|h| h.get("message")).and_then(Json::as_str).map(str::to_owned),
    })
}

fn formalism(text: &str) -> Read<Formalism> {
    Ok(match text {
        "same" => Formalism::Same,
        "extension" => Formalism::Extension,
        "baseline-weaker" => Formalism::BaselineWeaker,
        "rejects" => Formalism::Rejects,
        "accepts" => Formalism::Accepts,
        "differs" => Formalism::Differs,
        other => return Err(format!("`{other}` is not a relation of model and practice")),
    })
}

fn expected(j: &Json) -> Read<Option<Vec<i64>>> {
    let Some(e) = j.get("expected") else { return Ok(None) };
    let values = list(e, "values")?.iter().map(|v| v.as_i64().ok_or("a value is not an integer".to_owned()));
    values.collect::<Read<_>>().map(Some)
}

fn bounds(j: &Json) -> Read<Bounds> {
    let dims = j.as_array().ok_or("a box is not a list")?;
    let dim = |d: &Json| Some((d.get(0)?.as_i64()?, d.get(1)?.as_i64()?));
    dims.iter().map(|d| dim(d).ok_or_else(|| "a box is not a list of pairs".to_owned())).collect()
}

fn regions(j: &Json) -> Read<Vec<Recorded>> {
    let Some(all) = j.get("halide").and_then(|h| h.get("regions")).and_then(Json::as_object) else {
        return Ok(Vec::new());
    };
    let mut out = Vec::new();
    for (f, r) in all {
        let stored = r.get("stored").filter(|s| !s.is_null()).map(bounds).transpose()?;
        out.push(Recorded { func: Name::new(f), allocated: bounds(field(r, "allocated")?)?, stored });
    }
    Ok(out)
}

struct Reader {
    params: Vec<Name>,
}

impl Reader {
    fn func(&self, j: &Json) -> Read<Func> {
        let vars =
            list(j, "vars")?.iter().map(|v| v.as_str().map(Name::new).ok_or("a variable is not a text"));
        let vars: Vec<Name> = vars.collect::<Result<_, _>>()?;
        let pure = self.expr(field(j, "pure")?, &vars)?;
        let updates = list(j, "updates")?.iter().map(|u| self.update(u, &vars)).collect::<Read<_>>()?;
        Ok(Func {
            name: name_of(j, "name")?,
            vars,
            scalar: Scalar::Integer,
            parts: Vec::new(),
            pure,
            updates,
            span: Place::NONE,
        })
    }

    fn update(&self, j: &Json, vars: &[Name]) -> Read<Update> {
        let mut rdom = Vec::new();
        for r in list(j, "rdom")? {
            let domain =
                Interval { min: self.expr(field(r, "min")?, vars)?, len: self.expr(field(r, "len")?, vars)? };
            rdom.push(RVar { var: name_of(r, "var")?, domain, span: Place::NONE });
        }
        let scope: Vec<Name> = vars.iter().copied().chain(rdom.iter().map(|r| r.var)).collect();
        let cond = field(j, "where")?;
        Ok(Update {
            rdom,
            lhs: list(j, "lhs")?.iter().map(|e| self.expr(e, &scope)).collect::<Read<_>>()?,
            rhs: self.expr(field(j, "rhs")?, &scope)?,
            cond: if cond.is_null() { Expr::int(1) } else { self.expr(cond, &scope)? },
            span: Place::NONE,
        })
    }

    fn expr(&self, j: &Json, scope: &[Name]) -> Read<Expr> {
        if let Some(v) = j.as_i64() {
            return Ok(Expr::int(v));
        }
        if let Some(x) = j.as_str() {
            let x = Name::new(x);
            let is_param = !scope.contains(&x) && self.params.contains(&x);
            return Ok(Expr::Var(if is_param { Var::Param(x) } else { Var::Local(x) }));
        }
        let wrong = || format!("not an expression: {j}");
        let parts = j.as_array().ok_or_else(wrong)?;
        let (head, args) = parts.split_first().ok_or_else(wrong)?;
        let head = head.as_str().ok_or_else(wrong)?;
        if head == "call" {
            let (func, args) = args.split_first().ok_or_else(wrong)?;
            let func = Name::new(func.as_str().ok_or_else(wrong)?);
            let args: Vec<Expr> = args.iter().map(|e| self.expr(e, scope)).collect::<Read<_>>()?;
            return Ok(Expr::Access(Access { func, site: None, args: args.into(), span: Place::NONE }));
        }
        let op = Op::of_name(head).ok_or_else(|| format!("`{head}` is not an operator"))?;
        let args: Vec<Expr> = args.iter().map(|e| self.expr(e, scope)).collect::<Read<_>>()?;
        if args.len() == op.arity() { Ok(Expr::op(op, args)) } else { Err(wrong()) }
    }

    fn directive(&self, j: &Json) -> Read<Directive> {
        let name = text(j, "op")?;
        let found = Directive::read(name, &mut Fields { reader: self, json: j })?;
        found.ok_or_else(|| format!("`{name}` is not a directive"))
    }
}

/// The arguments of a directive, by name.
struct Fields<'a> {
    reader: &'a Reader,
    json: &'a Json,
}

impl Source for Fields<'_> {
    type Error = String;

    fn func(&mut self) -> Read<Name> {
        name_of(self.json, "func")
    }

    fn variable(&mut self, field: &str) -> Read<Name> {
        name_of(self.json, field)
    }

    fn loop_name(&mut self) -> Read<LoopName> {
        let j = field(self.json, "loop")?;
        let site = Site { func: name_of(j, "func")?, stage: index(j, "stage")?, spec: index(j, "spec")? };
        Ok(LoopName { site, var: name_of(j, "var")? })
    }

    fn stage(&mut self) -> Read<usize> {
        index(self.json, "stage")
    }

    fn expr(&mut self, name: &str) -> Read<Expr> {
        self.reader.expr(field(self.json, name)?, &[])
    }

    fn funcs(&mut self, name: &str) -> Read<Vec<Name>> {
        let given = field(self.json, name)?;
        let all = given.as_array().into_iter().flatten().map(|v| v.as_str().map(Name::new));
        all.collect::<Option<_>>().ok_or_else(|| "a func is not a text".to_owned())
    }

    fn pairs(&mut self, field: &str) -> Read<Vec<(Name, Name)>> {
        let pair = |p: &Json| Some((Name::new(p.get(0)?.as_str()?), Name::new(p.get(1)?.as_str()?)));
        let all = list(self.json, field)?.iter().map(pair).collect::<Option<_>>();
        all.ok_or_else(|| format!("`{field}` is not a list of pairs"))
    }

    fn exprs(&mut self, name: &str) -> Read<Vec<Expr>> {
        list(self.json, name)?.iter().map(|e| self.reader.expr(e, &[])).collect()
    }

    fn word<T: Copy>(&mut self, field: &str, words: &[(&'static str, T)], otherwise: Option<T>) -> Read<T> {
        if let (Some(value), None) = (otherwise, self.json.get(field)) {
            return Ok(value);
        }
        let given = text(self.json, field)?;
        let found = words.iter().find(|(word, _)| *word == given);
        found.map(|(_, value)| *value).ok_or_else(|| format!("`{given}` is not a word for `{field}`"))
    }
}
