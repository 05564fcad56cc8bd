//! Turns: a prompt is answered when its message is a part of the conversation. What the session does is told apart.
//!
//! See [Prompt lifecycle](https://agentclientprotocol.com/protocol/v2/prompt-lifecycle).

use std::cell::Cell;

use serde::Serialize;

use super::notification;
use crate::{
    dialect::{Activity, Listed, SessionSink, State, Stop},
    rpc::{CancellationToken, Responder},
    values::{ContentBlock, MessageId, PromptResponse, SessionId, TerminalId, ToolCallId},
    wire::{Error, Result},
};

/// Answers a prompt: its message is inserted. Runs `meanwhile` under the lock of the buffer.
pub(super) fn insert(responder: Responder, message: &MessageId, meanwhile: &mut dyn FnMut()) {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Inserted<'a> {
        message_id: &'a MessageId,
    }
    responder.respond_and(Ok(Inserted { message_id: message }), meanwhile);
}

/// Tells the user's message, whole. `place` runs under the lock of the buffer, before the message. If `cancel` is set, tells nothing and
/// returns false.
pub(super) fn user_message(
    output: &dyn SessionSink,
    message: &MessageId,
    content: &[ContentBlock],
    place: &dyn Fn(),
    cancel: Option<&CancellationToken>,
) -> bool {
    let is_told = Cell::new(true);
    output.say(&|out| {
        // Under the lock of the buffer, so that a client that has sent a cancel gets no message which the cancel should have stopped.
        if cancel.is_some_and(CancellationToken::is_cancelled) {
            is_told.set(false);
            return Ok(());
        }
        place();
        prompt(out, output.session(), message, content)
    });
    is_told.get()
}

/// Writes the user's message, whole.
pub(super) fn prompt(
    out: &mut Vec<u8>,
    session: &SessionId,
    message: &MessageId,
    content: &[ContentBlock],
) -> Result<()> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct UserMessage<'a> {
        session_update: &'static str,
        message_id: &'a MessageId,
        content: &'a [ContentBlock],
    }
    let update = UserMessage { session_update: "user_message", message_id: message, content };
    notification(out, session, &|out| serde_json::to_writer(out, &update))
}

/// The answer to a prompt that was held and never inserted.
pub(super) fn never_inserted(outcome: Result<PromptResponse>) -> Error {
    outcome.err().unwrap_or_else(Error::request_cancelled)
}

/// Tells that a command has failed, while its session works on.
pub(super) fn failed_beside(output: &dyn SessionSink, error: &Error) {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Notice<'a> {
        session_update: &'static str,
        severity: &'static str,
        title: &'a str,
    }
    let notice = Notice { session_update: "notice", severity: "error", title: error.message() };
    output.say(&|out| notification(out, output.session(), &|out| serde_json::to_writer(out, &notice)));
}

/// Writes what the session does.
// Most turns have two of these, so they are written from their parts.
pub(super) fn activity(out: &mut Vec<u8>, session: &SessionId, activity: &Activity<'_>) -> Result<()> {
    let state = match activity.state {
        State::Idle => "idle",
        State::Running => "running",
        State::RequiresAction => "requires_action",
    };
    let background = || {
        let all = activity.background.as_ref()?;
        Some(all.iter().map(|listed| Item::of(listed)).collect::<Vec<_>>())
    };
    notification(out, session, &|out| {
        out.extend_from_slice(br#"{"sessionUpdate":"state_update","state":""#);
        out.extend_from_slice(state.as_bytes());
        out.push(b'"');
        match activity.stop {
            None => member(out, "background", background())?,
            Some(Stop::Reason(reason, meta)) => {
                // All reasons of version 1 have these names here, too.
                member(out, "stopReason", Some(reason))?;
                member(out, "background", background())?;
                member(out, "_meta", meta.as_ref())?;
            }
            Some(Stop::Error(error)) => {
                member(out, "stopReason", Some("error"))?;
                member(out, "error", Some(error))?;
                member(out, "background", background())?;
            }
        }
        out.push(b'}');
        Ok(())
    })
}

/// Writes one more member of an object, if there is a value.
fn member(out: &mut Vec<u8>, name: &str, value: Option<impl Serialize>) -> serde_json::Result<()> {
    let Some(value) = value else { return Ok(()) };
    out.extend_from_slice(b",\"");
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b"\":");
    serde_json::to_writer(out, &value)
}

