/// What is there depends on the configuration.
#[acp_agent(config = Config)]
struct Guarded;

#[acp_agent]
impl Guarded {
    #[cfg(feature = "fast")]
    async fn new_session(&self) -> Result<Session> {
        Ok(Session::fast())
    }

    #[cfg(all(unix, not(feature = "fast")))]
    #[cfg(not(test))]
    async fn new_session(&self) -> Result<Session> {
        Ok(Session::slow())
    }

    async fn prompt(&self, #[cfg(unix)] client: Client, turn: Turn<Config>) -> Result<StopReason> {
        Ok(StopReason::EndTurn)
    }

    #[cfg(unix)]
    #[ext("_acme.dev/uid")]
    async fn uid(&self) -> u32 {
        0
    }

    #[cfg(windows)]
    async fn cancel(&mut self) {}

    #[cfg(test)]
    async fn prompt(&self) {}
}
