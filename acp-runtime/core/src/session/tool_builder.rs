//! A tool call that is not reported yet. The agent reports one when the model asks for a tool.
//!
//! See [Tool calls](https://agentclientprotocol.com/protocol/v1/tool-calls).

use std::{
    fmt,
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

use super::{
    claims::CallClaim,
    tool_call::{self, ToolCallHandle},
    tool_content::ToolContent,
    update::{SessionOutput, Updates},
};
use crate::{
    client::Client,
    values::{Meta, SessionUpdate, ToolCall, ToolCallId, ToolCallLocation, ToolCallStatus, ToolCallUpdate, ToolKind},
    wire::Result,
};

/// A tool call that is not reported yet; [`Turn::tool_call`](super::Turn::tool_call) makes one.
///
/// Report it with [`start`](Self::start). If the agent's core asks before it begins a call, ask for
/// [`permission`](Self::permission) first, and report the call when the core begins it, or never.
#[must_use = "nothing is reported before `start`"]
pub struct ToolCallBuilder {
    call: ToolCall,
    /// The session's only claim to the id, once permission for the call was asked.
    claim: Mutex<Option<CallClaim>>,
    updates: Updates,
    client: Client,
}

impl fmt::Debug for ToolCallBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolCallBuilder").field("title", &self.call.title).finish_non_exhaustive()
    }
}

impl ToolCallBuilder {
    pub(crate) fn new(title: String, updates: Updates, client: Client) -> Self {
        Self { call: ToolCall::new(fresh_id(), title), claim: Mutex::default(), updates, client }
    }

    /// The call's id, unique in the session. By default the runtime makes one; set it to use the model's id.
    ///
    /// Some models number the calls of each answer anew. The ids of such a model are not unique, so do not use them here.
    pub fn id(mut self, id: impl Into<ToolCallId>) -> Self {
        self.claim = Mutex::default();
        self.call.tool_call_id = id.into();
        self
    }

    /// The id that [`start`](Self::start) reports, and that [`permission`](Self::permission) asks about.
    pub fn call_id(&self) -> &ToolCallId {
        &self.call.tool_call_id
    }

    /// Another title than that of [`Turn::tool_call`](super::Turn::tool_call): a core may know more when it begins the call.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.call.title = title.into();
        self
    }

    /// The kind of tool, for the client's icon.
    pub fn kind(mut self, kind: ToolKind) -> Self {
        self.call = self.call.kind(kind);
        self
    }

    /// The tool's programmatic name.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.call = self.call.name(name.into());
        self
    }

    /// A file that the tool works on. The client can show it to the user. The path is absolute.
    pub fn location(mut self, path: impl Into<PathBuf>) -> Self {
        self.call.locations.push(ToolCallLocation::new(path.into()));
        self
    }

    /// A line of a file that the tool works on. The first line is 1.
    pub fn location_at(mut self, path: impl Into<PathBuf>, line: u32) -> Self {
        self.call.locations.push(ToolCallLocation::new(path.into()).line(line));
        self
    }

    /// Several files that the tool works on, as absolute paths or as [`ToolCallLocation`]s. They are added to the others.
    ///
    /// See [Following the agent](https://agentclientprotocol.com/protocol/v1/tool-calls#following-the-agent).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::ToolCallHandle, values::ToolCallLocation};
    ///
    /// async fn search<C: ConfigOptions>(turn: &Turn<C>, hits: &[(String, u32)]) -> Result<ToolCallHandle> {
    ///     let hits = hits.iter().map(|(path, line)| ToolCallLocation::new(path).line(*line));
    ///     turn.tool_call("Search").kind(ToolKind::Search).locations(["/src", "/tests"]).locations(hits).start().await
    /// }
    /// ```
    pub fn locations(mut self, locations: impl IntoIterator<Item: Into<ToolCallLocation>>) -> Self {
        self.call.locations.extend(locations.into_iter().map(Into::into));
        self
    }

    /// The content to show from the start, for example the [`Diff`](crate::values::Diff) that needs permission.
    pub fn content(mut self, content: impl ToolContent) -> Self {
        if let Some(content) = content.into_content() {
            self.call.content.extend(content);
        }
        self
    }

    /// The parameters of the tool, as the model gave them.
    pub fn raw_input(mut self, input: serde_json::Value) -> Self {
        self.call = self.call.raw_input(input);
        self
    }

    /// The `_meta` of the call. A request for permission repeats it as the `_meta` of its tool call.
    ///
    /// See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility#the-_meta-field).
    ///
    /// ```
    /// use acp_runtime::{prelude::*, session::ToolCallHandle, values::Meta};
    ///
    /// async fn begin<C: ConfigOptions>(turn: &Turn<C>, server: &str) -> Result<ToolCallHandle> {
    ///     let meta = Meta::from_iter([("example.com/server".to_owned(), server.into())]);
    ///     turn.tool_call("Look it up").meta(meta).start().await
    /// }
    /// ```
    pub fn meta(mut self, meta: Meta) -> Self {
        self.call.meta = Some(meta);
        self
    }

    /// Reports the call as pending.
    ///
    /// # Errors
    ///
    /// A path is not absolute, a line is 0, the session has had a call with this id, or the client is gone. The runtime knows the
    /// last 1024 calls of a session, with those that a load has replayed.
    pub async fn start(self) -> Result<ToolCallHandle> {
        let Self { mut call, claim, updates, client } = self;
        updates.check_paths(&mut call.content, &mut call.locations)?;
        let claim = match claim.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(claim) => claim,
            None => updates.claim_call(&call.tool_call_id)?,
        };
        updates.send(&SessionUpdate::ToolCall(call.clone())).await?;
        claim.keep();
        // Made only now. The drop of a handle reports the end of its call, and an unreported call must not end.
        Ok(ToolCallHandle::new(call, updates, client))
    }

    /// Claims the id until the builder is dropped, or until the call is reported.
    pub(super) fn claim(&self) -> Result<()> {
        let mut claim = self.claim.lock().unwrap_or_else(PoisonError::into_inner);
        if claim.is_none() {
            *claim = Some(self.updates.claim_call(self.call_id())?);
        }
        Ok(())
    }

    pub(super) fn client(&self) -> &Client {
        &self.client
    }

    pub(super) fn output(&self) -> &SessionOutput {
        &self.updates
    }

    pub(super) fn name_and_kind(&self) -> (Option<String>, ToolKind) {
        (self.call.name.clone(), self.call.kind)
    }

    /// The call in the form in which the permission request shows it.
    pub(super) fn described(&self) -> Result<ToolCallUpdate> {
        let mut update = tool_call::described(self.call.clone(), ToolCallStatus::Pending);
        self.updates.check_paths_of(&mut update)?;
        Ok(update)
    }
}

/// An id that is unique in the session, even if another process has loaded the session.
fn fresh_id() -> ToolCallId {
    ToolCallId::from(format!("call_{}", uuid::Uuid::now_v7().simple()))
}
