//! What the values make of updates and questions.

use serde_json::{Value, json};

use super::super::{V2, raw, value};
use super::checked;
use crate::{
    Update,
    dialect::Dialect,
    schema::{Method, v1, v2},
    values::{
        ContentBlock, PlanEntryStatus, RequestPermissionRequest, SessionUpdate, ToolCallContent, ToolCallStatus,
        ToolKind, methods,
    },
    versions::{original, permission_title},
};

/// What a client gets for updates of one session.
struct Heard(V2);

impl Heard {
    fn new() -> Self {
        Self(V2::default())
    }

    fn all(&self, update: Value) -> Vec<Update> {
        let params = checked::<v2::UpdateSessionNotification>(json!({ "sessionId": "s", "update": update }));
        let params = raw(&params).unwrap();
        let heard = self.0.heard(methods::SessionUpdate::NAME, Some(&params));
        let first = heard.params.unwrap_or(params);
        std::iter::once(first).chain(heard.more).map(|params| Update::read(params.get())).collect()
    }

    #[track_caller]
    fn one(&self, update: Value) -> Update {
        let mut all = self.all(update);
        assert_eq!(all.len(), 1, "{all:?}");
        all.remove(0)
    }

    #[track_caller]
    fn first(&self, mut call: Value) -> v1::ToolCall {
        call["sessionUpdate"] = "tool_call_update".into();
        match self.one(call) {
            Update::Known(SessionUpdate::ToolCall(call)) => call,
            other => panic!("{other:?}"),
        }
    }

    #[track_caller]
    fn changed(&self, mut call: Value) -> v1::ToolCallUpdate {
        call["sessionUpdate"] = "tool_call_update".into();
        match self.one(call) {
            Update::Known(SessionUpdate::ToolCallUpdate(call)) => call,
            other => panic!("{other:?}"),
        }
    }

    fn asks(&self, params: Value) -> RequestPermissionRequest {
        let params = raw(&checked::<v2::RequestPermissionRequest>(params)).unwrap();
        let heard = self.0.heard(methods::RequestPermission::NAME, Some(&params));
        serde_json::from_value(value(&heard.params.unwrap())).unwrap()
    }
}

fn text(text: &str) -> Value {
    json!({ "type": "content", "content": { "type": "text", "text": text } })
}

fn texts(content: &[ToolCallContent]) -> Vec<&str> {
    let text = |content: &'_ ToolCallContent| match content {
        ToolCallContent::Content(content) => match &content.content {
            ContentBlock::Text(text) => Some(text.text.clone()),
            _ => None,
        },
        _ => None,
    };
    content.iter().filter_map(text).map(|text| &*Box::leak(text.into_boxed_str())).collect()
}

#[test]
fn the_first_update_of_a_tool_call_is_a_tool_call() {
    let heard = Heard::new();
    let call = heard.first(json!({ "toolCallId": "c", "name": "Bash", "status": "in_progress" }));
    assert_eq!((&*call.title, call.kind, call.status), ("Bash", ToolKind::Other, ToolCallStatus::InProgress));
    let call = heard.changed(json!({ "toolCallId": "c", "title": "ls", "kind": "execute" }));
    assert_eq!((call.title.as_deref(), call.kind, call.status), (Some("ls"), Some(ToolKind::Execute), None));
    // `null` is what a new call has.
    let call = heard.changed(json!({
        "toolCallId": "c", "title": null, "kind": null, "status": null, "content": null, "locations": null,
    }));
    assert_eq!((call.title.as_deref(), call.kind), (Some("Bash"), Some(ToolKind::Other)));
    assert_eq!(
        (call.status, call.content, call.locations),
        (Some(ToolCallStatus::Pending), Some(vec![]), Some(vec![]))
    );
    assert!(call.meta.is_none(), "nothing is lost");
    // Other calls, and other sessions, have firsts of their own.
    assert_eq!(heard.first(json!({ "toolCallId": "d", "title": "other" })).title, "other");
}

#[test]
fn what_the_values_of_a_tool_call_lack_is_in_the_original() {
    let heard = Heard::new();
    heard.first(json!({ "toolCallId": "c" }));
    for (status, nearest) in [
        ("paused", ToolCallStatus::InProgress),
        ("_mine", ToolCallStatus::InProgress),
        ("cancelled", ToolCallStatus::Failed),
    ] {
        let call = heard.changed(json!({ "toolCallId": "c", "status": status, "_meta": { "own": 1 } }));
        assert_eq!(call.status, Some(nearest));
        assert_eq!(call.meta.as_ref().unwrap()["own"], 1);
        assert_eq!(original(call.meta.as_ref()).unwrap(), &json!({ "status": status }));
    }
    let call = heard.changed(json!({ "toolCallId": "c", "kind": "_dig", "capabilities": { "cancel": {} } }));
    assert_eq!(call.kind, Some(ToolKind::Other));
    assert_eq!(original(call.meta.as_ref()).unwrap(), &json!({ "kind": "_dig", "capabilities": { "cancel": {} } }));
}

