//! Prompts beside a turn: of agents that let them wait, that take them into the turn, and that refuse them.

use acp_client::testing::{self, EndedTurn};
use acp_runtime::{prelude::*, session::TurnHandle};

#[acp_agent(turns = "queue")]
#[derive(Clone)]
struct Queueing;

#[acp_agent]
impl Queueing {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        if request.text() == "long" {
            turn.cancelled().await;
        }
        Ok(StopReason::EndTurn)
    }
}

#[acp_agent(turns = "steer")]
#[derive(Clone)]
struct Steering(std::sync::Arc<tokio::sync::Notify>);

#[acp_agent]
impl Steering {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Work").start().await?;
        self.0.notified().await;
        call.complete(()).await?;
        Ok(StopReason::MaxTokens)
    }

    async fn steer(&self, turn: TurnHandle<Self>) -> Result<Steered> {
        turn.message("Aye.").await?;
        self.0.notify_one();
        Ok(Steered::Joined)
    }
}

#[acp_agent]
#[derive(Clone)]
struct Refusing;

#[acp_agent]
impl Refusing {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("begun").await?;
        turn.cancelled().await;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_prompt_beside_a_turn_waits_and_a_cancel_ends_all() {
    let agent = testing::connect(Queueing).await;
    let session = agent.session().await;
    let mut turn = session.prompt("long").await.unwrap();
    assert_eq!(turn.text().await.unwrap().unwrap(), "long");
    let waiting = session.prompt_beside("two").await.unwrap();
    drop(session.prompt_beside("withdrawn").await.unwrap());
    turn.cancel();
    assert_eq!(EndedTurn::of(turn).await.unwrap().stop_reason(), StopReason::Cancelled);
    assert_eq!(waiting.end().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    agent.finish().await;
}

#[tokio::test]
async fn the_turn_of_a_prompt_beside_reports_outside_of_turns_and_can_be_cancelled() {
    let agent = testing::connect(Queueing).await;
    let session = agent.session().await;
    let first = session.prompt("short").await.unwrap();
    let second = session.prompt_beside("long").await.unwrap();
    first.finish().await.unwrap();
    // In version 2, the state and the prompt come before it.
    while session.next_update().await.unwrap().text() != Some("long") {}
    assert!(session.cancel());
    assert_eq!(second.end().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    assert!(!session.cancel(), "nothing is left");
    agent.finish().await;
}

#[tokio::test]
async fn a_prompt_that_joins_a_turn_ends_with_it() {
    let agent = testing::connect(Steering(std::sync::Arc::default())).await;
    let session = agent.session().await;
    let mut turn = session.prompt("go").await.unwrap();
    turn.next().await.unwrap().unwrap();
    let joined = session.prompt_beside("more").await.unwrap();
    let turn = EndedTurn::of(turn).await.unwrap();
    assert_eq!((turn.text().as_str(), turn.stop_reason()), ("Aye.", StopReason::MaxTokens));
    assert_eq!(joined.end().await.unwrap().stop_reason, Some(StopReason::MaxTokens));
    agent.finish().await;
}

#[tokio::test]
async fn a_prompt_beside_a_turn_is_a_mistake_where_the_agent_refuses_it() {
    // In version 2, it waits.
    let agent = testing::connect_as(Refusing, super::version_1()).await;
    let session = agent.session().await;
    let mut turn = session.prompt("go").await.unwrap();
    assert_eq!(turn.text().await.unwrap().unwrap(), "begun");
    let refused = session.prompt_beside("more").await.unwrap().end().await.unwrap_err();
    assert!(refused.to_string().contains("its last prompt is not answered yet"), "{refused}");
    turn.cancel();
    turn.finish().await.unwrap();
    let rules: Vec<_> = agent.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["one-turn"]);
    agent.allow("one-turn", "the client of this test does it").finish().await;
}
