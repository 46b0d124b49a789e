//! Schedules.

use super::super::lex::Token;
use super::{Parse, Parser};
use crate::expr::{Expr, Site};
use crate::schedule::{Directive, Tail};
use crate::tgt::{LoopName, Order};
use rewright_base::diag::Diagnostic;
use rewright_base::span::Span;
use rewright_base::sym::Name;

/// The directives there are.
const ALL: &str = "the directives are inline, specialize, split, fuse, swap, traverse, vectorize, unroll, compute-at, \
                   store-at, compute-with, bound, bound-extent and align-bounds";

/// Directives by the names that practice gives them, and what is meant.
const FOREIGN: [(&str, &str); 13] = [
    ("compute_at", "write `compute-at(f, <g, y>)`"),
    ("store_at", "write `store-at(f, <g, y>)`"),
    ("compute_with", "write `compute-with(f, <g, y>)`"),
    ("compute_root", "a func without `compute-at` is computed at the root"),
    ("store_root", "a func without `store-at` is stored at the root"),
    ("compute_inline", "write `inline(f)`"),
    (
        "reorder",
        "write `swap(<f, y>)`, which exchanges a loop with the one right inside; several give any order",
    ),
    ("tile", "write two `split`s and a `swap`"),
    ("parallel", "write `traverse(<f, y>, parallel)`"),
    ("serial", "write `traverse(<f, y>, serial)`"),
    ("bound_extent", "write `bound-extent(f, x, n)`"),
    ("align_bounds", "write `align-bounds(f, x, m, r)`"),
    ("update", "name the stage in the loop: `<f, 1, 0, x>` is a loop of the first update"),
];

impl Parser {
    pub(super) fn schedule(&mut self) -> Parse<Vec<(Directive, Span)>> {
        let mut out = Vec::new();
        if !self.take("schedule") {
            return Ok(out);
        }
        self.eat(":")?;
        while !matches!(self.token(), Token::End) && !self.is_word("realize") {
            let start = self.span();
            let directive = self.directive()?;
            out.push((directive, self.since(start).0));
            if !self.take(";") {
                break;
            }
        }
        Ok(out)
    }

    /// A directive's name may have dashes.
    fn dashed(&mut self) -> Parse<String> {
        let mut out = self.name("a directive")?.as_str().to_owned();
        while self.take("-") {
            out.push('-');
            out.push_str(self.name("the rest of a directive's name")?.as_str());
        }
        Ok(out)
    }

    pub(super) fn directive(&mut self) -> Parse<Directive> {
        let start = self.span();
        let word = self.dashed()?;
        self.eat("(")?;
        let directive = self.arguments(&word, start)?;
        self.eat(")")?;
        Ok(directive)
    }

    fn arguments(&mut self, word: &str, start: Span) -> Parse<Directive> {
        Ok(match word {
            "inline" => Directive::Inline { func: self.name("a func")? },
            "specialize" => {
                let func = self.name("a func")?;
                let mut conds = Vec::new();
                while self.take(",") {
                    conds.push(self.expr(&[])?);
                }
                Directive::Specialize { func, conds }
            }
            "split" => {
                let of = self.loop_name()?;
                let outer = self.then_name()?;
                let inner = self.then_name()?;
                let factor = self.then_expr()?;
                let tail = if self.is_sign(",") { self.then_tail()? } else { Tail::Guard };
                Directive::Split { of, outer, inner, factor, tail }
            }
            "fuse" => Directive::Fuse { of: self.loop_name()?, into: self.then_name()? },
            "swap" => Directive::Swap { of: self.loop_name()? },
            "traverse" => Directive::Traverse { of: self.loop_name()?, order: self.then_order()? },
            "vectorize" => Directive::Traverse { of: self.loop_name()?, order: Order::Vectorized },
            "unroll" => Directive::Traverse { of: self.loop_name()?, order: Order::Unrolled },
            "compute-at" => Directive::ComputeAt { func: self.name("a func")?, at: self.then_loop()? },
            "store-at" => Directive::StoreAt { func: self.name("a func")?, at: self.then_loop()? },
            "compute-with" => {
                let func = self.name("a func")?;
                self.eat(",")?;
                let mut stage = 0;
                if let Token::Int(v) = self.token() {
                    let Ok(n) = usize::try_from(*v) else { return self.wrong("a stage") };
                    stage = n;
                    self.at += 1;
                    self.eat(",")?;
                }
                Directive::ComputeWith { func, stage, with: self.loop_name()? }
            }
            "bound" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                Directive::Bound { func, var, min: self.then_expr()?, len: self.then_expr()? }
            }
            "bound-extent" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                Directive::BoundExtent { func, var, len: self.then_expr()? }
            }
            "align-bounds" => {
                let (func, var) = (self.name("a func")?, self.then_name()?);
                let (modulus, remainder) = (self.then_expr()?, self.then_expr()?);
                Directive::AlignBounds { func, var, modulus, remainder }
            }
            other => {
                let why = format!("`{other}` is not a directive");
                let meant = FOREIGN.into_iter().find(|(name, _)| *name == other).map(|(_, meant)| meant);
                let found = Diagnostic::error("halide.syntax", self.since(start).0, why);
                return Err(found.help(meant.unwrap_or(ALL)));
            }
        })
    }

    fn then_name(&mut self) -> Parse<Name> {
        self.eat(",")?;
        self.name("a variable")
    }

    fn then_expr(&mut self) -> Parse<Expr> {
        self.eat(",")?;
        self.expr(&[])
    }

    fn then_loop(&mut self) -> Parse<LoopName> {
        self.eat(",")?;
        self.loop_name()
    }

    fn then_tail(&mut self) -> Parse<Tail> {
        self.eat(",")?;
        let Some(tail) = Tail::ALL.into_iter().find(|t| self.is_word(t.name())) else {
            return self.wrong("`guard`, `shift` or `round`");
        };
        self.at += 1;
        Ok(tail)
    }

    fn then_order(&mut self) -> Parse<Order> {
        self.eat(",")?;
        if self.take("serial") {
            Ok(Order::Serial)
        } else if self.take("parallel") {
            Ok(Order::Parallel)
        } else {
            self.wrong("`serial` or `parallel`")
        }
    }

    /// `<f, i, j, v>`; stage and specialization are 0 when they are left out.
    fn loop_name(&mut self) -> Parse<LoopName> {
        self.eat("<")?;
        let func = self.name("a func")?;
        let mut numbers = Vec::new();
        self.eat(",")?;
        while let Token::Int(v) = self.token() {
            let Ok(n) = usize::try_from(*v) else { return self.wrong("a stage") };
            numbers.push(n);
            self.at += 1;
            self.eat(",")?;
        }
        let number = |i: usize| numbers.get(i).copied().unwrap_or(0);
        let site = Site { func, stage: number(0), spec: number(1) };
        let var = self.name("a loop variable")?;
        self.eat(">")?;
        Ok(LoopName { site, var })
    }
}
