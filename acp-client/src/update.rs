//! An agent's reports about a session, typed if the protocol has the kind.

use serde_json::value::RawValue;

#[cfg(feature = "v2")]
use crate::dialect::{
    state::{self, StateUpdate},
    terminals::{self, TerminalUpdate},
};
use crate::{
    dialect::{
        lost::{self, Lost},
        messages,
    },
    values::{ContentBlock, ContentChunk, SessionUpdate},
};

/// One `session/update`.
///
/// A plan, a list of commands and a list of options are complete each time: the new one replaces the old one. An update
/// of a tool call changes the fields that it has; a list in it replaces the earlier list. An update of a session's info
/// or of a compaction has three states: a field that is left out stays, `null` clears it, a value sets it. The chunks
/// of a message or a summary are appended.
///
/// ```
/// use acp_client::{Update, values::SessionUpdate};
///
/// fn show(update: &Update) {
///     match update {
///         Update::Known(SessionUpdate::ToolCall(call)) => println!("* {}", call.title),
///         Update::Known(_) => {}
///         Update::Unknown(update) => println!("an update of the kind {}", update.kind),
///         // Kinds of later versions.
///         _ => {}
///     }
/// }
/// # let _ = show;
/// ```
#[derive(Clone, Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "they are many, and soon gone: a box each costs more than its room; which sets of features are large depends on other crates"
)]
#[non_exhaustive]
pub enum Update {
    /// An update of a kind that the protocol has.
    Known(SessionUpdate),
    /// What the agent works on, in version 2. The end of a turn follows the `idle` that ends it, and needs no handling here.
    #[cfg(feature = "v2")]
    State(StateUpdate),
    /// A change of a terminal of the agent, or a piece of its output, in version 2.
    #[cfg(feature = "v2")]
    Terminal(TerminalUpdate),
    /// An update of another kind, or with content that the protocol does not have, or a mark in the place of an update
    /// that was too long.
    Unknown(UnknownUpdate),
}

/// An update that the protocol does not know.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct UnknownUpdate {
    /// The agent's name for the kind: the word at `sessionUpdate`.
    pub kind: String,
    /// The whole update.
    pub raw: Box<RawValue>,
    /// The reason why the update is missing, if this only marks its place. The line of such an update was longer than
    /// [`Limits::line_bytes`](crate::transport::Limits), so it was not read. `raw` is `{}` then.
    pub lost: Option<String>,
}

impl Update {
    /// Reads the params of an update.
    pub(crate) fn read(params: &str) -> Self {
        if let Some(Lost { kind, why }) = lost::read(params) {
            return Self::Unknown(UnknownUpdate { kind, raw: lost::nothing(), lost: Some(why) });
        }
        messages::update(params).map_or_else(
            |raw| {
                let kind = messages::kind_of(params).unwrap_or_default().into_owned();
                #[cfg(feature = "v2")]
                if let Some(state) = state::read(&kind, &raw) {
                    return Self::State(state);
                }
                #[cfg(feature = "v2")]
                if let Some(terminal) = terminals::read(&kind, &raw) {
                    return Self::Terminal(terminal);
                }
                Self::Unknown(UnknownUpdate { kind, raw, lost: None })
            },
            Self::Known,
        )
    }

    /// The update; `None` if the protocol does not have its kind.
    pub fn known(&self) -> Option<&SessionUpdate> {
        match self {
            Self::Known(update) => Some(update),
            _ => None,
        }
    }

    /// The state; `None` for any other update.
    /// Only with the feature `v2`.
    #[cfg(feature = "v2")]
    pub fn state(&self) -> Option<&StateUpdate> {
        match self {
            Self::State(state) => Some(state),
            _ => None,
        }
    }

    /// The change of a terminal; `None` for any other update.
    /// Only with the feature `v2`.
    #[cfg(feature = "v2")]
    pub fn terminal(&self) -> Option<&TerminalUpdate> {
        match self {
            Self::Terminal(terminal) => Some(terminal),
            _ => None,
        }
    }

    /// A text of the agent's answer, in Markdown; `None` for any other update.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Known(SessionUpdate::AgentMessageChunk(ContentChunk {
                content: ContentBlock::Text(text), ..
            })) => Some(&text.text),
            _ => None,
        }
    }
}
