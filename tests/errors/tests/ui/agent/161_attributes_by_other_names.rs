use acp_runtime::{prelude::*, agent::MethodName};

#[acp_agent(session = u32)]
#[derive(Clone)]
struct Coder {
    #[config_option(default = false)]
    brave: bool,
}

#[acp_agent]
impl Coder {
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }

    /// Mends it.
    #[commands(hint = "what to mend")]
    async fn fix(&self, session: &mut u32, _what: Arguments) -> StopReason {
        *session += 1;
        StopReason::EndTurn
    }

    /// Forgets all.
    #[slash_command]
    async fn forget(&self) -> StopReason {
        StopReason::EndTurn
    }

    #[extension("_example.com/who")]
    async fn who(&self) -> String {
        "you".to_owned()
    }

    #[methods(prefix = "_example.com/git/")]
    async fn git(&self, method: MethodName) -> String {
        method.to_string()
    }

    #[on_changed(Self::BRAVE)]
    async fn calm_down(&self, config: &mut Self) {
        config.brave = false;
    }
}

fn main() {}
