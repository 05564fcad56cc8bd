//! An agent that notes the ends of its sessions.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_runtime::{prelude::*, session::Ended};
use tokio::sync::{Barrier, Semaphore};

use super::agent::{Config, Dropped, Shared};

/// What `session_ended` does when it has noted the end.
#[derive(Clone, Default)]
pub(super) enum After {
    #[default]
    End,
    /// Waits for the same of other sessions.
    Meet(Arc<Barrier>),
    /// Waits for a permit.
    Wait,
    Panic,
    Fail,
}

/// What the agent and its test share.
pub(super) struct Desk {
    pub(super) shared: Shared,
    after: Mutex<After>,
    /// Lets what waits go on.
    pub(super) go: Semaphore,
}

#[acp_agent(config = Config, session = Vec<String>)]
pub(super) struct Mortal(pub(super) Arc<Desk>);

#[acp_agent]
impl Mortal {
    async fn new_session(&self) -> Result<Vec<String>> {
        self.0.go.acquire().await.map_err(|_| Error::internal_error("closed"))?.forget();
        Ok(vec!["new".to_owned()])
    }

    async fn load_session(&self, id: &SessionId) -> Vec<String> {
        vec![id.to_string()]
    }

    async fn close_session(&self, session: ClosedSession<Vec<String>>) -> Result<()> {
        let how = session.last().cloned().unwrap_or_default();
        match how.as_str() {
            "stay" => Err(Error::internal_error("it stays")),
            "slow" => {
                let permit = self.0.go.acquire().await;
                permit.map(|permit| permit.forget()).map_err(|_| Error::internal_error("closed"))
            }
            "take" => {
                drop(session.into_inner());
                Ok(())
            }
            "take and fail" => {
                drop(session.into_inner());
                Err(Error::internal_error("the disk is full"))
            }
            "lend" => {
                let desk = self.0.clone();
                tokio::spawn(async move {
                    let _permit = desk.go.acquire().await;
                    drop(session.into_inner());
                    desk.shared.note("taken");
                });
                Err(Error::internal_error("later"))
            }
            _ => Ok(()),
        }
    }

    async fn delete_session(&self) {}

    async fn prompt(
        &self,
        session: &mut Vec<String>,
        request: PromptRequest,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        match request.text().as_str() {
            "wait" => {
                turn.message("waiting").await?;
                turn.cancelled().await;
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            "stubborn" => {
                turn.message("waiting").await?;
                let _permit = self.0.go.acquire().await;
            }
            _ => {}
        }
        session.push(request.text());
        Ok(StopReason::EndTurn)
    }

    async fn session_opened(&self, session: SessionHandle<Config>) {
        let dropped = Dropped(&self.0.shared, "dropped");
        if AsRef::<str>::as_ref(session.id()) == "watched" {
            self.0.shared.note("watches");
            std::future::pending::<()>().await;
        }
        std::mem::forget(dropped);
    }

    async fn session_ended(
        &self,
        session: Option<ClosedSession<Vec<String>>>,
        handle: SessionHandle<Config>,
        id: &SessionId,
        end: Ended,
    ) -> Result<()> {
        let state = session.map(|session| session.join("|"));
        let brave = if handle.get(Config::BRAVE) { " brave" } else { "" };
        self.0.shared.note(format!("{id} {end:?} {}{brave}", state.as_deref().unwrap_or("gone")));
        let after = self.0.after.lock().unwrap().clone();
        match after {
            After::End => Ok(()),
            After::Meet(all) => {
                all.wait().await;
                self.0.shared.note("met");
                Ok(())
            }
            After::Wait => {
                let dropped = Dropped(&self.0.shared, "given up");
                let _permit = self.0.go.acquire().await;
                std::mem::forget(dropped);
                self.0.shared.note("waited");
                Ok(())
            }
            After::Panic => panic!("as it was told"),
            After::Fail => Err(Error::internal_error("as it was told")),
        }
    }
}

impl Desk {
    pub(super) fn new(after: After) -> Arc<Self> {
        Arc::new(Self { shared: Shared::default(), after: Mutex::new(after), go: Semaphore::new(0) })
    }
}
