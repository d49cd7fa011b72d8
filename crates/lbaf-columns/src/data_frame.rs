// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables with columns known only at run time, such as tables of results.

use std::borrow::Cow;
use std::io;

use crate::column::{Cell, Column};
#[cfg(feature = "parquet")]
use crate::parquet::Parquet;
use crate::{Format, csv};

/// Table in memory, stored column by column.
#[derive(Clone, Debug, Default)]
pub struct DataFrame {
    columns: Vec<DataFrameColumn>,
}

/// Values of a column of a [`DataFrame`]; `None` is null.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Non-negative integers.
    Unsigned(Vec<Option<u64>>),
    /// Finite floating-point numbers.
    Float(Vec<Option<f64>>),
    /// True or false.
    Flag(Vec<Option<bool>>),
    /// Text.
    Text(Vec<Option<String>>),
}

#[derive(Clone, Debug)]
struct DataFrameColumn {
    name: String,
    values: Values,
}

/// Single cell.
enum Value {
    Absent,
    Unsigned(u64),
    Float(f64),
    Flag(bool),
    Text(String),
}

impl DataFrame {
    /// Appends a column. All columns need the same length.
    pub fn add(&mut self, name: impl Into<String>, values: Values) {
        self.columns.push(DataFrameColumn { name: name.into(), values });
    }

    /// Writes the table to a sink. The bytes depend only on the table and the format.
    ///
    /// # Errors
    /// If columns differ in length, a value is too large for the format, or the sink fails.
    pub fn write(self, format: Format, sink: &mut (dyn io::Write + Send)) -> io::Result<()> {
        let columns: Vec<(Column<Value>, Vec<Value>)> =
            self.columns.into_iter().map(DataFrameColumn::into_cells).collect();
        let n_rows = columns.first().map_or(0, |(_, values)| values.len());
        if let Some((column, values)) = columns.iter().find(|(_, values)| values.len() != n_rows) {
            let message = format!("column `{}` has {} values instead of {n_rows}", column.name, values.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        match format {
            Format::Csv => sink.write_all(&lines(&columns, n_rows)),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let mut parquet = Parquet::new(sink, columns.iter().map(|(column, _)| column))?;
                if n_rows > 0 {
                    parquet.add_columns(&columns)?;
                }
                parquet.finish()
            }
        }
    }
}

fn lines(columns: &[(Column<Value>, Vec<Value>)], n_rows: usize) -> Vec<u8> {
    let mut out = csv::header(columns.iter().map(|(column, _)| column));
    for row in 0..n_rows {
        for (position, (column, values)) in columns.iter().enumerate() {
            if position > 0 {
                out.push(b',');
            }
            csv::push_cell(&mut out, &column.cell, &values[row]);
        }
        out.push(b'\n');
    }
    out
}

impl DataFrameColumn {
    fn into_cells(self) -> (Column<Value>, Vec<Value>) {
        let (cell, values) = match self.values {
            Values::Unsigned(values) => (Cell::Unsigned(Value::unsigned), cells(values, Value::Unsigned)),
            Values::Float(values) => (Cell::Float(Value::float), cells(values, Value::Float)),
            Values::Flag(values) => (Cell::Flag(Value::flag), cells(values, Value::Flag)),
            Values::Text(values) => (Cell::Text(Value::text), cells(values, Value::Text)),
        };
        (Column { name: Cow::Owned(self.name), cell }, values)
    }
}

fn cells<T>(values: Vec<Option<T>>, cell: fn(T) -> Value) -> Vec<Value> {
    values.into_iter().map(|value| value.map_or(Value::Absent, cell)).collect()
}

impl Value {
    fn unsigned(&self) -> Option<u64> {
        if let Value::Unsigned(number) = *self { Some(number) } else { None }
    }

    fn float(&self) -> Option<f64> {
        if let Value::Float(number) = *self { Some(number) } else { None }
    }

    fn flag(&self) -> Option<bool> {
        if let Value::Flag(flag) = *self { Some(flag) } else { None }
    }

    fn text(&self) -> Option<&str> {
        if let Value::Text(text) = self { Some(text) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> DataFrame {
        let mut grid = DataFrame::default();
        grid.add("case, of several", Values::Text(vec![Some("a".to_owned()), None]));
        grid.add("transfers", Values::Unsigned(vec![Some(7), Some(0)]));
        grid.add("I", Values::Float(vec![None, Some(0.5)]));
        grid.add("infeasible", Values::Flag(vec![Some(true), Some(false)]));
        grid
    }

    #[test]
    fn lines_have_a_cell_of_every_column() {
        let mut out = Vec::new();
        grid().write(Format::Csv, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(text, "\"case, of several\",transfers,I,infeasible\na,7,,true\n,0,0.5,false\n");
    }

    #[test]
    fn columns_of_different_length_are_rejected() {
        let mut grid = grid();
        grid.add("odd", Values::Unsigned(vec![None]));
        let error = grid.write(Format::Csv, &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "column `odd` has 1 values instead of 2");
    }

    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_has_the_same_cells() {
        use ::parquet::file::reader::{FileReader, SerializedFileReader};
        use ::parquet::record::Field;

        let mut file = tempfile::tempfile().unwrap();
        grid().write(Format::Parquet, &mut file).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let rows: Vec<Vec<Field>> = reader
            .get_row_iter(None)
            .unwrap()
            .map(|row| row.unwrap().get_column_iter().map(|(_, field)| field.clone()).collect())
            .collect();
        assert_eq!(rows[0], [Field::Str("a".to_owned()), Field::ULong(7), Field::Null, Field::Bool(true)]);
        assert_eq!(rows[1], [Field::Null, Field::ULong(0), Field::Double(0.5), Field::Bool(false)]);
    }
}
