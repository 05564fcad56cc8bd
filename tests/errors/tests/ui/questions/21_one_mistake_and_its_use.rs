use acp_runtime::prelude::*;

#[derive(Questions)]
struct Deploy {
    #[question(format = "mail")]
    branch: String,
}

async fn deploy(client: &Client) -> Result<Option<String>> {
    Ok(client.ask::<Deploy>("Where to?").await?.accepted().map(|deploy| deploy.branch))
}

fn main() {}
