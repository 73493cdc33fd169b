//! Vectors of the state by the names of joints: `{"joint1": 0.4}`, `{"base": [x, y, z, …]}`, `{"base": {"x": 0.1}}`.
//!
//! Joints that are left out are at zero. Numbers may be arrays, of any leading shape that all of them have or none.

use crate::arrays::{self, Array, described};
use jourdain::formats::suggest;
use jourdain::model::{Coordinate, Model};
use jourdain::quantity::Input;
use numpy::PyUntypedArrayMethods as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

/// Numbers for coordinates that stand side by side.
struct Part<'py> {
    first: usize,
    /// True if the last axis goes over the coordinates.
    several: bool,
    numbers: Array<'py>,
}

/// The vector that a dict describes.
pub fn vector<'py>(dict: &Bound<'py, PyDict>, input: Input, model: &Model<f64>) -> PyResult<Array<'py>> {
    let (zero, coordinates) = match input {
        Input::Position => (model.neutral(), model.coordinates()),
        _ => (vec![0.0; model.nv()], model.velocities()),
    };
    let mut parts = Vec::new();
    for (key, value) in dict {
        let key = text(&key)?;
        let of_joint = |coordinate: &Coordinate| coordinate.joint == key;
        if let Some(first) = coordinates.iter().position(|coordinate| coordinate.to_string() == key) {
            parts.push(part(&key, first, None, &value)?);
        } else if let Some(first) = coordinates.iter().position(of_joint) {
            let count = coordinates[first..].iter().take_while(|coordinate| of_joint(coordinate)).count();
            let Ok(inner) = value.cast::<PyDict>() else {
                parts.push(part(&key, first, (count > 1).then_some(count), &value)?);
                continue;
            };
            for (name, value) in inner {
                let name = text(&name)?;
                let names: Vec<String> = coordinates[first..][..count].iter().map(|c| c.part.to_string()).collect();
                match names.iter().position(|part| *part == name) {
                    Some(place) => parts.push(part(&name, first + place, None, &value)?),
                    None => {
                        let message = format!("joint `{key}` has no part `{name}`, but {}", names.join(", "));
                        return Err(PyValueError::new_err(message));
                    }
                }
            }
        } else {
            let known: Vec<String> = coordinates.iter().map(ToString::to_string).collect();
            let near = suggest::hint(&key, &known.iter().map(String::as_str).collect::<Vec<_>>());
            return Err(PyValueError::new_err(format!("{} has no joint `{key}`: {near}", model.name())));
        }
    }
    let mut lead: &[usize] = &[];
    for part in &parts {
        let found = &part.numbers.shape()[..part.numbers.ndim() - usize::from(part.several)];
        if !found.is_empty() && !lead.is_empty() && found != lead {
            let message = format!("{input} has joints of leading shapes {} and {}", described(lead), described(found));
            return Err(PyValueError::new_err(message));
        }
        lead = if found.is_empty() { lead } else { found };
    }
    let array = arrays::empty(dict.py(), &[lead, &[zero.len()]].concat())?;
    for (k, row) in arrays::numbers_mut(&array).chunks_mut(zero.len().max(1)).enumerate() {
        row.copy_from_slice(&zero);
        for Part { first, several, numbers } in &parts {
            let width = if *several { numbers.shape().last().copied().unwrap_or(1) } else { 1 };
            let from = arrays::numbers(numbers);
            let start = if from.len() == width { 0 } else { k * width };
            row[*first..][..width].copy_from_slice(&from[start..][..width]);
        }
    }
    Ok(array)
}

fn part<'py>(key: &str, first: usize, count: Option<usize>, value: &Bound<'py, PyAny>) -> PyResult<Part<'py>> {
    let shaped = arrays::array_or_number(value.as_borrowed(), key)?;
    match count {
        Some(count) if shaped.shape().last() != Some(&count) => {
            let found = described(shaped.shape());
            Err(PyValueError::new_err(format!("{key} has shape {found}, but the joint needs (…, {count})")))
        }
        _ => Ok(Part { first, several: count.is_some(), numbers: shaped }),
    }
}

fn text(key: &Bound<'_, PyAny>) -> PyResult<String> {
    match key.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Err(PyTypeError::new_err(format!("a joint's name must be a text, not {}", key.repr()?))),
    }
}
