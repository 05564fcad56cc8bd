//! What an agent's source needs: `use acp_runtime::prelude::*;`.
//!
//! It holds the macros, what handlers take and answer, and the types of the protocol that most agents name. The protocol's
//! other types are at [`values`](crate::values), all else is in the module that says what it is for:
//!
//! ```
//! use acp_runtime::{client::Elicitation, prelude::*, values::UsageUpdate};
//! # fn names(_: Elicitation, _: UsageUpdate, _: StopReason) {}
//! ```
//!
//! The list is explicit, because the protocol has types of its own that are called `Error`, `Result` and `RequestMeta`.

#[doc(no_inline)]
pub use crate::{
    Cancelled, Error, Result,
    agent::{OpenedSession, RequestMeta, Serve},
    client::{Client, Permission, TerminalHandle},
    config::{Change, Choice, ChoiceValue, Key},
    session::{ClosedSession, Replay, SessionHandle, ToolCallHandle, Turn},
};

// Two of them are each a derive and the trait it implements.
#[doc(no_inline)]
pub use crate::{ConfigOptions, SelectValue, acp_agent};

#[doc(no_inline)]
pub use crate::values::{
    AuthenticateRequest, AuthenticateResponse, CancelNotification, CloseSessionRequest, CloseSessionResponse,
    ContentBlock, DeleteSessionRequest, DeleteSessionResponse, Diff, ListSessionsRequest, ListSessionsResponse,
    LoadSessionRequest, LogoutRequest, LogoutResponse, NewSessionRequest, PlanEntry, PlanEntryPriority,
    PlanEntryStatus, PromptRequest, PromptResponse, ResumeSessionRequest, SessionId, SessionInfo, StopReason,
    ToolCallStatus, ToolKind,
};
