//! The answer of the handler `steer`.

/// The answer of the handler `steer`: what becomes of a prompt that arrived during a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Steered {
    /// The running turn has taken the prompt in. The prompt is answered with the turn's own end, directly behind it: with the
    /// same stop reason, or with its error. If the turn has ended before, it is answered with that end at once.
    Joined,
    /// The prompt waits, and becomes a turn of its own. So do the prompts that arrive behind it while it waits: none overtakes it.
    Queued,
}
