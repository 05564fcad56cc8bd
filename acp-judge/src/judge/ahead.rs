//! The lines of a tape, read as JSON. Reading takes as long as judging, so for a long tape, a thread reads ahead.

use std::{sync::mpsc, thread};

use serde_json::Value;

use crate::tape::Entry;

/// The bytes from which a thread is worth its start.
const WORTH: usize = 1 << 20;
/// The entries that pass between the threads at once, and the batches that wait at most.
const BATCH: usize = 64;
const AHEAD: usize = 16;

/// Calls the function for each entry, in order, with its line as JSON; `None` if it has no line, or the line is no JSON.
pub(super) fn each(entries: &[Entry], mut take: impl FnMut(&Entry, Option<Value>)) {
    let bytes: usize = entries.iter().filter_map(|entry| entry.line.as_ref()).map(Vec::len).sum();
    if bytes < WORTH {
        return entries.iter().for_each(|entry| take(entry, read(entry)));
    }
    thread::scope(|scope| {
        let (sender, batches) = mpsc::sync_channel::<Vec<_>>(AHEAD);
        scope.spawn(move || {
            for batch in entries.chunks(BATCH) {
                if sender.send(batch.iter().map(read).collect()).is_err() {
                    break; // The judge has panicked.
                }
            }
        });
        let values = batches.into_iter().flatten();
        entries.iter().zip(values).for_each(|(entry, value)| take(entry, value));
    });
}

fn read(entry: &Entry) -> Option<Value> {
    serde_json::from_str(std::str::from_utf8(entry.line.as_deref()?).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tape::{Party, Tape};

    #[test]
    fn a_long_tape_is_read_as_a_short_one() {
        let mut tape = Tape::new();
        for number in 0..20_000 {
            tape.say(Party::Agent, format!("[{number},\"{}\"]", "x".repeat(60)));
            if number % 100 == 0 {
                tape.say(Party::Client, "no JSON");
                tape.hang_up(Party::Client);
            }
        }
        let long = tape.entries();
        assert!(long.iter().filter_map(|entry| entry.line.as_ref()).map(Vec::len).sum::<usize>() > WORTH);
        let mut count = 0;
        each(long, |entry, value| {
            assert_eq!(value, read(entry));
            count += 1;
        });
        assert_eq!(count, long.len());
    }
}
