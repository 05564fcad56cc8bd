//! Hooks between an agent and its transport.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use acp_runtime::{
    hooks::{Hooks, Kind, Pass, Passing, Strict},
    prelude::*,
    transport::Limits,
    values::methods,
};
use acp_tests::{
    modes::Config,
    peer::{Message, Peer, all_capabilities},
};
use serde_json::{Value, json};

#[acp_agent(config = Config)]
#[derive(Clone, Default)]
struct Speaker {
    sums: Arc<AtomicUsize>,
}

#[acp_agent]
impl Speaker {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Config>) -> Result<StopReason> {
        match request.text().as_str() {
            "ask" => {
                let answer: Value = turn.client().ext_request("_acp-tests.dev/ask", &json!({ "question": 1 })).await?;
                turn.message(answer.to_string()).await?;
            }
            "fail" => return Err(Error::internal_error("it failed")),
            "flood" => {
                while !turn.is_cancelled() {
                    turn.message("x".repeat(1000)).await?;
                }
            }
            text => turn.message(text).await?,
        }
        Ok(StopReason::EndTurn)
    }

    #[ext("_acp-tests.dev/sum")]
    async fn sum(&self, numbers: Vec<u64>) -> u64 {
        self.sums.fetch_add(1, Ordering::SeqCst);
        numbers.iter().sum()
    }

    #[ext("_acp-tests.dev/never")]
    async fn never(&self) {
        std::future::pending().await
    }
}

/// Two functions as hooks.
struct Both<I, O>(I, O);

impl<I, O> Hooks for Both<I, O>
where
    I: Fn(&Passing<'_>) -> Pass + Send + Sync + 'static,
    O: Fn(&Passing<'_>) -> Pass + Send + Sync + 'static,
{
    fn incoming(&self, message: &Passing<'_>) -> Pass {
        (self.0)(message)
    }

    fn outgoing(&self, message: &Passing<'_>) -> Pass {
        (self.1)(message)
    }
}

fn on(_: &Passing<'_>) -> Pass {
    Pass::On
}

fn read(message: &Passing<'_>) -> Value {
    message.read().expect("its params are JSON")
}

fn serve(hooks: impl Hooks) -> Peer {
    Peer::serve_hooked(Speaker::default(), hooks, Limits::default())
}

async fn session(hooks: impl Hooks) -> (Peer, String) {
    let mut peer = serve(hooks);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    (peer, id)
}

async fn sum(peer: &mut Peer, numbers: Value) -> Result<Value, i32> {
    peer.call("_acp-tests.dev/sum", numbers).await.map_err(|refusal| refusal.code)
}

#[tokio::test]
async fn changed_params_reach_the_handler_and_other_messages_go_on() {
    let hooks = Both(
        |message: &Passing<'_>| match message.method() {
            "_acp-tests.dev/sum" => Pass::with(&json!([100, read(message)[1]])).unwrap(),
            _ => Pass::On,
        },
        on,
    );
    let (mut peer, id) = session(hooks).await;
    assert_eq!(sum(&mut peer, json!([2, 3])).await, Ok(json!(103)));
    assert_eq!(peer.turn(&id, "hello").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "hello");
}

#[tokio::test]
async fn an_answer_of_a_hook_has_its_place_among_the_answers() {
    let hooks = Both(
        |message: &Passing<'_>| match message.text() {
            "[1]" => Pass::Refuse(Error::new(-7, "not one")),
            "[2]" => Pass::answer(&"two").unwrap(),
            _ => Pass::On,
        },
        on,
    );
    let (mut peer, _) = session(hooks).await;
    let mut requests = Vec::new();
    let ids: Vec<i64> = (0..6)
        .map(|number| {
            let (id, message) = peer.request_message("_acp-tests.dev/sum", json!([number % 3]));
            requests.push(message);
            id
        })
        .collect();
    peer.send_together(&requests).await;
    for (number, id) in ids.into_iter().enumerate() {
        let Message::Answer { id: of, outcome } = peer.next().await else { panic!("an answer") };
        assert_eq!(of, json!(id), "the answers have the order of the requests");
        match number % 3 {
            0 => assert_eq!(outcome, Ok(json!(0))),
            1 => assert_eq!(outcome.unwrap_err().code, -7),
            _ => assert_eq!(outcome, Ok(json!("two"))),
        }
    }
}

