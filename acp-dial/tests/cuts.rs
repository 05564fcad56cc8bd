//! Connections that are cut at any byte: each update is read once, in order.

use std::time::Duration;

use acp_client::{End, ErrorKind, http::Backoff};
use acp_http::{HttpOptions, Retention};

use crate::{
    agent::{Server, Way, connect, counted, said, session, soon, until},
    proxy::Proxy,
};

/// Numbers that look random, and are the same in each run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        // The generator of Steele, Lea and Flood.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

/// How often each way is cut; `ACP_CUTS` says otherwise.
fn cuts() -> usize {
    std::env::var("ACP_CUTS").map_or(20, |cuts| cuts.parse().expect("`ACP_CUTS` is a number"))
}

fn quick() -> Backoff {
    Backoff::new().first(Duration::from_millis(10)).longest(Duration::from_millis(200)).attempts(50)
}

/// Twenty turns over each way, cut at so many random bytes.
async fn cut_at_random_bytes(way: Way) {
    const TURNS: usize = 20;
    // About the bytes of a message, with what carries it.
    const BYTES: u64 = 250;
    let server = Server::that_keeps_all().await;
    let proxy = Proxy::to(server.port()).await;
    let mut numbers = Numbers(29);
    let connection = connect(way.to(&proxy.url).backoff(quick())).await;
    let session = session(&connection).await;
    for number in 0..TURNS {
        let cuts = cuts() * (number + 1) / TURNS - cuts() * number / TURNS;
        // HTTP/2 hands out no part of a frame, and a frame has up to 16 KiB: cuts that are closer let nothing through.
        let messages = 100 * cuts.max(4) as u64;
        // The first bytes of the server say that the prompt has arrived.
        let offsets = (0..cuts).map(|_| 300 + numbers.below(messages * BYTES / cuts as u64));
        proxy.cut_after_each(offsets);
        let said = said(&session, &format!("count {messages}")).await;
        assert_eq!(said, counted(messages), "{way:?}, turn {number}, {} cuts", proxy.cuts());
        proxy.disarm();
    }
    assert!(proxy.cuts() * 2 > cuts(), "{way:?}: only {} cuts", proxy.cuts());
    soon("the end", connection.close()).await.unwrap();
    until("the server has no connection any more", || server.endpoint.connections() == 0).await;
}

#[tokio::test]
async fn a_client_over_http_1_whose_connection_is_cut_reads_each_update_once() {
    cut_at_random_bytes(Way::Http1).await;
}

#[tokio::test]
async fn a_client_over_http_2_whose_connection_is_cut_reads_each_update_once() {
    cut_at_random_bytes(Way::Http2).await;
}

#[tokio::test]
async fn a_client_over_a_websocket_whose_connection_is_cut_reads_each_update_once() {
    cut_at_random_bytes(Way::WebSocket).await;
}

#[tokio::test]
async fn a_client_whose_server_is_away_for_a_while_comes_back() {
    let server = Server::that_keeps_all().await;
    for way in Way::ALL {
        let proxy = Proxy::to(server.port()).await;
        let connection = connect(way.to(&proxy.url).backoff(quick())).await;
        let session = session(&connection).await;
        let mut turn = session.prompt("slowly 300").await.unwrap();
        let mut said = soon("a text", turn.text()).await.unwrap().unwrap();
        proxy.down();
        tokio::time::sleep(Duration::from_millis(300)).await;
        proxy.up();
        while let Some(text) = soon("the next text", turn.text()).await.unwrap() {
            said.push_str(&text);
        }
        assert_eq!(said, counted(300), "{way:?}");
    }
}

#[tokio::test]
async fn a_client_whose_server_does_not_come_back_says_so() {
    for way in Way::ALL {
        let server = Server::new(HttpOptions::new()).await;
        let proxy = Proxy::to(server.port()).await;
        let connection = connect(way.to(&proxy.url).backoff(quick().attempts(3))).await;
        let session = session(&connection).await;
        let mut turn = session.prompt("wait").await.unwrap();
        soon("a text", turn.text()).await.unwrap();
        proxy.down();
        let End::Broken(why) = soon("the end", connection.closed()).await else { panic!("it says why") };
        assert!(why.contains("the server"), "{way:?}: {why}");
        let ended = soon("the turn's end", turn.finish()).await.unwrap_err();
        assert!(matches!(ended.kind(), ErrorKind::Ended { .. }), "{way:?}: {ended}");
    }
}

#[tokio::test]
async fn a_client_that_comes_back_too_late_loses_its_connection_and_hears_why() {
    for way in Way::ALL {
        let retention = Retention::default().messages(1);
        // The turn of the lost connection ends with it.
        let detached = Duration::from_millis(1500);
        let server = Server::new(HttpOptions::new().retention(retention).detached_timeout(detached)).await;
        let proxy = Proxy::to(server.port()).await;
        // The pause is so long that the server has said more than it keeps.
        let backoff = Backoff::new().first(Duration::from_millis(500));
        let connection = connect(way.to(&proxy.url).backoff(backoff)).await;
        let session = session(&connection).await;
        let mut turn = session.prompt("count 4000").await.unwrap();
        soon("a text", turn.text()).await.unwrap();
        proxy.cut_after(10_000);
        let End::Broken(why) = soon("the end", connection.closed()).await else { panic!("it says why") };
        assert!(why.contains("messages were lost") && why.contains("load the sessions"), "{way:?}: {why}");
        drop(turn);
        // The session is there still, on a new connection.
        let id = session.id().clone();
        let connection = connect(way.to(&server.url)).await;
        let loading = soon("the begin", connection.load_session(id, "/")).await.unwrap();
        soon("the session", loading.finish()).await.unwrap();
    }
}

/// The answer to the POST is lost, or to the frame the pong.
#[tokio::test]
async fn a_prompt_whose_acceptance_is_lost_is_answered_once() {
    for way in Way::ALL {
        let server = Server::that_keeps_all().await;
        let proxy = Proxy::to(server.port()).await;
        let connection = connect(way.to(&proxy.url).backoff(quick())).await;
        let session = session(&connection).await;
        assert_eq!(said(&session, "hello").await, "you said hello");
        for _ in 0..3 {
            proxy.is_quiet().await;
            // The first bytes of the server are the acceptance, or the first update.
            proxy.cut_after(1);
            assert_eq!(said(&session, "count 50").await, counted(50), "{way:?}");
        }
        assert_eq!(proxy.cuts(), 3, "{way:?}");
        assert_eq!(server.written(), 150, "{way:?}: no turn ran twice");
    }
}

/// The prompt itself is cut, so the agent never sees it.
#[tokio::test]
async fn a_prompt_that_may_not_have_arrived_fails_within_a_bound_and_is_not_sent_again() {
    for way in Way::ALL {
        let server = Server::that_keeps_all().await;
        let proxy = Proxy::to(server.port()).await;
        let doubt = Duration::from_millis(700);
        let connection = connect(way.to(&proxy.url).backoff(quick()).doubt_timeout(doubt)).await;
        let session = session(&connection).await;
        assert_eq!(said(&session, "hello").await, "you said hello");
        proxy.cut_after_up(40);
        let turn = session.prompt(format!("count 5 {}", "x".repeat(1000))).await.unwrap();
        let failed = soon("the failure", turn.finish()).await.unwrap_err();
        assert!(failed.to_string().contains("may not have reached the agent"), "{way:?}: {failed}");
        assert_eq!(server.written(), 0, "{way:?}");
        assert_eq!(said(&session, "hello").await, "you said hello", "{way:?}: the connection goes on");
    }
}
