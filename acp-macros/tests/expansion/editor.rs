#[acp_client(elicitation(form), local)]
impl Editor {
    async fn read_text_file(&self, request: ReadTextFileRequest, session: &SessionId) -> Result<String> {
        self.read(session, &request.path)
    }

    async fn create_elicitation(&self, request: CreateElicitationRequest) -> ElicitationAction {
        self.show(request)
    }

    #[cfg(unix)]
    async fn notice(&self, notice: Notice) {}

    async fn session_update(&self, notification: SessionNotification) {}

    #[ext("_acme.dev/add")]
    async fn add(&self, numbers: Vec<u32>) -> u32 {
        numbers.iter().sum()
    }
}
