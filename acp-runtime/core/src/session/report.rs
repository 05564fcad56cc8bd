//! Reports of an agent about a session, apart from its answer: title, usage, notices, members.

use serde_json::Value;

use super::handle::SessionHandle;
use crate::{
    config::members::written,
    schema::Member,
    values::{Notice, NoticeSeverity, SessionInfoUpdate, SessionUpdate, UsageUpdate},
    wire::Result,
};

impl<C> SessionHandle<C> {
    /// Gives the session a title, which clients show in their list of sessions. A [store](crate::store) keeps it. Without one, the
    /// begin of the first prompt is the title of a session that a store keeps.
    ///
    /// See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn begin<C>(turn: &Turn<C>) -> Result<()> {
    ///     turn.title("Six times seven").await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn title(&self, title: impl Into<String>) -> Result<()> {
        self.info(SessionInfoUpdate::new().title(title.into())).await
    }

    /// Reports the session's title, or the time of its last change. If a field is not set, the client keeps its value.
    /// If a field is set to `null`, the client clears it.
    ///
    /// See [Session list](https://agentclientprotocol.com/protocol/v1/session-list).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, values::SessionInfoUpdate};
    ///
    /// async fn untitle<C>(session: &SessionHandle<C>) -> Result<()> {
    ///     session.info(SessionInfoUpdate::new().title(None)).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn info(&self, info: SessionInfoUpdate) -> Result<()> {
        self.update(SessionUpdate::SessionInfoUpdate(info)).await
    }

    /// Reports the used tokens of the context and the size of the context. With [`UsageUpdate::cost`], it also reports
    /// the cost of the session: all that it has cost up to now.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn report<C>(turn: &Turn<C>, used: u64, dollars: f64) -> Result<()> {
    ///     turn.usage(UsageUpdate::new(used, 200_000).cost(Cost::new(dollars, "USD"))).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn usage(&self, usage: UsageUpdate) -> Result<()> {
        self.update(SessionUpdate::UsageUpdate(usage)).await
    }

    /// Whether the client shows notices.
    pub fn can_show_notices(&self) -> bool {
        self.output().offers_notices()
    }

    /// Shows the user a note outside of the conversation, if the client shows notices. Returns whether the notice was
    /// sent.
    ///
    /// The agent must not depend on a notice: the client need not keep it, and it is not replayed.
    ///
    /// # Errors
    ///
    /// The title is empty, the session is over, its stream is closed, or the client is gone.
    pub async fn notice(&self, severity: NoticeSeverity, title: impl Into<String>) -> Result<bool> {
        if !self.can_show_notices() {
            return Ok(false);
        }
        self.update(SessionUpdate::Notice(Notice::new(severity, title.into()))).await?;
        Ok(true)
    }

    /// Adds a member to each update of this session from here on, for clients that read a member which the schema lacks. A
    /// later call with the same name replaces the value, and the value `null` takes the member away.
    ///
    /// [`OpenedSession::in_updates`](crate::agent::OpenedSession::in_updates) adds it before the first update. What a load
    /// replays does not have it. If the schema has a member of its name in an update, this update is an error, and is not sent. To say something beside one update, use the update's own `_meta`.
    ///
    /// ```
    /// use acp_runtime::{prelude::*, schema::Member};
    ///
    /// /// Which of the core's tasks speaks.
    /// const TASK: Member = Member::new("task");
    ///
    /// fn begin<C>(session: &SessionHandle<C>, task: u64) {
    ///     session.add_to_updates(TASK, task);
    /// }
    /// ```
    pub fn add_to_updates(&self, member: Member, value: impl Into<Value>) {
        self.output().add_to_updates(member, written(&value.into()));
    }
}
