//! C11 for completed programs: an array per allocation, OpenMP for parallel loops. Spec: [rule: halide.c].
//!
//! The text holds a function `NAME(params, window, out)` that computes the window, first dimension fastest. What cannot
//! go on (a failed assertion, no memory) ends the process with one of the codes of [`code`]. What is computed outside
//! the compute bounds may be anything and may overflow: compile with `-fwrapv`, and with `-ffp-contract=off` where there is
//! floating point.

mod cut;
mod expr;
mod helpers;
mod inside;
mod main;
mod names;
mod range;
mod storage;
mod value_range;

use crate::expr::{End, Expr, Interval, Var};
use crate::float::Precision;
use crate::index;
use crate::tgt::{Block, Claim, For, Label, Order, Program, Stmt};
use crate::typed::{Scalar, Width};
pub use main::main_for;

use crate::op::Op;
use expr::{ITEM, Level, condition, control};
use names::Names;
use rewright_base::sym::Name;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::ops::Range;

/// The code a process ends with when an assertion of this kind fails.
pub fn code(claim: Claim) -> i32 {
    match claim {
        Claim::Bounds => 10,
        Claim::NoBounds => 11,
        Claim::Factor => 12,
        Claim::Rdom => 13,
        Claim::Extent => 14,
        Claim::Special => 18,
        Claim::Required => 19,
        Claim::Fold => 20,
        Claim::Index => 21,
    }
}

/// The code a process ends with when an input buffer does not have all that is asked of it.
pub const INPUT: i32 = 17;

/// What a window holds: a value of the output's points. Untyped algorithms give integers of 64 bits, or numbers of
/// double precision.
fn out_type(t: &Program, scalar: Scalar) -> &'static str {
    match (t.algorithm.typed, scalar.is_float()) {
        (true, _) => c_type(scalar),
        (false, true) => "double",
        (false, false) => "int64_t",
    }
}

/// The parameters of the function.
fn prototype(t: &Program, names: &mut Names<'_>) -> String {
    let mut out = format!("void run_{}(const int64_t *params, const int64_t *window", t.algorithm.output);
    for i in &t.algorithm.inputs {
        let (array, of) = (names.array(i.name, 0), names.box_of(i.name));
        let _ = write!(out, ", const {} *{array}, const int64_t *{of}", c_type(i.scalar));
    }
    for (f, k, scalar) in out_values(t) {
        let _ = write!(out, ", {} *{}", out_type(t, scalar), names.out(f, k));
    }
    out + ")"
}

/// The values that a program gives: of each output, each of its values, and its type.
fn out_values(t: &Program) -> Vec<(Name, usize, Scalar)> {
    let values = |f: Name| t.algorithm.scalars(f).into_iter().enumerate().map(move |(k, s)| (f, k, s));
    t.algorithm.outputs().into_iter().flat_map(values).collect()
}

/// Why there is no C for a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoC {
    /// No bounds were found: the program is `assert false`, and has no array for its output.
    Unbounded,
    /// An exact number between two casts may have more bits than the widest type of C.
    Wide,
    /// The place on a circle depends on a value that may have wrapped around, and no end of an array would tell.
    Circle,
}

impl fmt::Display for NoC {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoC::Unbounded => "there is no C for a program without bounds",
            NoC::Circle => "there is no C for a folded dimension whose index depends on a value that may wrap around",
            NoC::Wide => "there is no C for a program with exact numbers that 128 bits do not hold: cast them on the way",
        })
    }
}

