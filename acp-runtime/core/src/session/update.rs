//! Sends `session/update` for one session.

use std::{
    mem,
    ops::Deref,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak},
};

use super::{
    commands::Offered,
    cwd::WorkingDirectories,
    extras::Extras,
    followed::Followers,
    recorder::{Hears, Recorder},
    tool_content::check_paths,
};
use crate::{
    client::{line::Line, unoffered},
    dialect::{Members, MessageTracker, OutgoingUpdate, SessionSink, Tells},
    rpc::Address,
    values::{MessageId, SessionId, SessionUpdate, ToolCallContent, ToolCallLocation, ToolCallUpdate},
    wire::{Error, Result},
};
#[cfg(feature = "v2")]
use crate::{
    dialect::{Control, Stop},
    values::AvailableCommandsUpdate,
};

/// The output of one session to one client. It ends with the session.
pub struct SessionOutput {
    id: SessionId,
    place: Mutex<Place>,
    messages: MessageTracker,
    extras: OnceLock<Box<Extras>>,
}

/// Where the session is. A call that opens the session again may move it.
struct Place {
    /// The line to the client that has the session.
    line: Arc<Line>,
    /// This client has gone, and no other has come.
    is_left: bool,
    directories: WorkingDirectories,
}

/// Appends a message in the words of a version.
pub(crate) type Writing<'w> = &'w mut dyn FnMut(&dyn Tells, &mut Vec<u8>) -> Result<()>;

/// A part of a session that has the session's output.
pub(crate) trait HasOutput: Send + Sync {
    fn output(&self) -> &SessionOutput;
}

impl HasOutput for SessionOutput {
    fn output(&self) -> &SessionOutput {
        self
    }
}

/// A session's output for a tool call or a compaction. These need not know the session's type.
#[derive(Clone)]
pub(crate) struct Updates(Arc<dyn HasOutput>);

impl Updates {
    pub(crate) fn new(output: Arc<dyn HasOutput>) -> Self {
        Self(output)
    }
}

impl Deref for Updates {
    type Target = SessionOutput;

    fn deref(&self) -> &SessionOutput {
        self.0.output()
    }
}

impl SessionOutput {
    pub(crate) fn new(
        id: SessionId,
        line: Arc<Line>,
        directories: WorkingDirectories,
        extras: Option<Box<Extras>>,
    ) -> Self {
        let extras = extras.map_or_else(OnceLock::new, OnceLock::from);
        let place = Mutex::new(Place { line: line.clone(), is_left: false, directories });
        let output = Self { id, place, messages: MessageTracker::default(), extras };
        if let Some(followers) = output.followers() {
            followers.enter(&output, &line);
        }
        output
    }

    /// The commands that the session offers, for an agent that declares some.
    pub(super) fn offered(&self) -> Option<&Offered> {
        self.extras()?.offered.as_deref()
    }

    /// The clients of a session that may have several.
    pub(crate) fn followers(&self) -> Option<&Arc<dyn Followers>> {
        self.extras()?.followers.as_ref()
    }

    /// What notes the updates of a session that is recorded.
    pub(crate) fn recorder(&self) -> Option<&Arc<dyn Recorder>> {
        self.extras()?.recorder.as_ref()
    }

    /// Whether the output has ended. The lock of the buffer must be held, because an answer takes it after the end.
    pub(crate) fn is_over(&self) -> bool {
        self.messages.is_over()
    }

    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(super) fn tracker(&self) -> &MessageTracker {
        &self.messages
    }

    /// The line to the client that has the session.
    pub(crate) fn line(&self) -> Arc<Line> {
        self.place().line.clone()
    }

    /// Another client has the session from here on, or is one of those that follow it. Returns the line of the earlier one.
    pub(crate) fn speak_to(&self, line: &Arc<Line>) -> Arc<Line> {
        if let Some(followers) = self.followers() {
            followers.enter(self, line);
        }
        let mut place = self.place();
        place.is_left = false;
        mem::replace(&mut place.line, line.clone())
    }

