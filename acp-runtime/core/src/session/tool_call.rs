//! A tool call that is reported: the agent reports its progress and its end.
//!
//! See [Tool calls](https://agentclientprotocol.com/protocol/v1/tool-calls).

use std::{
    fmt, mem,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{
    sending::Reporting,
    tool_content::ToolContent,
    update::{SessionOutput, Updates},
};
use crate::{
    client::Client,
    values::{
        Meta, SessionUpdate, ToolCall, ToolCallContent, ToolCallId, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
        ToolKind,
    },
    wire::Result,
};

#[cfg(feature = "v2")]
use crate::{dialect::Control, rpc::CancellationToken};

/// A reported tool call. End the call with [`complete`](Self::complete) or [`fail`](Self::fail). If the handler drops
/// it early, the call is reported as failed.
///
/// Do not keep the handle beyond the turn. After the prompt's answer, an update of the tool call comes too late for the
/// client.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// async fn write<C: ConfigOptions>(turn: &Turn<C>, path: &str, text: &str) -> Result<()> {
///     let diff = Diff::new(path, text);
///     let call = turn.tool_call("Write a file").kind(ToolKind::Edit).location(path).content(diff.clone()).start().await?;
///     if !call.ask_permission().await?.is_allowed() {
///         return call.fail("rejected by the user").await;
///     }
///     call.finish(std::fs::write(path, text).map(|()| diff)).await
/// }
/// ```
pub struct ToolCallHandle {
    id: ToolCallId,
    shown: Arc<Mutex<Shown>>,
    /// Set when the client cancels this call alone, if it may.
    #[cfg(feature = "v2")]
    cancel: Option<CancellationToken>,
    /// The raw output that the end reports.
    raw_output: Option<serde_json::Value>,
    /// The locations that the end adds.
    found: Vec<ToolCallLocation>,
    /// The `_meta` of the end.
    meta: Option<Meta>,
    updates: Updates,
    client: Client,
}

/// The call as the client knows it.
struct Shown {
    status: ToolCallStatus,
    call: ToolCall,
}

impl Shown {
    /// Takes over what an update has said.
    fn merge(&mut self, update: ToolCallUpdate) {
        let call = &mut self.call;
        self.status = update.status.unwrap_or(self.status);
        call.title = update.title.unwrap_or_else(|| mem::take(&mut call.title));
        call.kind = update.kind.unwrap_or(call.kind);
        call.content = update.content.unwrap_or_else(|| mem::take(&mut call.content));
        call.locations = update.locations.unwrap_or_else(|| mem::take(&mut call.locations));
        call.name = update.name.or_else(|| call.name.take());
        call.raw_input = update.raw_input.or_else(|| call.raw_input.take());
        call.meta = update.meta.or_else(|| call.meta.take());
    }
}

impl fmt::Debug for ToolCallHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallHandle").field("id", &self.id).finish_non_exhaustive()
    }
}

impl ToolCallHandle {
    /// The handle of a call that has just been reported as pending.
    pub(super) fn new(call: ToolCall, updates: Updates, client: Client) -> Self {
        Self {
            id: call.tool_call_id.clone(),
            shown: Arc::new(Mutex::new(Shown { status: ToolCallStatus::Pending, call })),
            #[cfg(feature = "v2")]
            cancel: None,
            raw_output: None,
            found: Vec::new(),
            meta: None,
            updates,
            client,
        }
    }

    /// The call's id.
    pub fn id(&self) -> &ToolCallId {
        &self.id
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn output(&self) -> &SessionOutput {
        &self.updates
    }

    pub(super) fn name_and_kind(&self) -> (Option<String>, ToolKind) {
        let shown = self.shown();
        (shown.call.name.clone(), shown.call.kind)
    }

    /// Reports that the tool runs.
    ///
    /// # Errors
    ///
    /// The session is over, its stream is closed, or the client is gone.
    pub async fn in_progress(&self) -> Result<()> {
        self.update(ToolCallUpdate::new(self.id.clone()).status(ToolCallStatus::InProgress)).await
    }

    /// Replaces the content that is shown under the call. Some values have no content, such as a command that the agent
    /// itself runs: then the call stays as it is, and nothing is sent.
    ///
    /// # Errors
    ///
    /// A path is not absolute, or the client is gone.
    pub fn show(&self, content: impl ToolContent) -> Reporting<'_> {
        let update = with_content(ToolCallUpdate::new(self.id.clone()), content);
        Box::pin(async move { if update.content.is_some() { self.update(update).await } else { Ok(()) } })
    }

