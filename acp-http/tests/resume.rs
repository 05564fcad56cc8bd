//! Clients that come back: they miss nothing, get nothing twice, or are told that it is too late.

use acp_http::{HttpOptions, Retention};

use crate::{
    agent::Server,
    client::{Client, Events, text},
};

#[tokio::test]
async fn a_client_that_comes_back_reads_every_message_once() {
    let server =
        Server::new(HttpOptions::new().retention(Retention::default().messages(100_000).bytes(50_000_000))).await;
    for client in [Client::new(&server), Client::http2(&server)] {
        let (client, _events, id) = client.connect().await;
        let mut session = client.events(Some(&id)).await;
        client.prompt(7, &id, "count 5000").await;
        let mut said = String::new();
        for cut in 0.. {
            let mut is_over = false;
            // The stream is cut at another place each time: before its first event, too.
            for _ in 0..cut * 37 {
                let message = session.next().await;
                is_over = message["id"] == 7;
                if is_over {
                    break;
                }
                said.push_str(text(&message));
            }
            if is_over {
                break;
            }
            let last = session.place().await;
            // Half of the times, the server does not know yet that the reader has gone.
            if cut % 2 == 0 {
                drop(session);
            }
            session = Events::of(client.open(Some(&id), Some(&last)).await);
        }
        assert!(said.split_terminator(';').map(|number| number.parse::<u64>().unwrap()).eq(0..5000));
    }
}

#[tokio::test]
async fn a_reader_that_comes_back_takes_over_from_the_lost_one() {
    let server = Server::new(HttpOptions::new()).await;
    let (client, mut lost, _) = Client::new(&server).connect().await;
    let mut events = Events::of(client.open(None, Some(&lost.place().await)).await);
    assert_eq!(lost.read().await, None, "the earlier stream ends");
    client.new_session(&mut events).await;
}

#[tokio::test]
async fn a_place_that_is_not_kept_any_more_is_refused_and_takes_the_stream_from_nobody() {
    let server = Server::new(HttpOptions::new().retention(Retention::default().messages(2))).await;
    let (client, mut events, id) = Client::new(&server).connect().await;
    let first = events.place().await;
    for _ in 0..3 {
        client.new_session(&mut events).await;
    }
    let mut session = client.events(Some(&id)).await;
    client.prompt(7, &id, "hello").await;
    session.until_answer(7).await;
    for (stream, place) in
        [(None, &*first), (None, &*session.last), (Some(&*id), &*events.last), (None, "x"), (None, "")]
    {
        let refused = client.open(stream, Some(place)).await;
        assert_eq!(refused.status(), 409, "{place}");
    }
    // Another connection cannot read with this place.
    let (other, ..) = Client::new(&server).connect().await;
    assert_eq!(other.open(None, Some(&events.last)).await.status(), 409);
    client.new_session(&mut events).await;
}