    /// This client has gone. Others may follow the session.
    pub(crate) fn part_from(&self, line: &Arc<Line>) {
        let next = self.followers().and_then(|followers| {
            followers.leave(line);
            followers.first()
        });
        let mut place = self.place();
        if Arc::ptr_eq(&place.line, line) {
            match next {
                Some(next) => place.line = next,
                None => place.is_left = true,
            }
        }
    }

    /// Whether no client has the session any more. The next one that opens it has it.
    pub(crate) fn is_left(&self) -> bool {
        match self.followers() {
            None => self.place().is_left,
            Some(followers) => followers.count() == 0,
        }
    }

    /// Whether other clients follow the session, too.
    pub(crate) fn has_others_than(&self, line: &Arc<Line>) -> bool {
        self.followers().is_some_and(|followers| followers.count() > usize::from(followers.has(line)))
    }

    /// Whether this client has the session, or follows it.
    pub(crate) fn is_told_to(&self, line: &Arc<Line>) -> bool {
        match self.followers() {
            None => Arc::ptr_eq(&self.line(), line),
            Some(followers) => followers.has(line),
        }
    }

    /// The session works in these directories from here on.
    pub(crate) fn work_in(&self, directories: WorkingDirectories) {
        self.place().directories = directories;
    }

    pub(super) fn cwd(&self) -> PathBuf {
        self.place().directories.cwd().to_path_buf()
    }

    pub(super) fn additional_directories(&self) -> Vec<PathBuf> {
        self.place().directories.additional().to_vec()
    }

    fn place(&self) -> MutexGuard<'_, Place> {
        self.place.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the output: after this call, no update of the session is sent. So a message that is sent after this call
    /// follows all updates of the session.
    pub(crate) fn end(&self) {
        self.silence();
        self.drop_extras();
    }

    pub(super) fn silence(&self) {
        self.messages.end();
    }

    pub(super) fn extras(&self) -> Option<&Extras> {
        self.extras.get().map(|extras| &**extras)
    }

    /// Writes with the members that each update has.
    pub(super) fn with_members<R>(&self, write: impl FnOnce(&Members) -> R) -> R {
        match self.extras() {
            None => write(&[]),
            Some(extras) => extras.with_members(write),
        }
    }

    pub(super) fn extras_or_new(&self) -> &Extras {
        self.extras.get_or_init(Box::default)
    }

    pub(super) fn check_paths(
        &self,
        content: &mut [ToolCallContent],
        locations: &mut [ToolCallLocation],
    ) -> Result<()> {
        if self.extra_so_far(|late| late.resolves_paths) == Some(true) {
            self.place().directories.resolve(content, locations);
        }
        check_paths(content, locations)
    }

    /// The same of an update of a tool call.
    pub(super) fn check_paths_of(&self, update: &mut ToolCallUpdate) -> Result<()> {
        let content = update.content.as_deref_mut().unwrap_or_default();
        self.check_paths(content, update.locations.as_deref_mut().unwrap_or_default())
    }

    /// Whether this holds for the client, or for one of several.
    pub(super) fn holds(&self, holds: &dyn Fn(&Line) -> bool) -> bool {
        match self.followers() {
            None => holds(&self.line()),
            Some(followers) => followers.any(holds),
        }
    }

    /// Whether the client shows notices.
    pub(crate) fn offers_notices(&self) -> bool {
        self.holds(&offers_notices)
    }

    /// Whether the client follows compactions.
    pub(crate) fn offers_compaction(&self) -> bool {
        self.holds(&offers_compaction)
    }

