//! The writes. Each changes something in one statement at most.
//!
//! A write that depends on what was read before is tried again if that has changed meanwhile. It ends when it is done,
//! when it is refused, or with the patience of the store.
//!
//! No call holds a transaction open between two statements. So a call that is dropped leaves nothing behind, and its
//! connection goes back to the pool. A write names the state that it depends on (`token`, `last_seq`, `lease_until`), and
//! changes nothing if this is no longer true; then the call reads and decides again. So `Claim::admits` and `Lease::adds`
//! decide here, too. A statement whose caller is gone may reach the server late, behind the caller's next one on another
//! connection. The number `change` orders the commits under one token.
//!
//! # What holds, with its tests
//!
//! - *One writer* (`postgres::server::processes::processes_that_take_a_session_from_one_another_never_both_write`), also
//!   if a claim comes late (`postgres::server::losses::a_claim_that_was_given_up_and_arrives_late_takes_nothing`). A
//!   token is on the disk before it is told
//!   (`postgres::server::crashes::a_crash_of_the_server_takes_the_last_fast_commits_whole_and_no_token`).
//! - *A told commit is kept*, when the agent is killed
//!   (`postgres::server::processes::a_killed_process_loses_no_told_commit_and_its_session_opens_at_once`), and when the
//!   server is (`postgres::server::crashes::a_server_that_is_killed_and_started_again_has_lost_no_told_commit`).
//! - *It is kept once*, if its answer is lost (`postgres::server::losses::a_commit_whose_answer_is_lost_is_kept_once`),
//!   and it replaces no later one
//!   (`postgres::server::losses::a_commit_that_was_given_up_and_arrives_late_changes_nothing`).
//! - *Each wait has a bound*
//!   (`postgres::server::losses::a_silent_server_is_told_in_time_and_the_next_call_connects_again`).
//! - *Nothing of others is touched*
//!   (`postgres::server::schemas::a_schema_of_another_program_is_refused_and_left_as_it_is`), and of several that make or
//!   change the tables at once, one does it (`postgres::server::schemas::many_open_a_new_schema_at_once`).

use std::{
    ops::RangeInclusive,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use acp_schema::v1::{MessageId, SessionId};
use acp_store::{Claim, Entry, Lease, Owner, Sharing, StoreError, Timestamp};
use tokio_postgres::{Client, types::ToSql, types::Type};

use crate::{
    fault::Fault,
    read::{known, not_found},
    rows::{ChangeRow, KeptRow, column, new_id, signed, text, unsigned},
    sql::Sql,
};

/// The processes may run on several machines.
const SHARING: Sharing = Sharing::Machines;

/// The entries of a commit, as their columns have them.
#[derive(Default)]
pub(crate) struct Said<'a> {
    places: Option<RangeInclusive<u64>>,
    seqs: Vec<i64>,
    message_ids: Vec<Option<&'a str>>,
    texts: Vec<String>,
}

impl<'a> Said<'a> {
    pub(crate) fn of(session: &SessionId, said: &'a [Entry]) -> Result<Self, StoreError> {
        let mut columns = Self { places: Entry::places(session, said)?, ..Self::default() };
        for entry in said {
            let id = entry.message_id.as_ref().map(MessageId::as_str);
            columns.seqs.push(signed(entry.seq));
            columns
                .message_ids
                .push(id.map(|id| text(&format!("the message id of entry {}", entry.seq), id)).transpose()?);
            let json = entry.to_json()?;
            text(&format!("entry {}", entry.seq), &json)?;
            columns.texts.push(json);
        }
        Ok(columns)
    }
}

/// Microseconds that can be added to a time of the server.
fn micros(time: Duration) -> i64 {
    i64::try_from(time.as_micros()).unwrap_or(i64::MAX).min(i64::MAX / 2)
}

fn owner_text(claim: &Claim) -> Result<String, StoreError> {
    let json = serde_json::to_string(claim.owner()).map_err(|error| StoreError::invalid("the owner", error))?;
    Ok(json)
}

