//! Terminals of the agent's own: their state, and their output as it comes.
//!
//! See [Display-only terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#display-only-terminals).

use std::path::Path;

use serde::Serialize;

use super::{base64, notification};
use crate::{
    dialect::TerminalSaid,
    values::{SessionId, TerminalExitStatus, TerminalId},
    wire::Result,
};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Update<'a> {
    session_update: &'static str,
    terminal_id: &'a TerminalId,
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cwd: Option<&'a Path>,
    #[serde(skip_serializing_if = "Option::is_none")]
    size: Option<Size>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_status: Option<&'a TerminalExitStatus>,
}

#[derive(Serialize)]
struct Size {
    cols: u16,
    rows: u16,
}

/// Writes this of a terminal.
pub(super) fn update(out: &mut Vec<u8>, session: &SessionId, id: &TerminalId, said: &TerminalSaid<'_>) -> Result<()> {
    let blank = Update {
        session_update: "terminal_update",
        terminal_id: id,
        command: None,
        cwd: None,
        size: None,
        exit_status: None,
    };
    match *said {
        TerminalSaid::Output(pieces) => notification(out, session, &|out| {
            out.extend_from_slice(br#"{"sessionUpdate":"terminal_output_chunk","terminalId":"#);
            serde_json::to_writer(&mut *out, id)?;
            out.extend_from_slice(br#","data":""#);
            base64::encode(out, pieces);
            out.extend_from_slice(br#""}"#);
            Ok(())
        }),
        TerminalSaid::State { command, cwd, size, output } => {
            let size = size.map(|(cols, rows)| Size { cols, rows });
            let update = Update { command, cwd, size, ..blank };
            notification(out, session, &|out| {
                serde_json::to_writer(&mut *out, &update)?;
                if let Some(pieces) = output {
                    // Behind the last member of the object.
                    out.pop();
                    out.extend_from_slice(br#","output":{"data":""#);
                    base64::encode(out, pieces);
                    out.extend_from_slice(br#""}}"#);
                }
                Ok(())
            })
        }
        TerminalSaid::Exit { status, was_cancellable } => {
            let update = Update { exit_status: Some(status), ..blank };
            notification(out, session, &|out| {
                serde_json::to_writer(&mut *out, &update)?;
                if was_cancellable {
                    // What has ended cannot be cancelled any more.
                    out.pop();
                    out.extend_from_slice(br#","capabilities":null}"#);
                }
                Ok(())
            })
        }
    }
}
