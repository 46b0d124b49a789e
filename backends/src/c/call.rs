//! Calls in C: of functions, and of instructions, whose templates are filled in.
//! Spec: [rule: c.calls], [rule: c.instr].

use crate::c::emit;
use crate::c::lower::Lower;
use crate::c::style::Style;
use crate::c::tree::{CExpr, CStmt};
use crate::c::unit::WindowType;
use crate::c::usage::CONTEXT;
use crate::c::window::{is_struct, part_strides};
use crate::instr::{Placeholder, Template, Unfilled};
use crate::memory::Refusal;
use rewright_semantics::ast::{Arg, Expr, Instr, Proc};
use rewright_semantics::diag::Diagnostic;
use rewright_semantics::span::Span;
use rewright_semantics::types::{ArgType, ControlType};
use std::sync::Arc;

impl Lower<'_> {
    /// Reports an argument for data that names no buffer.
    fn not_a_buffer(&mut self, span: Span) {
        let d = Diagnostic::error("backend.window", span, "this cannot be passed as a buffer")
            .help("pass a buffer, a window of one, or a cell");
        self.report(d);
    }

    /// `p(args)`
    pub(crate) fn call(&mut self, p: &Arc<Proc>, args: &[Expr], span: Span) -> Vec<CStmt> {
        match &p.instr {
            Some(instr) => self.instruction(p, instr, args, span),
            None => self.function_call(p, args, span),
        }
    }

    fn function_call(&mut self, p: &Arc<Proc>, args: &[Expr], span: Span) -> Vec<CStmt> {
        let mut actuals = Vec::new();
        if self.unit.program.usage(p).needs_context {
            actuals.push(CExpr::var(CONTEXT));
        }
        for (k, (formal, actual)) in p.args.iter().zip(args).enumerate() {
            let is_const = !self.unit.program.writes_argument(p, k);
            match self.argument(formal, actual, is_const) {
                Ok(e) => actuals.push(e),
                Err(why) => {
                    let place = if actual.span.is_none() { span } else { actual.span };
                    self.refuse("backend.memory-window", place, &why);
                }
            }
        }
        vec![CStmt::Expr(CExpr::Call(self.unit.function(p), actuals))]
    }

    fn argument(&mut self, formal: &Arg, actual: &Expr, is_const: bool) -> Result<CExpr, Refusal> {
        match &formal.typ {
            ArgType::Control(t) => Ok(self.control_argument(*t, actual)),
            ArgType::Data { typ, .. } => {
                let Some(part) = self.part(actual) else {
                    self.not_a_buffer(actual.span);
                    return Ok(CExpr::Int(0));
                };
                if is_struct(typ) { self.window_value(&part, is_const) } else { self.dense_value(&part) }
            }
        }
    }

    fn control_argument(&mut self, t: ControlType, e: &Expr) -> CExpr {
        match t {
            ControlType::Bool => self.condition(e),
            ControlType::Int | ControlType::Index | ControlType::Size | ControlType::Stride => {
                self.integer(e)
            }
        }
    }

    fn instruction(&mut self, p: &Arc<Proc>, instr: &Instr, args: &[Expr], span: Span) -> Vec<CStmt> {
        self.unit.add_global(&instr.c_global);
        self.unit.add_flags(&instr.cflags);
        let foreign = self.unit.foreign.clone();
        let parsed = match foreign {
            Some(_) => Template::parse_shown(&instr.c_instr),
            None => Template::parse(&instr.c_instr),
        };
        let template = match parsed {
            Ok(template) => template,
            Err(why) => {
                let message = format!("the C of instruction {} is no template: {why}", p.name);
                self.report(Diagnostic::error("instr.placeholder", p.span, message));
                return Vec::new();
            }
        };
        let mut values = Vec::new();
        for (k, (formal, actual)) in p.args.iter().zip(args).enumerate() {
            let name = formal.name.name().as_str();
            let wanted = Wanted {
                whole: template.names(name),
                cell: template.has_cell(name),
                is_const: !self.unit.program.writes_argument(p, k),
            };
            match self.operand(formal, actual, wanted) {
                Ok(value) => values.push((name, value)),
                Err(why) => {
                    let place = if actual.span.is_none() { span } else { actual.span };
                    self.refuse("backend.memory-window", place, &why);
                    return Vec::new();
                }
            }
        }
        let shown = |place: &Placeholder, how: &str, value: String| {
            let foreign = foreign.as_ref().ok_or_else(|| format!("`{how}` is not understood"))?;
            let is_cell = matches!(place, Placeholder::Data(x) if is_buffer(x, &values));
            foreign.shown(&value, is_cell, how).map_err(|why| why.to_string())
        };
        match template.fill_shown(|place| filling(place, &values), shown) {
            Ok(text) => vec![CStmt::Raw(text)],
            Err(Unfilled::NotShown(why)) => {
                let message = format!("the C of instruction {} has no such value: {why}", p.name);
                self.report(
                    Diagnostic::error("instr.placeholder", p.span, message).also(span, "called here"),
                );
                Vec::new()
            }
            Err(Unfilled::NoValue(place)) => {
                let message = format!("the C of instruction {} has no value for `{{{place}}}`", p.name);
                let d = Diagnostic::error("instr.placeholder", p.span, message)
                    .also(span, "called here")
                    .help("placeholders are `{x}`, `{x_data}`, `{x.data}` and `{x.strides[0]}` of its arguments");
                self.report(d);
                Vec::new()
            }
        }
    }

    /// What the placeholders of one argument stand for.
    fn operand(&mut self, formal: &Arg, actual: &Expr, wanted: Wanted) -> Result<Operand, Refusal> {
        let typ = match &formal.typ {
            ArgType::Control(t) => {
                let e = self.control_argument(*t, actual);
                self.ranges.fill(&e);
                return Ok(Operand { whole: Some(emit::operand(&e)), ..Operand::default() });
            }
            ArgType::Data { typ, .. } => typ,
        };
        let Some(part) = self.part(actual) else {
            self.not_a_buffer(actual.span);
            return Ok(Operand::default());
        };
        let style = self.unit.style;
        let first = match style {
            // What is passed as it is named has no cell that anyone asks for.
            Style::Exo if !is_struct(typ) && !wanted.cell => None,
            Style::Exo | Style::Rewright => Some(self.with_cell(&part, |memory, cell| memory.window(cell))?),
        };
        let pointer = if is_struct(typ) { self.pointer(&part).ok() } else { self.dense_value(&part).ok() };
        if is_struct(typ) && style == Style::Exo {
            // The instruction's own text may speak of the struct.
            let elem = self.unit.concrete(typ.elem);
            self.unit.window_tag(WindowType { rank: typ.rank(), elem, is_const: wanted.is_const });
        }
        let whole = if is_struct(typ) && wanted.whole {
            // A struct is made only where the template wants one.
            Some(self.window_value(&part, wanted.is_const)?)
        } else {
            pointer.clone()
        };
        let strides = part_strides(&part);
        whole.iter().chain(&first).chain(&strides).for_each(|e| self.ranges.fill(e));
        Ok(Operand {
            base: Some(emit::operand(&part.place.base)),
            whole: whole.as_ref().map(emit::operand),
            data: first.as_ref().map(emit::operand),
            pointer: pointer.as_ref().map(emit::operand),
            strides: strides.iter().map(emit::operand).collect(),
        })
    }
}

