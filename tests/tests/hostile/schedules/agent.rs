//! An agent that counts its simultaneous turns. Its handlers yield as often as their request says.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicBool, AtomicUsize, Ordering},
};

use acp_runtime::prelude::*;
use serde_json::{Value, json};

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    /// Its hook asks the client if the new value is `asked`.
    #[config_option(values("a", "b", "c", "asked"), default = "a")]
    writer: String,
    /// A hook sets this option to the writer's value.
    #[config_option(values("a", "b", "c", "asked"), default = "a")]
    follower: String,
}

#[derive(Default)]
pub(super) struct Shared {
    turning: AtomicBool,
    overlaps: AtomicUsize,
    /// `session/close` and `session/delete` fail while this number is odd.
    ends: AtomicUsize,
    /// The `session_opened`s that run.
    watching: AtomicUsize,
    /// The sessions that `session_ended` was told of.
    ended: AtomicUsize,
    /// How many of these were told of too early.
    early: AtomicUsize,
    kept: Mutex<Option<SessionHandle<Config>>>,
    /// The number of the last prompt whose turn has begun.
    begun: AtomicUsize,
    /// The number of the last prompt that `steer` was asked about.
    asked: AtomicUsize,
    /// The number of turns that began before the turn of an earlier prompt, or before `steer` was asked about it.
    overtaken: AtomicUsize,
}

impl Shared {
    /// The number of turns that began while another one ran.
    pub(super) fn overlaps(&self) -> usize {
        self.overlaps.load(Ordering::SeqCst)
    }

    /// The number of turns that began before the turn of an earlier prompt.
    pub(super) fn overtaken(&self) -> usize {
        self.overtaken.load(Ordering::SeqCst)
    }

    fn begin(&self, request: &PromptRequest) {
        let Some(number) = number(request) else { return };
        if self.begun.swap(number, Ordering::SeqCst) > number {
            self.overtaken.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// `steer` is asked in the order of arrival, beside a turn that has begun.
    fn ask(&self, request: &PromptRequest) {
        let Some(number) = number(request) else { return };
        let is_early = self.begun.load(Ordering::SeqCst) > number || self.asked.swap(number, Ordering::SeqCst) > number;
        self.overtaken.fetch_add(usize::from(is_early), Ordering::SeqCst);
    }

    /// The number of sessions that have ended.
    pub(super) fn ended(&self) -> usize {
        self.ended.load(Ordering::SeqCst)
    }

    /// The number of sessions that ended while something of them still ran.
    pub(super) fn early(&self) -> usize {
        self.early.load(Ordering::SeqCst)
    }

    /// Changes an option from outside a turn, through the handle that the last turn kept.
    pub(super) fn change_at_will(&self, writer: &'static str) {
        let Some(kept) = self.kept.lock().expect("nobody panics with it").clone() else { return };
        tokio::spawn(async move {
            // The session may be over. Then the change fails, and the test ignores the error.
            let _ = kept.update_config(|config| writer.clone_into(&mut config.writer)).await;
        });
    }
}

/// The number of a prompt.
fn number(request: &PromptRequest) -> Option<usize> {
    let number = request.meta.as_ref()?.get("number")?.as_u64()?;
    usize::try_from(number).ok()
}

/// A running turn. The session may have only one.
struct Turning<'a>(&'a Shared);

impl<'a> Turning<'a> {
    fn begin(shared: &'a Shared) -> Self {
        if shared.turning.swap(true, Ordering::SeqCst) {
            shared.overlaps.fetch_add(1, Ordering::SeqCst);
        }
        Self(shared)
    }
}

impl Drop for Turning<'_> {
    fn drop(&mut self) {
        self.0.turning.store(false, Ordering::SeqCst);
    }
}

/// A `session_opened` of the session.
struct Watching<'a>(&'a Shared);

impl<'a> Watching<'a> {
    fn begin(shared: &'a Shared) -> Self {
        shared.watching.fetch_add(1, Ordering::SeqCst);
        Self(shared)
    }
}

impl Drop for Watching<'_> {
    fn drop(&mut self) {
        self.0.watching.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Yields to other tasks this number of times.
async fn pause(times: usize) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

/// The same agent, with several keys and further handlers.
macro_rules! scheduled {
    ($(#[$doc:meta])* $name:ident [$($keys:tt)*] $($handlers:tt)*) => {
        $(#[$doc])*
        #[acp_agent(config = Config, session = () $($keys)*)]
        pub(super) struct $name(pub(super) Arc<Shared>);

        #[acp_agent]
        impl $name {
            async fn load_session(&self, request: LoadSessionRequest) -> OpenedSession<(), Config> {
                let how = request.cwd.to_string_lossy().into_owned();
                pause(how.len()).await;
                let opened = OpenedSession::new(());
                match how.chars().last() {
                    Some(stored @ ('b' | 'c')) => {
                        opened.config(Config { writer: stored.to_string(), follower: stored.to_string() })
                    }
                    _ => opened,
                }
            }

            async fn close_session(&self, _session: ClosedSession<()>) -> Result<()> {
                self.0.end().await
            }

            async fn delete_session(&self, session: Option<ClosedSession<()>>) -> Result<()> {
                let ended = self.0.end().await;
                drop(session);
                ended
            }

            async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
                let _turning = Turning::begin(&self.0);
                self.0.begin(&request);
                *self.0.kept.lock().expect("nobody panics with it") = Some(turn.session().clone());
                match request.text().as_str() {
                    "tell" => turn.message(turn.config().writer.as_str()).await?,
                    "wait" => turn.cancelled().await,
                    "stubborn" => pause(20).await,
                    writer => {
                        pause(3).await;
                        turn.update_config(|config| writer.clone_into(&mut config.writer)).await?;
                        turn.message("changed").await?;
                    }
                }
                Ok(StopReason::EndTurn)
            }

            async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
                let _watching = Watching::begin(&self.0);
                let mut writer = session.watch(Config::WRITER);
                while writer.changed().await.is_some() {
                    pause(1).await;
                }
                std::future::pending().await
            }

            async fn session_ended(&self, _session: Option<ClosedSession<()>>) {
                if self.0.turning.load(Ordering::SeqCst) || self.0.watching.load(Ordering::SeqCst) > 0 {
                    self.0.early.fetch_add(1, Ordering::SeqCst);
                }
                pause(2).await;
                self.0.ended.fetch_add(1, Ordering::SeqCst);
            }

            #[on_change(Config::WRITER)]
            async fn follow(&self, change: Change<String>, config: &mut Config, client: Client) -> Result<()> {
                if change.new == "asked" {
                    client.ext_request::<Value>("_acp-tests.dev/sure", &json!({})).await?;
                }
                pause(2).await;
                config.follower.clone_from(&change.new);
                Ok(())
            }

            $($handlers)*
        }
    };
}

scheduled! {
    /// Refuses prompts during a turn.
    Scheduled []
}

scheduled! {
    /// Some prompts during a turn join it, others wait.
    Steering [, turns = "steer"]

    async fn steer(&self, request: PromptRequest) -> Result<Steered> {
        self.0.ask(&request);
        let text = request.text();
        pause(text.len() / 2).await;
        match text.as_str() {
            "stubborn" | "b" => Ok(Steered::Joined),
            "c" => Err(Error::internal_error("as it was told")),
            _ => Ok(Steered::Queued),
        }
    }
}

impl Shared {
    async fn end(&self) -> Result<()> {
        pause(5).await;
        match self.ends.fetch_add(1, Ordering::SeqCst) % 3 {
            0 => Err(Error::internal_error("as it was told")),
            _ => Ok(()),
        }
    }
}
