//! Agents whose turns, commands and work do what their prompts say. They count what runs.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{prelude::*, session::Steered};
use tokio::sync::watch;

#[derive(ConfigOptions, Clone)]
pub(super) struct Config {
    #[config_option(values("a", "b", "c"), default = "a")]
    writer: String,
}

/// What the agent and the test share.
pub(super) struct Shared {
    /// What runs beside the calls of the client: work of the agent's own, and tool calls in the background.
    beside: AtomicUsize,
    /// The turns of all sessions that run.
    turning: AtomicUsize,
    /// The turns that began while another one of their session ran, or before the turn of an earlier prompt.
    faults: AtomicUsize,
    /// `session/close` and `session/delete` fail while this number is a multiple of 4.
    ends: AtomicUsize,
    /// Tool calls in the background end when this changes.
    release: watch::Sender<usize>,
}

impl Shared {
    pub(super) fn new() -> Arc<Self> {
        let zero = AtomicUsize::default;
        let (beside, turning, faults, ends) = (zero(), zero(), zero(), zero());
        Arc::new(Self { beside, turning, faults, ends, release: watch::Sender::new(0) })
    }

    /// Lets the tool calls in the background end.
    pub(super) fn release(&self) {
        self.release.send_modify(|count| *count += 1);
    }

    /// Whether a turn, or work beside it, runs.
    pub(super) fn is_at_work(&self) -> bool {
        self.beside.load(Ordering::SeqCst) + self.turning.load(Ordering::SeqCst) > 0
    }

    pub(super) fn faults(&self) -> usize {
        self.faults.load(Ordering::SeqCst)
    }

    async fn end(&self) -> Result<()> {
        pause(5).await;
        match self.ends.fetch_add(1, Ordering::SeqCst) % 4 {
            0 => Err(Error::internal_error("as it was told")),
            _ => Ok(()),
        }
    }

    /// Runs beside the calls of the client.
    fn spawn(self: &Arc<Self>, work: impl Future<Output = Result<()>> + Send + 'static) {
        let running = Running::begin(self.clone(), |shared| &shared.beside);
        tokio::spawn(async move {
            // The session may be over. Then the work fails, and the test ignores the error.
            let _ = work.await;
            drop(running);
        });
    }
}

/// Something that runs.
struct Running(Arc<Shared>, fn(&Shared) -> &AtomicUsize);

impl Running {
    fn begin(shared: Arc<Shared>, of: fn(&Shared) -> &AtomicUsize) -> Self {
        of(&shared).fetch_add(1, Ordering::SeqCst);
        Self(shared, of)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.1(&self.0).fetch_sub(1, Ordering::SeqCst);
    }
}

/// What a session knows of its turns: the number of the last prompt, and how many run.
#[derive(Default)]
pub(super) struct Turns {
    last: u64,
}

/// Yields to other tasks this number of times.
async fn pause(times: usize) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

/// Asks for a permission, and reports what the user has said.
async fn ask(turn: &Turn<Config>) -> Result<()> {
    let call = turn.tool_call("Edit").start().await?;
    if call.ask_permission().await?.is_allowed() { call.complete("done").await } else { call.fail("not allowed").await }
}

