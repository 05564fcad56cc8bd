//! `shared = S`: the part of a session that every handler has, also beside a turn.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{agent::FromRef, prelude::*};
use acp_tests::peer::{Peer, all_capabilities};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// What the agent and its test share: what cores were told, with the number of the core.
type Notes = Arc<Mutex<Vec<String>>>;

/// The core of a session.
#[derive(Clone)]
struct Core {
    number: usize,
    notes: Notes,
    interrupted: Arc<Notify>,
    handle: Arc<Mutex<Option<SessionHandle<Config>>>>,
    _alive: Arc<Alive>,
}

impl Core {
    fn note(&self, what: &str) {
        self.notes.lock().unwrap().push(format!("{} {what}", self.number));
    }
}

/// Notes the end of a core.
struct Alive(usize, Notes);

impl Drop for Alive {
    fn drop(&mut self) {
        self.1.lock().unwrap().push(format!("{} dropped", self.0));
    }
}

/// A part of a core.
struct Number(usize);

impl FromRef<Core> for Number {
    fn from_ref(core: &Core) -> Self {
        Self(core.number)
    }
}

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent(config = Config, session = Vec<String>, shared = Core)]
struct Coder {
    notes: Notes,
    cores: AtomicUsize,
    go_on: Arc<Notify>,
}

impl Coder {
    fn core(&self) -> Core {
        let number = self.cores.fetch_add(1, Ordering::Relaxed);
        let alive = Arc::new(Alive(number, self.notes.clone()));
        Core { number, notes: self.notes.clone(), interrupted: Arc::default(), handle: Arc::default(), _alive: alive }
    }
}

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> OpenedSession<Vec<String>, Config, Core> {
        OpenedSession::new(Vec::new()).shared(self.core()).id("s")
    }

    async fn load_session(&self, earlier: Option<Shared<Core>>) -> Result<OpenedSession<Vec<String>, Config, Core>> {
        let core = self.core();
        core.note(&format!("loaded behind {:?}", earlier.map(|core| core.number)));
        let mut config = Config::with_default_options();
        config.brave = earlier_is_brave(&core);
        Ok(OpenedSession::new(Vec::new()).shared(core).config(config))
    }

    async fn resume_session(&self) -> Result<(Vec<String>, Core)> {
        Ok((Vec::new(), self.core()))
    }

    async fn prompt(
        &self,
        Shared(core): Shared<Core>,
        turn: Turn<Config>,
        state: &mut Vec<String>,
    ) -> Result<StopReason> {
        state.push("prompt".to_owned());
        core.note("prompted");
        turn.message("waits").await?;
        core.interrupted.notified().await;
        core.note("interrupted");
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, Shared(core): Shared<Core>) {
        core.note("cancel");
        core.interrupted.notify_one();
    }

    async fn close_session(&self, Shared(core): Shared<Core>) {
        core.note("close");
    }

    async fn delete_session(&self, core: Option<Shared<Core>>) {
        match core {
            Some(core) => core.note("delete"),
            None => self.notes.lock().unwrap().push("delete".to_owned()),
        }
    }

    async fn session_opened(&self, Shared(core): Shared<Core>, handle: SessionHandle<Config>) {
        core.note("opened");
        *core.handle.lock().unwrap() = Some(handle);
    }

    async fn session_ended(&self, Shared(core): Shared<Core>) {
        core.note("ended");
    }

    #[on_change(Config::BRAVE)]
    async fn brave(&self, Shared(core): Shared<Core>, Shared(Number(number)): Shared<Number>) -> Result<()> {
        core.note(&format!("hook {number}"));
        if core.number == 3 { Err(Error::internal_error("the third core refuses")) } else { Ok(()) }
    }

    #[ext("_acp-tests.dev/number")]
    async fn number(&self, Shared(Number(number)): Shared<Number>) -> usize {
        number
    }

    #[ext("_acp-tests.dev/wait")]
    async fn wait(&self, Shared(core): Shared<Core>) -> usize {
        core.note("waits");
        self.go_on.notified().await;
        core.number
    }

    #[ext(notification = "_acp-tests.dev/note")]
    async fn told(&self, Shared(core): Shared<Core>) {
        core.note("told");
    }
}

/// The second core is loaded with another value than the one in force.
fn earlier_is_brave(core: &Core) -> bool {
    matches!(core.number, 1 | 3)
}

async fn coder() -> (Peer, Notes, Arc<Notify>) {
    let (notes, go_on) = (Notes::default(), Arc::new(Notify::new()));
    let coder = Coder { notes: notes.clone(), cores: AtomicUsize::new(0), go_on: go_on.clone() };
    let (peer, id) = Peer::session_with(coder, all_capabilities()).await;
    assert_eq!(id, "s");
    noted(&notes, &["0 opened"]).await;
    (peer, notes, go_on)
}

