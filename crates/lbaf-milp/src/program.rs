// SPDX-License-Identifier: MIT OR Apache-2.0
//! A mixed-integer program: columns, rows, and one column to be made small.

/// Position of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColumnId(pub usize);

/// An unknown.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// Its name in files: letters, digits and `_`.
    pub name: String,
    /// The least value.
    pub lower: f64,
    /// The largest value, which may be infinite.
    pub upper: f64,
    /// Whether it is 0 or 1 and nothing between.
    pub is_binary: bool,
}

/// How the two sides of a row compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// At most.
    AtMost,
    /// At least.
    AtLeast,
    /// Equal.
    Equal,
}

/// `sum of coefficient x column`, compared with a number.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// Its name in files: letters, digits and `_`.
    pub name: String,
    /// Columns, ascending, each once, with coefficients that are not 0; at least one.
    pub terms: Vec<(ColumnId, f64)>,
    /// How the sum compares with `rhs`.
    pub relation: Relation,
    /// The right-hand side.
    pub rhs: f64,
}

/// Columns and rows; the first column is to be as small as possible.
///
/// Columns are in the order in which the objective and the rows first name them: solvers that number the columns of
/// an LP file by themselves come to the same numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    /// What it is about, for people: one sentence each.
    pub comments: Vec<String>,
    /// The unknowns.
    pub columns: Vec<Column>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// Positions of the rows that keep the upper bounds of the work model.
    pub bound_rows: Vec<usize>,
}

impl Program {
    /// The column to be made small.
    pub const OBJECTIVE: ColumnId = ColumnId(0);

    /// A program that minimizes a column and says nothing else.
    pub(crate) fn minimizing(name: &str, lower: f64) -> Self {
        let objective = Column { name: name.to_owned(), lower, upper: f64::INFINITY, is_binary: false };
        Program { comments: Vec::new(), columns: vec![objective], rows: Vec::new(), bound_rows: Vec::new() }
    }

    /// Number of columns that are 0 or 1.
    pub fn n_binaries(&self) -> usize {
        self.columns.iter().filter(|column| column.is_binary).count()
    }

    /// Number of coefficients in all rows.
    pub fn n_terms(&self) -> usize {
        self.rows.iter().map(|row| row.terms.len()).sum()
    }

    /// By how much values miss the row that they miss most, or a bound of a column; 0 if they miss none.
    pub fn violation(&self, values: &[f64]) -> f64 {
        let of_row = |row: &Row| {
            let beyond =
                row.terms.iter().map(|&(ColumnId(at), factor)| factor * values[at]).sum::<f64>() - row.rhs;
            match row.relation {
                Relation::AtMost => beyond,
                Relation::AtLeast => -beyond,
                Relation::Equal => beyond.abs(),
            }
        };
        let of_column = |(column, &value): (&Column, &f64)| (column.lower - value).max(value - column.upper);
        let rows = self.rows.iter().map(of_row);
        rows.chain(self.columns.iter().zip(values).map(of_column)).fold(0.0, f64::max)
    }

    pub(crate) fn binary(&mut self, name: String) -> ColumnId {
        self.column(Column { name, lower: 0.0, upper: 1.0, is_binary: true })
    }

    pub(crate) fn column(&mut self, column: Column) -> ColumnId {
        self.columns.push(column);
        ColumnId(self.columns.len() - 1)
    }
}

/// The shortest spelling that reads back as the same number, with an exponent where there would be many zeros.
pub(crate) fn spelled(number: f64) -> String {
    let size = number.abs();
    if size == 0.0 || (1e-5..1e15).contains(&size) { format!("{number}") } else { format!("{number:e}") }
}