#[tokio::test]
async fn a_hook_sees_and_changes_the_answers_of_methods_that_the_runtime_serves() {
    let hooks = Both(on, |message: &Passing<'_>| match message.method() {
        "initialize" if message.kind() == Kind::Answer => {
            let mut answer = read(message);
            answer["agentInfo"]["name"] = json!("another");
            Pass::with(&answer).unwrap()
        }
        "session/set_mode" if message.error().is_some() => Pass::Refuse(Error::new(-9, "there is no such mode")),
        _ => Pass::On,
    });
    let mut peer = serve(hooks);
    assert_eq!(peer.initialize(json!({})).await["agentInfo"]["name"], "another");
    let id = peer.new_session().await;
    let refused = peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "no" })).await.unwrap_err();
    assert_eq!((refused.code, refused.message.as_str()), (-9, "there is no such mode"));
    peer.call("session/set_mode", json!({ "sessionId": id, "modeId": "code" })).await.unwrap();
}

#[tokio::test]
async fn a_request_goes_on_as_one_of_another_method_and_is_answered_as_what_it_was() {
    let hooks = Both(
        |message: &Passing<'_>| match message.method() {
            "plus" => Pass::to("_acp-tests.dev/sum", &read(message)).unwrap(),
            _ => Pass::On,
        },
        |message: &Passing<'_>| match message.answers("plus") {
            true => Pass::with(&json!({ "sum": read(message), "id": message.id() })).unwrap(),
            false => Pass::On,
        },
    );
    let (mut peer, _) = session(hooks).await;
    let id = peer.request("plus", json!([1, 2])).await;
    assert_eq!(peer.answer(id).await, Ok(json!({ "sum": 3, "id": id.to_string() })));
    assert_eq!(sum(&mut peer, json!([4])).await, Ok(json!(4)), "the same method under its own name");
}

#[tokio::test]
async fn a_request_to_the_client_that_a_hook_answers_is_not_sent() {
    for (refuses, told) in [(false, "\"from the hook\""), (true, "")] {
        let hooks = Both(on, move |message: &Passing<'_>| match (message.kind(), message.method()) {
            (Kind::Request, "_acp-tests.dev/ask") if refuses => Pass::Refuse(Error::invalid_request("ask nobody")),
            (Kind::Request, "_acp-tests.dev/ask") => Pass::answer(&"from the hook").unwrap(),
            _ => Pass::On,
        });
        let (mut peer, id) = session(hooks).await;
        let turn = peer.prompt(&id, "ask").await;
        let end = peer.answer(turn).await;
        let seen = peer.unread();
        assert!(seen.iter().all(|message| !matches!(message, Message::Request { .. })), "{seen:?}");
        match refuses {
            true => assert_eq!(end.unwrap_err().message, "ask nobody"),
            false => {
                assert_eq!(end.unwrap()["stopReason"], "end_turn");
                let Some(Message::Notification { params, .. }) = seen.first() else { panic!("{seen:?}") };
                assert_eq!(params["update"]["content"]["text"], told);
            }
        }
    }
}

#[tokio::test]
async fn an_answer_of_the_client_passes_the_hooks() {
    let hooks = Both(
        |message: &Passing<'_>| match message.answers("_acp-tests.dev/ask") {
            true => Pass::answer(&json!({ "was": message.error().map(Error::code) })).unwrap(),
            false => Pass::On,
        },
        |message: &Passing<'_>| match (message.kind(), message.method()) {
            (Kind::Request, "_acp-tests.dev/ask") => Pass::with(&json!({ "question": 2 })).unwrap(),
            _ => Pass::On,
        },
    );
    let (mut peer, id) = session(hooks).await;
    let turn = peer.prompt(&id, "ask").await;
    let asked = peer.asked("_acp-tests.dev/ask").await;
    assert_eq!(asked.params, json!({ "question": 2 }));
    peer.refuse(&asked, -5, "no").await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], r#"{"was":-5}"#);
}