/// The C of a completed program.
///
/// # Errors
/// No bounds were found, or a number does not fit.
pub fn unit(t: &Program) -> Result<String, NoC> {
    let mut bounded = false;
    crate::tgt::walk::visit(&t.body, &mut |s| {
        bounded |= s.allocated() == Some(t.algorithm.output);
    });
    if !bounded {
        return Err(NoC::Unbounded);
    }
    let t = &Program { body: pruned(t, &cut::cut(&t.body)), ..t.clone() };
    let t = &Program { body: inside::inside(t), ..t.clone() };
    let overflows = range::overflows(t);
    let mut writer = Writer { t, names: Names::new(t, overflows), kept: BTreeSet::new(), out: String::new() };
    let prototype = prototype(t, &mut writer.names);
    let _ = writeln!(writer.out, "\n{prototype};\n\n{prototype} {{");
    writer.inputs();
    writer.block(&t.body, 1, true);
    writer.out.push_str("}\n");
    let Writer { mut names, out, .. } = writer;
    if names.is_too_wide() {
        return Err(NoC::Wide);
    }
    if names.has_doubtful_circle() {
        return Err(NoC::Circle);
    }
    let out = with_unused(t, &out, &mut names);
    Ok(helpers::preamble(&out, t.algorithm.typed) + &out)
}

/// The C type of a func's points.
fn c_type(s: Scalar) -> &'static str {
    match s {
        Scalar::Integer | Scalar::Signed(Width::W64) => "int64_t",
        Scalar::Signed(Width::W8) => "int8_t",
        Scalar::Signed(Width::W16) => "int16_t",
        Scalar::Signed(Width::W32) => "int32_t",
        Scalar::Bool | Scalar::Unsigned(Width::W8) => "uint8_t",
        Scalar::Unsigned(Width::W16) => "uint16_t",
        Scalar::Unsigned(Width::W32) => "uint32_t",
        Scalar::Unsigned(Width::W64) => "uint64_t",
        Scalar::Float(Precision::Single) => "float",
        Scalar::Float(Precision::Double) => "double",
    }
}

/// Compilers warn of what is given and not used: it is said at the end of the function that it is not.
fn with_unused(t: &Program, text: &str, names: &mut Names<'_>) -> String {
    let Some(body) = text.strip_suffix("}\n") else { return text.to_owned() };
    // The prototype names all inputs, too.
    let body = body.split_once(";\n").map_or(body, |(_, body)| body);
    let mut out = text.strip_suffix("}\n").unwrap_or(text).to_owned();
    for p in &t.algorithm.params {
        let name = names.of(Var::Param(*p));
        let declared = body.contains(&format!("int64_t {name} ="));
        if declared && helpers::identifiers(body).filter(|w| *w == name).count() == 1 {
            let _ = writeln!(out, "    (void){name};");
        }
    }
    for i in &t.algorithm.inputs {
        let name = names.array(i.name, 0);
        // What is asked of it names it once.
        if helpers::identifiers(body).filter(|w| *w == name).count() == 1 + usize::from(i.rank > 0) {
            let _ = writeln!(out, "    (void){name};");
        }
    }
    out + "}\n"
}

struct Writer<'a> {
    t: &'a Program,
    names: Names<'a>,
    /// Funcs whose memory is kept over the iterations of the loop around their allocation.
    kept: BTreeSet<Name>,
    out: String,
}

