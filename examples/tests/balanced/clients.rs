//! Clients with sessions behind the balancer, and what each was told.

use std::{
    collections::{HashMap, HashSet},
    fmt,
    hash::{BuildHasher as _, RandomState},
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use acp_client::{
    Connection, CurrentValue, Endpoint, Session, Update,
    http::{Backoff, Http},
    values::SessionUpdate,
};

use tokio::task::JoinSet;

use super::{agent::WHOLE, haproxy::Balancer};

/// Each client has so many sessions.
const SESSIONS: usize = 3;

/// Over HTTP and over WebSockets.
const SCHEMES: [&str; 6] = ["http", "ws", "http", "http", "ws", "http"];

/// Waits for what comes soon. A lease is over in 15 s.
pub(super) async fn soon<T>(what: &str, work: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), work).await.unwrap_or_else(|_| panic!("{what} does not come"))
}

pub(super) async fn connect(url: &str) -> Connection {
    let http = Http::new(url).backoff(Backoff::new().longest(Duration::from_secs(2)).attempts(60));
    soon("a connection", Endpoint::over(http).connect()).await.expect("it is an agent")
}

/// The agent's answer, with its process.
pub(super) async fn answer(session: &Session, prompt: &str) -> acp_client::Result<String> {
    let mut turn = session.prompt(prompt).await?;
    let mut said = String::new();
    while let Some(text) = soon("the next text", turn.text()).await? {
        said.push_str(&text);
    }
    turn.finish().await?;
    Ok(said)
}

/// The process that has said this.
pub(super) fn number_of(said: &str) -> u32 {
    let number = said.strip_prefix('[').and_then(|said| said.split(']').next()?.parse().ok());
    number.unwrap_or_else(|| panic!("{said:?} has no process"))
}

/// The clients, and all that they know.
pub(super) struct Clients {
    connections: Vec<Connection>,
    sessions: Vec<Session>,
    shared: Arc<Shared>,
}

struct Shared {
    turns: usize,
    known: Mutex<Known>,
    changed: tokio::sync::watch::Sender<()>,
}

#[derive(Default)]
struct Known {
    done: usize,
    may_end: bool,
    /// The longest time that a client has waited for a turn or an option.
    slowest: Duration,
    failures: Vec<String>,
    sessions: Vec<Told>,
}

/// What the client of a session knows.
#[derive(Clone, Debug, Default)]
struct Told {
    /// The prompts whose answers have come, with what they say.
    turns: Vec<(usize, String)>,
    /// Those that may be kept or not.
    doubts: HashSet<usize>,
    /// The process that works for the session, and has worked for it last.
    works: Option<u32>,
    last: Option<u32>,
    processes: HashSet<u32>,
    model: Setting,
    brave: Setting,
}

/// A value that was acknowledged, and those that were sent behind it.
#[derive(Clone, Debug, Default)]
struct Setting {
    told: String,
    sent: Vec<String>,
}

impl Clients {
    /// Clients that will have so many turns.
    pub(super) async fn connect(balancer: &Balancer, turns: usize) -> Self {
        let (mut connections, mut sessions) = (Vec::new(), Vec::new());
        for scheme in SCHEMES {
            let connection = connect(&balancer.url(scheme)).await;
            for _ in 0..SESSIONS {
                sessions.push(soon("a session", connection.new_session("/")).await.expect("a session"));
            }
            connections.push(connection);
        }
        let known = Known { sessions: vec![Told::default(); sessions.len()], ..Known::default() };
        let shared = Shared { turns, known: Mutex::new(known), changed: tokio::sync::watch::Sender::new(()) };
        Self { connections, sessions, shared: Arc::new(shared) }
    }

    /// Lets all sessions have turns and set options, until there were enough, and the test [has done](Self::may_end) what it does
    /// meanwhile.
    pub(super) fn drive(&self) -> impl Future<Output = ()> + use<> {
        let drivers: Vec<_> = (0..self.sessions.len())
            .map(|place| {
                let driver = Driver { place, session: self.sessions[place].clone(), shared: self.shared.clone() };
                tokio::spawn(driver.run())
            })
            .collect();
        async move {
            for driver in drivers {
                driver.await.expect("a session is as it should be");
            }
        }
    }

    /// Waits until half of the turns are done.
    pub(super) async fn half(&self) {
        self.shared.until("half of the turns", |known| known.done * 2 >= self.shared.turns).await;
    }

    pub(super) fn may_end(&self) {
        self.shared.change(|known| known.may_end = true);
    }

    /// Waits for some turns.
    pub(super) async fn some_turns(&self) {
        let until = self.shared.known().done + 5;
        self.shared.until("some turns", |known| known.done >= until).await;
    }

