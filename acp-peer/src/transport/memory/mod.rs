//! A transport within the process. It is for tests, and for a client and an agent in one program.

mod lines;
mod pipe;

use std::io;

pub use self::lines::Lines;
pub use self::pipe::MemoryStream;
use self::pipe::PipeReader;
use super::stream::{ByteSource, ByteStream};
use super::{Limits, Outbox, Transport};

/// One end of [`pair`]: a transport for an agent, or for the agent's client.
#[derive(Debug)]
pub struct Memory {
    stream: MemoryStream,
}

/// Makes two ends. Each receives the messages that the other one sends.
///
/// ```
/// use acp_peer::transport::memory;
///
/// # async fn talk() -> std::io::Result<()> {
/// let (agent, client) = memory::pair();
/// // `agent` serves as a transport; a test speaks for the client line by line.
/// let mut client = client.into_lines();
/// client.send(r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#).await?;
/// # drop(agent);
/// # Ok(())
/// # }
/// ```
pub fn pair() -> (Memory, Memory) {
    let (left, right) = pipe::streams();
    (Memory { stream: left }, Memory { stream: right })
}

impl Memory {
    /// The lines of this end, for code that works without a connection.
    pub fn into_lines(self) -> Lines {
        Lines::new(self.stream)
    }

    /// The bytes of this end, for code that does not send lines.
    pub fn into_stream(self) -> MemoryStream {
        self.stream
    }
}

impl Transport for Memory {
    type Source = ByteSource<PipeReader>;

    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)> {
        let MemoryStream { reader, writer } = self.stream;
        ByteStream::new(reader, writer).open(limits)
    }
}
