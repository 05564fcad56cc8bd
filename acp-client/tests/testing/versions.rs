//! One test for both versions of the protocol.

use acp_client::{
    Steered as Outcome, TerminalState, Update,
    testing::{self, EndedTurn, Script},
    values::ToolCallContent,
};
use acp_runtime::prelude::*;
use tokio::sync::Notify;

/// Works until it is steered, and shows a command.
#[acp_agent(turns = "steer")]
#[derive(Clone, Default)]
struct Worker(std::sync::Arc<Notify>);

#[acp_agent]
impl Worker {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Work").id("work").start().await?;
        turn.message("begun").await?;
        turn.until_cancelled(self.0.notified()).await?;
        call.complete("done").await?;
        Ok(StopReason::EndTurn)
    }

    async fn steer(&self) -> Result<Steered> {
        self.0.notify_one();
        Ok(Steered::Joined)
    }
}

#[tokio::test]
async fn one_line_chooses_the_version_of_a_test() {
    let mut told = Vec::new();
    for version in [1, 2] {
        let agent = testing::connect_as(Worker::default(), Script::new().versions(version..=version)).await;
        assert_eq!(agent.version(), version);
        let session = agent.session().await;
        let mut turn = session.prompt("Work.").await.unwrap();
        while turn.next().await.unwrap().unwrap().text().is_none() {}
        assert!(session.can_steer());
        assert_eq!(session.steer("Enough.").await.unwrap(), Outcome::Injected);
        let turn = EndedTurn::of(turn).await.unwrap();
        assert_eq!(turn.stop_reason(), StopReason::EndTurn);
        told.push(turn.told());
        agent.finish().await;
    }
    assert_eq!(told[0], told[1], "the same is told in both versions");
}

/// Shows a command in a terminal of its own, and lets the client cancel what it does in the background.
#[acp_agent]
#[derive(Clone)]
struct Builder;

#[acp_agent]
impl Builder {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let call = turn.tool_call("Build").start().await?;
        let call = call.into_background().await?.cancellable().await?;
        tokio::spawn(async move {
            if call.until_cancelled(std::future::pending::<()>()).await.is_err() {
                return call.cancel().await;
            }
            Ok(())
        });
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_client_cancels_a_tool_call_of_an_agent_alone() {
    let agent = testing::connect_as(Builder, Script::new().versions(2..=2)).await;
    let session = agent.session().await;
    let turn = session.turn("Build.").await;
    let id = turn.tool_call("Build").tool_call_id.clone();
    let mut in_background =
        turn.updates().iter().filter_map(Update::state).filter_map(|state| state.background.as_ref());
    assert_eq!(in_background.next_back().map(Vec::len), Some(1));
    assert!(session.can_cancel_tool_call(id.clone()));
    session.cancel_tool_call(id.clone()).await.unwrap();
    while session.can_cancel_tool_call(id.clone()) {
        session.next_update().await.unwrap();
    }
    assert!(session.cancel_tool_call(id).await.unwrap_err().to_string().contains("at present"));
    agent.finish().await;
}

/// Runs a command of this machine.
#[acp_agent]
#[derive(Clone)]
struct Runner;

#[acp_agent]
impl Runner {
    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        let command = turn.client().workspace("/").command("echo").args(["said"]).start().await?;
        let call = turn.tool_call("Say").start().await?;
        call.show(&command).await?;
        command.finish().await?;
        call.complete(()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_terminal_of_an_agent_is_shown_to_its_end() {
    let agent = testing::connect_as(Runner, Script::new().versions(2..=2)).await;
    let turn = agent.session().await.turn("Go on.").await;
    let mut terminal = TerminalState::default();
    turn.updates().iter().filter_map(Update::terminal).for_each(|update| terminal.apply(update));
    assert_eq!(String::from_utf8_lossy(&terminal.output).trim_end(), "said");
    assert!(terminal.command.as_deref().is_some_and(|command| command.starts_with("echo")), "{terminal:?}");
    assert_eq!(terminal.exit.and_then(|exit| exit.code), Some(0));
    let ToolCallContent::Terminal(shown) = &turn.tool_call("Say").content[0] else { panic!("{turn:?}") };
    let named =
        turn.updates().iter().filter_map(Update::terminal).all(|update| update.terminal_id == shown.terminal_id);
    assert!(named, "{turn:?}");
    agent.finish().await;
}
