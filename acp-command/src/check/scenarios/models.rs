//! A model that fails, keeps silent or calls wrong tools: it is scripted.

use std::time::Duration;

use serde_json::json;

use super::{
    super::talk::{BEGINS, Stop, Talk, Turn},
    cancels::{again, ended},
};

/// How long an agent has until its tool runs.
const TOOL: Duration = Duration::from_secs(10);

/// Begins a turn, and waits until the model is asked.
async fn asks_model(talk: &mut Talk<'_>, session: &str, prompt: &str) -> Result<Turn, Stop> {
    let count = talk.settings.model.clone().expect("the scenarios of models are played with one");
    let before = count.get();
    let turn = talk.prompt(session, prompt).await;
    // The agent's messages do not show its request.
    let limit = tokio::time::Instant::now() + talk.settings.answer;
    while count.get() == before && tokio::time::Instant::now() < limit && !talk.is_over(&turn) {
        talk.until(Duration::from_millis(20), |talk| talk.is_over(&turn)).await?;
    }
    match count.get() == before {
        true => {
            Err(Stop::Without("a model behind OPENAI_BASE_URL or ANTHROPIC_BASE_URL: nobody asked the scripted one"))
        }
        false => Ok(turn),
    }
}

/// A turn whose model fails: it ends, or the agent tries again until it is cancelled. The next turn works.
async fn failing(talk: &mut Talk<'_>, session: &str, prompt: &str) -> Result<(), Stop> {
    let turn = asks_model(talk, session, prompt).await?;
    if !talk.until(talk.settings.answer, |talk| talk.is_over(&turn)).await? {
        talk.notify("session/cancel", json!({"sessionId": session})).await;
        ended(talk, &turn).await?;
    }
    again(talk, session).await
}

async fn one_failing(talk: &mut Talk<'_>, prompt: &str) -> Result<(), Stop> {
    let session = talk.begin().await?;
    failing(talk, &session, prompt).await
}

pub(super) async fn busy(talk: &mut Talk<'_>) -> Result<(), Stop> {
    one_failing(talk, "model:429").await
}

pub(super) async fn fails(talk: &mut Talk<'_>) -> Result<(), Stop> {
    one_failing(talk, "model:500").await
}

pub(super) async fn breaks(talk: &mut Talk<'_>) -> Result<(), Stop> {
    one_failing(talk, "model:breaks").await
}

pub(super) async fn wrong_calls(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    failing(talk, &session, "model:unknown-tool").await?;
    failing(talk, &session, "model:bad-arguments").await
}

pub(super) async fn silent(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    let turn = asks_model(talk, &session, "model:silent").await?;
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    ended(talk, &turn).await?;
    again(talk, &session).await
}

pub(super) async fn in_tool(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    talk.client.runs = true;
    let turn = asks_model(talk, &session, "model:long-tool").await?;
    let is_reported = |talk: &Talk<'_>| talk.calls > 0;
    talk.until(TOOL, |talk| is_reported(talk) || talk.is_over(&turn)).await?;
    // The command begins behind the report of its call.
    talk.until(BEGINS, |talk| talk.is_over(&turn)).await?;
    if !is_reported(talk) || talk.is_over(&turn) {
        talk.kill_commands().await;
        return Err(Stop::Without("a tool that runs a long command: some agents need `--allow`"));
    }
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    let end = ended(talk, &turn).await;
    talk.kill_commands().await;
    end?;
    again(talk, &session).await
}
