//! The interpreter as the host of operations: Ctrl-C, warnings, progress.

use crate::robot::Robot;
use jourdain::model::Model;
use jourdain_kit::host::{Host, Note, Weight};
use jourdain_kit::resolve;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How often the interpreter is asked whether Ctrl-C was pressed, and told how far the work is.
const PAUSE: Duration = Duration::from_millis(100);

/// What an operation sees of Python. Threads that do not hold the interpreter call it.
pub struct Interpreter {
    progress: Option<Py<PyAny>>,
    robot: Option<Py<Robot>>,
    notes: Mutex<Vec<Note>>,
    cancelled: AtomicBool,
    raised: Mutex<Option<PyErr>>,
    started: Instant,
    /// When the interpreter was asked last, in milliseconds from the start.
    asked: AtomicU64,
}

impl Interpreter {
    /// With a function that is told how far the work is, from 0 to 1, and a robot that is there already.
    pub fn new(progress: Option<Py<PyAny>>, robot: Option<Py<Robot>>) -> Self {
        Self {
            progress,
            robot,
            notes: Mutex::default(),
            cancelled: AtomicBool::new(false),
            raised: Mutex::default(),
            started: Instant::now(),
            asked: AtomicU64::new(0),
        }
    }

    /// Gives warnings to Python, and the exception that ended the work if one did.
    pub fn finish(&self, py: Python<'_>) -> PyResult<()> {
        static WARN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        if let Some(error) = self.raised.lock().ok().and_then(|mut raised| raised.take()) {
            return Err(error);
        }
        let notes = self.notes.lock().map(|mut notes| std::mem::take(&mut *notes)).unwrap_or_default();
        for note in notes.iter().filter(|note| note.weight == Weight::Warning) {
            // The class is written in Python, and so is the search for the line that the warning is about.
            WARN.import(py, "jourdain._error", "warn")?.call1((&note.text,))?;
        }
        Ok(())
    }

    /// Runs something with the interpreter, unless that was done a moment ago; an exception stops the work.
    fn now_and_then(&self, run: impl FnOnce(Python<'_>) -> PyResult<()>) {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.asked.load(Ordering::Relaxed);
        let is_due = now >= last + PAUSE.as_millis() as u64;
        if !is_due || self.asked.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        if let Err(error) = Python::attach(|py| {
            py.check_signals()?;
            run(py)
        }) {
            self.cancelled.store(true, Ordering::Relaxed);
            if let Ok(mut raised) = self.raised.lock() {
                raised.get_or_insert(error);
            }
        }
    }
}

impl Host for Interpreter {
    fn progress(&self, share: f64) {
        if let Some(progress) = &self.progress {
            self.now_and_then(|py| progress.call1(py, (share,)).map(drop));
        }
    }

    fn is_cancelled(&self) -> bool {
        self.now_and_then(|_| Ok(()));
        self.cancelled.load(Ordering::Relaxed)
    }

    fn loaded(&self, robot: &resolve::Robot) -> Option<(Model<f64>, Vec<String>)> {
        self.robot.as_ref()?.get().of(robot)
    }

    fn note(&self, note: Note) {
        if let Ok(mut notes) = self.notes.lock() {
            notes.push(note);
        }
    }
}
