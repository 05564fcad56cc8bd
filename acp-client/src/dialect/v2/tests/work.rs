//! Tool calls and terminals that the client may cancel alone, and what it hears of terminals.

use serde_json::json;

use super::*;
use crate::{ErrorKind, TerminalExit, TerminalOutput, TerminalState, TerminalUpdate, Update};

/// Tells of work, and waits until the client has heard it.
async fn tells(agent: &mut Agent, kind: &str, mut update: Value) {
    update["sessionUpdate"] = kind.into();
    agent.update(update).await;
    agent.is_heard().await;
}

#[tokio::test]
async fn work_is_cancelled_alone_while_it_says_that_it_can_be() {
    let (_connection, session, mut agent) = open().await;
    let cancel = json!({ "cancel": {} });
    for (update, can_cancel) in [
        (json!({ "title": "Build" }), false),
        (json!({ "capabilities": cancel }), true),
        (json!({ "status": "paused" }), true),
        (json!({ "capabilities": null }), false),
        (json!({ "capabilities": cancel }), true),
        (json!({ "capabilities": {} }), false),
        (json!({ "capabilities": cancel, "status": "in_progress" }), true),
        (json!({ "status": "cancelled" }), false),
    ] {
        let mut call = update.clone();
        call["toolCallId"] = "c".into();
        tells(&mut agent, "tool_call_update", call).await;
        assert_eq!(session.can_cancel_tool_call("c"), can_cancel, "{update}");
    }
    for (update, can_cancel) in [
        (json!({ "command": "make" }), false),
        (json!({ "capabilities": cancel }), true),
        (json!({ "capabilities": null }), false),
        (json!({ "capabilities": cancel }), true),
        (json!({ "exitStatus": { "exitCode": 0 } }), false),
        (json!({ "exitStatus": null }), true),
    ] {
        let mut terminal = update.clone();
        terminal["terminalId"] = "t".into();
        tells(&mut agent, "terminal_update", terminal).await;
        assert_eq!(session.can_cancel_terminal("t"), can_cancel, "{update}");
    }
    // What has another shape offers nothing, so it is not checked against the types.
    for malformed in [json!(true), json!({ "cancel": true }), json!({ "cancel": [] })] {
        tells(&mut agent, "tool_call_update", json!({ "toolCallId": "d", "capabilities": cancel })).await;
        assert!(session.can_cancel_tool_call("d"));
        let update = json!({ "sessionUpdate": "tool_call_update", "toolCallId": "d", "capabilities": malformed });
        agent.send(json!({ "method": "session/update", "params": { "sessionId": "s", "update": update } })).await;
        agent.is_heard().await;
        assert!(!session.can_cancel_tool_call("d"), "{malformed}");
    }

    tells(&mut agent, "tool_call_update", json!({ "toolCallId": "c2", "capabilities": cancel })).await;
    let (done, ()) = tokio::join!(
        async {
            session.cancel_tool_call("c2").await?;
            session.cancel_terminal("t").await
        },
        async {
            let (id, params) = agent.asked::<v2::CancelToolCallRequest>("tool_call/cancel").await;
            assert_eq!(params, json!({ "sessionId": "s", "toolCallId": "c2" }));
            agent.answer::<v2::CancelToolCallResponse>(&id, json!({})).await;
            let (id, params) = agent.asked::<v2::CancelTerminalRequest>("terminal/cancel").await;
            assert_eq!(params, json!({ "sessionId": "s", "terminalId": "t" }));
            agent.answer::<v2::CancelTerminalResponse>(&id, json!({})).await;
        }
    );
    done.unwrap();

    // Without the capability, nothing is sent: the next that the agent hears is its own question.
    for (error, named) in [
        (session.cancel_tool_call("c").await.unwrap_err(), "`tool_call/cancel` for the tool call `c` at present"),
        (session.cancel_terminal("none").await.unwrap_err(), "`terminal/cancel` for the terminal `none` at present"),
    ] {
        assert!(matches!(error.kind(), ErrorKind::NotOffered { capability: "capabilities.cancel", .. }), "{error}");
        assert!(error.to_string().contains(named), "{error}");
    }
    agent.is_heard().await;
}

