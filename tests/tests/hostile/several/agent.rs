//! Agents with several clients of one session. Each turn first says which prompt it is, and then does what the prompt says.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use acp_runtime::{prelude::*, session::Steered, store::SessionStore};
use tokio::sync::watch;

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    #[config_option(values("soft", "loud", "plain"), default = "soft")]
    voice: String,
    #[config_option(default = false)]
    brave: bool,
}

/// What the agent and the test share.
pub(super) struct Shared {
    /// The turns that run.
    turning: AtomicUsize,
    /// The turns that wait end when this changes.
    release: watch::Sender<usize>,
}

impl Shared {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { turning: AtomicUsize::new(0), release: watch::Sender::new(0) })
    }

    /// Lets the turns that wait go on.
    pub(super) fn release(&self) {
        self.release.send_modify(|count| *count += 1);
    }

    /// Whether a turn runs.
    pub(super) fn is_at_work(&self) -> bool {
        self.turning.load(Ordering::SeqCst) > 0
    }

    fn turn(self: &Arc<Self>) -> Running {
        self.turning.fetch_add(1, Ordering::SeqCst);
        Running(self.clone())
    }
}

struct Running(Arc<Shared>);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.turning.fetch_sub(1, Ordering::SeqCst);
    }
}

async fn pause(times: usize) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

/// Asks whether the tool may run, and says what the user has answered.
async fn ask(turn: &Turn<Config>, title: &str) -> Result<()> {
    let call = turn.tool_call(title).start().await?;
    let permission = call.ask_permission().await?;
    // Without clients, nobody answers.
    let text = permission.selected().map_or("", |option| &*option.option_id.0);
    call.complete(text).await
}

async fn run(shared: &Shared, turn: &Turn<Config>, number: &str, words: &str) -> Result<StopReason> {
    turn.message(format!("[{number}]")).await?;
    match words {
        "tell" => turn.message(format!("voice {}", turn.config().voice)).await?,
        "talk" => {
            for word in ["one ", "two ", "three "] {
                turn.message(word).await?;
                pause(2).await;
            }
        }
        "wait" => {
            let mut release = shared.release.subscribe();
            let waited = turn.until_cancelled(release.changed()).await;
            turn.message(if waited.is_ok() { "done" } else { "stopped" }).await?;
        }
        "ask" => ask(turn, &format!("{number} once")).await?,
        "ask twice" => {
            let titles = [format!("{number} left"), format!("{number} right")];
            let (left, right) = tokio::join!(ask(turn, &titles[0]), ask(turn, &titles[1]));
            left.and(right)?;
        }
        "work" => {
            let call = turn.tool_call(number).start().await?;
            pause(4).await;
            call.complete("built").await?;
            turn.message("after").await?;
        }
        "read" => {
            let text = turn.client().read_text_file("/whose").await;
            turn.message(text.unwrap_or_else(|_| "nobody's".to_owned())).await?;
        }
        "fail" => return Err(Error::internal_error("as it was told")),
        voice => {
            turn.update_config(|config| voice.clone_into(&mut config.voice)).await?;
            turn.message(format!("now {voice}")).await?;
        }
    }
    Ok(StopReason::EndTurn)
}

/// The same agent, with several keys and further handlers.
macro_rules! shared_by_many {
    ($(#[$doc:meta])* $name:ident [$($keys:tt)*] $($handlers:tt)*) => {
        $(#[$doc])*
        #[acp_agent(config = Config, store = store, clients = "many" $($keys)*)]
        pub(super) struct $name {
            pub(super) store: Arc<dyn SessionStore>,
            pub(super) shared: Arc<Shared>,
        }

        #[acp_agent]
        impl $name {
            async fn new_session(&self) -> OpenedSession<(), Config> {
                OpenedSession::new(()).id("s")
            }

            async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
                let _running = self.shared.turn();
                let text = request.text();
                let (number, words) = text.split_once(' ').expect("a number");
                run(&self.shared, &turn, number, words).await
            }

            $($handlers)*
        }
    };
}

shared_by_many! {
    /// A prompt during a turn is refused on version 1, and held on version 2.
    Plain []
}

shared_by_many! {
    /// Prompts wait for their turn.
    Queueing [, turns = "queue"]
}

shared_by_many! {
    /// Some prompts join the turn that runs.
    Steering [, turns = "steer"]

    async fn steer(&self, request: PromptRequest) -> Result<Steered> {
        pause(3).await;
        Ok(if request.text().ends_with("talk") { Steered::Joined } else { Steered::Queued })
    }
}

/// How long the test waits for something that must happen.
pub(super) const SOON: Duration = Duration::from_secs(20);
