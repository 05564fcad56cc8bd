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
