//! What an agent has to refuse: values, sessions, capabilities and params.

use std::time::Duration;

use serde_json::{Value, json};

use super::{
    super::talk::{Answer, Offers, Stop, Talk},
    content,
    ordinary::set,
};

/// A name that no agent has given to anything.
const NOTHING: &str = "acp-check-has-no-such-thing";

/// How long an agent has to tell what it offers.
const SETTLES: Duration = Duration::from_millis(200);

/// After so many requests without an answer, no more is learned by another one.
const MOST_SILENT: usize = 2;

/// `method not found` of JSON-RPC.
const METHOD_NOT_FOUND: i64 = -32601;
/// The session is not there.
const UNKNOWN_SESSION: i64 = -32002;

pub(super) async fn values(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let login = if talk.version == 1 { "authenticate" } else { "auth/login" };
    if talk.offers(login) {
        talk.call(login, json!({"methodId": NOTHING})).await?.ok();
    }
    let (session, opened) = talk.open().await?;
    // Some agents tell the values of their options behind the answer.
    talk.listen(SETTLES).await?;
    let key = if talk.version == 2 { "configId" } else { "id" };
    for option in opened["configOptions"].as_array().into_iter().flatten() {
        let params = set(&session, &option[key], &json!(NOTHING), talk.version);
        talk.call("session/set_config_option", params).await?.ok();
    }
    if opened["configOptions"].as_array().is_some_and(|options| !options.is_empty()) {
        let params = set(&session, &json!(NOTHING), &json!(NOTHING), talk.version);
        talk.call("session/set_config_option", params).await?.ok();
    }
    if talk.version == 1 && opened["modes"].is_object() {
        talk.call("session/set_mode", json!({"sessionId": session, "modeId": NOTHING})).await?.ok();
    }
    if talk.offers("session/list") {
        talk.call("session/list", json!({"cursor": NOTHING})).await?.ok();
    }
    Ok(())
}

pub(super) async fn sessions(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let (_, opened) = talk.open().await?;
    let prompt = Talk::text(NOTHING, talk.settings.prompts.first().map_or("", String::as_str));
    talk.refusable("session/prompt", prompt, "`session/prompt` for a session that is not there").await?.ok();
    talk.notify("session/cancel", json!({"sessionId": NOTHING})).await;
    let key = if talk.version == 2 { "configId" } else { "id" };
    if let Some(option) = opened["configOptions"].as_array().and_then(|options| options.first()) {
        let params = set(NOTHING, &option[key], &option["currentValue"], talk.version);
        let what = "`session/set_config_option` for a session that is not there";
        match talk.refusable("session/set_config_option", params, what).await {
            Err(Stop::Ended) => {
                talk.ended_after(&format!("after {what}")).await;
                return Err(Stop::Ended);
            }
            answered => drop(answered?),
        }
    }
    let mut params = talk.opening();
    params["sessionId"] = NOTHING.into();
    for method in ["session/load", "session/resume"] {
        if talk.offers(method) {
            talk.call(method, params.clone()).await?.ok();
        }
    }
    talk.is_alive("a call for a session that is not there").await
}

/// Compares what the agent advertises with its answer about a session that is not there.
fn served(talk: &mut Talk<'_>, method: &str, answer: &Answer) {
    let code = answer.as_ref().err().and_then(|error| error["code"].as_i64());
    if talk.offers(method) {
        let text = format!("advertises `{method}`, and answers that there is no such method");
        return talk.observe("advertised-dead", code != Some(METHOD_NOT_FOUND), text);
    }
    // Other errors may come before the agent has looked at the method.
    let is_served = matches!(code, None | Some(UNKNOWN_SESSION));
    talk.observe("served-hidden", !is_served, format!("serves `{method}`, and does not advertise it"));
}

pub(super) async fn unoffered(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    let mut named = talk.opening();
    named["sessionId"] = NOTHING.into();
    let methods: &[(&str, Value)] = &[
        ("session/list", json!({})),
        ("session/load", named.clone()),
        ("session/resume", named.clone()),
        ("session/delete", json!({"sessionId": NOTHING})),
        ("session/close", json!({"sessionId": NOTHING})),
    ];
    let version = talk.version;
    for (method, params) in methods.iter().filter(|(method, _)| version == 1 || *method != "session/load") {
        let answer = talk.call(method, params.clone()).await?;
        served(talk, method, &answer);
    }
    let server = json!({"type": "http", "name": "x", "url": "http://127.0.0.1:9", "headers": []});
    let openings = [
        ("mcpServers", server, "mcpCapabilities/http", "mcp/http"),
        (
            "additionalDirectories",
            json!("/acp-check-has-no-such-folder"),
            "sessionCapabilities/additionalDirectories",
            "additionalDirectories",
        ),
    ];
    for (name, value, in_first, in_second) in openings {
        let place = match version {
            1 => format!("/agentCapabilities/{in_first}"),
            _ => format!("/capabilities/session/{in_second}"),
        };
        if matches!(talk.agent.pointer(&place), None | Some(Value::Null | Value::Bool(false))) {
            let mut opening = talk.opening();
            opening[name] = json!([value]);
            talk.call("session/new", opening).await?.ok();
        }
    }
    for (name, block) in content::blocks() {
        if !content::is_taken(talk, name) {
            let before = talk.prompt_of(&session, json!([block])).await;
            talk.end_of(&before, talk.settings.turn).await?;
        }
    }
    Ok(())
}

/// Requests with wrong params, each with its mistake.
fn wrong(session: &str) -> [(&'static str, Value, &'static str); 7] {
    let prompt = |prompt: Value| json!({"sessionId": session, "prompt": prompt});
    [
        ("session/new", json!({}), "without params"),
        ("session/new", json!({"cwd": 7, "mcpServers": []}), "with a number as `cwd`"),
        ("session/new", json!({"cwd": "relative/folder", "mcpServers": []}), "with a relative `cwd`"),
        ("session/prompt", json!({"sessionId": session}), "without `prompt`"),
        ("session/prompt", prompt(json!("text")), "with a text as `prompt`"),
        ("session/prompt", prompt(json!([{"type": "text"}])), "with a block of text without `text`"),
        ("session/prompt", json!([session]), "with a list as params"),
    ]
}

pub(super) async fn params(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let mut session = talk.begin().await?;
    let mut silent = Vec::new();
    for at in 0..wrong(&session).len() {
        let (method, params, mistake) = wrong(&session)[at].clone();
        let what = format!("`{method}` {mistake}");
        match talk.refusable(method, params, &what).await {
            Err(stop @ Stop::Silent(_)) => {
                // Others may be answered, if the agent goes on. What it may do with this one is not disturbed.
                talk.is_alive(&what).await?;
                session = talk.open().await?.0;
                silent.push(stop);
            }
            other => drop(other?),
        }
        if silent.len() == MOST_SILENT {
            break;
        }
    }
    talk.is_alive("invalid params").await?;
    // Nobody answers a notification, so an agent can only pass over it.
    talk.notify("session/cancel", json!({})).await;
    talk.is_alive("`session/cancel` without `sessionId`").await?;
    silent.into_iter().next().map_or(Ok(()), Err)
}
