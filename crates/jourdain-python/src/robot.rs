//! A robot: the model, its description as text, and names.

use crate::error;
use crate::host::{Given, Interpreter};
use jourdain::batch::Kept;
use jourdain::formats;
use jourdain::model::{Link, Mimic, Model};
use jourdain_kit::host::{Loaded, Note};
use jourdain_kit::resolve;
use pyo3::prelude::*;
use std::sync::Arc;

/// A robot that was read, checked and edited. `jourdain.Robot` is built on it.
#[pyclass(frozen, module = "jourdain._jourdain")]
pub struct Robot {
    pub(crate) model: Arc<Model<f64>>,
    /// As it was asked for, and what was edited.
    request: resolve::Robot,
    edits: Vec<String>,
    /// What was noted when it was read.
    notes: Vec<Note>,
    /// The native form, from which everything else can be had again.
    text: String,
    /// Functions that tables were evaluated by.
    kept: Kept,
}

impl Robot {
    /// The robot of a request, if this is it.
    pub(crate) fn of(&self, request: &resolve::Robot) -> Option<Loaded> {
        let loaded =
            || Loaded { model: Model::clone(&self.model), edits: self.edits.clone(), notes: self.notes.clone() };
        (self.request == *request).then(loaded)
    }

    /// What was compiled for the robot of a request, if this is it.
    pub(crate) fn compiled(&self, request: &resolve::Robot) -> Option<Kept> {
        (self.request == *request).then(|| self.kept.clone())
    }

    /// What was noted when it was read.
    pub(crate) fn notes(&self) -> &[Note] {
        &self.notes
    }
}

#[pymethods]
impl Robot {
    /// Reads the robot of a request: a JSON text with the fields that all operations on robots share.
    #[new]
    fn new(py: Python<'_>, request: &str) -> PyResult<Self> {
        let request: resolve::Robot = serde_json::from_str(request).map_err(error::bad_request)?;
        let wanted = request.clone();
        let (read, notes) = Interpreter::new(Given::default()).run(py, move |host| wanted.load_edited(host))?;
        let (model, edits) = read.map_err(|problem| error::raise(py, &problem))?;
        let text = formats::to_toml(model.description());
        Ok(Self { model: Arc::new(model), request, edits, notes, text, kept: Kept::default() })
    }

    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    #[getter]
    fn name(&self) -> &str {
        self.model.name()
    }

    #[getter]
    fn nq(&self) -> usize {
        self.model.nq()
    }

    #[getter]
    fn nv(&self) -> usize {
        self.model.nv()
    }

    /// All links, in the order of the file, parents first.
    #[getter]
    fn link_names(&self) -> Vec<String> {
        self.model.links().iter().map(|link| link.name.clone()).collect()
    }

    /// The numbers of `q`, in order.
    #[getter]
    fn coordinate_names(&self) -> Vec<String> {
        self.model.coordinates().iter().map(ToString::to_string).collect()
    }

    /// The numbers of `qd`, in order.
    #[getter]
    fn velocity_names(&self) -> Vec<String> {
        self.model.velocities().iter().map(ToString::to_string).collect()
    }

    /// The units of the numbers of `q`, in order; empty for parts of quaternions.
    #[getter]
    fn coordinate_units(&self) -> Vec<String> {
        self.model.coordinates().iter().map(|coordinate| coordinate.unit.to_string()).collect()
    }

    /// The units of derivatives of that order by the numbers of `qd`, in order: rad or m for 0, rad/s or m/s for 1.
    fn rate_units(&self, order: i16) -> Vec<String> {
        self.model.velocities().iter().map(|coordinate| coordinate.rate(order).to_string()).collect()
    }

    /// The units of what drives the numbers of `qd`, in order.
    #[getter]
    fn effort_units(&self) -> Vec<String> {
        self.model.velocities().iter().map(|coordinate| coordinate.effort().to_string()).collect()
    }

    /// Per link the limits of its joint: lowest and highest position, speed, effort; infinite where the file gives none.
    #[getter]
    fn limits(&self) -> Vec<[f64; 4]> {
        let of = |link: &Link<f64>| {
            let [lowest, highest] = link.limits.position.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
            [
                lowest,
                highest,
                link.limits.velocity.unwrap_or(f64::INFINITY),
                link.limits.effort.unwrap_or(f64::INFINITY),
            ]
        };
        self.model.links().iter().map(of).collect()
    }

    /// Per link what its joint follows, if it is coupled: the leading joint, the factor, and what is added.
    #[getter]
    fn mimics(&self) -> Vec<Option<(String, f64, f64)>> {
        let leader = |mimic: &Mimic<f64>| self.model.links()[mimic.leader].joint_name.clone();
        let of = |mimic: &Mimic<f64>| (leader(mimic), mimic.multiplier, mimic.offset);
        self.model.links().iter().map(|link| link.mimic.as_ref().map(of)).collect()
    }

    /// The units of the standard parameters, in the order of the regressor's columns.
    #[getter]
    fn parameter_units(&self) -> Vec<String> {
        let parameters = self.model.standard_parameters();
        parameters.iter().map(|parameter| parameter.unit(&self.model).to_string()).collect()
    }

    /// The position in which every joint is at zero.
    fn neutral(&self) -> Vec<f64> {
        self.model.neutral()
    }
}
