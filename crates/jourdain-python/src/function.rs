//! Quantities of a robot as one function of arrays, of one state or of many.
//!
//! Compiled when it is first called: M and torques take 0.2 ms on iiwa14 and 1 ms on humanoid25, so that there is no number of
//! states too small for it. Derivatives of high order on large robots take longer, seconds in the worst case. One state and many
//! give the same numbers to the last bit.
//!
//! There are two ways through. [`Function::quick`] takes what most calls in a loop are: arrays of one state that can be read as
//! they stand. It never fails: whatever is out of the ordinary it leaves to [`Function::call`], which tells what is wrong.

use crate::arguments::{Argument, Arguments, MOST_VECTORS};
use crate::arrays::{self, Array, described};
use crate::loads::{self, Load};
use crate::{by_name, error};
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
use std::sync::{Arc, Mutex, OnceLock};

/// Most sets of loaded links that stay compiled.
const MOST_LOADED: usize = 8;

/// States whose wrenches are written out at a time: 2.5 MB for each loaded link.
const BLOCK: usize = 1 << 14;

/// One or several quantities of a robot, computed together.
pub struct Function {
    model: Arc<Model<f64>>,
    quantities: Vec<Quantity>,
    /// The vectors that are read and how many numbers each has, in the order of arguments.
    vectors: Vec<(Input, usize)>,
    reads_higher: bool,
    reads_wrenches: bool,
    prepared: OnceLock<Prepared>,
    /// Compiled with wrenches on these links, the latest last.
    loaded: Mutex<Vec<(Vec<usize>, Code)>>,
}

/// What is compiled; `None` where only the formulas serve, or the robot lacks the quantity.
type Code = Option<Arc<CompiledModel>>;

/// What is worked out when the function is first called.
struct Prepared {
    /// The shape of each quantity.
    shapes: Vec<Vec<usize>>,
    /// Numbers of a state, of all quantities.
    width: usize,
    /// Without wrenches.
    code: Code,
}

/// The arguments of a call as arrays.
struct States<'py> {
    vectors: Vec<Array<'py>>,
    higher: Option<Array<'py>>,
    loads: Vec<Load<'py>>,
    /// The leading shape.
    lead: Vec<usize>,
    count: usize,
}

impl Function {
    /// Of these quantities.
    pub fn new(model: Arc<Model<f64>>, quantities: Vec<Quantity>) -> Self {
        let reads = |input: Input| quantities.iter().any(|quantity| quantity.reads().contains(input));
        let vectors = Input::vectors().filter(|input| reads(*input));
        Self {
            vectors: vectors.filter_map(|input| Some((input, input.length(&model)?))).collect(),
            reads_higher: reads(Input::Higher),
            reads_wrenches: reads(Input::Wrenches),
            model,
            quantities,
            prepared: OnceLock::new(),
            loaded: Mutex::default(),
        }
    }

    /// The vectors that are read and how many numbers each has, in the order of arguments.
    pub fn vectors(&self) -> &[(Input, usize)] {
        &self.vectors
    }

