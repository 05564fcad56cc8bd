//! An agent of version 2 on the official Rust SDK. It does what the agent of version 1 in `main.rs` does, so that one client,
//! with the same code, drives both. A prompt that comes while another is worked on waits.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use agent_client_protocol::{
    Agent, Client, Error, Result, Stdio, on_receive_notification, on_receive_request,
    v2::{ConnectionTo, Responder, schema::*},
};
use serde_json::{Value, json};
use tokio::sync::watch;

const PAGE: usize = 2;

struct Session {
    cwd: AbsolutePath,
    model: String,
    brave: bool,
    history: Vec<Value>,
    /// Cancels the turn; `None` between turns.
    turn: Option<watch::Sender<bool>>,
    held: VecDeque<Held>,
}

/// A prompt that waits.
struct Held {
    number: u64,
    request: PromptRequest,
    responder: Responder<PromptResponse>,
}

#[derive(Clone, Default)]
struct Example(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    sessions: BTreeMap<String, Session>,
    /// The number of messages and prompts so far.
    last: u64,
}

/// A message of the protocol, from its JSON.
fn of<T: serde::de::DeserializeOwned>(value: Value) -> Result<T> {
    serde_json::from_value(value).map_err(Error::into_internal_error)
}

impl State {
    fn session(&mut self, id: &SessionId) -> Result<&mut Session> {
        let unknown = || Error::invalid_params().data(format!("unknown session `{id}`"));
        self.sessions.get_mut(&id.to_string()).ok_or_else(unknown)
    }

    fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    fn options(&mut self, id: &SessionId) -> Result<Value> {
        let Session { model, brave, .. } = self.session(id)?;
        let values = json!([{ "value": "small", "name": "Small" }, { "value": "large", "name": "Large" }]);
        Ok(json!([
            { "configId": "model", "name": "Model", "category": "model", "type": "select", "currentValue": model, "options": values },
            { "configId": "brave", "name": "Brave", "type": "boolean", "currentValue": brave },
        ]))
    }
}

impl Example {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn new_session(&self, request: NewSessionRequest) -> Result<NewSessionResponse> {
        let mut state = self.lock();
        let id = format!("session-{}", state.sessions.len());
        let (history, turn, held) = Default::default();
        let session = Session { cwd: request.cwd, model: "small".to_owned(), brave: false, history, turn, held };
        state.sessions.insert(id.clone(), session);
        let options = state.options(&SessionId::new(id.clone()))?;
        of(json!({ "sessionId": id, "configOptions": options }))
    }

    fn resume(&self, request: &ResumeSessionRequest, cx: &ConnectionTo<Client>) -> Result<ResumeSessionResponse> {
        let mut state = self.lock();
        let id = &request.session_id;
        let session = state.session(id)?;
        if request.replay_from.is_some() {
            session.history.iter().try_for_each(|said| tell(cx, id, said.clone()))?;
        }
        let working = session.turn.is_some();
        tell(cx, id, json!({ "sessionUpdate": "state_update", "state": if working { "running" } else { "idle" } }))?;
        of(json!({ "configOptions": state.options(id)? }))
    }

    fn list(&self, request: &ListSessionsRequest) -> Result<ListSessionsResponse> {
        let state = self.lock();
        let from: usize = request.cursor.as_ref().and_then(|cursor| cursor.to_string().parse().ok()).unwrap_or(0);
        let all = state.sessions.iter().map(|(id, session)| json!({ "sessionId": id, "cwd": session.cwd }));
        let page: Vec<_> = all.skip(from).take(PAGE).collect();
        let more = (from + PAGE < state.sessions.len()).then(|| (from + PAGE).to_string());
        of(json!({ "sessions": page, "nextCursor": more }))
    }

    fn set_option(&self, request: &SetSessionConfigOptionRequest) -> Result<SetSessionConfigOptionResponse> {
        let params = serde_json::to_value(request).map_err(Error::into_internal_error)?;
        let mut state = self.lock();
        let session = state.session(&request.session_id)?;
        match (params["configId"].as_str(), params["type"].as_str(), &params["value"]) {
            (Some("model"), Some("id"), Value::String(value)) => session.model = value.clone(),
            (Some("brave"), Some("boolean"), Value::Bool(on)) => session.brave = *on,
            _ => return Err(Error::invalid_params()),
        }
        of(json!({ "configOptions": state.options(&request.session_id)? }))
    }

