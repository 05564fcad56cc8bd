//! The tests of a store: each function is one promise of [`SessionStore`]. A store of your own runs [`check`] in a
//! test.
//!
//! ```
//! use std::sync::Arc;
//!
//! use acp_store::{MemoryStore, SessionStore};
//!
//! # // In a `#[tokio::test(flavor = "multi_thread")]`:
//! # #[tokio::main]
//! # async fn main() {
//! acp_store_suite::check(async || {
//!     // New, empty storage for each promise. The inner function opens it once more.
//!     let storage = MemoryStore::new();
//!     async move || Arc::new(storage.clone()) as Arc<dyn SessionStore>
//! })
//! .await;
//! # }
//! ```
//!
//! A promise that is broken panics. The panic is preceded by a line with the promise's name.
//!
//! More tests take longer, or need processes: [`long_list`], [`bounded_pages`], and those of [`processes`].
//! [`costs`] is for a bench.

mod commits;
pub mod costs;
mod entries;
mod forgotten;
mod large;
mod leases;
mod lists;
mod principals;
pub mod processes;
mod sessions;
mod takeovers;
mod turns;
mod wishes;

use std::{env, sync::Arc, thread, time::Duration};

pub use self::large::{bounded_pages, long_list};
use acp_schema::v1::{ContentChunk, MessageId, SessionId, SessionUpdate};
use acp_store::{Change, Claim, Entry, Kept, Lease, Owner, Said, SessionStore, StoreError, Timestamp};

/// One handle of the storage.
type Store = Arc<dyn SessionStore>;

/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(3600);

