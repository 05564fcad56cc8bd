//! Version 2: how it names and shapes what a client has as the values of version 1.
//!
//! Most messages pass unchanged, or with a few members renamed. Three things are kept for a session: its prompts, because an
//! update ends them ([`turns`]); its tool calls, because only this side knows which update is the first of one
//! ([`tools`]); and the messages that were said, because a whole message may replace chunks ([`messages`]).
//!
//! What the values cannot hold stands in `_meta`, under one name: see [`original`](super::original).

mod awaited;
mod controls;
mod diffs;
mod initialize;
mod messages;
mod permission;
mod said;
mod sessions;
#[cfg(test)]
mod tests;
mod tools;
mod turns;
mod updates;

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use acp_peer::{Error, rpc::Then};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{
    Value, json,
    value::{RawValue, to_raw_value},
};

pub(super) use self::initialize::capability;
use self::{awaited::Awaited, sessions::Sessions};
use super::{
    Answered, Dialect, Heard, Said,
    lost::text_after,
    messages::{STEERING, session_of},
    work::Work,
};
use crate::{
    schema::Method,
    values::{InitializeResponse, methods},
};

/// What an agent of version 1 may ask of its client, and an agent of this version may not.
const OF_VERSION_1: [&str; 7] = [
    methods::ReadTextFile::NAME,
    methods::WriteTextFile::NAME,
    methods::CreateTerminal::NAME,
    methods::TerminalOutput::NAME,
    methods::ReleaseTerminal::NAME,
    methods::WaitForTerminalExit::NAME,
    methods::KillTerminal::NAME,
];

/// A draft, which opens a session as `session/new` does. It is named by a text, because its marker may go with any schema.
const FORK: &str = "session/fork";

/// Version 2, on one connection.
#[derive(Default)]
pub(crate) struct V2 {
    sessions: Arc<Sessions>,
    /// Prompts go to the work of a session that works.
    steers: AtomicBool,
}

impl Dialect for V2 {
    fn version(&self) -> u16 {
        2
    }

    fn is_form_of(&self, answer: &str) -> bool {
        initialize::is_answer(answer)
    }

    fn initialized(&self, answer: &str) -> serde_json::Result<InitializeResponse> {
        self.steers.store(initialize::steers(answer), Ordering::Relaxed);
        initialize::answered(answer)
    }

    fn said(&self, method: &str, params: &dyn Fn() -> serde_json::Result<Box<RawValue>>) -> Option<Said> {
        let translated = |translate: fn(&mut Value)| {
            let mut params = value(&params().ok()?);
            translate(&mut params);
            raw(&params)
        };
        let (method, params, answer) = match method {
            methods::Initialize::NAME => ("initialize", translated(initialize::params)?, Answered::By(|_| None)),
            methods::Authenticate::NAME => ("auth/login", params().ok()?, Answered::By(|_| None)),
            methods::Logout::NAME => ("auth/logout", params().ok()?, Answered::By(|_| None)),
            methods::NewSession::NAME => ("session/new", translated(said::opening)?, Answered::By(said::with_options)),
            FORK => (FORK, translated(said::opening)?, Answered::By(said::with_options)),
            methods::LoadSession::NAME => {
                let params = translated(said::load)?;
                // All is said again.
                self.sessions.with(&session_of(params.get())?, |session| {
                    (session.tools, session.terminals, session.messages) = Default::default();
                });
                let answer = self.resumed(&params);
                ("session/resume", params, answer)
            }
            methods::ResumeSession::NAME => {
                let params = translated(said::opening)?;
                let answer = self.resumed(&params);
                ("session/resume", params, answer)
            }
            methods::SetSessionConfigOption::NAME => {
                ("session/set_config_option", translated(said::option)?, Answered::By(said::with_options))
            }
            methods::Prompt::NAME => {
                let params = params().ok()?;
                let awaited = Awaited::prompt(&self.sessions, session_of(params.get())?.as_ref());
                ("session/prompt", params, Answered::Kept(Box::new(|then| awaited.answered(then))))
            }
            STEERING if self.steers_by_prompts() => {
                let params = translated(said::steering)?;
                let session = session_of(params.get())?.into_owned();
                let work = self.sessions.with(&session, |session| session.turns.work());
                let awaited = Awaited::prompt(&self.sessions, &session);
                ("session/prompt", params, Answered::Kept(Box::new(move |then| awaited.steered(then, work))))
            }
            methods::CloseSession::NAME => ("session/close", params().ok()?, Answered::Kept(Box::new(closed))),
            _ => return None,
        };
        Some(Said { method, params, answer })
    }

