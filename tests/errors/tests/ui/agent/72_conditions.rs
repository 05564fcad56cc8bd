use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[cfg(any())]
    fn gone(&self) {}

    #[cfg(all())]
    fn here(&self) {}

    #[cfg(any())]
    async fn cancel(&mut self) {}

    #[cfg(all())]
    async fn load_session(&mut self) {}

    async fn close_session(&self, #[cfg(any())] _gone: &mut String, #[cfg(all())] _here: &mut String) {}

    #[cfg(any())]
    #[ext("gone")]
    async fn without_a_name(&self) {}

    #[cfg(all())]
    #[ext("here")]
    async fn with_a_name(&self) {}
}

fn main() {}
