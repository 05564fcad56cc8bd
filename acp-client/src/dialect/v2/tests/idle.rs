//! Which `idle` ends which prompt: orders of messages, without a connection.

use std::sync::{Arc, Mutex};

use acp_peer::rpc::Then;
use serde_json::{Value, json};

use super::super::{V2, awaited::Awaited, raw, sessions::Sessions};
use crate::{dialect::Dialect, schema::Method, values::methods};

/// A session whose prompts are named, and what became of them.
#[derive(Default)]
struct Conversation {
    dialect: V2,
    open: Vec<(&'static str, Then)>,
    ended: Arc<Mutex<Vec<String>>>,
}

impl Conversation {
    fn sessions(&self) -> &Arc<Sessions> {
        &self.dialect.sessions
    }

    /// The client sends a prompt.
    fn prompt(&mut self, name: &'static str) {
        let ended = self.ended.clone();
        let then: Then = Box::new(move |answer| {
            let how = match answer {
                Ok(answer) => serde_json::from_str::<Value>(answer.get()).unwrap()["stopReason"].clone(),
                Err(error) => json!(error.message()),
            };
            ended.lock().unwrap().push(format!("{name} {}", how.as_str().unwrap_or("without a reason")));
        });
        let answered = Awaited::prompt(self.sessions(), "s").answered(then);
        self.open.push((name, answered));
    }

    fn take(&mut self, name: &str) -> Then {
        let at = self.open.iter().position(|(open, _)| *open == name).expect("it is not answered");
        self.open.remove(at).1
    }

    /// The agent answers a prompt. The id of its message is its name.
    fn inserts(&mut self, name: &str) {
        let answer = raw(&json!({ "messageId": name })).unwrap();
        self.take(name)(Ok(&answer));
    }

    fn refuses(&mut self, name: &str, code: i32) {
        self.take(name)(Err(acp_peer::Error::new(code, "refused")));
    }

    fn update(&self, update: Value) {
        let params = raw(&json!({ "sessionId": "s", "update": update })).unwrap();
        if let Some(then) = self.dialect.heard(methods::SessionUpdate::NAME, Some(&params)).then {
            then();
        }
    }

    fn echo(&self, name: &str) {
        self.update(json!({ "sessionUpdate": "user_message_chunk", "messageId": name, "content": {} }));
    }

    fn state(&self, state: Value) {
        let mut update = state;
        update["sessionUpdate"] = "state_update".into();
        self.update(update);
    }

    fn running(&self) {
        self.state(json!({ "state": "running" }));
    }

    fn idle(&self, reason: &str) {
        self.state(json!({ "state": "idle", "stopReason": reason }));
    }

    #[track_caller]
    fn ended(&self, expected: &[&str]) {
        assert_eq!(*self.ended.lock().unwrap(), expected);
    }
}

#[test]
fn an_idle_ends_the_prompt_that_was_inserted_before_it() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.inserts("a");
    said.echo("a");
    said.running();
    said.state(json!({ "state": "requires_action" }));
    said.running();
    said.ended(&[]);
    said.idle("max_tokens");
    said.ended(&["a max_tokens"]);
    said.idle("max_tokens");
    said.ended(&["a max_tokens"]);
}

#[test]
fn an_idle_before_the_insertion_is_the_end_of_other_work() {
    let mut said = Conversation::default();
    said.running();
    said.prompt("a");
    said.idle("end_turn");
    said.ended(&[]);
    // `running` may come before the insertion.
    said.running();
    said.inserts("a");
    said.echo("a");
    said.idle("refusal");
    said.ended(&["a refusal"]);
}

#[test]
fn prompts_that_the_agent_holds_end_one_after_the_other() {
    let mut said = Conversation::default();
    for name in ["a", "b", "c"] {
        said.prompt(name);
    }
    said.inserts("a");
    said.running();
    said.idle("end_turn");
    said.inserts("b");
    said.echo("b");
    said.running();
    said.ended(&["a end_turn"]);
    // A cancel ends the turn at work, and withdraws what was not inserted.
    said.refuses("c", -32800);
    said.idle("cancelled");
    said.ended(&["a end_turn", "c cancelled", "b cancelled"]);
}