async fn run(shared: &Arc<Shared>, turn: &Turn<Config>, text: &str) -> Result<StopReason> {
    match text {
        "tell" => turn.message(turn.config().writer.as_str()).await?,
        "wait" => turn.cancelled().await,
        "wait, then ask" => {
            turn.cancelled().await;
            ask(turn).await?;
        }
        "stubborn" => {
            pause(20).await;
            turn.message("done").await?;
        }
        "fail" => return Err(Error::internal_error("as it was told")),
        "ask" => ask(turn).await?,
        "ask twice" => {
            let (one, other) = tokio::join!(ask(turn), ask(turn));
            one.and(other)?;
        }
        "work" => {
            let work = turn.session().begin_work().await?;
            shared.spawn(async move {
                pause(4).await;
                work.message("worked").await?;
                ask(&work).await?;
                work.end(StopReason::EndTurn);
                Ok(())
            });
        }
        "late work" => {
            let (session, own) = (turn.session().clone(), shared.clone());
            shared.spawn(async move {
                pause(30).await;
                let work = session.begin_work().await?;
                let _running = Running::begin(own, |shared| &shared.beside);
                work.message("begins").await?;
                let call = work.tool_call("Look").start().await?;
                pause(10).await;
                call.complete("seen").await?;
                work.fail(Error::internal_error("as it was told"));
                Ok(())
            });
        }
        "background" | "background, cancellable" | "background, asks" => {
            let mut call = turn.tool_call("Build").start().await?.into_background().await?;
            if text.ends_with("cancellable") {
                call = call.cancellable().await?;
            }
            let (asks, mut release) = (text.ends_with("asks"), shared.release.subscribe());
            shared.spawn(async move {
                if asks {
                    call.ask_permission().await?;
                }
                match call.until_cancelled(release.changed()).await {
                    Ok(_) => call.complete("built").await,
                    Err(_) => call.cancel().await,
                }
            });
        }
        "cancellable" => {
            let call = turn.tool_call("Wait").start().await?.cancellable().await?;
            match call.until_cancelled(std::future::pending::<()>()).await {
                Ok(()) => {}
                Err(_) => call.cancel().await?,
            }
        }
        writer => {
            pause(3).await;
            turn.update_config(|config| writer.clone_into(&mut config.writer)).await?;
            turn.message("changed").await?;
        }
    }
    Ok(StopReason::EndTurn)
}

/// The same agent, with several keys and further handlers.
macro_rules! scheduled {
    ($(#[$doc:meta])* $name:ident [$($keys:tt)*] $($handlers:tt)*) => {
        $(#[$doc])*
        #[acp_agent(config = Config, session = Turns $($keys)*)]
        pub(super) struct $name(pub(super) Arc<Shared>);

        #[acp_agent]
        impl $name {
            async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> Result<Turns> {
                pause(request.cwd.as_os_str().len()).await;
                replay.agent("before").await?;
                Ok(Turns::default())
            }

            async fn resume_session(&self, request: ResumeSessionRequest) -> Turns {
                pause(request.cwd.as_os_str().len()).await;
                Turns::default()
            }

            async fn close_session(&self, _session: ClosedSession<Turns>) -> Result<()> {
                self.0.end().await
            }

            async fn delete_session(&self, session: Option<ClosedSession<Turns>>) -> Result<()> {
                let ended = self.0.end().await;
                drop(session);
                ended
            }

            async fn prompt(&self, session: &mut Turns, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
                let _turning = Running::begin(self.0.clone(), |shared| &shared.turning);
                let number = request.meta.as_ref().and_then(|meta| meta.get("number")?.as_u64());
                if let Some(number) = number && std::mem::replace(&mut session.last, number) > number {
                    self.0.faults.fetch_add(1, Ordering::SeqCst);
                }
                run(&self.0, &turn, &request.text()).await
            }

            /// Says so, beside what runs.
            #[command(during_turns)]
            async fn look(&self, turn: Turn<Config>) -> Result<StopReason> {
                turn.message("looks").await?;
                pause(8).await;
                Ok(StopReason::EndTurn)
            }

            /// Asks the user, beside what runs.
            #[command(during_turns)]
            async fn beg(&self, turn: Turn<Config>) -> Result<StopReason> {
                ask(&turn).await?;
                Err(Error::internal_error("as it was told"))
            }

            $($handlers)*
        }
    };
}

scheduled! {
    /// The runtime holds its prompts.
    Holding []
}

scheduled! {
    /// Its prompts wait on each version.
    Queueing [, turns = "queue"]
}

scheduled! {
    /// Some prompts during a turn join it, others wait.
    Steering [, turns = "steer"]

    async fn steer(&self, request: PromptRequest) -> Result<Steered> {
        let text = request.text();
        pause(text.len() / 2).await;
        match text.as_str() {
            "stubborn" | "b" | "wait" => Ok(Steered::Joined),
            "c" => Err(Error::internal_error("as it was told")),
            _ => Ok(Steered::Queued),
        }
    }
}
