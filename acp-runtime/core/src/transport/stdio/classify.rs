//! The kind of a descriptor, and how to use it without a change that others would see. The flag for non-blocking calls
//! belongs to the open file. A wrapper shell or a sibling may share the open file, and would fail with the flag.

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
    /// `read` and `write`: the open file is ours alone, and non-blocking.
    File,
    /// The open file may be shared, and may block: `read` once there is input, and `send` with a flag against blocking.
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

/// The same pipe as an open file of our own. Linux opens it by the name of the descriptor. `None` if there is no
/// `/proc`, the pipe belongs to another user, or its other end is gone.
fn reopened(fd: &OwnedFd, direction: Direction) -> Option<OwnedFd> {
    let name = format!("/proc/self/fd/{}", fd.as_raw_fd());
    // A FIFO with a name reports no end of input to a reader that opened it after the last writer had left.
    let target = std::fs::read_link(&name).ok()?;
    if !target.as_os_str().as_encoded_bytes().starts_with(b"pipe:[") {
        return None;
    }
    let mut options = OpenOptions::new();
    options.read(direction == Direction::In).write(direction == Direction::Out);
    options.custom_flags(libc::O_NONBLOCK).open(name).ok().map(OwnedFd::from)
}
