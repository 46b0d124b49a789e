//! Random algorithms: valid by construction, with values that stay small.

use crate::rng::Rng;
use rewright_halide_model::alg::{Algorithm, Func, Input, RVar, Update, access, local};
use rewright_halide_model::expr::{Expr, Interval, Place, Var};
use rewright_halide_model::op::Op;
use rewright_halide_model::typed::Scalar;
use rewright_semantics::sym::Name;

const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
const VARS: [&str; 2] = ["x", "y"];

/// A random algorithm: two to four funcs of one or two dimensions, each used by a later one.
pub fn algorithm(rng: &mut Rng) -> Algorithm {
    let params: Vec<Name> = ["p", "q"].iter().take(rng.below(3)).map(|p| Name::new(p)).collect();
    let count = 2 + rng.below(3);
    let mut funcs: Vec<Func> = Vec::new();
    let mut unused: Vec<usize> = Vec::new();
    for i in 0..count {
        let mut maker =
            Maker { rng, params: &params, funcs: &funcs, unused: &mut unused, last: i + 1 == count };
        let f = maker.func(i);
        funcs.push(f);
        unused.push(i);
    }
    let output = funcs.last().map_or(Name::new("a"), |f| f.name);
    Algorithm::new(output, params, funcs)
}

/// A random input: small windows, some of them empty or below zero; parameters that make some domains empty.
pub fn input(rng: &mut Rng, p: &Algorithm) -> Input {
    let rank = p.window_rank();
    let dim = |rng: &mut Rng| {
        let len = if rng.chance(4) { 0 } else { rng.between(1, if rank == 1 { 17 } else { 7 }) };
        (rng.between(-5, 6), len)
    };
    let params = p.params.iter().map(|_| if rng.chance(3) { -1 } else { rng.between(0, 5) }).collect();
    Input::new(params, (0..rank).map(|_| dim(rng)).collect())
}

struct Maker<'a> {
    rng: &'a mut Rng,
    params: &'a [Name],
    funcs: &'a [Func],
    /// Funcs that nothing uses yet.
    unused: &'a mut Vec<usize>,
    last: bool,
}

fn add(a: Expr, b: Expr) -> Expr {
    Expr::binary(Op::Add, a, b)
}

/// `e mod 101`: values stay small however often they are summed.
fn small(e: Expr) -> Expr {
    Expr::binary(Op::Mod, e, Expr::int(101))
}

