//! Many simultaneous sessions and turns. The test cancels or drops some turns at random. Each update arrives once, in
//! its turn and in its order. No turn hangs.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{sync::Arc, time::Duration};

use acp_client::{ConnectOptions, Connection, Endpoint, Session, transport::memory, values::StopReason};
use acp_runtime::{agent::ServeOptions, prelude::*};
use tokio::time::timeout;

/// A longer wait means that a turn hangs, even on a busy machine.
const BOUND: Duration = Duration::from_secs(60);
const SESSIONS: u64 = 16;
const TURNS: u64 = 30;

#[acp_agent(title = "Honest")]
#[derive(Clone)]
struct Honest;

#[acp_agent]
impl Honest {
    async fn new_session(&self) {}

    /// Sends the number of updates that the prompt asks for. Each has the name of the turn and its own number.
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let (name, count) = text.split_once(' ').unwrap_or_default();
        for number in 0..count.parse().unwrap_or(0) {
            if turn.is_cancelled() {
                return Ok(StopReason::Cancelled);
            }
            turn.message(format!("{name} {number}")).await?;
            if number % 7 == 0 {
                tokio::task::yield_now().await;
            }
        }
        Ok(StopReason::EndTurn)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % end
    }
}

/// Runs the turns of one session, one after another. Returns how many ended by themselves, how many were cancelled and
/// how many were dropped.
async fn work(session: Session, seed: u64) -> [u64; 3] {
    let (mut random, mut ends) = (Random(seed + 1), [0; 3]);
    for number in 0..TURNS {
        let (name, count) = (format!("{}/{number}", session.id()), random.below(200));
        let (stop, how) = (random.below(200), random.below(4));
        let mut turn = session.prompt(format!("{name} {count}")).await.unwrap();
        let mut taken = 0;
        let dropped = loop {
            if taken == stop {
                match how {
                    0 | 1 => turn.cancel(),
                    2 => break true,
                    _ => tokio::task::yield_now().await,
                }
            }
            // The drop of the future in the middle of the wait loses no update.
            let next = match random.below(8) {
                0 => match timeout(Duration::from_micros(random.below(50)), turn.text()).await {
                    Ok(next) => next,
                    Err(_) => continue,
                },
                _ => turn.text().await,
            };
            let Some(text) = next.unwrap() else { break false };
            assert_eq!(text, format!("{name} {taken}"), "each one, in its order, and of this turn");
            taken += 1;
        };
        if dropped {
            ends[2] += 1;
            continue;
        }
        match turn.end().unwrap().stop_reason {
            Some(StopReason::EndTurn) => {
                assert_eq!(taken, count, "all of them have arrived");
                ends[0] += 1;
            }
            Some(StopReason::Cancelled) => ends[1] += 1,
            ref other => panic!("{other:?}"),
        }
    }
    assert!(session.try_update().is_none(), "nothing of a turn arrives outside of it");
    assert_eq!(session.missed_updates(), 0);
    ends
}

async fn stress(seed: u64) -> [u64; 3] {
    let (near, far) = memory::pair();
    tokio::spawn(Honest.serve(far, ServeOptions::new()));
    // The bound is so small that the turns stop each other all the time.
    let options = ConnectOptions::new().unread_soft_bytes(2000);
    let connection: Arc<Connection> = Endpoint::over(near).options(options).connect().await.unwrap().into();
    let mut working = Vec::new();
    for number in 0..SESSIONS {
        let connection = connection.clone();
        working.push(tokio::spawn(async move {
            let session = connection.new_session("/tmp").await.unwrap();
            work(session, seed * SESSIONS + number).await
        }));
    }
    let mut all = [0; 3];
    for working in working {
        let ends = timeout(BOUND, working).await.expect("nothing hangs").unwrap();
        all.iter_mut().zip(ends).for_each(|(all, ends)| *all += ends);
    }
    let connection = Arc::into_inner(connection).unwrap();
    timeout(BOUND, connection.close()).await.expect("nothing hangs").unwrap();
    assert_eq!(all.iter().sum::<u64>(), SESSIONS * TURNS);
    all
}

/// Two seeds: on threads, few cancellations come in time, some twelve of 480.
async fn stress_twice() {
    let (mut all, other) = (stress(0).await, stress(1).await);
    all.iter_mut().zip(other).for_each(|(all, other)| *all += other);
    assert!(all.iter().all(|count| *count > 5), "ended, cancelled, dropped: {all:?}");
}

#[tokio::test]
async fn no_update_is_lost_or_misplaced_on_one_thread() {
    stress_twice().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_update_is_lost_or_misplaced_on_four_threads() {
    stress_twice().await;
}

/// A turn whose updates nobody takes does not stop other turns.
#[tokio::test]
async fn a_turn_that_nobody_takes_holds_up_no_other() {
    let (near, far) = memory::pair();
    tokio::spawn(Honest.serve(far, ServeOptions::new()));
    let options = ConnectOptions::new().unread_soft_bytes(2000);
    let connection = Endpoint::over(near).options(options).connect().await.unwrap();
    let (held, other) = (connection.new_session("/tmp").await.unwrap(), connection.new_session("/tmp").await.unwrap());
    let mut held = held.prompt("held 5000").await.unwrap();
    // After this time, the client has stopped reading.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let end = timeout(BOUND, other.prompt("other 5").await.unwrap().finish()).await.expect("it does not wait").unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
    for number in 0..5000 {
        assert_eq!(held.text().await.unwrap().unwrap(), format!("held {number}"));
    }
}

/// The hard bound ends the turn that has sent too much. The turn whose update exceeds the bound may be another one.
#[tokio::test]
async fn a_flood_ends_no_turn_that_sends_little() {
    let (near, far) = memory::pair();
    tokio::spawn(Honest.serve(far, ServeOptions::new()));
    let options = ConnectOptions::new().unread_soft_bytes(2000).unread_hard_bytes(100_000);
    let connection = Endpoint::over(near).options(options).connect().await.unwrap();
    let (flood, other) = (connection.new_session("/tmp").await.unwrap(), connection.new_session("/tmp").await.unwrap());
    let flood = flood.prompt("flood 100000").await.unwrap();
    for round in 0..200 {
        let end = timeout(BOUND, other.prompt(format!("{round} 9")).await.unwrap().finish()).await.expect("it ends");
        assert_eq!(end.unwrap().stop_reason, Some(StopReason::EndTurn));
    }
    let error = timeout(BOUND, flood.finish()).await.unwrap().unwrap_err();
    assert!(error.to_string().contains("more than 100000 bytes"), "{error}");
}
