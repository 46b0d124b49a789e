//! Well-formed programs. Spec: [rule: perceus.valid].

use super::place::{Path, Step};
use super::{Branch, Expr, ExprKind, Program};
use crate::deep;
use rewright_base::sym::Name;
use std::collections::BTreeMap;
use std::fmt;

/// What can be wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// A variable is not bound here, or a call names no definition.
    UnboundVariable,
    /// A constructor, a pattern, a primitive or a call with too few or too many arguments.
    WrongArity,
    /// A pattern binds a name twice.
    DuplicateBinder,
    /// Two branches of a match are for one constructor.
    OverlappingPattern,
    /// No such constructor.
    UnknownConstructor,
    /// An argument of a constructor that is no value.
    ArgumentNotAValue,
    /// `dup`, `drop` and reuse tokens are only generated.
    NotSourceSyntax,
    /// A match without a branch.
    NoBranch,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::UnboundVariable => "unbound-variable",
            Reason::WrongArity => "wrong-arity",
            Reason::DuplicateBinder => "duplicate-binder",
            Reason::OverlappingPattern => "overlapping-pattern",
            Reason::UnknownConstructor => "unknown-constructor",
            Reason::ArgumentNotAValue => "argument-not-a-value",
            Reason::NotSourceSyntax => "not-source-syntax",
            Reason::NoBranch => "no-branch",
        })
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What.
    pub reason: Reason,
    /// The name it is about.
    pub name: Option<Name>,
    /// The definition it is in; `None` in the main expression.
    pub def: Option<Name>,
    /// Where.
    pub place: Path,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)?;
        if let Some(name) = self.name {
            write!(f, " `{name}`")?;
        }
        write!(f, " at program{}", self.place)
    }
}

/// Everything that is wrong with a source program, from left to right. Free variables, arities, distinct binders,
/// one branch per constructor; whether a match is exhaustive is not asked: no data types are declared here.
pub fn check(program: &Program) -> Vec<Fault> {
    let mut faults = Vec::new();
    for def in &program.defs {
        let mut check = Check::new(program, Some(def.name));
        def.params.iter().for_each(|x| check.bind(*x));
        check.expr(&def.body);
        faults.append(&mut check.faults);
    }
    let mut check = Check::new(program, None);
    check.expr(&program.main);
    faults.append(&mut check.faults);
    faults
}

struct Check<'p> {
    program: &'p Program,
    def: Option<Name>,
    /// How often each name is bound here.
    scope: BTreeMap<Name, usize>,
    place: Path,
    faults: Vec<Fault>,
}

