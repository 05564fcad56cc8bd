//! An outbox with several streams. The tests check which messages arrive on which stream, and which senders an unread
//! stream stops.

use std::collections::HashMap;
use std::pin::pin;
use std::sync::atomic::AtomicUsize;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::time::timeout;

use super::*;

const LIMITS: Limits = Limits::new().unsent_soft_bytes(100).unsent_hard_bytes(400);
/// The time limit for events that must come. For events that must not come, the tests poll once and do not wait.
const SOON: Duration = Duration::from_secs(10);

/// An outbox with a stream for the connection, and a stream for each topic of `topics`.
struct Routed {
    outbox: Outbox,
    connection: OutboxStream,
    topics: HashMap<&'static str, OutboxStream>,
}

fn routed(topics: &[&'static str]) -> Routed {
    let connection = OutboxStream::new(&LIMITS);
    let topics: HashMap<_, _> = topics.iter().map(|topic| (*topic, connection.sibling())).collect();
    let outbox = Outbox::routed(connection.clone(), {
        let topics = topics.clone();
        move |topic| topics.get(topic).cloned()
    });
    Routed { outbox, connection, topics }
}

fn text(text: &str) -> impl FnMut(&mut Vec<u8>) + '_ {
    move |out| out.extend_from_slice(text.as_bytes())
}

/// The messages that wait in a stream.
async fn waiting(stream: &OutboxStream) -> Vec<String> {
    let mut reader = stream.reader().expect("nobody else reads");
    let mut messages = Vec::new();
    while let Poll::Ready(Some(message)) = now(reader.next()) {
        messages.push(String::from_utf8(message).unwrap());
    }
    messages
}

/// Polls a future once.
fn now<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

async fn soon<F: Future>(future: F) -> F::Output {
    timeout(SOON, future).await.expect("it does not wait for ever")
}

#[tokio::test]
async fn each_message_arrives_whole_and_in_order_on_its_own_stream() {
    let Routed { outbox, connection, topics } = routed(&["a", "b"]);
    let one_shot = connection.sibling();
    for round in 0..3 {
        outbox.send(Address::Topic("a"), &mut text(&format!("a{round}\n"))).await.unwrap();
        outbox.put(Address::Topic("b"), &mut text(&format!("b{round}\n"))).unwrap();
        outbox.put(Address::Connection, &mut text(&format!("c{round}\n"))).unwrap();
    }
    outbox.put(Address::Stream(Some(&topics["a"].way())), &mut text("answer\n")).unwrap();
    outbox.put(Address::Stream(Some(&one_shot.way())), &mut text("first\n")).unwrap();
    outbox.put(Address::Stream(None), &mut text("other\n")).unwrap();
    outbox.put(Address::Topic("a"), &mut |_| ()).unwrap();
    assert_eq!(waiting(&topics["a"]).await, ["a0", "a1", "a2", "answer"], "what nobody wrote is no message");
    assert_eq!(waiting(&topics["b"]).await, ["b0", "b1", "b2"]);
    assert_eq!(waiting(&connection).await, ["c0", "c1", "c2", "other"]);
    assert_eq!(waiting(&one_shot).await, ["first"]);
    assert_eq!(outbox.put(Address::Topic("unknown"), &mut text("x\n")), Err(Closed::Stream));
    assert_eq!(outbox.send(Address::Topic("unknown"), &mut text("x\n")).await, Err(Closed::Stream));
}

#[tokio::test]
async fn a_large_message_arrives_whole_and_leaves_no_large_buffer() {
    let Routed { outbox, connection, .. } = routed(&[]);
    let keep = outbox.shared.lock().keep;
    let large = "x".repeat(2 * keep);
    for message in [large.as_str(), "small"] {
        outbox.put(Address::Connection, &mut text(message)).unwrap();
    }
    assert!(outbox.shared.lock().fill.capacity() <= keep);
    assert_eq!(waiting(&connection).await, [large.as_str(), "small"]);
}

