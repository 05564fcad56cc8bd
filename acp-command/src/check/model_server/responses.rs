//! OpenAI's responses.

use serde_json::{Value, json};

use super::form::{Asked, Event, Form, MODEL, Reply, Tool, texts, tools};

/// The API `/responses`.
pub(super) enum Responses {}

fn response(reply: &Reply, status: &str, output: Value) -> Value {
    let usage = json!({
        "input_tokens": 40, "input_tokens_details": { "cached_tokens": 0 }, "output_tokens": 2,
        "output_tokens_details": { "reasoning_tokens": 0 }, "total_tokens": 42,
    });
    let usage = if status == "completed" { usage } else { Value::Null };
    json!({
        "id": format!("resp_{}", reply.number), "object": "response", "created_at": 1, "model": MODEL,
        "status": status, "error": null, "incomplete_details": null, "output": output, "usage": usage,
    })
}

fn message(reply: &Reply, status: &str, content: Value) -> Value {
    let id = format!("msg_{}", reply.number);
    json!({ "type": "message", "id": id, "status": status, "role": "assistant", "content": content })
}

fn text(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [] })
}

fn call(reply: &Reply) -> Option<Value> {
    let call = reply.call.as_ref()?;
    Some(json!({
        "type": "function_call", "id": format!("fc_{}", reply.number), "call_id": format!("call_{}", reply.number),
        "name": call.name, "arguments": call.arguments, "status": "completed",
    }))
}

/// All items of the answer.
fn output(reply: &Reply) -> Vec<Value> {
    [message(reply, "completed", json!([text(&reply.text)]))].into_iter().chain(call(reply)).collect()
}

/// An event about a part of the message.
fn of_part(reply: &Reply, kind: &str, name: &str, value: Value) -> Event {
    let item = format!("msg_{}", reply.number);
    let mut data = json!({ "type": kind, "item_id": item, "output_index": 0, "content_index": 0 });
    data[name] = value;
    Event::typed(&data)
}

fn of_item(kind: &str, index: usize, item: &Value) -> Event {
    Event::typed(&json!({ "type": kind, "output_index": index, "item": item }))
}

impl Form for Responses {
    fn asked(body: &Value) -> Asked {
        let mut asked = Asked::default();
        // The input is a text, or a list of items.
        asked.hears(body["input"].as_str().unwrap_or_default());
        for item in body["input"].as_array().into_iter().flatten() {
            match (item["type"].as_str(), item["role"].as_str()) {
                (Some("function_call_output" | "custom_tool_call_output"), _) => asked.has_result = true,
                (Some("function_call" | "custom_tool_call" | "reasoning"), _) | (_, Some("assistant")) => {
                    asked.is_answered();
                }
                (_, Some("user")) => asked.hears(&texts(&item["content"])),
                _ => {}
            }
        }
        let read = |tool: &Value| {
            let is_function = tool["type"] == "function";
            let name = tool["name"].as_str().filter(|_| is_function)?;
            Some(Tool { name: name.to_owned(), schema: tool["parameters"].clone() })
        };
        let tools = tools(&body["tools"], read);
        Asked { is_streamed: body["stream"] == true, counts: true, tools, ..asked }
    }

    fn begin(reply: &Reply) -> Vec<Event> {
        let created = json!({ "type": "response.created", "response": response(reply, "in_progress", json!([])) });
        vec![
            Event::typed(&created),
            of_item("response.output_item.added", 0, &message(reply, "in_progress", json!([]))),
            of_part(reply, "response.content_part.added", "part", text("")),
        ]
    }

    fn piece(reply: &Reply, text: &str) -> Event {
        of_part(reply, "response.output_text.delta", "delta", text.into())
    }

    fn end(reply: &Reply, _: &Asked) -> Vec<Event> {
        let output = output(reply);
        let mut events = vec![
            of_part(reply, "response.output_text.done", "text", reply.text.clone().into()),
            of_part(reply, "response.content_part.done", "part", text(&reply.text)),
            of_item("response.output_item.done", 0, &output[0]),
        ];
        if let Some(item) = output.get(1) {
            let mut begun = item.clone();
            (begun["arguments"], begun["status"]) = ("".into(), "in_progress".into());
            events.push(of_item("response.output_item.added", 1, &begun));
            for (kind, name) in [("delta", "delta"), ("done", "arguments")] {
                let mut data = json!({ "output_index": 1, "item_id": item["id"] });
                data["type"] = format!("response.function_call_arguments.{kind}").into();
                data[name] = item["arguments"].clone();
                events.push(Event::typed(&data));
            }
            events.push(of_item("response.output_item.done", 1, item));
        }
        let completed = response(reply, "completed", output.into());
        events.push(Event::typed(&json!({ "type": "response.completed", "response": completed })));
        events
    }

    fn whole(reply: &Reply) -> Value {
        response(reply, "completed", output(reply).into())
    }

    fn error(kind: &str, text: &str) -> Value {
        super::chat::Chat::error(kind, text)
    }
}
