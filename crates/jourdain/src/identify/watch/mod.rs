//! Watching parameters over time: does a robot change, and does it differ from others of its model?
//!
//! A [`Point`] is the estimate of one parameter from the samples of one period, a day say, with its standard deviation. [`change`] asks of one
//! robot whether its points drift or jump, [`outlier`] whether it is unlike the other robots. Both give p-values: how probable as
//! much would be if all were well. Of many robots and parameters some look ill by chance; [`discoveries`] keeps the share of false
//! alarms among all alarms below a level.

mod discoveries;
mod series;
mod student;

pub use discoveries::discoveries;
pub use series::{Change, ChangeKind, LEAST_POINTS, LEAST_ROBOTS, Outlier, Point, change, outlier};
pub use student::two_sided;
