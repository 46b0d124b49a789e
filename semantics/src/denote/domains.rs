//! The interpreter of each domain of this crate.

use super::{Interpreted, Interpreter};
use crate::data::machine::MachineDomain;
use crate::data::rational::RationalDomain;
use crate::data::symbolic::SymbolicDomain;

impl Interpreted for RationalDomain {
    fn interpreter() -> &'static Interpreter<RationalDomain> {
        static INTERPRETER: Interpreter<RationalDomain> = Interpreter::new();
        &INTERPRETER
    }
}

impl Interpreted for SymbolicDomain {
    fn interpreter() -> &'static Interpreter<SymbolicDomain> {
        static INTERPRETER: Interpreter<SymbolicDomain> = Interpreter::new();
        &INTERPRETER
    }
}

impl Interpreted for MachineDomain {
    fn interpreter() -> &'static Interpreter<MachineDomain> {
        static INTERPRETER: Interpreter<MachineDomain> = Interpreter::new();
        &INTERPRETER
    }
}