    /// The result for one state, if it is a single array and everything is as it most often is.
    pub fn quick<'py>(
        &self,
        py: Python<'py>,
        given: &[Argument<'_, 'py>],
        out: Option<Argument<'_, 'py>>,
    ) -> Option<Bound<'py, PyAny>> {
        let Prepared { shapes, width, code: Some(code) } = self.prepared.get()? else { return None };
        let [shape] = shapes.as_slice() else { return None };
        if given.len() != self.vectors.len() {
            return None;
        }
        let mut inputs = Inputs::default();
        let mut read: [&[f64]; MOST_VECTORS] = [&[]; MOST_VECTORS];
        for (((input, length), argument), read) in self.vectors.iter().zip(given).zip(&mut read) {
            *read = arrays::vector(*argument, *length)?;
            inputs.set(*input, read);
        }
        match out {
            Some(out) => {
                code.run_one(&inputs, arrays::target(out, shape, *width, &read[..given.len()])?).ok()?;
                Some(out.to_owned())
            }
            None => {
                let array = arrays::empty(py, shape).ok()?;
                code.run_one(&inputs, arrays::numbers_mut(&array)).ok()?;
                Some(array.into_any())
            }
        }
    }

    /// The results: an array, or a tuple of arrays for several quantities.
    pub fn call<'py>(&self, py: Python<'py>, given: &Arguments<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let states = self.states(given)?;
        let prepared = self.prepared(py);
        let code = self.code(py, prepared, &states.loads);
        let outputs = self.outputs(py, given.out, &states, &prepared.shapes)?;
        self.fill(py, &states, prepared.width, code.as_deref(), &outputs)?;
        match <[Array<'py>; 1]>::try_from(outputs) {
            Ok([only]) => Ok(only.into_any()),
            Err(outputs) => Ok(PyTuple::new(py, outputs)?.into_any()),
        }
    }

    /// The numbers of all states; lets go of the interpreter for more than one.
    fn fill<'py>(
        &self,
        py: Python<'py>,
        states: &States<'py>,
        width: usize,
        code: Option<&CompiledModel>,
        outputs: &[Array<'py>],
    ) -> PyResult<()> {
        let (count, loads) = (states.count, &states.loads);
        if count * width == 0 {
            return Ok(());
        }
        let mut inputs = Inputs::default();
        for ((input, _), vector) in self.vectors.iter().zip(&states.vectors) {
            inputs.set(*input, arrays::numbers(vector));
        }
        if let Some(higher) = &states.higher {
            inputs.set(Input::Higher, arrays::numbers(higher));
        }
        let mut outs: Vec<&mut [f64]> = outputs.iter().map(arrays::numbers_mut).collect();
        let numbers: Vec<loads::Numbers<'_>> = loads.iter().map(Load::numbers).collect();
        let run = |inputs: &Inputs<'_>, count: usize, outs: &mut [&mut [f64]]| match (code, outs) {
            (Some(code), [out]) if count == 1 => code.run_one(inputs, out),
            (Some(code), [out]) => code.run_columns(inputs, out),
            (Some(code), outs) => code.run_columns_apart(inputs, count, outs),
            (None, outs) => self.formulas(inputs, count, outs),
        };
        let mut all = || {
            if numbers.is_empty() {
                return run(&inputs, count, &mut outs);
            }
            let mut wrenches: Vec<LinkWrench<f64>> = Vec::new();
            for start in (0..count).step_by(BLOCK) {
                let states = start..count.min(start + BLOCK);
                wrenches.clear();
                wrenches.extend(states.clone().flat_map(|k| numbers.iter().map(move |load| load.at(k))));
                let mut block = Inputs { wrenches: &wrenches, ..Inputs::default() };
                for (input, length) in &self.vectors {
                    let all = inputs.numbers(*input);
                    let is_one = all.len() == *length;
                    block.set(*input, if is_one { all } else { &all[states.start * length..states.end * length] });
                }
                let higher = inputs.numbers(Input::Higher);
                let rows = higher.len() / count;
                block.set(Input::Higher, &higher[states.start * rows..states.end * rows]);
                let mut outs: Vec<&mut [f64]> = outs
                    .iter_mut()
                    .map(|out| {
                        let size = out.len() / count;
                        &mut out[states.start * size..states.end * size]
                    })
                    .collect();
                run(&block, states.len(), &mut outs)?;
            }
            Ok(())
        };
        let done = if count == 1 && code.is_some() { all() } else { py.detach(all) };
        done.map_err(|problem| error::quantity(py, problem))
    }

    /// By the formulas.
    fn formulas(&self, inputs: &Inputs<'_>, count: usize, outs: &mut [&mut [f64]]) -> Result<(), QuantityError> {
        let (mut batch, mut results) = (Batch::new(&self.quantities, Path::Fast, &self.model), Vec::new());
        batch.evaluate_columns_into(inputs, count, &mut results).map_err(|(_, problem)| problem)?;
        for (place, out) in outs.iter_mut().enumerate() {
            let range = batch.range(place);
            let rows = out.chunks_exact_mut(range.len().max(1)).zip(results.chunks_exact(batch.width().max(1)));
            rows.for_each(|(to, from)| to.copy_from_slice(&from[range.clone()]));
        }
        Ok(())
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
                let code = if (1..=MOST_OUTPUTS).contains(&width) { self.compile(Vec::new()) } else { None };
                Prepared { shapes, width, code }
            })
        })
    }

    fn compile(&self, loaded: Vec<usize>) -> Code {
        let options = DeriveOptions { loaded, ..DeriveOptions::default() };
        CompiledModel::new(&self.model, &self.quantities, &options).ok().map(Arc::new)
    }

    fn code(&self, py: Python<'_>, prepared: &Prepared, loads: &[Load<'_>]) -> Code {
        if loads.is_empty() || prepared.code.is_none() {
            return prepared.code.clone();
        }
        let mut links: Vec<usize> = loads.iter().map(|load| load.link).collect();
        links.sort_unstable();
        links.dedup();
        let known = |loaded: &[(Vec<usize>, Code)]| {
            loaded.iter().rev().find(|(known, _)| *known == links).map(|(_, code)| code.clone())
        };
        let known = self.loaded.lock().ok().and_then(|loaded| known(&loaded));
        known.unwrap_or_else(|| {
            let code = py.detach(|| self.compile(links.clone()));
            if let Ok(mut loaded) = self.loaded.lock() {
                if loaded.len() == MOST_LOADED {
                    loaded.remove(0);
                }
                loaded.push((links, code.clone()));
            }
            code
        })
    }

    /// The arguments as arrays that fit together.
    fn states<'py>(&self, given: &Arguments<'_, 'py>) -> PyResult<States<'py>> {
        let vectors = self.vectors.iter().zip(&given.vectors);
        let vectors: PyResult<Vec<Array<'py>>> =
            vectors.map(|((input, length), argument)| self.vector(*argument, *input, *length)).collect();
        let loads = match given.wrenches {
            Some(wrenches) if self.reads_wrenches => loads::read(wrenches, &self.model)?,
            Some(_) => return Err(PyTypeError::new_err("this quantity does not depend on wrenches")),
            None => Vec::new(),
        };
        let higher = match given.derivatives {
            Some(derivatives) if self.reads_higher => Some(self.higher(derivatives)?),
            Some(_) => {
                return Err(PyTypeError::new_err("this quantity does not depend on derivatives above the fourth"));
            }
            None => None,
        };
        let mut states = States { vectors: vectors?, higher, loads, lead: Vec::new(), count: 1 };
        states.lead = self.lead(&states)?;
        states.count = states.lead.iter().product();
        if let Some(higher) = &states.higher
            && higher.ndim() == 2
            && states.count != 1
        {
            states.higher = Some(repeated(higher, &[states.lead.as_slice(), higher.shape()].concat())?);
        }
        Ok(states)
    }

    /// A vector of the state: an array whose last axis has the right length, or a dict from joints to numbers.
    fn vector<'py>(&self, argument: Option<Argument<'_, 'py>>, input: Input, length: usize) -> PyResult<Array<'py>> {
        let name = input.key();
        let Some(argument) = argument else {
            return Err(PyTypeError::new_err(format!("{name} is missing: the {}", input.about())));
        };
        let array = match argument.cast::<PyDict>() {
            Ok(dict) => by_name::vector(&dict, input, &self.model)?,
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

    fn higher<'py>(&self, derivatives: Argument<'_, 'py>) -> PyResult<Array<'py>> {
        let array = arrays::array(derivatives, "derivatives")?;
        match array.shape() {
            [.., _, last] if *last == self.model.nv() => Ok(array),
            shape => {
                let (found, nv) = (described(shape), self.model.nv());
                let message =
                    format!("derivatives has shape {found}, but must have (…, orders from the fifth on, {nv})");
                Err(PyValueError::new_err(message))
            }
        }
    }

    /// The leading shape that all arguments have, or that those have which have one: the others hold for all states.
    fn lead(&self, states: &States<'_>) -> PyResult<Vec<usize>> {
        let mut lead: &[usize] = &[];
        let vectors = self.vectors.iter().zip(&states.vectors).map(|((input, _), array)| (input.key(), array, 1));
        let higher = states.higher.iter().map(|array| ("derivatives", array, 2));
        let loads = states.loads.iter().flat_map(Load::arrays).map(|array| ("a wrench", array, 1));
        for (name, array, axes) in vectors.chain(higher).chain(loads) {
            let found = &array.shape()[..array.ndim() - axes];
            if !found.is_empty() && !lead.is_empty() && found != lead {
                let message = format!("{name} has leading shape {}, others have {}", described(found), described(lead));
                return Err(PyValueError::new_err(message));
            }
            lead = if found.is_empty() { lead } else { found };
        }
        Ok(lead.to_vec())
    }

    fn outputs<'py>(
        &self,
        py: Python<'py>,
        out: Option<Argument<'_, 'py>>,
        states: &States<'py>,
        shapes: &[Vec<usize>],
    ) -> PyResult<Vec<Array<'py>>> {
        let (lead, inputs) = (states.lead.as_slice(), &states.vectors);
        let Some(out) = out else {
            return shapes.iter().map(|shape| arrays::empty(py, &[lead, shape].concat())).collect();
        };
        let outputs = match shapes {
            [shape] => vec![arrays::output(out, lead, shape, inputs)?],
            shapes => {
                let wanted = out.cast::<PyTuple>().ok().filter(|outs| outs.len() == shapes.len());
                let Some(wanted) = wanted else {
                    return Err(PyTypeError::new_err(format!("out must be a tuple of {} arrays", shapes.len())));
                };
                let of = |(out, shape): (Bound<'py, PyAny>, &Vec<usize>)| {
                    arrays::output(out.as_borrowed(), lead, shape, inputs)
                };
                wanted.iter().zip(shapes).map(of).collect::<PyResult<Vec<_>>>()?
            }
        };
        let others = states.higher.iter().chain(states.loads.iter().flat_map(Load::arrays));
        let others: Vec<&Array<'py>> = others.collect();
        for (place, output) in outputs.iter().enumerate() {
            if others.iter().any(|other| arrays::overlap(other, output)) {
                return Err(PyValueError::new_err("out overlaps with an argument"));
            }
            if outputs[..place].iter().any(|other| arrays::overlap(other, output)) {
                return Err(PyValueError::new_err("arrays of out overlap each other"));
            }
        }
        Ok(outputs)
    }
}

/// The same array for many states.
fn repeated<'py>(array: &Array<'py>, shape: &[usize]) -> PyResult<Array<'py>> {
    static REPEAT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = array.py();
    let repeat = REPEAT.import(py, "numpy", "broadcast_to")?;
    arrays::array(repeat.call1((array, PyTuple::new(py, shape)?))?.as_borrowed(), "an argument")
}
