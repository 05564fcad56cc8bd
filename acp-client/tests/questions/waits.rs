//! Reading and asking do not wait for each other: a question is asked at once if nobody reads, and a reader that waits for the
//! answer gets it.

use std::time::Duration;

use acp_client::{
    acp_client,
    values::{PermissionOptionId, RequestPermissionRequest, SessionNotification},
};
use serde_json::json;

use super::{Screen, chunk, line, open, order::Asks, question, show, soon, updates};

/// The turn is held, and nobody takes its updates.
#[tokio::test(start_paused = true)]
async fn a_turn_that_nobody_reads_holds_no_question() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let began = tokio::time::Instant::now();
    let turn = session.prompt("go").await.unwrap();
    let prompt = agent.burst().await;
    screen.shows("asked").await;
    agent.end(&prompt).await;
    assert!(began.elapsed().is_zero(), "it was asked at once");
    soon(show(turn, screen.clone())).await;
    assert_eq!(screen.lines().len(), 8);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_turn_that_is_only_finished_or_dropped_holds_no_question() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let turn = session.prompt("go").await.unwrap();
    let finishing = tokio::spawn(turn.finish());
    let prompt = agent.burst().await;
    agent.end(&prompt).await;
    soon(finishing).await.unwrap().unwrap();
    assert_eq!(screen.lines(), ["asked"]);
    // The drop cancels the turn, so its question is answered `cancelled`, before or after.
    for first in [true, false] {
        let mut turn = session.prompt("go").await.unwrap();
        let prompt = agent.next().await;
        agent.send(&[chunk("first")]).await;
        turn.next().await.unwrap().unwrap();
        if first {
            agent.send(&[updates(), vec![question()]].concat()).await;
        }
        drop(turn);
        assert_eq!(agent.next().await["method"], "session/cancel");
        if !first {
            agent.send(&[updates(), vec![question()]].concat()).await;
        }
        let answer = agent.end(&prompt).await;
        assert_eq!(answer["result"], json!({"outcome": {"outcome": "cancelled"}}));
    }
}

/// A loop that waits for the answer before it goes on: at the update directly before the question, and at the first of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_loop_that_waits_for_the_answer_gets_it() {
    for waits_at in ["call", "1"] {
        let screen = Screen::default();
        let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
        let mut turn = session.prompt("go").await.unwrap();
        let playing = tokio::spawn(async move {
            let prompt = agent.burst().await;
            agent.end(&prompt).await;
        });
        while let Some(update) = soon(turn.next()).await.unwrap() {
            if line(&update) == waits_at {
                screen.shows("asked").await;
            }
        }
        playing.await.unwrap();
    }
}

/// The same with a turn that is read and then only held. Later questions find that nobody reads.
#[tokio::test(start_paused = true)]
async fn a_loop_that_stopped_holds_one_question_for_a_moment_and_later_ones_not_at_all() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let mut turn = session.prompt("go").await.unwrap();
    let prompt = agent.next().await;
    agent.send(&[chunk("first")]).await;
    turn.next().await.unwrap().unwrap();
    let began = tokio::time::Instant::now();
    agent.send(&[updates(), vec![question()]].concat()).await;
    assert_eq!(agent.next().await["id"], "q");
    assert_eq!(began.elapsed(), Duration::from_secs(1));
    agent.send(&[updates(), vec![question()]].concat()).await;
    assert_eq!(agent.next().await["id"], "q");
    assert_eq!(began.elapsed(), Duration::from_secs(1));
    // It reads again, so questions wait again.
    while let Ok(next) = tokio::time::timeout(Duration::from_millis(1), turn.next()).await {
        next.unwrap().unwrap();
    }
    agent.send(&[updates(), vec![question()]].concat()).await;
    let showing = tokio::spawn(show(turn, screen.clone()));
    agent.end(&prompt).await;
    showing.await.unwrap();
    assert_eq!(screen.lines()[2..], super::in_order().into_iter().chain(["end".to_owned()]).collect::<Vec<_>>());
}

