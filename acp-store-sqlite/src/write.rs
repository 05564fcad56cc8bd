//! The writes. Each is one statement, or a transaction of its own.
//!
//! # What holds, with its tests
//!
//! - *One writer.* Each claim takes the next token, and each write compares tokens under SQLite's lock
//!   (`sqlite::processes::processes_that_take_a_session_from_one_another_never_both_write`).
//! - *A told commit is kept* (`sqlite::processes::a_killed_process_loses_no_told_commit_and_its_session_opens_at_once`),
//!   and in the durable mode it has reached the disk
//!   (`sqlite::processes::syncs::a_durable_commit_has_reached_the_disk_when_it_is_told`).
//! - *Nothing is overwritten* (`sqlite::file::damage::what_is_no_store_is_refused_and_left_as_it_is`).
//! - *A look loses nothing*: the locks stay
//!   (`sqlite::file::locks::no_call_and_no_second_store_drops_the_lock_of_an_open_store`), so the command `sqlite3`
//!   removes no log that is in use
//!   (`sqlite::processes::looks::a_look_into_the_file_loses_nothing_that_is_told_after_it`).
//! - *One page at a time*: of lists (`sqlite::file::ten_thousand_sessions_in_pages_while_others_come_and_go`), and of
//!   replays, with a bound of bytes (`sqlite::file::a_page_of_a_replay_is_bounded_in_bytes`).

use std::{ops::RangeInclusive, time::Duration};

use acp_schema::v1::{MessageId, SessionId};
use acp_store::{Change, Claim, Entry, Lease, Owner, Sharing, StoreError, Timestamp};
use rusqlite::{ErrorCode, OptionalExtension as _, ToSql, params};

use crate::{
    fault::Fault,
    read::not_found,
    rows::{ChangeRow, KeptRow, Unsigned, parsed, unsigned},
    tables::Tables,
};

/// A file with a write-ahead log is shared by memory: all of its processes run on one machine.
const SHARING: Sharing = Sharing::OneMachine;

/// The entries of a commit, as their columns have them.
pub(crate) struct Said {
    places: Option<RangeInclusive<u64>>,
    entries: Vec<(u64, Option<MessageId>, String)>,
    /// The entries up to this place go.
    forgotten: Option<u64>,
}

impl Said {
    /// Whether no entry comes or goes.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.forgotten.is_none()
    }

    /// Whether entries go.
    pub(crate) fn forgets(&self) -> bool {
        self.forgotten.is_some()
    }

    pub(crate) fn of(session: &SessionId, change: &Change<'_>) -> Result<Self, StoreError> {
        let said = change.said;
        let entries = said.iter().map(|entry| Ok((entry.seq, entry.message_id.clone(), entry.to_json()?)));
        let entries = entries.collect::<Result<_, StoreError>>()?;
        Ok(Self { places: Entry::places(session, said)?, entries, forgotten: change.forgotten })
    }
}

pub(crate) fn create(tables: Tables<'_>, id: &SessionId, kept: &KeptRow, claim: &Claim) -> Result<Lease, Fault> {
    tables.write(|tables| {
        let (token, owner) = (next_token(tables)?, owner(claim)?);
        let (version, state) = kept.state.as_ref().map(|(version, state)| (version, state)).unzip();
        let insert = "
            INSERT INTO sessions (id, cwd, additional_directories, title, created, updated, options, state_version, state,
                                  permissions, unended, token, owner, lease_until, lease_time, principal)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)";
        let inserted = tables.execute(insert, params![
            id.as_str(),
            kept.cwd,
            kept.additional_directories,
            kept.title,
            kept.created,
            kept.updated,
            kept.options,
            version,
            state,
            kept.permissions,
            kept.unended,
            Unsigned(token),
            owner,
            end(claim.time()),
            micros(claim.time()),
            kept.principal,
        ]);
        match inserted {
            Ok(_) => Ok(Lease::new(id, token, 0, claim.time())),
            // Only the id is unique.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::ConstraintViolation) => {
                Err(StoreError::Exists { session: id.clone() }.into())
            }
            Err(error) => Err(error.into()),
        }
    })
}

