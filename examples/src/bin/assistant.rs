//! The agent of the page "from the official SDK": `acp_runtime::guide::from_the_official_sdk`.
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

use acp_runtime::prelude::*;
use acp_runtime::store::Entry;
use tokio::sync::Mutex;

struct Session {
    cwd: PathBuf,
    history: Mutex<Vec<Entry>>,
}

#[acp_agent(session = Arc<Session>)]
#[derive(Clone)]
struct Assistant {
    #[config_option(category = "model", values("fast" = "Fast", "smart" = "Smart"), default = "smart")]
    model: String,
    #[config_option(category = "thought_level", default = "medium",
        values("low" = "Low", "medium" = "Medium", "high" = "High"))]
    effort: String,
    #[config_option(name = "Brave mode", default = false)]
    brave: bool,
    sessions: Arc<Mutex<BTreeMap<SessionId, Arc<Session>>>>,
}

#[acp_agent]
impl Assistant {
    async fn new_session(&self, request: NewSessionRequest) -> (SessionId, Arc<Session>) {
        let mut sessions = self.sessions.lock().await;
        let id = SessionId::from(format!("sess-{}", sessions.len()));
        let session = Arc::new(Session { cwd: request.cwd, history: Mutex::default() });
        sessions.insert(id.clone(), session.clone());
        (id, session)
    }

    async fn load_session(&self, id: &SessionId, replay: Replay) -> Result<Arc<Session>> {
        let session = self.sessions.lock().await.get(id).cloned();
        let session = session.ok_or_else(|| Error::session_not_found(id.as_ref()))?;
        replay.entries(session.history.lock().await.clone()).await?;
        Ok(session)
    }

    async fn list_sessions(&self) -> ListSessionsResponse {
        let sessions = self.sessions.lock().await;
        let info = |(id, session): (&SessionId, &Arc<Session>)| SessionInfo::new(id.clone(), &session.cwd);
        ListSessionsResponse::new(sessions.iter().map(info).collect::<Vec<_>>())
    }

    async fn prompt(&self, session: &mut Arc<Session>, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        if request.text() == "/fast" {
            turn.update_config(|options| options.model = "fast".to_owned()).await?;
        }
        let (mut history, recording) = (session.history.lock().await, turn.record());
        recording.prompt(&request.prompt);
        for text in ["one ", "two ", "three"] {
            history.extend(recording.take());
            turn.until_cancelled(tokio::task::yield_now()).await?;
            turn.message(text).await?;
        }
        history.extend(recording.take());
        Ok(StopReason::EndTurn)
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    Assistant::with_default_options(Arc::default()).serve_stdio().await
}
