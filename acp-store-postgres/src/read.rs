//! The reads. Each is one statement.

use acp_schema::v1::SessionId;
use acp_store::{Cursor, Entry, Kept, Lease, Page, StoreError};
use tokio_postgres::{Client, types::Type};

use crate::{
    fault::Fault,
    rows::{self, column, has_nul, signed},
    sql::Sql,
};

/// A page has at most so many rows: the server sends all of it at once.
const PAGE_ROWS: usize = 1000;

/// A page of entries ends when it has so many bytes.
const PAGE_BYTES: i64 = 1 << 20;

pub(crate) fn not_found(id: &SessionId) -> Fault {
    StoreError::NotFound { session: id.clone() }.into()
}

/// The id as a parameter. No session has an id with a NUL.
pub(crate) fn known(id: &SessionId) -> Result<&str, Fault> {
    match has_nul(id.as_str()) {
        false => Ok(id.as_str()),
        true => Err(not_found(id)),
    }
}

pub(crate) async fn kept(client: &Client, sql: &Sql, id: &SessionId) -> Result<Kept, Fault> {
    let row = client.query_typed_opt(&sql.read, &[(&known(id)?, Type::TEXT)]).await?;
    rows::kept(&row.ok_or_else(|| not_found(id))?)
}

/// Whether somebody waits for the session of this lease.
pub(crate) async fn is_wished(client: &Client, sql: &Sql, lease: &Lease) -> Result<bool, Fault> {
    let id = lease.session();
    let row = client.query_typed_opt(&sql.wished, &[(&known(id)?, Type::TEXT)]).await?;
    let row = row.ok_or_else(|| not_found(id))?;
    if column::<i64>(&row, 0, "token")? != signed(lease.token()) {
        return Err(StoreError::LeaseLost { session: id.clone() }.into());
    }
    column(&row, 1, "wished_until")
}

pub(crate) async fn replay(
    client: &Client,
    sql: &Sql,
    id: &SessionId,
    after: u64,
    most: usize,
) -> Result<Vec<Entry>, Fault> {
    let (after, most) = (signed(after), signed(most.min(PAGE_ROWS) as u64));
    let found = client
        .query_typed(
            &sql.replay,
            &[(&known(id)?, Type::TEXT), (&after, Type::INT8), (&most, Type::INT8), (&PAGE_BYTES, Type::INT8)],
        )
        .await?;
    if found.is_empty() {
        return Err(not_found(id));
    }
    found.iter().filter_map(|row| rows::entry(row).transpose()).collect()
}

/// The sessions of this principal, or those without one.
pub(crate) async fn list(
    client: &Client,
    sql: &Sql,
    (principal, cwd): (Option<&str>, Option<&str>),
    after: Option<&Cursor>,
    most: usize,
) -> Result<Page, Fault> {
    let most = most.min(PAGE_ROWS);
    let (updated, id) = after.map(|after| (after.updated().as_micros(), after.id().as_str())).unzip();
    if id.is_some_and(has_nul) {
        return Err(StoreError::invalid("the cursor", "it is not of this store").into());
    }
    // One more than the page has shows that there is a next page.
    let rows = client
        .query_typed(
            sql.list(cwd.is_some(), after.is_some()),
            &[
                (&signed(most as u64 + 1), Type::INT8),
                (&cwd, Type::TEXT),
                (&updated, Type::INT8),
                (&id, Type::TEXT),
                (&principal, Type::TEXT),
            ],
        )
        .await?;
    let mut page = Page::new(rows.iter().take(most).map(rows::listed).collect::<Result<_, _>>()?, None);
    if rows.len() > most {
        page.next = page.sessions.last().map(|listed| listed.cursor());
    }
    Ok(page)
}
