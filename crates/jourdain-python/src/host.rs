//! The interpreter as the host of operations: Ctrl-C, warnings, progress, laws and tables of the caller's.

use crate::law::{self, Raised};
use crate::robot::Robot;
use jourdain::batch::Kept;
use jourdain::formats::table::Table;
use jourdain::simulate::{Law, System};
use jourdain_kit::host::{Host, Loaded, Note, Weight};
use jourdain_kit::resolve;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use std::{panic, thread};

/// How often the interpreter is asked whether Ctrl-C was pressed, and told how far the work is.
const PAUSE: Duration = Duration::from_millis(50);

/// How long work that is no longer wanted may take to end by itself, and to remove what it has begun to write.
const GRACE: Duration = Duration::from_millis(400);

/// The stack of a worker: formulas and files may be nested deeply. It takes no memory unless it is used.
const STACK: usize = 64 << 20;

/// What an operation is given beside its request.
#[derive(Default)]
pub struct Given {
    /// A function that is told how far the work is, from 0 to 1.
    pub progress: Option<Py<PyAny>>,
    /// A robot that is there already.
    pub robot: Option<Py<Robot>>,
    /// A function that drives what is simulated.
    pub law: Option<Py<PyAny>>,
    /// Tables by the names that the request has for them.
    pub tables: HashMap<String, Table>,
}

/// What an operation sees of Python. Workers, which do not hold the interpreter, call it.
pub struct Interpreter {
    given: Given,
    notes: Mutex<Vec<Note>>,
    cancelled: AtomicBool,
    raised: Raised,
    /// How far the work is, from 0 to 1, as bits.
    share: AtomicU64,
    started: Instant,
    /// When the interpreter was asked last, in milliseconds from the start.
    asked: AtomicU64,
}

impl Interpreter {
    /// With what the operation is given.
    pub fn new(given: Given) -> Self {
        Self {
            given,
            notes: Mutex::default(),
            cancelled: AtomicBool::new(false),
            raised: Raised::default(),
            share: AtomicU64::new(0),
            started: Instant::now(),
            asked: AtomicU64::new(0),
        }
    }

    /// Does some work, with warnings for Python at its end; Ctrl-C is heeded within half a second, whatever the work is at.
    ///
    /// The work is done by a thread of its own while this one, which alone hears of signals, waits. Once it is not wanted any
    /// more it ends where it next asks; where that takes too long it is left to itself, and writes nothing. Work that calls a
    /// function of the caller's is done here, as the function may expect.
    pub fn run<T: Send + 'static>(
        self,
        py: Python<'_>,
        work: impl FnOnce(&Self) -> T + Send + 'static,
    ) -> PyResult<(T, Vec<Note>)> {
        let host = Arc::new(self);
        let done = if host.is_inline() {
            py.detach(|| work(&host))
        } else {
            let worker = Arc::clone(&host);
            let thread = thread::Builder::new().name("jourdain".to_owned()).stack_size(STACK);
            let (sender, receiver) = mpsc::sync_channel(1);
            // Nobody listens any more to work that was left to itself.
            let handle = thread.spawn(move || drop(sender.send(work(&worker))))?;
            host.wait(py, receiver)?.unwrap_or_else(|| match handle.join() {
                Ok(()) => panic::resume_unwind(Box::new("the work ended without a result")),
                Err(reason) => panic::resume_unwind(reason),
            })
        };
        let notes = host.finish(py)?;
        Ok((done, notes))
    }

    /// What the worker found; `None` if it broke down.
    fn wait<T: Send>(&self, py: Python<'_>, mut results: Receiver<T>) -> PyResult<Option<T>> {
        let mut told = None;
        loop {
            let found;
            (results, found) = py.detach(move || received(results, PAUSE));
            match found {
                Ok(found) => return Ok(Some(found)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(error) = py.check_signals().and_then(|()| self.tell(py, &mut told)) {
                self.cancelled.store(true, Ordering::Relaxed);
                let (_, last) = py.detach(move || received(results, GRACE));
                if matches!(last, Err(RecvTimeoutError::Timeout)) {
                    // Should the program end before the worker does, what is not complete goes with it.
                    let abandon = py.import("jourdain._jourdain")?.getattr("abandon")?;
                    py.import("atexit")?.call_method1("register", (abandon,))?;
                }
                return Err(error);
            }
        }
    }

    /// Tells how far the work is, unless that was told.
    fn tell(&self, py: Python<'_>, told: &mut Option<u64>) -> PyResult<()> {
        let share = self.share.load(Ordering::Relaxed);
        match &self.given.progress {
            Some(progress) if told.replace(share) != Some(share) => {
                progress.call1(py, (f64::from_bits(share),)).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Whether the work is done by the thread that asked for it.
    fn is_inline(&self) -> bool {
        self.given.law.is_some()
    }

    /// Gives warnings to Python, and the exception that ended the work if one did. Returns all that was noted.
    fn finish(&self, py: Python<'_>) -> PyResult<Vec<Note>> {
        static WARN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        if let Some(error) = self.raised.lock().ok().and_then(|mut raised| raised.take()) {
            return Err(error);
        }
        let notes = self.notes.lock().map(|mut notes| std::mem::take(&mut *notes)).unwrap_or_default();
        let told = self.given.robot.as_ref().map_or(&[][..], |robot| robot.get().notes());
        for note in notes.iter().filter(|note| note.weight == Weight::Warning && !told.contains(note)) {
            // The class is written in Python, and so is the search for the line that the warning is about.
            WARN.import(py, "jourdain._error", "warn")?.call1((&note.text,))?;
        }
        Ok(notes)
    }

    /// Of work that is done inline: asks for signals and tells how far it is, unless that was done a moment ago.
    fn now_and_then(&self) {
        let now = self.started.elapsed().as_millis() as u64;
        let last = self.asked.load(Ordering::Relaxed);
        let is_due = now >= last + PAUSE.as_millis() as u64;
        if !is_due || self.asked.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_err() {
            return;
        }
        if let Err(error) = Python::attach(|py| py.check_signals().and_then(|()| self.tell(py, &mut None))) {
            self.cancelled.store(true, Ordering::Relaxed);
            if let Ok(mut raised) = self.raised.lock() {
                raised.get_or_insert(error);
            }
        }
    }
}

fn received<T>(results: Receiver<T>, most: Duration) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    let found = results.recv_timeout(most);
    (results, found)
}

impl Host for Interpreter {
    fn progress(&self, share: f64) {
        self.share.store(share.clamp(0.0, 1.0).to_bits(), Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        if self.is_inline() {
            self.now_and_then();
        }
        self.cancelled.load(Ordering::Relaxed)
    }

    fn loaded(&self, robot: &resolve::Robot) -> Option<Loaded> {
        self.given.robot.as_ref()?.get().of(robot)
    }

    fn compiled(&self, robot: &resolve::Robot) -> Kept {
        self.given.robot.as_ref().and_then(|own| own.get().compiled(robot)).unwrap_or_default()
    }

    fn law(&self, system: &dyn System) -> Option<Law> {
        let function = self.given.law.as_ref()?;
        Some(Python::attach(|py| law::law(py, function, system, &self.raised)))
    }

    fn table(&self, name: &str) -> Option<&Table> {
        self.given.tables.get(name)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }

    fn note(&self, note: Note) {
        if let Ok(mut notes) = self.notes.lock() {
            notes.push(note);
        }
    }
}
