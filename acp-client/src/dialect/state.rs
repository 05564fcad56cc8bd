//! The state of a session in version 2: what the agent works on in the foreground, and what goes on in the background.

use acp_peer::wire::decode::from_json;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::values::{StopReason, TerminalId, ToolCallId};

/// What the agent works on: an update of the kind `state_update`.
/// Only with the feature `v2`.
///
/// A state is a snapshot. One that repeats the state before may tell of other background work, or answer a resume.
///
/// ```
/// use acp_client::{SessionState, Update};
///
/// fn show(update: &Update) {
///     let Some(state) = update.state() else { return };
///     match state.state {
///         SessionState::Running => println!("it works"),
///         SessionState::RequiresAction => println!("it waits for you"),
///         _ => {}
///     }
///     if let Some(background) = &state.background {
///         println!("{} commands and tools go on in the background", background.len());
///     }
/// }
/// # let _ = show;
/// ```
///
/// See [Session states](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#session-states).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StateUpdate {
    /// The state of the work in the foreground.
    pub state: SessionState,
    /// The reason why the work has ended, in the state `idle`. `None` if the agent gave none, or one that version 1 does not
    /// have, such as `error`: see [`raw`](Self::raw).
    pub stop_reason: Option<StopReason>,
    /// All background work. `None` if the agent does not report it, which does not mean that there is none.
    pub background: Option<Vec<BackgroundWork>>,
    /// The whole update.
    pub raw: Box<RawValue>,
}

/// The state of the work in the foreground.
/// Only with the feature `v2`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SessionState {
    /// The agent works.
    Running,
    /// The agent cannot go on until the user has acted.
    RequiresAction,
    /// The agent takes the next prompt. Background work may go on.
    Idle,
    /// A state that the protocol does not have. The agent also reports one that it has.
    Other(String),
}

/// A piece of work that goes on beside the foreground. `session/cancel` does not end it.
/// Only with the feature `v2`.
///
/// See [Background work](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle#background-work).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum BackgroundWork {
    /// A process, until the `terminal_update` with its `exitStatus`.
    Terminal(TerminalId),
    /// Other work of a tool call.
    ToolCall(ToolCallId),
    /// Work of another kind, as the agent sent it.
    Other(Box<RawValue>),
}

/// Reads an update of this kind. `None` if it tells no state.
pub(crate) fn read(kind: &str, update: &RawValue) -> Option<StateUpdate> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Told<'a> {
        state: String,
        #[serde(default, borrow)]
        stop_reason: Option<&'a RawValue>,
        #[serde(default, borrow)]
        background: Option<&'a RawValue>,
    }
    if kind != "state_update" {
        return None;
    }
    let Told { state, stop_reason, background } = from_json(update.get()).ok()?;
    let state = match &*state {
        "running" => SessionState::Running,
        "requires_action" => SessionState::RequiresAction,
        "idle" => SessionState::Idle,
        _ => SessionState::Other(state),
    };
    let stop_reason = stop_reason.and_then(|reason| from_json(reason.get()).ok());
    let background = background.and_then(|background| from_json::<Vec<&RawValue>>(background.get()).ok());
    let background = background.map(|works| works.into_iter().map(work).collect());
    Some(StateUpdate { state, stop_reason, background, raw: update.to_owned() })
}

/// The protocol treats an item of an unknown type as work that nobody can show.
fn work(raw: &RawValue) -> BackgroundWork {
    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case")]
    enum Work {
        #[serde(rename_all = "camelCase")]
        Terminal { terminal_id: TerminalId },
        #[serde(rename_all = "camelCase")]
        ToolCall { tool_call_id: ToolCallId },
    }
    match serde_json::from_str(raw.get()) {
        Ok(Work::Terminal { terminal_id }) => BackgroundWork::Terminal(terminal_id),
        Ok(Work::ToolCall { tool_call_id }) => BackgroundWork::ToolCall(tool_call_id),
        Err(_) => BackgroundWork::Other(raw.to_owned()),
    }
}
