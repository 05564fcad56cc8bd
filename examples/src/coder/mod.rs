//! The full form of an agent: config, session and agent are three structs.
//!
//! A script takes the place of a language model (`script`), so that the agent runs anywhere. The rest is like a real
//! coding agent: options, a plan, tool calls that ask before they edit, streaming, cancellation, and sessions that are
//! kept on disk (`store`).

mod options;
mod script;
mod store;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use acp_runtime::prelude::*;
use options::Config;
use script::{Edit, Piece, Script};
use store::{Session, Store};

/// A coding agent without a model.
#[acp_agent(name = "coder", title = "Coder", config = Config, session = Session)]
struct Coder {
    store: Store,
}

/// Serves one client over stdio. Its sessions are kept in `store`.
///
/// # Errors
///
/// The store cannot be created, or stdio cannot be read.
pub async fn serve(store: PathBuf) -> Result<()> {
    Coder { store: Store::open(store)? }.serve_stdio().await
}

#[acp_agent]
impl Coder {
    async fn new_session(&self, request: NewSessionRequest) -> Result<Session> {
        Ok(Session::new(request.cwd))
    }

    async fn load_session(
        &self,
        request: LoadSessionRequest,
        replay: Replay,
    ) -> Result<OpenedSession<Session, Config>> {
        let session = self.store.read(&request.session_id)?;
        for turn in &session.turns {
            replay.user(turn.prompt.as_str()).await?;
            replay.agent(turn.answer.as_str()).await?;
        }
        Ok(session.reopened(request.cwd))
    }

    async fn resume_session(&self, request: ResumeSessionRequest) -> Result<OpenedSession<Session, Config>> {
        Ok(self.store.read(&request.session_id)?.reopened(request.cwd))
    }

    async fn list_sessions(&self, request: ListSessionsRequest) -> Result<ListSessionsResponse> {
        if request.cursor.is_some() {
            return Err(Error::invalid_params("`cursor` is not one of this agent's: it lists all sessions at once"));
        }
        Ok(ListSessionsResponse::new(self.store.list(request.cwd.as_deref())?))
    }

    async fn close_session(&self, mut session: ClosedSession<Session>, handle: SessionHandle<Config>) -> Result<()> {
        // The options may have changed since the last turn.
        session.keep(&handle.config());
        self.store.write(handle.id(), &session)
    }

    async fn delete_session(&self, request: DeleteSessionRequest) -> Result<()> {
        self.store.delete(&request.session_id)
    }

    async fn prompt(&self, session: &mut Session, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        let prompt = request.text();
        let mut answer = String::new();
        let script = Script::of(&prompt, turn.config().mode);
        let told = self.tell(script, &session.cwd, &turn, &mut answer).await;
        // A cancelled turn is also a part of the conversation.
        session.add(prompt, answer);
        session.keep(&turn.config());
        self.store.write(turn.id(), session)?;
        told.map(|()| StopReason::EndTurn)
    }

    async fn session_ended(
        &self,
        mut session: ClosedSession<Session>,
        handle: SessionHandle<Config>,
        end: Ended,
    ) -> Result<()> {
        let config = handle.config();
        // A session is stored by its turns and by its close. Only options can have changed since.
        if end == Ended::Disconnected && session.config.as_ref().is_some_and(|stored| *stored != *config) {
            session.keep(&config);
            self.store.write(handle.id(), &session)?;
        }
        Ok(())
    }
}

impl Coder {
    /// Sends the model's text to the client, and keeps the text in `answer`.
    async fn tell(&self, mut script: Script, cwd: &Path, turn: &Turn<Config>, answer: &mut String) -> Result<()> {
        while let Some(piece) = turn.until_cancelled(script.next()).await? {
            match piece {
                Piece::Thought(thought) => turn.thought(thought).await?,
                Piece::Plan(entries) => turn.plan(entries).await?,
                Piece::Text(text) => {
                    answer.push_str(&text);
                    turn.message(text).await?;
                }
                Piece::Edit => answer.push_str(self.edit(turn, Edit::of(cwd, turn.client()).await?).await?),
                Piece::Overloaded => turn.update_config(|config| config.model = config.model.other()).await?,
            }
        }
        Ok(())
    }

    /// Edits a file if the user allows it. Reports the result.
    async fn edit(&self, turn: &Turn<Config>, edit: Edit) -> Result<&'static str> {
        let call = turn
            .tool_call(format!("Edit {}", edit.path.display()))
            .kind(ToolKind::Edit)
            .location(&edit.path)
            .content(edit.diff())
            .start()
            .await?;
        if turn.config().brave {
            call.in_progress().await?;
        } else {
            let permission = call.ask_permission().await?;
            if !permission.is_allowed() {
                let why = match permission.error() {
                    Some(_) => "the client could not ask for permission",
                    None => "rejected by the user",
                };
                call.fail(why).await?;
                turn.message("Without permission I left the file alone.").await?;
                return Ok("(the edit was not allowed)");
            }
        }
        edit.apply(turn.client()).await?;
        call.complete(edit.diff()).await?;
        turn.message("The note is in the file.").await?;
        Ok("(the file was edited)")
    }
}