#[test]
fn content_is_appended_to_a_tool_call() {
    let heard = Heard::new();
    let chunk =
        |words: &str| json!({ "sessionUpdate": "tool_call_content_chunk", "toolCallId": "c", "content": text(words) });
    let Update::Known(SessionUpdate::ToolCall(call)) = heard.one(chunk("one")) else { panic!("it is the first") };
    assert_eq!(texts(&call.content), ["one"]);
    let Update::Known(SessionUpdate::ToolCallUpdate(call)) = heard.one(chunk("two")) else {
        panic!("it is the second")
    };
    assert_eq!(texts(&call.content.unwrap()), ["one", "two"]);
    heard.changed(json!({ "toolCallId": "c", "content": [text("new")] }));
    let Update::Known(SessionUpdate::ToolCallUpdate(call)) = heard.one(chunk("er")) else { panic!("it is the third") };
    assert_eq!(texts(&call.content.unwrap()), ["new", "er"]);
    // A call with much content is not sent anew for each piece.
    let long = "x".repeat(40_000);
    assert!(heard.one(chunk(&long)).known().is_some());
    let Update::Unknown(update) = heard.one(chunk(&long)) else { panic!("it is too much") };
    assert_eq!(update.kind, "tool_call_content_chunk");
    heard.changed(json!({ "toolCallId": "c", "content": [] }));
    assert!(heard.one(chunk("again")).known().is_some());
}

const PATCH: &str = r#"diff --git /p/a.txt /p/a.txt
index 1..2 100644
--- /p/a.txt
+++ /p/a.txt
@@ -1,3 +1,3 @@ fn main
 one
-two
+zwei

@@ -9 +9 @@
--- old
+++ new
\ No newline at end of file
diff --git "/p/\303\244.txt" "/p/\303\244.txt"
new file mode 100644
--- /dev/null
+++ "/p/\303\244.txt"
@@ -0,0 +1,2 @@
+first
+second
diff --git /p/gone.txt /p/gone.txt
--- /p/gone.txt	2026
+++ /dev/null
@@ -1 +0,0 @@
-last
\ No newline at end of file
"#;

#[test]
fn each_hunk_of_a_patch_is_a_diff() {
    let heard = Heard::new();
    let diff = json!({
        "type": "diff",
        "changes": [
            { "operation": "modify", "path": "/p/a.txt", "fileType": "text" },
            { "operation": "add", "path": "/p/ä.txt" },
            { "operation": "delete", "path": "/p/gone.txt" },
            { "operation": "modify", "path": "/p/logo.png", "fileType": "binary" },
            { "operation": "move", "oldPath": "/p/from", "path": "/p/to" },
        ],
        "patch": { "format": "git_patch", "text": PATCH },
    });
    let call = heard.first(json!({ "toolCallId": "c", "content": [diff, text("after")] }));
    assert_eq!(texts(&call.content), ["modify: /p/logo.png", "move: /p/from -> /p/to", "after"]);
    let diffs = call.content.iter().filter_map(|content| match content {
        ToolCallContent::Diff(diff) => Some((diff.path.to_str().unwrap(), diff.old_text.as_deref(), &*diff.new_text)),
        _ => None,
    });
    assert_eq!(
        diffs.collect::<Vec<_>>(),
        [
            ("/p/a.txt", Some("one\ntwo\n\n"), "one\nzwei\n\n"),
            ("/p/a.txt", Some("-- old\n"), "++ new"),
            ("/p/ä.txt", None, "first\nsecond\n"),
            ("/p/gone.txt", Some("last"), ""),
        ]
    );
    let ToolCallContent::Content(first) = &call.content[0] else { panic!("{call:?}") };
    assert_eq!(original(first.meta.as_ref()), Some(&diff));
    // Without a patch that can be read, there are the changes.
    for patch in [
        json!(null),
        json!({ "format": "_other", "text": "?" }),
        json!({ "format": "git_patch", "text": "@@ -1,9 +1" }),
    ] {
        let mut diff = json!({ "type": "diff", "changes": [{ "operation": "add", "path": "/p/a" }] });
        if !patch.is_null() {
            diff["patch"] = patch;
        }
        let call = heard.changed(json!({ "toolCallId": "c", "content": [diff] }));
        assert_eq!(texts(&call.content.unwrap()), ["add: /p/a"]);
    }
}

#[test]
fn a_whole_message_is_its_chunks_if_it_is_new() {
    let heard = Heard::new();
    let message =
        |id: &str, content: Value| json!({ "sessionUpdate": "agent_message", "messageId": id, "content": content });
    let block = |text: &str| json!({ "type": "text", "text": text });
    let told = heard.all(message("m", json!([block("one"), block("two")])));
    assert_eq!(told.iter().map(|update| update.text().unwrap()).collect::<Vec<_>>(), ["one", "two"]);
    for update in [
        // It replaces what was said.
        message("m", json!([block("three")])),
        message("empty", json!([])),
        json!({ "sessionUpdate": "user_message", "messageId": "none" }),
    ] {
        let Update::Unknown(unknown) = heard.one(update.clone()) else { panic!("{update}") };
        assert_eq!(value(&unknown.raw), update);
    }
    // Chunks were said.
    let chunk = json!({ "sessionUpdate": "agent_thought_chunk", "messageId": "t", "content": block("hm") });
    assert!(heard.one(chunk).known().is_some());
    let whole = json!({ "sessionUpdate": "agent_thought", "messageId": "t", "content": [block("hm")] });
    assert!(heard.one(whole).known().is_none());
}

