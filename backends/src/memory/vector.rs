//! Vector registers: arrays of a register type, whose last dimension is the lanes of one register.
//! Only instructions read and write them.

use super::{Allocation, Cell, Memory, Refusal};
use crate::c::tree::{CExpr, CStmt, CType};
use rewright_semantics::types::DataType;

/// A family of registers.
#[derive(Clone, Debug)]
pub struct Vectors {
    name: &'static str,
    header: &'static str,
    flags: &'static [&'static str],
    /// Element type, lanes, C type.
    registers: &'static [(DataType, i64, &'static str)],
}

impl Vectors {
    /// x86 with 256 bits.
    pub fn avx2() -> Vectors {
        Vectors {
            name: "AVX2",
            header: "#include <immintrin.h>",
            flags: &["-mavx2", "-mfma"],
            registers: &[
                (DataType::F32, 8, "__m256"),
                (DataType::F64, 4, "__m256d"),
                (DataType::I8, 32, "__m256i"),
                (DataType::UI8, 32, "__m256i"),
                (DataType::UI16, 16, "__m256i"),
                (DataType::I32, 8, "__m256i"),
            ],
        }
    }

    /// x86 with 512 bits.
    pub fn avx512() -> Vectors {
        Vectors {
            name: "AVX512",
            header: "#include <immintrin.h>",
            flags: &["-mavx512f", "-mfma"],
            registers: &[
                (DataType::F32, 16, "__m512"),
                (DataType::F64, 8, "__m512d"),
                (DataType::I8, 64, "__m512i"),
                (DataType::UI8, 64, "__m512i"),
                (DataType::UI16, 32, "__m512i"),
                (DataType::I32, 16, "__m512i"),
            ],
        }
    }

    /// ARM with 128 bits.
    pub fn neon() -> Vectors {
        Vectors {
            name: "Neon",
            header: "#include <arm_neon.h>",
            flags: &[],
            registers: &[
                (DataType::F16, 8, "float16x8_t"),
                (DataType::F32, 4, "float32x4_t"),
                (DataType::F64, 2, "float64x2_t"),
                (DataType::I8, 16, "int8x16_t"),
                (DataType::UI8, 16, "uint8x16_t"),
                (DataType::UI16, 8, "uint16x8_t"),
                (DataType::I32, 4, "int32x4_t"),
            ],
        }
    }

    fn only_instructions(&self, what: &str) -> Refusal {
        Refusal::new(format!("{} is {what} by instructions only", self.name))
            .help("replace the loop around this by a call of an @instr")
    }

    fn register(&self, elem: DataType) -> Result<(i64, &'static str), Refusal> {
        let found = self.registers.iter().find(|(t, ..)| *t == elem);
        found
            .map(|(_, lanes, c)| (*lanes, *c))
            .ok_or_else(|| Refusal::new(format!("{} has no registers of {elem}", self.name)))
    }
}

impl Memory for Vectors {
    fn global(&self) -> Option<String> {
        Some(self.header.to_owned())
    }

    fn flags(&self) -> Vec<String> {
        self.flags.iter().map(|f| (*f).to_owned()).collect()
    }

    fn is_addressable(&self, _: usize) -> bool {
        false
    }

    fn is_registers(&self) -> bool {
        true
    }

    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let (lanes, register) = self.register(a.elem)?;
        let Some((last, outer)) = a.extents.split_last() else {
            let why = Refusal::new(format!("{} holds vectors, not scalars", self.name));
            return Err(
                why.help(format!("declare `{}: {}[{lanes}]`, or allocate it in DRAM", a.name, a.elem))
            );
        };
        if *last != Some(lanes) {
            let found = last.map_or("an extent that is no constant".to_owned(), |n| n.to_string());
            let why = format!("the last dimension of {} in {} is {lanes}, not {found}", a.elem, self.name);
            return Err(Refusal::new(why).help(format!(
                "it is the lanes of one register: declare `{}: {}[…, {lanes}]`",
                a.name, a.elem
            )));
        }
        let extents: Option<Vec<i64>> = outer.iter().copied().collect();
        let extents = extents
            .ok_or_else(|| Refusal::new(format!("the number of registers in {} is constant", self.name)))?;
        let typ = CType::Named(register.to_owned());
        if extents.is_empty() {
            let init = a.zeroed.then(|| CExpr::Literal("{ 0 }".to_owned()));
            return Ok(vec![CStmt::Decl { is_const: false, typ, name: a.name.to_owned(), init }]);
        }
        Ok(vec![CStmt::Array { is_static: false, typ, name: a.name.to_owned(), extents, zeroed: a.zeroed }])
    }

    fn free(&self, _: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        Ok(Vec::new())
    }

    fn window(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        let (lanes, _) = self.register(at.elem)?;
        let Some((_, outer)) = at.indices.split_last() else {
            return Err(Refusal::new(format!("{} holds vectors, not scalars", self.name)));
        };
        let last = outer.len();
        let whole = at.whole.last().is_some_and(|w| *w);
        let found = match at.kept {
            [d] if *d == last && whole => {
                return Ok(outer.iter().fold(at.base.clone(), |array, i| array.index(i.clone())));
            }
            [d] if *d == last => "a part of a register",
            [] => "a single lane",
            [_] => "a column, one lane of each of several registers",
            [_, _, ..] => "several registers",
        };
        let why = format!("an operand in {} is one whole register, and this is {found}", self.name);
        Err(Refusal::new(why)
            .help(format!("pass all {lanes} lanes of one register: `v[0:{lanes}]`, `v[i, 0:{lanes}]`")))
    }

    fn read(&self, _: &Cell<'_>) -> Result<CExpr, Refusal> {
        Err(self.only_instructions("read"))
    }

    fn write(&self, _: &Cell<'_>, _: CExpr) -> Result<Vec<CStmt>, Refusal> {
        Err(self.only_instructions("written"))
    }

    fn reduce(&self, _: &Cell<'_>, _: CExpr) -> Result<Vec<CStmt>, Refusal> {
        Err(self.only_instructions("reduced into"))
    }
}
