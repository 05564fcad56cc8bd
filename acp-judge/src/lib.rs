//! The judge: compares the messages of a connection with the rules of the protocol.
//!
//! The judge reads only messages, so it judges agents and clients of any kind: an agent in memory, a process, a
//! recording. A [`Tape`] has the messages; a [`Recorder`] writes one while they pass through a byte stream, and
//! [`Tape::from_jsonl`] reads one from a file. Each rule of [`RULES`] has a name, a sentence and a place in the protocol.
//! [`judge`] reports the broken rules, with the party and the place; [`replay`] judges a file while it is read. A rule
//! binds one or both versions of the protocol ([`Rule::places`]), and a tape is judged by the version that its
//! `initialize` negotiated. The messages may not show whether a rule was kept: for example, whether a turn ended before
//! its cancellation arrived. Then the judge reports nothing; [`Review::unproven`] has it.
//!
//! ```
//! use acp_judge::{Party, Tape, judge};
//!
//! let mut tape = Tape::new();
//! tape.say(Party::Agent, "Starting up..");
//! let findings = judge(&tape);
//! assert_eq!(findings[0].rule.id, "message-lines");
//! assert!(findings[0].rule.place.ends_with("transports#stdio"));
//! ```
//!
//! [`conversation`] shows a tape as a text that is the same in each run, and [`assert_golden`] compares it with a file. The
//! testing kit of `acp-client` (`acp_client::testing`) uses all of this for tests of agents.

mod aligned;
mod conversation;
mod golden;
mod in_order;
mod judge;
mod long_lines;
mod tape;
mod value;

pub use self::{
    conversation::{Names, conversation},
    golden::{assert_golden, assert_same, difference},
    judge::{
        Departures, Finding, Level, RULES, ReplayError, Replayed, Review, Rule, Unjudged, agrees_blindly, is_waiting,
        judge, judge_with, replay, review, rule,
    },
    tape::{Entry, Party, Recorded, Recorder, Tape},
};
