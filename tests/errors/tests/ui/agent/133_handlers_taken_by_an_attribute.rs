use acp_runtime::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Note {
    text: String,
}

#[acp_agent]
#[derive(Clone)]
struct Coder;

#[acp_agent]
impl Coder {
    #[fallback]
    async fn prompt(&self) -> Result<()> {
        Ok(())
    }

    #[method("odd/x")]
    async fn cancel(&self, note: Note) -> Note {
        note
    }

    #[method(prefix = "odd/")]
    async fn list_sessions(&self) -> Result<()> {
        Ok(())
    }

    #[ext("_acme.dev/new")]
    async fn r#new_session(&self, note: Note) -> Note {
        note
    }

    #[ext(notification = "_acme.dev/opened")]
    async fn session_opened(&self, _note: Note) {}

    #[fallback(notification)]
    async fn steer(&self) {}

    #[ext("session/load")]
    async fn load_session(&self) {}

    #[on_change]
    async fn session_ended(&self) {}
}

#[acp_agent]
#[derive(Clone)]
struct Talker;

#[acp_agent]
impl Talker {
    /// Talks.
    #[command]
    async fn prompt(&self) -> StopReason {
        StopReason::EndTurn
    }
}

fn main() {}
