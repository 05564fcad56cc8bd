//! What a stream has said: its last messages, each with its number, for a reader that comes back.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use axum::body::Bytes;
use uuid::Uuid;

use crate::{Retention, durable::Cursor};

pub(crate) struct Log {
    stream: u64,
    retention: Arc<Retention>,
    kept: VecDeque<Kept>,
    bytes: usize,
    /// The number of the message that comes next.
    next: u64,
}

struct Kept {
    event: Bytes,
    at: Instant,
}

/// Why what was said behind a place cannot be said again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gone {
    /// It is no place of this stream.
    Unknown,
    /// It is not kept any more.
    Expired,
}

impl Log {
    pub(crate) fn new(retention: Arc<Retention>) -> Self {
        let (_, stream) = Uuid::new_v4().as_u64_pair();
        Self { stream, retention, kept: VecDeque::new(), bytes: 0, next: 1 }
    }

    /// Adds messages that were said together. The first one has the place behind [`end`](Self::end).
    pub(crate) fn extend(&mut self, events: impl IntoIterator<Item = Bytes>) {
        let at = Instant::now();
        for event in events {
            self.next += 1;
            self.bytes += event.len();
            self.kept.push_back(Kept { event, at });
        }
        self.trim(at);
    }

    /// The place behind all that was said.
    pub(crate) fn end(&self) -> Cursor {
        Cursor { stream: self.stream, number: self.next - 1 }
    }

    /// What was said behind this place.
    ///
    /// # Errors
    ///
    /// The stream does not have all of it.
    pub(crate) fn after(&mut self, cursor: Cursor) -> Result<Vec<Bytes>, Gone> {
        self.trim(Instant::now());
        if cursor.stream != self.stream || cursor.number >= self.next {
            return Err(Gone::Unknown);
        }
        let first = self.next - self.kept.len() as u64;
        let skipped = (cursor.number + 1).checked_sub(first).and_then(|skipped| usize::try_from(skipped).ok());
        Ok(self.kept.iter().skip(skipped.ok_or(Gone::Expired)?).map(|kept| kept.event.clone()).collect())
    }

    /// Forgets what is too old, or too much.
    pub(crate) fn trim(&mut self, now: Instant) {
        let Retention { messages, bytes, time } = *self.retention;
        while let Some(oldest) = self.kept.front() {
            let is_over = self.kept.len() > messages || self.bytes > bytes;
            let age: Duration = now.saturating_duration_since(oldest.at);
            if !(is_over && self.kept.len() > 1 || age > time) {
                break;
            }
            self.bytes -= oldest.event.len();
            self.kept.pop_front();
        }
        if self.kept.is_empty() {
            self.kept = VecDeque::new();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(retention: Retention) -> Log {
        Log::new(Arc::new(retention))
    }

    fn said(log: &mut Log, text: &'static str) -> Cursor {
        log.extend([Bytes::from_static(text.as_bytes())]);
        log.end()
    }

    #[test]
    fn a_reader_that_comes_back_gets_all_that_was_said_behind_its_place() {
        let mut log = log(Retention::default());
        let [one, two, three] = ["1", "2", "3"].map(|text| said(&mut log, text));
        assert_eq!(log.after(one).unwrap(), ["2", "3"]);
        assert_eq!(log.after(two).unwrap(), ["3"]);
        assert_eq!(log.after(three).unwrap(), <[&str; 0]>::default());
        assert_eq!(log.after(Cursor { number: 0, ..one }).unwrap(), ["1", "2", "3"], "from the begin");
        assert_eq!(log.after(Cursor { number: 4, ..one }), Err(Gone::Unknown), "a message that was never said");
        assert_eq!(log.after(Cursor { number: u64::MAX, ..one }), Err(Gone::Unknown));
        assert_eq!(log.after(Cursor { stream: !one.stream, ..one }), Err(Gone::Unknown), "a place in another stream");
    }

    #[test]
    fn what_is_kept_has_bounds() {
        let mut few = log(Retention::default().messages(2));
        let [one, two, _, _] = ["1", "2", "3", "4"].map(|text| said(&mut few, text));
        assert_eq!(few.after(one), Err(Gone::Expired), "the second message is gone");
        assert_eq!(few.after(two).unwrap(), ["3", "4"]);
        let mut short = log(Retention::default().bytes(5));
        let [one, two, _] = ["1234", "5678", "9"].map(|text| said(&mut short, text));
        assert_eq!((short.after(one).unwrap().len(), short.after(two).unwrap().len()), (2, 1));
        let last = said(&mut short, "a message that is longer than all");
        assert_eq!(short.kept.len(), 1, "the last one stays");
        assert_eq!(short.after(last).unwrap().len(), 0);
        let mut old = log(Retention::default().time(Duration::ZERO));
        let one = said(&mut old, "1");
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(old.after(one).unwrap().len(), 0, "the reader has all that was said");
        assert_eq!(old.after(Cursor { number: 0, ..one }), Err(Gone::Expired));
    }

    #[test]
    fn what_is_too_old_takes_no_memory_where_nothing_more_is_said() {
        let mut log = log(Retention::default().time(Duration::from_secs(60)));
        let one = said(&mut log, "1");
        log.trim(Instant::now());
        assert_eq!(log.after(Cursor { number: 0, ..one }).unwrap(), ["1"]);
        log.trim(Instant::now() + Duration::from_secs(61));
        assert_eq!((log.kept.capacity(), log.bytes), (0, 0));
        assert_eq!(log.after(one).unwrap().len(), 0, "the reader has all that was said");
    }
}
