//! The terminals of an agent in version 2: what changes of them, and their output as it comes.

use std::path::PathBuf;

use serde_json::{Map, Value, value::RawValue};

use super::base64;
use crate::values::{MaybeUndefined, TerminalId};

/// A change of a terminal that the agent runs and the client shows: an update of the kind `terminal_update` or
/// `terminal_output_chunk`.
/// Only with the feature `v2`.
///
/// A field that is `Undefined` stays as it was, `Null` clears it, and a value replaces it. [`TerminalState`] does so. A tool call
/// with such a terminal names it in its content.
///
/// See [Terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#display-only-terminals).
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct TerminalUpdate {
    /// The terminal. Ids are unique in a session.
    pub terminal_id: TerminalId,
    /// The command that runs.
    pub command: MaybeUndefined<String>,
    /// The folder in which it runs, as an absolute path.
    pub cwd: MaybeUndefined<PathBuf>,
    /// New output. `None` if there is none.
    pub output: Option<TerminalOutput>,
    /// The end of the command. While there is no value, it runs.
    pub exit: MaybeUndefined<TerminalExit>,
    /// The size of the screen for which the command writes.
    pub size: MaybeUndefined<TerminalSize>,
    /// Whether the client may [cancel](crate::Session::cancel_terminal) the terminal. `None` if this stays as it was.
    pub can_cancel: Option<bool>,
    /// The whole update.
    pub raw: Box<RawValue>,
}

/// Output of a terminal: bytes as the command wrote them, with its control sequences. A sign of several bytes may stand in two
/// pieces.
/// Only with the feature `v2`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerminalOutput {
    /// Bytes behind those before.
    Appended(Vec<u8>),
    /// All bytes. They replace those before.
    Replaced(Vec<u8>),
}

/// The end of a command. An agent may know neither its code nor its signal.
/// Only with the feature `v2`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerminalExit {
    /// The exit code, as the system reports it.
    pub code: Option<i64>,
    /// The signal that ended the command, for example `SIGTERM`.
    pub signal: Option<String>,
}

/// The size of a terminal in characters.
/// Only with the feature `v2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TerminalSize {
    /// The number of columns.
    pub columns: u16,
    /// The number of rows.
    pub rows: u16,
}

/// All that a client knows of one terminal.
/// Only with the feature `v2`.
///
/// ```
/// use std::collections::HashMap;
///
/// use acp_client::{TerminalState, Update, values::TerminalId};
///
/// fn show(terminals: &mut HashMap<TerminalId, TerminalState>, update: &Update) {
///     let Some(update) = update.terminal() else { return };
///     let terminal = terminals.entry(update.terminal_id.clone()).or_default();
///     terminal.apply(update);
///     println!("$ {}", terminal.command.as_deref().unwrap_or("?"));
///     print!("{}", String::from_utf8_lossy(&terminal.output));
///     if let Some(exit) = &terminal.exit {
///         println!("it ended with {:?}", exit.code);
///     }
/// }
/// # let _ = show;
/// ```
///
/// See [Terminals](https://agentclientprotocol.com/protocol/v2/tool-calls#display-only-terminals).
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct TerminalState {
    /// The command, if it is known.
    pub command: Option<String>,
    /// The folder in which the command runs, if it is known.
    pub cwd: Option<PathBuf>,
    /// The output so far. It has no bound: a client may cut its beginning.
    pub output: Vec<u8>,
    /// The end of the command. `None` while it runs.
    pub exit: Option<TerminalExit>,
    /// The size of the screen for which the command writes, if it is known.
    pub size: Option<TerminalSize>,
    /// Whether the client may [cancel](crate::Session::cancel_terminal) the terminal.
    pub can_cancel: bool,
}

impl TerminalState {
    /// Takes an update of this terminal.
    pub fn apply(&mut self, update: &TerminalUpdate) {
        let TerminalUpdate { terminal_id: _, command, cwd, output, exit, size, can_cancel, raw: _ } = update;
        patch(&mut self.command, command);
        patch(&mut self.cwd, cwd);
        patch(&mut self.exit, exit);
        patch(&mut self.size, size);
        match output {
            Some(TerminalOutput::Appended(bytes)) => self.output.extend_from_slice(bytes),
            Some(TerminalOutput::Replaced(bytes)) => self.output.clone_from(bytes),
            None => {}
        }
        self.can_cancel = can_cancel.unwrap_or(self.can_cancel);
    }
}

fn patch<T: Clone>(field: &mut Option<T>, with: &MaybeUndefined<T>) {
    match with {
        MaybeUndefined::Undefined => {}
        MaybeUndefined::Null => *field = None,
        MaybeUndefined::Value(value) => *field = Some(value.clone()),
    }
}

/// Reads an update of these kinds. `None` if it names no terminal, or its piece of output cannot be read.
pub(crate) fn read(kind: &str, update: &RawValue) -> Option<TerminalUpdate> {
    let is_piece = match kind {
        "terminal_update" => false,
        "terminal_output_chunk" => true,
        _ => return None,
    };
    let mut told: Map<String, Value> = serde_json::from_str(update.get()).ok()?;
    let terminal_id = told.get("terminalId")?.as_str()?.into();
    let output = if is_piece {
        // It has nothing else.
        Some(TerminalOutput::Appended(bytes(&std::mem::take(&mut told))?))
    } else {
        match told.get("output") {
            Some(Value::Null) => Some(TerminalOutput::Replaced(Vec::new())),
            Some(Value::Object(output)) => bytes(output).map(TerminalOutput::Replaced),
            _ => None,
        }
    };
    Some(TerminalUpdate {
        terminal_id,
        command: field(&told, "command", |command| command.as_str().map(str::to_owned)),
        cwd: field(&told, "cwd", |cwd| cwd.as_str().map(PathBuf::from)),
        output,
        exit: field(&told, "exitStatus", exit),
        size: field(&told, "size", size),
        can_cancel: told.get("capabilities").map(can_cancel),
        raw: update.to_owned(),
    })
}

/// A field with three states. One that cannot be read counts as absent.
fn field<T>(members: &Map<String, Value>, name: &str, read: fn(&Value) -> Option<T>) -> MaybeUndefined<T> {
    match members.get(name) {
        None => MaybeUndefined::Undefined,
        Some(Value::Null) => MaybeUndefined::Null,
        Some(value) => read(value).map_or(MaybeUndefined::Undefined, MaybeUndefined::Value),
    }
}

fn bytes(output: &Map<String, Value>) -> Option<Vec<u8>> {
    base64::decoded(output.get("data")?.as_str()?)
}

/// Any object says that the command has ended.
fn exit(value: &Value) -> Option<TerminalExit> {
    let signal = value["signal"].as_str().map(str::to_owned);
    value.is_object().then(|| TerminalExit { code: value["exitCode"].as_i64(), signal })
}

fn size(value: &Value) -> Option<TerminalSize> {
    let number = |name: &str| u16::try_from(value[name].as_u64()?).ok().filter(|number| *number > 0);
    Some(TerminalSize { columns: number("cols")?, rows: number("rows")? })
}

/// Whether the controls of a tool call or a terminal let the client cancel it. Controls of another shape are none.
pub(crate) fn can_cancel(capabilities: &Value) -> bool {
    capabilities["cancel"].is_object()
}
