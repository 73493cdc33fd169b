//! The class that has every quantity as a method, and functions of several quantities.

use crate::arguments::{Argument, Arguments};
use crate::function::Function;
use crate::robot::Robot;
use crate::{error, methods};
use jourdain::model::Model;
use jourdain::quantity::{Input, Quantity, find_link};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The quantities of a robot.
///
/// Vectors are anything NumPy makes an array of, with any leading shape: ``q`` of shape (…, nq) gives (…, shape); one vector among
/// many holds for all states. A dict from joints to numbers will do too. With ``out=`` the result is written there and returned.
#[pyclass(frozen, subclass, module = "jourdain._jourdain")]
pub struct Quantities {
    robot: OnceLock<Functions>,
}

/// The functions of a robot, each made when it is first asked for.
struct Functions {
    model: Arc<Model<f64>>,
    /// One for each in the list; of those that belong to a link one for each link.
    listed: Box<[OnceLock<Box<[OnceLock<Function>]>>]>,
    named: Mutex<HashMap<String, Py<Compiled>>>,
}

/// A quantity in the list of methods.
pub struct Listed {
    /// As it stands in the list; of a quantity of a link for the first link.
    quantity: Quantity,
    pub name: String,
    pub short: &'static [&'static str],
}

/// All that are methods, in the order of the registry; of a family its two lowest orders.
pub fn listed() -> &'static [Listed] {
    static LISTED: OnceLock<Vec<Listed>> = OnceLock::new();
    LISTED.get_or_init(|| {
        let listed =
            |quantity: Quantity| Listed { name: quantity.base_name(), short: quantity.entry().short, quantity };
        Quantity::each(0).into_iter().map(listed).collect()
    })
}

impl Listed {
    /// The signature, as `inspect` reads it, and what `help` shows.
    pub fn documentation(&self) -> String {
        let (entry, reads) = (self.quantity.entry(), self.quantity.reads());
        let link = entry.per_link().then_some("link");
        let vectors = Input::vectors().filter(|input| reads.contains(*input)).map(Input::key);
        let others = [(Input::Wrenches, "wrenches=None"), (Input::Higher, "derivatives=None")];
        let others = others.iter().filter(|(input, _)| reads.contains(*input)).map(|(_, text)| *text);
        let arguments: Vec<&str> =
            ["$self"].into_iter().chain(link).chain(vectors).chain(["*"]).chain(others).chain(["out=None"]).collect();
        let about = self.quantity.about();
        let mut letters = about.chars();
        let about: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
        let shape: String = entry.shape.0.iter().map(|axis| format!(", {axis}")).collect();
        let unit = Some(self.quantity.unit_text()).filter(|unit| !unit.is_empty());
        let unit = unit.map_or(String::new(), |unit| format!(" in {unit}"));
        let equation = Some(entry.reference).filter(|reference| !reference.is_empty());
        let equation = equation.map_or(String::new(), |equation| format!(" {equation}."));
        let signature = arguments.join(", ");
        format!("{}({signature})\n--\n\n{about}.\n\nShape (…{shape}){unit}.{equation}", self.name)
    }
}

#[pymethods]
impl Quantities {
    #[new]
    #[pyo3(signature = (*_arguments, **_keywords))]
    fn new(_arguments: &Bound<'_, PyTuple>, _keywords: Option<&Bound<'_, PyDict>>) -> Self {
        Self { robot: OnceLock::new() }
    }

    /// Takes the quantities of a robot.
    fn __init__(&self, core: &Bound<'_, Robot>) -> PyResult<()> {
        let functions = Functions {
            model: core.get().model.clone(),
            listed: listed().iter().map(|_| OnceLock::new()).collect(),
            named: Mutex::default(),
        };
        self.robot.set(functions).map_err(|_| PyTypeError::new_err("this is a robot already"))
    }

    /// The function of a quantity by its name, such as ``"pose:tool"``.
    fn _function(&self, py: Python<'_>, name: &str) -> PyResult<Py<Compiled>> {
        let robot = self.robot()?;
        if let Some(known) = robot.named.lock().ok().and_then(|named| Some(named.get(name)?.clone_ref(py))) {
            return Ok(known);
        }
        let made = Py::new(py, Compiled::new(py, &robot.model, vec![name.to_owned()])?)?;
        if let Ok(mut named) = robot.named.lock() {
            named.insert(name.to_owned(), made.clone_ref(py));
        }
        Ok(made)
    }
}

impl Quantities {
    fn robot(&self) -> PyResult<&Functions> {
        self.robot.get().ok_or_else(|| PyTypeError::new_err("this is no robot yet: jourdain.load makes robots"))
    }

