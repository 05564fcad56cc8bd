//! The end of a connection and its cause.

use acp_client::{
    ConnectOptions, End, Endpoint, ErrorKind,
    transport::{ByteStream, memory},
};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use super::{Agent, Plain, open, soon};

#[tokio::test(start_paused = true)]
async fn an_agent_that_closes_its_input_is_said_to() {
    let (near, far) = memory::pair();
    let (to_agent, from_client) = tokio::io::duplex(1 << 16);
    let (from_agent, _) = tokio::io::split(near.into_stream());
    let (mut agent, mut requests) = (Agent(far.into_lines()), BufReader::new(from_client).lines());
    let answers = async {
        for result in [json!({"protocolVersion": 1}), json!({"sessionId": "s"})] {
            let request: Value = serde_json::from_str(&requests.next_line().await.unwrap().unwrap()).unwrap();
            agent.send(json!({"jsonrpc": "2.0", "id": request["id"], "result": result})).await;
        }
    };
    let connect = async {
        let connection = Endpoint::over(ByteStream::new(from_agent, to_agent)).connect().await.unwrap();
        (connection.new_session("/tmp").await.unwrap(), connection)
    };
    let ((_session, connection), ()) = tokio::join!(connect, answers);
    drop(requests);
    let error = soon(connection.ext_request::<()>("_x/ask", &())).await.unwrap_err();
    assert!(error.to_string().contains("it closed its input"), "{error}");
    assert!(matches!(soon(connection.closed()).await, End::InputClosed));
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_this_client_drops_is_said_to_be_closed_by_it() {
    let (connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let turn = session.prompt("talk").await.unwrap();
    agent.next().await;
    drop(connection);
    let error = soon(turn.finish()).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Ended { how: End::Closed, .. }), "{error}");
}

/// The agent ends as soon as its input does, before the client has noticed that its own messages are sent.
#[tokio::test(start_paused = true)]
async fn what_is_asked_after_the_client_has_closed_the_connection_does_not_blame_the_agent() {
    let (connection, session, mut agent) = open(Plain, ConnectOptions::new()).await;
    let ending = async {
        assert!(soon(agent.0.next_line()).await.unwrap().is_none(), "nothing was queued");
        drop(agent);
    };
    let (closed, ()) = tokio::join!(soon(connection.close()), ending);
    closed.unwrap();
    for error in [
        soon(session.prompt("more")).await.unwrap_err(),
        soon(session.prompt_beside("more")).await.unwrap_err(),
        soon(session.close()).await.unwrap_err(),
    ] {
        let ErrorKind::Ended { method, how: End::Closed } = error.kind() else { panic!("{error}") };
        let text = format!("`{method}` is not answered: this client has closed the connection");
        assert_eq!(error.to_string(), text);
    }
}

#[test]
fn a_connection_that_never_began_is_not_said_to_have_ended() {
    let told = |method: &str| {
        let how = End::Broken("the server cannot be reached".into());
        ErrorKind::Ended { method: method.into(), how }.to_string()
    };
    assert_eq!(
        told("initialize"),
        "there is no connection to the agent, so `initialize` is not answered: the server cannot be reached"
    );
    assert_eq!(
        told("session/new"),
        "the connection ended before the answer to `session/new`: the server cannot be reached"
    );
}
