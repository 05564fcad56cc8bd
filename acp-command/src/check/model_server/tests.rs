//! The server as its clients see it.

use serde_json::{Value, json};

use super::ModelServer;

async fn ask(server: &ModelServer, path: &str, body: Value) -> (u16, String) {
    // reqwest wants a cryptography, though no test uses it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{}{path}", server.address);
    let answer = client.post(url).json(&body).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// The events of a stream: the name, and the data.
fn events(text: &str) -> Vec<(String, Value)> {
    let event = |event: &str| {
        let field = |name: &str| event.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned();
        (field("event: "), serde_json::from_str(&field("data: ")).unwrap_or_default())
    };
    text.split_terminator("\n\n").map(event).collect()
}

/// The pieces of an answer, at this place of their events.
fn joined(text: &str, place: &str) -> String {
    let events = events(text);
    events.iter().filter_map(|(_, data)| data.pointer(place)?.as_str()).collect()
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "command": { "type": "string" } }, "required": ["command"] })
}

const TEXT: &str = "This is a scripted answer: Gr\u{fc}\u{df}e \u{1f980}.";
const COMMAND: &str = "{\"command\":\"touch acp-check.tmp\"}";

#[tokio::test]
async fn chat_completions_have_text_and_calls_streamed_and_whole() {
    let server = ModelServer::start().await.unwrap();
    let tool = json!({ "type": "function", "function": { "name": "shell", "parameters": schema() } });
    let of = |text: &str, stream: bool| {
        let message = json!({ "role": "user", "content": [{ "type": "text", "text": text }] });
        json!({ "messages": [message], "tools": [tool], "stream": stream, "stream_options": { "include_usage": true } })
    };
    let path = "/v1/chat/completions";
    let whole: Value = serde_json::from_str(&ask(&server, path, of("hi", false)).await.1).unwrap();
    assert_eq!(
        (&whole["choices"][0]["message"]["content"], &whole["object"]),
        (&TEXT.into(), &"chat.completion".into())
    );
    let (status, text) = ask(&server, path, of("hi", true)).await;
    assert_eq!((status, joined(&text, "/choices/0/delta/content")), (200, TEXT.to_owned()));
    assert!(text.ends_with("data: [DONE]\n\n"), "{text}");
    let (_, last) = events(&text).into_iter().rev().nth(1).unwrap();
    assert_eq!((&last["choices"], &last["usage"]["total_tokens"]), (&json!([]), &42.into()));
    let text = ask(&server, path, of("model:tool", true)).await.1;
    assert_eq!(joined(&text, "/choices/0/delta/tool_calls/0/function/arguments"), COMMAND);
    assert_eq!(joined(&text, "/choices/0/finish_reason"), "tool_calls");
    // With the result, the model comes to an end.
    let mut body = of("model:tool", false);
    let more = [json!({ "role": "assistant", "content": "" }), json!({ "role": "tool", "content": "acp check" })];
    body["messages"].as_array_mut().unwrap().extend(more);
    let whole: Value = serde_json::from_str(&ask(&server, path, body).await.1).unwrap();
    assert_eq!(whole["choices"][0]["message"]["content"], "That was it.");
    // A new prompt comes behind the result of a tool that was cancelled.
    let mut body = of("model:tool", true);
    let more =
        [json!({ "role": "assistant" }), json!({ "role": "tool" }), json!({ "role": "user", "content": "model:tool" })];
    body["messages"].as_array_mut().unwrap().extend(more);
    let text = ask(&server, path, body).await.1;
    assert_eq!((joined(&text, "/choices/0/finish_reason"), server.count.get()), ("tool_calls".to_owned(), 5));
}

