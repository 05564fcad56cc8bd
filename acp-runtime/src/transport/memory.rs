//! A transport within the process, for tests and for a client and an agent in one program.

use std::io;

use tokio::io::{DuplexStream, ReadHalf, WriteHalf};

use super::stream::{ByteSource, ByteStream};
use super::{Limits, Outbox, Transport};

/// As much as a pipe of Linux holds: what is unread beyond it makes the sender wait, as it would in life.
const CAPACITY: usize = 64 * 1024;

/// One end of [`pair`].
#[derive(Debug)]
pub struct Memory {
    stream: DuplexStream,
}

/// Two ends; what one sends, the other receives.
///
/// ```
/// use acp_runtime::transport::memory;
/// use tokio::io::AsyncWriteExt;
///
/// # async fn talk() -> std::io::Result<()> {
/// let (agent, client) = memory::pair();
/// // `agent` serves as a transport; a test may speak for the client byte by byte.
/// client.into_stream().write_all(b"{\"jsonrpc\":\"2.0\"}\n").await?;
/// # drop(agent);
/// # Ok(())
/// # }
/// ```
pub fn pair() -> (Memory, Memory) {
    let (left, right) = tokio::io::duplex(CAPACITY);
    (Memory { stream: left }, Memory { stream: right })
}

impl Memory {
    /// The bytes of this end, for whoever speaks without a connection.
    pub fn into_stream(self) -> DuplexStream {
        self.stream
    }
}

impl Transport for Memory {
    type Source = ByteSource<ReadHalf<DuplexStream>>;

    fn open(self, limits: &Limits) -> io::Result<(Self::Source, Outbox)> {
        let (reader, writer): (_, WriteHalf<_>) = tokio::io::split(self.stream);
        ByteStream::new(reader, writer).open(limits)
    }
}