#[test]
fn a_plan_of_entries_is_a_plan() {
    let heard = Heard::new();
    let entry = |status: &str, priority: &str| json!({ "content": status, "status": status, "priority": priority });
    let entries = json!([entry("pending", "low"), entry("cancelled", "high"), entry("_later", "_huge")]);
    let plan = json!({ "type": "items", "planId": "p", "entries": entries });
    let update = heard.one(json!({ "sessionUpdate": "plan_update", "plan": plan }));
    let Update::Known(SessionUpdate::Plan(plan)) = update else { panic!("{update:?}") };
    let statuses: Vec<_> = plan.entries.iter().map(|entry| entry.status).collect();
    assert_eq!(statuses, [PlanEntryStatus::Pending, PlanEntryStatus::Completed, PlanEntryStatus::Pending]);
    assert_eq!(original(plan.entries[1].meta.as_ref()).unwrap()["status"], "cancelled");
    assert_eq!(original(plan.meta.as_ref()).unwrap()["planId"], "p");
    let other = json!({ "sessionUpdate": "plan_update", "plan": { "type": "_text", "planId": "p", "text": "x" } });
    assert!(heard.one(other).known().is_none());
}

#[test]
fn what_the_values_lack_comes_as_the_agent_sent_it() {
    let heard = Heard::new();
    for update in [
        json!({ "sessionUpdate": "_of_terminals", "terminalId": "t", "data": "aGk=" }),
        json!({ "sessionUpdate": "_vendors", "own": 1 }),
    ] {
        let Update::Unknown(unknown) = heard.one(update.clone()) else { panic!("{update}") };
        assert_eq!((value(&unknown.raw), json!(unknown.kind)), (update.clone(), update["sessionUpdate"].clone()));
    }
    let known = json!({ "sessionUpdate": "usage_update", "used": 1, "size": 2 });
    assert!(heard.one(known).known().is_some());
}

#[test]
fn a_question_is_about_a_call_in_the_values() {
    let heard = Heard::new();
    let option = |kind: &str| json!({ "optionId": kind, "name": kind, "kind": kind });
    let ask = |subject: Option<Value>, description: Option<&str>| {
        let mut params =
            json!({ "sessionId": "s", "title": "Go on?", "options": [option("allow_once"), option("_maybe")] });
        if let Some(subject) = subject {
            params["subject"] = subject;
        }
        if let Some(description) = description {
            params["description"] = description.into();
        }
        heard.asks(params)
    };
    // The call has a title already, or gets it by the question.
    heard.first(json!({ "toolCallId": "c", "title": "Edit a.txt", "kind": "edit" }));
    let call = |id: &str| Some(json!({ "type": "tool_call", "toolCall": { "toolCallId": id } }));
    let request = ask(call("c"), None);
    assert_eq!(
        (request.tool_call.title.as_deref(), request.tool_call.kind),
        (Some("Edit a.txt"), Some(ToolKind::Edit))
    );
    assert_eq!((permission_title(&request), request.options.len()), ("Go on?", 1));
    assert_eq!(ask(call("new"), None).tool_call.title.as_deref(), Some("Go on?"));
    let named = json!({ "type": "tool_call", "toolCall": { "toolCallId": "new", "title": "Dig", "kind": "execute" } });
    assert_eq!(ask(Some(named), None).tool_call.title.as_deref(), Some("Dig"));
    // The question has told of the call, and the first update need not repeat it.
    let first = heard.first(json!({ "toolCallId": "new", "status": "in_progress" }));
    assert_eq!((&*first.title, first.kind), ("Dig", ToolKind::Execute));

    let command = json!({ "type": "command", "command": "rm -r build", "cwd": "/p" });
    let request = ask(Some(command.clone()), None);
    assert_eq!(
        (request.tool_call.title.as_deref(), request.tool_call.kind),
        (Some("rm -r build"), Some(ToolKind::Execute))
    );
    assert_eq!(request.tool_call.raw_input, Some(json!({ "command": "rm -r build", "cwd": "/p" })));
    assert_eq!(original(request.meta.as_ref()).unwrap()["subject"], command);
    // A lasting answer to one question is none to another.
    let (one, two) = (ask(None, Some("Delete a")), ask(None, Some("Delete b")));
    assert_ne!(one.tool_call.title, two.tool_call.title);
    assert_ne!(one.tool_call.tool_call_id, two.tool_call.tool_call_id);
    assert_eq!(permission_title(&one), "Go on?");
}
