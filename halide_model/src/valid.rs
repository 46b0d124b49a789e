//! Valid algorithms. Thesis Def. 2.7 to 2.10; spec: [rule: halide.valid].

mod tuple;

use crate::alg::{Algorithm, Func, Image, Update, local};
use crate::expr::{Expr, Var};
use crate::op::Op;
use crate::text::print;
use crate::value::Value;
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;
use std::collections::BTreeSet;

/// All that keeps an algorithm from being valid, one finding per broken rule and place.
pub fn check(p: &Algorithm) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    duplicates(&p.params, p.span.0, "halide.params-unique", "parameter", &mut out);
    let inputs: Vec<Name> = p.inputs.iter().map(|i| i.name).collect();
    duplicates(&inputs, p.span.0, "halide.params-unique", "input", &mut out);
    for f in p.funcs.iter().filter(|f| inputs.contains(&f.name)) {
        let why = format!("`{}` is an input, too", f.name);
        out.push(Diagnostic::error("halide.func-unique", f.span.0, why).label("defined again here"));
    }
    let mut known: Vec<&Func> = Vec::new();
    for f in &p.funcs {
        if known.iter().any(|g| g.name == f.name) {
            let why = format!("func `{}` is defined twice", f.name);
            out.push(Diagnostic::error("halide.func-unique", f.span.0, why).label("defined again here"));
        }
        duplicates(&f.vars, f.span.0, "halide.vars-unique", "pure variable", &mut out);
        for (i, stage) in f.all_stages().iter().enumerate() {
            Stage { f, i, stage, known: &known, inputs: &p.inputs }.check(&mut out);
        }
        known.push(f);
    }
    for e in p.requires.iter().filter(|e| !is_startup(e)) {
        let why = format!("`{}` is not known at startup: {}", print::expr(e), not_startup(e));
        out.push(Diagnostic::error("halide.startup", p.span.0, why));
    }
    duplicates(&p.outputs(), p.span.0, "halide.output", "output", &mut out);
    output(p, &mut out);
    out
}

/// "The output func f in pipeline f(…) must exist and be the last func defined"; of several one is the last.
fn output(p: &Algorithm, out: &mut Vec<Diagnostic>) {
    let missing = p.outputs().into_iter().find(|f| p.func(*f).is_none());
    let last = p.funcs.last().filter(|last| !p.is_output(last.name));
    let why = match (missing, last) {
        (Some(f), _) => format!("the output func `{f}` is not defined"),
        (None, Some(last)) => {
            format!("the output func `{}` must be defined last, after `{}`", p.output, last.name)
        }
        (None, None) => return,
    };
    out.push(Diagnostic::error("halide.output", p.span.0, why));
}

fn duplicates(names: &[Name], span: Span, rule: &'static str, what: &str, out: &mut Vec<Diagnostic>) {
    let mut seen = BTreeSet::new();
    for n in names {
        if !seen.insert(*n) {
            out.push(Diagnostic::error(rule, span, format!("two {what}s are called `{n}`")));
        }
    }
}

/// Whether an expression is constant through the whole execution: parameters alone. Thesis Def. 2.9.
pub fn is_startup(e: &Expr) -> bool {
    let mut fine = true;
    e.visit(&mut |e| match e {
        Expr::Access(_) => fine = false,
        Expr::Var(v) => fine &= matches!(v, Var::Param(_)),
        Expr::Const(_) | Expr::Op(..) => {}
    });
    fine
}

/// What keeps it from being one, in words.
pub fn not_startup(e: &Expr) -> String {
    let mut why = String::new();
    e.visit(&mut |e| match e {
        Expr::Access(a) if why.is_empty() => why = format!("it reads func `{}`", a.func),
        Expr::Var(v) if why.is_empty() && !matches!(v, Var::Param(_)) => {
            why = format!("it depends on variable `{}`", print::var(*v));
        }
        Expr::Access(_) | Expr::Var(_) | Expr::Const(_) | Expr::Op(..) => {}
    });
    why
}

struct Stage<'a> {
    f: &'a Func,
    i: usize,
    stage: &'a Update,
    known: &'a [&'a Func],
    inputs: &'a [Image],
}

