//! What every front end of jourdain needs, apart from any front end: operations that turn a request into a report.
//!
//! An [operation](operation::Operation) is a request, which is data, and what it gives back, a report, which is data as well. The
//! command line, Python, the page and WebAssembly all call the same operations: the arguments of a command are the fields of
//! its request, and `--json` prints its report.
//!
//! ```
//! use jourdain_kit::host::Files;
//! use jourdain_kit::operation::{self, Operation as _};
//! use jourdain_kit::operations::info;
//! use serde_json::json;
//!
//! // Typed, from Rust …
//! let report = info::Request::of("puma560").run(&Files)?;
//! assert_eq!(report.dof, 6);
//!
//! // … or by name, as data.
//! let report = operation::handle("info", json!({ "robot": "puma560" }), &Files)?;
//! assert_eq!(report.to_json()?["dof"], 6);
//! # Ok::<(), jourdain_kit::problem::Problem>(())
//! ```
//!
//! | module | what it has |
//! |---|---|
//! | [`problem`] | the one error: kind, message, place, remedy |
//! | [`host`] | what is outside: progress, notes, cancellation, files |
//! | [`operation`] | what an operation is, and the list of all |
//! | [`operations`] | one file or folder each |
//! | [`resolve`] | robots and flexible arms by name, path or text |
//! | [`edits`] | what is changed about a robot before anything is computed |
//! | [`robot_file`] | files that robots are written to |
//! | [`ending`] | what the names of files may end in |
//! | [`files`] | the files that operations see: on the disk or in memory |
//! | [`read`], [`mod@write`] | the one bounded reader, the one crash-safe writer |
//! | [`clash`] | outputs that are inputs, or each other |
//! | [`panics`] | bugs as problems |
//! | `recording` | recordings of messages, MCAP files, as tables |
//! | [`states`], [`sheet`] | tables: states in, results out, as CSV and Parquet |
//! | [`by_name`], [`nested`] | values by name, in order; arrays as nested lists |
//! | [`limits`] | how large robots, requests and results may be, and why |
//! | [`motion`] | systems in motion: laws, integration, samples as tables, plots and text |
//! | [`movie`] | moving pictures as HTML, SVG, GIF and APNG |
//! | [`plot`] | pictures: figures of curves and robots to scale, as SVG, PDF and PNG |
//! | [`text`] | reports as people read them |

#![forbid(unsafe_code)]

pub mod by_name;
pub mod clash;
pub mod edits;
pub mod ending;
pub mod files;
mod flaws;
pub mod host;
pub mod limits;
mod listener;
pub mod mixed;
pub mod motion;
pub mod movie;
pub mod nested;
pub mod operation;
pub mod operations;
pub mod panics;
pub mod plot;
pub mod problem;
pub mod progress;
pub mod read;
#[cfg(feature = "recordings")]
pub mod recording;
pub mod resolve;
pub mod robot_file;
pub mod sheet;
pub mod snap;
mod sources;
pub mod states;
pub mod text;
pub mod write;
