//! Plays the agent's side of a recording against our client. The client makes the same calls as the recorded client.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
    time::Duration,
};

use acp_client::{
    Connection, Endpoint, Session, Turn, Update,
    testing::{Party, Tape},
    transport::memory::{self, Lines},
    values::{ClientCapabilities, StopReason, methods},
};
use acp_runtime::schema::{AgentMethod, Method, MethodKind, RequestMethod, Side};
use serde_json::{Value, json};
use tokio::{sync::watch, time::timeout};

/// A message of the recording, and its sender.
type Step = (Party, Value);

/// A method that nobody has. The recorded client called it to see the agent's answer.
struct NoSuch;

impl Method for NoSuch {
    const NAME: &'static str = "no/such";
    const HANDLER: &'static str = "no_such";
    const SIDE: Side = Side::Agent;
    const KIND: MethodKind = MethodKind::Request;
    type Params = Value;
    type Response = Value;
}

impl RequestMethod for NoSuch {}
impl AgentMethod for NoSuch {}

/// The time limit of one step.
const BOUND: Duration = Duration::from_secs(10);

fn steps(tape: &Tape) -> Vec<Step> {
    let lines = tape.entries().iter().filter_map(|entry| Some((entry.from, entry.text()?)));
    lines.map(|(from, line)| (from, serde_json::from_str(&line).expect("a message"))).collect()
}

/// The answers of the recorded client, in order. `None` stands for the answer that the turn is cancelled, because our
/// client gives this answer by itself.
#[derive(Clone, Default)]
struct Answers(Arc<Mutex<VecDeque<Option<Value>>>>);

impl acp_client::Handlers for Answers {
    fn capabilities() -> ClientCapabilities {
        let mut capabilities = ClientCapabilities::new().terminal(true);
        capabilities.fs.read_text_file = true;
        capabilities.fs.write_text_file = true;
        capabilities
    }

    fn call(call: acp_client::Call<'_, Self>) {
        // `handle` decodes the params with the client's types.
        match call.method() {
            "session/request_permission" => {
                call.handle(|answers: Arc<Self>, _: acp_client::values::RequestPermissionRequest| answers.next())
            }
            "fs/read_text_file" => {
                call.handle(|answers: Arc<Self>, _: acp_client::values::ReadTextFileRequest| answers.next())
            }
            "_auth/status_update" | "$/cancel_request" => call.unhandled(),
            other => panic!("`{other}` is asked in no recording"),
        }
    }
}

impl Answers {
    fn next(self: Arc<Self>) -> impl Future<Output = Result<Value, acp_runtime::Error>> {
        let answer = self.0.lock().expect("no panic").pop_front().expect("it was answered in the recording");
        async move {
            match answer {
                Some(answer) => Ok(answer),
                None => std::future::pending().await,
            }
        }
    }
}

/// Sends the messages of the agent. At a message of the client, waits for it and reports the number of this step.
async fn agent(steps: Arc<Vec<Step>>, mut client: Lines, at: watch::Sender<usize>) {
    let mut ids = HashMap::<String, Value>::new();
    for (number, (from, message)) in steps.iter().enumerate() {
        match from {
            Party::Agent => {
                let mut message = message.clone();
                if message["method"].is_null() {
                    let id = ids.get(&message["id"].to_string()).expect("the request was asked");
                    message["id"] = id.clone();
                }
                client.send(&message.to_string()).await.expect("the client is there");
            }
            _ => {
                at.send_replace(number);
                let line = timeout(BOUND, client.next_line()).await;
                let line = line.unwrap_or_else(|_| panic!("the client never sends what is step {number}: {message}"));
                let said: Value =
                    serde_json::from_str(&line.expect("a line").expect("the client is there")).expect("a message");
                assert_eq!(said["method"], message["method"], "step {number}: {message}\nbut {said}");
                if said["method"].is_null() {
                    assert_eq!(said["id"], message["id"]);
                    assert_eq!(said["result"], message["result"], "step {number}");
                } else {
                    ids.insert(message["id"].to_string(), said["id"].clone());
                }
            }
        }
    }
    at.send_replace(steps.len());
    assert_eq!(client.next_line().await.expect("an end"), None, "the client says more than was recorded");
}