impl Writer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        self.out.push_str(&"    ".repeat(depth));
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Parameters and window ends as constants; those that are not used are not declared.
    fn inputs(&mut self) {
        let params =
            self.t.algorithm.params.iter().enumerate().map(|(i, p)| (Var::Param(*p), format!("params[{i}]")));
        let rank = self.t.algorithm.window_rank();
        let window = (0..rank).flat_map(|d| {
            [(d, End::Min, 2 * d), (d, End::Len, 2 * d + 1)]
                .map(|(d, end, i)| (Var::Window(d, end), format!("window[{i}]")))
        });
        let params = params.map(|(v, value)| (v, self.param(v, &value)));
        let all: Vec<(Var, String)> = params.chain(window).collect();
        for (v, value) in all {
            let is_window = matches!(v, Var::Window(..));
            if is_window || mentions(&self.t.body, v) {
                let name = self.names.of(v);
                self.line(1, &format!("const int64_t {name} = {value};"));
            }
        }
        for d in 0..rank {
            let [min, len] = [End::Min, End::Len].map(|end| self.names.of(Var::Window(d, end)));
            self.line(1, &format!("require_window({min}, {len});"));
        }
        for corner in index::asserted(self.t).into_iter().filter(|c| mentions(&self.t.body, c.var)) {
            let value = control(&corner.value, Level::Top, &mut self.names);
            let name = self.names.of(corner.var);
            self.line(1, &format!("const int64_t {name} = {value};"));
        }
        if !self.t.algorithm.params.iter().any(|p| mentions(&self.t.body, Var::Param(*p))) {
            self.line(1, "(void)params;");
        }
        if rank == 0 {
            self.line(1, "(void)window;");
        }
    }

    /// The value of a parameter, which its type must have.
    fn param(&self, v: Var, value: &str) -> String {
        let scalar = match v {
            Var::Param(p) => self.t.algorithm.types.get(&p).copied().unwrap_or_default(),
            Var::Local(_) | Var::Loop(..) | Var::Window(..) | Var::Hole(_) => Scalar::Integer,
        };
        let unsigned = matches!(scalar, Scalar::Unsigned(_));
        match scalar.narrow_range() {
            Some((lo, hi)) => format!("number_in({value}, {lo}, {hi})"),
            None if unsigned => format!("number_in({value}, 0, 2147483647)"),
            None => format!("number({value})"),
        }
    }

    /// A block in braces that are there already; arrays that it allocates are freed at its end. The outermost block
    /// copies the window first.
    fn block(&mut self, b: &Block, depth: usize, outermost: bool) {
        let mut arrays: Vec<Name> = Vec::new();
        for (i, s) in b.iter().enumerate() {
            match s {
                // Lets and labels are in the same braces.
                Stmt::Let { body, .. } if i + 1 == b.len() => {
                    self.declare(s, depth);
                    self.block(body, depth, outermost);
                    self.free(&arrays, depth);
                    return;
                }
                Stmt::Allocate { func, .. } => {
                    if !self.names.is_input(*func) && !self.is_kept(*func) {
                        arrays.push(*func);
                    }
                    self.stmt(s, depth);
                }
                Stmt::Assert { .. } | Stmt::Store { .. } | Stmt::If { .. } | Stmt::For(_) => {
                    self.stmt(s, depth)
                }
                Stmt::Let { .. } | Stmt::Label { .. } => self.stmt(s, depth),
            }
        }
        if outermost {
            for (f, dims) in self.t.algorithm.windows() {
                self.copy_out(f, dims, depth);
            }
        }
        self.free(&arrays, depth);
    }

    /// Whether a func is computed where the caller wants it, if no more than the window is computed of it.
    fn in_place(&self, func: Name) -> bool {
        self.t.algorithm.typed && self.t.algorithm.is_output(func)
    }

    fn free(&mut self, arrays: &[Name], depth: usize) {
        for f in arrays.iter().rev() {
            for k in 0..self.names.scalars(*f).len() {
                let name = self.names.array(*f, k);
                let own = if self.in_place(*f) {
                    format!("if ({name} != {}) ", self.names.out(*f, k))
                } else {
                    String::new()
                };
                self.line(depth, &format!("{own}free({name});"));
            }
        }
    }

    fn declare(&mut self, s: &Stmt, depth: usize) {
        let Stmt::Let { var, value, .. } = s else { return };
        let value = control(value, Level::Top, &mut self.names);
        let name = self.names.of(*var);
        self.line(depth, &format!("const int64_t {name} = {value};"));
    }

    fn stmt(&mut self, s: &Stmt, depth: usize) {
        match s {
            Stmt::Assert { cond, claim } => {
                let what = match claim {
                    Claim::Bounds => "a bound given by the schedule does not cover what is needed",
                    Claim::NoBounds => "no bounds were found",
                    Claim::Factor => "a split factor is not positive",
                    Claim::Rdom => "a reduction domain has a negative length",
                    Claim::Extent => "an extent is not constant",
                    Claim::Special => "no specialization that is allowed applies",
                    Claim::Required => "what the pipeline requires does not hold",
                    Claim::Fold => "a fold factor does not hold what is live",
                    Claim::Index => "an end of an index does not fit 32 bits",
                };
                let cond = control(cond, Level::Top, &mut self.names);
                self.line(depth, &format!("require({cond}, {}, \"{what}\");", code(*claim)));
            }
            Stmt::Allocate { func, bounds } => self.allocate(*func, bounds, depth),
            Stmt::Store { site, args, value } => {
                if self.t.is_atomic(*site) {
                    self.line(depth, "ATOMIC");
                }
                self.values(site.func, args, value, depth);
            }
            Stmt::If { cond, then, other } => {
                let cond = condition(cond, Level::Top, &mut self.names);
                self.line(depth, &format!("if ({cond}) {{"));
                self.block(then, depth + 1, false);
                if !other.is_empty() {
                    self.line(depth, "} else {");
                    self.block(other, depth + 1, false);
                }
                self.line(depth, "}");
            }
            Stmt::For(l) => self.for_loop(l, depth),
            Stmt::Let { body, .. } => {
                self.line(depth, "{");
                self.declare(s, depth + 1);
                self.block(body, depth + 1, false);
                self.line(depth, "}");
            }
            Stmt::Label { label, body } => {
                if let Label::Func(f) = label {
                    self.line(depth, &format!("/* {f} */"));
                }
                self.block(body, depth, false);
            }
        }
    }

    /// Of several values all are computed before any is stored.
    fn values(&mut self, f: Name, args: &[Expr], value: &Expr, depth: usize) {
        let scalars = self.names.scalars(f);
        let Expr::Op(Op::Tuple(_), parts) = value else {
            let place = expr::place(f, 0, args, &mut self.names);
            let scalar = scalars.first().copied().unwrap_or_default();
            let value = expr::stored(scalar, value, &mut self.names);
            return self.line(depth, &format!("{place} = {value};"));
        };
        self.line(depth, "{");
        let mut stores = Vec::new();
        for (k, (part, scalar)) in parts.iter().zip(scalars).enumerate() {
            let value = expr::stored(scalar, part, &mut self.names);
            let name = self.names.unique("value");
            self.line(depth + 1, &format!("const {} {name} = {value};", c_type(scalar)));
            stores.push(format!("{} = {name};", expr::place(f, k, args, &mut self.names)));
        }
        stores.iter().for_each(|s| self.line(depth + 1, s));
        self.line(depth, "}");
    }

    /// An input buffer must have all that is asked of it.
    fn bind_input(&mut self, func: Name, bounds: &[Interval], depth: usize) {
        let of = self.names.box_of(func);
        let (mut inside, mut empty) = (Vec::new(), Vec::new());
        for (d, i) in bounds.iter().enumerate() {
            let [min, len] = [&i.min, &i.len].map(|e| control(e, Level::Top, &mut self.names));
            empty.push(format!("({len}) <= 0"));
            inside.push(format!("within({min}, {len}, {of}[{}], {of}[{}])", 2 * d, 2 * d + 1));
        }
        if inside.is_empty() {
            return self.line(depth, &format!("(void){of};"));
        }
        let holds = format!("{} || ({})", empty.join(" || "), inside.join(" && "));
        let array = self.names.array(func, 0);
        self.line(
            depth,
            &format!("require({holds}, {INPUT}, \"input {array} does not have all that is asked of it\");"),
        );
    }

    fn allocate(&mut self, func: Name, bounds: &[Interval], depth: usize) {
        if self.names.is_input(func) {
            return self.bind_input(func, bounds, depth);
        }
        let lens = bounds.iter().map(|i| control(&i.len, Level::Top, &mut self.names));
        let points = lens.rev().reduce(|product, len| format!("points({len}, {product})"));
        let points = points.unwrap_or_else(|| "1".to_owned());
        for (k, scalar) in self.names.scalars(func).into_iter().enumerate() {
            let (name, ty) = (self.names.array(func, k), c_type(scalar));
            let own = format!("array({points}, sizeof *{name})");
            if self.is_kept(func) {
                let cells = self.names.cells(func, k);
                self.line(depth, &format!("if ({cells} < {points}) {{"));
                self.line(depth + 1, &format!("free({name});"));
                self.line(depth + 1, &format!("{name} = {own};"));
                self.line(depth + 1, &format!("{cells} = {points};"));
                self.line(depth, "}");
                continue;
            }
            let from = match self.is_window(func, bounds) {
                Some(same) => format!("{same} ? {} : {own}", self.names.out(func, k)),
                None => own,
            };
            self.line(depth, &format!("{ty} *const {name} = {from};"));
        }
    }

    /// When no more than the window is computed of an output that is computed in place.
    fn is_window(&mut self, func: Name, bounds: &[Interval]) -> Option<String> {
        if !self.in_place(func) {
            return None;
        }
        let (_, dims) = self.t.algorithm.windows().into_iter().find(|(f, _)| *f == func)?;
        let mut same = Vec::new();
        for (d, i) in dims.zip(bounds) {
            for (end, e) in [(End::Min, &i.min), (End::Len, &i.len)] {
                let e = control(e, Level::Sum, &mut self.names);
                same.push(format!("{e} == {}", self.names.of(Var::Window(d, end))));
            }
        }
        Some(if same.is_empty() { "1".to_owned() } else { same.join(" && ") })
    }

    fn for_loop(&mut self, l: &For, depth: usize) {
        if l.order == Order::Unrolled
            && let Some(n) = l.domain.len.as_i64().filter(|n| *n <= MAX_UNROLLED)
        {
            return self.unrolled(l, n, depth);
        }
        let v = self.names.of(l.variable());
        let min = control(&l.domain.min, Level::Top, &mut self.names);
        let end = if l.domain.min == Expr::int(0) {
            control(&l.domain.len, Level::Sum, &mut self.names)
        } else {
            let sum = Expr::binary(crate::op::Op::Add, l.domain.min.clone(), l.domain.len.clone());
            control(&crate::bounds::normal::simplify(&sum), Level::Sum, &mut self.names)
        };
        let kept = self.kept_over(l);
        if kept.is_empty() {
            if l.order == Order::Parallel {
                self.line(depth, "PARALLEL");
            }
            if l.order == Order::Vectorized && is_straight(self.t, &l.body) {
                self.line(depth, "SIMD");
            }
            return self.iterations(l, [&v, &min, &end], depth);
        }
        let parallel = l.order == Order::Parallel;
        if parallel {
            self.line(depth, "THREADS");
        }
        self.line(depth, "{");
        let taken = self.take(&kept, depth + 1);
        self.kept.extend(&kept);
        if parallel {
            self.line(depth + 1, "SHARED");
        }
        self.iterations(l, [&v, &min, &end], depth + 1);
        self.kept.retain(|f| !kept.contains(f));
        self.give_back(&taken, depth + 1);
        self.line(depth, "}");
    }

    fn iterations(&mut self, l: &For, [v, min, end]: [&str; 3], depth: usize) {
        self.line(depth, &format!("for (int64_t {v} = {min}; {v} < {end}; {v}++) {{"));
        self.iteration(l, &l.body, depth + 1);
        self.line(depth, "}");
    }

    /// An iteration, which takes the memory that is hoisted to its loop: as much as is asked for so far.
    fn iteration(&mut self, l: &For, body: &Block, depth: usize) {
        let here = self.t.hoisted.iter().filter(|(_, at)| **at == l.name()).map(|(f, _)| *f);
        let taken = self.take(&here.collect::<Vec<_>>(), depth);
        self.block(body, depth, false);
        self.give_back(&taken, depth);
    }

    /// The iterations, written out one after the other.
    fn unrolled(&mut self, l: &For, n: i64, depth: usize) {
        for k in 0..n {
            let value = Expr::binary(crate::op::Op::Add, l.domain.min.clone(), Expr::int(k));
            let value = crate::bounds::normal::simplify(&value);
            let iteration = Stmt::Let { var: l.variable(), value, body: l.body.clone() };
            let iteration = pruned(self.t, &vec![iteration]);
            self.line(depth, "{");
            self.iteration(l, &iteration, depth + 1);
            self.line(depth, "}");
        }
    }

    /// The requested windows, out of the arrays of an output, where they are not computed in place.
    fn copy_out(&mut self, f: Name, dims: Range<usize>, depth: usize) {
        if !self.in_place(f) {
            return self.copy(f, dims, depth);
        }
        // Either all values are in place or none is.
        let (name, out) = (self.names.array(f, 0), self.names.out(f, 0));
        self.line(depth, &format!("if ({name} != {out}) {{"));
        self.copy(f, dims, depth + 1);
        self.line(depth, "}");
    }

    /// The requested window, out of the arrays of an output.
    fn copy(&mut self, f: Name, dims: Range<usize>, depth: usize) {
        let rank = dims.len();
        let mut depth = depth;
        let mut place = "0".to_owned();
        let mut point = Vec::new();
        for (d, w) in dims.enumerate().rev() {
            let (min, len) =
                (self.names.of(Var::Window(w, End::Min)), self.names.of(Var::Window(w, End::Len)));
            let i = format!("{ITEM}{d}");
            self.line(depth, &format!("for (int64_t {i} = 0; {i} < {len}; {i}++) {{"));
            place = if place == "0" {
                i.clone()
            } else {
                if place.contains(' ') {
                    format!("({place}) * {len} + {i}")
                } else {
                    format!("{place} * {len} + {i}")
                }
            };
            point.insert(0, format!("{min} + {i}"));
            depth += 1;
        }
        for (k, scalar) in self.names.scalars(f).into_iter().enumerate() {
            let from = expr::place_of(f, k, &point, &mut self.names);
            let (out, ty) = (self.names.out(f, k), out_type(self.t, scalar));
            self.line(depth, &format!("{out}[{place}] = ({ty}){from};"));
        }
        for _ in 0..rank {
            depth -= 1;
            self.line(depth, "}");
        }
    }
}

