//! The table of inputs: what quantities may read of a state, each with its key, symbols, order in time, length and unit.
//!
//! Readers of states, tables of numbers, generated code, notation and checks all go through this table. An input is a line
//! here and a field of [`State`].

use super::{LinkWrench, State, StateError};
use crate::model::Model;
use crate::unit::Unit;
use jourdain_symbolic::{Constant, Scalar};
use std::fmt;

/// What an input is a derivative of, and of which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Course {
    /// Of the position of the robot.
    Motion(usize),
    /// Of the reference motion of a controller.
    Reference(usize),
    /// Of nothing.
    Load,
}

/// How many numbers an input has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Length {
    /// As the position.
    Positions,
    /// As the velocity.
    Velocities,
    /// Any number of vectors as long as the velocity.
    VelocityLists,
    /// Six for each loaded link and rate.
    Wrenches,
}

/// What is known of an input.
struct Facts {
    key: &'static str,
    about: &'static str,
    plural: &'static str,
    /// LaTeX of one number, `#` being its place.
    latex: &'static str,
    course: Course,
    length: Length,
    unit: Unit,
}

macro_rules! vector_of {
    (vector $state:ident $field:ident $($reference:tt)+) => { Some($($reference)+ $state.$field) };
    ($sort:ident $state:ident $field:ident $($reference:tt)+) => { None };
}

macro_rules! slot {
    ($life:lifetime loads) => { &$life [LinkWrench<f64>] };
    ($life:lifetime $sort:ident) => { &$life [f64] };
}