#[tokio::test]
async fn on_version_1_no_work_is_cancelled_alone() {
    let answer = json!({ "protocolVersion": 1 });
    let (connection, mut agent) = connect(Editor, ConnectOptions::new(), answer).await;
    let connection = connection.unwrap();
    let (session, ()) = tokio::join!(connection.new_session("/"), async {
        let request = agent.next().await;
        agent.send(json!({ "id": request["id"], "result": { "sessionId": "s" } })).await;
    });
    let session = session.unwrap();
    let call =
        json!({ "sessionUpdate": "tool_call", "toolCallId": "c", "title": "t", "capabilities": { "cancel": {} } });
    agent.send(json!({ "method": "session/update", "params": { "sessionId": "s", "update": call } })).await;
    agent.is_heard().await;
    assert!(!session.can_cancel_tool_call("c") && !session.can_cancel_terminal("t"));
    let error = session.cancel_tool_call("c").await.unwrap_err();
    assert!(error.to_string().contains("`tool_call/cancel`, which version 1 of the protocol lacks"), "{error}");
    let error = session.cancel_terminal("t").await.unwrap_err();
    assert!(error.to_string().contains("`terminal/cancel`, which version 1 of the protocol lacks"), "{error}");
    agent.is_heard().await;
}

/// What a client gets for an update of a terminal.
fn read(update: &Value) -> Option<TerminalUpdate> {
    let params = json!({ "sessionId": "s", "update": update });
    match Update::read(&params.to_string()) {
        Update::Terminal(terminal) => Some(terminal),
        Update::Unknown(_) => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_terminal_is_what_its_updates_say() {
    let mut terminal = TerminalState::default();
    let told = |terminal: &mut TerminalState, kind: &str, mut update: Value| {
        update["terminalId"] = "t".into();
        update["sessionUpdate"] = kind.into();
        checked::<v2::UpdateSessionNotification>(json!({ "sessionId": "s", "update": update }));
        let read = read(&update).unwrap();
        assert_eq!(read.terminal_id.as_ref(), "t");
        assert_eq!(serde_json::from_str::<Value>(read.raw.get()).unwrap(), update);
        terminal.apply(&read);
        read
    };
    let begin =
        json!({ "command": "ls", "cwd": "/p", "size": { "cols": 80, "rows": 24 }, "capabilities": { "cancel": {} } });
    let read_first = told(&mut terminal, "terminal_update", begin);
    assert_eq!((read_first.output, read_first.can_cancel), (None, Some(true)));
    assert!(read_first.exit.is_undefined());
    let piece = told(&mut terminal, "terminal_output_chunk", json!({ "data": "w6Q=" }));
    assert_eq!(piece.output, Some(TerminalOutput::Appended("ä".into())));
    told(&mut terminal, "terminal_output_chunk", json!({ "data": "aGk=" }));
    let size = terminal.size.map(|size| (size.columns, size.rows));
    assert_eq!((terminal.command.as_deref(), size), (Some("ls"), Some((80, 24))));
    assert_eq!((&*terminal.output, terminal.can_cancel, &terminal.exit), ("ähi".as_bytes(), true, &None));
    assert_eq!(terminal.cwd.as_deref(), Some(std::path::Path::new("/p")));

    told(&mut terminal, "terminal_update", json!({ "output": { "data": "eA==" }, "command": null, "size": null }));
    assert_eq!((&*terminal.output, &terminal.command, terminal.size.is_none()), (&b"x"[..], &None, true));
    told(&mut terminal, "terminal_update", json!({ "output": null, "capabilities": null }));
    assert_eq!((&*terminal.output, terminal.can_cancel), (&b""[..], false));
    told(&mut terminal, "terminal_update", json!({ "exitStatus": { "exitCode": -1, "signal": "SIGKILL" } }));
    let exit = TerminalExit { code: Some(-1), signal: Some("SIGKILL".to_owned()) };
    assert_eq!(terminal.exit, Some(exit));
    told(&mut terminal, "terminal_update", json!({ "exitStatus": {} }));
    assert_eq!(terminal.exit, Some(TerminalExit::default()), "it has ended, and nobody knows how");
}

#[test]
fn what_of_a_terminal_cannot_be_read_counts_as_absent() {
    let update = json!({
        "sessionUpdate": "terminal_update", "terminalId": "t", "command": 5, "cwd": [], "output": { "data": "?" },
        "exitStatus": "over", "size": { "cols": 0, "rows": 1 },
    });
    let read_update = read(&update).unwrap();
    assert!(read_update.command.is_undefined() && read_update.cwd.is_undefined() && read_update.exit.is_undefined());
    assert!(read_update.size.is_undefined() && read_update.output.is_none() && read_update.can_cancel.is_none());
    // A piece without its bytes is no piece, and an update needs a terminal.
    for update in [
        json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t", "data": "?" }),
        json!({ "sessionUpdate": "terminal_output_chunk", "terminalId": "t" }),
        json!({ "sessionUpdate": "terminal_update", "command": "ls" }),
    ] {
        assert!(read(&update).is_none(), "{update}");
    }
}
