//! How a state becomes the arguments of a function: one vector after the other, wrenches by the links they act on.
//!
//! The one place where states are gathered: generated code's self-tests, compiled models and batches all go through it.

use crate::model::Model;
use crate::state::{Input, Inputs, LinkWrench, State, StateError, check_vector, normalize, quaternions};
use std::ops::Range;

/// What a function reads, in order.
#[derive(Clone, Debug)]
pub struct Layout {
    robot: String,
    /// What is read, and how many numbers of it.
    reads: Vec<(Input, usize)>,
    /// The links that wrenches may act on.
    loaded: Vec<usize>,
    /// The names of all links.
    links: Vec<String>,
    nv: usize,
    /// Where quaternions start in a position, with the joint they belong to.
    quaternions: Vec<(usize, String)>,
}

impl Layout {
    /// Of a function with these arguments and wrenches on these links.
    pub(super) fn new(model: &Model, reads: Vec<(Input, usize)>, loaded: Vec<usize>) -> Self {
        Self {
            robot: model.name().to_owned(),
            reads,
            loaded,
            links: model.links().iter().map(|link| link.name.clone()).collect(),
            nv: model.nv(),
            quaternions: quaternions(model).map(|(start, joint)| (start, joint.to_owned())).collect(),
        }
    }

    /// The inputs, in order, and how many numbers of each are read.
    #[must_use]
    pub fn reads(&self) -> &[(Input, usize)] {
        &self.reads
    }

    /// The links that wrenches may act on, in the order of their numbers.
    #[must_use]
    pub fn loaded(&self) -> &[usize] {
        &self.loaded
    }

    /// How many numbers are read of a state.
    #[must_use]
    pub fn len(&self) -> usize {
        self.reads.iter().map(|(_, length)| length).sum()
    }

    /// True if nothing is read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Copies what is read of a state to the first [`len`](Self::len) numbers of a row. Derivatives of the motion that the
    /// state leaves out are zero; several wrenches on one link add up.
    ///
    /// # Errors
    /// A vector that does not have the robot's length, and a wrench on a link that is not among the loaded.
    ///
    /// # Panics
    /// If the row is too short.
    pub fn gather(&self, state: &State<f64>, row: &mut [f64]) -> Result<(), StateError> {
        if let Some(short) = state.derivatives.iter().find(|vector| vector.len() != self.nv) {
            return Err(self.length(Input::Higher, short.len(), self.nv));
        }
        for (input, at) in self.places() {
            let to = &mut row[at];
            match input.vector(state) {
                Some(from) if from.len() == to.len() => to.copy_from_slice(from),
                Some(from) => return Err(self.length(input, from.len(), to.len())),
                None if input == Input::Higher => {
                    to.fill(0.0);
                    let from = state.derivatives.iter().flatten();
                    to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
                }
                None => self.gather_wrenches(&state.wrenches, to)?,
            }
        }
        self.check_unread(&state.wrenches)
    }

    /// As [`gather`](Self::gather) for states from `first` on, of `count` that stand row by row in named inputs, into as many
    /// rows of `width` numbers as there are: what is left out is zero, a vector of one state holds for all, numbers are checked
    /// to be finite, quaternions scaled to unit length.
    pub(crate) fn gather_rows(
        &self,
        inputs: &Inputs<'_>,
        first: usize,
        count: usize,
        width: usize,
        rows: &mut [f64],
    ) -> Result<(), StateError> {
        for (input, at) in self.places() {
            if at.is_empty() {
                continue;
            }
            if input == Input::Wrenches {
                for (k, row) in rows.chunks_exact_mut(width).enumerate() {
                    let to = &mut row[at.clone()];
                    self.gather_wrenches(share(inputs.wrenches, first + k, count), to)?;
                    check_vector(input.key(), to, to.len(), &self.robot)?;
                }
                continue;
            }
            let all = inputs.numbers(input);
            // From one state to the next: nothing where one vector holds for all. Of higher derivatives a state may have more
            // than are read, or fewer.
            let size = all.len() / count.max(1);
            let (size, step) =
                if input != Input::Higher && all.len() == at.len() { (at.len(), 0) } else { (size, size) };
            let used = size.min(at.len());
            for (k, row) in rows.chunks_exact_mut(width).enumerate() {
                let to = &mut row[at.clone()];
                let from = &all[(first + k) * step..][..used];
                to[..used].copy_from_slice(from);
                to[used..].fill(0.0);
                // All of them without a way out in between, which is quicker, before a closer look.
                if !from.iter().fold(true, |finite, x| finite & x.is_finite()) {
                    check_vector(input.key(), to, to.len(), &self.robot)?;
                }
                if input == Input::Position {
                    self.quaternions.iter().try_for_each(|(start, joint)| normalize(to, *start, joint))?;
                }
            }
        }
        self.check_unread(inputs.wrenches)
    }

