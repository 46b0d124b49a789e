//! Effects against the interpreter: one run of a procedure, and the values it gives to what effect
//! expressions mention. Used by the properties of PLDI'22 §5.6; spec: [rule: effects.abstraction].

use rewright_effects::effexpr::{EffExpr, Sort, Substitution, Var};
use rewright_effects::locset::{Base, Loc};
use rewright_effects::ternary::{Assignment, TernaryValue, Truth, eval_within};
use rewright_semantics::ast::Proc;
use rewright_semantics::data::Datum;
use rewright_semantics::data::rational::{Rational, RationalDomain};
use rewright_semantics::denote::{Denotation, FaultClass, Limits};
use rewright_semantics::inputs::{Given, Input, Search, generate};
use rewright_semantics::store::{ConfigKey, Store, Window};
use rewright_semantics::types::ArgType;
use rewright_semantics::value::Val;
use std::ops::Range;

/// A procedure with an input.
pub struct Run<'p> {
    /// The procedure.
    pub proc: &'p Proc,
    /// The input.
    pub input: Input,
    /// Its arguments as values.
    pub args: Vec<Val<Rational>>,
    /// The store before.
    pub before: Store<Rational>,
    values: Substitution,
    domain: Range<i64>,
}

/// A place that outlives a procedure, concretely.
#[derive(Clone, Debug, PartialEq)]
pub enum ConcreteLoc {
    /// A cell of an argument, by the argument's position and indices.
    Cell(usize, Vec<i64>),
    /// A field.
    Field(ConfigKey),
}

