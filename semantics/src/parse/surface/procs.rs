//! Procedures and instructions. Spec: [rule: syntax.undecorated], [rule: syntax.decorator],
//! [rule: syntax.signature], [rule: syntax.assert], [rule: syntax.instr].

use super::super::error::SyntaxErrorKind;
use super::super::tree::{Constant, Expr, Ident, Instr, Proc, Rounds, Type, TypeKind};
use super::{Reader, last_name, refusal};
use crate::sym::Name;
use ruff_python_ast as py;
use std::sync::Arc;

/// What a function's decorators make of it.
pub(super) enum Mark {
    Proc,
    Instr(Option<Instr>),
    Wrong,
}

impl Reader<'_> {
    /// A function as a procedure; `None` when it is none.
    pub(super) fn procedure(&mut self, def: &py::StmtFunctionDef) -> Option<Proc> {
        let name = self.ident(&def.name);
        let instr = match self.mark(def) {
            Mark::Proc => None,
            Mark::Instr(instr) => instr,
            Mark::Wrong => return None,
        };
        let before = self.errors.len();
        self.signature_extras(def);
        let args = self.formals(&def.parameters);
        let callable = self.errors.len() == before;
        let (preds, body) = self.head_and_body(&def.body);
        Some(Proc { name, args, preds, body, instr, callable })
    }

    /// What the decorators say.
    fn mark(&mut self, def: &py::StmtFunctionDef) -> Mark {
        let decorator = match &*def.decorator_list {
            [] => {
                self.report(&def.name, SyntaxErrorKind::Undecorated(Name::new(def.name.as_str())));
                return Mark::Wrong;
            }
            [one] => one,
            [_, second, ..] => {
                let refused = refusal("a procedure has one decorator", "keep `@proc` or `@instr(\"…\")`");
                self.report(second, SyntaxErrorKind::Decorator(refused));
                return Mark::Wrong;
            }
        };
        let (head, call) = match &decorator.expression {
            py::Expr::Call(call) => (&*call.func, Some(call)),
            other => (other, None),
        };
        match (last_name(head), call) {
            (Some("proc"), None) => Mark::Proc,
            (Some("proc"), Some(_)) => {
                self.report(
                    decorator,
                    SyntaxErrorKind::Decorator(refusal("`@proc` takes no arguments", "write `@proc`")),
                );
                Mark::Proc
            }
            (Some("instr"), Some(call)) => Mark::Instr(self.instr(call)),
            (Some("instr"), None) => {
                let refused = refusal("an instruction needs its C", "write `@instr(\"…\")`");
                self.report(decorator, SyntaxErrorKind::Instr(refused));
                Mark::Instr(None)
            }
            (Some("config"), _) => {
                let refused = refusal("`@config` marks a class", "write `class` instead of `def`");
                self.report(decorator, SyntaxErrorKind::Decorator(refused));
                Mark::Wrong
            }
            (Some(_) | None, _) => {
                let refused = refusal(
                    "this decorator is not known",
                    "a procedure is marked `@proc` or `@instr(\"…\")`",
                );
                self.report(decorator, SyntaxErrorKind::Decorator(refused));
                Mark::Wrong
            }
        }
    }

    /// The arguments of `@instr(c_instr, c_global, cflags=…, rounds=…)`.
    fn instr(&mut self, call: &py::ExprCall) -> Option<Instr> {
        const FORM: &str = "write `@instr(\"C of a call\", \"C of the file\")`";
        let (mut c_instr, mut c_global, mut cflags, mut rounds) = (None, None, None, None);
        for (at, value) in call.arguments.args.iter().enumerate() {
            match at {
                0 => c_instr = Some(value),
                1 => c_global = Some(value),
                _ => {
                    self.report(
                        value,
                        SyntaxErrorKind::Instr(refusal("`@instr` has two arguments at most", FORM)),
                    );
                    return None;
                }
            }
        }
        for keyword in &call.arguments.keywords {
            let slot = match keyword.arg.as_ref().map(py::Identifier::as_str) {
                Some("c_instr") => &mut c_instr,
                Some("c_global") => &mut c_global,
                Some("cflags") => &mut cflags,
                Some("rounds") => &mut rounds,
                _ => {
                    let refused = refusal(
                        "`@instr` knows no such keyword",
                        "its keywords are `c_instr`, `c_global`, `cflags` and `rounds`",
                    );
                    self.report(keyword, SyntaxErrorKind::Instr(refused));
                    return None;
                }
            };
            if slot.replace(&keyword.value).is_some() {
                self.report(keyword, SyntaxErrorKind::Instr(refusal("this argument is given twice", FORM)));
                return None;
            }
        }
        let Some(template) = c_instr else {
            self.report(call, SyntaxErrorKind::Instr(refusal("an instruction needs its C", FORM)));
            return None;
        };
        let c_instr = self.text_of(template);
        let c_global = c_global.map_or(Some("".into()), |e| self.text_of(e));
        let cflags = cflags.map_or(Some("".into()), |e| self.text_of(e));
        let rounds = rounds.map_or(Rounds::AsWritten, |e| self.rounds(e));
        let span = self.span(template);
        Some(Instr { c_instr: c_instr?, c_global: c_global?, cflags: cflags?, rounds, span })
    }

    /// How an instruction rounds: `"fused"`, or the name of a procedure.
    fn rounds(&mut self, e: &py::Expr) -> Rounds {
        match (self.constant(e), e) {
            (Some(Constant::Text(text)), _) if &*text == "fused" => Rounds::Fused(self.span(e)),
            (None, py::Expr::Name(name)) => {
                Rounds::Like(Ident { name: Name::new(name.id.as_str()), span: self.span(e) })
            }
            (Some(_) | None, _) => {
                let refused = refusal(
                    "an instruction rounds as its body, fused, or as another procedure",
                    "leave `rounds` out, or write `rounds=\"fused\"` or `rounds=p`",
                );
                self.report(e, SyntaxErrorKind::Instr(refused));
                Rounds::AsWritten
            }
        }
    }

    /// The text that an argument of `@instr` is.
    fn text_of(&mut self, e: &py::Expr) -> Option<Arc<str>> {
        if let Some(Constant::Text(text)) = self.constant(e) {
            return Some(text);
        }
        let refused = refusal(
            "the C of an instruction is a constant string",
            "write a string, a sum of strings, or the name of a string constant above",
        );
        self.report(e, SyntaxErrorKind::Instr(refused));
        None
    }

    /// What stands around the arguments and has no meaning here.
    fn signature_extras(&mut self, def: &py::StmtFunctionDef) {
        if def.is_async {
            let refused =
                refusal("a procedure is not `async`", "parallel loops are written `for i in par(lo, hi):`");
            self.report(&def.name, SyntaxErrorKind::Signature(refused));
        }
        if let Some(params) = &def.type_params {
            let refused =
                refusal("a procedure has no type parameters", "use `R`, which becomes a precision later");
            self.report(&**params, SyntaxErrorKind::Signature(refused));
        }
        if let Some(returns) = &def.returns {
            let refused = refusal("a procedure returns nothing", "leave `->` out and assign to an argument");
            self.report(&**returns, SyntaxErrorKind::Signature(refused));
        }
    }

    /// The formal arguments.
    fn formals(&mut self, parameters: &py::Parameters) -> Vec<(Ident, Type)> {
        const ONE: &str = "write each argument with its type, as in `x: f32[n]`";
        for starred in [&parameters.vararg, &parameters.kwarg].into_iter().flatten() {
            let refused = refusal("a procedure has a fixed number of arguments", ONE);
            self.report(&**starred, SyntaxErrorKind::Signature(refused));
        }
        if let Some(first) = parameters.kwonlyargs.first() {
            let refused = refusal("arguments are given by position", "leave `*` out");
            self.report(first, SyntaxErrorKind::Signature(refused));
        }
        if let Some(last) = parameters.posonlyargs.last() {
            let refused = refusal("arguments are given by position anyway", "leave `/` out");
            self.report(last, SyntaxErrorKind::Signature(refused));
        }
        let all = parameters.posonlyargs.iter().chain(&parameters.args).chain(&parameters.kwonlyargs);
        all.map(|p| self.formal(p)).collect()
    }

    /// One formal argument.
    fn formal(&mut self, parameter: &py::ParameterWithDefault) -> (Ident, Type) {
        let name = self.ident(&parameter.parameter.name);
        if let Some(default) = &parameter.default {
            let refused = refusal("an argument has no default", "give the value at each call");
            self.report(&**default, SyntaxErrorKind::Signature(refused));
        }
        let typ = match &parameter.parameter.annotation {
            Some(annotation) => self.annotation(annotation),
            None => {
                self.report(&parameter.parameter, SyntaxErrorKind::Untyped(name.name));
                Type { kind: TypeKind::Broken, mem: None, span: name.span }
            }
        };
        (name, typ)
    }

    /// The assertions at the head, and the statements after them.
    fn head_and_body(&mut self, body: &[py::Stmt]) -> (Vec<Expr>, Vec<super::super::tree::Stmt>) {
        let mut preds = Vec::new();
        let mut rest = body;
        while let [first, after @ ..] = rest {
            match first {
                py::Stmt::Assert(assert) => preds.push(self.assertion(assert)),
                py::Stmt::Expr(e) if e.value.is_string_literal_expr() => {}
                _ => break,
            }
            rest = after;
        }
        (preds, self.block(rest))
    }

    /// One assertion.
    fn assertion(&mut self, assert: &py::StmtAssert) -> Expr {
        if let Some(message) = &assert.msg {
            let refused = refusal("an assertion has no message", "write a comment above it");
            self.report(&**message, SyntaxErrorKind::Assert(refused));
        }
        self.expr(&assert.test)
    }
}
