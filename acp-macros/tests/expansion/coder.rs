/// Edits files.
#[acp_agent(
    name = "coder",
    title = "Coder",
    version = "1.2.3",
    config = Config,
    session = Session,
    capabilities(image, embedded_context),
    auth(
        agent(id = "key", name = "API key", description = "Asks for a key."),
        terminal(id = "login", name = "Log in", args("login", "--device")),
    ),
    crate = crate::acp
)]
pub struct Coder {
    store: Store,
}

#[acp_agent(crate = crate::acp)]
impl Coder {
    async fn new_session(&self, request: NewSessionRequest) -> Result<Session> {
        self.store.create(request.cwd)
    }

    async fn load_session(&self, request: LoadSessionRequest, replay: Replay) -> StoreResult<OpenedSession<Session, Config>> {
        self.store.load(&request.session_id, replay).await
    }

    /// One turn.
    #[tracing::instrument(skip_all)]
    async fn prompt(
        &self,
        session: &mut Session,
        mut request: PromptRequest,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        session.ask(&mut request, turn).await
    }

    async fn cancel(&self, id: &SessionId) {
        self.store.note(id);
    }

    async fn authenticate(&self) {}

    #[on_change(Config::MODEL)]
    async fn warm_up(&self, change: Change<Model>, config: &mut Config) -> Result<()> {
        self.store.load(change.new, config).await
    }

    /// What was spent,
    /// and on what.
    #[ext("_acme.dev/stats")]
    async fn stats(&self, since: Since) -> Result<Stats> {
        Ok(self.store.stats(since))
    }

    #[ext(notification = "_acme.dev/seen")]
    async fn seen(&self) {}
}