/// A hook that changes results does not turn an error into one, whichever type it reads.
#[tokio::test]
async fn an_error_stays_an_error_unless_a_hook_answers_instead() {
    let told = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = told.clone();
    let hooks =
        Both(on, move |message: &Passing<'_>| match (message.kind(), message.method(), message.read::<Value>()) {
            (_, "initialize", _) => Pass::On,
            (Kind::Answer, "_acp-tests.dev/mended", _) => Pass::answer(&"mended").unwrap(),
            (Kind::Answer, "_acp-tests.dev/blind", _) => Pass::with(&"blind").unwrap(),
            (Kind::Answer, _, Ok(result)) => Pass::with(&json!({ "changed": result })).unwrap(),
            (Kind::Answer, _, Err(error)) => {
                seen.lock().unwrap().push(error.to_string());
                assert!(message.read::<Option<Value>>().is_err() && message.read::<()>().is_err());
                Pass::On
            }
            _ => Pass::On,
        });
    let mut peer = serve(hooks);
    peer.initialize(json!({})).await;
    assert_eq!(sum(&mut peer, json!([1])).await, Ok(json!({ "changed": 1 })));
    assert_eq!(sum(&mut peer, json!({ "no": "list" })).await, Err(-32602));
    for (method, expected) in [("mended", Ok(json!("mended"))), ("blind", Err(-32601))] {
        let answer = peer.call(&format!("_acp-tests.dev/{method}"), json!({})).await;
        assert_eq!(answer.map_err(|refusal| refusal.code), expected);
    }
    assert_eq!(*told.lock().unwrap(), ["the answer has no result: it is the error -32602"]);
}

/// JSON-RPC knows no params `null`.
#[tokio::test]
async fn params_that_are_absent_stay_absent_behind_a_hook() {
    let hooks = Both(|message: &Passing<'_>| Pass::with(&read(message)).unwrap(), on);
    let (inner, seen) = (hooks, Arc::new(std::sync::Mutex::new(Vec::new())));
    let noted = seen.clone();
    let outer = Both(
        move |message: &Passing<'_>| {
            noted.lock().unwrap().push(format!("{message:?}").contains("Params(None)"));
            Pass::On
        },
        on,
    );
    let (ours, theirs) = acp_runtime::transport::memory::pair();
    let transport = acp_runtime::hooks::Hooked::new(theirs, inner);
    let transport = acp_runtime::hooks::Hooked::new(transport, outer);
    let served = tokio::spawn(Speaker::default().serve(transport, Limits::default()));
    let mut client = ours.into_lines();
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"logout"}"#).await.unwrap();
    client.next_line().await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [true]);
    client.hang_up().await.unwrap();
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_notification_is_changed_or_dropped() {
    let hooks = Both(
        |message: &Passing<'_>| match message.method() {
            "session/cancel" => Pass::Refuse(Error::invalid_request("nobody cancels")),
            _ => Pass::On,
        },
        |message: &Passing<'_>| match (message.method(), message.text()) {
            ("session/update", text) if text.contains("secret") => Pass::Refuse(Error::internal_error("not this one")),
            ("session/update", text) if text.contains("plain") => {
                let mut params = read(message);
                params["update"]["content"]["text"] = json!("changed");
                Pass::with(&params).unwrap()
            }
            _ => Pass::On,
        },
    );
    let (mut peer, id) = session(hooks).await;
    assert_eq!(peer.turn(&id, "secret").await, "end_turn");
    assert_eq!(peer.unread(), []);
    assert_eq!(peer.turn(&id, "plain").await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "changed");
    let turn = peer.prompt(&id, "ask").await;
    let asked = peer.asked("_acp-tests.dev/ask").await;
    peer.cancel(&id).await;
    assert_eq!(peer.settled().await, [], "the cancel did not pass");
    peer.reply(&asked, Value::Null).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
}

#[tokio::test]
async fn a_request_that_goes_on_is_withdrawn_by_its_id() {
    let hooks = Both(
        |message: &Passing<'_>| match message.method() {
            "wait" => Pass::to("_acp-tests.dev/never", &json!({})).unwrap(),
            _ => Pass::On,
        },
        on,
    );
    let (mut peer, _) = session(hooks).await;
    let id = peer.request("wait", json!({})).await;
    peer.notify("$/cancel_request", json!({ "requestId": id })).await;
    assert_eq!(peer.answer(id).await.unwrap_err().code, -32800);
}

#[tokio::test]
async fn a_cancel_during_a_request_to_the_client_reaches_it_through_hooks() {
    let (mut peer, id) = session(Both(on, on)).await;
    let turn = peer.prompt(&id, "ask").await;
    let asked = peer.asked("_acp-tests.dev/ask").await;
    peer.cancel(&id).await;
    assert_eq!(peer.notified("$/cancel_request").await["requestId"], asked.id);
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}

