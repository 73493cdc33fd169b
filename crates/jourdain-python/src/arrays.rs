//! NumPy arrays as slices: the one place of this crate that is not checked by the compiler.
//!
//! Inputs are read and outputs written while the caller holds references to the arrays. That nobody writes to them from another
//! thread meanwhile is the caller's duty, as with every function of NumPy that lets go of the interpreter.

use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyArrayDyn, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// An array of numbers, in one piece.
pub type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// The argument as an array of numbers in one piece: itself if it is one, otherwise what NumPy makes of it.
pub fn array<'py>(argument: &Bound<'py, PyAny>, name: &str) -> PyResult<Array<'py>> {
    if let Ok(array) = argument.cast::<PyArrayDyn<f64>>()
        && array.is_c_contiguous()
    {
        return Ok(array.clone());
    }
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = argument.py();
    let convert = CONVERT.import(py, "numpy", "ascontiguousarray")?;
    let made = convert.call1((argument, "float64")).map_err(|error| {
        let problem = PyTypeError::new_err(format!("{name} is no array of numbers: {}", error.value(py)));
        problem.set_cause(py, Some(error));
        problem
    })?;
    // A single number becomes an array of one, as NumPy has it.
    Ok(made.cast_into::<PyArrayDyn<f64>>()?)
}

/// The numbers of an array that [`array`] or [`empty`] gave.
pub fn numbers<'a>(array: &'a Array<'_>) -> &'a [f64] {
    // SAFETY: the array is in one piece, which `array` sees to, and lives as long as the reference; see the module for writers.
    unsafe { array.as_slice() }.unwrap_or(&[])
}

/// The numbers of an array, to be written.
#[allow(clippy::mut_from_ref)]
pub fn numbers_mut<'a>(array: &'a Array<'_>) -> &'a mut [f64] {
    // SAFETY: as above; only outputs are written, each through one reference at a time, and `output` refuses those that overlap
    // with an input.
    unsafe { array.as_slice_mut() }.unwrap_or(&mut [])
}

/// A new array whose numbers are still to be written, all of them.
pub fn empty<'py>(py: Python<'py>, shape: &[usize]) -> Array<'py> {
    // SAFETY: numbers of any bits are numbers, and the callers write them all before anybody else sees them.
    unsafe { PyArrayDyn::<f64>::new(py, shape, false) }
}

/// The array that a caller wants the result in, if it has the right form.
pub fn output<'py>(
    argument: &Bound<'py, PyAny>,
    lead: &[usize],
    shape: &[usize],
    inputs: &[Array<'py>],
) -> PyResult<Array<'py>> {
    let expected = || described(&[lead, shape].concat());
    let Ok(array) = argument.cast::<PyArrayDyn<f64>>() else {
        let message = format!("out must be an array of float64 with shape {}", expected());
        return Err(PyTypeError::new_err(message));
    };
    let found = array.shape();
    if found.len() != lead.len() + shape.len() || found[..lead.len()] != *lead || found[lead.len()..] != *shape {
        let message = format!("out has shape {}, but the result has {}", described(found), expected());
        return Err(PyValueError::new_err(message));
    }
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    if !array.is_c_contiguous() || flags & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("out must be writeable and in one piece (C order)"));
    }
    let place = |array: &Array<'_>| {
        let start = numbers(array).as_ptr() as usize;
        start..start + 8 * array.len()
    };
    let to = place(array);
    if inputs.iter().map(place).any(|from| from.start < to.end && to.start < from.end) {
        return Err(PyValueError::new_err("out overlaps with an argument"));
    }
    Ok(array.clone())
}

/// A shape as Python writes it.
pub fn described(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}
