//! What is written is compared with the generated types of version 2: they must read each message, and write the same.

use std::{collections::HashSet, path::PathBuf, sync::LazyLock};

use acp_schema::v2;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

use super::V2;
use crate::{
    config::{
        offer::Offered,
        shown::{FullState, ShownKind, ShownOption, ShownValues},
    },
    dialect::{
        Activity, Control, Dialect, Listed, MessageTracker, Opened, Opening, OutgoingUpdate, SessionSink, State, Stop,
        Tells,
    },
    values::*,
    wire::{Error, Result},
};

/// Reads a text as `T`, and checks that `T` writes the same.
pub(super) fn same<T: Serialize + DeserializeOwned>(text: &str) -> Value {
    let value: Value = serde_json::from_str(text).unwrap();
    check_words(&value);
    let read: T = serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    assert_eq!(serde_json::to_value(read).unwrap(), value, "a field is not of the schema: {text}");
    value
}

/// Checks the words that tell kinds apart. The types also read words that the schema lacks, because a later version may have them.
fn check_words(value: &Value) {
    static WORDS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        let mut words = HashSet::new();
        constants(&serde_json::from_str(include_str!("../../../../../schema/v2/schema.json")).unwrap(), &mut words);
        words
    });
    const NAMES: [&str; 9] =
        ["sessionUpdate", "type", "operation", "fileType", "format", "state", "status", "stopReason", "kind"];
    match value {
        Value::Object(object) => {
            for (name, value) in object {
                if let (true, Value::String(word)) = (NAMES.contains(&name.as_str()), value) {
                    assert!(WORDS.contains(word), "the schema has no {name} `{word}`");
                }
                check_words(value);
            }
        }
        Value::Array(list) => list.iter().for_each(check_words),
        _ => {}
    }
}

/// The words that the schema fixes.
fn constants(schema: &Value, words: &mut HashSet<String>) {
    match schema {
        Value::Object(object) => {
            words.extend(object.get("const").and_then(Value::as_str).map(str::to_owned));
            object.values().for_each(|inside| constants(inside, words));
        }
        Value::Array(list) => list.iter().for_each(|inside| constants(inside, words)),
        _ => {}
    }
}

/// Drafts of updates are written as version 1 has them. So each must be a draft of version 2, or a new arm of `update` leaves it out.
#[test]
fn each_draft_of_an_update_is_one_of_version_2() {
    let words = |schema: &str| {
        let schema: Value = serde_json::from_str(schema).unwrap();
        let mut words = HashSet::new();
        constants(&schema["$defs"]["SessionUpdate"], &mut words);
        words
    };
    let of_1 = words(include_str!("../../../../../schema/v1/schema.json"));
    let (drafts_of_1, drafts_of_2) = (
        words(include_str!("../../../../../schema/v1/schema.unstable.json")),
        words(include_str!("../../../../../schema/v2/schema.unstable.json")),
    );
    let drafts: Vec<_> = drafts_of_1.difference(&of_1).collect();
    assert!(!drafts.is_empty(), "without drafts, this test is not needed");
    for draft in drafts {
        assert!(drafts_of_2.contains(draft), "version 2 has no update `{draft}`");
    }
}

/// The update in a notification, as the schema has it.
fn update(out: &[u8]) -> Value {
    let line: Value = serde_json::from_slice(out).unwrap();
    assert_eq!(line["method"], "session/update");
    same::<v2::UpdateSessionNotification>(&line["params"].to_string())["update"].clone()
}

fn said(said: SessionUpdate) -> Value {
    let (session, messages, mut out) = (SessionId::from("s"), MessageTracker::default(), Vec::new());
    V2.update(&mut out, OutgoingUpdate::new(&session, &said, &messages)).unwrap();
    if out.is_empty() { Value::Null } else { update(&out) }
}

struct Unused;

impl SessionSink for Unused {
    fn session(&self) -> &SessionId {
        unreachable!("nothing is said here")
    }

    fn say_and(&self, _: &dyn Fn(&mut Vec<u8>) -> Result<()>, _: &mut dyn FnMut()) {
        unreachable!("nothing is said here")
    }

    fn user_message(&self, _: bool) -> MessageId {
        unreachable!("nothing is said here")
    }

    fn inserts_work(&self) {
        unreachable!("nothing is said here")
    }

    fn joins_work(&self) -> bool {
        unreachable!("nothing is said here")
    }

    fn work_begins(&self) {
        unreachable!("nothing is said here")
    }

    fn work_ends(&self, _: Stop, _: &mut dyn FnMut()) -> bool {
        unreachable!("nothing is said here")
    }

    fn tell_activity(&self) {}

    fn commands(&self) -> Option<AvailableCommandsUpdate> {
        None
    }
}

