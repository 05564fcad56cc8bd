//! What a terminal of the agent's own shows, as the session knows it: the last part of its output, and what the client lacks of it.

use std::{
    collections::VecDeque,
    path::PathBuf,
    sync::{Mutex, MutexGuard, PoisonError},
};

use crate::{
    dialect::TerminalSaid,
    values::{TerminalExitStatus, TerminalId},
    wire::Result,
};

/// The number of bytes of output that are kept: for a client that opens the session again, and for one that reads slowly.
pub(super) const KEPT: usize = 64 * 1024;

/// A terminal.
pub(super) struct Screen {
    pub(super) id: TerminalId,
    command: String,
    cwd: PathBuf,
    size: Option<(u16, u16)>,
    /// The last bytes of the output.
    kept: VecDeque<u8>,
    /// The number of bytes before these.
    dropped: u64,
    /// How many of the last bytes the client has not got.
    unsent: usize,
    /// The number of bytes before these that the client never gets.
    lost: u64,
    pub(super) end: End,
}

pub(super) enum End {
    Open,
    /// It has ended, and the client is not told yet.
    Exited(TerminalExitStatus),
    Told,
}

impl Screen {
    /// A terminal with an id of its own.
    pub(super) fn new(command: String, cwd: PathBuf) -> Self {
        Self {
            id: TerminalId::from(format!("term_{}", uuid::Uuid::now_v7().simple())),
            command,
            cwd,
            size: None,
            kept: VecDeque::new(),
            dropped: 0,
            unsent: 0,
            lost: 0,
            end: End::Open,
        }
    }

    /// Adds output. What does not fit goes from the begin.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !matches!(self.end, End::Open) {
            return;
        }
        let over = (self.kept.len() + bytes.len()).saturating_sub(KEPT);
        let old = over.min(self.kept.len());
        self.kept.drain(..old);
        self.kept.extend(&bytes[over - old..]);
        self.dropped += over as u64;
        let unsent = self.unsent + bytes.len();
        self.unsent = unsent.min(self.kept.len());
        self.lost += (unsent - self.unsent) as u64;
    }

    pub(super) fn exit(&mut self, status: TerminalExitStatus) {
        if let End::Open = self.end {
            self.end = End::Exited(status);
        }
    }

    pub(super) fn is_told(&self) -> bool {
        matches!(self.end, End::Told)
    }

    pub(super) fn resize(&mut self, size: (u16, u16)) {
        self.size = Some(size);
    }

    /// The last bytes, in two pieces.
    fn last(&self, count: usize) -> [&[u8]; 2] {
        let (first, second) = self.kept.as_slices();
        match count.checked_sub(second.len()) {
            None => [&[], &second[second.len() - count..]],
            Some(more) => [&first[first.len() - more..], second],
        }
    }

    /// Shows again what others were told, to a client that is told the rest with them.
    pub(super) fn shown(&self, write: &mut dyn FnMut(&TerminalSaid<'_>) -> Result<()>) -> Result<()> {
        let note = left_out(self.dropped);
        let [first, second] = self.last(self.kept.len());
        let told = self.kept.len() - self.unsent;
        let pieces = match told.checked_sub(first.len()) {
            None => [note.as_bytes(), &first[..told], &[]],
            Some(more) => [note.as_bytes(), first, &second[..more]],
        };
        write(&TerminalSaid::State {
            command: Some(&self.command),
            cwd: Some(&self.cwd),
            size: self.size,
            output: (self.dropped > 0 || told > 0).then_some(&pieces),
        })
    }

    /// What begins the terminal, or shows all of it again.
    pub(super) fn state(&mut self, write: &mut dyn FnMut(&TerminalSaid<'_>) -> Result<()>) -> Result<()> {
        let note = left_out(self.dropped);
        let [first, second] = self.last(self.kept.len());
        let pieces = [note.as_bytes(), first, second];
        write(&TerminalSaid::State {
            command: Some(&self.command),
            cwd: Some(&self.cwd),
            size: self.size,
            output: (self.dropped > 0 || !self.kept.is_empty()).then_some(&pieces),
        })?;
        (self.unsent, self.lost) = (0, 0);
        Ok(())
    }

    /// What the client lacks of the output.
    pub(super) fn output(&mut self, write: &mut dyn FnMut(&TerminalSaid<'_>) -> Result<()>) -> Result<()> {
        if self.unsent == 0 {
            return Ok(());
        }
        let note = left_out(self.lost);
        let [first, second] = self.last(self.unsent);
        write(&TerminalSaid::Output(&[note.as_bytes(), first, second]))?;
        (self.unsent, self.lost) = (0, 0);
        Ok(())
    }
}

/// The line that stands for output which the client does not get.
fn left_out(bytes: u64) -> String {
    if bytes == 0 { String::new() } else { format!("\r\n({bytes} bytes of the output are left out)\r\n") }
}

pub(super) fn lock(screen: &Mutex<Screen>) -> MutexGuard<'_, Screen> {
    screen.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lacking(screen: &mut Screen) -> Vec<u8> {
        let mut lacking = Vec::new();
        let write = &mut |said: &TerminalSaid<'_>| {
            let TerminalSaid::Output(pieces) = said else { panic!("{said:?}") };
            lacking = pieces.concat();
            Ok(())
        };
        screen.output(write).unwrap();
        lacking
    }

    fn whole(screen: &mut Screen) -> Option<Vec<u8>> {
        let mut whole = None;
        let write = &mut |said: &TerminalSaid<'_>| {
            let TerminalSaid::State { output, .. } = said else { panic!("{said:?}") };
            whole = output.map(|pieces| pieces.concat());
            Ok(())
        };
        screen.state(write).unwrap();
        whole
    }

    #[test]
    fn output_that_comes_faster_than_it_is_read_takes_a_bounded_place_and_says_what_is_lost() {
        let mut screen = Screen::new("cat".to_owned(), "/".into());
        assert_eq!(whole(&mut screen), None);
        screen.push(b"one");
        assert_eq!(lacking(&mut screen), b"one");
        assert_eq!(lacking(&mut screen), b"");
        let piece = [7; 1000];
        for _ in 0..1000 {
            screen.push(&piece);
        }
        assert!(screen.kept.capacity() <= 2 * KEPT);
        let note = format!("\r\n({} bytes of the output are left out)\r\n", 1_000_000 - KEPT);
        assert_eq!(lacking(&mut screen), [note.as_bytes(), &[7; KEPT]].concat());
        screen.push(b"two");
        let note = format!("\r\n({} bytes of the output are left out)\r\n", 1_000_006 - KEPT);
        assert_eq!(whole(&mut screen).unwrap(), [note.as_bytes(), &[7; KEPT - 3], b"two"].concat());
        assert_eq!(lacking(&mut screen), b"", "the whole has it");
        screen.push(&[8; 3 * KEPT]);
        assert_eq!(lacking(&mut screen).len(), KEPT + "\r\n(131072 bytes of the output are left out)\r\n".len());
        screen.exit(TerminalExitStatus::new());
        screen.push(b"late");
        assert_eq!(lacking(&mut screen), b"");
    }
}
