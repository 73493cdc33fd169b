//! Robots written in every format and read back are the same robots; what is lost is told, and nothing else is.

mod dh;
mod native;
mod same;
mod screws;
mod xml;
