//! The least that a write of this size costs on this disk: one connection, one prepared statement, one row.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use acp_store_sqlite::Durability;
use rusqlite::{Connection, params};
use rustix::time::{ClockId, clock_gettime};

/// The bytes of a session's row: its id, its folder, its options and its state.
const BYTES: usize = 300;

/// The connection of the bare upserts. It stays open, as that of a store does.
pub struct Bare(Connection);

/// The costs of an upsert, in microseconds.
pub struct Costs {
    /// The median of the times.
    pub time: f64,
    /// The processor time of each.
    pub cpu: f64,
}

impl Bare {
    pub fn open(file: &Path, durability: Durability) -> rusqlite::Result<Self> {
        let connection = Connection::open(file)?;
        let level = if durability == Durability::Durable { "FULL" } else { "NORMAL" };
        connection.pragma_update_and_check(None, "journal_mode", "WAL", |_| Ok(()))?;
        connection.pragma_update(None, "synchronous", level)?;
        connection
            .execute_batch("CREATE TABLE IF NOT EXISTS kept (id TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT")?;
        Ok(Self(connection))
    }

    /// So many upserts of one row.
    pub fn upserts(&self, number: usize) -> rusqlite::Result<Costs> {
        let statement = "INSERT INTO kept VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET value = excluded.value";
        let mut upsert = self.0.prepare(statement)?;
        let values = ["a", "b"].map(|letter| letter.repeat(BYTES));
        let mut times: Vec<Duration> = Vec::with_capacity(number);
        let before = processor_time();
        for turn in 0..number {
            let begin = Instant::now();
            upsert.execute(params!["0199c0de-0000-7000-8000-000000000000", values[turn % 2]])?;
            times.push(begin.elapsed());
        }
        let cpu = (processor_time() - before) / number as f64;
        times.sort();
        Ok(Costs { time: times[number / 2].as_secs_f64() * 1e6, cpu })
    }
}

/// The processor time of this thread, in microseconds. `/proc` has it only up to the last time that the thread has slept.
fn processor_time() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}