    /// That named inputs have rows for as many states, or one for all of them.
    pub(crate) fn check_rows(&self, inputs: &Inputs<'_>, count: usize) -> Result<(), StateError> {
        for (input, length) in &self.reads {
            let found = inputs.numbers(*input).len();
            let fits = match input {
                Input::Wrenches => inputs.wrenches.len().is_multiple_of(count.max(1)),
                Input::Higher => found.is_multiple_of((count * self.nv).max(1)),
                Input::Position => found == *length || found == count * length,
                _ => found == 0 || found == *length || found == count * length,
            };
            if !fits {
                return Err(self.length(*input, found, count * length));
            }
        }
        Ok(())
    }

    /// An output that does not hold the results of a number of states.
    pub(crate) fn wrong_output(&self, found: usize, expected: usize) -> StateError {
        StateError::Length { name: "out", robot: self.robot.clone(), found, expected }
    }

    /// The inputs and where they stand in a row.
    fn places(&self) -> impl Iterator<Item = (Input, Range<usize>)> + '_ {
        self.reads.iter().scan(0, |start, &(input, length)| {
            *start += length;
            Some((input, *start - length..*start))
        })
    }

    fn length(&self, input: Input, found: usize, expected: usize) -> StateError {
        StateError::Length { name: input.key(), robot: self.robot.clone(), found, expected }
    }

    /// The sum of the wrenches on each link, then their rates as far as they are read.
    fn gather_wrenches(&self, wrenches: &[LinkWrench<f64>], to: &mut [f64]) -> Result<(), StateError> {
        to.fill(0.0);
        for load in wrenches {
            let place = self.place(load)?;
            for (order, wrench) in to.chunks_mut(6 * self.loaded.len()).zip(load.orders()) {
                order[6 * place..].iter_mut().zip(wrench.to_array()).for_each(|(to, from)| *to += from);
            }
        }
        Ok(())
    }

    fn place(&self, load: &LinkWrench<f64>) -> Result<usize, StateError> {
        let place = self.loaded.iter().position(|link| *link == load.link);
        place.ok_or_else(|| match self.links.get(load.link) {
            Some(link) => StateError::LinkNotLoaded { link: link.clone() },
            None => StateError::NoSuchLink { link: load.link, robot: self.robot.clone(), count: self.links.len() },
        })
    }

    /// A function that could read wrenches and was made without must not be given any.
    fn check_unread(&self, wrenches: &[LinkWrench<f64>]) -> Result<(), StateError> {
        let unread = self.reads.iter().any(|(input, length)| *input == Input::Wrenches && *length == 0);
        if unread { wrenches.iter().try_for_each(|load| self.place(load).map(|_| ())) } else { Ok(()) }
    }
}

/// The part of state `index` of `count` in a list of theirs.
fn share<T>(all: &[T], index: usize, count: usize) -> &[T] {
    let size = all.len() / count.max(1);
    &all[index * size..(index + 1) * size]
}
