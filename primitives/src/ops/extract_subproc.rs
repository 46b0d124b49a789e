//! ```text
//!                 def name(n: size, x: f32[n]): s
//! s    ~>    …    name(n, x)
//! ```
//! The names that occur free in `s`, and in the extents of buffers among them, become arguments: buffers as they are
//! declared, windows as windows. With `include_asserts`, what is known at the place becomes a precondition: those of
//! the procedure, and the guards and loop bounds around `s`, as far as they are about these arguments and no field.
//! Where the new procedure is not safe with these alone, there are also those about fields, that windows are dense, and
//! what indices and callees need, as far as this holds at the call.
//!
//! Both procedures come of it: `p, q = extract_subproc(p, block, "q")`.
//!
//! Source: ASPLOS'25 App. A.4. Spec: [rule: extract_subproc].

use crate::cursor::At;
use crate::cursor::path::{Hole, Place, Step, run_at, stmt_at};
use crate::cursor::resolve;
use crate::edit::Edit;
use crate::error::Result;
use crate::left_open::may_be_open;
use crate::registry::{ArgKind, Condition, Default, Exact, Primitive, form, optional, required};
use crate::rewrite::{Rewrite, WELL_TYPED};
use crate::tools::requires::calls::Required;
use crate::tools::requires::needs::needs;
use crate::tools::syntax::stmt_views::{Call, For, If};
use crate::version::Proc;
use rewright_effects::context::Context;
use rewright_effects::frontend::{CALL_DENSE, Requirement, check_call_shapes};
use rewright_effects::names::{bound_names, callees, expr_names, fields_in_expr, free_names};
use rewright_semantics::ast::{self, Arg, Expr};
use rewright_semantics::build::{block, call, eq, int, le, lt, not, stride, var};
use rewright_semantics::pretty::expr_to_string;
use rewright_semantics::span::Span;
use rewright_semantics::sym::{Name, Sym};
use rewright_semantics::syntax::fold::constant;
use rewright_semantics::syntax::naming::is_name;
use rewright_semantics::syntax::subst::fresh_proc;
use rewright_semantics::types::env::{TypeEnv, VarType};
use rewright_semantics::types::{ArgType, ArrayKind, ControlType};
use std::collections::BTreeSet;
use std::sync::Arc;

const SCOPE: Condition = form("scope", "nothing that the statements define is used afterwards");
const ASSERTS: Condition = form("asserts", "the preconditions of the new procedure hold where it is called");
const ALIASING: Condition = form("aliasing", "what the new procedure changes is passed to it once");

/// What becomes of what is known where the statements stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asserts {
    /// The new procedure does not rely on it.
    Omitted,
    /// It is asserted by the new procedure.
    Included,
}

/// Most proposals of what the statements need that are tried.
const NEEDS: usize = 64;

/// The entry of [`extract_subproc`].
pub static EXTRACT_SUBPROC: Primitive = Primitive {
    name: "extract_subproc",
    summary: "makes a procedure of statements, and calls it in their place",
    source: "ASPLOS'25 App. A.4",
    params: &[
        required("block", ArgKind::Block),
        required("subproc_name", ArgKind::NewName),
        optional("include_asserts", ArgKind::Bool, Default::Bool(true)),
    ],
    conditions: &[SCOPE, ASSERTS, ALIASING],
    exact: Exact::Always,
    run: |p, args| {
        let asserts = if args.bool("include_asserts")? { Asserts::Included } else { Asserts::Omitted };
        let name = args.text("subproc_name")?;
        extract_subproc(p, args.at("block")?, &name, asserts).map(|(new, _)| new)
    },
};

