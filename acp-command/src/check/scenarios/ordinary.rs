//! Ordinary life: what an editor does all day.

use serde_json::{Value, json};

use super::super::talk::{BEGINS, Offers, Stop, Talk};

pub(super) async fn life(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let (session, _) = talk.open().await?;
    for prompt in &talk.settings.prompts {
        talk.turn(&session, prompt).await?;
    }
    if talk.offers("session/list") {
        talk.demand("session/list", json!({"cwd": talk.folder()})).await?;
        talk.demand("session/list", json!({})).await?;
    }
    if talk.offers("session/close") {
        talk.demand("session/close", json!({"sessionId": session})).await?;
        // An agent of version 2 has to be content with it, and one of version 1 may refuse it.
        talk.call("session/close", json!({"sessionId": session})).await?.ok();
    }
    if talk.offers("session/delete") {
        talk.demand("session/delete", json!({"sessionId": session})).await?;
        talk.call("session/delete", json!({"sessionId": session})).await?.ok();
        if talk.offers("session/list") {
            talk.demand("session/list", json!({})).await?;
        }
    }
    Ok(())
}

/// The id of an option, and each of its values.
fn values(option: &Value, version: u16) -> (Value, Vec<Value>) {
    let id = option[if version == 2 { "configId" } else { "id" }].clone();
    if option["type"] == "boolean" {
        let now = option["currentValue"] == true;
        return (id, vec![json!(!now), json!(now)]);
    }
    let entries = option["options"].as_array().into_iter().flatten();
    let of = |entry: &Value| match entry["options"].as_array() {
        Some(group) => group.iter().map(|value| value["value"].clone()).collect(),
        None => vec![entry["value"].clone()],
    };
    (id, entries.flat_map(of).collect())
}

/// The params that set an option.
pub(super) fn set(session: &str, id: &Value, value: &Value, version: u16) -> Value {
    let mut params = json!({"sessionId": session, "configId": id, "value": value});
    match value {
        Value::Bool(_) => params["type"] = "boolean".into(),
        _ if version == 2 => params["type"] = "id".into(),
        _ => {}
    }
    params
}

pub(super) async fn options(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let (session, opened) = talk.open().await?;
    let (options, modes) = (opened["configOptions"].clone(), opened["modes"]["availableModes"].clone());
    let has_options = options.as_array().is_some_and(|options| !options.is_empty());
    if !has_options && (talk.version == 2 || !modes.is_array()) {
        return Err(Stop::Without("options or modes"));
    }
    let mut shown = options;
    let ids: Vec<_> = shown.as_array().into_iter().flatten().map(|option| values(option, talk.version).0).collect();
    for id in ids {
        // A value may change which values the other options have.
        let of = |option: &&Value| values(option, talk.version).0 == id;
        let Some(option) = shown.as_array().into_iter().flatten().find(of).cloned() else { continue };
        // The first one is there already: an answer that leaves out an option then cannot mean that it is gone.
        let offered = values(&option, talk.version).1.into_iter();
        for value in std::iter::once(option["currentValue"].clone()).chain(offered) {
            let now = shown.as_array().into_iter().flatten().find(|option| values(option, talk.version).0 == id);
            if !now.is_some_and(|option| values(option, talk.version).1.contains(&value)) {
                continue;
            }
            let params = set(&session, &id, &value, talk.version);
            if let Ok(result) = talk.call("session/set_config_option", params).await? {
                shown = result["configOptions"].clone();
            }
        }
    }
    if talk.version == 1 {
        for mode in modes.as_array().into_iter().flatten() {
            talk.call("session/set_mode", json!({"sessionId": session, "modeId": mode["id"]})).await?.ok();
        }
    }
    // The changes are told at the latest in a turn.
    let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
    talk.turn(&session, &prompt).await
}

pub(super) async fn bare(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::Nothing).await?;
    let (session, _) = talk.open().await?;
    for prompt in &talk.settings.prompts {
        talk.turn(&session, prompt).await?;
    }
    Ok(())
}

pub(super) async fn two_sessions(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let first = talk.begin().await?;
    let (second, _) = talk.open().await?;
    let slow = talk.settings.slow_prompt.clone();
    let (one, two) = (talk.prompt(&first, &slow).await, talk.prompt(&second, &slow).await);
    talk.until(BEGINS, |talk| talk.heard > 0 || talk.is_over(&one)).await?;
    talk.notify("session/cancel", json!({"sessionId": first})).await;
    talk.end_of(&one, talk.settings.cancel).await?;
    // The judge sees whether the other turn was cancelled with it.
    talk.until(talk.settings.cancel.min(std::time::Duration::from_secs(1)), |talk| talk.is_over(&two)).await?;
    if !talk.is_over(&two) {
        talk.notify("session/cancel", json!({"sessionId": second})).await;
    }
    talk.end_of(&two, talk.settings.cancel).await
}

pub(super) async fn reload(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    let (loads, resumes) = (talk.offers("session/load"), talk.offers("session/resume"));
    if !loads && !resumes {
        return Err(Stop::Without("`session/load` or `session/resume`"));
    }
    for prompt in &talk.settings.prompts {
        talk.turn(&session, prompt).await?;
    }
    let mut params = talk.opening();
    params["sessionId"] = session.clone().into();
    let closes = talk.offers("session/close");
    for (method, is_offered) in [("session/load", loads), ("session/resume", resumes), ("session/resume", resumes)] {
        if !is_offered {
            continue;
        }
        if closes {
            talk.demand("session/close", json!({"sessionId": session})).await?;
        }
        let mut params = params.clone();
        if talk.version == 2 && method == "session/resume" {
            params["replayFrom"] = json!({"type": "start"});
        }
        talk.demand(method, params).await?;
        let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
        talk.turn(&session, &prompt).await?;
    }
    Ok(())
}

pub(super) async fn pages(talk: &mut Talk<'_>) -> Result<(), Stop> {
    /// A list of more pages is not read to its end.
    const MOST: usize = 20;
    let session = talk.begin().await?;
    if !talk.offers("session/list") {
        return Err(Stop::Without("`session/list`"));
    }
    talk.open().await?;
    // Some agents keep a session only when something was said in it.
    let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
    talk.turn(&session, &prompt).await?;
    let mut params = json!({"cwd": talk.folder()});
    for _ in 0..MOST {
        let result = talk.demand("session/list", params.clone()).await?;
        match result["nextCursor"].as_str() {
            Some(cursor) => params["cursor"] = cursor.into(),
            None => break,
        }
    }
    talk.demand("session/list", json!({"cwd": "/acp-check-has-no-such-folder"})).await.map(|_| ())
}
