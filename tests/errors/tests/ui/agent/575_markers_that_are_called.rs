use acp_runtime::client::Client;
use acp_runtime::prelude::*;
use acp_runtime::schema::v1::{CancelNotification, PromptRequest as Prompt, methods};

async fn of_the_agent(client: &Client, prompt: &Prompt) -> Result<()> {
    client.call::<methods::Prompt>(prompt).await?;
    Ok(())
}

async fn a_notification(client: &Client, update: &acp_runtime::schema::v1::SessionNotification) -> Result<()> {
    client.call::<methods::SessionUpdate>(update).await?;
    Ok(())
}

async fn a_request(client: &Client, read: &acp_runtime::schema::v1::ReadTextFileRequest) -> Result<()> {
    client.notify::<methods::ReadTextFile>(read).await
}

async fn to_the_agent(client: &Client, cancel: &CancelNotification) -> Result<()> {
    client.notify::<methods::Cancel>(cancel).await
}

async fn a_type(client: &Client, prompt: &Prompt) -> Result<()> {
    client.call::<Prompt>(prompt).await?;
    Ok(())
}

fn main() {}
