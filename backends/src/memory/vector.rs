//! Vector registers: arrays of a register type, whose last dimension is the lanes of one register.
//! Only instructions read and write them.

use super::{Allocation, Cell, Memory, Refusal};
use crate::c::tree::{CExpr, CStmt, CType};
use rewright_machines::{Arrays, Machine, RegisterFile, RegisterType};
use rewright_semantics::types::DataType;

/// The vector registers of a machine.
#[derive(Clone, Copy, Debug)]
pub struct Vectors {
    machine: &'static Machine,
    file: &'static RegisterFile,
}

impl Vectors {
    /// The registers of this machine; `None` where it has none.
    pub fn of(machine: &'static Machine) -> Option<Vectors> {
        Some(Vectors { machine, file: machine.registers.as_ref()? })
    }

    /// The name of the memory.
    pub fn name(&self) -> &'static str {
        self.file.memory
    }

    fn only_instructions(&self, what: &str) -> Refusal {
        Refusal::new(format!("{} is {what} by instructions only", self.file.memory))
            .help("replace the loop around this by a call of an @instr")
    }

    fn register(&self, elem: DataType) -> Result<&'static RegisterType, Refusal> {
        let found = self.file.types.iter().find(|t| t.elem == elem);
        found.ok_or_else(|| Refusal::new(format!("{} has no registers of {elem}", self.file.memory)))
    }
}

impl Memory for Vectors {
    fn global(&self) -> Option<String> {
        Some(self.file.header.to_owned())
    }

    fn flags(&self) -> Vec<String> {
        self.file.flags.iter().map(|f| (*f).to_owned()).collect()
    }

    fn machine(&self) -> Option<&'static Machine> {
        Some(self.machine)
    }

    fn is_addressable(&self, _: usize) -> bool {
        false
    }

    fn is_registers(&self) -> bool {
        true
    }

    fn alloc(&self, a: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        let RegisterType { lanes, c, zero, .. } = *self.register(a.elem)?;
        let Some((last, outer)) = a.extents.split_last() else {
            let why = Refusal::new(format!("{} holds vectors, not scalars", self.file.memory));
            return Err(
                why.help(format!("declare `{}: {}[{lanes}]`, or allocate it in DRAM", a.name, a.elem))
            );
        };
        if *last != Some(lanes) {
            let found = last.map_or("an extent that is no constant".to_owned(), |n| n.to_string());
            let why =
                format!("the last dimension of {} in {} is {lanes}, not {found}", a.elem, self.file.memory);
            return Err(Refusal::new(why).help(format!(
                "it is the lanes of one register: declare `{}: {}[…, {lanes}]`",
                a.name, a.elem
            )));
        }
        // C has no arrays without elements.
        let extents: Option<Vec<i64>> = outer.iter().map(|n| n.map(|n| n.max(1))).collect();
        let extents = extents.ok_or_else(|| {
            Refusal::new(format!("the number of registers in {} is constant", self.file.memory))
        })?;
        let typ = CType::Named(c.to_owned());
        if extents.is_empty() {
            let init = a.zeroed.then(|| CExpr::Literal(zero.to_owned()));
            return Ok(vec![CStmt::Decl { is_const: false, typ, name: a.name.to_owned(), init }]);
        }
        if self.file.arrays == Arrays::Refused {
            let why = format!("C has no arrays of registers of {}", self.file.memory);
            return Err(Refusal::new(why).help(
                "unroll the loops that choose a register (`unroll_loop`), and give each a buffer of its own (`unroll_buffer`)",
            ));
        }
        Ok(vec![CStmt::Array { is_static: false, typ, name: a.name.to_owned(), extents, zeroed: a.zeroed }])
    }

    fn free(&self, _: &Allocation<'_>) -> Result<Vec<CStmt>, Refusal> {
        Ok(Vec::new())
    }

    fn window(&self, at: &Cell<'_>) -> Result<CExpr, Refusal> {
        let lanes = self.register(at.elem)?.lanes;
        let Some((_, outer)) = at.indices.split_last() else {
            return Err(Refusal::new(format!("{} holds vectors, not scalars", self.file.memory)));
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
        let why = format!("an operand in {} is one whole register, and this is {found}", self.file.memory);
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
