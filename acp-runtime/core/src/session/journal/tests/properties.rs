//! A client that gets the entries shows the same conversation as a client that got the updates.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{super::*, said, update};

/// A small generator (xorshift64*). The message of a failure has its seed.
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Self {
        Self((seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32) as usize % bound
    }
}

/// A client. It knows nothing of entries, and works on the JSON of the updates.
#[derive(Debug, Default, PartialEq)]
struct Client {
    /// Whether it goes by the ids of messages (version 2), or by the order of their pieces (version 1).
    by_id: bool,
    timeline: Vec<Shown>,
    plan: Value,
}

#[derive(Debug, PartialEq)]
enum Shown {
    Message { kind: String, id: Option<String>, pieces: Vec<Value> },
    Call { id: Value, fields: BTreeMap<String, Value>, metas: Vec<Value> },
    Compaction { id: Value, fields: BTreeMap<String, Value>, metas: Vec<Value> },
}

impl Client {
    fn get(&mut self, update: &Value, id: Option<&str>) {
        let mut fields: Map<String, Value> = update.as_object().unwrap().clone();
        let kind = fields.remove("sessionUpdate").unwrap().as_str().unwrap().to_owned();
        match kind.as_str() {
            "plan" => self.plan = update.clone(),
            "tool_call" | "tool_call_update" => {
                let meta = fields.remove("_meta");
                let id = fields.remove("toolCallId").unwrap();
                let known =
                    self.timeline.iter().rposition(|shown| matches!(shown, Shown::Call { id: one, .. } if *one == id));
                let known = known.filter(|_| kind == "tool_call_update").unwrap_or_else(|| {
                    self.timeline.push(Shown::Call { id, fields: BTreeMap::new(), metas: Vec::new() });
                    self.timeline.len() - 1
                });
                let Shown::Call { fields: call, metas, .. } = &mut self.timeline[known] else { unreachable!() };
                call.extend(fields);
                // The wire leaves these out.
                call.retain(|_, value| {
                    !value.is_null() && *value != json!([]) && value != "other" && value != "pending"
                });
                metas.extend(meta);
            }
            "compaction_update" | "compaction_summary_chunk" => {
                let id = fields.remove("compactionId").unwrap();
                let known = self
                    .timeline
                    .iter()
                    .position(|shown| matches!(shown, Shown::Compaction { id: one, .. } if *one == id));
                let known = known.unwrap_or_else(|| {
                    self.timeline.push(Shown::Compaction { id, fields: BTreeMap::new(), metas: Vec::new() });
                    self.timeline.len() - 1
                });
                let Shown::Compaction { fields: shown, metas, .. } = &mut self.timeline[known] else { unreachable!() };
                if let Some(content) = fields.remove("content") {
                    metas.extend(fields.remove("_meta"));
                    let summary = shown.entry("summary".to_owned()).or_insert_with(|| json!([]));
                    add(summary.as_array_mut().unwrap(), content);
                } else {
                    shown.extend(fields);
                    shown.retain(|_, value| !value.is_null() && *value != json!([]));
                }
            }
            _ => {
                let id = id.map(str::to_owned).filter(|_| self.by_id);
                let piece = json!({ "content": fields["content"], "_meta": fields.get("_meta"), "given": fields.get("messageId") });
                let place = if self.by_id {
                    self.timeline.iter().position(|shown| matches!(shown, Shown::Message { kind: one, id: other, .. } if *one == kind && *other == id))
                } else {
                    let last = self.timeline.len().checked_sub(1);
                    last.filter(
                        |last| matches!(&self.timeline[*last], Shown::Message { kind: one, .. } if *one == kind),
                    )
                };
                let place = place.unwrap_or_else(|| {
                    self.timeline.push(Shown::Message { kind, id, pieces: Vec::new() });
                    self.timeline.len() - 1
                });
                let Shown::Message { pieces, .. } = &mut self.timeline[place] else { unreachable!() };
                add_piece(pieces, piece);
            }
        }
    }
}

/// Text follows text without a seam.
fn add(blocks: &mut Vec<Value>, next: Value) {
    match blocks.last_mut() {
        Some(last) if alike(last, &next) => {
            let text = format!("{}{}", last["text"].as_str().unwrap(), next["text"].as_str().unwrap());
            last["text"] = text.into();
        }
        _ => blocks.push(next),
    }
}

fn add_piece(pieces: &mut Vec<Value>, mut next: Value) {
    match pieces.last_mut() {
        Some(last)
            if last["_meta"] == next["_meta"]
                && last["given"] == next["given"]
                && alike(&last["content"], &next["content"]) =>
        {
            let mut blocks = vec![last["content"].take()];
            add(&mut blocks, next["content"].take());
            last["content"] = blocks.remove(0);
        }
        _ => pieces.push(next),
    }
}

fn alike(last: &Value, next: &Value) -> bool {
    last["type"] == "text" && next["type"] == "text" && last["annotations"] == next["annotations"]
}

fn content(random: &mut Random) -> Value {
    match random.below(8) {
        0 => json!({ "type": "image", "data": "", "mimeType": "image/png" }),
        1 => json!({ "type": "text", "text": "noted", "annotations": { "priority": 1 } }),
        number => json!({ "type": "text", "text": (["a", "b ", "\n"][number % 3]) }),
    }
}

