//! Where a sheet goes: standard output, or a file that has its name only once it is complete.

use crate::failure::Failure;
use crate::output;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// What is written to.
pub(super) enum Target {
    File(BufWriter<File>),
    Stdout(BufWriter<io::Stdout>),
}

impl Target {
    /// A new file beside `path`, or standard output, and what makes it final.
    pub fn new(path: Option<&Path>) -> Result<(Self, Pending), Failure> {
        let Some(path) = path else {
            let pending = Pending { path: None, temporary: None };
            return Ok((Self::Stdout(BufWriter::with_capacity(BUFFER, io::stdout())), pending));
        };
        // A link stays a link; devices and pipes are written to as they are.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let special = path.metadata().is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = (!special).then(|| path.with_file_name(format!(".{name}.{}.partial", std::process::id())));
        let opened = match &temporary {
            _ if path.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
            Some(temporary) => File::create(temporary),
            None => File::options().write(true).open(&path),
        };
        let pending = Pending { path: Some(path), temporary };
        let file = opened.map_err(|error| pending.failure(&error))?;
        Ok((Self::File(BufWriter::with_capacity(BUFFER, file)), pending))
    }
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Stdout(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Stdout(stdout) => stdout.flush(),
        }
    }
}

/// A file that is not yet complete; removed unless it comes to be.
pub(super) struct Pending {
    path: Option<PathBuf>,
    temporary: Option<PathBuf>,
}

impl Pending {
    /// Gives the file its name.
    pub fn commit(mut self) -> Result<(), Failure> {
        if let (Some(path), Some(temporary)) = (&self.path, self.temporary.take()) {
            std::fs::rename(&temporary, path).map_err(|error| {
                drop(std::fs::remove_file(&temporary));
                self.failure(&error)
            })?;
        }
        Ok(())
    }

    pub fn failure(&self, error: &io::Error) -> Failure {
        match &self.path {
            None => output::output_failure(error),
            Some(path) => Failure::new("cannot-write", format!("cannot write the results: {error}"))
                .file(path.display().to_string()),
        }
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            drop(std::fs::remove_file(temporary));
        }
    }
}