#[test]
fn prompts_that_are_taken_into_a_turn_end_with_it() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.inserts("a");
    said.running();
    said.prompt("b");
    said.inserts("b");
    said.idle("end_turn");
    said.ended(&["a end_turn", "b end_turn"]);
}

#[test]
fn a_late_answer_is_no_late_end() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.prompt("b");
    said.echo("b");
    said.running();
    said.idle("end_turn");
    said.ended(&[]);
    // The next work is none of the prompt's.
    said.running();
    said.inserts("b");
    said.ended(&["b end_turn"]);
    said.inserts("a");
    said.ended(&["b end_turn"]);
    said.idle("refusal");
    said.ended(&["b end_turn", "a refusal"]);
}

#[test]
fn a_snapshot_is_no_end() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.inserts("a");
    // Background work has changed, before the prompt is worked on.
    let terminal = json!([{ "type": "terminal", "terminalId": "t" }]);
    said.state(json!({ "state": "idle", "stopReason": "end_turn", "background": terminal }));
    said.ended(&[]);
    // A resume asks for the state.
    let resume = Awaited::resume(said.sessions(), "s");
    said.state(json!({ "state": "idle", "stopReason": "end_turn", "background": terminal }));
    drop(resume);
    // One that says nothing.
    said.state(json!({ "state": "idle", "background": terminal }));
    said.state(json!({ "state": "_vendors" }));
    said.ended(&[]);
    said.running();
    said.state(json!({ "state": "idle", "background": terminal }));
    said.ended(&["a without a reason"]);
}

#[test]
fn an_agent_that_never_says_running_ends_its_turns_too() {
    let mut said = Conversation::default();
    for name in ["a", "b"] {
        said.prompt(name);
        said.inserts(name);
        said.idle("end_turn");
    }
    said.ended(&["a end_turn", "b end_turn"]);
}

#[test]
fn an_error_ends_a_turn() {
    let mut said = Conversation::default();
    for (name, error) in [("a", json!({ "code": -32603, "message": "no model" })), ("b", json!(null))] {
        said.prompt(name);
        said.inserts(name);
        said.running();
        said.state(json!({ "state": "idle", "stopReason": "error", "error": error }));
    }
    said.prompt("c");
    said.refuses("c", -32602);
    let unnamed = "b the turn ended with an error, and the agent did not say with which";
    said.ended(&["a no model", unnamed, "c refused"]);
}

#[test]
fn a_reason_that_nobody_knows_is_an_end() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.inserts("a");
    said.running();
    said.idle("_vendors");
    said.ended(&["a _vendors"]);
}

#[test]
fn what_is_kept_of_a_session_goes_with_it() {
    let mut said = Conversation::default();
    said.prompt("a");
    said.inserts("a");
    assert!(!said.sessions().with("s", |session| session.turns.is_at_rest()));
    // The agent names any number of sessions.
    for number in 0..3000 {
        let name = json!({ "sessionUpdate": "agent_message_chunk", "messageId": "m", "content": {} });
        let params = raw(&json!({ "sessionId": number.to_string(), "update": name })).unwrap();
        said.dialect.heard(methods::SessionUpdate::NAME, Some(&params));
    }
    assert!(said.sessions().count() <= 1024);
    said.running();
    said.idle("end_turn");
    said.ended(&["a end_turn"]);
    // A prompt that is withdrawn is not waited for.
    said.prompt("b");
    drop(said.take("b"));
    assert!(said.sessions().with("s", |session| session.turns.is_at_rest()));
    let dropped = Arc::new(());
    let held = dropped.clone();
    said.sessions().with("s", |_| ());
    let waits: Then = Box::new(move |_| drop(held));
    let answered = Awaited::prompt(said.sessions(), "s").answered(waits);
    answered(Ok(&raw(&json!({ "messageId": "x" })).unwrap()));
    assert_eq!(Arc::strong_count(&dropped), 2);
    said.dialect.forget("s");
    assert_eq!(Arc::strong_count(&dropped), 1, "who waits is told");
}
