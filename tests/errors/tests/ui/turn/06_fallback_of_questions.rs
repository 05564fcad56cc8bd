use acp_runtime::{prelude::*, client::Elicitation};

#[derive(Questions)]
struct Release {
    version: String,
}

async fn value(client: &Client) -> Result<Elicitation<Release>> {
    client.ask::<Release>("Which?").or_else(Release { version: "1.0.0".to_owned() }).await
}

async fn another_type(client: &Client) -> Result<Elicitation<Release>> {
    client.ask::<Release>("Which?").or_else(|| "1.0.0").await
}

fn main() {}
