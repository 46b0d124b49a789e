//! The printer of the target language: what people read in refusals, goldens and `rewright halide lower`.

use super::{Block, Claim, For, Label, LoopName, Order, Program, Stmt};
use crate::expr::{Expr, Site};
use crate::index;
use crate::text::print::{expr, interval, list, loop_var, tag, var};

/// A program. The loop that is `marked` carries `<-- here`.
pub fn program(t: &Program, marked: Option<LoopName>) -> String {
    let t = &super::together::fused(t);
    let p = &t.algorithm;
    let rank = p.window_rank();
    let mut args: Vec<String> = p.params.iter().map(|p| p.to_string()).collect();
    for d in 0..rank {
        args.push(format!("out.{d}.min"));
        args.push(format!("out.{d}.len"));
    }
    let mut printer = Printer {
        out: format!("pipeline {}({}):\n", crate::text::print::names(&p.outputs()), args.join(", ")),
        marked,
    };
    for corner in index::asserted(t) {
        printer.line(1, &format!("let {} = {}:", var(corner.var), expr(&corner.value)));
    }
    printer.block(&t.body, 1);
    printer.out
}

/// A block on its own.
pub fn block(b: &Block) -> String {
    let mut printer = Printer { out: String::new(), marked: None };
    printer.block(b, 0);
    printer.out
}

struct Printer {
    out: String,
    marked: Option<LoopName>,
}

impl Printer {
    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"  ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn block(&mut self, b: &Block, depth: usize) {
        if b.is_empty() {
            self.line(depth, "nop");
        }
        for s in b {
            self.stmt(s, depth);
        }
    }

    fn stmt(&mut self, s: &Stmt, depth: usize) {
        match s {
            Stmt::Assert { cond, claim } => {
                self.line(depth, &format!("assert {}{}", expr(cond), claim_note(*claim)));
            }
            Stmt::Allocate { func, bounds } => {
                let bounds: Vec<String> = bounds.iter().map(interval).collect();
                self.line(depth, &format!("allocate {func}({})", bounds.join(", ")));
            }
            Stmt::Store { site, args, value } => {
                let head = format!("{}{}[{}]", site.func, tag(site.stage, site.spec), list(args));
                self.line(depth, &format!("{head} <- {}", expr(value)));
            }
            Stmt::If { cond, then, other } => self.branch(cond, then, other, depth),
            Stmt::For(l) => self.for_loop(l, depth),
            Stmt::Let { var: v, value, body } => {
                self.line(depth, &format!("let {} = {} in", var(*v), expr(value)));
                self.block(body, depth);
            }
            Stmt::Label { label, body } => {
                self.line(depth, &format!("label {}:", label_text(*label)));
                self.block(body, depth + 1);
            }
        }
    }

    fn branch(&mut self, cond: &Expr, then: &Block, other: &Block, depth: usize) {
        self.line(depth, &format!("if {} then", expr(cond)));
        self.block(then, depth + 1);
        if !other.is_empty() {
            self.line(depth, "else");
            self.block(other, depth + 1);
        }
    }

    fn for_loop(&mut self, l: &For, depth: usize) {
        let For { site, var, domain, order, pure: _, edge: _, lead: _, blended: _, body } = l;
        let order = match order {
            Order::Serial => "",
            Order::Parallel => "parallel ",
            Order::Vectorized => "vectorized ",
            Order::Unrolled => "unrolled ",
        };
        let here = if self.marked == Some(l.name()) { "    <-- here" } else { "" };
        let head = loop_var(*site, var.as_str());
        self.line(depth, &format!("{order}for {head} in {} do{here}", interval(domain)));
        self.block(body, depth + 1);
    }
}

fn claim_note(claim: Claim) -> &'static str {
    match claim {
        Claim::Bounds => "",
        Claim::NoBounds => "  # no bounds were found",
        Claim::Factor => "  # the split factor",
        Claim::Rdom => "  # the reduction domain",
        Claim::Extent => "  # the extent is constant",
        Claim::Special => "  # one of the specializations",
        Claim::Required => "  # required",
        Claim::Fold => "  # the fold factor",
        Claim::Index => "  # an end of an index",
    }
}

/// `f`, or `f^i,j` for a stage.
pub fn label_text(label: Label) -> String {
    match label {
        Label::Func(f) => f.to_string(),
        Label::Stage(Site { func, stage, spec }) => format!("{func}{}", tag(stage, spec)),
    }
}
