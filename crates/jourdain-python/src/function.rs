//! Quantities of a robot as one function of arrays: compiled when it is first called, one state or many.
//!
//! Arrays have any leading shape, the same for all or none; `q` of shape (…, nq) gives (…, shape of the quantity).

use crate::arrays::{self, Array, described};
use crate::loads::{self, Load};
use crate::{error, robot::Robot};
use jourdain::batch::{Batch, MOST_OUTPUTS};
use jourdain::compile::CompiledModel;
use jourdain::derive::DeriveOptions;
use jourdain::model::Model;
use jourdain::quantity::{Input, Path, Quantity, QuantityError};
use jourdain::state::{Inputs, LinkWrench};
use numpy::PyUntypedArrayMethods as _;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// The most vectors that a quantity reads.
const MOST_VECTORS: usize = 9;

/// One or several quantities of a robot, computed together.
#[pyclass(frozen, module = "jourdain._jourdain")]
pub struct Function {
    model: Arc<Model<f64>>,
    quantities: Vec<Quantity>,
    /// The vectors that are read and how many numbers each has, in the order of arguments.
    vectors: Vec<(Input, usize)>,
    reads_higher: bool,
    reads_wrenches: bool,
    prepared: OnceLock<Prepared>,
    /// Compiled with wrenches on these links.
    loaded: Mutex<HashMap<Vec<usize>, Option<Arc<CompiledModel>>>>,
}

/// What is worked out when the function is first called.
struct Prepared {
    /// The shape of each quantity.
    shapes: Vec<Vec<usize>>,
    /// Numbers of a state, of all quantities.
    width: usize,
    /// Without wrenches; `None` where the formulas do better, or the robot lacks the quantity.
    compiled: Option<Arc<CompiledModel>>,
}

#[pymethods]
impl Function {
    /// Of these quantities, by their names.
    #[new]
    fn new(py: Python<'_>, robot: &Bound<'_, Robot>, names: Vec<String>) -> PyResult<Self> {
        let model = robot.get().model.clone();
        let parsed: Result<Vec<Quantity>, _> = names.iter().map(|name| Quantity::parse(name, &model)).collect();
        let quantities = parsed.map_err(|problem| error::quantity(py, problem))?;
        let reads = |input: Input| quantities.iter().any(|quantity| quantity.reads().contains(input));
        let vectors = Input::vectors().filter(|input| reads(*input));
        Ok(Self {
            vectors: vectors.filter_map(|input| Some((input, input.length(&model)?))).collect(),
            reads_higher: reads(Input::Higher),
            reads_wrenches: reads(Input::Wrenches),
            model,
            quantities,
            prepared: OnceLock::new(),
            loaded: Mutex::default(),
        })
    }

    /// The names of the arguments, in order.
    #[getter]
    fn arguments(&self) -> Vec<&'static str> {
        self.vectors.iter().map(|(input, _)| input.key()).collect()
    }

    /// The results: an array, or a tuple of arrays for several quantities. Arguments of the quantities come last and in their order.
    #[pyo3(signature = (out, wrenches, derivatives, a=None, b=None, c=None, d=None, e=None, f=None, g=None, h=None, i=None))]
    fn run<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        wrenches: Option<&Bound<'py, PyAny>>,
        derivatives: Option<&Bound<'py, PyAny>>,
        a: Option<&Bound<'py, PyAny>>,
        b: Option<&Bound<'py, PyAny>>,
        c: Option<&Bound<'py, PyAny>>,
        d: Option<&Bound<'py, PyAny>>,
        e: Option<&Bound<'py, PyAny>>,
        f: Option<&Bound<'py, PyAny>>,
        g: Option<&Bound<'py, PyAny>>,
        h: Option<&Bound<'py, PyAny>>,
        i: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let given: [_; MOST_VECTORS] = [a, b, c, d, e, f, g, h, i];
        self.call(py, &given[..self.vectors.len()], derivatives, wrenches, out)
    }
}

