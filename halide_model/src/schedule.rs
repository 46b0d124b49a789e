//! The scheduling language. Thesis §2.8, Fig. 2.11; spec: [rule: halide.schedule].

mod apply;
mod directive;
pub mod refusal;

mod align;
mod atomic;
mod bound;
mod compute_at;
mod compute_with;
mod fold;
mod fuse;
mod hoist;
mod inline;
mod rfactor;
mod slide;
mod specialize;
mod split;
mod store_at;
mod swap;
mod traverse;
mod wrap;

pub use crate::tgt::together::Align;
pub use apply::{Sequence, apply, check_whole, schedule};
pub use directive::{Phase, Source};
pub use refusal::{Refusal, Restriction, Rules};
pub use split::Tail;

use crate::tgt::{LoopName, Program};
use directive::Form;
use refusal::Context;
use rewright_base::sym::Name;
use std::fmt::{self, Write as _};

macro_rules! directives {
    ($($file:ident::$form:ident,)*) => {
        $(pub use $file::$form;)*

        /// A scheduling directive.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Directive {
            $(
                #[doc = concat!("A directive of the form [`", stringify!($form), "`].")]
                $form($form),
            )*
        }

        $(
            impl From<$form> for Directive {
                fn from(directive: $form) -> Directive {
                    Directive::$form(directive)
                }
            }
        )*

        impl Directive {
            /// The names of all directives.
            pub fn names() -> Vec<&'static str> {
                [$($form::NAMES),*].concat()
            }

            /// The directive of that name with the arguments that `from` gives; nothing when there is none.
            ///
            /// # Errors
            /// An argument is not as it should be.
            pub fn read<S: Source>(name: &str, from: &mut S) -> Result<Option<Directive>, S::Error> {
                $(
                    if $form::NAMES.contains(&name) {
                        return $form::read(name, from).map(|d| Some(d.into()));
                    }
                )*
                Ok(None)
            }

            /// Its phase.
            pub fn phase(&self) -> Phase {
                match self {
                    $(Directive::$form(_) => $form::PHASE,)*
                }
            }

            /// Its name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Directive::$form(d) => d.name(),)*
                }
            }

            fn arguments(&self) -> String {
                match self {
                    $(Directive::$form(d) => d.arguments(),)*
                }
            }

            fn marked(&self) -> Option<LoopName> {
                match self {
                    $(Directive::$form(d) => d.marked(),)*
                }
            }

            fn after_consumers_of(&self) -> Option<Name> {
                match self {
                    $(Directive::$form(d) => d.after_consumers_of(),)*
                }
            }

            fn apply(&self, at: &Context<'_>) -> Result<Program, Refusal> {
                match self {
                    $(Directive::$form(d) => d.apply(at),)*
                }
            }
        }

        /// All restrictions: those of schedules, then those of each directive.
        pub fn restrictions() -> Vec<Restriction> {
            let mut out = Vec::new();
            for r in [&refusal::GENERAL, $($form::RESTRICTIONS),*].concat() {
                if !out.contains(&r) {
                    out.push(r);
                }
            }
            out
        }
    };
}

directives! {
    inline::Inline,
    wrap::Wrap,
    rfactor::SplitRdom,
    rfactor::Rfactor,
    specialize::Specialize,
    specialize::SpecializeFail,
    split::Split,
    fuse::Fuse,
    swap::Swap,
    atomic::Atomic,
    traverse::Traverse,
    compute_at::ComputeAt,
    store_at::StoreAt,
    hoist::HoistStorage,
    compute_with::ComputeWith,
    bound::Bound,
    bound::BoundExtent,
    align::AlignBounds,
    fold::FoldStorage,
    slide::Slide,
}

impl fmt::Display for Directive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name(), self.arguments())
    }
}

/// A schedule as a text gives it, after its algorithm.
pub fn print(directives: &[Directive]) -> String {
    let mut out = String::new();
    if !directives.is_empty() {
        out.push_str("schedule:\n");
    }
    for d in directives {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "  {d};");
    }
    out
}