/// A piece of work in the background.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case", rename_all_fields = "camelCase")]
enum Item<'a> {
    ToolCall { tool_call_id: &'a ToolCallId },
    Terminal { terminal_id: &'a TerminalId },
}

impl<'a> Item<'a> {
    fn of(listed: &'a Listed) -> Self {
        match listed {
            Listed::ToolCall(id) => Self::ToolCall { tool_call_id: id },
            Listed::Terminal(id) => Self::Terminal { terminal_id: id },
        }
    }
}

/// Writes that the client may cancel this alone.
pub(super) fn cancellable(out: &mut Vec<u8>, session: &SessionId, listed: &Listed) -> Result<()> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Update<'a> {
        session_update: &'static str,
        #[serde(flatten)]
        of: Id<'a>,
        capabilities: Capabilities,
    }
    #[derive(Serialize)]
    #[serde(untagged, rename_all_fields = "camelCase")]
    enum Id<'a> {
        ToolCall { tool_call_id: &'a ToolCallId },
        Terminal { terminal_id: &'a TerminalId },
    }
    #[derive(Serialize)]
    struct Capabilities {
        cancel: Mark,
    }
    #[derive(Serialize)]
    struct Mark {}
    let (session_update, of) = match listed {
        Listed::ToolCall(id) => ("tool_call_update", Id::ToolCall { tool_call_id: id }),
        Listed::Terminal(id) => ("terminal_update", Id::Terminal { terminal_id: id }),
    };
    let update = Update { session_update, of, capabilities: Capabilities { cancel: Mark {} } };
    notification(out, session, &|out| serde_json::to_writer(out, &update))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::{
        dialect::{Dialect, v2::V2},
        values::{AvailableCommandsUpdate, PromptRequest},
    };

    /// What the client is told, and how often work was inserted (1) and has begun (10).
    struct Told(SessionId, RefCell<Vec<u8>>, Cell<usize>);

    impl SessionSink for Told {
        fn session(&self) -> &SessionId {
            &self.0
        }

        fn say_and(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut()) {
            meanwhile();
            write(&mut self.1.borrow_mut()).unwrap();
        }

        fn user_message(&self, _: bool) -> MessageId {
            MessageId::from("m")
        }

        fn inserts_work(&self) {
            self.2.set(self.2.get() + 1);
        }

        fn joins_work(&self) -> bool {
            false
        }

        fn work_begins(&self) {
            self.2.set(self.2.get() + 10);
        }

        fn work_ends(&self, _: Stop, _: &mut dyn FnMut()) -> bool {
            unreachable!("no work ends here")
        }

        fn tell_activity(&self) {}

        fn commands(&self) -> Option<AvailableCommandsUpdate> {
            None
        }
    }

    #[test]
    fn a_prompt_that_was_cancelled_while_it_waited_is_not_inserted() {
        let told = Told(SessionId::from("s"), RefCell::default(), Cell::default());
        let (prompt, cancel) = (PromptRequest::new("s", vec!["go".into()]), CancellationToken::new());
        assert!(V2.waiting_turn_began(&told, &prompt, &mut None, &cancel));
        assert!(V2.prompt_joins(&told, &prompt.prompt, &MessageId::from("m"), &cancel).unwrap());
        let text = String::from_utf8(told.1.take()).unwrap();
        assert_eq!((text.matches(r#""user_message""#).count(), told.2.take()), (2, 11), "{text}");
        cancel.cancel();
        assert!(!V2.waiting_turn_began(&told, &prompt, &mut None, &cancel));
        let joined = V2.prompt_joins(&told, &prompt.prompt, &MessageId::from("m"), &cancel);
        assert_eq!(joined.unwrap_err().code(), -32800);
        assert_eq!((told.1.take().len(), told.2.take()), (0, 0));
    }
}
