//! NumPy arrays as slices; beside [`methods`](crate::methods) the one place of this crate that is not checked by the compiler.
//!
//! Inputs are read and outputs written while the caller holds references to the arrays. That nobody writes to them from another
//! thread meanwhile is the caller's duty, as with every function of NumPy that lets go of the interpreter.

use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, PyArrayObject};
use numpy::npyffi::{NpyTypes, PY_ARRAY_API, get_type_object, npy_intp};
use numpy::{Element as _, PyArrayDyn, PyArrayMethods as _, PyUntypedArrayMethods as _};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{Borrowed, ffi};

/// An array of numbers, in one piece.
pub type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// The argument as an array of numbers in one piece: itself if it is one, otherwise what NumPy makes of it. A single number
/// becomes an array of one.
pub fn array<'py>(argument: Borrowed<'_, 'py, PyAny>, name: &str) -> PyResult<Array<'py>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    converted(argument, name, || CONVERT.import(argument.py(), "numpy", "ascontiguousarray"))
}

/// As [`array`], but a single number becomes an array without axes.
pub fn array_or_number<'py>(argument: Borrowed<'_, 'py, PyAny>, name: &str) -> PyResult<Array<'py>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    converted(argument, name, || CONVERT.import(argument.py(), "numpy", "asarray"))
}

fn converted<'a, 'py: 'a>(
    argument: Borrowed<'_, 'py, PyAny>,
    name: &str,
    convert: impl FnOnce() -> PyResult<&'a Bound<'py, PyAny>>,
) -> PyResult<Array<'py>> {
    let py = argument.py();
    if plain(argument).is_some() {
        // SAFETY: it is an array of float64.
        return Ok(unsafe { argument.to_owned().cast_into_unchecked() });
    }
    let made = convert()?.call1((argument, "float64")).map_err(|error| {
        let problem = PyTypeError::new_err(format!("{name} is no array of numbers: {}", error.value(py)));
        problem.set_cause(py, Some(error));
        problem
    })?;
    let made = made.cast_into::<PyArrayDyn<f64>>()?;
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*made.as_array_ptr()).fields.flags };
    let good = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    match flags & good == good {
        true => Ok(made),
        false => Ok(made.call_method0("copy")?.cast_into::<PyArrayDyn<f64>>()?),
    }
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

/// What is the same for all arrays of float64: the place of their type, and that of the description of their numbers.
struct Marks {
    array: usize,
    float64: usize,
}

fn marks(py: Python<'_>) -> &'static Marks {
    static MARKS: PyOnceLock<Marks> = PyOnceLock::new();
    MARKS.get_or_init(py, || Marks {
        // SAFETY: the interpreter is held; the pointer is only compared.
        array: unsafe { get_type_object(py, NpyTypes::PyArray_Type) } as usize,
        float64: f64::get_dtype(py).as_ptr() as usize,
    })
}

/// An array of float64 in one piece that need not be looked at any closer: its shape, where its numbers are, and its flags.
/// `None` for everything else, which [`array`] may still make something of.
fn plain<'a>(argument: Borrowed<'a, '_, PyAny>) -> Option<(&'a [usize], *mut f64, i32)> {
    let marks = marks(argument.py());
    // SAFETY: the object is alive, and its type says that it is an array.
    let fields = unsafe {
        if ffi::Py_TYPE(argument.as_ptr()) as usize != marks.array {
            return None;
        }
        &(*argument.as_ptr().cast::<PyArrayObject>()).fields
    };
    let good = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    if fields.descr as usize != marks.float64 || fields.flags & good != good || fields.nd == 0 {
        return None;
    }
    // SAFETY: an array has as many lengths as axes, none negative, and keeps them while it is referred to and not reshaped.
    let shape = unsafe { std::slice::from_raw_parts(fields.dimensions.cast::<usize>(), fields.nd as usize) };
    Some((shape, fields.data.cast(), fields.flags))
}

/// The numbers of one vector of that length, if it is an array that can be read as it stands.
pub fn vector<'a>(argument: Borrowed<'a, '_, PyAny>, length: usize) -> Option<&'a [f64]> {
    let (shape, data, _) = plain(argument)?;
    // SAFETY: an array in one piece, with that many numbers, that outlives the reference; see the module for writers.
    (shape == [length]).then(|| unsafe { std::slice::from_raw_parts(data, length) })
}

/// The numbers of an array of that shape and size, to be written, if that can be done as it stands and does not touch the
/// inputs.
pub fn target<'a>(
    argument: Borrowed<'a, '_, PyAny>,
    shape: &[usize],
    size: usize,
    inputs: &[&[f64]],
) -> Option<&'a mut [f64]> {
    let (found, data, flags) = plain(argument)?;
    let overlaps = |input: &&[f64]| {
        let from = input.as_ptr_range();
        (from.start as usize) < data as usize + 8 * size && (data as usize) < from.end as usize
    };
    if found != shape || flags & NPY_ARRAY_WRITEABLE == 0 || inputs.iter().any(overlaps) {
        return None;
    }
    // SAFETY: as above, and nothing that is read stands there.
    Some(unsafe { std::slice::from_raw_parts_mut(data, size) })
}

/// A new array whose numbers are still to be written, all of them.
pub fn empty<'py>(py: Python<'py>, shape: &[usize]) -> PyResult<Array<'py>> {
    // SAFETY: the lengths are as many as are said, and are but read; the reference to the description is given away. Numbers of any
    // bits are numbers, and the callers write them all before anybody else sees them.
    unsafe {
        let array = PY_ARRAY_API.PyArray_NewFromDescr(
            py,
            get_type_object(py, NpyTypes::PyArray_Type),
            f64::get_dtype(py).into_ptr().cast(),
            shape.len() as i32,
            shape.as_ptr().cast_mut().cast::<npy_intp>(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            0,
            std::ptr::null_mut(),
        );
        Ok(Bound::from_owned_ptr_or_err(py, array)?.cast_into_unchecked())
    }
}

/// The array that a caller wants the result in, if it has the right form.
pub fn output<'py>(
    argument: Borrowed<'_, 'py, PyAny>,
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
    let good = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE;
    if flags & good != good {
        return Err(PyValueError::new_err("out must be writeable and in one piece (C order)"));
    }
    let array = array.to_owned();
    if inputs.iter().any(|input| overlap(input, &array)) {
        return Err(PyValueError::new_err("out overlaps with an argument"));
    }
    Ok(array)
}

/// True if two arrays share memory.
pub fn overlap(one: &Array<'_>, other: &Array<'_>) -> bool {
    let (one, other) = (numbers(one).as_ptr_range(), numbers(other).as_ptr_range());
    one.start < other.end && other.start < one.end
}

/// A shape as Python writes it.
pub fn described(shape: &[usize]) -> String {
    match shape {
        [one] => format!("({one},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}