/// The agent does one thing at a time: it answers the request in the loop when its question is answered.
#[tokio::test(start_paused = true)]
async fn a_loop_that_waits_for_the_agent_holds_no_question() {
    for asks_first in [true, false] {
        let screen = Screen::default();
        let (connection, session, mut agent) = open(Asks::on(&screen)).await;
        let began = tokio::time::Instant::now();
        let mut turn = session.prompt("go").await.unwrap();
        let playing = tokio::spawn(async move {
            let prompt = agent.next().await;
            agent.send(&[chunk("first")]).await;
            if asks_first {
                agent.send(&[updates(), vec![question()]].concat()).await;
            }
            let request = agent.next().await;
            assert_eq!(request["method"], "_test/echo");
            if !asks_first {
                agent.send(&[updates(), vec![question()]].concat()).await;
            }
            assert_eq!(agent.next().await["id"], "q");
            agent.send(&[json!({"jsonrpc": "2.0", "id": request["id"], "result": {}})]).await;
            let end = json!({"jsonrpc": "2.0", "id": prompt["id"], "result": {"stopReason": "end_turn"}});
            agent.send(&[end]).await;
        });
        turn.next().await.unwrap().unwrap();
        let _: serde_json::Value = connection.ext_request("_test/echo", &json!({})).await.unwrap();
        turn.finish().await.unwrap();
        playing.await.unwrap();
        assert!(began.elapsed().is_zero(), "it was asked at once");
    }
}

/// A handler of updates that waits for the answer: the question is asked, although the handler never comes back before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_handler_of_updates_that_waits_for_the_answer_gets_it() {
    struct Waits(Screen);
    #[acp_client]
    impl Waits {
        async fn request_permission(&self, request: RequestPermissionRequest) -> PermissionOptionId {
            self.0.show("asked");
            request.options[0].option_id.clone()
        }
        async fn session_update(&self, _notification: SessionNotification) {
            self.0.shows("asked").await;
        }
    }
    let (_connection, session, mut agent) = open(Waits(Screen::default())).await;
    let turn = session.prompt("go").await.unwrap();
    let finishing = tokio::spawn(turn.finish());
    let prompt = agent.burst().await;
    agent.end(&prompt).await;
    soon(finishing).await.unwrap().unwrap();
}

/// A `next` that is kept, and not polled while another branch of the loop waits for the answer.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_wait_for_the_next_update_that_is_put_aside_holds_no_question_for_good() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    let mut turn = session.prompt("go").await.unwrap();
    {
        let mut next = std::pin::pin!(turn.next());
        assert!(futures_poll(next.as_mut()).await.is_pending());
        let prompt = agent.burst().await;
        screen.shows("asked").await;
        next.await.unwrap().unwrap();
        agent.end(&prompt).await;
    }
    turn.finish().await.unwrap();
}

/// Polls once.
async fn futures_poll<F: Future>(mut future: std::pin::Pin<&mut F>) -> std::task::Poll<()> {
    std::future::poll_fn(|cx| std::task::Poll::Ready(future.as_mut().poll(cx).map(drop))).await
}

/// Who has taken all updates, and waits for more, holds nothing back. Nor does a call that took one update once.
#[tokio::test(start_paused = true)]
async fn a_reader_that_has_taken_all_holds_no_question() {
    let screen = Screen::default();
    let (_connection, session, mut agent) = open(Asks::on(&screen)).await;
    agent.send(&[chunk("outside")]).await;
    session.next_update().await.unwrap();
    let began = tokio::time::Instant::now();
    let turn = session.prompt("go").await.unwrap();
    let showing = tokio::spawn(show(turn, screen.clone()));
    let prompt = agent.next().await;
    agent.send(&[chunk("first")]).await;
    screen.shows("first").await;
    agent.send(&[question()]).await;
    agent.end(&prompt).await;
    showing.await.unwrap();
    assert_eq!(screen.lines(), ["first", "asked", "end"]);
    assert!(began.elapsed().is_zero());
}
