//! A proxy between a client and an agent, in memory.

use std::{
    io,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::common::Subject;
use acp_client::{
    Connection, Endpoint,
    parts::{Decision, Permissions, Workspace},
    proxy::{Pass, Proxy, Side},
    transport::{Limits, memory},
};
use acp_runtime::{agent::ServeOptions, prelude::*};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    task::JoinHandle,
    time::timeout,
};

const SOON: Duration = Duration::from_secs(20);

/// The end of the client, the end of the agent, and the running proxy between them.
fn between(proxy: Proxy) -> (memory::Memory, memory::Memory, JoinHandle<io::Result<Side>>) {
    let ((client, near), (far, agent)) = (memory::pair(), memory::pair());
    (client, agent, tokio::spawn(proxy.run(near, far)))
}

async fn connect(proxy: Proxy) -> (Connection, Arc<AtomicBool>, JoinHandle<io::Result<Side>>) {
    let (client, agent, running) = between(proxy);
    let withdrawn = Arc::<AtomicBool>::default();
    tokio::spawn(Subject { withdrawn: withdrawn.clone() }.serve(agent, ServeOptions::new()));
    let workspace = Workspace::new(Permissions::ask(|_| async { Decision::AllowOnce }));
    (Endpoint::over(client).connect_as(workspace).await.expect("it connects"), withdrawn, running)
}

#[tokio::test]
async fn a_conversation_passes_with_updates_permission_cancel_and_extensions() {
    let (connection, withdrawn, running) = connect(Proxy::new()).await;
    let session = connection.new_session("/tmp").await.unwrap();
    let mut turn = session.prompt("one two three").await.unwrap();
    let mut words = Vec::new();
    while let Some(word) = turn.text().await.unwrap() {
        words.push(word);
    }
    assert_eq!(words, ["one", "two", "three"]);
    let mut turn = session.prompt("ask").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("allowed"));
    turn.finish().await.unwrap();
    let mut turn = session.prompt("wait").await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("waiting"));
    turn.cancel();
    assert_eq!(turn.finish().await.unwrap().stop_reason, Some(StopReason::Cancelled));
    let params = json!({ "_unknown": [1.50, null, "ü\u{0}"], "big": 123456789012345678901234567890u128.to_string() });
    assert_eq!(connection.ext_request::<Value>("_test/echo", &params).await.unwrap(), params);
    // The drop of the request withdraws it at the agent, by the number that the agent knows.
    let nothing = json!({});
    let hanging = connection.ext_request::<Value>("_test/hang", &nothing);
    assert!(timeout(Duration::from_millis(50), hanging).await.is_err());
    let told = async {
        while !withdrawn.load(Ordering::SeqCst) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(SOON, told).await.expect("it is withdrawn");
    connection.close().await.unwrap();
    assert_eq!(timeout(SOON, running).await.unwrap().unwrap().unwrap(), Side::Client);
}

