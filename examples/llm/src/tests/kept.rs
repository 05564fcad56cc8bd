//! Login, and sessions that last.

use std::{path::Path, sync::Arc};

use acp_client::testing;
use acp_client::values::ListSessionsRequest;
use acp_runtime::store::MemoryStore;
use serde_json::json;

use super::{
    fake::{Fake, says},
    llm_with,
};
use crate::{Llm, key::KeyFile, server::Server};

#[tokio::test]
async fn a_session_goes_on_in_another_process() {
    let fake = Fake::new([says("Hello."), says("Blue.")]).await;
    let store = Arc::new(MemoryStore::new());
    let begin = |store| llm_with(&fake.url, None, Path::new("/nowhere/sessions.db"), store);
    let agent = testing::connect(begin(store.clone())).await;
    let session = agent.session().await;
    super::until("the models", || session.options().get("model").is_some()).await;
    super::select_unlisted(&agent, &session, "of-tomorrow").await;
    session.turn("I like blue.").await;
    let id = session.id().clone();
    agent.allow("option-offered", super::OPEN).finish().await;

    let agent = testing::connect(begin(store)).await;
    let listed = agent
        .list_sessions(ListSessionsRequest::new())
        .expect("a list")
        .next()
        .await
        .expect("a page")
        .expect("a session");
    assert_eq!((&listed.session_id, listed.title.as_deref()), (&id, Some("I like blue.")));
    let mut loading = agent.load_session(id, "/project").await.expect("a session");
    let mut replayed = String::new();
    while let Some(update) = loading.next().await.expect("a replay") {
        replayed.push_str(update.text().unwrap_or_default());
    }
    let session = loading.finish().await.expect("a session");
    assert!(replayed.contains("Hello."), "{replayed}");
    session.prompt("Which colour?").await.expect("a turn").finish().await.expect("an end");
    assert_eq!(fake.messages("user"), ["I like blue.", "Which colour?"]);
    assert_eq!((fake.messages("assistant"), &fake.asked()["model"]), (vec![json!("Hello.")], &json!("of-tomorrow")));
    agent.finish().await;
}

#[tokio::test]
async fn a_conversation_that_was_cleared_is_not_shown_again() {
    let fake = Fake::new([says("Blue.")]).await;
    let store = Arc::new(MemoryStore::new());
    let agent = testing::connect(llm_with(&fake.url, None, Path::new("/nowhere/sessions.db"), store.clone())).await;
    let session = agent.session().await;
    session.turn("My colour is blue.").await;
    session.turn("/clear").await;
    let id = session.id().clone();
    agent.finish().await;

    let agent = testing::connect(llm_with(&fake.url, None, Path::new("/nowhere/sessions.db"), store)).await;
    let mut loading = agent.load_session(id, "/project").await.expect("a session");
    let mut replayed = Vec::new();
    while let Some(update) = loading.next().await.expect("a replay") {
        replayed.extend(update.text().map(str::to_owned));
    }
    loading.finish().await.expect("a session");
    assert_eq!(replayed, ["The conversation is forgotten."], "what the agent has said");
    agent.finish().await;
}

#[tokio::test]
async fn without_a_key_the_vendor_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions.db");
    let server = Arc::new(Server::new(None, None, sessions.clone()).expect("HTTP"));
    let agent = Llm { server: server.clone(), model: String::new(), store: Arc::new(MemoryStore::new()) };
    let agent = testing::connect(agent).await;
    let refused = agent.new_session("/project").await.expect_err("there is no key").to_string();
    assert!(refused.contains("authenticate first"), "{refused}");
    // `llm --login` in a terminal has written the key.
    KeyFile::new("https://api.openai.com/v1", &sessions).write("secret\n").unwrap();
    // The vendor itself would refuse this key.
    assert!(server.has_credentials());
    agent.finish().await;
}

#[tokio::test]
async fn a_key_is_for_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions.db");
    let (one, other) = (Fake::new([says("Hi.")]).await, Fake::new([says("Hi.")]).await);
    KeyFile::new(&one.url, &sessions).write("for one").unwrap();
    for (fake, header) in [(one, "Bearer for one"), (other, "")] {
        let agent = testing::connect(llm_with(&fake.url, None, &sessions, Arc::new(MemoryStore::new()))).await;
        agent.session().await.turn("Hi").await;
        assert_eq!(fake.authorization(), header);
        agent.finish().await;
    }
}

#[tokio::test]
async fn an_empty_key_of_the_environment_leaves_room_for_that_of_the_login() {
    let folder = tempfile::tempdir().unwrap();
    let sessions = folder.path().join("sessions.db");
    let fake = Fake::new([says("Hi.")]).await;
    KeyFile::new(&fake.url, &sessions).write("kept").unwrap();
    // As in the settings that the README shows.
    let agent = testing::connect(llm_with(&fake.url, Some(""), &sessions, Arc::new(MemoryStore::new()))).await;
    agent.session().await.turn("Hi").await;
    assert_eq!(fake.authorization(), "Bearer kept");
    agent.finish().await;
}

#[tokio::test]
async fn a_key_can_be_checked_before_a_session_is_opened() {
    let fake = Fake::new([]).await;
    let agent = testing::connect(super::llm(&fake.url)).await;
    agent.authenticate("key").await.expect("the server lists its models");
    assert_eq!(fake.times_asked(), 0);
    agent.finish().await;
}
