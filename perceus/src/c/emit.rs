//! Functions of C.

use super::layout::{Fields, Layout, Names, Rep};
use super::{statics, text};
use crate::code::kinds::Slot;
use crate::code::{Arm, Atom, Block, Bound, Con, End, Fork, Fun, Instr, Lam, Op, Rhs};
use crate::deep;
use crate::syntax::Prim;
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// How far lines are indented: those of deep nests would be mostly blanks.
const DEEPEST: usize = 20;

/// What several functions of C share.
pub(super) struct Program<'c> {
    pub(super) layout: Layout<'c>,
    /// What C calls functions.
    pub(super) names: BTreeMap<Name, String>,
    /// Closures so far: what C calls each.
    pub(super) closures: Vec<String>,
    /// Their functions.
    pub(super) bodies: String,
    /// Functions that are called, and not by a jump.
    pub(super) called: BTreeSet<Name>,
    /// Functions that go into a group.
    pub(super) entries: Vec<(Name, String)>,
    /// What could not be done.
    pub(super) refusal: Option<String>,
}

/// Where a value goes.
#[derive(Clone, Debug)]
enum Dest {
    Return(Rep),
    Variable(String, Rep),
}

/// A function of C on its way.
pub(super) struct Body<'p, 'c> {
    program: &'p mut Program<'c>,
    fun: &'c Fun,
    /// What C calls variables, and what they hold.
    names: BTreeMap<(Name, Name), (String, Rep)>,
    taken: Names,
    /// Functions that are this one: a tail call of one of them is a jump.
    group: Vec<&'c Fun>,
    /// The cells that tokens were.
    tokens: BTreeMap<Name, Fields>,
    known: Vec<(Name, Fields)>,
    out: String,
    depth: usize,
    last: usize,
}

