//! The lines of a tape, read as JSON. Reading takes as long as judging, so for a long tape, several threads read.

use std::slice::Chunks;

use super::connection::Judge;
use crate::{
    in_order::{Parts, in_order, threads},
    tape::Entry,
    value::Value,
};

/// The bytes from which threads are worth their start.
const WORTH: usize = 1 << 20;
/// The entries that a thread reads at once.
const BATCH: usize = 256;

/// Judges all entries.
pub(super) fn all(entries: &[Entry], judge: Judge) -> Judge {
    let bytes: usize = entries.iter().filter_map(|entry| entry.line.as_ref()).map(Vec::len).sum();
    let threads = if bytes < WORTH { 1 } else { threads() };
    in_order(threads, entries.chunks(BATCH), judge, |batch, turn| {
        let values: Vec<_> = batch.iter().map(read).collect();
        turn.take(|judge| {
            for (Entry { from, at, line }, value) in batch.iter().zip(values) {
                judge.entry(*from, *at, line.as_deref(), value);
            }
        });
    })
}

impl<'e> Parts for Chunks<'e, Entry> {
    type Part = &'e [Entry];

    fn next(&mut self, part: &mut &'e [Entry]) -> bool {
        Iterator::next(self).map(|next| *part = next).is_some()
    }
}

fn read(entry: &Entry) -> Option<Value<'_>> {
    serde_json::from_str(std::str::from_utf8(entry.line.as_deref()?).ok()?).ok()
}

#[cfg(test)]
mod tests {
    use super::{super::Departures, *};
    use crate::tape::{Party, Tape};

    #[test]
    fn a_long_tape_is_judged_as_a_short_one() {
        let (mut long, mut short) = (Tape::new(), Tape::new());
        let other = r#"{"jsonrpc":"2.0","method":"_other"}"#;
        for number in 0..20_000 {
            long.say(Party::Client, format!("{{\"jsonrpc\":\"2.0\",\"method\":\"_{}\"}}", "x".repeat(60)));
            if number % 10_000 == 5_000 {
                for tape in [&mut long, &mut short] {
                    tape.say(Party::Agent, "no JSON");
                    tape.say(Party::Client, format!("[{number}]"));
                    tape.say(Party::Client, other);
                    tape.hang_up(Party::Client);
                }
            }
        }
        let judged = |tape: &Tape| all(tape.entries(), Judge::new(Departures::new())).end().findings;
        let (mut of_long, of_short) = (judged(&long), judged(&short));
        assert!(long.entries().iter().filter_map(|entry| entry.line.as_ref()).map(Vec::len).sum::<usize>() > WORTH);
        assert!(of_short.len() > 1 && of_short.iter().all(|finding| finding.times == 2), "{of_short:?}");
        for (long, short) in of_long.iter_mut().zip(&of_short) {
            assert_eq!(long.entry, short.entry + 5_001);
            long.entry = short.entry;
        }
        assert_eq!(of_long, of_short);
    }
}
