//! A BLAS: plain programs of all routines in every variant, from a text for each routine; their schedules; and the
//! package that `make blas` writes. ASPLOS'25 §6.2. Spec: [rule: blas], [rule: blas.schedules].
//!
//! Programs see matrices by rows. A routine on matrices by columns is the routine on their transposes: the interface
//! chooses another variant, and there is no program for it.

mod convolution;
mod level1;
mod level2;
mod level3;
pub mod package;
mod variant;

use crate::target::NoVectors;
use crate::{Options, Target, gemm, ops, vectorize};
pub use level2::{Columns, Rows, Work};
use rewright_machines::Machine;
use rewright_primitives::Proc;
use rewright_primitives::error::Result;
use rewright_primitives::hof::is_caught;
use std::cell::OnceCell;
pub use variant::{Diag, Precision, Side, Trans, Uplo};

/// The plain program of one variant of a routine in one precision.
#[derive(Clone, Debug)]
pub struct Program {
    /// What it is called, without the letter of the precision: `trmv_unn`.
    pub name: String,
    /// Its definition.
    pub text: String,
    /// How it is scheduled.
    pub plan: Plan,
}

/// How a program is scheduled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Not at all: a C compiler makes of it what it can.
    AsItIs,
    /// By making vectors of loops.
    Vectors {
        /// Which loops: patterns, each in what has become of the program so far.
        at: &'static [&'static str],
        /// How many vectors are done beside each other.
        beside: i64,
    },
    /// By making vectors of doubles of a loop over floats.
    Doubles {
        /// Which loop.
        at: &'static str,
        /// How many vectors are done beside each other.
        beside: i64,
    },
    /// By making vectors of rows, of which several are done but for their ends, and then these.
    EndsLast,
    /// By blocks of rows of the triangle above the diagonal, to which multiples of vectors are added, where the target has
    /// instructions for the last lanes; else by making vectors of rows.
    UpdatedRows {
        /// How many vectors of a row are done beside each other.
        beside: i64,
    },
    /// By sums of the products of several rows of a matrix with a vector at a time.
    SumsOfRows,
    /// By adding several rows of a matrix to a vector at a time.
    SumOfRows,
    /// By blocks of rows.
    SeveralRows {
        /// What they are rows of.
        of: Rows,
        /// How many rows, where the target cannot add up the lanes of several registers at once.
        rows: i64,
        /// Which columns of a row there are.
        columns: Columns,
        /// What is done with them.
        work: Work,
    },
    /// As the product of matrices.
    Product,
    /// By copying the first factor, scaled, transposed or completed, and multiplying the copy.
    Factors {
        /// How many products each cell is the sum of: a size.
        order: &'static str,
    },
    /// By copying the second factor to panels, scaled, and transposed or completed.
    Panels {
        /// How many products each cell is the sum of: a size.
        order: &'static str,
    },
    /// By such copies, where one triangle of each product is wanted.
    Triangle {
        /// Which.
        uplo: Uplo,
    },
    /// As equations with a lower triangular matrix, from the first row to the last.
    Solution {
        /// Its diagonal.
        diag: Diag,
    },
    /// As a convolution, row by row of the images.
    Convolution,
    /// As the product of a triangular matrix and a copy.
    Triangular {
        /// Its triangle.
        uplo: Uplo,
    },
}

impl Program {
    /// A program with this name, these parameters and this body, in which `T` is the precision, and which is called as its
    /// routine is in that precision.
    fn new(precision: Precision, name: &str, parameters: &str, asserts: &[&str], body: &str) -> Program {
        let typed = |text: &str| text.replace("[T]", &format!("[{}]", precision.name()));
        let typed = |text: &str| typed(text).replace(": T", &format!(": {}", precision.name()));
        let asserts: String = asserts.iter().map(|a| format!("    assert {a}\n")).collect();
        let body: String = body.trim_matches('\n').lines().map(|line| format!("    {line}\n")).collect();
        let letter = precision.letter();
        let text = format!("@proc\ndef {letter}{name}({}):\n{asserts}{}", typed(parameters), typed(&body));
        Program { name: name.to_owned(), text, plan: Plan::AsItIs }
    }

    /// The same, with vectors of loops, so many beside each other.
    #[must_use]
    fn vectorized(self, at: &'static [&'static str], beside: i64) -> Program {
        Program { plan: Plan::Vectors { at, beside }, ..self }
    }

    /// The same, with another plan.
    #[must_use]
    fn planned(self, plan: Plan) -> Program {
        Program { plan, ..self }
    }

    /// The name of the procedure: `strmv_unn`.
    pub fn proc_name(&self, precision: Precision) -> String {
        format!("{}{}", precision.letter(), self.name)
    }
}

/// All programs of a precision, level by level, and the convolution.
pub fn programs(precision: Precision) -> Vec<Program> {
    [
        level1::programs(precision),
        level2::programs(precision),
        level3::programs(precision),
        convolution::programs(precision),
    ]
    .concat()
}

/// The schedules of programs for a machine, in a precision.
pub struct Schedules {
    target: Target,
    doubles: Target,
    product: OnceCell<Result<gemm::Kernel>>,
    product_of_panels: OnceCell<Result<gemm::Kernel>>,
    sums: [OnceCell<Result<gemm::Kernel>>; 2],
    factors: [OnceCell<Result<[gemm::Kernel; 2]>>; 2],
    solutions: [OnceCell<Result<gemm::Kernel>>; 2],
}

