//! The conversation of a stored session, for its agent.

use std::{fmt, sync::Arc};

use crate::{
    store::{Entry, SessionStore},
    values::SessionId,
    wire::Result,
};

/// The most entries of one page.
const PAGE: usize = 100;

/// What was said in a session that a store keeps: the prompts, messages, tool calls and plans, from the first one that was not
/// [dropped](super::SessionHandle::clear_history) to the last one before this moment. An agent builds the messages of its model from it, and needs no book of its own.
///
/// The entries come in pages, so a long conversation need not fit in memory. The last pages may have what the running turn
/// has said. What of it is not committed yet can still change: a tool call gets its result. In a long turn, a message or a
/// tool call may go on in a later entry: with the same id. A text of a prompt with more than 256 KiB is several entries, too.
///
/// A turn that was interrupted, because its process was killed, is a part of the history as far as it was kept.
///
/// ```
/// use acp_runtime::{
///     Result,
///     session::History,
///     store::{Entry, Said},
///     values::{ContentBlock, MessageId, SessionUpdate},
/// };
///
/// struct Message {
///     role: &'static str,
///     text: String,
///     id: Option<MessageId>,
/// }
///
/// fn message_of(entry: Entry) -> Option<Message> {
///     let id = entry.message_id;
///     let Said::Known(update) = entry.said else { return None };
///     let (role, chunk) = match *update {
///         SessionUpdate::UserMessageChunk(chunk) => ("user", chunk),
///         SessionUpdate::AgentMessageChunk(chunk) => ("assistant", chunk),
///         _ => return None,
///     };
///     match chunk.content {
///         ContentBlock::Text(text) => Some(Message { role, text: text.text, id }),
///         _ => None,
///     }
/// }
///
/// async fn messages_of(mut history: History) -> Result<Vec<Message>> {
///     let mut messages = Vec::<Message>::new();
///     while let Some(page) = history.next_page().await? {
///         for message in page.into_iter().filter_map(message_of) {
///             match messages.last_mut() {
///                 Some(last) if last.id.is_some() && last.id == message.id => last.text += &message.text,
///                 _ => messages.push(message),
///             }
///         }
///     }
///     Ok(messages)
/// }
/// ```
pub struct History {
    store: Arc<dyn SessionStore>,
    session: SessionId,
    /// The place of the last entry that was read.
    last: u64,
    unwritten: Option<Arc<dyn Unwritten>>,
}

/// The entries of a session that are not committed yet.
pub(crate) trait Unwritten: Send + Sync {
    /// The place of the last committed entry, 0 without entries, and the entries behind `after` that are not committed.
    fn unwritten(&self, after: u64) -> (u64, Vec<Entry>);
}

impl fmt::Debug for History {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("History").field("session", &self.session).field("last", &self.last).finish_non_exhaustive()
    }
}

impl History {
    /// The history of a session. Without `unwritten`, it has only what is committed.
    pub(crate) fn new(store: Arc<dyn SessionStore>, session: SessionId, unwritten: Option<Arc<dyn Unwritten>>) -> Self {
        Self { store, session, last: 0, unwritten }
    }

    /// Only what was said behind the entry at this place. An agent that has built some messages already goes on there.
    #[must_use]
    pub fn behind(mut self, last: u64) -> Self {
        self.last = last;
        self
    }

    /// The place of the last entry that was read; 0 if none was.
    pub fn last(&self) -> u64 {
        self.last
    }

    /// The next entries, in their order; `None` if there are no more. Later calls may give what is said meanwhile.
    ///
    /// # Errors
    ///
    /// The store fails, or the session was deleted.
    pub async fn next_page(&mut self) -> Result<Option<Vec<Entry>>> {
        loop {
            let committed = self.store.replay(&self.session, self.last, PAGE).await?;
            if let Some(page) = self.read(committed) {
                return Ok(Some(page));
            }
            let Some(unwritten) = &self.unwritten else { return Ok(None) };
            let (last, entries) = unwritten.unwritten(self.last);
            // A commit since the store was asked has taken entries that the next question brings. A store without them
            // has lost them.
            if last <= self.last || self.store.replay(&self.session, self.last, 1).await?.is_empty() {
                return Ok(self.read(entries));
            }
        }
    }

    /// The next committed entries, in their order; `None` if there are no more.
    pub(crate) async fn next_committed(&mut self) -> Result<Option<Vec<Entry>>> {
        let committed = self.store.replay(&self.session, self.last, PAGE).await?;
        Ok(self.read(committed))
    }

    /// What was said behind the last entry that was read, and is not committed. `None` if more was committed meanwhile.
    pub(crate) fn pending(&self) -> Option<Vec<Entry>> {
        let Some(unwritten) = &self.unwritten else { return Some(Vec::new()) };
        let (last, entries) = unwritten.unwritten(self.last);
        (last <= self.last).then_some(entries)
    }

