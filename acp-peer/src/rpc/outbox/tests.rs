//! The outbox, with peers that stall, read slowly, disappear or read fast.

use std::pin::Pin;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::io::{AsyncReadExt, DuplexStream};
use tokio::time::timeout;

use super::*;

const LIMITS: Limits = Limits::new().unsent_soft_bytes(1000).unsent_hard_bytes(4000);
const SOON: Duration = Duration::from_secs(10);

/// A peer that takes only as many bytes as the test allows.
#[derive(Clone, Default)]
struct Peer(Arc<Mutex<PeerState>>);

#[derive(Default)]
struct PeerState {
    received: Vec<u8>,
    /// The number of bytes that the peer still takes.
    appetite: usize,
    writes: usize,
    gone: bool,
    waker: Option<Waker>,
}

impl Peer {
    fn hungry(appetite: usize) -> Self {
        let peer = Self::default();
        peer.feed(appetite);
        peer
    }

    fn feed(&self, more: usize) {
        let mut state = self.0.lock().unwrap();
        state.appetite = state.appetite.saturating_add(more);
        if let Some(waker) = state.waker.take() {
            waker.wake();
        }
    }

    fn leave(&self) {
        self.0.lock().unwrap().gone = true;
        self.feed(0);
    }

    fn received(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().received.clone()).unwrap()
    }

    fn writes(&self) -> usize {
        self.0.lock().unwrap().writes
    }
}

impl Direct for Peer {
    fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.0.lock().unwrap();
        let count = bytes.len().min(state.appetite);
        if state.gone {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        if count == 0 {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        state.received.extend_from_slice(&bytes[..count]);
        state.appetite -= count;
        state.writes += 1;
        Ok(count)
    }
}

impl AsyncWrite for Peer {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.try_write(bytes) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                self.0.lock().unwrap().waker = Some(cx.waker().clone());
                Poll::Pending
            }
            outcome => Poll::Ready(outcome),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}

/// An outbox to `peer`. `direct` allows it to write directly.
fn outbox(peer: &Peer, direct: bool) -> Outbox {
    if !direct {
        return Outbox::new(&LIMITS, peer.clone());
    }
    let (outbox, writer) = Outbox::parts(&LIMITS, "the peer", Some(Box::new(peer.clone())));
    tokio::spawn(writer.run(peer.clone()));
    outbox
}

fn text(text: &str) -> impl FnMut(&mut Vec<u8>) + '_ {
    move |out| out.extend_from_slice(text.as_bytes())
}

fn unsent(outbox: &Outbox) -> usize {
    outbox.shared.lock().unsent()
}

async fn until(mut condition: impl FnMut() -> bool) {
    let wait = async {
        while !condition() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    };
    timeout(SOON, wait).await.expect("the condition holds in time");
}

#[tokio::test]
async fn a_flush_writes_directly_and_in_order() {
    let peer = Peer::hungry(usize::MAX);
    let outbox = outbox(&peer, true);
    outbox.put(Address::Connection, &mut text("one\n")).unwrap();
    outbox.put(Address::Connection, &mut text("two\n")).unwrap();
    assert_eq!(peer.received(), "", "nothing leaves before the flush");
    outbox.flush();
    assert_eq!((peer.received().as_str(), peer.writes()), ("one\ntwo\n", 1));
}

#[tokio::test]
async fn what_a_direct_write_leaves_is_written_when_the_peer_takes_it() {
    let peer = Peer::hungry(5);
    let outbox = outbox(&peer, true);
    outbox.put(Address::Connection, &mut text("one\ntwo\n")).unwrap();
    outbox.flush();
    outbox.put(Address::Connection, &mut text("three\n")).unwrap();
    outbox.flush();
    assert_eq!(peer.received(), "one\nt");
    for _ in 0..9 {
        assert!(!outbox.is_closed());
        let before = peer.received().len();
        peer.feed(1);
        until(|| peer.received().len() > before).await;
    }
    assert_eq!(peer.received(), "one\ntwo\nthree\n");
}

