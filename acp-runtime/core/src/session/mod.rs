//! Sessions: the state between turns, the turns, and the reports about both to the client.
//!
//! A handler of `prompt` reports through its [`Turn`]. Work outside of a turn reports through the [`SessionHandle`]. A
//! [`Replay`] shows the history of a session that is loaded: for example, what a [`Recording`] has recorded. A
//! [`ClosedSession`] has the state of a session that ends.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup) and
//! [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).

mod additions;
mod announced;
mod beside;
pub(crate) mod book;
mod call_ids;
mod claims;
mod closed_session;
mod commands;
mod compaction;
mod cwd;
mod extras;
mod for_client;
mod handle;
mod history;
mod interrupted;
mod journal;
mod life;
mod live;
mod permissions;
mod recorder;
mod recording;
mod remembered;
mod replay;
mod report;
mod sending;
mod steered;
pub(crate) mod table;
mod tool_builder;
mod tool_call;
#[cfg(feature = "local")]
mod tool_command;
mod tool_content;
mod tool_permission;
mod tool_text;
mod turn;
mod turn_handle;
mod update;
mod weak;

pub(crate) use additions::Additions;
pub(crate) use beside::PromptBeside;
pub use closed_session::ClosedSession;
pub(crate) use closed_session::{Closing, Ending};
pub use commands::Arguments;
#[doc(hidden)]
pub use commands::DeclaredCommand;
pub use compaction::Compaction;
pub(crate) use cwd::WorkingDirectories;
pub(crate) use extras::Extras;
pub use handle::SessionHandle;
pub use history::History;
pub(crate) use interrupted::Interrupted;
pub use life::{Ended, OpenedBy};
pub(crate) use live::{Session, TurnSlot};
pub use recording::Recording;
pub use replay::Replay;
pub(crate) use replay::Replaying;
pub use steered::Steered;
pub use tool_builder::ToolCallBuilder;
pub use tool_call::ToolCallHandle;
pub use tool_content::ToolContent;
pub use tool_permission::PermissionBuilder;
pub use tool_text::{fenced, shortened};
pub use turn::Turn;
pub use turn_handle::TurnHandle;
pub(crate) use update::SessionOutput;
pub use weak::WeakSessionHandle;
