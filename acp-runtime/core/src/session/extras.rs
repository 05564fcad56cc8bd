//! What only some sessions have: ids of tool calls, lasting permissions, listeners, a recorder, declared commands, relative
//! paths.
//!
//! A session has one place for all of it, and makes it when it first needs it. So a session without them has one word of it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use super::{
    beside::Beside,
    call_ids::CallIds,
    commands::{DeclaredCommand, Offered},
    followed::Followers,
    recorder::{Hears, Recorder},
    remembered::Remembered,
};
use crate::{
    config::members::MemberList,
    dialect::Members,
    transport::Principal,
    values::{MessageId, SessionUpdate},
};

/// What a session may have beside its output.
#[derive(Default)]
pub struct Extras {
    pub(super) offered: Option<Box<Offered>>,
    pub(super) recorder: Option<Arc<dyn Recorder>>,
    /// The clients of a session that may have several.
    pub(super) followers: Option<Arc<dyn Followers>>,
    /// Whose session it is.
    pub(super) principal: Option<Principal>,
    /// Boxed, because the sessions of a store have extras from their begin, and few of them have these.
    late: Mutex<Option<Box<Late>>>,
}

/// What comes and goes while the session runs.
#[derive(Default)]
pub(super) struct Late {
    pub(super) calls: CallIds,
    /// The lasting permissions of a session that no store keeps.
    pub(super) remembered: Option<Arc<Remembered>>,
    pub(super) listeners: Vec<Weak<dyn Hears>>,
    /// Whether the session's updates may have relative paths.
    pub(super) resolves_paths: bool,
    /// The message of the user that has begun the turn, once it has an id.
    pub(super) user_message: Option<MessageId>,
    /// The prompts beside the turn, once there was one.
    pub(super) beside: Option<Arc<Beside>>,
    /// What the session does.
    #[cfg(feature = "v2")]
    pub(super) foreground: Option<Box<super::activity::Foreground>>,
    /// What goes on in the background, and what the client may cancel alone.
    #[cfg(feature = "v2")]
    pub(super) background: Option<Box<super::listed::Background>>,
    /// Whether nothing of it is sent.
    #[cfg(feature = "v2")]
    pub(super) is_muted: bool,
    /// What each update has beyond the schema.
    pub(super) members: MemberList,
}

impl Extras {
    /// The session offers these commands.
    pub(crate) fn offer(&mut self, declared: Vec<&'static [DeclaredCommand]>) {
        self.offered = Some(Box::new(Offered::new(declared)));
    }

    /// Several clients may follow the session.
    pub(crate) fn follow_by(&mut self, followers: Arc<dyn Followers>) {
        self.followers = Some(followers);
    }

    /// The session is this one's.
    pub(crate) fn belong_to(&mut self, principal: &Principal) {
        self.principal = Some(principal.clone());
    }

    /// The recorder hears what the session says.
    pub(crate) fn record_by(&mut self, recorder: Arc<dyn Recorder>) {
        self.recorder = Some(recorder);
    }

    pub(super) fn late(&self) -> MutexGuard<'_, Option<Box<Late>>> {
        self.late.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes an update with the members that each update has.
    pub(super) fn with_members<R>(&self, write: impl FnOnce(&Members) -> R) -> R {
        let late = self.late();
        write(late.as_ref().map_or(&[], |late| &late.members))
    }

    /// Tells the listeners. `message_id` is asked for once, if there are any.
    pub(super) fn said(&self, update: &SessionUpdate, message_id: impl FnOnce() -> Option<MessageId>) {
        let mut late = self.late();
        let Some(late) = late.as_mut().filter(|late| !late.listeners.is_empty()) else { return };
        let message_id = message_id();
        late.listeners.retain(|listener| {
            let Some(listener) = listener.upgrade() else { return false };
            listener.said(update, message_id.clone());
            true
        });
    }
}