impl<'p, 'c> Body<'p, 'c> {
    pub(super) fn new(program: &'p mut Program<'c>, group: Vec<&'c Fun>, fun: &'c Fun) -> Body<'p, 'c> {
        Body {
            program,
            fun,
            names: BTreeMap::new(),
            taken: Names::default(),
            group,
            tokens: BTreeMap::new(),
            known: Vec::new(),
            out: String::new(),
            depth: 1,
            last: 0,
        }
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(&"    ".repeat(self.depth.min(DEEPEST)));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A name of C for a variable of the function.
    fn declare(&mut self, x: Name) -> (String, Rep) {
        let rep = self.program.layout.rep(self.fun, x);
        self.declare_as(x, rep)
    }

    fn declare_as(&mut self, x: Name, rep: Rep) -> (String, Rep) {
        let name = self.taken.fresh("", x);
        self.names.insert((self.fun.name, x), (name.clone(), rep));
        (name, rep)
    }

    fn variable(&self, x: Name) -> (String, Rep) {
        let found = self.names.get(&(self.fun.name, x)).cloned();
        found.unwrap_or_else(|| (format!("/* {x} */ 0"), Rep::Value))
    }

    fn temporary(&mut self, prefix: &str) -> String {
        self.last += 1;
        format!("{prefix}{}", self.last)
    }

    /// `static … f(…) { … }` of functions that are one loop.
    pub(super) fn functions(mut self, is_loop: bool) -> String {
        let group = self.group.clone();
        let mut params: Vec<(Name, Vec<(String, Rep)>)> = Vec::new();
        for f in &group {
            self.fun = f;
            params.push((f.name, f.params.iter().map(|x| self.declare(*x)).collect()));
        }
        let results: Vec<Rep> = group.iter().map(|f| self.program.layout.result(f.name)).collect();
        let first = group.first().map(|f| f.name).unwrap_or_else(|| Name::new("main"));
        let rep = results.first().copied().filter(|r| results.iter().all(|s| s == r)).unwrap_or(Rep::Value);
        let listed =
            |of: &[(String, Rep)]| of.iter().map(|(x, r)| format!("{}{x}", r.ctype())).collect::<Vec<_>>();
        let all: Vec<String> = params.iter().flat_map(|(_, of)| listed(of)).collect();
        let name = self.function(first);
        if group.len() == 1 {
            let all = if all.is_empty() { "void".to_owned() } else { all.join(", ") };
            self.out.push_str(&format!("static {}{name}({all}) {{\n", rep.ctype()));
        } else {
            let at = std::iter::once("unsigned c_at".to_owned()).chain(all).collect::<Vec<_>>().join(", ");
            self.out
                .push_str(&format!("static {}{name}_group({at}) {{\n    switch (c_at) {{\n", rep.ctype()));
            for (i, f) in group.iter().enumerate() {
                let case = if i + 1 == group.len() { "default".to_owned() } else { format!("case {i}") };
                let label = self.function(f.name);
                self.line(&format!("{case}: goto enter_{label};"));
            }
            self.line("}");
        }
        for f in &group {
            self.fun = f;
            if is_loop || group.len() > 1 {
                let label = format!("enter_{}", self.function(f.name));
                self.out.push_str(&format!("{}\n", text::label(&label)));
            }
            f.params.iter().for_each(|x| self.declared(*x));
            self.block(&f.body, &Dest::Return(rep));
            if is_loop || group.len() > 1 {
                self.out.push_str("}\n");
            }
        }
        self.out.push_str("}\n");
        if group.len() > 1 {
            self.entries(&name, rep, &params);
        }
        text::finished(&self.out) + "\n"
    }

    /// The members of a group as others call them.
    fn entries(&mut self, group: &str, rep: Rep, params: &[(Name, Vec<(String, Rep)>)]) {
        for (i, (f, own)) in params.iter().enumerate() {
            let result = self.program.layout.result(*f);
            let listed: Vec<String> = own.iter().map(|(x, r)| format!("{}{x}", r.ctype())).collect();
            let listed = if listed.is_empty() { "void".to_owned() } else { listed.join(", ") };
            let args = params
                .iter()
                .flat_map(|(g, of)| of.iter().map(move |(x, _)| if g == f { x.as_str() } else { "0" }));
            let args: Vec<&str> = args.collect();
            let args: Vec<String> =
                std::iter::once(i.to_string()).chain(args.into_iter().map(str::to_owned)).collect();
            let call = convert(&format!("{group}_group({})", args.join(", ")), rep, result);
            let name = self.function(*f);
            let text = format!("static {}{name}({listed}) {{\n    return {call};\n}}\n\n", result.ctype());
            self.program.entries.push((*f, text));
        }
    }

    /// `static rw_val f(rw_val self, rw_val x) { … }` of a closure.
    fn closure(mut self, name: &str, l: &'c Lam, fields: &Fields) -> String {
        let (this, _) = self.declare_as(l.this, Rep::Value);
        let (param, rep) = self.declare(l.param);
        let given = if rep == Rep::Int { self.temporary("c_") } else { param.clone() };
        self.out.push_str(&format!("static rw_val {name}(rw_val {this}, rw_val {given}) {{\n"));
        if rep == Rep::Int {
            self.line(&format!("int64_t {param} = rw_unbox({given});"));
        }
        [l.this, l.param].into_iter().for_each(|x| self.declared(x));
        for (y, at) in l.ys.iter().zip(&fields.at) {
            let (y_name, rep) = self.declare(*y);
            self.line(&load(&y_name, rep, &this, *at));
        }
        self.known.push((l.this, fields.clone()));
        self.block(&l.body, &Dest::Return(Rep::Value));
        self.out.push_str("}\n");
        text::finished(&self.out) + "\n"
    }

    fn function(&self, f: Name) -> String {
        self.program.names.get(&f).cloned().unwrap_or_else(|| "f_".to_owned())
    }

    fn block(&mut self, b: &'c Block, dest: &Dest) {
        deep(|| {
            b.instrs.iter().for_each(|i| self.instr(i));
            match &b.end {
                End::Done(r) => self.done(r, dest),
                End::Match(x, arms) => self.matching(*x, arms, dest),
            }
        });
    }

    fn instr(&mut self, i: &'c Instr) {
        match i {
            Instr::Op(o) => self.op(*o),
            Instr::Val(x, Bound::Rhs(r)) => {
                let (e, from) = self.value(r);
                let (name, rep) = self.declare(*x);
                self.line(&format!("{}{name} = {};", rep.ctype(), convert(&e, from, rep)));
                self.declared(*x);
            }
            Instr::Val(x, Bound::Block(b)) => {
                let (name, rep) = self.declare(*x);
                self.line(&format!("{}{name};", rep.ctype()));
                self.line("{");
                self.inside(|body| body.block(b, &Dest::Variable(name.clone(), rep)));
                self.line("}");
                self.declared(*x);
            }
            Instr::Unique(x, fork) => {
                let (x, rep) = self.variable(*x);
                if rep == Rep::Value {
                    self.line(&format!("if (rw_is_unique({x})) {{"));
                    self.fork(fork, None, None);
                }
            }
            Instr::Token { token, of, fork } => self.token(*token, *of, fork.as_ref()),
        }
    }

    /// A variable is declared by now, which perhaps nothing reads.
    fn declared(&mut self, x: Name) {
        let (name, _) = self.variable(x);
        self.line(&text::declared(&name));
    }

    fn inside(&mut self, f: impl FnOnce(&mut Self)) {
        self.depth += 1;
        f(self);
        self.depth -= 1;
    }

    fn op(&mut self, o: Op) {
        let (x, rep) = self.variable(o.name());
        match (o, rep) {
            (Op::Dup(_), Rep::Value) => self.line(&format!("rw_dup({x});")),
            (Op::Drop(_), Rep::Value) => self.line(&format!("rw_drop({x});")),
            (Op::DecRef(_), Rep::Value) => self.line(&format!("rw_decref({x});")),
            (Op::Free(_), Rep::Value) => self.line(&format!("rw_free({x});")),
            (Op::DropToken(_), Rep::Token) => self.line(&format!("rw_drop_token({x});")),
            (Op::Dup(_) | Op::Drop(_) | Op::DecRef(_) | Op::Free(_) | Op::DropToken(_), _) => {}
        }
    }

    fn fork(&mut self, fork: &Fork, then: Option<String>, otherwise: Option<String>) {
        self.inside(|body| {
            fork.then.iter().for_each(|o| body.op(*o));
            then.into_iter().for_each(|l| body.line(&l));
        });
        self.line("} else {");
        self.inside(|body| {
            fork.otherwise.iter().for_each(|o| body.op(*o));
            otherwise.into_iter().for_each(|l| body.line(&l));
        });
        self.line("}");
    }

    fn token(&mut self, token: Name, of: Name, fork: Option<&Fork>) {
        let (x, _) = self.variable(of);
        let (r, _) = self.declare_as(token, Rep::Token);
        if let Some((_, fields)) = self.known.iter().rev().find(|(y, _)| *y == of) {
            self.tokens.insert(token, fields.clone());
        }
        let Some(fork) = fork else {
            self.line(&format!("struct rw_cell *{r} = rw_drop_reuse({x});"));
            return self.declared(token);
        };
        self.line(&format!("struct rw_cell *{r};"));
        self.declared(token);
        self.line(&format!("if (rw_is_unique({x})) {{"));
        self.fork(fork, Some(format!("{r} = rw_cell({x});")), Some(format!("{r} = NULL;")));
    }

    fn done(&mut self, r: &'c Rhs, dest: &Dest) {
        if let (Rhs::Call(f, args), Dest::Return(_)) = (r, dest)
            && let Some(target) = self.group.iter().copied().find(|g| g.name == *f)
        {
            return self.jump(target, args);
        }
        let (e, from) = self.value(r);
        match dest {
            Dest::Return(to) => self.line(&format!("return {};", convert(&e, from, *to))),
            Dest::Variable(x, to) => self.line(&format!("{x} = {};", convert(&e, from, *to))),
        }
    }

    /// A tail call of this function, or of one that is the same loop.
    fn jump(&mut self, target: &'c Fun, args: &[Atom]) {
        let mut moves = Vec::new();
        for (x, a) in target.params.iter().zip(args) {
            let Some((param, rep)) = self.names.get(&(target.name, *x)).cloned() else { continue };
            let arg = self.atom(*a, rep);
            if arg != param {
                moves.push((param, rep, arg));
            }
        }
        // Assignments are made one after another: what reads a parameter that is assigned before is read before all of them.
        let mentions = |e: &str, x: &str| {
            e.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == x)
        };
        let mut assign = Vec::new();
        for (i, (param, rep, arg)) in moves.iter().enumerate() {
            if moves.iter().take(i).any(|(before, _, _)| mentions(arg, before)) {
                let t = self.temporary("t_");
                self.line(&format!("{}{t} = {arg};", rep.ctype()));
                assign.push(format!("{param} = {t};"));
            } else {
                assign.push(format!("{param} = {arg};"));
            }
        }
        assign.iter().for_each(|l| self.line(l));
        let label = self.function(target.name);
        self.line(&format!("goto enter_{label};"));
    }

