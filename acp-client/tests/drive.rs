//! A client drives an agent of this workspace, in memory.

use crate::common::Subject;
use acp_client::{
    ConnectOptions, Connection, CurrentValue, Endpoint, ErrorKind, Session, Update, transport::memory,
    values::SessionUpdate,
};
use acp_runtime::{agent::ServeOptions, prelude::*};

async fn connect() -> Connection {
    let (near, far) = memory::pair();
    tokio::spawn(Subject::default().serve(far, ServeOptions::new()));
    // What comes in a turn differs in version 2.
    Endpoint::over(near).options(ConnectOptions::new().versions(1..=1)).connect().await.expect("it connects")
}

#[tokio::test]
async fn a_turn_is_its_updates_and_then_its_end() {
    let connection = connect().await;
    assert_eq!(connection.agent().agent_info.as_ref().unwrap().name, "subject");
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("one two three").await.unwrap();
    let mut words = Vec::new();
    while let Some(update) = turn.next().await.unwrap() {
        let Update::Known(SessionUpdate::AgentMessageChunk(_)) = &update else { panic!("{update:?}") };
        words.push(update.text().unwrap().to_owned());
    }
    assert_eq!(words, ["one", "two", "three"]);
    assert_eq!(turn.end().unwrap().stop_reason, Some(StopReason::EndTurn));
    assert!(turn.next().await.unwrap().is_none(), "asked again");
    let end = session.prompt("more").await.unwrap().finish().await.unwrap();
    assert_eq!(end.stop_reason, Some(StopReason::EndTurn));
    assert!(connection.close().await.unwrap().is_none());
}

#[tokio::test]
async fn a_turn_that_is_dropped_is_cancelled_and_the_next_waits_for_it() {
    let connection = connect().await;
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("wait").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("waiting"));
    drop(turn);
    let mut turn = session.prompt("next").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("next"));
    turn.cancel();
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::EndTurn));
    let mut turn = session.prompt("wait").await.unwrap();
    turn.cancel();
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    let error = session.prompt("fail").await.unwrap().finish().await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Refused { .. }), "{error}");
    // A client without handlers refuses every permission.
    let mut turn = session.prompt("ask").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("refused"));
}

#[tokio::test]
async fn options_are_what_the_agent_told_last() {
    let connection = connect().await;
    let session = connection.new_session("/tmp").await.unwrap();
    let brave = |session: &Session| {
        session.options().get("brave").and_then(|option| match option.current() {
            Some(CurrentValue::Boolean(on)) => Some(on),
            _ => None,
        })
    };
    assert_eq!(brave(&session), Some(false));
    let options = session.set_option("brave", true).await.unwrap();
    assert_eq!((options.iter().count(), brave(&session)), (1, Some(true)));
    let error = session.set_option("brave", "yes").await.unwrap_err();
    assert!(error.to_string().contains("on or off"), "{error}");
    let error = session.set_option("bold", true).await.unwrap_err();
    assert!(error.to_string().contains("no option `bold`"), "{error}");
}

#[tokio::test]
async fn a_load_gives_the_history_and_then_the_session() {
    let connection = connect().await;
    let id = connection.new_session("/tmp").await.unwrap().id().clone();
    let mut loading = connection.load_session(id.clone(), "/tmp").await.unwrap();
    let mut told = 0;
    while loading.next().await.unwrap().is_some() {
        told += 1;
    }
    let session = loading.finish().await.unwrap();
    assert_eq!((told, session.id()), (2, &id));
    let session = connection.load_session(id.clone(), "/tmp").await.unwrap().await.unwrap();
    let mut turn = session.prompt("on").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("on"));
}

#[tokio::test]
async fn a_history_is_also_there_undecoded() {
    let connection = connect().await;
    let id = connection.new_session("/tmp").await.unwrap().id().clone();
    let mut loading = connection.load_session(id.clone(), "/tmp").await.unwrap();
    let mut raw = Vec::new();
    while let Some(params) = loading.next_raw().await.unwrap() {
        raw.push(serde_json::from_str::<serde_json::Value>(&params).unwrap());
    }
    assert_eq!(raw.len(), 2);
    for params in raw {
        assert_eq!(params["sessionId"], id.as_str());
        assert!(params["update"]["sessionUpdate"].is_string(), "{params}");
    }
    assert_eq!(loading.finish().await.unwrap().id(), &id);
}
