//! OpenAI's chat completions, which most servers of models speak.

use serde_json::{Value, json};

use super::form::{Asked, Event, Form, MODEL, Reply, Tool, texts, tools};

/// The API `/chat/completions`.
pub(super) enum Chat {}

fn usage() -> Value {
    json!({ "prompt_tokens": 40, "completion_tokens": 2, "total_tokens": 42 })
}

fn head(reply: &Reply, object: &str, choices: Value) -> Value {
    let id = format!("chatcmpl-{}", reply.number);
    json!({ "id": id, "object": object, "created": 1, "model": MODEL, "choices": choices })
}

fn delta(reply: &Reply, delta: Value, end: Option<&str>) -> Event {
    let choice = json!({ "index": 0, "delta": delta, "finish_reason": end });
    Event::data(&head(reply, "chat.completion.chunk", json!([choice])))
}

fn call(reply: &Reply) -> Option<Value> {
    let call = reply.call.as_ref()?;
    let function = json!({ "name": call.name, "arguments": call.arguments });
    Some(json!({ "index": 0, "id": format!("call_{}", reply.number), "type": "function", "function": function }))
}

fn reason(reply: &Reply) -> &'static str {
    if reply.call.is_some() { "tool_calls" } else { "stop" }
}

impl Form for Chat {
    fn asked(body: &Value) -> Asked {
        let mut asked = Asked::default();
        for message in body["messages"].as_array().into_iter().flatten() {
            match message["role"].as_str() {
                Some("assistant") => asked.is_answered(),
                Some("tool") => asked.has_result = true,
                Some("user") => asked.hears(&texts(&message["content"])),
                _ => {}
            }
        }
        let read = |tool: &Value| {
            let function = &tool["function"];
            Some(Tool { name: function["name"].as_str()?.to_owned(), schema: function["parameters"].clone() })
        };
        let counts = body["stream_options"]["include_usage"] == true;
        Asked { is_streamed: body["stream"] == true, counts, tools: tools(&body["tools"], read), ..asked }
    }

    fn begin(reply: &Reply) -> Vec<Event> {
        vec![delta(reply, json!({ "role": "assistant", "content": "" }), None)]
    }

    fn piece(reply: &Reply, text: &str) -> Event {
        delta(reply, json!({ "content": text }), None)
    }

    fn end(reply: &Reply, asked: &Asked) -> Vec<Event> {
        let calls = call(reply).map(|call| delta(reply, json!({ "tool_calls": [call] }), None));
        let mut events: Vec<_> = calls.into_iter().chain([delta(reply, json!({}), Some(reason(reply)))]).collect();
        if asked.counts {
            let mut last = head(reply, "chat.completion.chunk", json!([]));
            last["usage"] = usage();
            events.push(Event::data(&last));
        }
        events.push(Event { name: None, data: "[DONE]".to_owned() });
        events
    }

    fn whole(reply: &Reply) -> Value {
        let mut message = json!({ "role": "assistant", "content": reply.text });
        if let Some(call) = call(reply) {
            message["tool_calls"] = json!([call]);
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": reason(reply) });
        let mut whole = head(reply, "chat.completion", json!([choice]));
        whole["usage"] = usage();
        whole
    }

    fn error(kind: &str, text: &str) -> Value {
        json!({ "error": { "message": text, "type": kind, "param": null, "code": kind } })
    }
}
