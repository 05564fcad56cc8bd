//! The slash commands of an agent, in the test of their author.

use acp_client::{
    Update, testing,
    values::{
        AvailableCommand, AvailableCommandInput, ContentBlock, ResourceLink, SessionUpdate, UnstructuredCommandInput,
    },
};
use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Cook;

#[acp_agent]
impl Cook {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if let Some((name, arguments)) = request.command() {
            turn.message(format!("recipe {name} for {arguments}")).await?;
        } else {
            turn.commands([AvailableCommand::new("soup", "Cooks soup")]).await?;
        }
        Ok(StopReason::EndTurn)
    }

    /// Sets the table.
    #[command(hint = "for whom")]
    async fn table(&self, guests: Arguments, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(format!("a table for {guests}, {} blocks", request.prompt.len())).await?;
        Ok(StopReason::EndTurn)
    }
}

fn table() -> AvailableCommand {
    AvailableCommand::new("table", "Sets the table.")
        .input(AvailableCommandInput::from(UnstructuredCommandInput::new("for whom")))
}

#[tokio::test]
async fn the_author_of_commands_tests_what_is_offered_and_what_it_does() {
    let agent = testing::connect(Cook).await;
    let session = agent.session().await;
    assert_eq!(session.commands().await, [table()]);
    assert_eq!(session.turn("/table two").await.text(), "a table for two, 1 blocks");
    let blocks = vec![ContentBlock::from("/table"), ContentBlock::ResourceLink(ResourceLink::new("list", "file:///l"))];
    assert_eq!(session.turn(blocks).await.text(), "a table for , 2 blocks");

    session.turn("what else").await;
    assert_eq!(session.commands().await, [table(), AvailableCommand::new("soup", "Cooks soup")]);
    assert_eq!(session.turn("/soup two").await.text(), "recipe soup for two");
    agent.finish().await;
}

#[tokio::test]
async fn the_announcement_is_an_update_of_the_session_too() {
    let agent = testing::connect(Cook).await;
    let session = agent.session().await;
    let Some(Update::Known(SessionUpdate::AvailableCommandsUpdate(update))) = session.next_update().await else {
        panic!("the first update has the commands");
    };
    assert_eq!(update.available_commands, [table()]);
    agent.finish().await;
}
