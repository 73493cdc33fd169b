//! Executable memory: written first, then made executable and never writable again.

use memmap2::{Mmap, MmapMut};
use std::io;

/// Machine code that can be called.
#[derive(Debug)]
pub(super) struct Executable {
    code: Mmap,
}

impl Executable {
    /// Copies the code into pages of its own.
    ///
    /// # Errors
    /// A system that gives no executable memory.
    pub(super) fn new(code: &[u8]) -> io::Result<Self> {
        let mut pages = MmapMut::map_anon(code.len())?;
        pages.copy_from_slice(code);
        Ok(Self { code: pages.make_exec()? })
    }

    /// Where the code begins.
    pub(super) fn start(&self) -> *const u8 {
        self.code.as_ptr()
    }
}
