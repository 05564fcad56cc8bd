use acp_runtime::prelude::*;

struct Session;

#[acp_agent(nmae = "coder", capabilities(sound), session = Session)]
#[derive(Clone)]
struct Coder {
    #[config_option(kind = "bool", default = false)]
    brave: bool,
}

#[acp_agent]
impl Coder {
    fn new_session(&self) -> Session {
        Session
    }

    async fn lod_session(&self) -> Session {
        Session
    }

    async fn prompt(&self, _count: u32) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("acme.dev/stats")]
    async fn stats(&mut self) -> bool {
        self.brave
    }
}

fn main() {
    let _ = Coder::with_default_options().serve_stdio();
}
