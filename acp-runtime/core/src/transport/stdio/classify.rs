//! What a descriptor is, and how it can be used without changing it for others: the flag for non-blocking calls belongs
//! to the open file, which a wrapper shell or a sibling may share, and would fail with it.

use std::fs::{File, OpenOptions};
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// Which calls do not block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Calls {
    /// `read` and `write`: the open file is ours alone, and non-blocking.
    File,
    /// The open file may be shared, and block: `read` once there is something, and `send`, which can be told not to.
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

/// The same pipe as an open file of our own. Linux gives one by the name of the descriptor; where there is no `/proc`,
/// or the pipe belongs to another user, or its other end is gone, there is none.
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