impl<'p> Run<'p> {
    /// A random input of the procedure; `None` when none was found.
    pub fn random(p: &'p Proc, seed: u64) -> Option<Run<'p>> {
        let search = Search { max_cells: 160, budget: 3000 };
        let input = generate(p, &Given::default(), seed, search).ok()?;
        Some(Run::with(p, input))
    }

    /// A run on a given input.
    pub fn with(p: &'p Proc, input: Input) -> Run<'p> {
        let (args, before) = input.store::<RationalDomain>(p);
        let mut values = Substitution::new();
        let mut most = 8;
        for (arg, value) in p.args.iter().zip(&args) {
            match value {
                Val::Int(n) => {
                    most = most.max(*n);
                    values.insert(Var::Local(arg.name), EffExpr::int(*n));
                }
                Val::Bool(b) => values.insert(Var::Local(arg.name), EffExpr::bool(*b)),
                Val::Window(w) => {
                    for (d, dim) in w.dims.iter().enumerate() {
                        most = most.max(dim.extent);
                        values.insert(Var::Stride(arg.name, d), EffExpr::int(dim.stride));
                    }
                }
                Val::Data(_) | Val::Exceptional(_) => {}
            }
        }
        for (key, value) in before.globals() {
            let var = Var::Global(key.config, key.field);
            match value {
                Val::Int(n) => values.insert(var, EffExpr::int(*n)),
                Val::Bool(b) => values.insert(var, EffExpr::bool(*b)),
                Val::Data(_) | Val::Window(_) | Val::Exceptional(_) => {}
            }
        }
        Run { proc: p, input, args, before, values, domain: -6..2 * most + 8 }
    }

    /// The store after; `None` when the run ends in an error.
    pub fn outcome(&self) -> Option<Store<Rational>> {
        self.outcome_from(self.before.clone())
    }

    /// The store after a run from another store.
    pub fn outcome_from(&self, st: Store<Rational>) -> Option<Store<Rational>> {
        let denotation = Denotation::<RationalDomain>::of(self.proc);
        denotation.call(&self.args, st, Limits::statements(5_000)).ok().map(|o| o.store)
    }

    /// The error that the run ends in, if it does.
    pub fn fault(&self) -> Option<FaultClass> {
        let denotation = Denotation::<RationalDomain>::of(self.proc);
        let outcome = denotation.call(&self.args, self.before.clone(), Limits::statements(5_000));
        outcome.err().filter(|f| !f.rejects_input()).map(|f| f.class())
    }

    /// All places that outlive the procedure: cells of arguments, and the fields set before or after.
    pub fn places(&self, after: &Store<Rational>) -> Vec<ConcreteLoc> {
        let mut out = Vec::new();
        for (k, value) in self.args.iter().enumerate() {
            if let Val::Window(w) = value {
                out.extend(w.indices().map(|idx| ConcreteLoc::Cell(k, idx)));
            }
        }
        let mut keys: Vec<ConfigKey> =
            self.before.globals().chain(after.globals()).map(|(key, _)| key).collect();
        keys.sort();
        keys.dedup();
        out.extend(keys.into_iter().map(ConcreteLoc::Field));
        out
    }

    /// A place as a symbolic one.
    pub fn loc(&self, place: &ConcreteLoc) -> Loc {
        match place {
            ConcreteLoc::Cell(k, idx) => Loc {
                base: Base::Buffer(self.proc.args[*k].name),
                idx: idx.iter().map(|i| EffExpr::int(*i)).collect(),
            },
            ConcreteLoc::Field(key) => Loc {
                base: Base::Global(rewright_effects::env::Field { config: key.config, field: key.field }),
                idx: [].into(),
            },
        }
    }

    /// What a store holds at a place.
    pub fn value(&self, st: &Store<Rational>, place: &ConcreteLoc) -> Val<Rational> {
        let unknown =
            rewright_semantics::value::Val::Exceptional(rewright_semantics::value::Exceptional::Unknown);
        match place {
            ConcreteLoc::Cell(k, idx) => match self.window(*k).and_then(|w| st.read(w, idx)) {
                Some(datum) => datum.clone().into(),
                None => unknown,
            },
            ConcreteLoc::Field(key) => st.global(*key).cloned().unwrap_or(unknown),
        }
    }

    /// Puts something else at a place.
    pub fn spoil(&self, st: &mut Store<Rational>, place: &ConcreteLoc, by: i64) {
        match (place, self.value(st, place)) {
            (ConcreteLoc::Cell(k, idx), _) => {
                if let Some(w) = self.window(*k) {
                    st.write(w, idx, Datum::Known(rational(by)));
                }
            }
            (ConcreteLoc::Field(key), Val::Int(n)) => st.set_global(*key, Val::Int(n + 1)),
            (ConcreteLoc::Field(key), Val::Bool(b)) => st.set_global(*key, Val::Bool(!b)),
            (ConcreteLoc::Field(key), Val::Data(_)) => st.set_global(*key, Val::Data(rational(by))),
            (ConcreteLoc::Field(_), Val::Window(_) | Val::Exceptional(_)) => {}
        }
    }

    fn window(&self, k: usize) -> Option<&Window> {
        match self.args.get(k)? {
            Val::Window(w) => Some(w),
            Val::Int(_) | Val::Bool(_) | Val::Data(_) | Val::Exceptional(_) => None,
        }
    }

    /// The position of an argument.
    pub fn arg(&self, name: rewright_semantics::sym::Sym) -> Option<usize> {
        self.proc.args.iter().position(|a| a.name == name && matches!(a.typ, ArgType::Data { .. }))
    }

    /// The value of an effect expression on this input.
    pub fn eval(&self, ee: &EffExpr) -> TernaryValue {
        eval_within(&ee.substitute(&self.values), &Assignment::new(), self.domain.clone(), 20_000)
    }

    /// The same, with further values.
    pub fn eval_with(&self, ee: &EffExpr, more: &Substitution) -> TernaryValue {
        self.eval(&ee.substitute(more))
    }

    /// The truth of an effect expression on this input.
    pub fn truth(&self, ee: &EffExpr) -> Truth {
        match self.eval(ee) {
            TernaryValue::Bool(t) => t,
            TernaryValue::Int(_) => Truth::Unknown,
        }
    }

    /// An effect expression with the values of this input put in.
    pub fn at_values(&self, ee: &EffExpr) -> EffExpr {
        ee.substitute(&self.values)
    }

    /// Whether a sentence holds on this input: the variables that the input gives no value to are tried one
    /// by one, integers over a small domain. `false` also when that takes too long.
    pub fn holds(&self, ee: &EffExpr) -> bool {
        self.all_values(&ee.substitute(&self.values), &mut 60_000)
    }

    fn all_values(&self, ee: &EffExpr, budget: &mut u64) -> bool {
        if ee.is_true() || ee.is_false() || *budget == 0 {
            return ee.is_true();
        }
        *budget -= 1;
        // The variables that hypotheses bound come first, since the formula lists them first.
        let free = ee.free_vars_sorted();
        match free.first() {
            None => self.truth(ee) == Truth::True,
            Some((var, Sort::Bool)) => [true, false].iter().all(|b| {
                self.all_values(&ee.substitute(&Substitution::one(*var, EffExpr::bool(*b))), budget)
            }),
            Some((var, Sort::Int)) => self
                .domain
                .clone()
                .all(|v| self.all_values(&ee.substitute(&Substitution::one(*var, EffExpr::int(v))), budget)),
        }
    }
}

/// A number that programs seldom compute by chance.
pub fn rational(by: i64) -> Rational {
    use rewright_semantics::ast::Decimal;
    use rewright_semantics::data::DataDomain;
    RationalDomain::literal(&Decimal::new(41 + by % 50, 0), rewright_semantics::types::DataType::R)
}
