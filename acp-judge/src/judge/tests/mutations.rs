//! Good conversations with one mistake: a message of the agent is left out, sent twice, moved, or has another field.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{tape, tapes, v2};
use crate::{
    judge,
    tape::{Entry, Party, Tape},
};

/// What becomes of one message of the agent.
#[derive(Clone, Copy, Debug)]
enum Mutation {
    Dropped,
    Doubled,
    /// Behind the next message of anybody.
    Late,
    /// Its id, or that of its session, is another one.
    OtherId,
    /// Its first field is missing.
    Less,
    /// It has a field that the protocol does not have.
    More,
    /// The first of its fields with a text has a number.
    Number,
}

use Mutation::{Doubled, Dropped, Late, Less, More, Number, OtherId};

const ALL: [Mutation; 7] = [Dropped, Doubled, Late, OtherId, Less, More, Number];

fn mutated(tape: &Tape, at: usize, mutation: Mutation) -> Option<Tape> {
    let mut entries: Vec<Entry> = tape.entries().to_vec();
    let line = entries[at].line.clone()?;
    let mut message: Value = serde_json::from_slice(&line).ok()?;
    match mutation {
        Dropped => drop(entries.remove(at)),
        Doubled => entries.insert(at, entries[at].clone()),
        Late if at + 1 < entries.len() => {
            // The times stay in their order.
            let (one, next) = (entries[at].at, entries[at + 1].at);
            entries.swap(at, at + 1);
            (entries[at].at, entries[at + 1].at) = (one, next);
        }
        Late => return None,
        changed => {
            let is_answer = message.get("method").is_none();
            let body = ["params", "result", "error"].into_iter().find(|name| message[*name].is_object())?;
            match changed {
                OtherId if is_answer => message["id"] = "an id that nobody has sent".into(),
                OtherId => *message.pointer_mut("/params/sessionId")? = "a session that nobody has".into(),
                Less => {
                    let body = message[body].as_object_mut()?;
                    let first = body.keys().next()?.clone();
                    body.remove(&first);
                }
                More => message[body]["surprise"] = true.into(),
                _ => *first_text(&mut message[body])? = 7.into(),
            }
            entries[at].line = Some(message.to_string().into_bytes());
        }
    }
    let mut mutated = Tape::new();
    for Entry { from, at, line } in entries {
        mutated.pass(at.saturating_sub(mutated.entries().last().map_or(std::time::Duration::ZERO, |last| last.at)));
        match line {
            Some(line) => mutated.say(from, line),
            None => mutated.hang_up(from),
        }
    }
    Some(mutated)
}

/// The first text below this value that the schema has a type for.
fn first_text(value: &mut Value) -> Option<&mut Value> {
    match value {
        Value::String(_) => Some(value),
        Value::Object(object) => object
            .iter_mut()
            .filter(|(name, _)| *name != "_meta" && *name != "rawInput")
            .find_map(|(_, value)| first_text(value)),
        Value::Array(items) => items.iter_mut().find_map(first_text),
        _ => None,
    }
}

/// Why a mistake in a message cannot be seen on the wire; `None` if it can.
fn invisible(mutation: Mutation, message: &Value) -> Option<&'static str> {
    let method = message["method"].as_str().unwrap_or_default();
    let is_notification = !method.is_empty() && message.get("id").is_none();
    match mutation {
        _ if method.starts_with('_') => Some("the protocol has no rules for the messages of a vendor"),
        Dropped if is_notification => {
            Some("nobody knows what an agent does not say, where nothing that follows needs it")
        }
        Dropped if !method.is_empty() => Some("an agent need not ask"),
        Dropped => Some(
            "a login, a request of a vendor, and what was withdrawn may wait for a person, and others for the end of their session",
        ),
        Doubled if is_notification => {
            Some("an update may be sent again: it is the state of something, or a part of a text")
        }
        Late if is_notification => Some("an update may come a moment later, where nothing that follows needs it"),
        Late => Some("what follows is of another request, or was on its way"),
        OtherId if is_notification => Some("a session that is being opened has an id that nobody knows yet"),
        Less => Some("the field may be left out"),
        More if message["error"].is_object() => Some("an error may have members of its own"),
        _ => None,
    }
}

#[test]
fn mistakes_in_good_conversations_are_found() {
    // The client waits for what is due.
    let goods = [format!("{}{}", tapes::HELLO, tapes::GOOD), format!("{}{}", v2::HELLO, v2::GOOD)];
    let goods = goods.map(|good| good.replace("> end", "+ 5000\n> end"));
    let (mut found, mut missed, mut reasons) = (0, 0, BTreeSet::new());
    for good in &goods {
        let tape = tape(good);
        let told = |tape: &Tape| -> BTreeSet<_> {
            judge(tape).into_iter().map(|finding| (finding.rule.id, finding.text)).collect()
        };
        let known = told(&tape);
        for (at, entry) in tape.entries().iter().enumerate().filter(|(_, entry)| entry.from == Party::Agent) {
            for mutation in ALL {
                let Some(mutant) = mutated(&tape, at, mutation) else { continue };
                if told(&mutant).is_subset(&known) {
                    let text = entry.text().unwrap_or_default();
                    let reason = invisible(mutation, &serde_json::from_str(&text).unwrap());
                    reasons.insert(reason.unwrap_or_else(|| panic!("{mutation:?} is not found: {text}")));
                    missed += 1;
                } else {
                    found += 1;
                }
            }
        }
    }
    assert!(found >= 500 && missed <= 210, "{found} are found, {missed} are not");
    assert!(reasons.len() <= 20, "{reasons:#?}");
}
