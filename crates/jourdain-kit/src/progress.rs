//! How far something is, told to the host, and whether it is to go on.

use crate::host::Host;
use std::io::{self, Read};

/// A source whose progress is told, if its length is known, and that fails once the host no longer wants it.
pub struct Watched<'a, R> {
    source: R,
    read: u64,
    length: Option<u64>,
    host: &'a dyn Host,
}

impl<'a, R> Watched<'a, R> {
    /// A source of so many bytes.
    pub fn new(source: R, length: Option<u64>, host: &'a dyn Host) -> Self {
        Self { source, read: 0, length, host }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.host.is_cancelled() {
            return Err(io::Error::other("stopped before the end, as asked"));
        }
        let count = self.source.read(buffer)?;
        self.read += count as u64;
        if let Some(length) = self.length.filter(|length| *length > 0) {
            self.host.progress(self.read as f64 / length as f64);
        }
        Ok(count)
    }
}
