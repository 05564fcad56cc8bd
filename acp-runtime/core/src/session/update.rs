//! Sending `session/update` for one session.

use std::{
    ops::Deref,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde::Serialize;

use super::tool_call::check_paths;
use crate::{
    client::{line::Line, unoffered},
    schema::Method,
    values::{SessionId, SessionUpdate, methods},
    wire::{Error, Result, message},
};

/// A [`SessionNotification`](crate::values::SessionNotification) that owns nothing.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Notification<'a> {
    session_id: &'a SessionId,
    update: &'a SessionUpdate,
}

impl Notification<'_> {
    // Inlined, it would be compiled again in each agent's crate, with all types that an update has.
    #[inline(never)]
    fn write(&self, buffer: &mut Vec<u8>) -> Result<()> {
        message::notification(buffer, methods::SessionUpdate::NAME, self)
    }
}

/// What speaks for one session to one client, until it is over.
pub(crate) struct Voice {
    id: SessionId,
    line: Arc<Line>,
    over: AtomicBool,
}

/// A part of a session that has its voice.
pub(crate) trait Speaks: Send + Sync {
    fn voice(&self) -> &Voice;
}

impl Speaks for Voice {
    fn voice(&self) -> &Voice {
        self
    }
}

/// A session's voice, for a tool call or a compaction, which need not know the session's type.
#[derive(Clone)]
pub(crate) struct Updates(Arc<dyn Speaks>);

impl Updates {
    pub(crate) fn new(voice: Arc<dyn Speaks>) -> Self {
        Self(voice)
    }
}

impl Deref for Updates {
    type Target = Voice;

    fn deref(&self) -> &Voice {
        self.0.voice()
    }
}

impl Voice {
    pub(crate) fn new(id: SessionId, line: Arc<Line>) -> Self {
        Self { id, line, over: AtomicBool::new(false) }
    }

    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) fn line(&self) -> &Arc<Line> {
        &self.line
    }

    /// From here on nothing is sent. What is sent behind this call comes behind everything that was said.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Release);
    }

    /// Whether the client shows notices.
    pub(crate) fn offers_notices(&self) -> bool {
        self.line.client().capabilities.session.as_ref().is_some_and(|session| session.notices.is_some())
    }

    /// Whether the client follows compactions.
    pub(crate) fn offers_compaction(&self) -> bool {
        self.line.client().capabilities.session.as_ref().is_some_and(|session| session.compaction.is_some())
    }

    /// Sends an update as an author made it; waits while the client is behind with reading.
    pub(crate) async fn send_own(&self, update: &SessionUpdate) -> Result<()> {
        check_own(update)?;
        if let SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_) = update {
            return Err(Error::internal_error("report a compaction with `compaction()`, which sees to its one end"));
        }
        self.send(update).await
    }

    /// Sends an update of the past.
    pub(crate) async fn replay(&self, update: &SessionUpdate) -> Result<()> {
        check_own(update)?;
        self.check_offered(update)?;
        if let SessionUpdate::Notice(_) = update {
            return Err(Error::internal_error(
                "notices are not replayed; what still holds is a notice of a later turn",
            ));
        }
        self.write(update, || Error::internal_error("the replay is over: `session/load` has been answered")).await
    }

    fn check_offered(&self, update: &SessionUpdate) -> Result<()> {
        match update {
            SessionUpdate::Notice(_) if !self.offers_notices() => Err(unoffered("notice", "session.notices")),
            SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_)
                if !self.offers_compaction() =>
            {
                Err(unoffered("compaction_update", "session.compaction"))
            }
            _ => Ok(()),
        }
    }

    /// Waits while the client is behind with reading.
    pub(crate) async fn room(&self) -> Result<()> {
        self.line.room().await
    }

    /// Sends an update; waits while the client is behind with reading.
    pub(crate) async fn send(&self, update: &SessionUpdate) -> Result<()> {
        self.check_offered(update)?;
        self.write(update, over).await
    }

    async fn write(&self, update: &SessionUpdate, over: fn() -> Error) -> Result<()> {
        let notification = self.notification(update);
        let write = |buffer: &mut Vec<u8>| {
            // Under the buffer's lock, which the answer takes after it has ended this voice.
            if self.is_over() { Err(over()) } else { notification.write(buffer) }
        };
        self.line.outbox.send(write).await?
    }

    /// Sends an update at once, unless it is too late.
    pub(crate) fn send_now(&self, update: &SessionUpdate) {
        self.line.put_now(|buffer| if self.is_over() { Ok(()) } else { self.notification(update).write(buffer) });
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn notification<'a>(&'a self, update: &'a SessionUpdate) -> Notification<'a> {
        Notification { session_id: &self.id, update }
    }
}

/// The error of a handle that was kept beyond the end of its session.
fn over() -> Error {
    Error::invalid_request("the session is over: the client has closed or deleted it")
}

/// What only the runtime reports, because it knows what the client may be shown, and what the protocol does not allow.
fn check_own(update: &SessionUpdate) -> Result<()> {
    match update {
        SessionUpdate::ConfigOptionUpdate(_) | SessionUpdate::CurrentModeUpdate(_) => Err(Error::internal_error(
            "config options and modes are reported by the runtime; change them with `update_config`",
        )),
        SessionUpdate::ToolCall(call) => check_paths(&call.content, &call.locations),
        SessionUpdate::ToolCallUpdate(update) => {
            check_paths(update.content.as_deref().unwrap_or_default(), update.locations.as_deref().unwrap_or_default())
        }
        SessionUpdate::Notice(notice) if notice.title.trim().is_empty() => {
            Err(Error::internal_error("a notice needs a title"))
        }
        _ => Ok(()),
    }
}
