//! A descriptor for a thread that blocks on it. The descriptor may have any flags.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, poll};

/// Waits until the descriptor is ready. Another process that shares the open file may have made it non-blocking, as
/// some processes do with terminals.
pub(super) struct Waiting {
    file: File,
}

impl Waiting {
    pub(super) fn new(fd: OwnedFd) -> Self {
        Self { file: fd.into() }
    }

    fn blocking<T>(&self, flags: PollFlags, mut call: impl FnMut(&File) -> io::Result<T>) -> io::Result<T> {
        loop {
            match call(&self.file) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    poll(&mut [PollFd::new(&self.file, flags)], None)?;
                }
                outcome => return outcome,
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.blocking(PollFlags::IN, |mut file| file.read(bytes))
    }
}

impl Write for Waiting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.blocking(PollFlags::OUT, |mut file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
