#[acp_agent(config = Config, session = Session, store = sessions, store_version = 2)]
struct Coder {
    sessions: Arc<dyn SessionStore>,
}

#[acp_agent]
impl Coder {
    async fn restore_session(&self, Restored(session): Restored<Session>, roots: Roots) -> Result<Session> {
        session.work_in(roots)
    }

    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.run().await
    }
}
