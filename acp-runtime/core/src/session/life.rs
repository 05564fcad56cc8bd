//! How a session began, and how it ended, for the functions that run beyond its calls.

/// How a session was opened: a parameter of [`session_opened`](crate::agent::handlers::session_opened).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum OpenedBy {
    /// By `session/new`.
    New,
    /// By `session/load`. The session may have been active before.
    Loaded,
    /// By `session/resume`. The session may have been active before.
    Resumed,
}

/// How a session ended: a parameter of [`session_ended`](crate::agent::handlers::session_ended).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ended {
    /// The client closed it, with `session/close`.
    Closed,
    /// The client deleted it, with `session/delete`: nothing of it shall be kept.
    Deleted,
    /// The client hung up, or the agent was told to shut down.
    Disconnected,
    /// Another process has asked for it, and goes on with it: the session was idle. Only sessions of a store move.
    HandedOver,
}