    /// Cancels the turn, and the prompts that wait.
    fn cancel(&self, id: &SessionId) -> Result<()> {
        let held = {
            let mut state = self.lock();
            let session = state.session(id)?;
            if let Some(turn) = &session.turn {
                turn.send_replace(true);
            }
            std::mem::take(&mut session.held)
        };
        held.into_iter().try_for_each(|held| held.responder.respond_with_error(Error::request_cancelled()))
    }

    fn prompt(
        &self,
        request: PromptRequest,
        responder: Responder<PromptResponse>,
        cx: &ConnectionTo<Client>,
    ) -> Result<()> {
        let id = request.session_id.clone();
        let withdrawn = responder.cancellation();
        let number = {
            let mut state = self.lock();
            let number = state.next();
            if let Err(error) = state.session(&id) {
                return responder.respond_with_error(error);
            }
            state.session(&id)?.held.push_back(Held { number, request, responder });
            number
        };
        let (example, of_withdrawn) = (self.clone(), id.clone());
        cx.spawn(async move {
            withdrawn.cancelled().await;
            let held = {
                let mut state = example.lock();
                let held = &mut state.session(&of_withdrawn)?.held;
                held.iter().position(|held| held.number == number).and_then(|at| held.remove(at))
            };
            held.map_or(Ok(()), |held| held.responder.respond_with_error(Error::request_cancelled()))
        })?;
        self.work(&id, cx)
    }

    /// Inserts the next prompt, if nothing is worked on.
    fn work(&self, id: &SessionId, cx: &ConnectionTo<Client>) -> Result<()> {
        let (request, turn) = {
            let mut state = self.lock();
            let (message, answer) = (state.next(), state.next());
            let session = state.session(id)?;
            if session.turn.is_some() {
                return Ok(());
            }
            let Some(Held { request, responder, .. }) = session.held.pop_front() else { return Ok(()) };
            let (cancel, cancelled) = watch::channel(false);
            session.turn = Some(cancel);
            let message = format!("message-{message}");
            let said = json!({ "sessionUpdate": "user_message", "messageId": message, "content": request.prompt });
            session.history.push(said.clone());
            responder.respond(PromptResponse::new(message))?;
            tell(cx, id, said)?;
            (request, Turn { id: id.clone(), message: format!("message-{answer}"), cx: cx.clone(), cancelled })
        };
        let (example, cx) = (self.clone(), cx.clone());
        let of_turn = id.clone();
        cx.clone().spawn(async move {
            let reason = example.turn(request, turn).await?;
            {
                // The session is free before the client hears of it.
                let mut state = example.lock();
                state.session(&of_turn)?.turn = None;
                tell(&cx, &of_turn, json!({ "sessionUpdate": "state_update", "state": "idle", "stopReason": reason }))?;
            }
            example.work(&of_turn, &cx)
        })
    }

    async fn turn(&self, request: PromptRequest, turn: Turn) -> Result<&'static str> {
        turn.state("running")?;
        let prompt = serde_json::to_value(&request.prompt).map_err(Error::into_internal_error)?;
        match prompt[0]["text"].as_str() {
            Some("work") => turn.work().await,
            Some("wait") => turn.wait().await,
            Some("later") => self.later(turn),
            _ => {
                for block in prompt.as_array().into_iter().flatten() {
                    let said = turn.message(block.clone());
                    self.lock().session(&turn.id)?.history.push(said.clone());
                    turn.tell(said)?;
                }
                Ok("end_turn")
            }
        }
    }

    /// Leaves something at work in the background, which wakes the agent once.
    fn later(&self, turn: Turn) -> Result<&'static str> {
        let background = json!([{ "type": "tool_call", "toolCallId": "watch" }]);
        turn.call("watch", json!({ "title": "Watching", "status": "in_progress" }))?;
        let cx = turn.cx.clone();
        cx.spawn(async move {
            let state = |state: &str, background: &Value| {
                let stop_reason = (state == "idle").then_some("end_turn");
                turn.tell(json!({
                    "sessionUpdate": "state_update", "state": state, "stopReason": stop_reason, "background": background,
                }))
            };
            tokio::time::sleep(Duration::from_millis(20)).await;
            state("running", &background)?;
            turn.tell(json!({
                "sessionUpdate": "agent_message", "messageId": "woken", "content": [{ "type": "text", "text": "It has changed." }],
            }))?;
            state("idle", &background)?;
            turn.call("watch", json!({ "status": "completed" }))?;
            state("idle", &json!([]))
        })?;
        Ok("end_turn")
    }
}

