//! Recordings of a robot's messages as tables: MCAP files, as ROS 2 bags are, with joint states in them.
//!
//! `records` reads the file, `cdr` the messages, [`JointStates`] makes rows of them. A recording is read from its
//! beginning to its end, in the memory of one chunk, so that it may come from a pipe.

mod cdr;
mod records;
mod states;
#[cfg(test)]
mod tests;

pub use states::JointStates;

/// What an MCAP file begins with.
pub const MAGIC: &[u8; 8] = b"\x89MCAP0\r\n";