#[tokio::test]
async fn an_unread_stream_fills_to_its_soft_bound_and_holds_up_its_own_senders_only() {
    let Routed { outbox, topics, .. } = routed(&["unread", "read"]);
    let sender = |topic: &'static str| {
        let outbox = outbox.clone();
        tokio::spawn(async move {
            for round in 0..1000 {
                outbox.send(Address::Topic(topic), &mut text(&format!("{round:010}"))).await.unwrap();
            }
        })
    };
    let stuck = [sender("unread"), sender("unread")];
    let mut reader = topics["read"].reader().unwrap();
    let going = sender("read");
    for round in 0..1000 {
        assert_eq!(soon(reader.next()).await.unwrap(), format!("{round:010}").into_bytes());
    }
    soon(going).await.unwrap();
    assert!(stuck.iter().all(|sender| !sender.is_finished()));
    assert_eq!(topics["unread"].unsent(), LIMITS.unsent_soft_bytes, "the bound and not a message more");
    // When a reader comes at last, no message is missing.
    let mut reader = topics["unread"].reader().unwrap();
    for _ in 0..2000 {
        soon(reader.next()).await.unwrap();
    }
    for sender in stuck {
        soon(sender).await.unwrap();
    }
}

#[tokio::test]
async fn answers_wait_at_the_hard_bound_of_their_own_stream() {
    let Routed { outbox, connection, topics } = routed(&["a", "b"]);
    let (a, b) = (&topics["a"], &topics["b"]);
    for round in 0..4 {
        assert!(now(a.below_hard()).is_ready(), "{round} answers are unread");
        outbox.put(Address::Stream(Some(&a.way())), &mut text(&"x".repeat(100))).unwrap();
    }
    assert!(a.way().is_at_hard_bound());
    assert!(now(a.below_hard()).is_pending() && now(a.way().next_below_hard()).is_pending());
    for other in [b, &connection] {
        assert!(now(other.below_hard()).is_ready() && !other.way().is_at_hard_bound());
    }
    assert!(now(outbox.below_hard()).is_ready() && !outbox.is_at_hard_bound());
    // The topic of this stream is also full. Other topics are not.
    assert!(now(outbox.send(Address::Topic("a"), &mut text("never"))).is_pending());
    assert!(now(outbox.send(Address::Topic("b"), &mut text("b"))).is_ready());
    let below = tokio::spawn({
        let a = a.clone();
        async move { a.below_hard().await }
    });
    let mut reader = a.reader().unwrap();
    for _ in 0..3 {
        assert!(soon(reader.next()).await.is_some());
    }
    soon(below).await.unwrap();
    // The bound of the whole outbox is the bound of the connection's stream.
    outbox.put(Address::Connection, &mut text(&"x".repeat(400))).unwrap();
    assert!(outbox.is_at_hard_bound() && now(outbox.below_hard()).is_pending());
    connection.close();
    assert!(now(outbox.below_hard()).is_ready());
}

#[tokio::test]
async fn messages_that_are_written_at_once_stay_apart() {
    let Routed { outbox, connection, .. } = routed(&[]);
    outbox.put(Address::Connection, &mut text("one\ntwo\n")).unwrap();
    soon(outbox.send(Address::Connection, &mut text("three\n\nfour"))).await.unwrap();
    assert_eq!(waiting(&connection).await, ["one", "two", "three", "four"]);
}

#[tokio::test]
async fn a_large_message_leaves_no_large_buffer_behind() {
    let Routed { outbox, .. } = routed(&[]);
    outbox.put(Address::Connection, &mut text(&"x".repeat(10_000))).unwrap();
    assert!(outbox.shared.lock().fill.capacity() <= 4 * LIMITS.unsent_soft_bytes);
}

#[tokio::test]
async fn what_waits_for_nothing_closes_a_stream_that_nobody_reads() {
    let Routed { outbox, connection, topics } = routed(&["a"]);
    let put = || outbox.put(Address::Topic("a"), &mut text(&"x".repeat(50)));
    let most = 2 * LIMITS.unsent_hard_bytes / 50;
    // The iterator has an end, because a stream that never closes would take messages without end.
    let taken = (0..=most).take_while(|_| put().is_ok()).count();
    assert_eq!(taken, most);
    assert_eq!(put(), Err(Closed::Stream));
    assert_eq!(topics["a"].unsent(), 0, "what nobody reads is let go");
    assert_eq!(topics["a"].reader().unwrap().next().await, None);
    outbox.put(Address::Connection, &mut text("others go on")).unwrap();
    assert_eq!(waiting(&connection).await, ["others go on"]);
}

#[tokio::test]
async fn a_large_message_that_is_read_closes_no_stream() {
    let Routed { outbox, connection, .. } = routed(&[]);
    let mut reader = connection.reader().unwrap();
    for _ in 0..3 {
        outbox.put(Address::Connection, &mut text(&"x".repeat(10_000))).unwrap();
        assert!(connection.way().is_at_hard_bound());
        outbox.put(Address::Connection, &mut text(&"x".repeat(300))).unwrap();
        assert_eq!(soon(reader.next()).await.unwrap().len(), 10_000);
        assert_eq!(soon(reader.next()).await.unwrap().len(), 300);
        assert!(now(reader.next()).is_pending());
    }
}