/// Waits until the notes are these, and takes them.
async fn noted(notes: &Notes, expected: &[&str]) {
    for _ in 0..1_000 {
        if *notes.lock().unwrap() == expected {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
    }
    assert_eq!(std::mem::take(&mut *notes.lock().unwrap()), expected);
}

fn named() -> Value {
    json!({ "sessionId": "s" })
}

fn load() -> Value {
    json!({ "sessionId": "s", "cwd": "/", "mcpServers": [] })
}

fn brave(value: bool) -> Value {
    json!({ "sessionId": "s", "configId": "brave", "value": value })
}

#[tokio::test]
async fn every_handler_of_a_session_has_its_shared_part() {
    let (mut peer, notes, _) = coder().await;
    let turn = peer.prompt("s", "work").await;
    peer.update().await;
    assert_eq!(peer.call("_acp-tests.dev/number", named()).await, Ok(json!(0)), "while the turn has the session");
    peer.notify("_acp-tests.dev/note", named()).await;
    peer.call("session/set_config_option", brave(true)).await.unwrap();
    peer.cancel("s").await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
    noted(&notes, &["0 prompted", "0 told", "0 hook 0", "0 cancel", "0 interrupted"]).await;
    peer.call("session/close", named()).await.unwrap();
    noted(&notes, &["0 close", "0 ended", "0 dropped"]).await;
}

#[tokio::test]
async fn what_deletes_a_session_that_is_not_active_has_no_shared_part() {
    let (mut peer, notes, _) = coder().await;
    peer.call("session/delete", json!({ "sessionId": "stored" })).await.unwrap();
    noted(&notes, &["delete"]).await;
    peer.call("session/delete", named()).await.unwrap();
    noted(&notes, &["0 delete", "0 ended", "0 dropped"]).await;
}

#[tokio::test]
async fn an_extension_without_a_session_has_no_shared_part() {
    let (mut peer, ..) = coder().await;
    for params in [json!({}), json!({ "sessionId": "other" }), json!([])] {
        let refused = peer.call("_acp-tests.dev/number", params).await.unwrap_err();
        assert_eq!((refused.code, refused.message.contains("`sessionId` names no active session")), (-32602, true));
    }
}

#[tokio::test]
async fn a_load_replaces_the_shared_part_and_running_handlers_keep_theirs() {
    let (mut peer, notes, go_on) = coder().await;
    let waits = peer.request("_acp-tests.dev/wait", named()).await;
    noted(&notes, &["0 waits"]).await;
    peer.call("session/load", load()).await.unwrap();
    // The hook corrects the new core, which was made with other options than those in force.
    noted(&notes, &["1 loaded behind Some(0)", "1 hook 1", "1 opened"]).await;
    assert_eq!(peer.call("_acp-tests.dev/number", named()).await, Ok(json!(1)));
    go_on.notify_one();
    assert_eq!(peer.answer(waits).await, Ok(json!(0)));
    // The first core knew a handle of the session, and goes nevertheless.
    noted(&notes, &["0 dropped"]).await;
    peer.call("session/resume", load()).await.unwrap();
    noted(&notes, &["1 dropped", "2 opened"]).await;
}

#[tokio::test]
async fn a_load_that_fails_leaves_the_shared_part() {
    let (mut peer, notes, _) = coder().await;
    for _ in 1..3 {
        peer.call("session/resume", load()).await.unwrap();
    }
    noted(&notes, &["0 dropped", "1 opened", "1 dropped", "2 opened"]).await;
    let refused = peer.call("session/load", load()).await.unwrap_err();
    assert_eq!(refused.message, "the third core refuses");
    noted(&notes, &["3 loaded behind Some(2)", "3 hook 3", "3 dropped"]).await;
    assert_eq!(peer.call("_acp-tests.dev/number", named()).await, Ok(json!(2)));
}

/// A core often has a handle of its session, and a handle has the session's options.
#[tokio::test]
async fn a_shared_part_that_has_a_handle_is_dropped_with_its_session() {
    let (mut peer, notes, _) = coder().await;
    peer.hang_up().await;
    noted(&notes, &["0 ended", "0 dropped"]).await;
}

#[derive(Clone, Default)]
struct Counter(Arc<AtomicUsize>);

/// Sessions of this agent begin without a handler.
#[acp_agent(shared = Counter)]
#[derive(Clone)]
struct Counting;

#[acp_agent]
impl Counting {
    async fn load_session(&self) {}

    async fn prompt(&self, Shared(Counter(count)): Shared<Counter>, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(count.fetch_add(1, Ordering::Relaxed).to_string()).await?;
        Ok(StopReason::EndTurn)
    }
}

#[tokio::test]
async fn a_session_whose_handler_gives_no_shared_part_has_the_default() {
    let (mut peer, id) = Peer::session(Counting).await;
    let other = peer.new_session().await;
    for (session, count) in [(&id, "0"), (&id, "1"), (&other, "0"), (&id, "2")] {
        assert_eq!(peer.turn(session, "count").await, "end_turn");
        assert_eq!(peer.updates()[0]["content"]["text"], count);
    }
    peer.call("session/load", json!({ "sessionId": id, "cwd": "/", "mcpServers": [] })).await.unwrap();
    assert_eq!(peer.turn(&id, "count").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "0", "the load has made another one");
}
