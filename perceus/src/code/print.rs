//! Code as text, as Thesis Fig. 4.1 lays it out.

use super::{Arm, Atom, Block, Bound, Code, Con, End, Fork, Fun, Instr, Lam, Op, Rhs};
use crate::deep;
use rewright_base::sym::Name;

/// Static cells, and every function, `main` the last.
pub fn code(c: &Code) -> String {
    let statics = c.statics.iter().enumerate();
    let statics = statics.map(|(i, s)| format!("static #{i} = {}({})\n", s.con, atoms(&s.args)));
    statics.chain(c.all().map(fun)).collect()
}

/// `fun f(x, y) { … }`
pub fn fun(f: &Fun) -> String {
    let mut out = Out { text: String::new(), depth: 1 };
    out.block(&f.body);
    format!("fun {}({}) {{\n{}}}\n", f.name, names(&f.params), out.text)
}

fn names(xs: &[Name]) -> String {
    xs.iter().map(|x| x.as_str()).collect::<Vec<_>>().join(", ")
}

fn atoms(args: &[Atom]) -> String {
    args.iter().map(|a| atom(*a)).collect::<Vec<_>>().join(", ")
}

fn atom(a: Atom) -> String {
    match a {
        Atom::Var(x) => x.to_string(),
        Atom::Int(n) => n.to_string(),
        Atom::Con(c) => c.to_string(),
        Atom::Static(s) => format!("#{}", s.0),
    }
}

/// An operation.
pub fn op(o: Op) -> String {
    match o {
        Op::Dup(x) => format!("dup({x})"),
        Op::Drop(x) => format!("drop({x})"),
        Op::DecRef(x) => format!("decref({x})"),
        Op::Free(x) => format!("free({x})"),
        Op::DropToken(x) => format!("drop-token({x})"),
    }
}

fn con(c: &Con) -> String {
    let Some(at) = &c.at else {
        let args = if c.args.is_empty() { String::new() } else { format!("({})", atoms(&c.args)) };
        return format!("{}{args}", c.name);
    };
    let arg = |(i, a): (usize, &Atom)| {
        if at.keeps(i) { format!("={}", atom(*a)) } else { atom(*a) }
    };
    let args: Vec<String> = c.args.iter().enumerate().map(arg).collect();
    format!("{}@{}({})", c.name, at.token, args.join(", "))
}

/// How far lines are indented: those of deep nests would be mostly blanks.
const DEEPEST: usize = 40;

struct Out {
    text: String,
    depth: usize,
}

impl Out {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.depth.min(DEEPEST)));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn inside(&mut self, write: impl FnOnce(&mut Out)) {
        self.depth += 1;
        deep(|| write(self));
        self.depth -= 1;
    }

    fn block(&mut self, b: &Block) {
        let mut ops: Vec<String> = Vec::new();
        for i in &b.instrs {
            if let Instr::Op(o) = i {
                ops.push(op(*o));
                continue;
            }
            self.flush(&mut ops);
            self.instr(i);
        }
        self.flush(&mut ops);
        match &b.end {
            End::Done(r) => self.rhs("", r),
            End::Match(x, arms) => self.matching("", *x, arms),
        }
    }

    fn flush(&mut self, ops: &mut Vec<String>) {
        if !ops.is_empty() {
            self.line(&ops.join("; "));
            ops.clear();
        }
    }

    fn instr(&mut self, i: &Instr) {
        match i {
            Instr::Op(o) => self.line(&op(*o)),
            Instr::Val(x, Bound::Rhs(r)) => self.rhs(&format!("val {x} = "), r),
            Instr::Val(x, Bound::Block(b)) => {
                self.line(&format!("val {x} = {{"));
                self.inside(|out| out.block(b));
                self.line("}");
            }
            Instr::Unique(x, fork) => {
                self.line(&format!("if is-unique({x})"));
                self.fork(fork, None, None);
            }
            Instr::Token { token, of, fork: None } => self.line(&format!("val {token} = drop-reuse({of})")),
            Instr::Token { token, of, fork: Some(fork) } => {
                self.line(&format!("val {token} = if is-unique({of})"));
                self.fork(fork, Some(format!("&{of}")), Some("NULL".to_owned()));
            }
        }
    }

    fn fork(&mut self, fork: &Fork, then: Option<String>, otherwise: Option<String>) {
        let one = |ops: &[Op], last: Option<String>| {
            let all: Vec<String> = ops.iter().map(|o| op(*o)).chain(last).collect();
            if all.is_empty() { "()".to_owned() } else { all.join("; ") }
        };
        let (then, otherwise) = (one(&fork.then, then), one(&fork.otherwise, otherwise));
        self.inside(|out| {
            out.line(&format!("then {then}"));
            out.line(&format!("else {otherwise}"));
        });
    }

    fn rhs(&mut self, before: &str, r: &Rhs) {
        match r {
            Rhs::Atom(a) => self.line(&format!("{before}{}", atom(*a))),
            Rhs::Lam(l) => self.lambda(before, l),
            Rhs::App(f, a) => self.line(&format!("{before}{}({})", atom(*f), atom(*a))),
            Rhs::Con(c) => self.line(&format!("{before}{}", con(c))),
            Rhs::Prim(op, args) => self.line(&format!("{before}{op}({})", atoms(args))),
            Rhs::Call(f, args) => self.line(&format!("{before}{f}({})", atoms(args))),
        }
    }

    fn lambda(&mut self, before: &str, l: &Lam) {
        self.line(&format!("{before}fn^{{{}}}({}) as {} {{", names(&l.ys), l.param, l.this));
        self.inside(|out| out.block(&l.body));
        self.line("}");
    }

    fn matching(&mut self, before: &str, x: Name, arms: &[Arm]) {
        self.line(&format!("{before}match({x}) {{"));
        self.inside(|out| {
            for arm in arms {
                let binders: Vec<&str> = arm.binders.iter().map(|b| b.map_or("_", Name::as_str)).collect();
                let binders =
                    if binders.is_empty() { String::new() } else { format!("({})", binders.join(", ")) };
                out.line(&format!("{}{binders} -> {{", arm.con));
                out.inside(|out| out.block(&arm.body));
                out.line("}");
            }
        });
        self.line("}");
    }
}
