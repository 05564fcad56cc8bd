#[acp_agent(local, config = Config, shared = Core)]
struct Coder;

#[acp_agent]
impl Coder {
    async fn new_session(&self) -> ((), Core) {
        ((), Core::new())
    }

    async fn prompt(&self, Shared(core): Shared<Core>) -> StopReason {
        core.run().await
    }

    #[on_change]
    async fn configure(&self, Shared(core): Shared<Core>, changes: Changes<Config>) -> Result<()> {
        core.configure(changes.after()).await
    }
}
