// SPDX-License-Identifier: MIT OR Apache-2.0
//! Columns of the model as arrays of NumPy. Arrays that share the memory of the model are read-only and keep the model
//! alive.

use lbaf_model::{Assignment, RankId, Volume};
use numpy::ndarray::ArrayView1;
use numpy::ndarray::ShapeBuilder;
use numpy::{Element, IntoPyArray, PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Returns an array that shares the memory of `values`, which `owner` keeps alive and which never change.
fn shared<'py, T: Element>(owner: Bound<'py, PyAny>, values: &ArrayView1<'_, T>) -> Bound<'py, PyArray1<T>> {
    // SAFETY: every caller passes values of a phase or of a placement that `owner` holds. The array holds `owner`, the
    // values never change because `owner` is frozen, and the array is made read-only before Python receives it.
    let array = unsafe { PyArray1::borrow_from_array(values, owner) };
    array.readwrite().make_nonwriteable();
    array
}

/// Returns a column that shares the memory of the model, which `owner` keeps alive.
pub(crate) fn column<'py, T: Element>(owner: Bound<'py, PyAny>, values: &[T]) -> Bound<'py, PyArray1<T>> {
    shared(owner, &ArrayView1::from(values))
}

/// Returns the ranks of a placement that `owner` keeps alive, in the memory of the placement.
pub(crate) fn ranks<'py>(owner: Bound<'py, PyAny>, placement: &Assignment) -> Bound<'py, PyArray1<u32>> {
    column(owner, numbers(placement.as_slice()))
}

/// Returns the ranks of a placement in a new array.
pub(crate) fn ranks_copied<'py>(py: Python<'py>, placement: &Assignment) -> Bound<'py, PyArray1<u32>> {
    numbers(placement.as_slice()).to_vec().into_pyarray(py)
}

fn numbers(ranks: &[RankId]) -> &[u32] {
    // SAFETY: `RankId` is a transparent wrapper of `u32`.
    unsafe { std::slice::from_raw_parts(ranks.as_ptr().cast(), ranks.len()) }
}

/// Returns the bytes of edges, in the memory of the model with the stride of volumes.
pub(crate) fn bytes<'py>(owner: Bound<'py, PyAny>, volumes: &[Volume]) -> Bound<'py, PyArray1<f64>> {
    let stride = size_of::<Volume>() / size_of::<f64>();
    // SAFETY: a volume has the layout of C with the bytes first, and its size is a multiple of that of a number.
    let view =
        unsafe { ArrayView1::from_shape_ptr((volumes.len(),).strides((stride,)), volumes.as_ptr().cast()) };
    shared(owner, &view)
}

/// Returns the numbers of messages of edges, in the memory of the model with the stride of volumes.
pub(crate) fn messages<'py>(owner: Bound<'py, PyAny>, volumes: &[Volume]) -> Bound<'py, PyArray1<u64>> {
    let stride = size_of::<Volume>() / size_of::<u64>();
    let first = volumes.as_ptr().cast::<u64>().wrapping_add(1);
    // SAFETY: a volume has the layout of C, with the number of messages after the bytes, both of 8 bytes. Without
    // volumes, nothing is read.
    let view = unsafe { ArrayView1::from_shape_ptr((volumes.len(),).strides((stride,)), first) };
    shared(owner, &view)
}