    fn atom(&self, a: Atom, to: Rep) -> String {
        match a {
            Atom::Var(x) => {
                let (x, from) = self.variable(x);
                convert(&x, from, to)
            }
            Atom::Con(c) => convert(&format!("RW_CON({})", self.constructor(c)), Rep::Value, to),
            Atom::Int(n) => convert(&text::int(n), Rep::Int, to),
            Atom::Static(s) => convert(&statics::value(s), Rep::Value, to),
        }
    }

    fn constructor(&self, c: Name) -> String {
        self.program.layout.constructors.get(&c).map_or_else(|| "0".to_owned(), |(name, _)| name.clone())
    }

    /// The expression of a value and what it is; statements that come before are written.
    fn value(&mut self, r: &'c Rhs) -> (String, Rep) {
        match r {
            Rhs::Atom(Atom::Var(x)) => self.variable(*x),
            Rhs::Atom(a @ (Atom::Con(_) | Atom::Static(_))) => (self.atom(*a, Rep::Value), Rep::Value),
            Rhs::Atom(a @ Atom::Int(_)) => (self.atom(*a, Rep::Int), Rep::Int),
            Rhs::App(f, a) => {
                let (f, a) = (self.atom(*f, Rep::Value), self.atom(*a, Rep::Value));
                (format!("rw_apply({f}, {a}, C_closure, c_closures)"), Rep::Value)
            }
            Rhs::Call(f, args) => {
                let params = self.program.layout.code.fun(*f).map_or_else(Vec::new, |g| {
                    g.params.iter().map(|x| self.program.layout.rep(g, *x)).collect()
                });
                let args: Vec<String> = args.iter().zip(params).map(|(a, rep)| self.atom(*a, rep)).collect();
                self.program.called.insert(*f);
                (format!("{}({})", self.function(*f), args.join(", ")), self.program.layout.result(*f))
            }
            Rhs::Prim(op, args) => {
                let rep = if op.is_about_references() { Rep::Value } else { Rep::Int };
                let args: Vec<String> = args.iter().map(|a| self.atom(*a, rep)).collect();
                self.primitive(*op, &args)
            }
            Rhs::Con(c) => (self.construct(c), Rep::Value),
            Rhs::Lam(l) => (self.lambda(l), Rep::Value),
        }
    }