#[tokio::test]
async fn messages_leave_by_themselves_in_few_writes() {
    for direct in [true, false] {
        let peer = Peer::hungry(usize::MAX);
        let outbox = outbox(&peer, direct);
        for _ in 0..20 {
            outbox.send(Address::Connection, &mut text("12345678\n")).await.unwrap();
            tokio::task::yield_now().await;
        }
        until(|| peer.received().len() == 180).await;
        assert!(peer.writes() <= 4, "{} writes, direct: {direct}", peer.writes());
    }
}

#[tokio::test]
async fn senders_wait_while_the_peer_stalls_and_memory_stays_flat() {
    for direct in [true, false] {
        let peer = Peer::default();
        let outbox = outbox(&peer, direct);
        let sent = Arc::new(AtomicUsize::new(0));
        let senders: Vec<_> = (0..50)
            .map(|number| {
                let (outbox, sent) = (outbox.clone(), sent.clone());
                tokio::spawn(async move {
                    for round in 0..40 {
                        outbox
                            .send(Address::Connection, &mut text(&format!("{number:03} {round:05}\n")))
                            .await
                            .unwrap();
                        sent.fetch_add(1, Ordering::Relaxed);
                    }
                })
            })
            .collect();
        until(|| unsent(&outbox) >= 1000).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(unsent(&outbox), 1000, "the bound and not a message more");
        assert_eq!(sent.load(Ordering::Relaxed), 100);
        // Answers do not wait for room. Their bytes count, so that the reader of requests stops.
        outbox.put(Address::Connection, &mut text(&"a".repeat(2990))).unwrap();
        assert!(!outbox.is_at_hard_bound());
        outbox.put(Address::Connection, &mut text("bbbbbbbbb\n")).unwrap();
        assert!(outbox.is_at_hard_bound());
        assert!(timeout(Duration::from_millis(5), outbox.below_hard()).await.is_err());
        peer.feed(usize::MAX);
        timeout(SOON, outbox.below_hard()).await.unwrap();
        for sender in senders {
            timeout(SOON, sender).await.expect("every waiting sender wakes").unwrap();
        }
        timeout(SOON, outbox.finish()).await.unwrap();
        let received = peer.received();
        assert_eq!(received.len(), 50 * 40 * 10 + 3000);
        for number in 0..50 {
            let own = received.lines().filter(|line| line.starts_with(&format!("{number:03} ")));
            let rounds: Vec<_> = own.map(|line| line[4..].parse::<usize>().unwrap()).collect();
            assert_eq!(rounds, (0..40).collect::<Vec<_>>(), "sender {number} keeps its order");
        }
    }
}

#[tokio::test]
async fn a_send_that_is_dropped_while_it_waits_has_sent_nothing() {
    let peer = Peer::default();
    let outbox = outbox(&peer, true);
    outbox.send(Address::Connection, &mut text(&"x".repeat(1000))).await.unwrap();
    {
        let mut dropped: Vec<_> = (0..3)
            .map(|_| {
                let outbox = outbox.clone();
                Box::pin(async move { outbox.send(Address::Connection, &mut text("dropped\n")).await })
            })
            .collect();
        for send in &mut dropped {
            assert!(timeout(Duration::from_millis(2), send).await.is_err());
        }
    }
    let waiting = tokio::spawn({
        let outbox = outbox.clone();
        async move { outbox.send(Address::Connection, &mut text("kept\n")).await }
    });
    until(|| outbox.shared.lock().starved).await;
    peer.feed(usize::MAX);
    timeout(SOON, waiting).await.expect("those that stay are woken").unwrap().unwrap();
    timeout(SOON, outbox.finish()).await.unwrap();
    assert_eq!(peer.received(), "x".repeat(1000) + "kept\n");
}

