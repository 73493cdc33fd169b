//! Logs and what robots can be, by their laws: stamps on the ticks of a device, windows of rows and curves against dense least squares;
//! estimates of bodies that can be, payloads and gains against fits of all rows at once.

mod carried;
mod dense;
mod estimates;
mod rows;
mod samples;
mod ticks;
