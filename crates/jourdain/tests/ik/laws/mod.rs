//! Inverse kinematics by its laws: bounds, certificates, limits, paths, single steps and starts on arms whose answers are
//! known.

mod bounds;
mod certificates;
mod limits;
mod paths;
mod starts;
mod steps;
