use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(default = false)]
    brave: bool,
}

struct Session {
    turns: u32,
}

#[derive(serde::Serialize)]
struct Notes(u32);

/// Three agents, and one error for each. The missing attribute of this agent would name its config and session,
/// and `local`. No handler gets an error because of that.
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self, _request: NewSessionRequest) -> Result<Session> {
        Ok(Session { turns: 0 })
    }

    async fn load_session(&self, _request: LoadSessionRequest, _replay: Replay) -> OpenedSession<Session, Config> {
        OpenedSession::new(Session { turns: 0 })
    }

    async fn resume_session(&self, _active: Option<SessionHandle<Config>>) -> Session {
        Session { turns: 0 }
    }

    async fn prompt(
        &self,
        session: &mut Session,
        turn: Turn<Config>,
        handle: SessionHandle<Config>,
    ) -> Result<StopReason> {
        session.turns += 1;
        if !turn.get(Config::BRAVE) {
            handle.message("no").await?;
        }
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, _session: SessionHandle<Config>, _id: &SessionId) {
        let local = Rc::new(());
        std::future::ready(()).await;
        drop(local);
    }

    async fn close_session(&self, _ended: ClosedSession<Session>) {}

    async fn delete_session(&self, _ended: Option<ClosedSession<Session>>, _active: Option<SessionHandle<Config>>) {}

    #[on_change(Config::BRAVE)]
    async fn braver(&self, _change: Change<bool>, _config: &mut Config) -> Result<()> {
        Ok(())
    }

    #[ext("_acme.dev/notes")]
    async fn notes(&self, _session: SessionHandle<Config>) -> Result<Notes> {
        Ok(Notes(0))
    }

    #[ext(notification = "_acme.dev/seen")]
    async fn seen(&self, _session: SessionHandle<Config>) {}
}

/// An agent without options and without state.
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self, request: PromptRequest, turn: Turn<()>, _session: &mut Session) -> Result<StopReason> {
        turn.message(request.text()).await?;
        turn.tool_call("Look").start().await?;
        Ok(StopReason::EndTurn)
    }
}

/// An agent in the small form.
#[derive(Clone)]
struct Parrot;

#[acp_agent]
impl Parrot {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, _session: SessionHandle<Self>) {}
}

fn main() {
    let _ = Coder.serve_stdio();
    let _ = Echo.serve_stdio_with(acp_runtime::agent::ServeOptions::default());
    let _ = Serve::serve_stdio(Parrot);
}
