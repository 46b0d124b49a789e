//! The interpreter for each of the domains here. Spec: [rule: run.proc].

use super::{Denotation, Fault, Interpreted, Limits, Trace};
use crate::ast::Proc;
use crate::data::machine::MachineDomain;
use crate::data::rational::RationalDomain;
use crate::data::symbolic::SymbolicDomain;
use crate::store::Store;
use crate::value::Val;

impl Interpreted for RationalDomain {
    fn resolve(p: &Proc) -> Denotation<Self> {
        Denotation::resolved(p)
    }

    fn apply(
        denotation: &Denotation<Self>,
        args: &[Val<Self::Value>],
        st: &mut Store<Self::Value>,
        limits: Limits,
        trace: Option<&mut Trace>,
    ) -> Result<u64, Box<Fault>> {
        denotation.applied(args, st, limits, trace)
    }
}

impl Interpreted for SymbolicDomain {
    fn resolve(p: &Proc) -> Denotation<Self> {
        Denotation::resolved(p)
    }

    fn apply(
        denotation: &Denotation<Self>,
        args: &[Val<Self::Value>],
        st: &mut Store<Self::Value>,
        limits: Limits,
        trace: Option<&mut Trace>,
    ) -> Result<u64, Box<Fault>> {
        denotation.applied(args, st, limits, trace)
    }
}

impl Interpreted for MachineDomain {
    fn resolve(p: &Proc) -> Denotation<Self> {
        Denotation::resolved(p)
    }

    fn apply(
        denotation: &Denotation<Self>,
        args: &[Val<Self::Value>],
        st: &mut Store<Self::Value>,
        limits: Limits,
        trace: Option<&mut Trace>,
    ) -> Result<u64, Box<Fault>> {
        denotation.applied(args, st, limits, trace)
    }
}