/// Names the promise that is checked, if it is broken.
struct Named(&'static str);

impl Drop for Named {
    fn drop(&mut self) {
        if thread::panicking() {
            #[expect(clippy::print_stderr, reason = "the reader of a failed test looks there")]
            {
                eprintln!("the store breaks the promise `{}`", self.0);
            }
        }
    }
}

macro_rules! promises {
    ($($room:ident { $($promise:ident)* })*) => {
        /// Checks each promise on storage of its own. `storage` makes empty storage, and the function that it returns
        /// opens a handle of this storage. All handles of one storage show the same sessions.
        ///
        /// The tests use several tasks at once: let them run on a runtime with several threads. The variable
        /// `ACP_STORE_ROUNDS` sets the number of random takeovers; 100 is the default.
        ///
        /// # Panics
        ///
        /// The store breaks a promise.
        pub async fn check<F, S>(storage: F)
        where
            F: AsyncFn() -> S,
            S: AsyncFn() -> Arc<dyn SessionStore>,
        {
            $($({
                let open = storage().await;
                let _named = Named(stringify!($promise));
                $room::$promise(&open).await;
            })*)*
        }
    };
}

promises! {
    sessions {
        a_session_is_kept_as_it_was_given
        an_id_names_one_session
        what_is_not_there_is_not_found
        an_id_is_any_text
        handles_of_one_storage_show_the_same
        what_is_deleted_is_gone
    }
    entries {
        entries_come_back_in_their_order
        every_kind_of_update_comes_back
        updates_of_a_later_version_come_back_unchanged
        pages_join_to_the_whole
        pages_stay_true_while_entries_are_added
        large_entries_come_back
    }
    forgotten {
        entries_that_are_dropped_are_gone_and_the_others_keep_their_places
        a_commit_that_drops_entries_is_whole_and_may_be_repeated
        new_entries_can_be_dropped_by_their_own_commit
    }
    commits {
        a_commit_replaces_what_is_kept
        a_commit_changes_only_the_parts_that_it_names
        a_commit_at_a_wrong_place_changes_nothing
        a_repeated_commit_is_kept_once
        a_dropped_commit_is_whole_or_not_there
        sessions_are_committed_side_by_side
    }
    turns {
        the_entries_of_a_turn_are_marked_until_it_ends
        the_mark_of_a_turn_survives_its_writer
        a_repeated_end_of_a_turn_ends_it_once
    }
    leases {
        a_living_holder_keeps_its_session
        an_owner_claims_its_own_session_again
        a_released_session_is_free
        a_lost_lease_releases_nothing
        a_lease_that_is_over_is_free_and_good_until_it_is_claimed
        renewals_and_commits_lengthen_a_lease
        a_session_of_a_dead_process_opens_at_once
        a_lost_lease_writes_nothing
        one_of_many_claims_wins
    }
    wishes {
        a_wish_is_told_to_the_holder_until_its_time_is_over
        a_claim_that_wins_ends_a_wish
        only_the_holder_is_told_of_a_wish
    }
    takeovers {
        acknowledged_commits_survive_random_takeovers_and_are_kept_once
    }
    lists {
        the_latest_change_comes_first
        a_filter_shows_one_working_directory
        a_list_in_pages_shows_each_session_once
        a_list_stays_true_while_sessions_come_and_go
    }
    principals {
        a_session_keeps_the_principal_that_it_was_created_with
        a_list_shows_the_sessions_of_one_principal
        pages_of_one_principal_have_no_session_of_another
    }
}

fn id(text: &str) -> SessionId {
    SessionId::from(text)
}

fn claim(time: Duration) -> Claim {
    Claim::new(&Owner::new(), time)
}

/// The data of a session that was changed at this time.
fn kept(micros: i64) -> Kept {
    let mut kept = Kept::new("/home/me/project");
    (kept.created, kept.updated) = (Timestamp::from_micros(1), Timestamp::from_micros(micros));
    kept
}

/// A new session, and its lease.
async fn opened(store: &Store, session: &str) -> Lease {
    store.create(&id(session), &kept(1), &claim(LONG)).await.expect("a new session is kept")
}

/// The session `s`, taken as soon as its holder lets it go, or by force.
async fn taken(store: &Store, owner: &Owner, random: &mut Random) -> Lease {
    loop {
        let mut claim = Claim::new(owner, Duration::from_millis(random.below(20)));
        if random.below(3) == 0 {
            claim = claim.forced();
        }
        match store.claim(&id("s"), &claim).await {
            Ok(lease) => return lease,
            Err(StoreError::Held { .. }) => tokio::time::sleep(Duration::from_micros(random.below(2000))).await,
            Err(error) => panic!("expected the error `Held`, got {error:?}"),
        }
    }
}

/// A message at a place.
fn message(seq: u64, text: impl Into<String>) -> Entry {
    let chunk = ContentChunk::new(text.into().into());
    Entry::new(seq, SessionUpdate::AgentMessageChunk(chunk)).message_id(MessageId::from(format!("msg_{seq}")))
}

/// The text of such a message.
fn text(entry: &Entry) -> &str {
    match &entry.said {
        Said::Known(update) => match &**update {
            SessionUpdate::AgentMessageChunk(ContentChunk {
                content: acp_schema::v1::ContentBlock::Text(text),
                ..
            }) => &text.text,
            other => panic!("entry {} is no message: {other:?}", entry.seq),
        },
        Said::Unknown(json) => panic!("entry {} is unknown: {json}", entry.seq),
    }
}

/// All entries of a session, read in pages.
async fn all(store: &Store, session: &SessionId, most: usize) -> Vec<Entry> {
    let mut read: Vec<Entry> = Vec::new();
    loop {
        let after = read.last().map_or(0, |entry| entry.seq);
        let page = store.replay(session, after, most).await.expect("the session is there");
        assert!(page.len() <= most, "a page has {} entries instead of at most {most}", page.len());
        if page.is_empty() {
            return read;
        }
        let places: Vec<u64> = page.iter().map(|entry| entry.seq).collect();
        assert!(places.iter().copied().eq(after + 1..=after + places.len() as u64), "behind {after} come {places:?}");
        read.extend(page);
    }
}

/// Asserts that the result is this error.
#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, StoreError>, is_it: impl Fn(&StoreError) -> bool, what: &str) {
    match result {
        Err(error) if is_it(&error) => {}
        other => panic!("expected {what}, got {other:?}"),
    }
}

#[track_caller]
fn lost<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::LeaseLost { .. }), "the error `LeaseLost`");
}

#[track_caller]
fn not_found<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::NotFound { .. }), "the error `NotFound`");
}

#[track_caller]
fn held<T: std::fmt::Debug>(result: Result<T, StoreError>) {
    refused(result, |error| matches!(error, StoreError::Held { .. }), "the error `Held`");
}

/// The number of rounds of random tests.
fn rounds() -> usize {
    rounds_or(100)
}

fn rounds_or(few: usize) -> usize {
    env::var("ACP_STORE_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(few)
}

/// Tells the figures of a test that has passed, or the parent of a process.
#[expect(clippy::print_stdout, reason = "a person who runs many rounds looks there, and so does the parent")]
fn report(text: &str) {
    println!("{text}");
}

/// Numbers that look random, the same ones in each run.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
