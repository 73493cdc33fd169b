//! Tables as Python gives them: dicts of columns by name, each an array of one axis.

use jourdain::formats::table::Table;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::HashMap;

/// The tables of a dict of dicts. Numbers are copied, so that the work can go on without the interpreter.
pub fn read(tables: &Bound<'_, PyDict>) -> PyResult<HashMap<String, Table>> {
    tables.iter().map(|(name, columns)| Ok((name.extract()?, table(columns.cast::<PyDict>()?)?))).collect()
}

fn table(columns: &Bound<'_, PyDict>) -> PyResult<Table> {
    let column = |(name, values): (Bound<'_, PyAny>, Bound<'_, PyAny>)| -> PyResult<(String, Vec<f64>)> {
        let name: String = name.extract()?;
        let wrong = || PyTypeError::new_err(format!("column `{name}` must be an array of float64 with one axis"));
        let values: PyReadonlyArray1<'_, f64> = values.extract().map_err(|_| wrong())?;
        // Ctrl-C is heard here alone: nothing else runs while tables are copied.
        columns.py().check_signals()?;
        Ok((name, values.as_slice().map_or_else(|_| values.as_array().to_vec(), <[f64]>::to_vec)))
    };
    let columns: PyResult<Vec<_>> = columns.iter().map(column).collect();
    Table::new(columns?).map_err(|error| PyValueError::new_err(error.to_string()))
}
