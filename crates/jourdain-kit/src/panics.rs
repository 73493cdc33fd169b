//! Panics as problems: a bug, ours or that of a crate we use, ends an operation and not the program around it.
//!
//! Library code never panics on input; this is for the day it does. A front end that owns the program calls [`listen`] once, so
//! that the place of the panic becomes part of the message in place of a text on standard error.

use crate::problem::Problem;
use std::any::Any;
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What the last panic said, with its place.
static LAST: Mutex<Option<String>> = Mutex::new(None);

/// Keeps what panics say for the problem that is made of them, and prints nothing.
pub fn listen() {
    panic::set_hook(Box::new(|info| {
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string().replace('\n', " "));
    }));
}

/// Does some work.
///
/// # Errors
/// It panics: what it says.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    // What the work has changed is not looked at again.
    panic::catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let heard = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
        heard.unwrap_or_else(|| said(&*payload))
    })
}

/// Carries out an operation; a panic is a problem of the kind `internal`, or `no-threads` if the system has none left.
pub(crate) fn contained<T>(name: &str, work: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    caught(work).unwrap_or_else(|said| Err(problem(name, &said)))
}

fn problem(name: &str, said: &str) -> Problem {
    if let Err(error) = thread::Builder::new().spawn(|| {}) {
        let message = format!("the system gives no more threads: {error}");
        return Problem::new("no-threads", message).hint("allow more processes (ulimit -u), or end some");
    }
    Problem::new("internal", format!("`{name}` came upon a bug of jourdain: {said}"))
        .hint("please report it, with this message, the command and the files that it reads")
}

fn said(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no reason was given").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_problem_that_asks_to_be_reported() {
        let problem = contained::<()>("eval", || panic!("index {} of {}", 7, 5)).unwrap_err();
        let error = &problem.to_json()["error"];
        assert_eq!((error["kind"].as_str(), problem.exit_code()), (Some("internal"), 2));
        assert!(error["message"].as_str().unwrap().contains("index 7 of 5"), "{error}");
        assert!(error["hint"].as_str().unwrap().contains("report"), "{error}");
        assert_eq!(contained("eval", || Ok(3)).unwrap(), 3);
    }
}
