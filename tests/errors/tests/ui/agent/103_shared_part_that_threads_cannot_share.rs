use std::{cell::RefCell, rc::Rc, sync::Arc};

use acp_runtime::prelude::*;

#[acp_agent(shared = Rc<str>)]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> ((), Rc<str>) {
        ((), Rc::from(""))
    }

    async fn prompt(&self, Shared(_core): Shared<Rc<str>>) -> StopReason {
        StopReason::EndTurn
    }
}

#[acp_agent(shared = Arc<RefCell<u8>>)]
#[derive(Clone)]
struct Other;

#[acp_agent]
impl Other {
    async fn prompt(&self, Shared(_core): Shared<Arc<RefCell<u8>>>) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