pub(crate) async fn create(
    client: &Client,
    sql: &Sql,
    id: &SessionId,
    kept: &KeptRow,
    claim: &Claim,
) -> Result<Lease, Fault> {
    let row = client
        .query_typed_opt(
            &sql.create,
            &[
                (&new_id(id)?, Type::TEXT),
                (&kept.cwd, Type::TEXT),
                (&kept.additional_directories, Type::TEXT),
                (&kept.title, Type::TEXT),
                (&kept.created, Type::INT8),
                (&kept.updated, Type::INT8),
                (&kept.options, Type::TEXT),
                (&kept.state_version, Type::INT8),
                (&kept.state, Type::TEXT),
                (&owner_text(claim)?, Type::TEXT),
                (&micros(claim.time()), Type::INT8),
                (&kept.permissions, Type::TEXT),
                (&kept.unended, Type::INT8),
                (&kept.principal, Type::TEXT),
            ],
        )
        .await?;
    let row = row.ok_or_else(|| StoreError::Exists { session: id.clone() })?;
    Ok(Lease::new(id, unsigned(column(&row, 0, "token")?, "token")?, 0, claim.time()))
}

pub(crate) async fn claim(client: &Client, sql: &Sql, id: &SessionId, claim: &Claim) -> Result<Lease, Fault> {
    let (name, owner) = (known(id)?, owner_text(claim)?);
    loop {
        let held = client.query_typed_opt(&sql.held, &[(&name, Type::TEXT)]).await?.ok_or_else(|| not_found(id))?;
        let (token, until): (i64, i64) = (column(&held, 0, "token")?, column(&held, 2, "lease_until")?);
        if let Some(holder) = column::<Option<&str>>(&held, 1, "owner")? {
            let holder: Owner = serde_json::from_str(holder).map_err(|error| Fault::column("owner", error))?;
            let now = Timestamp::from_micros(column(&held, 3, "now")?);
            let time = Duration::from_micros(unsigned(column(&held, 4, "lease_time")?, "lease_time")?);
            claim.admits(id, &holder, Timestamp::from_micros(until), time, now, SHARING)?;
        }
        let until = (!claim.is_forced()).then_some(until);
        let taken = client
            .query_typed_opt(
                &sql.take,
                &[
                    (&name, Type::TEXT),
                    (&token, Type::INT8),
                    (&until, Type::INT8),
                    (&owner, Type::TEXT),
                    (&micros(claim.time()), Type::INT8),
                ],
            )
            .await?;
        if let Some(row) = taken {
            let token = unsigned(column(&row, 0, "token")?, "token")?;
            let last = unsigned(column(&row, 1, "last_seq")?, "last_seq")?;
            return Ok(Lease::new(id, token, last, claim.time()));
        }
    }
}

pub(crate) async fn renew(client: &Client, sql: &Sql, lease: &Lease) -> Result<(), Fault> {
    let id = known(lease.session())?;
    let (token, time) = (signed(lease.token()), micros(lease.time()));
    let values: [(&(dyn ToSql + Sync), Type); 3] = [(&id, Type::TEXT), (&token, Type::INT8), (&time, Type::INT8)];
    if client.execute_typed(&sql.renew, &values).await? == 0 {
        client.query_typed_opt(&sql.written, &[(&id, Type::TEXT)]).await?.ok_or_else(|| not_found(lease.session()))?;
        return Err(lost(lease));
    }
    Ok(())
}

pub(crate) async fn release(client: &Client, sql: &Sql, lease: &Lease) -> Result<(), Fault> {
    let Ok(id) = known(lease.session()) else { return Ok(()) };
    client.execute_typed(&sql.release, &[(&id, Type::TEXT), (&signed(lease.token()), Type::INT8)]).await?;
    Ok(())
}

