//! The native part of the Python package `jourdain`: robots, their quantities on NumPy arrays, and the operations of the kit.
//!
//! What users see is in `python/jourdain`; this module, `jourdain._jourdain`, is its engine and no interface of its own.

mod arrays;
mod error;
mod function;
mod host;
mod loads;
mod robot;

use pyo3::prelude::*;

/// The engine of the package `jourdain`.
#[pymodule]
mod _jourdain {
    use super::*;
    use crate::host::Interpreter;
    use jourdain_kit::operation;
    use serde_json::Value;

    #[pymodule_export]
    use crate::function::Function;
    #[pymodule_export]
    use crate::robot::Robot;

    /// Carries out an operation of the kit: the request and the report are JSON texts. Also the exit code that the command would have.
    #[pyfunction]
    #[pyo3(signature = (operation, request, progress = None))]
    fn handle(py: Python<'_>, operation: &str, request: &str, progress: Option<Py<PyAny>>) -> PyResult<(String, u8)> {
        let request: Value = serde_json::from_str(request).map_err(error::bad_request)?;
        let host = Interpreter::new(progress);
        let result = py.detach(|| {
            let report = operation::handle(operation, request, &host)?;
            let text = report.to_json()?.to_string();
            Ok((text, report.exit_code()))
        });
        host.finish(py)?;
        result.map_err(|problem| error::raise(py, &problem))
    }

    /// Runs the command `jourdain` with these arguments, its own name first, and returns its exit code.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| jourdain_cli::run(&arguments))
    }
}