    fn heard<'m>(&self, method: &'m str, params: Option<&RawValue>) -> Heard<'m> {
        let heard = params.and_then(|params| match method {
            methods::SessionUpdate::NAME => updates::heard(&self.sessions, method, params),
            methods::RequestPermission::NAME => permission::heard(&self.sessions, method, params),
            methods::CreateElicitation::NAME => permission::form(&self.sessions, method, params),
            _ => None,
        });
        let is_unknown = OF_VERSION_1.contains(&method);
        heard.unwrap_or_else(|| Heard { is_unknown, ..Heard::unchanged(method) })
    }

    fn cancel_alone(&self, session: &str, work: &Work) -> Option<(&'static str, Box<RawValue>)> {
        let is_offered = self.sessions.with(session, |session| match work {
            Work::ToolCall(id) => session.tools.can_cancel(id.as_ref()),
            Work::Terminal(id) => session.terminals.can_cancel(id),
        });
        let (method, params) = match work {
            Work::ToolCall(id) => ("tool_call/cancel", json!({ "sessionId": session, "toolCallId": id })),
            Work::Terminal(id) => ("terminal/cancel", json!({ "sessionId": session, "terminalId": id })),
        };
        is_offered.then_some((method, raw(&params)?))
    }

    fn steers_by_prompts(&self) -> bool {
        self.steers.load(Ordering::Relaxed)
    }

    fn is_working(&self, session: &str) -> bool {
        self.sessions.with(session, |session| session.turns.work().is_some())
    }

    fn cut_off(&self, head: &str) -> Option<(String, String)> {
        if text_after(head, r#""method""#)? != methods::SessionUpdate::NAME {
            return None;
        }
        Some((text_after(head, r#""sessionId""#)?, text_after(head, r#""sessionUpdate""#).unwrap_or_default()))
    }

    fn forget(&self, session: &str) {
        self.sessions.forget(session);
    }

    fn close(&self) {
        self.sessions.close();
    }
}

impl V2 {
    /// The answer to a resume. Until it comes, a state of the session may be the snapshot that the agent owes.
    fn resumed(&self, params: &RawValue) -> Answered {
        let Some(session) = session_of(params.get()) else { return Answered::By(said::with_options) };
        let resuming = Awaited::resume(&self.sessions, &session);
        Answered::Kept(Box::new(move |then: Then| {
            Box::new(move |answered| {
                drop(resuming);
                match answered {
                    Ok(answer) => then(Ok(said::with_options(answer).as_deref().unwrap_or(answer))),
                    Err(error) => then(Err(error)),
                }
            })
        }))
    }
}

/// The answer to a close. A session that the agent does not have, or has closed already, is closed.
fn closed(then: Then) -> Then {
    Box::new(move |answered| match answered {
        Err(error) if error.code() == Error::RESOURCE_NOT_FOUND => {
            then(raw(&json!({})).as_deref().ok_or(error));
        }
        answered => then(answered),
    })
}

/// The JSON of a message that was read already.
fn value(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap_or_default()
}

fn raw(value: &impl Serialize) -> Option<Box<RawValue>> {
    to_raw_value(value).ok()
}

/// Whether a word of the agent is one of the values. (Some of their types read any word.)
fn is_known<T: Serialize + DeserializeOwned>(word: &Value) -> bool {
    let read = serde_json::from_value::<T>(word.clone()).and_then(serde_json::to_value);
    read.is_ok_and(|read| read == *word)
}