/// Somebody waits for the session, so long from now on.
pub(crate) async fn wish(client: &Client, sql: &Sql, id: &SessionId, time: Duration) -> Result<(), Fault> {
    let values: [(&(dyn ToSql + Sync), Type); 2] = [(&known(id)?, Type::TEXT), (&micros(time), Type::INT8)];
    match client.execute_typed(&sql.wish, &values).await? {
        0 => Err(not_found(id)),
        _ => Ok(()),
    }
}

fn lost(lease: &Lease) -> Fault {
    StoreError::LeaseLost { session: lease.session().clone() }.into()
}

pub(crate) async fn commit(
    client: &Client,
    sql: &Sql,
    lease: &Lease,
    change: &ChangeRow<'_>,
    said: &Said<'_>,
) -> Result<(), Fault> {
    let id = known(lease.session())?;
    let (token, time, nothing) = (signed(lease.token()), micros(lease.time()), Said::default());
    let (is_titled, title) = (change.title.is_some(), change.title.flatten());
    // Most commits find the session as its last commit left it. So they are tried before anything is read.
    let mut said = said;
    let mut last = said.places.as_ref().map(|places| signed(*places.start()) - 1);
    let mut number = next_change(0);
    loop {
        let new_last = said.places.as_ref().map(|places| signed(*places.end()));
        let mut values: Vec<(&(dyn ToSql + Sync), Type)> = vec![
            (&id, Type::TEXT),
            (&token, Type::INT8),
            (&last, Type::INT8),
            (&number, Type::INT8),
            (&time, Type::INT8),
            (&new_last, Type::INT8),
            (&change.cwd, Type::TEXT),
            (&change.additional_directories, Type::TEXT),
            (&is_titled, Type::BOOL),
            (&title, Type::TEXT),
            (&change.updated, Type::INT8),
            (&change.options, Type::TEXT),
            (&change.state_version, Type::INT8),
            (&change.state, Type::TEXT),
            (&said.seqs, Type::INT8_ARRAY),
            (&said.message_ids, Type::TEXT_ARRAY),
            (&said.texts, Type::TEXT_ARRAY),
            (&change.permissions, Type::TEXT),
            (&change.unended, Type::INT8),
        ];
        values.extend(change.forgotten.as_ref().map(|place| (place as &(dyn ToSql + Sync), Type::INT8)));
        let statement = if change.forgotten.is_some() { &sql.forget } else { &sql.commit };
        let done = client.query_typed_opt(statement, &values).await?;
        if done.is_some() {
            return Ok(());
        }
        let row = client.query_typed_opt(&sql.written, &[(&id, Type::TEXT)]).await?;
        let row = row.ok_or_else(|| not_found(lease.session()))?;
        if column::<i64>(&row, 0, "token")? != token {
            return Err(lost(lease));
        }
        let seen: i64 = column(&row, 1, "last_seq")?;
        if !lease.adds(unsigned(seen, "last_seq")?, said.places.as_ref())? {
            // The entries are there already, or there are none.
            said = &nothing;
        }
        last = said.places.is_some().then_some(seen);
        number = next_change(column(&row, 2, "change")?);
    }
}

/// A number above `last`, and above all numbers that this process has given. A commit whose caller has given it up may
/// reach the session late. Then a later commit of the lease has a greater number, and the late one changes nothing.
fn next_change(last: i64) -> i64 {
    static GIVEN: AtomicI64 = AtomicI64::new(0);
    let least = last.max(Timestamp::now().as_micros());
    let next = |given: i64| given.max(least).saturating_add(1);
    // The closure always gives a number.
    GIVEN.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |given| Some(next(given))).map_or(least, next)
}

pub(crate) async fn delete(client: &Client, sql: &Sql, id: &SessionId) -> Result<bool, Fault> {
    let Ok(id) = known(id) else { return Ok(false) };
    Ok(client.execute_typed(&sql.delete, &[(&id, Type::TEXT)]).await? > 0)
}
