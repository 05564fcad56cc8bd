//! Transports from end to end. The receiver sends each message back.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::super::{Frame, Source, Transport, memory};
use super::*;
use crate::rpc::Address;

pub(in super::super) const SOON: Duration = Duration::from_secs(20);

/// A receiver that sends each line back, `times` times.
pub(in super::super) struct Echo {
    pub(in super::super) outbox: Outbox,
    pub(in super::super) times: usize,
    pub(in super::super) lines: usize,
}

impl Receive for Echo {
    fn frame(&mut self, frame: Frame<'_>) {
        self.lines += 1;
        let line = match frame {
            Frame::Line(line) => line,
            Frame::TooLong(_) => b"too long",
        };
        // Some tests close the outbox, so an error is expected here.
        let _ = self.outbox.put(Address::Connection, &mut |out| {
            for _ in 0..self.times {
                out.extend_from_slice(line);
                out.push(b'\n');
            }
        });
    }
}

/// Serves until the input ends, and then sends the remaining output. Returns the number of lines.
pub(in super::super) async fn echo(transport: impl Transport, limits: Limits, times: usize) -> io::Result<usize> {
    let (source, outbox) = transport.open(&limits)?;
    let mut echo = Echo { outbox: outbox.clone(), times, lines: 0 };
    let outcome = source.run(&mut echo, &outbox).await;
    outbox.finish().await;
    outcome.map(|()| echo.lines)
}

#[tokio::test]
async fn messages_come_back_in_order_whatever_their_chunks() {
    let (near, far) = memory::pair();
    let served = tokio::spawn(echo(near, Limits::new(), 1));
    let (mut reader, mut writer) = tokio::io::split(far.into_stream());
    let message = |number: usize| format!("{{\"number\":{number},\"text\":\"{}\"}}\n", "é".repeat(number % 200));
    let expected: String = (0..3000).map(message).collect();
    let input = expected.clone();
    let wrote = tokio::spawn(async move {
        for (number, piece) in input.as_bytes().chunks(977).enumerate() {
            let (left, right) = piece.split_at(number % piece.len());
            writer.write_all(left).await.unwrap();
            tokio::task::yield_now().await;
            writer.write_all(right).await.unwrap();
        }
        writer.shutdown().await.unwrap();
    });
    let mut received = String::new();
    timeout(SOON, reader.read_to_string(&mut received)).await.unwrap().unwrap();
    assert!(received == expected, "{} bytes came back of {}", received.len(), expected.len());
    timeout(SOON, wrote).await.unwrap().unwrap();
    assert_eq!(timeout(SOON, served).await.unwrap().unwrap().unwrap(), 3000);
}

#[tokio::test]
async fn the_last_line_counts_without_its_end_and_long_ones_are_told() {
    let (near, far) = memory::pair();
    let served = tokio::spawn(echo(near, Limits::new().line_bytes(100), 1));
    let mut far = far.into_stream();
    far.write_all(format!("first\n{}\r\n\r\nlast", "x".repeat(30_000)).as_bytes()).await.unwrap();
    far.shutdown().await.unwrap();
    let mut received = String::new();
    timeout(SOON, far.read_to_string(&mut received)).await.unwrap().unwrap();
    assert_eq!(received, "first\ntoo long\nlast\n");
    assert_eq!(timeout(SOON, served).await.unwrap().unwrap().unwrap(), 3);
}

#[tokio::test]
async fn a_peer_that_floods_and_does_not_read_is_not_read_either() {
    let (near, far) = memory::pair();
    let limits = Limits::new().unsent_soft_bytes(1000).unsent_hard_bytes(100_000);
    let (source, outbox) = near.open(&limits).unwrap();
    let mut receive = Echo { outbox: outbox.clone(), times: 100, lines: 0 };
    let mut far = far.into_stream();
    let message = [b'x'; 99];
    let flood = async {
        loop {
            far.write_all(&message).await.unwrap();
            far.write_all(b"\n").await.unwrap();
        }
    };
    let run = source.run(&mut receive, &outbox);
    let stalled = async { tokio::join!(run, flood) };
    assert!(timeout(Duration::from_millis(200), stalled).await.is_err(), "neither side ends");
    // 64 KiB of input arrive in one read. A hundredfold answer to all of it would far exceed the bound.
    assert!(outbox.is_at_hard_bound());
    assert!((10..30).contains(&receive.lines), "{} lines were answered", receive.lines);
}

#[tokio::test]
async fn a_source_ends_when_nothing_can_be_sent_any_more() {
    let (near, far) = memory::pair();
    let (source, outbox) = near.open(&Limits::new()).unwrap();
    let mut receive = Echo { outbox: outbox.clone(), times: 1, lines: 0 };
    let close = async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        outbox.close();
    };
    let (ended, ()) = tokio::join!(timeout(SOON, source.run(&mut receive, &outbox)), close);
    ended.expect("although the peer neither sends nor leaves").unwrap();
    drop(far);
}

#[tokio::test]
async fn a_source_that_never_pauses_ends_too() {
    struct Restless(usize);
    impl Read for Restless {
        async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
            self.0 -= 1;
            into.extend_from_slice(b"{}\n");
            Ok(self.0.min(3))
        }
    }
    struct CloseAtThird(Outbox, usize);
    impl Receive for CloseAtThird {
        fn frame(&mut self, _: Frame<'_>) {
            self.1 += 1;
            if self.1 == 3 {
                self.0.close();
            }
        }
    }
    let (near, _far) = memory::pair();
    let (_, outbox) = near.open(&Limits::new()).unwrap();
    let mut receive = CloseAtThird(outbox.clone(), 0);
    pump(Restless(1000), &Limits::new(), &mut receive, &outbox).await.unwrap();
    assert_eq!(receive.1, 3);
}

#[tokio::test]
async fn what_arrived_before_an_error_is_handed_over() {
    struct Failing(bool);
    impl Read for Failing {
        async fn read(&mut self, into: &mut Vec<u8>) -> io::Result<usize> {
            if std::mem::replace(&mut self.0, true) {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            into.extend_from_slice(b"1\n2\n3");
            Ok(5)
        }
    }
    let (near, far) = memory::pair();
    let (_, outbox) = near.open(&Limits::new()).unwrap();
    let mut receive = Echo { outbox: outbox.clone(), times: 1, lines: 0 };
    let limits = Limits::new();
    let error = pump(Failing(false), &limits, &mut receive, &outbox).await.unwrap_err();
    assert_eq!((error.kind(), receive.lines), (io::ErrorKind::PermissionDenied, 2));
    outbox.finish().await;
    let mut received = String::new();
    timeout(SOON, far.into_stream().read_to_string(&mut received)).await.unwrap().unwrap();
    assert_eq!(received, "1\n2\n");
}
