//! Statements. Spec: [rule: syntax.statement], [rule: syntax.loop].

use super::super::error::{Refusal, SyntaxErrorKind};
use super::super::tree::{Coord, Expr, ExprKind, LValue, Stmt, StmtKind};
use super::{Reader, refusal};
use crate::ast::LoopMode;
use crate::sym::Name;
use ruff_python_ast as py;
use ruff_text_size::{Ranged, TextRange};

impl Reader<'_> {
    /// A block, without its strings.
    pub(super) fn block(&mut self, body: &[py::Stmt]) -> Vec<Stmt> {
        let mut block = Vec::with_capacity(body.len());
        for s in body {
            match self.deeper(s, 1, |r| r.stmt(s)) {
                Some(Some(read)) => block.push(read),
                Some(None) => {}
                None => return block,
            }
        }
        block
    }

    /// A statement; `None` for a string on its own, which is a comment.
    fn stmt(&mut self, s: &py::Stmt) -> Option<Stmt> {
        let kind = match s {
            py::Stmt::Assign(assign) => self.assign(assign),
            py::Stmt::AugAssign(assign) => self.reduce(assign),
            py::Stmt::AnnAssign(declare) => self.declare(declare),
            py::Stmt::For(each) => self.for_loop(each),
            py::Stmt::If(branch) => self.branches(&branch.test, &branch.body, &branch.elif_else_clauses),
            py::Stmt::Pass(_) => StmtKind::Pass,
            py::Stmt::Expr(e) if e.value.is_string_literal_expr() => return None,
            py::Stmt::Expr(e) => self.call_stmt(&e.value),
            py::Stmt::Assert(_) => {
                let refused = refusal(
                    "assertions stand at the head of a procedure",
                    "move it above the first statement, or guard with `if`",
                );
                self.report(s, SyntaxErrorKind::Assert(refused));
                StmtKind::Broken(Vec::new())
            }
            py::Stmt::FunctionDef(_)
            | py::Stmt::ClassDef(_)
            | py::Stmt::Return(_)
            | py::Stmt::Delete(_)
            | py::Stmt::TypeAlias(_)
            | py::Stmt::While(_)
            | py::Stmt::With(_)
            | py::Stmt::Match(_)
            | py::Stmt::Raise(_)
            | py::Stmt::Try(_)
            | py::Stmt::Import(_)
            | py::Stmt::ImportFrom(_)
            | py::Stmt::Global(_)
            | py::Stmt::Nonlocal(_)
            | py::Stmt::Break(_)
            | py::Stmt::Continue(_)
            | py::Stmt::IpyEscapeCommand(_) => self.foreign(s),
        };
        Some(Stmt { kind, span: self.span(s) })
    }

    /// Reports a statement that the object language does not have, at its head.
    fn foreign(&mut self, s: &py::Stmt) -> StmtKind {
        let start = usize::from(s.start());
        let head = self.text.get(start..usize::from(s.end())).unwrap_or("");
        let line = head.lines().next().unwrap_or("").trim_end().len();
        let end = u32::try_from(start + line).unwrap_or(s.end().into());
        self.report(&TextRange::new(s.start(), end.into()), SyntaxErrorKind::Statement(foreign_stmt(s)));
        StmtKind::Broken(Vec::new())
    }

    /// Reports a statement that is wrong as a whole.
    fn refused(&mut self, at: &impl Ranged, refused: Refusal, binds: Vec<Name>) -> StmtKind {
        self.report(at, SyntaxErrorKind::Statement(refused));
        StmtKind::Broken(binds)
    }

    /// `place = e`.
    fn assign(&mut self, assign: &py::StmtAssign) -> StmtKind {
        let [target] = &*assign.targets else {
            let refused = refusal("one assignment has one target", "write one assignment for each");
            return self.refused(assign, refused, bound_names(&assign.targets));
        };
        match self.place(target) {
            Some(place) => StmtKind::Assign(place, self.expr(&assign.value)),
            None => StmtKind::Broken(bound_names(&assign.targets)),
        }
    }

    /// `place += e`.
    fn reduce(&mut self, assign: &py::StmtAugAssign) -> StmtKind {
        if let Some(refused) = augmented(assign.op) {
            return self.refused(assign, refused, Vec::new());
        }
        let place = self.place(&assign.target);
        let rhs = self.expr(&assign.value);
        match place {
            Some(LValue::Cell(x, idx)) => StmtKind::Reduce(LValue::Cell(x, idx), rhs),
            Some(LValue::Field(..)) => {
                let refused =
                    refusal("a field of a configuration is not reduced into", "write `Cfg.f = Cfg.f + e`");
                self.refused(assign, refused, Vec::new())
            }
            None => StmtKind::Broken(Vec::new()),
        }
    }

    /// What an assignment assigns.
    fn place(&mut self, target: &py::Expr) -> Option<LValue> {
        match target {
            py::Expr::Name(_) => self.ident_of(target).map(|x| LValue::Cell(x, Vec::new())),
            py::Expr::Subscript(subscript) => {
                let (base, coords) = self.index(subscript)?;
                let mut idx = Vec::with_capacity(coords.len());
                for coord in coords {
                    match coord {
                        Coord::Point(e) => idx.push(e),
                        Coord::Range(..) => {
                            let refused =
                                refusal("one assignment writes one cell", "assign cell by cell in a loop");
                            self.report(target, SyntaxErrorKind::Statement(refused));
                            return None;
                        }
                    }
                }
                Some(LValue::Cell(base, idx))
            }
            py::Expr::Attribute(attribute) => match self.ident_of(&attribute.value) {
                Some(config) => Some(LValue::Field(config, self.ident(&attribute.attr))),
                None => {
                    self.report(target, SyntaxErrorKind::Statement(TARGET));
                    None
                }
            },
            py::Expr::Tuple(_) | py::Expr::List(_) | py::Expr::Starred(_) => {
                let refused = refusal("one assignment has one target", "write one assignment for each");
                self.report(target, SyntaxErrorKind::Statement(refused));
                None
            }
            _ => {
                self.report(target, SyntaxErrorKind::Statement(TARGET));
                None
            }
        }
    }

    /// `x: t` and `x: [t] = A[i, j]`.
    fn declare(&mut self, declare: &py::StmtAnnAssign) -> StmtKind {
        let typ = self.annotation(&declare.annotation);
        let value = declare.value.as_deref().map(|e| self.expr(e));
        match self.ident_of(&declare.target) {
            Some(name) => StmtKind::Declare(name, typ, value),
            None => {
                let refused =
                    refusal("a declaration declares a name", "write `x: f32[n]`, then assign `x[i] = e`");
                self.refused(&*declare.target, refused, Vec::new())
            }
        }
    }

    /// `for i in seq(lo, hi): …`.
    fn for_loop(&mut self, each: &py::StmtFor) -> StmtKind {
        if each.is_async {
            let refused =
                refusal("there is no `async for`", "parallel loops are written `for i in par(lo, hi):`");
            self.report(&*each.target, SyntaxErrorKind::Loop(refused));
        }
        if let Some(first) = each.orelse.first() {
            let refused = refusal("a loop has no `else`", "write its statements after the loop");
            self.report(first, SyntaxErrorKind::Loop(refused));
        }
        let header = self.bounds(&each.iter);
        let iter = self.ident_of(&each.target);
        if iter.is_none() {
            let refused = refusal("a loop counts with one variable", "write `for i in seq(lo, hi):`");
            self.report(&*each.target, SyntaxErrorKind::Loop(refused));
        }
        let body = self.block(&each.body);
        match (header, iter) {
            (Some((mode, lo, hi)), Some(iter)) => StmtKind::For { iter, lo, hi, mode, body },
            (None, Some(iter)) => {
                let nothing = || Expr { kind: ExprKind::Broken, span: self.span(&*each.iter) };
                StmtKind::For { iter, lo: nothing(), hi: nothing(), mode: LoopMode::Seq, body }
            }
            (Some(_) | None, None) => StmtKind::Broken(bound_names([&*each.target])),
        }
    }

    /// `seq(lo, hi)` and `par(lo, hi)`.
    fn bounds(&mut self, iter: &py::Expr) -> Option<(LoopMode, Expr, Expr)> {
        const FORM: &str = "write `for i in seq(lo, hi):` or `for i in par(lo, hi):`";
        let Some(call) = iter.as_call_expr() else {
            self.report(iter, SyntaxErrorKind::Loop(refusal("a loop counts over `seq` or `par`", FORM)));
            return None;
        };
        let mode = match call.func.as_name_expr().map(|n| n.id.as_str()) {
            Some("seq") => LoopMode::Seq,
            Some("par") => LoopMode::Par,
            Some("range") => {
                self.report(
                    iter,
                    SyntaxErrorKind::Loop(refusal("loops are written with `seq`, not `range`", FORM)),
                );
                return None;
            }
            _ => {
                self.report(iter, SyntaxErrorKind::Loop(refusal("a loop counts over `seq` or `par`", FORM)));
                return None;
            }
        };
        if let Some(keyword) = call.arguments.keywords.first() {
            self.report(keyword, SyntaxErrorKind::Loop(refusal("a loop has no options", FORM)));
            return None;
        }
        match &*call.arguments.args {
            [lo, hi] if !lo.is_starred_expr() && !hi.is_starred_expr() => {
                Some((mode, self.expr(lo), self.expr(hi)))
            }
            [_] => {
                let refused = refusal("a loop has a lower and an upper bound", "write `seq(0, n)`");
                self.report(iter, SyntaxErrorKind::Loop(refused));
                None
            }
            [_, _, _] => {
                let refused = refusal(
                    "a loop counts up by one",
                    "write `seq(0, n)` and multiply the variable, as in `2 * i`",
                );
                self.report(iter, SyntaxErrorKind::Loop(refused));
                None
            }
            _ => {
                self.report(
                    iter,
                    SyntaxErrorKind::Loop(refusal("a loop has a lower and an upper bound", FORM)),
                );
                None
            }
        }
    }

    /// `if`, its `elif`s as branches of the `else`, and its `else`.
    fn branches(&mut self, test: &py::Expr, body: &[py::Stmt], rest: &[py::ElifElseClause]) -> StmtKind {
        let cond = self.expr(test);
        let body = self.block(body);
        let orelse = match rest {
            [] => Vec::new(),
            [clause, more @ ..] => match &clause.test {
                None => self.block(&clause.body),
                Some(test) => {
                    let span = self.span(clause);
                    let nested = self.deeper(clause, 1, |r| r.branches(test, &clause.body, more));
                    vec![Stmt { kind: nested.unwrap_or(StmtKind::Broken(Vec::new())), span }]
                }
            },
        };
        StmtKind::If { cond, body, orelse }
    }

    /// `p(e, …)`, the only expression that is a statement.
    fn call_stmt(&mut self, e: &py::Expr) -> StmtKind {
        let Some(call) = e.as_call_expr() else {
            let refused = match e {
                py::Expr::EllipsisLiteral(_) => refusal("an empty body is not written `...`", "write `pass`"),
                py::Expr::Compare(_) => refusal("a value alone does nothing", "to assign, write `=`"),
                _ => refusal("a value alone does nothing", "assign it, or call a procedure"),
            };
            return self.refused(e, refused, Vec::new());
        };
        match self.ident_of(&call.func) {
            Some(func) => match self.arguments(&call.arguments) {
                Some(args) => StmtKind::Call(func, args),
                None => StmtKind::Broken(Vec::new()),
            },
            None => {
                let refused = refusal("only a procedure can be called", "write its name, as in `p(x, y)`");
                self.refused(e, refused, Vec::new())
            }
        }
    }
}

