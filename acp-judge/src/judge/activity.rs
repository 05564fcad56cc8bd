//! The judge's record of a session of version 2: its work, its prompts, its items, its messages.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use crate::value::Value;

/// The state of the work in the foreground, as the agent has reported it.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Foreground {
    #[default]
    Idle,
    /// `running`, or a state that the judge does not know.
    Running,
    /// `requires_action`.
    Blocked,
}

#[derive(Default)]
pub(super) struct Activity {
    pub(super) foreground: Foreground,
    /// The time since which the foreground is idle.
    pub(super) idle_since: Duration,
    /// The last stop reason.
    pub(super) stop: Option<String>,
    /// The cancellation of the present work.
    pub(super) stopping: Option<Stopping>,
    /// Another cancellation came behind the one of the present work. It may reach the work that comes next.
    pub(super) is_stopped_again: bool,
    /// Whether the client did something, since the last `idle`, that may end the work as cancelled.
    pub(super) may_cancel: bool,
    /// The time at which the client answered the last open question of a foreground that requires action.
    pub(super) unblocked: Option<Duration>,
    /// The agent's requests that a cancellation made useless, by id.
    pub(super) useless: BTreeSet<String>,
    /// The time at which the cancelled work ended, while requests are useless.
    pub(super) useless_since: Option<Duration>,
    /// The open prompts, in the order of their arrival.
    pub(super) open: Vec<Prompt>,
    /// The prompts that were inserted, by the id of their message.
    pub(super) inserted: BTreeMap<String, Inserted>,
    /// A prompt was inserted while the foreground was idle, and no work began since.
    pub(super) due: Option<Due>,
    pub(super) users: BTreeMap<String, Said>,
    pub(super) resume: Option<Resume>,
    pub(super) items: BTreeMap<ItemId, Item>,
    /// The background work of the last list.
    pub(super) listed: Option<BTreeSet<ItemId>>,
}

/// When, and how, the client has cancelled the work.
pub(super) struct Stopping {
    pub(super) by_close: bool,
    pub(super) at: Duration,
    pub(super) is_proven: bool,
    /// The entry of the cancellation.
    pub(super) entry: usize,
}

/// A prompt that is not answered yet.
#[derive(Clone)]
pub(super) struct Prompt {
    pub(super) id: String,
    /// It arrived while the foreground was idle.
    pub(super) is_first: bool,
}

/// An inserted prompt.
pub(super) struct Inserted {
    pub(super) entry: usize,
    pub(super) at: Duration,
    /// The entry of its request; `None` if it was cancelled or withdrawn, so that it may come at any time.
    pub(super) arrived: Option<usize>,
    /// The user message must be there when the foreground has become idle so many times.
    pub(super) ends: usize,
    pub(super) is_said: bool,
}

/// The insertion that work has to follow.
#[derive(Clone, Copy)]
pub(super) struct Due {
    pub(super) entry: usize,
    pub(super) at: Duration,
}

/// A user message.
#[derive(Default)]
pub(super) struct Said {
    /// The first entry that has the message.
    pub(super) entry: usize,
    pub(super) at: Duration,
    pub(super) content: Vec<Value<'static>>,
}

/// A resume that is not answered yet.
#[derive(Default)]
pub(super) struct Resume {
    /// The client asks for the history.
    pub(super) replays: bool,
    /// The session was open before.
    pub(super) was_open: bool,
    /// The state was sent.
    pub(super) is_shown: bool,
    /// The history went on after the state was sent.
    pub(super) is_early: bool,
    /// The user messages of the history.
    pub(super) users: BTreeMap<String, Said>,
}

/// A tool call or a terminal.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ItemId {
    Tool(String),
    Terminal(String),
}

impl std::fmt::Display for ItemId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Tool(id) => write!(f, "the tool call `{id}`"),
            Self::Terminal(id) => write!(f, "the terminal `{id}`"),
        }
    }
}

#[derive(Default)]
pub(super) struct Item {
    /// The status of a tool call; `exited` for a terminal that has exited.
    pub(super) status: String,
    pub(super) has_ended: bool,
    pub(super) command: Option<String>,
    /// The item advertises that it can be cancelled.
    pub(super) is_cancellable: bool,
    /// The time at which the item ceased to advertise it.
    pub(super) was_cancellable: Option<Duration>,
    /// The entry that ended the item.
    pub(super) ended_at: usize,
    /// A list of background work named the item.
    pub(super) was_listed: bool,
}

impl Activity {
    /// Whether the agent reports background work, and some is at work.
    pub(super) fn has_background(&self) -> bool {
        self.listed.as_ref().is_some_and(|listed| !listed.is_empty())
    }

    /// Forgets what a close has ended. Ids stay known.
    pub(super) fn reopen(&mut self) {
        let Self { users, items, inserted, .. } = std::mem::take(self);
        *self = Self { users, items, inserted, ..Self::default() };
        self.items.values_mut().for_each(|item| item.was_listed = false);
    }
}

/// The text of a content, to compare two messages. Chunks have one text with the message that they add up to.
pub(super) fn spoken(content: &[Value<'_>]) -> String {
    content.iter().map(|block| block["text"].as_str().map_or_else(|| block.to_string(), ToOwned::to_owned)).collect()
}
