//! Sessions that come back.

use super::agent::{connect, opening, session, set, shown, told};

#[tokio::test]
async fn a_session_comes_back_after_its_process_was_killed() {
    let (mut peer, store, id) = session().await;
    assert_eq!(told(&mut peer, &id, "Hello").await, "You said Hello");
    peer.call("session/set_config_option", set(&id, "smart")).await.expect("set");
    assert_eq!(told(&mut peer, &id, "think").await, "Let me see.Done.");
    // Nothing of the first process runs any more, and it gave nothing back.
    let mut other = connect(&store.of_another_process()).await;
    let loaded = other.call("session/load", opening(&id)).await.expect("loaded");
    assert_eq!(loaded["configOptions"][0]["currentValue"], "smart");
    assert_eq!(
        shown(&other.updates()),
        [
            "user_message_chunk: Hello",
            "agent_message_chunk: You said Hello",
            "user_message_chunk: think",
            "agent_thought_chunk: Let me see.",
            "agent_message_chunk: Done.",
        ]
    );
    assert_eq!(told(&mut other, &id, "history").await, "Hello|think|history");
    assert_eq!(told(&mut other, &id, "options").await, "Smart false");
}