/// Tells the client an update.
fn tell(cx: &ConnectionTo<Client>, id: &SessionId, update: Value) -> Result<()> {
    cx.send_notification(UpdateSessionNotification::new(id.clone(), of::<SessionUpdate>(update)?))
}

struct Turn {
    id: SessionId,
    message: String,
    cx: ConnectionTo<Client>,
    cancelled: watch::Receiver<bool>,
}

impl Turn {
    fn tell(&self, update: Value) -> Result<()> {
        tell(&self.cx, &self.id, update)
    }

    fn state(&self, state: &str) -> Result<()> {
        self.tell(json!({ "sessionUpdate": "state_update", "state": state }))
    }

    fn message(&self, content: Value) -> Value {
        json!({ "sessionUpdate": "agent_message_chunk", "messageId": self.message, "content": content })
    }

    fn say(&self, text: &str) -> Result<()> {
        self.tell(self.message(json!({ "type": "text", "text": text })))
    }

    fn call(&self, call: &str, mut fields: Value) -> Result<()> {
        fields["sessionUpdate"] = "tool_call_update".into();
        fields["toolCallId"] = call.into();
        self.tell(fields)
    }

    async fn work(self) -> Result<&'static str> {
        self.say("I will look first. ")?;
        self.call("call_1", json!({ "title": "Reading the settings", "kind": "read", "status": "pending" }))?;
        self.call("call_1", json!({ "status": "completed" }))?;
        self.call("call_2", json!({ "title": "Changing the settings", "kind": "edit", "status": "pending" }))?;
        let request: RequestPermissionRequest = of(json!({
            "sessionId": self.id,
            "title": "May I change the settings?",
            "subject": { "type": "tool_call", "toolCall": { "toolCallId": "call_2" } },
            "options": [
                { "optionId": "allow", "name": "Change them", "kind": "allow_once" },
                { "optionId": "reject", "name": "Leave them", "kind": "reject_once" },
            ],
        }))?;
        let asked = self.cx.send_request(request);
        self.state("requires_action")?;
        let answer = asked.block_task().await?;
        let RequestPermissionOutcome::Selected(selected) = answer.outcome else { return Ok("cancelled") };
        self.state("running")?;
        let allowed = selected.option_id.to_string() == "allow";
        self.call("call_2", json!({ "status": if allowed { "completed" } else { "failed" } }))?;
        self.say(if allowed { "Changed." } else { "Left alone." })?;
        Ok("end_turn")
    }

    async fn wait(mut self) -> Result<&'static str> {
        while !*self.cancelled.borrow_and_update() {
            self.say("tick ")?;
            let _ = tokio::time::timeout(Duration::from_millis(20), self.cancelled.changed()).await;
        }
        Ok("cancelled")
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let example = Example::default();
    let [e1, e2, e3, e4, e5, e6, e7] = std::array::from_fn(|_| example.clone());
    Agent
        .v2()
        .name("example-agent")
        .on_receive_request(
            async move |request: InitializeRequest, responder, _cx| {
                let capabilities = AgentCapabilities::new().session(SessionCapabilities::new());
                let info = Implementation::new("example-agent", "0.2.0");
                responder.respond(InitializeResponse::new(request.protocol_version, info).capabilities(capabilities))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: NewSessionRequest, responder, _cx| {
                responder.respond_with_result(e1.new_session(request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ResumeSessionRequest, responder, cx| {
                responder.respond_with_result(e2.resume(&request, &cx))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: ListSessionsRequest, responder, _cx| responder.respond_with_result(e3.list(&request)),
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: CloseSessionRequest, responder, _cx| {
                responder.respond_with_result(e4.cancel(&request.session_id).map(|()| CloseSessionResponse::new()))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: SetSessionConfigOptionRequest, responder, _cx| {
                responder.respond_with_result(e5.set_option(&request))
            },
            on_receive_request!(),
        )
        .on_receive_request(
            async move |request: PromptRequest, responder, cx| e6.prompt(request, responder, &cx),
            on_receive_request!(),
        )
        .on_receive_notification(
            async move |request: CancelSessionNotification, _cx| e7.cancel(&request.session_id),
            on_receive_notification!(),
        )
        .connect_to(Stdio::new())
        .await
}
