//! Sessions: the state between turns, the turns, and the reports about both to the client.
//!
//! A handler of `prompt` reports through its [`Turn`]. Work outside of a turn reports through the [`SessionHandle`]. A
//! [`Replay`] shows the history of a session that is loaded: for example, what a [`Recording`] has recorded. A
//! [`ClosedSession`] has the state of a session that ends.
//!
//! See [Session setup](https://agentclientprotocol.com/protocol/v1/session-setup) and
//! [Prompt turn](https://agentclientprotocol.com/protocol/v1/prompt-turn).

#[cfg(not(feature = "local"))]
mod absent_command;
#[cfg(feature = "v2")]
mod activity;
mod additions;
#[cfg(feature = "v2")]
mod agent_terminal;
mod announced;
#[cfg(feature = "v2")]
mod append;
#[cfg(feature = "v2")]
mod background;
mod beside;
pub(crate) mod book;
mod call_ids;
mod claims;
mod cleared;
mod closed_session;
mod commands;
mod compaction;
mod cwd;
mod extras;
#[cfg(all(feature = "v2", feature = "local"))]
mod feed;
#[cfg(feature = "v2")]
mod file_change;
mod followed;
pub(crate) mod followers;
mod for_client;
#[cfg(feature = "v2")]
mod foreground;
mod handle;
mod history;
mod interrupted;
mod journal;
mod life;
#[cfg(feature = "v2")]
mod listed;
mod live;
#[cfg(feature = "v2")]
mod message;
mod message_of_turn;
mod permissions;
#[cfg(feature = "v2")]
mod plans;
mod recorder;
mod recording;
mod remembered;
mod replay;
mod report;
#[cfg(feature = "v2")]
mod screen;
#[cfg(feature = "v2")]
mod screens;
mod sending;
mod shown_in_part;
mod steered;
mod steps;
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
#[cfg(feature = "v2")]
mod work;

pub(crate) use additions::Additions;
#[cfg(feature = "v2")]
pub use agent_terminal::AgentTerminal;
pub(crate) use beside::PromptBeside;
pub use closed_session::ClosedSession;
pub(crate) use closed_session::{Closing, Ending};
pub use commands::Arguments;
#[doc(hidden)]
pub use commands::DeclaredCommand;
pub use compaction::Compaction;
pub(crate) use cwd::WorkingDirectories;
pub(crate) use extras::Extras;
#[cfg(feature = "v2")]
pub use file_change::{FileChange, FileType};
pub use handle::SessionHandle;
pub use history::History;
pub(crate) use interrupted::Interrupted;
pub use life::{Ended, OpenedBy};
pub(crate) use live::{Session, TurnSlot};
#[cfg(feature = "v2")]
pub use message::MessageHandle;
#[cfg(feature = "v2")]
pub use plans::cancelled_entry;
pub use recording::Recording;
pub use replay::Replay;
pub(crate) use replay::Replaying;
pub use steered::Steered;
pub use steps::Steps;
pub use tool_builder::ToolCallBuilder;
pub use tool_call::ToolCallHandle;
pub use tool_content::ToolContent;
pub use tool_permission::PermissionBuilder;
pub use tool_text::{fenced, shortened};
pub use turn::Turn;
pub use turn_handle::TurnHandle;
pub(crate) use update::SessionOutput;
pub use weak::WeakSessionHandle;
#[cfg(feature = "v2")]
pub use work::Work;
