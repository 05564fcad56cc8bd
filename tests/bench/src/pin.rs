//! One core for the generator and the agents: across cores, waking the other side takes longer than the measured work.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// Pins this process, and so the agents that it starts. Prints the core, or that pinning failed.
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
