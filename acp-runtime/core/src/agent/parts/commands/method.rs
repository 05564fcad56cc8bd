//! A slash command: a prompt that calls a function with `#[command]`. All else is as for [`prompt`](crate::agent::handlers::prompt).
//!
//! See [Slash commands](https://agentclientprotocol.com/protocol/v1/slash-commands).

use super::request::{CommandRequest, relax, requested};
use crate::{
    agent::{
        methods::{handler, prompt::turn},
        model::CallContext,
    },
    session::Arguments,
    values::PromptRequest,
    wire::Result,
};

handler! {
    /// A slash command, declared with `#[command]`: a turn whose prompt begins with `/` and the command's name. See
    /// [Commands](../../guide/commands/index.html#commands).
    ///
    /// Often `async fn fix(&self, what: Arguments, turn: Turn<Config>) -> Result<StopReason>`. It takes and answers what
    /// [`prompt`](crate::agent::handlers::prompt) does.
    command
}
// A command is no text for the turn that runs: it waits for a turn of its own.
turn!(command(CommandRequest), CommandRequest::prompt, relax, may_join: false);
requested!(command);