impl Function {
    fn call<'py>(
        &self,
        py: Python<'py>,
        given: &[Option<&Bound<'py, PyAny>>],
        derivatives: Option<&Bound<'py, PyAny>>,
        wrenches: Option<&Bound<'py, PyAny>>,
        out: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut vectors: [Option<Array<'py>>; MOST_VECTORS] = Default::default();
        for ((to, argument), (input, length)) in vectors.iter_mut().zip(given).zip(&self.vectors) {
            *to = Some(self.vector(*argument, *input, *length)?);
        }
        let mut vectors: Vec<Array<'py>> = vectors.into_iter().flatten().collect();
        let higher = self.higher(derivatives)?;
        let loads = self.loads(wrenches)?;
        let lead = self.lead(&mut vectors, &higher, &loads)?;
        let count: usize = lead.iter().product();

        let mut inputs = Inputs::default();
        for ((input, _), vector) in self.vectors.iter().zip(&vectors) {
            inputs.set(*input, arrays::numbers(vector));
        }
        if let Some(higher) = &higher {
            inputs.set(Input::Higher, arrays::numbers(higher));
        }
        let wrenches: Vec<LinkWrench<f64>> = if loads.is_empty() {
            Vec::new()
        } else {
            (0..count).flat_map(|k| loads.iter().map(move |load| load.at(k))).collect()
        };
        inputs.wrenches = &wrenches;

        let prepared = self.prepared(py);
        let compiled = self.compiled(py, prepared, &loads);
        let outputs = self.outputs(py, out, &lead, &prepared.shapes, &vectors)?;
        match outputs.as_slice() {
            [only] => self.fill(py, &inputs, &lead, compiled.as_deref(), arrays::numbers_mut(only))?,
            _ => {
                let mut all = vec![0.0; count * prepared.width];
                self.fill(py, &inputs, &lead, compiled.as_deref(), &mut all)?;
                let mut start = 0;
                for (array, shape) in outputs.iter().zip(&prepared.shapes) {
                    let size = shape.iter().product::<usize>();
                    for (to, from) in arrays::numbers_mut(array).chunks_mut(size.max(1)).zip(all.chunks(prepared.width))
                    {
                        to.copy_from_slice(&from[start..start + size]);
                    }
                    start += size;
                }
            }
        }
        Ok(match outputs.as_slice() {
            [only] => only.clone().into_any(),
            _ => PyTuple::new(py, outputs)?.into_any(),
        })
    }

    /// The numbers of all states; lets go of the interpreter for more than one.
    fn fill(
        &self,
        py: Python<'_>,
        inputs: &Inputs<'_>,
        lead: &[usize],
        compiled: Option<&CompiledModel>,
        out: &mut [f64],
    ) -> PyResult<()> {
        let one = |error: QuantityError| error::quantity(py, error);
        match (compiled, lead) {
            (_, lead) if lead.contains(&0) => Ok(()),
            (Some(compiled), []) => compiled.run_one(inputs, out).map_err(one),
            (Some(compiled), _) => py.detach(|| compiled.run_columns(inputs, out)).map_err(one),
            (None, lead) => {
                let count = lead.iter().product();
                let mut results = Vec::new();
                let mut batch = Batch::new(&self.quantities, Path::Fast, &self.model);
                py.detach(|| batch.evaluate_columns_into(inputs, count, &mut results))
                    .map_err(|(_, error)| one(error))?;
                out.copy_from_slice(&results);
                Ok(())
            }
        }
    }

    fn prepared(&self, py: Python<'_>) -> &Prepared {
        if let Some(prepared) = self.prepared.get() {
            return prepared;
        }
        // Another thread may be preparing it, and want the interpreter.
        py.detach(|| {
            self.prepared.get_or_init(|| {
                let shapes: Vec<Vec<usize>> =
                    self.quantities.iter().map(|quantity| quantity.entry().shape.lengths(&self.model)).collect();
                let width = shapes.iter().map(|shape| shape.iter().product::<usize>()).sum();
                let compiled = if width <= MOST_OUTPUTS { self.compile(Vec::new()) } else { None };
                Prepared { shapes, width, compiled }
            })
        })
    }

    fn compile(&self, loaded: Vec<usize>) -> Option<Arc<CompiledModel>> {
        let options = DeriveOptions { loaded, ..DeriveOptions::default() };
        CompiledModel::new(&self.model, &self.quantities, &options).ok().map(Arc::new)
    }

    fn compiled(&self, py: Python<'_>, prepared: &Prepared, loads: &[Load<'_>]) -> Option<Arc<CompiledModel>> {
        if loads.is_empty() || prepared.compiled.is_none() {
            return prepared.compiled.clone();
        }
        let mut links: Vec<usize> = loads.iter().map(|load| load.link).collect();
        links.sort_unstable();
        links.dedup();
        let known = self.loaded.lock().ok().and_then(|loaded| loaded.get(&links).cloned());
        known.unwrap_or_else(|| {
            let compiled = py.detach(|| self.compile(links.clone()));
            if let Ok(mut loaded) = self.loaded.lock() {
                loaded.insert(links, compiled.clone());
            }
            compiled
        })
    }

