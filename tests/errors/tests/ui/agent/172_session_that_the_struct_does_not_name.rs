use acp_runtime::prelude::*;

struct Session {
    turns: u32,
}

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> Result<Session> {
        Ok(Session { turns: 0 })
    }

    async fn load_session(&self, _replay: Replay) -> Result<(SessionId, Session)> {
        Err(Error::resource_not_found("that session"))
    }

    async fn prompt(&self, _turn: Turn<Self>, session: &mut Session) -> StopReason {
        session.turns += 1;
        StopReason::EndTurn
    }

    async fn close_session(&self, _closed: ClosedSession<Session>) {}

    async fn delete_session(&self, _closed: Option<ClosedSession<Session>>) {}
}

fn main() {}
