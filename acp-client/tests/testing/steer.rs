//! What the user says to a turn that runs: `Session::steer`.

use std::sync::{Arc, Mutex};

use acp_client::{
    ErrorKind, Steered as Outcome,
    testing::{self, EndedTurn},
    values::{ContentBlock, ImageContent},
};
use acp_runtime::prelude::*;
use tokio::sync::Notify;

/// Works until it is told to stop, and says what it is told.
#[acp_agent(turns = "steer")]
#[derive(Clone, Default)]
struct Steering {
    told: Arc<Mutex<Vec<String>>>,
    stop: Arc<Notify>,
}

#[acp_agent]
impl Steering {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Work").start().await?;
        turn.message(request.text()).await?;
        if request.text() != "short" {
            turn.until_cancelled(self.stop.notified()).await?;
        }
        call.complete(()).await?;
        let told = std::mem::take(&mut *self.told.lock().expect("no handler panics with it"));
        turn.message(told.join(" ")).await?;
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self, request: PromptRequest) -> Result<Steered> {
        match &*request.text() {
            "queue" => return Ok(Steered::Queued),
            "refuse" => return Err(Error::invalid_params("not this")),
            "stop" => self.stop.notify_one(),
            text => self.told.lock().expect("no handler panics with it").push(text.to_owned()),
        }
        Ok(Steered::Joined)
    }
}

/// Takes no prompts during a turn.
#[acp_agent]
#[derive(Clone)]
struct Refusing;

#[acp_agent]
impl Refusing {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn a_turn_takes_in_what_the_user_adds() {
    let agent = testing::connect(Steering::default()).await;
    let session = agent.session().await;
    assert!(session.can_steer());
    let mut turn = session.prompt("go").await.unwrap();
    assert_eq!(turn.text().await.unwrap().unwrap(), "go");
    assert_eq!(session.steer("left").await.unwrap(), Outcome::Injected);
    assert_eq!(session.steer_or_begin("right").await.unwrap(), Outcome::Injected);
    let refused = session.steer("refuse").await.unwrap_err();
    assert!(refused.to_string().contains("not this"), "{refused}");
    let image = ContentBlock::Image(ImageContent::new("", "image/png"));
    assert!(matches!(session.steer(image).await.unwrap_err().kind(), ErrorKind::NotOffered { .. }));
    assert_eq!(session.steer("stop").await.unwrap(), Outcome::Injected);
    assert_eq!(EndedTurn::of(turn).await.unwrap().text(), "left right");
    agent.finish().await;
}

#[tokio::test]
async fn without_a_turn_the_client_prompts_or_a_turn_begins() {
    let agent = testing::connect(Steering::default()).await;
    let session = agent.session().await;
    assert_eq!(session.steer("short").await.unwrap(), Outcome::PromptRequired);
    assert!(!session.cancel(), "nothing runs");
    assert_eq!(session.steer_or_begin("go").await.unwrap(), Outcome::StartedNewTurn);
    while session.next_update().await.unwrap().text() != Some("go") {}
    assert_eq!(session.steer("left").await.unwrap(), Outcome::Injected);
    assert!(session.cancel());
    // Its end is seen by the next turn.
    session.prompt("short").await.unwrap().finish().await.unwrap();
    agent.finish().await;
}

#[tokio::test]
async fn a_cancel_rejects_what_waits() {
    let agent = testing::connect(Steering::default()).await;
    let session = agent.session().await;
    let mut turn = session.prompt("go").await.unwrap();
    assert_eq!(turn.text().await.unwrap().unwrap(), "go");
    let (rejected, ()) = tokio::join!(session.steer("queue"), async {
        // The message is sent when the other future has waited once.
        tokio::task::yield_now().await;
        turn.cancel();
    });
    let rejected = rejected.unwrap_err();
    assert!(rejected.to_string().contains("-32800"), "{rejected}");
    turn.finish().await.unwrap();
    agent.finish().await;
}

#[tokio::test]
async fn an_agent_that_does_not_offer_it_is_not_asked() {
    let agent = testing::connect(Refusing).await;
    let session = agent.session().await;
    assert!(!session.can_steer());
    let refused = session.steer("left").await.unwrap_err();
    assert!(matches!(refused.kind(), ErrorKind::NotOffered { .. }));
    assert!(refused.to_string().contains("_meta.steering.supported"), "{refused}");
    agent.finish().await;
}
