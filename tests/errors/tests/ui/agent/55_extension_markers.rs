use acp_runtime::prelude::*;

mod methods {
    use acp_runtime::schema::{Method, MethodKind, Side};

    macro_rules! marker {
        ($name:ident, $wire:literal, $side:ident, $kind:ident, $params:ty, $response:ty) => {
            pub struct $name;

            impl Method for $name {
                const NAME: &'static str = $wire;
                const HANDLER: &'static str = "";
                const SIDE: Side = Side::$side;
                const KIND: MethodKind = MethodKind::$kind;
                type Params = $params;
                type Response = $response;
            }
        };
    }
    marker!(Stats, "_acme.dev/stats", Agent, Request, u32, String);
    marker!(Seen, "_acme.dev/seen", Agent, Notification, u32, ());
}

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext(methods::Stats)]
    async fn stats(&self, since: String) -> String {
        since
    }

    #[ext(methods::Seen)]
    async fn seen(&self, _count: u32) -> Result<u32> {
        Ok(1)
    }
}

fn main() {}
