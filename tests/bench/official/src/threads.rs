//! A thread for stdin and a thread for stdout, in place of the SDK's `Stdio`: one read or write carries many messages.

use std::io::{self, BufRead, BufWriter, Write};
use std::thread::{self, JoinHandle};

use agent_client_protocol::{Channel, TransportFrame};
use futures::{StreamExt as _, executor::block_on};

pub fn start() -> (Channel, JoinHandle<io::Result<()>>) {
    let (theirs, Channel { mut rx, tx, .. }) = Channel::duplex();
    thread::spawn(move || {
        for line in io::stdin().lock().lines().map_while(io::Result::ok) {
            if tx.unbounded_send(TransportFrame::parse_json(&line)).is_err() {
                break;
            }
        }
    });
    let writer = thread::spawn(move || {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        while let Some(frame) = block_on(rx.next()) {
            let mut next = Some(frame);
            while let Some(frame) = next {
                out.write_all(frame.to_json().map_err(io::Error::other)?.as_bytes())?;
                out.write_all(b"\n")?;
                next = rx.try_recv().ok();
            }
            out.flush()?;
        }
        Ok(())
    });
    (theirs, writer)
}
