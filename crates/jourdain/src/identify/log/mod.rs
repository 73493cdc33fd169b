//! Logs: from a CSV text of any length to samples, in constant memory; or from a table that is in memory already.
//!
//! [`read`] takes lines one by one, [`read_table`] rows. With velocities and accelerations in the log each line is a sample; otherwise the motion
//! passes a zero-phase low-pass and the missing derivatives are those of the filtered signal. The cut-off is stated, or
//! found from the spectrum of the first lines.
//!
//! Torques are not filtered. Their noise stays independent from sample to sample, as least squares takes it to be, and the
//! corners that Coulomb friction puts into them are not rounded off, which would turn into a bias of viscous friction.

mod columns;
mod filter;
mod lines;
mod rows;
mod spectrum;
mod stream;

pub use columns::Columns;
pub use filter::LowPass;
pub use spectrum::bandwidth;
pub use stream::{Filtering, Options, Summary, read, read_table};
