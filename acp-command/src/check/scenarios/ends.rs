//! The end of an agent: by its input, by a signal, in a turn; and a client that reads slowly.

use std::time::Duration;

use serde_json::json;
use tokio::time::sleep;

use super::super::{
    group,
    talk::{BEGINS, Offers, Stop, Talk},
};

/// How long nothing is read.
const PAUSE: Duration = Duration::from_millis(1500);
/// How long the system has to report the end of a process.
const GRACE: Duration = Duration::from_secs(1);

/// Ends the input, and sees whether the process ends.
pub(super) async fn by_input(talk: &mut Talk<'_>, rule: &'static str) {
    if std::mem::replace(&mut talk.was_ended, true) || !talk.wire.has_process() {
        return;
    }
    if talk.wire.has_ended() {
        // It has ended by itself.
        talk.wire.exit(GRACE).await;
        return left(talk).await;
    }
    talk.wire.hang_up();
    let limit = talk.settings.exit;
    // What it says until then is recorded.
    let _ = talk.listen(limit).await;
    let status = talk.wire.exit(if talk.wire.has_ended() { limit } else { Duration::ZERO }).await;
    talk.observe(rule, status.is_some(), format!("still runs {limit:?} after the end of its input"));
    let Some(status) = status else { return };
    let text = format!("ends with its input, and says that it failed: {status}");
    talk.observe_end("exit-code", status.success(), text).await;
    left(talk).await;
}

async fn left(talk: &mut Talk<'_>) {
    // They have as much time as the agent itself.
    let until = tokio::time::Instant::now() + talk.settings.exit;
    let mut left = group::left(talk.wire.group());
    while !left.is_empty() && tokio::time::Instant::now() < until {
        sleep(Duration::from_millis(20)).await;
        left = group::left(talk.wire.group());
    }
    left.sort();
    talk.observe("processes-left", left.is_empty(), format!("leaves processes behind: {}", left.join(", ")));
}

pub(super) async fn idle(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.begin().await.map(|_| ())
}

pub(super) async fn at_start(_: &mut Talk<'_>) -> Result<(), Stop> {
    Ok(())
}

pub(super) async fn in_turn(talk: &mut Talk<'_>) -> Result<(), Stop> {
    working(talk).await?;
    by_input(talk, "exit-in-turn").await;
    Ok(())
}

/// Begins a turn that is at work.
async fn working(talk: &mut Talk<'_>) -> Result<(), Stop> {
    let session = talk.begin().await?;
    let slow = talk.settings.slow_prompt.clone();
    let turn = talk.prompt(&session, &slow).await;
    talk.until(BEGINS, |talk| talk.heard > 0 || talk.is_over(&turn)).await?;
    if talk.is_over(&turn) {
        Err(Stop::Without("a turn that lasts long enough: name a prompt with `--slow-prompt`"))
    } else {
        Ok(())
    }
}

pub(super) async fn slow_reader(talk: &mut Talk<'_>) -> Result<(), Stop> {
    talk.initialize(Offers::All).await?;
    let (session, _) = talk.open().await?;
    let prompt = talk.settings.prompts.first().cloned().unwrap_or_default();
    let turn = talk.prompt(&session, &prompt).await;
    // Requests come in, too, while nobody takes the answers.
    for _ in 0..20 {
        talk.notify("session/cancel", json!({"sessionId": "acp-check-has-no-such-session"})).await;
    }
    sleep(PAUSE).await;
    let limit = talk.settings.turn;
    let ended = talk.until(limit, |talk| talk.is_over(&turn)).await?;
    talk.observe(
        "slow-reader",
        ended,
        format!("nothing was read for {PAUSE:?}, and the turn does not end within {limit:?}"),
    );
    Ok(())
}

async fn by_signal(talk: &mut Talk<'_>) {
    talk.was_ended = true;
    talk.signalled = Some(talk.wire.tape.entries().len());
    talk.wire.terminate();
    let limit = talk.settings.exit;
    let _ = talk.listen(limit).await;
    let status = talk.wire.exit(if talk.wire.has_ended() { limit } else { Duration::ZERO }).await;
    talk.observe("exit-by-signal", status.is_some(), format!("still runs {limit:?} after SIGTERM"));
    if status.is_some() {
        left(talk).await;
    }
}

pub(super) async fn terminate(talk: &mut Talk<'_>) -> Result<(), Stop> {
    if !cfg!(unix) {
        return Err(Stop::Without("signals of this system"));
    }
    talk.begin().await?;
    by_signal(talk).await;
    Ok(())
}

pub(super) async fn terminate_in_turn(talk: &mut Talk<'_>) -> Result<(), Stop> {
    if !cfg!(unix) {
        return Err(Stop::Without("signals of this system"));
    }
    working(talk).await?;
    by_signal(talk).await;
    Ok(())
}