    /// The tool's raw output. The update that ends the call reports it.
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::ToolCallHandle};
    /// use serde_json::json;
    ///
    /// async fn found(call: ToolCallHandle, hits: &[(String, u32)]) -> Result<()> {
    ///     let call = call.raw_output(json!({ "hits": hits.len() }));
    ///     let call = hits.iter().fold(call, |call, (path, line)| call.location_at(path, *line));
    ///     call.complete(format!("{} places", hits.len())).await
    /// }
    /// ```
    pub fn raw_output(mut self, output: impl Into<serde_json::Value>) -> Self {
        self.raw_output = Some(output.into());
        self
    }

    /// A file that the tool turned out to work on, an absolute path. The update that ends the call adds it to the others.
    pub fn location(mut self, path: impl Into<PathBuf>) -> Self {
        self.found.push(ToolCallLocation::new(path.into()));
        self
    }

    /// A line of such a file. The first line is 1.
    pub fn location_at(mut self, path: impl Into<PathBuf>, line: u32) -> Self {
        self.found.push(ToolCallLocation::new(path.into()).line(line));
        self
    }

    /// The `_meta` of the update that ends the call. An [`update`](Self::update) of your own has its own `_meta`.
    ///
    /// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility#the-_meta-field).
    ///
    /// ```
    /// use acp_runtime::{session::ToolCallHandle, prelude::*, values::Meta};
    ///
    /// async fn ran(call: ToolCallHandle, code: i32) -> Result<()> {
    ///     call.meta(Meta::from_iter([("example.com/exitCode".to_owned(), code.into())])).complete(()).await
    /// }
    /// ```
    pub fn meta(mut self, meta: Meta) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Ends the call as completed, with its result.
    ///
    /// # Errors
    ///
    /// A path is not absolute, a line is 0, or the client is gone.
    pub fn complete(self, content: impl ToolContent) -> Reporting<'static> {
        Box::pin(self.end(ToolCallStatus::Completed, content.into_content()))
    }

    /// Ends the call as failed, with the reason.
    ///
    /// # Errors
    ///
    /// A path is not absolute, a line is 0, or the client is gone.
    pub fn fail(self, reason: impl ToolContent) -> Reporting<'static> {
        Box::pin(self.end(ToolCallStatus::Failed, reason.into_content()))
    }

    /// Ends the call by the result of its tool: as completed with the value as its content, or as failed with the text of the
    /// error. The text has the causes, too, if the error shows them in its form `{:#}`, as those of `anyhow` do.
    ///
    /// If the tool fails in a turn that is cancelled, the call is reported as failed, and this function returns
    /// [`Cancelled`](crate::Cancelled). So `?` ends a loop over tools.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    ///
    /// async fn read<C: ConfigOptions>(turn: &Turn<C>, path: &str) -> Result<()> {
    ///     let call = turn.tool_call("Read a file").kind(ToolKind::Read).location(path).start().await?;
    ///     call.finish(std::fs::read_to_string(path)).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// A path is not absolute, a line is 0, the client is gone, or the tool has failed and the turn is cancelled.
    pub fn finish<T: ToolContent, E: fmt::Display>(self, result: Result<T, E>) -> Reporting<'static> {
        let content = match result {
            Ok(content) => return Box::pin(self.end(ToolCallStatus::Completed, content.into_content())),
            Err(error) => format!("{error:#}").into_content(),
        };
        let cancel = self.client.cancellation().clone();
        Box::pin(async move {
            self.end(ToolCallStatus::Failed, content).await?;
            // The error says nothing of the turn: the tool may have told the cancel in words of its own, and the client may have
            // withdrawn a request of a turn that goes on.
            Ok(cancel.check()?)
        })
    }

    async fn end(mut self, status: ToolCallStatus, content: Option<Vec<ToolCallContent>>) -> Result<()> {
        let update = self.last(status, content);
        self.update(update).await
    }

    /// The update that ends the call.
    fn last(&mut self, status: ToolCallStatus, content: Option<Vec<ToolCallContent>>) -> ToolCallUpdate {
        let mut update = ToolCallUpdate::new(self.id.clone()).status(status);
        update.content = content;
        update.raw_output = self.raw_output.take();
        update.meta = self.meta.take();
        if !self.found.is_empty() {
            let mut locations = self.shown().call.locations.clone();
            locations.append(&mut self.found);
            update.locations = Some(locations);
        }
        update
    }

    /// Sends any update of this call. The runtime fills in the id.
    ///
    /// # Errors
    ///
    /// A path is not absolute, or the client is gone.
    pub async fn update(&self, update: ToolCallUpdate) -> Result<()> {
        let update = self.checked(update)?;
        self.updates.send(&update).await?;
        self.merge(update);
        Ok(())
    }

    fn checked(&self, mut update: ToolCallUpdate) -> Result<SessionUpdate> {
        update.tool_call_id = self.id.clone();
        self.updates.check_paths_of(&mut update)?;
        Ok(SessionUpdate::ToolCallUpdate(update))
    }

    /// Takes over what was sent. This is not done before: if the future is dropped while it waits for room, the update is not
    /// sent, and then the drop must report the end of the call.
    fn merge(&self, update: SessionUpdate) {
        if let SessionUpdate::ToolCallUpdate(update) = update {
            self.shown().merge(update);
        }
    }

    /// The call in the form that the permission request repeats.
    pub(super) fn described(&self) -> ToolCallUpdate {
        let shown = self.shown();
        described(shown.call.clone(), shown.status)
    }

    fn shown(&self) -> MutexGuard<'_, Shown> {
        self.shown.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ToolCallHandle {
    fn drop(&mut self) {
        if matches!(self.shown().status, ToolCallStatus::Pending | ToolCallStatus::InProgress) {
            let failed = ToolCallUpdate::new(self.id.clone()).status(ToolCallStatus::Failed);
            self.updates.send_now(&SessionUpdate::ToolCallUpdate(failed));
        }
    }
}

