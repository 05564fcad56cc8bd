//! What the client cancels one by one, beside what the session does: tool calls and terminals.
//!
//! See [Cancelling tool calls](https://agentclientprotocol.com/protocol/v2/tool-calls#cancelling-tool-calls).

use serde::Deserialize;

use crate::{
    agent::{
        model::{Call, Handlers, KeptAgent, Part},
        params,
    },
    dialect::{CANCEL_TERMINAL, CANCEL_TOOL_CALL, Listed},
    values::{SessionId, TerminalId, ToolCallId},
    wire::{Error, Result},
};

/// The part of all agents.
#[derive(Debug)]
pub struct Controls;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelToolCall {
    session_id: SessionId,
    tool_call_id: ToolCallId,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CancelTerminal {
    session_id: SessionId,
    terminal_id: TerminalId,
}

impl<A: Handlers> Part<A> for Controls {
    type OfConnection = ();
    type OfSession = ();
    type OfCall = ();

    fn new(_: &KeptAgent<A>) -> Self {
        Self
    }

    fn receives<'l>(&self, call: Call<'l, A>) -> Option<Call<'l, A>> {
        // On version 1, these are names like others.
        if !call.connection.line.dialect().has_baseline() {
            return Some(call);
        }
        let cancelled = match call.method() {
            CANCEL_TOOL_CALL => cancel_tool_call(&call),
            CANCEL_TERMINAL => cancel_terminal(&call),
            _ => return Some(call),
        };
        if let Some(responder) = call.responder {
            responder.respond(cancelled.map(|()| serde_json::Map::new()));
        }
        None
    }
}

fn cancel_tool_call<A: Handlers>(call: &Call<'_, A>) -> Result<()> {
    let CancelToolCall { session_id, tool_call_id } = params::object(call.params())?;
    let session = call.connection.session(session_id.as_ref())?;
    if session.handle.output().cancel_one(&Listed::ToolCall(tool_call_id)) {
        return Ok(());
    }
    Err(Error::invalid_params("`toolCallId` names no tool call that runs and that may be cancelled alone"))
}

fn cancel_terminal<A: Handlers>(call: &Call<'_, A>) -> Result<()> {
    let CancelTerminal { session_id, terminal_id } = params::object(call.params())?;
    let session = call.connection.session(session_id.as_ref())?;
    if session.handle.output().cancel_one(&Listed::Terminal(terminal_id)) {
        return Ok(());
    }
    Err(Error::invalid_params("`terminalId` names no terminal that runs and that may be cancelled alone"))
}
