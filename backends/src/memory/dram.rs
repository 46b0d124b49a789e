//! Main memory: on the heap, on the stack, or static.

use super::{Allocation, Memory, Refusal};
use crate::c::tree::{CExpr, CStmt, CType, InfixOp};
use rewright_semantics::types::DataType;

/// `malloc` and `free`; scalars are local variables.
#[derive(Clone, Copy, Debug)]
pub struct Dram;

impl Memory for Dram {
    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let elem = CType::Data(a.elem);
        let Some(cells) = product(a.shape) else {
            return Ok(vec![local(a, elem)]);
        };
        let cell = CExpr::Sizeof(Box::new(CExpr::var(a.name).deref()));
        let (function, args) = if a.zeroed {
            ("calloc", vec![cells, cell])
        } else if cells == CExpr::Int(1) {
            ("malloc", vec![cell])
        } else {
            ("malloc", vec![CExpr::infix(InfixOp::Mul, cells, cell)])
        };
        let init = CExpr::Call(function.to_owned(), args);
        let typ = CType::pointer(elem, false);
        Ok(vec![CStmt::Decl { is_const: false, typ, name: a.name.to_owned(), init: Some(init) }])
    }

    fn free(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        if a.shape.is_empty() {
            return Ok(Vec::new());
        }
        Ok(vec![CStmt::Expr(CExpr::Call("free".to_owned(), vec![CExpr::var(a.name)]))])
    }
}

fn local(a: &Allocation<'_>, typ: CType) -> CStmt {
    let zero = CExpr::Literal(if a.elem == DataType::BF16 { "{ 0 }" } else { "0" }.to_owned());
    CStmt::Decl { is_const: false, typ, name: a.name.to_owned(), init: a.zeroed.then_some(zero) }
}

/// The number of cells, or `None` for a scalar. Constant factors are multiplied, and come first.
fn product(shape: &[CExpr]) -> Option<CExpr> {
    let mut constant = 1_i64;
    let mut factors = Vec::new();
    for e in shape {
        let folded = if let CExpr::Int(k) = e { constant.checked_mul(*k) } else { None };
        match folded {
            Some(product) => constant = product,
            None => factors.push(e.clone()),
        }
    }
    if shape.is_empty() {
        return None;
    }
    if constant != 1 || factors.is_empty() {
        factors.insert(0, CExpr::Int(constant));
    }
    factors.into_iter().reduce(|l, r| CExpr::infix(InfixOp::Mul, l, r))
}

/// Automatic arrays with constant extents.
#[derive(Clone, Copy, Debug)]
pub struct DramStack;

impl Memory for DramStack {
    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        array(a, "DRAM_STACK", false)
    }

    fn free(&self, _: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        Ok(Vec::new())
    }
}

/// Static arrays with constant extents: one object for the whole program.
#[derive(Clone, Copy, Debug)]
pub struct DramStatic;

impl Memory for DramStatic {
    fn is_static(&self) -> bool {
        true
    }

    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        array(a, "DRAM_STATIC", true)
    }

    fn free(&self, _: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        Ok(Vec::new())
    }
}

fn array(a: &Allocation<'_>, memory: &str, is_static: bool) -> Result<Vec<CStmt>, Refusal> {
    let typ = CType::Data(a.elem);
    let mut cells = 1_i64;
    for extent in a.extents {
        let extent = extent.ok_or_else(|| {
            Refusal::new(format!("buffers in {memory} have constant extents"))
                .help("allocate it in DRAM, or give it constant extents that are large enough")
        })?;
        cells = cells
            .checked_mul(extent)
            .ok_or_else(|| Refusal::new(format!("a buffer of this size does not fit {memory}")))?;
    }
    if a.extents.is_empty() && !is_static {
        return Ok(vec![local(a, typ)]);
    }
    // C has no arrays without elements.
    let extents = if a.extents.is_empty() { Vec::new() } else { vec![cells.max(1)] };
    // Static objects begin with zeros anyway.
    let zeroed = a.zeroed && !is_static;
    Ok(vec![CStmt::Array { is_static, typ, name: a.name.to_owned(), extents, zeroed }])
}
