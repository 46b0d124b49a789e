//! What a schedule of rows is told: which columns they have, what is done with them, and of what they are rows.

/// Which columns of a row there are, and in which order rows are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Those above the diagonal, from the first row to the last or from the last to the first.
    After {
        /// From the first row.
        forward: bool,
    },
    /// Those below the diagonal.
    Before {
        /// From the first row.
        forward: bool,
    },
}

impl Columns {
    /// Where the columns begin, or end, that all rows of block `io` have.
    pub(super) fn boundary(self, rows: i64) -> String {
        match self {
            Columns::After { forward: true } => format!("{rows} * io + {rows}"),
            Columns::After { forward: false } => format!("n - {rows} * io"),
            Columns::Before { forward: true } => format!("{rows} * io"),
            Columns::Before { forward: false } => format!("n - {rows} * io - {rows}"),
        }
    }

    /// Whether the rows that are left have no more columns than there are such rows.
    pub(super) fn are_few_in_the_rest(self) -> bool {
        matches!(self, Columns::After { forward: true } | Columns::Before { forward: false })
    }
}

/// What is done with the columns of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Sums over them, which the rest of the row waits for.
    Sum,
    /// A multiple of the row is added to a vector, of which the cells that are done first are those near the diagonal.
    Add,
}

/// What the rows are rows of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// A symmetric matrix, of which one triangle is there.
    Symmetric,
    /// A triangular matrix, by which a vector is multiplied.
    Product,
    /// Equations, one for each row.
    Equations,
}
