//! Procedures: arguments, assertions, and the placeholders of instructions.

use super::super::error::{Refusal, SyntaxError, SyntaxErrorKind};
use super::super::template::{Field, Piece, placeholders};
use super::super::tree::{self, Ident, TypeKind};
use super::Resolver;
use super::expr::Want;
use super::globals::Callee;
use super::scope::{Buffer, Variable};
use crate::alpha::asserts_only;
use crate::ast::{Arg, Block, Expr, Instr, Proc, Rounds, Stmt, StmtKind};
use crate::diag::Severity;
use crate::rounding::{fused, same_arguments};
use crate::sym::{Name, Sym};
use crate::types::{ArgType, ArrayKind, BufferType, ControlType, MemName};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl Resolver<'_> {
    /// Resolves a procedure. Also says whether its arguments are as written, so that calls can be checked
    /// against them.
    pub(super) fn procedure(&mut self, proc: tree::Proc) -> (Arc<Proc>, bool) {
        let tree::Proc { name, args, preds, body, instr, callable: _ } = proc;
        let before = self.errors.len();
        let args = self.arguments(&args);
        let whole = self.errors.iter().skip(before).all(|e| e.kind.severity() == Severity::Warning);
        let preds: Vec<Expr> = preds.iter().filter_map(|e| self.expr(e, Want::Control)).collect();
        let mut body = self.block(&body);
        if body.is_empty() {
            body.push_back(Stmt::at(StmtKind::Pass, name.span));
        }
        let instr = instr.map(|i| self.instr(i, &args, &preds, &body));
        (Arc::new(Proc { name: name.name, args, preds, body, instr, span: name.span }), whole)
    }

    /// The arguments. Spec: [rule: name.duplicate-argument]. All names are bound before the first type is read: shapes may mention later sizes.
    fn arguments(&mut self, formals: &[(Ident, tree::Type)]) -> Vec<Arg> {
        let mut syms = Vec::with_capacity(formals.len());
        let mut first: FxHashMap<Name, &Ident> = FxHashMap::default();
        for (name, typ) in formals {
            if let Some(earlier) = first.insert(name.name, name) {
                let kind = SyntaxErrorKind::DuplicateArgument(name.name);
                self.errors.push(SyntaxError { kind, span: name.span, first: Some(earlier.span) });
            }
            let sym = Sym::fresh(name.name);
            let variable = match &typ.kind {
                TypeKind::Broken => Variable::Broken,
                TypeKind::Control(_) => Variable::Control(sym),
                TypeKind::Data(elem, ..) => Variable::Buffer(Buffer { sym, elem: *elem, shape: [].into() }),
            };
            self.scope.bind(name.name, variable);
            syms.push(sym);
        }
        let mut implicit = Vec::new();
        let mut args = Vec::with_capacity(formals.len());
        for ((name, typ), sym) in formals.iter().zip(syms) {
            self.implicit_sizes(typ, &mut implicit);
            if let Some(typ) = self.argument_type(name, typ, sym) {
                args.push(Arg { name: sym, typ, span: name.span });
            }
        }
        implicit.into_iter().chain(args).collect()
    }

    /// An argument's type; the shape of a buffer is noted in the scope.
    fn argument_type(&mut self, name: &Ident, typ: &tree::Type, sym: Sym) -> Option<ArgType> {
        match &typ.kind {
            TypeKind::Broken => None,
            TypeKind::Control(t) => Some(ArgType::Control(*t)),
            TypeKind::Data(elem, shape, kind) => {
                let mem = self.memory(typ.mem);
                let Some(shape) = self.shape(shape) else {
                    self.scope.bind(name.name, Variable::Broken);
                    return None;
                };
                let buffer = Buffer { sym, elem: *elem, shape: shape.clone() };
                self.scope.bind(name.name, Variable::Buffer(buffer));
                let typ = match kind {
                    ArrayKind::Tensor => BufferType { elem: *elem, shape, kind: ArrayKind::Tensor },
                    ArrayKind::Window => BufferType::window(*elem, shape),
                };
                Some(ArgType::Data { typ, mem })
            }
        }
    }

    /// The memory of a declaration; `DRAM` where none is written. Spec: [rule: name.unknown-memory].
    pub(super) fn memory(&mut self, mem: Option<Ident>) -> MemName {
        let Some(mem) = mem else { return MemName::dram() };
        if let Some(home) = self.globals.memory(mem.name) {
            return MemName(home);
        }
        if !self.globals.is_broken(mem.name) {
            let known = self.globals.memory_names().join(", ");
            self.report(mem.span, SyntaxErrorKind::UnknownMemory { name: mem.name, known });
        }
        MemName(mem.name)
    }

    /// The extents of an array.
    pub(super) fn shape(&mut self, shape: &[tree::Expr]) -> Option<Arc<[crate::ast::Expr]>> {
        self.exprs(shape, Want::Control)
    }

    /// Undeclared names in capitals of a shape become arguments. Spec: [rule: name.implicit-size].
    fn implicit_sizes(&mut self, typ: &tree::Type, implicit: &mut Vec<Arg>) {
        let TypeKind::Data(_, shape, _) = &typ.kind else { return };
        let mut work: Vec<&tree::Expr> = shape.iter().rev().collect();
        while let Some(e) = work.pop() {
            match &e.kind {
                tree::ExprKind::Name(name) => {
                    let known = self.scope.get(*name).is_some()
                        || self.globals.consts.contains_key(name)
                        || self.globals.is_made_here(*name);
                    if !known && is_upper(name.as_str()) {
                        self.report(e.span, SyntaxErrorKind::ImplicitSize(*name));
                        let sym = Sym::fresh(*name);
                        self.scope.bind(*name, Variable::Control(sym));
                        implicit.push(Arg {
                            name: sym,
                            typ: ArgType::Control(ControlType::Size),
                            span: e.span,
                        });
                    }
                }
                tree::ExprKind::Bin(_, lhs, rhs) => work.extend([&**rhs, &**lhs]),
                tree::ExprKind::Neg(e) | tree::ExprKind::Not(e) => work.push(e),
                tree::ExprKind::Broken
                | tree::ExprKind::Index(..)
                | tree::ExprKind::Int(_)
                | tree::ExprKind::Long(_)
                | tree::ExprKind::Float(_)
                | tree::ExprKind::Bool(_)
                | tree::ExprKind::Chain(..)
                | tree::ExprKind::Field(..)
                | tree::ExprKind::Call(..) => {}
            }
        }
    }

    /// Checks the placeholders of an instruction. Spec: [rule: instr.placeholder].
    fn instr(&mut self, instr: tree::Instr, args: &[Arg], preds: &[Expr], body: &Block) -> Instr {
        let tree::Instr { c_instr, c_global, cflags, rounds, span } = instr;
        for sentence in bad_holes(&c_instr, args) {
            self.report(span, SyntaxErrorKind::Placeholder(sentence));
        }
        let rounds = self.rounds(rounds, args, preds, body);
        Instr { c_instr, c_global, cflags, rounds }
    }

    /// How an instruction rounds. Spec: [rule: instructions.rounding].
    fn rounds(&mut self, rounds: tree::Rounds, args: &[Arg], preds: &[Expr], body: &Block) -> Rounds {
        let wrong = |what, instead| SyntaxErrorKind::Instr(Refusal { what, instead });
        match rounds {
            tree::Rounds::AsWritten => Rounds::AsWritten,
            tree::Rounds::Fused(span) if fused(body) == *body => {
                let help = "leave `rounds` out: the instruction rounds as its body says";
                self.report(span, wrong("no product is added to anything here", help));
                Rounds::AsWritten
            }
            tree::Rounds::Fused(_) => Rounds::Fused,
            tree::Rounds::Like(p) => match self.globals.callee(p.name, self.current).cloned() {
                Ok(Callee::Known(q)) if same_arguments(args, &q.args) => {
                    if !asserts_only(&q, args, preds) {
                        let help = "assert it in the instruction, too";
                        let what = "this procedure asserts what the instruction does not";
                        self.report(p.span, wrong(what, help));
                    }
                    Rounds::Like(q)
                }
                Ok(Callee::Known(_)) => {
                    let help =
                        "give it the arguments of the instruction, in their order and with their types";
                    self.report(p.span, wrong("this procedure takes other arguments", help));
                    Rounds::AsWritten
                }
                Ok(Callee::Broken) => Rounds::AsWritten,
                Err(why) => {
                    self.report(p.span, SyntaxErrorKind::UnknownProcedure { name: p.name, why });
                    Rounds::AsWritten
                }
            },
        }
    }
}