macro_rules! inputs {
    ($(
        $(#[$doc:meta])*
        $input:ident: $sort:ident $field:ident, $about:literal, $plural:literal, $latex:literal, $course:expr, $length:ident, $unit:expr;
    )*) => {
        /// A part of the state. The order is that of arguments in generated code.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Input {
            $($(#[$doc])* $input,)*
        }

        impl Input {
            /// All of them, in the order of arguments in generated code.
            pub const ALL: &'static [Self] = &[$(Self::$input),*];

            const fn facts(self) -> &'static Facts {
                match self {
                    $(Self::$input => {
                        const FACTS: Facts = Facts {
                        key: stringify!($field),
                        about: $about,
                        plural: $plural,
                        latex: $latex,
                        course: $course,
                        length: Length::$length,
                        unit: $unit,
                        };
                        &FACTS
                    })*
                }
            }

            /// The vector of a state; `None` for the inputs that are no plain vector.
            #[must_use]
            pub fn vector<S>(self, state: &State<S>) -> Option<&Vec<S>> {
                match self {
                    $(Self::$input => vector_of!($sort state $field &),)*
                }
            }

            /// The vector of a state, for writing.
            #[must_use]
            pub fn vector_mut<S>(self, state: &mut State<S>) -> Option<&mut Vec<S>> {
                match self {
                    $(Self::$input => vector_of!($sort state $field &mut),)*
                }
            }
        }

        /// Named inputs of one state, or of many states row by row; what is left out is zero, and a vector of one state among
        /// those of many holds for all of them.
        ///
        /// ```
        /// use jourdain::state::Inputs;
        ///
        /// let (q, qd) = ([0.1, 0.2], [1.0, -1.0]);
        /// let inputs = Inputs { q: &q, qd: &qd, ..Inputs::default() };
        /// assert!(inputs.wrenches.is_empty());
        /// ```
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        pub struct Inputs<'a> {
            $($(#[$doc])* pub $field: slot!('a $sort),)*
        }

        impl<'a> Inputs<'a> {
            /// The numbers of an input; none for wrenches.
            #[must_use]
            pub fn numbers(&self, input: Input) -> &'a [f64] {
                match input {
                    $(Input::$input => numbers_of!($sort self $field),)*
                }
            }

            /// Sets the numbers of an input; wrenches have a field of their own and are left alone.
            pub fn set(&mut self, input: Input, numbers: &'a [f64]) {
                match input {
                    $(Input::$input => set_numbers!($sort self $field numbers),)*
                }
            }
        }
    };
}

macro_rules! set_numbers {
    (loads $inputs:ident $field:ident $numbers:ident) => {
        ()
    };
    ($sort:ident $inputs:ident $field:ident $numbers:ident) => {
        $inputs.$field = $numbers
    };
}

macro_rules! numbers_of {
    (loads $inputs:ident $field:ident) => {
        &[]
    };
    ($sort:ident $inputs:ident $field:ident) => {
        $inputs.$field
    };
}

inputs! {
    /// The position `q`.
    Position: vector q, "position", "positions", "q_{#}", Course::Motion(0), Positions, Unit::RADIAN;
    /// The velocity `qd`.
    Velocity: vector qd, "velocity", "velocities", "\\dot{q}_{#}", Course::Motion(1), Velocities, Unit::RADIAN.seconds(-1);
    /// The acceleration `qdd`.
    Acceleration: vector qdd, "acceleration", "accelerations", "\\ddot{q}_{#}", Course::Motion(2), Velocities, Unit::RADIAN.seconds(-2);
    /// The jerk `qddd`.
    Jerk: vector qddd, "jerk", "jerks", "\\dddot{q}_{#}", Course::Motion(3), Velocities, Unit::RADIAN.seconds(-3);
    /// The snap `qdddd`.
    Snap: vector qdddd, "snap", "snaps", "q_{#}^{(4)}", Course::Motion(4), Velocities, Unit::RADIAN.seconds(-4);
    /// The derivatives of the position above the fourth, `derivatives`; missing ones are zero.
    Higher: list derivatives, "fifth derivative of the position, then the sixth and so on", "higher derivatives", "q_{#}", Course::Motion(Input::FIRST_HIGHER), VelocityLists, Unit::RADIAN.seconds(-5);
    /// The reference velocity `qd_r`.
    ReferenceVelocity: vector qd_r, "reference velocity", "reference velocities", "\\dot{q}_{\\mathrm{r},#}", Course::Reference(1), Velocities, Unit::RADIAN.seconds(-1);
    /// The reference acceleration `qdd_r`.
    ReferenceAcceleration: vector qdd_r, "reference acceleration", "reference accelerations", "\\ddot{q}_{\\mathrm{r},#}", Course::Reference(2), Velocities, Unit::RADIAN.seconds(-2);
    /// The reference jerk `qddd_r`.
    ReferenceJerk: vector qddd_r, "reference jerk", "reference jerks", "\\dddot{q}_{\\mathrm{r},#}", Course::Reference(3), Velocities, Unit::RADIAN.seconds(-3);
    /// The joint torques `tau`.
    Torque: vector tau, "joint torques", "torques", "\\tau_{#}", Course::Load, Velocities, Unit::NEWTON.metres(1);
    /// The wrenches applied to links.
    Wrenches: loads wrenches, "wrenches", "wrenches", "w_{#}", Course::Load, Wrenches, Unit::NEWTON;
}

impl Input {
    /// The order of [`Higher`](Self::Higher)'s first vector.
    pub(crate) const FIRST_HIGHER: usize = 5;

    /// The input of that key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|input| input.key() == key)
    }

    /// Those that are plain vectors, in their order.
    pub fn vectors() -> impl Iterator<Item = Self> {
        let is_vector = |input: &Self| matches!(input.facts().length, Length::Positions | Length::Velocities);
        Self::ALL.iter().copied().filter(is_vector)
    }

    /// The input that holds a derivative of the position.
    #[must_use]
    pub fn of_motion(order: usize) -> Self {
        let holds = |input: &Self| input.course() == Course::Motion(order);
        Self::vectors().find(holds).unwrap_or(Self::Higher)
    }

    /// The key in a state file.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.facts().key
    }

    /// What it is, such as `velocity`.
    #[must_use]
    pub fn about(self) -> &'static str {
        self.facts().about
    }

    /// What its numbers are, such as `velocities`.
    #[must_use]
    pub const fn plural(self) -> &'static str {
        self.facts().plural
    }

    /// What it is a derivative of.
    #[must_use]
    pub fn course(self) -> Course {
        self.facts().course
    }

    /// The unit of the numbers of a turning joint, of [`Higher`](Self::Higher) that of its first vector and of wrenches that
    /// of a force.
    #[must_use]
    pub fn unit(self) -> Unit {
        self.facts().unit
    }

    /// One number as it is written in LaTeX, counted from one.
    pub(crate) fn latex(self, place: usize) -> String {
        self.facts().latex.replace('#', &place.to_string())
    }

    /// The numbers of a vector for a robot; `None` for the inputs that are no plain vector.
    #[must_use]
    pub fn length<T: Constant>(self, model: &Model<T>) -> Option<usize> {
        match self.facts().length {
            Length::Positions => Some(model.nq()),
            Length::Velocities => Some(model.nv()),
            Length::VelocityLists | Length::Wrenches => None,
        }
    }

    /// That what a state has of it fits the robot.
    ///
    /// # Errors
    /// A vector of another length, a wrench on a link that is not there.
    pub(crate) fn check<S: Scalar>(self, model: &Model<S::Constant>, state: &State<S>) -> Result<(), StateError> {
        let length = |found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(StateError::Length { name: self.key(), robot: model.name().to_owned(), found, expected }),
        };
        match (self.vector(state), self.length(model), self.facts().length) {
            (Some(vector), Some(expected), _) => length(vector.len(), expected),
            (_, _, Length::Wrenches) => {
                let count = model.links().len();
                match state.wrenches.iter().find(|load| load.link >= count) {
                    None => Ok(()),
                    Some(load) => {
                        Err(StateError::NoSuchLink { link: load.link, robot: model.name().to_owned(), count })
                    }
                }
            }
            _ => state.derivatives.iter().try_for_each(|vector| length(vector.len(), model.nv())),
        }
    }
}