#[tokio::test]
async fn a_peer_that_leaves_closes_the_outbox_for_all_who_wait() {
    for direct in [true, false] {
        let peer = Peer::default();
        let outbox = outbox(&peer, direct);
        outbox.put(Address::Connection, &mut text(&"x".repeat(5000))).unwrap();
        let waiting = tokio::spawn({
            let outbox = outbox.clone();
            async move { outbox.send(Address::Connection, &mut text("never\n")).await }
        });
        let reader = tokio::spawn({
            let outbox = outbox.clone();
            async move { outbox.below_hard().await }
        });
        until(|| outbox.shared.lock().starved).await;
        peer.leave();
        assert_eq!(timeout(SOON, waiting).await.unwrap().unwrap(), Err(Closed::Connection));
        timeout(SOON, reader).await.unwrap().unwrap();
        timeout(SOON, outbox.finish()).await.unwrap();
        assert!(outbox.is_closed());
        assert_eq!(outbox.put(Address::Connection, &mut text("x")), Err(Closed::Connection));
        assert_eq!(outbox.send(Address::Connection, &mut text("x")).await, Err(Closed::Connection));
        outbox.flush();
    }
}

#[tokio::test]
async fn finish_waits_for_the_peer_and_close_does_not() {
    let (stream, mut far) = tokio::io::duplex(100);
    let outbox = Outbox::new(&LIMITS, stream);
    outbox.put(Address::Connection, &mut text(&"x".repeat(500))).unwrap();
    assert!(timeout(Duration::from_millis(20), outbox.finish()).await.is_err());
    assert!(!outbox.is_closed());
    let mut received = String::new();
    let (read, ()) = tokio::join!(far.read_to_string(&mut received), outbox.finish());
    assert_eq!(read.unwrap(), 500, "the end follows the last byte");

    let (stream, far): (_, DuplexStream) = tokio::io::duplex(100);
    let outbox = Outbox::new(&LIMITS, stream);
    outbox.put(Address::Connection, &mut text(&"x".repeat(500))).unwrap();
    assert!(timeout(Duration::from_millis(20), outbox.finish()).await.is_err());
    outbox.close();
    timeout(SOON, outbox.finish()).await.unwrap();
    // The writer releases the stream, although the other side has never read from it.
    let mut far = far;
    let mut received = Vec::new();
    timeout(SOON, far.read_to_end(&mut received)).await.unwrap().unwrap();
    assert_eq!(received.len(), 100);
}

#[tokio::test]
async fn an_idle_outbox_finishes_and_a_writer_that_dies_closes_it() {
    let idle = outbox(&Peer::default(), true);
    timeout(SOON, idle.finish()).await.unwrap();

    let (outbox, writer) = Outbox::parts(&LIMITS, "the peer", None);
    outbox.put(Address::Connection, &mut text("x\n")).unwrap();
    drop(writer);
    assert!(outbox.is_closed());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_flush_that_is_still_writing_does_not_keep_finish_waiting() {
    struct Gate {
        entered: std::sync::mpsc::Sender<()>,
        opened: std::sync::mpsc::Receiver<()>,
    }
    impl Direct for Gate {
        fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
            self.entered.send(()).unwrap();
            self.opened.recv().unwrap();
            Ok(bytes.len())
        }
    }
    let (enter, entered) = std::sync::mpsc::channel();
    let (open, opened) = std::sync::mpsc::channel();
    let (outbox, writer) = Outbox::parts(&LIMITS, "the peer", Some(Box::new(Gate { entered: enter, opened })));
    tokio::spawn(writer.run(Peer::default()));
    outbox.put(Address::Connection, &mut text("x\n")).unwrap();
    let flush = std::thread::spawn({
        let outbox = outbox.clone();
        move || outbox.flush()
    });
    entered.recv_timeout(SOON).unwrap();
    // The writer looks now and finds that another thread is writing. So it needs a second notification.
    assert!(timeout(Duration::from_millis(50), outbox.finish()).await.is_err());
    open.send(()).unwrap();
    timeout(SOON, outbox.closed()).await.expect("the flush ends it");
    flush.join().unwrap();
}

