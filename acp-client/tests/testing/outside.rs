//! An agent that speaks outside of turns: it replays the history of an open session, and reports of its own accord.

use acp_client::testing::{
    self, Decision,
    judge::{self, Level},
};
use acp_runtime::{
    prelude::*,
    session::OpenedBy,
    values::{PermissionOption, PermissionOptionKind, ToolCallUpdate},
};

#[acp_agent]
#[derive(Clone)]
struct Talkative;

#[acp_agent]
impl Talkative {
    async fn new_session(&self) {}

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<()> {
        replay.user("hi").await?;
        match request.cwd.ends_with("gone") {
            true => Err(Error::internal_error("the history ends here")),
            false => Ok(()),
        }
    }

    async fn session_opened(&self, session: SessionHandle<Self>, how: OpenedBy) -> Result<()> {
        if how == OpenedBy::Loaded {
            session.thought("Where were we?").await?;
        }
        Ok(())
    }

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.message("Hello.").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn an_open_session_is_loaded_again_and_its_agent_may_report_outside_of_a_turn() {
    let agent = testing::connect_as(Talkative, super::version_1()).await;
    let session = agent.session().await;
    session.turn("Hello").await;
    agent.load_session(session.id().clone(), "/gone").await.unwrap().finish().await.unwrap_err();
    assert!(agent.conversation().contains("user_message_chunk"), "the history came: {}", agent.conversation());
    let noted = judge::judge(&agent.tape());
    assert!(noted.is_empty(), "a replay is no report, also when it fails: {noted:?}");
    session.turn("Hello").await;
    let session = agent.load_session(session.id().clone(), "/project").await.unwrap().finish().await.unwrap();
    let thought = session.next_update().await.unwrap();
    assert_eq!(thought.text(), None, "a thought is no text of the answer: {thought:?}");
    let noted: Vec<_> = judge::judge(&agent.tape());
    let noted: Vec<_> = noted.iter().map(|finding| (finding.rule.level, &*finding.text)).collect();
    assert_eq!(noted, [(Level::Note, "sends `agent_thought_chunk` outside of a turn")]);
    agent.finish().await;
}

/// Asks for permission as soon as a session is open.
#[acp_agent]
#[derive(Clone)]
struct Early;

#[acp_agent]
impl Early {
    async fn session_opened(&self, session: SessionHandle<Self>, client: Client) -> Result<()> {
        let options = [("yes", PermissionOptionKind::AllowOnce), ("no", PermissionOptionKind::RejectOnce)];
        let options = options.map(|(id, kind)| PermissionOption::new(id, id, kind));
        let call = ToolCallUpdate::new("index").title("Index the project".to_owned());
        let answer = client.request_permission(call, options.to_vec()).await?;
        session.thought(if answer.is_allowed() { "allowed" } else { "not allowed" }).await
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

#[tokio::test]
async fn an_agent_may_ask_for_permission_outside_of_a_turn() {
    let script = super::version_1().permissions([Decision::AllowOnce]);
    let agent = testing::connect_as(Early, script).await;
    let session = agent.session().await;
    let said = session.next_update().await.unwrap();
    assert!(format!("{said:?}").contains("\"allowed\""), "{said:?}");
    let noted = judge::judge(&agent.tape());
    let noted: Vec<_> = noted.iter().map(|finding| (finding.rule.level, finding.rule.id)).collect();
    let expected = ["permission-tool-call", "permission-in-turn", "updates-in-turn"].map(|rule| (Level::Note, rule));
    assert_eq!(noted, expected);
    agent.finish().await;
}