#[tokio::test]
async fn a_stream_that_is_closed_lets_go_of_all_who_wait_for_it() {
    let Routed { outbox, connection, topics } = routed(&["a", "b"]);
    outbox.put(Address::Topic("a"), &mut text(&"x".repeat(500))).unwrap();
    let a = topics["a"].clone();
    let reader = tokio::spawn({
        let mut reader = a.reader().unwrap();
        async move { while reader.next().await.is_some() {} }
    });
    soon(async {
        while a.unsent() > 0 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    let asked = tokio::spawn({
        let a = a.clone();
        async move { a.way().closed().await }
    });
    tokio::task::yield_now().await;
    a.close();
    soon(asked).await.expect("who waits for an answer is told: it may never come");
    soon(reader).await.unwrap();

    let b = topics["b"].clone();
    outbox.put(Address::Topic("b"), &mut text(&"x".repeat(500))).unwrap();
    let sender = tokio::spawn({
        let outbox = outbox.clone();
        async move { outbox.send(Address::Topic("b"), &mut text("never")).await }
    });
    tokio::task::yield_now().await;
    assert!(b.way().is_at_hard_bound() && !sender.is_finished());
    b.close();
    assert_eq!(soon(sender).await.unwrap(), Err(Closed::Stream));
    soon(b.below_hard()).await;
    for closed in ["a", "b"] {
        assert_eq!(outbox.put(Address::Topic(closed), &mut text("x")), Err(Closed::Stream));
    }
    assert!(!outbox.is_closed());
    outbox.put(Address::Connection, &mut text("others go on")).unwrap();
    assert_eq!(waiting(&connection).await, ["others go on"]);
}

#[tokio::test]
async fn a_stream_has_one_reader_at_a_time_and_its_messages_wait_for_the_next() {
    let Routed { outbox, connection, .. } = routed(&[]);
    for message in ["one", "two", "three"] {
        outbox.put(Address::Connection, &mut text(message)).unwrap();
    }
    let mut first = connection.reader().unwrap();
    assert!(connection.reader().is_none());
    assert_eq!(first.next().await.unwrap(), b"one");
    drop(first);
    assert_eq!(waiting(&connection).await, ["two", "three"]);
    // If a reader drops its wait, it has taken no message.
    let mut reader = connection.reader().unwrap();
    assert!(now(reader.next()).is_pending());
    outbox.put(Address::Connection, &mut text("four")).unwrap();
    assert_eq!(soon(reader.next()).await.unwrap(), b"four");
}

#[tokio::test]
async fn finish_waits_until_each_message_is_written_and_ends_what_is_read_at_once() {
    let Routed { outbox, connection, topics } = routed(&["read", "unread"]);
    outbox.put(Address::Topic("read"), &mut text("last")).unwrap();
    outbox.put(Address::Topic("unread"), &mut text("unread")).unwrap();
    let finish = tokio::spawn({
        let outbox = outbox.clone();
        async move { outbox.finish().await }
    });
    let mut reader = topics["read"].reader().unwrap();
    assert_eq!(soon(reader.next()).await.unwrap(), b"last");
    tokio::task::yield_now().await;
    assert_eq!(soon(reader.next()).await, None, "the unread one does not hold up its end");
    assert_eq!(soon(connection.reader().unwrap().next()).await, None);
    assert!(!outbox.is_closed() && !finish.is_finished());
    let mut reader = topics["unread"].reader().unwrap();
    assert_eq!(soon(reader.next()).await.unwrap(), b"unread");
    tokio::task::yield_now().await;
    assert!(!finish.is_finished(), "it is not written yet");
    drop(reader);
    soon(finish).await.unwrap();
    assert!(outbox.is_closed());
}

#[tokio::test]
async fn closing_ends_all_streams_and_those_that_come_late() {
    let Routed { outbox, connection, topics } = routed(&["a"]);
    outbox.put(Address::Topic("a"), &mut text(&"x".repeat(200))).unwrap();
    let sender = tokio::spawn({
        let outbox = outbox.clone();
        async move { outbox.send(Address::Topic("a"), &mut text("never")).await }
    });
    // No message was ever sent over this stream.
    let mut idle = connection.sibling().reader().unwrap();
    let idle = tokio::spawn(async move { idle.next().await });
    tokio::task::yield_now().await;
    outbox.close();
    assert!(soon(sender).await.unwrap().is_err());
    assert_eq!(soon(idle).await.unwrap(), None);
    assert_eq!(soon(topics["a"].reader().unwrap().next()).await, None);
    assert_eq!(soon(connection.sibling().reader().unwrap().next()).await, None);
    assert_eq!(outbox.put(Address::Connection, &mut text("x")), Err(Closed::Connection));
    soon(outbox.finish()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_threads_lose_and_mix_up_nothing() {
    const TOPICS: [&str; 4] = ["a", "b", "c", "d"];
    let Routed { outbox, topics, .. } = routed(&TOPICS);
    let readers = TOPICS.map(|topic| {
        let mut reader = topics[topic].reader().unwrap();
        tokio::spawn(async move {
            let mut next = [0; 2];
            while let Some(message) = reader.next().await {
                let message = String::from_utf8(message).unwrap();
                let mut words = message.split(' ');
                assert_eq!(words.next(), Some(topic));
                let sender: usize = words.next().unwrap().parse().unwrap();
                assert_eq!(words.next(), Some(next[sender].to_string().as_str()), "each sender keeps its order");
                next[sender] += 1;
            }
            next
        })
    });
    let mut senders = Vec::new();
    for topic in TOPICS {
        for sender in 0..2 {
            let outbox = outbox.clone();
            senders.push(tokio::spawn(async move {
                for round in 0..2000 {
                    outbox
                        .send(Address::Topic(topic), &mut text(&format!("{topic} {sender} {round}\n")))
                        .await
                        .unwrap();
                }
            }));
        }
    }
    for sender in senders {
        timeout(SOON * 6, sender).await.expect("no wake-up is lost").unwrap();
    }
    soon(outbox.finish()).await;
    for reader in readers {
        assert_eq!(soon(reader).await.unwrap(), [2000, 2000]);
    }
}

#[tokio::test]
async fn a_reader_takes_what_is_there_without_a_wait_and_the_end_waits_for_the_last_of_it() {
    let Routed { outbox, topics, .. } = routed(&["a"]);
    let mut reader = topics["a"].reader().unwrap();
    assert_eq!(reader.try_next(), None);
    for number in ["1", "2"] {
        outbox.put(Address::Topic("a"), &mut text(number)).unwrap();
    }
    assert_eq!(reader.try_next().unwrap(), b"1");
    assert_eq!(reader.try_next().unwrap(), b"2");
    assert_eq!(reader.try_next(), None, "nothing waits");
    assert!(!topics["a"].is_empty(), "the reader may still be writing the last one");
    let finishing = tokio::spawn(async move { outbox.finish().await });
    assert_eq!(soon(reader.next()).await, None);
    soon(finishing).await.unwrap();
    assert!(topics["a"].is_empty());
}

#[tokio::test]
async fn a_reader_that_is_polled_hears_of_each_message_until_it_polls_again() {
    struct Woken(AtomicUsize);
    impl std::task::Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let woken = Arc::new(Woken(AtomicUsize::new(0)));
    let waker = std::task::Waker::from(woken.clone());
    let mut cx = std::task::Context::from_waker(&waker);
    let stream = OutboxStream::new(&Limits::new());
    let mut reader = stream.reader().unwrap();
    let push = |message: &str| stream.way().push(message.into()).unwrap();
    let update = r#"{"jsonrpc":"2.0","method":"m"}"#;
    push(update);
    assert_eq!(reader.poll_next(&mut cx), Poll::Ready(Some(update.into())));
    push(update);
    assert_eq!(woken.0.load(Ordering::Relaxed), 0, "nobody waits");
    assert_eq!(reader.poll_next(&mut cx), Poll::Ready(Some(update.into())));
    assert!(reader.poll_next(&mut cx).is_pending());
    push(update);
    push(update);
    assert_eq!((woken.0.load(Ordering::Relaxed), stream.hurries()), (2, false));
    push(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    assert!(stream.hurries(), "somebody waits for the answer");
    for _ in 0..3 {
        assert!(reader.poll_next(&mut cx).is_ready());
    }
    assert!(reader.poll_next(&mut cx).is_pending());
    assert!(!stream.hurries());
    stream.close();
    assert_eq!((woken.0.load(Ordering::Relaxed), reader.poll_next(&mut cx)), (4, Poll::Ready(None)));
}