fn with_content(mut update: ToolCallUpdate, content: impl ToolContent) -> ToolCallUpdate {
    update.content = content.into_content();
    update
}

#[cfg(feature = "v2")]
impl ToolCallHandle {
    pub(super) fn shared(&self) -> Arc<dyn super::listed::Described> {
        self.shown.clone()
    }

    /// From here on, the turn's cancel does not reach the call, but the end of the session does.
    pub(super) fn detach(&mut self) {
        let over = self.output().extra(|late| late.background.get_or_insert_default().over.clone());
        self.client = self.client.in_background(over.unwrap_or_default());
    }

    /// Set when the client cancels this call alone.
    pub(super) fn own_cancellation(&mut self) -> &CancellationToken {
        self.cancel.get_or_insert_default()
    }

    pub(super) fn cancellation(&self) -> Option<&CancellationToken> {
        self.cancel.as_ref()
    }

    /// Ends the call with a status that only some versions have.
    pub(super) async fn close(mut self, status: Control) -> Result<()> {
        let update = self.last(ToolCallStatus::Failed, None);
        let update = self.checked(update)?;
        self.updates.send_as(&update, status).await?;
        self.merge(update);
        Ok(())
    }

    /// Adds contents, at once.
    pub(super) fn add(&self, mut added: Vec<ToolCallContent>) -> Result<()> {
        self.updates.check_paths(&mut added, &mut [])?;
        let count = added.len();
        let mut shown = self.shown();
        // The contents move into the update and back, so that none is copied.
        let mut whole = ToolCallUpdate::new(self.id.clone()).content(mem::take(&mut shown.call.content));
        whole.content.get_or_insert_default().append(&mut added);
        let update = SessionUpdate::ToolCallUpdate(whole);
        let sent = self.updates.send_added(&update, count);
        if let SessionUpdate::ToolCallUpdate(whole) = update {
            shown.call.content = whole.content.unwrap_or_default();
        }
        if sent.is_err() {
            let before = shown.call.content.len() - count;
            shown.call.content.truncate(before);
        }
        sent
    }

    /// Reports that the call goes on, with a status that only some versions have.
    pub(super) async fn in_progress_as(&self, status: Control) -> Result<()> {
        let update = self.checked(ToolCallUpdate::new(self.id.clone()).status(ToolCallStatus::InProgress))?;
        self.updates.send_as(&update, status).await?;
        self.merge(update);
        Ok(())
    }
}

#[cfg(feature = "v2")]
impl super::listed::Described for Mutex<Shown> {
    fn described(&self) -> SessionUpdate {
        let shown = self.lock().unwrap_or_else(PoisonError::into_inner);
        SessionUpdate::ToolCallUpdate(described(shown.call.clone(), shown.status))
    }
}

/// A call in the form that the permission request repeats.
pub(super) fn described(call: ToolCall, status: ToolCallStatus) -> ToolCallUpdate {
    let mut update = ToolCallUpdate::new(call.tool_call_id).title(call.title);
    update.kind = Some(call.kind);
    update.status = Some(status);
    update.name = call.name;
    update.content = Some(call.content);
    update.locations = Some(call.locations);
    update.raw_input = call.raw_input;
    update.meta = call.meta;
    update
}
