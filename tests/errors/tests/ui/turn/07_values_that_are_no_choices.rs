use acp_runtime::{prelude::*, client::Elicitation};

#[derive(Questions)]
struct Release {
    version: String,
}

async fn numbers(client: &Client) -> Result<Elicitation<Release>> {
    client.ask::<Release>("Which?").offer("version", [1, 2]).await
}

async fn one(client: &Client) -> Result<Elicitation<Release>> {
    client.ask::<Release>("Which?").offer("version", 1).await
}

fn main() {}
