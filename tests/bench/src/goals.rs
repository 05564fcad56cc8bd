//! The goals: one for each line of the printed table.

use crate::agents::Name;

/// The figure that ours is compared with.
#[derive(Clone, Copy)]
pub enum Against {
    /// The same figure of a rival. The goal is for the ratio.
    Rival(Name),
    /// The same figure of a rival. The goal is for the difference.
    More(Name),
    /// Another figure of the same agent. The goal is for the ratio.
    Bare(&'static str),
    /// No other figure. The goal is for the figure itself.
    Nothing,
}

#[derive(Clone, Copy)]
pub enum Bound {
    AtMost(f64),
    AtLeast(f64),
}

pub struct Goal {
    /// The agent that has the goal.
    pub of: Name,
    pub case: &'static str,
    pub figure: &'static str,
    pub title: &'static str,
    pub against: Against,
    pub bound: Bound,
}

use Against::{Bare, More, Nothing, Rival};
use Bound::{AtLeast, AtMost};
use Name::{Durable, Fast, Folder, Memory, Official, Ours, Plain, Threads};

const fn goal(case: &'static str, figure: &'static str, title: &'static str, against: Against, bound: Bound) -> Goal {
    Goal { of: Ours, case, figure, title, against, bound }
}

const fn of(of: Name, goal: Goal) -> Goal {
    Goal { of, ..goal }
}

pub const GOALS: &[Goal] = &[
    goal("sequential", "p50", "set an option, one at a time: p50, µs", Rival(Official), AtMost(0.18)),
    goal("sequential", "cpu", "the same: CPU each, µs", Rival(Official), AtMost(0.10)),
    goal("sequential", "p50", "the same, against threads: p50, µs", Rival(Threads), AtMost(0.3)),
    goal("pipelined", "rate", "the same, 64 at once: per second", Rival(Official), AtLeast(9.0)),
    goal("pipelined", "rate", "the same, against threads", Rival(Threads), AtLeast(4.0)),
    goal("stream", "rate", "100,000 updates of 100 bytes: per second", Rival(Official), AtLeast(20.0)),
    goal("stream", "cpu", "the same: CPU each, µs", Rival(Official), AtMost(0.04)),
    goal("stream", "rate", "the same, against threads: per second", Rival(Threads), AtLeast(5.0)),
    goal("yield", "rate", "the same, a yield after each: per second", Rival(Official), AtLeast(12.0)),
    goal("yield", "cpu", "the same: CPU each, µs", Rival(Official), AtMost(0.06)),
    goal("stall", "peak", "nobody reads a stream for 3 s: peak, MiB", Nothing, AtMost(6.0)),
    goal("flood", "grown", "requests for 2 s, no answer read: growth, MiB", Nothing, AtMost(12.0)),
    goal("sessions", "bytes", "10,000 sessions: bytes each", Rival(Official), AtMost(0.8)),
    goal(
        "sessions",
        "slowdown",
        "p99 of setting an option among them, divided by p99 with one session",
        Nothing,
        AtMost(1.2),
    ),
    goal("prompt", "grown", "a prompt of 10 MiB: peak growth, MiB", Rival(Official), AtMost(0.5)),
    goal("prompt", "after", "memory afterwards, MiB", Nothing, AtMost(6.0)),
    goal("image", "cpu", "a picture of 10 MiB in a prompt: CPU, ms", Rival(Official), AtMost(0.7)),
    goal("image", "grown", "the same: peak growth, MiB", Rival(Official), AtMost(0.5)),
    goal("numbers", "params", "10 MB of numbers in an unknown field of the params: peak, MiB", Nothing, AtMost(20.0)),
    goal("numbers", "meta", "the same in `_meta`", Nothing, AtMost(20.0)),
    goal("numbers", "envelope", "the same in the envelope", Nothing, AtMost(20.0)),
    goal("startup", "ms", "start to first answer, ms", Rival(Official), AtMost(0.9)),
    goal("history", "first", "33,000 messages are loaded: the first one, ms", Nothing, AtMost(20.0)),
    goal("history", "first", "the same, against a file of JSON: ms", Rival(Folder), AtMost(0.5)),
    goal("history", "ms", "all of them, ms", Rival(Folder), AtMost(3.0)),
    goal("history", "ratio", "the time, divided by that of half of them", Nothing, AtMost(2.1)),
    goal("history", "grown", "growth of the peak, MiB", Nothing, AtMost(20.0)),
    goal("client", "rate", "a client reads 100,000 updates: per second", Rival(Official), AtLeast(6.0)),
    goal("client", "cpu", "the same: CPU each, µs", Rival(Official), AtMost(0.2)),
    goal("client-slow", "peak", "a client takes one per millisecond: peak, MiB", Nothing, AtMost(16.0)),
    goal(
        "client-awaited",
        "peak",
        "the same, while the client waits for an answer behind the updates: peak, MiB",
        Nothing,
        AtMost(96.0),
    ),
    goal("client-size", "kB", "stripped client, kB", Rival(Official), AtMost(0.75)),
    goal("size", "kB", "stripped program, kB", Rival(Official), AtMost(0.65)),
];

/// The goals of an agent with a store. A title names the store that has the goal, and holds for the rows below it.
pub const STORES: &[Goal] = &[
    of(Durable, goal("store-set", "p50", "durable: an option is set: p50, µs", Bare("bare p50"), AtMost(1.3))),
    of(Durable, goal("store-set", "cpu", "the same: CPU each, µs", Bare("bare cpu"), AtMost(1.3))),
    of(Fast, goal("store-set", "p50", "fast: an option is set: p50, µs", Bare("bare p50"), AtMost(2.5))),
    of(Fast, goal("store-set", "cpu", "the same: CPU each, µs", Bare("bare cpu"), AtMost(2.5))),
    of(Durable, goal("store-new", "p50", "durable: a session begins: p50, µs", Bare("bare p50"), AtMost(2.5))),
    of(Durable, goal("store-new", "cpu", "the same: CPU each, µs", Bare("bare cpu"), AtMost(2.5))),
    of(Fast, goal("store-start", "ms", "fast: start to first answer, ms", Rival(Plain), AtMost(1.6))),
    of(
        Memory,
        goal("store-rest", "bytes", "in memory: 10,000 sessions at rest: bytes each", More(Plain), AtMost(1000.0)),
    ),
    of(Fast, goal("store-rest", "bytes", "fast: 10,000 sessions at rest: bytes each", More(Plain), AtMost(1000.0))),
    of(Fast, goal("store-turn", "grown", "fast: a turn of 100,000 updates: peak growth, MiB", Nothing, AtMost(10.0))),
    of(Fast, goal("store-turn", "stays", "memory that stays of it, MiB", Nothing, AtMost(5.0))),
    of(
        Fast,
        goal(
            "store-prompt",
            "times",
            "fast: a prompt of 30 MB: peak growth, divided by its size",
            Nothing,
            AtMost(3.0),
        ),
    ),
    of(Fast, goal("store-prompt", "stays", "memory that stays of it, MiB", Nothing, AtMost(5.0))),
];

impl Bound {
    pub fn holds(self, value: f64) -> bool {
        match self {
            AtMost(bound) => value <= bound,
            AtLeast(bound) => value >= bound,
        }
    }
}

impl std::fmt::Display for Bound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AtMost(bound) => write!(f, "≤ {bound}"),
            AtLeast(bound) => write!(f, "≥ {bound}"),
        }
    }
}