impl Schedules {
    /// Those for a machine's vectors of a precision.
    ///
    /// # Errors
    /// It has none of them, or none of doubles.
    pub fn new(machine: &'static Machine, precision: Precision) -> std::result::Result<Schedules, NoVectors> {
        let target = Target::of(machine, precision.data_type())?;
        let doubles = Target::of(machine, Precision::F64.data_type())?;
        let [sums, solutions] = Default::default();
        let factors = Default::default();
        let [product, product_of_panels] = Default::default();
        Ok(Schedules { target, doubles, product, product_of_panels, sums, factors, solutions })
    }

    /// The product of matrices, which is scheduled once.
    fn product(&self) -> Result<gemm::Kernel> {
        self.product.get_or_init(|| gemm::callable(&self.target)).clone()
    }

    /// The same with the second factor in panels.
    fn product_of_panels(&self) -> Result<gemm::Kernel> {
        self.product_of_panels.get_or_init(|| gemm::panels::product(&self.target)).clone()
    }

    /// A triangle of the product, which is scheduled once.
    fn triangle(&self, uplo: Uplo) -> Result<gemm::Kernel> {
        let [upper, lower] = &self.sums;
        let made = uplo.of(upper, lower);
        made.get_or_init(|| gemm::triangle::sum(&self.target, uplo)).clone()
    }

    /// The products of a triangular matrix with a panel and with fewer columns, which are scheduled once.
    fn triangular(&self, uplo: Uplo) -> Result<[gemm::Kernel; 2]> {
        let [upper, lower] = &self.factors;
        let made = uplo.of(upper, lower);
        made.get_or_init(|| gemm::triangle::factor(&self.target, uplo)).clone()
    }

    /// The solution of triangular equations, which is scheduled once.
    fn solution(&self, diag: Diag) -> Result<gemm::Kernel> {
        let [unit, other] = &self.solutions;
        let made = match diag {
            Diag::Unit => unit,
            Diag::NonUnit => other,
        };
        made.get_or_init(|| gemm::triangle::solution(&self.target, diag, &self.product()?)).clone()
    }

    /// A procedure with the body of a program, scheduled.
    ///
    /// # Errors
    /// A primitive refuses.
    pub fn schedule(&self, p: &Proc, plan: Plan) -> Result<Proc> {
        match plan {
            Plan::AsItIs => Ok(p.clone()),
            Plan::Vectors { at, beside } => self.vectors(p, at, beside),
            Plan::UpdatedRows { beside } => {
                level2::updated_rows(p, &self.target).unwrap_or_else(|| self.vectors(p, &["j"], beside))
            }
            Plan::Doubles { at, beside } => {
                let options = Options::of(&self.doubles).interleaved(beside);
                Ok(vectorize(p, at, &self.doubles, options)?.0)
            }
            Plan::EndsLast => level2::ends_last(p, &self.target),
            Plan::SumsOfRows => level2::sums_of_rows(p, &self.target),
            Plan::SumOfRows => level2::sum_of_rows(p, &self.target),
            Plan::SeveralRows { of, rows, columns, work } => {
                level2::several_rows(p, rows, columns, (of, work), &self.target)
            }
            Plan::Product => level3::product(p, &self.product()?),
            Plan::Convolution => {
                convolution::convolution(p, &gemm::image::filtered(&self.target)?, &self.target)
            }
            Plan::Factors { order } => level3::factors(p, order, &self.product()?, &self.target),
            Plan::Panels { order } => level3::panels(p, order, &self.product_of_panels()?, &self.target),
            Plan::Triangle { uplo } => level3::triangles(p, &self.triangle(uplo)?, &self.target),
            Plan::Solution { diag } => level3::solution(p, &self.solution(diag)?, &self.target),
            Plan::Triangular { uplo } => level3::triangular(p, uplo, &self.triangular(uplo)?, &self.target),
        }
    }

    /// Vectors of loops. How many are left over is not always decided where several stand beside each other.
    fn vectors(&self, p: &Proc, at: &[&str], beside: i64) -> Result<Proc> {
        self.vectors_beside(p, at, beside)
            .or_else(|e| if is_caught(&e) { self.vectors_beside(p, at, 1) } else { Err(e) })
    }

    fn vectors_beside(&self, p: &Proc, at: &[&str], beside: i64) -> Result<Proc> {
        let options = Options::of(&self.target).interleaved(beside);
        let mut loops = Vec::new();
        for pattern in at {
            loops.push(p.find_loop(pattern)?);
        }
        loops.iter().try_fold(p.clone(), |p, at| {
            let p = ops::add_at_once(&p, at)?;
            Ok(vectorize(&p, at, &self.target, options)?.0)
        })
    }

    /// The definitions that schedules of a plan begin with, besides the program's.
    pub fn definitions(&self, plan: Plan) -> Vec<String> {
        match plan {
            Plan::AsItIs
            | Plan::Vectors { .. }
            | Plan::Doubles { .. }
            | Plan::EndsLast
            | Plan::UpdatedRows { .. }
            | Plan::SumsOfRows
            | Plan::SumOfRows
            | Plan::SeveralRows { .. } => Vec::new(),
            Plan::Product | Plan::Factors { .. } | Plan::Panels { .. } => vec![gemm::source(&self.target)],
            Plan::Convolution => vec![gemm::source(&self.target), gemm::image::source(&self.target)],
            Plan::Triangle { .. } | Plan::Triangular { .. } | Plan::Solution { .. } => {
                vec![gemm::source(&self.target), gemm::triangle::source(&self.target)]
            }
        }
    }
}
