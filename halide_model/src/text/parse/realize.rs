//! The window and the parameters to run with.

use super::super::lex::Token;
use super::{Parse, Parser};
use crate::alg::{Algorithm, Image, Input};
use crate::buffer::Buffer;
use crate::float::Float;
use crate::int::Int;
use crate::typed::{Overflow, Scalar};
use crate::value::Value;
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
        let mut buffers: Vec<(Name, Buffer)> = Vec::new();
        if self.take(";") {
            while !self.is_sign(")") {
                let named = self.span();
                let p = self.name("a parameter")?;
                if given.iter().map(|(q, _)| q).chain(buffers.iter().map(|(q, _)| q)).any(|q| *q == p) {
                    return Err(Diagnostic::error("halide.realize", named, format!("`{p}` is given twice")));
                }
                self.eat("=")?;
                match algorithm.input(p) {
                    Some(image) => buffers.push((p, self.buffer(image)?)),
                    None => given.push((p, self.param(algorithm, p)?)),
                }
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
        let rank = algorithm.window_rank();
        let defined = algorithm.outputs().iter().all(|f| algorithm.func(*f).is_some());
        if defined && window.len() != rank {
            return wrong(format!("the output has {rank} dimensions, the window {}", window.len()));
        }
        if window.iter().any(|(_, len)| *len < 0) {
            return wrong("a window has no negative length".to_owned());
        }
        let mut found = Vec::new();
        for i in &algorithm.inputs {
            match buffers.iter().find(|(name, _)| *name == i.name) {
                Some((_, buffer)) => found.push(buffer.clone()),
                None => return wrong(format!("input `{}` is not given", i.name)),
            }
        }
        let input = Input { buffers: found, ..Input::new(params, window) };
        match input.in_range() {
            Ok(()) => Ok(Some(input)),
            Err(why) => wrong(why.to_string()),
        }
    }

    /// The value of a parameter, which its type must have.
    fn param(&mut self, algorithm: &Algorithm, p: Name) -> Parse<i64> {
        let start = self.span();
        let v = self.int()?;
        match algorithm.types.get(&p).filter(|s| s.stored(&Value::int(v), Overflow::Check).is_none()) {
            Some(scalar) => {
                let why = format!("parameter `{p}` is {v}, which is not a value of type {scalar}");
                Err(Diagnostic::error("halide.realize", self.since(start).0, why))
            }
            None => Ok(v),
        }
    }

    /// `(0, 4), (0, 2) {1, 2, …}`, or a number for an input without dimensions.
    fn buffer(&mut self, image: &Image) -> Parse<Buffer> {
        if image.rank == 0 {
            return Ok(Buffer { bounds: Vec::new(), values: vec![self.number(image.scalar)?] });
        }
        let start = self.span();
        let mut bounds = Vec::new();
        while self.take("(") {
            let min = self.int()?;
            self.eat(",")?;
            bounds.push((min, self.int()?));
            self.eat(")")?;
            self.take(",");
        }
        self.eat("{")?;
        let values = self.list("}", |p| p.number(image.scalar))?;
        let points = crate::exec::points(&bounds).ok();
        if bounds.len() != image.rank || points != Some(values.len()) {
            let why = format!(
                "input `{}` has {} dimensions and a value for each point of its box",
                image.name, image.rank
            );
            return Err(Diagnostic::error("halide.realize", start, why));
        }
        Ok(Buffer { bounds, values })
    }

    /// A value of a type.
    fn number(&mut self, scalar: Scalar) -> Parse<Value> {
        let start = self.span();
        let minus = self.take("-");
        let value = match self.token() {
            Token::Float(bits, _) => Some(f64::from_bits(*bits)),
            Token::Name(n) if n == "inf" => Some(f64::INFINITY),
            Token::Name(n) if n == "nan" => Some(f64::NAN),
            Token::Name(_) | Token::Int(_) | Token::Sign(_) | Token::End => None,
        };
        let found = match (value, scalar, self.token()) {
            (Some(v), Scalar::Float(p), _) => {
                let rounded = Float::new(p, if minus { -v } else { v });
                // A number of double precision may be beyond all single ones.
                (rounded.value().is_infinite() == v.is_infinite()).then_some(Value::Float(rounded))
            }
            (None, _, Token::Int(v)) => {
                let v = Value::Int(if minus { Int::ZERO.sub(v) } else { v.clone() });
                scalar.stored(&v, Overflow::Check)
            }
            _ => None,
        };
        self.at += 1;
        found.ok_or_else(|| {
            Diagnostic::error("halide.realize", self.since(start).0, format!("not a value of type {scalar}"))
        })
    }
}