/// What a template wants of an argument.
#[derive(Clone, Copy, Debug)]
struct Wanted {
    /// `{x}`.
    whole: bool,
    /// `{x_data}`.
    cell: bool,
    /// Whether its cells are only read.
    is_const: bool,
}

/// What an argument is in the places of a template.
#[derive(Clone, Debug, Default)]
struct Operand {
    base: Option<String>,
    whole: Option<String>,
    data: Option<String>,
    pointer: Option<String>,
    strides: Vec<String>,
}

/// Whether an argument is a buffer, of which `{x_data}` is a cell.
fn is_buffer(x: &str, values: &[(&str, Operand)]) -> bool {
    values.iter().any(|(name, v)| *name == x && v.base.is_some())
}

fn filling(place: &Placeholder, values: &[(&str, Operand)]) -> Option<String> {
    let find = |x: &str| values.iter().find(|(name, _)| *name == x).map(|(_, v)| v);
    match place {
        Placeholder::Name(x) => match (find(x), x.strip_suffix("_int")) {
            (Some(v), _) => v.whole.clone(),
            // The buffer, wherever in it the argument begins.
            (None, Some(x)) => find(x)?.base.clone(),
            (None, None) => None,
        },
        Placeholder::Data(x) => match find(x) {
            // What is no buffer has no cells: it is the value itself, as in Exo.
            Some(v) if v.base.is_none() => v.whole.clone(),
            Some(v) => v.data.clone(),
            // An argument may itself be called `x_data`.
            None => find(&format!("{x}_data"))?.whole.clone(),
        },
        Placeholder::Pointer(x) => find(x)?.pointer.clone(),
        Placeholder::Stride(x, k) => find(x)?.strides.get(*k).cloned(),
        Placeholder::Item(..) => None,
    }
}