impl<'p> Check<'p> {
    fn new(program: &'p Program, def: Option<Name>) -> Check<'p> {
        Check { program, def, scope: BTreeMap::new(), place: Path::default(), faults: Vec::new() }
    }

    fn bind(&mut self, x: Name) {
        *self.scope.entry(x).or_insert(0) += 1;
    }

    fn unbind(&mut self, x: Name) {
        self.scope.entry(x).and_modify(|n| *n -= 1);
    }

    fn fault(&mut self, reason: Reason, name: impl Into<Option<Name>>) {
        let place = self.place.clone();
        self.faults.push(Fault { reason, name: name.into(), def: self.def, place });
    }

    fn at(&mut self, step: Step, check: impl FnOnce(&mut Check<'p>)) {
        self.place.0.push(step);
        check(self);
        self.place.0.pop();
    }

    fn variable(&mut self, x: Name) {
        if self.scope.get(&x).is_none_or(|n| *n == 0) {
            self.fault(Reason::UnboundVariable, x);
        }
    }

    /// An arity that is known, beside what is there.
    fn arity(&mut self, name: Name, wanted: Option<usize>, found: usize) {
        if wanted.is_some_and(|n| n != found) {
            self.fault(Reason::WrongArity, name);
        }
    }

    fn expr(&mut self, e: &Expr) {
        deep(|| match e.kind() {
            ExprKind::Var(x) => self.variable(*x),
            ExprKind::Int(_) => {}
            ExprKind::Lam(l) => self.under(l.param, Step::Body, &l.body),
            ExprKind::App(fun, arg) => {
                self.at(Step::Fun, |c| c.expr(fun));
                self.at(Step::Arg, |c| c.expr(arg));
            }
            ExprKind::Val(x, bound, body) => {
                self.at(Step::Bound, |c| c.expr(bound));
                self.under(*x, Step::In, body);
            }
            ExprKind::Match(x, branches) => self.branches(*x, branches),
            ExprKind::Con(c) => {
                let wanted = self.program.constructors.get(&c.name).copied();
                if wanted.is_none() {
                    self.fault(Reason::UnknownConstructor, c.name);
                }
                self.arity(c.name, wanted, c.args.len());
                if c.at.is_some() {
                    self.fault(Reason::NotSourceSyntax, c.at);
                }
                self.operands(&c.args, Check::component);
            }
            ExprKind::Prim(op, args) => {
                self.arity(Name::new(op.name()), Some(op.arity()), args.len());
                self.operands(args, Check::expr);
            }
            ExprKind::Call(f, args) => {
                let wanted = self.program.def(*f).map(|d| d.params.len());
                if wanted.is_none() {
                    self.fault(Reason::UnboundVariable, *f);
                }
                self.arity(*f, wanted, args.len());
                self.operands(args, Check::expr);
            }
            ExprKind::Dup(_, _) => self.fault(Reason::NotSourceSyntax, Name::new("dup")),
            ExprKind::Drop(_, _) => self.fault(Reason::NotSourceSyntax, Name::new("drop")),
        });
    }

    fn under(&mut self, x: Name, step: Step, body: &Expr) {
        self.bind(x);
        self.at(step, |c| c.expr(body));
        self.unbind(x);
    }

    fn operands(&mut self, args: &[Expr], check: impl Fn(&mut Check<'p>, &Expr)) {
        for (i, arg) in args.iter().enumerate() {
            self.at(Step::Operand(i), |c| check(c, arg));
        }
    }

    /// An argument of a constructor. What is generated is another fault.
    fn component(&mut self, arg: &Expr) {
        if !arg.is_value_form() && !matches!(arg.kind(), ExprKind::Dup(..) | ExprKind::Drop(..)) {
            self.fault(Reason::ArgumentNotAValue, None);
        }
        self.expr(arg);
    }

    fn branches(&mut self, x: Name, branches: &[Branch]) {
        self.at(Step::Scrutinee, |c| c.variable(x));
        if branches.is_empty() {
            self.fault(Reason::NoBranch, x);
        }
        let mut seen = Vec::new();
        for (i, branch) in branches.iter().enumerate() {
            let overlaps = seen.contains(&branch.pattern.con);
            seen.push(branch.pattern.con);
            self.at(Step::Branch(i), |c| c.branch(branch, overlaps));
        }
    }

    fn branch(&mut self, branch: &Branch, overlaps: bool) {
        let pattern = &branch.pattern;
        if overlaps {
            self.fault(Reason::OverlappingPattern, pattern.con);
        }
        match self.program.constructors.get(&pattern.con) {
            None => self.at(Step::PatternCon, |c| c.fault(Reason::UnknownConstructor, pattern.con)),
            Some(wanted) => self.arity(pattern.con, Some(*wanted), pattern.binders.len()),
        }
        if pattern.reuse.is_some() {
            self.fault(Reason::NotSourceSyntax, pattern.reuse);
        }
        for (j, binder) in pattern.binders.iter().enumerate() {
            if let Some(x) = binder
                && pattern.binders.iter().take(j).any(|b| b == binder)
            {
                self.at(Step::Binder(j), |c| c.fault(Reason::DuplicateBinder, *x));
            }
        }
        pattern.fields().for_each(|x| self.bind(x));
        self.at(Step::BranchBody, |c| c.expr(&branch.body));
        pattern.fields().for_each(|x| self.unbind(x));
    }
}
