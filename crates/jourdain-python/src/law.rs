//! A Python function as a control law: `f(t, q, qd)` gives torques.
//!
//! Each call makes new arrays, so that a law may keep what it was given. The interpreter is taken for the call alone.

use crate::arrays;
use jourdain::formats::suggest;
use jourdain::simulate::{Law, System};
use numpy::PyUntypedArrayMethods as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Arc, Mutex};

/// An exception that is to end the work, kept while nobody can be told.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// A function and what it drives.
struct Caller {
    function: Py<PyAny>,
    system: String,
    /// The drives: the joint and, with its part, the number of it.
    drives: Vec<[String; 2]>,
}

/// The function as a law of a system; what it raises goes to `raised`.
pub fn law(py: Python<'_>, function: &Py<PyAny>, system: &dyn System, raised: &Raised) -> Law {
    let raised = Arc::clone(raised);
    let caller = Caller {
        function: function.clone_ref(py),
        system: system.name().to_owned(),
        drives: system.layout().inputs.iter().map(|column| [column.of.clone(), column.place()]).collect(),
    };
    Law::try_from_fn(move |t, q, qd, torque| {
        Python::attach(|py| caller.torque_into(py, t, [q, qd], torque)).map_err(|error| {
            if let Ok(mut raised) = raised.lock() {
                raised.get_or_insert(error);
            }
            "the function raised an exception".to_owned()
        })
    })
}

impl Caller {
    fn torque_into(&self, py: Python<'_>, t: f64, state: [&[f64]; 2], torque: &mut [f64]) -> PyResult<()> {
        let [q, qd] = state.map(|numbers| {
            let array = arrays::empty(py, &[numbers.len()])?;
            arrays::numbers_mut(&array).copy_from_slice(numbers);
            PyResult::Ok(array)
        });
        let answer = self.function.bind(py).call1((t, q?, qd?))?;
        if let Ok(by_name) = answer.cast::<PyDict>() {
            return self.by_name(by_name, t, torque);
        }
        let wanted = || {
            let count = torque.len();
            let torques = if count == 1 { "one torque".to_owned() } else { format!("{count} torques") };
            format!("{torques} of {}, as an array or by joint in a dict", self.system)
        };
        if answer.is_none() {
            let message = format!("the law returned None at t = {t} s; it must return {}", wanted());
            return Err(PyTypeError::new_err(message));
        }
        let array = arrays::array(answer.as_borrowed(), "what the law returned").map_err(|error| {
            let kind = answer.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
            let message = format!("the law returned {kind} at t = {t} s; it must return {}", wanted());
            let problem = PyTypeError::new_err(message);
            problem.set_cause(py, Some(error));
            problem
        })?;
        let numbers = arrays::numbers(&array);
        if array.ndim() != 1 || numbers.len() != torque.len() {
            let found = arrays::described(array.shape());
            let message =
                format!("the law returned an array of shape {found} at t = {t} s; it must return {}", wanted());
            return Err(PyValueError::new_err(message));
        }
        torque.copy_from_slice(numbers);
        Ok(())
    }

    /// Torques by joint; a drive that is not named has none.
    fn by_name(&self, by_name: &Bound<'_, PyDict>, t: f64, torque: &mut [f64]) -> PyResult<()> {
        for (key, value) in by_name {
            let name = key.to_string();
            let is_it = |drive: &&[String; 2]| drive.contains(&name);
            let mut places = self.drives.iter().enumerate().filter(|(_, drive)| is_it(drive)).map(|(place, _)| place);
            let (Some(place), None) = (places.next(), places.next()) else {
                let known: Vec<&str> = self.drives.iter().map(|[_, whole]| whole.as_str()).collect();
                let near = suggest::hint(&name, &known);
                let message = format!(
                    "the law returned a torque for `{name}` at t = {t} s, which is no drive of {}: {near}",
                    self.system
                );
                return Err(PyValueError::new_err(message));
            };
            torque[place] = value.extract().map_err(|error| {
                let message = format!("the law returned no number for `{name}` at t = {t} s");
                let problem = PyTypeError::new_err(message);
                problem.set_cause(by_name.py(), Some(error));
                problem
            })?;
        }
        Ok(())
    }
}
