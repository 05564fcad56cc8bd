//! The agent of these tests. Each prompt is a word that names what a turn does with its tool calls.

use std::collections::BTreeMap;

use acp_runtime::{
    client::Permission,
    prelude::*,
    session::ToolCallBuilder,
    values::{SessionUpdate, Terminal, TerminalId, ToolCall, ToolCallContent, ToolCallUpdate},
};
use serde_json::json;

#[acp_agent]
#[derive(Clone)]
pub(super) struct Worker;

#[acp_agent]
impl Worker {
    async fn load_session(&self, replay: Replay) -> Result<()> {
        replay.update(SessionUpdate::ToolCall(ToolCall::new("replayed", "Look"))).await?;
        replay.update(SessionUpdate::ToolCall(ToolCall::new("replayed", "Look again"))).await
    }

    async fn close_session(&self) {}

    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        let text = request.text();
        let mut words = text.split(' ');
        let (what, rest) = (words.next().unwrap_or_default(), words.collect::<Vec<_>>());
        match what {
            "id" => turn.tool_call("Look").id(rest[0]).start().await?.complete(()).await?,
            "raw-id" => turn.update(SessionUpdate::ToolCall(ToolCall::new(rest[0], "Look"))).await?,
            "relative" => drop(turn.tool_call("Look").id(rest[0]).location("src").start().await?),
            "end" => end(&turn, rest[0]).await?,
            "loop" => two_tools(&turn, rest[0]).await?,
            "contents" => contents(&turn).await?,
            "empty" => empty(&turn).await?,
            "changed" => changed(&turn).await?,
            "ask" => ask(&turn, rest[0]).await?,
            "await" => {
                let call = turn.tool_call(rest[0]).start().await?;
                said(&turn, &call.permission().remember(rest[0]).await?).await?;
                call.complete(()).await?;
            }
            "tool" => {
                let call = rest.iter().fold(turn.tool_call("Do it"), with_tool).start().await?;
                let permission = call.permission().remember_tool().ask().await?;
                said(&turn, &permission).await?;
                call.complete(()).await?;
            }
            "both" => {
                let (first, second) = tokio::join!(ask(&turn, rest[0]), ask(&turn, rest[1]));
                first.and(second)?;
            }
            "known" => turn.message(json!(turn.permissions()).to_string()).await?,
            "restore" => turn.restore_permissions(BTreeMap::from([(rest[0].to_owned(), rest[1] == "allowed")])),
            "forget" => turn.message(format!("{:?}", turn.forget_permission(rest[0]))).await?,
            _ => turn.message(text).await?,
        }
        Ok(StopReason::EndTurn)
    }
}

fn with_tool(call: ToolCallBuilder, word: &&str) -> ToolCallBuilder {
    match *word {
        "edit" => call.kind(ToolKind::Edit),
        name => call.name(name),
    }
}

async fn end(turn: &Turn<Worker>, how: &str) -> Result<()> {
    let call = turn.tool_call("Search").location_at("/a", 3).start().await?;
    match how {
        "found" => call.raw_output(json!({ "hits": 1 })).location_at("/b", 7).location("/c").complete("1 hit").await,
        "ok" => call.raw_output("raw").finish(Ok::<_, Error>(Diff::new("/a", "new"))).await,
        "error" => call.finish(Err::<(), _>(std::io::Error::other("no such index"))).await,
        "causes" => {
            use anyhow::Context;
            let failed: anyhow::Result<()> = Err(anyhow::anyhow!("connection refused"));
            call.finish(failed.context("the index is not reachable")).await
        }
        "withdrawn" => call.finish(Err::<(), _>(Error::request_cancelled())).await,
        "zero" => call.location_at("/b", 0).complete(()).await,
        _ => Ok(()),
    }
}

/// The first tool ends with the cancel of the turn.
async fn two_tools(turn: &Turn<Worker>, how: &str) -> Result<()> {
    let call = turn.tool_call("Wait").start().await?;
    turn.message("waiting").await?;
    let waited = turn.until_cancelled(std::future::pending::<()>()).await;
    call.finish(if how == "cancelled" { waited } else { Ok(()) }).await?;
    turn.message("the next tool").await
}

async fn contents(turn: &Turn<Worker>) -> Result<()> {
    let terminal = || TerminalId::from("t");
    let call = turn.tool_call("Show").content(["a", "b"]).content(Some("c")).content(None::<String>).start().await?;
    let text = &"d".to_owned();
    call.show(text).await?;
    call.show(Terminal::new(terminal())).await?;
    call.show(vec![ToolCallContent::from("e"), terminal().into()]).await?;
    call.complete(()).await
}

/// Shows texts without a character.
async fn empty(turn: &Turn<Worker>) -> Result<()> {
    let call = turn.tool_call("Run").content("50%").content("").start().await?;
    call.show(["", "a"]).await?;
    call.show(()).await?;
    call.complete("").await?;
    let call = turn.tool_call("Run").start().await?;
    call.finish(Err::<(), _>("")).await
}

/// Asks about a call that has changed since its start.
async fn changed(turn: &Turn<Worker>) -> Result<()> {
    let call = turn.tool_call("Edit").content("first draft").location("/a").start().await?;
    call.show("second draft").await?;
    call.update(ToolCallUpdate::new("ignored").title("Edit two files".to_owned())).await?;
    call.ask_permission().await?;
    call.complete(()).await
}

/// Asks about a call, remembers the answer, and says what it was.
async fn ask(turn: &Turn<Worker>, key: &str) -> Result<()> {
    let call = turn.tool_call(key).start().await?;
    let permission = call.permission().remember(key).ask().await?;
    said(turn, &permission).await?;
    if permission.is_allowed() { call.complete(()).await } else { call.fail("rejected").await }
}

async fn said(turn: &Turn<Worker>, permission: &Permission) -> Result<()> {
    let (allowed, remembered) = (permission.is_allowed(), permission.is_remembered());
    turn.message(format!("allowed {allowed}, lasting {}, remembered {remembered}", permission.is_lasting())).await
}
