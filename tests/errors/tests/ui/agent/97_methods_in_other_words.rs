use acp_runtime::prelude::*;

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[method]
    async fn nameless(&self) {}

    #[method(name = "session/set_model")]
    async fn by_key(&self) {}

    #[method(notification = "editor/focus")]
    async fn as_in_ext(&self) {}

    #[method("_x.ai/git/*")]
    async fn pattern(&self) {}

    #[method(prefix = "_x.ai/hub/*")]
    async fn pattern_as_prefix(&self) {}

    #[method(prefix = "")]
    async fn everything(&self) {}

    #[method("_x.ai/one", prefix = "_x.ai/")]
    async fn both(&self) {}

    #[method("set model")]
    async fn blank(&self) {}

    #[method(methods::Pin)]
    async fn marked(&self) {}

    #[method("_x.ai/two", notifications)]
    async fn misspelt(&self) {}

    #[ext(prefix = "_x.ai/")]
    async fn prefix_of_ext(&self) {}

    #[fallback("_x.ai/")]
    async fn named_fallback(&self) {}

    #[method("_x.ai/three")]
    #[fallback]
    async fn twice(&self) {}

    #[cfg_attr(unix, fallback)]
    async fn conditional(&self) {}
}

fn main() {}
