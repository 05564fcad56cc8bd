//! The reads.

use acp_schema::v1::SessionId;
use acp_store::{Cursor, Entry, Kept, Page, StoreError};
use rusqlite::{OptionalExtension as _, params};

use crate::{
    fault::Fault,
    rows::{self, KEPT, LISTED, Unsigned},
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

pub(crate) fn list(tables: Tables<'_>, cwd: Option<&str>, after: Option<&Cursor>, most: usize) -> Result<Page, Fault> {
    let mut statement = tables.prepare(&list_statement(cwd.is_some(), after.is_some()))?;
    let (updated, id) = after.map(|after| (after.updated().as_micros(), after.id().as_str())).unzip();
    // One more than the page has shows that there is a next page.
    let mut rows = statement.query(params![cwd, updated, id, Unsigned((most as u64).saturating_add(1))])?;
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
    format!("SELECT {LISTED} FROM sessions WHERE {of_cwd} AND {behind} ORDER BY updated DESC, id DESC LIMIT ?4")
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
            (false, false, "SCAN sessions USING INDEX sessions_by_update"),
            (false, true, "SEARCH sessions USING INDEX sessions_by_update ((updated,id)<(?,?))"),
            (true, false, "SEARCH sessions USING INDEX sessions_of_cwd (cwd=?)"),
            (true, true, "SEARCH sessions USING INDEX sessions_of_cwd (cwd=? AND (updated,id)<(?,?))"),
        ] {
            let sql = format!("EXPLAIN QUERY PLAN {}", list_statement(is_of_cwd, is_behind));
            let mut statement = connection.prepare(&sql).unwrap();
            let rows = statement.query_map(params![None::<&str>, None::<i64>, None::<&str>, 5], |row| row.get(3));
            // Sorting would be another step.
            assert_eq!(rows.unwrap().map(Result::<String, _>::unwrap).collect::<Vec<_>>(), [expected]);
        }
    }
}
