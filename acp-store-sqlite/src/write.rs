//! The writes. Each function runs in a transaction of its own.

use std::{ops::RangeInclusive, time::Duration};

use acp_runtime_core::{
    store::{Claim, Entry, Lease, Owner, Sharing, StoreError, Timestamp},
    values::{MessageId, SessionId},
};
use rusqlite::{Connection, OptionalExtension as _, params};

use crate::{
    fault::Fault,
    read::not_found,
    rows::{ChangeRow, KeptRow, Unsigned, parsed, unsigned},
};

/// A file with a write-ahead log is shared by memory: all of its processes run on one machine.
const SHARING: Sharing = Sharing::OneMachine;

/// The entries of a commit, as their columns have them.
pub(crate) struct Said {
    places: Option<RangeInclusive<u64>>,
    entries: Vec<(u64, Option<MessageId>, String)>,
}

impl Said {
    pub(crate) fn of(session: &SessionId, said: &[Entry]) -> Result<Self, StoreError> {
        let entries = said.iter().map(|entry| Ok((entry.seq, entry.message_id.clone(), entry.to_json()?)));
        Ok(Self { places: Entry::places(session, said)?, entries: entries.collect::<Result<_, StoreError>>()? })
    }
}

pub(crate) fn create(connection: &Connection, id: &SessionId, kept: &KeptRow, claim: &Claim) -> Result<Lease, Fault> {
    let is_there =
        connection.query_row("SELECT 1 FROM sessions WHERE id = ?1", [id.as_str()], |_| Ok(())).optional()?.is_some();
    if is_there {
        return Err(StoreError::Exists { session: id.clone() }.into());
    }
    let (version, state) = kept.state.as_ref().map(|(version, state)| (version, state)).unzip();
    connection.execute(
        "INSERT INTO sessions (id, cwd, additional_directories, title, created, updated, options, state_version, state,
                               permissions, unended, token, lease_until)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0, 0)",
        params![
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
            kept.unended
        ],
    )?;
    grant(connection, id, connection.last_insert_rowid(), 0, claim)
}

pub(crate) fn claim(connection: &Connection, id: &SessionId, claim: &Claim) -> Result<Lease, Fault> {
    let mut statement =
        connection.prepare("SELECT number, last_seq, lease_until, owner, lease_time FROM sessions WHERE id = ?1")?;
    let mut rows = statement.query([id.as_str()])?;
    let row = rows.next()?.ok_or_else(|| not_found(id))?;
    if row.get::<_, Option<String>>(3)?.is_some() {
        let (holder, until) = (parsed::<Owner>(row, 3, "owner")?, Timestamp::from_micros(row.get(2)?));
        let time = Duration::from_micros(unsigned(row.get(4)?, "lease_time")?);
        claim.admits(id, &holder, until, time, Timestamp::now(), SHARING)?;
    }
    let last = unsigned(row.get(1)?, "last_seq")?;
    grant(connection, id, row.get(0)?, last, claim)
}

fn grant(connection: &Connection, id: &SessionId, number: i64, last: u64, claim: &Claim) -> Result<Lease, Fault> {
    let token: i64 = connection.query_row("UPDATE tokens SET last = last + 1 RETURNING last", [], |row| row.get(0))?;
    let owner = serde_json::to_string(claim.owner()).map_err(|error| StoreError::invalid("the owner", error))?;
    connection.execute(
        "UPDATE sessions SET token = ?2, owner = ?3, lease_until = ?4, lease_time = ?5 WHERE number = ?1",
        params![
            number,
            token,
            owner,
            Timestamp::now().after(claim.time()).as_micros(),
            i64::try_from(claim.time().as_micros()).unwrap_or(i64::MAX)
        ],
    )?;
    Ok(Lease::new(id, unsigned(token, "token")?, last, claim.time()))
}

/// The number and the last place of the session of a lease, if the lease is not lost.
fn leased(connection: &Connection, lease: &Lease) -> Result<(i64, u64), Fault> {
    let id = lease.session();
    let (number, last, token) = connection
        .query_row("SELECT number, last_seq, token FROM sessions WHERE id = ?1", [id.as_str()], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
        })
        .optional()?
        .ok_or_else(|| not_found(id))?;
    if unsigned(token, "token")? != lease.token() {
        return Err(StoreError::LeaseLost { session: id.clone() }.into());
    }
    Ok((number, unsigned(last, "last_seq")?))
}

pub(crate) fn renew(connection: &Connection, lease: &Lease) -> Result<(), Fault> {
    let (number, _) = leased(connection, lease)?;
    let until = Timestamp::now().after(lease.time()).as_micros();
    connection.execute("UPDATE sessions SET lease_until = ?2 WHERE number = ?1", [number, until])?;
    Ok(())
}

pub(crate) fn release(connection: &Connection, lease: &Lease) -> Result<(), Fault> {
    connection.execute(
        "UPDATE sessions SET owner = NULL, lease_until = 0 WHERE id = ?1 AND token = ?2",
        params![lease.session().as_str(), Unsigned(lease.token())],
    )?;
    Ok(())
}

pub(crate) fn commit(connection: &Connection, lease: &Lease, change: &ChangeRow, said: &Said) -> Result<(), Fault> {
    let (number, mut last) = leased(connection, lease)?;
    if lease.adds(last, said.places.as_ref())? {
        let mut insert =
            connection.prepare("INSERT INTO entries (session, seq, message_id, said) VALUES (?1, ?2, ?3, ?4)")?;
        for (seq, message_id, text) in &said.entries {
            insert.execute(params![number, Unsigned(*seq), message_id.as_ref().map(MessageId::as_str), text])?;
            last = *seq;
        }
    }
    let (version, state) = change.state.as_ref().map(|(version, state)| (version, state)).unzip();
    connection.execute(
        "UPDATE sessions SET last_seq = ?2, lease_until = ?3, cwd = coalesce(?4, cwd),
                additional_directories = coalesce(?5, additional_directories),
                title = CASE WHEN ?6 THEN ?7 ELSE title END, updated = coalesce(?8, updated),
                options = coalesce(?9, options), permissions = coalesce(?10, permissions),
                state_version = coalesce(?11, state_version), state = coalesce(?12, state),
                unended = coalesce(?13, unended)
         WHERE number = ?1",
        params![
            number,
            Unsigned(last),
            Timestamp::now().after(lease.time()).as_micros(),
            change.cwd,
            change.additional_directories,
            change.title.is_some(),
            change.title.as_ref().and_then(Option::as_deref),
            change.updated,
            change.options,
            change.permissions,
            version,
            state,
            change.unended
        ],
    )?;
    Ok(())
}

pub(crate) fn delete(connection: &Connection, id: &SessionId) -> Result<bool, Fault> {
    Ok(connection.execute("DELETE FROM sessions WHERE id = ?1", [id.as_str()])? > 0)
}