/// Makes a procedure of statements: the caller, and the new procedure.
///
/// # Errors
/// A condition fails, the name is none or taken, or there are no statements.
pub fn extract_subproc(p: &Proc, at: impl Into<At>, name: &str, asserts: Asserts) -> Result<(Proc, Proc)> {
    let include_asserts = asserts == Asserts::Included;
    let run = resolve::block(p, &at.into())?;
    let mut rw = Rewrite::new(p, &EXTRACT_SUBPROC);
    rw.at("block", Place::Block(run.clone()));
    rw.arg("subproc_name", name);
    rw.arg("include_asserts", include_asserts);
    check_name(&rw, p, name)?;
    let ctx = rw.context(&run)?;
    let escapes = bound_names(&ctx.hole).into_iter().find(|x| ctx.later().contains(x));
    rw.require_that(&SCOPE, escapes.is_none(), || match escapes {
        Some(x) => format!("`{x}` is defined by the statements and used afterwards"),
        None => String::new(),
    })?;
    let at = ctx.hole.iter().fold(Span::NONE, |span, s| span.to(s.span));
    let mut sub = Extraction::of(p, &run, name).ok_or_else(|| rw.internal("no such block"))?;
    if let Some((x, extent)) = sub.extent_of_fields() {
        let extent = expr_to_string(&extent);
        let why =
            format!("`{x}` would be an argument, and its extent `{extent}` reads a field, which no type may");
        return Err(rw.refuse(&WELL_TYPED, why, at));
    }
    if include_asserts {
        sub.assert_known(p, &run, &ctx, at);
    }
    let (callee, args) = sub.made();
    let callee = Arc::new(callee);
    // A window loses its strides on the way: what was dense around the statements need not be known to be inside.
    for required in check_call_shapes(&ctx.analysis, &callee) {
        let ob = &required.obligation;
        let is_open = ob.id == CALL_DENSE && !p.session().decide(ob).is_proved();
        let is_refused = is_open && !may_be_open(p.session(), &required, &callee);
        let Requirement { obligation, danger, .. } = required;
        if is_refused {
            let at = obligation.locations.first().map_or(Span::NONE, |(at, _)| *at);
            return Err(rw.refuse(&WELL_TYPED, danger, at));
        }
        if is_open {
            rw.postpones(danger);
        }
    }
    let Required { sizes, windows: _, asserts, aliasing } = Required::of(&ctx, &callee, &args, at);
    rw.require(&ASSERTS, sizes.into_iter().chain(asserts))?;
    rw.require(&ALIASING, aliasing)?;
    rw.replace(&run, block([call(&callee, args)]));
    let new = rw.finish()?;
    let sub = Proc::extracted(callee, &new);
    Ok((new, sub))
}

impl Proc {
    /// Makes a procedure of statements, and calls it in their place: [`extract_subproc`](fn@extract_subproc).
    ///
    /// # Errors
    /// As the function.
    pub fn extract_subproc(&self, at: impl Into<At>, name: &str, asserts: Asserts) -> Result<(Proc, Proc)> {
        extract_subproc(self, at, name, asserts)
    }
}

/// The procedure that was extracted to make this version, if one was.
pub fn extracted(p: &Proc) -> Option<Proc> {
    let origin = p.origin().filter(|o| o.step.primitive == EXTRACT_SUBPROC.name)?;
    origin.step.edits.iter().find_map(|edit| match edit {
        Edit::Replace { run: _, stmts, as_whole: _ } => {
            Some(Proc::extracted(Call::of(stmts.get(0)?)?.proc, p))
        }
        Edit::Insert { .. }
        | Edit::Delete { .. }
        | Edit::Reshape { .. }
        | Edit::ReplaceExpr { .. }
        | Edit::Move { .. }
        | Edit::Wrap { .. }
        | Edit::Head { .. }
        | Edit::Redirect { .. }
        | Edit::RedirectExpr { .. } => None,
    })
}

fn check_name(rw: &Rewrite, p: &Proc, name: &str) -> Result<()> {
    if !is_name(name) {
        return Err(rw.wrong_argument(format!("`{name}` is no name")));
    }
    let mut taken = p.name().as_str() == name;
    callees(&p.ast().body, &mut |callee| taken = taken || callee.name.as_str() == name);
    if taken {
        return Err(rw.wrong_argument(format!("`{name}` is the name of another procedure here")));
    }
    Ok(())
}

/// The procedure to be, in the names of the caller.
struct Extraction {
    sub: ast::Proc,
    formals: BTreeSet<Sym>,
}

