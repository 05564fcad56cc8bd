//! Sessions that last: the data of a session, and the places that keep them.
//!
//! A [`SessionStore`] keeps sessions beyond the life of a process. [`MemoryStore`] keeps them in memory, for tests. The
//! package `acp-store-sqlite` keeps them in a file, and `acp-store-postgres` in a database that several machines share. A
//! store of your own implements the trait, and shows by the tests of the crate `acp-store-suite` that it keeps
//! each promise of this page. It needs this crate alone; agents find it at `acp_runtime::store`.
//!
//! ```
//! use std::time::Duration;
//!
//! use acp_store::{Change, Claim, Entry, Kept, MemoryStore, Owner, SessionStore, StoreError};
//! use acp_store::values::{ContentChunk, SessionId, SessionUpdate};
//!
//! async fn one_turn(store: &dyn SessionStore) -> Result<(), StoreError> {
//!     let id = SessionId::from("s1");
//!     let claim = Claim::new(&Owner::new(), Duration::from_secs(30));
//!     let lease = store.create(&id, &Kept::new("/home/me/project"), &claim).await?;
//!
//!     // At the end of a turn: its entries, and the changed data.
//!     let said = SessionUpdate::AgentMessageChunk(ContentChunk::new("Hello".into()));
//!     let entries = [Entry::new(lease.last_seq() + 1, said)];
//!     let mut change = Change::said(&entries);
//!     change.title = Some(Some("Greetings"));
//!     store.commit(&lease, change).await?;
//!
//!     assert_eq!(store.read(&id).await?.title.as_deref(), Some("Greetings"));
//!     assert_eq!(store.replay(&id, 0, 100).await?.len(), 1);
//!     store.release(&lease).await
//! }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() { one_turn(&MemoryStore::new()).await.unwrap() }
//! ```
//!
//! # Promises of a store
//!
//! **Values.** A store keeps values of the author's side ([`values`]), not messages of a version of the
//! protocol. Values that it does not know come back unchanged: updates and option values of a later version survive. An
//! id is any text; two ids are the same if their bytes are. The runtime makes short ids, but an author may give others: a
//! store keeps an id of 2,000 bytes, and one such as `../s`, so an id is no name of a file. A store may refuse an id or a
//! title that it cannot keep, such as one with a NUL, with [`StoreError::Invalid`].
//!
//! **One writer.** A process that writes a session has claimed it, and has a [`Lease`] with a fencing token. Each claim
//! that wins gets a token above all tokens before it. A commit with an older token is refused with
//! [`StoreError::LeaseLost`], and changes nothing. So two processes never both write one session.
//!
//! **Who wins.** A claim wins if nobody holds the session, if the holder is the same [`Owner`], if the holder's lease
//! is over, or if the store knows that the holder's process is gone ([`Owner::is_gone`]). Against a living holder with
//! a lease it is refused with [`StoreError::Held`], unless it is [forced](Claim::forced). Then it wins at once, and the
//! holder learns of it by its next renewal or commit. So between two living processes the first one keeps the session,
//! and the second one may decide to take it.
//!
//! **A hand-over** needs no force: who is refused leaves a [wish](SessionStore::wish), and claims again. The runtime leaves one for each
//! request that opens a session which another process has. The holder [looks for it](SessionStore::is_wished), and gives the
//! session up as soon as it is idle. A wish lasts for its time, because who waits may give up. A claim that wins ends it. A
//! store whose functions for wishes are the defaults has none: there, the session moves when the lease of the idle holder is over.
//!
//! **After a crash**, a session opens again at once where the store knows that the process is gone. This is so for
//! processes of one machine with Linux, and mostly with another Unix. Elsewhere it opens when the lease is over. A
//! lease lasts for the time of its [`Claim`] after the claim, after each renewal and after each commit. A lease that is
//! over is still good for commits while nobody else has claimed the session. A lease whose end is further away than it can
//! last is over, too: the clock has gone back.
//!
//! **A commit is whole.** It changes the parts that it names and adds its entries, or it does nothing. This holds when the
//! process ends in the middle, and when the future is dropped: then the commit may come or not, but not in parts, and not
//! behind a later commit of the lease. A caller that does not know whether a commit was kept names the same parts again
//! in its next commit under the same lease. A repeated commit adds its entries once. When
//! `commit` has returned, the commit outlives the process; each store says whether it outlives the machine's power,
//! too.
//!
//! **Entries** have places from 1 on, without gaps. They are never changed. A commit may [drop](Change::forgotten) the first ones, up to a
//! place: then the session begins behind it. The other entries keep their places, and no place is given again.
//!
//! **A long turn** is kept while it runs, in several commits. They leave a mark ([`Kept::unended`]), which the commit of its
//! end takes away. A commit that says nothing of the mark leaves it. So a reader who has claimed the session knows which
//! entries are those of a turn that was interrupted.
//!
//! **A principal** is the user whose session it is, by name ([`Kept::principal`]). A session has the one that it was created with,
//! also after a restart; no commit changes it. A list shows the sessions of one principal, or those without one
//! ([`ListFilter`]). Names are the same if their bytes are, and an empty name is a name. All other functions take an id of any
//! principal: the runtime reads a session before it claims, copies or deletes it, and answers the session of another principal as one that is not there.
//!
//! **A list** shows the session with the latest change first; of two with the same time, the one with the greater id. A
//! [`Cursor`] is a place in this order, and stays one while sessions come and go. A reader of all pages sees no session
//! twice, and sees each session that was there all the time and was not changed. A session that is changed moves to the
//! begin of the list: if it was not shown yet, the remaining pages do not show it. The next reading has it on its first
//! page. A cursor is a place in the list of any principal: with another filter, it shows the sessions of that filter behind it.
//!
//! **The clock** gives the times of changes. The runtime gives no change of a session an earlier time than the change before. So if the
//! clock goes back, no session moves back in the list, and none is shown twice. But for as long as the clock was ahead, a
//! session that is changed later than another one may stand behind it.

