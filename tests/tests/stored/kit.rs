//! The testing kit, with an agent that declares a store.

use acp_client::testing::connect;

use super::{agent::Keeper, store::Store};

#[tokio::test]
async fn an_author_tests_that_a_session_comes_back() {
    let store = Store::default();
    let agent = connect(Keeper::on(&store)).await;
    let session = agent.session().await;
    assert_eq!(session.turn("Hello").await.text(), "You said Hello");
    let id = session.id().clone();
    agent.finish().await;

    let agent = connect(Keeper::on(&store)).await;
    let loaded = agent.load_session(id, "/").await.expect("asked").await.expect("it was kept");
    let mut turn = loaded.prompt("history").await.expect("it takes prompts");
    let mut said = String::new();
    while let Some(text) = turn.text().await.expect("a message") {
        said.push_str(&text);
    }
    assert_eq!(said, "Hello|history");
    agent.finish().await;
}