    /// A vector of the state: an array whose last axis has the right length, or a dict from joints of one number to theirs.
    fn vector<'py>(&self, argument: Option<&Bound<'py, PyAny>>, input: Input, length: usize) -> PyResult<Array<'py>> {
        let name = input.key();
        let Some(argument) = argument else {
            return Err(PyTypeError::new_err(format!("{name} is missing: the {}", input.about())));
        };
        let array = match argument.cast::<PyDict>() {
            Ok(by_name) => self.by_name(by_name, input, length)?,
            Err(_) => arrays::array(argument, name)?,
        };
        match array.shape().last() {
            Some(last) if *last == length => Ok(array),
            _ => {
                let (found, robot) = (described(array.shape()), self.model.name());
                let message = format!("{name} has shape {found}, but {robot} needs (…, {length})");
                Err(PyValueError::new_err(message))
            }
        }
    }

    fn by_name<'py>(&self, by_name: &Bound<'py, PyDict>, input: Input, length: usize) -> PyResult<Array<'py>> {
        let py = by_name.py();
        let names = if input == Input::Position { self.model.coordinates() } else { self.model.velocities() };
        let array = arrays::empty(py, &[length]);
        let numbers = arrays::numbers_mut(&array);
        if input == Input::Position {
            numbers.copy_from_slice(&self.model.neutral::<f64>());
        } else {
            numbers.fill(0.0);
        }
        for (key, value) in by_name {
            let key: String = key.extract()?;
            let Some(place) = names.iter().position(|name| name.to_string() == key || name.joint == key) else {
                let known: Vec<String> = names.iter().map(ToString::to_string).collect();
                let near =
                    jourdain::formats::suggest::hint(&key, &known.iter().map(String::as_str).collect::<Vec<_>>());
                return Err(PyValueError::new_err(format!("{} has no joint `{key}`: {near}", self.model.name())));
            };
            numbers[place] = value.extract()?;
        }
        Ok(array)
    }

    fn higher<'py>(&self, derivatives: Option<&Bound<'py, PyAny>>) -> PyResult<Option<Array<'py>>> {
        let Some(derivatives) = derivatives.filter(|_| self.reads_higher) else { return Ok(None) };
        let array = arrays::array(derivatives, "derivatives")?;
        match array.shape() {
            [.., _, last] if *last == self.model.nv() => Ok(Some(array)),
            shape => {
                let (found, nv) = (described(shape), self.model.nv());
                let message =
                    format!("derivatives has shape {found}, but must have (…, orders from the fifth on, {nv})");
                Err(PyValueError::new_err(message))
            }
        }
    }

    fn loads<'py>(&self, wrenches: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Load<'py>>> {
        match wrenches {
            Some(wrenches) if self.reads_wrenches => loads::read(wrenches, &self.model),
            Some(_) => Err(PyTypeError::new_err("this quantity does not depend on wrenches")),
            None => Ok(Vec::new()),
        }
    }

    /// The leading shape that all arguments have, or that those have which have one; vectors of a single state are repeated.
    fn lead<'py>(
        &self,
        vectors: &mut [Array<'py>],
        higher: &Option<Array<'py>>,
        loads: &[Load<'py>],
    ) -> PyResult<Vec<usize>> {
        let before = |array: &Array<'py>, axes: usize| array.shape()[..array.ndim() - axes].to_vec();
        let first = vectors.first().map(|array| before(array, 1)).unwrap_or_default();
        let plain = vectors.iter().all(|array| array.shape()[..array.ndim() - 1] == first[..]);
        if plain && higher.is_none() && loads.is_empty() {
            return Ok(first);
        }
        let mut lead = Vec::new();
        let mut take = |name: &str, found: Vec<usize>| {
            if lead.is_empty() || found.is_empty() || lead == found {
                lead = if found.is_empty() { std::mem::take(&mut lead) } else { found };
                return Ok(());
            }
            let message = format!("{name} has leading shape {}, others have {}", described(&found), described(&lead));
            Err(PyValueError::new_err(message))
        };
        for ((input, _), array) in self.vectors.iter().zip(vectors.iter()) {
            take(input.key(), before(array, 1))?;
        }
        if let Some(higher) = higher {
            take("derivatives", before(higher, 2))?;
        }
        for (array, size) in loads.iter().flat_map(Load::arrays) {
            match array.shape().last() {
                Some(last) if *last == size => take("a wrench", before(array, 1))?,
                _ => {
                    let message = format!("a wrench has shape {}, but needs (…, {size})", described(array.shape()));
                    return Err(PyValueError::new_err(message));
                }
            }
        }
        for ((_, length), array) in self.vectors.iter().zip(vectors.iter_mut()) {
            if array.ndim() == 1 && !lead.is_empty() {
                *array = repeated(array, &[lead.as_slice(), &[*length]].concat())?;
            }
        }
        if let Some(higher) = higher
            && higher.ndim() == 2
            && !lead.is_empty()
        {
            return Err(PyValueError::new_err("derivatives of one state, but other arguments of many"));
        }
        Ok(lead)
    }

    fn outputs<'py>(
        &self,
        py: Python<'py>,
        out: Option<&Bound<'py, PyAny>>,
        lead: &[usize],
        shapes: &[Vec<usize>],
        inputs: &[Array<'py>],
    ) -> PyResult<Vec<Array<'py>>> {
        match (out, shapes) {
            (None, shapes) => Ok(shapes.iter().map(|shape| arrays::empty(py, &[lead, shape].concat())).collect()),
            (Some(out), [shape]) => Ok(vec![arrays::output(out, lead, shape, inputs)?]),
            (Some(out), shapes) => {
                let wanted = out.cast::<PyTuple>().ok().filter(|outs| outs.len() == shapes.len());
                let Some(wanted) = wanted else {
                    return Err(PyTypeError::new_err(format!("out must be a tuple of {} arrays", shapes.len())));
                };
                wanted.iter().zip(shapes).map(|(out, shape)| arrays::output(&out, lead, shape, inputs)).collect()
            }
        }
    }
}

/// One vector for many states.
fn repeated<'py>(array: &Array<'py>, shape: &[usize]) -> PyResult<Array<'py>> {
    static REPEAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = array.py();
    let repeat = REPEAT.import(py, "numpy", "broadcast_to")?;
    arrays::array(&repeat.call1((array, PyTuple::new(py, shape)?))?, "an argument")
}
