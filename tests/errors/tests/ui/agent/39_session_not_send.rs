use std::rc::Rc;

use acp_runtime::prelude::*;

struct Session {
    history: Rc<str>,
}

#[acp_agent(session = Session)]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn new_session(&self) -> Session {
        Session { history: Rc::from("") }
    }

    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
