//! A terminal that a test types into, for programs that a person starts by hand.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    process::Stdio,
};

use rustix::{
    fs::{Mode, OFlags},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

/// The end of a terminal at which the person sits.
#[derive(Debug)]
pub struct Terminal(File);

impl Terminal {
    /// A new terminal, and its other end as the standard input of a program.
    ///
    /// # Errors
    ///
    /// The system has no terminals left.
    pub fn open() -> io::Result<(Self, Stdio)> {
        let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
        grantpt(&person)?;
        unlockpt(&person)?;
        let name = ptsname(&person, Vec::new())?;
        let program = rustix::fs::open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
        Ok((Self(File::from(person)), program.into()))
    }

    /// Types a text. `\n` is the key Enter, `\x04` is Ctrl-D.
    ///
    /// # Errors
    ///
    /// No program has the terminal.
    pub fn type_text(&mut self, text: &str) -> io::Result<()> {
        self.0.write_all(text.as_bytes())
    }

    /// Waits until the program reads what is typed without showing it.
    ///
    /// # Errors
    ///
    /// No program has the terminal.
    pub fn until_hidden(&self) -> io::Result<()> {
        while self.shows_input()? {
            std::thread::yield_now();
        }
        Ok(())
    }

    /// Whether the terminal shows what is typed.
    ///
    /// # Errors
    ///
    /// No program has the terminal.
    pub fn shows_input(&self) -> io::Result<bool> {
        Ok(tcgetattr(&self.0)?.local_modes.contains(LocalModes::ECHO))
    }

    /// What is on the screen, up to this text: also what was typed, if the program shows it.
    ///
    /// # Errors
    ///
    /// No program has the terminal any more, and this text was not shown.
    pub fn read_until(&mut self, end: &str) -> io::Result<String> {
        let (mut screen, mut piece) = (Vec::new(), [0; 1024]);
        loop {
            let text = String::from_utf8_lossy(&screen);
            if text.contains(end) {
                return Ok(text.into_owned());
            }
            let count = self.0.read(&mut piece).unwrap_or_default();
            if count == 0 {
                return Err(io::Error::new(
                    io::ErrorKind::UnexpectedEof,
                    format!("the screen has no {end:?}: {text:?}"),
                ));
            }
            screen.extend(&piece[..count]);
        }
    }

    /// What is on the screen from here on, until no program has the terminal any more.
    pub fn read_to_end(&mut self) -> String {
        let mut screen = Vec::new();
        // When no program has the terminal, Linux has an error for the end.
        let _ = self.0.read_to_end(&mut screen);
        String::from_utf8_lossy(&screen).into_owned()
    }
}