#[tokio::test]
async fn a_message_goes_on_as_one_of_another_method_and_is_answered_as_what_it_was() {
    let renamed = |message: &acp_client::proxy::Passing<'_>| {
        assert_eq!(message.sender(), Side::Client);
        Pass::to("_new", &json!({ "was": message.text(), "id": message.id() })).unwrap()
    };
    let proxy = Proxy::new().from_client("_old", renamed).answers("_old", |_| Pass::with(&"of the old").unwrap());
    let (client, agent, _running) = between(proxy);
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    client.send(r#"{"jsonrpc":"2.0","id":"a","method":"_old","params":[1]}"#).await.unwrap();
    client.send(r#"{"jsonrpc":"2.0","method":"_old"}"#).await.unwrap();
    let asked: Value = serde_json::from_str(&agent.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!((&asked["method"], &asked["params"]), (&json!("_new"), &json!({ "was": "[1]", "id": "\"a\"" })));
    let told = agent.next_line().await.unwrap().unwrap();
    let expected = json!({ "jsonrpc": "2.0", "method": "_new", "params": { "id": null, "was": "null" } });
    assert_eq!(serde_json::from_str::<Value>(&told).unwrap(), expected);
    agent.send(&format!(r#"{{"jsonrpc":"2.0","id":{},"result":1}}"#, asked["id"])).await.unwrap();
    assert_eq!(client.next_line().await.unwrap().unwrap(), r#"{"jsonrpc":"2.0","id":"a","result":"of the old"}"#);
}

#[tokio::test]
async fn a_hook_that_changes_results_leaves_errors_as_they_are() {
    let proxy = Proxy::new()
        .from_client("blind", |message| Pass::with(&message.read::<Value>().unwrap()).unwrap())
        .answers("blind", |message| {
            assert_eq!(message.read::<Value>().is_err(), message.error().is_some());
            Pass::with(&"new").unwrap()
        });
    let (client, agent, _running) = between(proxy);
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    for (number, outcome, expected) in [
        (0, r#""error":{"code":-9,"message":"bad"},"x":0"#, r#""error":{"code":-9,"message":"bad"},"x":0"#),
        (1, r#""result":null"#, r#""result":"new""#),
    ] {
        client.send(r#"{"jsonrpc":"2.0","id":"a","method":"blind"}"#).await.unwrap();
        let passed = agent.next_line().await.unwrap().unwrap();
        assert_eq!(
            passed,
            format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"blind"}}"#),
            "absent params stay absent"
        );
        agent.send(&format!(r#"{{"jsonrpc":"2.0","id":{number},{outcome}}}"#)).await.unwrap();
        let answer = client.next_line().await.unwrap().unwrap();
        assert_eq!(answer, format!(r#"{{"jsonrpc":"2.0","id":"a",{expected}}}"#));
    }
}

#[tokio::test]
async fn a_request_goes_on_again_instead_of_its_answer() {
    let proxy = Proxy::new().from_client("_new", |_| Pass::On).answers("_new", |message| match message.error() {
        Some(_) => Pass::to("_old", &json!({ "number": message.number() })).unwrap(),
        None => Pass::On,
    });
    let (client, agent, _running) = between(proxy);
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    for _ in 0..2 {
        client.send(r#"{"jsonrpc":"2.0","id":"a","method":"_new","params":[1]}"#).await.unwrap();
    }
    let mut ask = async |error: bool| {
        let asked: Value = serde_json::from_str(&agent.next_line().await.unwrap().unwrap()).unwrap();
        let outcome = if error { r#""error":{"code":-32601,"message":"no"}"# } else { r#""result":1"# };
        agent.send(&format!(r#"{{"jsonrpc":"2.0","id":{},{outcome}}}"#, asked["id"])).await.unwrap();
        (asked["method"].as_str().unwrap().to_owned(), asked["params"]["number"].as_u64())
    };
    assert_eq!([ask(true).await, ask(true).await], [("_new".to_owned(), None), ("_new".to_owned(), None)]);
    let (first, second) = (ask(false).await, ask(false).await);
    assert_eq!((first.0.as_str(), second.0.as_str()), ("_old", "_old"));
    assert_ne!(first.1, second.1, "each request has a number of its own");
    for _ in 0..2 {
        assert_eq!(client.next_line().await.unwrap().unwrap(), r#"{"jsonrpc":"2.0","id":"a","result":1}"#);
    }
}

#[tokio::test]
async fn ids_of_every_kind_come_back_as_they_were() {
    let (client, agent, _running) = between(Proxy::new());
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    let ids =
        ["1", "0", "-7", "1.50", "12345678901234567890123", r#""a""#, r#""1""#, r#""a\u0062\"""#, r#""""#, "null"];
    for id in ids {
        let line = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"_x","params":{{"id":{id}}}}}"#);
        client.send(&line).await.unwrap();
    }
    let mut numbers = Vec::new();
    for id in ids {
        let line = agent.next_line().await.unwrap().unwrap();
        let message: Value = serde_json::from_str(&line).unwrap();
        let number = message["id"].as_u64().expect("a number of the proxy's");
        assert_eq!(line, format!(r#"{{"jsonrpc":"2.0","id":{number},"method":"_x","params":{{"id":{id}}}}}"#));
        assert!(!numbers.contains(&number));
        numbers.push(number);
    }
    for (id, number) in ids.iter().zip(&numbers).rev() {
        agent.send(&format!(r#"{{"id":{number}, "result":{{"of":{id}}},"jsonrpc":"2.0"}}"#)).await.unwrap();
        let line = client.next_line().await.unwrap().unwrap();
        assert_eq!(line, format!(r#"{{"id":{id}, "result":{{"of":{id}}},"jsonrpc":"2.0"}}"#));
    }
    // The agent also sends a request, and gets the number of its answer back as a text. An answer without a request
    // goes nowhere.
    agent.send(r#"{"jsonrpc":"2.0","id":"q","method":"_y"}"#).await.unwrap();
    let asked: Value = serde_json::from_str(&client.next_line().await.unwrap().unwrap()).unwrap();
    client.send(r#"{"jsonrpc":"2.0","id":99,"result":"nobody's"}"#).await.unwrap();
    client.send(&format!(r#"{{"jsonrpc":"2.0","id":"{}","result":1}}"#, asked["id"])).await.unwrap();
    assert_eq!(agent.next_line().await.unwrap().unwrap(), r#"{"jsonrpc":"2.0","id":"q","result":1}"#);
}

#[tokio::test]
async fn what_nobody_knows_is_not_lost() {
    let (client, agent, _running) = between(Proxy::new());
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    // The update has members beside the params, a number that no type holds, white space, escapes and doubled keys.
    let update = r#"{ "jsonrpc":"2.0", "trace": {"n":1e400} ,"method":"session\/update","params":{"sessionId":"s","a":1,"a":2,"x":1.0000000000000000000001}}"#;
    agent.send(update).await.unwrap();
    assert_eq!(client.next_line().await.unwrap().unwrap(), update);
    client.send(r#"{"v":9,"method":"m","jsonrpc":"2.0","id": "i" ,"w":[]}"#).await.unwrap();
    assert_eq!(agent.next_line().await.unwrap().unwrap(), r#"{"v":9,"method":"m","jsonrpc":"2.0","id": 0 ,"w":[]}"#);
    let error = r#"{"code":-1,"message":"no","data":{"b":1.50,"a":123456789012345678901234567890},"more":true}"#;
    agent.send(&format!(r#"{{"jsonrpc":"2.0","id":0,"error":{error},"z":0}}"#)).await.unwrap();
    assert_eq!(
        client.next_line().await.unwrap().unwrap(),
        format!(r#"{{"jsonrpc":"2.0","id":"i","error":{error},"z":0}}"#)
    );
    // A cancel keeps the members beside the id. The id may have another spelling than in its request.
    client.send(r#"{"jsonrpc":"2.0","id":"ab","method":"m"}"#).await.unwrap();
    agent.next_line().await.unwrap().unwrap();
    for nothing in [r#"{"requestId":"i"}"#, r#"{"requestId":1}"#, "{}", "[]"] {
        client.send(&format!(r#"{{"jsonrpc":"2.0","method":"$/cancel_request","params":{nothing}}}"#)).await.unwrap();
    }
    client
        .send(r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"_meta":{"k":1},"requestId":"\u0061b"}}"#)
        .await
        .unwrap();
    let expected = r#"{"jsonrpc":"2.0","method":"$/cancel_request","params":{"_meta":{"k":1},"requestId":1}}"#;
    assert_eq!(agent.next_line().await.unwrap().unwrap(), expected);
}

#[tokio::test]
async fn what_is_no_message_does_not_pass() {
    let (client, agent, _running) = between(Proxy::new().limits(Limits::new().line_bytes(200)));
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    agent.send("Welcome to the agent!").await.unwrap();
    client.send("{").await.unwrap();
    assert!(client.next_line().await.unwrap().unwrap().contains("-32700"));
    client
        .send(&format!(r#"{{"jsonrpc":"2.0","id":5,"method":"m","params":{{"x":"{}"}}}}"#, "x".repeat(300)))
        .await
        .unwrap();
    let refused = client.next_line().await.unwrap().unwrap();
    assert!(refused.contains(r#""id":5"#) && refused.contains("200 bytes"), "{refused}");
    // If an answer is too long, the request gets an error.
    client.send(r#"{"jsonrpc":"2.0","id":6,"method":"m"}"#).await.unwrap();
    assert!(agent.next_line().await.unwrap().unwrap().contains(r#""id":0"#));
    agent.send(&format!(r#"{{"jsonrpc":"2.0","id":0,"result":{{"x":"{}"}}}}"#, "x".repeat(300))).await.unwrap();
    let refused = client.next_line().await.unwrap().unwrap();
    assert!(refused.contains(r#""id":6"#) && refused.contains("200 bytes"), "{refused}");
    // So does one that has neither a result nor an error.
    client.send(r#"{"jsonrpc":"2.0","id":7,"method":"m"}"#).await.unwrap();
    assert!(agent.next_line().await.unwrap().unwrap().contains(r#""id":1"#));
    agent.send(r#"{"jsonrpc":"2.0","id":1}"#).await.unwrap();
    let refused = timeout(SOON, client.next_line()).await.expect("it ends").unwrap().unwrap();
    assert!(refused.contains(r#""id":7"#) && refused.contains("neither a result nor an error"), "{refused}");
}

#[tokio::test]
async fn no_more_requests_are_open_than_are_allowed() {
    let (client, agent, _running) = between(Proxy::new().limits(Limits::new().concurrent_handlers(2)));
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    for id in 0..3 {
        client.send(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m"}}"#)).await.unwrap();
    }
    let refused = client.next_line().await.unwrap().unwrap();
    assert!(refused.contains(r#""id":2"#) && refused.contains("-32603"), "{refused}");
    agent.send(r#"{"jsonrpc":"2.0","id":0,"result":1}"#).await.unwrap();
    assert!(client.next_line().await.unwrap().unwrap().contains(r#""id":0"#));
    client.send(r#"{"jsonrpc":"2.0","id":3,"method":"again"}"#).await.unwrap();
    while !agent.next_line().await.unwrap().unwrap().contains("again") {}
}

#[tokio::test]
async fn hooks_look_at_messages_change_answer_and_refuse_them() {
    let seen = Arc::<Mutex<Vec<String>>>::default();
    let watched = Arc::<AtomicUsize>::default();
    let note = |seen: &Arc<Mutex<Vec<String>>>| {
        let seen = seen.clone();
        move |text: String| seen.lock().unwrap().push(text)
    };
    let (one, two, count) = (note(&seen), note(&seen), watched.clone());
    let proxy = Proxy::new()
        .watch(move |_, _| {
            count.fetch_add(1, Ordering::Relaxed);
        })
        .from_client("look", move |message| {
            one(format!("{:?} {} {}", message.sender(), message.method(), message.text()));
            Pass::On
        })
        .from_client("change", |message| {
            let mut params: Value = message.read().unwrap();
            params["added"] = json!("by\nthe proxy");
            Pass::with(&params).unwrap()
        })
        .from_client("add", |_| Pass::As(serde_json::value::RawValue::from_string("{\n}".to_owned()).unwrap()))
        .from_client("answer", |_| Pass::Answer(serde_json::value::to_raw_value(&7).unwrap()))
        .from_client("refuse", |_| Pass::Refuse(Error::new(-5, "not here")))
        .from_client("panic", |_| panic!("a hook of a test"))
        .from_agent("drop", |_| Pass::Refuse(Error::internal_error("")))
        .from_agent("note", |_| Pass::with(&json!([1])).unwrap())
        .answers("change", move |message| {
            two(format!(
                "{:?} {} {} {:?}",
                message.sender(),
                message.method(),
                message.text(),
                message.error().map(Error::code)
            ));
            if message.error().is_some() {
                Pass::answer(&json!("mended")).unwrap()
            } else {
                Pass::with(&json!("new")).unwrap()
            }
        })
        .answers("look", |_| Pass::Refuse(Error::new(-6, "hidden")));
    let (client, agent, _running) = between(proxy);
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    let mut ask = async |line: &str, answer: Option<&str>| {
        client.send(line).await.unwrap();
        let mut passed = None;
        if let Some(answer) = answer {
            passed = Some(agent.next_line().await.unwrap().unwrap());
            let number = serde_json::from_str::<Value>(passed.as_ref().unwrap()).unwrap()["id"].clone();
            agent.send(r#"{"jsonrpc":"2.0","method":"drop"}"#).await.unwrap();
            agent.send(&format!(r#"{{"jsonrpc":"2.0","id":{number},{answer},"x":0}}"#)).await.unwrap();
        }
        (passed.unwrap_or_default(), client.next_line().await.unwrap().unwrap())
    };
    let (passed, answer) =
        ask(r#"{"jsonrpc":"2.0","id":"l","method":"look","params":{"a":1}}"#, Some(r#""result":1"#)).await;
    assert_eq!(passed, r#"{"jsonrpc":"2.0","id":0,"method":"look","params":{"a":1}}"#);
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":"l","error":{"code":-6,"message":"hidden"}}"#);
    let (passed, answer) =
        ask(r#"{"params":{"a":1},"y":2,"jsonrpc":"2.0","id":1,"method":"change"}"#, Some(r#""result":1"#)).await;
    assert_eq!(passed, r#"{"params":{"a":1,"added":"by\nthe proxy"},"y":2,"jsonrpc":"2.0","id":1,"method":"change"}"#);
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":1,"result":"new","x":0}"#);
    let error = r#""error":{"code":-9,"message":"bad"}"#;
    let (_, answer) = ask(r#"{"params":{"a":1},"jsonrpc":"2.0","id":1,"method":"change"}"#, Some(error)).await;
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":1,"result":"mended"}"#);
    let (passed, _) = ask(r#"{"jsonrpc":"2.0","id":1,"method":"add"}"#, Some(r#""result":1"#)).await;
    assert_eq!(passed, r#"{"jsonrpc":"2.0","id":3,"method":"add","params":{ }}"#);
    let (_, answer) = ask(r#"{"jsonrpc":"2.0","id":{},"method":"answer"}"#, None).await;
    assert!(answer.contains("-32600"), "no id at all: {answer}");
    let (_, answer) = ask(r#"{"jsonrpc":"2.0","id":"A","method":"answer"}"#, None).await;
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":"A","result":7}"#);
    let (_, answer) =
        ask("{\"jsonrpc\":\"2.0\",\"method\":\"panic\"}\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"refuse\"}", None)
            .await;
    assert_eq!(answer, r#"{"jsonrpc":"2.0","id":2,"error":{"code":-5,"message":"not here"}}"#);
    agent.send(r#"{"jsonrpc":"2.0","method":"note","params":{}}"#).await.unwrap();
    assert_eq!(client.next_line().await.unwrap().unwrap(), r#"{"jsonrpc":"2.0","method":"note","params":[1]}"#);
    assert_eq!(*seen.lock().unwrap(), [r#"Client look {"a":1}"#, "Agent change 1 None", "Agent change null Some(-9)"]);
    assert_eq!(watched.load(Ordering::Relaxed), 8 + 4 + 4 + 1);
}

#[tokio::test]
async fn a_hook_that_panics_leaves_no_request_without_an_answer() {
    let proxy = Proxy::new()
        .watch(|_, line| assert!(!line.ends_with(b" "), "a watch of a test"))
        .from_client("boom", |_| panic!("a hook of a test"))
        .answers("late", |_| panic!("a hook of a test"));
    let (client, agent, _running) = between(proxy);
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"boom"}"#).await.unwrap();
    let refused = timeout(SOON, client.next_line()).await.unwrap().unwrap().unwrap();
    assert!(refused.contains(r#""id":1,"error":{"code":-32603"#) && refused.contains("`boom`"), "{refused}");
    client.send(r#"{"jsonrpc":"2.0","id":"l","method":"late"} "#).await.unwrap();
    let passed = timeout(SOON, agent.next_line()).await.unwrap().unwrap().unwrap();
    assert_eq!(passed, r#"{"jsonrpc":"2.0","id":0,"method":"late"} "#, "a watch that panics stops nothing");
    agent.send(r#"{"jsonrpc":"2.0","id":0,"result":1}"#).await.unwrap();
    let refused = timeout(SOON, client.next_line()).await.unwrap().unwrap().unwrap();
    assert!(refused.contains(r#""id":"l","error":{"code":-32603"#), "{refused}");
    client.send(r#"{"jsonrpc":"2.0","id":2,"method":"m"}"#).await.unwrap();
    assert!(timeout(SOON, agent.next_line()).await.unwrap().unwrap().unwrap().contains("\"m\""));
}

#[tokio::test]
async fn a_message_with_two_ids_does_not_pass() {
    let (client, agent, _running) = between(Proxy::new());
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    for two in [r#""id":13,"method":"m","id":14"#, r#""id":13,"method":"m","\u0069d":14"#] {
        client.send(&format!(r#"{{"jsonrpc":"2.0",{two}}}"#)).await.unwrap();
        let refused = timeout(SOON, client.next_line()).await.unwrap().unwrap().unwrap();
        assert!(refused.contains("-32600") && refused.contains("`id`"), "{refused}");
    }
    client.send(r#"{"jsonrpc":"2.0","id":15,"method":"m","params":{"id":1,"id":2}}"#).await.unwrap();
    let passed = timeout(SOON, agent.next_line()).await.unwrap().unwrap().unwrap();
    assert_eq!(passed, r#"{"jsonrpc":"2.0","id":0,"method":"m","params":{"id":1,"id":2}}"#);
    agent.send(r#"{"jsonrpc":"2.0","id":0,"result":1,"id":0}"#).await.unwrap();
    let refused = timeout(SOON, client.next_line()).await.unwrap().unwrap().unwrap();
    assert!(refused.contains(r#""id":15,"error""#), "{refused}");
}

/// Writes lines until the proxy takes no more for a while. Returns the number of bytes that it took.
async fn flood(to: &mut (impl tokio::io::AsyncWrite + Unpin), line: &[u8]) -> usize {
    let mut taken = 0;
    while let Ok(Ok(count)) = timeout(Duration::from_millis(300), to.write(&line[taken % line.len()..])).await {
        taken += count;
        assert!(taken < 64 * 1024 * 1024, "it has no bound");
    }
    taken
}

#[tokio::test]
async fn a_slow_end_holds_the_other_one_back_and_nothing_is_lost() {
    for flooded_by in [Side::Agent, Side::Client] {
        let (client, agent, _running) = between(Proxy::new());
        let (client, agent) = (client.into_stream(), agent.into_stream());
        let (mut fast, mut slow) = if flooded_by == Side::Agent { (agent, client) } else { (client, agent) };
        let line = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"x\":\"{}\"}}}}\n", "x".repeat(1000));
        let taken = flood(&mut fast, line.as_bytes()).await;
        assert!(taken < 2 * 1024 * 1024, "{taken} bytes are held");
        // The other direction works meanwhile.
        slow.write_all(b"{\"jsonrpc\":\"2.0\",\"method\":\"back\"}\n").await.unwrap();
        let mut back = vec![0; 34];
        timeout(SOON, fast.read_exact(&mut back)).await.expect("it is not held up").unwrap();
        assert!(back.starts_with(b"{\"jsonrpc\":\"2.0\",\"method\":\"back\"}"));
        // When the slow end reads again, the flow continues, and no byte is missing.
        let rest = line.len() - taken % line.len();
        let (sent, read) = tokio::join!(
            async {
                fast.write_all(&line.as_bytes()[line.len() - rest..]).await.unwrap();
                for _ in 0..1000 {
                    fast.write_all(line.as_bytes()).await.unwrap();
                }
                fast.shutdown().await.unwrap();
                taken + rest + 1000 * line.len()
            },
            async {
                let mut read = Vec::new();
                timeout(SOON, slow.read_to_end(&mut read)).await.expect("it ends").unwrap();
                read
            }
        );
        assert_eq!(read.len(), sent, "{flooded_by:?}");
        assert!(read.chunks(line.len()).all(|chunk| chunk == line.as_bytes()));
    }
}

#[tokio::test]
async fn an_agent_that_ends_is_heard_out() {
    let (client, agent, running) = between(Proxy::new());
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    for number in 0..1000 {
        agent.send(&format!(r#"{{"jsonrpc":"2.0","method":"last","params":[{number}]}}"#)).await.unwrap();
    }
    drop(agent);
    for number in 0..1000 {
        assert!(client.next_line().await.unwrap().unwrap().contains(&format!("[{number}]")));
    }
    assert!(client.next_line().await.unwrap().is_none(), "then it ends");
    assert_eq!(timeout(SOON, running).await.unwrap().unwrap().unwrap(), Side::Agent);
}

#[tokio::test]
async fn a_client_that_only_writes_gets_its_answers() {
    let (client, agent, running) = between(Proxy::new());
    let (mut client, mut agent) = (client.into_stream(), agent.into_lines());
    client.write_all(b"{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"m\"}\n").await.unwrap();
    client.shutdown().await.unwrap();
    assert!(agent.next_line().await.unwrap().unwrap().contains(r#""id":0"#));
    tokio::time::sleep(Duration::from_millis(100)).await;
    agent.send(r#"{"jsonrpc":"2.0","id":0,"result":"late"}"#).await.unwrap();
    assert!(agent.next_line().await.unwrap().is_none(), "then the agent's input ends");
    let mut read = String::new();
    timeout(SOON, client.read_to_string(&mut read)).await.unwrap().unwrap();
    assert_eq!(read, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":\"late\"}\n");
    assert_eq!(timeout(SOON, running).await.unwrap().unwrap().unwrap(), Side::Client);
}

#[tokio::test]
async fn an_end_takes_no_longer_than_the_grace() {
    // The agent does not answer, and does not close its end.
    let (client, agent, running) = between(Proxy::new().grace(Duration::from_millis(200)));
    let (mut client, mut agent) = (client.into_lines(), agent.into_lines());
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"m"}"#).await.unwrap();
    drop(client);
    assert!(agent.next_line().await.unwrap().unwrap().contains(r#""id":0"#));
    assert_eq!(timeout(Duration::from_secs(3), running).await.expect("it ends").unwrap().unwrap(), Side::Client);
    assert!(agent.next_line().await.unwrap().is_none(), "its input has ended");
    // The proxy also does not wait for a client that does not read the last messages.
    let (client, agent, running) = between(Proxy::new().grace(Duration::from_millis(200)));
    let (client, mut agent) = (client.into_stream(), agent.into_stream());
    let line = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":{{\"x\":\"{}\"}}}}\n", "x".repeat(1000));
    for _ in 0..200 {
        agent.write_all(line.as_bytes()).await.unwrap();
    }
    drop(agent);
    assert_eq!(timeout(Duration::from_secs(3), running).await.expect("it ends").unwrap().unwrap(), Side::Agent);
    drop(client);
}
