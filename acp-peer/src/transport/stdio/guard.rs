//! Takes standard input and output away from the other code of the process, and from its children.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;

/// The lowest number for the moved descriptors. It is above the three standard numbers.
const FIRST: i32 = 3;

/// Returns the descriptors of standard input and output. From now on, standard input is empty, and standard output goes
/// to standard error.
pub(super) fn take() -> io::Result<(OwnedFd, OwnedFd)> {
    super::only_once()?;
    let input = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdin(), FIRST)?;
    let output = rustix::io::fcntl_dupfd_cloexec(rustix::stdio::stdout(), FIRST)?;
    let null = File::open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(rustix::stdio::stderr())?;
    Ok((input, output))
}
