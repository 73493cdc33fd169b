//! Quantities as methods of a class, made from the registry when the module is imported; beside [`arrays`](crate::arrays) the one
//! place of this crate that is not checked by the compiler.
//!
//! Python calls them without anything in between: one state of a small arm takes some 200 ns in all, and a function written in
//! Python around it would add a fifth. A method of a class does not know which it is, so that each has its own entry,
//! [`entry`], told apart by its place in the list.

use crate::arguments::{self, Argument};
use crate::quantities::{Listed, Quantities};
use pyo3::exceptions::PyRuntimeError;
use pyo3::ffi::{self, PyObject};
use pyo3::panic::PanicException;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use std::ffi::CString;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Adds the methods to the class.
pub fn add(class: &Bound<'_, PyType>, listed: &'static [Listed]) -> PyResult<()> {
    let py = class.py();
    if listed.len() > ENTRIES.len() {
        return Err(PyRuntimeError::new_err("there are more quantities than entries for them"));
    }
    for (listed, entry) in listed.iter().zip(ENTRIES) {
        // Both live as long as the program: the class does.
        let name = Box::leak(CString::new(listed.name.as_str())?.into_boxed_c_str());
        let about = Box::leak(CString::new(listed.documentation())?.into_boxed_c_str());
        let definition = Box::leak(Box::new(ffi::PyMethodDef {
            ml_name: name.as_ptr(),
            ml_meth: ffi::PyMethodDefPointer { PyCFunctionFastWithKeywords: entry },
            ml_flags: ffi::METH_FASTCALL | ffi::METH_KEYWORDS,
            ml_doc: about.as_ptr(),
        }));
        // SAFETY: a class, and a definition that stays.
        let method =
            unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyDescr_NewMethod(class.as_type_ptr(), definition))? };
        for name in [listed.name.as_str()].iter().chain(listed.short) {
            class.setattr(*name, &method)?;
        }
    }
    Ok(())
}

type Entry = ffi::PyCFunctionFastWithKeywords;

macro_rules! entries {
    ($($n:literal)*) => {
        [$(
            entry::<{ 8 * $n }>, entry::<{ 8 * $n + 1 }>, entry::<{ 8 * $n + 2 }>, entry::<{ 8 * $n + 3 }>,
            entry::<{ 8 * $n + 4 }>, entry::<{ 8 * $n + 5 }>, entry::<{ 8 * $n + 6 }>, entry::<{ 8 * $n + 7 }>,
        )*]
    };
}

const ENTRIES: [Entry; 128] = entries![0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15];

/// A call of the quantity at that place in the list.
unsafe extern "C" fn entry<const PLACE: usize>(
    robot: *mut PyObject,
    arguments: *const *mut PyObject,
    count: ffi::Py_ssize_t,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: what Python gives a method of this kind.
    unsafe { called(PLACE, robot, arguments, count as usize, names) }
}

/// # Safety
/// The interpreter is held, the robot is one of [`Quantities`], and there are as many arguments as the count and the names say, those
/// with names last.
unsafe fn called(
    place: usize,
    robot: *mut PyObject,
    arguments: *const *mut PyObject,
    count: usize,
    names: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: see above. The method was made for this class, and so Python has looked at the robot.
    let (py, robot, named) = unsafe {
        let py = Python::assume_attached();
        let robot = Borrowed::<PyAny>::from_ptr(py, robot).cast_unchecked::<Quantities>();
        (py, robot, if names.is_null() { 0 } else { ffi::PyTuple_Size(names) as usize })
    };
    let given: &[Argument<'_, '_>] = match count + named {
        0 => &[],
        // SAFETY: as many as that, each a reference that the caller keeps.
        all => unsafe { std::slice::from_raw_parts(arguments.cast(), all) },
    };
    let robot = robot.get();
    let quick = || match (named, given) {
        (0, ordered) => robot.quick(py, place, ordered, None),
        (1, [ordered @ .., out]) => {
            // SAFETY: a tuple with one name.
            let name = unsafe { Borrowed::from_ptr(py, ffi::PyTuple_GetItem(names, 0)) };
            arguments::is_out(name).then(|| robot.quick(py, place, ordered, Some(*out).filter(|out| !out.is_none())))?
        }
        _ => None,
    };
    let full = || {
        // Attached in the eyes of pyo3 as well, so that errors that are dropped on the way are freed at once.
        Python::attach(|py| {
            // SAFETY: a tuple, or nothing.
            let names = (named > 0).then(|| unsafe { Borrowed::from_ptr(py, names).cast_unchecked::<PyTuple>() });
            let names = names.map(|names| names.to_owned());
            let names = names.iter().flat_map(|names| names.iter_borrowed());
            robot.call(py, place, &given[..count], names.zip(given[count..].iter().copied())).map(Bound::into_ptr)
        })
    };
    let result = catch_unwind(AssertUnwindSafe(|| match quick() {
        Some(result) => Ok(result.into_ptr()),
        None => full(),
    }));
    match result.unwrap_or_else(|_| Err(PanicException::new_err("the engine of jourdain failed"))) {
        Ok(result) => result,
        Err(error) => {
            error.restore(py);
            std::ptr::null_mut()
        }
    }
}
