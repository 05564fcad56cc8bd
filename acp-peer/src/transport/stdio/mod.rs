//! Standard input and output: the transport of an agent that a client starts as a child process.
//!
//! `guard` takes the descriptors away from the process, and `classify` finds their kind. `ready` serves pipes and
//! sockets when the system reports them ready, and `thread` serves the other kinds. `portable` is for systems without
//! these calls.

use std::io;

#[cfg(unix)]
use std::os::fd::OwnedFd;

use super::pump::{Read, pump};
use super::thread::ThreadReader;
use super::{Limits, Outbox, Receive, Source, Transport};

#[cfg(unix)]
mod classify;
#[cfg(unix)]
mod guard;
#[cfg(any(not(unix), test))]
#[cfg_attr(unix, expect(dead_code, reason = "compiled for its types only, where it is not used"))]
mod portable;
#[cfg(unix)]
mod ready;
#[cfg(unix)]
#[cfg(test)]
mod tests;
#[cfg(unix)]
mod waiting;

/// Messages over standard input and output. An agent's `serve_stdio` uses this transport.
///
/// On Unix, [`Self::take`] moves both descriptors away. After that, standard input is empty (`/dev/null`), and standard
/// output goes to standard error, in this process and in its children. So no `print!` can corrupt the stream of
/// messages, and no child can read from it. On other systems, you must prevent both.
///
/// Pipes and sockets are read and written on the runtime, when the system reports them ready. Each file and each
/// terminal has a thread. This thread may outlive the connection, because a read that blocks cannot be interrupted.
///
/// See [Transports](https://agentclientprotocol.com/protocol/v1/transports#stdio).
#[derive(Debug)]
pub struct Stdio {
    #[cfg(unix)]
    input: OwnedFd,
    #[cfg(unix)]
    output: OwnedFd,
}

/// The name of standard output in errors.
const STDOUT: &str = "standard output";

/// The receiving end of [`Stdio`].
#[doc(hidden)] // `<Stdio as Transport>::Source` names it
pub struct StdioSource {
    input: Input,
    limits: Limits,
}

enum Input {
    #[cfg(unix)]
    Ready(ready::ReadyReader),
    Thread(ThreadReader),
}

#[cfg(unix)]
impl Stdio {
    /// Takes over standard input and output. A process can do this once. Call this function before other threads print.
    ///
    /// # Errors
    ///
    /// The process has already taken them over, or the system refuses to move them.
    pub fn take() -> io::Result<Self> {
        let (input, output) = guard::take()?;
        Ok(Self { input, output })
    }

    /// As [`Self::take`], but with descriptors of any kind instead of standard input and output. Other processes may
    /// share these descriptors, so their flags are not changed.
    pub fn from_fds(input: impl Into<OwnedFd>, output: impl Into<OwnedFd>) -> Self {
        Self { input: input.into(), output: output.into() }
    }

    fn ends(self, limits: &Limits) -> io::Result<(Input, Outbox)> {
        use self::classify::{Direction, Kind, classify};
        use self::ready::{ReadyReader, ReadyWriter};
        use super::thread;

        let input = match classify(self.input, Direction::In) {
            Kind::Ready(fd, calls) => Input::Ready(ReadyReader::new(fd, calls)?),
            Kind::Blocking(fd) => Input::Thread(thread::reader(waiting::Waiting::new(fd))?),
        };
        let outbox = match classify(self.output, Direction::Out) {
            Kind::Ready(fd, calls) => {
                let sink = ReadyWriter::new(fd, calls)?;
                let (outbox, writer) = Outbox::parts(limits, STDOUT, Some(Box::new(sink.clone())));
                tokio::spawn(writer.run(sink));
                outbox
            }
            Kind::Blocking(fd) => thread::outbox(limits, STDOUT, waiting::Waiting::new(fd))?,
        };
        Ok((input, outbox))
    }
}

#[cfg(not(unix))]
impl Stdio {
    /// Takes over standard input and output. A process can do this once. On this system, other code may still print
    /// between the messages.
    ///
    /// # Errors
    ///
    /// The process has already taken them over.
    pub fn take() -> io::Result<Self> {
        only_once()?;
        Ok(Self {})
    }

    fn ends(self, limits: &Limits) -> io::Result<(Input, Outbox)> {
        portable::ends(limits)
    }
}

impl Transport for Stdio {
    type Source = StdioSource;

    fn open(self, limits: &Limits) -> io::Result<(StdioSource, Outbox)> {
        let (input, outbox) = self.ends(limits)?;
        Ok((StdioSource { input, limits: limits.clone() }, outbox))
    }
}

impl Source for StdioSource {
    async fn run<R: Receive>(self, receive: &mut R, outbox: &Outbox) -> io::Result<()> {
        pump(self.input, &self.limits, receive, outbox).await
    }
}

impl Read for Input {
    async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Self::Ready(input) => input.read(into).await,
            Self::Thread(input) => input.read(into).await,
        }
    }

    async fn hung_up(&mut self) {
        match self {
            #[cfg(unix)]
            Self::Ready(input) => input.hung_up().await,
            Self::Thread(input) => input.hung_up().await,
        }
    }
}

/// Makes sure that there is one connection. Two connections over one pair of descriptors would take each other's
/// messages.
fn only_once() -> io::Result<()> {
    use std::sync::atomic::{AtomicBool, Ordering};
    static TAKEN: AtomicBool = AtomicBool::new(false);
    if TAKEN.swap(true, Ordering::AcqRel) {
        return Err(io::Error::other("standard input and output are already taken: a process serves them once"));
    }
    Ok(())
}
