//! The loop nest of an explanation, one line for each binder.

use super::{Explained, Told};
use crate::bounds::query::cpu_regions;
use crate::expr::{Expr, Interval, Region};
use crate::index;
use crate::text::print;
use crate::tgt::together::fused_here;
use crate::tgt::walk::visit;
use crate::tgt::{Block, Claim, For, Label, Order, Program, Stmt};

/// The regions in the order in which they are met, and the text.
pub(super) fn nest(of: &Told<'_>) -> (Vec<Explained>, String) {
    let mut nest = Nest { of, regions: Vec::new(), out: String::new() };
    let t = of.t;
    nest.line(0, &format!("pipeline {}:", print::names(&t.algorithm.outputs())));
    for corner in index::asserted(t) {
        nest.line(1, &format!("{} = {}", print::var(corner.var), print::expr(&corner.value)));
    }
    nest.block(&t.body, 1);
    (nest.regions, nest.out)
}

/// The assertions of a program.
pub(super) fn asserted(t: &Program) -> Vec<(&Expr, Claim)> {
    let mut out = Vec::new();
    visit(&t.body, &mut |s| {
        if let Stmt::Assert { cond, claim } = s {
            out.push((cond, *claim));
        }
    });
    out
}

struct Nest<'a> {
    of: &'a Told<'a>,
    regions: Vec<Explained>,
    out: String,
}

impl Nest<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// A region where its scope begins, with what forces it.
    fn begins(&mut self, region: Region, depth: usize) {
        let explained = self.of.region(region);
        self.line(depth, &explained.heading());
        for reason in explained.reasons() {
            self.line(depth + 1, &format!("- {reason}"));
        }
        self.regions.push(explained);
    }

    fn block(&mut self, b: &Block, depth: usize) {
        for region in cpu_regions(self.of.t, b) {
            self.begins(region, depth);
        }
        for s in &fused_here(self.of.t, b) {
            self.stmt(s, depth);
        }
    }

    fn stmt(&mut self, s: &Stmt, depth: usize) {
        match s {
            Stmt::Assert { cond, claim } => self.assertion(cond, *claim, depth),
            Stmt::Allocate { func, .. } => self.begins(Region::Mem(*func), depth),
            Stmt::Store { site, args, value } => {
                let head =
                    format!("{}{}[{}]", site.func, print::tag(site.stage, site.spec), print::list(args));
                self.line(depth, &format!("{head} <- {}", print::expr(value)));
            }
            Stmt::If { cond, then, other } => {
                let cond = self.of.with_bounds(cond);
                self.line(depth, &format!("if {}:", print::expr(&cond)));
                self.block(then, depth + 1);
                if !other.is_empty() {
                    self.line(depth, "else:");
                    self.block(other, depth + 1);
                }
            }
            Stmt::For(l) => self.for_loop(l, depth),
            Stmt::Let { var, value, body } => {
                let value = self.of.with_bounds(value);
                self.line(depth, &format!("{} = {}", print::var(*var), print::expr(&value)));
                self.block(body, depth);
            }
            Stmt::Label { label: Label::Func(f), body } => {
                self.line(depth, &format!("produce {f}:"));
                self.block(body, depth + 1);
            }
            Stmt::Label { label: Label::Stage(_), body } => self.block(body, depth),
        }
    }

    /// What a directive of the bounds phase says is told beside its region.
    fn assertion(&mut self, cond: &Expr, claim: Claim, depth: usize) {
        let what = match claim {
            Claim::Bounds => return,
            Claim::NoBounds => "there are bounds",
            Claim::Factor => "the split factor",
            Claim::Rdom => "the reduction domain",
            Claim::Extent => "the extent is constant",
            Claim::Special => "one of the specializations",
            Claim::Required => "required",
            Claim::Fold => "the fold factor",
            Claim::Index => "an end of an index",
        };
        let cond = self.of.with_bounds(cond);
        self.line(depth, &format!("assert {} ({what})", print::expr(&cond)));
    }

    fn for_loop(&mut self, l: &For, depth: usize) {
        let order = match l.order {
            Order::Serial => "",
            Order::Parallel => "parallel ",
            Order::Vectorized => "vectorized ",
            Order::Unrolled => "unrolled ",
        };
        let bounds = |e: &Expr| self.of.with_bounds(e);
        let domain = Interval { min: bounds(&l.domain.min), len: bounds(&l.domain.len) };
        let name = print::loop_var(l.site, l.var.as_str());
        self.line(depth, &format!("{order}for {name} in {}:", print::interval(&domain)));
        self.block(&l.body, depth + 1);
    }
}
