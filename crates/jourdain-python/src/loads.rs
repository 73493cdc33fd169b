//! Wrenches on links as Python gives them: `{"tool": [fx, fy, fz, mx, my, mz]}`, or the list of a state file, with rates.

use crate::arguments::Argument;
use crate::arrays::{self, Array, described};
use jourdain::model::Model;
use jourdain::quantity;
use jourdain::spatial::{Vector, Wrench};
use jourdain::state::LinkWrench;
use numpy::PyUntypedArrayMethods as _;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PySequence, PyString};

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

/// The numbers of a [`Load`], which need no interpreter.
pub struct Numbers<'a> {
    link: usize,
    parts: [&'a [f64]; 6],
    both: &'a [f64],
}

/// What the argument `wrenches` says.
pub fn read<'py>(argument: Argument<'_, 'py>, model: &Model<f64>) -> PyResult<Vec<Load<'py>>> {
    if let Ok(by_link) = argument.cast::<PyDict>() {
        return by_link.iter().map(|(link, load)| of_link(&link, &load, model)).collect();
    }
    if let Ok(by_link) = argument.cast::<PyMapping>() {
        let items = by_link.items()?;
        return items.iter().map(|item| item.extract().and_then(|(link, load)| of_link(&link, &load, model))).collect();
    }
    let Ok(list) = argument.cast::<PySequence>() else {
        let message = "wrenches must be a dict from link names to six numbers, or a list of dicts as in a state file";
        return Err(PyTypeError::new_err(message));
    };
    list.try_iter()?
        .map(|item| {
            let item = item?;
            let Ok(fields) = item.cast_into::<PyDict>() else {
                return Err(PyTypeError::new_err("a wrench in a list must be a dict with `link`, `force`, `moment`"));
            };
            let link = fields.get_item("link")?.ok_or_else(|| PyKeyError::new_err("a wrench has no `link`"))?;
            of_link(&link, fields.as_any(), model)
        })
        .collect()
}

fn of_link<'py>(link: &Bound<'py, PyAny>, load: &Bound<'py, PyAny>, model: &Model<f64>) -> PyResult<Load<'py>> {
    let py = load.py();
    let Ok(name) = link.cast::<PyString>() else {
        return Err(PyTypeError::new_err(format!("a link's name must be a text, not {}", link.repr()?)));
    };
    let name = name.to_str()?;
    let link = quantity::find_link(name, model).map_err(|error| crate::error::quantity(py, error))?;
    let Ok(fields) = load.cast::<PyDict>() else {
        let both = part(load, 6, || format!("the wrench on {name}"))?;
        return Ok(Load { link, parts: Default::default(), both: Some(both) });
    };
    let mut parts: [Option<Array<'py>>; 6] = Default::default();
    for (key, value) in fields {
        let key: String = key.extract()?;
        match PARTS.iter().position(|part| *part == key) {
            Some(place) => parts[place] = Some(part(&value, 3, || format!("{key} of the wrench on {name}"))?),
            None if key == "link" => {}
            None => {
                let message = format!("a wrench has no `{key}`, but {}", PARTS.join(", "));
                return Err(PyValueError::new_err(message));
            }
        }
    }
    Ok(Load { link, parts, both: None })
}

fn part<'py>(value: &Bound<'py, PyAny>, size: usize, name: impl Fn() -> String) -> PyResult<Array<'py>> {
    let array = arrays::array(value.as_borrowed(), "a wrench")?;
    match array.shape().last() {
        Some(last) if *last == size => Ok(array),
        _ => {
            let message = format!("{} has shape {}, but needs (…, {size})", name(), described(array.shape()));
            Err(PyValueError::new_err(message))
        }
    }
}

impl<'py> Load<'py> {
    /// The arrays, to find the leading shape by.
    pub fn arrays(&self) -> impl Iterator<Item = &Array<'py>> {
        self.parts.iter().flatten().chain(&self.both)
    }

    /// The numbers of all states.
    pub fn numbers(&self) -> Numbers<'_> {
        fn of<'a>(array: &'a Option<Array<'_>>) -> &'a [f64] {
            array.as_ref().map_or(&[], arrays::numbers)
        }
        Numbers { link: self.link, parts: self.parts.each_ref().map(of), both: of(&self.both) }
    }
}

impl Numbers<'_> {
    /// The wrench at a state; an array of a single wrench holds for all of them.
    pub fn at(&self, state: usize) -> LinkWrench<f64> {
        let three = |numbers: &[f64], size: usize, start: usize| {
            let place = if numbers.len() == size { 0 } else { size * state } + start;
            numbers.get(place..place + 3).map_or(Vector::zero(), |xyz| Vector([xyz[0], xyz[1], xyz[2]]))
        };
        let order =
            |k: usize| Wrench { force: three(self.parts[2 * k], 3, 0), moment: three(self.parts[2 * k + 1], 3, 0) };
        let wrench = match self.both {
            [] => order(0),
            both => Wrench { force: three(both, 6, 0), moment: three(both, 6, 3) },
        };
        LinkWrench { link: self.link, wrench, dot: order(1), ddot: order(2) }
    }
}
