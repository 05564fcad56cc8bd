//! Whole conversations with our own server, over each way.

use acp_client::{
    Update,
    values::{ListSessionsRequest, SessionUpdate},
};
use acp_http::HttpOptions;
use serde_json::{Value, json};

use crate::agent::{Server, Way, connect, counted, said, serve, session, soon, until};

#[tokio::test]
async fn a_client_over_http_says_and_reads_what_one_over_pipes_does() {
    let server = Server::new(HttpOptions::new()).await;
    for way in Way::ALL {
        let connection = connect(way.to(&server.url)).await;
        let (one, other) = (session(&connection).await, session(&connection).await);
        assert_eq!(said(&one, "hello").await, "you said hello", "{way:?}");
        assert_eq!(said(&other, "count 3000").await, counted(3000), "{way:?}");
        assert_eq!(said(&one, "ask").await, "allowed: true", "{way:?}");
        soon("the close", one.close()).await.unwrap();
        let mut sessions = connection.list_sessions(ListSessionsRequest::new()).unwrap();
        assert!(soon("a list", sessions.next()).await.unwrap().is_some(), "{way:?}");
        soon("the end", connection.close()).await.unwrap();
        until("the server has no connection any more", || server.endpoint.connections() == 0).await;
    }
}

/// Most servers of HTTP/2 answer 100 to 250 requests at once over one connection of TCP: this one 200.
#[tokio::test]
async fn a_client_has_more_sessions_than_a_connection_of_http_2_has_streams() {
    let server = Server::new(HttpOptions::new()).await;
    let url = serve(axum::Router::new().route_service("/acp", server.endpoint.clone())).await;
    let connection = connect(Way::Http2.to(&url)).await;
    let mut sessions = Vec::new();
    for _ in 0..250 {
        sessions.push(session(&connection).await);
    }
    for session in &sessions {
        assert_eq!(said(session, "hello").await, "you said hello");
    }
}

#[tokio::test]
async fn a_cancel_reaches_the_turn() {
    let server = Server::new(HttpOptions::new()).await;
    for (number, way) in Way::ALL.into_iter().enumerate() {
        let connection = connect(way.to(&server.url)).await;
        let session = session(&connection).await;
        let mut turn = session.prompt("wait").await.unwrap();
        assert_eq!(soon("a text", turn.text()).await.unwrap().as_deref(), Some("waiting"));
        turn.cancel();
        soon("the end", turn.finish()).await.unwrap();
        assert_eq!(server.cancelled(), number + 1, "{way:?}");
    }
}

/// The server answers a load over the stream of the connection, and sends the history over the stream of the session.
#[tokio::test]
async fn the_history_of_a_session_comes_before_the_answer_of_its_load() {
    let server = Server::new(HttpOptions::new()).await;
    for way in Way::ALL {
        let first = connect(way.to(&server.url)).await;
        let id = {
            let session = session(&first).await;
            said(&session, "count 2000").await;
            session.id().clone()
        };
        let connection = connect(way.to(&server.url)).await;
        let mut loading = soon("the begin", connection.load_session(id, "/")).await.unwrap();
        let mut history = String::new();
        while let Some(update) = soon("the history", loading.next()).await.unwrap() {
            if let Update::Known(SessionUpdate::AgentMessageChunk(chunk)) = update {
                history.push_str(chunk.content.as_text().unwrap());
            }
        }
        let session = soon("the session", loading.finish()).await.unwrap();
        assert_eq!(history, counted(2000), "{way:?}");
        assert_eq!(said(&session, "hello").await, "you said hello", "{way:?}");
    }
}

#[tokio::test]
async fn a_session_that_is_not_there_leaves_no_stream() {
    let server = Server::new(HttpOptions::new()).await;
    for way in Way::ALL {
        let connection = connect(way.to(&server.url)).await;
        let loading = soon("the begin", connection.load_session("none", "/")).await.unwrap();
        let refused = soon("the answer", loading.finish()).await.unwrap_err();
        assert_eq!(refused.refusal().unwrap().code(), -32002, "{refused}");
        let session = session(&connection).await;
        assert_eq!(said(&session, "hello").await, "you said hello", "{way:?}");
    }
}

/// A client may ask about a session that it has not opened, or that has ended. Nobody reads a stream of it.
#[tokio::test]
async fn a_request_about_a_session_that_is_not_open_is_answered() {
    let server = Server::new(HttpOptions::new()).await;
    for way in Way::ALL {
        let connection = connect(way.to(&server.url)).await;
        let code = async |session: &str| {
            let about = json!({ "sessionId": session });
            let asking = connection.ext_request::<Value>("_x/any", &about);
            soon("the answer", asking).await.unwrap_err().refusal().unwrap().code()
        };
        let session = session(&connection).await;
        for id in ["none", session.id().as_ref(), "none"] {
            assert_eq!(code(id).await, -32601, "{way:?}");
        }
        assert_eq!(said(&session, "hello").await, "you said hello", "{way:?}");
        let id = session.id().clone();
        soon("the close", session.close()).await.unwrap();
        assert_eq!(code(id.as_ref()).await, -32601, "{way:?}");
        // The server may not have seen the end of an earlier stream.
        for _ in 0..5 {
            let session = soon("the resume", connection.resume_session(id.clone(), "/")).await.unwrap();
            assert_eq!(said(&session, "hello").await, "you said hello", "{way:?}");
            soon("the close", session.close()).await.unwrap();
        }
    }
}

#[tokio::test]
async fn a_client_that_takes_no_updates_stops_the_agent() {
    let server = Server::new(HttpOptions::new()).await;
    const MANY: u64 = 300_000;
    for way in Way::ALL {
        let before = server.written();
        let connection = connect(way.to(&server.url)).await;
        let session = session(&connection).await;
        let mut turn = session.prompt(format!("count {MANY}")).await.unwrap();
        assert!(turn.next().await.unwrap().is_some());
        // The agent writes until all buffers between it and the client are full.
        let mut last = 0;
        while server.written() != last {
            last = server.written();
            tokio::time::sleep(std::time::Duration::from_millis(500)).await;
        }
        assert!(((last - before) as u64) < MANY, "{way:?}: the agent was not stopped");
        turn.cancel();
        soon("the end", turn.finish()).await.unwrap();
    }
}
