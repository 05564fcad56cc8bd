//! The goals: one for each line of the printed table.

/// The figure that ours is compared with.
#[derive(Clone, Copy, PartialEq)]
pub enum Against {
    /// The same figure of the official SDK. The goal is for the ratio.
    Official,
    /// No other figure. The goal is for the figure itself.
    Nothing,
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
    /// A figure that explains others.
    None,
}

pub struct Goal {
    /// The cases that have the figure, over HTTP/2 and over HTTP/1.1.
    pub case: &'static str,
    pub figure: &'static str,
    pub title: &'static str,
    pub against: Against,
    pub bound: Bound,
}

use Against::{Nothing, Official};
use Bound::{AtLeast, AtMost};

const fn goal(case: &'static str, figure: &'static str, title: &'static str, against: Against, bound: Bound) -> Goal {
    Goal { case, figure, title, against, bound }
}

const THIRD: Bound = AtMost(0.333);

pub const GOALS: &[Goal] = &[
    goal("sessions", "rest", "a session without a stream: bytes", Official, THIRD),
    goal("sessions", "open", "a session with its stream: bytes", Official, THIRD),
    goal("sessions", "used", "the same, after options were set: bytes", Official, THIRD),
    goal("sessions", "p50", "an option is set, one at a time: p50, µs", Official, Bound::None),
    goal("sessions", "p99", "the same: p99, µs", Official, Bound::None),
    goal("sessions", "rate", "options are set, 64 at once: per second", Official, AtLeast(3.0)),
    goal("sessions", "cpu", "the same: CPU each, µs", Official, THIRD),
    goal("stream", "rate", "sessions stream: updates per second", Official, AtLeast(3.0)),
    goal("stream", "cpu", "the same: CPU each, µs", Official, THIRD),
    goal("stream", "busy", "the same: share of its core that the server takes", Official, Bound::None),
    goal("stream", "peak", "the same: peak, MiB", Official, THIRD),
    goal("stream", "grown", "the same: growth of the memory, MiB", Official, Bound::None),
    goal("stream", "sets", "options that are set meanwhile, 16 at once: per second", Official, Bound::None),
    goal("stream", "p50", "the same: p50, ms", Official, Bound::None),
    goal("stream", "p99", "the same: p99, ms", Official, THIRD),
    goal("stalled", "p99 alone", "options are set while others stream: p99, µs", Nothing, Bound::None),
    goal("stalled", "p99 filling", "the same, while readers stop: p99, µs", Nothing, Bound::None),
    goal("stalled", "p99", "the same, beside readers that have stopped: p99, µs", Nothing, Bound::None),
    goal("stalled", "ratio", "the same, divided by that without them", Nothing, AtMost(1.5)),
    goal("stalled", "p50", "the same: p50, µs", Nothing, Bound::None),
    goal("stalled", "each", "memory for each reader that has stopped, KiB", Official, Bound::None),
    goal("reconnects", "connections", "clients came and went: connections that are left", Nothing, AtMost(0.0)),
    goal("reconnects", "sessions", "sessions that are left", Nothing, AtMost(0.0)),
    goal("reconnects", "tasks", "tasks that are left", Nothing, AtMost(0.0)),
    goal("reconnects", "resident", "memory afterwards, MiB", Official, Bound::None),
    goal(
        "reconnects",
        "ratio",
        "memory after the fourth time, divided by that after the second",
        Nothing,
        AtMost(1.05),
    ),
];

impl Bound {
    pub fn holds(self, value: f64) -> Option<bool> {
        match self {
            AtMost(bound) => Some(value <= bound),
            AtLeast(bound) => Some(value >= bound),
            Self::None => None,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AtMost(bound) => write!(f, "≤ {bound}"),
            AtLeast(bound) => write!(f, "≥ {bound}"),
            Self::None => Ok(()),
        }
    }
}