    /// A process that works on a turn.
    pub(super) async fn one_that_works(&self) -> u32 {
        let works = |known: &Known| known.sessions.iter().find_map(|told| told.works);
        self.shared.until("a turn", |known| works(known).is_some()).await;
        let works = works(&self.shared.known());
        works
            .unwrap_or_else(|| self.shared.known().sessions.iter().find_map(|told| told.last).expect("turns were done"))
    }

    /// Waits until each session of this process has had a turn at another one. Returns how long this took.
    pub(super) async fn all_go_on_without(&self, number: u32) -> Duration {
        let begin = Instant::now();
        self.shared
            .until("the sessions go on", |known| known.sessions.iter().all(|told| told.last != Some(number)))
            .await;
        begin.elapsed()
    }

    /// Whether the last turn of a session was at this process.
    pub(super) fn work_at(&self, number: u32) -> bool {
        self.shared.known().sessions.iter().any(|told| told.last == Some(number))
    }

    /// Whether all sessions of each client have had all their turns at one process.
    pub(super) fn stay_at_their_process(&self) -> bool {
        let known = self.shared.known();
        known
            .sessions
            .chunks(SESSIONS)
            .all(|of_client| of_client.iter().flat_map(|told| &told.processes).collect::<HashSet<_>>().len() <= 1)
    }

    pub(super) fn failures(&self) -> Vec<String> {
        self.shared.known().failures.clone()
    }

    /// Reads all sessions anew: each turn that was told is there once, and each value that was acknowledged is in force.
    pub(super) async fn check(self, balancer: &Balancer) -> String {
        let Self { connections, sessions, shared } = self;
        let ids: Vec<_> = sessions.iter().map(|session| session.id().to_string()).collect();
        drop(sessions);
        for connection in connections {
            soon("the end", connection.close()).await.expect("it closes");
        }
        let connection = Arc::new(connect(&balancer.url("http")).await);
        // Most are at other processes, which hand them over: all at once.
        let mut loading = JoinSet::new();
        for (id, told) in ids.iter().cloned().zip(shared.known().sessions.clone()) {
            loading.spawn(check(connection.clone(), id, told));
        }
        let kept: usize = loading.join_all().await.into_iter().sum();
        let Known { sessions, slowest, .. } = &*shared.known();
        let turns: usize = sessions.iter().map(|told| told.turns.len()).sum();
        let sessions = sessions.len();
        format!(
            "{turns} turns of {sessions} sessions were told, {kept} prompts are kept; the slowest wait was {slowest:?}"
        )
    }
}

/// Loads a session, and compares. Returns how many prompts it has.
async fn check(connection: Arc<Connection>, id: String, told: Told) -> usize {
    let mut loading = soon("a load", connection.load_session(id, "/")).await.expect("it is there");
    let mut history = Vec::new();
    while let Some(update) = soon("the history", loading.next()).await.expect("it is whole") {
        history.push(update);
    }
    let session = soon("the session", loading.finish()).await.expect("it is loaded");
    told.check(&history);
    told.model.check(&shown(&session, "model"));
    told.brave.check(&shown(&session, "brave"));
    prompts_of(&history).len()
}

impl fmt::Debug for Clients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.shared.known();
        let processes: Vec<_> = known.sessions.iter().map(|told| &told.processes).collect();
        f.debug_struct("Clients").field("done", &known.done).field("processes", &processes).finish()
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("no test has failed")
    }

    fn change<T>(&self, change: impl FnOnce(&mut Known) -> T) -> T {
        let changed = change(&mut self.known());
        self.changed.send_replace(());
        changed
    }

    async fn until(&self, what: &str, holds: impl Fn(&Known) -> bool) {
        let mut changed = self.changed.subscribe();
        let waiting = async {
            while !holds(&self.known()) {
                changed.changed().await.expect("this side has the sender");
            }
        };
        soon(what, waiting).await;
    }
}

struct Driver {
    place: usize,
    session: Session,
    shared: Arc<Shared>,
}

impl Driver {
    async fn run(self) {
        let mut prompt = 0;
        while self.goes_on() {
            tokio::time::sleep(Duration::from_millis(random(200))).await;
            let begin = Instant::now();
            let failed = match random(4) {
                0 => self.set("model", ["fast", "smart"]).await,
                1 => self.set("brave", [false, true]).await,
                _ => {
                    prompt += 1;
                    self.turn(prompt).await
                }
            };
            self.shared.change(|known| {
                known.slowest = known.slowest.max(begin.elapsed());
                known.failures.extend(failed.err().map(|error| error.to_string()));
            });
        }
        // Each session has a turn behind all that the test does.
        prompt += 1;
        if let Err(error) = self.turn(prompt).await {
            self.shared.change(|known| known.failures.push(error.to_string()));
        }
    }

