//! An agent on the official Rust SDK, in the style of the SDK's own examples: each method is a closure.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agent_client_protocol::{
    Agent, Client, ConnectTo, Error, Result, Stdio, on_receive_notification, on_receive_request,
    v1::{ConnectionTo, schema::*},
};
use agent_client_protocol_http::AcpHttpServer;
use tokio::sync::watch;

const PAGE: usize = 2;

struct Session {
    cwd: std::path::PathBuf,
    mode: SessionModeId,
    model: SessionConfigValueId,
    brave: bool,
    history: Vec<SessionUpdate>,
    cancelled: watch::Sender<bool>,
}

#[derive(Clone, Default)]
struct Example(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    knows_switches: bool,
    sessions: BTreeMap<String, Session>,
}

impl State {
    fn session(&mut self, id: &SessionId) -> Result<&mut Session> {
        self.sessions.get_mut(&*id.0).ok_or_else(|| Error::invalid_params().data(format!("unknown session `{id}`")))
    }

    fn modes(&mut self, id: &SessionId) -> Result<SessionModeState> {
        let modes = vec![SessionMode::new("ask", "Ask"), SessionMode::new("code", "Code")];
        Ok(SessionModeState::new(self.session(id)?.mode.clone(), modes))
    }

    fn options(&mut self, id: &SessionId) -> Result<Vec<SessionConfigOption>> {
        let knows_switches = self.knows_switches;
        let Session { model, brave, .. } = self.session(id)?;
        let values =
            vec![SessionConfigSelectOption::new("small", "Small"), SessionConfigSelectOption::new("large", "Large")];
        let mut options = vec![
            SessionConfigOption::select("model", "Model", model.clone(), values)
                .category(SessionConfigOptionCategory::Model),
        ];
        if knows_switches {
            options.push(SessionConfigOption::boolean("brave", "Brave", *brave));
        }
        Ok(options)
    }
}

impl Example {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_session(&self, request: NewSessionRequest) -> Result<NewSessionResponse> {
        let mut state = self.lock();
        let id = SessionId::new(format!("session-{}", state.sessions.len()));
        let session = Session {
            cwd: request.cwd,
            mode: "ask".into(),
            model: "small".into(),
            brave: false,
            history: Vec::new(),
            cancelled: watch::Sender::new(false),
        };
        state.sessions.insert(id.0.to_string(), session);
        let (modes, options) = (state.modes(&id)?, state.options(&id)?);
        Ok(NewSessionResponse::new(id).modes(modes).config_options(options))
    }

    fn load(&self, request: &LoadSessionRequest, cx: &ConnectionTo<Client>) -> Result<LoadSessionResponse> {
        let mut state = self.lock();
        let id = &request.session_id;
        for update in state.session(id)?.history.clone() {
            cx.send_notification(SessionNotification::new(id.clone(), update))?;
        }
        Ok(LoadSessionResponse::new().modes(state.modes(id)?).config_options(state.options(id)?))
    }

    fn list(&self, request: &ListSessionsRequest) -> ListSessionsResponse {
        let state = self.lock();
        let from: usize = request.cursor.as_ref().and_then(|cursor| cursor.to_string().parse().ok()).unwrap_or(0);
        let all: Vec<_> =
            state.sessions.iter().map(|(id, session)| SessionInfo::new(id.clone(), &session.cwd)).collect();
        let more = (from + PAGE < all.len()).then(|| (from + PAGE).to_string());
        let page: Vec<_> = all.into_iter().skip(from).take(PAGE).collect();
        let mut response = ListSessionsResponse::new(page);
        if let Some(more) = more {
            response = response.next_cursor(more);
        }
        response
    }

    fn set_mode(&self, request: &SetSessionModeRequest, cx: &ConnectionTo<Client>) -> Result<SetSessionModeResponse> {
        self.lock().session(&request.session_id)?.mode = request.mode_id.clone();
        let update = SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new(request.mode_id.clone()));
        cx.send_notification(SessionNotification::new(request.session_id.clone(), update))?;
        Ok(SetSessionModeResponse::new())
    }

    fn set_option(&self, request: &SetSessionConfigOptionRequest) -> Result<SetSessionConfigOptionResponse> {
        let mut state = self.lock();
        let session = state.session(&request.session_id)?;
        match (&*request.config_id.0, request.value.as_value_id(), request.value.as_bool()) {
            ("model", Some(value), _) => session.model = value.clone(),
            ("brave", _, Some(on)) => session.brave = on,
            _ => return Err(Error::invalid_params()),
        }
        Ok(SetSessionConfigOptionResponse::new(state.options(&request.session_id)?))
    }

    async fn prompt(self, request: PromptRequest, cx: ConnectionTo<Client>) -> Result<PromptResponse> {
        let cancelled = {
            let mut state = self.lock();
            let session = state.session(&request.session_id)?;
            let said =
                request.prompt.iter().cloned().map(|block| SessionUpdate::UserMessageChunk(ContentChunk::new(block)));
            session.history.extend(said);
            session.cancelled.subscribe()
        };
        let turn = Turn { id: request.session_id, cx, cancelled };
        let text = match request.prompt.first() {
            Some(ContentBlock::Text(text)) => text.text.clone(),
            _ => String::new(),
        };
        let reason = match &*text {
            "work" => turn.work().await?,
            "wait" => turn.wait().await?,
            _ => {
                for block in request.prompt {
                    let update = SessionUpdate::AgentMessageChunk(ContentChunk::new(block));
                    self.lock().session(&turn.id)?.history.push(update.clone());
                    turn.update(update)?;
                }
                StopReason::EndTurn
            }
        };
        Ok(PromptResponse::new(reason))
    }
}

