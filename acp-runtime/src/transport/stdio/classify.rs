//! What a descriptor is, and how it can be used without changing it for others: the flag for non-blocking calls belongs
//! to the open file, which a wrapper shell or a sibling may share, and would fail with it.

use std::os::fd::{AsRawFd, OwnedFd};

use rustix::fs::{FileType, Mode, OFlags};

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
    /// `recv` and `send`, which can be told not to block one call at a time.
    Socket,
}

#[derive(Debug)]
pub(super) enum Kind {
    Ready(OwnedFd, Calls),
    Blocking(OwnedFd),
}

pub(super) fn classify(fd: OwnedFd, direction: Direction) -> Kind {
    match rustix::fs::fstat(&fd).map(|stat| FileType::from_raw_mode(stat.st_mode)) {
        Ok(FileType::Socket) => Kind::Ready(fd, Calls::Socket),
        Ok(FileType::Fifo) => match reopened(&fd, direction) {
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
    let access = match direction {
        Direction::In => OFlags::RDONLY,
        Direction::Out => OFlags::WRONLY,
    };
    rustix::fs::open(name, access | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).ok()
}