    fn primitive(&self, op: Prim, args: &[String]) -> (String, Rep) {
        let (a, b) = (args.first().map_or("0", String::as_str), args.get(1).map_or("0", String::as_str));
        let truth = |c: &str| {
            let (yes, no) = (self.constructor(Name::new("True")), self.constructor(Name::new("False")));
            (format!("{c}({a}, {b}) ? RW_CON({yes}) : RW_CON({no})"), Rep::Value)
        };
        let name = match op {
            Prim::Eq => return truth("rw_eq"),
            Prim::Lt => return truth("rw_lt"),
            Prim::Le => return truth("rw_le"),
            Prim::Ref => return (format!("rw_ref({a})"), Rep::Value),
            Prim::Get => return (format!("rw_get({a})"), Rep::Value),
            Prim::Set => {
                let unit = self.constructor(Name::new("Unit"));
                return (format!("(rw_set({a}, {b}), RW_CON({unit}))"), Rep::Value);
            }
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Mod => op.name(),
        };
        (format!("rw_{name}({a}, {b})"), Rep::Int)
    }

    fn construct(&mut self, c: &Con) -> String {
        let Some((tag, fields)) = self.program.layout.constructors.get(&c.name).cloned() else {
            return "0".to_owned();
        };
        if c.args.is_empty() {
            return format!("RW_CON({tag})");
        }
        let args: Vec<String> = c.args.iter().zip(&fields.reps).map(|(a, rep)| self.atom(*a, *rep)).collect();
        let cell = self.temporary("c_");
        let header = format!("{tag}, {}, {}", fields.at.len(), fields.counted);
        let assign = |body: &mut Self, skip: &dyn Fn(usize) -> bool| {
            let mut writes = 0;
            for (i, (arg, at)) in args.iter().zip(&fields.at).enumerate().filter(|(i, _)| !skip(*i)) {
                let cast = if fields.reps.get(i) == Some(&Rep::Int) { "(uint64_t)" } else { "" };
                body.line(&format!("{cell}->f[{at}] = {cast}{arg};"));
                writes += 1;
            }
            if writes > 0 {
                body.line(&format!("RW_ADD(writes, {writes});"));
            }
        };
        let Some(at) = &c.at else {
            self.line(&format!("struct rw_cell *{cell} = rw_alloc({header});"));
            assign(self, &|_| false);
            return format!("rw_of({cell})");
        };
        let (token, _) = self.variable(at.token);
        let old = self.tokens.get(&at.token).cloned();
        let keeps = |i: usize| at.keeps(i) && old.as_ref().is_some_and(|old| old.agrees(&fields, i));
        if !(0..args.len()).any(keeps) {
            let (length, counted) = (fields.at.len(), fields.counted);
            self.line(&format!(
                "struct rw_cell *{cell} = {token} ? rw_reuse({token}, {tag}, {length}, {counted}) : rw_alloc({header});"
            ));
            assign(self, &|_| false);
            return format!("rw_of({cell})");
        }
        self.line(&format!("struct rw_cell *{cell} = {token};"));
        self.line(&format!("if ({cell}) {{"));
        self.inside(|body| {
            body.line(&format!("rw_reuse({cell}, {header});"));
            assign(body, &keeps);
        });
        self.line("} else {");
        self.inside(|body| {
            body.line(&format!("{cell} = rw_alloc({header});"));
            assign(body, &|_| false);
        });
        self.line("}");
        format!("rw_of({cell})")
    }

