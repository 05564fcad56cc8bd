use std::rc::Rc;

use acp_runtime::prelude::*;

#[derive(Default)]
struct Session {
    shared: Rc<u32>,
}

#[acp_agent(local, session = Session)]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self, session: &mut Session) -> StopReason {
        if *session.shared == 0 { StopReason::EndTurn } else { StopReason::Refusal }
    }
}

fn main() {}