    fn goes_on(&self) -> bool {
        let known = self.shared.known();
        known.done < self.shared.turns || !known.may_end
    }

    fn told<T>(&self, change: impl FnOnce(&mut Told) -> T) -> T {
        self.shared.change(|known| change(&mut known.sessions[self.place]))
    }

    async fn turn(&self, number: usize) -> acp_client::Result<()> {
        self.told(|told| told.doubts.insert(number));
        let said = self.answer(number).await;
        self.told(|told| told.works = None);
        let said = said?;
        assert!(said.contains(&format!(" turn {number}:")) && said.ends_with(WHOLE), "{said:?} answers turn {number}");
        self.told(|told| {
            told.doubts.remove(&number);
            told.last = Some(number_of(&said));
            told.processes.insert(number_of(&said));
            told.turns.push((number, said));
        });
        self.shared.change(|known| known.done += 1);
        Ok(())
    }

    async fn answer(&self, number: usize) -> acp_client::Result<String> {
        let mut turn = self.session.prompt(format!("turn {number}")).await?;
        let mut said = String::new();
        while let Some(text) = soon("the next text", turn.text()).await? {
            said.push_str(&text);
            self.told(|told| told.works = Some(number_of(&said)));
        }
        turn.finish().await?;
        Ok(said)
    }

    async fn set<T>(&self, option: &str, values: [T; 2]) -> acp_client::Result<()>
    where
        T: ToString + Into<acp_client::values::SessionConfigOptionValue>,
    {
        let [first, second] = values;
        let value = if random(2) == 0 { first } else { second };
        let text = value.to_string();
        let setting = |told: &mut Told, change: &dyn Fn(&mut Setting)| match option {
            "model" => change(&mut told.model),
            _ => change(&mut told.brave),
        };
        self.told(|told| setting(told, &|setting| setting.sent.push(text.clone())));
        soon("an answer", self.session.set_option(option, value)).await?;
        self.told(|told| setting(told, &|setting| *setting = Setting { told: text.clone(), sent: Vec::new() }));
        Ok(())
    }
}

fn random(below: u64) -> u64 {
    RandomState::new().hash_one(0) % below
}

impl Setting {
    fn check(&self, shown: &str) {
        let is_known = self.told.is_empty() || self.told == shown || self.sent.iter().any(|sent| sent == shown);
        assert!(is_known, "`{shown}` is kept, {self:?}");
    }
}

impl Told {
    fn check(&self, history: &[Update]) {
        let kept = prompts_of(history);
        let mut count = HashMap::new();
        for (number, _) in &kept {
            *count.entry(*number).or_insert(0) += 1;
        }
        assert!(count.values().all(|count| *count == 1), "a turn is there twice: {kept:?}");
        let order: Vec<_> = kept.iter().map(|(number, _)| *number).collect();
        assert!(order.is_sorted(), "{kept:?}");
        for (number, said) in &self.turns {
            let found = kept.iter().find(|(kept, _)| kept == number).map(|(_, said)| said);
            assert_eq!(found, Some(said), "turn {number} was told, and is kept as it was told: {kept:?}");
        }
        for (number, said) in &kept {
            let is_told = self.turns.iter().any(|(told, _)| told == number);
            assert!(is_told || self.doubts.contains(number), "turn {number} was never asked for: {said}");
        }
    }
}

/// The prompts of a history, each with all that the agent has said.
fn prompts_of(history: &[Update]) -> Vec<(usize, String)> {
    let mut turns: Vec<(usize, String)> = Vec::new();
    for update in history {
        match update.known() {
            Some(SessionUpdate::UserMessageChunk(chunk)) => {
                let text = chunk.content.as_text().expect("prompts are texts");
                let number = text.strip_prefix("turn ").and_then(|number| number.parse().ok());
                turns.push((number.unwrap_or_else(|| panic!("{text:?} is no prompt of ours")), String::new()));
            }
            Some(SessionUpdate::AgentMessageChunk(chunk)) => {
                let (_, said) = turns.last_mut().expect("a prompt comes first");
                said.push_str(chunk.content.as_text().expect("answers are texts"));
            }
            _ => {}
        }
    }
    turns
}

fn shown(session: &Session, option: &str) -> String {
    match session.options().get(option).and_then(|option| option.current()) {
        Some(CurrentValue::Id(value)) => value.to_string(),
        Some(CurrentValue::Boolean(value)) => value.to_string(),
        other => panic!("`{option}` is {other:?}"),
    }
}
