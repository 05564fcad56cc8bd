//! Short answers in the terminal: lines that are read only while a question is open, and the state of the terminal at the end.

#[cfg(not(unix))]
pub(super) use self::other::Keys;
#[cfg(unix)]
pub(super) use self::unix::Keys;

/// Reads one line from bytes; `None` at the end of the input.
fn line(bytes: &[u8]) -> Option<String> {
    (!bytes.is_empty()).then(|| String::from_utf8_lossy(bytes).trim().to_owned())
}

#[cfg(unix)]
mod unix {
    use std::{
        fs::File,
        io::{self, Read as _},
        os::fd::AsFd as _,
        time::Duration,
    };

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        termios::{OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr},
    };

    /// The time between two looks at the terminal. No thread waits for it, because a thread would take the line of the next prompt
    /// after its question was withdrawn.
    const LOOK: Duration = Duration::from_millis(20);

    /// The terminal on stdin. Its drop brings back the terminal's modes, which the line of the prompt changes.
    pub(crate) struct Keys {
        terminal: File,
        modes: Termios,
    }

    impl Keys {
        pub(crate) fn new() -> io::Result<Self> {
            let terminal = File::from(io::stdin().as_fd().try_clone_to_owned()?);
            let modes = tcgetattr(&terminal)?;
            Ok(Self { terminal, modes })
        }

        /// Forgets what was typed before the question.
        pub(crate) fn forget(&self) {
            // Then a line that was typed early is the answer, which the user can see.
            let _ = tcflush(&self.terminal, QueueSelector::IFlush);
        }

        /// The next line; `None` at the end of the input. If the future is dropped, nothing was read.
        pub(crate) async fn line(&self) -> io::Result<Option<String>> {
            // A terminal is readable once a line is whole.
            while !self.is_readable()? {
                tokio::time::sleep(LOOK).await;
            }
            let mut bytes = [0; 4096];
            let count = (&self.terminal).read(&mut bytes)?;
            Ok(super::line(&bytes[..count]))
        }

        fn is_readable(&self) -> io::Result<bool> {
            let now = Timespec { tv_sec: 0, tv_nsec: 0 };
            let mut terminal = [PollFd::new(&self.terminal, PollFlags::IN)];
            match poll(&mut terminal, Some(&now)) {
                Ok(count) => Ok(count > 0),
                Err(rustix::io::Errno::INTR) => Ok(false),
                Err(error) => Err(error.into()),
            }
        }
    }

    impl Drop for Keys {
        fn drop(&mut self) {
            // A terminal that is gone has no modes.
            let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.modes);
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::io;

    /// The terminal on stdin.
    pub(crate) struct Keys;

    impl Keys {
        #[expect(clippy::unnecessary_wraps, reason = "as on Unix")]
        pub(crate) fn new() -> io::Result<Self> {
            Ok(Self)
        }

        #[expect(clippy::unused_self, reason = "as on Unix")]
        pub(crate) fn forget(&self) {}

        /// The next line; `None` at the end of the input. If the future is dropped, the next line is lost.
        #[expect(clippy::unused_self, reason = "as on Unix")]
        pub(crate) async fn line(&self) -> io::Result<Option<String>> {
            let read = tokio::task::spawn_blocking(|| {
                let mut text = String::new();
                io::stdin().read_line(&mut text).map(|_| super::line(text.as_bytes()))
            });
            read.await.map_err(io::Error::other)?
        }
    }
}