#[tokio::test]
async fn a_panic_of_a_hook_is_an_error_and_the_connection_goes_on() {
    let hooks = Both(
        |message: &Passing<'_>| match message.text() {
            "[1]" => panic!("a bug of the author"),
            _ => Pass::On,
        },
        |message: &Passing<'_>| match message.text() {
            "2" => panic!("a bug of the author"),
            _ => Pass::On,
        },
    );
    let (mut peer, _) = session(hooks).await;
    assert_eq!(sum(&mut peer, json!([1])).await, Err(-32603));
    assert_eq!(sum(&mut peer, json!([2])).await, Err(-32603));
    assert_eq!(sum(&mut peer, json!([3])).await, Ok(json!(3)));
}

#[tokio::test]
async fn the_innermost_hooks_see_what_comes_first_and_what_goes_last() {
    let add = |digit: u64| {
        Both(
            move |message: &Passing<'_>| match message.method() {
                "_acp-tests.dev/sum" => {
                    let number = read(message)[0].as_u64().unwrap();
                    Pass::with(&json!([number * 10 + digit])).unwrap()
                }
                _ => Pass::On,
            },
            move |message: &Passing<'_>| match message.answers("_acp-tests.dev/sum") {
                true => Pass::with(&json!(read(message).as_u64().unwrap() * 10 + digit)).unwrap(),
                false => Pass::On,
            },
        )
    };
    let (ours, theirs) = acp_runtime::transport::memory::pair();
    let transport = acp_runtime::hooks::Hooked::new(theirs, add(1));
    let transport = acp_runtime::hooks::Hooked::new(transport, add(2));
    let served = tokio::spawn(Speaker::default().serve(transport, Limits::default()));
    let mut client = ours.into_lines();
    for (id, method, params) in [(0, "initialize", r#"{"protocolVersion":1}"#), (1, "_acp-tests.dev/sum", "[0]")] {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        client.send(&line).await.unwrap();
    }
    client.next_line().await.unwrap();
    let answer: Value = serde_json::from_str(&client.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(answer["result"], 1221, "in through 1 and 2, out through 2 and 1");
    client.hang_up().await.unwrap();
    served.await.unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_stops_the_agent_behind_hooks() {
    let limits = Limits::new().unsent_soft_bytes(8 * 1024).unsent_hard_bytes(64 * 1024);
    let sent = Arc::new(AtomicUsize::new(0));
    let count = sent.clone();
    let hooks = Both(on, move |message: &Passing<'_>| {
        if message.method() == "session/update" {
            count.fetch_add(message.text().len(), Ordering::SeqCst);
        }
        Pass::On
    });
    let mut peer = Peer::serve_hooked(Speaker::default(), hooks, limits);
    peer.initialize(all_capabilities()).await;
    let id = peer.new_session().await;
    let turn = peer.prompt(&id, "flood").await;
    let mut before = usize::MAX;
    while before != sent.load(Ordering::SeqCst) {
        before = sent.load(Ordering::SeqCst);
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    // The pipe holds 64 KiB; another buffer may be on its way.
    assert!(before > 8 * 1024 && before < 256 * 1024, "{before} bytes");
    peer.cancel(&id).await;
    assert_eq!(peer.stop_reason(turn).await, "cancelled");
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_that_nobody_reads_stop_the_reader() {
    let limits = Limits::new().unsent_soft_bytes(8 * 1024).unsent_hard_bytes(64 * 1024);
    let seen = Arc::new(AtomicUsize::new(0));
    let count = seen.clone();
    let hooks = Both(
        move |message: &Passing<'_>| {
            count.fetch_add(1, Ordering::SeqCst);
            match message.method() {
                "initialize" => Pass::On,
                _ => Pass::Refuse(Error::new(-7, "x".repeat(1000))),
            }
        },
        on,
    );
    let (ours, theirs) = acp_runtime::transport::memory::pair();
    let transport = acp_runtime::hooks::Hooked::new(theirs, hooks);
    let served = tokio::spawn(Speaker::default().serve(transport, limits));
    let mut client = ours.into_stream();
    let flood = async {
        for id in 0..100_000 {
            let line = format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"m\"}}\n");
            tokio::io::AsyncWriteExt::write_all(&mut client, line.as_bytes()).await.unwrap();
        }
    };
    let is_over = tokio::time::timeout(std::time::Duration::from_secs(2), flood).await.is_ok();
    assert!(!is_over, "the agent read all requests");
    assert!(seen.load(Ordering::SeqCst) < 1000, "{seen:?} requests are answered, each with a kilobyte");
    drop(client);
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn strict_params_have_the_fields_of_their_schema_and_no_meta() {
    let strict = Strict::new().method::<methods::SetSessionMode>().fields("_acp-tests.dev/sum", ["a"]);
    let (mut peer, id) = session(strict).await;
    let mode = |more: Value| {
        let mut params = json!({ "sessionId": id, "modeId": "code" });
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        params
    };
    peer.call("session/set_mode", mode(json!({}))).await.unwrap();
    for (more, field) in [(json!({ "_meta": {} }), "_meta"), (json!({ "apiKey": "k-123" }), "apiKey")] {
        let refused = peer.call("session/set_mode", mode(more)).await.unwrap_err();
        assert_eq!(refused.code, -32602);
        assert!(refused.message.contains(&format!("no field `{field}`")), "{refused:?}");
        assert!(!refused.message.contains("k-123"), "{refused:?}");
    }
    assert_eq!(sum(&mut peer, json!({ "a": 1, "b": 2 })).await, Err(-32602));
    assert_eq!(sum(&mut peer, json!([1])).await, Ok(json!(1)), "params of another shape are the method's own affair");
    peer.call("session/new", json!({ "cwd": "/", "mcpServers": [], "more": 1 })).await.expect("it is not named");
}

#[test]
fn markers_have_the_fields_of_all_forms() {
    use acp_runtime::schema::Method;
    let fields = |fields: Option<&'static [&'static str]>| fields.unwrap().join(" ");
    assert_eq!(fields(methods::SetSessionMode::FIELDS), "sessionId modeId _meta");
    assert_eq!(fields(methods::SetSessionConfigOption::FIELDS), "sessionId configId _meta type value");
    assert_eq!(fields(methods::NewSession::FIELDS), "cwd additionalDirectories mcpServers _meta");
    assert_eq!(methods::CreateElicitation::FIELDS, None, "its schema is open");
}

#[tokio::test]
async fn a_request_goes_on_again_instead_of_its_answer() {
    // Each refusal of an odd sum asks for a smaller one, and two requests have one id.
    let asked = Arc::new(std::sync::Mutex::new(std::collections::HashMap::new()));
    let answered = asked.clone();
    let hooks = Both(
        move |message: &Passing<'_>| {
            if let (Kind::Request, "count") = (message.kind(), message.method()) {
                asked.lock().unwrap().insert(message.number(), read(message));
                return Pass::to("_acp-tests.dev/sum", &read(message)).unwrap();
            }
            Pass::On
        },
        move |message: &Passing<'_>| {
            if !message.answers("count") {
                return Pass::On;
            }
            let mut asked = answered.lock().unwrap();
            match read(message).as_u64().unwrap() {
                sum @ 0..3 => Pass::to("_acp-tests.dev/sum", &json!([sum, 1])).unwrap(),
                _ => Pass::with(&asked.remove(&message.number())).unwrap(),
            }
        },
    );
    let agent = Speaker::default();
    let sums = agent.sums.clone();
    let mut peer = Peer::serve_hooked(agent, hooks, Limits::default());
    peer.initialize(all_capabilities()).await;
    let message = |params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": "count", "params": params });
    peer.send_together(&[message(json!([1])), message(json!([0])), message(json!([9]))]).await;
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.push(peer.answer(7).await.unwrap());
    }
    answers.sort_by_key(Value::to_string);
    assert_eq!(answers, [json!([0]), json!([1]), json!([9])], "each answer has what its request has asked");
    assert_eq!(sums.load(Ordering::SeqCst), 3 + 4 + 1, "1, 2, 3 and 0, 1, 2, 3 and 9");
}