/// Some of the fields that a tool call can have, each with one of two values.
fn call_fields(random: &mut Random) -> Value {
    let all = [
        ("title", json!("t1"), json!("t2")),
        ("name", json!("n1"), json!("n2")),
        ("kind", json!("edit"), json!("other")),
        ("status", json!("in_progress"), json!("completed")),
        ("content", json!([{ "type": "diff", "path": "/f", "newText": "new" }]), json!([])),
        ("locations", json!([{ "path": "/f" }]), json!([])),
        ("rawInput", json!({ "a": 1 }), json!([2])),
        ("rawOutput", json!("out"), json!(7)),
    ];
    let mut fields = Map::new();
    for (key, one, other) in all {
        match random.below(6) {
            0 => fields.insert(key.to_owned(), one),
            1 => fields.insert(key.to_owned(), other),
            _ => None,
        };
    }
    if random.below(6) == 0 {
        fields.insert("_meta".to_owned(), json!({ "output": random.below(3) }));
    }
    Value::Object(fields)
}

fn random_update(random: &mut Random, known: &mut usize) -> Value {
    match random.below(12) {
        0 => {
            *known += 1;
            let mut call = call_fields(random);
            call["sessionUpdate"] = json!("tool_call");
            call["toolCallId"] = json!(format!("c{known}"));
            call["title"] = json!("t");
            call
        }
        1..=3 if *known > 0 => {
            let mut change = call_fields(random);
            change["sessionUpdate"] = json!("tool_call_update");
            change["toolCallId"] = json!(format!("c{}", 1 + random.below(*known)));
            change
        }
        4 => json!({ "sessionUpdate": "plan", "entries": [
            { "content": random.below(100).to_string(), "priority": "low", "status": "pending" }
        ] }),
        5 => {
            let mut change = json!({
                "sessionUpdate": "compaction_update", "compactionId": format!("x{}", random.below(3)),
                "status": (["in_progress", "completed", "failed"][random.below(3)]),
            });
            for key in ["summary", "error", "_meta"] {
                let value = match (random.below(4), key) {
                    (0, _) => Value::Null,
                    (1, "summary") => json!([content(random)]),
                    (1, "error") => json!("why"),
                    (1, _) => json!({ "k": 1 }),
                    _ => continue,
                };
                change[key] = value;
            }
            change
        }
        6 => {
            let mut chunk = json!({
                "sessionUpdate": "compaction_summary_chunk", "compactionId": format!("x{}", random.below(3)),
                "content": content(random),
            });
            if random.below(4) == 0 {
                chunk["_meta"] = json!({ "k": 2 });
            }
            chunk
        }
        _ => {
            let kinds = ["user_message_chunk", "agent_message_chunk", "agent_message_chunk", "agent_thought_chunk"];
            let mut chunk = json!({ "sessionUpdate": (kinds[random.below(4)]), "content": content(random) });
            match random.below(12) {
                0 => chunk["messageId"] = json!("given"),
                1 => chunk["_meta"] = json!({ "k": 1 }),
                _ => {}
            }
            chunk
        }
    }
}

#[test]
fn entries_show_the_same_conversation_as_the_updates() {
    let (mut updates, mut entries) = (0, 0);
    for seed in 0..1_000 {
        let random = &mut Random::new(seed);
        let clients = || [Client::default(), Client { by_id: true, ..Client::default() }];
        let (mut live, mut replayed) = (clients(), clients());
        let mut journal = Journal::behind(0);
        let (mut stored, mut told, mut calls): (Vec<Entry>, Vec<Value>, usize) = Default::default();
        let (mut number, mut last_kind) = (0, String::new());
        for _ in 0..random.below(60) {
            let json = random_update(random, &mut calls);
            // As the tracker of a session's messages makes them: see `dialect::MessageTracker`.
            let kind = json["sessionUpdate"].as_str().unwrap().to_owned();
            let id = if !kind.ends_with("message_chunk") && kind != "agent_thought_chunk" {
                if kind == "tool_call" {
                    last_kind.clear();
                }
                None
            } else if let Some(given) = json["messageId"].as_str() {
                last_kind.clear();
                Some(given.to_owned())
            } else {
                if kind != last_kind {
                    (number, last_kind) = (number + 1, kind);
                }
                Some(format!("m{number}"))
            };
            // As it leaves: the wire has its own form of some fields.
            let said = update(json);
            let json = serde_json::to_value(&said).unwrap();
            live.iter_mut().for_each(|client| client.get(&json, id.as_deref()));
            journal.add(&said, id.map(Into::into), 1);
            told.push(json);
            // A commit at any moment, which may fail and be repeated.
            if random.below(20) == 0 {
                let batch = journal.batch();
                if random.below(2) == 0 {
                    stored.extend_from_slice(&batch);
                    journal.committed();
                }
            }
        }
        stored.extend(journal.pending(0).cloned());
        for (entry, json) in stored.iter().zip(said(&stored)) {
            replayed.iter_mut().for_each(|client| client.get(&json, entry.message_id.as_ref().map(MessageId::as_str)));
        }
        let lines = |updates: &[Value]| updates.iter().map(|update| format!("{update}\n")).collect::<String>();
        assert!(replayed == live, "seed {seed}, told:\n{}replayed:\n{}", lines(&told), lines(&said(&stored)));
        Entry::places(&"s".into(), &stored).unwrap();
        updates += told.len();
        entries += stored.len();
    }
    assert!(entries * 10 < updates * 9, "{entries} entries of {updates} updates");
}
