//! Passes signals that end the client to its agents, which are in groups of their own.
//!
//! One thread of the program receives the signals, whatever runtimes come and go. After a program has asked the system for a
//! signal once, the signal has no default action any more, so the program must handle it from then on.

use std::{
    io::Result,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rustix::process::Signal;
use signal_hook::{
    consts::{SIGHUP, SIGINT, SIGTERM},
    iterator,
    low_level::emulate_default_handler,
};

use super::system::Group;

/// The interval of the checks whether the agents have ended.
const LOOK: Duration = Duration::from_millis(10);

/// The groups that get signals, and the time for each to end.
static LIVE: Mutex<Vec<(Weak<Group>, Duration)>> = Mutex::new(Vec::new());

/// Starts a group with `start`, and passes the signals of this program to the group as long as it lives. There is no moment in
/// which a signal ends this program but leaves the group running.
pub(super) fn forward<T>(grace: Duration, start: impl FnOnce() -> Result<(Arc<Group>, T)>) -> Result<(Arc<Group>, T)> {
    static HEARD: OnceLock<()> = OnceLock::new();
    HEARD.get_or_init(|| {
        if let Err(error) = hear() {
            tracing::warn!(%error, "signals to this program do not reach its agents");
        }
    });
    // A signal waits until the group is among the live ones.
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let started = start()?;
    live.retain(|(group, _)| group.strong_count() > 0);
    live.push((Arc::downgrade(&started.0), grace));
    Ok(started)
}

/// Whether a signal is on its way to the agents, and then ends this program.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Whether this program ends by a signal as soon as its agents have.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}

fn hear() -> Result<()> {
    let ignored = ignored();
    let heard = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let mut signals = iterator::Signals::new(heard)?;
    thread::Builder::new().name("acp-client signals".to_owned()).spawn(move || {
        while let Some(signal) = signals.forever().next() {
            pass_on(signal, &mut signals);
            // If this call succeeds, it does not return.
            if let Err(error) = emulate_default_handler(signal) {
                tracing::error!(%error, signal, "the program goes on in spite of a signal");
            }
        }
    })?;
    Ok(())
}

/// Signals that this program was started to ignore, for example by `nohup`: they stay ignored. One bit each; known on Linux
/// only.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or_default()
}

/// Sends a signal to all agents, and waits until they have ended or their time is over; a second signal ends the wait.
fn pass_on(signal: i32, signals: &mut iterator::Signals) {
    let live: Vec<_> = {
        let live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
        live.iter().filter_map(|(group, grace)| Some((group.upgrade()?, *grace))).collect()
    };
    let began = Instant::now();
    ENDING.store(true, Ordering::Relaxed);
    if let Some(signal) = Signal::from_named_raw(signal) {
        live.iter().for_each(|(group, _)| group.signal(signal));
    }
    while live.iter().any(|(group, grace)| !group.is_over() && began.elapsed() < *grace) {
        if signals.pending().next().is_some() {
            break;
        }
        thread::sleep(LOOK);
    }
    live.iter().for_each(|(group, _)| group.signal(Signal::KILL));
}
