//! Problems as exceptions: `jourdain.Error`, and `ValueError` for arrays that do not fit.

use jourdain::quantity::QuantityError;
use jourdain_kit::problem::Problem;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};

/// The exception of a problem. The class is written in Python, because it has attributes.
pub fn raise(py: Python<'_>, problem: &Problem) -> PyErr {
    if problem.kind() == "cancelled" {
        return PyKeyboardInterrupt::new_err(());
    }
    let json = problem.to_json();
    let text = |key: &str| json["error"][key].as_str().map(str::to_owned);
    let number = |key: &str| json["error"][key].as_u64();
    from_parts(py, problem.kind(), &problem.to_string(), |fields| {
        fields.set_item("file", text("file"))?;
        fields.set_item("line", number("line"))?;
        fields.set_item("column", number("column"))?;
        fields.set_item("hint", text("hint"))?;
        fields.set_item("so_far", problem.so_far().map(ToString::to_string))
    })
}

/// The exception of a quantity that cannot be had.
pub fn quantity(py: Python<'_>, error: QuantityError) -> PyErr {
    raise(py, &Problem::from(error))
}

/// A request that is no JSON.
pub fn bad_request(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("the request is no JSON: {error}"))
}

fn from_parts(
    py: Python<'_>,
    kind: &str,
    message: &str,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS.import(py, "jourdain._error", "Error").and_then(|class| {
        let fields = PyDict::new(py);
        fill(&fields)?;
        class.call((kind, message), Some(&fields))
    });
    made.map_or_else(|error| error, PyErr::from_value)
}
