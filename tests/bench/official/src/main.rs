//! The same agent on the official SDK. `bench-official` uses the SDK's `Stdio`. `bench-official threads` uses a
//! transport on two threads. This transport is written by hand, and is the best that a user of the SDK can do.

mod config;
mod threads;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use agent_client_protocol::v1::{ConnectionTo, schema::*};
use agent_client_protocol::{Agent, Client, Error, ErrorCode, Result, Stdio};
use agent_client_protocol::{on_receive_notification, on_receive_request};
use config::Config;

struct Session {
    _cwd: PathBuf,
    config: Config,
    cancelled: Arc<AtomicBool>,
}

#[derive(Default)]
struct State {
    boolean: bool,
    sessions: HashMap<SessionId, Session>,
}

impl State {
    fn session(&mut self, id: &SessionId) -> Result<&mut Session> {
        let unknown = || Error::new(ErrorCode::RESOURCE_NOT_FOUND, format!("unknown session `{id}`"));
        self.sessions.get_mut(id).ok_or_else(unknown)
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn prompt(request: PromptRequest, cancelled: &AtomicBool, cx: &ConnectionTo<Client>) -> Result<PromptResponse> {
    let Some(ContentBlock::Text(first)) = request.prompt.first() else {
        return Ok(PromptResponse::new(StopReason::EndTurn));
    };
    let mut words = first.text.splitn(3, ' ');
    let yields = match words.next() {
        Some("stream") => false,
        Some("yield") => true,
        _ => return Ok(PromptResponse::new(StopReason::EndTurn)),
    };
    let mut number = || words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let (updates, bytes): (usize, usize) = (number(), number());
    let text = "x".repeat(bytes);
    for _ in 0..updates {
        if cancelled.load(Ordering::Acquire) {
            return Ok(PromptResponse::new(StopReason::Cancelled));
        }
        let chunk = SessionUpdate::AgentMessageChunk(ContentChunk::new(text.as_str().into()));
        cx.send_notification(SessionNotification::new(request.session_id.clone(), chunk))?;
        if yields {
            tokio::task::yield_now().await;
        }
    }
    Ok(PromptResponse::new(StopReason::EndTurn))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let state = Arc::new(Mutex::new(State::default()));
    let [s1, s2, s3, s4, s5] = std::array::from_fn(|_| state.clone());
    let agent = Agent
        .v1()
        .name("bench-official")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _cx| {
                let session = request.client_capabilities.session;
                let boolean = session.and_then(|session| session.config_options).and_then(|options| options.boolean);
                lock(&s1).boolean = boolean.is_some();
                let capabilities =
                    AgentCapabilities::new().prompt_capabilities(PromptCapabilities::new().image(true));
                responder.respond(InitializeResponse::new(request.protocol_version).agent_capabilities(capabilities))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, _cx| {
                let mut state = lock(&s2);
                let id = SessionId::new(format!("sess_{}", uuid::Uuid::now_v7().simple()));
                let session = Session { _cwd: request.cwd, config: Config::default(), cancelled: Arc::default() };
                let options = session.config.options(state.boolean);
                state.sessions.insert(id.clone(), session);
                responder.respond(NewSessionResponse::new(id).config_options(options))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionConfigOptionRequest, responder, _cx| {
                let mut state = lock(&s3);
                let boolean = state.boolean;
                let config = &mut state.session(&request.session_id)?.config;
                config.set(boolean, &request.config_id.0, &request.value)?;
                responder.respond(SetSessionConfigOptionResponse::new(config.options(boolean)))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, cx| {
                // The flag is reset here and not in the task, because the next message may be `session/cancel`.
                let cancelled = lock(&s4).session(&request.session_id)?.cancelled.clone();
                cancelled.store(false, Ordering::Release);
                let task = cx.clone();
                cx.spawn(async move { responder.respond_with_result(prompt(request, &cancelled, &task).await) })
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelNotification, _cx| {
                lock(&s5).session(&request.session_id)?.cancelled.store(true, Ordering::Release);
                Ok(())
            },
            on_receive_notification!(),
        );
    if std::env::args().nth(1).as_deref() != Some("threads") {
        return agent.connect_to(Stdio::new()).await;
    }
    let (transport, writer) = threads::start();
    let result = agent.connect_to(transport).await;
    // A panic of the writer is already on stderr, so its result holds no other information.
    let _ = writer.join();
    result
}
