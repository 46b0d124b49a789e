//! What the variants of a routine differ in.

use rewright_semantics::types::DataType;

/// The precision of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Precision {
    /// `f32`: the letter `s`.
    F32,
    /// `f64`: the letter `d`.
    F64,
}

impl Precision {
    /// Both.
    pub const ALL: [Precision; 2] = [Precision::F32, Precision::F64];

    /// As a type of the object language.
    pub fn name(self) -> &'static str {
        match self {
            Precision::F32 => "f32",
            Precision::F64 => "f64",
        }
    }

    /// The same.
    pub fn data_type(self) -> DataType {
        match self {
            Precision::F32 => DataType::F32,
            Precision::F64 => DataType::F64,
        }
    }

    /// The first letter of routines.
    pub fn letter(self) -> char {
        match self {
            Precision::F32 => 's',
            Precision::F64 => 'd',
        }
    }
}

/// Which triangle of a matrix is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Uplo {
    /// The cells with a column that is not less than the row.
    Upper,
    /// The others, and the diagonal.
    Lower,
}

impl Uplo {
    /// Both.
    pub const ALL: [Uplo; 2] = [Uplo::Upper, Uplo::Lower];

    /// As in the names of programs.
    pub fn letter(self) -> char {
        match self {
            Uplo::Upper => 'u',
            Uplo::Lower => 'l',
        }
    }

    /// As a word.
    pub fn name(self) -> &'static str {
        match self {
            Uplo::Upper => "upper",
            Uplo::Lower => "lower",
        }
    }

    /// What belongs to it, of two.
    pub fn of<T>(self, upper: T, lower: T) -> T {
        match self {
            Uplo::Upper => upper,
            Uplo::Lower => lower,
        }
    }

    /// The triangle of the transpose.
    pub fn transposed(self, trans: Trans) -> Uplo {
        match (self, trans) {
            (Uplo::Upper, Trans::No) | (Uplo::Lower, Trans::Yes) => Uplo::Upper,
            (Uplo::Lower, Trans::No) | (Uplo::Upper, Trans::Yes) => Uplo::Lower,
        }
    }
}

/// Whether a matrix or its transpose is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trans {
    /// The matrix.
    No,
    /// Its transpose.
    Yes,
}

impl Trans {
    /// Both.
    pub const ALL: [Trans; 2] = [Trans::No, Trans::Yes];

    /// As in the names of programs.
    pub fn letter(self) -> char {
        match self {
            Trans::No => 'n',
            Trans::Yes => 't',
        }
    }

    /// The cell at this row and column of what is meant.
    pub fn cell(self, matrix: &str, row: &str, column: &str) -> String {
        match self {
            Trans::No => format!("{matrix}[{row}, {column}]"),
            Trans::Yes => format!("{matrix}[{column}, {row}]"),
        }
    }

    /// The type of a matrix of so many rows and columns, or of the matrix whose transpose has them.
    pub fn shape(self, rows: &str, columns: &str) -> String {
        match self {
            Trans::No => format!("[T][{rows}, {columns}]"),
            Trans::Yes => format!("[T][{columns}, {rows}]"),
        }
    }
}

/// What the diagonal of a triangular matrix is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diag {
    /// What stands there.
    NonUnit,
    /// Ones, whatever stands there.
    Unit,
}

impl Diag {
    /// Both.
    pub const ALL: [Diag; 2] = [Diag::NonUnit, Diag::Unit];

    /// As in the names of programs.
    pub fn letter(self) -> char {
        match self {
            Diag::NonUnit => 'n',
            Diag::Unit => 'u',
        }
    }

    /// A line, where the diagonal is not of ones.
    pub fn unless_unit(self, line: String) -> String {
        match self {
            Diag::NonUnit => line,
            Diag::Unit => String::new(),
        }
    }
}

/// On which side of the other a symmetric or triangular matrix stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// It is the first factor.
    Left,
    /// It is the second.
    Right,
}

impl Side {
    /// Both.
    pub const ALL: [Side; 2] = [Side::Left, Side::Right];

    /// As in the names of programs.
    pub fn letter(self) -> char {
        match self {
            Side::Left => 'l',
            Side::Right => 'r',
        }
    }
}
