//! Identification from logs, and motions that excite.

#[path = "../logs/mod.rs"]
mod logs;

mod excite;
mod excite_laws;
mod gains;
mod hysteresis;
mod identified_drives;
mod identify;
mod identify_ills;
mod identify_limits;
mod identify_times;
mod laws;
mod log_laws;
mod payload;
mod pieces;
