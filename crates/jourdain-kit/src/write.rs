//! The one writer of files: what is there stays until what is new is complete.
//!
//! A file is written under another name in the same folder, brought to the disk and then renamed, so that neither a crash, a full disk
//! nor a second run leaves half of it. Links stay links, the mode of an old file is kept, devices and pipes are written as they
//! are. What is not finished is removed, by [`abandon`] also when a signal ends the program.

use crate::files::Memory;
use crate::host::{Access, Host};
use crate::problem::Problem;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tempfile::TempPath;

/// Bytes written at a time.
const BUFFER: usize = 1 << 18;

/// Links that lead to a file at most; more lead in a circle.
const LINKS: usize = 40;

/// Files under way, for [`abandon`].
static UNDER_WAY: Mutex<UnderWay> = Mutex::new(UnderWay { is_over: false, temporaries: Vec::new() });

struct UnderWay {
    /// True once the program is about to end: nothing is begun any more.
    is_over: bool,
    temporaries: Vec<PathBuf>,
}

fn under_way() -> MutexGuard<'static, UnderWay> {
    UNDER_WAY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file or standard output that is being written. Dropped before [`finish`](Self::finish), a file leaves nothing behind.
pub struct Output<'h> {
    host: &'h dyn Host,
    to: BufWriter<Box<dyn Write + Send>>,
    place: Place,
}

enum Place {
    Standard,
    /// A device or a pipe.
    Special(PathBuf),
    File(Pending),
    /// A file of a host that keeps them in memory.
    Memory {
        path: PathBuf,
        bytes: Buffer,
        memory: Memory,
    },
}

/// Bytes that are written in one place and taken in another.
#[derive(Clone, Default)]
struct Buffer(Arc<Mutex<Vec<u8>>>);

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that does not have its name yet.
struct Pending {
    path: PathBuf,
    file: File,
    /// Its name until it has its own; `None` from then on.
    temporary: Option<TempPath>,
}

impl<'h> Output<'h> {
    /// Opens a file, or standard output without a path.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn new(path: Option<&Path>, host: &'h dyn Host) -> Result<Self, Problem> {
        match path {
            Some(path) => Self::file(path, host).map_err(|error| cannot_write(path, &error)),
            None => {
                let to = host.standard_output().map_err(|error| match error.kind() {
                    io::ErrorKind::Unsupported => Problem::usage(error.to_string()).hint("name a file with --out"),
                    _ => output_problem(&error),
                })?;
                Ok(Self { host, to: BufWriter::with_capacity(BUFFER, to), place: Place::Standard })
            }
        }
    }

    fn file(path: &Path, host: &'h dyn Host) -> io::Result<Self> {
        let asked = path.to_string_lossy();
        let path = PathBuf::from(&*host.permitted(&asked, Access::Write)?);
        if let Some(memory) = host.memory() {
            let bytes = Buffer::default();
            let to: Box<dyn Write + Send> = Box::new(bytes.clone());
            let place = Place::Memory { path, bytes, memory: memory.clone() };
            return Ok(Self { host, to: BufWriter::with_capacity(BUFFER, to), place });
        }
        // A link stays a link: what it points to is replaced.
        let path = meant(&path);
        let old = fs::metadata(&path).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let to: Box<dyn Write + Send> = Box::new(File::options().write(true).open(&path)?);
            return Ok(Self { host, to: BufWriter::with_capacity(BUFFER, to), place: Place::Special(path) });
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
        let folder = folder_of(&path);
        let prefix = format!(".{name}.");
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".partial");
        #[cfg(unix)]
        {
            // As any new file, less what the user's mask takes away.
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, temporary) = {
            // Whoever ends the program waits until the file is known, or has it not made at all.
            let mut under_way = under_way();
            if under_way.is_over {
                return Err(io::Error::from(io::ErrorKind::Interrupted));
            }
            let (file, temporary) = builder.tempfile_in(folder)?.into_parts();
            under_way.temporaries.push(temporary.to_path_buf());
            (file, temporary)
        };
        let pending = Pending { path, file, temporary: Some(temporary) };
        if let Some(old) = old {
            // The mask takes nothing away from what was there before.
            pending.file.set_permissions(old.permissions())?;
        }
        let to: Box<dyn Write + Send> = Box::new(pending.file.try_clone()?);
        Ok(Self { host, to: BufWriter::with_capacity(BUFFER, to), place: Place::File(pending) })
    }

    /// Brings all of it to its place; only now has a file its name.
    ///
    /// # Errors
    /// It could not be written; the old file is still there.
    pub fn finish(mut self) -> Result<(), Problem> {
        self.complete()
    }

    /// The same for one that cannot be taken out of where it is; nothing may be written to it any more.
    pub(crate) fn complete(&mut self) -> Result<(), Problem> {
        let flushed = self.check().and_then(|()| self.to.flush());
        let completed = flushed.and_then(|()| match &mut self.place {
            Place::Standard | Place::Special(_) => Ok(()),
            Place::File(pending) => pending.commit(),
            Place::Memory { path, bytes, memory } => {
                let bytes = std::mem::take(&mut *bytes.0.lock().unwrap_or_else(PoisonError::into_inner));
                memory.put(&path.to_string_lossy(), bytes);
                Ok(())
            }
        });
        completed.map_err(|error| self.problem(&error))
    }

    /// What nobody wants any more is not written; why is told by whoever carries out the operation.
    fn check(&self) -> io::Result<()> {
        if self.host.is_cancelled() { Err(io::Error::other("stopped before the end, as asked")) } else { Ok(()) }
    }

    /// What is wrong if writing to it fails.
    #[must_use]
    pub fn problem(&self, error: &io::Error) -> Problem {
        match &self.place {
            Place::Standard => output_problem(error),
            Place::Special(path) | Place::File(Pending { path, .. }) | Place::Memory { path, .. } => {
                cannot_write(path, error)
            }
        }
    }
}

