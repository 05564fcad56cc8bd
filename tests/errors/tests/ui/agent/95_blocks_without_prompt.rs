use acp_runtime::prelude::*;

struct Session;

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Coder;

#[acp_agent(parts(git))]
impl Coder {
    async fn new_session(&self) -> Session {
        Session
    }
}

#[acp_agent(part = git)]
impl Coder {
    async fn cancel(&self) {}
}

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Writer;

#[acp_agent(parts(turns))]
impl Writer {
    async fn cancel(&self) {}
}

#[acp_agent(part = turns)]
impl Writer {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
