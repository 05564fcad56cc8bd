//! `kill -9` at random moments. What the client was told stays, whole and once.

use std::{
    env,
    hash::{BuildHasher as _, RandomState},
    time::{Duration, Instant},
};

use acp_client::{Session, Update, values::SessionUpdate};

use super::coder::{Coder, answer, load, shown};

/// What the client knows of its session.
#[derive(Debug, Default)]
struct Told {
    /// So many turns ended.
    turns: usize,
    model: Setting,
    brave: Setting,
    /// Over all rounds.
    sets: usize,
}

/// A value that was acknowledged, and one that was sent later.
#[derive(Debug, Default)]
struct Setting {
    told: String,
    sent: Option<String>,
}

impl Setting {
    /// The session has this value now.
    fn check(&mut self, now: String) {
        let known = self.told.is_empty() || self.told == now || self.sent.as_ref() == Some(&now);
        assert!(known, "`{now}` is kept, {self:?}");
        *self = Self { told: now, sent: None };
    }
}

fn random(below: u64) -> u64 {
    RandomState::new().hash_one(0) % below
}

pub(crate) fn prompt_of(turn: usize) -> String {
    format!("turn {turn}{}", " and".repeat(turn % 7))
}

/// Prompts and sets options until the process is gone.
async fn drive(session: &Session, told: &mut Told) -> acp_client::Error {
    loop {
        let done = match random(4) {
            0 => set(session, "model", ["fast", "smart"], told).await,
            1 => set(session, "brave", [false, true], told).await,
            _ => answer(session, &prompt_of(told.turns + 1)).await.map(|_| told.turns += 1),
        };
        if let Err(error) = done {
            return error;
        }
    }
}

async fn set<T>(session: &Session, option: &str, values: [T; 2], told: &mut Told) -> acp_client::Result<()>
where
    T: ToString + Into<acp_client::values::SessionConfigOptionValue>,
{
    let [first, second] = values;
    let value = if random(2) == 0 { first } else { second };
    let known = if option == "model" { &mut told.model } else { &mut told.brave };
    known.sent = Some(value.to_string());
    session.set_option(option, value).await?;
    known.told = known.sent.take().unwrap_or_default();
    told.sets += 1;
    Ok(())
}

/// The number of turns in a history. Each is whole, and there once.
pub(crate) type TurnsOf = fn(&[Update]) -> usize;

/// The turns of the coder.
pub(crate) fn turns_of(history: &[Update]) -> usize {
    for (index, turn) in history.chunks(4).enumerate() {
        let prompt = prompt_of(index + 1);
        let [begin, thought, plan, said] = turn else { panic!("turn {} has a part only: {turn:?}", index + 1) };
        let Some(SessionUpdate::UserMessageChunk(begin)) = begin.known() else { panic!("{begin:?}") };
        assert_eq!(begin.content, prompt.as_str().into());
        assert!(matches!(thought.known(), Some(SessionUpdate::AgentThoughtChunk(_))), "{thought:?}");
        assert_eq!(said.text(), Some(&*format!("You said: {prompt}\n")));
        assert!(matches!(plan.known(), Some(SessionUpdate::Plan(_))), "{plan:?}");
    }
    history.len() / 4
}

#[tokio::test]
async fn a_killed_coder_loses_nothing_that_its_client_was_told_and_its_session_opens_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sessions.db");
    println!("SQLite: {}", survives_kills(15, turns_of, async || Coder::start(&file).await).await);
}

/// Kills the agent that `start` starts, again and again `few` times or as often as a person says. Each one
/// opens the session of the one before. Returns a report.
pub(crate) async fn survives_kills(few: usize, turns_of: TurnsOf, start: impl AsyncFn() -> Coder) -> String {
    let rounds: usize = env::var("ACP_STORE_ROUNDS").map_or(few, |rounds| rounds.parse().expect("a number"));
    let mut agent = start().await;
    let mut session = agent.connection.new_session("/").await.expect("a session");
    let id = session.id().to_string();
    let (mut told, mut unreaped, mut slowest) = (Told::default(), Vec::new(), Duration::ZERO);
    let mut untold = 0;
    for round in 0..rounds {
        {
            let mut driven = Box::pin(drive(&session, &mut told));
            let moment = tokio::time::sleep(Duration::from_micros(random(150_000)));
            tokio::select! {
                error = &mut driven => panic!("round {round}: {error}"),
                () = moment => agent.process.kill(),
            }
            // Answers that it gave before its end are still in the pipe.
            driven.await;
        }
        unreaped.push(agent.process);
        if random(2) == 0 {
            unreaped.clear();
        }

        agent = start().await;
        let begin = Instant::now();
        let resumed = agent.connection.resume_session(&*id, "/").await;
        slowest = slowest.max(begin.elapsed());
        drop(resumed.unwrap_or_else(|error| panic!("round {round}: it opens at once: {error}")));
        let history;
        (session, history) = load(&agent.connection, &id).await.expect("it is active");
        let kept = turns_of(&history);
        assert!((told.turns..=told.turns + 1).contains(&kept), "round {round}: {kept} are kept, {told:?}");
        untold += kept - told.turns;
        told.turns = kept;
        told.model.check(shown(&session, "model"));
        told.brave.check(shown(&session, "brave"));
    }
    let Told { turns, sets, .. } = told;
    assert!(turns >= rounds / 5 && sets >= rounds / 5, "there was something to lose: {turns} turns, {sets} sets");
    format!(
        "{rounds} kills: {turns} turns ({untold} of them kept, but not told), {sets} sets of options; the slowest \
         resume took {slowest:?}"
    )
}
