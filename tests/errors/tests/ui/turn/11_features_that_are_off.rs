use acp_client::{Endpoint, testing};
use acp_runtime::{client::Workspace, prelude::*};

async fn test(turn: &Turn<()>, cwd: &str) -> Result<()> {
    let workspace = turn.client().workspace(cwd);
    let notes = workspace.read("NOTES.md").await?;
    let call = turn.tool_call("Test").start().await?;
    call.run(workspace.shell(notes)).await?;
    call.run("cargo test").await?;
    Ok(())
}

async fn far() -> acp_client::Result<()> {
    let connection = Endpoint::url("https://example.com/acp").connect().await?;
    drop(connection);
    Ok(())
}

fn main() {
    drop(far());
}