#[tokio::test]
async fn messages_have_text_and_calls_streamed_and_whole() {
    let server = ModelServer::start().await.unwrap();
    let tool = json!({ "name": "Bash", "input_schema": schema() });
    let of = |text: &str, stream: bool| json!({ "messages": [{ "role": "user", "content": text }], "tools": [tool], "stream": stream });
    let path = "/v1/messages?beta=true";
    let whole: Value = serde_json::from_str(&ask(&server, path, of("model:tool", false)).await.1).unwrap();
    assert_eq!(
        (&whole["stop_reason"], &whole["content"][1]["input"]["command"]),
        (&"tool_use".into(), &"touch acp-check.tmp".into())
    );
    let text = ask(&server, path, of("hi", true)).await.1;
    assert_eq!(joined(&text, "/delta/text"), TEXT);
    let names: Vec<_> = events(&text).into_iter().map(|(name, _)| name).collect();
    let ends = ["content_block_stop", "message_delta", "message_stop"];
    assert_eq!((&*names[0], &names[names.len() - 3..]), ("message_start", &ends.map(str::to_owned)[..]));
    let text = ask(&server, path, of("model:tool", true)).await.1;
    assert_eq!(joined(&text, "/delta/partial_json"), COMMAND);
    let counted = ask(&server, "/v1/messages/count_tokens", of("hi", false)).await;
    assert_eq!(counted, (200, "{\"input_tokens\":40}".to_owned()));
}

#[tokio::test]
async fn responses_have_text_and_calls_streamed_and_whole() {
    let server = ModelServer::start().await.unwrap();
    let tool = json!({ "type": "function", "name": "shell", "parameters": schema() });
    let of = |text: &str, stream: bool| {
        let item = json!({ "type": "message", "role": "user", "content": [{ "type": "input_text", "text": text }] });
        json!({ "input": [item], "tools": [tool], "stream": stream })
    };
    let path = "/v1/responses";
    let whole: Value = serde_json::from_str(&ask(&server, path, of("hi", false)).await.1).unwrap();
    assert_eq!((&whole["status"], &whole["output"][0]["content"][0]["text"]), (&"completed".into(), &TEXT.into()));
    let text = ask(&server, path, of("model:tool", true)).await.1;
    let said: Vec<_> = events(&text).into_iter().filter(|(name, _)| name == "response.output_text.delta").collect();
    assert_eq!(said.len(), 2, "{text}");
    let (name, last) = events(&text).pop().unwrap();
    let call = &last["response"]["output"][1];
    assert_eq!((&*name, &call["name"], &call["arguments"]), ("response.completed", &"shell".into(), &COMMAND.into()));
}

#[tokio::test]
async fn failures_are_those_of_the_script() {
    let server = ModelServer::start().await.unwrap();
    let of = |text: &str| json!({ "messages": [{ "role": "user", "content": text }], "stream": true });
    for (path, place) in [("/v1/chat/completions", "/error/code"), ("/v1/messages", "/error/type")] {
        let (status, text) = ask(&server, path, of("model:429")).await;
        let error: Value = serde_json::from_str(&text).unwrap();
        assert_eq!((status, error.pointer(place)), (429, Some(&"rate_limit_error".into())));
        assert_eq!(ask(&server, path, of("model:500")).await.0, 500);
    }
    assert_eq!(ask(&server, "/v1/nothing", json!({})).await.0, 404);
    // A stream that breaks has begun, and has no end.
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let url = format!("http://{}/v1/messages", server.address);
    let mut answer = client.post(&url).json(&of("model:breaks")).send().await.unwrap();
    assert!(answer.chunk().await.unwrap().is_some());
    let rest = async {
        while let Some(chunk) = answer.chunk().await? {
            assert!(!String::from_utf8_lossy(&chunk).contains("message_stop"));
        }
        Ok::<_, reqwest::Error>(())
    };
    assert!(rest.await.is_err());
    // One without an end goes on, as long as somebody listens.
    let mut answer = client.post(&url).json(&of("model:endless")).send().await.unwrap();
    let mut read = String::new();
    while read.matches("on and ").count() < 5 {
        read.push_str(&String::from_utf8_lossy(&answer.chunk().await.unwrap().unwrap()));
    }
}
