//! What no good client sends: prompts beside a turn, methods that nobody knows, lines that are no messages.

use std::time::Duration;

use serde_json::json;

use super::super::talk::{BEGINS, Offers, Stop, Talk};

pub(super) async fn two_prompts(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    let slow = talk.settings.slow_prompt.clone();
    let first = talk.prompt(&session, &slow).await;
    let second = talk.prompt(&session, &slow).await;
    talk.until(BEGINS, |talk| talk.heard > 1 || talk.is_over(&first)).await?;
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    let limit = talk.settings.cancel;
    talk.until(limit, |talk| talk.has_answer(first.id)).await?;
    talk.until(BEGINS, |talk| talk.has_answer(second.id)).await?;
    // In version 1, an agent that lets prompts wait may take the cancellation for one of the first alone.
    if !talk.has_answer(second.id) {
        talk.notify("session/cancel", json!({"sessionId": session})).await;
    }
    let ended = talk.until(limit, |talk| talk.has_answer(first.id) && talk.has_answer(second.id)).await?;
    talk.observe("cancel-in-time", ended, format!("two prompts are cancelled, and not answered within {limit:?}"));
    talk.is_alive("two prompts").await
}

pub(super) async fn early(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let id = talk.ask("session/new", talk.opening()).await;
    // An agent may wait for `initialize`.
    talk.until(Duration::from_millis(300), |talk| talk.has_answer(id)).await?;
    let hello = Talk::hello(talk.version, Offers::All);
    let first = talk.ask("initialize", hello).await;
    talk.answer(first, "`initialize`", talk.settings.start).await?.ok();
    talk.is_alive("a request before `initialize`").await
}

pub(super) async fn again(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let hello = Talk::hello(talk.version, Offers::All);
    talk.call("initialize", hello).await?.ok();
    talk.is_alive("a second `initialize`").await
}

pub(super) async fn version(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let mut hello = Talk::hello(talk.version, Offers::All);
    hello["protocolVersion"] = 65_000.into();
    let id = talk.ask("initialize", hello).await;
    let answered = talk.answer(id, "`initialize`", talk.settings.start).await;
    talk.observe("other-version", answered.is_ok(), "does not answer `initialize` for the version 65000");
    answered.map(|_| ())
}

pub(super) async fn unknown(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.begin().await?;
    talk.call("acp-check/no-such-method", json!({})).await?.ok();
    let custom = "_acp-check/no-such-method";
    let custom = talk.refusable(custom, json!({}), &format!("`{custom}`")).await?;
    let code = custom.as_ref().err().map(|error| error["code"].clone());
    let text = match &code {
        None => "answers `_acp-check/no-such-method`, which it cannot know".to_owned(),
        Some(code) => format!("refuses `_acp-check/no-such-method`, which it cannot know, with {code}"),
    };
    talk.observe("custom-unknown", code == Some(json!(-32601)), text);
    talk.notify("acp-check/no-such-notification", json!({})).await;
    talk.notify("_acp-check/no-such-notification", json!({"any": [1]})).await;
    talk.notify("$/acp-check", json!({})).await;
    talk.listen(Duration::from_millis(100)).await?;
    talk.is_alive("methods that it does not know").await
}

pub(super) async fn malformed(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.begin().await?;
    let lines: [(&[u8], &str); 8] = [
        (b"this is no JSON", "a line that is no JSON"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":", "half a message"),
        // An agent that replaces such bytes has no JSON either.
        (b"{\"jsonrpc\":\xff\xfe}", "a line that is no UTF-8"),
        (b"7", "a number"),
        (b"{}", "an object that is no message"),
        (b"{\"jsonrpc\":\"2.0\"}", "a message without a method"),
        (b"", "an empty line"),
        (b"[{\"jsonrpc\":\"2.0\",\"method\":\"_acp-check/in-a-batch\"}]", "a list of messages"),
    ];
    for (line, name) in lines {
        talk.raw(line).await;
        talk.is_alive(name).await?;
    }
    Ok(())
}

pub(super) async fn answers(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.begin().await?;
    talk.settle(json!(4_000_000), json!({})).await;
    talk.settle(json!("nobody-asked"), json!({})).await;
    talk.is_alive("answers that nobody asked for").await
}