#[tokio::test]
async fn the_client_is_asked_again_instead_of_its_answer() {
    let hooks = Both(
        |message: &Passing<'_>| match message.answers("_acp-tests.dev/ask") && message.error().is_some() {
            true => Pass::to("_acp-tests.dev/ask_simply", &json!({})).unwrap(),
            false => Pass::On,
        },
        on,
    );
    let (mut peer, id) = session(hooks).await;
    let turn = peer.prompt(&id, "ask").await;
    let first = peer.asked("_acp-tests.dev/ask").await;
    peer.refuse(&first, -32601, "unknown").await;
    let second = peer.asked("_acp-tests.dev/ask_simply").await;
    assert_eq!(second.id, first.id);
    peer.reply(&second, json!("yes")).await;
    assert_eq!(peer.stop_reason(turn).await, "end_turn");
    assert_eq!(peer.updates()[0]["content"]["text"], "\"yes\"");
}

// The hook blocks a thread, and the reader may wait for it.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancel_reaches_a_request_that_goes_on_again() {
    for is_early in [true, false] {
        let (decides, of_test) = (Arc::new(std::sync::Barrier::new(2)), Arc::new(std::sync::OnceLock::<String>::new()));
        let (deciding, of_session) = (decides.clone(), of_test.clone());
        let hooks = Both(on, move |message: &Passing<'_>| {
            if message.kind() != Kind::Answer || message.error().is_none_or(|error| error.code() == -32800) {
                return Pass::On;
            }
            // The client may cancel while the hook decides.
            deciding.wait();
            deciding.wait();
            let flood = json!([{ "type": "text", "text": "flood" }]);
            match message.method() {
                "session/prompt" => {
                    Pass::to("session/prompt", &json!({ "sessionId": of_session.get(), "prompt": flood }))
                }
                _ => Pass::to("_acp-tests.dev/never", &json!({})),
            }
            .unwrap()
        });
        let (mut peer, id) = session(hooks).await;
        of_test.set(id.clone()).unwrap();
        let wait = async || {
            let decides = decides.clone();
            tokio::task::spawn_blocking(move || decides.wait()).await.unwrap();
        };
        let request = peer.request("_acp-tests.dev/sum", json!(["no number"])).await;
        wait().await;
        if is_early {
            peer.notify("$/cancel_request", json!({ "requestId": request })).await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        wait().await;
        if !is_early {
            peer.notify("$/cancel_request", json!({ "requestId": request })).await;
        }
        assert_eq!(peer.answer(request).await.unwrap_err().code, -32800, "early: {is_early}");
        let turn = peer.prompt(&id, "fail").await;
        wait().await;
        if is_early {
            peer.cancel(&id).await;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        wait().await;
        if !is_early {
            peer.cancel(&id).await;
        }
        assert_eq!(peer.stop_reason(turn).await, "cancelled", "early: {is_early}");
    }
}

