use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(Default)]
struct Session {
    history: Rc<str>,
}

/// One error, at the name of the session. The handlers of the session get none.
#[acp_agent(session = Session)]
#[derive(Clone)]
struct Echo {
    #[config_option(default = false)]
    shout: bool,
}

#[acp_agent]
impl Echo {
    async fn new_session(&self, _request: NewSessionRequest) -> (SessionId, Session) {
        ("a".into(), Session::default())
    }

    async fn load_session(&self) -> Result<OpenedSession<Session, Self>> {
        Ok(OpenedSession::new(Session::default()))
    }

    async fn resume_session(&self) -> Result<Session> {
        Ok(Session::default())
    }

    async fn prompt(&self, session: &mut Session, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(&*session.history).await?;
        Ok(StopReason::EndTurn)
    }

    async fn cancel(&self, _handle: SessionHandle<Self>) {}

    async fn close_session(&self, _session: ClosedSession<Session>) {}

    async fn delete_session(&self, _session: Option<ClosedSession<Session>>) {}

    #[on_change(Echo::SHOUT)]
    async fn shouts(&self, _change: Change<bool>) {}
}

fn main() {
    let _ = Echo::with_default_options().serve_stdio();
}
