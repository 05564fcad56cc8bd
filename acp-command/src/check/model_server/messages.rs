//! Anthropic's messages.

use serde_json::{Value, json};

use super::form::{Asked, Event, Form, MODEL, Reply, Tool, texts, tools};

/// The API `/v1/messages`.
pub(super) enum Messages {}

fn usage() -> Value {
    json!({ "input_tokens": 40, "output_tokens": 2 })
}

fn message(reply: &Reply, content: Value, reason: Option<&str>) -> Value {
    json!({
        "id": format!("msg_{}", reply.number), "type": "message", "role": "assistant", "model": MODEL,
        "content": content, "stop_reason": reason, "stop_sequence": null, "usage": usage(),
    })
}

fn reason(reply: &Reply) -> &'static str {
    if reply.call.is_some() { "tool_use" } else { "end_turn" }
}

fn tool_use(reply: &Reply, name: &str, input: Value) -> Value {
    json!({ "type": "tool_use", "id": format!("toolu_{}", reply.number), "name": name, "input": input })
}

fn begins(index: usize, block: Value) -> Event {
    Event::typed(&json!({ "type": "content_block_start", "index": index, "content_block": block }))
}

fn delta(index: usize, delta: Value) -> Event {
    Event::typed(&json!({ "type": "content_block_delta", "index": index, "delta": delta }))
}

fn stops(index: usize) -> Event {
    Event::typed(&json!({ "type": "content_block_stop", "index": index }))
}

impl Form for Messages {
    fn asked(body: &Value) -> Asked {
        let mut asked = Asked::default();
        for message in body["messages"].as_array().into_iter().flatten() {
            match message["role"].as_str() {
                Some("assistant") => asked.is_answered(),
                Some("user") => {
                    let mut blocks = message["content"].as_array().into_iter().flatten();
                    asked.has_result |= blocks.any(|block| block["type"] == "tool_result");
                    asked.hears(&texts(&message["content"]));
                }
                _ => {}
            }
        }
        let read =
            |tool: &Value| Some(Tool { name: tool["name"].as_str()?.to_owned(), schema: tool["input_schema"].clone() });
        let tools = tools(&body["tools"], read);
        Asked { is_streamed: body["stream"] == true, counts: true, tools, ..asked }
    }

    fn begin(reply: &Reply) -> Vec<Event> {
        let start = json!({ "type": "message_start", "message": message(reply, json!([]), None) });
        vec![Event::typed(&start), begins(0, json!({ "type": "text", "text": "" }))]
    }

    fn piece(_: &Reply, text: &str) -> Event {
        delta(0, json!({ "type": "text_delta", "text": text }))
    }

    fn end(reply: &Reply, _: &Asked) -> Vec<Event> {
        let mut events = vec![stops(0)];
        if let Some(call) = &reply.call {
            let part = json!({ "type": "input_json_delta", "partial_json": call.arguments });
            events.extend([begins(1, tool_use(reply, &call.name, json!({}))), delta(1, part), stops(1)]);
        }
        let end = json!({ "stop_reason": reason(reply), "stop_sequence": null });
        events.push(Event::typed(&json!({ "type": "message_delta", "delta": end, "usage": usage() })));
        events.push(Event::typed(&json!({ "type": "message_stop" })));
        events
    }

    fn whole(reply: &Reply) -> Value {
        let mut content = vec![json!({ "type": "text", "text": reply.text })];
        content.extend(reply.call.as_ref().map(|call| {
            let input = serde_json::from_str(&call.arguments).unwrap_or_else(|_| json!({}));
            tool_use(reply, &call.name, input)
        }));
        message(reply, content.into(), Some(reason(reply)))
    }

    fn error(kind: &str, text: &str) -> Value {
        json!({ "type": "error", "error": { "type": kind, "message": text } })
    }
}