    /// Sends an update that the author made. Waits while the client reads too slowly.
    pub(crate) async fn send_own(&self, update: &mut SessionUpdate) -> Result<()> {
        self.check_own(update)?;
        if let SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_) = update {
            return Err(Error::internal_error("report a compaction with `compaction()`, which sees to its one end"));
        }
        self.check_new(update)?;
        self.send(update).await?;
        self.note_call(update);
        Ok(())
    }

    /// Sends an update of the session's history.
    pub(super) async fn replay(&self, update: &mut SessionUpdate) -> Result<()> {
        self.check_replayed(update)?;
        self.check_offered(update)?;
        self.write(update, replay_over).await
    }

    /// Sends an update that was kept with the id of its message. Sends nothing if the client does not follow such
    /// updates.
    pub(super) async fn replay_kept(&self, update: &mut SessionUpdate, message_id: Option<&MessageId>) -> Result<()> {
        self.check_replayed(update)?;
        if self.check_offered(update).is_err() {
            return Ok(());
        }
        let mut said = None;
        let write = &mut |out: &mut Vec<u8>| {
            let outgoing = OutgoingUpdate::new(&self.id, update, &self.messages).of_message(message_id);
            said = (!self.messages.is_over()).then(|| self.line().dialect().update(out, outgoing));
        };
        self.line().outbox.send(self.address(), write).await?;
        said.unwrap_or_else(|| Err(replay_over()))
    }

    /// Refuses updates that are no history. The ids of its tool calls are known from here on.
    pub(super) fn check_replayed(&self, update: &mut SessionUpdate) -> Result<()> {
        self.check_own(update)?;
        if let SessionUpdate::Notice(_) = update {
            return Err(Error::internal_error(
                "notices are not replayed; what still holds is a notice of a later turn",
            ));
        }
        self.note_call(update);
        Ok(())
    }

    /// Refuses updates that only the runtime reports, because it knows the client's capabilities, and updates that the protocol
    /// does not allow.
    fn check_own(&self, update: &mut SessionUpdate) -> Result<()> {
        match update {
            SessionUpdate::ConfigOptionUpdate(_) | SessionUpdate::CurrentModeUpdate(_) => Err(Error::internal_error(
                "config options and modes are reported by the runtime; change them with `update_config`",
            )),
            SessionUpdate::AvailableCommandsUpdate(_) if self.offered().is_some() => Err(Error::internal_error(
                "the runtime announces the commands that the agent declares; announce others with `commands`, which keeps these",
            )),
            SessionUpdate::ToolCall(call) => self.check_paths(&mut call.content, &mut call.locations),
            SessionUpdate::ToolCallUpdate(update) => self.check_paths_of(update),
            SessionUpdate::Notice(notice) if notice.title.trim().is_empty() => {
                Err(Error::internal_error("a notice needs a title"))
            }
            _ => Ok(()),
        }
    }

    fn check_offered(&self, update: &SessionUpdate) -> Result<()> {
        match update {
            SessionUpdate::Notice(_) if !self.offers_notices() => Err(unoffered("notice", "session.notices")),
            SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_)
                if !self.offers_compaction() =>
            {
                Err(unoffered("compaction_update", "session.compaction"))
            }
            _ => Ok(()),
        }
    }

    /// Waits while the client reads too slowly.
    pub(crate) async fn room(&self) -> Result<()> {
        if let Some(followers) = self.followers() {
            followers.room(self).await;
            return Ok(());
        }
        self.line().room(self.address()).await
    }

    /// Sends an update. Waits while the client reads too slowly.
    pub(crate) async fn send(&self, update: &SessionUpdate) -> Result<()> {
        self.check_offered(update)?;
        self.write(update, over).await
    }

    async fn write(&self, update: &SessionUpdate, over: fn() -> Error) -> Result<()> {
        self.write_as(OutgoingUpdate::new(&self.id, update, &self.messages), over).await
    }

    async fn write_as(&self, update: OutgoingUpdate<'_>, over: fn() -> Error) -> Result<()> {
        if let Some(room) = self.recorder().and_then(|recorder| recorder.clone().room()) {
            room.await?;
        }
        let mut said = None;
        if let Some(followers) = self.followers() {
            followers.room(self).await;
            followers.put(self, &mut |many, out| {
                said = self.put_as(many, out, update);
                Ok(())
            });
            return said.unwrap_or_else(|| Err(over()));
        }
        let line = self.line();
        let dialect = line.dialect();
        line.outbox.send(self.address(), &mut |out| said = self.put_as(dialect, out, update)).await?;
        said.unwrap_or_else(|| Err(over()))
    }

    /// As [`send`](Self::send), with a status of a tool call that only some versions have.
    #[cfg(feature = "v2")]
    pub(super) async fn send_as(&self, update: &SessionUpdate, status: Control) -> Result<()> {
        self.write_as(OutgoingUpdate::new(&self.id, update, &self.messages).of_status(status), over).await
    }

    /// Waits while the client reads too slowly, or a store keeps too slowly what is said.
    #[cfg(feature = "v2")]
    pub(super) async fn room_to_say(&self) -> Result<()> {
        if let Some(room) = self.recorder().and_then(|recorder| recorder.clone().room()) {
            room.await?;
        }
        self.room().await
    }

    /// Sends an update at once. If it is one of a tool call, its last `added` contents are new.
    #[cfg(feature = "v2")]
    pub(super) fn send_added(&self, update: &SessionUpdate, added: usize) -> Result<()> {
        let mut sent = None;
        self.write_now(&mut |dialect, out| {
            let said = OutgoingUpdate::new(&self.id, update, &self.messages).of_added(added);
            sent = self.put_as(dialect, out, said);
            Ok(())
        });
        sent.unwrap_or_else(|| Err(over()))
    }

    /// Whether the client shows terminals of the agent's own.
    #[cfg(feature = "v2")]
    pub(super) fn shows_terminals(&self) -> bool {
        self.holds(&|line| line.dialect().shows_terminals())
    }

    /// Whether a message can be replaced after the client was told of it.
    #[cfg(feature = "v2")]
    pub(super) fn replaces_messages(&self) -> bool {
        self.holds(&|line| line.dialect().replaces_messages())
    }

    /// An update for a client that may not know it.
    pub(super) fn again<'a>(&'a self, update: &'a SessionUpdate) -> OutgoingUpdate<'a> {
        OutgoingUpdate::new(&self.id, update, &self.messages)
    }

    /// Sends an update at once, unless the output has ended.
    pub(crate) fn send_now(&self, update: &SessionUpdate) {
        self.write_now(&mut |dialect, out| self.put(dialect, out, update).unwrap_or(Ok(())));
    }

    /// Sends at once what `write` appends.
    pub(super) fn write_now(&self, write: Writing<'_>) {
        if let Some(followers) = self.followers() {
            return followers.put(self, write);
        }
        let line = self.line();
        let dialect = line.dialect();
        line.put_now(self.address(), &mut |out| write(dialect, out));
    }

    /// The address of the session's updates.
    pub(super) fn address(&self) -> Address<'_> {
        Address::Topic(self.id.as_ref())
    }

    /// Appends a [`SessionUpdate`] after the earlier messages. `None` if the output has ended. Options and a dialect's
    /// own updates do not go through here, but through [`Self::write_now`].
    // Without this attribute, each agent's crate would compile the inlined function again.
    #[inline(never)]
    pub(super) fn put(&self, dialect: &dyn Tells, out: &mut Vec<u8>, update: &SessionUpdate) -> Option<Result<()>> {
        self.put_as(dialect, out, OutgoingUpdate::new(&self.id, update, &self.messages))
    }

    fn put_as(&self, dialect: &dyn Tells, out: &mut Vec<u8>, said: OutgoingUpdate<'_>) -> Option<Result<()>> {
        let update = said.update;
        // The check needs the buffer's lock: an answer also takes the lock, after it has ended this output.
        if self.messages.is_over() {
            return None;
        }
        #[cfg(feature = "v2")]
        if self.is_muted() {
            return Some(Ok(()));
        }
        #[cfg(feature = "v2")]
        if self.goes_on(update)
            && let Err(error) = self.resume(dialect, out)
        {
            return Some(Err(error));
        }
        #[cfg(feature = "v2")]
        let said = said.as_end_of_cancellable(self.ends_cancellable(update));
        let before = out.len();
        let written = match self.extras() {
            None => dialect.update(out, said),
            Some(extras) => extras.with_members(|members| dialect.update(out, said.with(members))),
        };
        if let (Some(recorder), Ok(())) = (self.recorder(), &written) {
            recorder.clone().said(update, self.messages.message_id(update), out.len().saturating_sub(before));
        }
        if let (Some(extras), Ok(())) = (self.extras(), &written) {
            extras.said(update, || self.messages.message_id(update));
        }
        #[cfg(feature = "v2")]
        let written = written.and_then(|()| self.ended(dialect, out, update));
        Some(written)
    }

    /// From here on, this listener hears what the session says. The current message ends, so that it hears no part of one.
    pub(super) fn tell(&self, listener: &Weak<dyn Hears>) {
        self.in_order(&mut || {
            self.extra(|late| {
                self.messages.pause();
                late.listeners.retain(|one| one.strong_count() > 0);
                late.listeners.push(listener.clone());
            });
        });
    }

    /// Ends the current message. The lock of the buffer must be held.
    pub(super) fn pause_message(&self) {
        self.messages.pause();
    }

    /// The id of the message that this update is a piece of. The lock of the buffer must be held.
    pub(super) fn message_id_of(&self, update: &SessionUpdate) -> Option<MessageId> {
        self.messages.message_id(update)
    }

    /// Runs `work` between two messages.
    pub(super) fn in_order(&self, work: &mut dyn FnMut()) {
        self.write_now(&mut |_, _| {
            work();
            Ok(())
        });
    }
}

