//! The arguments of a call: vectors in order or by their names, and the keywords that all quantities share.

use jourdain::quantity::Input;
use pyo3::Borrowed;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// The most vectors that a quantity reads.
pub const MOST_VECTORS: usize = 9;

/// An argument.
pub type Argument<'a, 'py> = Borrowed<'a, 'py, PyAny>;

/// What was given for each argument; `None` also where Python's `None` was.
#[derive(Default)]
pub struct Arguments<'a, 'py> {
    /// In the order of the vectors that are read.
    pub vectors: [Option<Argument<'a, 'py>>; MOST_VECTORS],
    pub wrenches: Option<Argument<'a, 'py>>,
    pub derivatives: Option<Argument<'a, 'py>>,
    pub out: Option<Argument<'a, 'py>>,
}

impl<'a, 'py> Arguments<'a, 'py> {
    /// Of a call of something that reads these vectors, by positions and by names.
    pub fn read(
        vectors: &[(Input, usize)],
        ordered: &[Argument<'a, 'py>],
        named: impl Iterator<Item = (Argument<'a, 'py>, Argument<'a, 'py>)>,
    ) -> PyResult<Self> {
        let keys = || vectors.iter().map(|(input, _)| input.key()).collect::<Vec<_>>().join(", ");
        let mut read = Self::default();
        if ordered.len() > vectors.len() {
            let message = format!("{} arguments before the keywords, but what is read is: {}", ordered.len(), keys());
            return Err(PyTypeError::new_err(message));
        }
        for (to, given) in read.vectors.iter_mut().zip(ordered) {
            *to = Some(*given);
        }
        for (name, value) in named {
            let name = name.cast::<PyString>()?.to_owned();
            let name = name.to_str()?;
            let to = match name {
                "out" => &mut read.out,
                "wrenches" => &mut read.wrenches,
                "derivatives" => &mut read.derivatives,
                _ => match vectors.iter().position(|(input, _)| input.key() == name) {
                    Some(place) => &mut read.vectors[place],
                    None => {
                        let message = format!("there is no argument `{name}`; what is read is: {}", keys());
                        return Err(PyTypeError::new_err(message));
                    }
                },
            };
            if to.replace(value).is_some() {
                return Err(PyTypeError::new_err(format!("{name} is given twice")));
            }
        }
        for place in [&mut read.out, &mut read.wrenches, &mut read.derivatives] {
            *place = place.filter(|given| !given.is_none());
        }
        Ok(read)
    }
}

/// True if a name is `out`, seen at a glance: names in a program are the same object. False also where a closer look is needed.
pub fn is_out(name: Argument<'_, '_>) -> bool {
    static OUT: PyOnceLock<Py<PyString>> = PyOnceLock::new();
    OUT.get_or_init(name.py(), || PyString::intern(name.py(), "out").unbind()).is(name)
}