#[test]
fn each_update_is_one_of_the_schema() {
    let meta = Meta::from_iter([("k".to_owned(), 1.into())]);
    let chunk = ContentChunk::new("text".into()).meta(meta.clone());
    for (update, name) in [
        (SessionUpdate::UserMessageChunk(chunk.clone()), "user_message_chunk"),
        (SessionUpdate::AgentMessageChunk(chunk.clone()), "agent_message_chunk"),
        (SessionUpdate::AgentThoughtChunk(chunk), "agent_thought_chunk"),
    ] {
        let written = said(update);
        assert_eq!((&written["sessionUpdate"], &written["content"]["text"]), (&json!(name), &json!("text")));
        assert!(written["messageId"].is_string());
    }
    let call = ToolCall::new("c", "Edit")
        .kind(ToolKind::Edit)
        .name("edit".to_owned())
        .status(ToolCallStatus::InProgress)
        .content(vec![
            ToolCallContent::from(ContentBlock::from("text")),
            ToolCallContent::Diff(Diff::new("/a b", "new\n").old_text("old\n".to_owned())),
            ToolCallContent::Terminal(Terminal::new("t")),
        ])
        .locations(vec![ToolCallLocation::new(PathBuf::from("/a")).line(3)])
        .raw_input(json!({ "a": 1 }))
        .meta(meta);
    let written = said(SessionUpdate::ToolCall(call));
    assert_eq!(written["sessionUpdate"], "tool_call_update");
    assert_eq!(written["content"][1]["changes"][0]["operation"], "modify");
    assert_eq!(written["content"][1]["patch"]["format"], "git_patch");
    let written = said(SessionUpdate::ToolCall(ToolCall::new("c", "Edit")));
    assert_eq!(written, json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "title": "Edit" }));
    let change = ToolCallUpdate::new("c").status(ToolCallStatus::Completed).content(Vec::new());
    let expected =
        json!({ "sessionUpdate": "tool_call_update", "toolCallId": "c", "status": "completed", "content": [] });
    assert_eq!(said(SessionUpdate::ToolCallUpdate(change)), expected);
    let entries = vec![PlanEntry::new("think", PlanEntryPriority::High, PlanEntryStatus::Pending)];
    let written = said(SessionUpdate::Plan(Plan::new(entries)));
    assert_eq!((&written["plan"]["type"], &written["plan"]["planId"]), (&json!("items"), &json!("plan")));
    let hint = AvailableCommandInput::Unstructured(UnstructuredCommandInput::new("what"));
    let commands = vec![AvailableCommand::new("a", "A").input(hint), AvailableCommand::new("b", "B")];
    let written = said(SessionUpdate::AvailableCommandsUpdate(AvailableCommandsUpdate::new(commands)));
    assert_eq!(written["availableCommands"][0]["input"], json!({ "type": "text", "hint": "what" }));
    assert_eq!(said(SessionUpdate::CurrentModeUpdate(CurrentModeUpdate::new("m"))), Value::Null);
    said(SessionUpdate::SessionInfoUpdate(SessionInfoUpdate::new().title("T".to_owned())));
    said(SessionUpdate::UsageUpdate(UsageUpdate::new(1, 2)));
    said(SessionUpdate::Notice(Notice::new(NoticeSeverity::Warning, "careful")));
    said(SessionUpdate::CompactionUpdate(CompactionUpdate::new("c", CompactionStatus::InProgress)));
    said(SessionUpdate::CompactionSummaryChunk(CompactionSummaryChunk::new("c", "short".into())));
}

#[test]
fn a_link_of_no_size_that_version_2_has_is_written_without_it() {
    let link = |size| ContentBlock::ResourceLink(ResourceLink::new("n", "file:///n").size(size));
    let chunk = |size| SessionUpdate::AgentMessageChunk(ContentChunk::new(link(size)));
    assert_eq!(said(chunk(7))["content"]["size"], 7);
    assert_eq!(said(chunk(0))["content"]["size"], 0);
    let without = json!({ "type": "resource_link", "name": "n", "uri": "file:///n" });
    assert_eq!(said(chunk(-1))["content"], without);
    let meta = Meta::from_iter([("k".to_owned(), 1.into())]);
    let shown = ToolCallContent::Content(Content::new(link(-1)).meta(meta));
    let written = said(SessionUpdate::ToolCallUpdate(ToolCallUpdate::new("c").content(vec![shown])));
    assert_eq!(written["content"], json!([{ "type": "content", "content": without, "_meta": { "k": 1 } }]));
    let written = said(SessionUpdate::CompactionSummaryChunk(CompactionSummaryChunk::new("c", link(-1))));
    assert_eq!(written["content"], without);
}

