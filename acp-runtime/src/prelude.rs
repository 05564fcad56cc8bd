//! The names that an agent's source needs: `use acp_runtime::prelude::*;`.
//!
//! The prelude holds the macros, the types that handlers take and answer, and the types of the protocol that most agents
//! name. The protocol's other types are at [`values`](crate::values). All other names are in the module of their subject:
//!
//! ```
//! use acp_runtime::{client::TerminalBuilder, prelude::*, values::ToolCallUpdate};
//! # fn names(_: TerminalBuilder, _: ToolCallUpdate, _: StopReason) {}
//! ```
//!
//! The list is explicit, so that no name in it is the name of another type of the protocol.

#[doc(no_inline)]
pub use crate::{
    Error, Result,
    agent::{Initialized, OpenedSession, Restored, Serve, Shared},
    client::Client,
    config::{Change, Changes, Choice},
    session::{Arguments, ClosedSession, Replay, SessionHandle, Steered, ToolCallHandle, Turn},
    store::SessionStore,
};

// All of these names but one are each a derive and the trait that it implements.
#[doc(no_inline)]
pub use crate::{ConfigOptions, Questions, SelectValue, acp_agent};

#[doc(no_inline)]
pub use crate::values::{
    AuthenticateRequest, AuthenticateResponse, AvailableCommand, CancelNotification, CloseSessionRequest,
    CloseSessionResponse, ContentBlock, Cost, DeleteSessionRequest, DeleteSessionResponse, Diff, EmbeddedResource,
    EmbeddedResourceResource, ImageContent, InitializeRequest, ListSessionsRequest, ListSessionsResponse,
    LoadSessionRequest, LogoutRequest, LogoutResponse, McpServer, Meta, NewSessionRequest, NoticeSeverity,
    PermissionOption, PermissionOptionKind, PlanEntry, PlanEntryPriority, PlanEntryStatus, PromptRequest,
    PromptResponse, ResourceLink, ResumeSessionRequest, SessionId, SessionInfo, SessionInfoUpdate, StopReason,
    TextContent, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind, UsageUpdate,
};
