//! The reads.

use acp_schema::v1::SessionId;
use acp_store::{Cursor, Entry, Kept, Lease, Page, StoreError, Timestamp};
use rusqlite::{OptionalExtension as _, params};

use crate::{
    fault::Fault,
    rows::{self, KEPT, LISTED, Unsigned, unsigned},
    tables::Tables,
};

/// A page of entries ends when it has so many bytes.
const PAGE_BYTES: usize = 1 << 20;

pub(crate) fn not_found(id: &SessionId) -> Fault {
    StoreError::NotFound { session: id.clone() }.into()
}

pub(crate) fn kept(tables: Tables<'_>, id: &SessionId) -> Result<Kept, Fault> {
    let mut statement = tables.statement(KEPT)?;
    let mut rows = statement.query([id.as_str()])?;
    rows::kept(rows.next()?.ok_or_else(|| not_found(id))?)
}

/// Whether somebody waits for the session of this lease.
pub(crate) fn is_wished(tables: Tables<'_>, lease: &Lease) -> Result<bool, Fault> {
    let id = lease.session();
    let mut find = tables.statement("SELECT token, wished_until FROM sessions WHERE id = ?1")?;
    let found = find.query_row([id.as_str()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let (token, until): (i64, i64) = found.ok_or_else(|| not_found(id))?;
    if unsigned(token, "token")? != lease.token() {
        return Err(StoreError::LeaseLost { session: id.clone() }.into());
    }
    Ok(Timestamp::now().as_micros() < until)
}

pub(crate) fn replay(tables: Tables<'_>, id: &SessionId, after: u64, most: usize) -> Result<Vec<Entry>, Fault> {
    tables.read(|tables| {
        let mut find = tables.statement("SELECT number FROM sessions WHERE id = ?1")?;
        let number =
            find.query_row([id.as_str()], |row| row.get::<_, i64>(0)).optional()?.ok_or_else(|| not_found(id))?;
        let entries = "SELECT seq, message_id, said FROM entries WHERE session = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3";
        let mut statement = tables.statement(entries)?;
        let mut rows = statement.query(params![number, Unsigned(after), Unsigned(most as u64)])?;
        let (mut page, mut bytes) = (Vec::new(), 0);
        while bytes < PAGE_BYTES
            && let Some(row) = rows.next()?
        {
            let (entry, its_bytes) = rows::entry(row)?;
            page.push(entry);
            bytes += its_bytes;
        }
        Ok(page)
    })
}

/// The sessions of this principal, or those without one.
pub(crate) fn list(
    tables: Tables<'_>,
    (principal, cwd): (Option<&str>, Option<&str>),
    after: Option<&Cursor>,
    most: usize,
) -> Result<Page, Fault> {
    let mut statement = tables.prepare(&list_statement(cwd.is_some(), after.is_some()))?;
    let (updated, id) = after.map(|after| (after.updated().as_micros(), after.id().as_str())).unzip();
    // One more than the page has shows that there is a next page.
    let mut rows = statement.query(params![cwd, updated, id, Unsigned((most as u64).saturating_add(1)), principal])?;
    let mut page = Page::default();
    while let Some(row) = rows.next()? {
        if page.sessions.len() == most {
            page.next = page.sessions.last().map(|listed| listed.cursor());
            break;
        }
        page.sessions.push(rows::listed(row)?);
    }
    Ok(page)
}

/// Each form of the list has its own statement, so that SQLite finds the index for it.
fn list_statement(is_of_cwd: bool, is_behind: bool) -> String {
    let of_cwd = if is_of_cwd { "cwd = ?1" } else { "?1 IS NULL" };
    let behind = if is_behind { "(updated, id) < (?2, ?3)" } else { "?2 IS NULL AND ?3 IS NULL" };
    format!(
        "SELECT {LISTED} FROM sessions WHERE principal IS ?5 AND {of_cwd} AND {behind} ORDER BY updated DESC, id DESC LIMIT ?4"
    )
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::schema::{STEPS, migrate};

    #[test]
    fn a_page_of_the_list_reads_no_other_sessions() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, STEPS).unwrap();
        for (is_of_cwd, is_behind, expected) in [
            (false, false, "SEARCH sessions USING INDEX sessions_of_principal (principal=?)"),
            (false, true, "SEARCH sessions USING INDEX sessions_of_principal (principal=? AND (updated,id)<(?,?))"),
            (true, false, "SEARCH sessions USING INDEX sessions_of_principal_and_cwd (principal=? AND cwd=?)"),
            (
                true,
                true,
                "SEARCH sessions USING INDEX sessions_of_principal_and_cwd (principal=? AND cwd=? AND (updated,id)<(?,?))",
            ),
        ] {
            let sql = format!("EXPLAIN QUERY PLAN {}", list_statement(is_of_cwd, is_behind));
            let mut statement = connection.prepare(&sql).unwrap();
            for principal in [None, Some("ann")] {
                let values = params![None::<&str>, None::<i64>, None::<&str>, 5, principal];
                let rows = statement.query_map(values, |row| row.get(3));
                // Sorting would be another step.
                assert_eq!(rows.unwrap().map(Result::<String, _>::unwrap).collect::<Vec<_>>(), [expected]);
            }
        }
    }
}
