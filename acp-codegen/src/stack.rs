//! Work on a stack of known size. The limits on nesting are worth something only against a stack that is there, and what
//! calls the generator may have little left of its own.

use std::panic::resume_unwind;
use std::{io, thread};

/// In bytes. A debug build needs 2 MB for what is nested as deep as the limits let it; untouched memory costs nothing.
const SIZE: usize = 16 * 1024 * 1024;

/// Runs `work` on a thread of its own, and waits for it.
///
/// # Errors
///
/// When the system has no thread left.
pub(crate) fn with<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().name("acp-codegen".to_owned()).stack_size(SIZE).spawn_scoped(scope, work)?;
        thread.join().or_else(|panic| resume_unwind(panic))
    })
}