    /// See [`Function::quick`].
    pub fn quick<'py>(
        &self,
        py: Python<'py>,
        place: usize,
        ordered: &[Argument<'_, 'py>],
        out: Option<Argument<'_, 'py>>,
    ) -> Option<Bound<'py, PyAny>> {
        let robot = self.robot.get()?;
        let functions = robot.listed.get(place)?.get()?;
        if listed()[place].quantity.link().is_none() {
            return functions[0].get()?.quick(py, ordered, out);
        }
        let (link, vectors) = ordered.split_first()?;
        let link = link.cast::<PyString>().ok()?.to_owned();
        functions[robot.model.link_index(link.to_str().ok()?)?].get()?.quick(py, vectors, out)
    }

    /// A call of the quantity at that place in the list.
    pub fn call<'a, 'py: 'a>(
        &self,
        py: Python<'py>,
        place: usize,
        ordered: &[Argument<'a, 'py>],
        named: impl Iterator<Item = (Argument<'a, 'py>, Argument<'a, 'py>)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (robot, listed) = (self.robot()?, &listed()[place]);
        let functions = robot.listed[place].get_or_init(|| {
            let links = if listed.quantity.link().is_some() { robot.model.links().len() } else { 1 };
            (0..links).map(|_| OnceLock::new()).collect()
        });
        let mut named: Vec<_> = named.collect();
        let (index, ordered, quantity) = match listed.quantity.link() {
            None => (0, ordered, listed.quantity),
            Some(_) => {
                let by_name = named.iter().position(|(name, _)| name.eq("link").unwrap_or(false));
                let (link, ordered) = match (by_name, ordered) {
                    (Some(place), ordered) => (named.remove(place).1, ordered),
                    (None, [link, rest @ ..]) => (*link, rest),
                    (None, []) => return Err(link_missing(&listed.name, &robot.model)),
                };
                let Ok(link) = link.cast::<PyString>() else { return Err(link_missing(&listed.name, &robot.model)) };
                let link = link.to_owned();
                let of = find_link(link.to_str()?, &robot.model)
                    .and_then(|link| Ok((link, Quantity::of_link(listed.quantity.entry().kind, link)?)));
                let (link, quantity) = of.map_err(|problem| error::quantity(py, problem))?;
                (link, ordered, quantity)
            }
        };
        let function = functions[index].get_or_init(|| Function::new(robot.model.clone(), vec![quantity]));
        function.call(py, &Arguments::read(function.vectors(), ordered, named.into_iter())?)
    }
}

fn link_missing(name: &str, model: &Model<f64>) -> PyErr {
    let example = model.links().last().map_or("tool", |link| link.name.as_str());
    PyTypeError::new_err(format!("{name} belongs to a link: {name}('{example}', q)"))
}

/// Quantities compiled into one function, which computes what they share once.
///
/// Arguments are those that any of the quantities reads, in the usual order, and the keywords ``wrenches``, ``derivatives`` and
/// ``out``. Of several quantities the result is a tuple.
#[pyclass(frozen, module = "jourdain._jourdain")]
pub struct Compiled {
    function: Function,
    names: Vec<String>,
}

impl Compiled {
    fn new(py: Python<'_>, model: &Arc<Model<f64>>, names: Vec<String>) -> PyResult<Self> {
        let parsed: Result<Vec<Quantity>, _> = names.iter().map(|name| Quantity::parse(name, model)).collect();
        let quantities = parsed.map_err(|problem| error::quantity(py, problem))?;
        let names = quantities.iter().map(|quantity| quantity.name(model)).collect();
        Ok(Self { function: Function::new(model.clone(), quantities), names })
    }
}

#[pymethods]
impl Compiled {
    #[new]
    fn of_robot(robot: &Bound<'_, Robot>, names: Vec<String>) -> PyResult<Self> {
        if names.is_empty() {
            let message = "compile needs the name of a quantity, such as 'mass_matrix'";
            return Err(PyValueError::new_err(message));
        }
        Self::new(robot.py(), &robot.get().model, names)
    }

    /// The names of the vectors, in order.
    #[getter]
    fn arguments(&self) -> Vec<&'static str> {
        self.function.vectors().iter().map(|(input, _)| input.key()).collect()
    }

    /// The quantities by their full names.
    #[getter]
    fn quantities(&self) -> Vec<&str> {
        self.names.iter().map(String::as_str).collect()
    }

    #[pyo3(signature = (*vectors, **keywords))]
    fn __call__<'py>(
        &self,
        vectors: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = vectors.py();
        let ordered: Vec<Argument<'_, 'py>> = vectors.iter_borrowed().collect();
        // The quick way is for vectors and nothing else but `out`.
        let out = match keywords {
            None => Some(None),
            Some(keywords) if keywords.len() == 1 => keywords.get_item(pyo3::intern!(py, "out"))?.map(Some),
            Some(_) => None,
        };
        if let Some(out) = out {
            let out = out.as_ref().map(|out| out.as_borrowed()).filter(|out| !out.is_none());
            if let Some(result) = self.function.quick(py, &ordered, out) {
                return Ok(result);
            }
        }
        let named: Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>)> =
            keywords.map(|keywords| keywords.iter().collect()).unwrap_or_default();
        let named = named.iter().map(|(name, value)| (name.as_borrowed(), value.as_borrowed()));
        self.function.call(py, &Arguments::read(self.function.vectors(), &ordered, named)?)
    }

    fn __repr__(&self) -> String {
        format!("<{} of {}>", self.names.join(", "), self.arguments().join(", "))
    }
}

/// Adds the methods of the registry to the class.
pub fn finish(module: &Bound<'_, PyModule>) -> PyResult<()> {
    methods::add(&module.py().get_type::<Quantities>(), listed())
}