impl Stage<'_> {
    fn check(&self, out: &mut Vec<Diagnostic>) {
        self.reduction_variables(out);
        self.point(out);
        self.references(out);
        self.separation(out);
        self.variables(out);
        self.tuples(out);
        self.floats(out);
    }

    fn span(&self) -> Span {
        self.stage.span.0
    }

    /// "The bounds of all rdoms are startup expressions … the names of reduction variables within a single stage
    /// are unique." They differ from the func's pure variables, too, or a loop's name would not be unique.
    fn reduction_variables(&self, out: &mut Vec<Diagnostic>) {
        let names: Vec<Name> = self.stage.rdom.iter().map(|r| r.var).collect();
        duplicates(&names, self.span(), "halide.rvars-unique", "reduction variable", out);
        for r in &self.stage.rdom {
            if self.f.vars.contains(&r.var) {
                let why = format!("reduction variable `{}` has the name of a pure variable", r.var);
                out.push(Diagnostic::error("halide.rvars-unique", r.span.0, why));
            }
            for e in [&r.domain.min, &r.domain.len].into_iter().filter(|e| !is_startup(e)) {
                let why = format!("the bounds of `{}` are not known at startup: {}", r.var, not_startup(e));
                let help = "bounds of a reduction domain may use parameters alone; use a predicate (`if`)";
                out.push(Diagnostic::error("halide.startup", r.span.0, why).help(help));
            }
        }
    }

    fn point(&self, out: &mut Vec<Diagnostic>) {
        let (wanted, found) = (self.f.vars.len(), self.stage.lhs.len());
        if wanted != found {
            let why = format!("func `{}` has {wanted} dimensions, this update writes {found}", self.f.name);
            out.push(Diagnostic::error("halide.arity", self.span(), why));
        }
    }

    /// "All funcs must be defined before they are referenced by another func. The first stage of every func may
    /// not include a self-reference. … func arity."
    fn references(&self, out: &mut Vec<Diagnostic>) {
        for a in self.stage.exprs().flat_map(Expr::accesses) {
            let span = if a.span.0.is_none() { self.span() } else { a.span.0 };
            let wanted = if a.func == self.f.name {
                if self.i == 0 {
                    let why = format!("the first stage of `{}` refers to `{}` itself", self.f.name, a.func);
                    out.push(Diagnostic::error("halide.pure-self", span, why));
                }
                self.f.vars.len()
            } else if let Some(g) = self.known.iter().find(|g| g.name == a.func) {
                g.vars.len()
            } else if let Some(i) = self.inputs.iter().find(|i| i.name == a.func) {
                i.rank
            } else {
                let why = format!("func `{}` is not defined before it is used", a.func);
                out.push(Diagnostic::error("halide.order", span, why));
                continue;
            };
            if wanted != a.args.len() {
                let why = format!("func `{}` has {wanted} dimensions, not {}", a.func, a.args.len());
                out.push(Diagnostic::error("halide.arity", span, why));
            }
        }
    }

    /// Thesis Def. 2.7. [rule: halide.separation]
    fn separation(&self, out: &mut Vec<Diagnostic>) {
        if self.i == 0 {
            return;
        }
        for (d, x) in self.f.vars.iter().enumerate().filter(|(_, x)| self.stage.mentions(**x)) {
            let x_itself = local(*x);
            let f = self.f.name;
            if self.stage.lhs.get(d).is_some_and(|e| *e != x_itself) {
                let why = format!(
                    "`{x}` occurs in this stage of `{f}`, so it must stand at dimension {d} of the point"
                );
                out.push(separated(self.span(), why, *x));
            }
            for a in self.stage.exprs().flat_map(Expr::accesses).filter(|a| a.func == f) {
                if a.args.get(d).is_some_and(|e| *e != x_itself) {
                    let span = if a.span.0.is_none() { self.span() } else { a.span.0 };
                    let shown = print::expr(&Expr::Access(a.clone()));
                    let why = format!(
                        "`{x}` occurs in this stage of `{f}`, but `{shown}` has something else there"
                    );
                    out.push(separated(span, why, *x));
                }
            }
        }
    }

    /// Numbers of floating point occur only in what funcs of floating point store: neither places nor predicates depend on them,
    /// so bounds and control flow are about integers alone. [rule: halide.float]
    fn floats(&self, out: &mut Vec<Diagnostic>) {
        let mut wrong: Vec<&Expr> = self.stage.lhs.iter().chain([&self.stage.cond]).collect();
        wrong.extend(self.stage.rdom.iter().flat_map(|r| [&r.domain.min, &r.domain.len]));
        let values = tuple::parts(&self.stage.rhs);
        let holds = |k: usize| self.f.parts.get(k).copied().unwrap_or(self.f.scalar);
        wrong.extend(values.iter().enumerate().filter(|(k, _)| !holds(*k).is_float()).map(|(_, e)| e));
        wrong.extend(self.stage.rhs.accesses().into_iter().flat_map(|a| a.args.iter()));
        let help = "only the values of `float32` and `float64` funcs may depend on such numbers";
        if let Some(e) = wrong.into_iter().find(|e| self.has_float(e)) {
            let why = format!("`{}` has a number of floating point", print::expr(e));
            out.push(Diagnostic::error("halide.float", self.span(), why).help(help));
        } else if let Some(e) = self.wants_integers(&self.stage.rhs) {
            let why = format!("`{}` wants integers", print::expr(e));
            let help = "`mod`, `and`, `or`, `not` and the condition of `select` are about integers";
            out.push(Diagnostic::error("halide.float", self.span(), why).help(help));
        }
    }

    /// Whether a number of floating point occurs, other than in what makes an integer of it.
    fn has_float(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::Var(_) => self.is_leaf_float(e),
            Expr::Access(a) => self.is_leaf_float(e) || a.args.iter().any(|e| self.has_float(e)),
            Expr::Op(Op::Math(m), _) if !m.is_float() => false,
            Expr::Op(Op::Math(_), _) => true,
            Expr::Op(Op::Cast(scalar), _) if scalar.is_float() => true,
            Expr::Op(_, args) => args.iter().any(|e| self.has_float(e)),
        }
    }

    fn is_leaf_float(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(v) => matches!(v, Value::Float(_)),
            Expr::Access(a) if a.func == self.f.name => self.f.scalar.is_float(),
            Expr::Access(a) => {
                self.known.iter().any(|g| g.name == a.func && g.scalar.is_float())
                    || self.inputs.iter().any(|i| i.name == a.func && i.scalar.is_float())
            }
            Expr::Var(_) | Expr::Op(..) => false,
        }
    }

    /// Whether the value of an expression is a number of floating point.
    fn is_float(&self, e: &Expr) -> bool {
        match e {
            Expr::Const(_) | Expr::Var(_) | Expr::Access(_) => self.is_leaf_float(e),
            Expr::Op(op, _) if op.is_truth() => false,
            Expr::Op(Op::Cast(scalar), _) => scalar.is_float(),
            Expr::Op(Op::Math(m), _) => m.is_float(),
            Expr::Op(Op::Select, args) => args.iter().skip(1).any(|e| self.is_float(e)),
            Expr::Op(_, args) => args.iter().any(|e| self.is_float(e)),
        }
    }

    /// An operation on numbers of floating point that is only for integers.
    fn wants_integers<'e>(&self, e: &'e Expr) -> Option<&'e Expr> {
        let (op, args) = match e {
            Expr::Op(op, args) => (op, args),
            // Places hold no such numbers at all.
            Expr::Access(_) | Expr::Const(_) | Expr::Var(_) => return None,
        };
        let integers: &[Expr] = match op {
            Op::And | Op::Or | Op::Not | Op::Bits(_) => args,
            Op::Select => args.get(..1).unwrap_or_default(),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Mod | Op::Min | Op::Max => &[],
            Op::Lt | Op::Gt | Op::Eq | Op::Cast(_) | Op::Abs | Op::Math(_) => &[],
            Op::Tuple(_) | Op::Elem(_) => &[],
        };
        if integers.iter().any(|e| self.is_float(e)) {
            return Some(e);
        }
        args.iter().find_map(|e| self.wants_integers(e))
    }

    fn variables(&self, out: &mut Vec<Diagnostic>) {
        let mut unbound = BTreeSet::new();
        for v in self.stage.exprs().flat_map(Expr::vars) {
            if let Var::Local(x) = v
                && !self.f.vars.contains(&x)
                && self.stage.rdom.iter().all(|r| r.var != x)
            {
                unbound.insert(x);
            }
        }
        for x in unbound {
            let why = format!("nothing in func `{}` binds variable `{x}`", self.f.name);
            out.push(Diagnostic::error("halide.unbound", self.span(), why));
        }
    }
}

fn separated(span: Span, why: String, x: Name) -> Diagnostic {
    Diagnostic::error("halide.separation", span, why)
        .note("updates are separable: a pure variable stands at its own place in every reference of a func to itself")
        .help(format!("put `{x}` there, or use a reduction variable"))
}