    fn lambda(&mut self, l: &'c Lam) -> String {
        let reps = l.ys.iter().map(|y| self.program.layout.rep(self.fun, *y)).collect();
        let fields = match Fields::new(l.this, reps) {
            Ok(fields) => fields,
            Err(why) => {
                self.program.refusal = Some(why);
                return "0".to_owned();
            }
        };
        let name = format!("{}_fn{}", self.function(self.fun.name), self.program.closures.len());
        let number = self.program.closures.len();
        self.program.closures.push(name.clone());
        let body = Body::new(self.program, Vec::new(), self.fun).closure(&name, l, &fields);
        self.program.bodies.push_str(&body);
        let cell = self.temporary("c_");
        self.line(&format!(
            "struct rw_cell *{cell} = rw_alloc(C_closure + {number}, {}, {});",
            fields.at.len(),
            fields.counted
        ));
        for (y, (at, rep)) in l.ys.iter().zip(fields.at.iter().zip(&fields.reps)) {
            let cast = if *rep == Rep::Int { "(uint64_t)" } else { "" };
            let (y, _) = self.variable(*y);
            self.line(&format!("{cell}->f[{at}] = {cast}{y};"));
        }
        if !l.ys.is_empty() {
            self.line(&format!("RW_ADD(writes, {});", l.ys.len()));
        }
        format!("rw_of({cell})")
    }

