//! The statements. Each is a transaction of its own: PostgreSQL does all of it or nothing, whatever becomes of the future
//! that waits for it.
//!
//! A write that depends on what was read before names what it has read (`token`, `last_seq`), and changes nothing if
//! that is no longer true. So no lock is held between two statements.

/// The statements of one schema.
#[derive(Debug)]
pub(crate) struct Sql {
    pub(crate) create: String,
    pub(crate) held: String,
    pub(crate) take: String,
    pub(crate) renew: String,
    pub(crate) release: String,
    pub(crate) wish: String,
    pub(crate) wished: String,
    pub(crate) commit: String,
    /// As `commit`, of a change that drops entries.
    pub(crate) forget: String,
    pub(crate) written: String,
    pub(crate) read: String,
    pub(crate) replay: String,
    /// By [`list`](Self::list).
    lists: [String; 4],
    pub(crate) delete: String,
}

/// The time by the clock of the server, in microseconds since 1970. It goes on while a statement waits for a lock.
const NOW: &str = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Lets the transaction of a statement wait for the disk. It stands in the statement: a setting of the connection could be
/// that of another connection, behind a pooler.
const DURABLE: &str =
    "CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END";

impl Sql {
    /// The statements for the tables in `schema`, a quoted name. With `is_fast`, a commit does not wait for the disk.
    pub(crate) fn new(schema: &str, is_fast: bool) -> Self {
        let (sessions, entries) = (format!("{schema}.sessions"), format!("{schema}.entries"));
        let token = format!("nextval('{}.tokens')", schema.replace('\'', "''"));
        let list = |is_of_cwd: bool, is_behind: bool| {
            // The index has a hash of the path, because a path may be too long for an index. The path itself is compared
            // in a way that says nothing to the planner: it would expect too few rows, and sort them.
            let of_cwd = match is_of_cwd {
                true => {
                    "hashtextextended(cwd, 0) = hashtextextended($2, 0) AND CASE WHEN cwd = $2 THEN true ELSE false END"
                }
                false => "$2::text IS NULL",
            };
            // The same goes for the principal. Those without one have 0 in the index.
            let of_principal =
                "coalesce(hashtextextended(principal, 0), 0) = coalesce(hashtextextended($5::text, 0), 0)
                 AND CASE WHEN principal IS NOT DISTINCT FROM $5 THEN true ELSE false END";
            let behind = if is_behind { "(updated, id) < ($3, $4)" } else { "$3::bigint IS NULL AND $4::text IS NULL" };
            format!(
                "SELECT id, cwd, additional_directories, title, created, updated FROM {sessions}
                 WHERE {of_principal} AND {of_cwd} AND {behind} ORDER BY updated DESC, id DESC LIMIT $1"
            )
        };
        // Tokens must outlive a crash of the server, so only single commits may be faster than the disk.
        let commit_mode = if is_fast { "set_config('synchronous_commit', 'off', true)" } else { DURABLE };
        // $3 is the place of the last entry, if the commit depends on it. $4 is the number of the change: one that
        // arrives behind a later one was given up by its caller.
        let commit = |of_new: &str, further: &str| {
            format!(
                "WITH changed AS (
                     UPDATE {sessions} SET change = $4, lease_until = {NOW} + $5, lease_time = $5, last_seq = coalesce($6, last_seq),
                            cwd = coalesce($7, cwd), additional_directories = coalesce($8, additional_directories),
                            title = CASE WHEN $9 THEN $10 ELSE title END, updated = coalesce($11, updated),
                            options = coalesce($12, options), state_version = coalesce($13, state_version),
                            state = coalesce($14, state), permissions = coalesce($18, permissions),
                            unended = coalesce($19, unended)
                     WHERE id = $1 AND token = $2 AND change < $4 AND ($3::bigint IS NULL OR last_seq = $3)
                     RETURNING number
                 ), added AS (
                     INSERT INTO {entries} (session, seq, message_id, said)
                     SELECT number, new.seq, new.message_id, new.said
                     FROM changed, unnest($15::bigint[], $16::text[], $17::text[]) AS new (seq, message_id, said) {of_new}
                 ){further}
                 SELECT {commit_mode} FROM changed"
            )
        };
        Self {
            create: format!(
                "INSERT INTO {sessions} (id, cwd, additional_directories, title, created, updated, options,
                                         state_version, state, token, owner, lease_until, lease_time, permissions,
                                         unended, principal)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, {token}, $10, {NOW} + $11, $11, $12, $13, $14)
                 ON CONFLICT (id) DO NOTHING RETURNING token, {DURABLE}"
            ),
            held: format!("SELECT token, owner, lease_until, {NOW}, lease_time FROM {sessions} WHERE id = $1"),
            // $3 is the end of the lease that was read, if the claim depends on it: a holder that has renewed it lives.
            take: format!(
                "UPDATE {sessions} SET token = {token}, change = 0, owner = $4, lease_until = {NOW} + $5,
                        lease_time = $5, wished_until = 0
                 WHERE id = $1 AND token = $2 AND ($3::bigint IS NULL OR lease_until = $3)
                 RETURNING token, last_seq, {DURABLE}"
            ),
            renew: format!("UPDATE {sessions} SET lease_until = {NOW} + $3, lease_time = $3 WHERE id = $1 AND token = $2"),
            release: format!("UPDATE {sessions} SET owner = NULL, lease_until = 0 WHERE id = $1 AND token = $2"),
            wish: format!("UPDATE {sessions} SET wished_until = {NOW} + $2 WHERE id = $1"),
            wished: format!("SELECT token, {NOW} < wished_until FROM {sessions} WHERE id = $1"),
            commit: commit("", ""),
            // $20 is the last place that goes.
            forget: commit(
                "WHERE new.seq > $20",
                &format!(", dropped AS (DELETE FROM {entries} USING changed WHERE session = number AND seq <= $20)"),
            ),
            written: format!("SELECT token, last_seq, change FROM {sessions} WHERE id = $1"),
            read: format!(
                "SELECT cwd, additional_directories, title, created, updated, options, state_version, state,
                        permissions, unended, principal
                 FROM {sessions} WHERE id = $1"
            ),
            // A page of $3 entries has as many places, because behind the first entry, places have no gaps. So nothing behind the page is
            // read or sorted, whatever PostgreSQL expects. $4 bounds the bytes before the last entry. A session without entries there
            // gives one row.
            replay: format!(
                "SELECT page.seq, page.message_id, page.said FROM {sessions} LEFT JOIN LATERAL (
                     SELECT seq AS first FROM {entries} WHERE session = number AND seq > $2 ORDER BY seq LIMIT 1
                 ) AS begin ON true LEFT JOIN LATERAL (
                     SELECT seq, message_id, said, sum(octet_length(said)) OVER (ORDER BY seq) - octet_length(said) AS before
                     FROM {entries} WHERE session = number AND seq >= begin.first AND seq < begin.first + $3
                 ) AS page ON page.before < $4
                 WHERE id = $1 ORDER BY page.seq"
            ),
            lists: [list(false, false), list(false, true), list(true, false), list(true, true)],
            delete: format!("DELETE FROM {sessions} WHERE id = $1 RETURNING {DURABLE}"),
        }
    }

    /// Each form of the list is a statement of its own, so that PostgreSQL finds the index for it.
    pub(crate) fn list(&self, is_of_cwd: bool, is_behind: bool) -> &str {
        &self.lists[usize::from(is_of_cwd) * 2 + usize::from(is_behind)]
    }
}

#[cfg(test)]
#[cfg(unix)]
#[path = "sql_tests.rs"]
mod tests;
