//! Identification by its laws: samples of logs, estimates against dense least squares, reports, alarms.

mod by_samples;
mod faults;
mod fits;
mod kept;
mod log_samples;
mod reports;
mod watch;
mod written;
