use acp_runtime::prelude::*;
use acp_runtime::schema::v1::methods;

mod acme {
    use acp_runtime::schema::{Method, MethodKind, Side};

    pub struct Ask;

    impl Method for Ask {
        const NAME: &'static str = "_acme.dev/ask";
        const HANDLER: &'static str = "ask";
        const SIDE: Side = Side::Client;
        const KIND: MethodKind = MethodKind::Request;
        type Params = u32;
        type Response = ();
    }

    pub struct Stats;

    impl Method for Stats {
        const NAME: &'static str = "_acme.dev/stats";
        const HANDLER: &'static str = "stats";
        const SIDE: Side = Side::Agent;
        const KIND: MethodKind = MethodKind::Request;
        type Params = u32;
        type Response = ();
    }
}

macro_rules! agent {
    ($name:ident, $($handlers:tt)*) => {
        #[acp_agent]
        #[derive(Clone)]
        struct $name;

        #[acp_agent]
        impl $name {
            async fn prompt(&self) -> StopReason {
                StopReason::EndTurn
            }

            $($handlers)*
        }
    };
}

agent! { OfTheProtocol,
    #[ext(methods::ListSessions)]
    async fn list(&self) -> ListSessionsResponse {
        ListSessionsResponse::new(Vec::new())
    }
}

agent! { OfTheClient,
    #[ext(acme::Ask)]
    async fn ask(&self) {}
}

agent! { Twice,
    #[ext(acme::Stats)]
    async fn stats(&self) {}

    #[ext("_acme.dev/stats")]
    async fn again(&self) {}
}

agent! { TwiceTheSame,
    #[ext(acme::Stats)]
    async fn stats(&self) {}

    #[ext(acme::Stats)]
    async fn again(&self) {}
}

fn main() {}
