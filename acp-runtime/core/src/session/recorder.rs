//! Those who hear what a session's output says, in the order of the wire: listeners, and the place where it is noted.

use std::{
    any::Any,
    collections::BTreeMap,
    pin::Pin,
    sync::{Arc, OnceLock},
};

use super::{history::History, remembered::Remembered};
use crate::{
    config::transaction::Keeping,
    store::KeptOption,
    values::{ContentBlock, MessageId, SessionConfigId, SessionId, SessionUpdate},
    wire::Result,
};

/// Hears what one session says, in the order of the wire. Called under the lock of the buffer, so it must not wait.
pub(super) trait Hears: Send + Sync {
    /// The session has said this. `message_id` is the id of the message that it is a piece of.
    fn said(&self, update: &SessionUpdate, message_id: Option<MessageId>);
}

/// The wait for room for what is said.
pub(crate) type Room = Pin<Box<dyn Future<Output = Result<()>> + Send>>;

/// Notes what is said in one session. Its functions are called under the lock of the buffer that the updates are written
/// to, so they must not wait, and must not write messages.
pub(crate) trait Recorder: Any + Send + Sync {
    /// An update was written, in so many bytes. `message_id` is the id of the message that the update is a piece of.
    fn said(self: Arc<Self>, update: &SessionUpdate, message_id: Option<MessageId>, bytes: usize);

    /// The user has said this, in one message.
    fn prompted(self: Arc<Self>, prompt: &[ContentBlock], message_id: Option<MessageId>);

    /// What has to end before more may be said; `None` if there is room.
    fn room(self: Arc<Self>) -> Option<Room>;

    /// Options have changed.
    fn options_changed(self: Arc<Self>);

    /// Keeps options before they are in force.
    fn keep_options(self: Arc<Self>, options: BTreeMap<SessionConfigId, KeptOption>) -> Keeping;

    /// Lasting permissions have changed.
    fn permissions_changed(self: Arc<Self>);

    /// As [`permissions_changed`](Self::permissions_changed). The future ends when they are kept, or cannot be kept now.
    fn keep_permissions(self: Arc<Self>) -> Pin<Box<dyn Future<Output = ()> + Send>>;

    /// The lasting permissions. Their place is empty until there is one.
    fn permissions(&self) -> &OnceLock<Arc<Remembered>>;

    /// Drops what the session has said so far, but for the running turn.
    fn clear(self: Arc<Self>);

    /// What the session has said, from its begin.
    fn history(self: Arc<Self>, session: &SessionId) -> History;
}