/// Calls a method with the client's types, even if the client would refuse the call because the agent does not offer
/// the method.
async fn call(connection: &Connection, method: &str, params: &Value, answer: &Value) {
    macro_rules! typed {
        ($($marker:ident)*) => {
            match method {
                $(<methods::$marker as Method>::NAME => {
                    let params = serde_json::from_value(params.clone()).expect("params of the protocol");
                    connection.call::<methods::$marker>(&params).await.map(drop)
                })*
                NoSuch::NAME => connection.call::<NoSuch>(params).await.map(drop),
                _ => connection.ext_request::<Value>(method, params).await.map(drop),
            }
        };
    }
    let told = typed! { SetSessionConfigOption SetSessionMode Prompt LoadSession ListSessions ResumeSession CloseSession DeleteSession };
    match (told, &answer["error"]) {
        (Ok(()), Value::Null) => {}
        (Err(error), told) if !told.is_null() => {
            let refusal = error.refusal().unwrap_or_else(|| panic!("`{method}`: {error}"));
            assert_eq!(
                (Value::from(refusal.code()), refusal.message()),
                (told["code"].clone(), told["message"].as_str().expect("a text"))
            );
        }
        (told, _) => panic!("`{method}` was answered {answer}, and read as {told:?}"),
    }
}

async fn read_turn(mut turn: Turn, stop_reason: &Value) -> Vec<Update> {
    let mut updates = Vec::new();
    while let Some(update) = turn.next().await.expect("the turn goes on") {
        updates.push(update);
    }
    let told = turn.end().expect("it has ended").stop_reason;
    assert_eq!(json!(told), *stop_reason);
    assert!(told.is_some_and(|told| matches!(told, StopReason::EndTurn | StopReason::Cancelled)));
    updates
}

pub(crate) async fn play(name: &str, tape: &Tape) {
    let steps = Arc::new(steps(tape));
    let (near, far) = memory::pair();
    let (at, mut reached) = watch::channel(0);
    let served = tokio::spawn(agent(steps.clone(), far.into_lines(), at));
    let answers = Answers::default();
    for (from, message) in &*steps {
        if *from == Party::Client && message["method"].is_null() {
            let result = message["result"].clone();
            let is_cancelled = result["outcome"]["outcome"] == "cancelled";
            answers.0.lock().expect("no panic").push_back((!is_cancelled).then_some(result));
        }
    }
    let connection = Endpoint::over(near).connect_as(answers).await.expect("it connects");
    let mut session: Option<Session> = None;
    let mut turn = None;
    let mut updates = Vec::new();
    for (number, (_, message)) in steps.iter().enumerate().filter(|(_, (from, _))| *from == Party::Client).skip(1) {
        let (method, params) = (message["method"].as_str(), &message["params"]);
        let answer = steps
            .iter()
            .find(|(from, other)| *from == Party::Agent && other["id"] == message["id"] && other["method"].is_null());
        let answer = answer.map(|(_, answer)| answer).unwrap_or(&Value::Null);
        if method.is_none() {
            continue; // The client answers requests in its handlers.
        }
        timeout(BOUND, reached.wait_for(|at| *at >= number))
            .await
            .expect("the agent comes to this")
            .expect("it goes on");
        let is_ours = session.as_ref().is_some_and(|session| params["sessionId"] == *session.id().to_string());
        match method.unwrap_or_default() {
            "session/new" => session = Some(connection.new_session("/project").await.expect("a session")),
            "session/prompt" if is_ours => {
                let text = params["prompt"][0]["text"].as_str().expect("a text");
                let begun = session.as_ref().expect("it is ours").prompt(text).await.expect("a turn");
                // A turn that the recording cancels is read after the cancel.
                let is_cancelled = steps[number + 1..]
                    .iter()
                    .take_while(|(_, other)| other["id"] != message["id"] || other["method"].is_string())
                    .any(|(_, other)| other["method"] == "session/cancel");
                if is_cancelled {
                    turn = Some((begun, answer["result"]["stopReason"].clone()));
                } else {
                    updates.extend(read_turn(begun, &answer["result"]["stopReason"]).await);
                }
            }
            "session/cancel" => {
                let (mut begun, stop_reason) = turn.take().expect("a turn is at work");
                begun.cancel();
                updates.extend(read_turn(begun, &stop_reason).await);
            }
            method => call(&connection, method, params, answer).await,
        }
    }
    let session = session.expect("each recording has a session");
    while let Some(update) = session.try_update() {
        updates.push(update);
    }
    let told =
        steps.iter().filter(|(from, message)| *from == Party::Agent && message["method"] == "session/update").count();
    let missed = usize::try_from(session.missed_updates()).expect("a few");
    assert_eq!(updates.len() + missed, told, "{name}: every update has one receiver");
    assert_eq!(missed, 0, "{name}");
    let unread: Vec<_> = updates.iter().filter(|update| update.known().is_none()).collect();
    assert!(unread.is_empty(), "{name}: {unread:#?}");
    connection.close().await.expect("it closes");
    served.await.unwrap_or_else(|error| panic!("{name}: {error}"));
}
