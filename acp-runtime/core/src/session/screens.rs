//! What a session tells its client of the terminals of its agent.

use std::sync::Mutex;

use super::{
    screen::{End, Screen, lock},
    update::{SessionOutput, over},
};
use crate::{
    dialect::{Listed, Tells, TerminalSaid},
    wire::Result,
};

/// Works with a terminal, and appends messages in the words of a version.
type Work<'w> = &'w mut dyn FnMut(&mut Screen, &dyn Tells, &mut Vec<u8>) -> Result<()>;

impl SessionOutput {
    /// Tells the client of a terminal, from its begin or again.
    pub(super) fn show_screen(&self, screen: &Mutex<Screen>) -> Result<()> {
        self.of_screen(screen, &mut |screen, dialect, out| {
            let id = screen.id.clone();
            screen.state(&mut |said| dialect.terminal(out, self.id(), &id, said))
        })
    }

    /// Tells the size of a terminal.
    pub(super) fn resize_screen(&self, screen: &Mutex<Screen>, size: (u16, u16)) -> Result<()> {
        self.of_screen(screen, &mut |screen, dialect, out| {
            screen.resize(size);
            let said = TerminalSaid::State { command: None, cwd: None, size: Some(size), output: None };
            dialect.terminal(out, self.id(), &screen.id, &said)
        })
    }

    /// Tells what the client lacks of a terminal: its output, and its end.
    pub(super) fn tell_screen(&self, screen: &Mutex<Screen>) -> Result<()> {
        self.of_screen(screen, &mut |screen, dialect, out| {
            let id = screen.id.clone();
            screen.output(&mut |said| dialect.terminal(out, self.id(), &id, said))?;
            let End::Exited(status) = &screen.end else { return Ok(()) };
            let ended = self.end_listed(&Listed::Terminal(id.clone()));
            let said = TerminalSaid::Exit { status, was_cancellable: ended.was_cancellable };
            dialect.terminal(out, self.id(), &id, &said)?;
            screen.end = End::Told;
            if ended.was_listed { self.write_activity(dialect, out) } else { Ok(()) }
        })
    }

    /// Adds output to a terminal, and tells it.
    pub(super) fn put_on_screen(&self, screen: &Mutex<Screen>, bytes: &[u8]) -> Result<()> {
        lock(screen).push(bytes);
        self.tell_screen(screen)
    }

    /// Works with a terminal between two messages.
    fn of_screen(&self, screen: &Mutex<Screen>, work: Work<'_>) -> Result<()> {
        let mut done = None;
        self.write_now(&mut |dialect, out| {
            if !self.is_over() {
                done = Some(work(&mut lock(screen), dialect, out));
            }
            Ok(())
        });
        done.unwrap_or_else(|| Err(over()))
    }
}
