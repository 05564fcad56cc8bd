use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Echo;

#[acp_agent]
impl Echo {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[ext("acme.dev/stats")]
    async fn stats(&self) {}

    #[ext(notification = "acme.dev/seen")]
    async fn seen(&self) {}

    #[ext("session/list")]
    async fn list(&self) {}

    #[ext("_")]
    async fn nothing(&self) {}

    #[ext]
    async fn nameless(&self) {}

    #[ext(notificaton = "_acme.dev/read")]
    async fn read(&self) {}

    #[ext(acme::StatsRequest)]
    async fn typed(&self) {}

    #[ext = "_acme.dev/written"]
    async fn written(&self) {}

    #[ext("_acme.dev/*")]
    async fn any(&self) {}

    #[ext(notification = "_*")]
    async fn any_notification(&self) {}
}

fn main() {}