    /// All further entries, in their order.
    ///
    /// # Errors
    ///
    /// As [`next_page`](Self::next_page).
    pub async fn read_all(&mut self) -> Result<Vec<Entry>> {
        let mut all = Vec::new();
        while let Some(page) = self.next_page().await? {
            all.extend(page);
        }
        Ok(all)
    }

    /// Notes that the page was read; `None` if it is empty.
    fn read(&mut self, page: Vec<Entry>) -> Option<Vec<Entry>> {
        self.last = page.last()?.seq;
        Some(page)
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, time::Duration};

    use super::*;
    use crate::{
        session::journal::Journal,
        store::{Change, Claim, Kept, Lease, MemoryStore, Owner},
        values::{ContentChunk, SessionUpdate},
    };

    struct Book(Mutex<Journal>);

    impl Unwritten for Book {
        fn unwritten(&self, after: u64) -> (u64, Vec<Entry>) {
            let journal = self.0.lock().unwrap();
            (journal.last(), journal.pending(after).cloned().collect())
        }
    }

    impl Book {
        fn say(&self, number: usize) {
            let chunk = ContentChunk::new(number.to_string().into()).message_id(number.to_string());
            self.0.lock().unwrap().add(&SessionUpdate::AgentMessageChunk(chunk), Some(number.to_string().into()), 1);
        }

        async fn commit(&self, store: &MemoryStore, lease: &Lease) {
            let batch = self.0.lock().unwrap().batch();
            store.commit(lease, Change::said(&batch)).await.unwrap();
            self.0.lock().unwrap().committed();
        }
    }

    async fn session() -> (MemoryStore, Lease, Arc<Book>) {
        let store = MemoryStore::new();
        let claim = Claim::new(&Owner::new(), Duration::from_secs(60));
        let lease = store.create(&"s".into(), &Kept::new("/"), &claim).await.unwrap();
        (store, lease, Arc::new(Book(Mutex::new(Journal::behind(0)))))
    }

    fn places(entries: &[Entry]) -> Vec<u64> {
        entries.iter().map(|entry| entry.seq).collect()
    }

    #[tokio::test]
    async fn committed_and_later_entries_come_in_pages_and_each_once() {
        let (store, lease, book) = session().await;
        for number in 0..250 {
            book.say(number);
        }
        book.commit(&store, &lease).await;
        for number in 250..260 {
            book.say(number);
        }
        let history = || History::new(Arc::new(store.clone()), "s".into(), Some(book.clone() as Arc<dyn Unwritten>));
        let mut all = history();
        let mut pages = Vec::new();
        while let Some(page) = all.next_page().await.unwrap() {
            pages.push(places(&page));
        }
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [100, 100, 50, 10]);
        assert_eq!(pages.concat(), (1..=260).collect::<Vec<_>>());
        assert_eq!(all.last(), 260);
        book.say(260);
        assert_eq!(places(&all.read_all().await.unwrap()), [261], "what is said meanwhile");
        assert_eq!(places(&history().behind(255).read_all().await.unwrap()), [256, 257, 258, 259, 260, 261]);
        let mut committed = History::new(Arc::new(store), "s".into(), None);
        assert_eq!(committed.read_all().await.unwrap().len(), 250);
    }

    #[tokio::test]
    async fn a_commit_between_two_questions_hides_no_entry() {
        /// Commits all, as soon as it is asked.
        struct Racing(MemoryStore, Lease, Arc<Book>);

        impl Unwritten for Racing {
            fn unwritten(&self, after: u64) -> (u64, Vec<Entry>) {
                let mut commit = std::pin::pin!(self.2.commit(&self.0, &self.1));
                let mut context = std::task::Context::from_waker(std::task::Waker::noop());
                assert!(commit.as_mut().poll(&mut context).is_ready(), "the store waits for nothing");
                self.2.unwritten(after)
            }
        }

        let (store, lease, book) = session().await;
        (0..3).for_each(|number| book.say(number));
        let racing = Arc::new(Racing(store.clone(), lease, book));
        let mut history = History::new(Arc::new(store), "s".into(), Some(racing));
        assert_eq!(places(&history.read_all().await.unwrap()), [1, 2, 3]);
    }

    #[tokio::test]
    async fn the_history_of_a_deleted_session_is_an_error() {
        let (store, _, _) = session().await;
        let mut history = History::new(Arc::new(store.clone()), "s".into(), None);
        assert_eq!(history.next_page().await.unwrap(), None);
        store.delete(&"s".into()).await.unwrap();
        assert!(history.next_page().await.is_err());
    }
}
