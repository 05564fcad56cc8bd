//! An agent that needs authentication, and says at run time who it is.

use acp_client::testing;
use acp_runtime::{prelude::*, values::AuthMethodAgent};

#[acp_agent(needs_auth, lenient(paths))]
#[derive(Clone)]
struct Account;

#[acp_agent]
impl Account {
    async fn initialize(&self, request: InitializeRequest) -> Initialized {
        let client = request.client_info.map(|info| info.name).unwrap_or_default();
        Initialized::new().title(format!("Account of {client}")).auth_method(AuthMethodAgent::new("account", "Sign in"))
    }

    async fn authenticate(&self, _request: AuthenticateRequest) {}

    async fn logout(&self) {}

    async fn prompt(&self, turn: Turn<Self>) -> Result<StopReason> {
        turn.tool_call("Look").location("notes.md").start().await?.complete("done").await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_gated_agent_keeps_the_rules() {
    let agent = testing::connect(Account).await;
    let info = agent.agent().agent_info.clone().expect("it says who it is");
    assert!(info.title.expect("a title").starts_with("Account of "));
    let refused = agent.new_session("/project").await.unwrap_err().to_string();
    assert!(refused.contains("authenticate first"), "{refused}");
    agent.authenticate("account").await.unwrap();
    let session = agent.session_with("/project").await;
    let turn = session.turn("Look").await;
    assert!(turn.told().contains("/project/notes.md"), "{}", turn.told());
    agent.logout().await.unwrap();
    let refused = session.prompt("Look").await.unwrap().text().await.unwrap_err().to_string();
    assert!(refused.contains("authenticate first"), "{refused}");
    agent.finish().await;
}