const TARGET: Refusal = Refusal {
    what: "this cannot be assigned",
    instead: "assign a scalar `x`, a cell `x[i, j]` or a field `Cfg.f`",
};

/// The names that targets would bind.
fn bound_names<'a>(targets: impl IntoIterator<Item = &'a py::Expr>) -> Vec<Name> {
    let mut names = Vec::new();
    for target in targets {
        match target {
            py::Expr::Name(n) => names.push(Name::new(n.id.as_str())),
            py::Expr::Tuple(t) => {
                names
                    .extend(t.elts.iter().filter_map(|e| e.as_name_expr()).map(|n| Name::new(n.id.as_str())));
            }
            py::Expr::List(t) => {
                names
                    .extend(t.elts.iter().filter_map(|e| e.as_name_expr()).map(|n| Name::new(n.id.as_str())));
            }
            _ => {}
        }
    }
    names
}

/// Why an augmented assignment other than `+=` is refused.
fn augmented(op: py::Operator) -> Option<Refusal> {
    match op {
        py::Operator::Add => None,
        py::Operator::Sub => Some(refusal("there is no `-=`", "write `x += -e`")),
        py::Operator::Mult => Some(refusal("there is no `*=`", "write `x = x * e`")),
        py::Operator::Div => Some(refusal("there is no `/=`", "write `x = x / e`")),
        py::Operator::MatMult
        | py::Operator::Mod
        | py::Operator::Pow
        | py::Operator::LShift
        | py::Operator::RShift
        | py::Operator::BitOr
        | py::Operator::BitXor
        | py::Operator::BitAnd
        | py::Operator::FloorDiv => {
            Some(refusal("the only reduction is `+=`", "write an assignment, as in `x = x * e`"))
        }
    }
}

