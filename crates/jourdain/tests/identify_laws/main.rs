//! Identification by its laws: samples of logs, estimates against dense least squares, reports, alarms.

#[path = "../logs/mod.rs"]
mod logs;

mod by_samples;
mod log_samples;
mod reports;
mod watch;