impl Write for Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Pending {
    fn commit(&mut self) -> io::Result<()> {
        self.file.sync_all()?;
        if let Some(temporary) = self.temporary.take() {
            let name = temporary.to_path_buf();
            let persisted = temporary.persist(&self.path).map_err(|error| error.error);
            forget(&name);
            persisted?;
        }
        // The new name, too, is to survive a loss of power; not every system can be asked for it.
        drop(File::open(folder_of(&self.path)).and_then(|folder| folder.sync_all()));
        Ok(())
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        if let Some(temporary) = self.temporary.take() {
            // Removed first: a signal in between would leave what is forgotten already.
            let name = temporary.to_path_buf();
            drop(temporary);
            forget(&name);
        }
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

fn forget(temporary: &Path) {
    under_way().temporaries.retain(|other| other != temporary);
}

/// The path of the file that is meant, in full, with links followed, also to a file that is not there yet.
pub(crate) fn meant(path: &Path) -> PathBuf {
    if let Ok(path) = path.canonicalize() {
        return path;
    }
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(to) = fs::read_link(&path) else { break };
        path = folder_of(&path).join(to);
    }
    match (folder_of(&path).canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path,
    }
}

/// Removes all files that are not complete, and lets none be begun: for a program that is about to end in the middle.
pub fn abandon() {
    let mut under_way = under_way();
    under_way.is_over = true;
    for temporary in under_way.temporaries.drain(..) {
        drop(fs::remove_file(temporary));
    }
}

/// Writes a whole text to a file.
///
/// # Errors
/// It could not be written; an old file is still there.
pub fn text(path: &Path, text: &str, host: &dyn Host) -> Result<(), Problem> {
    bytes(path, text.as_bytes(), host)
}

/// Writes the whole contents of a file.
///
/// # Errors
/// It could not be written; an old file is still there.
pub fn bytes(path: &Path, bytes: &[u8], host: &dyn Host) -> Result<(), Problem> {
    let mut output = Output::new(Some(path), host)?;
    output.write_all(bytes).map_err(|error| output.problem(&error))?;
    output.finish()
}

/// Makes a folder with all that it stands in, unless it is there.
///
/// # Errors
/// It cannot be made.
pub fn folder(path: &Path, host: &dyn Host) -> Result<(), Problem> {
    // Folders in memory are there with the first file in them.
    let make = |path: &str| if host.memory().is_some() { Ok(()) } else { fs::create_dir_all(path) };
    let made = host.permitted(&path.to_string_lossy(), Access::Write).and_then(|path| make(&path));
    made.map_err(|error| {
        let message = format!("cannot make the folder: {error}");
        Problem::new("cannot-write", message).file(path.display().to_string())
    })
}

fn cannot_write(path: &Path, error: &io::Error) -> Problem {
    Problem::new("cannot-write", format!("cannot write the file: {error}")).file(path.display().to_string())
}

/// A closed pipe (`jourdain … | head`) ends a command without a word.
#[must_use]
pub fn output_problem(error: &io::Error) -> Problem {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Problem::gone()
    } else {
        Problem::new("cannot-write", format!("cannot write to standard output: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::Files;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn an_old_file_stays_until_the_new_one_is_complete() {
        let folder = folder();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let mut output = Output::new(Some(&path), &Files).unwrap();
        output.write_all(b"new").unwrap();
        output.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        output.finish().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn what_is_not_finished_leaves_nothing_behind() {
        let folder = folder();
        let path = folder.path().join("out.csv");
        drop(Output::new(Some(&path), &Files).unwrap());
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_panic_in_the_middle_leaves_nothing_behind() {
        let folder = folder();
        let path = folder.path().join("out.csv");
        let broken = crate::panics::caught::<()>(|| {
            let mut output = Output::new(Some(&path), &Files).unwrap();
            output.write_all(b"half").unwrap();
            output.flush().unwrap();
            assert_eq!(names(folder.path()).len(), 1);
            panic!("in the middle");
        });
        assert!(broken.is_err() && names(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_modes_are_kept_and_a_folder_is_no_file() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = folder();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink(&file, &link).unwrap();
        text(&link, "new", &Files).unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(text(folder.path(), "", &Files).unwrap_err().kind(), "cannot-write");
    }

    #[cfg(unix)]
    #[test]
    fn the_mask_takes_nothing_from_an_old_mode_and_a_link_to_nothing_stays_a_link() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = folder();
        let (file, link, new) = (folder.path().join("file"), folder.path().join("link"), folder.path().join("new"));
        fs::write(&file, "old").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        text(&file, "new", &Files).unwrap();
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o666);
        symlink("new", &link).unwrap();
        text(&link, "new", &Files).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&new).unwrap(), "new");
    }
}
