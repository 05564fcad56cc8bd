//! Passes the signals that end this program on to its agents. The agents are in groups of their own, so they do not get
//! the signals directly.
//!
//! One thread receives the signals, independently of the program's runtimes. Once a program has asked the system for a
//! signal, the signal has no default action any more. So the program must handle this signal from then on.

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

/// The groups that get signals, and the grace of each.
static LIVE: Mutex<Vec<(Weak<Group>, Duration)>> = Mutex::new(Vec::new());

/// Starts a group with `start`. While the group lives, it gets the signals that this program hears. At no moment can such
/// a signal end this program and leave the group running.
pub(super) fn join<T>(grace: Duration, start: impl FnOnce() -> Result<(Arc<Group>, T)>) -> Result<(Arc<Group>, T)> {
    // This lock makes a signal wait until the new group is in the list.
    let mut live = LIVE.lock().unwrap_or_else(PoisonError::into_inner);
    let started = start()?;
    live.retain(|(group, _)| group.strong_count() > 0);
    live.push((Arc::downgrade(&started.0), grace));
    Ok(started)
}

/// Hears the signals that end this program, from here on.
pub(super) fn hear() {
    static HEARD: OnceLock<()> = OnceLock::new();
    HEARD.get_or_init(|| {
        if let Err(error) = try_hear() {
            tracing::warn!(%error, "signals to this program do not reach its agents");
        }
    });
}

/// Whether a signal was passed on to the agents and will end this program.
static ENDING: AtomicBool = AtomicBool::new(false);

/// Whether this program ends by a signal when its agents have ended.
pub(super) fn is_ending() -> bool {
    ENDING.load(Ordering::Relaxed)
}

fn try_hear() -> Result<()> {
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

/// Signals that were ignored when this program was started, for example by `nohup`. They stay ignored. There is one bit
/// for each signal; on systems other than Linux, no bit is set.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let bits = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    bits.and_then(|bits| u64::from_str_radix(bits.trim(), 16).ok()).unwrap_or_default()
}

/// Sends a signal to all agents. Waits until they have ended or their grace is over; a second signal ends the wait.
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