/// What to say of a statement that the object language does not have.
fn foreign_stmt(s: &py::Stmt) -> Refusal {
    match s {
        py::Stmt::FunctionDef(_) => refusal(
            "procedures are not defined inside procedures",
            "define it above, at the top level of the file",
        ),
        py::Stmt::ClassDef(_) => refusal(
            "classes are not defined inside procedures",
            "define it above, at the top level of the file",
        ),
        py::Stmt::Return(_) => {
            refusal("a procedure returns nothing", "assign to a buffer that is an argument")
        }
        py::Stmt::Delete(_) => refusal("there is no `del`", "leave it out: a buffer ends with its block"),
        py::Stmt::TypeAlias(_) => refusal("types have no names of their own", "write the type out"),
        py::Stmt::While(_) => {
            refusal("there are no `while` loops", "write `for i in seq(lo, hi):`, with `if` in its body")
        }
        py::Stmt::With(_) => refusal("there is no `with`", "write the statements alone"),
        py::Stmt::Match(_) => refusal("there is no `match`", "write `if` and `else`"),
        py::Stmt::Raise(_) | py::Stmt::Try(_) => {
            refusal("there are no exceptions", "assert preconditions at the head of the procedure")
        }
        py::Stmt::Import(_) | py::Stmt::ImportFrom(_) => {
            refusal("imports stand at the top level of a file", "move it up, or leave it out")
        }
        py::Stmt::Global(_) | py::Stmt::Nonlocal(_) => {
            refusal("there are no global variables", "use an argument, or a field of a configuration class")
        }
        py::Stmt::Break(_) => refusal("there is no `break`", "guard the rest of the body with `if`"),
        py::Stmt::Continue(_) => refusal("there is no `continue`", "guard the rest of the body with `if`"),
        py::Stmt::IpyEscapeCommand(_) => refusal("there are no shell commands", "leave it out"),
        py::Stmt::Assign(_)
        | py::Stmt::AugAssign(_)
        | py::Stmt::AnnAssign(_)
        | py::Stmt::For(_)
        | py::Stmt::If(_)
        | py::Stmt::Assert(_)
        | py::Stmt::Expr(_)
        | py::Stmt::Pass(_) => refusal("this statement does not belong here", "leave it out"),
    }
}
