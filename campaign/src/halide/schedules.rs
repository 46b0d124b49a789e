//! Random schedules: directives drawn phase by phase and kept when they are accepted.

use crate::rng::Rng;
use rewright_halide_model::alg::{Algorithm, Func};
use rewright_halide_model::expr::{Expr, Var};
use rewright_halide_model::lower::lower;
use rewright_halide_model::op::Op;
use rewright_halide_model::schedule::{
    Align, AlignBounds, Atomic, Bound, BoundExtent, ComputeAt, ComputeWith, Directive, FoldStorage, Fuse,
    HoistStorage, Rfactor, Rules, Specialize, SpecializeFail, Split, SplitRdom, StoreAt, Swap, Tail,
    Traverse, Wrap, apply, check_whole,
};
use rewright_halide_model::tgt::{Block, LoopName, Order, Program, Stmt};
use rewright_semantics::sym::Name;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A schedule, the program it makes, and how often each restriction refused a directive.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The directives that were accepted.
    pub schedule: Vec<Directive>,
    /// The program.
    pub program: Program,
    /// Refusals by restriction.
    pub refused: BTreeMap<&'static str, usize>,
}

/// A random schedule for an algorithm.
pub fn draw(rng: &mut Rng, p: &Arc<Algorithm>, rules: Rules) -> Drawn {
    let mut drawer = Drawer::new(rng, p, rules);
    drawer.algorithms();
    drawer.specializations();
    drawer.loops();
    drawer.places();
    drawer.together();
    drawer.bounds();
    drawer.sealed()
}

/// A random schedule that computes two funcs together wherever it can. Spec: [rule: halide.compute-with].
pub fn draw_together(rng: &mut Rng, p: &Arc<Algorithm>, rules: Rules) -> Drawn {
    let mut drawer = Drawer::new(rng, p, rules);
    let producers = p.funcs.len() - 1;
    let (i, j) = (drawer.rng.below(producers), drawer.rng.below(producers));
    let pair = [i, j].map(|i| p.funcs.get(i).map_or(p.output, |f| f.name));
    if drawer.rng.chance(30) {
        let conds: Vec<Expr> = (0..1 + drawer.rng.below(2)).map(|_| drawer.startup()).collect();
        for func in pair {
            if drawer.rng.chance(95) {
                drawer.attempt(Directive::Specialize(Specialize { func, conds: conds.clone() }));
            }
        }
    }
    drawer.loops();
    if drawer.rng.chance(40)
        && let Some(at) = drawer.tile().or_else(|| drawer.any_loop())
    {
        for func in [pair[1], pair[0]] {
            drawer.attempt(Directive::ComputeAt(ComputeAt { func, at }));
        }
    }
    if drawer.rng.chance(25) {
        drawer.places();
    }
    for _ in 0..5 {
        let (host, func) = if drawer.rng.chance(50) { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
        let loops: Vec<LoopName> =
            drawer.out.program.loops().into_iter().filter(|l| l.site.func == host).collect();
        let Some(with) = drawer.rng.pick(&loops).copied() else { continue };
        let stages = p.func(func).map_or(1, Func::stages);
        let stage =
            if drawer.rng.chance(60) { with.site.stage.min(stages - 1) } else { drawer.rng.below(stages) };
        let align = *drawer.rng.pick(&Align::ALL).unwrap_or(&Align::None);
        drawer.attempt(Directive::ComputeWith(ComputeWith { func, stage, with, align }));
    }
    drawer.bounds();
    drawer.sealed()
}

struct Drawer<'a> {
    rng: &'a mut Rng,
    /// The algorithm as it is given.
    given: Arc<Algorithm>,
    /// The algorithm as the directives so far make it.
    p: Arc<Algorithm>,
    rules: Rules,
    fresh: usize,
    out: Drawn,
}