impl Extraction {
    fn of(p: &Proc, run: &Hole, name: &str) -> Option<Extraction> {
        let body = run_at(p.ast(), run)?;
        let env = p.env_at(&run.path)?;
        let formals = with_extents(&env, free_names(&body));
        let in_order = p.visible_at(&run.path)?.into_iter().filter(|x| formals.contains(x));
        let args = in_order.map(|x| formal(&env, x)).collect::<Option<Vec<Arg>>>()?;
        let (name, preds, span) = (Name::new(name), Vec::new(), Span::NONE);
        Some(Extraction { sub: ast::Proc { name, args, preds, body, instr: None, span }, formals })
    }

    /// The procedure, and the arguments of its call.
    fn made(&self) -> (ast::Proc, Vec<Expr>) {
        (fresh_proc(&self.sub), self.sub.args.iter().map(|a| var(a.name)).collect())
    }

    /// Asserts what is known at the place.
    fn assert_known(&mut self, p: &Proc, run: &Hole, ctx: &Context, at: Span) {
        let (of_fields, others): (Vec<Expr>, Vec<Expr>) = known(p.ast(), &run.path, &self.formals)
            .into_iter()
            .filter(|e| reads_fields(e) || !expr_names(e).is_empty())
            .partition(reads_fields);
        self.sub.preds = others;
        if p.session().is_safe(&Arc::new(self.made().0)) {
            return;
        }
        // A field may have changed since, and of strides nothing is known but at the place.
        for fact in of_fields.into_iter().chain(self.dense()) {
            self.assert_if_known(p, ctx, at, fact);
        }
        if p.session().is_safe(&Arc::new(self.made().0)) {
            return;
        }
        self.assert_needs(p, ctx, at);
    }

    /// Asserts a fact if it is proved at the call; whether it is.
    fn assert_if_known(&mut self, p: &Proc, ctx: &Context, at: Span, fact: Expr) -> bool {
        self.sub.preds.push(fact);
        let (callee, args) = self.made();
        let asserts = Required::of(ctx, &Arc::new(callee), &args, at).asserts;
        let known = asserts.iter().all(|ob| p.session().decide(ob).is_proved());
        if !known {
            self.sub.preds.pop();
        }
        known
    }

    /// Asserts what the statements need, where that makes the procedure safe by itself, and no more of it.
    fn assert_needs(&mut self, p: &Proc, ctx: &Context, at: Span) {
        let without = self.sub.preds.len();
        for fact in needs(&self.sub.args, &self.sub.body, &self.formals).into_iter().take(NEEDS) {
            if !self.sub.preds.contains(&fact) {
                self.assert_if_known(p, ctx, at, fact);
            }
        }
        if !p.session().is_safe(&Arc::new(self.made().0)) {
            self.sub.preds.truncate(without);
            return;
        }
        for k in (without..self.sub.preds.len()).rev() {
            let fact = self.sub.preds.remove(k);
            if !p.session().is_safe(&Arc::new(self.made().0)) {
                self.sub.preds.insert(k, fact);
            }
        }
    }

    /// An argument with an extent that reads a field.
    fn extent_of_fields(&self) -> Option<(Sym, Expr)> {
        self.sub.args.iter().find_map(|a| match &a.typ {
            ArgType::Data { typ, mem: _ } => {
                typ.shape.iter().find(|e| reads_fields(e)).map(|e| (a.name, e.clone()))
            }
            ArgType::Control(_) => None,
        })
    }

    /// That windows are dense: of each the last dimension, and those around dimensions of known extents.
    fn dense(&self) -> Vec<Expr> {
        let of = |a: &Arg| match &a.typ {
            ArgType::Data { typ, mem: _ } if typ.kind == ArrayKind::Window => {
                dense_strides(a.name, &typ.shape)
            }
            ArgType::Data { .. } | ArgType::Control(_) => Vec::new(),
        };
        self.sub.args.iter().flat_map(of).collect()
    }
}

/// `stride(x, d)` is the product of the extents after `d`, from the last dimension up to one that is no number.
fn dense_strides(x: Sym, shape: &[Expr]) -> Vec<Expr> {
    let mut product = 1;
    let mut out = Vec::new();
    for (d, extent) in shape.iter().enumerate().rev() {
        out.push(eq(stride(x, d), int(product)));
        match constant(extent).and_then(|n| n.checked_mul(product)) {
            Some(next) => product = next,
            None => break,
        }
    }
    out
}

