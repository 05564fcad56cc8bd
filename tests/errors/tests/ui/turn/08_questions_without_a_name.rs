use acp_runtime::prelude::*;

async fn ask(client: &Client) -> Result<()> {
    client.ask("Which?").await?;
    Ok(())
}

fn main() {}
