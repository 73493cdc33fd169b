//! The native part of the Python package `jourdain`: robots, their quantities on NumPy arrays, and the operations of the kit.
//!
//! What users see is in `python/jourdain`; this module, `jourdain._jourdain`, is its engine and no interface of its own.

mod arguments;
mod arrays;
mod by_name;
mod error;
mod fleet;
mod function;
mod host;
mod law;
mod loads;
mod methods;
mod quantities;
mod robot;
mod tables;

use pyo3::prelude::*;

/// The engine of the package `jourdain`.
#[pymodule]
mod _jourdain {
    use super::*;
    use crate::arrays::Array;
    use crate::host::{Given, Interpreter};
    use jourdain_kit::operation;
    use jourdain_kit::problem::Problem;
    use pyo3::types::PyDict;
    use serde_json::Value;

    #[pymodule_export]
    use crate::fleet::{Fleet, fleet_arrange, fleet_choose, fleet_named, fleet_plan, fleet_report, fleet_split};
    #[pymodule_export]
    use crate::quantities::{Compiled, Quantities};
    #[pymodule_export]
    use crate::robot::Robot;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        quantities::finish(module)
    }

    /// What came of an operation: the document as a JSON text, the text for people, the exit code of the command, and the samples
    /// of a motion as names and units of columns and rows of numbers.
    type Outcome<'py> = (String, String, u8, Option<(Vec<String>, Vec<String>, Array<'py>)>);

    /// Carries out an operation of the kit; the request is a JSON text. A robot that is there already is not read again; a law is a
    /// function that drives what is simulated; tables stand where the request has their names, as dicts of columns.
    #[pyfunction]
    #[pyo3(signature = (operation, request, progress = None, robot = None, law = None, tables = None))]
    fn handle<'py>(
        py: Python<'py>,
        operation: &str,
        request: &str,
        progress: Option<Py<PyAny>>,
        robot: Option<Py<Robot>>,
        law: Option<Py<PyAny>>,
        tables: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Outcome<'py>> {
        let request: Value = serde_json::from_str(request).map_err(error::bad_request)?;
        let tables = tables.map(tables::read).transpose()?.unwrap_or_default();
        let name = operation.to_owned();
        let (result, _) = Interpreter::new(Given { progress, robot, law, tables }).run(py, move |host| {
            let report = operation::handle(&name, request, host)?;
            let samples = report.samples().map(|motion| {
                let columns = motion.columns();
                let (names, units): (Vec<_>, Vec<_>) = columns.iter().map(|c| (c.to_string(), c.unit_text())).unzip();
                (names, units, motion.rows().flatten().collect::<Vec<f64>>())
            });
            Ok::<_, Problem>((report.to_json()?.to_string(), report.text(false), report.exit_code(), samples))
        })?;
        let (json, text, code, samples) = result.map_err(|problem| error::raise(py, &problem))?;
        let samples = samples.map(|(names, units, numbers)| {
            let array = arrays::empty(py, &[numbers.len() / names.len().max(1), names.len()])?;
            arrays::numbers_mut(&array).copy_from_slice(&numbers);
            PyResult::Ok((names, units, array))
        });
        Ok((json, text, code, samples.transpose()?))
    }

    /// Removes the files that are not complete, when the program is about to end.
    #[pyfunction]
    fn abandon() {
        jourdain_kit::write::abandon();
    }

    /// Runs the command `jourdain` with these arguments, its own name first, and returns its exit code.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
        py.detach(|| jourdain_cli::run(&arguments))
    }
}