impl Maker<'_> {
    fn func(&mut self, i: usize) -> Func {
        let rank = 1 + self.rng.below(2);
        let vars: Vec<Name> = VARS.iter().take(rank).map(|x| Name::new(x)).collect();
        let name = Name::new(NAMES.get(i).copied().unwrap_or("z"));
        let at: Vec<Expr> = vars.iter().map(|x| local(*x)).collect();
        let pure = self.value(&at);
        let mut f = Func {
            name,
            vars,
            scalar: Scalar::Integer,
            parts: Vec::new(),
            pure,
            updates: Vec::new(),
            span: Place::NONE,
        };
        let mut more =
            if self.rng.chance(if self.last { 20 } else { 45 }) { 1 + self.rng.below(2) } else { 0 };
        while more > 0 {
            let u = self.update(&f);
            f.updates.push(u);
            more -= 1;
        }
        f
    }

    fn pick(&mut self) -> Option<usize> {
        let wanted = if self.last || self.rng.chance(60) { self.unused.pop() } else { None };
        wanted.or_else(|| (!self.funcs.is_empty()).then(|| self.rng.below(self.funcs.len())))
    }

    /// A value at a point: reads of earlier funcs around it, and something of its own.
    fn value(&mut self, at: &[Expr]) -> Expr {
        let mut e = self.seed(at);
        let mut reads = if self.funcs.is_empty() { 0 } else { 1 + self.rng.below(2) };
        if self.last {
            reads = reads.max(self.unused.len());
        }
        for _ in 0..reads {
            let Some(g) = self.pick() else { break };
            let mut read = self.read(g, at);
            if self.rng.chance(40) {
                let again = self.read(g, at);
                read = add(read, again);
            }
            e = match self.rng.below(6) {
                0 => Expr::binary(Op::Sub, e, read),
                1 => Expr::op(Op::Select, [Expr::binary(Op::Lt, e.clone(), Expr::int(7)), read, e]),
                2 => Expr::binary(Op::Max, e, read),
                _ => add(e, read),
            };
        }
        small(e)
    }

    /// Something that tells points apart.
    fn seed(&mut self, at: &[Expr]) -> Expr {
        let mut e = Expr::int(self.rng.between(-3, 9));
        for (i, x) in at.iter().enumerate() {
            let k = self.rng.between(1, 5) + i64::try_from(i).unwrap_or(0);
            e = add(e, Expr::binary(Op::Mul, Expr::int(k), x.clone()));
        }
        match (self.rng.below(5), at.first(), self.params.first()) {
            (0, Some(x), _) => add(e, Expr::binary(Op::Mul, x.clone(), x.clone())),
            (1, _, Some(p)) => Expr::binary(Op::Div, e, Expr::Var(Var::Param(*p))),
            _ => e,
        }
    }

    fn read(&mut self, g: usize, at: &[Expr]) -> Expr {
        let Some(f) = self.funcs.get(g) else { return Expr::int(1) };
        let (name, rank) = (f.name, f.vars.len());
        let args = (0..rank).map(|d| self.index(at, d)).collect();
        access(name, args)
    }

    /// An index: mostly the coordinate with an offset.
    fn index(&mut self, at: &[Expr], d: usize) -> Expr {
        let swapped = self.rng.chance(12);
        let x = at.get(if swapped { at.len().saturating_sub(1).saturating_sub(d) } else { d });
        let x = x.or(at.first()).cloned().unwrap_or(Expr::int(0));
        let offset = Expr::int(self.rng.between(-2, 2));
        match self.rng.below(14) {
            0 => add(Expr::binary(Op::Mul, Expr::int(2), x), offset),
            1 => add(Expr::binary(Op::Div, x, Expr::int(2)), offset),
            2 => Expr::binary(Op::Sub, offset, x),
            3 => Expr::binary(Op::Mod, add(x, offset), Expr::int(self.rng.between(2, 5))),
            4 => self.clamped(x),
            5 => self.gathered(at),
            6 => match self.params.first() {
                Some(p) => add(x, Expr::Var(Var::Param(*p))),
                None => x,
            },
            7 | 8 => x,
            _ => add(x, offset),
        }
    }

    fn clamped(&mut self, x: Expr) -> Expr {
        let lo = self.rng.between(-2, 1);
        let hi = lo + self.rng.between(0, 4);
        Expr::binary(Op::Min, Expr::binary(Op::Max, x, Expr::int(lo)), Expr::int(hi))
    }

    /// An index that depends on data, clamped, by `mod`, or by the values its func can have.
    fn gathered(&mut self, at: &[Expr]) -> Expr {
        let pick = if self.funcs.is_empty() { return Expr::int(0) } else { self.rng.below(self.funcs.len()) };
        let Some(f) = self.funcs.get(pick) else { return Expr::int(0) };
        let rank = f.vars.len();
        let args: Vec<Expr> =
            (0..rank).map(|d| at.get(d).or(at.first()).cloned().unwrap_or(Expr::int(0))).collect();
        let value = access(f.name, args);
        match self.rng.below(3) {
            0 => Expr::binary(Op::Mod, value, Expr::int(4)),
            1 => self.clamped(value),
            _ => Expr::binary(Op::Div, value, Expr::int(20)),
        }
    }

    /// A length: a constant or a parameter.
    fn length(&mut self) -> Expr {
        match self.params.last() {
            Some(p) if self.rng.chance(30) => Expr::Var(Var::Param(*p)),
            _ => Expr::int(self.rng.between(0, 4)),
        }
    }

    fn rvar(&mut self, name: &str) -> RVar {
        let domain = Interval { min: Expr::int(self.rng.between(-1, 2)), len: self.length() };
        RVar { var: Name::new(name), domain, span: Place::NONE }
    }

    /// An update stage of a kind that separation allows.
    fn update(&mut self, f: &Func) -> Update {
        let xs: Vec<Expr> = f.vars.iter().map(|x| local(*x)).collect();
        let mut rdom = Vec::new();
        if !self.rng.chance(20) {
            rdom.push(self.rvar("r"));
            if self.rng.chance(25) {
                rdom.push(self.rvar("t"));
            }
        }
        let mut lhs = xs.clone();
        if let Some(r) = rdom.first().map(|r| local(r.var))
            && self.rng.chance(50)
        {
            // One dimension becomes a reduction dimension.
            let d = self.rng.below(lhs.len());
            let point = self.scattered(&r);
            if let Some(place) = lhs.get_mut(d) {
                *place = point;
            }
        }
        let own: Vec<Expr> =
            lhs.iter().zip(&xs).map(|(e, x)| if e == x { e.clone() } else { self.earlier(e) }).collect();
        let mut scope: Vec<Expr> = lhs.clone();
        scope.extend(rdom.iter().map(|r| local(r.var)));
        self.rng_shuffle(&mut scope);
        // Only pure variables that stand at their place may occur.
        let reads = self.value(&scope);
        if self.rng.chance(30) {
            return self.combining(f, rdom, lhs, reads);
        }
        let rhs = small(add(
            Expr::binary(Op::Mul, Expr::int(self.rng.between(1, 3)), access(f.name, own.clone())),
            reads,
        ));
        let cond = match self.rng.below(10) {
            0 => Expr::binary(Op::Gt, Expr::binary(Op::Mod, access(f.name, own), Expr::int(3)), Expr::int(0)),
            1 | 2 => match scope.first() {
                Some(e) => Expr::binary(Op::Lt, e.clone(), Expr::int(self.rng.between(0, 6))),
                None => Expr::int(1),
            },
            _ => Expr::int(1),
        };
        Update { rdom, lhs, rhs, cond, span: Place::NONE }
    }

    /// An update whose iterations may run in any order, most often.
    fn combining(&mut self, f: &Func, rdom: Vec<RVar>, lhs: Vec<Expr>, with: Expr) -> Update {
        let op = match self.rng.below(8) {
            0 => Op::Min,
            1 => Op::Max,
            2 => Op::Sub,
            _ => Op::Add,
        };
        let rhs = Expr::binary(op, access(f.name, lhs.clone()), with);
        let cond = match rdom.first() {
            Some(r) if self.rng.chance(20) => {
                Expr::binary(Op::Lt, local(r.var), Expr::int(self.rng.between(0, 3)))
            }
            Some(_) | None => Expr::int(1),
        };
        Update { rdom, lhs, rhs, cond, span: Place::NONE }
    }

    fn rng_shuffle(&mut self, es: &mut [Expr]) {
        for i in (1..es.len()).rev() {
            let j = self.rng.below(i + 1);
            es.swap(i, j);
        }
    }

    /// A point that depends on a reduction variable.
    fn scattered(&mut self, r: &Expr) -> Expr {
        match self.rng.below(5) {
            0 => Expr::binary(Op::Mod, Expr::binary(Op::Mul, r.clone(), Expr::int(3)), Expr::int(4)),
            1 => self.gathered(std::slice::from_ref(r)),
            2 => Expr::int(self.rng.between(0, 3)),
            3 => add(r.clone(), Expr::int(self.rng.between(-1, 2))),
            _ => r.clone(),
        }
    }

    /// The same place or one next to it: a recurrence.
    fn earlier(&mut self, e: &Expr) -> Expr {
        if self.rng.chance(50) { add(e.clone(), Expr::int(-1)) } else { e.clone() }
    }
}