#[tokio::test]
async fn a_panic_while_serialising_leaves_the_outbox_usable() {
    let peer = Peer::hungry(usize::MAX);
    let outbox = outbox(&peer, true);
    let unwound = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        outbox.put(Address::Connection, &mut |_| panic!("an author's bug"))
    }));
    assert!(unwound.is_err());
    outbox.put(Address::Connection, &mut text("after\n")).unwrap();
    outbox.flush();
    assert_eq!(peer.received(), "after\n");
}

#[tokio::test]
async fn buffers_shrink_after_a_large_message() {
    let peer = Peer::hungry(usize::MAX);
    let outbox = outbox(&peer, true);
    for _ in 0..3 {
        outbox.put(Address::Connection, &mut text(&"x".repeat(100_000))).unwrap();
        outbox.flush();
    }
    assert!(outbox.shared.lock().fill.capacity() <= 4 * LIMITS.unsent_soft_bytes);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_threads_lose_and_tear_nothing() {
    for direct in [true, false] {
        let peer = Peer::default();
        let outbox = outbox(&peer, direct);
        let feeder = tokio::spawn({
            let peer = peer.clone();
            async move {
                for appetite in (1..400).cycle() {
                    peer.feed(appetite);
                    tokio::task::yield_now().await;
                }
            }
        });
        let tasks: Vec<_> = (0..8)
            .map(|number| {
                let outbox = outbox.clone();
                tokio::spawn(async move {
                    for round in 0..2000 {
                        let line = format!("{number} {round}\n");
                        if round % 3 == 0 {
                            outbox.put(Address::Connection, &mut text(&line)).unwrap();
                            outbox.flush();
                            outbox.below_hard().await;
                        } else {
                            outbox.send(Address::Connection, &mut text(&line)).await.unwrap();
                        }
                    }
                })
            })
            .collect();
        for task in tasks {
            timeout(SOON, task).await.expect("no wake-up is lost").unwrap();
        }
        timeout(SOON, outbox.finish()).await.unwrap();
        feeder.abort();
        let received = peer.received();
        for number in 0..8 {
            let own = received.lines().filter_map(|line| line.strip_prefix(&format!("{number} ")));
            let rounds: Vec<_> = own.map(|round| round.parse::<usize>().unwrap()).collect();
            assert_eq!(rounds, (0..2000).collect::<Vec<_>>(), "thread {number}");
        }
        assert_eq!(received.lines().count(), 16_000);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_that_wait_to_go_on_do_so_one_after_the_other() {
    for direct in [true, false] {
        let peer = Peer::default();
        let outbox = outbox(&peer, direct);
        outbox.put(Address::Connection, &mut text(&"x".repeat(5000))).unwrap();
        let waiting: Vec<_> = (0..200)
            .map(|_| {
                let outbox = outbox.clone();
                tokio::spawn(async move {
                    outbox.next_below_hard().await;
                    outbox.put(Address::Connection, &mut text(&"x".repeat(1000))).unwrap();
                    outbox.flush();
                })
            })
            .collect();
        let feeder = tokio::spawn({
            let (peer, outbox) = (peer.clone(), outbox.clone());
            async move {
                let mut most = 0;
                while peer.received().len() < 5000 + 200 * 1000 {
                    peer.feed(500);
                    most = most.max(unsent(&outbox));
                    tokio::task::yield_now().await;
                }
                most
            }
        });
        let most = timeout(SOON, feeder).await.expect("nobody is forgotten").unwrap();
        // Each thread may exceed the bound by one message. The message that reached the bound also counts.
        assert!(most <= LIMITS.unsent_hard_bytes + 3 * 1000, "{most}");
        for task in waiting {
            task.await.unwrap();
        }
    }
}
