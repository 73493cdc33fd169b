//! The studio: a page in the browser that shows a robot and computes everything itself, in WebAssembly.
//!
//! A [`Server`] brings page, module and the files of a robot to a browser on this machine, and to nobody else; [`export`] writes all
//! of it into one file that needs neither server nor network, or as a site that any server of files can publish. The page is `studio/dist/studio.html`, the module
//! `studio/dist/engine.wasm.gz`: both are built from this repository and committed, so that nobody needs their tools.
//!
//! | file | what |
//! |---|---|
//! | `server` | accepts connections, answers requests |
//! | `request` | a request as it is read, with bounds |
//! | `answer` | what a browser gets, and how it is sent |
//! | `guard` | who may ask: token, host, origin |
//! | `folders` | which files there are in given folders, and no others |
//! | `pack` | a robot as the page gets it: its files, its edits |
//! | `reach` | which meshes of a robot may be read |
//! | `page` | the page with what it is told at the start |
//! | `export` | everything in one file, or as a site |
//! | `base64`, `dense` | bytes as text |

#![forbid(unsafe_code)]

mod answer;
mod base64;
mod dense;
mod export;
mod folders;
mod guard;
mod pack;
mod page;
mod reach;
mod request;
mod server;

pub use export::export;
pub use server::{Options, Server};
