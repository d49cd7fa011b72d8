// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tables for consumers of Arrow, through the `PyCapsule` interface.

use std::panic::AssertUnwindSafe;
use std::ptr::NonNull;
use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{ArrowPrimitiveType, Float64Type, Int64Type, UInt32Type, UInt64Type};
use arrow_array::{
    ArrayRef, BooleanArray, PrimitiveArray, RecordBatch, RecordBatchIterator, RecordBatchOptions, StringArray,
};
use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::{ArrowError, Field, Schema};
use numpy::{Element, PyArray1, PyArrayMethods, PyReadonlyArray1, PyUntypedArray};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::balance::Result;
use crate::failure::Failure;
use crate::phase::Phase;

/// Owner of the memory of a column, dropped by the thread that releases the column last.
struct Owner(#[expect(dead_code, reason = "keeps the array alive")] AssertUnwindSafe<Py<PyAny>>);

/// Returns a table as an Arrow stream of one batch. Columns of numbers that are contiguous views of the model share its
/// memory; all other columns are copied.
#[pyfunction]
pub(crate) fn arrow_stream<'py>(
    py: Python<'py>,
    names: Vec<String>,
    columns: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyCapsule>> {
    let arrays = columns.iter().map(array).collect::<PyResult<Vec<ArrayRef>>>()?;
    let field = |(name, array): (String, &ArrayRef)| Field::new(name, array.data_type().clone(), true);
    let schema = Arc::new(Schema::new(names.into_iter().zip(&arrays).map(field).collect::<Vec<_>>()));
    let invalid = |error: ArrowError| Failure::input(format!("not a table: {error}"));
    let options =
        RecordBatchOptions::new().with_row_count(Some(arrays.first().map_or(0, |array| array.len())));
    let batch = RecordBatch::try_new_with_options(Arc::clone(&schema), arrays, &options).map_err(invalid)?;
    let batches = RecordBatchIterator::new([Ok(batch)], schema);
    let stream = FFI_ArrowArrayStream::new(Box::new(batches));
    PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
}

fn array(column: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    if let Some(array) = numbers::<Float64Type>(column)? {
        return Ok(array);
    }
    if let Some(array) = numbers::<UInt32Type>(column)? {
        return Ok(array);
    }
    if let Some(array) = numbers::<UInt64Type>(column)? {
        return Ok(array);
    }
    if let Some(array) = numbers::<Int64Type>(column)? {
        return Ok(array);
    }
    if let Ok(flags) = column.extract::<PyReadonlyArray1<'_, bool>>() {
        return Ok(Arc::new(BooleanArray::from(flags.as_array().to_vec())));
    }
    let texts: Vec<Option<String>> = column.call_method0("tolist")?.extract()?;
    Ok(Arc::new(StringArray::from(texts)))
}

/// Returns a column of numbers of this type; `None` if the column has another type.
fn numbers<T: ArrowPrimitiveType>(column: &Bound<'_, PyAny>) -> PyResult<Option<ArrayRef>>
where
    T::Native: Element + Copy,
{
    let Ok(array) = column.cast::<PyArray1<T::Native>>() else { return Ok(None) };
    let is_of_model = is_of_model(array.as_any())?;
    let readonly = array.readonly();
    let values = match readonly.as_slice() {
        Ok(values) if is_of_model && !values.is_empty() => shared(values, array.clone().into_any().unbind()),
        Ok(values) => ScalarBuffer::from(values.to_vec()),
        Err(_) => ScalarBuffer::from(readonly.as_array().to_vec()),
    };
    Ok(Some(Arc::new(PrimitiveArray::<T>::new(values, None))))
}

/// True if an array is a view of columns of the model, which never change. The read-only flag is not sufficient,
/// because users can reset the flag of their own arrays.
fn is_of_model(array: &Bound<'_, PyAny>) -> PyResult<bool> {
    let mut base = array.getattr("base")?;
    while base.cast::<PyUntypedArray>().is_ok() {
        base = base.getattr("base")?;
    }
    Ok(base.is_instance_of::<Phase>() || base.is_instance_of::<Result>())
}

fn shared<T: arrow_buffer::ArrowNativeType>(values: &[T], owner: Py<PyAny>) -> ScalarBuffer<T> {
    let first = NonNull::from(values).cast();
    // SAFETY: the memory belongs to a column of a phase or a placement, which never changes and which `Owner` keeps
    // alive.
    let buffer = unsafe {
        Buffer::from_custom_allocation(first, size_of_val(values), Arc::new(Owner(AssertUnwindSafe(owner))))
    };
    ScalarBuffer::from(buffer)
}