    fn matching(&mut self, x: Name, arms: &'c [Arm], dest: &Dest) {
        let (name, rep) = self.variable(x);
        if rep == Rep::Int {
            return self.line("rw_stuck(\"match-non-constructor\");");
        }
        let kind = self.program.layout.kinds.get(Slot::Var(self.fun.name, x));
        let is_sure = !kind.int && kind.is_data();
        // Nothing gets to a match of which no arm is left: it is in a closure that nobody applies.
        let covers =
            is_sure && !arms.is_empty() && kind.cons.iter().all(|c| arms.iter().any(|a| a.con == *c));
        let with_fields = kind.cons.iter().filter(|c| self.program.layout.has_fields(**c)).count();
        let without = kind.cons.len() > with_fields;
        for (i, arm) in arms.iter().enumerate() {
            let tag = self.constructor(arm.con);
            let test = if i + 1 == arms.len() && covers {
                None
            } else if arm.binders.is_empty() {
                Some(format!("{name} == RW_CON({tag})"))
            } else if is_sure && with_fields == 1 {
                Some(format!("rw_is_cell({name})"))
            } else if is_sure && !without {
                Some(format!("rw_cell({name})->tag == {tag}"))
            } else {
                Some(format!("rw_is_cell({name}) && rw_cell({name})->tag == {tag}"))
            };
            let or = if i == 0 { "" } else { "} else " };
            match test {
                Some(test) => self.line(&format!("{or}if ({test}) {{")),
                None if i == 0 => {
                    self.line(&format!("(void){name};"));
                    self.line("{");
                }
                None => self.line("} else {"),
            }
            self.inside(|body| body.arm(x, &name, arm, dest));
        }
        if !covers {
            if !arms.is_empty() {
                self.line("} else {");
            } else {
                self.line("{");
            }
            self.inside(|body| body.line(&format!("rw_no_branch({name}, C_closure);")));
        }
        self.line("}");
    }

    fn arm(&mut self, x: Name, scrutinee: &str, arm: &'c Arm, dest: &Dest) {
        let Some((_, fields)) = self.program.layout.constructors.get(&arm.con).cloned() else { return };
        for (b, at) in arm.binders.iter().zip(&fields.at) {
            let Some(b) = b else { continue };
            let (name, rep) = self.declare(*b);
            self.line(&load(&name, rep, scrutinee, *at));
        }
        self.known.push((x, fields));
        self.block(&arm.body, dest);
        self.known.pop();
    }
}

/// `int64_t x = …` from a field, where something reads x.
fn load(name: &str, rep: Rep, cell: &str, at: usize) -> String {
    let cast = if rep == Rep::Int { "(int64_t)" } else { "" };
    text::loaded(name, &format!("{}{name} = {cast}rw_cell({cell})->f[{at}];", rep.ctype()))
}

fn convert(e: &str, from: Rep, to: Rep) -> String {
    match (from, to) {
        (Rep::Int, Rep::Value) => format!("rw_box({e})"),
        (Rep::Value, Rep::Int) => format!("rw_unbox({e})"),
        (Rep::Int | Rep::Value | Rep::Token, _) => e.to_owned(),
    }
}