pub(crate) fn claim(tables: Tables<'_>, id: &SessionId, claim: &Claim) -> Result<Lease, Fault> {
    tables.write(|tables| {
        let (number, last) = admitted(tables, id, claim)?;
        let (token, owner) = (next_token(tables)?, owner(claim)?);
        let update = "UPDATE sessions SET token = ?2, owner = ?3, lease_until = ?4, lease_time = ?5, wished_until = 0
                      WHERE number = ?1";
        let row = params![number, Unsigned(token), owner, end(claim.time()), micros(claim.time())];
        tables.execute(update, row)?;
        Ok(Lease::new(id, token, last, claim.time()))
    })
}

/// The number and the last place of a session that the claim may have.
fn admitted(tables: Tables<'_>, id: &SessionId, claim: &Claim) -> Result<(i64, u64), Fault> {
    let holder = "SELECT number, last_seq, lease_until, owner, lease_time FROM sessions WHERE id = ?1";
    let mut statement = tables.statement(holder)?;
    let mut rows = statement.query([id.as_str()])?;
    let row = rows.next()?.ok_or_else(|| not_found(id))?;
    if row.get::<_, Option<String>>(3)?.is_some() {
        let (holder, until) = (parsed::<Owner>(row, 3, "owner")?, Timestamp::from_micros(row.get(2)?));
        let time = Duration::from_micros(unsigned(row.get(4)?, "lease_time")?);
        claim.admits(id, &holder, until, time, Timestamp::now(), SHARING)?;
    }
    Ok((row.get(0)?, unsigned(row.get(1)?, "last_seq")?))
}

fn next_token(tables: Tables<'_>) -> Result<u64, Fault> {
    let mut next = tables.statement("UPDATE tokens SET last = last + 1 RETURNING last")?;
    unsigned(next.query_row([], |row| row.get(0))?, "token")
}

fn owner(claim: &Claim) -> Result<String, StoreError> {
    serde_json::to_string(claim.owner()).map_err(|error| StoreError::invalid("the owner", error))
}

/// The end of a lease or a wish that lasts so long from now on.
fn end(time: Duration) -> i64 {
    Timestamp::now().after(time).as_micros()
}

fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX)
}

/// A statement that names the session's id and token has changed no row: it was deleted, or the lease is lost.
fn refusal(tables: Tables<'_>, lease: &Lease) -> Fault {
    let id = lease.session();
    let found =
        tables.statement("SELECT 1 FROM sessions WHERE id = ?1").and_then(|mut find| find.exists([id.as_str()]));
    match found {
        Ok(true) => StoreError::LeaseLost { session: id.clone() }.into(),
        Ok(false) => not_found(id),
        Err(error) => error.into(),
    }
}

pub(crate) fn renew(tables: Tables<'_>, lease: &Lease) -> Result<(), Fault> {
    let update = "UPDATE sessions SET lease_until = ?3, lease_time = ?4 WHERE id = ?1 AND token = ?2";
    let (id, token, time) = (lease.session().as_str(), Unsigned(lease.token()), lease.time());
    match tables.execute(update, params![id, token, end(time), micros(time)])? {
        0 => Err(refusal(tables, lease)),
        _ => Ok(()),
    }
}

pub(crate) fn release(tables: Tables<'_>, lease: &Lease) -> Result<(), Fault> {
    let update = "UPDATE sessions SET owner = NULL, lease_until = 0 WHERE id = ?1 AND token = ?2";
    tables.execute(update, params![lease.session().as_str(), Unsigned(lease.token())])?;
    Ok(())
}

/// Somebody waits for the session, so long from now on.
pub(crate) fn wish(tables: Tables<'_>, id: &SessionId, time: Duration) -> Result<(), Fault> {
    let update = "UPDATE sessions SET wished_until = ?2 WHERE id = ?1";
    match tables.execute(update, params![id.as_str(), end(time)])? {
        0 => Err(not_found(id)),
        _ => Ok(()),
    }
}

