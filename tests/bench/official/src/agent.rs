//! The same agent on the official SDK. The programs of stdio and of HTTP serve it.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use agent_client_protocol::v1::{ConnectionTo, schema::*};
use agent_client_protocol::{Agent, Client, ConnectTo, Error, ErrorCode, Result};
use agent_client_protocol::{on_receive_notification, on_receive_request};

use super::config::Config;

pub struct Session {
    _cwd: PathBuf,
    config: Config,
    cancelled: Arc<AtomicBool>,
}

#[derive(Default)]
pub struct State {
    boolean: bool,
    pub sessions: HashMap<SessionId, Session>,
}

impl State {
    fn session(&mut self, id: &SessionId) -> Result<&mut Session> {
        let unknown = || Error::new(ErrorCode::RESOURCE_NOT_FOUND, format!("unknown session `{id}`"));
        self.sessions.get_mut(id).ok_or_else(unknown)
    }
}

pub fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
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

pub fn agent(state: Arc<Mutex<State>>) -> impl ConnectTo<Client> {
    let [s1, s2, s3, s4, s5] = std::array::from_fn(|_| state.clone());
    Agent
        .v1()
        .name("bench-official")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _cx| {
                let session = request.client_capabilities.session;
                let boolean = session.and_then(|session| session.config_options).and_then(|options| options.boolean);
                lock(&s1).boolean = boolean.is_some();
                let capabilities = AgentCapabilities::new().prompt_capabilities(PromptCapabilities::new().image(true));
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
        )
}