/// Loops of more iterations are not written out.
const MAX_UNROLLED: i64 = 16;

/// Whether a block can run in the lanes of a vector: nothing is allocated, asserted or atomic, nothing runs in parallel.
fn is_straight(t: &Program, b: &Block) -> bool {
    let mut fine = true;
    crate::tgt::walk::visit(b, &mut |s| match s {
        Stmt::Assert { .. } | Stmt::Allocate { .. } => fine = false,
        Stmt::For(l) => fine &= l.order != Order::Parallel,
        Stmt::Store { site, .. } => fine &= !t.is_atomic(*site),
        Stmt::If { .. } | Stmt::Let { .. } | Stmt::Label { .. } => {}
    });
    fine
}

fn mentions(b: &Block, v: Var) -> bool {
    let mut found = false;
    crate::tgt::walk::visit(b, &mut |s| found |= s.exprs().iter().any(|e| e.mentions(v)));
    found
}

/// Without the lets of variables that nothing uses; a dimension that is a circle is allocated as one.
fn pruned(t: &Program, b: &Block) -> Block {
    let mut out = Block::new();
    for s in b {
        match s {
            Stmt::Let { var, value, body } => {
                let body = pruned(t, body);
                if mentions(&body, *var) {
                    out.push(Stmt::Let { var: *var, value: value.clone(), body });
                } else {
                    out.extend(body);
                }
            }
            Stmt::If { cond, then, other } => {
                out.push(Stmt::If { cond: cond.clone(), then: pruned(t, then), other: pruned(t, other) });
            }
            Stmt::For(l) => out.push(Stmt::For(For { body: pruned(t, &l.body), ..l.clone() })),
            Stmt::Label { label, body } => out.push(Stmt::Label { label: *label, body: pruned(t, body) }),
            Stmt::Allocate { func, bounds } => {
                let circle = |d: usize| t.folds.get(&(*func, d)).copied();
                let cells = |n| Interval { min: Expr::int(0), len: Expr::int(n) };
                let bounds =
                    bounds.iter().enumerate().map(|(d, i)| circle(d).map_or_else(|| i.clone(), cells));
                out.push(Stmt::Allocate { func: *func, bounds: bounds.collect() });
            }
            Stmt::Assert { .. } | Stmt::Store { .. } => out.push(s.clone()),
        }
    }
    out
}
