//! Wrenches on links as Python gives them: `{"tool": [fx, fy, fz, mx, my, mz]}`, or the list of a state file, with rates.

use crate::arrays::{self, Array};
use jourdain::model::Model;
use jourdain::quantity;
use jourdain::spatial::{Vector, Wrench};
use jourdain::state::LinkWrench;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyMapping};

/// The parts of a wrench in a state file, with the rates; force and moment in turn.
const PARTS: [&str; 6] = ["force", "moment", "force_d", "moment_d", "force_dd", "moment_dd"];

/// Wrenches on one link, of one state or of many.
pub struct Load<'py> {
    /// The link's index.
    pub link: usize,
    /// As [`PARTS`] lists them, each with three numbers a state; `None` for zero.
    parts: [Option<Array<'py>>; 6],
    /// Force and moment together, six numbers a state.
    both: Option<Array<'py>>,
}

/// What the argument `wrenches` says.
pub fn read<'py>(argument: &Bound<'py, PyAny>, model: &Model<f64>) -> PyResult<Vec<Load<'py>>> {
    if let Ok(by_link) = argument.cast::<PyMapping>() {
        let items = by_link.items()?;
        return items
            .iter()
            .map(|item| {
                item.extract().and_then(|(link, load): (String, Bound<'py, PyAny>)| of_link(&link, &load, model))
            })
            .collect();
    }
    let Ok(list) = argument.cast::<PyList>() else {
        let message = "wrenches must be a dict from link names to six numbers, or a list of dicts as in a state file";
        return Err(PyTypeError::new_err(message));
    };
    list.iter()
        .map(|item| {
            let fields = item.cast_into::<PyDict>()?;
            let link = fields.get_item("link")?.ok_or_else(|| PyKeyError::new_err("a wrench has no `link`"))?;
            of_link(&link.extract::<String>()?, fields.as_any(), model)
        })
        .collect()
}

fn of_link<'py>(link: &str, load: &Bound<'py, PyAny>, model: &Model<f64>) -> PyResult<Load<'py>> {
    let py = load.py();
    let link = quantity::find_link(link, model).map_err(|error| crate::error::quantity(py, error))?;
    let Ok(fields) = load.cast::<PyDict>() else {
        let both = arrays::array(load, "a wrench")?;
        return Ok(Load { link, parts: Default::default(), both: Some(both) });
    };
    let mut parts: [Option<Array<'py>>; 6] = Default::default();
    for (key, value) in fields {
        let key: String = key.extract()?;
        match PARTS.iter().position(|part| *part == key) {
            Some(place) => parts[place] = Some(arrays::array(&value, &key)?),
            None if key == "link" => {}
            None => {
                let message = format!("a wrench has no `{key}`, but {}", PARTS.join(", "));
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(Load { link, parts, both: None })
}

impl<'py> Load<'py> {
    /// The arrays, to find the leading shape by.
    pub fn arrays(&self) -> impl Iterator<Item = (&Array<'py>, usize)> {
        self.parts.iter().flatten().map(|array| (array, 3)).chain(self.both.iter().map(|array| (array, 6)))
    }

    /// The wrench at a state; an array of a single wrench holds for all of them.
    pub fn at(&self, state: usize) -> LinkWrench<f64> {
        let three = |array: &Option<Array<'_>>, size: usize, start: usize| {
            let Some(array) = array else { return Vector::zero() };
            let numbers = arrays::numbers(array);
            let place = if numbers.len() == size { 0 } else { size * state } + start;
            Vector([numbers[place], numbers[place + 1], numbers[place + 2]])
        };
        let order =
            |k: usize| Wrench { force: three(&self.parts[2 * k], 3, 0), moment: three(&self.parts[2 * k + 1], 3, 0) };
        let wrench = match self.both {
            Some(_) => Wrench { force: three(&self.both, 6, 0), moment: three(&self.both, 6, 3) },
            None => order(0),
        };
        LinkWrench { link: self.link, wrench, dot: order(1), ddot: order(2) }
    }
}