#[test]
fn a_status_of_version_2_alone_is_written() {
    let (session, messages) = (SessionId::from("s"), MessageTracker::default());
    for (control, status) in [(Control::Paused, "paused"), (Control::Cancelled, "cancelled")] {
        let change = SessionUpdate::ToolCallUpdate(ToolCallUpdate::new("c").status(ToolCallStatus::Failed));
        let mut out = Vec::new();
        V2.update(&mut out, OutgoingUpdate::new(&session, &change, &messages).of_status(control)).unwrap();
        assert_eq!(update(&out)["status"], status);
    }
    let mut out = Vec::new();
    V2.control(&mut out, &session, &Listed::ToolCall("c".into()), Control::Cancellable).unwrap();
    assert_eq!(update(&out)["capabilities"], json!({ "cancel": {} }));
}

#[test]
fn each_state_is_one_of_the_schema() {
    let session = SessionId::from("s");
    let failed = Stop::Error(Error::internal_error("broken").with_data(json!([1])));
    let done = Stop::Reason(StopReason::MaxTurnRequests, Some(Meta::from_iter([("k".to_owned(), 1.into())])));
    let (item, none) = (Listed::ToolCall("c".into()), Vec::new());
    for (state, stop, background) in [
        (State::Running, None, None),
        (State::RequiresAction, None, Some(none)),
        (State::Idle, Some(&failed), Some(vec![&item])),
        (State::Idle, Some(&done), None),
        (State::Idle, None, None),
    ] {
        let mut out = Vec::new();
        V2.activity(&mut out, &session, &Activity { state, stop, background }).unwrap();
        update(&out);
    }
}

#[test]
fn options_are_written_as_the_schema_has_them() {
    let value = |id, group| match group {
        Some(group) => crate::config::value::ValueDeclaration::new(id, id).group(group, "Group"),
        None => crate::config::value::ValueDeclaration::new(id, id),
    };
    let (plain, grouped) = ([value("a", None)], [value("a", Some("g")), value("b", Some("h"))]);
    let select = |values| ShownKind::Select { current_value: "a", options: ShownValues::new(values) };
    let option = |id, kind| ShownOption { id, name: "N", description: Some("d"), category: Some("model"), kind };
    let options = vec![
        option("plain", select(Offered::Declared(&plain))),
        option("grouped", select(Offered::Declared(&grouped))),
        option("switch", ShownKind::Boolean { current_value: true }),
    ];
    let state = FullState { options, members: None };
    let mut out = Vec::new();
    V2.options(&mut out, &state).unwrap();
    let written = same::<v2::SetSessionConfigOptionResponse>(std::str::from_utf8(&out).unwrap());
    assert_eq!(written["configOptions"][0]["configId"], "plain");
    assert_eq!(written["configOptions"][1]["options"][1]["groupId"], "h");
    let (session, mut out) = (SessionId::from("s"), Vec::new());
    V2.options_update(&mut out, &session, &state, &[]).unwrap();
    assert_eq!(update(&out)["configOptions"], written["configOptions"]);
    for by in [Opening::New, Opening::Load, Opening::Resume] {
        let state =
            FullState { options: vec![option("switch", ShownKind::Boolean { current_value: true })], members: None };
        let modes = Some(SessionModeState::new("ask", Vec::new()));
        let opened = Opened { by, id: &session, modes, options: Some(state), meta: None, members: &[] };
        let answer = V2.opened(&Unused, &opened).unwrap();
        let written = match by {
            Opening::New => same::<v2::NewSessionResponse>(answer.get()),
            _ => same::<v2::ResumeSessionResponse>(answer.get()),
        };
        assert_eq!((written.get("modes"), &written["configOptions"][0]["type"]), (None, &json!("boolean")));
    }
}

#[test]
fn what_an_agent_says_of_itself_is_written_as_the_schema_has_it() {
    let terminal =
        AuthMethodTerminal::new("t", "In a terminal").env([("K".to_owned(), "v".to_owned())].into_iter().collect());
    let mut capabilities = AgentCapabilities::new();
    capabilities.load_session = true;
    capabilities.prompt_capabilities.image = true;
    capabilities.mcp_capabilities.http = true;
    capabilities.session_capabilities.delete = Some(SessionDeleteCapabilities::new());
    capabilities.session_capabilities.list = Some(SessionListCapabilities::new());
    let response = InitializeResponse::new(ProtocolVersion::from(2))
        .agent_capabilities(capabilities)
        .agent_info(Implementation::new("agent", "1"))
        .auth_methods(vec![AuthMethod::Agent(AuthMethodAgent::new("a", "Here")), AuthMethod::Terminal(terminal)]);
    let written = same::<v2::InitializeResponse>(V2.initialized(&response).unwrap().get());
    let session = json!({ "prompt": { "image": {} }, "mcp": { "stdio": {}, "http": {} }, "delete": {} });
    assert_eq!(written["capabilities"], json!({ "session": session }));
    assert_eq!(written["authMethods"][1]["env"], json!([{ "name": "K", "value": "v" }]));
    assert_eq!(written["authMethods"][0], json!({ "type": "agent", "methodId": "a", "name": "Here" }));
}