struct Turn {
    id: SessionId,
    cx: ConnectionTo<Client>,
    cancelled: watch::Receiver<bool>,
}

impl Turn {
    fn update(&self, update: SessionUpdate) -> Result<()> {
        self.cx.send_notification(SessionNotification::new(self.id.clone(), update))
    }

    fn say(&self, text: &str) -> Result<()> {
        self.update(SessionUpdate::AgentMessageChunk(ContentChunk::new(text.into())))
    }

    fn change(&self, call: &'static str, status: ToolCallStatus) -> Result<()> {
        let fields = ToolCallUpdateFields::new().status(status);
        self.update(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call, fields)))
    }

    async fn work(self) -> Result<StopReason> {
        self.say("I will look first. ")?;
        self.update(SessionUpdate::ToolCall(ToolCall::new("call_1", "Reading the settings").kind(ToolKind::Read)))?;
        self.change("call_1", ToolCallStatus::Completed)?;
        self.update(SessionUpdate::ToolCall(ToolCall::new("call_2", "Changing the settings").kind(ToolKind::Edit)))?;
        let fields = ToolCallUpdateFields::new().title("Changing the settings").kind(ToolKind::Edit);
        let options = vec![
            PermissionOption::new("allow", "Change them", PermissionOptionKind::AllowOnce),
            PermissionOption::new("reject", "Leave them", PermissionOptionKind::RejectOnce),
        ];
        let request = RequestPermissionRequest::new(self.id.clone(), ToolCallUpdate::new("call_2", fields), options);
        let answer = self.cx.send_request(request).block_task().await?;
        let RequestPermissionOutcome::Selected(selected) = answer.outcome else { return Ok(StopReason::Cancelled) };
        let allowed = &*selected.option_id.0 == "allow";
        self.change("call_2", if allowed { ToolCallStatus::Completed } else { ToolCallStatus::Failed })?;
        self.say(if allowed { "Changed." } else { "Left alone." })?;
        Ok(StopReason::EndTurn)
    }

    async fn wait(mut self) -> Result<StopReason> {
        while !*self.cancelled.borrow_and_update() {
            self.say("tick ")?;
            let _ = tokio::time::timeout(Duration::from_millis(20), self.cancelled.changed()).await;
        }
        Ok(StopReason::Cancelled)
    }
}

/// With `--http`, it serves HTTP and WebSockets, and its first line is its URL.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let example = Example::default();
    if std::env::args().nth(1).as_deref() != Some("--http") {
        return agent(example).connect_to(Stdio::new()).await;
    }
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.map_err(Error::into_internal_error)?;
    println!("http://{}/acp", listener.local_addr().map_err(Error::into_internal_error)?);
    let server = AcpHttpServer::new(move || agent(example.clone()));
    axum::serve(listener, server.into_router()).await.map_err(Error::into_internal_error)
}

fn agent(example: Example) -> impl ConnectTo<Client> {
    let [e1, e2, e3, e4, e5, e6, e7, e8, e9] = std::array::from_fn(|_| example.clone());
    Agent
        .v1()
        .name("example-agent")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _cx| {
                let session = request.client_capabilities.session;
                let switches = session.and_then(|session| session.config_options).and_then(|options| options.boolean);
                e1.lock().knows_switches = switches.is_some();
                let sessions = SessionCapabilities::new()
                    .list(SessionListCapabilities::new())
                    .close(SessionCloseCapabilities::new());
                let capabilities = AgentCapabilities::new().load_session(true).session_capabilities(sessions);
                let info = Implementation::new("example-agent", "0.1.0");
                let response = InitializeResponse::new(request.protocol_version).agent_capabilities(capabilities);
                responder.respond(response.agent_info(info))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, _cx| {
                responder.respond_with_result(e2.new_session(request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: LoadSessionRequest, responder, cx| {
                responder.respond_with_result(e3.load(&request, &cx))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ListSessionsRequest, responder, _cx| responder.respond(e4.list(&request)),
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _cx| {
                let closed = e5.lock().session(&request.session_id).map(|session| session.cancelled.send_replace(true));
                responder.respond_with_result(closed.map(|_| CloseSessionResponse::new()))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionModeRequest, responder, cx| {
                responder.respond_with_result(e6.set_mode(&request, &cx))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionConfigOptionRequest, responder, _cx| {
                responder.respond_with_result(e7.set_option(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, cx| {
                // The flag is reset here and not in the task, because the next message may be `session/cancel`.
                if let Ok(session) = e8.lock().session(&request.session_id) {
                    session.cancelled.send_replace(false);
                }
                let (example, task) = (e8.clone(), cx.clone());
                cx.spawn(async move { responder.respond_with_result(example.prompt(request, task).await) })
            },
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelNotification, _cx| {
                e9.lock().session(&request.session_id)?.cancelled.send_replace(true);
                Ok(())
            },
            on_receive_notification!(),
        )
}
