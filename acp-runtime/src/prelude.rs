//! What an agent's source needs: `use acp_runtime::prelude::*;`.
//!
//! The list is explicit. The schema has types of its own called `Error` and `Plan`, among others; what is
//! not here is found in [`schema::v1`](crate::schema::v1).

pub use crate::{
    Cancelled, Error, Result,
    agent::{Meta, NewSession, Serve},
    client::{Client, Permission, TerminalHandle},
    config::{Change, Choice, ChoiceValue, Key},
    session::{Ended, Replay, SessionHandle, ToolCallHandle, Turn},
};

// Each a derive and the trait it implements.
pub use crate::{ConfigOptions, SelectValue};
pub use acp_macros::acp_agent;

pub use crate::schema::v1::{
    AuthenticateRequest, AuthenticateResponse, CancelNotification, CloseSessionRequest, CloseSessionResponse,
    ContentBlock, DeleteSessionRequest, DeleteSessionResponse, Diff, ListSessionsRequest, ListSessionsResponse,
    LoadSessionRequest, LogoutRequest, LogoutResponse, NewSessionRequest, PlanEntry, PlanEntryPriority,
    PlanEntryStatus, PromptRequest, PromptResponse, ResumeSessionRequest, SessionId, SessionInfo, StopReason,
    ToolCallStatus, ToolKind,
};
