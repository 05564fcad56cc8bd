//! Runs work on a stack of known size. The limits on nesting only help if the stack is large enough, and the caller's
//! own stack may be nearly full.

use std::panic::resume_unwind;
use std::{io, thread};

/// The size in bytes. A debug build needs 2 MB for the deepest nesting that the limits allow. Unused memory costs
/// nothing.
const SIZE: usize = 16 * 1024 * 1024;

/// Runs `work` on a thread of its own, and waits for it.
///
/// # Errors
///
/// The system cannot start a thread.
pub(crate) fn with<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread =
            thread::Builder::new().name("acp-codegen".to_owned()).stack_size(SIZE).spawn_scoped(scope, work)?;
        thread.join().or_else(|panic| resume_unwind(panic))
    })
}
