//! Puts the generator and the agents on one core. Across cores, waking the other process takes longer than the measured
//! work.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Pins this process, and so also the agents that it starts. Returns the core, or the reason why pinning failed.
pub fn pin(core: Option<usize>) -> String {
    let outcome = sched_getaffinity(None).and_then(|allowed| {
        let core = core.or_else(|| (0..CpuSet::MAX_CPU).rev().find(|core| allowed.is_set(*core)));
        let core = core.ok_or(rustix::io::Errno::INVAL)?;
        let mut one = CpuSet::new();
        one.set(core);
        sched_setaffinity(None, &one)?;
        Ok(core)
    });
    match outcome {
        Ok(core) => format!("pinned to core {core}"),
        Err(error) => format!("NOT PINNED ({error}): the wake-up across cores hides much of the difference"),
    }
}