impl<'a> Drawer<'a> {
    fn new(rng: &'a mut Rng, p: &Arc<Algorithm>, rules: Rules) -> Drawer<'a> {
        let out = Drawn { schedule: Vec::new(), program: lower(p), refused: BTreeMap::new() };
        Drawer { rng, given: p.clone(), p: p.clone(), rules, fresh: 0, out }
    }

    /// Applies a directive; whether it was accepted.
    fn attempt(&mut self, d: Directive) -> bool {
        match apply(&d, &self.out.program, self.rules) {
            Ok(t) => {
                self.p = t.algorithm.clone();
                self.out.program = t;
                self.out.schedule.push(d);
                true
            }
            Err(refusal) => {
                *self.out.refused.entry(refusal.restriction.id).or_default() += 1;
                false
            }
        }
    }

    /// What is stored outside a parallel loop and computed inside is refused at the end: such loops run serially then.
    fn sealed(mut self) -> Drawn {
        if check_whole(&self.out.program, self.rules).is_ok() {
            return self.out;
        }
        *self.out.refused.entry("schedule.shared-storage").or_default() += 1;
        let is_parallel = |d: &Directive| {
            matches!(d, Directive::Traverse(Traverse { order: Order::Parallel | Order::Vectorized, .. }))
        };
        let serial: Vec<Directive> = self.out.schedule.iter().filter(|d| !is_parallel(d)).cloned().collect();
        self.out.schedule = Vec::new();
        self.out.program = lower(&self.given);
        for d in serial {
            self.attempt(d);
        }
        self.out
    }

    fn func(&mut self) -> Name {
        let i = self.rng.below(self.p.funcs.len());
        self.p.funcs.get(i).map_or(self.p.output, |f| f.name)
    }

    fn startup(&mut self) -> Expr {
        match self.p.params.first() {
            Some(p) => Expr::binary(Op::Lt, Expr::Var(Var::Param(*p)), Expr::int(self.rng.between(0, 4))),
            None => Expr::int(self.rng.between(0, 1)),
        }
    }

    /// Directives that change the algorithm.
    fn algorithms(&mut self) {
        if self.rng.chance(15) {
            let (func, into) = (self.func(), self.new_name("w"));
            let users: Vec<Name> =
                self.p.funcs.iter().filter(|f| f.references().contains(&func)).map(|f| f.name).collect();
            let consumers =
                if self.rng.chance(50) { Vec::new() } else { users.into_iter().take(1).collect() };
            let is_clone = self.rng.chance(50);
            self.attempt(Directive::Wrap(Wrap { is_clone, func, into, consumers }));
        }
        if self.rng.chance(25) {
            self.parts();
        }
    }

    /// A reduction in parts.
    fn parts(&mut self) {
        let stages: Vec<(Name, usize)> =
            self.p.funcs.iter().flat_map(|f| (1..f.stages()).map(|k| (f.name, k))).collect();
        let Some((func, stage)) = self.rng.pick(&stages).copied() else { return };
        let rvars = |p: &Algorithm| -> Vec<Name> {
            let update = p.func(func).and_then(|f| f.updates.get(stage - 1));
            update.map(|u| u.rdom.iter().map(|r| r.var).collect()).unwrap_or_default()
        };
        if self.rng.chance(60)
            && let Some(var) = self.rng.pick(&rvars(&self.p)).copied()
        {
            let (outer, inner) = (self.new_name("ro"), self.new_name("ri"));
            let factor = Expr::int(self.rng.between(1, 4));
            self.attempt(Directive::SplitRdom(SplitRdom { func, stage, var, outer, inner, factor }));
        }
        let mut keep = Vec::new();
        for r in rvars(&self.p) {
            if self.rng.chance(60) {
                keep.push((r, self.new_name("u")));
            }
        }
        if !keep.is_empty() {
            let into = self.new_name("h");
            self.attempt(Directive::Rfactor(Rfactor { func, stage, into, keep }));
        }
    }

    fn specializations(&mut self) {
        if self.rng.chance(15) {
            let func = self.func();
            let conds = (0..1 + self.rng.below(2)).map(|_| self.startup()).collect();
            self.attempt(Directive::Specialize(Specialize { func, conds }));
            if self.rng.chance(20) {
                self.attempt(Directive::SpecializeFail(SpecializeFail { func }));
            }
        }
    }

    fn any_loop(&mut self) -> Option<LoopName> {
        let loops = self.out.program.loops();
        // The output's loops, inside which others may be computed, are taken more often.
        let output: Vec<LoopName> = loops.iter().filter(|l| l.site.func == self.p.output).copied().collect();
        let from = if self.rng.chance(45) { &output } else { &loops };
        self.rng.pick(from).copied()
    }

    fn new_name(&mut self, stem: &str) -> Name {
        self.fresh += 1;
        Name::new(&format!("{stem}{}", self.fresh))
    }

    /// A loop of a split of the output's, or one inside: where producers are computed most often.
    fn tile(&mut self) -> Option<LoopName> {
        let loops = self.out.program.loops();
        let inside: Vec<LoopName> = loops
            .into_iter()
            .filter(|l| {
                l.site.func == self.p.output && is_inside_split(&self.out.schedule, &self.out.program, *l)
            })
            .collect();
        if self.rng.chance(70) { self.rng.pick(&inside).copied() } else { None }
    }

    fn loops(&mut self) {
        let first: Vec<LoopName> = self
            .out
            .program
            .loops()
            .into_iter()
            .filter(|l| l.site.func == self.p.output && l.site.stage == 0)
            .collect();
        if self.rng.chance(75)
            && let Some(of) = self.rng.pick(&first).copied()
        {
            let split = self.split(of);
            self.attempt(split);
        }
        for _ in 0..1 + self.rng.below(6) {
            let Some(of) = self.any_loop() else { return };
            if of.site.stage > 0 && self.rng.chance(30) {
                let (func, stage) = (of.site.func, of.site.stage);
                self.attempt(Directive::Atomic(Atomic { func, stage }));
            }
            let directive = match self.rng.below(13) {
                0..=4 => self.split(of),
                5..=7 => Directive::Swap(Swap { of }),
                8 | 9 => Directive::Fuse(Fuse { of, into: self.new_name("f") }),
                10 => Directive::Traverse(Traverse { of, order: Order::Parallel }),
                _ => {
                    let orders = [Order::Vectorized, Order::Unrolled, Order::Serial];
                    Directive::Traverse(Traverse {
                        of,
                        order: *self.rng.pick(&orders).unwrap_or(&Order::Serial),
                    })
                }
            };
            self.attempt(directive);
        }
    }

    fn split(&mut self, of: LoopName) -> Directive {
        let factor = match self.p.params.first() {
            Some(p) if self.rng.chance(8) => Expr::Var(Var::Param(*p)),
            _ => Expr::int(self.rng.between(1, 5)),
        };
        let tail = match (of.site.stage, self.rng.below(100)) {
            (0, 0..=39) => Tail::Round,
            (0, 40..=74) => Tail::Shift,
            (1.., 0..=24) => Tail::Round,
            (1.., 25..=39) => Tail::ShiftBlend,
            (1.., 40..=54) => Tail::RoundBlend,
            _ => Tail::Guard,
        };
        Directive::Split(Split { of, outer: self.new_name("o"), inner: self.new_name("i"), factor, tail })
    }

    /// Consumers first; a producer goes to a loop of what is placed already.
    fn places(&mut self) {
        let funcs: Vec<Name> = self.p.funcs.iter().rev().skip(1).map(|f| f.name).collect();
        let mut placed = Vec::new();
        for func in funcs {
            if !self.rng.chance(75) {
                continue;
            }
            for _ in 0..6 {
                let Some(at) = self.tile().or_else(|| self.any_loop()) else { break };
                if self.attempt(Directive::ComputeAt(ComputeAt { func, at })) {
                    placed.push(func);
                    break;
                }
            }
        }
        for func in placed {
            if !self.rng.chance(65) {
                continue;
            }
            for _ in 0..5 {
                let Some(at) = self.tile().or_else(|| self.any_loop()) else { break };
                if self.attempt(Directive::StoreAt(StoreAt { func, at })) {
                    break;
                }
            }
            if self.rng.chance(20)
                && let Some(at) = self.any_loop()
            {
                self.attempt(Directive::HoistStorage(HoistStorage { func, at }));
            }
        }
    }

    /// Stages of funcs other than the output computed together.
    fn together(&mut self) {
        if self.p.funcs.len() < 3 || !self.rng.chance(40) {
            return;
        }
        let output = self.p.output;
        for _ in 0..4 {
            let loops: Vec<LoopName> =
                self.out.program.loops().into_iter().filter(|l| l.site.func != output).collect();
            let Some(with) = self.rng.pick(&loops).copied() else { return };
            let func = self.func();
            let stages = self.p.func(func).map_or(1, Func::stages);
            let stage = if self.rng.chance(60) { with.site.stage } else { self.rng.below(stages) };
            let align = *self.rng.pick(&Align::ALL).unwrap_or(&Align::None);
            self.attempt(Directive::ComputeWith(ComputeWith { func, stage, with, align }));
        }
    }

    fn bounds(&mut self) {
        if self.rng.chance(20) {
            let func = self.func();
            let vars = self.p.func(func).map(|f| f.vars.clone()).unwrap_or_default();
            if let Some(var) = self.rng.pick(&vars).copied() {
                let factor = Expr::int(self.rng.between(1, 9));
                self.attempt(Directive::FoldStorage(FoldStorage { func, var, factor }));
            }
        }
        if !self.rng.chance(22) {
            return;
        }
        let func = self.func();
        let vars = self.p.func(func).map(|f| f.vars.clone()).unwrap_or_default();
        let Some(var) = self.rng.pick(&vars).copied() else { return };
        let directive = match self.rng.below(3) {
            0 => {
                let (min, len) = (self.rng.between(-20, -4), self.rng.between(24, 60));
                Directive::Bound(Bound { func, var, min: Expr::int(min), len: Expr::int(len) })
            }
            1 => Directive::BoundExtent(BoundExtent { func, var, len: Expr::int(self.rng.between(6, 40)) }),
            _ => {
                let (m, r) = (self.rng.between(1, 4), self.rng.between(0, 3));
                Directive::AlignBounds(AlignBounds {
                    func,
                    var,
                    modulus: Expr::int(m),
                    remainder: Expr::int(r),
                })
            }
        };
        self.attempt(directive);
    }
}

/// Whether a loop is made by a split or stands inside one that is.
pub fn is_inside_split(schedule: &[Directive], t: &Program, at: LoopName) -> bool {
    let made = |l: &LoopName| {
        schedule.iter().any(|d| {
            matches!(d, Directive::Split(Split { of, outer, inner, .. })
                if of.site == l.site && (*outer == l.var || *inner == l.var))
        })
    };
    let mut around = Vec::new();
    enclosing(&t.body, at, &mut around);
    around.iter().any(made)
}

/// The loops around a loop, itself included.
fn enclosing(b: &Block, at: LoopName, around: &mut Vec<LoopName>) -> bool {
    for s in b {
        let this = if let Stmt::For(l) = s { Some(LoopName { site: l.site, var: l.var }) } else { None };
        around.extend(this);
        if this == Some(at) || s.blocks().into_iter().any(|inner| enclosing(inner, at, around)) {
            return true;
        }
        if this.is_some() {
            around.pop();
        }
    }
    false
}
