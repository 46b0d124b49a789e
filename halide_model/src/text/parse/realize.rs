//! The window and the parameters to run with.

use super::{Parse, Parser};
use crate::alg::{Algorithm, Input};
use rewright_base::diag::Diagnostic;
use rewright_base::sym::Name;
impl Parser {
    pub(super) fn realize(&mut self, algorithm: &Algorithm) -> Parse<Option<Input>> {
        let start = self.span();
        if !self.take("realize") {
            return Ok(None);
        }
        self.eat("(")?;
        let mut window = Vec::new();
        while self.is_sign("(") {
            self.eat("(")?;
            let min = self.int()?;
            self.eat(",")?;
            let len = self.int()?;
            self.eat(")")?;
            window.push((min, len));
            if !self.take(",") {
                break;
            }
        }
        let mut given: Vec<(Name, i64)> = Vec::new();
        if self.take(";") {
            while !self.is_sign(")") {
                let p = self.name("a parameter")?;
                self.eat("=")?;
                given.push((p, self.int()?));
                if !self.take(",") {
                    break;
                }
            }
        }
        self.eat(")")?;
        let wrong = |why: String| Err(Diagnostic::error("halide.realize", start, why));
        let mut params = Vec::new();
        for p in &algorithm.params {
            match given.iter().find(|(q, _)| q == p) {
                Some((_, v)) => params.push(*v),
                None => return wrong(format!("parameter `{p}` has no value")),
            }
        }
        if let Some((p, _)) = given.iter().find(|(p, _)| !algorithm.params.contains(p)) {
            return wrong(format!("the pipeline has no parameter `{p}`"));
        }
        let rank = algorithm.output_func().map_or(window.len(), |f| f.vars.len());
        if window.len() != rank {
            return wrong(format!("the output has {rank} dimensions, the window {}", window.len()));
        }
        if window.iter().any(|(_, len)| *len < 0) {
            return wrong("a window has no negative length".to_owned());
        }
        let input = Input { params, window };
        match input.in_range() {
            Ok(()) => Ok(Some(input)),
            Err(why) => wrong(why.to_string()),
        }
    }
}