/// Parts that no list shows. No index has them.
macro_rules! parts {
    () => {
        "UPDATE sessions SET lease_until = ?3, lease_time = ?4, last_seq = coalesce(?5, last_seq),
                options = coalesce(?6, options), permissions = coalesce(?7, permissions),
                state_version = coalesce(?8, state_version), state = coalesce(?9, state), unended = coalesce(?10, unended)"
    };
}
const PARTS: &str = concat!(parts!(), " WHERE id = ?1 AND token = ?2");
/// All parts. An update of a column writes to its indexes, also if the value stays.
const ALL_PARTS: &str = concat!(
    parts!(),
    ", cwd = coalesce(?11, cwd), additional_directories = coalesce(?12, additional_directories),
       updated = coalesce(?13, updated), title = CASE WHEN ?14 THEN ?15 ELSE title END
     WHERE id = ?1 AND token = ?2"
);

pub(crate) fn commit(tables: Tables<'_>, lease: &Lease, change: &ChangeRow, said: Said) -> Result<(), Fault> {
    if said.is_empty() {
        return change_parts(tables, lease, change, None);
    }
    tables.write(|tables| {
        let find = "SELECT number, last_seq FROM sessions WHERE id = ?1 AND token = ?2";
        let of_lease = params![lease.session().as_str(), Unsigned(lease.token())];
        let found =
            tables.statement(find)?.query_row(of_lease, |row| Ok((row.get::<_, i64>(0)?, row.get(1)?))).optional()?;
        let Some((number, last)) = found else { return Err(refusal(tables, lease)) };
        let mut last = unsigned(last, "last_seq")?;
        if lease.adds(last, said.places.as_ref())? {
            let insert = "INSERT INTO entries (session, seq, message_id, said) VALUES (?1, ?2, ?3, ?4)";
            let mut insert = tables.statement(insert)?;
            for (seq, message_id, text) in said.entries {
                insert.raw_bind_parameter(1, number)?;
                insert.raw_bind_parameter(2, Unsigned(seq))?;
                insert.raw_bind_parameter(3, message_id.as_ref().map(MessageId::as_str))?;
                insert.raw_bind_parameter(4, &text)?;
                // SQLite has a copy, and makes another one for the row. A large text is to be there no third time.
                drop(text);
                let inserted = insert.raw_execute();
                insert.clear_bindings();
                inserted?;
                last = seq;
            }
        }
        if let Some(place) = said.forgotten {
            tables.execute("DELETE FROM entries WHERE session = ?1 AND seq <= ?2", params![number, Unsigned(place)])?;
        }
        change_parts(tables, lease, change, Some(last))
    })
}

/// Changes parts of the session, in one statement. `last` is the place of the last entry, if there are new ones.
pub(crate) fn change_parts(
    tables: Tables<'_>,
    lease: &Lease,
    change: &ChangeRow,
    last: Option<u64>,
) -> Result<(), Fault> {
    let ChangeRow { cwd, additional_directories, title, updated, options, permissions, state, unended } = change;
    let (version, state) = state.as_ref().map(|(version, state)| (version, state)).unzip();
    let (id, token) = (lease.session().as_str(), Unsigned(lease.token()));
    let (until, time, last) = (end(lease.time()), micros(lease.time()), last.map(Unsigned));
    let parts: &[&dyn ToSql] = params![id, token, until, time, last, options, permissions, version, state, unended];
    let is_listed = cwd.is_some() || additional_directories.is_some() || title.is_some() || updated.is_some();
    let changed = if is_listed {
        let (is_titled, title) = (title.is_some(), title.as_ref().and_then(Option::as_deref));
        let listed: &[&dyn ToSql] = params![cwd, additional_directories, updated, is_titled, title];
        tables.execute(ALL_PARTS, &*[parts, listed].concat())?
    } else {
        tables.execute(PARTS, parts)?
    };
    if changed == 0 { Err(refusal(tables, lease)) } else { Ok(()) }
}

pub(crate) fn delete(tables: Tables<'_>, id: &SessionId) -> Result<bool, Fault> {
    Ok(tables.execute("DELETE FROM sessions WHERE id = ?1", [id.as_str()])? > 0)
}
