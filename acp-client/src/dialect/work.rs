//! One piece of work of a session, which a client may cancel alone in version 2.

use crate::{
    Error, ErrorKind,
    values::{TerminalId, ToolCallId},
};

/// One piece of work.
pub(crate) enum Work {
    ToolCall(ToolCallId),
    Terminal(TerminalId),
}

impl Work {
    /// The error that the agent does not let the client cancel this work alone.
    pub(crate) fn not_cancellable(&self, version: u16) -> Error {
        let (method, named) = match self {
            Self::ToolCall(id) => ("tool_call/cancel", format!("the tool call `{id}`")),
            Self::Terminal(id) => ("terminal/cancel", format!("the terminal `{id}`")),
        };
        let what = if version < 2 {
            format!("`{method}`, which version {version} of the protocol lacks")
        } else {
            format!("`{method}` for {named} at present")
        };
        Error::new(ErrorKind::NotOffered { what, capability: "capabilities.cancel" })
    }
}
