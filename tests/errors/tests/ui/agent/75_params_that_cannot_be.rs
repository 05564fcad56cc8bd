use acp_runtime::prelude::*;
use acp_runtime::schema::v1::SessionModeId;

type Seconds = u64;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("_acme.dev/number")]
    async fn number(&self, _number: u32) {}

    #[ext("_acme.dev/text")]
    async fn text(&self, _client: Client, _text: String) {}

    #[ext("_acme.dev/switch")]
    async fn switch(&self, _on: bool) -> Result<()> {
        Ok(())
    }

    #[ext("_acme.dev/alias")]
    async fn alias(&self, _since: Seconds) {}

    #[ext(notification = "_acme.dev/session")]
    async fn session(&self, _id: SessionId) {}

    #[ext(notification = "_acme.dev/maybe")]
    async fn maybe(&self, _id: Option<SessionId>) {}

    #[ext("_acme.dev/boxed")]
    async fn boxed(&self, _mode: Box<SessionModeId>) {}

    // A client can send these params.
    #[ext("_acme.dev/list")]
    async fn list(&self, _all: Vec<u32>) {}

    #[ext("_acme.dev/pair")]
    async fn pair(&self, _pair: (SessionId, Option<bool>)) {}

    #[ext("_acme.dev/map")]
    async fn map(&self, _map: Option<std::collections::HashMap<String, String>>, _session: SessionHandle<Self>) {}

    #[ext("_acme.dev/nothing")]
    async fn nothing(&self, _nothing: ()) {}
}

fn main() {}
