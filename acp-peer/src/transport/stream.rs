//! A transport over any pair of tokio's byte streams.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::pump::{Read, pump};
use super::{Limits, Outbox, Receive, Source, Transport};
use crate::wire::frame::ROOM;

/// Messages over a reader and a writer, one message a line: the halves of a socket, the pipes of a child, any reader
/// and writer of tokio.
///
/// ```
/// use acp_peer::transport::ByteStream;
///
/// # async fn connect() -> std::io::Result<()> {
/// let (reader, writer) = tokio::net::TcpStream::connect("localhost:7777").await?.into_split();
/// let transport = ByteStream::new(reader, writer);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct ByteStream<R, W> {
    reader: R,
    writer: W,
}

impl<R, W> ByteStream<R, W> {
    /// Reads messages from `reader`, and writes them to `writer`.
    pub fn new(reader: R, writer: W) -> Self {
        Self { reader, writer }
    }
}

impl<R, W> Transport for ByteStream<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Source = ByteSource<R>;

    fn open(self, limits: &Limits) -> io::Result<(ByteSource<R>, Outbox)> {
        Ok((ByteSource { reader: self.reader, limits: limits.clone() }, Outbox::new(limits, self.writer)))
    }
}

/// The receiving end of a [`ByteStream`].
#[doc(hidden)] // `<ByteStream<..> as Transport>::Source` names it
#[derive(Debug)]
pub struct ByteSource<R> {
    reader: R,
    limits: Limits,
}

impl<R: AsyncRead + Unpin + Send> Source for ByteSource<R> {
    async fn run<V: Receive>(self, receive: &mut V, outbox: &Outbox) -> io::Result<()> {
        pump(Async::new(self.reader), &self.limits, receive, outbox).await
    }
}

struct Async<R> {
    reader: R,
    /// The buffer of a read, because the number of bytes is not known before.
    chunk: Box<[u8]>,
}

impl<R> Async<R> {
    fn new(reader: R) -> Self {
        Self { reader, chunk: vec![0; ROOM].into() }
    }
}

impl<R: AsyncRead + Unpin + Send> Read for Async<R> {
    async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
        let room = (into.capacity() - into.len()).min(ROOM);
        let mut chunk = ReadBuf::new(&mut self.chunk[..room]);
        loop {
            match poll_fn(|cx| Pin::new(&mut self.reader).poll_read(cx, &mut chunk)).await {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
                Ok(()) => break,
            }
        }
        into.extend_from_slice(chunk.filled());
        Ok(chunk.filled().len())
    }
}
