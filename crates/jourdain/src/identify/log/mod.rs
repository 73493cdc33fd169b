//! Logs: from a CSV text of any length to samples, in constant memory; or from a table that is in memory already.
//!
//! [`read`] takes lines one by one, [`read_table`] rows, [`read_tables`] rows of one table after the other. With velocities and accelerations in the log each line is a sample; otherwise
//! smooth curves are laid through the positions, at the times at which they were really taken, and the derivatives are those of the
//! curves. The cut-off is stated, or found from the spectrum of the first lines. Measured velocities serve to find the times.
//!
//! Torques are not filtered. Their noise stays independent from sample to sample, as least squares takes it to be, and the
//! corners that Coulomb friction puts into them are not rounded off, which would turn into a bias of viscous friction.

mod banded;
mod clock;
mod columns;
mod consistency;
mod late;
mod lines;
mod loads;
mod recording;
mod rotors;
mod rows;
mod smooth;
mod spectrum;
mod spline;
mod stamps;
mod stream;
mod tables;

pub use clock::Clock;
pub use columns::Columns;
pub use late::Late;
pub use loads::{Base, WrenchColumns};
pub use rotors::{RotorLog, RotorSample, read_rotors, read_rotors_table};
pub use spectrum::bandwidth;
pub use stamps::Tick;
pub use stream::{Filtering, Options, PRELUDE, Summary, read, read_table};
pub use tables::read_tables;
