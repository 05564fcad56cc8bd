//! One core for the server, and one for the load.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::Result;

#[derive(Clone, Copy, Debug)]
pub struct Cores {
    server: usize,
    load: usize,
}

impl Cores {
    /// The first core and the last one of those that this process may use. This process stays on the last one.
    pub fn choose() -> Result<Self> {
        let allowed = sched_getaffinity(None)?;
        let mut cores = (0..CpuSet::MAX_CPU).filter(|core| allowed.is_set(*core));
        let (server, load) = (cores.next(), cores.next_back());
        let (Some(server), Some(load)) = (server, load) else {
            return Err("the bench needs two cores: one for the server, and one for the load".into());
        };
        stay_on(load)?;
        Ok(Self { server, load })
    }

    /// Processes that begin meanwhile stay on the core of the server.
    pub fn of_server<T>(self, start: impl FnOnce() -> T) -> Result<T> {
        stay_on(self.server)?;
        let started = start();
        stay_on(self.load)?;
        Ok(started)
    }
}

fn stay_on(core: usize) -> Result<()> {
    let mut one = CpuSet::new();
    one.set(core);
    Ok(sched_setaffinity(None, &one)?)
}
