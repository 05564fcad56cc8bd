//! Finds the kind of a descriptor, and the calls for it that other processes do not notice. The flag for non-blocking
//! calls belongs to the open file. If a wrapper shell or a sibling shares the open file, the flag would make it fail.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// The calls that do not block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// `read` and `write`: the open file is not shared, and does not block.
    File,
    /// The open file may be shared and may block: `read` when there is input, and `send` with a flag against blocking.
    Socket,
}

#[derive(Debug)]
pub(super) enum Kind {
    Ready(OwnedFd, Calls),
    Blocking(OwnedFd),
}

pub(super) fn classify(fd: OwnedFd, direction: Direction) -> Kind {
    let file = File::from(fd);
    let file_type = file.metadata().map(|metadata| metadata.file_type());
    let fd = OwnedFd::from(file);
    match file_type {
        Ok(file_type) if file_type.is_socket() => Kind::Ready(fd, Calls::Socket),
        Ok(file_type) if file_type.is_fifo() => match reopened(&fd, direction) {
            Some(own) => Kind::Ready(own, Calls::File),
            None => Kind::Blocking(fd),
        },
        _ => Kind::Blocking(fd),
    }
}

/// Opens the same pipe again, as an open file that is not shared. Linux opens it by the name of the descriptor. `None`
/// if there is no `/proc`, if the pipe belongs to another user, or if the pipe's other end is gone.
fn reopened(fd: &OwnedFd, direction: Direction) -> Option<OwnedFd> {
    let name = format!("/proc/self/fd/{}", fd.as_raw_fd());
    // A FIFO with a name may have no writer any more. If a reader opens it then, the FIFO does not report the end of
    // input.
    let target = std::fs::read_link(&name).ok()?;
    if !target.as_os_str().as_encoded_bytes().starts_with(b"pipe:[") {
        return None;
    }
    let mut options = OpenOptions::new();
    options.read(direction == Direction::In).write(direction == Direction::Out);
    options.custom_flags(libc::O_NONBLOCK).open(name).ok().map(OwnedFd::from)
}