/// The updates of a dialect that the agent has no [`SessionUpdate`] for.
impl SessionSink for SessionOutput {
    fn session(&self) -> &SessionId {
        &self.id
    }

    fn say_and(&self, write: &dyn Fn(&mut Vec<u8>) -> Result<()>, meanwhile: &mut dyn FnMut()) {
        if let Some(followers) = self.followers() {
            return followers.say(self, write, meanwhile);
        }
        self.line().put_now(self.address(), &mut |out| {
            meanwhile();
            if self.messages.is_over() {
                return Ok(());
            }
            self.messages.pause();
            write(out)
        });
    }

    #[cfg(feature = "v2")]
    fn user_message(&self, begins_turn: bool) -> MessageId {
        if begins_turn { self.name_message_of_turn() } else { MessageTracker::whole() }
    }

    #[cfg(feature = "v2")]
    fn inserts_work(&self) {
        self.insert_work();
    }

    #[cfg(feature = "v2")]
    fn joins_work(&self) -> bool {
        self.join_work()
    }

    #[cfg(feature = "v2")]
    fn work_begins(&self) {
        self.begin_inserted();
    }

    #[cfg(feature = "v2")]
    fn work_ends(&self, stop: Stop, meanwhile: &mut dyn FnMut()) -> bool {
        self.end_work(stop, meanwhile)
    }

    #[cfg(feature = "v2")]
    fn tell_activity(&self) {
        self.snapshot();
    }

    #[cfg(feature = "v2")]
    fn commands(&self) -> Option<AvailableCommandsUpdate> {
        self.offered().map(Offered::all_now)
    }
}

/// Whether the client follows such updates.
pub(super) fn offers(line: &Line, update: &SessionUpdate) -> bool {
    match update {
        SessionUpdate::Notice(_) => offers_notices(line),
        SessionUpdate::CompactionUpdate(_) | SessionUpdate::CompactionSummaryChunk(_) => offers_compaction(line),
        _ => true,
    }
}

fn offers_notices(line: &Line) -> bool {
    line.client().capabilities.session.as_ref().is_some_and(|session| session.notices.is_some())
}

fn offers_compaction(line: &Line) -> bool {
    line.client().capabilities.session.as_ref().is_some_and(|session| session.compaction.is_some())
}

/// The error for a replay that outlives the call that loads the session.
fn replay_over() -> Error {
    Error::internal_error("the replay is over: `session/load` has been answered")
}

/// The error for a handle that outlives its session.
pub(super) fn over() -> Error {
    Error::invalid_request("the session is over: the client has closed or deleted it")
}
