//! What a stream has said: its last messages, each with its number, for a reader that comes back.

use std::{collections::VecDeque, sync::Arc, time::Instant};

use axum::body::Bytes;
use uuid::Uuid;

use crate::{Retention, durable::Cursor};

pub(crate) struct Log {
    stream: Uuid,
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

impl Log {
    pub(crate) fn new(retention: Arc<Retention>) -> Self {
        Self { stream: Uuid::new_v4(), retention, kept: VecDeque::new(), bytes: 0, next: 1 }
    }

    /// Adds a message, and returns its place.
    pub(crate) fn push(&mut self, make: impl FnOnce(Cursor) -> Bytes) -> Bytes {
        let event = make(Cursor { stream: self.stream, number: self.next });
        self.next += 1;
        self.bytes += event.len();
        self.kept.push_back(Kept { event: event.clone(), at: Instant::now() });
        self.trim();
        event
    }

    /// The place behind all that was said.
    pub(crate) fn end(&self) -> Cursor {
        Cursor { stream: self.stream, number: self.next - 1 }
    }

    /// What was said behind this place. `None` if the stream does not have all of it any more.
    pub(crate) fn after(&mut self, cursor: Cursor) -> Option<Vec<Bytes>> {
        self.trim();
        let first = self.next - self.kept.len() as u64;
        let is_known = cursor.stream == self.stream && cursor.number < self.next && cursor.number + 1 >= first;
        let skipped = usize::try_from((cursor.number + 1).checked_sub(first)?).ok()?;
        is_known.then(|| self.kept.iter().skip(skipped).map(|kept| kept.event.clone()).collect())
    }

    fn trim(&mut self) {
        while let Some(oldest) = self.kept.front() {
            let is_over = self.kept.len() > self.retention.messages || self.bytes > self.retention.bytes;
            if !(is_over && self.kept.len() > 1 || oldest.at.elapsed() > self.retention.time) {
                break;
            }
            self.bytes -= oldest.event.len();
            self.kept.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn log(retention: Retention) -> Log {
        Log::new(Arc::new(retention))
    }

    fn said(log: &mut Log, text: &'static str) -> Cursor {
        let mut at = None;
        log.push(|cursor| {
            at = Some(cursor);
            Bytes::from_static(text.as_bytes())
        });
        at.unwrap()
    }

    #[test]
    fn a_reader_that_comes_back_gets_all_that_was_said_behind_its_place() {
        let mut log = log(Retention::default());
        let [one, two, three] = ["1", "2", "3"].map(|text| said(&mut log, text));
        assert_eq!(log.after(one).unwrap(), ["2", "3"]);
        assert_eq!(log.after(two).unwrap(), ["3"]);
        assert_eq!(log.after(three).unwrap(), <[&str; 0]>::default());
        assert_eq!(log.after(Cursor { number: 0, ..one }).unwrap(), ["1", "2", "3"], "from the begin");
        assert_eq!(log.after(Cursor { number: 4, ..one }), None, "a message that was never said");
        assert_eq!(log.after(Cursor { number: u64::MAX - 1, ..one }), None);
        assert_eq!(log.after(Cursor { stream: Uuid::new_v4(), ..one }), None, "a place in another stream");
    }

    #[test]
    fn what_is_kept_has_bounds() {
        let mut few = log(Retention::default().messages(2));
        let [one, two, _, _] = ["1", "2", "3", "4"].map(|text| said(&mut few, text));
        assert_eq!(few.after(one), None, "the second message is gone");
        assert_eq!(few.after(two).unwrap(), ["3", "4"]);
        let mut short = log(Retention::default().bytes(5));
        let [one, two, _] = ["1234", "5678", "9"].map(|text| said(&mut short, text));
        assert_eq!(
            (short.after(one).map(|kept| kept.len()), short.after(two).map(|kept| kept.len())),
            (Some(2), Some(1))
        );
        let last = said(&mut short, "a message that is longer than all");
        assert_eq!(short.kept.len(), 1, "the last one stays");
        assert_eq!(short.after(last).unwrap().len(), 0);
        let mut old = log(Retention::default().time(Duration::ZERO));
        let one = said(&mut old, "1");
        std::thread::sleep(Duration::from_millis(2));
        assert_eq!(old.after(one).unwrap().len(), 0, "the reader has all that was said");
        assert_eq!(old.after(Cursor { number: 0, ..one }), None);
    }
}