/// What is wrong with the text of an instruction of these arguments; an error is a sentence.
pub fn wrong_placeholder(c_instr: &str, args: &[Arg]) -> Option<String> {
    bad_holes(c_instr, args).into_iter().next()
}

fn bad_holes(c_instr: &str, args: &[Arg]) -> Vec<String> {
    let pieces = match placeholders(c_instr) {
        Ok(pieces) => pieces,
        Err(sentence) => return vec![sentence],
    };
    let bad = |piece| match piece {
        Piece::Hole { name, field } => bad_hole(name, field, args),
        Piece::Text(_) => None,
    };
    pieces.into_iter().filter_map(bad).collect()
}

/// What is wrong with a placeholder.
fn bad_hole(name: &str, field: Field, args: &[Arg]) -> Option<String> {
    let find = |wanted: &str| args.iter().find(|a| a.name.name().as_str() == wanted);
    let rank = |arg: &Arg| match &arg.typ {
        ArgType::Control(_) => None,
        ArgType::Data { typ, mem: _ } => Some(typ.rank()),
    };
    match field {
        Field::Whole => {
            // Of a number, `_data` is the number, as in Exo.
            let data = || name.strip_suffix("_data").and_then(find).is_some();
            let base = || name.strip_suffix("_int").and_then(find).and_then(rank).is_some();
            match find(name).is_some() || data() || base() {
                true => None,
                false => Some(format!("the placeholder `{{{name}}}` names no argument")),
            }
        }
        Field::Pointer => match find(name).map(rank) {
            None => Some(format!("the placeholder `{{{name}.data}}` names no argument")),
            Some(None) => Some(format!("`{name}` is a control value and has no cells")),
            Some(Some(_)) => None,
        },
        Field::Stride(dim) => match find(name).map(rank) {
            None => Some(format!("the placeholder `{{{name}.strides[{dim}]}}` names no argument")),
            Some(None) => Some(format!("`{name}` is a control value and has no strides")),
            Some(Some(rank)) if dim >= rank => Some(format!("`{name}` has no dimension {dim}")),
            Some(Some(_)) => None,
        },
    }
}

/// Whether a name is written in capitals, as Exo's documentation writes sizes.
fn is_upper(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}