mod change;
mod entry;
mod error;
mod kept;
mod lease;
mod list;
mod memory;
mod owner;
mod process;
mod time;

use std::{future::Future, pin::Pin, time::Duration};

pub use change::Change;
pub use entry::{Entry, Said};
pub use error::StoreError;
pub use kept::{Kept, KeptOption, KeptState};
pub use lease::{Claim, Lease};
pub use list::{Cursor, InvalidCursor, ListFilter, Listed, Page};
pub use memory::MemoryStore;
pub use owner::{Owner, Sharing};
pub use time::Timestamp;

/// The protocol's types that a store keeps, such as `SessionId` and [`SessionUpdate`](values::SessionUpdate).
#[doc(no_inline)]
pub use acp_schema::v1 as values;

use crate::values::SessionId;

/// The future that a function of a [`SessionStore`] returns. It does nothing until it is polled. It is boxed so that a
/// store can be a `dyn SessionStore`: write `Box::pin(async move { .. })`.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// A place where sessions are kept. [The module](self#promises-of-a-store) lists the promises of a store.
///
/// Any function may fail with [`StoreError::Unavailable`], [`StoreError::Full`] or [`StoreError::Corrupt`]. Such an
/// error concerns one call: the store tries again with the next one. No function blocks the thread that polls it.
pub trait SessionStore: Send + Sync + 'static {
    /// Keeps a new session, and claims it in the same step.
    ///
    /// # Errors
    ///
    /// [`StoreError::Exists`]: the id is that of another session.
    fn create<'a>(&'a self, id: &'a SessionId, kept: &'a Kept, claim: &'a Claim) -> StoreFuture<'a, Lease>;

    /// Takes the right to write a session. Data and entries that are read after the claim stay true until the lease is
    /// lost.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`], and [`StoreError::Held`] if a living holder keeps the session.
    fn claim<'a>(&'a self, id: &'a SessionId, claim: &'a Claim) -> StoreFuture<'a, Lease>;

    /// Makes a lease last for its time from now on. Renew a lease well before its time is over, such as three times
    /// within it.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`], and [`StoreError::NotFound`] if the session was deleted.
    fn renew<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()>;

    /// Gives the right to write a session back, so that others need not wait. If the lease is lost or the session is
    /// deleted, nothing is left to do, and this is no error.
    fn release<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, ()>;

    /// Leaves a wish: for `time` from now on, by the clock that the leases have, somebody waits for this session. A later wish
    /// replaces it, and so does the next claim that wins. A session that nobody holds needs none.
    ///
    /// The default does nothing: see [a hand-over](self#promises-of-a-store). A row of a database has it as one more column.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`].
    fn wish<'a>(&'a self, id: &'a SessionId, time: Duration) -> StoreFuture<'a, ()> {
        let _ = (id, time);
        Box::pin(async { Ok(()) })
    }

    /// Whether somebody waits for the session of this lease. An idle holder asks every few seconds, until its lease is over.
    ///
    /// The default knows of nobody.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`], and [`StoreError::NotFound`] if the session was deleted.
    fn is_wished<'a>(&'a self, lease: &'a Lease) -> StoreFuture<'a, bool> {
        let _ = lease;
        Box::pin(async { Ok(false) })
    }

    /// Changes parts of a session, adds entries, and renews the lease: all or nothing.
    ///
    /// # Errors
    ///
    /// [`StoreError::LeaseLost`], [`StoreError::NotFound`] if the session was deleted, [`StoreError::OutOfOrder`] if the
    /// places of the entries are wrong, [`StoreError::Invalid`] if a value cannot be kept.
    fn commit<'a>(&'a self, lease: &'a Lease, change: Change<'a>) -> StoreFuture<'a, ()>;

    /// The data of a session, without its entries. It needs no lease.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`].
    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Kept>;

    /// The entries behind the place `after`, in their order: at most `most`, and fewer if they are large. It needs no
    /// lease. Only an empty page says that there are no more entries.
    ///
    /// # Errors
    ///
    /// [`StoreError::NotFound`].
    fn replay<'a>(&'a self, id: &'a SessionId, after: u64, most: usize) -> StoreFuture<'a, Vec<Entry>>;

    /// At most `most` sessions behind the cursor, or from the begin of the list. There is a next page only if it has a
    /// session.
    fn list<'a>(&'a self, filter: &'a ListFilter, after: Option<&'a Cursor>, most: usize) -> StoreFuture<'a, Page>;

    /// Deletes a session with its entries, although a process may hold it. Returns whether the session was there: a
    /// missing session is no error.
    fn delete<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, bool>;
}
