//! Cancellations, at each point of a turn.

use std::time::Duration;

use acp_judge::{Departures, Finding};
use serde_json::json;
use tokio::time::Instant;

use super::super::talk::{BEGINS, Stop, Talk, Turn};

/// How long an agent has to withdraw its questions. Some leave them open.
const WITHDRAWS: Duration = Duration::from_millis(500);

/// How long a turn goes on, at the least, behind the time at which another one was cancelled.
const MARGIN: Duration = Duration::from_millis(500);

/// Waits for the end of a cancelled turn, and sees whether it came in time.
pub(super) async fn ended(talk: &mut Talk<'_>, turn: &Turn) -> Result<(), Stop> {
    let limit = talk.settings.cancel;
    let in_time = talk.until(limit, |talk| talk.is_over(turn)).await?;
    talk.observe("cancel-in-time", in_time, format!("a cancelled turn does not end within {limit:?}"));
    if in_time { Ok(()) } else { Err(Stop::Silent("a cancelled turn does not end".to_owned())) }
}

pub(super) async fn again(talk: &mut Talk<'_>, session: &str) -> Result<(), Stop> {
    let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
    talk.turn(session, &prompt).await
}

async fn slow(talk: &mut Talk<'_>) -> Result<(String, Turn), Stop> {
    let session = talk.begin().await?;
    let slow = talk.settings.slow_prompt.clone();
    let turn = talk.prompt(&session, &slow).await;
    Ok((session, turn))
}

pub(super) async fn at_once(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let (session, turn) = slow(talk).await?;
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    if talk.version == 2 {
        // A prompt that was not inserted yet is refused, and then there is no work that could end.
        talk.until(talk.settings.cancel, |talk| talk.has_answer(turn.id)).await?;
    }
    ended(talk, &turn).await?;
    again(talk, &session).await
}

/// Waits until a turn has said something, and cancels it. Returns whether it was still at work.
async fn cancelled(talk: &mut Talk<'_>, session: &str, turn: &Turn, heard: usize) -> Result<bool, Stop> {
    talk.until(BEGINS, |talk| talk.heard > heard + 1 || talk.is_over(turn)).await?;
    if talk.is_over(turn) {
        return Ok(false);
    }
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    ended(talk, turn).await?;
    // What comes now is late.
    talk.listen(Duration::from_millis(200)).await?;
    Ok(true)
}

pub(super) async fn in_turn(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let (session, turn) = slow(talk).await?;
    let began = Instant::now();
    if !cancelled(talk, &session, &turn, 0).await? {
        return Err(Stop::Without("a turn that lasts long enough: name a prompt with `--slow-prompt`"));
    }
    if let Some(doubt) = doubt(talk) {
        compare(talk, &session, &turn, began.elapsed(), doubt).await?;
    }
    again(talk, &session).await
}

/// A cancelled turn that ended not as one, but so soon that it may have ended by itself.
fn doubt(talk: &Talk<'_>) -> Option<Finding> {
    let review = acp_judge::review(&talk.wire.tape, &Departures::new());
    review.unproven.into_iter().find(|one| one.rule.id == "cancel-outcome")
}

/// Finds out whether it is the cancellation that ends a turn so: by a turn that is not cancelled at this time, and by one more that is.
async fn compare(talk: &mut Talk<'_>, session: &str, first: &Turn, time: Duration, doubt: Finding) -> Result<(), Stop> {
    let slow = talk.settings.slow_prompt.clone();
    let turn = talk.prompt(session, &slow).await;
    talk.until(time + MARGIN, |talk| talk.is_over(&turn)).await?;
    let without = if talk.is_over(&turn) {
        // Then only another kind of end tells something.
        if !talk.has_failed(first) || talk.has_failed(&turn) {
            return Ok(());
        }
        let heard = talk.heard;
        let turn = talk.prompt(session, &slow).await;
        cancelled(talk, session, &turn, heard).await?;
        "a turn that was not cancelled did not fail"
    } else {
        talk.notify("session/cancel", json!({"sessionId": session})).await;
        ended(talk, &turn).await?;
        "a turn goes on for longer without a cancellation"
    };
    if self::doubt(talk).is_some_and(|now| now.times > doubt.times) {
        let text = format!("{}: so it did twice, as soon as it was cancelled, and {without}", doubt.text);
        talk.observe_at(doubt.entry, "cancel-outcome", false, text);
    }
    Ok(())
}

pub(super) async fn while_asked(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    talk.holds = true;
    for prompt in &talk.settings.prompts {
        let turn = talk.prompt(&session, prompt).await;
        talk.until(talk.settings.turn, |talk| !talk.questions.is_empty() || talk.is_over(&turn)).await?;
        if talk.questions.is_empty() {
            talk.end_of(&turn, talk.settings.turn).await?;
            continue;
        }
        // Some ask for several things at once.
        talk.listen(Duration::from_millis(100)).await?;
        talk.notify("session/cancel", json!({"sessionId": session})).await;
        talk.holds = false;
        if talk.version == 2 {
            // An agent withdraws what it has asked.
            let are_withdrawn = |talk: &Talk<'_>| talk.questions.iter().all(|(id, _)| talk.withdrawn.contains(id));
            talk.until(WITHDRAWS, are_withdrawn).await?;
        }
        for (id, _) in std::mem::take(&mut talk.questions) {
            talk.settle(id, json!({"outcome": {"outcome": "cancelled"}})).await;
        }
        ended(talk, &turn).await?;
        return again(talk, &session).await;
    }
    Err(Stop::Without("a turn that asks for permission: name a prompt with `--prompt`"))
}

pub(super) async fn idle(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    again(talk, &session).await?;
    talk.notify("session/cancel", json!({"sessionId": session})).await;
    talk.notify("$/cancel_request", json!({"requestId": 4_000_000})).await;
    talk.listen(Duration::from_millis(100)).await?;
    again(talk, &session).await
}

pub(super) async fn request(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let (session, turn) = slow(talk).await?;
    talk.until(BEGINS, |talk| talk.heard > 0 || talk.is_over(&turn)).await?;
    talk.notify("$/cancel_request", json!({"requestId": turn.id})).await;
    // An agent may ignore it.
    talk.until(Duration::from_millis(500), |talk| talk.is_over(&turn)).await?;
    if !talk.is_over(&turn) {
        talk.notify("session/cancel", json!({"sessionId": session})).await;
    }
    ended(talk, &turn).await?;
    again(talk, &session).await
}

pub(super) async fn close(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let (session, turn) = slow(talk).await?;
    if !talk.offers("session/close") {
        talk.notify("session/cancel", json!({"sessionId": session})).await;
        ended(talk, &turn).await?;
        return Err(Stop::Without("`session/close`"));
    }
    talk.until(BEGINS, |talk| talk.heard > 0 || talk.is_over(&turn)).await?;
    talk.call("session/close", json!({"sessionId": session})).await?.ok();
    let limit = talk.settings.cancel;
    let in_time = talk.until(limit, |talk| talk.has_answer(turn.id)).await?;
    talk.observe("cancel-in-time", in_time, format!("the turn of a closed session does not end within {limit:?}"));
    // What comes now is late.
    talk.listen(Duration::from_millis(200)).await
}