#[tokio::test]
async fn requests_with_one_id_are_told_apart_whoever_is_answered_first() {
    let hooks = Both(on, |message: &Passing<'_>| match message.id() {
        Some("7") if message.kind() == Kind::Answer => {
            Pass::answer(&json!({ "method": message.method(), "id": message.id() })).unwrap()
        }
        _ => Pass::On,
    });
    let (mut peer, id) = session(hooks).await;
    let call = |method: &str, params: Value| json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let mode = call("session/set_mode", json!({ "sessionId": id, "modeId": "code" }));
    let never = call("_acp-tests.dev/never", json!({}));
    peer.send_together(&[never.clone(), call("_acp-tests.dev/sum", json!([1])), mode, never]).await;
    for method in ["_acp-tests.dev/sum", "session/set_mode"] {
        assert_eq!(peer.answer(7).await, Ok(json!({ "method": method, "id": "7" })));
    }
    // Each cancel withdraws one of the two that wait.
    for _ in 0..2 {
        peer.notify("$/cancel_request", json!({ "requestId": 7 })).await;
        assert_eq!(peer.answer(7).await, Ok(json!({ "method": "_acp-tests.dev/never", "id": "7" })));
    }
}

#[tokio::test]
async fn a_request_that_goes_on_for_ever_holds_nobody_up() {
    let hooks =
        Both(on, |message: &Passing<'_>| match message.answers("_acp-tests.dev/sum") && message.error().is_some() {
            true => Pass::to("_acp-tests.dev/sum", &json!(["no number"])).unwrap(),
            false => Pass::On,
        });
    let (mut peer, _) = session(hooks).await;
    peer.request("_acp-tests.dev/sum", json!(["no number"])).await;
    assert_eq!(sum(&mut peer, json!([1, 2])).await, Ok(json!(3)));
    peer.hang_up().await;
}
