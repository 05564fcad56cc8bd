//! The end of a process, as errors and callers learn of it.

use std::process::ExitStatus;

/// The end of an agent's process.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Exit {
    /// The system's exit status.
    pub status: ExitStatus,
    /// True if the process went on after its input was closed, and so was told to end or killed.
    pub forced: bool,
    /// Whether processes that the agent had started were still running at its end. They are told to end, and are killed
    /// after [`grace`](crate::ConnectOptions). This is known on Linux only; other systems kill such processes at once.
    /// A process that has left the agent's process group, as daemons do, is neither seen nor ended.
    pub orphans: bool,
}