/// The names, and those in the extents of buffers among them.
fn with_extents(env: &TypeEnv, mut names: BTreeSet<Sym>) -> BTreeSet<Sym> {
    let extents = names.iter().filter_map(|x| env.buffer(*x)).flat_map(|t| t.shape.iter());
    let more: BTreeSet<Sym> = extents.flat_map(expr_names).collect();
    names.extend(more);
    names
}

fn formal(env: &TypeEnv, x: Sym) -> Option<Arg> {
    let typ = match env.get(x)? {
        // A loop variable may be below 1.
        VarType::Control(ControlType::Int) => ArgType::Control(ControlType::Index),
        VarType::Control(t) => ArgType::Control(*t),
        VarType::Buffer { typ, mem } => ArgType::Data { typ: typ.clone(), mem: *mem },
    };
    Some(Arg { name: x, typ, span: Span::NONE })
}

/// What is known at a place about some names; of fields, what was known somewhere before.
fn known(p: &ast::Proc, path: &[Step], names: &BTreeSet<Sym>) -> Vec<Expr> {
    let mut out = p.preds.clone();
    for (k, next) in path.iter().enumerate().skip(1).rev() {
        let Some(s) = path.get(..k).and_then(|up| stmt_at(p, up)) else { continue };
        if let Some(l) = For::of(s) {
            out.extend([le(l.lo, l.iter), lt(l.iter, l.hi)]);
        }
        if let Some(guard) = If::of(s) {
            out.push(match next {
                Step::Body(_) => guard.cond,
                Step::Orelse(_) => not(guard.cond),
            });
        }
    }
    out.retain(|e| expr_names(e).is_subset(names));
    out
}

fn reads_fields(e: &Expr) -> bool {
    let mut reads = false;
    fields_in_expr(e, &mut |_, _| reads = true);
    reads
}

#[cfg(test)]
mod tests {
    use super::*;
    use rewright_semantics::parse::{Prelude, parse_module};
    use rewright_semantics::pretty::expr_to_string;
    use rewright_semantics::span::SourceMap;

    /// The assertions of what is extracted.
    fn extracted_preds(text: &str, block: &str) -> Vec<String> {
        let mut sources = SourceMap::new();
        let file = sources.add("test", text);
        let m = parse_module(file, &sources, &Prelude::standard()).module;
        let p = Proc::root(m.proc("p").unwrap().clone());
        let (_, sub) = extract_subproc(&p, block, "q", Asserts::Included).unwrap();
        assert!(sub.session().is_safe(sub.ast()), "{sub}");
        sub.ast().preds.iter().map(expr_to_string).collect()
    }

    /// What the new procedure needs of fields and strides is asserted where it holds at the call.
    /// Spec: [rule: extract_subproc].
    #[test]
    fn what_is_known_of_fields_and_strides_is_asserted() {
        let fields = "
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    assert Cfg.k >= 0
    assert Cfg.k < 8
    for i in seq(0, 4):
        x[Cfg.k] = 1.0
        Cfg.k = 7
        x[3] = 2.0
";
        assert_eq!(extracted_preds(fields, "x[_] = _"), ["Cfg.k >= 0", "Cfg.k < 8"]);
        // What needs none has none.
        assert_eq!(extracted_preds(fields, "x[3] = _"), Vec::<String>::new());

        let moved = "
@config
class Cfg:
    k: index

@proc
def p(x: f32[8]):
    assert Cfg.k == 3
    Cfg.k = 4
    if Cfg.k < 8:
        if 0 <= Cfg.k:
            x[Cfg.k] = 1.0
";
        assert_eq!(extracted_preds(moved, "x[_] = _"), ["0 <= Cfg.k", "Cfg.k < 8"]);

        let strides = "
@proc
def g(w: [f32][4]):
    assert stride(w, 0) == 1
    w[0] = 1.0
@proc
def p(n: size, x: f32[n, 4]):
    for i in seq(0, n):
        w = x[i, :]
        g(w)
";
        assert_eq!(extracted_preds(strides, "g(_)"), ["stride(w, 0) == 1"]);
    }
}