impl Inputs<'_> {
    /// State `index` of `count` that stand here row by row; one of one for a single state. A vector of one state holds for all.
    /// What is left out is zero, but the position: it must be there.
    ///
    /// # Errors
    /// What does not fit the robot, or is not finite.
    pub fn state(&self, model: &Model<f64>, index: usize, count: usize) -> Result<State<f64>, StateError> {
        let mut state = State::neutral(model);
        let length = |input: Input, found: usize, expected: usize| {
            let (name, robot) = (input.key(), model.name().to_owned());
            StateError::Length { name, robot, found, expected }
        };
        for input in Input::vectors() {
            let (all, Some(vector)) = (self.numbers(input), input.vector_mut(&mut state)) else { continue };
            let size = vector.len();
            match all.get(index * size..(index + 1) * size) {
                _ if all.len() == size => vector.copy_from_slice(all),
                Some(row) if all.len() == count * size => vector.copy_from_slice(row),
                _ if all.is_empty() && input != Input::Position => {}
                _ => return Err(length(input, all.len(), count * size)),
            }
        }
        let (higher, nv) = (self.numbers(Input::Higher), model.nv());
        if !higher.len().is_multiple_of((count * nv).max(1)) {
            return Err(length(Input::Higher, higher.len(), count * nv));
        }
        if !self.wrenches.len().is_multiple_of(count.max(1)) {
            return Err(length(Input::Wrenches, self.wrenches.len(), count));
        }
        let (rows, loads) = (higher.len() / count.max(1), self.wrenches.len() / count.max(1));
        state.derivatives = higher[index * rows..(index + 1) * rows].chunks(nv.max(1)).map(<[f64]>::to_vec).collect();
        state.wrenches = self.wrenches[index * loads..(index + 1) * loads].to_vec();
        state.checked(model)
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}
